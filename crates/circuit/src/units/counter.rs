//! The counter: when all work-items of a launch have arrived, it says so once.
//!
//! It takes work-items only from a start on and only as many as it was told, so that those of the
//! next launch wait for their own start.

use crate::operators::Cost;
use crate::sim::Io;
use crate::text::parameters;
use crate::unit::{Fields, Model, Module, Port, UnitKind, Wire};
use crate::verilog::Source;

/// The counter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counter;

const SOURCE: Source = Source {
    file: "sluice_counter.v",
    text: include_str!("counter.v"),
};

const START: usize = 0;
const ITEM: usize = 1;

parameters! { UnitKind Counter {} }

impl UnitKind for Counter {
    fn module(&self) -> Module {
        Module {
            name: "sluice_counter".into(),
            parameters: Vec::new(),
            sources: vec![SOURCE],
            text: None,
        }
    }

    fn inputs(&self) -> Vec<Port> {
        vec![
            Port::new("start", Fields::NONE),
            Port::new("in", Fields::NONE),
        ]
    }

    fn outputs(&self) -> Vec<Port> {
        vec![Port::new("finished", Fields::NONE)]
    }

    fn constants(&self) -> Vec<Wire> {
        let name = "total".into();
        vec![Wire { name, width: 64 }]
    }

    fn latency(&self) -> u32 {
        1
    }

    /// A start; the next one is taken when its end has been taken.
    fn capacity(&self) -> u32 {
        1
    }

    fn cost(&self) -> Cost {
        Cost {
            luts: 186,
            ffs: 67,
            ..Cost::default()
        }
    }

    fn model(&self) -> Box<dyn Model> {
        Box::new(Behaviour::default())
    }
}

#[derive(Default)]
struct Behaviour {
    total: u64,
    remaining: u64,
}

impl Model for Behaviour {
    fn reset(&mut self, constants: &[u64], io: &mut Io<'_>) {
        self.configure(constants);
        self.remaining = 0;
        io.accept(START, true);
    }

    fn configure(&mut self, constants: &[u64]) {
        self.total = constants[0];
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        let starts = io.taken(START).is_some();
        if starts {
            self.remaining = self.total;
        }
        let arrives = io.taken(ITEM).is_some();
        self.remaining -= u64::from(arrives);
        if (starts || arrives) && self.remaining == 0 {
            io.offer(0, &[]);
        }
        io.accept(ITEM, self.remaining > 0);
        io.accept(START, self.remaining == 0 && !io.offering(0));
    }
}

/// The choices for tests.
pub fn samples() -> Vec<Box<dyn UnitKind>> {
    // Several, because each gets a total of its own.
    (0..4).map(|_| Box::new(Counter) as Box<dyn UnitKind>).collect()
}
