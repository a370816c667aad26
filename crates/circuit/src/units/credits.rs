//! Credits: a queue that begins with tokens. What takes one of them for each of its tokens, and gives one back for each
//! that is done, is never more than that number of tokens ahead: an iteration waits for an earlier one.

use crate::area::Area;
use crate::connect::{Input, Output};
use crate::sim::Io;
use crate::text::parameters;
use crate::unit::{DEEPEST, Fields, Model, Module, Origin, Passage, Port, UnitKind, require};
use crate::verilog::Source;

/// The queue.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Credits {
    /// The tokens that it begins with, which are also the most that it holds.
    pub count: u32,
}

impl Credits {
    /// Tokens that come back.
    pub const IN: Input<Credits> = Input::new(0, "in");
    /// Tokens that are left.
    pub const OUT: Output<Credits> = Output::new(0, "out");

    fn bits(&self) -> u32 {
        (32 - self.count.leading_zeros()).max(2)
    }
}

parameters! { UnitKind Credits { count } }

impl UnitKind for Credits {
    fn check(&self) -> Result<(), String> {
        require(
            (1..=DEEPEST).contains(&self.count),
            "there are 1 to a million credits",
        )
    }

    /// What comes back was there from the beginning: it makes no cycle that could fill up.
    fn passage(&self) -> Passage {
        Passage::Between(Vec::new())
    }

    fn module(&self) -> Module {
        Module {
            name: "sluice_credits".into(),
            parameters: vec![("COUNT", self.count.into()), ("BITS", self.bits().into())],
            sources: vec![Source {
                file: "sluice_credits.v",
                text: include_str!("credits.v"),
            }],
            text: None,
        }
    }

    fn inputs(&self) -> Vec<Port> {
        vec![Credits::IN.carrying(Fields::NONE)]
    }

    fn outputs(&self) -> Vec<Port> {
        vec![Credits::OUT.carrying(Fields::NONE)]
    }

    /// If none is left, it waits for one to come back.
    fn origin(&self, _: usize) -> Origin {
        Origin::Among(0)
    }

    fn latency(&self) -> u32 {
        1
    }

    fn capacity(&self) -> u32 {
        self.count
    }

    fn area(&self) -> Area {
        // Not measured apart: the count of a gate.
        Area::of("loop_gate", [("units", 1), ("count bits", self.bits())])
    }

    fn model(&self) -> Box<dyn Model> {
        Box::new(Behaviour {
            count: self.count,
            left: 0,
        })
    }
}

struct Behaviour {
    count: u32,
    left: u32,
}

impl Model for Behaviour {
    fn reset(&mut self, _: &[u64], io: &mut Io<'_>) {
        self.left = self.count;
        io.offer(0, &[]);
        io.accept(0, false);
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        self.left += u32::from(io.takes(0));
        self.left -= u32::from(io.given(0));
        if self.left > 0 && !io.offering(0) {
            io.offer(0, &[]);
        }
        io.accept(0, self.left < self.count);
    }
}

/// The choices for tests.
pub fn samples() -> Vec<Box<dyn UnitKind>> {
    [1, 2, 3, 64]
        .map(|count| Box::new(Credits { count }) as Box<dyn UnitKind>)
        .into()
}
