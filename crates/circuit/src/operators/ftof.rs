//! Floats to floats of another format.

use super::delay::{LUT, carry, lzc, shift, tree};
use super::{Cost, Operator, Port, Step, parts};
use crate::arith::{self, Format};
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

    fn steps(&self) -> Vec<Step> {
        let (from, exp, man) = (self.from.man(), self.to.exp(), self.to.man());
        let wide = self.from.exp().max(exp) + 2;
        if self.to > self.from {
            let count = parts::clog2(from);
            return vec![
                Step::new("count zeros", lzc(from), 4 + wide + count + from),
                Step::new("normalise", shift(count) + LUT, 3 + exp + from),
                Step::new("pack", LUT, exp + man + 1),
            ];
        }
        let amount = parts::clog2(man + 3);
        let unpack = 2.0 * carry(wide) + 2.0 * LUT;
        vec![
            Step::new("unpack", unpack, 7 + exp + amount + man),
            Step::new("shift", shift(amount) + LUT, 5 + exp + man),
            Step::new("round", tree(4) + carry(exp + man) + LUT, exp + man + 1),
        ]
    }

    fn logic(&self) -> Cost {
        let luts = match (self.from, self.to) {
            (Format::F16, Format::F32) => 97,
            (Format::F16, Format::F64) => 99,
            (Format::F32, Format::F64) => 232,
            (Format::F32, Format::F16) => 128,
            (Format::F64, Format::F16) => 144,
            (Format::F64, Format::F32) => 257,
            (Format::F16, Format::F16)
            | (Format::F32, Format::F32)
            | (Format::F64, Format::F64) => 0,
        };
        Cost {
            luts,
            ..Cost::default()
        }
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
