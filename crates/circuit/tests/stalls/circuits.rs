//! Circuits put together by hand, and their environments.

use std::collections::VecDeque;

use sluice_circuit::access::{Access, Enable};
use sluice_circuit::circuit::{Channel, Circuit};
use sluice_circuit::sim::Io;
use sluice_circuit::unit::{Fields, Model, UnitKind};
use sluice_circuit::units::fifo::Fifo;
use sluice_circuit::units::fork::Fork;
use sluice_circuit::units::join::Join;
use sluice_circuit::units::load::{Load, Vector};

/// A field of 8 bits.
pub fn byte() -> Fields {
    Fields::new([8])
}

/// A queue of bytes.
pub fn fifo(depth: u32) -> Fifo {
    Fifo {
        fields: byte(),
        depth,
    }
}

/// Channels of bytes with these names.
pub fn channels<const COUNT: usize>(
    circuit: &mut Circuit,
    names: [&str; COUNT],
) -> [Channel; COUNT] {
    names.map(|name| circuit.add_channel(name, byte()))
}

/// Adds a unit that works for a source line.
pub fn add(
    circuit: &mut Circuit,
    (name, line): (&str, u32),
    kind: impl UnitKind + 'static,
    inputs: &[Channel],
    outputs: &[Channel],
) {
    circuit
        .unit(name, kind)
        .lines(vec![line])
        .inputs_in_order(inputs.iter().copied())
        .outputs_in_order(outputs.iter().copied())
        .add();
}

/// What an environment does at its first output and first input.
#[derive(Clone, Debug)]
pub struct Traffic {
    /// Tokens to offer.
    pub count: u64,
    /// It takes a token this many cycles after the one before; 0 for never.
    pub period: u64,
    /// A second output and input are a memory that answers after this number of cycles.
    pub memory: Option<u64>,
}

/// An environment that offers bytes and takes bytes.
pub struct Environment {
    traffic: Traffic,
    offered: u64,
    next_take: u64,
    answers: VecDeque<u64>,
}

impl Environment {
    pub fn new(traffic: Traffic) -> Box<Environment> {
        Box::new(Environment {
            traffic,
            offered: 0,
            next_take: 0,
            answers: VecDeque::new(),
        })
    }

    fn offer(&mut self, io: &mut Io<'_>) {
        if self.offered < self.traffic.count && !io.offering(0) {
            io.offer(0, &[self.offered & 0xff]);
            self.offered += 1;
        }
    }

    fn take(&mut self, io: &mut Io<'_>) {
        if self.traffic.period == 0 {
            return;
        }
        if io.taken(0).is_some() {
            self.next_take = io.cycle() + self.traffic.period;
        }
        let now = io.cycle() + 1;
        io.accept(0, now >= self.next_take);
        if now < self.next_take {
            io.wake(self.next_take - 1);
        }
    }

    fn answer(&mut self, io: &mut Io<'_>, latency: u64) {
        let now = io.cycle() + 1;
        if io.taken(1).is_some() {
            self.answers.push_back(io.cycle() + latency);
        }
        if let Some(&at) = self.answers.front()
            && !io.offering(1)
        {
            if at <= now {
                io.offer(1, &[at & 0xff]);
                self.answers.pop_front();
            } else {
                io.wake(at - 1);
            }
        }
    }
}

impl Model for Environment {
    fn reset(&mut self, _: &[u64], io: &mut Io<'_>) {
        self.offer(io);
        io.accept(0, self.traffic.period > 0);
        if self.traffic.memory.is_some() {
            io.accept(1, true);
        }
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        self.offer(io);
        self.take(io);
        if let Some(latency) = self.traffic.memory {
            self.answer(io, latency);
        }
    }
}

/// A fork, a load on one way, a queue on the other, a join. The load asks the circuit's second
/// output and is answered at its second input. Lines 1 to 4.
pub fn diamond(queue_depth: u32, outstanding: u32) -> Circuit {
    let mut circuit = Circuit::new("diamond");
    let access = Access {
        bytes: 1,
        address_bits: 8,
    };
    let [enter, address, long, data, short, response] = channels(
        &mut circuit,
        ["enter", "address", "long", "data", "short", "response"],
    );
    let request = circuit.add_channel("request", access.request());
    let leave = circuit.add_channel("leave", Fields::new([8, 8]));
    circuit.add_input(enter);
    circuit.add_output(leave);
    circuit.add_output(request);
    circuit.add_input(response);
    let fork = Fork {
        fields: byte(),
        outputs: vec![vec![0], vec![0]],
    };
    let load = Load {
        vector: Vector {
            lanes: 1,
            lane_bits: 8,
            alignment: 1,
        },
        access,
        outstanding,
        results: outstanding,
        enable: Enable::Always,
    };
    let join = Join {
        inputs: vec![byte(), byte()],
    };
    add(&mut circuit, ("split", 1), fork, &[enter], &[address, long]);
    add(
        &mut circuit,
        ("load", 2),
        load,
        &[address, response],
        &[data, request],
    );
    add(
        &mut circuit,
        ("queue", 3),
        fifo(queue_depth),
        &[long],
        &[short],
    );
    add(&mut circuit, ("gather", 4), join, &[data, short], &[leave]);
    circuit
}

/// An environment that gives tokens to a loop, each of which goes round once, and takes all.
pub struct Tokens {
    left: u64,
    token: Vec<u64>,
}

impl Tokens {
    /// Numbers of tokens and of decisions.
    pub fn new(count: u64, decisions: usize) -> Tokens {
        let mut token = vec![0; decisions + 1];
        token[0] = 1;
        Tokens { left: count, token }
    }
}

impl Model for Tokens {
    fn reset(&mut self, _: &[u64], io: &mut Io<'_>) {
        io.accept(0, true);
        io.offer(0, &self.token);
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        if self.left > 0 && !io.offering(0) {
            io.offer(0, &self.token);
            self.left -= 1;
        }
    }
}
