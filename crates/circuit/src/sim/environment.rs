//! The environment of a circuit whose inside is not simulated here: hardware, or its Verilog under
//! another simulator. The same model serves as the environment of a [`super::Simulator`], so that the
//! two can be compared cycle by cycle.

use cranelift_entity::EntityRef;

use super::Io;
use super::io::PortMap;
use super::wheel::Wheel;
use super::wires::{Ends, Pin, Shape, Wires};
use crate::circuit::{Channel, Circuit};
use crate::unit::{Intake, Model};

/// A model of the environment, driven by pins.
pub struct Environment {
    model: Box<dyn Model>,
    ports: PortMap,
    ends: Ends,
    wires: Wires,
    wheel: Wheel,
    inputs: usize,
}

/// The channels between a circuit and its environment, by the fields of each.
#[derive(Clone, Debug)]
pub struct Interface {
    inputs: Vec<usize>,
    outputs: Vec<usize>,
}

impl Interface {
    /// Those of a circuit.
    pub fn of(circuit: &Circuit) -> Interface {
        let fields = |channels: &[Channel]| -> Vec<usize> {
            let all = channels.iter().map(|&it| &circuit.channels()[it]);
            all.map(|channel| channel.fields.len()).collect()
        };
        Interface {
            inputs: fields(circuit.inputs()),
            outputs: fields(circuit.outputs()),
        }
    }
}

impl Environment {
    /// Puts the environment of a circuit into its state after reset.
    pub fn new(circuit: &Circuit, model: Box<dyn Model>) -> Environment {
        Environment::with(&Interface::of(circuit), model)
    }

    /// As [`Environment::new`], of a circuit of which only the channels at its pins are known.
    pub fn with(interface: &Interface, model: Box<dyn Model>) -> Environment {
        let inputs = interface.inputs.len();
        let all = inputs + interface.outputs.len();
        let channels = interface.inputs.iter().chain(&interface.outputs);
        // Of a channel the model knows the one end, the circuit's pins are the other.
        let shapes = channels.enumerate().map(|(index, &fields)| Shape {
            fields,
            from: match index < inputs {
                true => Pin::new(0, index),
                false => Pin::unseen(0),
            },
            to: match index < inputs {
                true => Pin::unseen(0),
                false => Pin::new(0, index - inputs),
            },
            joined: false,
            is_ready: false,
        });
        let wires = Wires::new(1, shapes);
        let numbered = |range: std::ops::Range<usize>| range.map(Channel::new).collect::<Vec<_>>();
        let ports = PortMap::new(
            &wires,
            &numbered(inputs..all),
            &numbered(0..inputs),
            Intake::Separate,
        );
        let mut environment = Environment {
            model,
            ports,
            ends: Ends::default(),
            wires,
            wheel: Wheel::default(),
            inputs,
        };
        let (wires, ends) = (&mut environment.wires, &mut environment.ends);
        let mut io = Io::new(wires, &environment.ports, ends, 0);
        environment.model.reset(&[], &mut io);
        io.end();
        environment.settle();
        environment
    }

    /// The number of the cycle.
    pub fn cycle(&self) -> u64 {
        self.wires.cycle
    }

    /// What is driven at the circuit's input: valid and the token.
    pub fn drives(&self, input: usize) -> (bool, &[u64]) {
        self.wires.standing(input)
    }

    /// What is driven at the circuit's output: ready.
    pub fn accepts(&self, output: usize) -> bool {
        self.wires.driven((self.inputs + output) as u32).1
    }

    /// Says what the circuit drives at an input in this cycle: ready.
    pub fn input_pins(&mut self, input: usize, ready: bool) {
        self.wires.set_ready(input, ready);
    }

    /// Says what the circuit drives at an output in this cycle: the token, if it is valid.
    pub fn output_pins(&mut self, output: usize, token: Option<&[u64]>) {
        self.wires.set_standing(self.inputs + output, token);
    }

    /// The clock edge that ends the cycle, after all pins were said.
    pub fn edge(&mut self) {
        self.wheel.take(self.wires.cycle, &mut self.wires.soon);
        self.wires.fire_ready();
        self.wires.begin_edge(std::slice::from_mut(&mut self.ends));
        for unit in self.wires.concerned.take(0) {
            let mut io = Io::new(&mut self.wires, &self.ports, &mut self.ends, unit);
            self.model.clock(&mut io);
            io.end();
        }
        self.wires.cycle += 1;
        self.settle();
    }

    fn settle(&mut self) {
        for (unit, cycle) in self.wires.wakes.drain(..) {
            self.wheel.add(cycle, unit);
        }
        self.wires.settle();
    }
}
