//! Memories behind atomic operations: one that keeps the order of what it accepts, and one that
//! reads and writes apart from each other and says when a write was performed.

use std::collections::VecDeque;

use sluice_circuit::sim::Io;

use crate::random_environment::SplitMix64;

/// Bytes that a memory has.
pub const SIZE: usize = 64;

/// When a memory does something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pace {
    /// Now and then.
    Random,
    /// Always ready, with this number of cycles from a request to its answer.
    Fixed(u64),
}

/// What keeps reads and writes in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// All are performed in the order of their acceptance, in the same cycle reads first.
    Kept,
    /// Reads among each other and writes among each other, no more.
    Apart,
}

/// A request that was accepted.
struct Request {
    since: u64,
    /// Write, address, mask, data.
    token: Vec<u64>,
}

/// The channels at the environment.
pub struct Channels {
    pub response: usize,
    /// What was performed is told here, unless the order is kept.
    pub acknowledged: usize,
    pub read: usize,
    pub write: usize,
}

pub struct Memory {
    pub bytes: [u8; SIZE],
    width: usize,
    order: Order,
    pace: Pace,
    channels: Channels,
    reads: VecDeque<Request>,
    /// All requests, if the order is kept.
    writes: VecDeque<Request>,
    /// Data read, and since when it may go.
    responses: VecDeque<(u64, Vec<u64>)>,
    /// Since when acknowledgements may go.
    acknowledgements: VecDeque<u64>,
}

impl Memory {
    pub fn new(width: u32, order: Order, pace: Pace, channels: Channels) -> Memory {
        Memory {
            bytes: [0; SIZE],
            width: width as usize,
            order,
            pace,
            channels,
            reads: VecDeque::new(),
            writes: VecDeque::new(),
            responses: VecDeque::new(),
            acknowledgements: VecDeque::new(),
        }
    }

    pub fn reset(&self, io: &mut Io<'_>) {
        let ready = self.pace != Pace::Random;
        io.accept(self.channels.read, ready);
        io.accept(self.channels.write, ready);
    }

    /// Whether nothing is left to be performed.
    pub fn is_idle(&self) -> bool {
        self.reads.is_empty() && self.writes.is_empty()
    }

    fn start(&self, address: u64) -> usize {
        address as usize % SIZE / self.width * self.width
    }

    fn read(&mut self, request: &Request) {
        let start = self.start(request.token[1]);
        let bytes = &self.bytes[start..start + self.width];
        let words = bytes.chunks(8);
        let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |v, &b| v << 8 | u64::from(b));
        let words = words.map(word).collect();
        self.responses.push_back((request.since, words));
    }

    fn write(&mut self, request: &Request) {
        let start = self.start(request.token[1]);
        for byte in 0..self.width {
            if request.token[2] >> byte & 1 == 1 {
                self.bytes[start + byte] = (request.token[3 + byte / 8] >> (8 * (byte % 8))) as u8;
            }
        }
        self.acknowledgements.push_back(request.since);
    }

    /// Whether something happens in this cycle that was asked for in cycle `since`.
    fn happens(&self, cycle: u64, since: u64, random: &mut SplitMix64) -> bool {
        match self.pace {
            Pace::Random => !random.next().is_multiple_of(3),
            // What is offered at an edge stands in the cycle after it.
            Pace::Fixed(latency) => cycle + 1 >= since + latency,
        }
    }

    fn perform(&mut self, cycle: u64, random: &mut SplitMix64) {
        for is_write in [false, true] {
            let queue = if is_write { &self.writes } else { &self.reads };
            let Some(since) = queue.front().map(|first| first.since) else {
                continue;
            };
            if !self.happens(cycle, since, random) {
                continue;
            }
            let queue = if is_write {
                &mut self.writes
            } else {
                &mut self.reads
            };
            let first = queue.pop_front().expect("just seen");
            match first.token[0] {
                0 => self.read(&first),
                _ => self.write(&first),
            }
        }
    }

    pub fn clock(&mut self, io: &mut Io<'_>, random: &mut SplitMix64) {
        let cycle = io.cycle();
        for port in [self.channels.read, self.channels.write] {
            if let Some(token) = io.taken(port) {
                let token = token.to_vec();
                assert_eq!(token[0], u64::from(port == self.channels.write));
                let request = Request {
                    since: cycle,
                    token,
                };
                match (self.order, port == self.channels.read) {
                    (Order::Apart, true) => self.reads.push_back(request),
                    (Order::Kept, _) | (Order::Apart, false) => self.writes.push_back(request),
                }
            }
        }
        self.perform(cycle, random);
        if let Some(&(since, _)) = self.responses.front()
            && !io.offering(self.channels.response)
            && self.happens(cycle, since, random)
        {
            let (_, data) = self.responses.pop_front().expect("just seen");
            io.offer(self.channels.response, &data);
        }
        if let Some(&since) = self.acknowledgements.front()
            && self.order == Order::Apart
            && !io.offering(self.channels.acknowledged)
            && self.happens(cycle, since, random)
        {
            self.acknowledgements.pop_front();
            io.offer(self.channels.acknowledged, &[]);
        }
        if self.pace == Pace::Random {
            io.accept(self.channels.read, !random.next().is_multiple_of(3));
            io.accept(self.channels.write, !random.next().is_multiple_of(3));
        }
    }
}
