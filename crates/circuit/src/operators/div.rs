//! Quotient and remainder of integers.

use super::{Operator, Port, Step, parts};
use crate::area::Area;
use crate::arith::{self, Signedness};
use crate::family::Delays;
use crate::text::parameters;
use crate::unit::require;
use crate::verilog::Source;

/// The operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Div {
    /// The operands' and the results' width, 1 to 64.
    pub width: u32,
    /// How operands and results are read.
    pub signedness: Signedness,
}

const SOURCES: &[Source] = &[
    parts::STAGE,
    Source {
        file: "sluice_div.v",
        text: include_str!("div.v"),
    },
];

parameters! { Operator Div { width, signedness } }

impl Operator for Div {
    fn check(&self) -> Result<(), String> {
        require((1..=64).contains(&self.width), "a width is 1 to 64 bits")
    }

    fn module(&self) -> &'static str {
        "sluice_div"
    }

    fn sources(&self) -> &'static [Source] {
        SOURCES
    }

    fn parameters(&self) -> Vec<(&'static str, u64)> {
        vec![
            ("WIDTH", self.width.into()),
            ("SIGNED", (self.signedness == Signedness::Signed).into()),
        ]
    }

    fn inputs(&self) -> Vec<Port> {
        vec![Port::bits("a", self.width), Port::bits("b", self.width)]
    }

    fn outputs(&self) -> Vec<Port> {
        vec![
            Port::bits("quotient", self.width),
            Port::bits("remainder", self.width),
        ]
    }

    fn steps(&self, ns: &Delays) -> Vec<Step> {
        let width = self.width;
        let (sign, signs) = match self.signedness {
            Signedness::Signed => (ns.carry(width) + ns.lut, 2),
            Signedness::Unsigned => (0.0, 0),
        };
        let mut steps = vec![Step::new("magnitudes", sign, signs + 2 * width)];
        for digit in 1..=width {
            // Where the remainder is shorter than the divisor, the divisor's higher bits decide, too.
            let above = match width - digit {
                0 => 0.0,
                bits => ns.tree(bits),
            };
            let delay = (ns.carry(digit + 1) + ns.lut).max(above) + ns.shift(1);
            steps.push(Step::new("digit", delay, signs + 2 * width + digit));
        }
        steps.push(Step::new("signs", sign, 2 * width));
        steps
    }

    fn logic(&self) -> Area {
        let signed = u32::from(self.signedness == Signedness::Signed);
        Area::of(
            "div",
            [
                ("bits", self.width),
                ("bits by bits", self.width * self.width),
                ("signed bits", signed * self.width),
            ],
        )
    }

    fn evaluate(&self, inputs: &[u64], outputs: &mut [u64]) {
        outputs[0] = arith::quotient(self.signedness, self.width, inputs[0], inputs[1]);
        outputs[1] = arith::remainder(self.signedness, self.width, inputs[0], inputs[1]);
    }
}

/// The choices for tests and measurements.
pub fn samples() -> Vec<Box<dyn Operator>> {
    let mut samples: Vec<Box<dyn Operator>> = Vec::new();
    for signedness in [Signedness::Signed, Signedness::Unsigned] {
        for width in [1, 8, 13, 16, 32, 64] {
            samples.push(Box::new(Div { width, signedness }));
        }
    }
    samples
}
