//! Guards: what the branches on the way to a loop say about the values it is entered with.

use super::facts::Facts;
use super::ranges::Ranges;
use super::{Cfg, Dominators};
use crate::ir::{BinaryOp, Block, InstData, Kernel, Predicate, Value};

/// A comparison that is known to hold.
#[derive(Clone, Copy, Debug)]
pub(super) struct Comparison {
    pub(super) pred: Predicate,
    pub(super) args: [Value; 2],
}

impl Comparison {
    /// What holds if `cond` has the given truth, if `cond` is an integer comparison.
    pub(super) fn of(kernel: &Kernel, cond: Value, truth: Truth) -> Option<Comparison> {
        use Predicate::*;
        let &InstData::Compare { pred, args } = kernel.def_inst(cond)? else {
            return None;
        };
        let [a, b] = args;
        if !kernel.ty(a).is_int() {
            return None;
        }
        let (pred, args) = match (truth, pred) {
            (Truth::Holds, _) => (pred, args),
            (Truth::Fails, Eq) => (Ne, args),
            (Truth::Fails, Ne) => (Eq, args),
            (Truth::Fails, Ult) => (Ule, [b, a]),
            (Truth::Fails, Ule) => (Ult, [b, a]),
            (Truth::Fails, Slt) => (Sle, [b, a]),
            (Truth::Fails, Sle) => (Slt, [b, a]),
            (Truth::Fails, _) => return None,
        };
        Some(Comparison { pred, args })
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
        let mut next = Some(header);
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
                guards.assume(kernel, *cond, truth, ranges);
            }
            next = dominators.idom(block);
        }
        guards
    }

    /// What is known of a value here only.
    pub(super) fn facts(&self, value: Value) -> Option<Facts> {
        let facts = self.facts.iter().filter(|(about, _)| *about == value);
        facts.map(|&(_, facts)| facts).reduce(Facts::and)
    }

    fn assume(&mut self, kernel: &Kernel, cond: Value, truth: Truth, ranges: &Ranges) {
        if let Some(&InstData::Binary { op, args }) = kernel.def_inst(cond)
            && matches!(
                (op, truth),
                (BinaryOp::And, Truth::Holds) | (BinaryOp::Or, Truth::Fails)
            )
        {
            for arg in args {
                self.assume(kernel, arg, truth, ranges);
            }
        }
        let Some(Comparison { pred, args: [a, b] }) = Comparison::of(kernel, cond, truth) else {
            return;
        };
        let [known_a, known_b] = [a, b].map(|value| ranges.facts(value));
        self.facts.push((a, restricted(pred, Side::Left, known_b)));
        self.facts.push((b, restricted(pred, Side::Right, known_a)));
    }
}

enum Side {
    Left,
    Right,
}

/// What a comparison that holds says about the operand on one side, given the other one.
fn restricted(pred: Predicate, side: Side, other: Facts) -> Facts {
    use Predicate::*;
    let unknown = Facts::unknown(other.width());
    match (pred, side) {
        (Eq, _) => other,
        (Ne, _) => match other.as_constant() {
            Some(0) => unknown.within_unsigned(1, u64::MAX),
            Some(bits) if bits == unknown.umax() => unknown.within_unsigned(0, bits - 1),
            _ => unknown,
        },
        (Ult, Side::Left) => unknown.within_unsigned(0, other.umax().saturating_sub(1)),
        (Ule, Side::Left) => unknown.within_unsigned(0, other.umax()),
        (Ult, Side::Right) => unknown.within_unsigned(other.umin().saturating_add(1), u64::MAX),
        (Ule, Side::Right) => unknown.within_unsigned(other.umin(), u64::MAX),
        (Slt, Side::Left) => unknown.within_signed(i64::MIN, other.smax().saturating_sub(1)),
        (Sle, Side::Left) => unknown.within_signed(i64::MIN, other.smax()),
        (Slt, Side::Right) => unknown.within_signed(other.smin().saturating_add(1), i64::MAX),
        (Sle, Side::Right) => unknown.within_signed(other.smin(), i64::MAX),
        (FOeq | FOne | FOlt | FOle | FOrd | FUeq | FUne | FUlt | FUle | FUno, _) => unknown,
    }
}
