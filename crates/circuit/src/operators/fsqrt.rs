//! Square root of a float.

use super::{Operator, Port, Step, parts};
use crate::area::Area;
use crate::arith::{self, Format};
use crate::family::Delays;
use crate::text::parameters;
use crate::verilog::Source;

/// The operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fsqrt {
    /// The operand's and the result's format.
    pub format: Format,
}

const SOURCES: &[Source] = &[
    parts::STAGE,
    parts::LZC,
    parts::ROUND,
    Source {
        file: "sluice_fsqrt.v",
        text: include_str!("fsqrt.v"),
    },
];

parameters! { Operator Fsqrt { format } }

impl Operator for Fsqrt {
    fn module(&self) -> &'static str {
        "sluice_fsqrt"
    }

    fn sources(&self) -> &'static [Source] {
        SOURCES
    }

    fn parameters(&self) -> Vec<(&'static str, u64)> {
        vec![
            ("EXP", self.format.exp().into()),
            ("MAN", self.format.man().into()),
        ]
    }

    fn inputs(&self) -> Vec<Port> {
        vec![Port::float("a", self.format)]
    }

    fn outputs(&self) -> Vec<Port> {
        vec![Port::float("y", self.format)]
    }

    fn steps(&self, ns: &Delays) -> Vec<Step> {
        let (exp, man) = (self.format.exp(), self.format.man());
        let sig = man + 1;
        let head = 3 + exp;
        let count = parts::clog2(sig);
        let mut steps = vec![
            Step::new("unpack", ns.tree(man) + ns.lut, head + sig),
            Step::new("count zeros", ns.lzc(sig), head + sig + count),
            Step::new(
                "normalise",
                ns.shift(count).max(2.0 * ns.carry(exp + 2)) + ns.lut,
                head + sig + 1,
            ),
        ];
        for digit in 0..=sig {
            // The radicand loses two bits, root and remainder win one each.
            let width = head + (sig + 1).saturating_sub(2 * (digit + 1)) + 2 * digit + 3;
            steps.push(Step::new("digit", ns.carry(digit + 4) + ns.lut, width));
        }
        steps.extend([
            Step::new("is it exact", ns.tree(sig + 2), 5 + exp + man),
            parts::round(ns, self.format),
        ]);
        steps
    }

    fn logic(&self) -> Area {
        let man = self.format.man();
        Area::of("fsqrt", [("bits", man), ("bits by bits", man * man)])
    }

    fn evaluate(&self, inputs: &[u64], outputs: &mut [u64]) {
        outputs[0] = arith::fsqrt(self.format, inputs[0]);
    }
}

/// The choices for tests and measurements.
pub fn samples() -> Vec<Box<dyn Operator>> {
    Format::ALL
        .map(|format| Box::new(Fsqrt { format }) as _)
        .into()
}
