//! A float to the power of another.

use super::approximation::{
    WIDE, beside, look_up, pack_steps, quadratic_dsps, quadratic_parameters, quadratic_steps,
};
use super::delay::{LUT, carry, shift, tree};
use super::logarithm::Logarithm;
use super::product::Product;
use super::{Cost, Operator, Port, Step, Tile, parts};
use crate::arith::Format;
use crate::elementary::power::{self, GUARD, INTEGER, Shape};
use crate::elementary::{Grade, tables};
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

macro_rules! sources {
    ($log:ident $exp:ident) => {
        &[
            parts::STAGE,
            parts::ALONG,
            parts::LZC,
            parts::SHIFT_STICKY,
            parts::ROUND,
            parts::PRODUCT,
            parts::QUADRATIC,
            parts::PACK,
            parts::LOGARITHM,
            parts::POWER_OF_TWO,
            tables::$log,
            tables::$exp,
            Source {
                file: "sluice_fpow.v",
                text: include_str!("fpow.v"),
            },
        ]
    };
}

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

    /// Bits by which subnormal results are shifted.
    fn amount(&self) -> u32 {
        match self.grade {
            Grade::Full => 5,
            Grade::Native => 0,
        }
    }
}

const SIGNIFICAND: u32 = Format::F32.man() + 1;

parameters! { Operator Fpow { grade, tile } }

impl Operator for Fpow {
    fn check(&self) -> Result<(), String> {
        self.tile.check()
    }

    fn module(&self) -> &'static str {
        "sluice_fpow"
    }

    fn sources(&self) -> &'static [Source] {
        match self.grade {
            Grade::Full => sources!(POW_LOG2_SOURCE POW_EXP2_SOURCE),
            Grade::Native => sources!(LOG2_FULL_SOURCE EXP2_NATIVE_SOURCE),
        }
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

    fn steps(&self) -> Vec<Step> {
        let exp = &self.shape().exp.quadratic;
        let placed = INTEGER + exp.argument() + 1;
        let mut steps = vec![Step::new("unpack", tree(32) + LUT, 70)];
        let mut logarithm = self.logarithm().steps();
        // Beside the first two steps: whether the exponent is an integer, and an odd one.
        logarithm[0].delay = logarithm[0].delay.max(carry(5) + shift(5));
        logarithm[0].width += 27;
        logarithm[1].delay = logarithm[1].delay.max(tree(23) + 3.0 * LUT);
        steps.extend(beside(logarithm, 37));
        let mut product = self.product().steps();
        product[0].delay = product[0].delay.max(2.0 * carry(WIDE) + LUT);
        steps.extend(beside(product, 11));
        steps.extend([
            Step::new("shift coarsely", shift(3) + LUT, 7 + placed),
            Step::new("shift finely", shift(3), 4 + placed),
            Step::new("negate and round", carry(placed + 1), 3 + placed),
        ]);
        steps.extend(beside([look_up(exp)], 3 + WIDE));
        steps.extend(beside(quadratic_steps(exp, self.tile), 3 + WIDE));
        steps.extend(pack_steps(GUARD, self.amount()));
        steps
    }

    fn logic(&self) -> Cost {
        let luts = 0;
        let exp = &self.shape().exp.quadratic;
        let power = self.product().dsps() + quadratic_dsps(exp, self.tile);
        Cost {
            luts,
            dsps: self.logarithm().dsps() + power,
            ..Cost::default()
        }
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
