//! Comparison of floats.

use super::{Operator, Port, Step, parts};
use crate::area::Area;
use crate::arith::{self, Format};
use crate::family::Delays;
use crate::text::parameters;
use crate::verilog::Source;

/// The operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fcmp {
    /// The operands' format.
    pub format: Format,
}

const SOURCES: &[Source] = &[
    parts::STAGE,
    Source {
        file: "sluice_fcmp.v",
        text: include_str!("fcmp.v"),
    },
];

parameters! { Operator Fcmp { format } }

impl Operator for Fcmp {
    fn module(&self) -> &'static str {
        "sluice_fcmp"
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
        vec![Port::float("a", self.format), Port::float("b", self.format)]
    }

    fn outputs(&self) -> Vec<Port> {
        vec![
            Port::bits("less", 1),
            Port::bits("equal", 1),
            Port::bits("unordered", 1),
        ]
    }

    fn steps(&self, ns: &Delays) -> Vec<Step> {
        vec![
            Step::new("compare", ns.carry(self.format.width()), 6),
            Step::new("consider the signs", 2.0 * ns.lut, 3),
        ]
    }

    fn logic(&self) -> Area {
        Area::of("fcmp", [("units", 1), ("bits", self.format.width())])
    }

    fn evaluate(&self, inputs: &[u64], outputs: &mut [u64]) {
        let comparison = arith::fcompare(self.format, inputs[0], inputs[1]);
        outputs[0] = comparison.less.into();
        outputs[1] = comparison.equal.into();
        outputs[2] = comparison.unordered.into();
    }
}

/// The choices for tests and measurements.
pub fn samples() -> Vec<Box<dyn Operator>> {
    Format::ALL
        .map(|format| Box::new(Fcmp { format }) as _)
        .into()
}
