//! The model of external memory alone: what it answers, and when.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use sluice_circuit::access::{LINE, Lines};
use sluice_circuit::circuit::Circuit;
use sluice_circuit::dram::{
    Direction, Dram, Memory, Ports, Region, Timing, Traffic, Violation, Violations,
};
use sluice_circuit::shared_bytes::SharedBytes;
use sluice_circuit::sim::{Io, Simulator};
use sluice_circuit::unit::{Fields, Model};
use sluice_circuit::units::fifo::Fifo;

/// A request as a test writes it.
#[derive(Clone, Copy)]
enum Transfer {
    Read(u64),
    /// Address, mask, every word of the line.
    Write(u64, u64, u64),
}

/// What came back: cycle, and the line's first word if it was read.
type Answers = Vec<(u64, Option<u64>)>;

/// Gives the requests to the memory one after the other, as fast as it goes, through queues: a
/// circuit must have something inside.
struct Host {
    dram: Dram,
    requests: VecDeque<Transfer>,
    /// By channel, whether the first request's token was sent.
    sent: [bool; 3],
    answers: Arc<Mutex<Answers>>,
}

const AR: usize = 0;
const AW: usize = 1;
const W: usize = 2;

impl Host {
    /// Sends what can be sent of the next request.
    fn send(&mut self, io: &mut Io<'_>) {
        let Some(&request) = self.requests.front() else {
            return;
        };
        let mut send = |channel: usize, token: &[u64]| {
            if !self.sent[channel] && !io.offering(channel) {
                io.offer(channel, token);
                self.sent[channel] = true;
            }
            self.sent[channel]
        };
        let sent = match request {
            Transfer::Read(address) => send(AR, &[address, 0]),
            Transfer::Write(address, mask, word) => {
                let mut beat = [word; 10];
                (beat[8], beat[9]) = (mask, 1);
                send(AW, &[address, 0]) & send(W, &beat)
            }
        };
        if sent {
            self.requests.pop_front();
            self.sent = [false; 3];
        }
    }
}

impl Model for Host {
    fn reset(&mut self, constants: &[u64], io: &mut Io<'_>) {
        self.dram.reset(constants, io);
        io.wake(0);
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        self.dram.clock(io);
        self.send(io);
        for (port, reads) in [(3, true), (4, false)] {
            if let Some(token) = io.taken(port) {
                let word = reads.then(|| token[0]);
                self.answers.lock().unwrap().push((io.cycle(), word));
            }
            io.accept(port, true);
        }
        io.wake(io.cycle() + 1);
    }
}

fn run(timing: Timing, memory: Memory, requests: Vec<Transfer>) -> Answers {
    run_counted(timing, memory, requests).0
}

fn run_counted(timing: Timing, memory: Memory, requests: Vec<Transfer>) -> (Answers, Traffic) {
    let transfers = Lines {
        bytes: LINE,
        address_bits: 32,
    };
    let channels = [
        transfers.address(),
        transfers.address(),
        transfers.write(),
        transfers.read(),
        Fields::NONE,
    ];
    let kinds = channels.map(|fields| Box::new(Fifo { fields, depth: 4 }) as _);
    let circuit = Circuit::of_units("queues", kinds.into());
    let answers = Arc::new(Mutex::new(Vec::new()));
    // Queue k is the circuit's input k and output k: requests go in at 0 to 2 and come out to the
    // memory, answers go in at 3 and 4 and come out to the host.
    let ports = Ports {
        ar: 0,
        aw: 1,
        w: 2,
        r: 3,
        b: 4,
        line: LINE,
    };
    let host = Host {
        dram: Dram::new(timing, ports, memory),
        requests: requests.into(),
        sent: [false; 3],
        answers: Arc::clone(&answers),
    };
    let traffic = host.dram.traffic();
    let mut simulator = Simulator::new(&circuit, Box::new(host), &[]);
    while simulator.step(20_000) {}
    let answers = answers.lock().unwrap().clone();
    (answers, traffic.get())
}

fn memory(regions: &[(u64, &SharedBytes)]) -> Memory {
    let regions = regions.iter().map(|&(address, bytes)| Region {
        address,
        bytes: bytes.clone(),
    });
    Memory::new(regions.collect())
}

fn quick() -> Timing {
    Timing {
        row_hit: 20,
        row_miss: 50,
        row_change: 30,
        banks: 2,
        row_bytes: 1024,
        ..Timing::default()
    }
}

fn times(answers: &Answers) -> Vec<u64> {
    answers.iter().map(|&(cycle, _)| cycle).collect()
}

/// Cycles from one answer to the next, over many.
fn period(answers: &Answers) -> f64 {
    let (first, last) = (answers[0].0, answers[answers.len() - 1].0);
    (last - first) as f64 / (answers.len() - 1) as f64
}

#[test]
fn a_read_sees_the_bytes_written_before() {
    let (low, high) = (SharedBytes::zeroed(0x100), SharedBytes::zeroed(0x100));
    low.write(0xbe, &[0xaa; 16]);
    high.write(0x40, &[0xbb; 64]);
    let memory = memory(&[(0x400, &low), (0x1000, &high)]);
    let requests = vec![
        Transfer::Read(0x1040),
        Transfer::Write(0x1040, 0x0f, 0x1122_3344_5566_7788),
        Transfer::Read(0x1040),
        Transfer::Read(0x4c0),
    ];
    let answers = run(quick(), memory, requests);
    let words: Vec<u64> = answers.iter().filter_map(|&(_, word)| word).collect();
    let old = 0xbbbb_bbbb_bbbb_bbbb;
    assert_eq!(words, [old, 0xbbbb_bbbb_5566_7788, 0xaaaa_aaaa_aaaa_aaaa]);
    let mut bytes = [0; 8];
    high.read(0x42, &mut bytes);
    assert_eq!(bytes, [0x66, 0x55, 0xbb, 0xbb, 0xbb, 0xbb, 0xbb, 0xbb]);
}

#[test]
fn an_open_row_answers_sooner() {
    let first = |requests| run(quick(), Memory::default(), requests);
    let cold = first(vec![Transfer::Read(0)]);
    // Queues before and behind the memory take two cycles each; the read leaves at the end of cycle 0.
    assert_eq!(times(&cold), [1 + 2 + 50 + 2]);
    let reads = |step: u64| (0..100).map(|at| Transfer::Read(at % 8 * step)).collect();
    assert_eq!(period(&first(reads(64))), 1.0, "one row");
    assert_eq!(period(&first(reads(2048))), 30.0, "rows of one bank");
    let two_banks = period(&first(reads(1024)));
    assert!(
        (two_banks - 15.0).abs() < 0.2,
        "rows of two banks: {two_banks}"
    );
}

#[test]
fn reads_and_writes_share_the_bus() {
    let timing = Timing {
        bytes_per_cycle: 24,
        ..quick()
    };
    let reads = (0..90).map(|at| Transfer::Read(at % 16 * 64)).collect();
    let answers = run(timing.clone(), Memory::default(), reads);
    assert!(
        (period(&answers) - 64.0 / 24.0).abs() < 0.02,
        "{}",
        period(&answers)
    );
    let both = (0..90).map(|at| match at % 2 {
        0 => Transfer::Read(at % 16 * 64),
        _ => Transfer::Write(at % 16 * 64, u64::MAX, at),
    });
    let answers = run(timing, Memory::default(), both.collect());
    assert!(
        (period(&answers) - 64.0 / 24.0).abs() < 0.05,
        "{}",
        period(&answers)
    );
}

#[test]
fn what_crosses_the_bus_is_counted() {
    let requests = vec![
        Transfer::Write(0x40, 0x0f, 7),
        Transfer::Read(0x1040),
        Transfer::Write(0x80, u64::MAX, 7),
        Transfer::Read(0x40),
        Transfer::Write(0x80, 0, 7),
        Transfer::Read(0x80),
        Transfer::Read(0x84),
    ];
    let (_, traffic) = run_counted(quick(), Memory::default(), requests);
    let expected = Traffic {
        read: 4 * 64,
        written: 3 * 64,
        changed: 4 + 64,
    };
    assert_eq!(traffic, expected);
}

#[test]
fn chance_is_the_seeds() {
    let with_seed = |seed| {
        let timing = Timing {
            jitter: 40,
            stalls: 0,
            seed,
            ..quick()
        };
        let reads = (0..50).map(|at| Transfer::Read(at * 64)).collect();
        times(&run(timing, Memory::default(), reads))
    };
    assert_eq!(with_seed(3), with_seed(3));
    assert_ne!(with_seed(3), with_seed(4));
}

#[test]
fn environment_of_regions_zero_is_read_and_nothing_written() {
    for len in [1, 3, 5, 63, 64, 65, 127] {
        let bytes = SharedBytes::new(&vec![0xff; len]);
        let memory = memory(&[(0x1000, &bytes)]);
        let end = 0x1000 + len.next_multiple_of(64) as u64;
        let requests = vec![
            Transfer::Read(0xfc0),
            Transfer::Write(0xfff, u64::MAX, 7),
            Transfer::Write(end, 0, 7),
            Transfer::Write(end, 1 << 5, 7),
            Transfer::Read(end),
            Transfer::Read(1 << 31),
            Transfer::Read(end - 1),
        ];
        let answers = run(quick(), memory.clone(), requests);
        let words: Vec<u64> = answers.iter().filter_map(|&(_, word)| word).collect();
        let in_line = (len - 1) % 64 + 1;
        let last = match in_line {
            0..8 => u64::MAX >> (64 - 8 * in_line),
            _ => u64::MAX,
        };
        assert_eq!(words, [0, 0, 0, last], "{len} bytes");
        let expected = Violations {
            reads: 3,
            writes: 2,
            first: Some(Violation {
                direction: Direction::Read,
                address: 0xfc0,
            }),
        };
        assert_eq!(memory.violations(), expected, "{len} bytes");
    }
}

#[test]
fn a_write_over_the_end_of_a_region_is_counted_where_it_leaves_it() {
    for (len, mask, environment) in [
        (5, 0x1f, None),
        (5, 0x3e, Some(0x1005)),
        (63, u64::MAX, Some(0x103f)),
        (64, u64::MAX, None),
        (1, 0x100, Some(0x1008)),
    ] {
        let bytes = SharedBytes::zeroed(len);
        let memory = memory(&[(0x1000, &bytes)]);
        run(
            quick(),
            memory.clone(),
            vec![Transfer::Write(0x1000, mask, u64::MAX)],
        );
        let mut found = vec![0; len];
        bytes.read(0, &mut found);
        let written = (0..len).map(|at| (mask >> at & 1) as u8 * 0xff);
        assert_eq!(found, written.collect::<Vec<u8>>());
        let Violations {
            reads,
            writes,
            first,
        } = memory.violations();
        assert_eq!((reads, writes), (0, environment.iter().count() as u64));
        assert_eq!(first.map(|first| first.address), environment);
    }
}
