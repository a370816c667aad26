//! What an instruction does besides computing its results: the one place that says so.
//!
//! No instruction traps: every operation has a result for all operands, and an access that is not
//! allowed does nothing and gives zeros.

use std::fmt;

use super::{Fences, InstData, ObjectSet};

/// What an instruction does besides computing its results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect<'i> {
    /// Nothing: it may be dropped, merged with an equal one and moved to wherever its operands are
    /// there.
    Pure,
    /// Accesses memory.
    Access(AccessEffect<'i>),
    /// Orders this work-item's accesses.
    Fence(Fences),
    /// Waits for the work-items of the group, and orders accesses.
    Barrier(Fences),
    /// Prints.
    Print,
    /// Ends a block.
    Control,
}

/// What an instruction does to memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AccessEffect<'i> {
    /// What it does.
    pub kind: AccessKind,
    /// To which objects at most.
    pub objects: &'i ObjectSet,
    /// Whether it must happen as written.
    pub is_volatile: bool,
    /// The [lag](super::Access::lag) of a load, else 0.
    pub lag: u8,
}

/// What an access does to memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AccessKind {
    /// Reads.
    Read,
    /// Writes.
    Write,
    /// Reads and writes as one step, which other work-items can wait for.
    Atomic,
}

impl fmt::Display for AccessKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            AccessKind::Read => "read",
            AccessKind::Write => "write",
            AccessKind::Atomic => "atomic access",
        })
    }
}

impl AccessKind {
    /// Whether the results of such an access depend on what memory holds.
    pub fn reads(&self) -> bool {
        match self {
            AccessKind::Read | AccessKind::Atomic => true,
            AccessKind::Write => false,
        }
    }

    /// Whether such an access may change what memory holds.
    pub fn writes(&self) -> bool {
        match self {
            AccessKind::Write | AccessKind::Atomic => true,
            AccessKind::Read => false,
        }
    }
}

impl AccessEffect<'_> {
    /// Whether its results depend on what memory holds.
    pub fn reads(&self) -> bool {
        self.kind.reads()
    }

    /// Whether it may change what memory holds.
    pub fn writes(&self) -> bool {
        self.kind.writes()
    }

    /// Whether a work-item can learn by it that another one has got somewhere.
    pub fn synchronises(&self) -> bool {
        self.is_volatile || self.kind == AccessKind::Atomic
    }

    /// Whether nothing is lost if it is left out when its results are not used.
    pub fn is_removable(&self) -> bool {
        self.kind == AccessKind::Read && !self.is_volatile
    }
}

impl InstData {
    /// What the instruction does besides computing its results.
    pub fn effect(&self) -> Effect<'_> {
        let access = |kind, objects, is_volatile| {
            Effect::Access(AccessEffect {
                kind,
                objects,
                is_volatile,
                lag: self.access().map_or(0, |it| it.lag),
            })
        };
        match self {
            InstData::Const(_)
            | InstData::Arg { .. }
            | InstData::Addr(_)
            | InstData::Query { .. }
            | InstData::Unary { .. }
            | InstData::Binary { .. }
            | InstData::Ternary { .. }
            | InstData::Elementary { .. }
            | InstData::Select { .. }
            | InstData::Compare { .. }
            | InstData::Cast { .. }
            | InstData::PtrAdd { .. }
            | InstData::InSpace { .. } => Effect::Pure,
            InstData::Load {
                access: transfer,
                objects,
                ..
            } => access(AccessKind::Read, objects, transfer.volatile),
            InstData::Store {
                access: transfer,
                objects,
                ..
            } => access(AccessKind::Write, objects, transfer.volatile),
            InstData::AtomicRmw { objects, .. } | InstData::CmpXchg { objects, .. } => {
                access(AccessKind::Atomic, objects, false)
            }
            InstData::Barrier(fences) => Effect::Barrier(*fences),
            InstData::Fence(fences) => Effect::Fence(*fences),
            InstData::Printf { .. } => Effect::Print,
            InstData::Jump(_) | InstData::Branch { .. } | InstData::Return => Effect::Control,
        }
    }

    /// The effect on memory, of an instruction that accesses it.
    pub fn access_effect(&self) -> Option<AccessEffect<'_>> {
        match self.effect() {
            Effect::Access(access) => Some(access),
            Effect::Pure
            | Effect::Fence(_)
            | Effect::Barrier(_)
            | Effect::Print
            | Effect::Control => None,
        }
    }

    /// Whether this ends a block.
    pub fn is_terminator(&self) -> bool {
        self.effect() == Effect::Control
    }

    /// Whether the instruction can be dropped when its results are not used, and merged with an
    /// equal one: it reads no memory and does nothing but compute.
    pub fn is_pure(&self) -> bool {
        self.effect() == Effect::Pure
    }
}
