//! The cache's behaviour, cycle for cycle that of its Verilog.

use std::collections::VecDeque;

use crate::access::{byte_mask, copy_piece, piece};
use crate::elastic::{PortQueue, Queue};
use crate::sim::Io;
use crate::token_queue::TokenQueue;
use crate::unit::Model;

use super::looks::{Kind, Look, Looks};
use super::{Cache, Mode};

const REQUEST: usize = Cache::REQUEST.index();
const FILL: usize = Cache::FILL.index();
const WRITEBACK_DONE: usize = Cache::WRITEBACK_DONE.index();
const FLUSH: usize = Cache::FLUSH.index();
const RESPONSE: usize = Cache::RESPONSE.index();
const FETCH: usize = Cache::FETCH.index();
const WRITEBACK: usize = Cache::WRITEBACK.index();
const FLUSHED: usize = Cache::FLUSHED.index();

/// Fetches that wait for the memory port.
pub(super) const FETCHES: u32 = 4;
/// Places for responses.
pub(super) const ANSWERS: u32 = 8;
/// Flushes before all lines are made invalid, where they are only read.
const GENERATIONS: u32 = 3;
/// Bits of the number of a block of lines: a flush passes over blocks that were not touched.
const BLOCK_BITS: u32 = 5;

/// Places for lines on their way out: a line per cycle needs five.
pub(super) const SLOTS: u32 = 8;

/// What the tags know of a place.
#[derive(Clone, Copy, Default)]
struct Tag {
    valid: bool,
    dirty: bool,
    line: u64,
}

/// What the data end has to do.
#[derive(Clone, Copy, Default)]
struct Entry {
    kind: Kind,
    miss: bool,
    evict: bool,
    /// Which part of the line; there are at most as many as bytes.
    word: u8,
    index: u32,
    victim: u64,
}

/// What the token at the tags will do at the next edge.
#[derive(Clone, Copy)]
enum Lookup {
    /// Nothing is there.
    Empty,
    /// It waits.
    Stall,
    /// It goes on.
    Pass { miss: bool, evict: bool },
}

/// What the data end will do at the next edge.
#[derive(Clone, Copy, PartialEq, Eq)]
enum DataAction {
    Wait,
    Evict,
    Access,
    /// The same, if the fill comes.
    Fill,
}

/// What was read and is on its way to its queue.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Read {
    Nothing,
    Answer,
    Writeback,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Until this cycle, all lines become invalid.
    Clear(u64),
    Run,
    /// The first place to be flushed is looked up.
    Start,
    /// The line of this place is the next to be flushed.
    Walk(u32),
    Wait,
    Done,
}

/// The cache.
pub(super) struct Behaviour {
    kind: Cache,
    state: State,
    /// The first and the last place that requests have touched.
    touched: Option<(u32, u32)>,
    /// By block of lines: a line of it was touched.
    blocks: u32,
    /// Flushes since all lines became invalid, where they are only read.
    generation: u32,
    inflight: u32,
    looks: Looks,
    /// Masks and data of writes.
    writes: TokenQueue,
    lookup: Lookup,
    /// Where lines are read and written: the token that has its tag is to evict a line, and this was so in the
    /// last cycle, with whether a line of that hash was on its way out.
    checked: Option<bool>,
    tags: Vec<Tag>,
    /// By hash: such a line is on its way out.
    pending: Vec<bool>,
    fetches: PortQueue,
    entries: Queue<Entry>,
    /// The entry that is being written to a block memory.
    arriving: Option<Entry>,
    step: DataAction,
    evicted: bool,
    /// Where lines are only written: the place that is being written, a cycle behind its store.
    writing: Option<u32>,
    answers: u32,
    slots: u32,
    awaited: u32,
    writebacks: u32,
    unanswered: u32,
    /// Hashes of the lines on their way out.
    hashes: VecDeque<u32>,
    /// The words of all lines.
    lines: Vec<u64>,
    dirty: Vec<u64>,
    reading: [Read; 2],
    responses: PortQueue,
    evictions: PortQueue,
}

impl Behaviour {
    pub(super) fn new(kind: Cache) -> Behaviour {
        let places = kind.lines as usize;
        Behaviour {
            state: State::Run,
            touched: None,
            blocks: 0,
            generation: 0,
            inflight: 0,
            looks: Looks::default(),
            writes: TokenQueue::new(1 + kind.access.words()),
            lookup: Lookup::Empty,
            checked: None,
            tags: vec![Tag::default(); places],
            pending: vec![false; 1 << kind.hash_bits()],
            fetches: PortQueue::new(FETCH, 1),
            entries: Queue::default(),
            arriving: None,
            step: DataAction::Wait,
            evicted: false,
            writing: None,
            answers: ANSWERS,
            slots: SLOTS,
            awaited: 0,
            writebacks: 0,
            unanswered: 0,
            hashes: VecDeque::new(),
            lines: vec![0; places * kind.transfers().words()],
            dirty: vec![0; places],
            reading: [Read::Nothing; 2],
            responses: PortQueue::new(RESPONSE, kind.access.words()),
            evictions: PortQueue::new(WRITEBACK, kind.transfers().writeback().len()),
            kind,
        }
    }

    /// Where the words of the line at a place are.
    #[inline(always)]
    fn words_of(&self, place: u32) -> std::ops::Range<usize> {
        let words = self.kind.transfers().words();
        let start = place as usize * words;
        start..start + words
    }

    fn index(&self, line: u64) -> u32 {
        (line & u64::from(self.kind.lines - 1)) as u32
    }

    /// Bits of the number of a line in its block.
    fn rest(&self) -> u32 {
        self.kind.index_bits().saturating_sub(BLOCK_BITS)
    }

    /// Whether a flush passes over the block of a place, because no line of it was touched.
    fn is_passed_over(&self, place: u32) -> bool {
        self.blocks >> (place >> self.rest()) & 1 == 0
    }

    /// The number that a line has inside of the cache: its low bits say where it stands.
    fn placed(&self, line: u64) -> u64 {
        let (tag, ones) = (
            line >> self.kind.index_bits(),
            u64::from(self.kind.lines - 1),
        );
        line & !ones | line.wrapping_add(tag) & ones
    }

    /// The line that has this number inside of the cache.
    fn line_of(&self, placed: u64) -> u64 {
        let (tag, ones) = (
            placed >> self.kind.index_bits(),
            u64::from(self.kind.lines - 1),
        );
        placed & !ones | placed.wrapping_sub(tag) & ones
    }

    fn hash(&self, line: u64) -> u32 {
        let bits = self.kind.hash_bits();
        let tag = (line >> self.kind.index_bits()) as u32;
        let ones = u32::MAX >> (32 - bits);
        (line as u32 ^ tag.reverse_bits() >> (32 - bits)) & ones
    }

    /// Whether a token misses, and whether it evicts the line of its place.
    fn finds(&self, look: Look) -> (bool, bool) {
        let tag = self.tags[look.index as usize];
        let flush = look.kind == Kind::Flush;
        let hit = tag.valid && tag.line == look.line;
        let miss = !flush && !hit;
        (miss, (miss || flush) && tag.valid && tag.dirty)
    }

    /// What the token that has its tag will do.
    fn look_up(&self) -> Lookup {
        let Some(look) = self.looks.answered() else {
            return Lookup::Empty;
        };
        let (miss, evict) = self.finds(look);
        let hazard = self.kind.mode == Mode::ReadWrite
            && ((miss && self.pending[self.hash(look.line) as usize])
                || (evict && self.checked != Some(false)));
        let fetches = miss && self.kind.mode != Mode::WriteOnly;
        if hazard || (fetches && self.fetches.stored() == FETCHES as usize) {
            return Lookup::Stall;
        }
        Lookup::Pass { miss, evict }
    }

    /// What is known of the victim of a token that waits, at the next edge.
    fn check(&self) -> Option<bool> {
        let look = self.looks.answered()?;
        let waits = self.kind.mode == Mode::ReadWrite && matches!(self.lookup, Lookup::Stall);
        if !waits || !self.finds(look).1 {
            return None;
        }
        let victim = self.tags[look.index as usize].line;
        Some(self.pending[self.hash(victim) as usize])
    }

    /// What the data end can do next.
    fn plan(&self) -> DataAction {
        let Some(entry) = self.entries.head() else {
            return DataAction::Wait;
        };
        if entry.evict && !self.evicted {
            let may = self.slots != 0 && self.writebacks != self.kind.outstanding;
            let at_once = self.kind.mode == Mode::WriteOnly;
            return match may && self.writing != Some(entry.index) {
                true if at_once => DataAction::Access,
                true => DataAction::Evict,
                false => DataAction::Wait,
            };
        }
        if entry.kind == Kind::Load && self.answers == 0 {
            return DataAction::Wait;
        }
        if !entry.miss || self.kind.mode == Mode::WriteOnly {
            return DataAction::Access;
        }
        match self.awaited {
            0 => DataAction::Wait,
            _ => DataAction::Fill,
        }
    }

    /// Does what was planned; gives whether the entry is done with, and what was read.
    fn execute(&mut self, io: &Io<'_>) -> (bool, Read) {
        self.writing = None;
        let Some(entry) = self.entries.head() else {
            return (false, Read::Nothing);
        };
        match self.step {
            DataAction::Wait => (false, Read::Nothing),
            DataAction::Evict => {
                let flush = entry.kind == Kind::Flush;
                self.evicted = !flush;
                self.evict(entry);
                (flush, Read::Writeback)
            }
            DataAction::Access => {
                let leaves = entry.evict && !self.evicted;
                if leaves {
                    self.evict(entry);
                }
                if entry.miss {
                    let words = self.words_of(entry.index);
                    self.lines[words].fill(0);
                    self.dirty[entry.index as usize] = 0;
                }
                match self.access(entry) {
                    Read::Nothing if leaves => (true, Read::Writeback),
                    read => (true, read),
                }
            }
            DataAction::Fill => {
                let Some(fill) = io.taken(FILL) else {
                    return (false, Read::Nothing);
                };
                let words = self.words_of(entry.index);
                self.lines[words].copy_from_slice(fill);
                self.dirty[entry.index as usize] = 0;
                (true, self.access(entry))
            }
        }
    }

    /// The old line leaves.
    fn evict(&mut self, entry: Entry) {
        self.slots -= 1;
        self.writebacks += 1;
        self.hashes.push_back(self.hash(entry.victim));
        let victim = self.line_of(entry.victim);
        let words = self.words_of(entry.index);
        let token = self.evictions.send();
        token[0] = victim;
        token[1] = self.dirty[entry.index as usize];
        token[2..].copy_from_slice(&self.lines[words]);
    }

    /// A load or store of a line that is there.
    fn access(&mut self, entry: Entry) -> Read {
        self.evicted = false;
        match entry.kind {
            Kind::Load => {
                self.answers -= 1;
                let line = &self.lines[self.words_of(entry.index)];
                let answer = self.responses.send();
                let word = entry.word.into();
                match answer {
                    [answer] => *answer = piece(line, word, self.kind.access.bytes),
                    words => copy_piece(line, word, words, 0, self.kind.access.bytes),
                }
                Read::Answer
            }
            Kind::Store => {
                self.write(entry);
                if self.kind.mode == Mode::WriteOnly {
                    self.writing = Some(entry.index);
                }
                Read::Nothing
            }
            Kind::Flush => Read::Nothing,
        }
    }

    /// The first of the writes.
    fn write(&mut self, entry: Entry) {
        let start = u32::from(entry.word) * self.kind.access.bytes;
        let shift = start % 8;
        let words = self.words_of(entry.index);
        let [mask, data @ ..] = self.writes.front() else {
            unreachable!("a write has a mask");
        };
        self.dirty[entry.index as usize] |= mask << start;
        let line = &mut self.lines[words][start as usize / 8..];
        for (at, (word, data)) in line.iter_mut().zip(data).enumerate() {
            let mask = byte_mask((mask >> (8 * at) << shift) as u8);
            *word = *word & !mask | data << (8 * shift) & mask;
        }
        self.writes.pop();
    }

    /// What passed at the ports changes the counts.
    fn count(&mut self, io: &Io<'_>) {
        self.answers += u32::from(io.given(RESPONSE));
        self.awaited += u32::from(io.given(FETCH));
        self.awaited -= u32::from(io.takes(FILL));
        if self.kind.mode == Mode::ReadOnly {
            return;
        }
        if io.given(WRITEBACK) {
            self.slots += 1;
            self.unanswered += 1;
        }
        if io.takes(WRITEBACK_DONE) {
            self.unanswered -= 1;
            self.writebacks -= 1;
            let hash = self.hashes.pop_front().expect("one per line on its way");
            self.pending[hash as usize] = false;
        }
    }

    /// What was read moves on, and what has arrived goes into the queues.
    fn move_reads(&mut self, io: &mut Io<'_>, read: Read) {
        self.responses.clock(io);
        self.evictions.clock(io);
        let [first, second] = self.reading;
        self.reading = [read, first];
        match second {
            Read::Nothing => {}
            Read::Answer => self.responses.arrive(),
            Read::Writeback => self.evictions.arrive(),
        }
    }

    /// The tags' pipeline moves on, and the walk with it if it can; gives whether that is so.
    fn move_tags(&mut self, io: &mut Io<'_>) -> bool {
        self.fetches.clock(io);
        match self.lookup {
            Lookup::Stall => return false,
            Lookup::Empty => {}
            Lookup::Pass { miss, evict } => self.pass_tags(miss, evict),
        }
        let walk = self.walk();
        if let Some(look) = walk {
            self.looks.push(look);
        }
        self.looks.advance();
        walk.is_some()
    }

    /// The token that has its tag changes it and goes on to the data.
    fn pass_tags(&mut self, miss: bool, evict: bool) {
        let look = self.looks.answered().expect("it was looked up");
        let tag = &mut self.tags[look.index as usize];
        let victim = tag.line;
        *tag = match look.kind {
            Kind::Flush => Tag::default(),
            Kind::Load | Kind::Store => Tag {
                valid: true,
                dirty: look.kind == Kind::Store || (tag.dirty && !miss),
                line: look.line,
            },
        };
        if evict && self.kind.mode == Mode::ReadWrite {
            let hash = self.hash(victim);
            self.pending[hash as usize] = true;
        }
        if miss && self.kind.mode != Mode::WriteOnly {
            self.fetches.push(&[self.line_of(look.line)]);
        }
        let entry = Entry {
            kind: look.kind,
            miss,
            evict,
            index: look.index,
            word: look.word,
            victim,
        };
        match self.kind.is_deep() {
            true => self.arriving = Some(entry),
            false => self.entries.push(entry),
        }
    }

    /// The next place to be flushed, when it can enter: behind all requests.
    fn walk(&self) -> Option<Look> {
        let State::Walk(place) = self.state else {
            return None;
        };
        let passed = self.is_passed_over(place);
        if passed || self.inflight == self.kind.outstanding || !self.looks.is_entrance_empty() {
            return None;
        }
        Some(Look {
            kind: Kind::Flush,
            word: 0,
            index: place,
            line: place.into(),
        })
    }

    /// A request enters.
    fn enter(&mut self, token: &[u64]) {
        let kind = match self.kind.mode {
            Mode::ReadWrite if token[0] == 1 => Kind::Store,
            Mode::ReadWrite | Mode::ReadOnly => Kind::Load,
            Mode::WriteOnly => Kind::Store,
        };
        let (line, word) = (self.kind.transfers()).split(token[1], self.kind.access.bytes);
        let line = self.placed(line);
        let index = self.index(line);
        let (first, last) = self.touched.unwrap_or((index, index));
        self.touched = Some((first.min(index), last.max(index)));
        self.blocks |= 1 << (index >> self.rest());
        self.looks.push(Look {
            kind,
            index,
            line,
            word,
        });
        if kind == Kind::Store {
            self.writes.push(&token[2..]);
        }
    }

    /// The next state, where `idle` says whether all was done before this edge.
    fn next_state(&self, io: &Io<'_>, idle: bool, walked: bool) -> State {
        match self.state {
            State::Clear(end) if io.cycle() == end => State::Run,
            State::Clear(end) => State::Clear(end),
            State::Run if io.takes(FLUSH) => match self.kind.mode {
                Mode::ReadOnly => State::Wait,
                Mode::ReadWrite | Mode::WriteOnly => State::Start,
            },
            State::Run => State::Run,
            State::Start => match self.touched {
                Some((first, _)) => State::Walk(first),
                None => State::Wait,
            },
            State::Walk(place) if walked && self.touched.is_some_and(|it| it.1 == place) => {
                State::Wait
            }
            State::Walk(place) if self.is_passed_over(place) => {
                State::Walk(((place >> self.rest()) + 1) << self.rest())
            }
            State::Walk(place) => State::Walk(place + u32::from(walked)),
            State::Wait if idle => State::Done,
            State::Wait => State::Wait,
            State::Done if io.given(FLUSHED) && self.generation == GENERATIONS => {
                State::Clear(io.cycle() + u64::from(self.kind.lines))
            }
            State::Done if io.given(FLUSHED) => State::Run,
            State::Done => State::Done,
        }
    }

    /// What a flush does where lines are only read.
    fn end_generation(&mut self, before: State, io: &mut Io<'_>) {
        if self.kind.mode != Mode::ReadOnly || before == self.state {
            return;
        }
        match self.state {
            State::Done => {
                self.tags.fill(Tag::default());
                self.generation += 1;
            }
            State::Clear(end) => {
                self.generation = 0;
                io.wake(end);
            }
            State::Run | State::Start | State::Walk(_) | State::Wait => {}
        }
    }

    fn is_idle(&self) -> bool {
        self.inflight == 0 && self.writebacks == 0
    }

    /// Whether anything happens at the next edge though no token passes.
    fn is_busy(&self, io: &Io<'_>) -> bool {
        let looks = match self.lookup {
            Lookup::Stall => self.check() != self.checked,
            Lookup::Pass { .. } => true,
            Lookup::Empty => self.looks.are_coming() || self.walk().is_some(),
        };
        looks
            || matches!(self.step, DataAction::Evict | DataAction::Access)
            || self.reading != [Read::Nothing; 2]
            || self.arriving.is_some()
            || self.entries.moves()
            || self.fetches.moves(io)
            || self.responses.moves(io)
            || self.evictions.moves(io)
            || self
                .entries
                .head()
                .is_some_and(|entry| self.writing == Some(entry.index))
            || self.state == State::Start
            || matches!(self.state, State::Walk(place) if self.is_passed_over(place))
            || (self.state == State::Wait && self.is_idle())
    }

    /// Says what is driven from now on.
    fn drive(&mut self, io: &mut Io<'_>) {
        self.lookup = self.look_up();
        self.step = self.plan();
        let space = self.inflight != self.kind.outstanding && self.looks.has_room();
        io.accept(REQUEST, self.state == State::Run && space);
        io.accept(FILL, self.step == DataAction::Fill);
        io.accept(FLUSH, self.state == State::Run);
        if self.kind.mode != Mode::ReadOnly {
            io.accept(WRITEBACK_DONE, self.unanswered != 0);
        }
        if self.state == State::Done && !io.offering(FLUSHED) {
            io.offer(FLUSHED, &[]);
        }
    }
}

impl Model for Behaviour {
    fn reset(&mut self, _: &[u64], io: &mut Io<'_>) {
        *self = Behaviour::new(self.kind.clone());
        self.drive(io);
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        let idle = self.is_idle();
        let checked = self.check();
        let (done, read) = self.execute(io);
        self.entries.advance(done);
        if let Some(entry) = self.arriving.take() {
            self.entries.push(entry);
        }
        self.count(io);
        self.move_reads(io, read);
        let walked = self.move_tags(io);
        self.checked = checked;
        let next = self.next_state(io, idle, walked);
        let before = std::mem::replace(&mut self.state, next);
        self.end_generation(before, io);
        if self.state == State::Wait {
            self.touched = None;
            self.blocks = 0;
        }
        self.inflight += u32::from(walked);
        if let Some(token) = io.taken(REQUEST) {
            self.inflight += 1;
            self.enter(token);
        }
        self.inflight -= u32::from(done);
        self.drive(io);
        if self.is_busy(io) {
            io.wake(io.cycle() + 1);
        }
    }
}
