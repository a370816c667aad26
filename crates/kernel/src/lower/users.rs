//! The units that access a memory, collected until it is built.

use sluice_circuit::circuit::Channel;
use sluice_circuit::units::atomics::Operation;

use super::banks::KnownBits;

/// What accesses the memory of a group of objects.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Users {
    /// Loads and stores that share a memory or a cache, with their channels.
    pub(super) accesses: Vec<User>,
    /// By load and store of local memory, what is known of the addresses of its words.
    pub(super) addresses: Vec<KnownBits>,
    /// Loads and stores with streams of their own.
    pub(super) streams: Vec<StreamUse>,
    /// Loads with ports of a copy of their buffer.
    pub(super) copies: Vec<CopyUse>,
    /// Atomic operations.
    pub(super) atomics: Vec<AtomicUse>,
}

/// A load or store with a stream of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct StreamUse {
    pub(super) user: User,
    /// The name of its unit.
    pub(super) name: String,
    /// Bytes per transfer.
    pub(super) bytes: u32,
    /// Accesses under way.
    pub(super) outstanding: u32,
    /// Where its lines come from.
    pub(super) source: LineSource,
    pub(super) lines: Vec<u32>,
}

/// A load with a port of a copy of its buffer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct CopyUse {
    pub(super) user: User,
    /// How many bytes from the beginning of the buffer it reads, if that is always the same.
    pub(super) place: Option<u64>,
    /// Accesses under way.
    pub(super) outstanding: u32,
    pub(super) lines: Vec<u32>,
}

/// Where the lines of a stream come from, and how many it holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LineSource {
    /// A memory port: as many as accesses under way lie in.
    Port,
    /// A memory port: one at a time.
    PortOnce,
    /// A cache that other streams have, too: as many as accesses under way lie in.
    SharedCache,
}

/// A unit that accesses memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct User {
    pub(super) request: Channel,
    pub(super) answer: Answer,
}

/// What a memory tells a unit that accesses it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Answer {
    /// What was read.
    Response(Channel),
    /// That a write was done.
    Acknowledgement(Channel),
    /// Nothing: a write is done when it was accepted.
    None,
}

impl User {
    pub(super) fn response(&self) -> Option<Channel> {
        match self.answer {
            Answer::Response(channel) => Some(channel),
            Answer::Acknowledgement(_) | Answer::None => None,
        }
    }
}

/// An atomic operation: where its operands come from, where the old value goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct AtomicUse {
    pub(super) operation: Operation,
    pub(super) input: Channel,
    pub(super) output: Channel,
    pub(super) lines: Vec<u32>,
}
