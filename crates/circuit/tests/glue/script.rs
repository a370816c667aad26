//! An environment that offers given tokens in their order and writes down all that passes.

use std::sync::{Arc, Mutex};

use sluice_circuit::circuit::Circuit;
use sluice_circuit::sim::{Io, Simulator};
use sluice_circuit::unit::Model;

/// A port of the circuit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Port {
    In(usize),
    Out(usize),
}

/// A token that passed in a cycle.
pub type Event = (u64, Port, Vec<u64>);

/// When an environment goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pace {
    /// In every cycle.
    Always,
    /// At random, two times of three.
    Random(u64),
    /// Never.
    Never,
}

impl Pace {
    fn goes_on(&mut self) -> bool {
        match self {
            Pace::Always => true,
            Pace::Random(state) => {
                *state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                (*state >> 40) % 3 != 0
            }
            Pace::Never => false,
        }
    }
}

/// What the environment does.
#[derive(Clone, Debug)]
pub struct Script {
    /// By input of the circuit, the tokens to offer.
    pub tokens: Vec<Vec<Vec<u64>>>,
    /// When tokens are offered.
    pub gives: Pace,
    /// When tokens are taken.
    pub takes: Pace,
    /// Tokens of this output are offered again at these inputs, in turns.
    pub echo: Option<(usize, Vec<usize>)>,
    /// The tokens of this output are never taken.
    pub refused: Option<usize>,
    /// The circuit's constants.
    pub constants: Vec<u64>,
}

impl Script {
    /// Offers these tokens and takes all, without stalls.
    pub fn new(tokens: Vec<Vec<Vec<u64>>>) -> Script {
        Script {
            tokens,
            gives: Pace::Always,
            takes: Pace::Always,
            echo: None,
            refused: None,
            constants: Vec::new(),
        }
    }

    /// With random stalls.
    pub fn stalling(self, seed: u64) -> Script {
        Script {
            gives: Pace::Random(seed),
            takes: Pace::Random(seed + 1000),
            ..self
        }
    }

    /// A circuit with this environment, and what will have passed.
    pub fn begin(&self, circuit: &Circuit) -> (Simulator, Arc<Mutex<Vec<Event>>>) {
        let log = Arc::new(Mutex::new(Vec::new()));
        let environment = Environment {
            offered: vec![0; self.tokens.len()],
            outputs: circuit.outputs().len(),
            echoed: 0,
            script: self.clone(),
            log: Arc::clone(&log),
        };
        assert_eq!(self.tokens.len(), circuit.inputs().len());
        let simulator = Simulator::new(circuit, Box::new(environment), &self.constants);
        (simulator, log)
    }

    /// Runs it for some cycles.
    pub fn run(&self, circuit: &Circuit, cycles: u64) -> Vec<Event> {
        let (mut simulator, log) = self.begin(circuit);
        while simulator.step(cycles) {}
        drop(simulator);
        Arc::into_inner(log)
            .expect("the simulator is gone")
            .into_inner()
            .expect("no thread panicked")
    }
}

struct Environment {
    script: Script,
    /// By input, how many tokens have been offered.
    offered: Vec<usize>,
    outputs: usize,
    echoed: usize,
    log: Arc<Mutex<Vec<Event>>>,
}

impl Environment {
    fn offer(&mut self, io: &mut Io<'_>) {
        for (input, at) in self.offered.iter_mut().enumerate() {
            if let Some(token) = self.script.tokens[input].get(*at)
                && !io.offering(input)
                && self.script.gives.goes_on()
            {
                io.offer(input, token);
                *at += 1;
            }
        }
    }

    fn accept(&mut self, io: &mut Io<'_>) {
        for output in 0..self.outputs {
            let ready = self.script.takes.goes_on();
            io.accept(output, ready && self.script.refused != Some(output));
        }
    }

    fn write(&mut self, event: Event) {
        self.log.lock().expect("no thread panicked").push(event);
    }
}

impl Model for Environment {
    fn reset(&mut self, _: &[u64], io: &mut Io<'_>) {
        self.offer(io);
        self.accept(io);
        io.wake(0);
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        for input in 0..self.offered.len() {
            if io.given(input) {
                let token = self.script.tokens[input][self.offered[input] - 1].clone();
                self.write((io.cycle(), Port::In(input), token));
            }
        }
        for output in 0..self.outputs {
            let Some(token) = io.taken(output).map(<[u64]>::to_vec) else {
                continue;
            };
            if let Some((from, to)) = &self.script.echo
                && *from == output
            {
                self.script.tokens[to[self.echoed % to.len()]].push(token.clone());
                self.echoed += 1;
            }
            self.write((io.cycle(), Port::Out(output), token));
        }
        self.offer(io);
        self.accept(io);
        io.wake(io.cycle() + 1);
    }
}

/// The tokens that passed a port.
pub fn at(events: &[Event], port: Port) -> Vec<Vec<u64>> {
    let there = events.iter().filter(|(_, there, _)| *there == port);
    there.map(|(_, _, token)| token.clone()).collect()
}

/// The cycle in which the last token passed.
pub fn last_cycle(events: &[Event]) -> u64 {
    events.last().expect("a token passed").0
}
