//! Bounds: counts the accesses of a circuit that leave their objects or are misaligned, exactly and
//! with their source lines, by watching the units that make them.
//!
//! The memory cannot tell: it sees lines, which reach beyond the ends of buffers, and one part of a
//! buffer may be followed by another. Accesses that are kept from memories on the chip never reach
//! them: their guards say so.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard};

use sluice_circuit::circuit::Channel;
use sluice_circuit::sim::Simulator;

use crate::interp::{AccessKind, SourceLocation};
use crate::launch::placement::{Near, Span};
use crate::prepare::Guarded;

/// Accesses outside of their objects, and misaligned ones.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OutOfBounds {
    /// Loads outside of their objects.
    pub reads: u64,
    /// Stores outside of their objects.
    pub writes: u64,
    /// Atomic operations outside of their objects.
    pub atomics: u64,
    /// Misaligned accesses of all kinds.
    pub misaligned: u64,
    /// The first of all.
    pub first: Option<FirstOutOfBounds>,
}

impl OutOfBounds {
    /// How many there are.
    pub fn count(&self) -> u64 {
        self.reads + self.writes + self.atomics + self.misaligned
    }
}

/// An access outside of its object, or a misaligned one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FirstOutOfBounds {
    /// What is wrong with it.
    pub problem: Problem,
    /// What it does.
    pub kind: AccessKind,
    /// How many bytes it accesses.
    pub bytes: u32,
    /// Where, seen from the object that is nearest, if the address says so.
    pub near: Option<Near>,
    /// What it may have been meant for, if the address does not say: none if it has only been given
    /// null pointers.
    pub objects: Vec<ObjectSize>,
    /// Which access it is.
    pub place: SourceLocation,
}

/// What is wrong with an access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Problem {
    /// It leaves its object.
    OutOfBounds,
    /// Its address is no multiple of its alignment.
    Misaligned {
        /// The alignment.
        align: u32,
    },
}

/// The name of an object and how many bytes it has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObjectSize {
    /// The name.
    pub name: String,
    /// The bytes.
    pub size: u64,
}

impl fmt::Display for ObjectSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` ({} bytes)", self.name, self.size)
    }
}

impl fmt::Display for FirstOutOfBounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.problem {
            Problem::OutOfBounds => "out-of-bounds",
            Problem::Misaligned { .. } => "misaligned",
        };
        write!(f, "{what} {} of {} bytes", self.kind, self.bytes)?;
        let objects: Vec<String> = self.objects.iter().map(ToString::to_string).collect();
        match (&self.near, &objects[..]) {
            (Some(near), _) => write!(f, " at {near}")?,
            (None, []) => f.write_str(" through a null pointer")?,
            (None, objects) => write!(f, " of {}", objects.join(" or "))?,
        }
        if let Problem::Misaligned { align } = self.problem {
            write!(f, ", at no multiple of {align}")?;
        }
        write!(f, ", {}", self.place)
    }
}

/// An access, and what it may reach in a launch.
#[derive(Clone, Debug)]
pub(crate) struct Watched {
    /// Where its operands come from: the address first, the outcome of its guard last.
    pub(crate) channel: Channel,
    pub(crate) guard: Option<Guarded>,
    /// Whether a token whose last field is 0 is no access.
    pub(crate) is_conditional: bool,
    pub(crate) kind: AccessKind,
    pub(crate) bytes: u32,
    pub(crate) align: u32,
    pub(crate) place: SourceLocation,
    /// The bytes that it may reach, if the address says where it is.
    pub(crate) spans: Option<Vec<Span>>,
    /// The objects that are no buffers.
    pub(crate) objects: Vec<ObjectSize>,
}

impl Watched {
    /// What is wrong with an access, if anything is.
    fn problem(&self, token: &[u64]) -> Option<Problem> {
        let address = token[0];
        let misaligned = Problem::Misaligned { align: self.align };
        match self.guard {
            Some(Guarded { bounds, alignment }) if token.last() == Some(&0) => {
                let is_misaligned = address & u64::from(self.align - 1) != 0;
                match alignment && (is_misaligned || !bounds) {
                    true => Some(misaligned),
                    false => Some(Problem::OutOfBounds),
                }
            }
            None if self.is_conditional && token.last() == Some(&0) => None,
            Some(_) | None => {
                let bytes = u64::from(self.bytes);
                let mut spans = self.spans.as_ref()?.iter();
                (!spans.any(|span| span.holds(address, bytes))).then_some(Problem::OutOfBounds)
            }
        }
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
        self.0.lock().expect("counting does not panic")
    }

    fn add(&self, access: &Watched, problem: Problem, address: u64) {
        let mut counted = self.lock();
        match (problem, access.kind) {
            (Problem::Misaligned { .. }, _) => counted.misaligned += 1,
            (Problem::OutOfBounds, AccessKind::Read) => counted.reads += 1,
            (Problem::OutOfBounds, AccessKind::Write) => counted.writes += 1,
            (Problem::OutOfBounds, AccessKind::Atomic) => counted.atomics += 1,
        }
        counted.first.get_or_insert_with(|| {
            let spans = access.spans.as_ref();
            FirstOutOfBounds {
                problem,
                kind: access.kind,
                bytes: access.bytes,
                near: spans.and_then(|spans| Span::nearest(spans, address)),
                objects: access.objects.clone(),
                place: access.place.clone(),
            }
        });
    }
}

/// Counts from now on.
pub(crate) fn watch(simulator: &mut Simulator, accesses: Vec<Watched>) -> Counted {
    let counted = Counted::default();
    let channels: Vec<Channel> = accesses.iter().map(|access| access.channel).collect();
    let count = counted.clone();
    let watch = move |number: usize, token: &[u64]| {
        let access = &accesses[number];
        if let Some(problem) = access.problem(token) {
            count.add(access, problem, token[0]);
        }
    };
    simulator.watch(&channels, Box::new(watch));
    counted
}
