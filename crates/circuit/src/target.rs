//! What a circuit needs to know of the chip and clock that it is built for.

use crate::family::{self, Delays, Family};
use crate::operators::Tile;

/// A chip with a clock.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Target {
    /// The chip's family.
    pub family: &'static Family,
    /// The clock period in nanoseconds.
    pub period: f64,
    /// The chip's speed grade: how long a path takes on it if it takes one nanosecond on the chips
    /// that the family's delays are those of.
    pub grade: f64,
}

/// The part of a period that longer wires and the differences between placements may take.
const SPARE: f64 = 0.08;

impl Target {
    /// An ECP5 of speed grade 8, at 140 MHz.
    pub const ECP5: Target = Target {
        family: &family::ECP5,
        period: 1000.0 / 140.0,
        grade: 1.0,
    };

    /// How long paths take.
    pub fn delays(&self) -> Delays {
        self.family.delays.scaled(self.grade)
    }

    /// What the logic between two registers may take, in nanoseconds. Delays are measured on chips
    /// that are nearly empty, and differ from one placement to the next: some of the period is left
    /// for it.
    pub fn budget(&self) -> f64 {
        self.period * (1.0 - SPARE) - self.delays().register
    }

    /// What a multiplier block takes.
    pub fn tile(&self) -> Tile {
        self.family.tile
    }
}
