//! The units around memory hold as many tokens as they say, and take as long.

use std::sync::{Arc, Mutex};

use sluice_circuit::access::{Access, Enable, LINE};
use sluice_circuit::circuit::Circuit;
use sluice_circuit::sim::{Io, Simulator};
use sluice_circuit::unit::{Model, UnitKind};
use sluice_circuit::units::arbiter::{Arbiter, Flush};
use sluice_circuit::units::cache::{Cache, Mode};
use sluice_circuit::units::line_arbiter::LineArbiter;
use sluice_circuit::units::load::{Load, Vector};
use sluice_circuit::units::memory_port::MemoryPort;
use sluice_circuit::units::private_memory::PrivateMemory;
use sluice_circuit::units::reader::Reader;
use sluice_circuit::units::rom::Rom;
use sluice_circuit::units::slots::Slots;
use sluice_circuit::units::store::{Done, Store};
use sluice_circuit::units::writer::Writer;

/// Offers tokens at input 0 and takes from some outputs; what comes out of one output may cause a
/// token at an input.
struct Probe {
    /// The first field that says which token it is, and by how much it grows.
    address: (usize, u64),
    token: Vec<u64>,
    limit: u64,
    /// Cycles from one token to the next.
    pause: u64,
    takes: Vec<usize>,
    echo: Option<Echo>,
    owed: u32,
    seen: Arc<Mutex<Seen>>,
}

#[derive(Clone)]
struct Echo {
    from: usize,
    to: usize,
    token: Vec<u64>,
}

#[derive(Clone, Default)]
struct Seen {
    given: Vec<u64>,
    /// By output: when tokens were taken.
    taken: Vec<Vec<u64>>,
}

impl Model for Probe {
    fn reset(&mut self, _: &[u64], io: &mut Io<'_>) {
        self.takes.iter().for_each(|&port| io.accept(port, true));
        io.wake(0);
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        let mut seen = self.seen.lock().unwrap();
        if io.given(0) {
            seen.given.push(io.cycle());
        }
        for &port in &self.takes {
            if io.taken(port).is_some() {
                seen.taken[port].push(io.cycle());
                self.owed += u32::from(self.echo.as_ref().is_some_and(|echo| echo.from == port));
            }
        }
        if let Some(echo) = &self.echo
            && self.owed > 0
            && !io.offering(echo.to)
        {
            io.offer(echo.to, &echo.token);
            self.owed -= 1;
        }
        if !io.offering(0) && self.limit > 0 && io.cycle().is_multiple_of(self.pause) {
            io.offer(0, &self.token);
            let (field, step) = self.address;
            self.token[field] += step;
            self.limit -= 1;
        }
        io.wake(io.cycle() + 1);
    }
}

struct Setup {
    kind: Box<dyn UnitKind>,
    token: Vec<u64>,
    address: (usize, u64),
    takes: Vec<usize>,
    echo: Option<Echo>,
}

impl Setup {
    fn run(self, limit: u64) -> Seen {
        self.run_with_pause(limit, 1)
    }

    fn run_with_pause(self, limit: u64, pause: u64) -> Seen {
        let circuit = Circuit::of_units("probe", vec![self.kind]);
        let seen = Seen {
            taken: vec![Vec::new(); circuit.outputs().len()],
            ..Seen::default()
        };
        let seen = Arc::new(Mutex::new(seen));
        let probe = Probe {
            address: self.address,
            token: self.token,
            limit,
            pause,
            takes: self.takes,
            echo: self.echo,
            owed: 0,
            seen: Arc::clone(&seen),
        };
        let mut simulator = Simulator::new(&circuit, Box::new(probe), &[]);
        while simulator.step(500) {}
        let seen = seen.lock().unwrap();
        seen.clone()
    }
}

fn access() -> Access {
    Access {
        bytes: 4,
        address_bits: 24,
    }
}

fn vector() -> Vector {
    Vector {
        lanes: 1,
        lane_bits: 32,
        alignment: 4,
    }
}

fn load(takes: Vec<usize>) -> (Load, Setup) {
    let kind = Load {
        vector: vector(),
        access: access(),
        outstanding: 20,
        results: 20,
        enable: Enable::Always,
    };
    let setup = Setup {
        kind: Box::new(kind.clone()),
        token: vec![0],
        address: (0, 4),
        takes,
        echo: Some(Echo {
            from: 1,
            to: 1,
            token: vec![7],
        }),
    };
    (kind, setup)
}

fn cache(takes: Vec<usize>) -> (Cache, Setup) {
    let kind = Cache {
        line: LINE,
        lines: 64,
        access: access(),
        outstanding: 40,
        mode: Mode::ReadWrite,
    };
    let setup = Setup {
        kind: Box::new(kind.clone()),
        token: vec![0; 4],
        address: (1, 64),
        takes,
        echo: None,
    };
    (kind, setup)
}

#[test]
fn a_load_holds_what_it_says() {
    let (kind, setup) = load(vec![1]);
    assert_eq!(setup.run(200).given.len(), kind.capacity() as usize);
}

#[test]
fn a_load_takes_the_time_it_says() {
    let (kind, setup) = load(vec![0, 1]);
    let seen = setup.run(1);
    // Memory takes one cycle, the least that a load of whole responses expects.
    assert_eq!(
        seen.taken[0][0] - seen.given[0],
        u64::from(kind.latency()) + 1
    );
}

#[test]
fn a_store_holds_and_takes_what_it_says() {
    let kind = Store {
        vector: vector(),
        access: access(),
        outstanding: 5,
        done: Done::Accepted,
        enable: Enable::Always,
    };
    let setup = |takes| Setup {
        kind: Box::new(kind.clone()),
        token: vec![0, 9],
        address: (0, 4),
        takes,
        echo: None,
    };
    assert_eq!(
        setup(vec![1]).run(200).given.len(),
        kind.capacity() as usize
    );
    let seen = setup(vec![0, 1]).run(1);
    assert_eq!(seen.taken[0][0] - seen.given[0], kind.latency().into());
}

#[test]
fn an_acknowledged_store_holds_and_takes_what_it_says() {
    // A word at any address goes out as four requests, one that is aligned as one.
    for alignment in [1, 4] {
        let kind = Store {
            vector: Vector {
                alignment,
                ..vector()
            },
            access: access(),
            outstanding: 5,
            done: Done::Acknowledged,
            enable: Enable::Always,
        };
        let setup = |takes, echo| Setup {
            kind: Box::new(kind.clone()),
            token: vec![0, 9],
            address: (0, 4),
            takes,
            echo,
        };
        let echo = Some(Echo {
            from: 1,
            to: 1,
            token: Vec::new(),
        });
        let silent = setup(vec![0, 1], None).run(200);
        assert_eq!(silent.given.len(), kind.capacity() as usize);
        assert_eq!(
            silent.taken[0],
            [],
            "nothing is done that was not acknowledged"
        );
        let untaken = setup(vec![1], echo.clone()).run(200);
        assert_eq!(untaken.given.len(), kind.capacity() as usize);
        let seen = setup(vec![0, 1], echo).run(100);
        // Memory takes one cycle.
        assert_eq!(
            seen.taken[0][0] - seen.given[0],
            u64::from(kind.latency()) + 1
        );
        let cycles = 99 * u64::from(kind.vector.beats(kind.access));
        assert_eq!(seen.taken[0][99] - seen.taken[0][0], cycles, "no gaps");
    }
}

#[test]
fn arbiters_hold_and_take_what_they_say() {
    for readers in [2, 40] {
        let kind = Arbiter {
            readers,
            writers: 1,
            access: access(),
            outstanding: 8,
            flush: Flush::Passed,
        };
        let setup = |kind: &Arbiter, takes| Setup {
            kind: Box::new(kind.clone()),
            token: vec![0; 4],
            address: (1, 4),
            takes,
            echo: None,
        };
        let request = readers as usize;
        let seen = setup(&kind, vec![]).run(200);
        assert_eq!(seen.given.len(), kind.capacity() as usize);
        let seen = setup(&kind, vec![request]).run(1);
        assert_eq!(
            seen.taken[request][0] - seen.given[0],
            kind.latency().into()
        );
        let writing = Arbiter {
            readers: 0,
            writers: readers + 1,
            ..kind
        };
        let seen = setup(&writing, vec![0]).run(100);
        let (first, last) = (seen.taken[0][0], seen.taken[0][99]);
        assert_eq!(last - first, 99, "one per cycle");
    }
}

#[test]
fn a_cache_holds_what_it_says() {
    let (kind, setup) = cache(vec![]);
    assert_eq!(setup.run(200).given.len(), kind.capacity() as usize);
    let (kind, setup) = cache(vec![1]);
    assert_eq!(setup.run(200).given.len(), kind.outstanding as usize);
}

#[test]
fn a_cache_takes_the_time_it_says() {
    let (kind, mut setup) = cache(vec![0, 1]);
    // The first request misses, the second one comes long after and hits.
    setup.address = (1, 4);
    setup.echo = Some(Echo {
        from: 1,
        to: 1,
        token: vec![3; 8],
    });
    let seen = setup.run_with_pause(2, 100);
    assert_eq!(seen.taken[1].len(), 1, "one miss");
    assert_eq!(seen.taken[0][1] - seen.given[1], kind.latency().into());
}

fn reader(stride: u64, takes: Vec<usize>) -> (Reader, Setup) {
    let kind = Reader {
        line: LINE,
        access: access(),
        lines: 8,
        outstanding: 40,
    };
    let setup = Setup {
        kind: Box::new(kind.clone()),
        token: vec![0; 4],
        address: (1, stride),
        takes,
        echo: Some(Echo {
            from: 1,
            to: 1,
            token: vec![3; 8],
        }),
    };
    (kind, setup)
}

#[test]
fn a_reader_holds_what_it_says_when_memory_takes_nothing() {
    let (kind, setup) = reader(64, vec![]);
    assert_eq!(setup.run(200).given.len(), kind.capacity() as usize);
}

#[test]
fn a_reader_takes_the_time_it_says() {
    let (kind, setup) = reader(4, vec![0, 1]);
    // The first request fetches a line, the second one comes long after and is for the same.
    let seen = setup.run_with_pause(2, 100);
    assert_eq!(seen.taken[1].len(), 1, "one fetch");
    assert_eq!(seen.taken[0][1] - seen.given[1], kind.latency().into());
}

#[test]
fn a_reader_fetches_each_line_of_a_stream_once_and_answers_in_every_cycle() {
    let (_, setup) = reader(4, vec![0, 1]);
    let seen = setup.run(320);
    assert_eq!(seen.taken[0].len(), 320);
    assert_eq!(seen.taken[1].len(), 20, "16 requests share a line");
    let last = seen.taken[0][319] - seen.taken[0][0];
    assert_eq!(last, 319, "an answer in every cycle");
}

/// What one of three readers asks of a cache.
fn line_arbiter(takes: Vec<usize>) -> (LineArbiter, Setup) {
    let kind = LineArbiter {
        readers: 3,
        address_bits: access().address_bits,
        line: LINE,
        outstanding: 16,
    };
    let setup = Setup {
        kind: Box::new(kind.clone()),
        token: vec![0],
        address: (0, 1),
        takes,
        echo: Some(Echo {
            from: kind.request().index(),
            to: kind.response().index(),
            token: vec![3; 8],
        }),
    };
    (kind, setup)
}

#[test]
fn a_line_arbiter_holds_and_takes_what_it_says() {
    let (kind, setup) = line_arbiter(vec![]);
    assert_eq!(setup.run(200).given.len(), kind.capacity() as usize);
    let (kind, setup) = line_arbiter(vec![0, 3]);
    let seen = setup.run(100);
    assert_eq!(
        seen.taken[3][0] - seen.given[0],
        kind.latency().into(),
        "on its way to the cache"
    );
    let last = seen.taken[0][99] - seen.taken[0][0];
    assert_eq!(last, 99, "a line in every cycle");
}

fn writer(stride: u64, takes: Vec<usize>) -> (Writer, Setup) {
    let kind = Writer {
        line: LINE,
        access: access(),
        outstanding: 4,
    };
    let setup = Setup {
        kind: Box::new(kind.clone()),
        token: vec![1, 0, 15, 7],
        address: (1, stride),
        takes,
        echo: Some(Echo {
            from: 0,
            to: 1,
            token: vec![],
        }),
    };
    (kind, setup)
}

#[test]
fn a_writer_holds_and_takes_what_it_says() {
    let (kind, setup) = writer(64, vec![]);
    assert_eq!(setup.run(200).given.len(), kind.capacity() as usize);
    let (kind, setup) = writer(64, vec![0]);
    // The second request, long after the first one, is for another line.
    let seen = setup.run_with_pause(2, 100);
    assert_eq!(seen.taken[0][0] - seen.given[1], kind.latency().into());
}

#[test]
fn a_writer_gathers_the_lines_of_a_stream() {
    let (_, setup) = writer(4, vec![0]);
    let seen = setup.run(320);
    assert_eq!(
        seen.given[319] - seen.given[0],
        319,
        "a request in every cycle"
    );
    assert_eq!(
        seen.taken[0].len(),
        19,
        "the last line is held until a flush"
    );
}

#[test]
fn a_memory_port_holds_and_takes_what_it_says() {
    let kind = MemoryPort {
        line: LINE,
        readers: 2,
        datapaths: 1,
        longest_run: MemoryPort::LONGEST_RUN,
        writers: 2,
        address_bits: 24,
        outstanding: 8,
    };
    let setup = |takes| Setup {
        kind: Box::new(kind.clone()),
        token: vec![0],
        address: (0, 1),
        takes,
        echo: None,
    };
    assert_eq!(setup(vec![]).run(200).given.len(), kind.capacity() as usize);
    let seen = setup(vec![4]).run(1);
    assert_eq!(seen.taken[4][0] - seen.given[0], kind.latency().into());
}

#[test]
fn a_table_holds_and_takes_what_it_says() {
    let kind = Rom {
        name: "probe".into(),
        access: access(),
        contents: vec![5; 64],
    };
    let setup = |takes| Setup {
        kind: Box::new(kind.clone()),
        token: vec![0; 4],
        address: (1, 4),
        takes,
        echo: None,
    };
    assert_eq!(setup(vec![]).run(200).given.len(), kind.capacity() as usize);
    let seen = setup(vec![0]).run(100);
    assert_eq!(seen.taken[0][0] - seen.given[0], kind.latency().into());
    let (first, last) = (seen.taken[0][0], seen.taken[0][99]);
    assert_eq!(last - first, 99, "one per cycle");
}

#[test]
fn a_private_memory_holds_and_takes_what_it_says() {
    let kind = PrivateMemory {
        access: access(),
        bytes: 256,
    };
    let setup = |takes| Setup {
        kind: Box::new(kind.clone()),
        token: vec![0; 4],
        address: (1, 4),
        takes,
        echo: None,
    };
    assert_eq!(setup(vec![]).run(200).given.len(), kind.capacity() as usize);
    let seen = setup(vec![0]).run(100);
    assert_eq!(seen.taken[0][0] - seen.given[0], kind.latency().into());
    let (first, last) = (seen.taken[0][0], seen.taken[0][99]);
    assert_eq!(last - first, 99, "one per cycle");
}

#[test]
fn slots_hold_and_take_what_they_say() {
    let kind = Slots { count: 2 };
    let setup = |takes| Setup {
        kind: Box::new(kind.clone()),
        token: vec![0],
        address: (0, 0),
        takes,
        echo: None,
    };
    assert_eq!(setup(vec![]).run(200).given.len(), kind.capacity() as usize);
    let seen = setup(vec![0]).run(100);
    // Behind the two that were never out comes the first that was returned.
    assert_eq!(seen.taken[0][2] - seen.given[0], kind.latency().into());
    assert_eq!(seen.taken[0][99] - seen.taken[0][2], 97, "one per cycle");
}
