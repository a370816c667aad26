//! Product plus addend of floats, rounded once.

use super::product::Product;
use super::{Operator, Port, Step, Tile, levels, parts};
use crate::area::Area;
use crate::arith::{self, Format, Subnormals};
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

/// Ends of a wire that takes as long as [`Delays::fan_out`] says.
const WIRE_ENDS: f64 = 64.0;

impl Operator for Fma {
    fn check(&self) -> Result<(), String> {
        self.tile.check()
    }

    fn tile(&self) -> Option<Tile> {
        Some(self.tile)
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

    fn steps(&self, ns: &Delays) -> Vec<Step> {
        let (exp, man) = (self.format.exp(), self.format.man());
        let (sig, wide) = (man + 1, exp + 2);
        let field = 3 * sig + 2;
        let count = parts::clog2(sig);
        let align = parts::clog2(field + 1);
        let fine = align / 2;
        let zeros = parts::clog2(field);
        let low = zeros / 2;
        let operands = 5 + wide + exp + 3 * sig;
        let (held, shifted) = (5 + wide + field, 4 + exp + field);
        let exponent = ns.carry(wide);
        // The sign of the sum chooses all bits of the field: a longer wire the more there are.
        let ends = f64::from(field) / WIRE_ENDS;
        let [multiply, add1, add2, add3] = self.product().steps(ns);
        let beside = |step: Step, delay: f64, width| {
            Step::new(step.name, step.delay.max(delay), step.width + width)
        };
        let round_up = |delay: f64| match self.subnormals {
            Subnormals::Kept => delay,
            Subnormals::Flushed => delay + ns.lut,
        };
        let [count_zeros, normalise, limit] = match self.subnormals {
            Subnormals::Kept => [
                Step::new(
                    "count zeros",
                    ns.lut + ns.fan_out + ns.lzc(sig),
                    operands + count,
                ),
                Step::new("normalise", ns.shift(count).max(2.0 * exponent), operands),
                Step::new("limit", 2.0 * exponent + 2.0 * ns.lut, shifted + zeros),
            ],
            Subnormals::Flushed => [
                Step::new("place", exponent, operands),
                Step::new("no shift", 0.0, operands),
                Step::new("exponent", exponent + 2.0 * ns.lut, shifted + zeros),
            ],
        };
        vec![
            Step::new("unpack", ns.tree(exp) + 2.0 * exponent, operands),
            count_zeros,
            normalise,
            beside(multiply, exponent + ns.lut, 4 + 2 * wide + sig),
            beside(add1, ns.shift(align - fine) + ns.lut, held + fine),
            beside(add2, ns.shift(fine), held),
            beside(add3, 0.0, held),
            Step::new("add", ns.lut + ns.carry(field), held + 1 + field),
            Step::new("magnitude", ns.fan_out * ends + ns.lut, held),
            Step::new("count the sum's zeros", ns.lzc(field), held + zeros),
            limit,
            Step::new("shift coarsely", ns.shift(zeros - low), shifted + low),
            Step::new(
                "shift finely",
                round_up(ns.shift(low) + ns.tree(2 * sig)),
                5 + exp + man,
            ),
            parts::round(ns, self.format),
        ]
    }

    fn logic(&self) -> Area {
        let man = self.format.man();
        let kept = u32::from(self.subnormals == Subnormals::Kept);
        Area::of(
            "fma",
            [
                ("bits", man),
                ("shifted bits", man * levels(man)),
                ("bits of subnormals", kept * man),
            ],
        ) + self.product().area()
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
