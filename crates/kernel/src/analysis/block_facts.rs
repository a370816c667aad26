//! Facts of values in one block: those that hold everywhere, and what the branches on the way to the
//! block say in addition.

use super::facts::Facts;
use super::guards::Guards;
use super::ranges::Ranges;
use super::{Cfg, Dominators, transfer};
use crate::ir::{Block, InstData, Kernel, Value};

/// How many operations a fact about an operand is carried through.
const DEPTH: u32 = 8;

/// What is known in a block.
pub struct BlockFacts<'a> {
    kernel: &'a Kernel,
    ranges: &'a Ranges,
    guards: Guards,
}

impl<'a> BlockFacts<'a> {
    /// What is known in `block`.
    pub fn of(
        kernel: &'a Kernel,
        cfg: &Cfg,
        dominators: &Dominators,
        ranges: &'a Ranges,
        block: Block,
    ) -> BlockFacts<'a> {
        BlockFacts {
            kernel,
            ranges,
            guards: Guards::of_entry(kernel, cfg, dominators, block, ranges),
        }
    }

    /// What is known of an integer value.
    pub fn facts(&self, value: Value) -> Facts {
        self.facts_to_depth(value, DEPTH)
    }

    fn facts_to_depth(&self, value: Value, depth: u32) -> Facts {
        let known = self.ranges.facts(value);
        let known = self
            .guards
            .facts(value)
            .map_or(known, |facts| known.and(facts));
        if depth == 0 || known.as_constant().is_some() {
            return known;
        }
        let of = |arg: Value| self.facts_to_depth(arg, depth - 1);
        match self.kernel.def_inst(value) {
            Some(&InstData::Binary { op, args: [a, b] }) => {
                known.and(transfer::binary(op, &of(a), &of(b)))
            }
            Some(&InstData::Cast { op, arg }) if self.kernel.ty(arg).is_int() => {
                known.and(transfer::cast(op, &of(arg), known.width()))
            }
            _ => known,
        }
    }
}
