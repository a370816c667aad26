//! Product of integers: the low or the high half.

use super::product::Product;
use super::{Known, Operator, Port, Step, Tile, parts};
use crate::area::Area;
use crate::arith::{self, Signedness};
use crate::family::Delays;
use crate::text::{choices, parameters};
use crate::unit::require;
use crate::verilog::Source;

/// Which half of the product is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Half {
    /// The low one, which does not depend on signs.
    Low,
    /// The high one.
    High(Signedness),
}

/// The operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mul {
    /// The operands' and the result's width, 1 to 64.
    pub width: u32,
    /// The wanted half.
    pub half: Half,
    /// What is multiplied at once; at least 16 bits by 16.
    pub tile: Tile,
}

const SOURCES: &[Source] = &[
    parts::STAGE,
    parts::PRODUCT,
    Source {
        file: "sluice_mul.v",
        text: include_str!("mul.v"),
    },
];

impl Mul {
    fn product(&self) -> Product {
        let width = self.width;
        let out = match self.half {
            Half::Low => width,
            Half::High(_) => 2 * width,
        };
        Product {
            a: width,
            b: width,
            out,
            tile: self.tile,
        }
    }

    fn is_signed(&self) -> bool {
        self.half == Half::High(Signedness::Signed)
    }
}

parameters! { Operator Mul { width, half, tile } }
choices! {
    Half {
        Low = "low",
        High(Signedness::Unsigned) = "high_unsigned",
        High(Signedness::Signed) = "high_signed",
    }
}

impl Operator for Mul {
    fn check(&self) -> Result<(), String> {
        require((1..=64).contains(&self.width), "a width is 1 to 64 bits")?;
        self.tile.check()
    }

    fn tile(&self) -> Option<Tile> {
        Some(self.tile)
    }

    fn module(&self) -> &'static str {
        "sluice_mul"
    }

    fn sources(&self) -> &'static [Source] {
        SOURCES
    }

    fn parameters(&self) -> Vec<(&'static str, u64)> {
        vec![
            ("WIDTH", self.width.into()),
            ("HIGH", (self.half != Half::Low).into()),
            ("SIGNED", self.is_signed().into()),
            ("TILE_A", self.tile.a.into()),
            ("TILE_B", self.tile.b.into()),
        ]
    }

    fn inputs(&self) -> Vec<Port> {
        vec![Port::bits("a", self.width), Port::bits("b", self.width)]
    }

    fn outputs(&self) -> Vec<Port> {
        vec![Port::bits("y", self.width)]
    }

    fn steps(&self, ns: &Delays) -> Vec<Step> {
        let mut steps = self.product().steps(ns).to_vec();
        let correction = if self.is_signed() {
            steps.iter_mut().for_each(|step| step.width += self.width);
            ns.carry(self.width)
        } else {
            0.0
        };
        steps.push(Step::new("correct the sign", correction, self.width));
        steps
    }

    fn logic(&self) -> Area {
        self.logic_by(&[Known::Nothing; 2])
    }

    fn logic_by(&self, known: &[Known]) -> Area {
        let signed = u32::from(self.is_signed());
        Area::of(
            "mul",
            [
                ("sum bits", self.product().sum_bits()),
                ("signed bits", signed * self.width),
            ],
        ) + self.product().area_by([known[0], known[1]])
    }

    fn evaluate(&self, inputs: &[u64], outputs: &mut [u64]) {
        let (a, b) = (inputs[0], inputs[1]);
        outputs[0] = match self.half {
            Half::Low => arith::mul_low(self.width, a, b),
            Half::High(signedness) => arith::mul_high(signedness, self.width, a, b),
        };
    }
}

/// The choices for tests and measurements.
pub fn samples() -> Vec<Box<dyn Operator>> {
    let tile = Tile::ECP5;
    let mut samples: Vec<Box<dyn Operator>> = Vec::new();
    for half in [
        Half::Low,
        Half::High(Signedness::Unsigned),
        Half::High(Signedness::Signed),
    ] {
        for width in [1, 8, 16, 24, 32, 37, 64] {
            samples.push(Box::new(Mul { width, half, tile }));
        }
    }
    for tile in [Tile::ULTRASCALE, Tile::ARRIA10] {
        let half = Half::High(Signedness::Signed);
        samples.push(Box::new(Mul {
            width: 64,
            half,
            tile,
        }));
    }
    samples
}
