//! Rounding of floats to integral ones.

use super::{Operator, Port, Step, parts};
use crate::area::Area;
use crate::arith::{self, Format, Rounding};
use crate::family::Delays;
use crate::text::parameters;
use crate::verilog::Source;

/// The operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fround {
    /// The operand's and the result's format.
    pub format: Format,
    /// The direction.
    pub rounding: Rounding,
}

const SOURCES: &[Source] = &[
    parts::STAGE,
    Source {
        file: "sluice_fround.v",
        text: include_str!("fround.v"),
    },
];

impl Fround {
    fn mode(&self) -> u64 {
        match self.rounding {
            Rounding::Floor => 0,
            Rounding::Ceil => 1,
            Rounding::Trunc => 2,
            Rounding::Rint => 3,
            Rounding::Round => 4,
        }
    }
}

parameters! { Operator Fround { format, rounding } }

impl Operator for Fround {
    fn module(&self) -> &'static str {
        "sluice_fround"
    }

    fn sources(&self) -> &'static [Source] {
        SOURCES
    }

    fn parameters(&self) -> Vec<(&'static str, u64)> {
        vec![
            ("EXP", self.format.exp().into()),
            ("MAN", self.format.man().into()),
            ("MODE", self.mode()),
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
        let mask = ns.carry(exp) + ns.shift(parts::clog2(man + 1)) + ns.lut;
        vec![
            Step::new("find the unit", mask, exp + 2 * man + 3),
            Step::new("decide", 3.0 * ns.lut + ns.tree(man), exp + 2 * man + 4),
            Step::new("add", ns.carry(exp + man) + 2.0 * ns.lut, exp + man + 1),
        ]
    }

    fn logic(&self) -> Area {
        let man = self.format.man();
        let kind = match self.rounding {
            Rounding::Floor | Rounding::Ceil => "bits to floor or ceil",
            Rounding::Trunc => "bits to truncate",
            Rounding::Rint => "bits to even",
            Rounding::Round => "bits away from zero",
        };
        Area::of("fround", [("units", 1), (kind, man)])
    }

    fn evaluate(&self, inputs: &[u64], outputs: &mut [u64]) {
        outputs[0] = arith::fround(self.format, self.rounding, inputs[0]);
    }
}

/// The choices for tests and measurements.
pub fn samples() -> Vec<Box<dyn Operator>> {
    let mut samples: Vec<Box<dyn Operator>> = Vec::new();
    for rounding in Rounding::ALL {
        for format in Format::ALL {
            samples.push(Box::new(Fround { format, rounding }));
        }
    }
    samples
}
