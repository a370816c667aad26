//! Where the memory of launches lies in the address space of their circuit, and whose an address
//! is.
//!
//! Regions lie so far apart that a wrong index hardly leads from one into another.

use std::collections::BTreeMap;
use std::fmt;

use sluice_circuit::dram::{self, Direction, Memory as ExternalMemory, Region, Timing};
use sluice_circuit::shared_bytes::SharedBytes;

use crate::launch::host::Job;
use crate::launch::{Argument, BufferId, LaunchError, Memory};
use crate::lower::Lowered;

/// Where the first region may lie; addresses below are not used.
const FIRST_ADDRESS: u64 = 0x1000;

/// Regions begin at multiples of this.
const REGION_ALIGN: u64 = 4096;

/// Gaps between regions are multiples of two to the power of this many bytes: in caches, lines of
/// different regions meet as if there were no gaps.
const GAP_BITS: u32 = 24;

/// The largest gap.
const MOST_GAP: u64 = 1 << 40;

/// Transfers of lines to and from external memory outside of all that launches were given.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Violations {
    /// Lines that were read.
    pub reads: u64,
    /// Lines that were written, or partly so.
    pub writes: u64,
    /// The first of them.
    pub first: Option<Violation>,
}

/// A transfer outside of all that launches were given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// Which way it went.
    pub direction: Direction,
    /// The byte's address in the circuit's memory.
    pub address: u64,
    /// What lies nearest, if there is anything.
    pub near: Option<Near>,
}

/// An address as seen from the argument or object that is nearest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Near {
    /// The parameter's or variable's name.
    pub name: String,
    /// The byte's distance from the first byte.
    pub offset: i64,
    /// How many bytes there are.
    pub size: u64,
}

impl fmt::Display for Near {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Near { name, offset, size } = self;
        write!(f, "byte {offset} of `{name}` ({size} bytes)")
    }
}

impl Violations {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.reads + self.writes == 0
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.direction {
            Direction::Read => "read",
            Direction::Write => "write",
        };
        match &self.near {
            Some(near) => write!(f, "{what} at {near}"),
            None => write!(f, "{what} at {:#x}, where nothing is", self.address),
        }
    }
}

/// A parameter's or variable's bytes.
#[derive(Clone, Debug)]
pub(crate) struct Span {
    name: String,
    address: u64,
    size: u64,
}

impl Span {
    /// Where it begins.
    pub(crate) fn address(&self) -> u64 {
        self.address
    }

    /// Whether these bytes are all among its own.
    pub(crate) fn holds(&self, address: u64, bytes: u64) -> bool {
        let offset = address.wrapping_sub(self.address);
        offset <= self.size && bytes <= self.size - offset
    }

    /// An address as seen from the nearest of several.
    pub(crate) fn nearest(spans: &[Span], address: u64) -> Option<Near> {
        let nearest = spans.iter().min_by_key(|span| span.distance(address))?;
        Some(Near {
            name: nearest.name.clone(),
            offset: address.wrapping_sub(nearest.address) as i64,
            size: nearest.size,
        })
    }

    /// How far an address is from it.
    fn distance(&self, address: u64) -> u64 {
        let last = self.address + self.size.saturating_sub(1);
        self.address.saturating_sub(address) + address.saturating_sub(last)
    }
}

/// The regions of launches that run at the same time.
#[derive(Debug)]
pub(crate) struct Placement {
    places: Places,
    regions: Vec<Region>,
    buffers: BTreeMap<BufferId, u64>,
    spans: Vec<Span>,
}

impl Placement {
    /// Places the buffers that launches are given, those that are parts of one in one region.
    pub(crate) fn new(
        jobs: &[Job<'_>],
        lowered: &Lowered,
        memory: &Memory,
        timing: &Timing,
    ) -> Result<Placement, LaunchError> {
        let mut buffers = together(jobs, memory);
        let variables = variables(jobs);
        buffers.sort_by_key(|(_, ids)| !ids.iter().any(|id| Some(*id) == variables));
        let objects = lowered.kernels().iter().flat_map(|kernel| &kernel.placed);
        let sizes = buffers.iter().map(|(region, _)| region.len() as u64);
        let sizes: Vec<u64> = sizes.chain(objects.map(|placed| placed.total())).collect();
        let mut placement = Placement {
            places: match lowered.address_bits() {
                // Nothing is accessed there.
                0 => Places::side_by_side(timing),
                bits => Places::new(timing, bits, &sizes)?,
            },
            regions: Vec::new(),
            buffers: BTreeMap::new(),
            spans: Vec::new(),
        };
        for (region, ids) in buffers {
            let address = match ids.iter().any(|id| Some(*id) == variables) {
                true => placement.places.first(region.len() as u64),
                false => placement.places.take(region.len() as u64),
            };
            let bytes = region.clone();
            placement.regions.push(Region { address, bytes });
            for id in ids {
                let offset = memory.buffer(id).bytes().offset_in(&region);
                placement.buffers.insert(id, address + offset as u64);
            }
        }
        for job in jobs {
            for (param, arg) in job.kernel.params.iter().zip(&job.launch.args) {
                if let Argument::Buffer(id) = arg {
                    let span = placement.span(&param.name, *id, memory);
                    placement.spans.push(span);
                }
            }
        }
        Ok(placement)
    }

    /// Places memory of a launch's own, with contents at its beginning.
    pub(crate) fn place(&mut self, name: &str, size: u64, contents: &[u8]) -> Span {
        let bytes = SharedBytes::zeroed(size as usize);
        bytes.write(0, contents);
        let address = self.add(bytes);
        let span = Span {
            name: name.into(),
            address,
            size,
        };
        self.spans.push(span.clone());
        span
    }

    fn add(&mut self, bytes: SharedBytes) -> u64 {
        let address = self.places.take(bytes.len() as u64);
        self.regions.push(Region { address, bytes });
        address
    }

    /// Where a buffer is that a launch was given.
    pub(crate) fn buffer(&self, id: BufferId) -> u64 {
        self.buffers[&id]
    }

    /// The bytes of a buffer that a launch was given, under a parameter's name.
    pub(crate) fn span(&self, name: &str, id: BufferId, memory: &Memory) -> Span {
        Span {
            name: name.into(),
            address: self.buffers[&id],
            size: memory.buffer(id).len() as u64,
        }
    }

    /// External memory with all that was placed.
    pub(crate) fn memory(&self) -> ExternalMemory {
        ExternalMemory::new(self.regions.clone())
    }

    /// What external memory has counted, with names.
    pub(crate) fn violations(&self, counted: dram::Violations) -> Violations {
        let first = counted.first.map(|first| Violation {
            direction: first.direction,
            address: first.address,
            near: Span::nearest(&self.spans, first.address),
        });
        Violations {
            reads: counted.reads,
            writes: counted.writes,
            first,
        }
    }
}

/// The buffer of the program's variables: launches that run at the same time are of one program.
fn variables(jobs: &[Job<'_>]) -> Option<BufferId> {
    let mut jobs = jobs.iter();
    jobs.find_map(|job| job.launch.variables(job.kernel))
}

/// The address of the first of the program's variables, in every launch: pointers to them stay valid.
pub(crate) fn variables_address(timing: &Timing) -> u64 {
    Places::side_by_side(timing).first(0)
}

/// The buffers that launches are given: what is to be in one place, and who is in it.
fn together(jobs: &[Job<'_>], memory: &Memory) -> Vec<(SharedBytes, Vec<BufferId>)> {
    let mut ids: Vec<BufferId> = jobs.iter().flat_map(|job| job.launch.buffers()).collect();
    ids.sort_unstable();
    ids.dedup();
    let mut all: Vec<(SharedBytes, Vec<BufferId>)> = Vec::new();
    for id in ids {
        let bytes = memory.buffer(id).bytes();
        let mut known = all.iter_mut();
        let joined = known.find_map(|known| Some((known.0.hull(bytes)?, known)));
        match joined {
            Some((hull, known)) => {
                known.0 = hull;
                known.1.push(id);
            }
            None => all.push((bytes.clone(), vec![id])),
        }
    }
    all
}

/// Hands out addresses.
#[derive(Debug)]
struct Places {
    row: u64,
    banks: u64,
    /// Where the next one would begin if they lay side by side.
    next: u64,
    /// How many places were taken.
    number: u64,
    /// How many addresses are left free before, between and behind them.
    gap: u64,
}

impl Places {
    /// Addresses without gaps.
    fn side_by_side(timing: &Timing) -> Places {
        Places {
            row: timing.row_bytes.into(),
            banks: timing.banks.into(),
            next: FIRST_ADDRESS,
            number: 0,
            gap: 0,
        }
    }

    /// Addresses of this many bits for regions of these sizes.
    fn new(timing: &Timing, address_bits: u32, sizes: &[u64]) -> Result<Places, LaunchError> {
        let mut places = Places::side_by_side(timing);
        sizes.iter().for_each(|&size| {
            places.take(size);
        });
        // Whatever looks at some bits of an address only, finds them as if there were no gaps.
        let rows = places.row * places.banks;
        let period = (rows >> rows.trailing_zeros().min(GAP_BITS)) << GAP_BITS;
        let all = 1_u64 << address_bits.min(63);
        let free = all
            .checked_sub(places.next)
            .ok_or(LaunchError::MemoryTooLarge {
                address_bits,
                end: places.next,
            })?;
        let gap = (free / (places.number + 1)).min(MOST_GAP);
        Ok(Places {
            gap: gap / period * period,
            ..Places::side_by_side(timing)
        })
    }

    /// The very first place, without a gap: its address does not depend on what else there is.
    fn first(&mut self, bytes: u64) -> u64 {
        self.take(bytes) - self.gap
    }

    /// Each begins in another bank of the memory: buffers of one size, which a kernel often runs
    /// through in step, would otherwise meet in the same bank with different rows.
    fn take(&mut self, bytes: u64) -> u64 {
        while self.next / self.row % self.banks != 5 * self.number % self.banks {
            self.next = (self.next / self.row + 1) * self.row;
        }
        let address = self.next;
        self.next = (address + bytes.max(1)).next_multiple_of(REGION_ALIGN);
        self.number += 1;
        address + self.number * self.gap
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn addresses(timing: &Timing, address_bits: u32, sizes: &[u64]) -> Vec<u64> {
        let mut places = Places::new(timing, address_bits, sizes).expect("they fit");
        sizes.iter().map(|&size| places.take(size)).collect()
    }

    #[test]
    fn gaps_change_neither_banks_nor_places_in_caches() {
        for banks in [1, 4, 16, 24] {
            let timing = Timing {
                banks,
                ..Timing::default()
            };
            let sizes = [4096, 1, 100_000, 3 << 20, 0, 77];
            let apart = addresses(&timing, 40, &sizes);
            let side_by_side = addresses(&timing, 25, &sizes);
            let period = u64::from(timing.row_bytes * banks);
            for (at, (a, b)) in apart.iter().zip(&side_by_side).enumerate() {
                assert_eq!(a % period, b % period, "the bank of {at} of {banks}");
                assert_eq!(a % (1 << GAP_BITS), b % (1 << GAP_BITS), "the line of {at}");
            }
        }
    }

    #[test]
    fn regions_share_out_the_addresses() {
        for (count, gap) in [(1, 1 << 38), (3, 1 << 37), (15, 1 << 35), (60, 1 << 33)] {
            let sizes = vec![1 << 20; count];
            let addresses = addresses(&Timing::default(), 40, &sizes);
            let ends = addresses.iter().map(|address| address + (1 << 20));
            let starts = addresses.iter().copied().chain([1 << 40]);
            for (end, start) in std::iter::once(0).chain(ends).zip(starts) {
                assert!(
                    start >= end + gap,
                    "{count} regions: {end:#x} to {start:#x}"
                );
            }
        }
    }

    #[test]
    fn where_there_is_no_room_regions_lie_side_by_side() {
        let addresses = addresses(&Timing::default(), 32, &[3 << 30, 1 << 29]);
        assert!(addresses[1] >= addresses[0] + (3 << 30));
        assert!(addresses[1] + (1 << 29) <= 1 << 32);
    }
}
