//! Power of e, 2 or 10.

use super::approximation::{self, beside, high};
use super::power_of_two::PowerOfTwo;
use super::product::Product;
use super::{Operator, Port, Step, Tile, parts};
use crate::area::Area;
use crate::arith::{Format, mask};
use crate::elementary::exp::{self, Base, GUARD, INTEGER, SCALE};
use crate::elementary::quadratic::Quadratic;
use crate::elementary::{Function, Grade, tables};
use crate::family::Delays;
use crate::text::parameters;
use crate::unit::require;
use crate::verilog::Source;

/// The operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fexp {
    /// Which power.
    pub function: Function,
    /// How good it is.
    pub grade: Grade,
    /// What is multiplied at once.
    pub tile: Tile,
}

const SOURCES: &[Source] = &[
    parts::STAGE,
    parts::ALONG,
    parts::PRODUCT,
    parts::SHIFT_STICKY,
    parts::ROUND,
    parts::PACK,
    parts::QUADRATIC,
    parts::POWER_OF_TWO,
    tables::EXP2_FULL_SOURCE,
    tables::EXP2_NATIVE_SOURCE,
    Source {
        file: "sluice_fexp.v",
        text: include_str!("fexp.v"),
    },
];

/// Bits of half a base's logarithm: parameters of modules have at most 31.
const HALF: u32 = SCALE / 2;

impl Fexp {
    fn base(&self) -> Base {
        Base::of(self.function).expect("check: the function is a power")
    }

    fn quadratic(&self) -> &'static Quadratic {
        &exp::table(self.grade).quadratic
    }

    fn power(&self) -> PowerOfTwo {
        PowerOfTwo {
            quadratic: self.quadratic(),
            integer: INTEGER,
            guard: GUARD,
            grade: self.grade,
            head: 2,
            tile: self.tile,
        }
    }

    /// The operand's product with the base's logarithm.
    fn product(&self) -> Option<Product> {
        self.base().scale.map(|_| Product {
            a: Format::F32.man() + 1,
            b: SCALE,
            out: Format::F32.man() + 1 + SCALE,
            tile: self.tile,
        })
    }
}

parameters! { Operator Fexp { function, grade, tile } }

impl Operator for Fexp {
    fn check(&self) -> Result<(), String> {
        require(
            Base::of(self.function).is_some(),
            "the function is exp, exp2 or exp10",
        )?;
        self.tile.check()
    }

    fn tile(&self) -> Option<Tile> {
        Some(self.tile)
    }

    fn module(&self) -> &'static str {
        "sluice_fexp"
    }

    fn sources(&self) -> &'static [Source] {
        SOURCES
    }

    fn parameters(&self) -> Vec<(&'static str, u64)> {
        let Base { scale, top } = self.base();
        let factor = scale.unwrap_or_default();
        let mut parameters = vec![
            ("NATIVE", (self.grade == Grade::Native).into()),
            ("SCALED", scale.is_some().into()),
            ("SCALE_HIGH", factor >> HALF),
            ("SCALE_LOW", factor & mask(HALF)),
            ("TOP", top as u64),
        ];
        parameters.extend(approximation::quadratic_parameters(
            self.quadratic(),
            self.tile,
        ));
        parameters
    }

    fn inputs(&self) -> Vec<Port> {
        vec![Port::float("a", Format::F32)]
    }

    fn outputs(&self) -> Vec<Port> {
        vec![Port::float("y", Format::F32)]
    }

    fn steps(&self, ns: &Delays) -> Vec<Step> {
        let sig = Format::F32.man() + 1;
        let power = self.power();
        let placed = power.placed();
        let mut steps = vec![Step::new("unpack", ns.carry(9) + ns.lut, 10 + sig)];
        match self.product() {
            Some(product) => steps.extend(beside(high(ns, &product, placed), 10)),
            None => steps.extend(["no product"; 4].map(|name| Step::new(name, 0.0, 10 + sig))),
        }
        steps.extend(power.steps(ns));
        steps
    }

    fn logic(&self) -> Area {
        let kind = match (self.grade, self.product()) {
            (Grade::Full, Some(_)) => "full scaled",
            (Grade::Full, None) => "full",
            (Grade::Native, Some(_)) => "native scaled",
            (Grade::Native, None) => "native",
        };
        let scale = self.product().map(|product| product.area());
        Area::of("fexp", [(kind, 1)])
            + scale.unwrap_or_default()
            + approximation::quadratic_area(self.quadratic(), self.tile)
    }

    fn evaluate(&self, inputs: &[u64], outputs: &mut [u64]) {
        outputs[0] = exp::evaluate(self.base(), self.grade, inputs[0]);
    }
}

/// The choices for tests and measurements.
pub fn samples() -> Vec<Box<dyn Operator>> {
    let mut samples: Vec<Box<dyn Operator>> = Vec::new();
    let tile = Tile::ECP5;
    for function in [Function::Exp, Function::Exp2, Function::Exp10] {
        for grade in Grade::ALL {
            samples.push(Box::new(Fexp {
                function,
                grade,
                tile,
            }));
        }
    }
    samples.push(Box::new(Fexp {
        function: Function::Exp,
        grade: Grade::Full,
        tile: Tile::ARRIA10,
    }));
    samples
}
