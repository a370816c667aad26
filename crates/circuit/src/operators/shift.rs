//! Shifts by a variable amount.

use super::{Operator, Port, Step, levels, parts};
use crate::area::Area;
use crate::arith;
use crate::family::Delays;
use crate::text::{choices, parameters};
use crate::unit::require;
use crate::verilog::Source;

/// What moves in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// To the left; zeros.
    Left,
    /// To the right; zeros.
    RightLogical,
    /// To the right; the sign.
    RightArithmetic,
}

impl Direction {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Left, Self::RightLogical, Self::RightArithmetic];
}

/// The operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shift {
    /// The operands' and the result's width, 1 to 64.
    pub width: u32,
    /// Where to.
    pub direction: Direction,
}

const SOURCES: &[Source] = &[
    parts::STAGE,
    Source {
        file: "sluice_shift.v",
        text: include_str!("shift.v"),
    },
];

impl Shift {
    fn kind(&self) -> u64 {
        match self.direction {
            Direction::Left => 0,
            Direction::RightLogical => 1,
            Direction::RightArithmetic => 2,
        }
    }
}

parameters! { Operator Shift { width, direction } }
choices! {
    Direction { Left = "left", RightLogical = "right_logical", RightArithmetic = "right_arithmetic" }
}

impl Operator for Shift {
    fn check(&self) -> Result<(), String> {
        require((1..=64).contains(&self.width), "a width is 1 to 64 bits")
    }

    fn module(&self) -> &'static str {
        "sluice_shift"
    }

    fn sources(&self) -> &'static [Source] {
        SOURCES
    }

    fn parameters(&self) -> Vec<(&'static str, u64)> {
        vec![("WIDTH", self.width.into()), ("KIND", self.kind())]
    }

    fn inputs(&self) -> Vec<Port> {
        vec![Port::bits("a", self.width), Port::bits("b", self.width)]
    }

    fn outputs(&self) -> Vec<Port> {
        vec![Port::bits("y", self.width)]
    }

    fn steps(&self, ns: &Delays) -> Vec<Step> {
        let amount = parts::clog2(self.width).max(1);
        let fine = amount.div_ceil(2);
        // What shifts everything out drives all bits; so does each bit of the amount.
        let coarse = ns.shift(amount - fine).max(ns.tree(self.width)) + ns.lut + ns.fan_out;
        let wires = if self.width > 32 { ns.fan_out } else { 0.0 };
        vec![
            Step::new("shift coarsely", coarse, 1 + fine + self.width),
            Step::new("shift finely", ns.shift(fine) + wires, self.width),
        ]
    }

    fn logic(&self) -> Area {
        let width = self.width;
        Area::of(
            "shift",
            [("bits", width), ("shifted bits", width * levels(width))],
        )
    }

    fn evaluate(&self, inputs: &[u64], outputs: &mut [u64]) {
        let (a, b) = (inputs[0], inputs[1]);
        outputs[0] = match self.direction {
            Direction::Left => arith::shift_left(self.width, a, b),
            Direction::RightLogical => arith::shift_right_logical(self.width, a, b),
            Direction::RightArithmetic => arith::shift_right_arithmetic(self.width, a, b),
        };
    }
}

/// The choices for tests and measurements.
pub fn samples() -> Vec<Box<dyn Operator>> {
    let mut samples: Vec<Box<dyn Operator>> = Vec::new();
    for direction in Direction::ALL {
        for width in [1, 8, 16, 32, 37, 64] {
            samples.push(Box::new(Shift { width, direction }));
        }
    }
    samples
}
