//! What can go wrong in a launch, each with its work-item and source line.

use std::fmt;

use thiserror::Error;

use crate::{
    Kernel,
    ir::{AccessKind, Loc},
    launch::{BufferId, LaunchError},
};

/// Why a launch was stopped.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[allow(missing_docs)]
pub enum Fault {
    /// The launch does not fit the kernel; nothing was executed.
    #[error(transparent)]
    Launch(#[from] LaunchError),
    /// An argument is a buffer of another memory.
    #[error("{0} is not a buffer of the memory that the launch was given")]
    NoSuchBuffer(BufferId),
    /// The objects of the work-items that run at once do not fit.
    #[error("the kernel needs {bytes} bytes of local and private memory, more than {most}")]
    TooMuchMemory { bytes: u64, most: u64 },
    /// An access that is not within its object.
    #[error(
        "out-of-bounds {kind} of {bytes} bytes at byte {offset} of `{object}` ({size} bytes), work-item {item}, {place}"
    )]
    OutOfBounds {
        kind: AccessKind,
        bytes: u32,
        offset: i64,
        object: String,
        size: u64,
        item: WorkItem,
        place: SourceLocation,
    },
    /// An access at an address that is no multiple of what the access says it is.
    #[error(
        "misaligned {kind} of {bytes} bytes at byte {offset} of `{object}`, which is no multiple of {align}, work-item {item}, {place}"
    )]
    Misaligned {
        kind: AccessKind,
        bytes: u32,
        align: u32,
        offset: i64,
        object: String,
        item: WorkItem,
        place: SourceLocation,
    },
    /// An access through a null pointer, or near it.
    #[error("{kind} of {bytes} bytes through a null pointer, work-item {item}, {place}")]
    NullPointer {
        kind: AccessKind,
        bytes: u32,
        item: WorkItem,
        place: SourceLocation,
    },
    /// An access through an address that no object has.
    #[error(
        "{kind} of {bytes} bytes at {address:#x}, which is in no object, work-item {item}, {place}"
    )]
    WildPointer {
        kind: AccessKind,
        bytes: u32,
        address: u64,
        item: WorkItem,
        place: SourceLocation,
    },
    /// An access to an object that the instruction is said not to touch: the set of objects is
    /// wrong.
    #[error(
        "{kind} of {bytes} bytes at byte {offset} of `{object}`, which is not among the objects of the access, work-item {item}, {place}"
    )]
    OtherObject {
        kind: AccessKind,
        bytes: u32,
        offset: i64,
        object: String,
        item: WorkItem,
        place: SourceLocation,
    },
    /// A write to a constant table or a struct argument.
    #[error(
        "write of {bytes} bytes at byte {offset} of `{object}`, which is read-only, work-item {item}, {place}"
    )]
    ReadOnly {
        bytes: u32,
        offset: i64,
        object: String,
        item: WorkItem,
        place: SourceLocation,
    },
    /// A read of memory that has not been written.
    #[error(
        "read of byte {offset} of `{object}`, which has not been written, work-item {item}, {place}"
    )]
    Uninitialised {
        offset: u64,
        object: String,
        item: WorkItem,
        place: SourceLocation,
    },
    /// Two accesses whose order nothing determines.
    #[error("data race at byte {offset} of `{object}`: {} and {}", .accesses[0], .accesses[1])]
    Race {
        offset: u64,
        object: String,
        accesses: Box<[RacingAccess; 2]>,
    },
    /// A barrier that a work-item of the group does not reach.
    #[error("work-item {item} waits at the barrier at {place}, but work-item {other} {instead}")]
    BarrierDivergence {
        item: WorkItem,
        place: SourceLocation,
        other: WorkItem,
        instead: Elsewhere,
    },
    /// A work-item that executes too many instructions.
    #[error("work-item {item} has executed more than {limit} instructions, {place}")]
    StepLimit {
        limit: u64,
        item: WorkItem,
        place: SourceLocation,
    },
}

/// A work-item, by its global id.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WorkItem(pub [u64; 3]);

/// A line and column of the source, with the name of its file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceLocation {
    /// The file's name.
    pub file: Box<str>,
    /// Line, from 1; 0 if unknown.
    pub line: u32,
    /// Column, from 1.
    pub column: u16,
}

/// One side of a data race.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RacingAccess {
    /// What it does.
    pub kind: AccessKind,
    /// Who does it.
    pub item: WorkItem,
    /// Where.
    pub place: SourceLocation,
}

/// Where a work-item is that does not come to a barrier.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Elsewhere {
    /// It has ended.
    Ended,
    /// It waits at another barrier.
    Barrier(SourceLocation),
}

impl Fault {
    /// Where it happened, if that is a place in the source.
    pub fn place(&self) -> Option<&SourceLocation> {
        match self {
            Fault::Launch(_) | Fault::NoSuchBuffer(_) | Fault::TooMuchMemory { .. } => None,
            Fault::OutOfBounds { place, .. }
            | Fault::Misaligned { place, .. }
            | Fault::NullPointer { place, .. }
            | Fault::WildPointer { place, .. }
            | Fault::OtherObject { place, .. }
            | Fault::ReadOnly { place, .. }
            | Fault::Uninitialised { place, .. }
            | Fault::BarrierDivergence { place, .. }
            | Fault::StepLimit { place, .. } => Some(place),
            Fault::Race { accesses, .. } => Some(&accesses[1].place),
        }
    }
}

impl Fault {
    /// The name of the object that it is about, if there is one.
    pub fn object(&self) -> Option<&str> {
        match self {
            Fault::OutOfBounds { object, .. }
            | Fault::Misaligned { object, .. }
            | Fault::OtherObject { object, .. }
            | Fault::ReadOnly { object, .. }
            | Fault::Uninitialised { object, .. }
            | Fault::Race { object, .. } => Some(object),
            Fault::Launch(_)
            | Fault::NoSuchBuffer(_)
            | Fault::TooMuchMemory { .. }
            | Fault::NullPointer { .. }
            | Fault::WildPointer { .. }
            | Fault::BarrierDivergence { .. }
            | Fault::StepLimit { .. } => None,
        }
    }
}

impl SourceLocation {
    pub(crate) fn new(kernel: &Kernel, loc: Loc) -> SourceLocation {
        let file = kernel.files.get(usize::from(loc.file));
        SourceLocation {
            file: file.map_or("", String::as_str).into(),
            line: loc.line,
            column: loc.column,
        }
    }
}

impl fmt::Display for SourceLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.line, &*self.file) {
            (0, _) => f.write_str("at an unknown line"),
            (line, "") => write!(f, "line {line}:{}", self.column),
            (line, file) => write!(f, "{file}:{line}:{}", self.column),
        }
    }
}

impl fmt::Display for WorkItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.0;
        write!(f, "({x},{y},{z})")
    }
}

impl fmt::Display for RacingAccess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} by work-item {}, {}",
            self.kind, self.item, self.place
        )
    }
}

impl fmt::Display for Elsewhere {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Elsewhere::Ended => f.write_str("has ended"),
            Elsewhere::Barrier(place) => write!(f, "waits at the one at {place}"),
        }
    }
}
