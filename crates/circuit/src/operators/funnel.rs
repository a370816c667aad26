//! Funnel shifts: a window of the width into two operands side by side.

use super::{Operator, Port, Step, levels, parts};
use crate::area::Area;
use crate::arith;
use crate::family::Delays;
use crate::text::{choices, parameters};
use crate::unit::require;
use crate::verilog::Source;

/// Where the window starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// The high half of the pair shifted left.
    Left,
    /// The low half of the pair shifted right.
    Right,
}

/// The operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Funnel {
    /// The operands' and the result's width: 2, 4, 8, 16, 32 or 64. Amounts are modulo the width,
    /// which for other widths is a division of its own.
    pub width: u32,
    /// Where to.
    pub direction: Direction,
}

const SOURCES: &[Source] = &[
    parts::STAGE,
    Source {
        file: "sluice_funnel.v",
        text: include_str!("funnel.v"),
    },
];

parameters! { Operator Funnel { width, direction } }
choices! { Direction { Left = "left", Right = "right" } }

impl Operator for Funnel {
    fn check(&self) -> Result<(), String> {
        require(
            matches!(self.width, 2 | 4 | 8 | 16 | 32 | 64),
            "a funnel's width is 2, 4, 8, 16, 32 or 64",
        )
    }

    fn module(&self) -> &'static str {
        "sluice_funnel"
    }

    fn sources(&self) -> &'static [Source] {
        SOURCES
    }

    fn parameters(&self) -> Vec<(&'static str, u64)> {
        vec![
            ("WIDTH", self.width.into()),
            ("RIGHT", (self.direction == Direction::Right).into()),
        ]
    }

    fn inputs(&self) -> Vec<Port> {
        vec![
            Port::bits("a", self.width),
            Port::bits("b", self.width),
            Port::bits("c", self.width),
        ]
    }

    fn outputs(&self) -> Vec<Port> {
        vec![Port::bits("y", self.width)]
    }

    fn steps(&self, ns: &Delays) -> Vec<Step> {
        let amount = parts::clog2(self.width);
        let fine = amount.div_ceil(2);
        let kept = self.width + (1 << fine) - 1;
        vec![
            Step::new("shift coarsely", ns.shift(amount - fine), fine + kept),
            Step::new("shift finely", ns.shift(fine), self.width),
        ]
    }

    fn logic(&self) -> Area {
        let width = self.width;
        Area::of(
            "funnel",
            [("bits", width), ("shifted bits", width * levels(width))],
        )
    }

    fn evaluate(&self, inputs: &[u64], outputs: &mut [u64]) {
        let [a, b, c] = [inputs[0], inputs[1], inputs[2]];
        outputs[0] = match self.direction {
            Direction::Left => arith::funnel_shift_left(self.width, a, b, c),
            Direction::Right => arith::funnel_shift_right(self.width, a, b, c),
        };
    }
}

/// The choices for tests and measurements.
pub fn samples() -> Vec<Box<dyn Operator>> {
    let mut samples: Vec<Box<dyn Operator>> = Vec::new();
    for direction in [Direction::Left, Direction::Right] {
        for width in [2, 8, 16, 32, 64] {
            samples.push(Box::new(Funnel { width, direction }));
        }
    }
    samples
}
