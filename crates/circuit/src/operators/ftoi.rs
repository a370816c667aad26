//! Floats to integers, saturating.

use super::{Operator, Port, Step, levels, parts};
use crate::area::Area;
use crate::arith::{self, Format, Signedness};
use crate::family::Delays;
use crate::text::parameters;
use crate::unit::require;
use crate::verilog::Source;

/// The operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ftoi {
    /// The operand's format.
    pub format: Format,
    /// The result's width, 1 to 64.
    pub width: u32,
    /// How the result is read.
    pub signedness: Signedness,
}

const SOURCES: &[Source] = &[
    parts::STAGE,
    Source {
        file: "sluice_ftoi.v",
        text: include_str!("ftoi.v"),
    },
];

parameters! { Operator Ftoi { format, width, signedness } }

impl Operator for Ftoi {
    fn check(&self) -> Result<(), String> {
        require((1..=64).contains(&self.width), "a width is 1 to 64 bits")
    }

    fn module(&self) -> &'static str {
        "sluice_ftoi"
    }

    fn sources(&self) -> &'static [Source] {
        SOURCES
    }

    fn parameters(&self) -> Vec<(&'static str, u64)> {
        vec![
            ("EXP", self.format.exp().into()),
            ("MAN", self.format.man().into()),
            ("WIDTH", self.width.into()),
            ("SIGNED", (self.signedness == Signedness::Signed).into()),
        ]
    }

    fn inputs(&self) -> Vec<Port> {
        vec![Port::float("a", self.format)]
    }

    fn outputs(&self) -> Vec<Port> {
        vec![Port::bits("y", self.width)]
    }

    fn steps(&self, ns: &Delays) -> Vec<Step> {
        let (exp, sig) = (self.format.exp(), self.format.man() + 1);
        let field = self.width.max(sig);
        let amount = parts::clog2(field);
        let fine = amount / 2;
        let sign = match self.signedness {
            Signedness::Signed => ns.carry(self.width) + 2.0 * ns.lut,
            Signedness::Unsigned => ns.lut,
        };
        vec![
            Step::new(
                "find the unit",
                ns.carry(exp.max(7)) + ns.lut,
                3 + amount + sig,
            ),
            Step::new("shift coarsely", ns.shift(amount - fine), 3 + fine + field),
            Step::new("shift finely", ns.shift(fine), 3 + self.width),
            Step::new("apply the sign", sign, self.width),
        ]
    }

    fn logic(&self) -> Area {
        let (width, man) = (self.width, self.format.man());
        let signed = u32::from(self.signedness == Signedness::Signed);
        Area::of(
            "ftoi",
            [
                ("bits of floats", man),
                ("bits", width),
                ("shifted bits", width * levels(width)),
                ("signed bits", signed * width),
            ],
        )
    }

    fn evaluate(&self, inputs: &[u64], outputs: &mut [u64]) {
        outputs[0] = arith::float_to_int(self.format, self.signedness, self.width, inputs[0]);
    }
}

/// The choices for tests and measurements.
pub fn samples() -> Vec<Box<dyn Operator>> {
    let mut samples: Vec<Box<dyn Operator>> = Vec::new();
    for format in Format::ALL {
        for width in [1, 8, 32, 37, 64] {
            for signedness in [Signedness::Signed, Signedness::Unsigned] {
                samples.push(Box::new(Ftoi {
                    format,
                    width,
                    signedness,
                }));
            }
        }
    }
    samples
}
