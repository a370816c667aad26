//! What external memory holds: regions of bytes, each at its address, with nothing between them.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use crate::access::{LINE, Line};
use crate::shared_bytes::{Fit, SharedBytes};

/// Bytes that external memory reads and writes in place.
#[derive(Clone, Debug)]
pub struct Region {
    /// Where the first one is: at the beginning of a line.
    pub address: u64,
    /// The bytes.
    pub bytes: SharedBytes,
}

impl Region {
    /// Where in the region an address is.
    fn offset(&self, address: u64) -> Option<usize> {
        let offset = address.checked_sub(self.address)?;
        (offset < self.bytes.len() as u64).then_some(offset as usize)
    }
}

/// Regions of bytes. Elsewhere zero is read, and nothing is written; that is counted.
#[derive(Clone, Debug, Default)]
pub struct Memory(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    /// By address.
    regions: Vec<Region>,
    /// Where the last line was found: the next one is often there too.
    last: AtomicUsize,
    violations: Mutex<Violations>,
}

/// Transfers of lines outside of every region.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Violations {
    /// Lines read with no byte in a region.
    pub reads: u64,
    /// Lines written with a byte in no region.
    pub writes: u64,
    /// The first of them.
    pub first: Option<Violation>,
}

/// A transfer outside of every region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Violation {
    /// What it was.
    pub direction: Direction,
    /// The first byte that is in no region.
    pub address: u64,
}

/// Which way a line goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// Out of the memory.
    Read,
    /// Into the memory.
    Write,
}

impl Memory {
    /// Memory of regions that do not overlap.
    pub fn new(mut regions: Vec<Region>) -> Memory {
        regions.sort_by_key(|region| region.address);
        regions.retain(|region| !region.bytes.is_empty());
        for region in &regions {
            assert!(
                region.address.is_multiple_of(LINE.into()),
                "a region begins with a line, not at {:#x}",
                region.address
            );
        }
        for pair in regions.windows(2) {
            let last = pair[0].address + (pair[0].bytes.len() as u64 - 1);
            assert!(
                last / u64::from(LINE) < pair[1].address / u64::from(LINE),
                "no line belongs to two regions"
            );
        }
        Memory(Arc::new(Shared {
            regions,
            ..Shared::default()
        }))
    }

    /// The line that `address` lies in.
    pub fn line(&self, address: u64) -> Line {
        let address = first_of_line(address);
        match self.find(address) {
            Some((region, offset)) => region.bytes.line(offset),
            None => {
                self.violate(Direction::Read, address);
                [0; 8]
            }
        }
    }

    /// Changes those bytes of the line that `address` lies in whose bit in `mask` is set.
    pub fn write_line(&self, address: u64, mask: u64, line: &Line) {
        let address = first_of_line(address);
        let (fit, room) = match self.find(address) {
            Some((region, offset)) => {
                let room = (region.bytes.len() - offset).min(LINE as usize);
                (region.bytes.write_line(offset, mask, line), room)
            }
            None if mask == 0 => return,
            None => (Fit::Cut, 0),
        };
        match fit {
            Fit::Whole => {}
            Fit::Cut => {
                let first = (mask >> room).trailing_zeros() as u64 + room as u64;
                self.violate(Direction::Write, address + first);
            }
        }
    }

    /// What was asked for outside of every region.
    pub fn violations(&self) -> Violations {
        *self.lock()
    }

    #[inline]
    fn find(&self, address: u64) -> Option<(&Region, usize)> {
        let regions = &self.0.regions;
        let at = |at: usize| {
            let region: &Region = regions.get(at)?;
            Some((region, region.offset(address)?))
        };
        at(self.0.last.load(Relaxed)).or_else(|| {
            let behind = regions.partition_point(|region| region.address <= address);
            let number = behind.checked_sub(1)?;
            self.0.last.store(number, Relaxed);
            at(number)
        })
    }

    #[cold]
    fn violate(&self, direction: Direction, address: u64) {
        let mut violations = self.lock();
        match direction {
            Direction::Read => violations.reads += 1,
            Direction::Write => violations.writes += 1,
        }
        violations
            .first
            .get_or_insert(Violation { direction, address });
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Violations> {
        let violations = self.0.violations.lock();
        violations.expect("counting does not panic")
    }
}

fn first_of_line(address: u64) -> u64 {
    address / u64::from(LINE) * u64::from(LINE)
}
