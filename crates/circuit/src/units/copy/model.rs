//! The behaviour of a copy.

use super::{ANSWERS, BufferCopy};
use crate::access::{self, copy_piece};
use crate::elastic::PortQueue;
use crate::sim::Io;
use crate::unit::Model;

const START: usize = BufferCopy::START.index();
const FILL: usize = BufferCopy::FILL.index();
const FLUSH: usize = BufferCopy::FLUSH.index();
const FETCH: usize = BufferCopy::FETCH.index();
const FLUSHED: usize = BufferCopy::FLUSHED.index();

/// Cycles that an answer is on its way to the queue of its port.
const ON_THE_WAY: u8 = 3;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Idle,
    Run,
    /// Until what was asked for has come.
    Wait,
    Done,
}

/// One who reads anywhere.
struct Reader {
    credits: u32,
    /// A bit for each cycle ago in which a request was taken.
    on_the_way: u8,
    answers: PortQueue,
}

/// One who reads the same word each time.
struct Word {
    number: usize,
    /// Answers that are not taken.
    owed: u32,
}

/// A line whose pieces are being written.
struct Held {
    /// The next piece.
    piece: u32,
}

pub(super) struct Behaviour {
    kind: BufferCopy,
    /// The first line of the buffer.
    first: u64,
    /// The lines of a launch's copy.
    wanted: u32,
    state: State,
    lines: u32,
    to_fetch: u32,
    to_write: u32,
    awaited: u32,
    held: Option<Held>,
    /// Whether requests are taken.
    is_open: bool,
    /// The words of the copy.
    contents: Vec<u64>,
    readers: Vec<Reader>,
    words: Vec<Word>,
    answer: Vec<u64>,
}

impl Behaviour {
    pub(super) fn new(kind: &BufferCopy) -> Behaviour {
        let fields = kind.access.words();
        let reader = |at| Reader {
            credits: ANSWERS,
            on_the_way: 0,
            answers: PortQueue::new(BufferCopy::response(at).index(), fields),
        };
        let word = |&number: &u32| Word {
            number: number as usize,
            owed: 0,
        };
        Behaviour {
            first: 0,
            wanted: 0,
            state: State::Idle,
            lines: 0,
            to_fetch: 0,
            to_write: 0,
            awaited: 0,
            held: None,
            is_open: false,
            contents: vec![0; (kind.bytes as usize).div_ceil(8)],
            readers: (0..kind.readers as usize).map(reader).collect(),
            words: kind.words.iter().map(word).collect(),
            answer: vec![0; fields],
            kind: kind.clone(),
        }
    }

    /// The last piece of the line that is held goes to the memories at the edge in progress.
    fn ends_line(&self) -> bool {
        let pieces = self.kind.line / self.kind.piece;
        self.held
            .as_ref()
            .is_some_and(|held| held.piece + 1 == pieces)
    }

    /// Whether nothing is under way any more.
    fn is_quiet(&self, is_asking: bool) -> bool {
        !is_asking
            && self.awaited == 0
            && self.held.is_none()
            && self.words.iter().all(|word| word.owed == 0)
    }

    /// The answer to a request.
    fn read(&mut self, address: u64) {
        let transfers = self.kind.transfers();
        let bytes = self.kind.access.bytes;
        let (line, word) = transfers.split(address, bytes);
        let numbers = u64::MAX >> (64 - transfers.number_bits());
        let distance = line.wrapping_sub(self.first) & numbers;
        self.answer.fill(0);
        if distance < self.lines.into() {
            let of_line = (self.kind.line / bytes) as usize;
            let word = distance as usize * of_line + usize::from(word);
            copy_piece(&self.contents, word, &mut self.answer, 0, bytes);
        }
    }

    fn serve_readers(&mut self, io: &mut Io<'_>, accepts: bool) -> bool {
        let mut moves = false;
        for at in 0..self.readers.len() {
            let (request, response) = (
                BufferCopy::request(at).index(),
                BufferCopy::response(at).index(),
            );
            let asked = io.taken(request).map(|token| token[access::ADDRESS]);
            if let Some(address) = asked {
                self.read(address);
            }
            let reader = &mut self.readers[at];
            reader.credits += u32::from(io.given(response));
            reader.answers.clock(io);
            if reader.on_the_way >> (ON_THE_WAY - 1) & 1 == 1 {
                reader.answers.arrive();
            }
            reader.on_the_way = reader.on_the_way << 1 & ((1 << ON_THE_WAY) - 1);
            if asked.is_some() {
                reader.credits -= 1;
                reader.on_the_way |= 1;
                reader.answers.send().copy_from_slice(&self.answer);
            }
            moves |= reader.on_the_way != 0 || reader.answers.moves(io);
            io.accept(request, accepts && reader.credits > 0);
        }
        moves
    }

    fn serve_words(&mut self, io: &mut Io<'_>, accepts: bool) {
        let readers = self.readers.len();
        for at in 0..self.words.len() {
            let request = BufferCopy::request(readers + at).index();
            let response = BufferCopy::response(readers + at).index();
            let word = &mut self.words[at];
            word.owed += u32::from(io.takes(request));
            word.owed -= u32::from(io.given(response));
            if word.owed > 0 && !io.offering(response) {
                let answer = &mut self.answer;
                answer.fill(0);
                if word.number < (self.lines * (self.kind.line / self.kind.access.bytes)) as usize {
                    let bytes = self.kind.access.bytes;
                    copy_piece(&self.contents, word.number, answer, 0, bytes);
                }
                io.offer(response, answer);
            }
            io.accept(request, accepts && word.owed < self.kind.waiting);
        }
    }

    /// Fetches and fills. Gives whether the last line is written.
    fn copy(&mut self, io: &mut Io<'_>, goes_on: bool) -> bool {
        let ends_line = self.ends_line();
        let is_last = ends_line && self.to_write == 1;
        if ends_line {
            self.to_write = self.to_write.wrapping_sub(1);
            self.held = None;
        } else if let Some(held) = &mut self.held {
            held.piece += 1;
        }
        if io.given(FETCH) {
            self.awaited += 1;
            self.to_fetch -= 1;
            if goes_on && self.to_fetch > 0 {
                self.ask(io);
            }
        }
        if let Some(fill) = io.taken(FILL) {
            self.awaited -= 1;
            let line = self.lines - self.to_write;
            let start = line as usize * fill.len();
            self.contents[start..][..fill.len()].copy_from_slice(fill);
            self.held = Some(Held { piece: 0 });
        }
        is_last
    }

    /// Asks for the next line.
    fn ask(&self, io: &mut Io<'_>) {
        let numbers = u64::MAX >> (64 - self.kind.transfers().number_bits());
        let line = self.first + u64::from(self.lines - self.to_fetch);
        io.offer(FETCH, &[line & numbers]);
    }

    fn start(&mut self, io: &mut Io<'_>) {
        self.lines = self.wanted;
        (self.to_fetch, self.to_write) = (self.wanted, self.wanted);
        self.is_open = self.wanted == 0;
        if self.wanted > 0 {
            self.ask(io);
        }
    }
}

impl Model for Behaviour {
    fn reset(&mut self, constants: &[u64], io: &mut Io<'_>) {
        self.configure(constants);
        self.state = State::Idle;
        (self.lines, self.to_fetch, self.to_write, self.awaited) = (0, 0, 0, 0);
        self.held = None;
        self.is_open = false;
        for reader in &mut self.readers {
            (reader.credits, reader.on_the_way) = (ANSWERS, 0);
            reader.answers.clear();
        }
        self.words.iter_mut().for_each(|word| word.owed = 0);
        io.accept(START, true);
    }

    fn configure(&mut self, constants: &[u64]) {
        let transfers = self.kind.transfers();
        let [base, bytes] = constants else {
            unreachable!("an address and a size");
        };
        self.first = (base & self.kind.access.address_mask()) >> transfers.offset_bits();
        let lines = bytes.div_ceil(self.kind.line.into());
        self.wanted = lines.min(self.kind.lines().into()) as u32;
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        let is_asking = io.offering(FETCH) || io.given(FETCH);
        let is_quiet = self.is_quiet(is_asking);
        let goes_on = self.state == State::Run && !io.takes(FLUSH);
        let is_last = self.copy(io, goes_on);
        self.is_open = goes_on && (self.is_open || is_last);
        self.state = match self.state {
            State::Idle if io.takes(START) => {
                self.start(io);
                State::Run
            }
            State::Run if io.takes(FLUSH) => State::Wait,
            State::Wait if is_quiet => {
                io.offer(FLUSHED, &[]);
                State::Done
            }
            State::Done if io.given(FLUSHED) => State::Idle,
            state => state,
        };
        let accepts = self.is_open;
        let moves = self.serve_readers(io, accepts);
        self.serve_words(io, accepts);
        io.accept(START, self.state == State::Idle);
        io.accept(FLUSH, self.state == State::Run);
        let ends_line = self.ends_line();
        io.accept(FILL, self.awaited > 0 && (self.held.is_none() || ends_line));
        let is_asking = io.offering(FETCH);
        if moves || self.held.is_some() || (self.state == State::Wait && self.is_quiet(is_asking)) {
            io.wake(io.cycle() + 1);
        }
    }
}
