//! Why accesses have the memory units that they have, as reports say it.

use std::fmt;

/// Why an access has the memory unit that it has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The plan's entry of the access says so.
    Asked,
    /// The plan says so for all accesses of the kernel that may have it.
    AskedOfKernel,
    /// A builtin of the source says so.
    AskedBySource,
    /// The buffer has atomic operations.
    Atomic,
    /// The buffer is volatile.
    Volatile,
    /// Kernels share the buffer while they run.
    SharedWithKernels,
    /// What is read may have been written in the same launch.
    ReadAndWritten,
    /// Two streams do not keep the order of two stores.
    SeveralStores,
    /// There are as many streams as a memory port serves.
    ManyStreams,
    /// The buffer has more accesses than streams are worth their area for.
    ManyAccesses,
    /// Another access of the buffer needs a cache.
    BesideCache,
    /// It is in a loop, where work-items may come back to what they have read.
    InLoop,
    /// The distance between the places of neighbouring work-items is not known.
    UnknownStride,
    /// The distance is so long that few of them share a line.
    LongStride(i64),
    /// The distance is so short that several of them share a line.
    ShortStride(i64),
    /// As many loads read the same lines one after the other, and the memory moves too little for all of them.
    SameLines(u32),
    /// All work-items and iterations go to one place.
    OnePlace,
    /// It is a store, and these fetch nothing.
    OnlyWritten,
    /// The buffer is small, and several loads would take turns at its cache.
    TakesTurns {
        /// Requests of a token.
        loads: u32,
        /// Bytes of the buffer at most.
        bytes: u32,
    },
    /// Nothing says how large the buffer is.
    UnknownSize,
    /// Accesses may go to one of several objects, or the object is no buffer.
    NotOneBuffer,
    /// Something is written to it.
    Written,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Asked | Reason::AskedOfKernel => "is given this by the plan",
            Reason::AskedBySource => "is given this by the source",
            Reason::ManyAccesses => "has so many accesses that a cache is smaller",
            Reason::BesideCache => "has a cache for other accesses",
            Reason::Atomic => "has atomic operations",
            Reason::Volatile => "is volatile",
            Reason::SharedWithKernels => "kernels share while they run",
            Reason::ReadAndWritten => "is both read and written",
            Reason::SeveralStores => "is written by several stores",
            Reason::ManyStreams => "has no place at the memory port for a stream",
            Reason::InLoop => "is accessed in a loop",
            Reason::UnknownStride => "is accessed at places without a known distance",
            Reason::LongStride(bytes) => {
                return write!(f, "is accessed {bytes} bytes further by the next work-item");
            }
            Reason::OnePlace => "is accessed at the same place by all work-items",
            Reason::OnlyWritten => "is only written there",
            Reason::UnknownSize => "has a size that is not known",
            Reason::NotOneBuffer => "is not one buffer",
            Reason::Written => "is written",
            Reason::TakesTurns { loads, bytes } => {
                return write!(
                    f,
                    "has at most {bytes} bytes, and {loads} loads would take turns at a cache"
                );
            }
            Reason::SameLines(count) => {
                return write!(
                    f,
                    "is read by {count} loads that follow each other, more than the memory moves"
                );
            }
            Reason::ShortStride(0) => "is accessed at the same place by the next work-item",
            Reason::ShortStride(bytes) => {
                return write!(f, "is accessed {bytes} bytes further by the next work-item");
            }
        })
    }
}
