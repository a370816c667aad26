//! A watch sees the tokens of the channels that it was given, each once, in their order.

use std::sync::{Arc, Mutex};

use sluice_circuit::circuit::{Channel, Circuit};
use sluice_circuit::sim::{Io, Simulator};
use sluice_circuit::unit::{Fields, Model};
use sluice_circuit::units::fifo::Fifo;

/// More than the simulator keeps together.
const QUEUES: usize = 70;

const TOKENS: u64 = 20;

/// Gives every queue its tokens, and takes what comes out in two of three cycles.
struct Ends {
    next: Vec<u64>,
}

impl Model for Ends {
    fn reset(&mut self, _: &[u64], io: &mut Io<'_>) {
        io.wake(0);
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        for (queue, next) in self.next.iter_mut().enumerate() {
            if *next < TOKENS && !io.offering(queue) {
                io.offer(queue, &[100 * queue as u64 + *next]);
                *next += 1;
            }
            io.accept(queue, !(io.cycle() + queue as u64).is_multiple_of(3));
        }
        io.wake(io.cycle() + 1);
    }
}

#[test]
fn tokens_of_chosen_channels_are_seen_once() {
    let fields = || Fields::new([32]);
    let queue = |_| {
        let fields = fields();
        Box::new(Fifo { fields, depth: 2 }) as _
    };
    let circuit = Circuit::of_units("queues", (0..QUEUES).map(queue).collect());
    let channels: Vec<Channel> = [
        circuit.inputs()[69],
        circuit.outputs()[3],
        circuit.inputs()[0],
        circuit.outputs()[69],
    ]
    .into();
    let seen = Arc::new(Mutex::new(vec![Vec::new(); channels.len()]));
    let ends = Ends {
        next: vec![0; QUEUES],
    };
    let mut simulator = Simulator::new(&circuit, Box::new(ends), &[]);
    let record = Arc::clone(&seen);
    let watch = move |number: usize, token: &[u64]| record.lock().unwrap()[number].push(token[0]);
    simulator.watch(&channels, Box::new(watch));
    while simulator.step(200) {}
    let expected = [69, 3, 0, 69].map(|queue| (0..TOKENS).map(move |n| 100 * queue + n));
    let expected = expected.map(|tokens| tokens.collect::<Vec<u64>>());
    assert_eq!(*seen.lock().unwrap(), expected);
}
