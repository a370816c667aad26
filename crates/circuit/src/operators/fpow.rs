//! A float to the power of another.

use super::approximation::{WIDE, beside, high, quadratic_area, quadratic_parameters};
use super::logarithm::Logarithm;
use super::power_of_two::PowerOfTwo;
use super::product::Product;
use super::{Operator, Port, Step, Tile, parts};
use crate::area::Area;
use crate::arith::Format;
use crate::elementary::power::{self, GUARD, INTEGER, Shape};
use crate::elementary::{Grade, tables};
use crate::family::Delays;
use crate::text::parameters;
use crate::verilog::Source;

/// The operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fpow {
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
    parts::SHIFT_STICKY,
    parts::ROUND,
    parts::PRODUCT,
    parts::QUADRATIC,
    parts::PACK,
    parts::LOGARITHM,
    parts::POWER_OF_TWO,
    tables::POW_LOG2_SOURCE,
    tables::LOG2_FULL_SOURCE,
    tables::POW_EXP2_SOURCE,
    tables::EXP2_NATIVE_SOURCE,
    Source {
        file: "sluice_fpow.v",
        text: include_str!("fpow.v"),
    },
];

impl Fpow {
    fn shape(&self) -> Shape {
        power::shape(self.grade)
    }

    fn logarithm(&self) -> Logarithm {
        let Shape { log, kept, .. } = self.shape();
        Logarithm {
            table: log,
            unit: None,
            grade: self.grade,
            out: kept,
            tile: self.tile,
        }
    }

    /// The exponent times the base's logarithm.
    fn product(&self) -> Product {
        let kept = self.shape().kept;
        Product {
            a: kept,
            b: SIGNIFICAND,
            out: kept + SIGNIFICAND,
            tile: self.tile,
        }
    }

    fn power(&self) -> PowerOfTwo {
        PowerOfTwo {
            quadratic: &self.shape().exp.quadratic,
            integer: INTEGER,
            guard: GUARD,
            grade: self.grade,
            head: 3,
            tile: self.tile,
        }
    }
}

const SIGNIFICAND: u32 = Format::F32.man() + 1;

parameters! { Operator Fpow { grade, tile } }

impl Operator for Fpow {
    fn check(&self) -> Result<(), String> {
        self.tile.check()
    }

    fn tile(&self) -> Option<Tile> {
        Some(self.tile)
    }

    fn module(&self) -> &'static str {
        "sluice_fpow"
    }

    fn sources(&self) -> &'static [Source] {
        SOURCES
    }

    fn parameters(&self) -> Vec<(&'static str, u64)> {
        let Shape { log, kept, exp } = self.shape();
        let mut parameters = vec![
            ("NATIVE", (self.grade == Grade::Native).into()),
            ("KEPT", kept.into()),
            ("LOG_INDEX", log.quadratic.index.into()),
            ("LOG_REST", log.quadratic.rest.into()),
            ("LOG_SHORT", log.quadratic.short.into()),
            ("LOG_C0", log.quadratic.c0.into()),
            ("LOG_C1", log.quadratic.c1.into()),
            ("LOG_C2", log.quadratic.c2.into()),
            ("LOG_POINT", log.point.into()),
            ("GUARD", GUARD.into()),
        ];
        parameters.extend(quadratic_parameters(&exp.quadratic, self.tile));
        parameters
    }

    fn inputs(&self) -> Vec<Port> {
        vec![Port::float("a", Format::F32), Port::float("b", Format::F32)]
    }

    fn outputs(&self) -> Vec<Port> {
        vec![Port::float("y", Format::F32)]
    }

    fn steps(&self, ns: &Delays) -> Vec<Step> {
        let mut steps = vec![Step::new("unpack", ns.tree(32) + ns.lut, 70)];
        let mut logarithm = self.logarithm().steps(ns);
        // Beside the first two steps: whether the exponent is an integer, and an odd one.
        logarithm[0].delay = logarithm[0].delay.max(ns.carry(5) + ns.shift(5));
        logarithm[0].width += 27;
        logarithm[1].delay = logarithm[1].delay.max(ns.tree(23) + 3.0 * ns.lut);
        steps.extend(beside(logarithm, 37));
        let product = self.product();
        let mut product: Vec<Step> = high(ns, &product, self.power().placed()).collect();
        product[0].delay = product[0].delay.max(2.0 * ns.carry(WIDE) + ns.lut);
        steps.extend(beside(product, 11));
        steps.extend(self.power().steps(ns));
        steps
    }

    fn logic(&self) -> Area {
        let kind = match self.grade {
            Grade::Full => "full",
            Grade::Native => "native",
        };
        let exp = &self.shape().exp.quadratic;
        Area::of("fpow", [(kind, 1)])
            + self.logarithm().area()
            + self.product().area()
            + quadratic_area(exp, self.tile)
    }

    fn evaluate(&self, inputs: &[u64], outputs: &mut [u64]) {
        outputs[0] = power::evaluate(self.grade, inputs[0], inputs[1]);
    }
}

/// The choices for tests and measurements.
pub fn samples() -> Vec<Box<dyn Operator>> {
    let tile = Tile::ECP5;
    Grade::ALL
        .map(|grade| Box::new(Fpow { grade, tile }) as _)
        .into()
}
