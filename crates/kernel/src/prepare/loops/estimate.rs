//! What is known of the cycles of loops before there is a circuit, for rules that compare.

use super::choose::Wait;
use crate::analysis::LoopData;
use crate::analysis::dependence::LoopDependences;
use crate::ir::{AccessKind, BinaryOp, Block, Effect, Inst, InstData, Kernel};
use crate::loops::ENOUGH;

/// A wait that the order of a block does not imply, for an iteration that is still under way.
pub(super) fn short_wait(kernel: &Kernel, block: Block, waits: &[Wait]) -> Option<Wait> {
    let insts = &kernel.block(block).insts;
    let place = |inst: Inst| insts.iter().position(|&it| it == inst);
    let mut against = waits.iter().filter(|it| place(it.source) > place(it.sink));
    against.find(|it| it.distance < ENOUGH).copied()
}

/// Whether a loop waits for memory in each iteration.
pub(super) fn has_loads(kernel: &Kernel, loop_: &LoopData) -> bool {
    let mut insts = loop_.blocks.iter().flat_map(|&it| &kernel.block(it).insts);
    insts.any(|&inst| match kernel.inst(inst).effect() {
        Effect::Access(access) => access.kind != AccessKind::Write,
        _ => false,
    })
}

/// About the cycles between iterations of a loop, as far as slow operations on values that they hand on decide it.
pub(super) fn slow_interval(kernel: &Kernel, loop_: &LoopDependences) -> u64 {
    longest(loop_, |inst| cycles(kernel, inst))
}

/// The same for all operations.
pub(super) fn interval(kernel: &Kernel, loop_: &LoopDependences) -> u64 {
    let parts = |inst| PARTS * cycles(kernel, inst) + part(kernel, inst);
    longest(loop_, parts).div_ceil(PARTS)
}

fn longest(loop_: &LoopDependences, latency: impl Fn(Inst) -> u64) -> u64 {
    let recurrences = loop_.value_recurrences();
    let intervals = recurrences.iter();
    let intervals = intervals.filter_map(|it| it.interval(&latency));
    intervals.max().unwrap_or(1)
}

/// Parts of a cycle that are counted.
const PARTS: u64 = 2;

/// What of a cycle an operation takes that fits into one with others.
fn part(kernel: &Kernel, inst: Inst) -> u64 {
    match kernel.inst(inst) {
        InstData::Binary { .. } | InstData::Compare { .. } => 1,
        _ => 0,
    }
}

/// About the cycles that an operation takes; none if several fit into one.
fn cycles(kernel: &Kernel, inst: Inst) -> u64 {
    match kernel.inst(inst) {
        InstData::Binary { op, args } => match op {
            _ if kernel.ty(args[0]).is_float() => 4,
            BinaryOp::Mul => 3,
            BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem => 16,
            _ => 0,
        },
        InstData::Unary { arg, .. } if kernel.ty(*arg).is_float() => 4,
        InstData::Ternary { args, .. } if kernel.ty(args[0]).is_float() => 4,
        InstData::Elementary { .. } => 16,
        _ => 0,
    }
}
