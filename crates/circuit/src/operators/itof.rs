//! Integers to floats.

use super::{Operator, Port, Step, interpolate, parts};
use crate::arith::{self, Format, Signedness};
use crate::cost::Ecp5Cost;
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
        let magnitude = match self.signedness {
            Signedness::Signed => ns.carry(self.width) + ns.lut,
            Signedness::Unsigned => 0.0,
        };
        let dropped = self.width.saturating_sub(man + 2);
        vec![
            Step::new("magnitude", magnitude, 1 + self.width),
            Step::new("count zeros", ns.lzc(self.width), 2 + count + self.width),
            Step::new(
                "normalise",
                ns.shift(count) + ns.tree(dropped),
                5 + exp + man,
            ),
            parts::round(ns, self.format),
        ]
    }

    fn logic(&self) -> Ecp5Cost {
        use Signedness::{Signed, Unsigned};
        let points: &[(u32, u32)] = match (self.format, self.signedness) {
            (Format::F16, Signed) => &[(1, 4), (8, 53), (32, 331), (64, 787)],
            (Format::F16, Unsigned) => &[(1, 4), (8, 39), (32, 297), (64, 683)],
            (Format::F32, Signed) => &[(1, 4), (8, 56), (32, 315), (64, 838)],
            (Format::F32, Unsigned) => &[(1, 4), (8, 40), (32, 274), (64, 685)],
            (Format::F64, Signed) => &[(1, 4), (8, 59), (32, 426), (64, 661)],
            (Format::F64, Unsigned) => &[(1, 4), (8, 45), (32, 363), (64, 539)],
        };
        Ecp5Cost {
            luts: interpolate(points, self.width),
            ..Ecp5Cost::default()
        }
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
