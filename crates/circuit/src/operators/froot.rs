//! Reciprocal of a float or of its square root.

use super::approximation::{self, WIDE, beside, look_up, pack_steps, quadratic_steps};
use super::{Operator, Port, Step, Tile, parts};
use crate::area::Area;
use crate::arith::Format;
use crate::elementary::quadratic::Quadratic;
use crate::elementary::root::{self, GUARD};
use crate::elementary::{self, Function, Grade, tables};
use crate::family::Delays;
use crate::text::parameters;
use crate::unit::require;
use crate::verilog::Source;

/// The operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Froot {
    /// Which of the two.
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
    parts::PRODUCT,
    parts::SHIFT_STICKY,
    parts::ROUND,
    parts::PACK,
    parts::QUADRATIC,
    tables::RECIP_FULL_SOURCE,
    tables::RECIP_NATIVE_SOURCE,
    tables::RSQRT_FULL_SOURCE,
    tables::RSQRT_NATIVE_SOURCE,
    Source {
        file: "sluice_froot.v",
        text: include_str!("froot.v"),
    },
];

impl Froot {
    fn is_root(&self) -> bool {
        self.function == Function::Rsqrt
    }

    fn quadratic(&self) -> &'static Quadratic {
        let table = match self.is_root() {
            true => root::rsqrt_table(self.grade),
            false => root::recip_table(self.grade),
        };
        &table.quadratic
    }
}

parameters! { Operator Froot { function, grade, tile } }

impl Operator for Froot {
    fn check(&self) -> Result<(), String> {
        let known = [Function::Recip, Function::Rsqrt].contains(&self.function);
        require(known, "the function is recip or rsqrt")?;
        self.tile.check()
    }

    fn tile(&self) -> Option<Tile> {
        Some(self.tile)
    }

    fn module(&self) -> &'static str {
        "sluice_froot"
    }

    fn sources(&self) -> &'static [Source] {
        SOURCES
    }

    fn parameters(&self) -> Vec<(&'static str, u64)> {
        let mut parameters = vec![
            ("NATIVE", (self.grade == Grade::Native).into()),
            ("ROOT", self.is_root().into()),
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
        let (exp, man) = (Format::F32.exp(), Format::F32.man());
        let sig = man + 1;
        let quadratic = self.quadratic();
        let head = 3 + WIDE;
        let (zeros, normalise, amount) = match (self.grade, self.is_root()) {
            (Grade::Full, true) => (ns.lzc(sig), ns.shift(5).max(2.0 * ns.carry(WIDE)), 0),
            (Grade::Full, false) => (0.0, ns.carry(WIDE) + 2.0 * ns.lut, 2),
            (Grade::Native, _) => (0.0, ns.carry(WIDE), 0),
        };
        let counted = if zeros > 0.0 { 5 } else { 0 };
        let mut steps = vec![
            Step::new("unpack", ns.tree(man) + ns.lut, 3 + exp + sig),
            Step::new("count zeros", zeros, 3 + exp + sig + counted),
            Step::new(
                "normalise the operand",
                normalise,
                head + quadratic.argument(),
            ),
        ];
        steps.extend(beside([look_up(ns, quadratic)], head));
        steps.extend(beside(quadratic_steps(ns, quadratic, self.tile), head));
        steps.push(Step::new(
            "normalise",
            ns.carry(WIDE).max(ns.lut),
            head + sig + GUARD,
        ));
        steps.extend(pack_steps(ns, GUARD, amount));
        steps
    }

    fn logic(&self) -> Area {
        let kind = match (self.grade, self.is_root()) {
            (Grade::Full, false) => "full reciprocal",
            (Grade::Full, true) => "full",
            (Grade::Native, false) => "native reciprocal",
            (Grade::Native, true) => "native",
        };
        Area::of("froot", [(kind, 1)]) + approximation::quadratic_area(self.quadratic(), self.tile)
    }

    fn evaluate(&self, inputs: &[u64], outputs: &mut [u64]) {
        outputs[0] = elementary::evaluate(self.function, self.grade, inputs[0]);
    }
}

/// The choices for tests and measurements.
pub fn samples() -> Vec<Box<dyn Operator>> {
    let mut samples: Vec<Box<dyn Operator>> = Vec::new();
    let tile = Tile::ECP5;
    for function in [Function::Recip, Function::Rsqrt] {
        for grade in Grade::ALL {
            samples.push(Box::new(Froot {
                function,
                grade,
                tile,
            }));
        }
    }
    samples
}
