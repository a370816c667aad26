//! Sine and cosine of a float.

use super::approximation::{
    beside, high, look_up, quadratic_area, quadratic_parameters, quadratic_steps,
};
use super::product::Product;
use super::{Operator, Port, Step, Tile, parts};
use crate::area::Area;
use crate::arith::Format;
use crate::elementary::trig::{self, Shape, Wave};
use crate::elementary::{Function, Grade, tables, windows};
use crate::family::Delays;
use crate::text::parameters;
use crate::unit::require;
use crate::verilog::Source;

/// The operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ftrig {
    /// Sine or cosine.
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
    parts::SHIFT_LEFT,
    parts::ROUND,
    parts::PRODUCT,
    parts::QUADRATIC,
    windows::FULL_SOURCE,
    windows::NATIVE_SOURCE,
    tables::TRIG_FULL_SOURCE,
    tables::TRIG_NATIVE_SOURCE,
    Source {
        file: "sluice_ftrig.v",
        text: include_str!("ftrig.v"),
    },
];

impl Ftrig {
    fn wave(&self) -> Wave {
        Wave::of(self.function).expect("check: it is a sine or cosine")
    }

    fn shape(&self) -> Shape {
        trig::shape(self.grade)
    }

    /// The angle in turns.
    fn reduce(&self) -> Product {
        let windows = self.shape().windows;
        Product {
            a: self.placed(),
            b: windows.width,
            out: windows.width,
            tile: self.tile,
        }
    }

    /// Bits of a significand that is shifted.
    fn placed(&self) -> u32 {
        23 + (1 << self.shape().windows.shift)
    }

    /// What is rounded.
    fn multiply(&self) -> Product {
        let Shape {
            significand, table, ..
        } = self.shape();
        Product {
            a: table.quadratic.c0,
            b: significand,
            out: significand + table.point,
            tile: self.tile,
        }
    }
}

parameters! { Operator Ftrig { function, grade, tile } }

impl Operator for Ftrig {
    fn check(&self) -> Result<(), String> {
        require(
            Wave::of(self.function).is_some(),
            "ftrig computes sin or cos",
        )?;
        self.tile.check()
    }

    fn tile(&self) -> Option<Tile> {
        Some(self.tile)
    }

    fn module(&self) -> &'static str {
        "sluice_ftrig"
    }

    fn sources(&self) -> &'static [Source] {
        SOURCES
    }

    fn parameters(&self) -> Vec<(&'static str, u64)> {
        let Shape {
            angle,
            significand,
            windows,
            table,
        } = self.shape();
        let mut parameters = vec![
            ("COSINE", (self.wave() == Wave::Cosine).into()),
            ("NATIVE", (self.grade == Grade::Native).into()),
            ("LEAST", windows.least.into()),
            ("SHIFT", windows.shift.into()),
            ("WINDOW", windows.width.into()),
            ("ANGLE", angle.into()),
            ("SIG", significand.into()),
            ("POINT", table.point.into()),
        ];
        parameters.extend(quadratic_parameters(&table.quadratic, self.tile));
        parameters
    }

    fn inputs(&self) -> Vec<Port> {
        vec![Port::float("a", Format::F32)]
    }

    fn outputs(&self) -> Vec<Port> {
        vec![Port::float("y", Format::F32)]
    }

    fn steps(&self, ns: &Delays) -> Vec<Step> {
        let Shape {
            angle,
            significand,
            windows,
            table,
        } = self.shape();
        let (placed, count) = (self.placed(), parts::clog2(angle - 1));
        // Small angles are their own sines, but no cosines.
        let itself = match self.wave() {
            Wave::Sine => 32,
            Wave::Cosine => 0,
        };
        let window =
            (ns.lut * f64::from(windows.index().div_ceil(2))).max(ns.shift(windows.shift) + ns.lut);
        let mut steps = vec![Step::new(
            "unpack",
            window,
            3 + itself + placed + windows.width,
        )];
        steps.extend(beside(high(ns, &self.reduce(), 2 + angle), 3 + itself));
        steps.push(Step::new("fold", 3.0 * ns.lut, 3 + itself + angle));
        let mut look_up = look_up(ns, &table.quadratic);
        look_up.delay = look_up.delay.max(ns.lzc(angle - 1));
        look_up.width = 4 + itself + angle + count + table.quadratic.row();
        steps.push(look_up);
        // Beside the quadratic's first step, the angle is normalised.
        let mut factor = quadratic_steps(ns, &table.quadratic, self.tile);
        let normalise = ns.shift(count).max(ns.carry(8)) + ns.lut;
        factor[0].delay = factor[0].delay.max(normalise);
        steps.extend(beside(factor, 12 + significand));
        let multiply = self.multiply();
        steps.extend(beside(multiply.steps(ns), 12));
        let place = ns.tree(multiply.out - 24).max(ns.carry(8)) + ns.lut;
        let round = ns.tree(4) + ns.carry(31) + ns.lut;
        steps.extend([Step::new("place", place, 36), Step::new("round", round, 32)]);
        steps
    }

    fn logic(&self) -> Area {
        let kind = match (self.grade, self.wave()) {
            (Grade::Full, Wave::Sine) => "full sines",
            (Grade::Full, Wave::Cosine) => "full cosines",
            (Grade::Native, Wave::Sine) => "native sines",
            (Grade::Native, Wave::Cosine) => "native cosines",
        };
        Area::of("ftrig", [(kind, 1)])
            + quadratic_area(&self.shape().table.quadratic, self.tile)
            + self.reduce().area()
            + self.multiply().area()
    }

    fn evaluate(&self, inputs: &[u64], outputs: &mut [u64]) {
        outputs[0] = trig::evaluate(self.wave(), self.grade, inputs[0]);
    }
}

/// The choices for tests and measurements.
pub fn samples() -> Vec<Box<dyn Operator>> {
    let mut samples: Vec<Box<dyn Operator>> = Vec::new();
    for function in [Function::Sin, Function::Cos] {
        for grade in Grade::ALL {
            let tile = Tile::ECP5;
            samples.push(Box::new(Ftrig {
                function,
                grade,
                tile,
            }));
        }
    }
    samples
}
