//! The behaviour of a local memory. What it does at an edge is in proportion to the requests that
//! are here, not to the number of its requesters and banks.

use super::mask::{Mask, ones};
use super::{Banks, Collisions, Known, LocalMemory, WAITING};
use crate::access::{Access, copy_piece, write_word};
use crate::elastic::{PortQueue, SKID_DEPTH, Skid};
use crate::sim::Io;
use crate::token_queue::{TokenQueue, copy_token};
use crate::unit::Model;

pub(super) struct Behaviour {
    access: Access,
    /// The banks' words, one bank after the other.
    contents: Vec<u64>,
    /// Of a word's number.
    word_mask: u64,
    layout: Banks,
    /// Bits of a place in a bank.
    index_bits: u32,
    readers: Vec<Reader>,
    writers: Vec<Writer>,
    banks: Vec<Bank>,
    /// Fields of a write: its word, which bytes, data.
    fields: usize,
    /// By bank: the write that stands before it, and the one behind that.
    standing: Vec<u64>,
    behind: Vec<u64>,
    /// Readers and writers that ask a bank.
    reading: Mask,
    writing: Mask,
    /// Readers that await answers, or have some that are not taken.
    answering: Mask,
    /// Readers whose read was taken by a bank one cycle ago, two, three.
    first: Mask,
    second: Mask,
    third: Mask,
    /// Banks before which a read stands, and a write.
    asked_banks: u64,
    standing_banks: u64,
    /// Banks with a write behind the one that waits.
    behind_banks: u64,
    /// Whether a write waits while its word is read.
    waits: bool,
    /// Banks whose write waited in the last cycle.
    waited: u64,
}

struct Reader {
    known: Known,
    /// The words to read, by their places in `contents`.
    words: Skid<u32>,
    credits: u32,
    answers: PortQueue,
}

struct Writer {
    known: Known,
    /// What to write, words by their places in `contents`.
    tokens: TokenQueue,
    /// Acknowledgements that were not taken.
    owed: u32,
}

#[derive(Clone, Default)]
struct Bank {
    readers: Turns,
    writers: Turns,
    /// Who reads which word, if a read stands before it.
    reader: usize,
    word: u32,
}

/// Who wants a bank, and who comes next.
#[derive(Clone, Default)]
struct Turns {
    wanting: Mask,
    /// The number behind the last one's.
    behind: usize,
}

impl Turns {
    /// Whose turn it is.
    fn next(&mut self) -> usize {
        let later = self.wanting.first_from(self.behind);
        let first = later.or_else(|| self.wanting.first_from(0));
        let first = first.expect("a bank that is wanted is wanted by a requester");
        self.behind = first + 1;
        first
    }
}

impl Behaviour {
    pub(super) fn new(kind: &LocalMemory) -> Behaviour {
        let fields = 2 + kind.access.words();
        let reader = |at| Reader {
            known: kind.known(at),
            words: Skid::default(),
            credits: WAITING,
            answers: PortQueue::new(at as usize, kind.access.words()),
        };
        let writer = |at| Writer {
            known: kind.known(at),
            tokens: TokenQueue::new(fields),
            owed: 0,
        };
        Behaviour {
            access: kind.access,
            contents: vec![0; (kind.bytes as usize).div_ceil(8)],
            word_mask: kind.bytes / u64::from(kind.access.bytes) - 1,
            layout: kind.banks.clone(),
            index_bits: kind.index_bits(),
            readers: (0..kind.readers).map(reader).collect(),
            writers: (kind.readers..kind.requesters()).map(writer).collect(),
            banks: vec![Bank::default(); kind.banks.count() as usize],
            fields,
            standing: vec![0; fields * kind.banks.count() as usize],
            behind: vec![0; fields * kind.banks.count() as usize],
            reading: Mask::default(),
            writing: Mask::default(),
            answering: Mask::default(),
            first: Mask::default(),
            second: Mask::default(),
            third: Mask::default(),
            asked_banks: 0,
            standing_banks: 0,
            behind_banks: 0,
            waits: kind.collisions == Collisions::Wait,
            waited: 0,
        }
    }

    /// The bank of a word by its place in `contents`.
    fn bank(&self, word: u32) -> usize {
        (word >> self.index_bits) as usize
    }

    /// The banks read and write; gives those whose write waits, because its word is read.
    fn access(&mut self) -> u64 {
        let bytes = self.access.bytes;
        let mut waiting = 0;
        for bank in ones(self.asked_banks.into()) {
            let Bank { reader, word, .. } = self.banks[bank];
            let stands = self.standing_banks >> bank & 1 == 1;
            if self.waits && stands && self.standing[bank * self.fields] == u64::from(word) {
                waiting |= 1 << bank;
            }
            let place = self.readers[reader].answers.send();
            place[0] = 0;
            copy_piece(&self.contents, word as usize, place, 0, bytes);
        }
        for bank in ones((self.standing_banks & !waiting).into()) {
            let write = &self.standing[bank * self.fields..(bank + 1) * self.fields];
            let (word, mask, data) = (write[0] as usize, write[1], &write[2..]);
            write_word(&mut self.contents, word, bytes, mask, data);
        }
        waiting
    }

    /// The banks take reads; gives the readers of those.
    fn take_reads(&mut self) -> Mask {
        let mut wanted = 0_u64;
        for at in self.reading.numbers() {
            let word = *self.readers[at].words.front().expect("it asks");
            let bank = self.bank(word);
            self.banks[bank].readers.wanting.insert(at);
            wanted |= 1 << bank;
        }
        let (mut granted, mut asked) = (Mask::default(), 0);
        for number in ones(wanted.into()) {
            let bank = &mut self.banks[number];
            if self.waited >> number & 1 == 0 {
                let at = bank.readers.next();
                let reader = &mut self.readers[at];
                bank.reader = at;
                bank.word = reader.words.pop().expect("it asks");
                reader.credits -= 1;
                granted.insert(at);
                asked |= 1 << number;
            }
            bank.readers.wanting.clear();
        }
        self.asked_banks = asked;
        granted
    }

    /// The banks that have a place take writes, those whose write waits behind that one; gives the writers of those.
    fn take_writes(&mut self, waiting: u64) -> Mask {
        let full = self.behind_banks;
        let follow = full & !waiting;
        for number in ones(follow.into()) {
            let fields = number * self.fields..(number + 1) * self.fields;
            self.standing[fields.clone()].copy_from_slice(&self.behind[fields]);
        }
        self.standing_banks = waiting | follow;
        self.behind_banks = full & waiting;
        let mut wanted = 0_u64;
        for at in self.writing.numbers() {
            let bank = self.bank(self.writers[at].tokens.front()[0] as u32);
            self.banks[bank].writers.wanting.insert(at);
            wanted |= 1 << bank;
        }
        let mut granted = Mask::default();
        for number in ones(wanted.into()) {
            let bank = &mut self.banks[number];
            if full >> number & 1 == 0 {
                let at = bank.writers.next();
                let writer = &mut self.writers[at];
                let (places, banks) = match waiting >> number & 1 {
                    0 => (&mut self.standing, &mut self.standing_banks),
                    _ => (&mut self.behind, &mut self.behind_banks),
                };
                let start = number * self.fields;
                copy_token(
                    writer.tokens.front(),
                    &mut places[start..start + self.fields],
                );
                *banks |= 1 << number;
                writer.tokens.pop();
                writer.owed += 1;
                granted.insert(at);
            }
            bank.writers.wanting.clear();
        }
        granted
    }

    /// Takes the readers' requests and answers; `granted` have one that a bank took.
    fn serve_readers(&mut self, io: &mut Io<'_>, granted: &Mask) {
        for (at, reader) in self.readers.iter_mut().enumerate() {
            let given = io.given(at);
            let taken = io.taken(at);
            if !given && taken.is_none() && !granted.contains(at) {
                continue;
            }
            reader.credits += u32::from(given);
            if let Some(token) = taken {
                let word = token[1] >> self.access.bytes.trailing_zeros() & self.word_mask;
                let bank = reader.known.apply(self.layout.bank(word as u32));
                let place = self.layout.place(word as u32);
                reader.words.push(bank << self.index_bits | place);
            }
            let asks = !reader.words.is_empty() && reader.credits != 0;
            self.reading.set(at, asks);
            self.answering.set(at, reader.credits != WAITING);
            io.accept(at, reader.words.has_room());
        }
    }

    /// Takes the writers' requests and offers acknowledgements, as for readers.
    fn serve_writers(&mut self, io: &mut Io<'_>, granted: &Mask) {
        let readers = self.readers.len();
        for (at, writer) in self.writers.iter_mut().enumerate() {
            let port = readers + at;
            let given = io.given(port);
            let taken = io.taken(port);
            if !given && taken.is_none() && !granted.contains(at) {
                continue;
            }
            writer.owed -= u32::from(given);
            if let Some(token) = taken {
                let place = writer.tokens.place();
                let word = token[1] >> self.access.bytes.trailing_zeros() & self.word_mask;
                let bank = writer.known.apply(self.layout.bank(word as u32));
                place[0] = (bank << self.index_bits | self.layout.place(word as u32)).into();
                copy_token(&token[2..], &mut place[1..]);
            }
            if writer.owed != 0 && !io.offering(port) {
                io.offer(port, &[]);
            }
            let asks = !writer.tokens.is_empty() && writer.owed != WAITING;
            self.writing.set(at, asks);
            io.accept(port, writer.tokens.len() < SKID_DEPTH);
        }
    }

    /// Answers on their way come to those who asked; gives whether one moves at the next edge.
    fn answer(&mut self, io: &mut Io<'_>) -> bool {
        let mut moves = false;
        for at in self.answering.numbers() {
            let answers = &mut self.readers[at].answers;
            answers.clock(io);
            if self.third.contains(at) {
                answers.arrive();
            }
            moves |= answers.moves(io);
        }
        moves
    }
}

impl Model for Behaviour {
    fn reset(&mut self, _: &[u64], io: &mut Io<'_>) {
        for reader in &mut self.readers {
            reader.words.clear();
            reader.answers.clear();
            reader.credits = WAITING;
        }
        for writer in &mut self.writers {
            writer.tokens.clear();
            writer.owed = 0;
        }
        self.banks.fill(Bank::default());
        let (requests, reads) = (
            [&mut self.reading, &mut self.writing, &mut self.answering],
            [&mut self.first, &mut self.second, &mut self.third],
        );
        requests.into_iter().chain(reads).for_each(Mask::clear);
        (self.asked_banks, self.standing_banks) = (0, 0);
        (self.behind_banks, self.waited) = (0, 0);
        let requesters = self.readers.len() + self.writers.len();
        (0..requesters).for_each(|port| io.accept(port, true));
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        let moves = self.answer(io);
        let waiting = self.access();
        let reads = self.take_reads();
        let writes = self.take_writes(waiting);
        self.waited = waiting;
        self.serve_readers(io, &reads);
        self.serve_writers(io, &writes);
        self.third = std::mem::take(&mut self.second);
        self.second = std::mem::replace(&mut self.first, reads);
        let reads = [&self.first, &self.second, &self.third];
        let mut busy = reads.into_iter().chain([&self.reading, &self.writing]);
        if moves || self.standing_banks != 0 || busy.any(|it| !it.is_empty()) {
            io.wake(io.cycle() + 1);
        }
    }
}
