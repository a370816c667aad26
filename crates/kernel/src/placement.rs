//! Where the memory of launches lies in the address space of their circuit, and whose an address
//! is.

use std::collections::BTreeMap;
use std::fmt;

use sluice_circuit::dram::{self, Direction, Memory as ExternalMemory, Region, Timing};
use sluice_circuit::shared_bytes::SharedBytes;

use crate::host::Job;
use crate::launch::{Argument, BufferId, Memory};

/// Where the first region may lie; addresses below are nobody's.
const FIRST_ADDRESS: u64 = 0x1000;

/// Regions begin at multiples of this.
const REGION_ALIGN: u64 = 4096;

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
            Some(Near { name, offset, size }) => {
                write!(f, "{what} at byte {offset} of `{name}` ({size} bytes)")
            }
            None => write!(f, "{what} at {:#x}, where nothing is", self.address),
        }
    }
}

/// A parameter's or variable's bytes.
#[derive(Debug)]
struct Named {
    name: String,
    address: u64,
    size: u64,
}

impl Named {
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
    named: Vec<Named>,
}

impl Placement {
    /// Places the buffers that launches are given, those that are parts of one in one region.
    pub(crate) fn new(jobs: &[Job<'_>], memory: &Memory, timing: &Timing) -> Placement {
        let mut placement = Placement {
            places: Places::new(timing),
            regions: Vec::new(),
            buffers: BTreeMap::new(),
            named: Vec::new(),
        };
        for (region, ids) in together(jobs, memory) {
            let address = placement.add(region.clone());
            for id in ids {
                let offset = memory.buffer(id).bytes().offset_in(&region);
                placement.buffers.insert(id, address + offset as u64);
            }
        }
        for job in jobs {
            for (param, arg) in job.kernel.params.iter().zip(&job.launch.args) {
                if let Argument::Buffer(id) = arg {
                    placement.named.push(Named {
                        name: param.name.clone(),
                        address: placement.buffers[id],
                        size: memory.buffer(*id).len() as u64,
                    });
                }
            }
        }
        placement
    }

    /// Places memory of a launch's own, with contents at its beginning.
    pub(crate) fn place(&mut self, name: &str, size: u64, contents: &[u8]) -> u64 {
        let bytes = SharedBytes::zeroed(size as usize);
        bytes.write(0, contents);
        let address = self.add(bytes);
        self.named.push(Named {
            name: name.into(),
            address,
            size,
        });
        address
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

    /// External memory with all that was placed.
    pub(crate) fn memory(&self) -> ExternalMemory {
        ExternalMemory::new(self.regions.clone())
    }

    /// What external memory has counted, with names.
    pub(crate) fn violations(&self, counted: dram::Violations) -> Violations {
        let first = counted.first.map(|first| Violation {
            direction: first.direction,
            address: first.address,
            near: self.near(first.address),
        });
        Violations {
            reads: counted.reads,
            writes: counted.writes,
            first,
        }
    }

    fn near(&self, address: u64) -> Option<Near> {
        let nearest = self.named.iter().min_by_key(|it| it.distance(address))?;
        Some(Near {
            name: nearest.name.clone(),
            offset: address.wrapping_sub(nearest.address) as i64,
            size: nearest.size,
        })
    }
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
    next: u64,
    /// How many places were taken.
    number: u64,
}

impl Places {
    fn new(timing: &Timing) -> Places {
        Places {
            row: timing.row_bytes.into(),
            banks: timing.banks.into(),
            next: FIRST_ADDRESS,
            number: 0,
        }
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
        address
    }
}
