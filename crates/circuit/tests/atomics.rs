//! Atomic operations take effect one after the other, and yet one per cycle.

#[path = "atomics/memories.rs"]
mod memories;
#[path = "units/random_environment.rs"]
#[expect(dead_code, reason = "only its random numbers are of use here")]
mod random_environment;
#[path = "atomics/shared_port.rs"]
mod shared_port;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use memories::{Channels, Memory, Order, Pace, SIZE};
use random_environment::SplitMix64;
use sluice_circuit::access::{Access, Enable};
use sluice_circuit::circuit::Circuit;
use sluice_circuit::sim::{Io, Simulator};
use sluice_circuit::unit::{Model, UnitKind};
use sluice_circuit::units::atomics::{Atomics, Kind, Operation};
use sluice_circuit::units::store::Done;

/// What the environment does.
#[derive(Clone)]
struct Traffic {
    /// By instruction: how many operations.
    counts: Vec<u64>,
    /// Operations are on this number of bytes from the start on.
    bytes: u64,
    pace: Pace,
    /// The instructions whose results are taken.
    takes: Vec<usize>,
}

/// When tokens passed, by instruction.
#[derive(Clone, Default)]
struct Seen {
    given: Vec<Vec<u64>>,
    results: Vec<Vec<u64>>,
    /// Memory holds what it must.
    is_sound: bool,
}

/// The environment. The bits of an address within the word, which are not used otherwise, say whose an
/// operation is: so reads tell the order in which operations were taken.
struct Environment {
    operations: Vec<Operation>,
    traffic: Traffic,
    memory: Memory,
    read: usize,
    /// What memory holds if operations are performed one after the other.
    expected: [u8; SIZE],
    /// By instruction: operations not yet taken.
    offered: Vec<VecDeque<Vec<u64>>>,
    /// By instruction: results to come.
    results: Vec<VecDeque<u64>>,
    random: SplitMix64,
    seen: Arc<Mutex<Seen>>,
}

impl Environment {
    /// Performs the operation that was read for.
    fn perform(&mut self, address: u64) {
        let at = address as usize & 3;
        let token = self.offered[at].pop_front().expect("it was offered");
        assert_eq!(token[0], address, "the address of the operation");
        let bytes = self.operations[at].bits as usize / 8;
        let start = address as usize / bytes * bytes;
        let place = &mut self.expected[start..start + bytes];
        let old = place.iter().rev().fold(0, |v, &b| v << 8 | u64::from(b));
        let Operation { kind, enable, .. } = self.operations[at];
        if enable == Enable::Field && token.last() == Some(&0) {
            return self.results[at].push_back(0);
        }
        let replacement = if kind == Kind::CmpXchg { token[2] } else { 0 };
        let result = self.operations[at].result(old, token[1], replacement);
        place.copy_from_slice(&result.to_le_bytes()[..bytes]);
        self.results[at].push_back(old);
    }

    fn is_finished(&self) -> bool {
        self.traffic.counts.iter().all(|&count| count == 0)
            && self.offered.iter().all(VecDeque::is_empty)
            && self.results.iter().all(VecDeque::is_empty)
            && self.memory.is_idle()
    }

    fn token(&mut self, at: usize) -> Vec<u64> {
        let Operation { kind, bits, enable } = self.operations[at];
        let bytes = u64::from(bits) / 8;
        let address = self.random.next() % self.traffic.bytes / bytes * bytes + at as u64;
        // Often the same, so that what is expected is often there.
        let mut operand = || match self.random.next() % 2 {
            0 => self.random.next() % 3,
            _ => self.random.next() >> (64 - bits),
        };
        let mut token = match kind {
            Kind::CmpXchg => vec![address, operand() % 3, operand() % 3],
            _ => vec![address, operand()],
        };
        if enable == Enable::Field {
            token.push(self.random.next() % 2);
        }
        token
    }

    fn instruction(&mut self, io: &mut Io<'_>, at: usize) {
        let cycle = io.cycle();
        let seen = Arc::clone(&self.seen);
        let mut seen = seen.lock().unwrap();
        if io.given(at) {
            seen.given[at].push(cycle);
        }
        if let Some(token) = io.taken(at) {
            let expected = self.results[at].pop_front();
            assert_eq!(Some(token[0]), expected, "{:?}", self.operations[at]);
            seen.results[at].push(cycle);
        }
        let now = |random: &mut SplitMix64| match self.traffic.pace {
            Pace::Random => !random.next().is_multiple_of(4),
            Pace::Fixed(_) => true,
        };
        let takes = self.traffic.takes.contains(&at);
        io.accept(at, takes && now(&mut self.random));
        if self.traffic.counts[at] > 0 && !io.offering(at) && now(&mut self.random) {
            self.traffic.counts[at] -= 1;
            let token = self.token(at);
            io.offer(at, &token);
            self.offered[at].push_back(token);
        }
    }
}

impl Model for Environment {
    fn reset(&mut self, _: &[u64], io: &mut Io<'_>) {
        self.memory.reset(io);
        io.wake(0);
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        if let Some(token) = io.taken(self.read) {
            let address = token[1];
            self.perform(address);
        }
        for at in 0..self.operations.len() {
            self.instruction(io, at);
        }
        self.memory.clock(io, &mut self.random);
        self.seen.lock().unwrap().is_sound = self.memory.bytes == self.expected;
        if !self.is_finished() {
            io.wake(io.cycle() + 1);
        }
    }
}

/// Runs the unit for `cycles` cycles.
fn run(kind: &Atomics, traffic: &Traffic, seed: u64, cycles: u64) -> Seen {
    let count = kind.operations.len();
    let circuit = Circuit::of_units("atomics", vec![Box::new(kind.clone())]);
    let seen = Arc::new(Mutex::new(Seen {
        given: vec![Vec::new(); count],
        results: vec![Vec::new(); count],
        is_sound: false,
    }));
    let order = match kind.done {
        Done::Accepted => Order::Kept,
        Done::Acknowledged => Order::Apart,
    };
    let channels = Channels {
        response: count,
        acknowledged: count + 1,
        read: count,
        write: count + 1,
    };
    let environment = Environment {
        operations: kind.operations.clone(),
        traffic: traffic.clone(),
        memory: Memory::new(kind.access.bytes, order, traffic.pace, channels),
        read: count,
        expected: [0; SIZE],
        offered: vec![VecDeque::new(); count],
        results: vec![VecDeque::new(); count],
        random: SplitMix64(seed),
        seen: Arc::clone(&seen),
    };
    let mut simulator = Simulator::new(&circuit, Box::new(environment), &[]);
    while simulator.step(cycles) {}
    let seen = seen.lock().unwrap();
    seen.clone()
}

fn atomics(bytes: u32, operations: Vec<Operation>, done: Done) -> Atomics {
    Atomics {
        access: Access {
            bytes,
            address_bits: 6,
        },
        operations,
        window: 32,
        outstanding: 32,
        done,
    }
}

fn operation(kind: Kind, bits: u32) -> Operation {
    Operation {
        kind,
        bits,
        enable: Enable::Always,
    }
}

/// Four kinds at a time, until all have been there.
fn quadruples(bits: [u32; 4]) -> Vec<Vec<Operation>> {
    let quadruple = |first: usize| {
        let kind = |at: usize| Kind::ALL[(first + at) % Kind::ALL.len()];
        (0..4).map(|at| operation(kind(at), bits[at])).collect()
    };
    (0..Kind::ALL.len()).step_by(3).map(quadruple).collect()
}

fn check_order(bytes: u32, bits: [u32; 4]) {
    const COUNT: u64 = 2000;
    let mut seed = 0;
    for operations in quadruples(bits) {
        for (done, window, outstanding) in [
            (Done::Accepted, 5, 3),
            (Done::Accepted, 24, 16),
            (Done::Acknowledged, 2, 1),
            (Done::Acknowledged, 24, 16),
        ] {
            let kind = Atomics {
                window,
                outstanding,
                ..atomics(bytes, operations.clone(), done)
            };
            let traffic = Traffic {
                counts: vec![COUNT; 4],
                bytes: 24,
                pace: Pace::Random,
                takes: vec![0, 1, 2, 3],
            };
            seed += 1;
            let seen = run(&kind, &traffic, seed, 40 * 4 * COUNT);
            let results = seen.results.iter().map(Vec::len);
            assert!(results.eq([COUNT as usize; 4]), "all are done: {kind:?}");
            assert!(seen.is_sound, "what is written last stays: {kind:?}");
        }
    }
}

#[test]
fn operations_of_32_bits_take_effect_in_the_order_taken() {
    check_order(4, [32; 4]);
    check_order(16, [32; 4]);
}

#[test]
fn operations_of_64_bits_take_effect_in_the_order_taken() {
    check_order(8, [64; 4]);
    check_order(32, [64; 4]);
}

#[test]
fn operations_of_both_sizes_take_effect_in_the_order_taken() {
    check_order(8, [32, 64, 32, 64]);
    check_order(16, [64, 32, 32, 64]);
}

/// Cycles that a test's memory takes to answer, and to acknowledge.
const LATENCY: u64 = 5;

fn steady(counts: &[u64], bytes: u64) -> Traffic {
    Traffic {
        counts: counts.to_vec(),
        bytes,
        pace: Pace::Fixed(LATENCY),
        takes: (0..counts.len()).collect(),
    }
}

/// Cycles from the first result to the last one.
fn span(seen: &Seen) -> u64 {
    let results = || seen.results.iter().flatten();
    results().max().unwrap() - results().min().unwrap()
}

#[test]
fn one_word_takes_an_operation_per_cycle() {
    let add = operation(Kind::Add, 32);
    let kind = atomics(4, vec![add], Done::Acknowledged);
    assert_eq!(span(&run(&kind, &steady(&[1000], 4), 1, 1500)), 999);
    let kind = atomics(4, vec![add; 3], Done::Acknowledged);
    let seen = run(&kind, &steady(&[400; 3], 4), 1, 1500);
    assert_eq!(span(&seen), 1199, "from several, too");
}

#[test]
fn different_words_take_an_operation_per_cycle() {
    let exchange = operation(Kind::CmpXchg, 64);
    let kind = atomics(8, vec![exchange; 2], Done::Acknowledged);
    assert_eq!(span(&run(&kind, &steady(&[500; 2], 64), 1, 1500)), 999);
}

#[test]
fn a_port_that_reads_and_writes_in_turns_takes_an_operation_in_two_cycles() {
    let kind = atomics(4, vec![operation(Kind::Add, 32); 3], Done::Accepted);
    let mut results = shared_port::run(&kind, &[8, 1], 2000);
    let (first, last) = (results[0].0, results[results.len() - 1].0);
    let count = results.len() as u64;
    assert!(
        last - first <= 2 * count,
        "{count} in {} cycles",
        last - first
    );
    results.sort_by_key(|&(_, old)| old);
    let olds = results.iter().map(|&(_, old)| old);
    assert!(olds.eq(0..count), "each number once: the sum is right");
}

#[test]
fn a_window_as_long_as_an_operation_is_in_it_is_enough() {
    let mut kind = atomics(4, vec![operation(Kind::Add, 32)], Done::Acknowledged);
    kind.window = 5 + 2 * LATENCY as u32;
    assert_eq!(span(&run(&kind, &steady(&[1000], 4), 1, 1500)), 999);
    kind.window -= 1;
    assert!(span(&run(&kind, &steady(&[1000], 4), 1, 1500)) > 999);
}

#[test]
fn an_operation_takes_the_time_it_says() {
    for (done, memory) in [(Done::Accepted, LATENCY), (Done::Acknowledged, 2 * LATENCY)] {
        let kind = atomics(4, vec![operation(Kind::Xor, 32)], done);
        let seen = run(&kind, &steady(&[1], 4), 1, 100);
        let time = seen.results[0][0] - seen.given[0][0];
        assert_eq!(time, u64::from(kind.latency()) + memory, "{done:?}");
    }
}

#[test]
fn an_instruction_holds_what_it_says_and_stalls_no_other() {
    for done in [Done::Accepted, Done::Acknowledged] {
        let mut kind = atomics(4, vec![operation(Kind::Add, 32); 2], done);
        kind.outstanding = 7;
        let traffic = Traffic {
            takes: vec![1],
            ..steady(&[100; 2], 4)
        };
        let seen = run(&kind, &traffic, 1, 2000);
        assert_eq!(seen.given[0].len(), kind.capacity() as usize, "{done:?}");
        assert_eq!(seen.results[1].len(), 100, "{done:?}");
    }
}
