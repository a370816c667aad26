//! An environment that always has tokens, and takes them from some outputs.

use std::sync::{Arc, Mutex};

use sluice_circuit::circuit::Circuit;
use sluice_circuit::sim::{Io, Simulator};
use sluice_circuit::unit::Model;
use sluice_circuit::units::segment::Segment;

/// By port: the tokens that passed, with their cycles.
#[derive(Clone, Default)]
pub struct Passed {
    pub inputs: Vec<Vec<(u64, Vec<u64>)>>,
    pub outputs: Vec<Vec<(u64, Vec<u64>)>>,
}

struct Traffic {
    widths: Vec<Vec<u32>>,
    offered: Vec<Vec<u64>>,
    /// By output: whether it is ever ready.
    ready: Vec<bool>,
    random: u64,
    passed: Arc<Mutex<Passed>>,
}

impl Traffic {
    fn token(&mut self, port: usize) -> Vec<u64> {
        let widths = self.widths[port].iter();
        let token = widths.map(|width| {
            self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut bits = self.random;
            bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            (bits ^ (bits >> 31)) >> (64 - width)
        });
        token.collect()
    }
}

impl Model for Traffic {
    fn reset(&mut self, _: &[u64], io: &mut Io<'_>) {
        for port in 0..self.widths.len() {
            self.offered[port] = self.token(port);
            io.offer(port, &self.offered[port]);
        }
        for (port, &ready) in self.ready.iter().enumerate() {
            io.accept(port, ready);
        }
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        let cycle = io.cycle();
        let passed = Arc::clone(&self.passed);
        let mut passed = passed.lock().unwrap();
        for port in 0..self.ready.len() {
            if let Some(token) = io.taken(port) {
                passed.outputs[port].push((cycle, token.to_vec()));
            }
        }
        for port in 0..self.widths.len() {
            if io.given(port) {
                let next = self.token(port);
                let token = std::mem::replace(&mut self.offered[port], next);
                passed.inputs[port].push((cycle, token));
                io.offer(port, &self.offered[port]);
            }
        }
    }
}

/// Runs a segment alone for `cycles` cycles.
pub fn run(segment: &Segment, ready: &[bool], constants: &[u64], cycles: u64) -> Passed {
    let circuit = Circuit::of_units("alone", vec![Box::new(segment.clone())]);
    let widths = segment.graph().inputs.iter();
    let widths: Vec<Vec<u32>> = widths.map(|fields| fields.widths().collect()).collect();
    let passed = Arc::new(Mutex::new(Passed {
        inputs: vec![Vec::new(); widths.len()],
        outputs: vec![Vec::new(); ready.len()],
    }));
    let traffic = Traffic {
        offered: vec![Vec::new(); widths.len()],
        widths,
        ready: ready.to_vec(),
        random: 1,
        passed: Arc::clone(&passed),
    };
    let mut simulator = Simulator::new(&circuit, Box::new(traffic), constants);
    while simulator.step(cycles) {}
    let passed = passed.lock().unwrap();
    passed.clone()
}
