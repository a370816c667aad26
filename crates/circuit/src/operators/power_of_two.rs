//! The power of two inside several operators, as the module `sluice_power_of_two` computes it.

use super::approximation::{WIDE, beside, look_up, pack_steps, quadratic_steps};
use super::{Step, Tile};
use crate::elementary::Grade;
use crate::elementary::quadratic::Quadratic;
use crate::family::Delays;

/// 2 to the power of a number in fixed point.
pub struct PowerOfTwo {
    /// The table's widths.
    pub quadratic: &'static Quadratic,
    /// Bits of the number before the point.
    pub integer: u32,
    /// Bits that are rounded away.
    pub guard: u32,
    /// Whether there are subnormal results.
    pub grade: Grade,
    /// Bits of what the result is said to be beforehand: special, negative.
    pub head: u32,
    /// What is multiplied at once.
    pub tile: Tile,
}

impl PowerOfTwo {
    /// Bits of the number: one is rounded away.
    pub fn placed(&self) -> u32 {
        self.integer + self.quadratic.argument() + 1
    }

    /// The seventeen steps.
    pub fn steps(&self, ns: &Delays) -> Vec<Step> {
        let (placed, head) = (self.placed(), self.head);
        let mut steps = vec![
            Step::new("shift coarsely", ns.shift(3) + ns.lut, head + 4 + placed),
            Step::new("shift finely", ns.shift(3), head + 1 + placed),
            Step::new("negate and round", ns.carry(placed), head + placed),
        ];
        let raise = quadratic_steps(ns, self.quadratic, self.tile);
        steps.extend(beside([look_up(ns, self.quadratic)], head + WIDE));
        steps.extend(beside(raise, head + WIDE));
        let amount = match self.grade {
            Grade::Full => 5,
            Grade::Native => 0,
        };
        steps.extend(pack_steps(ns, self.guard, amount));
        steps
    }
}
