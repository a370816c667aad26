//! The environment of a memory system: work for its units, external memory, and a plain array of bytes
//! that says what every load must give.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use sluice_circuit::dram::{Dram, Memory, Region, Timing};
use sluice_circuit::shared_bytes::SharedBytes;
use sluice_circuit::sim::Io;
use sluice_circuit::unit::Model;
use sluice_circuit::units::load::Vector;

use crate::random_environment::SplitMix64;
use crate::system::{Direction, Ends, Object};

/// Where an object's bytes start: one after the other, this far apart.
pub const REGION: u64 = 1 << 20;

/// Which addresses a unit gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pattern {
    /// Any within this number of bytes, offered and taken at random times.
    Random(u64),
    /// One after the other, as fast as it goes.
    Sequential,
    /// One cache line after the other.
    Lines,
}

/// What happened: by object and unit, when each token was given and what came of it when.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Record {
    pub starts: Vec<u64>,
    pub ends: Vec<u64>,
    /// When all caches were flushed.
    pub flushed: Option<u64>,
}

/// An access under way.
struct Flight {
    address: u64,
    /// What a load must give.
    expected: Option<Vec<u64>>,
}

struct Worker {
    object: usize,
    give: usize,
    take: usize,
    vector: Vector,
    direction: Direction,
    left: u64,
    next: u64,
    flights: VecDeque<Flight>,
}

impl Worker {
    fn overlaps(&self, address: u64, bytes: u64) -> bool {
        let own = u64::from(self.vector.bytes());
        let meets =
            |flight: &Flight| flight.address < address + bytes && address < flight.address + own;
        self.flights.iter().any(meets)
    }
}

/// The environment.
pub struct Bench {
    dram: Dram,
    workers: Vec<Worker>,
    flushes: Vec<(usize, usize)>,
    flushed: usize,
    flushing: bool,
    pattern: Pattern,
    random: SplitMix64,
    /// The bytes of all objects, as they must be.
    bytes: Arc<Mutex<Vec<Vec<u8>>>>,
    record: Arc<Mutex<Record>>,
}

/// What a test keeps of a bench.
pub struct Handle {
    /// By object, what external memory holds of it.
    pub memory: Vec<SharedBytes>,
    pub bytes: Arc<Mutex<Vec<Vec<u8>>>>,
    pub record: Arc<Mutex<Record>>,
}

impl Handle {
    pub fn is_flushed(&self) -> bool {
        self.record.lock().unwrap().flushed.is_some()
    }

    /// External memory holds what the array of bytes says.
    pub fn check_memory(&self) {
        let bytes = self.bytes.lock().unwrap();
        for (object, (expected, memory)) in bytes.iter().zip(&self.memory).enumerate() {
            let mut found = vec![0; expected.len()];
            memory.read(0, &mut found);
            let differs = found.iter().zip(expected).position(|(a, b)| a != b);
            assert_eq!(differs, None, "object {object}: a byte of memory is wrong");
        }
    }
}

impl Bench {
    /// `count` accesses for each unit of the objects, each of which has `size` bytes.
    pub fn new(
        objects: &[Object],
        ends: &Ends,
        timing: Timing,
        (pattern, count, size): (Pattern, u64, usize),
        seed: u64,
    ) -> (Bench, Handle) {
        let mut random = SplitMix64(seed);
        let mut memory = Vec::new();
        let mut bytes = Vec::new();
        let mut workers = Vec::new();
        for (at, (object, units)) in objects.iter().zip(&ends.units).enumerate() {
            let contents: Vec<u8> = (0..size).map(|_| random.next() as u8).collect();
            memory.push(SharedBytes::new(&contents));
            bytes.push(contents);
            for ((vector, direction), &(give, take)) in object.units().zip(units) {
                workers.push(Worker {
                    object: at,
                    give,
                    take,
                    vector,
                    direction,
                    left: count,
                    next: 0,
                    flights: VecDeque::new(),
                });
            }
        }
        let regions = memory.iter().zip(0..).map(|(bytes, at)| Region {
            address: at * REGION,
            bytes: bytes.clone(),
        });
        let external = Memory::new(regions.collect());
        let bytes = Arc::new(Mutex::new(bytes));
        let record = Arc::new(Mutex::new(Record::default()));
        let handle = Handle {
            memory,
            bytes: Arc::clone(&bytes),
            record: Arc::clone(&record),
        };
        let bench = Bench {
            dram: Dram::new(timing, ends.dram.expect("a system has memory"), external),
            workers,
            flushes: ends.flushes.clone(),
            flushed: 0,
            flushing: false,
            pattern,
            random,
            bytes,
            record,
        };
        (bench, handle)
    }

    fn takes(&mut self, io: &mut Io<'_>, at: usize) {
        let worker = &mut self.workers[at];
        if let Some(token) = io.taken(worker.take) {
            let flight = worker
                .flights
                .pop_front()
                .expect("nothing comes of nothing");
            if let Some(expected) = flight.expected {
                assert_eq!(token, expected, "unit {at} at {:#x}", flight.address);
            }
            self.record.lock().unwrap().ends.push(io.cycle());
        }
        if io.given(self.workers[at].give) {
            self.record.lock().unwrap().starts.push(io.cycle());
        }
    }

    /// The next address of a unit, if its time has come.
    fn address(&mut self, at: usize) -> Option<u64> {
        let worker = &mut self.workers[at];
        let size = u64::from(worker.vector.bytes());
        let step = match self.pattern {
            Pattern::Random(range) => {
                if self.random.next().is_multiple_of(3) {
                    return None;
                }
                let alignment = u64::from(worker.vector.alignment);
                let offset = self.random.next() % ((range - size) / alignment + 1) * alignment;
                return Some(worker.object as u64 * REGION + offset);
            }
            Pattern::Sequential => size,
            Pattern::Lines => 64,
        };
        Some(worker.object as u64 * REGION + worker.next * step)
    }

    fn gives(&mut self, io: &mut Io<'_>, at: usize) {
        if self.workers[at].left == 0 || io.offering(self.workers[at].give) {
            return;
        }
        let Some(address) = self.address(at) else {
            return;
        };
        let Worker {
            object,
            vector,
            direction,
            ..
        } = self.workers[at];
        let size = u64::from(vector.bytes());
        // What is under way together must not depend on its order.
        let conflicts = self.workers.iter().any(|other| {
            other.object == object
                && (direction, other.direction) != (Direction::Load, Direction::Load)
                && other.overlaps(address, size)
        });
        if conflicts {
            return;
        }
        let mut bytes = self.bytes.lock().unwrap();
        let start = (address % REGION) as usize;
        let place = &mut bytes[object][start..start + size as usize];
        let lane = vector.lane_bits as usize / 8;
        let mut token = vec![address];
        let mut expected = None;
        if direction == Direction::Load {
            let value = |bytes: &[u8]| bytes.iter().rev().fold(0, |v, &b| v << 8 | u64::from(b));
            expected = Some(place.chunks(lane).map(value).collect());
        } else {
            for bytes in place.chunks_mut(lane) {
                let value = self.random.next() >> (64 - 8 * lane);
                bytes.copy_from_slice(&value.to_le_bytes()[..lane]);
                token.push(value);
            }
        }
        io.offer(self.workers[at].give, &token);
        let worker = &mut self.workers[at];
        worker.flights.push_back(Flight { address, expected });
        worker.left -= 1;
        worker.next += 1;
    }

    fn flushes(&mut self, io: &mut Io<'_>) {
        let flushed = self.flushes.iter();
        self.flushed += flushed
            .filter(|&&(_, take)| io.taken(take).is_some())
            .count();
        let idle = |worker: &Worker| worker.left == 0 && worker.flights.is_empty();
        if !self.flushing && self.workers.iter().all(idle) {
            let flushes = self.flushes.iter();
            flushes.for_each(|&(give, _)| io.offer(give, &[]));
            self.flushing = true;
        }
        if self.flushed == self.flushes.len() {
            let mut record = self.record.lock().unwrap();
            record.flushed.get_or_insert(io.cycle());
        }
    }
}

impl Model for Bench {
    fn reset(&mut self, constants: &[u64], io: &mut Io<'_>) {
        self.dram.reset(constants, io);
        io.wake(0);
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        self.dram.clock(io);
        for at in 0..self.workers.len() {
            self.takes(io, at);
        }
        for at in 0..self.workers.len() {
            self.gives(io, at);
            let ready = match self.pattern {
                Pattern::Random(_) => !self.random.next().is_multiple_of(4),
                Pattern::Sequential | Pattern::Lines => true,
            };
            io.accept(self.workers[at].take, ready);
        }
        self.flushes(io);
        self.flushes
            .iter()
            .for_each(|&(_, take)| io.accept(take, true));
        io.wake(io.cycle() + 1);
    }
}
