//! Product of floats.

use super::delay::{LUT, carry, lzc, shift, tree};
use super::product::Product;
use super::{Cost, Operator, Port, Step, Tile, interpolate, parts};
use crate::arith::{self, Format};
use crate::verilog::Source;

/// The operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fmul {
    /// The operands' and the result's format.
    pub format: Format,
    /// What is multiplied at once.
    pub tile: Tile,
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

impl Operator for Fmul {
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
        ]
    }

    fn inputs(&self) -> Vec<Port> {
        vec![Port::float("a", self.format), Port::float("b", self.format)]
    }

    fn outputs(&self) -> Vec<Port> {
        vec![Port::float("y", self.format)]
    }

    fn steps(&self) -> Vec<Step> {
        let (exp, man) = (self.format.exp(), self.format.man());
        let sig = man + 1;
        let wide = exp + 2;
        let placed = 2 * sig + 2;
        let count = parts::clog2(sig);
        let amount = parts::clog2(placed + 1);
        let fine = amount / 2;
        let [multiply, add1, add2, add3] = self.product().steps();
        // The amounts are computed beside the product and may take longer than it.
        let count_zeros = LUT + lzc(sig);
        let amounts = 2.0 * carry(wide) + LUT + carry(wide);
        let beside = |step: Step, delay: f64, width| {
            Step::new(step.name, step.delay.max(delay), step.width + width)
        };
        vec![
            Step::new("unpack", tree(exp) + 2.0 * carry(wide), 3 + wide + 2 * sig),
            beside(multiply, count_zeros, 3 + wide + count),
            beside(add1, amounts, 3 + 2 * wide),
            beside(add2, 0.0, 3 + 2 * wide),
            beside(add3, 0.0, 3 + 2 * wide),
            Step::new(
                "shift coarsely",
                shift(amount - fine) + LUT,
                4 + wide + fine + sig + 2 + (1 << fine),
            ),
            Step::new("shift finely", shift(fine), 6 + wide + sig),
            Step::new("normalise", carry(exp) + LUT, 5 + exp + man),
            Step::new("round", tree(4) + carry(exp + man) + LUT, exp + man + 1),
        ]
    }

    fn logic(&self) -> Cost {
        Cost {
            luts: interpolate(&[(10, 1), (23, 1), (52, 1)], self.format.man()),
            dsps: self.product().dsps(),
            ..Cost::default()
        }
    }

    fn evaluate(&self, inputs: &[u64], outputs: &mut [u64]) {
        outputs[0] = arith::fmul(self.format, inputs[0], inputs[1]);
    }
}

/// The choices for tests and measurements.
pub fn samples() -> Vec<Box<dyn Operator>> {
    let tile = Tile::ECP5;
    let all = Format::ALL.map(|format| Fmul { format, tile });
    let other = Fmul {
        format: Format::F64,
        tile: Tile::ULTRASCALE,
    };
    all.into_iter().chain([other]).map(|op| Box::new(op) as _).collect()
}
