//! Local memory: right against a plain array, in the order that acknowledgements promise, and as
//! fast as its banks allow.

#[path = "units/random_environment.rs"]
#[expect(dead_code, reason = "only its generator is used")]
mod random_environment;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use random_environment::SplitMix64;
use sluice_circuit::access::Access;
use sluice_circuit::circuit::Circuit;
use sluice_circuit::sim::{Io, Simulator};
use sluice_circuit::unit::{Model, UnitKind};
use sluice_circuit::units::local_memory::{Banks, Collisions, LocalMemory};

/// More cycles than any run here needs.
const LIMIT: u64 = 20_000;

/// Bytes of a word.
const BYTES: u32 = 4;

fn memory(readers: u32, writers: u32, banks: u32, words: u64) -> LocalMemory {
    LocalMemory {
        access: Access {
            bytes: BYTES,
            address_bits: 16,
        },
        bytes: words * u64::from(BYTES),
        readers,
        writers,
        banks: Banks::of_digits(banks, words.trailing_zeros()),
        known: Vec::new(),
        collisions: Collisions::Wait,
    }
}

/// What a requester asks for: words by number, and to write, which bytes and what.
#[derive(Clone, Copy)]
enum Request {
    Read(u64),
    Write(u64, u64, u64),
}

impl Request {
    fn token(self) -> [u64; 4] {
        match self {
            Request::Read(word) => [0, word * u64::from(BYTES), 0, 0],
            Request::Write(word, mask, data) => [1, word * u64::from(BYTES), mask, data],
        }
    }
}

/// What passed a requester's ports, with the cycles.
#[derive(Clone, Default)]
struct Seen {
    given: Vec<u64>,
    answered: Vec<u64>,
    /// Data of reads.
    data: Vec<u64>,
}

impl Seen {
    /// Cycles from the first answer to the last.
    fn span(&self) -> u64 {
        self.answered.last().unwrap() - self.answered[0]
    }
}

/// Requesters that ask as soon as they can, one request after the other.
struct Requesters {
    requests: Vec<VecDeque<Request>>,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Model for Requesters {
    fn reset(&mut self, _: &[u64], io: &mut Io<'_>) {
        (0..self.requests.len()).for_each(|port| io.accept(port, true));
        io.wake(0);
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        let mut seen = self.seen.lock().unwrap();
        for (port, requests) in self.requests.iter_mut().enumerate() {
            if io.given(port) {
                seen[port].given.push(io.cycle());
            }
            if let Some(token) = io.taken(port) {
                seen[port].answered.push(io.cycle());
                seen[port].data.extend(token);
            }
            if !io.offering(port)
                && let Some(request) = requests.pop_front()
            {
                io.offer(port, &request.token());
            }
        }
    }
}

/// Runs requests, by requester, to their end.
fn run(kind: LocalMemory, requests: &[Vec<Request>]) -> Vec<Seen> {
    let circuit = Circuit::of_units("local", vec![Box::new(kind)]);
    let seen = Arc::new(Mutex::new(vec![Seen::default(); requests.len()]));
    let requesters = Requesters {
        requests: requests
            .iter()
            .map(|it| it.iter().copied().collect())
            .collect(),
        seen: Arc::clone(&seen),
    };
    let mut simulator = Simulator::new(&circuit, Box::new(requesters), &[]);
    while simulator.step(LIMIT) {}
    let seen = seen.lock().unwrap().clone();
    for (seen, requests) in seen.iter().zip(requests) {
        assert_eq!(
            seen.answered.len(),
            requests.len(),
            "every request is answered"
        );
    }
    seen
}

/// A word in one of four banks.
fn word(bank: u64, place: u64) -> u64 {
    let digits = (0..4).map(|digit| place >> (2 * digit) & 3);
    4 * place + (digits.fold(bank, |all, digit| all ^ digit))
}

#[test]
fn a_column_of_a_matrix_lies_in_different_banks() {
    // Four readers, each in a column of its own of a matrix with rows of 16 words.
    let reads = |column: u64| {
        (0..30)
            .map(|row| Request::Read(16 * row + column))
            .collect()
    };
    let seen = run(
        memory(4, 0, 4, 512),
        &[reads(0), reads(1), reads(2), reads(3)],
    );
    for seen in &seen {
        assert!(seen.span() <= 29 + 3, "{}", seen.span());
    }
}

#[test]
fn readers_of_different_banks_read_a_word_per_cycle_each() {
    let reads = |bank| {
        (0..100)
            .map(|step| Request::Read(word(bank, step)))
            .collect()
    };
    let seen = run(
        memory(4, 1, 4, 512),
        &[reads(0), reads(1), reads(2), reads(3), vec![]],
    );
    for seen in &seen[..4] {
        assert_eq!(seen.span(), 99);
    }
}

#[test]
fn readers_of_the_same_words_soon_are_at_different_banks() {
    // At first all want the same word; a cycle apart, they meet only where a row of words ends.
    let reads = (0..100).map(Request::Read).collect::<Vec<_>>();
    let seen = run(memory(4, 0, 4, 512), &vec![reads; 4]);
    for seen in &seen {
        assert!(seen.span() <= 140, "{}", seen.span());
    }
}

#[test]
fn those_who_share_a_bank_have_equal_shares() {
    let reads = |bank| {
        (0..60)
            .map(|step| Request::Read(word(bank, step)))
            .collect()
    };
    let write = |step| Request::Write(word(0, step), 15, step);
    let writes = || (100..160).map(write).collect();
    // Readers 0, 1 and 3 and both writers want bank 0, reader 2 has bank 1 to itself.
    let requests = [reads(0), reads(0), reads(1), reads(0), writes(), writes()];
    let seen = run(memory(4, 2, 4, 1024), &requests);
    let shares = |sharing: &[usize]| {
        let mut all: Vec<(u64, usize)> = sharing
            .iter()
            .flat_map(|&at| seen[at].answered.iter().map(move |&cycle| (cycle, at)))
            .collect();
        all.sort_unstable();
        for (number, (cycle, at)) in all.iter().enumerate() {
            assert_eq!(*cycle, all[0].0 + number as u64, "the bank never rests");
            assert_eq!(*at, sharing[number % sharing.len()], "in turns");
        }
    };
    shares(&[0, 1, 3]);
    shares(&[4, 5]);
    assert_eq!(seen[2].span(), 59);
}

#[test]
fn a_bank_reads_and_writes_in_the_same_cycle() {
    let reads = (0..100).map(Request::Read).collect();
    let writes = (0..100).map(|word| Request::Write(128 + word, 15, word));
    let seen = run(memory(1, 1, 1, 256), &[reads, writes.collect()]);
    assert_eq!((seen[0].span(), seen[1].span()), (99, 99));
}

#[test]
fn a_read_and_a_write_of_one_word_both_go_on() {
    // All the time the same word: each pair costs a cycle or two, and no requester starves.
    let reads = vec![Request::Read(5); 200];
    let writes = (1..=200).map(|data| Request::Write(5, 15, data)).collect();
    let seen = run(memory(1, 1, 1, 16), &[reads, writes]);
    assert!(seen[0].span() <= 3 * 200 && seen[1].span() <= 3 * 200);
    assert!(seen[0].data.is_sorted(), "no write is undone");
    assert!(
        *seen[0].data.last().unwrap() > 50,
        "writes are seen meanwhile"
    );
}

#[test]
fn it_holds_and_takes_what_it_says() {
    let kind = memory(1, 1, 2, 64);
    let requests = [vec![Request::Read(0)], vec![Request::Write(1, 15, 7)]];
    let seen = run(kind.clone(), &requests);
    assert_eq!(
        seen[0].answered[0] - seen[0].given[0],
        kind.latency().into()
    );
    assert_eq!(seen[1].answered[0] - seen[1].given[0], 2);

    let circuit = Circuit::of_units("local", vec![Box::new(kind.clone())]);
    let seen = Arc::new(Mutex::new(vec![Seen::default(); 2]));
    let requesters = Requesters {
        requests: requests.map(|it| it.repeat(100).into()).into(),
        seen: Arc::clone(&seen),
    };
    let mut simulator = Simulator::new(&circuit, Box::new(Deaf(requesters)), &[]);
    while simulator.step(500) {}
    for seen in seen.lock().unwrap().iter() {
        assert_eq!(seen.given.len(), kind.capacity() as usize);
    }
}

/// Requesters that take no answers.
struct Deaf(Requesters);

impl Model for Deaf {
    fn reset(&mut self, _: &[u64], io: &mut Io<'_>) {
        io.wake(0);
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        self.0.clock(io);
    }
}

#[test]
fn a_requester_that_takes_no_answers_does_not_keep_others_waiting() {
    struct OneDeaf(Requesters);
    impl Model for OneDeaf {
        fn reset(&mut self, constants: &[u64], io: &mut Io<'_>) {
            self.0.reset(constants, io);
            io.accept(0, false);
            io.accept(2, false);
        }
        fn clock(&mut self, io: &mut Io<'_>) {
            self.0.clock(io);
        }
    }
    let seen = Arc::new(Mutex::new(vec![Seen::default(); 4]));
    let reads = VecDeque::from(vec![Request::Read(3); 100]);
    let writes = VecDeque::from(vec![Request::Write(8, 1, 1); 100]);
    let requesters = Requesters {
        requests: vec![reads.clone(), reads, writes.clone(), writes],
        seen: Arc::clone(&seen),
    };
    let circuit = Circuit::of_units("local", vec![Box::new(memory(2, 2, 1, 16))]);
    let mut simulator = Simulator::new(&circuit, Box::new(OneDeaf(requesters)), &[]);
    while simulator.step(500) {}
    let seen = seen.lock().unwrap();
    let answered: Vec<usize> = seen.iter().map(|seen| seen.answered.len()).collect();
    assert_eq!(answered, [0, 100, 0, 100]);
}

/// Random requests at random times. Each writer has words of its own; readers read any. What a read
/// gives is one of the values that the word had from the last write whose acknowledgement was
/// offered when the read was accepted, to the last write that was accepted when the answer came.
struct Checker {
    random: SplitMix64,
    readers: usize,
    writers: usize,
    words: u64,
    /// By word: all values, and how many are acknowledged.
    values: Vec<Vec<u64>>,
    acknowledged: Vec<usize>,
    /// By requester: its requests under way.
    flights: Vec<VecDeque<Flight>>,
    /// What is offered and not accepted.
    offered: Vec<Option<Flight>>,
    checked: Arc<Mutex<u64>>,
}

/// A request: its word, and of the word's values the first that a read may give.
#[derive(Clone, Copy)]
struct Flight {
    word: u64,
    first: usize,
}

impl Checker {
    fn answers(&mut self, io: &Io<'_>, port: usize) {
        let Some(token) = io.taken(port) else { return };
        let flight = self.flights[port].pop_front().expect("there was a request");
        let word = flight.word as usize;
        if port >= self.readers {
            self.acknowledged[word] += 1;
            return;
        }
        let allowed = &self.values[word][flight.first..];
        assert!(
            allowed.contains(&token[0]),
            "{} is not one of {allowed:?}",
            token[0]
        );
        *self.checked.lock().unwrap() += 1;
    }

    fn asks(&mut self, io: &mut Io<'_>, port: usize) {
        if io.given(port) {
            let mut flight = self.offered[port].take().expect("it was offered");
            flight.first = self.acknowledged[flight.word as usize];
            self.flights[port].push_back(flight);
        }
        if self.offered[port].is_some() || self.random.next().is_multiple_of(3) {
            return;
        }
        let mut word = self.random.next() % self.words;
        let mut request = Request::Read(word);
        if let Some(writer) = port.checked_sub(self.readers) {
            word = word / self.writers as u64 * self.writers as u64 + writer as u64;
            // Bytes that are not written stay.
            let (mask, data) = (self.random.next() >> 60, self.random.next() >> 32);
            let written = (0..4).filter(|at| mask >> at & 1 == 1);
            let written: u64 = written.map(|at| 0xff << (8 * at)).sum();
            let values = &mut self.values[word as usize];
            values.push(values.last().unwrap() & !written | data & written);
            request = Request::Write(word, mask, data);
        }
        io.offer(port, &request.token());
        self.offered[port] = Some(Flight { word, first: 0 });
    }
}

impl Model for Checker {
    fn reset(&mut self, _: &[u64], io: &mut Io<'_>) {
        io.wake(0);
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        // Acknowledgements first: a read that is accepted in the cycle in which one is taken has to
        // see the write.
        for port in (0..self.readers + self.writers).rev() {
            self.answers(io, port);
        }
        for port in 0..self.readers + self.writers {
            self.asks(io, port);
            let ready = !self.random.next().is_multiple_of(4);
            io.accept(port, ready);
        }
        io.wake(io.cycle() + 1);
    }
}

#[test]
fn a_read_accepted_with_the_acknowledgement_or_later_sees_the_write() {
    for (seed, (readers, writers, banks, words)) in (0..).zip([
        (1, 1, 1, 2),
        (4, 2, 2, 8),
        (3, 4, 4, 8),
        (2, 1, 1, 4),
        (8, 8, 8, 64),
    ]) {
        let checked = Arc::new(Mutex::new(0));
        let requesters = (readers + writers) as usize;
        let checker = Checker {
            random: SplitMix64(seed),
            readers: readers as usize,
            writers: writers as usize,
            words,
            values: vec![vec![0]; words as usize],
            acknowledged: vec![0; words as usize],
            flights: vec![VecDeque::new(); requesters],
            offered: vec![None; requesters],
            checked: Arc::clone(&checked),
        };
        let kind = memory(readers, writers, banks, words);
        let circuit = Circuit::of_units("local", vec![Box::new(kind)]);
        let mut simulator = Simulator::new(&circuit, Box::new(checker), &[]);
        while simulator.step(LIMIT) {}
        assert!(
            *checked.lock().unwrap() > LIMIT / 4,
            "many reads were checked"
        );
    }
}
