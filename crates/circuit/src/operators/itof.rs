//! Integers to floats.

use super::{Operator, Port, Step, levels, parts};
use crate::area::Area;
use crate::arith::{self, Format, Signedness};
use crate::family::Delays;
use crate::text::parameters;
use crate::unit::require;
use crate::verilog::Source;

/// The operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Itof {
    /// The operand's width, 1 to 64.
    pub width: u32,
    /// How the operand is read.
    pub signedness: Signedness,
    /// The result's format.
    pub format: Format,
}

const SOURCES: &[Source] = &[
    parts::STAGE,
    parts::LZC,
    parts::ROUND,
    Source {
        file: "sluice_itof.v",
        text: include_str!("itof.v"),
    },
];

parameters! { Operator Itof { width, signedness, format } }

impl Operator for Itof {
    fn check(&self) -> Result<(), String> {
        require((1..=64).contains(&self.width), "a width is 1 to 64 bits")
    }

    fn module(&self) -> &'static str {
        "sluice_itof"
    }

    fn sources(&self) -> &'static [Source] {
        SOURCES
    }

    fn parameters(&self) -> Vec<(&'static str, u64)> {
        vec![
            ("WIDTH", self.width.into()),
            ("SIGNED", (self.signedness == Signedness::Signed).into()),
            ("EXP", self.format.exp().into()),
            ("MAN", self.format.man().into()),
        ]
    }

    fn inputs(&self) -> Vec<Port> {
        vec![Port::bits("a", self.width)]
    }

    fn outputs(&self) -> Vec<Port> {
        vec![Port::float("y", self.format)]
    }

    fn steps(&self, ns: &Delays) -> Vec<Step> {
        let (exp, man) = (self.format.exp(), self.format.man());
        let count = parts::clog2(self.width).max(1);
        let fine = count.div_ceil(2);
        let magnitude = match self.signedness {
            Signedness::Signed => ns.carry(self.width) + ns.lut + ns.fan_out,
            Signedness::Unsigned => 0.0,
        };
        let dropped = self.width.saturating_sub(man + 2);
        vec![
            Step::new("magnitude", magnitude, 1 + self.width),
            Step::new(
                "count zeros",
                ns.lzc(self.width) + ns.lut,
                2 + count + self.width,
            ),
            Step::new(
                "normalise coarsely",
                ns.shift(count - fine),
                2 + count + self.width,
            ),
            Step::new(
                "normalise finely",
                ns.shift(fine) + ns.tree(dropped),
                5 + exp + man,
            ),
            parts::round(ns, self.format),
        ]
    }

    fn logic(&self) -> Area {
        let (width, man) = (self.width, self.format.man());
        let signed = u32::from(self.signedness == Signedness::Signed);
        Area::of(
            "itof",
            [
                ("bits of floats", man),
                ("bits", width),
                ("shifted bits", width * levels(width)),
                ("signed bits", signed * width),
            ],
        )
    }

    fn evaluate(&self, inputs: &[u64], outputs: &mut [u64]) {
        outputs[0] = arith::int_to_float(self.signedness, self.width, self.format, inputs[0]);
    }
}

/// The choices for tests and measurements.
pub fn samples() -> Vec<Box<dyn Operator>> {
    let mut samples: Vec<Box<dyn Operator>> = Vec::new();
    for format in Format::ALL {
        for width in [1, 8, 32, 37, 64] {
            for signedness in [Signedness::Signed, Signedness::Unsigned] {
                samples.push(Box::new(Itof {
                    width,
                    signedness,
                    format,
                }));
            }
        }
    }
    samples
}
