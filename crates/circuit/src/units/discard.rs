//! A discard: takes every token and drops it.

use crate::area::Area;
use crate::connect::Input;
use crate::sim::Io;
use crate::text::parameters;
use crate::unit::{DEEPEST, Fields, Model, Module, Port, UnitKind};
use crate::verilog::Source;

/// The discard.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Discard {
    /// What the tokens carry.
    pub fields: Fields,
}

const SOURCE: Source = Source {
    file: "sluice_discard.v",
    text: include_str!("discard.v"),
};

impl Discard {
    /// Tokens.
    pub const IN: Input<Discard> = Input::new(0, "in");
}

parameters! { UnitKind Discard { fields } }

impl UnitKind for Discard {
    fn module(&self) -> Module {
        Module {
            name: "sluice_discard".into(),
            parameters: vec![("WIDTH", self.fields.bits().max(1).into())],
            sources: vec![SOURCE],
            text: None,
        }
    }

    fn inputs(&self) -> Vec<Port> {
        vec![Discard::IN.carrying(self.fields.clone())]
    }

    fn outputs(&self) -> Vec<Port> {
        Vec::new()
    }

    fn latency(&self) -> u32 {
        0
    }

    /// It never stops taking tokens.
    fn capacity(&self) -> u32 {
        DEEPEST
    }

    fn area(&self) -> Area {
        Area::default()
    }

    fn model(&self) -> Box<dyn Model> {
        Box::new(Behaviour)
    }
}

struct Behaviour;

impl Model for Behaviour {
    fn reset(&mut self, _: &[u64], io: &mut Io<'_>) {
        io.accept(0, true);
    }

    fn clock(&mut self, _: &mut Io<'_>) {}
}

/// The choices for tests.
pub fn samples() -> Vec<Box<dyn UnitKind>> {
    [vec![8], vec![], vec![1, 64, 33]]
        .map(|widths| {
            Box::new(Discard {
                fields: Fields::new(widths),
            }) as Box<dyn UnitKind>
        })
        .into()
}
