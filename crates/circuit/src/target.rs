//! What a circuit needs to know of the chip and clock that it is built for.

use crate::operators::{Tile, delay};

/// A chip with a clock.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Target {
    /// The clock period in nanoseconds.
    pub period: f64,
    /// How long a path takes here if it takes one nanosecond on the reference target.
    pub slowness: f64,
    /// What a multiplier block takes.
    pub tile: Tile,
    /// Look-up tables that are as scarce as a block memory.
    pub luts_per_block: u32,
}

impl Target {
    /// The reference: an ECP5 of speed grade 8, at 140 MHz.
    pub const ECP5: Target = Target {
        period: 1000.0 / 140.0,
        slowness: 1.0,
        tile: Tile::ECP5,
        luts_per_block: 400,
    };

    /// The clock period that the reference target would have if its clock were as hard to meet:
    /// the one to compare with delays, which are those of the reference target.
    pub fn reference_period(&self) -> f64 {
        self.period / self.slowness
    }

    /// What the logic between two registers may take, in nanoseconds of the reference target.
    pub fn budget(&self) -> f64 {
        self.reference_period() - delay::REGISTER
    }
}
