//! External memory: what stands behind the AXI4 channels of a memory port, as a part of a circuit's
//! environment.
//!
//! A transfer is a burst of one or more lines, 8 to 64 bytes each. Time is that of a simple DRAM: banks with an open row
//! each, and one bus for data in both directions. Answers come in order on each channel; a read
//! sees every write whose address and data were accepted before it.

mod memory;

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

pub use memory::{Direction, Memory, Region, Violation, Violations};

use crate::access::{LINE, Line};
use crate::sim::Io;
use crate::unit::Model;

/// Bytes that have crossed the bus of a memory, in whole lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Traffic {
    /// Out of the memory.
    pub read: u64,
    /// Into the memory.
    pub written: u64,
    /// Those of `written` that their masks let through: what is missing was moved for nothing.
    pub changed: u64,
}

impl std::ops::Add for Traffic {
    type Output = Traffic;

    fn add(self, other: Traffic) -> Traffic {
        Traffic {
            read: self.read + other.read,
            written: self.written + other.written,
            changed: self.changed + other.changed,
        }
    }
}

/// Counts the traffic of a memory; can be read after the memory's simulator is gone.
#[derive(Clone, Debug, Default)]
pub struct SharedTraffic(Arc<TrafficCounts>);

#[derive(Debug, Default)]
struct TrafficCounts {
    read: AtomicU64,
    written: AtomicU64,
    changed: AtomicU64,
}

impl SharedTraffic {
    /// What has been accepted since reset.
    pub fn get(&self) -> Traffic {
        // The counts are independent of each other and of what else happens.
        let count = |count: &AtomicU64| count.load(Ordering::Relaxed);
        Traffic {
            read: count(&self.0.read),
            written: count(&self.0.written),
            changed: count(&self.0.changed),
        }
    }

    fn reset(&self) {
        for count in [&self.0.read, &self.0.written, &self.0.changed] {
            count.store(0, Ordering::Relaxed);
        }
    }

    fn count_read(&self, line: u32) {
        self.0.read.fetch_add(line.into(), Ordering::Relaxed);
    }

    fn count_write(&self, line: u32, mask: u64) {
        let changed = mask.count_ones().into();
        self.0.written.fetch_add(line.into(), Ordering::Relaxed);
        self.0.changed.fetch_add(changed, Ordering::Relaxed);
    }
}

/// How fast external memory is, in cycles of the circuit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Timing {
    /// From a request to its answer when the row is open.
    pub row_hit: u32,
    /// When another row of the bank is open.
    pub row_miss: u32,
    /// How long a bank that changes its row takes nothing else.
    pub row_change: u32,
    /// Banks: neighbouring rows lie in different ones.
    pub banks: u32,
    /// Bytes of a row.
    pub row_bytes: u32,
    /// Bytes that the bus moves in a cycle, 1 to 64.
    pub bytes_per_cycle: u32,
    /// Requests that wait for their answers, of each direction.
    pub outstanding: u32,
    /// Most cycles more, by chance.
    pub jitter: u32,
    /// Of a hundred requests, before how many a channel takes nothing for a cycle, by chance.
    pub stalls: u32,
    /// The seed of chance.
    pub seed: u64,
}

impl Default for Timing {
    /// A DDR4 channel seen from a circuit at 200 MHz.
    fn default() -> Timing {
        Timing {
            row_hit: 40,
            row_miss: 48,
            row_change: 9,
            banks: 16,
            row_bytes: 8192,
            bytes_per_cycle: 64,
            outstanding: 64,
            jitter: 0,
            stalls: 0,
            seed: 0,
        }
    }
}

/// Where the channels are among the environment's ports.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ports {
    /// Input: addresses of reads.
    pub ar: usize,
    /// Input: addresses of writes.
    pub aw: usize,
    /// Input: data of writes.
    pub w: usize,
    /// Output: lines read.
    pub r: usize,
    /// Output: writes done.
    pub b: usize,
    /// Bytes of a line.
    pub line: u32,
}

impl Ports {
    /// Those of an environment that is nothing but memory.
    pub const ALONE: Ports = Ports {
        ar: 0,
        aw: 1,
        w: 2,
        r: 0,
        b: 1,
        line: LINE,
    };
}

/// External memory with its timing. It is a [`Model`] by itself, or a part of one.
#[derive(Debug)]
pub struct Dram {
    timing: Timing,
    ports: Ports,
    memory: Memory,
    traffic: SharedTraffic,
    /// By bank: the open row, and when it takes the next request.
    banks: Vec<(Option<u64>, u64)>,
    /// When the bus is free, in bytes that it could have moved since the start.
    bus: u64,
    chance: u64,
    /// Lines read, each with the cycle in which it is to stand and whether it is the last of its burst.
    reads: VecDeque<(u64, Line, bool)>,
    /// Where the next line of each write goes whose data have not all come.
    addresses: VecDeque<u64>,
    /// Lines whose addresses have not come.
    data: VecDeque<Beat>,
    /// When the answers to writes are to stand.
    dones: VecDeque<u64>,
}

/// A line that is written.
#[derive(Clone, Copy, Debug)]
struct Beat {
    line: Line,
    mask: u64,
    is_last: bool,
}

impl Dram {
    /// A memory at these ports.
    pub fn new(timing: Timing, ports: Ports, memory: Memory) -> Dram {
        assert!(
            (1..=LINE).contains(&timing.bytes_per_cycle) && timing.banks > 0,
            "a bus moves 1 to {LINE} bytes per cycle, and there is a bank"
        );
        Dram {
            banks: vec![(None, 0); timing.banks as usize],
            bus: 0,
            chance: timing.seed,
            reads: VecDeque::new(),
            addresses: VecDeque::new(),
            data: VecDeque::new(),
            dones: VecDeque::new(),
            timing,
            ports,
            memory,
            traffic: SharedTraffic::default(),
        }
    }

    /// Puts another memory in the place of the one that there is, between two launches.
    pub fn replace_memory(&mut self, memory: Memory) {
        self.memory = memory;
    }

    /// What it counts from reset on.
    pub fn traffic(&self) -> SharedTraffic {
        self.traffic.clone()
    }

    /// When the answer to a request accepted in `cycle` stands, if the one before on its channel
    /// stands at `before`.
    fn schedule(&mut self, address: u64, cycle: u64, before: u64) -> u64 {
        let row = address / u64::from(self.timing.row_bytes);
        let banks = self.banks.len() as u64;
        let (open, free) = &mut self.banks[(row % banks) as usize];
        let start = cycle.max(*free);
        let mut latency = self.timing.row_hit;
        if *open != Some(row) {
            latency = self.timing.row_miss;
            *free = start + u64::from(self.timing.row_change);
            *open = Some(row);
        }
        if self.timing.jitter > 0 {
            latency += next_random(&mut self.chance) % (self.timing.jitter + 1);
        }
        let speed = u64::from(self.timing.bytes_per_cycle);
        let ready = start + u64::from(latency);
        self.bus = self.bus.max((ready - 1) * speed) + u64::from(self.ports.line);
        self.bus.div_ceil(speed).max(before + 1)
    }

    fn take(&mut self, io: &Io<'_>) {
        let cycle = io.cycle();
        if let Some(token) = io.taken(self.ports.w) {
            let words = self.words();
            let mut line = Line::default();
            line[..words].copy_from_slice(&token[..words]);
            self.data.push_back(Beat {
                line,
                mask: token[words],
                is_last: token[words + 1] == 1,
            });
        }
        if let Some(token) = io.taken(self.ports.aw) {
            self.addresses.push_back(token[0]);
        }
        self.write(cycle);
        if let Some(&[address, others]) = io.taken(self.ports.ar) {
            for beat in 0..=others {
                let address = address + beat * u64::from(self.ports.line);
                self.read(address, cycle, beat == others);
            }
        }
    }

    /// Writes the first line that has come, if its address has.
    fn write(&mut self, cycle: u64) {
        let (Some(&address), Some(&beat)) = (self.addresses.front(), self.data.front()) else {
            return;
        };
        self.data.pop_front();
        let offset = self.offset(address);
        let mut line = Line::default();
        let place = &mut line[offset as usize / 8..];
        let words = self.words();
        place[..words].copy_from_slice(&beat.line[..words]);
        self.memory.write_line(address, beat.mask << offset, &line);
        self.traffic.count_write(self.ports.line, beat.mask);
        let before = self.dones.back().copied().unwrap_or(0);
        let at = self.schedule(address, cycle, before);
        match beat.is_last {
            true => {
                self.addresses.pop_front();
                self.dones.push_back(at);
            }
            false => self.addresses[0] += u64::from(self.ports.line),
        }
    }

    /// Reads a line.
    fn read(&mut self, address: u64, cycle: u64, is_last: bool) {
        let mut line = self.memory.line(address);
        line.rotate_left(self.offset(address) as usize / 8);
        self.traffic.count_read(self.ports.line);
        let before = self.reads.back().map_or(0, |&(at, ..)| at);
        let at = self.schedule(address, cycle, before);
        self.reads.push_back((at, line, is_last));
    }

    /// Where the line of an address begins in the longest line that it lies in.
    fn offset(&self, address: u64) -> u64 {
        (address % u64::from(LINE)) & !u64::from(self.ports.line - 1)
    }

    /// Words of a line.
    fn words(&self) -> usize {
        self.ports.line as usize / 8
    }

    fn give(&mut self, io: &mut Io<'_>) {
        let next = io.cycle() + 1;
        if let Some(&(at, line, is_last)) = self.reads.front()
            && !io.offering(self.ports.r)
        {
            if at <= next {
                let words = self.words();
                let mut token = [0; 9];
                token[..words].copy_from_slice(&line[..words]);
                token[words] = is_last.into();
                io.offer(self.ports.r, &token[..=words]);
                self.reads.pop_front();
            } else {
                io.wake(at - 1);
            }
        }
        if let Some(&at) = self.dones.front()
            && !io.offering(self.ports.b)
        {
            if at <= next {
                io.offer(self.ports.b, &[]);
                self.dones.pop_front();
            } else {
                io.wake(at - 1);
            }
        }
    }

    fn accept(&mut self, io: &mut Io<'_>) {
        let limit = self.timing.outstanding as usize;
        let writes = self.addresses.len().max(self.data.len()) + self.dones.len();
        let room = [
            (self.ports.ar, self.reads.len() < limit),
            (
                self.ports.aw,
                self.addresses.len() + self.dones.len() < limit,
            ),
            (
                self.ports.w,
                writes < limit || self.data.len() < self.addresses.len(),
            ),
        ];
        for (port, room) in room {
            let stalls = room && self.timing.stalls > 0 && self.stalls();
            io.accept(port, room && !stalls);
            if stalls {
                io.wake(io.cycle() + 1);
            }
        }
    }

    fn stalls(&mut self) -> bool {
        next_random(&mut self.chance) % 100 < self.timing.stalls
    }
}

/// Knuth's generator; its high bits are good enough here.
fn next_random(chance: &mut u64) -> u32 {
    *chance = chance
        .wrapping_mul(6364136223846793005)
        .wrapping_add(1442695040888963407);
    (*chance >> 33) as u32
}

impl Model for Dram {
    fn reset(&mut self, _: &[u64], io: &mut Io<'_>) {
        self.traffic.reset();
        *self = Dram {
            traffic: self.traffic(),
            ..Dram::new(self.timing.clone(), self.ports, self.memory.clone())
        };
        self.accept(io);
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        self.take(io);
        self.give(io);
        self.accept(io);
    }
}
