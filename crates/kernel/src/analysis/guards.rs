//! Guards: what the branches on the way to a block say about the values there.

use sluice_circuit::arith::Signedness::{Signed, Unsigned};

use super::facts::Facts;
use super::ranges::Ranges;
use super::{Cfg, Dominators};
use crate::ir::{BinaryOp, Block, InstData, Kernel, Relation, Swap, Value};

/// A comparison that is known to hold.
#[derive(Clone, Copy, Debug)]
pub(super) struct Comparison {
    pub(super) relation: Relation,
    pub(super) args: [Value; 2],
}

impl Comparison {
    /// What holds if `cond` has the given truth, if `cond` is an integer comparison.
    pub(super) fn of(kernel: &Kernel, cond: Value, truth: Truth) -> Option<Comparison> {
        let &InstData::Compare { pred, args } = kernel.def_inst(cond)? else {
            return None;
        };
        let [a, b] = args;
        if !kernel.ty(a).is_int() {
            return None;
        }
        let relation = pred.row().relation?;
        let (relation, swap) = match truth {
            Truth::Holds => (relation, Swap::No),
            Truth::Fails => relation.negated(),
        };
        let args = match swap {
            Swap::No => [a, b],
            Swap::Yes => [b, a],
        };
        Some(Comparison { relation, args })
    }
}

/// Whether a condition holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Truth {
    Holds,
    Fails,
}

/// Facts that hold in a part of the kernel, beyond those that hold everywhere.
#[derive(Default)]
pub(super) struct Guards {
    facts: Vec<(Value, Facts)>,
}

impl Guards {
    /// What is known whenever control enters the loop with this header from outside.
    pub(super) fn of_entry(
        kernel: &Kernel,
        cfg: &Cfg,
        dominators: &Dominators,
        header: Block,
        ranges: &Ranges,
    ) -> Guards {
        let mut guards = Guards::default();
        for (cond, truth) in conditions(kernel, cfg, dominators, header) {
            for comparison in comparisons(kernel, cond, truth) {
                guards.assume(comparison, ranges);
            }
        }
        guards
    }

    /// What is known of a value here only.
    pub(super) fn facts(&self, value: Value) -> Option<Facts> {
        let facts = self.facts.iter().filter(|(about, _)| *about == value);
        facts.map(|&(_, facts)| facts).reduce(Facts::and)
    }

    fn assume(&mut self, comparison: Comparison, ranges: &Ranges) {
        let Comparison {
            relation,
            args: [a, b],
        } = comparison;
        let [known_a, known_b] = [a, b].map(|value| ranges.facts(value));
        self.facts
            .push((a, restricted(relation, Side::Left, known_b)));
        self.facts
            .push((b, restricted(relation, Side::Right, known_a)));
    }
}

/// The conditions of the branches that control takes on every way to a block, with their truth.
pub(super) fn conditions(
    kernel: &Kernel,
    cfg: &Cfg,
    dominators: &Dominators,
    block: Block,
) -> Vec<(Value, Truth)> {
    let mut conditions = Vec::new();
    let mut next = Some(block);
    while let Some(block) = next {
        // Edges from below the block are ways round: they have come in before.
        let preds = cfg.predecessors(block).iter().copied();
        let mut preds = preds.filter(|&from| !dominators.dominates(block, from));
        if let (Some(from), None) = (preds.next(), preds.next())
            && let InstData::Branch { cond, targets } = kernel.inst(kernel.terminator(from))
            && targets[0].block != targets[1].block
        {
            let truth = if targets[0].block == block {
                Truth::Holds
            } else {
                Truth::Fails
            };
            conditions.push((*cond, truth));
        }
        next = dominators.idom(block);
    }
    conditions
}

/// The comparisons that follow from a condition: several if it is a conjunction.
pub(super) fn comparisons(kernel: &Kernel, cond: Value, truth: Truth) -> Vec<Comparison> {
    if let Some(&InstData::Binary { op, args }) = kernel.def_inst(cond)
        && matches!(
            (op, truth),
            (BinaryOp::And, Truth::Holds) | (BinaryOp::Or, Truth::Fails)
        )
    {
        let parts = args.into_iter();
        return parts
            .flat_map(|arg| comparisons(kernel, arg, truth))
            .collect();
    }
    Comparison::of(kernel, cond, truth).into_iter().collect()
}

enum Side {
    Left,
    Right,
}

/// What a comparison that holds says about the operand on one side, given the other one.
fn restricted(relation: Relation, side: Side, other: Facts) -> Facts {
    use Relation::*;
    let unknown = Facts::unknown(other.width());
    match (relation, side) {
        (Equal, _) => other,
        (NotEqual, _) => match other.as_constant() {
            Some(0) => unknown.within_unsigned(1, u64::MAX),
            Some(bits) if bits == unknown.umax() => unknown.within_unsigned(0, bits - 1),
            _ => unknown,
        },
        (Less(Unsigned), Side::Left) => unknown.within_unsigned(0, other.umax().saturating_sub(1)),
        (LessOrEqual(Unsigned), Side::Left) => unknown.within_unsigned(0, other.umax()),
        (Less(Unsigned), Side::Right) => {
            unknown.within_unsigned(other.umin().saturating_add(1), u64::MAX)
        }
        (LessOrEqual(Unsigned), Side::Right) => unknown.within_unsigned(other.umin(), u64::MAX),
        (Less(Signed), Side::Left) => {
            unknown.within_signed(i64::MIN, other.smax().saturating_sub(1))
        }
        (LessOrEqual(Signed), Side::Left) => unknown.within_signed(i64::MIN, other.smax()),
        (Less(Signed), Side::Right) => {
            unknown.within_signed(other.smin().saturating_add(1), i64::MAX)
        }
        (LessOrEqual(Signed), Side::Right) => unknown.within_signed(other.smin(), i64::MAX),
    }
}
