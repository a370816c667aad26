//! An arbiter: several requesters share one memory port.
//!
//! A write counts as done when it was accepted, so what is accepted later must not overtake it:
//! requests are passed on in the order of the cycles in which they were accepted, those of the same
//! cycle by number: all of them are passed on before any later one, so that no requester starves. For the
//! same reason the arbiter of those that write stands right before the memory: behind another one, order
//! would end at the first. A read is done when its response comes, and may pass several. A flush of the memory passes the arbiter as well, so
//! that it comes behind the writes that were done before it.

use std::collections::VecDeque;

use crate::access::{self, Access};
use crate::area::Area;
use crate::connect::{Input, Output};
use crate::elastic::{self, LOWEST, Queue, SKID, SKID_DEPTH};
use crate::sim::Io;
use crate::text::{choices, parameters};
use crate::token_queue::{TokenQueue, copy_token};
use crate::unit::{DEEPEST, Fields, Model, Module, Origin, Passage, Port, UnitKind, require};
use crate::units::fifo;
use crate::verilog::{Numbered, Source, numbered};

/// The arbiter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arbiter {
    /// Requesters that read: whatever else a request says, it is a read of its address.
    pub readers: u32,
    /// Requesters that write: whatever a request says, it is a write. There are 1 to
    /// [`Arbiter::MOST_REQUESTERS`] of both.
    pub writers: u32,
    /// The port, the same for all.
    pub access: Access,
    /// Reads whose responses are to come, at most.
    pub outstanding: u32,
    /// Whether the memory can be flushed.
    pub flush: Flush,
}

/// Whether an arbiter passes flushes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flush {
    /// Behind it is a cache.
    Passed,
    /// Behind it is a memory that has nothing to flush.
    None,
}

const SOURCE: Source = Source {
    file: "sluice_arbiter.v",
    text: include_str!("arbiter.v"),
};

/// One of several words.
pub(crate) const GATHER: Source = Source {
    file: "sluice_gather.v",
    text: include_str!("gather.v"),
};

/// One of many words, one cycle later.
const GATHER_TWICE: Source = Source {
    file: "sluice_gather_twice.v",
    text: include_str!("gather_twice.v"),
};

/// Whose turn it is, as a mask.
pub(crate) const ROUND_ROBIN: Source = Source {
    file: "sluice_round_robin.v",
    text: include_str!("round_robin.v"),
};

/// Who comes next, when those who want are the set bits of a mask.
pub(crate) const TURN: Source = Source {
    file: "sluice_turn.v",
    text: include_str!("turn.v"),
};

/// One of several words side by side.
pub(crate) const CHOOSE: Source = Source {
    file: "sluice_choose.v",
    text: include_str!("choose.v"),
};

/// The first of those who want, from the one after `last` on, in a circle.
pub(crate) fn turn(wanting: u64, last: u32) -> u32 {
    let later = wanting & (u64::MAX << last << 1);
    let from = if later != 0 { later } else { wanting };
    from.trailing_zeros()
}

impl Arbiter {
    /// Most requesters of one arbiter.
    pub const MOST_REQUESTERS: u32 = 2048;

    /// Most requesters whose words are gathered in one cycle; with more it takes two.
    const MOST_AT_ONCE: u32 = 16;

    /// Requests of one of the requesters: first come the readers.
    pub const fn from(requester: usize) -> Input<Arbiter> {
        Input::numbered(requester, "from_#", requester)
    }

    /// What one of the readers has read.
    pub const fn to(reader: usize) -> Output<Arbiter> {
        Output::numbered(reader, "to_#", reader)
    }

    /// Requests to the memory.
    pub const fn request(&self) -> Output<Arbiter> {
        Output::new(self.readers as usize, "request")
    }

    /// The memory's answers.
    pub const fn response(&self) -> Input<Arbiter> {
        Input::new((self.readers + self.writers) as usize, "response")
    }

    /// Flushes, if they pass here ([`Flush::Passed`]).
    pub const fn flush(&self) -> Input<Arbiter> {
        Input::new(self.response().index() + 1, "flush")
    }

    /// Flushes to the memory, if they pass here ([`Flush::Passed`]).
    pub const fn flush_out(&self) -> Output<Arbiter> {
        Output::new(self.request().index() + 1, "flush_out")
    }

    fn requesters(&self) -> u32 {
        let (requesters, most) = (self.readers + self.writers, Arbiter::MOST_REQUESTERS);
        assert!((1..=most).contains(&requesters), "1 to {most} requesters");
        requesters
    }

    /// Whether the words are gathered in two cycles.
    fn is_wide(&self) -> bool {
        self.requesters() > Arbiter::MOST_AT_ONCE
    }

    /// Ports for flushes, on each side.
    fn flushes(&self) -> u32 {
        match self.flush {
            Flush::Passed => 1,
            Flush::None => 0,
        }
    }
}

parameters! { UnitKind Arbiter { readers, writers, access, outstanding, flush } }
choices! { Flush { Passed = "passed", None = "none" } }

impl UnitKind for Arbiter {
    fn check(&self) -> Result<(), String> {
        self.access.check()?;
        let requesters = self.readers.saturating_add(self.writers);
        require(
            (1..=Arbiter::MOST_REQUESTERS).contains(&requesters),
            "an arbiter has 1 to 2048 requesters",
        )?;
        require(
            (1..=DEEPEST).contains(&self.outstanding),
            "1 to a million reads may be under way",
        )
    }

    fn passage(&self) -> Passage {
        let (from, to) = (self.flush().index(), self.flush_out().index());
        Passage::Between((0..self.flushes() as usize).map(|_| (from, to)).collect())
    }

    fn module(&self) -> Module {
        let count = self.requesters();
        let name = format!("sluice_arbiter_{}_{}", self.readers, self.writers);
        let request = "9*BYTES+ADDRESS+1";
        let (suffix, flush) = match self.flush {
            Flush::Passed => ("_flush", None),
            Flush::None => ("", Some(0)),
        };
        let name = name + suffix;
        let text = numbered(&Numbered {
            name: &name,
            inner: "sluice_arbiter",
            fixed: &[
                ("COUNT", count),
                ("READERS", self.readers),
                ("AT_ONCE", Arbiter::MOST_AT_ONCE),
            ],
            parameters: &[("BYTES", 4), ("ADDRESS", 32), ("OUTSTANDING", 16)],
            inputs: vec![
                ("from", request, Some(count)),
                ("response", "8*BYTES", None),
                ("flush", "1", flush),
            ],
            outputs: vec![
                ("to", "8*BYTES", Some(self.readers)),
                ("request", request, None),
                ("flush_out", "1", flush),
            ],
        });
        Module {
            name,
            parameters: vec![
                ("BYTES", self.access.bytes.into()),
                ("ADDRESS", self.access.address_bits.into()),
                ("OUTSTANDING", self.outstanding.into()),
            ],
            sources: vec![
                fifo::QUEUE_MEMORY,
                fifo::SOURCE,
                SKID,
                LOWEST,
                GATHER,
                GATHER_TWICE,
                SOURCE,
            ],
            text: Some(text),
        }
    }

    /// Requests from each, then the memory's responses and flushes.
    fn inputs(&self) -> Vec<Port> {
        let requests = (0..self.requesters() as usize).map(Arbiter::from);
        let requests = requests.map(|port| port.carrying(self.access.request()));
        let response = self.response().carrying(self.access.response());
        let flush = (0..self.flushes()).map(|_| self.flush().carrying(Fields::NONE));
        requests.chain([response]).chain(flush).collect()
    }

    /// Responses to each, then requests and flushes to the memory.
    fn outputs(&self) -> Vec<Port> {
        let responses = (0..self.readers as usize).map(Arbiter::to);
        let responses = responses.map(|port| port.carrying(self.access.response()));
        let request = self.request().carrying(self.access.request());
        let flush = (0..self.flushes()).map(|_| self.flush_out().carrying(Fields::NONE));
        responses.chain([request]).chain(flush).collect()
    }

    fn origin(&self, output: usize) -> Origin {
        match output < self.readers as usize {
            true => Origin::Among(self.response().index()),
            false => Origin::Unit,
        }
    }

    /// Of a request; a response takes one cycle.
    fn latency(&self) -> u32 {
        2 + u32::from(self.is_wide())
    }

    /// Of one requester: two, and those on their way out.
    fn capacity(&self) -> u32 {
        3 + u32::from(self.is_wide())
    }

    fn area(&self) -> Area {
        let (count, request) = (self.requesters(), self.access.request().bits());
        let number = count.next_power_of_two().trailing_zeros().max(1);
        // Of reads, only the addresses are kept.
        let (address, data) = (self.access.address_bits, 9 * self.access.bytes);
        let kept = |words: [u32; 2]| words[0] * address + words[1] * data;
        let [two, many] = match count {
            2 => [kept([count, self.writers]), 0],
            _ => [0, kept([count, self.writers])],
        };
        let gathered = match self.is_wide() {
            true => kept([count, self.writers].map(|words| words.div_ceil(Arbiter::MOST_AT_ONCE))),
            false => 0,
        };
        let own = Area::of(
            "arbiter",
            [
                ("units", 1),
                ("requesters", count),
                ("request bits", request),
                ("request bits of two", two),
                ("request bits of many", many),
                ("gathered bits", gathered),
                ("readers", self.readers),
            ],
        );
        // What only writes gets no responses.
        match self.readers {
            0 => own,
            _ => {
                own + fifo::area(number, self.outstanding)
                    + elastic::skid_area(8 * self.access.bytes + self.readers)
            }
        }
    }

    fn model(&self) -> Box<dyn Model> {
        let fields = self.access.request().len();
        let batch = || Batch {
            from: VecDeque::new(),
            tokens: vec![0; fields * self.requesters() as usize],
        };
        Box::new(Behaviour {
            count: self.requesters() as usize,
            request_port: self.readers as usize,
            fields,
            outstanding: self.outstanding as usize,
            current: batch(),
            following: batch(),
            width: if self.is_wide() {
                Width::Wide
            } else {
                Width::Narrow
            },
            gathered: None,
            gathered_token: vec![0; fields],
            order: Queue::default(),
            responses: TokenQueue::new(1 + self.access.words()),
            flush: self.flush,
            flush_waits: false,
            open: true,
        })
    }
}

struct Behaviour {
    /// Requesters; the memory's responses are the input behind theirs.
    count: usize,
    /// The outputs before it are the readers'.
    request_port: usize,
    fields: usize,
    outstanding: usize,
    current: Batch,
    following: Batch,
    width: Width,
    /// Whose word is on its way to the register before the memory.
    gathered: Option<u32>,
    gathered_token: Vec<u64>,
    /// Who awaits the responses to come.
    order: Queue<u32>,
    /// Responses, each behind the number of who awaits it.
    responses: TokenQueue,
    flush: Flush,
    /// A flush was taken and not yet passed on.
    flush_waits: bool,
    /// Requests are accepted.
    open: bool,
}

/// How many cycles a word takes to the register before the memory.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Width {
    /// One.
    Narrow,
    /// Two.
    Wide,
}

/// Requests accepted in one cycle.
struct Batch {
    /// From whom, the next one first.
    from: VecDeque<u32>,
    /// By requester, whether it is in `from` or not.
    tokens: Vec<u64>,
}

impl Behaviour {
    /// Passes a request on, if there is one and it may; gives whose, if it reads.
    fn grant(&mut self, io: &mut Io<'_>) -> Option<u32> {
        if self.width == Width::Narrow {
            self.gather();
        }
        let granted = self.pass(io);
        match (self.width, self.gathered) {
            (Width::Wide, None) => self.gather(),
            (Width::Wide, Some(_)) => {}
            // In one cycle a word is passed on, or it was not gathered.
            (Width::Narrow, _) => self.gathered = None,
        }
        granted
    }

    /// Takes the word of the first of the batch.
    fn gather(&mut self) {
        let Some(&next) = self.current.from.front() else {
            return;
        };
        let start = next as usize * self.fields;
        let token = &self.current.tokens[start..start + self.fields];
        let reads = (next as usize) < self.request_port;
        match reads {
            true => {
                self.gathered_token.fill(0);
                self.gathered_token[access::ADDRESS] = token[access::ADDRESS];
            }
            false => {
                copy_token(token, &mut self.gathered_token);
                self.gathered_token[access::WRITE] = 1;
            }
        }
        self.gathered = Some(next);
        if self.width == Width::Wide {
            self.current.from.pop_front();
        }
    }

    /// Passes the gathered word on.
    fn pass(&mut self, io: &mut Io<'_>) -> Option<u32> {
        let owner = self.gathered.filter(|_| !io.offering(self.request_port))?;
        let reads = (owner as usize) < self.request_port;
        if reads && self.order.stored() == self.outstanding {
            return None;
        }
        io.offer(self.request_port, &self.gathered_token);
        self.gathered = None;
        if self.width == Width::Narrow {
            self.current.from.pop_front();
        }
        reads.then_some(owner)
    }

    /// Whether a word moves at the next edge, if there is space for one that reads.
    fn moves(&self, io: &Io<'_>) -> bool {
        let waits = match self.width {
            Width::Narrow => !self.current.from.is_empty(),
            Width::Wide if self.gathered.is_none() => return !self.current.from.is_empty(),
            Width::Wide => true,
        };
        waits && !io.offering(self.request_port)
    }

    /// A flush is passed on when no request is here, as before this edge.
    fn pass_flush(&mut self, io: &mut Io<'_>) {
        let (from, to) = (self.count + 1, self.request_port + 1);
        if self.flush_waits && self.is_empty(io) && !io.given(self.request_port) {
            io.offer(to, &[]);
            self.flush_waits = false;
        }
        self.flush_waits |= io.taken(from).is_some();
        io.accept(from, !self.flush_waits && !io.offering(to));
    }

    fn is_empty(&self, io: &Io<'_>) -> bool {
        self.current.from.is_empty() && self.gathered.is_none() && !io.offering(self.request_port)
    }

    /// Takes what was accepted: the next batch when nothing is left of this one.
    fn collect(&mut self, io: &mut Io<'_>) {
        if self.current.from.is_empty() && !self.following.from.is_empty() {
            std::mem::swap(&mut self.current, &mut self.following);
        }
        let batch = match self.current.from.is_empty() {
            true => &mut self.current,
            false => &mut self.following,
        };
        for port in 0..self.count {
            if let Some(token) = io.taken(port) {
                let start = port * self.fields;
                copy_token(token, &mut batch.tokens[start..start + self.fields]);
                batch.from.push_back(port as u32);
            }
        }
        let open = self.following.from.is_empty();
        if self.open != open {
            self.open = open;
            (0..self.count).for_each(|port| io.accept(port, open));
        }
    }
}

impl Model for Behaviour {
    fn reset(&mut self, _: &[u64], io: &mut Io<'_>) {
        self.current.from.clear();
        self.following.from.clear();
        self.order.clear();
        self.responses.clear();
        self.gathered = None;
        self.flush_waits = false;
        self.open = true;
        if self.flush == Flush::Passed {
            io.accept(self.count + 1, true);
        }
        (0..self.count).for_each(|port| io.accept(port, true));
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        if !self.responses.is_empty() && io.given(self.responses.front()[0] as usize) {
            self.responses.pop();
        }
        let answered = self.order.head().filter(|_| io.takes(self.count));
        if let Some(to) = answered {
            let data = io.taken(self.count).expect("just seen");
            let response = self.responses.place();
            response[0] = to.into();
            copy_token(data, &mut response[1..]);
        }
        if self.flush == Flush::Passed {
            self.pass_flush(io);
        }
        let granted = self.grant(io);
        self.order.clock(answered, granted);
        self.collect(io);
        if !self.responses.is_empty() {
            let token = self.responses.front();
            if !io.offering(token[0] as usize) {
                io.offer(token[0] as usize, &token[1..]);
            }
        }
        let takes = self.responses.len() < SKID_DEPTH && self.order.head().is_some();
        io.accept(self.count, takes);
        let flushes = self.flush_waits && self.is_empty(io);
        if self.order.moves() || self.moves(io) || flushes {
            io.wake(io.cycle() + 1);
        }
    }
}

/// The choices for tests.
pub fn samples() -> Vec<Box<dyn UnitKind>> {
    [
        (1, 0, 4, 8),
        (1, 1, 8, 4),
        (3, 0, 1, 16),
        (0, 2, 4, 1),
        (2, 3, 64, 3),
        (9, 7, 2, 32),
        (17, 0, 4, 6),
        (30, 34, 1, 16),
        (65, 63, 2, 64),
        (150, 140, 1, 8),
    ]
    .map(|(readers, writers, bytes, outstanding)| {
        Box::new(Arbiter {
            readers,
            writers,
            access: Access {
                bytes,
                address_bits: 16 + readers % 16,
            },
            outstanding,
            flush: if readers == 3 {
                Flush::None
            } else {
                Flush::Passed
            },
        }) as Box<dyn UnitKind>
    })
    .into()
}
