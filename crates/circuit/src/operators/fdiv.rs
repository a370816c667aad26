//! Quotient of floats.

use super::{Operator, Port, Step, levels, parts};
use crate::area::Area;
use crate::arith::{self, Format, Subnormals};
use crate::family::Delays;
use crate::text::parameters;
use crate::verilog::Source;

/// The operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fdiv {
    /// The operands' and the result's format.
    pub format: Format,
    /// What becomes of subnormal operands and results; without them nothing is shifted.
    pub subnormals: Subnormals,
}

const SOURCES: &[Source] = &[
    parts::STAGE,
    parts::LZC,
    parts::SHIFT_STICKY,
    parts::ROUND,
    Source {
        file: "sluice_fdiv.v",
        text: include_str!("fdiv.v"),
    },
];

parameters! { Operator Fdiv { format, subnormals } }

impl Operator for Fdiv {
    fn module(&self) -> &'static str {
        "sluice_fdiv"
    }

    fn sources(&self) -> &'static [Source] {
        SOURCES
    }

    fn parameters(&self) -> Vec<(&'static str, u64)> {
        vec![
            ("EXP", self.format.exp().into()),
            ("MAN", self.format.man().into()),
            ("FTZ", (self.subnormals == Subnormals::Flushed).into()),
        ]
    }

    fn inputs(&self) -> Vec<Port> {
        vec![Port::float("a", self.format), Port::float("b", self.format)]
    }

    fn outputs(&self) -> Vec<Port> {
        vec![Port::float("y", self.format)]
    }

    fn steps(&self, ns: &Delays) -> Vec<Step> {
        let (exp, man) = (self.format.exp(), self.format.man());
        let (sig, wide, digits) = (man + 1, exp + 2, man + 3);
        let head = 3 + wide;
        let count = parts::clog2(sig);
        let amount = parts::clog2(digits + 1);
        let fine = amount / 2;
        let operands = head + 2 * sig;
        let exponent = ns.carry(wide);
        let mut steps = vec![Step::new("unpack", ns.tree(exp) + 2.0 * exponent, operands)];
        steps.extend(match self.subnormals {
            Subnormals::Kept => [
                Step::new("count zeros", ns.lzc(sig), operands + 2 * count),
                Step::new(
                    "normalise operands",
                    ns.shift(count).max(2.0 * exponent),
                    operands,
                ),
            ],
            Subnormals::Flushed => [Step::new("no shift", 0.0, operands); 2],
        });
        for digit in 0..digits {
            let width = head + 2 * sig + digit + 1;
            steps.push(Step::new("digit", ns.carry(sig + 2) + ns.shift(1), width));
        }
        let normalise = 2.0 * exponent + 2.0 * ns.lut;
        let packed = 5 + exp + man;
        steps.extend(match self.subnormals {
            Subnormals::Kept => [
                Step::new("normalise", normalise, 4 + exp + wide + digits),
                Step::new(
                    "shift coarsely",
                    ns.shift(amount - fine) + ns.lut,
                    4 + exp + fine + digits,
                ),
                Step::new("shift finely", ns.shift(fine), packed),
            ],
            Subnormals::Flushed => [
                Step::new(
                    "normalise",
                    normalise.max(ns.tree(digits) + 2.0 * ns.lut),
                    packed,
                ),
                Step::new("no shift", 0.0, packed),
                Step::new("no shift", 0.0, packed),
            ],
        });
        steps.push(parts::round(ns, self.format));
        steps
    }

    fn logic(&self) -> Area {
        let man = self.format.man();
        let kept = u32::from(self.subnormals == Subnormals::Kept);
        Area::of(
            "fdiv",
            [
                ("bits", man),
                ("bits by bits", man * man),
                ("shifted bits", kept * man * levels(man)),
            ],
        )
    }

    fn evaluate(&self, inputs: &[u64], outputs: &mut [u64]) {
        outputs[0] = match self.subnormals {
            Subnormals::Kept => arith::fdiv(self.format, inputs[0], inputs[1]),
            Subnormals::Flushed => arith::fdiv_flushed(self.format, inputs[0], inputs[1]),
        };
    }
}

/// The choices for tests and measurements.
pub fn samples() -> Vec<Box<dyn Operator>> {
    let mut samples: Vec<Box<dyn Operator>> = Vec::new();
    for subnormals in [Subnormals::Kept, Subnormals::Flushed] {
        for format in Format::ALL {
            samples.push(Box::new(Fdiv { format, subnormals }));
        }
    }
    samples
}
