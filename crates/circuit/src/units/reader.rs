//! The reader of a stream: stands between a load and a memory port, in the place of a cache.
//!
//! A request for the line of the request before it shares that line; every other request fetches one. So
//! it answers any addresses, and is made for streams, where many requests in a row lie in one line. The
//! lines stand in a ring: requests run ahead of their answers by as many lines as the ring has places, so
//! that a stream does not wait for the memory's latency. With one place, the line stands in a register, and another one
//! is fetched when all requests for it are answered: for streams that stay in one line.
//!
//! Nothing is kept for later: what memory holds is read again whenever another line was read in between.
//! A flush drops the last line.

use crate::access::{self, Access, Lines, copy_piece};
use crate::area::Area;
use crate::connect::{Input, Output};
use crate::elastic::{self, PortQueue, Queue, SKID, SKID_DEPTH, Skid, TALLY};
use crate::family::memories::Memory;
use crate::sim::Io;
use crate::text::parameters;
use crate::token_queue::TokenQueue;
use crate::unit::{DEEPEST, Fields, Model, Module, Passage, Port, Question, UnitKind, require};
use crate::units::fifo;
use crate::verilog::Source;

/// The reader.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reader {
    /// The port towards the load.
    pub access: Access,
    /// Bytes of a line.
    pub line: u32,
    /// Places for lines: a power of two up to [`Reader::MOST_LINES`].
    pub lines: u32,
    /// Requests between the entrance and their answers.
    pub outstanding: u32,
}

impl Reader {
    /// Most places for lines.
    pub const MOST_LINES: u32 = 64;

    /// Requests. Each counts as one that reads.
    pub const REQUEST: Input<Reader> = Input::new(0, "request");
    /// Lines that were fetched.
    pub const FILL: Input<Reader> = Input::new(1, "fill");
    /// Demands to forget what was read.
    pub const FLUSH: Input<Reader> = Input::new(2, "flush");
    /// What was read.
    pub const RESPONSE: Output<Reader> = Output::new(0, "response");
    /// Lines to fetch.
    pub const FETCH: Output<Reader> = Output::new(1, "fetch");
    /// Everything is forgotten.
    pub const FLUSHED: Output<Reader> = Output::new(2, "flushed");

    /// Whether the lines stand in a block memory: distributed memories are cheap up to this depth.
    fn is_block(&self) -> bool {
        self.lines > 16
    }

    fn transfers(&self) -> Lines {
        Lines {
            bytes: self.line,
            address_bits: self.access.address_bits,
        }
    }
}

const REQUEST: usize = Reader::REQUEST.index();
const FILL: usize = Reader::FILL.index();
const FLUSH: usize = Reader::FLUSH.index();
const RESPONSE: usize = Reader::RESPONSE.index();
const FETCH: usize = Reader::FETCH.index();
const FLUSHED: usize = Reader::FLUSHED.index();

/// Fetches that wait for the memory port.
const FETCHES: u32 = 4;

const SOURCE: Source = Source {
    file: "sluice_reader.v",
    text: include_str!("reader.v"),
};

parameters! { UnitKind Reader { access, line, lines, outstanding } }

impl UnitKind for Reader {
    fn check(&self) -> Result<(), String> {
        self.transfers().check_access(&self.access)?;
        require(
            self.lines.is_power_of_two() && (1..=Reader::MOST_LINES).contains(&self.lines),
            "a reader has a power of two of lines, 1 to 64",
        )?;
        require(
            (1..=DEEPEST).contains(&self.outstanding),
            "1 to a million requests may be under way",
        )
    }

    fn passage(&self) -> Passage {
        Passage::Between(vec![(FLUSH, FLUSHED)])
    }

    fn module(&self) -> Module {
        Module {
            name: "sluice_reader".into(),
            parameters: vec![
                ("BYTES", self.access.bytes.into()),
                ("ADDRESS", self.access.address_bits.into()),
                ("LINE", self.line.into()),
                ("LINES", self.lines.into()),
                ("OUTSTANDING", self.outstanding.into()),
                ("FETCHES", FETCHES.into()),
                ("BLOCK", self.is_block().into()),
            ],
            sources: vec![fifo::QUEUE_MEMORY, fifo::SOURCE, SKID, TALLY, SOURCE],
            text: None,
        }
    }

    fn inputs(&self) -> Vec<Port> {
        vec![
            Reader::REQUEST.carrying(self.access.request()),
            Reader::FILL.carrying(self.transfers().fill()),
            Reader::FLUSH.carrying(Fields::NONE),
        ]
    }

    fn outputs(&self) -> Vec<Port> {
        vec![
            Reader::RESPONSE.carrying(self.access.response()),
            Reader::FETCH.carrying(self.transfers().fetch()),
            Reader::FLUSHED.carrying(Fields::NONE),
        ]
    }

    fn questions(&self) -> Vec<Question> {
        vec![Question {
            asked: FETCH,
            answered: FILL,
        }]
    }

    /// Of a request for a line that is there.
    fn latency(&self) -> u32 {
        6
    }

    /// Requests for as many lines, when memory does not even take the fetches: those that wait to be
    /// fetched, and those at the entrance.
    fn capacity(&self) -> u32 {
        let fetched = self.lines.min(FETCHES + 1);
        fetched.min(self.outstanding + 1) + SKID_DEPTH as u32
    }

    fn area(&self) -> Area {
        let (line, bytes) = (self.transfers().number_bits(), self.access.bytes);
        let word = (self.line / bytes).trailing_zeros().max(1);
        let own = Area::of(
            "reader",
            [
                ("units", 1),
                ("line bits", line),
                ("read bytes", bytes),
                ("bytes that are not read", self.line - bytes),
                ("slot bits", self.lines.trailing_zeros()),
                ("count bits", fifo::bits_of(self.outstanding)),
            ],
        );
        own + elastic::skid_area(line + word + 1)
            + fifo::area(line, FETCHES)
            + fifo::area(word + 1, self.outstanding)
            + match self.lines {
                1 => Area::default(),
                _ if self.is_block() => Area::memory(Memory::block(8 * self.line, self.lines)),
                _ => Area::memory(Memory::registered(8 * self.line, self.lines)),
            }
    }

    fn model(&self) -> Box<dyn Model> {
        Box::new(Behaviour {
            kind: self.clone(),
            state: State::Run,
            last: None,
            entrance: Skid::default(),
            places: self.lines,
            fetches: PortQueue::new(FETCH, 1),
            entries: Queue::default(),
            lines: vec![0; self.lines as usize * self.transfers().words()],
            fill_slot: 0,
            slot: 0,
            awaited: 0,
            arrived: 0,
            is_held: false,
            requests: 0,
            answers: TokenQueue::new(self.access.words()),
            on_the_way: [false; 2],
        })
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Run,
    /// Until all requests are answered.
    Wait,
    Done,
}

/// A request at the entrance.
#[derive(Clone, Copy, Default)]
struct Asked {
    line: u64,
    entry: Entry,
}

/// A request that waits for its answer.
#[derive(Clone, Copy, Default)]
struct Entry {
    word: u8,
    /// It is for the line of the request before.
    is_same: bool,
}

struct Behaviour {
    kind: Reader,
    state: State,
    /// The line of the last request that came.
    last: Option<u64>,
    entrance: Skid<Asked>,
    /// Places for lines that are free.
    places: u32,
    fetches: PortQueue,
    entries: Queue<Entry>,
    /// The words of all lines.
    lines: Vec<u64>,
    /// Where the next line goes.
    fill_slot: usize,
    /// Where the next line is that no answer was taken from.
    slot: usize,
    /// Fetches without a fill.
    awaited: u32,
    /// Lines that no answer was taken from.
    arrived: u32,
    /// Whether there is a line that the last answer was taken from.
    is_held: bool,
    /// Requests without an answer.
    requests: u32,
    /// Answers on their way to the port.
    answers: TokenQueue,
    /// Whether one comes out of the ring, and whether one has its word chosen.
    on_the_way: [bool; 2],
}

impl Behaviour {
    /// The request that is answered at the edge in progress.
    fn answered(&self, io: &Io<'_>) -> Option<Entry> {
        let head = self.entries.head()?;
        let ready = !io.offering(RESPONSE) && (head.is_same || self.arrived > 0);
        ready.then_some(head)
    }

    /// The request that leaves the entrance at the edge in progress.
    fn entering(&mut self) -> Option<Asked> {
        let queue = self.entries.stored() < self.kind.outstanding as usize;
        let fetch = self.places > 0 && self.fetches.stored() < FETCHES as usize;
        let asked = *self.entrance.front()?;
        (queue && (asked.entry.is_same || fetch)).then_some(asked)
    }

    /// Whether the only place is made free at the edge in progress: another line is to be fetched, and all requests
    /// for the one that is there are answered.
    fn drops(&mut self) -> bool {
        let is_answered = self.entries.stored() == 0 && self.entries.head().is_none();
        self.kind.lines == 1
            && self.is_held
            && is_answered
            && self.on_the_way == [false; 2]
            && self.entrance.front().is_some_and(|it| !it.entry.is_same)
    }

    /// Moves on to the next line, if the answer is from that, and takes the answer.
    fn answer(&mut self, entry: Entry) {
        let count = self.kind.lines as usize;
        if !entry.is_same {
            self.slot = (self.slot + 1) % count;
            self.arrived -= 1;
            self.places += u32::from(self.is_held);
            self.is_held = true;
        }
        let words = self.kind.transfers().words();
        let line = &self.lines[(self.slot + count - 1) % count * words..][..words];
        let bytes = self.kind.access.bytes;
        let words = self.answers.place();
        words.fill(0);
        copy_piece(line, entry.word.into(), words, 0, bytes);
        self.requests -= 1;
    }

    /// Moves the answers on their way, and with them the one that was taken, if there is one.
    fn move_answers(&mut self, taken: Option<Entry>, io: &mut Io<'_>) {
        if io.offering(RESPONSE) {
            return;
        }
        let [read, chosen] = self.on_the_way;
        if chosen {
            io.offer(RESPONSE, self.answers.front());
            self.answers.pop();
        }
        self.on_the_way = [taken.is_some(), read];
    }

    fn asked(&mut self, token: &[u64]) -> Asked {
        let bytes = self.kind.access.bytes;
        let (line, word) = self.kind.transfers().split(token[access::ADDRESS], bytes);
        let is_same = self.last.replace(line) == Some(line);
        Asked {
            line,
            entry: Entry { word, is_same },
        }
    }

    /// The next state, where `idle` says whether all was answered before this edge.
    fn next_state(&mut self, io: &Io<'_>, idle: bool) -> State {
        match self.state {
            State::Run if io.takes(FLUSH) => State::Wait,
            State::Wait if idle => {
                self.last = None;
                self.places += u32::from(self.is_held);
                self.is_held = false;
                State::Done
            }
            State::Done if io.given(FLUSHED) => State::Run,
            state => state,
        }
    }

    /// Whether anything happens at the next edge though no token passes.
    fn is_busy(&mut self, io: &Io<'_>) -> bool {
        self.entries.moves()
            || self.fetches.moves(io)
            || self.answered(io).is_some()
            || (self.on_the_way != [false; 2] && !io.offering(RESPONSE))
            || self.entering().is_some()
            || self.drops()
            || (self.state == State::Wait && self.requests == 0)
    }
}

impl Model for Behaviour {
    fn reset(&mut self, _: &[u64], io: &mut Io<'_>) {
        self.state = State::Run;
        self.last = None;
        self.entrance.clear();
        self.fetches.clear();
        self.entries.clear();
        self.places = self.kind.lines;
        (self.fill_slot, self.slot) = (0, 0);
        (self.awaited, self.arrived) = (0, 0);
        (self.is_held, self.requests) = (false, 0);
        self.answers.clear();
        self.on_the_way = [false; 2];
        for port in [REQUEST, FLUSH] {
            io.accept(port, true);
        }
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        let idle = self.requests == 0;
        let answered = self.answered(io);
        let entering = self.entering();
        if self.drops() {
            self.places += 1;
            self.is_held = false;
        }
        self.fetches.clock(io);
        self.entries
            .clock(answered, entering.map(|asked| asked.entry));
        if let Some(asked) = entering {
            self.entrance.pop();
            if !asked.entry.is_same {
                self.fetches.push(&[asked.line]);
                self.places -= 1;
            }
        }
        self.move_answers(answered, io);
        if let Some(entry) = answered {
            self.answer(entry);
        }
        self.awaited += u32::from(io.given(FETCH));
        if let Some(fill) = io.taken(FILL) {
            self.awaited -= 1;
            let start = self.fill_slot * fill.len();
            self.lines[start..][..fill.len()].copy_from_slice(fill);
            self.fill_slot = (self.fill_slot + 1) % self.kind.lines as usize;
            self.arrived += 1;
        }
        self.state = self.next_state(io, idle);
        if let Some(token) = io.taken(REQUEST) {
            let asked = self.asked(token);
            self.entrance.push(asked);
            self.requests += 1;
        }
        io.accept(
            REQUEST,
            self.state == State::Run && self.entrance.has_room(),
        );
        io.accept(FILL, self.awaited > 0);
        io.accept(FLUSH, self.state == State::Run);
        if self.state == State::Done && !io.offering(FLUSHED) {
            io.offer(FLUSHED, &[]);
        }
        if self.is_busy(io) {
            io.wake(io.cycle() + 1);
        }
    }
}

/// The choices for tests.
pub fn samples() -> Vec<Box<dyn UnitKind>> {
    [
        (4, 10, 64, 4, 16),
        (64, 9, 64, 2, 3),
        (1, 8, 32, 8, 40),
        (16, 32, 16, 2, 1),
        (4, 9, 8, 32, 9),
        (4, 8, 32, 1, 8),
        (8, 12, 8, 1, 1),
    ]
    .map(|(bytes, address_bits, line, lines, outstanding)| {
        Box::new(Reader {
            access: Access {
                bytes,
                address_bits,
            },
            line,
            lines,
            outstanding,
        }) as Box<dyn UnitKind>
    })
    .into()
}
