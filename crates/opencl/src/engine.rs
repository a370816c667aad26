//! When parts of the device are busy, on its clock: kernels and the link to the host, and the memory that kernels
//! share.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

/// A span on the device's clock.
pub(crate) type Nanoseconds = u64;

/// What a command takes of the device.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Spent {
    /// How long it takes with external memory for itself.
    pub(crate) length: Nanoseconds,
    /// The share of the memory's bandwidth that it uses meanwhile, 0 to 1.
    pub(crate) memory: f64,
}

impl From<Nanoseconds> for Spent {
    fn from(length: Nanoseconds) -> Spent {
        Spent {
            length,
            memory: 0.0,
        }
    }
}

/// A part of the device that does one thing at a time.
#[derive(Debug, Default)]
pub(crate) struct Engine {
    /// When it is free.
    free: Mutex<Nanoseconds>,
    /// What it shares with others.
    memory: Arc<Bandwidth>,
}

impl Engine {
    /// An engine that uses a memory.
    pub(crate) fn with_memory(memory: Arc<Bandwidth>) -> Engine {
        Engine {
            free: Mutex::default(),
            memory,
        }
    }

    /// When something that cannot start before `earliest` starts and ends.
    pub(crate) fn occupy(&self, earliest: Nanoseconds, spent: Spent) -> (Nanoseconds, Nanoseconds) {
        let mut free = self.free.lock().expect("nothing panics with the lock");
        let start = earliest.max(*free);
        *free = self.memory.take(start, spent);
        (start, *free)
    }
}

/// The bandwidth of external memory: at any time, all that use it have together no more than there is. What is told
/// of first has what it needs, and what comes later has the rest.
#[derive(Debug, Default)]
pub(crate) struct Bandwidth(Mutex<VecDeque<Taken>>);

/// A share of the bandwidth that is taken for some time.
#[derive(Clone, Copy, Debug)]
struct Taken {
    from: Nanoseconds,
    to: Nanoseconds,
    share: f64,
}

/// Spans that are remembered: programs overlap few commands.
const MOST_TAKEN: usize = 256;

/// Less than this is nothing, so that rounding does not make spans endless.
const NOTHING: f64 = 1e-6;

impl Bandwidth {
    /// Takes what a command uses from `start` on; returns when the command ends.
    fn take(&self, start: Nanoseconds, Spent { length, memory }: Spent) -> Nanoseconds {
        if memory < NOTHING {
            return start + length;
        }
        let mut all = self.0.lock().expect("nothing panics with the lock");
        let mut left = length as f64;
        let mut now = start;
        let mut spans = Vec::new();
        let end = loop {
            let here = all.iter().filter(|it| it.from <= now && now < it.to);
            let free = 1.0 - here.map(|it| it.share).sum::<f64>();
            let speed = match free {
                free if free < NOTHING => 0.0,
                free => (free / memory).min(1.0),
            };
            let changes = all.iter().flat_map(|it| [it.from, it.to]);
            let change = changes.filter(|&it| it > now).min();
            let end = now as f64 + left / speed;
            let to = match change {
                Some(change) if end > change as f64 => change,
                _ => end.ceil() as Nanoseconds,
            };
            if speed > 0.0 {
                spans.push(Taken {
                    from: now,
                    to,
                    share: speed * memory,
                });
            }
            if Some(to) != change || end <= to as f64 {
                break to;
            }
            left -= speed * (to - now) as f64;
            now = to;
        };
        all.extend(spans);
        let excess = all.len().saturating_sub(MOST_TAKEN);
        all.drain(..excess);
        end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spent(length: Nanoseconds, memory: f64) -> Spent {
        Spent { length, memory }
    }

    #[test]
    fn an_engine_does_one_thing_at_a_time() {
        let engine = Engine::default();
        assert_eq!(engine.occupy(10, 5.into()), (10, 15));
        assert_eq!(engine.occupy(0, 5.into()), (15, 20));
    }

    #[test]
    fn engines_of_one_memory_have_its_bandwidth_together() {
        let memory = Arc::new(Bandwidth::default());
        let [a, b, c] = [(); 3].map(|()| Engine::with_memory(memory.clone()));
        assert_eq!(a.occupy(0, spent(100, 0.75)), (0, 100));
        // A quarter of the bandwidth is left: half of what it needs, until the first one ends.
        assert_eq!(b.occupy(0, spent(100, 0.5)), (0, 150));
        // Nothing is left in the first 100, half of the bandwidth in the next 50.
        assert_eq!(c.occupy(0, spent(60, 1.0)), (0, 185));
    }

    #[test]
    fn what_fits_side_by_side_is_not_slowed_down() {
        let memory = Arc::new(Bandwidth::default());
        let [a, b] = [(); 2].map(|()| Engine::with_memory(memory.clone()));
        assert_eq!(a.occupy(0, spent(100, 0.4)), (0, 100));
        assert_eq!(b.occupy(50, spent(100, 0.6)), (50, 150));
        assert_eq!(a.occupy(100, spent(7, 0.0)), (100, 107));
    }

    #[test]
    fn many_launches_in_a_row_are_forgotten() {
        let engine = Engine::default();
        for at in 0..10_000 {
            assert_eq!(engine.occupy(0, spent(3, 1.0)), (3 * at, 3 * at + 3));
        }
        let taken = engine.memory.0.lock().expect("nothing has panicked").len();
        assert_eq!(taken, MOST_TAKEN);
    }
}
