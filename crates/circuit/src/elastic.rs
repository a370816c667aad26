//! Queues inside of units, as their Verilog builds them.

use crate::area::Area;
use crate::sim::Io;
use crate::token_queue::TokenQueue;
use crate::verilog::Source;

/// A buffer of two tokens: the second place takes what comes while the first one stalls.
pub(crate) const SKID: Source = Source {
    file: "sluice_skid.v",
    text: include_str!("units/skid.v"),
};

/// What a [`SKID`] for words of that many bits consists of.
pub(crate) fn skid_area(width: u32) -> Area {
    Area::of("skid", [("units", 1), ("bits", width)])
}

/// A count that goes up and down by one, such as that of free places.
pub(crate) const TALLY: Source = Source {
    file: "sluice_tally.v",
    text: include_str!("units/tally.v"),
};

/// The lowest bit of a set.
pub(crate) const LOWEST: Source = Source {
    file: "sluice_lowest.v",
    text: include_str!("units/lowest.v"),
};

/// Whether a number is a constant more than another one.
pub(crate) const SUM_IS: Source = Source {
    file: "sluice_sum_is.v",
    text: include_str!("units/sum_is.v"),
};

/// Tokens that [`SKID`] holds.
pub(crate) const SKID_DEPTH: usize = 2;

/// The contents of a [`SKID`].
#[derive(Debug)]
pub(crate) struct Skid<T> {
    items: [T; SKID_DEPTH],
    len: usize,
}

impl<T: Copy + Default> Default for Skid<T> {
    fn default() -> Skid<T> {
        Skid {
            items: [T::default(); SKID_DEPTH],
            len: 0,
        }
    }
}

impl<T: Copy> Skid<T> {
    /// Drops everything.
    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    /// Whether there is nothing.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether another one can come.
    #[inline]
    pub(crate) fn has_room(&self) -> bool {
        self.len < SKID_DEPTH
    }

    /// The first one.
    #[inline]
    pub(crate) fn front(&mut self) -> Option<&mut T> {
        match self.len {
            0 => None,
            _ => Some(&mut self.items[0]),
        }
    }

    /// Takes the first one out.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<T> {
        let first = self.front().copied()?;
        self.items[0] = self.items[1];
        self.len -= 1;
        Some(first)
    }

    /// Adds one at the end.
    #[inline]
    pub(crate) fn push(&mut self, item: T) {
        self.items[self.len] = item;
        self.len += 1;
    }
}

/// A queue as `sluice_fifo` whose head stays inside the unit. A token stays in its place when it
/// moves into the register at the head.
#[derive(Debug)]
pub(crate) struct Queue<T> {
    /// A ring, whose places are a power of two.
    places: Vec<T>,
    first: usize,
    len: usize,
    /// Whether the first one is in the register at the head.
    is_first_head: bool,
}

impl<T: Copy + Default> Default for Queue<T> {
    fn default() -> Queue<T> {
        Queue {
            places: vec![T::default(); 4],
            first: 0,
            len: 0,
            is_first_head: false,
        }
    }
}

impl<T: Copy + Default> Queue<T> {
    /// Drops everything.
    pub(crate) fn clear(&mut self) {
        (self.first, self.len, self.is_first_head) = (0, 0, false);
    }

    /// What stands in the register at the head.
    #[inline]
    pub(crate) fn head(&self) -> Option<T> {
        self.is_first_head.then(|| self.places[self.first])
    }

    /// Tokens in the memory.
    #[inline]
    pub(crate) fn stored(&self) -> usize {
        self.len - usize::from(self.is_first_head)
    }

    /// Whether the next edge brings a token into the register.
    #[inline]
    pub(crate) fn moves(&self) -> bool {
        !self.is_first_head && self.len > 0
    }

    /// A clock edge at which the head may be taken and a token may come.
    #[inline]
    pub(crate) fn clock(&mut self, taken: Option<T>, pushed: Option<T>) {
        self.advance(taken.is_some());
        if let Some(token) = pushed {
            self.push(token);
        }
    }

    /// A clock edge at which the head may be taken; what is to come at this edge is pushed
    /// afterwards.
    #[inline]
    pub(crate) fn advance(&mut self, taken: bool) {
        if taken {
            assert!(self.is_first_head, "what is taken stands at the head");
            self.first = (self.first + 1) & (self.places.len() - 1);
            self.len -= 1;
            self.is_first_head = false;
        }
        self.is_first_head |= self.len > 0;
    }

    /// A token comes at the edge in progress.
    #[inline]
    pub(crate) fn push(&mut self, token: T) {
        if self.len == self.places.len() {
            self.grow();
        }
        let end = (self.first + self.len) & (self.places.len() - 1);
        self.places[end] = token;
        self.len += 1;
    }

    #[cold]
    fn grow(&mut self) {
        self.places.rotate_left(self.first);
        self.first = 0;
        self.places.resize(2 * self.len, T::default());
    }
}

/// A queue as `sluice_fifo` whose head is an output port.
#[derive(Debug)]
pub(crate) struct PortQueue {
    port: usize,
    memory: TokenQueue,
    /// Of those in `memory`: those that are there and not on their way.
    arrived: usize,
}

impl PortQueue {
    pub(crate) fn new(port: usize, fields: usize) -> PortQueue {
        PortQueue {
            port,
            memory: TokenQueue::new(fields),
            arrived: 0,
        }
    }

    /// Drops everything.
    pub(crate) fn clear(&mut self) {
        self.memory.clear();
        self.arrived = 0;
    }

    /// Tokens in the memory.
    #[inline]
    pub(crate) fn stored(&self) -> usize {
        self.arrived
    }

    /// A clock edge; what is to come at this edge is pushed afterwards.
    #[inline(always)]
    pub(crate) fn clock(&mut self, io: &mut Io<'_>) {
        if self.moves(io) {
            io.offer(self.port, self.memory.front());
            self.memory.pop();
            self.arrived -= 1;
        }
    }

    /// A token comes at the edge in progress.
    #[inline]
    pub(crate) fn push(&mut self, token: &[u64]) {
        self.memory.push(token);
        self.arrived += 1;
    }

    /// A token, to be written there, is on its way.
    #[inline]
    pub(crate) fn send(&mut self) -> &mut [u64] {
        self.memory.place()
    }

    /// The first of those that are on their way comes at the edge in progress.
    #[inline]
    pub(crate) fn arrive(&mut self) {
        self.arrived += 1;
    }

    /// Whether the next edge brings a token into the register.
    #[inline(always)]
    pub(crate) fn moves(&self, io: &Io<'_>) -> bool {
        self.arrived > 0 && !io.offering(self.port)
    }
}
