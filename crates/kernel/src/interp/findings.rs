//! Findings: what the checks report of a launch that goes on, each place once.

use std::mem::discriminant;
use std::sync::{Mutex, MutexGuard};

use super::fault::{Fault, SourceLocation};

/// Collects the faults of a launch.
#[derive(Debug)]
pub struct Findings {
    /// Most places that are remembered.
    limit: usize,
    found: Mutex<Found>,
}

#[derive(Debug, Default)]
struct Found {
    list: Vec<Finding>,
    /// Faults at places beyond the limit.
    others: u64,
}

/// The faults of one kind at one place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The first one.
    pub fault: Fault,
    /// How many there were.
    pub count: u64,
}

impl Findings {
    /// Collects faults at up to `limit` places.
    pub fn new(limit: usize) -> Findings {
        Findings {
            limit,
            found: Mutex::default(),
        }
    }

    /// What was found, in the order in which it was met.
    pub fn list(&self) -> Vec<Finding> {
        self.lock().list.clone()
    }

    /// How many faults there were at places beyond the limit.
    pub fn others(&self) -> u64 {
        self.lock().others
    }

    pub(super) fn add(&self, fault: Fault) {
        let found = &mut *self.lock();
        let mut known = found.list.iter();
        match known.position(|known| is_same(&known.fault, &fault)) {
            Some(at) => found.list[at].count += 1,
            None if found.list.len() < self.limit => {
                found.list.push(Finding { fault, count: 1 });
            }
            None => found.others += 1,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Found> {
        self.found
            .lock()
            .expect("no thread panics while it adds a fault")
    }
}

/// Whether two faults are of one kind, about one object, and at the same places.
fn is_same(one: &Fault, other: &Fault) -> bool {
    discriminant(one) == discriminant(other)
        && one.object() == other.object()
        && places(one) == places(other)
}

fn places(fault: &Fault) -> [Option<&SourceLocation>; 2] {
    let first = match fault {
        Fault::Race { accesses, .. } => Some(&accesses[0].place),
        _ => None,
    };
    [first, fault.place()]
}
