//! Atomic operations before an arbiter and a memory whose port reads and writes in turns.

use std::sync::{Arc, Mutex};

use sluice_circuit::circuit::{Channel, Circuit};
use sluice_circuit::sim::{Io, Simulator};
use sluice_circuit::unit::{Model, Port, UnitKind};
use sluice_circuit::units::arbiter::{Arbiter, Flush};
use sluice_circuit::units::atomics::Atomics;
use sluice_circuit::units::private_memory::PrivateMemory;

/// The circuit. Its ports are those of the instructions.
fn circuit(kind: &Atomics) -> Circuit {
    let mut circuit = Circuit::new("shared_port");
    let count = kind.operations.len();
    let channels = |circuit: &mut Circuit, ports: Vec<Port>| -> Vec<Channel> {
        let add = |port: Port| circuit.add_channel(port.name, port.fields);
        ports.into_iter().map(add).collect()
    };
    let inputs = channels(&mut circuit, kind.inputs());
    let outputs = channels(&mut circuit, kind.outputs());
    inputs[..count].iter().for_each(|&it| circuit.add_input(it));
    outputs[..count]
        .iter()
        .for_each(|&it| circuit.add_output(it));
    let request = circuit.add_channel("request", kind.access.request());
    let answer = circuit.add_channel("answer", kind.access.response());
    let arbiter = Arbiter {
        readers: 1,
        writers: 1,
        access: kind.access,
        outstanding: 32,
        flush: Flush::None,
    };
    let memory = PrivateMemory {
        access: kind.access,
        bytes: 64,
    };
    let (response, requests) = (inputs[count], outputs[count..].to_vec());
    let units: [(&str, Box<dyn UnitKind>, _, _); 3] = [
        ("atomics", Box::new(kind.clone()), inputs, outputs),
        (
            "arbiter",
            Box::new(arbiter),
            [requests, vec![answer]].concat(),
            vec![response, request],
        ),
        ("memory", Box::new(memory), vec![request], vec![answer]),
    ];
    for (name, kind, inputs, outputs) in units {
        circuit
            .any_unit(name, kind)
            .inputs_in_order(inputs)
            .outputs_in_order(outputs)
            .add();
    }
    circuit
}

/// Gives tokens to each instruction as fast as they are taken.
struct Haste {
    instructions: usize,
    token: Vec<u64>,
    results: Arc<Mutex<Vec<(u64, u64)>>>,
}

impl Model for Haste {
    fn reset(&mut self, _: &[u64], io: &mut Io<'_>) {
        (0..self.instructions).for_each(|at| io.accept(at, true));
        io.wake(0);
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        for at in 0..self.instructions {
            if let Some(token) = io.taken(at) {
                let result = (io.cycle(), token[0]);
                self.results.lock().unwrap().push(result);
            }
            if !io.offering(at) {
                io.offer(at, &self.token);
            }
        }
        io.wake(io.cycle() + 1);
    }
}

/// Gives all instructions this token for `cycles` cycles; when results came, and which.
pub fn run(kind: &Atomics, token: &[u64], cycles: u64) -> Vec<(u64, u64)> {
    let results = Arc::new(Mutex::new(Vec::new()));
    let haste = Haste {
        instructions: kind.operations.len(),
        token: token.to_vec(),
        results: Arc::clone(&results),
    };
    let mut simulator = Simulator::new(&circuit(kind), Box::new(haste), &[]);
    while simulator.step(cycles) {}
    let results = results.lock().unwrap();
    results.clone()
}
