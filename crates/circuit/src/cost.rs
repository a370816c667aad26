//! What hardware occupies. Units and operators were measured on an ECP5 and say what they take
//! there; [`Ecp5Cost::on`] is the one place that turns this into another family's resources.

use std::iter::Sum;
use std::ops::{AddAssign, Sub};

use serde::Serialize;

use crate::family::Family;

/// What hardware occupies, in resources of the chip's family.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Cost {
    /// What the family counts as logic: look-up tables or adaptive logic modules.
    pub logic: u32,
    /// Flip-flops.
    pub registers: u32,
    /// Multiplier blocks.
    pub multipliers: u32,
    /// Block memories.
    pub block_memories: u32,
}

/// What hardware occupies on an ECP5, where it was measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ecp5Cost {
    /// Four-input look-up tables, those of carry chains included.
    pub luts: u32,
    /// Flip-flops.
    pub ffs: u32,
    /// Multiplier blocks, of the size that the operator is built for.
    pub dsps: u32,
    /// Block memories of 18 kbit.
    pub brams: u32,
}

impl Ecp5Cost {
    /// The estimate for a family. Multiplier blocks need no conversion: operators count those that
    /// they are built of, and their size is the family's.
    pub fn on(self, family: &Family) -> Cost {
        let share = |count: u32, per: f64| (f64::from(count) / per).round() as u32;
        let worth = &family.worth;
        Cost {
            logic: share(self.luts, worth.luts_per_logic),
            registers: self.ffs,
            multipliers: self.dsps,
            block_memories: share(self.brams, worth.brams_per_block_memory),
        }
    }
}

impl Cost {
    /// By resource, in the order of [`Resources::names`](crate::family::Resources::names).
    pub fn counts(&self) -> [u32; 4] {
        [
            self.logic,
            self.registers,
            self.multipliers,
            self.block_memories,
        ]
    }
}

impl AddAssign for Cost {
    fn add_assign(&mut self, other: Cost) {
        self.logic += other.logic;
        self.registers += other.registers;
        self.multipliers += other.multipliers;
        self.block_memories += other.block_memories;
    }
}

/// The rest of a cost without one of its parts.
impl Sub for Cost {
    type Output = Cost;

    fn sub(self, part: Cost) -> Cost {
        Cost {
            logic: self.logic - part.logic,
            registers: self.registers - part.registers,
            multipliers: self.multipliers - part.multipliers,
            block_memories: self.block_memories - part.block_memories,
        }
    }
}

impl Sum for Cost {
    fn sum<I: Iterator<Item = Cost>>(costs: I) -> Cost {
        let mut all = Cost::default();
        costs.for_each(|cost| all += cost);
        all
    }
}
