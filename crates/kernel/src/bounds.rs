//! Bounds: counts the accesses of a circuit that leave their objects, exactly and with their source
//! lines, by watching the units that make them.
//!
//! The memory cannot tell: it sees lines, which reach beyond the ends of buffers, and one part of a
//! buffer may be followed by another.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard};

use sluice_circuit::circuit::Channel;
use sluice_circuit::sim::Simulator;

use crate::interp::{AccessKind, Place};
use crate::placement::{Near, Span};

/// Accesses outside of their objects.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OutOfBounds {
    /// Loads.
    pub reads: u64,
    /// Stores.
    pub writes: u64,
    /// Atomic operations.
    pub atomics: u64,
    /// The first of all.
    pub first: Option<Stray>,
}

impl OutOfBounds {
    /// How many there are.
    pub fn count(&self) -> u64 {
        self.reads + self.writes + self.atomics
    }
}

/// An access outside of its object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stray {
    /// What it does.
    pub kind: AccessKind,
    /// How many bytes it accesses.
    pub bytes: u32,
    /// Where, seen from the object that is nearest; none if it has only been given null pointers.
    pub near: Option<Near>,
    /// Which access it is.
    pub place: Place,
}

impl fmt::Display for Stray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "out-of-bounds {} of {} bytes", self.kind, self.bytes)?;
        match &self.near {
            Some(near) => write!(f, " at {near}, {}", self.place),
            None => write!(f, " through a null pointer, {}", self.place),
        }
    }
}

/// An access, and what it may reach in a launch.
#[derive(Clone, Debug)]
pub(crate) struct Guarded {
    /// Where its operands come from, the address first.
    pub(crate) channel: Channel,
    pub(crate) kind: AccessKind,
    pub(crate) bytes: u32,
    pub(crate) place: Place,
    pub(crate) spans: Vec<Span>,
}

impl Guarded {
    fn allows(&self, address: u64) -> bool {
        let bytes = u64::from(self.bytes);
        self.spans.iter().any(|span| span.holds(address, bytes))
    }
}

/// What has been counted so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counted(Arc<Mutex<OutOfBounds>>);

impl Counted {
    /// The counts.
    pub(crate) fn get(&self) -> OutOfBounds {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, OutOfBounds> {
        self.0.lock().expect("nobody panics while counting")
    }

    fn add(&self, access: &Guarded, address: u64) {
        let mut counted = self.lock();
        match access.kind {
            AccessKind::Read => counted.reads += 1,
            AccessKind::Write => counted.writes += 1,
            AccessKind::Atomic => counted.atomics += 1,
        }
        counted.first.get_or_insert_with(|| Stray {
            kind: access.kind,
            bytes: access.bytes,
            near: Span::nearest(&access.spans, address),
            place: access.place.clone(),
        });
    }
}

/// Counts from now on.
pub(crate) fn watch(simulator: &mut Simulator, accesses: Vec<Guarded>) -> Counted {
    let counted = Counted::default();
    let channels: Vec<Channel> = accesses.iter().map(|access| access.channel).collect();
    let count = counted.clone();
    let watch = move |number: usize, token: &[u64]| {
        let access = &accesses[number];
        if !access.allows(token[0]) {
            count.add(access, token[0]);
        }
    };
    simulator.watch(&channels, Box::new(watch));
    counted
}
