//! Logarithms of a float.

use super::approximation::{beside, quadratic_parameters};
use super::logarithm::Logarithm;
use super::{Operator, Port, Step, Tile, parts};
use crate::area::Area;
use crate::arith::{Format, mask};
use crate::elementary::logarithm::{self, Base, GUARD, LogBase, UNIT};
use crate::elementary::{Function, Grade, tables};
use crate::family::Delays;
use crate::text::parameters;
use crate::unit::require;
use crate::verilog::Source;

/// The operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Flog {
    /// Which logarithm.
    pub function: Function,
    /// How good it is.
    pub grade: Grade,
    /// What is multiplied at once.
    pub tile: Tile,
}

const SOURCES: &[Source] = &[
    parts::STAGE,
    parts::ALONG,
    parts::LZC,
    parts::SHIFT_LEFT,
    parts::ROUND,
    parts::PRODUCT,
    parts::QUADRATIC,
    parts::LOGARITHM,
    tables::LOG_FULL_SOURCE,
    tables::LOG_NATIVE_SOURCE,
    tables::LOG2_FULL_SOURCE,
    tables::LOG2_NATIVE_SOURCE,
    tables::LOG10_FULL_SOURCE,
    tables::LOG10_NATIVE_SOURCE,
    Source {
        file: "sluice_flog.v",
        text: include_str!("flog.v"),
    },
];

impl Flog {
    fn base(&self) -> Base {
        Base::of(self.function).expect("check: it is a logarithm")
    }

    fn logarithm(&self) -> Logarithm {
        let base = self.base();
        Logarithm {
            table: base.table(self.grade),
            unit: base.unit,
            grade: self.grade,
            out: Format::F32.man() + 1 + GUARD,
            tile: self.tile,
        }
    }
}

parameters! { Operator Flog { function, grade, tile } }

impl Operator for Flog {
    fn check(&self) -> Result<(), String> {
        require(
            Base::of(self.function).is_some(),
            "flog computes log, log2 or log10",
        )?;
        self.tile.check()
    }

    fn tile(&self) -> Option<Tile> {
        Some(self.tile)
    }

    fn module(&self) -> &'static str {
        "sluice_flog"
    }

    fn sources(&self) -> &'static [Source] {
        SOURCES
    }

    fn parameters(&self) -> Vec<(&'static str, u64)> {
        let base = match self.base().name {
            LogBase::E => 1,
            LogBase::Two => 2,
            LogBase::Ten => 10,
        };
        let table = self.base().table(self.grade);
        let unit = self.base().unit.unwrap_or(0);
        let mut parameters = vec![
            ("BASE", base),
            ("NATIVE", (self.grade == Grade::Native).into()),
            ("POINT", table.point.into()),
            ("GUARD", GUARD.into()),
            ("UNIT_HIGH", unit >> (UNIT / 2)),
            ("UNIT_LOW", unit & mask(UNIT / 2)),
        ];
        parameters.extend(quadratic_parameters(&table.quadratic, self.tile));
        parameters
    }

    fn inputs(&self) -> Vec<Port> {
        vec![Port::float("a", Format::F32)]
    }

    fn outputs(&self) -> Vec<Port> {
        vec![Port::float("y", Format::F32)]
    }

    fn steps(&self, ns: &Delays) -> Vec<Step> {
        let mut steps = vec![Step::new("unpack", ns.tree(23) + ns.lut, 35)];
        steps.extend(beside(self.logarithm().steps(ns), 3));
        steps.push(Step::new("round", ns.carry(8) + ns.carry(31) + ns.lut, 32));
        steps
    }

    fn logic(&self) -> Area {
        let kind = match (self.grade, self.base().unit) {
            (Grade::Full, Some(_)) => "full scaled",
            (Grade::Full, None) => "full",
            (Grade::Native, Some(_)) => "native scaled",
            (Grade::Native, None) => "native",
        };
        Area::of("flog", [(kind, 1)]) + self.logarithm().area()
    }

    fn evaluate(&self, inputs: &[u64], outputs: &mut [u64]) {
        outputs[0] = logarithm::evaluate(self.base(), self.grade, inputs[0]);
    }
}

/// The choices for tests and measurements.
pub fn samples() -> Vec<Box<dyn Operator>> {
    let mut samples: Vec<Box<dyn Operator>> = Vec::new();
    for function in [Function::Log, Function::Log2, Function::Log10] {
        for grade in Grade::ALL {
            let tile = Tile::ECP5;
            samples.push(Box::new(Flog {
                function,
                grade,
                tile,
            }));
        }
    }
    samples
}
