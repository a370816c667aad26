//! Environments that do one thing: accesses to registers without a pause, and a launch without a shell.

use std::sync::{Arc, Mutex};

use sluice_circuit::access::LINE;
use sluice_circuit::circuit::Circuit;
use sluice_circuit::dram::{Dram, Memory, Ports, Timing};
use sluice_circuit::sim::{Io, Simulator};
use sluice_circuit::unit::Model;
use sluice_circuit::units::registers::Registers;

/// Whether answers are taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Taking {
    Always,
    Never,
}

/// When accesses were given to registers, and answers taken.
#[derive(Clone, Debug, Default)]
pub struct Stream {
    pub given: Vec<u64>,
    pub taken: Vec<u64>,
}

struct Source {
    channels: Vec<usize>,
    answer: usize,
    taking: Taking,
    stream: Arc<Mutex<Stream>>,
}

impl Source {
    fn offer(&self, io: &mut Io<'_>) {
        for &channel in &self.channels {
            if !io.offering(channel) {
                // Data have strobes, addresses have not.
                let token: &[u64] = if channel == 1 { &[0, 0] } else { &[0] };
                io.offer(channel, token);
            }
        }
    }
}

impl Model for Source {
    fn reset(&mut self, _: &[u64], io: &mut Io<'_>) {
        io.accept(self.answer, self.taking == Taking::Always);
        self.offer(io);
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        let mut stream = self.stream.lock().unwrap();
        if io.given(self.channels[0]) {
            stream.given.push(io.cycle());
        }
        if io.taken(self.answer).is_some() {
            stream.taken.push(io.cycle());
        }
        self.offer(io);
    }
}

impl Stream {
    /// Some cycles with accesses over `channels`, answered over `answer`.
    pub fn run(registers: &Registers, channels: &[usize], answer: usize, taking: Taking) -> Stream {
        let circuit = Circuit::of_units("alone", vec![Box::new(registers.clone())]);
        let stream = Arc::new(Mutex::new(Stream::default()));
        let source = Source {
            channels: channels.to_vec(),
            answer,
            taking,
            stream: Arc::clone(&stream),
        };
        let mut simulator = Simulator::new(&circuit, Box::new(source), &[]);
        while simulator.step(200) {}
        stream.lock().unwrap().clone()
    }
}

/// When the launch starts: its caches are clear by then.
const START: u64 = 500;

struct Bare {
    dram: Dram,
    done: Arc<Mutex<Option<u64>>>,
}

impl Model for Bare {
    fn reset(&mut self, _: &[u64], io: &mut Io<'_>) {
        self.dram.reset(&[], io);
        io.accept(3, true);
        io.wake(START - 1);
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        self.dram.clock(io);
        if io.cycle() == START - 1 {
            io.offer(0, &[]);
        }
        if io.taken(3).is_some() {
            *self.done.lock().unwrap() = Some(io.cycle() - START);
        }
    }
}

/// The cycles of a launch on a circuit without a shell: inputs start, r, b; outputs ar, aw, w, done.
pub fn bare_cycles(circuit: &Circuit, constants: &[u64]) -> u64 {
    let ports = Ports {
        ar: 0,
        aw: 1,
        w: 2,
        r: 1,
        b: 2,
        line: LINE,
    };
    let done = Arc::new(Mutex::new(None));
    let bare = Bare {
        dram: Dram::new(Timing::default(), ports, Memory::default()),
        done: Arc::clone(&done),
    };
    let mut simulator = Simulator::new(circuit, Box::new(bare), constants);
    while simulator.step(100_000) {}
    let cycles = *done.lock().unwrap();
    cycles.expect("the launch ends")
}
