//! Sum and difference of floats.

use super::{Operator, Port, Step, levels, parts};
use crate::area::Area;
use crate::arith::{self, Format};
use crate::family::Delays;
use crate::text::{choices, parameters};
use crate::verilog::Source;

/// What is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sum {
    /// `a + b`.
    Add,
    /// `a - b`.
    Subtract,
}

/// The operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fadd {
    /// The operands' and the result's format.
    pub format: Format,
    /// Whether the second operand is subtracted.
    pub sum: Sum,
}

const SOURCES: &[Source] = &[
    parts::STAGE,
    parts::LZC,
    parts::SHIFT_STICKY,
    parts::ROUND,
    Source {
        file: "sluice_fadd.v",
        text: include_str!("fadd.v"),
    },
];

parameters! { Operator Fadd { format, sum } }
choices! { Sum { Add = "add", Subtract = "subtract" } }

impl Operator for Fadd {
    fn module(&self) -> &'static str {
        "sluice_fadd"
    }

    fn sources(&self) -> &'static [Source] {
        SOURCES
    }

    fn parameters(&self) -> Vec<(&'static str, u64)> {
        vec![
            ("EXP", self.format.exp().into()),
            ("MAN", self.format.man().into()),
            ("SUB", (self.sum == Sum::Subtract).into()),
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
        let sig = man + 1;
        let sum = sig + 4;
        let count = parts::clog2(sum);
        let align = parts::clog2(sig + 3);
        let fine = align / 2;
        vec![
            Step::new("compare", ns.carry(exp + man), 2 * (exp + man) + 7),
            Step::new("order", 2.0 * ns.lut + ns.carry(exp), 4 + 2 * exp + 2 * sig),
            Step::new(
                "align coarsely",
                ns.shift(align - fine) + ns.lut,
                7 + exp + fine + 2 * sig,
            ),
            Step::new("align finely", ns.shift(fine), 7 + exp + 2 * sig),
            Step::new("add", ns.carry(sum), 4 + exp + sum),
            Step::new("count zeros", ns.lzc(sum), 4 + exp + sum + count),
            Step::new("limit", 2.0 * ns.carry(exp) + ns.lut, 3 + exp + sum + count),
            Step::new("normalise", ns.shift(count) + ns.lut, 5 + exp + man),
            parts::round(ns, self.format),
        ]
    }

    fn logic(&self) -> Area {
        let man = self.format.man();
        Area::of("fadd", [("bits", man), ("shifted bits", man * levels(man))])
    }

    fn evaluate(&self, inputs: &[u64], outputs: &mut [u64]) {
        outputs[0] = match self.sum {
            Sum::Add => arith::fadd(self.format, inputs[0], inputs[1]),
            Sum::Subtract => arith::fsub(self.format, inputs[0], inputs[1]),
        };
    }
}

/// The choices for tests and measurements.
pub fn samples() -> Vec<Box<dyn Operator>> {
    let add = Format::ALL.map(|format| Fadd {
        format,
        sum: Sum::Add,
    });
    let subtract = Fadd {
        format: Format::F32,
        sum: Sum::Subtract,
    };
    add.into_iter()
        .chain([subtract])
        .map(|op| Box::new(op) as _)
        .collect()
}
