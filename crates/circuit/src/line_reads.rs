//! The reads of lines by several readers that share a port: fetches take turns, and the lines come back in the same
//! order. What memory ports and arbiters of lines have in common.

use crate::access::Lines;
use crate::elastic::{Queue, SKID_DEPTH};
use crate::sim::Io;
use crate::token_queue::TokenQueue;
use crate::turns::Wanting;

/// The ports of a unit through which lines are read. Those of readers are its first ones, inputs and outputs.
pub(crate) struct ReadPorts {
    pub(crate) readers: usize,
    /// Where lines come in.
    pub(crate) answer: usize,
    /// Where lines are asked for.
    pub(crate) request: usize,
    /// The field of a request that is the address of a line; the others are zero.
    pub(crate) address: usize,
    /// Fields of a request.
    pub(crate) fields: usize,
}

/// The model of reads.
pub(crate) struct LineReads {
    ports: ReadPorts,
    transfers: Lines,
    outstanding: usize,
    fetches: Vec<TokenQueue>,
    /// The readers with a fetch here.
    fetching: Wanting,
    last: u32,
    /// Readers of a datapath.
    of_datapath: u32,
    longest_run: u32,
    /// Fetches in a row of the datapath that fetched last, but for its first one.
    run: u32,
    /// Whose the fills to come are.
    order: Queue<u32>,
    /// Fills, each behind the number of its reader.
    fills: TokenQueue,
    request: Vec<u64>,
    /// Whether something happens at the next edge though no token passes.
    moves: bool,
}

impl LineReads {
    /// Reads that take turns one by one.
    pub(crate) fn new(ports: ReadPorts, transfers: Lines, outstanding: usize) -> LineReads {
        let readers = ports.readers;
        LineReads {
            transfers,
            outstanding,
            fetches: (0..readers).map(|_| TokenQueue::new(1)).collect(),
            fetching: Wanting::new(readers),
            last: 0,
            of_datapath: readers as u32,
            longest_run: 2,
            run: 0,
            order: Queue::default(),
            fills: TokenQueue::new(1 + transfers.words()),
            request: vec![0; ports.fields],
            moves: false,
            ports,
        }
    }

    /// The reads, where the readers of a datapath go on as long as they have fetches, up to so many in a row.
    pub(crate) fn in_runs(self, of_datapath: u32, longest_run: u32) -> LineReads {
        LineReads {
            of_datapath,
            longest_run,
            ..self
        }
    }

    /// The inputs of readers.
    pub(crate) fn readers(&self) -> std::ops::Range<usize> {
        0..self.ports.readers
    }

    /// Nothing is under way.
    pub(crate) fn clear(&mut self) {
        self.fetches.iter_mut().for_each(TokenQueue::clear);
        self.order.clear();
        self.fills.clear();
        self.fetching.clear();
        (self.last, self.run) = (0, 0);
        self.moves = false;
    }

    /// Whether the edge in progress concerns reads.
    pub(crate) fn sees(&self, io: &Io<'_>) -> bool {
        let readers = 0..self.ports.readers;
        let passes = io.takes(self.ports.answer) || io.given(self.ports.request);
        self.moves || passes || io.passes(readers.clone(), readers)
    }

    /// Whether something happens at the next edge though no token passes.
    pub(crate) fn moves(&self) -> bool {
        self.moves
    }

    /// A clock edge.
    pub(crate) fn clock(&mut self, io: &mut Io<'_>) {
        if !self.fills.is_empty() && io.given(self.fills.front()[0] as usize) {
            self.fills.pop();
        }
        let answered = io.taken(self.ports.answer).and(self.order.head());
        if let Some(to) = answered {
            let data = io.taken(self.ports.answer).expect("just seen");
            let fill = self.fills.place();
            let words = fill.len() - 1;
            fill[0] = to.into();
            fill[1..].copy_from_slice(&data[..words]);
        }
        let granted = self.grant(io);
        self.order.clock(answered, granted);
        for port in 0..self.ports.readers {
            if let Some(token) = io.taken(port) {
                self.fetches[port].push(token);
                self.fetching.insert(port as u32);
            }
            io.accept(port, self.fetches[port].len() < SKID_DEPTH);
        }
        if !self.fills.is_empty() {
            let token = self.fills.front();
            if !io.offering(token[0] as usize) {
                io.offer(token[0] as usize, &token[1..]);
            }
        }
        let takes = self.fills.len() < SKID_DEPTH && self.order.head().is_some();
        io.accept(self.ports.answer, takes);
        self.moves = self.can_fetch(io) || self.order.moves();
    }

    /// Passes a fetch on; gives whose.
    fn grant(&mut self, io: &mut Io<'_>) -> Option<u32> {
        if !self.can_fetch(io) {
            return None;
        }
        let next = self.next();
        let queue = &mut self.fetches[next as usize];
        let line = queue.front()[0];
        queue.pop();
        if queue.is_empty() {
            self.fetching.remove(next);
        }
        self.request[self.ports.address] = line << self.transfers.offset_bits();
        io.offer(self.ports.request, &self.request);
        self.last = next;
        Some(next)
    }

    /// Whose fetch is passed on, where there is one: another one of the same datapath, if it may go on.
    fn next(&mut self) -> u32 {
        let first = self.last / self.of_datapath * self.of_datapath;
        let mates = first..first + self.of_datapath;
        let others = || {
            let behind = self.fetching.first_in(mates.end..self.ports.readers as u32);
            behind.or_else(|| self.fetching.first_in(0..first))
        };
        let own = self.fetching.next_in(mates.clone(), self.last);
        let longest = self.longest_run - 1;
        let (next, run) = match (own, others()) {
            (Some(_), Some(other)) if self.run == longest => (other, 0),
            (Some(own), _) => (own, (self.run + 1).min(longest)),
            (None, other) => (other.expect("there is a fetch"), 0),
        };
        self.run = run;
        next
    }

    fn can_fetch(&self, io: &Io<'_>) -> bool {
        let space = self.order.stored() < self.outstanding;
        !self.fetching.is_empty() && space && !io.offering(self.ports.request)
    }
}
