//! Product plus addend of floats, rounded once.

use super::product::Product;
use super::{Operator, Port, Step, Tile, interpolate, parts};
use crate::arith::{self, Format, Subnormals};
use crate::cost::Ecp5Cost;
use crate::family::Delays;
use crate::text::parameters;
use crate::verilog::Source;

/// The operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fma {
    /// The operands' and the result's format.
    pub format: Format,
    /// What is multiplied at once.
    pub tile: Tile,
    /// What becomes of subnormal operands and results; without them no factor is shifted.
    pub subnormals: Subnormals,
}

const SOURCES: &[Source] = &[
    parts::STAGE,
    parts::LZC,
    parts::SHIFT_STICKY,
    parts::ROUND,
    parts::PRODUCT,
    Source {
        file: "sluice_fma.v",
        text: include_str!("fma.v"),
    },
];

impl Fma {
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

parameters! { Operator Fma { format, tile, subnormals } }

impl Operator for Fma {
    fn check(&self) -> Result<(), String> {
        self.tile.check()
    }

    fn module(&self) -> &'static str {
        "sluice_fma"
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
        ["a", "b", "c"]
            .map(|name| Port::float(name, self.format))
            .into()
    }

    fn outputs(&self) -> Vec<Port> {
        vec![Port::float("y", self.format)]
    }

    fn steps(&self, delays: &Delays) -> Vec<Step> {
        let (exp, man) = (self.format.exp(), self.format.man());
        let (sig, wide) = (man + 1, exp + 2);
        let field = 3 * sig + 2;
        let count = parts::clog2(sig);
        let align = parts::clog2(field + 1);
        let fine = align / 2;
        let zeros = parts::clog2(field);
        let low = zeros / 2;
        let operands = 5 + wide + exp + 3 * sig;
        let [multiply, add1, add2, add3] = self.product().steps(delays);
        let beside = |step: Step, delay: f64, width| {
            Step::new(step.name, step.delay.max(delay), step.width + width)
        };
        let round_up = |delay: f64| match self.subnormals {
            Subnormals::Kept => delay,
            Subnormals::Flushed => delay + delays.lut,
        };
        let [count_zeros, normalise, limit] = match self.subnormals {
            Subnormals::Kept => [
                Step::new(
                    "count zeros",
                    delays.lut + delays.lzc(sig),
                    operands + count,
                ),
                Step::new(
                    "normalise",
                    delays.shift(count).max(2.0 * delays.carry(wide)),
                    operands,
                ),
                Step::new(
                    "limit",
                    2.0 * delays.carry(wide) + 2.0 * delays.lut,
                    4 + exp + zeros + field,
                ),
            ],
            Subnormals::Flushed => [
                Step::new("place", delays.carry(wide), operands),
                Step::new("no shift", 0.0, operands),
                Step::new(
                    "exponent",
                    delays.carry(wide) + 2.0 * delays.lut,
                    4 + exp + zeros + field,
                ),
            ],
        };
        vec![
            Step::new(
                "unpack",
                delays.tree(exp) + 2.0 * delays.carry(wide),
                operands,
            ),
            count_zeros,
            normalise,
            beside(
                multiply,
                delays.carry(wide) + delays.lut,
                4 + 2 * wide + sig,
            ),
            beside(
                add1,
                delays.shift(align - fine) + delays.lut,
                5 + wide + fine + field,
            ),
            beside(add2, delays.shift(fine), 5 + wide + field),
            beside(add3, 0.0, 5 + wide + field),
            Step::new("add", delays.carry(field), 6 + wide + field),
            Step::new(
                "magnitude",
                delays.lut + delays.carry(field),
                5 + wide + field,
            ),
            Step::new(
                "count the sum's zeros",
                delays.lzc(field),
                5 + wide + zeros + field,
            ),
            limit,
            Step::new(
                "shift coarsely",
                delays.shift(zeros - low),
                4 + exp + low + field,
            ),
            Step::new(
                "shift finely",
                round_up(delays.shift(low) + delays.tree(2 * sig)),
                5 + exp + man,
            ),
            Step::new(
                "round",
                delays.tree(4) + delays.carry(exp + man) + delays.lut,
                exp + man + 1,
            ),
        ]
    }

    fn logic(&self) -> Ecp5Cost {
        let points: &[(u32, u32)] = match self.subnormals {
            Subnormals::Kept => &[(10, 672), (23, 1573), (52, 3749)],
            Subnormals::Flushed => &[(10, 680), (23, 1536), (52, 3415)],
        };
        Ecp5Cost {
            luts: interpolate(points, self.format.man()),
            dsps: self.product().dsps(),
            ..Ecp5Cost::default()
        }
    }

    fn evaluate(&self, inputs: &[u64], outputs: &mut [u64]) {
        let [a, b, c] = [inputs[0], inputs[1], inputs[2]];
        outputs[0] = match self.subnormals {
            Subnormals::Kept => arith::fma(self.format, a, b, c),
            Subnormals::Flushed => arith::fma_flushed(self.format, a, b, c),
        };
    }
}

/// The choices for tests and measurements.
pub fn samples() -> Vec<Box<dyn Operator>> {
    let tile = Tile::ECP5;
    let mut samples: Vec<Box<dyn Operator>> = Vec::new();
    for subnormals in [Subnormals::Kept, Subnormals::Flushed] {
        for format in Format::ALL {
            samples.push(Box::new(Fma {
                format,
                tile,
                subnormals,
            }));
        }
    }
    samples
}
