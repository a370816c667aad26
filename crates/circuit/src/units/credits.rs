//! Credits: a queue that begins with tokens. A loop that passes it holds this number of tokens, so that an
//! iteration that takes one waits for the iteration that number before it, which gives it back.

use super::fifo::bits_of;
use crate::area::Area;
use crate::connect::{Input, Output};
use crate::sim::Io;
use crate::text::parameters;
use crate::unit::{DEEPEST, Fields, Model, Module, Origin, Passage, Port, UnitKind, require};
use crate::verilog::Source;

/// The credits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Credits {
    /// The tokens that are there after reset, and the most that it holds.
    pub count: u32,
}

const SOURCE: Source = Source {
    file: "sluice_credits.v",
    text: include_str!("credits.v"),
};

impl Credits {
    /// Tokens that come back.
    pub const IN: Input<Credits> = Input::new(0, "in");
    /// Tokens, at first those that are there after reset.
    pub const OUT: Output<Credits> = Output::new(0, "out");
}

parameters! { UnitKind Credits { count } }

impl UnitKind for Credits {
    fn check(&self) -> Result<(), String> {
        require(
            (1..=DEEPEST).contains(&self.count),
            "there are 1 to a million credits",
        )
    }

    fn passage(&self) -> Passage {
        Passage::Credits
    }

    fn module(&self) -> Module {
        Module {
            name: "sluice_credits".into(),
            parameters: vec![("COUNT", self.count.into())],
            sources: vec![SOURCE],
            text: None,
        }
    }

    fn inputs(&self) -> Vec<Port> {
        vec![Credits::IN.carrying(Fields::NONE)]
    }

    fn outputs(&self) -> Vec<Port> {
        vec![Credits::OUT.carrying(Fields::NONE)]
    }

    /// What was there after reset is given without one that came: if none is left, all that is missing
    /// has yet to come.
    fn origin(&self, _: usize) -> Origin {
        Origin::Input(0)
    }

    fn latency(&self) -> u32 {
        1
    }

    fn capacity(&self) -> u32 {
        self.count
    }

    fn area(&self) -> Area {
        Area::of(
            "credits",
            [("units", 1), ("count bits", bits_of(self.count))],
        )
    }

    fn model(&self) -> Box<dyn Model> {
        Box::new(Behaviour {
            count: self.count,
            held: self.count,
        })
    }
}

struct Behaviour {
    count: u32,
    /// Tokens that are here, the one that is offered included.
    held: u32,
}

impl Model for Behaviour {
    fn reset(&mut self, _: &[u64], io: &mut Io<'_>) {
        self.held = self.count;
        io.offer(0, &[]);
        io.accept(0, false);
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        self.held += u32::from(io.takes(0));
        self.held -= u32::from(io.given(0));
        if self.held > 0 && !io.offering(0) {
            io.offer(0, &[]);
        }
        io.accept(0, self.held < self.count);
    }
}

/// The choices for tests.
pub fn samples() -> Vec<Box<dyn UnitKind>> {
    [1, 2, 3, 8, 100]
        .map(|count| Box::new(Credits { count }) as Box<dyn UnitKind>)
        .into()
}
