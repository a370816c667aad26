//! Waveforms: complete ones of a small circuit, and the same as Verilator's.

#[path = "stalls/circuits.rs"]
#[expect(dead_code, reason = "circuits that other tests use")]
mod circuits;
#[path = "units/random_environment.rs"]
#[expect(dead_code, reason = "choices that other tests use")]
mod random_environment;
#[path = "waves/shared.rs"]
mod shared;
#[path = "waves/traced.rs"]
mod traced;

use std::collections::HashMap;
use std::io::{self, Write};

use circuits::{Environment, Traffic, add, byte, channels, diamond, fifo};
use random_environment::{RandomEnvironment, Stalls};
use shared::Shared;
use sluice_circuit::circuit::Circuit;
use sluice_circuit::sim::Simulator;
use sluice_circuit::unit::{Fields, Model};
use sluice_circuit::units::join::Join;
use vcd::{Command, IdCode, ScopeItem, Value};

fn waves(circuit: &Circuit, environment: Box<dyn Model>, cycles: u64) -> String {
    let mut simulator = Simulator::new(circuit, environment, &[]);
    let text = Shared::default();
    simulator
        .write_waves(circuit, Box::new(text.clone()))
        .expect("memory takes all");
    while simulator.step(cycles) {}
    simulator.finish_waves().expect("memory takes all");
    text.text()
}

fn traffic(count: u64, period: u64) -> Traffic {
    Traffic {
        count,
        period,
        memory: None,
    }
}

/// A queue, then a join of what comes out with tokens without data.
fn queue_and_join() -> Circuit {
    let mut circuit = Circuit::new("queue_and_join");
    let [enter, queued, leave] = channels(&mut circuit, ["enter", "queued", "leave"]);
    let go = circuit.add_channel("go", Fields::NONE);
    circuit.add_input(enter);
    circuit.add_output(leave);
    circuit.add_input(go);
    let join = Join {
        inputs: vec![byte(), Fields::NONE],
    };
    add(&mut circuit, ("queue", 1), fifo(1), &[enter], &[queued]);
    add(&mut circuit, ("gather", 2), join, &[queued, go], &[leave]);
    circuit
}

/// Gives two bytes at the first input, and from cycle 5 on tokens at the second; takes in cycle 7
/// and later.
struct Two {
    left: u64,
}

impl Model for Two {
    fn reset(&mut self, _: &[u64], io: &mut sluice_circuit::sim::Io<'_>) {
        io.offer(0, &[0]);
        io.wake(4);
        io.wake(6);
    }

    fn clock(&mut self, io: &mut sluice_circuit::sim::Io<'_>) {
        if !io.offering(0) && self.left > 0 {
            io.offer(0, &[0xa5]);
            self.left -= 1;
        }
        if io.cycle() >= 4 && !io.offering(1) {
            io.offer(1, &[]);
        }
        io.accept(0, io.cycle() >= 6);
    }
}

#[test]
fn a_small_circuit_is_written_completely() {
    let expected = include_str!("waves/queue_and_join.vcd");
    let text = waves(&queue_and_join(), Box::new(Two { left: 1 }), 20);
    assert_eq!(text, expected, "{text}");
}

/// The waveforms by name, for the scope of the circuit: changes with their times.
struct Signals(HashMap<String, Vec<(u64, Vec<Value>)>>);

impl Signals {
    fn read(text: &str, scopes: &[&str]) -> Signals {
        let mut parser = vcd::Parser::new(text.as_bytes());
        let header = parser.parse_header().expect("it is a VCD");
        let scope = header.find_scope(scopes).expect("the circuit has a scope");
        let mut names: HashMap<IdCode, Vec<String>> = HashMap::new();
        for item in &scope.items {
            if let ScopeItem::Var(var) = item {
                let of_code = names.entry(var.code).or_default();
                of_code.push(var.reference.clone());
            }
        }
        let mut signals: HashMap<String, Vec<(u64, Vec<Value>)>> = HashMap::new();
        let mut now = 0;
        for command in parser {
            let (code, values) = match command.expect("it is a VCD") {
                Command::Timestamp(time) => {
                    now = time;
                    continue;
                }
                Command::ChangeScalar(code, value) => (code, vec![value]),
                Command::ChangeVector(code, values) => (code, values.iter().collect()),
                _ => continue,
            };
            for name in names.get(&code).into_iter().flatten() {
                let changes = signals.entry(name.clone()).or_default();
                changes.push((now, values.clone()));
            }
        }
        Signals(signals)
    }

    /// A signal's value, without zeros before it.
    fn at(&self, name: &str, time: u64) -> String {
        let changes = self
            .0
            .get(name)
            .unwrap_or_else(|| panic!("{name} is there"));
        let next = changes.partition_point(|&(changed, _)| changed <= time);
        let (_, values) = &changes[next.checked_sub(1).expect("it has a value")];
        let text: String = values.iter().map(ToString::to_string).collect();
        match text.trim_start_matches('0') {
            "" => "0".into(),
            digits => digits.into(),
        }
    }
}

#[test]
fn verilator_shows_the_same() {
    const CYCLES: u64 = 500;
    for (circuit, seed) in [(queue_and_join(), 1), (diamond(3, 4), 2)] {
        let (environment, _) = RandomEnvironment::new(&circuit, seed, Stalls::Some);
        let ours = waves(&circuit, Box::new(environment), CYCLES);
        let ours = Signals::read(&ours, &[&circuit.name]);
        let (environment, _) = RandomEnvironment::new(&circuit, seed, Stalls::Some);
        let theirs = traced::run(&circuit, Box::new(environment), CYCLES);
        let theirs = Signals::read(&theirs, &["TOP", &circuit.name]);
        let mut tokens = 0;
        for cycle in 0..CYCLES {
            for channel in circuit.channels().values() {
                let same = |signal: &str| {
                    let (ours, theirs) = (
                        ours.at(signal, cycle),
                        theirs.at(signal, traced::time(cycle)),
                    );
                    assert_eq!(ours, theirs, "{signal} in cycle {cycle}");
                    ours
                };
                if same(&format!("{}_valid", channel.name)) == "1" {
                    same(&format!("{}_ready", channel.name));
                    if !channel.fields.is_empty() {
                        same(&channel.name);
                    }
                    tokens += 1;
                }
            }
        }
        assert!(tokens > CYCLES, "{tokens} tokens were compared");
    }
}

/// Takes some bytes, then fails.
struct Full(usize);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self
            .0
            .checked_sub(bytes.len())
            .ok_or(io::ErrorKind::StorageFull)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn an_error_is_told_at_the_end_and_the_simulation_goes_on() {
    let mut circuit = Circuit::new("queue");
    let [enter, leave] = channels(&mut circuit, ["enter", "leave"]);
    circuit.add_input(enter);
    circuit.add_output(leave);
    add(&mut circuit, ("queue", 1), fifo(2), &[enter], &[leave]);
    let mut simulator = Simulator::new(&circuit, Environment::new(traffic(100, 1)), &[]);
    simulator
        .write_waves(&circuit, Box::new(Full(800)))
        .expect("there is room for the beginning");
    while simulator.step(100) {}
    assert_eq!(simulator.cycle(), 100);
    let error = simulator
        .finish_waves()
        .expect_err("there is no room for all");
    assert_eq!(error.kind(), io::ErrorKind::StorageFull);
}
