//! Queues inside of units, as their Verilog builds them.

use std::collections::VecDeque;

use crate::sim::Io;
use crate::token_queue::TokenQueue;
use crate::verilog::Source;

/// A buffer of two tokens: the second place takes what comes while the first one stalls.
pub(crate) const SKID: Source = Source {
    file: "sluice_skid.v",
    text: include_str!("units/skid.v"),
};

/// Tokens that [`SKID`] holds.
pub(crate) const SKID_DEPTH: usize = 2;

/// A queue as `sluice_fifo` whose head stays inside the unit.
#[derive(Debug)]
pub(crate) struct Queue<T> {
    memory: VecDeque<T>,
    head: Option<T>,
}

impl<T> Default for Queue<T> {
    fn default() -> Queue<T> {
        Queue {
            memory: VecDeque::new(),
            head: None,
        }
    }
}

impl<T: Copy> Queue<T> {
    /// Drops everything.
    pub(crate) fn clear(&mut self) {
        self.memory.clear();
        self.head = None;
    }

    /// What stands in the register at the head.
    pub(crate) fn head(&self) -> Option<T> {
        self.head
    }

    /// Tokens in the memory.
    pub(crate) fn stored(&self) -> usize {
        self.memory.len()
    }

    /// Whether the next edge brings a token into the register.
    pub(crate) fn moves(&self) -> bool {
        self.head.is_none() && !self.memory.is_empty()
    }

    /// A clock edge at which the head may be taken and a token may come.
    pub(crate) fn clock(&mut self, taken: Option<T>, pushed: Option<T>) {
        if taken.is_some() {
            self.head = None;
        }
        if self.head.is_none() {
            self.head = self.memory.pop_front();
        }
        self.memory.extend(pushed);
    }
}

/// A queue as `sluice_fifo` whose head is an output port.
#[derive(Debug)]
pub(crate) struct PortQueue {
    port: usize,
    memory: TokenQueue,
}

impl PortQueue {
    pub(crate) fn new(port: usize, fields: usize) -> PortQueue {
        PortQueue {
            port,
            memory: TokenQueue::new(fields),
        }
    }

    /// Drops everything.
    pub(crate) fn clear(&mut self) {
        self.memory.clear();
    }

    /// Tokens in the memory.
    pub(crate) fn stored(&self) -> usize {
        self.memory.len()
    }

    /// A clock edge; what is to come at this edge is pushed afterwards.
    pub(crate) fn clock(&mut self, io: &mut Io<'_>) {
        if !self.memory.is_empty() && !io.offering(self.port) {
            io.offer(self.port, self.memory.front());
            self.memory.pop();
        }
    }

    /// A token comes at the edge in progress.
    pub(crate) fn push(&mut self, token: &[u64]) {
        self.memory.push(token);
    }

    /// Whether the next edge brings a token into the register.
    pub(crate) fn moves(&self, io: &Io<'_>) -> bool {
        !self.memory.is_empty() && !io.offering(self.port)
    }
}
