//! Quotient of floats through the reciprocal: smaller than [`Fdiv`](super::fdiv::Fdiv), and nearly
//! rounded to nearest.

use super::approximation::{self, WIDE, beside, high, look_up, pack_steps, quadratic_steps};
use super::product::Product;
use super::{Operator, Port, Step, Tile, parts};
use crate::area::Area;
use crate::arith::Format;
use crate::elementary::quadratic::Quadratic;
use crate::elementary::quotient::{self, GUARD};
use crate::elementary::{Grade, root, tables};
use crate::family::Delays;
use crate::text::parameters;
use crate::verilog::Source;

/// The operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fquot {
    /// How good it is.
    pub grade: Grade,
    /// What is multiplied at once.
    pub tile: Tile,
}

const SOURCES: &[Source] = &[
    parts::STAGE,
    parts::ALONG,
    parts::LZC,
    parts::PRODUCT,
    parts::SHIFT_STICKY,
    parts::ROUND,
    parts::PACK,
    parts::QUADRATIC,
    tables::RECIP_FULL_SOURCE,
    tables::RECIP_NATIVE_SOURCE,
    Source {
        file: "sluice_fquot.v",
        text: include_str!("fquot.v"),
    },
];

impl Fquot {
    fn quadratic(&self) -> &'static Quadratic {
        &root::recip_table(self.grade).quadratic
    }

    /// The dividend's product with the reciprocal.
    fn product(&self) -> Product {
        let (a, b) = (Format::F32.man() + 1, self.quadratic().c0);
        Product {
            a,
            b,
            out: a + b,
            tile: self.tile,
        }
    }
}

parameters! { Operator Fquot { grade, tile } }

impl Operator for Fquot {
    fn check(&self) -> Result<(), String> {
        self.tile.check()
    }

    fn tile(&self) -> Option<Tile> {
        Some(self.tile)
    }

    fn module(&self) -> &'static str {
        "sluice_fquot"
    }

    fn sources(&self) -> &'static [Source] {
        SOURCES
    }

    fn parameters(&self) -> Vec<(&'static str, u64)> {
        let mut parameters = vec![("NATIVE", (self.grade == Grade::Native).into())];
        parameters.extend(approximation::quadratic_parameters(
            self.quadratic(),
            self.tile,
        ));
        parameters
    }

    fn inputs(&self) -> Vec<Port> {
        vec![Port::float("a", Format::F32), Port::float("b", Format::F32)]
    }

    fn outputs(&self) -> Vec<Port> {
        vec![Port::float("y", Format::F32)]
    }

    fn steps(&self, ns: &Delays) -> Vec<Step> {
        let sig = Format::F32.man() + 1;
        let quadratic = self.quadratic();
        let head = 3 + WIDE;
        let (zeros, normalise, counts, amount) = match self.grade {
            Grade::Full => (ns.lzc(sig), ns.shift(5).max(2.0 * ns.carry(WIDE)), 10, 5),
            Grade::Native => (0.0, 0.0, 0, 0),
        };
        let mut steps = vec![
            Step::new("unpack", ns.tree(8) + 2.0 * ns.carry(WIDE), head + 2 * sig),
            Step::new("count zeros", zeros, head + 2 * sig + counts),
            Step::new("normalise operands", normalise, head + 2 * sig - 1),
        ];
        steps.extend(beside([look_up(ns, quadratic)], head + sig));
        steps.extend(beside(
            quadratic_steps(ns, quadratic, self.tile),
            head + sig,
        ));
        steps.extend(beside(high(ns, &self.product(), sig + GUARD + 1), head));
        steps.push(Step::new("normalise", ns.carry(WIDE), head + sig + GUARD));
        steps.extend(pack_steps(ns, GUARD, amount));
        steps
    }

    fn logic(&self) -> Area {
        let kind = match self.grade {
            Grade::Full => "full",
            Grade::Native => "native",
        };
        Area::of("fquot", [(kind, 1)])
            + approximation::quadratic_area(self.quadratic(), self.tile)
            + self.product().area()
    }

    fn evaluate(&self, inputs: &[u64], outputs: &mut [u64]) {
        outputs[0] = quotient::divide(self.grade, inputs[0], inputs[1]);
    }
}

/// The choices for tests and measurements.
pub fn samples() -> Vec<Box<dyn Operator>> {
    let tile = Tile::ECP5;
    Grade::ALL
        .map(|grade| Box::new(Fquot { grade, tile }) as _)
        .into()
}
