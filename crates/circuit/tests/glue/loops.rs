//! Small loops: gate, select, a queue as body, branch, a queue on the back edge.

use sluice_circuit::circuit::{Channel, Circuit};
use sluice_circuit::unit::{Fields, UnitKind};
use sluice_circuit::units::branch::Branch;
use sluice_circuit::units::fifo::Fifo;
use sluice_circuit::units::loop_gate::LoopGate;
use sluice_circuit::units::select::{Policy, Select};

/// Tokens decide for themselves how often they go round: a bit says so each time. The last one
/// stands for all times after it: enough for nearly all random tokens to leave before.
pub const DECISIONS: usize = 12;

/// Bits of a token's number.
const NUMBER: u32 = 16;

/// Which input of the select comes first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum First {
    Entry,
    BackEdge,
}

/// A loop.
pub struct Loop {
    pub body_depth: u32,
    pub back_depth: u32,
    pub policy: Policy,
    pub first: First,
}

impl Loop {
    fn fields() -> Fields {
        Fields::new([1; DECISIONS]).followed_by(&Fields::new([NUMBER]))
    }

    fn select(&self) -> Select {
        Select {
            fields: Loop::fields(),
            inputs: 2,
            policy: self.policy,
        }
    }

    fn queue(depth: u32) -> Fifo {
        Fifo {
            fields: Loop::fields(),
            depth,
        }
    }

    /// Going round, the decisions move on.
    fn branch() -> Branch {
        let later = DECISIONS - 1;
        let shifted = (0..later).chain([later - 1, later]);
        Branch {
            fields: Fields::new([1].repeat(later)).followed_by(&Fields::new([NUMBER])),
            on_true: shifted.collect(),
            on_false: vec![later],
        }
    }

    /// What the units on the loop's cycle hold.
    pub fn storage(&self) -> u32 {
        self.select().capacity()
            + Loop::queue(self.body_depth).capacity()
            + Loop::branch().capacity()
            + Loop::queue(self.back_depth).capacity()
    }

    /// The loop as a circuit, with a limit for its gate.
    pub fn circuit(&self, name: &str, limit: u32) -> Circuit {
        let number = Fields::new([NUMBER]);
        let mut circuit = Circuit::new(name);
        let [enter, entry, back, merged, decided, again] =
            ["enter", "entry", "back", "merged", "decided", "again"]
                .map(|name| circuit.add_channel(name, Loop::fields()));
        let [exit, leave] = ["exit", "leave"].map(|name| circuit.add_channel(name, number.clone()));
        circuit.add_input(enter);
        circuit.add_output(leave);
        let gate = LoopGate {
            entry: Loop::fields(),
            exits: vec![number],
            limit,
        };
        let merging = match self.first {
            First::Entry => [entry, back],
            First::BackEdge => [back, entry],
        };
        add(&mut circuit, "gate", gate, &[enter, exit], &[entry, leave]);
        add(&mut circuit, "merge", self.select(), &merging, &[merged]);
        let body = Loop::queue(self.body_depth);
        add(&mut circuit, "body", body, &[merged], &[decided]);
        add(
            &mut circuit,
            "decide",
            Loop::branch(),
            &[decided],
            &[again, exit],
        );
        let back_edge = Loop::queue(self.back_depth);
        add(&mut circuit, "back_edge", back_edge, &[again], &[back]);
        circuit
    }
}

fn add(
    circuit: &mut Circuit,
    name: &str,
    kind: impl UnitKind + 'static,
    inputs: &[Channel],
    outputs: &[Channel],
) {
    circuit
        .unit(name, kind)
        .inputs_in_order(inputs.iter().copied())
        .outputs_in_order(outputs.iter().copied())
        .add();
}
