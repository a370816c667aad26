//! Product of floats.

use super::product::Product;
use super::{Known, Operator, Port, Step, Tile, parts};
use crate::area::Area;
use crate::arith::{self, Format, Subnormals};
use crate::family::Delays;
use crate::text::parameters;
use crate::verilog::Source;

/// The operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fmul {
    /// The operands' and the result's format.
    pub format: Format,
    /// What is multiplied at once.
    pub tile: Tile,
    /// What becomes of subnormal operands and results; without them it is half as large.
    pub subnormals: Subnormals,
}

const SOURCES: &[Source] = &[
    parts::STAGE,
    parts::LZC,
    parts::SHIFT_STICKY,
    parts::ROUND,
    parts::PRODUCT,
    Source {
        file: "sluice_fmul.v",
        text: include_str!("fmul.v"),
    },
];

impl Fmul {
    /// That of a float, with its hidden bit.
    fn significand(&self, bits: u64) -> u64 {
        let man = self.format.man();
        let exponent = bits >> man & ((1 << self.format.exp()) - 1);
        let hidden = u64::from(exponent != 0) << man;
        hidden | (bits & ((1 << man) - 1))
    }

    fn product(&self) -> Product {
        let sig = self.format.man() + 1;
        Product {
            a: sig,
            b: sig,
            out: 2 * sig,
            tile: self.tile,
        }
    }
}

parameters! { Operator Fmul { format, tile, subnormals } }

impl Operator for Fmul {
    fn check(&self) -> Result<(), String> {
        self.tile.check()
    }

    fn tile(&self) -> Option<Tile> {
        Some(self.tile)
    }

    fn module(&self) -> &'static str {
        "sluice_fmul"
    }

    fn sources(&self) -> &'static [Source] {
        SOURCES
    }

    fn parameters(&self) -> Vec<(&'static str, u64)> {
        vec![
            ("EXP", self.format.exp().into()),
            ("MAN", self.format.man().into()),
            ("TILE_A", self.tile.a.into()),
            ("TILE_B", self.tile.b.into()),
            ("FTZ", (self.subnormals == Subnormals::Flushed).into()),
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
        let (sig, wide) = (man + 1, exp + 2);
        let [multiply, add1, add2, add3] = self.product().steps(ns);
        let beside = |step: Step, delay: f64, width| {
            Step::new(step.name, step.delay.max(delay), step.width + width)
        };
        let unpack = Step::new(
            "unpack",
            ns.tree(exp) + 2.0 * ns.carry(wide),
            3 + wide + 2 * sig,
        );
        let normalise = Step::new(
            "normalise",
            ns.carry(wide) + 2.0 * ns.lut + ns.fan_out,
            5 + exp + man,
        );
        let round = parts::round(ns, self.format);
        if self.subnormals == Subnormals::Flushed {
            return vec![
                unpack,
                beside(multiply, 0.0, 3 + wide),
                beside(add1, 0.0, 3 + wide),
                beside(add2, 0.0, 3 + wide),
                beside(add3, 0.0, 3 + wide),
                Step::new("collect the low bits", ns.tree(sig), 6 + wide + sig),
                Step::new("no shift", 0.0, 6 + wide + sig),
                normalise,
                round,
            ];
        }
        let count = parts::clog2(sig);
        let amount = parts::clog2(2 * sig + 3);
        let fine = amount / 2;
        // The amounts are computed beside the product and may take longer than it.
        let amounts = 3.0 * ns.carry(wide) + ns.lut;
        let kept = sig + 2 + (1 << fine);
        vec![
            unpack,
            beside(
                multiply,
                2.0 * ns.lut + ns.fan_out + ns.lzc(sig),
                3 + wide + count,
            ),
            beside(add1, amounts, 3 + 2 * wide),
            beside(add2, 0.0, 3 + 2 * wide),
            beside(add3, 0.0, 3 + 2 * wide),
            Step::new(
                "shift coarsely",
                ns.shift(amount - fine) + ns.lut,
                4 + wide + fine + kept,
            ),
            Step::new("shift finely", ns.shift(fine), 6 + wide + sig),
            normalise,
            round,
        ]
    }

    fn logic(&self) -> Area {
        self.logic_by(&[Known::Nothing; 2])
    }

    fn logic_by(&self, known: &[Known]) -> Area {
        let significands = [known[0], known[1]].map(|it| match it {
            Known::Number(bits) => Known::Number(self.significand(bits)),
            Known::Nothing | Known::LowZeros(_) => Known::Nothing,
        });
        let man = self.format.man();
        let kept = u32::from(self.subnormals == Subnormals::Kept);
        Area::of(
            "fmul",
            [
                ("bits", man),
                ("sum bits", self.product().sum_bits()),
                ("bits of subnormals", kept * man),
            ],
        ) + self.product().area_by(significands)
    }

    fn evaluate(&self, inputs: &[u64], outputs: &mut [u64]) {
        outputs[0] = match self.subnormals {
            Subnormals::Kept => arith::fmul(self.format, inputs[0], inputs[1]),
            Subnormals::Flushed => arith::fmul_flushed(self.format, inputs[0], inputs[1]),
        };
    }
}

/// The choices for tests and measurements.
pub fn samples() -> Vec<Box<dyn Operator>> {
    let mut samples: Vec<Box<dyn Operator>> = Vec::new();
    for subnormals in [Subnormals::Kept, Subnormals::Flushed] {
        for format in Format::ALL {
            let tile = Tile::ECP5;
            samples.push(Box::new(Fmul {
                format,
                tile,
                subnormals,
            }));
        }
    }
    samples.push(Box::new(Fmul {
        format: Format::F64,
        tile: Tile::ULTRASCALE,
        subnormals: Subnormals::Kept,
    }));
    samples
}
