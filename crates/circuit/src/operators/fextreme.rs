//! Minimum and maximum of floats.

use super::{Operator, Port, Step, parts};
use crate::area::Area;
use crate::arith::{self, Extreme, Format};
use crate::family::Delays;
use crate::text::parameters;
use crate::verilog::Source;

/// The operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fextreme {
    /// The operands' and the result's format.
    pub format: Format,
    /// The one that is wanted.
    pub want: Extreme,
}

const SOURCES: &[Source] = &[
    parts::STAGE,
    Source {
        file: "sluice_fextreme.v",
        text: include_str!("fextreme.v"),
    },
];

parameters! { Operator Fextreme { format, want } }

impl Operator for Fextreme {
    fn module(&self) -> &'static str {
        "sluice_fextreme"
    }

    fn sources(&self) -> &'static [Source] {
        SOURCES
    }

    fn parameters(&self) -> Vec<(&'static str, u64)> {
        vec![
            ("EXP", self.format.exp().into()),
            ("MAN", self.format.man().into()),
            ("GREATEST", (self.want == Extreme::Greatest).into()),
        ]
    }

    fn inputs(&self) -> Vec<Port> {
        vec![Port::float("a", self.format), Port::float("b", self.format)]
    }

    fn outputs(&self) -> Vec<Port> {
        vec![Port::float("y", self.format)]
    }

    fn steps(&self, ns: &Delays) -> Vec<Step> {
        let width = self.format.width();
        vec![
            Step::new("compare", ns.carry(width) + 2.0 * ns.lut, 2 * width + 2),
            Step::new("select", ns.lut + ns.fan_out, width),
        ]
    }

    fn logic(&self) -> Area {
        Area::of("fextreme", [("units", 1), ("bits", self.format.width())])
    }

    fn evaluate(&self, inputs: &[u64], outputs: &mut [u64]) {
        outputs[0] = arith::fextreme(self.format, self.want, inputs[0], inputs[1]);
    }
}

/// The choices for tests and measurements.
pub fn samples() -> Vec<Box<dyn Operator>> {
    let mut samples: Vec<Box<dyn Operator>> = Vec::new();
    for format in Format::ALL {
        for want in [Extreme::Least, Extreme::Greatest] {
            samples.push(Box::new(Fextreme { format, want }));
        }
    }
    samples
}
