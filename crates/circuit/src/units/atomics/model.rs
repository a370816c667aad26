//! How atomic operations proceed.

use super::{Atomics, Operation};
use crate::access::{Access, copy_piece};
use crate::elastic::{PortQueue, Queue, Skid};
use crate::sim::Io;
use crate::unit::{Model, UnitKind};
use crate::units::store::Done;

/// What an instruction is given.
#[derive(Clone, Copy, Default)]
struct Token {
    address: u64,
    operand: u64,
    replacement: u64,
    is_enabled: bool,
}

/// An operation that was taken.
#[derive(Clone, Copy, Default)]
struct Taken {
    number: usize,
    token: Token,
}

/// Where the word comes from that an operation computes with.
#[derive(Clone, Copy, Default)]
enum Origin {
    #[default]
    Memory,
    /// The operation right before it.
    Last,
    /// The operation that had this slot of the window.
    Slot(usize),
}

/// An operation that computes in this cycle.
#[derive(Clone, Copy)]
struct Ready {
    taken: Taken,
    from: Origin,
    /// The word, unless it is the result of the last one.
    found: u64,
}

pub(super) struct Behaviour {
    access: Access,
    operations: Vec<Operation>,
    outstanding: u32,
    done: Done,
    waiting: Vec<Skid<Token>>,
    /// By instruction: places for results.
    credits: Vec<u32>,
    /// The one that was taken last; it may still be `current`.
    last: usize,
    current: Option<Taken>,
    window: Window,
    /// Whether `current` may enter the window, and with which word.
    admitted: Option<Origin>,
    pending: Queue<(Taken, Origin)>,
    ready: Option<Ready>,
    last_result: u64,
    /// The slot of the next one that computes.
    slot: usize,
    /// By slot.
    results: Vec<u64>,
    request: Vec<u64>,
    read: Vec<u64>,
    writes: PortQueue,
    /// Those whose write is to be done: which instruction, and the old value.
    writing: Queue<(usize, u64)>,
    unacknowledged: u32,
    queues: Vec<PortQueue>,
}

/// The words that operations under way change.
struct Window {
    /// By slot: the address, and the bytes there.
    places: Vec<(u64, u32)>,
    oldest: usize,
    count: usize,
}

impl Window {
    /// The slot of the one that entered as number `nth`, counted from the oldest.
    #[inline]
    fn slot(&self, nth: usize) -> usize {
        let slot = self.oldest + nth;
        if slot < self.places.len() {
            slot
        } else {
            slot - self.places.len()
        }
    }

    /// Whether another one may enter, and where it has its word from.
    fn admits(&self, address: u64, bytes: u32) -> Option<Origin> {
        if self.count == self.places.len() {
            return None;
        }
        let mut from = Origin::Memory;
        for nth in 0..self.count {
            let slot = self.slot(nth);
            let (other, other_bytes) = self.places[slot];
            if other_bytes != bytes {
                return None;
            }
            if (address ^ other) & !u64::from(bytes - 1) == 0 {
                from = match nth + 1 == self.count {
                    true => Origin::Last,
                    false => Origin::Slot(slot),
                };
            }
        }
        Some(from)
    }

    fn enter(&mut self, address: u64, bytes: u32) {
        let slot = self.slot(self.count);
        self.places[slot] = (address, bytes);
        self.count += 1;
    }

    fn leave(&mut self) {
        self.oldest = self.slot(1);
        self.count -= 1;
    }
}

impl Behaviour {
    pub(super) fn new(kind: &Atomics) -> Behaviour {
        let (count, request) = (kind.operations.len(), kind.access.request().len());
        let window = kind.window as usize;
        assert_eq!(kind.check(), Ok(()), "the parameters keep the rules");
        Behaviour {
            access: kind.access,
            operations: kind.operations.clone(),
            outstanding: kind.outstanding,
            done: kind.done,
            waiting: (0..count).map(|_| Skid::default()).collect(),
            credits: vec![0; count],
            last: 0,
            current: None,
            window: Window {
                places: vec![(0, 0); window],
                oldest: 0,
                count: 0,
            },
            admitted: None,
            pending: Queue::default(),
            ready: None,
            last_result: 0,
            slot: 0,
            results: vec![0; window],
            request: vec![0; request],
            read: vec![0; request],
            writes: PortQueue::new(count + 1, request),
            writing: Queue::default(),
            unacknowledged: 0,
            queues: (0..count).map(|at| PortQueue::new(at, 1)).collect(),
        }
    }

    /// The input that brings responses, and the output of reads.
    fn first(&self) -> usize {
        self.operations.len()
    }

    /// The input that brings acknowledgements, and the output of writes.
    fn second(&self) -> usize {
        self.operations.len() + 1
    }

    /// The first instruction behind the last one, in a circle, whose next operation may be taken.
    fn wanting(&self) -> Option<usize> {
        let wants = |&at: &usize| !self.waiting[at].is_empty() && self.credits[at] != 0;
        let (behind, before) = (self.last + 1..self.operations.len(), 0..=self.last);
        behind.chain(before).find(wants)
    }

    /// Which piece of the port a word is.
    fn piece(&self, address: u64, bytes: u32) -> usize {
        ((address & u64::from(self.access.bytes - 1)) >> bytes.trailing_zeros()) as usize
    }

    /// Results pass on, and the one whose write is done comes behind them.
    fn finish(&mut self, io: &mut Io<'_>) -> Option<(usize, u64)> {
        for (at, queue) in self.queues.iter_mut().enumerate() {
            self.credits[at] += u32::from(io.given(at));
            queue.clock(io);
        }
        let is_written = io.given(self.second());
        let is_done = match self.done {
            Done::Accepted => is_written,
            Done::Acknowledged => {
                let is_done = io.takes(self.second());
                self.unacknowledged += u32::from(is_written);
                self.unacknowledged -= u32::from(is_done);
                is_done
            }
        };
        let done = self.writing.head().filter(|_| is_done);
        if let Some((number, old)) = done {
            self.queues[number].push(&[old]);
            self.window.leave();
        }
        done
    }

    /// The one that is ready computes, and its write comes behind the others.
    fn compute(&mut self, io: &mut Io<'_>) -> Option<(usize, u64)> {
        self.writes.clock(io);
        let Ready { taken, from, found } = self.ready.take()?;
        let Token {
            address,
            operand,
            replacement,
            is_enabled,
        } = taken.token;
        let operation = self.operations[taken.number];
        let old = match from {
            Origin::Last => self.last_result,
            Origin::Memory | Origin::Slot(_) => found,
        };
        let result = match is_enabled {
            true => operation.result(old, operand, replacement),
            false => old,
        };
        self.last_result = result;
        self.results[self.slot] = result;
        self.slot = (self.slot + 1) % self.results.len();
        let bytes = operation.bytes();
        let piece = self.piece(address, bytes) as u32;
        self.request[0] = 1;
        self.request[1] = address;
        self.request[2] = match is_enabled {
            true => u64::MAX >> (64 - bytes) << (piece * bytes),
            false => 0,
        };
        for place in 0..(self.access.bytes >> bytes.trailing_zeros()) as usize {
            copy_piece(&[result], 0, &mut self.request[3..], place, bytes);
        }
        self.writes.push(&self.request);
        Some((taken.number, if is_enabled { old } else { 0 }))
    }

    /// A response: the one that asked for it is ready.
    fn answer(&mut self, io: &Io<'_>) -> Option<(Taken, Origin)> {
        let data = io.taken(self.first())?;
        let (taken, from) = self.pending.head().expect("else it was not taken");
        let bytes = self.operations[taken.number].bytes();
        let mut found = 0;
        match from {
            Origin::Memory => {
                let piece = self.piece(taken.token.address, bytes);
                copy_piece(data, piece, std::slice::from_mut(&mut found), 0, bytes);
            }
            Origin::Slot(slot) => found = self.results[slot],
            Origin::Last => {}
        }
        self.ready = Some(Ready { taken, from, found });
        Some((taken, from))
    }

    /// The one that was taken enters the window, and asks memory.
    fn enter(&mut self, io: &mut Io<'_>) -> Option<(Taken, Origin)> {
        let from = self.admitted.filter(|_| !io.offering(self.first()))?;
        let taken = self.current.take().expect("it is admitted");
        let address = taken.token.address;
        self.window
            .enter(address, self.operations[taken.number].bytes());
        self.read[1] = address;
        io.offer(self.first(), &self.read);
        Some((taken, from))
    }

    /// Takes the next operation of an instruction, if there is room.
    fn choose(&mut self, wanting: Option<usize>) {
        if let Some(number) = wanting.filter(|_| self.current.is_none()) {
            let token = self.waiting[number].pop().expect("it wants");
            self.credits[number] -= 1;
            self.current = Some(Taken { number, token });
            self.last = number;
        }
    }

    fn take_in(&mut self, io: &mut Io<'_>) {
        for (at, waiting) in self.waiting.iter_mut().enumerate() {
            if let Some(token) = io.taken(at) {
                let operation = self.operations[at];
                let operands = operation.operands() as usize;
                waiting.push(Token {
                    address: token[0],
                    operand: token[1],
                    replacement: if operands > 1 { token[2] } else { 0 },
                    is_enabled: token.get(1 + operands) != Some(&0),
                });
            }
            io.accept(at, waiting.has_room());
        }
    }

    /// Whether something happens at the next edge even if no token passes.
    fn moves(&self, io: &Io<'_>) -> bool {
        self.ready.is_some()
            || self.pending.moves()
            || self.writing.moves()
            || self.writes.moves(io)
            || (self.admitted.is_some() && !io.offering(self.first()))
            || (self.current.is_none() && self.wanting().is_some())
            || self.queues.iter().any(|queue| queue.moves(io))
    }
}

impl Model for Behaviour {
    fn reset(&mut self, _: &[u64], io: &mut Io<'_>) {
        self.waiting.iter_mut().for_each(Skid::clear);
        self.credits.fill(self.outstanding);
        (self.last, self.current, self.admitted) = (0, None, None);
        (self.window.oldest, self.window.count) = (0, 0);
        self.pending.clear();
        self.ready = None;
        self.slot = 0;
        self.writes.clear();
        self.writing.clear();
        self.unacknowledged = 0;
        self.queues.iter_mut().for_each(PortQueue::clear);
        (0..self.first()).for_each(|port| io.accept(port, true));
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        let wanting = self.wanting();
        let done = self.finish(io);
        let computed = self.compute(io);
        self.writing.clock(done, computed);
        let answered = self.answer(io);
        let entered = self.enter(io);
        self.pending.clock(answered, entered);
        self.choose(wanting);
        self.take_in(io);
        self.admitted = self.current.and_then(|taken| {
            let bytes = self.operations[taken.number].bytes();
            self.window.admits(taken.token.address, bytes)
        });
        io.accept(self.first(), self.pending.head().is_some());
        if self.done == Done::Acknowledged {
            io.accept(self.second(), self.unacknowledged != 0);
        }
        if self.moves(io) {
            io.wake(io.cycle() + 1);
        }
    }
}
