//! Who is to be woken when: a ring of buckets for the near future, a map for the rest.

use std::collections::BTreeMap;

use super::unit_set::UnitSet;

const SPAN: u64 = 1024;

/// The units to be woken, by cycle.
#[derive(Debug)]
pub(super) struct Wheel {
    near: Vec<Vec<u32>>,
    waiting: usize,
    far: BTreeMap<u64, Vec<u32>>,
    /// The first cycle that `near` covers; it covers `SPAN` of them.
    start: u64,
}

impl Default for Wheel {
    fn default() -> Wheel {
        Wheel {
            near: (0..SPAN).map(|_| Vec::new()).collect(),
            waiting: 0,
            far: BTreeMap::new(),
            start: 0,
        }
    }
}

impl Wheel {
    pub(super) fn add(&mut self, cycle: u64, unit: u32) {
        debug_assert!(cycle >= self.start, "what is past cannot be asked for");
        if cycle < self.start + SPAN {
            self.near[(cycle % SPAN) as usize].push(unit);
            self.waiting += 1;
        } else {
            self.far.entry(cycle).or_default().push(unit);
        }
    }

    /// The first cycle from `from` on for which a unit waits.
    pub(super) fn next(&self, from: u64) -> Option<u64> {
        if self.waiting > 0 {
            let near = (from.max(self.start)..self.start + SPAN)
                .find(|cycle| !self.near[(cycle % SPAN) as usize].is_empty());
            if near.is_some() {
                return near;
            }
        }
        self.far.keys().next().copied()
    }

    /// Takes those who wait for `cycle`, which becomes the wheel's start.
    pub(super) fn take(&mut self, cycle: u64, units: &mut UnitSet) {
        if self.waiting > 0 && cycle < self.start + SPAN {
            let bucket = &mut self.near[(cycle % SPAN) as usize];
            self.waiting -= bucket.len();
            bucket.drain(..).for_each(|unit| units.insert(unit));
        }
        self.start = cycle + 1;
        while let Some(entry) = self.far.first_entry()
            && *entry.key() < self.start + SPAN
        {
            let (cycle_then, mut then) = entry.remove_entry();
            if cycle_then == cycle {
                then.drain(..).for_each(|unit| units.insert(unit));
            } else {
                self.waiting += then.len();
                self.near[(cycle_then % SPAN) as usize].append(&mut then);
            }
        }
    }
}
