//! The writer of a stream: stands between a store and a memory port, in the place of a cache.
//!
//! What is written to one line in a row is gathered, and goes to memory when another line is written to, or
//! at a flush. So it takes any addresses, and is made for streams. Bytes that were not written are left
//! alone, so that others may write them.

use crate::access::{self, Access, Lines, write_word};
use crate::area::Area;
use crate::connect::{Input, Output};
use crate::elastic::{self, SKID, SKID_DEPTH, TALLY};
use crate::sim::Io;
use crate::text::parameters;
use crate::token_queue::TokenQueue;
use crate::unit::{DEEPEST, Fields, Model, Module, Passage, Port, Question, UnitKind, require};
use crate::units::fifo;
use crate::verilog::Source;

/// The writer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Writer {
    /// The port towards the store.
    pub access: Access,
    /// Bytes of a line.
    pub line: u32,
    /// Lines that are on their way to memory.
    pub outstanding: u32,
}

impl Writer {
    /// Requests. Each counts as one that writes.
    pub const REQUEST: Input<Writer> = Input::new(0, "request");
    /// Lines that are in memory.
    pub const WRITEBACK_DONE: Input<Writer> = Input::new(1, "writeback_done");
    /// Demands to write everything to memory.
    pub const FLUSH: Input<Writer> = Input::new(2, "flush");
    /// Lines to write.
    pub const WRITEBACK: Output<Writer> = Output::new(0, "writeback");
    /// Everything is in memory.
    pub const FLUSHED: Output<Writer> = Output::new(1, "flushed");

    fn transfers(&self) -> Lines {
        Lines {
            bytes: self.line,
            address_bits: self.access.address_bits,
        }
    }
}

const REQUEST: usize = Writer::REQUEST.index();
const WRITEBACK_DONE: usize = Writer::WRITEBACK_DONE.index();
const FLUSH: usize = Writer::FLUSH.index();
const WRITEBACK: usize = Writer::WRITEBACK.index();
const FLUSHED: usize = Writer::FLUSHED.index();

const SOURCE: Source = Source {
    file: "sluice_writer.v",
    text: include_str!("writer.v"),
};

parameters! { UnitKind Writer { access, line, outstanding } }

impl UnitKind for Writer {
    fn check(&self) -> Result<(), String> {
        self.transfers().check_access(&self.access)?;
        require(
            (1..=DEEPEST).contains(&self.outstanding),
            "1 to a million lines may be on their way",
        )
    }

    fn passage(&self) -> Passage {
        Passage::Between(vec![(FLUSH, FLUSHED)])
    }

    fn module(&self) -> Module {
        Module {
            name: "sluice_writer".into(),
            parameters: vec![
                ("BYTES", self.access.bytes.into()),
                ("ADDRESS", self.access.address_bits.into()),
                ("LINE", self.line.into()),
                ("OUTSTANDING", self.outstanding.into()),
            ],
            sources: vec![SKID, TALLY, SOURCE],
            text: None,
        }
    }

    fn inputs(&self) -> Vec<Port> {
        vec![
            Writer::REQUEST.carrying(self.access.request()),
            Writer::WRITEBACK_DONE.carrying(Fields::NONE),
            Writer::FLUSH.carrying(Fields::NONE),
        ]
    }

    fn outputs(&self) -> Vec<Port> {
        vec![
            Writer::WRITEBACK.carrying(self.transfers().writeback()),
            Writer::FLUSHED.carrying(Fields::NONE),
        ]
    }

    fn questions(&self) -> Vec<Question> {
        vec![Question {
            asked: WRITEBACK,
            answered: WRITEBACK_DONE,
        }]
    }

    /// From a request to the line before it.
    fn latency(&self) -> u32 {
        1
    }

    /// Requests for as many lines, when memory takes none: the one that is gathered, and those at the
    /// entrance.
    fn capacity(&self) -> u32 {
        1 + SKID_DEPTH as u32
    }

    fn area(&self) -> Area {
        let line = self.transfers().number_bits();
        let bytes = self.access.bytes;
        let word = (self.line / bytes).trailing_zeros().max(1);
        let own = Area::of(
            "writer",
            [
                ("units", 1),
                ("line bits", line),
                ("words", self.line / bytes),
                ("count bits", fifo::bits_of(self.outstanding)),
            ],
        );
        own + elastic::skid_area(line + word + 1 + 9 * bytes)
    }

    fn model(&self) -> Box<dyn Model> {
        Box::new(Behaviour {
            kind: self.clone(),
            state: State::Run,
            entrance: TokenQueue::new(self.access.request().len()),
            held: None,
            gathered: vec![0; self.transfers().writeback().len()],
            on_the_way: 0,
        })
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Run,
    /// Until everything is in memory.
    Drain,
    Done,
}

struct Behaviour {
    kind: Writer,
    state: State,
    /// Requests.
    entrance: TokenQueue,
    /// The line that is gathered.
    held: Option<u64>,
    /// The write-back of it: line, mask, data.
    gathered: Vec<u64>,
    /// Lines that memory has not answered for.
    on_the_way: u32,
}

impl Behaviour {
    /// The line that a request lies in, and which word of it.
    fn place_of(&self, request: &[u64]) -> (u64, u8) {
        let transfers = self.kind.transfers();
        transfers.split(request[access::ADDRESS], self.kind.access.bytes)
    }

    /// The line of the first request.
    fn waiting(&self) -> Option<u64> {
        (!self.entrance.is_empty()).then(|| self.place_of(self.entrance.front()).0)
    }

    /// Whether the first request can be gathered at the edge in progress.
    fn can_take(&self) -> bool {
        let waiting = self.waiting();
        waiting.is_some() && (self.held.is_none() || self.held == waiting)
    }

    /// Gathers the first request.
    fn gather(&mut self) {
        let request = self.entrance.front();
        let (line, word) = self.place_of(request);
        if self.held != Some(line) {
            self.held = Some(line);
            (self.gathered[0], self.gathered[1]) = (line, 0);
        }
        let bytes = self.kind.access.bytes;
        let mask = request[access::ADDRESS + 1];
        self.gathered[1] |= mask << (u32::from(word) * bytes);
        write_word(
            &mut self.gathered[2..],
            word.into(),
            bytes,
            mask,
            &request[access::ADDRESS + 2..],
        );
        self.entrance.pop();
    }

    /// Whether the line that is gathered goes to memory from now on.
    fn is_complete(&self) -> bool {
        let ends = match self.waiting() {
            Some(line) => self.held != Some(line),
            None => self.state == State::Drain,
        };
        self.held.is_some() && ends && self.on_the_way < self.kind.outstanding
    }
}

impl Model for Behaviour {
    fn reset(&mut self, _: &[u64], io: &mut Io<'_>) {
        self.state = State::Run;
        self.held = None;
        self.entrance.clear();
        self.gathered.fill(0);
        self.on_the_way = 0;
        io.accept(REQUEST, true);
        io.accept(FLUSH, true);
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        let empty = self.entrance.is_empty() && self.held.is_none() && self.on_the_way == 0;
        if io.given(WRITEBACK) {
            self.held = None;
            self.on_the_way += 1;
        }
        if io.takes(WRITEBACK_DONE) {
            self.on_the_way -= 1;
        }
        if self.can_take() {
            self.gather();
        }
        self.state = match self.state {
            State::Run if io.takes(FLUSH) => State::Drain,
            State::Drain if empty => State::Done,
            State::Done if io.given(FLUSHED) => State::Run,
            state => state,
        };
        if let Some(token) = io.taken(REQUEST) {
            self.entrance.push(token);
        }
        io.accept(
            REQUEST,
            self.state == State::Run && self.entrance.len() < SKID_DEPTH,
        );
        io.accept(WRITEBACK_DONE, self.on_the_way > 0);
        io.accept(FLUSH, self.state == State::Run);
        if self.is_complete() && !io.offering(WRITEBACK) {
            io.offer(WRITEBACK, &self.gathered);
        }
        if self.state == State::Done && !io.offering(FLUSHED) {
            io.offer(FLUSHED, &[]);
        }
        if self.can_take() || self.state == State::Drain {
            io.wake(io.cycle() + 1);
        }
    }
}

/// The choices for tests.
pub fn samples() -> Vec<Box<dyn UnitKind>> {
    [
        (4, 10, 64, 4),
        (64, 9, 64, 1),
        (1, 8, 32, 20),
        (16, 32, 16, 3),
        (4, 9, 8, 2),
    ]
    .map(|(bytes, address_bits, line, outstanding)| {
        Box::new(Writer {
            access: Access {
                bytes,
                address_bits,
            },
            line,
            outstanding,
        }) as Box<dyn UnitKind>
    })
    .into()
}
