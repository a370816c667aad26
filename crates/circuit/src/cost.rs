//! What hardware occupies of a chip. Estimates are made of an [`Area`](crate::area::Area).

use std::iter::Sum;
use std::ops::{AddAssign, Sub};

use serde::Serialize;

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

/// The rest of a cost without one of its parts. Parts are rounded up by themselves: two halves of a multiplier
/// block may be one block together, and one each.
impl Sub for Cost {
    type Output = Cost;

    fn sub(self, part: Cost) -> Cost {
        Cost {
            logic: self.logic.saturating_sub(part.logic),
            registers: self.registers.saturating_sub(part.registers),
            multipliers: self.multipliers.saturating_sub(part.multipliers),
            block_memories: self.block_memories.saturating_sub(part.block_memories),
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
