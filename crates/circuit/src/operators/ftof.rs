//! Floats to floats of another format.

use super::{Operator, Port, Step, parts};
use crate::area::Area;
use crate::arith::{self, Format};
use crate::family::Delays;
use crate::text::parameters;
use crate::unit::require;
use crate::verilog::Source;

/// The operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ftof {
    /// The operand's format.
    pub from: Format,
    /// The result's format, another one.
    pub to: Format,
}

const SOURCES: &[Source] = &[
    parts::STAGE,
    parts::LZC,
    parts::SHIFT_STICKY,
    parts::ROUND,
    Source {
        file: "sluice_ftof.v",
        text: include_str!("ftof.v"),
    },
];

parameters! { Operator Ftof { from, to } }

impl Operator for Ftof {
    fn check(&self) -> Result<(), String> {
        require(self.from != self.to, "a conversion is between two formats")
    }

    fn module(&self) -> &'static str {
        "sluice_ftof"
    }

    fn sources(&self) -> &'static [Source] {
        SOURCES
    }

    fn parameters(&self) -> Vec<(&'static str, u64)> {
        vec![
            ("EXP_A", self.from.exp().into()),
            ("MAN_A", self.from.man().into()),
            ("EXP_Y", self.to.exp().into()),
            ("MAN_Y", self.to.man().into()),
        ]
    }

    fn inputs(&self) -> Vec<Port> {
        vec![Port::float("a", self.from)]
    }

    fn outputs(&self) -> Vec<Port> {
        vec![Port::float("y", self.to)]
    }

    fn steps(&self, ns: &Delays) -> Vec<Step> {
        let (from, exp, man) = (self.from.man(), self.to.exp(), self.to.man());
        let wide = self.from.exp().max(exp) + 2;
        if self.to > self.from {
            let count = parts::clog2(from);
            return vec![
                Step::new("count zeros", ns.lzc(from), 4 + wide + count + from),
                Step::new("normalise", ns.shift(count) + ns.lut, 3 + exp + from),
                Step::new("pack", ns.lut, exp + man + 1),
            ];
        }
        let amount = parts::clog2(man + 3);
        let unpack = 2.0 * ns.carry(wide) + 2.0 * ns.lut;
        vec![
            Step::new("unpack", unpack, 7 + exp + amount + man),
            Step::new("shift", ns.shift(amount) + ns.lut, 5 + exp + man),
            parts::round(ns, self.to),
        ]
    }

    fn logic(&self) -> Area {
        let (from, to) = (self.from.man(), self.to.man());
        let [wider, narrower] = match from < to {
            true => [from, 0],
            false => [0, to],
        };
        Area::of(
            "ftof",
            [
                ("units", 1),
                ("bits to a wider format", wider),
                ("bits to a narrower format", narrower),
            ],
        )
    }

    fn evaluate(&self, inputs: &[u64], outputs: &mut [u64]) {
        outputs[0] = arith::float_to_float(self.from, self.to, inputs[0]);
    }
}

/// The choices for tests and measurements.
pub fn samples() -> Vec<Box<dyn Operator>> {
    let mut samples: Vec<Box<dyn Operator>> = Vec::new();
    for from in Format::ALL {
        for to in Format::ALL {
            if from != to {
                samples.push(Box::new(Ftof { from, to }));
            }
        }
    }
    samples
}
