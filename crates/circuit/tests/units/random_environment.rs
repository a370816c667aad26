//! An environment that offers random tokens at random times and is ready at random times.

use std::sync::{Arc, Mutex};

use sluice_circuit::circuit::Circuit;
use sluice_circuit::sim::Io;
use sluice_circuit::unit::Model;

/// A token that passed: cycle, port (inputs of the circuit first), fields.
pub type Event = (u64, usize, Vec<u64>);

/// What passed, in order.
pub type Log = Vec<Event>;

/// The log of an environment that has been given away.
pub struct LogHandle(Arc<Mutex<Log>>);

impl LogHandle {
    /// What has passed so far.
    pub fn take(&self) -> Log {
        std::mem::take(&mut self.0.lock().expect("no thread panicked"))
    }
}

/// How often the environment makes the circuit wait.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stalls {
    /// Never.
    None,
    /// Every third time or so.
    Some,
    /// Most of the time, in bursts.
    Many,
}

/// A small generator of random numbers.
pub struct SplitMix64(pub u64);

impl SplitMix64 {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// What a unit may be given, where not everything makes sense.
pub trait Protocol: Send {
    /// Whether `input` may be given a token now; makes this one such a token.
    fn admits(&mut self, input: usize, token: &mut [u64]) -> bool;

    /// A token has left by `output`.
    fn left(&mut self, output: usize, token: &[u64]);
}

/// Everything makes sense.
struct Anything;

impl Protocol for Anything {
    fn admits(&mut self, _: usize, _: &mut [u64]) -> bool {
        true
    }

    fn left(&mut self, _: usize, _: &[u64]) {}
}

/// The environment.
pub struct RandomEnvironment {
    /// What the circuit may be given.
    pub protocol: Box<dyn Protocol>,
    /// Field widths of the circuit's inputs: what this one offers.
    gives: Vec<Vec<u32>>,
    /// By input: one chance in how many that it is offered a token when it could.
    rarity: Vec<u64>,
    /// Number of the circuit's outputs: what this one takes.
    takes: usize,
    random: SplitMix64,
    stalls: Stalls,
    log: Arc<Mutex<Log>>,
}

/// A unit that is told to flush all the time does nothing else.
fn rarity(channel: &str) -> u64 {
    if channel.ends_with("_flush") { 200 } else { 1 }
}

impl RandomEnvironment {
    pub fn new(circuit: &Circuit, seed: u64, stalls: Stalls) -> (RandomEnvironment, LogHandle) {
        let log = Arc::new(Mutex::new(Vec::new()));
        let widths = circuit.inputs().iter();
        let widths = widths.map(|&channel| circuit.channels()[channel].fields.widths().collect());
        let names = circuit
            .inputs()
            .iter()
            .map(|&channel| &circuit.channels()[channel].name);
        let environment = RandomEnvironment {
            protocol: Box::new(Anything),
            gives: widths.collect(),
            rarity: names.map(|name| rarity(name)).collect(),
            takes: circuit.outputs().len(),
            random: SplitMix64(seed),
            stalls,
            log: Arc::clone(&log),
        };
        (environment, LogHandle(log))
    }

    fn offers(&mut self, cycle: u64, port: usize) -> bool {
        let chance = self.random.next().is_multiple_of(self.rarity[port]);
        self.goes_on(cycle, port) && chance
    }

    fn goes_on(&mut self, cycle: u64, port: usize) -> bool {
        let draw = self.random.next() % 12;
        match self.stalls {
            Stalls::None => true,
            Stalls::Some => draw < 8,
            // Each port has long times of its own in which it does nothing, and others of haste.
            Stalls::Many => draw < [1, 11, 6][(cycle as usize / 64 + port) % 3],
        }
    }

    fn token(&mut self, port: usize) -> Vec<u64> {
        let widths = self.gives[port].clone();
        widths
            .iter()
            .map(|width| self.random.next() >> (64 - width))
            .collect()
    }
}

impl Model for RandomEnvironment {
    fn reset(&mut self, _: &[u64], io: &mut Io<'_>) {
        io.wake(0);
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        let cycle = io.cycle();
        for port in 0..self.takes {
            if let Some(token) = io.taken(port) {
                self.protocol.left(port, token);
                let event = (cycle, self.gives.len() + port, token.to_vec());
                self.log.lock().expect("no thread panicked").push(event);
            }
            let ready = self.goes_on(cycle, port);
            io.accept(port, ready);
        }
        for port in 0..self.gives.len() {
            if io.given(port) {
                let event = (cycle, port, Vec::new());
                self.log.lock().expect("no thread panicked").push(event);
            }
            // The same draws in every cycle, whatever happens: both sides must stay in step.
            let (offers, mut token) = (self.offers(cycle, port), self.token(port));
            if offers && !io.offering(port) && self.protocol.admits(port, &mut token) {
                io.offer(port, &token);
            }
        }
        io.wake(cycle + 1);
    }
}
