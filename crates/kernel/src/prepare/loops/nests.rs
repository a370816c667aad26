//! Makes one loop of a nest, where the inner loop is pipelined and the whole then is, too.
//!
//! The pipeline of an inner loop runs empty behind each of its executions. One loop of the whole nest has no such
//! gaps. It pays if iterations follow each other as soon as they do in the inner loop: if they do not wait for what only
//! executions of the inner loop had to wait for.

use std::collections::BTreeSet;

use super::super::Refusal;
use super::choose::{LoopWays, Wait, Way, choose};
use super::convert::clean;
use crate::analysis::dependence::{Buffers as Aliasing, Dependences};
use crate::analysis::{Cfg, Dominators, Loops};
use crate::ir::{BinaryOp, Block, Inst, InstData, Kernel};
use crate::loops::{ENOUGH, Refused, coalesce};
use crate::plan::{KernelPlan, LoopWay};

/// Most nests that are looked at.
const MOST_NESTS: usize = 64;

/// Makes loops of nests where that pays.
pub(super) fn coalesce_nests(kernel: &mut Kernel, plan: &KernelPlan) -> Result<(), Refusal> {
    let mut refused: BTreeSet<Block> = BTreeSet::new();
    for _ in 0..MOST_NESTS {
        let ways = choose(kernel, plan)?;
        let Some((outer, inner)) = candidate(kernel, &ways, &refused) else {
            break;
        };
        match coalesced(kernel, plan, &ways, (outer, inner)) {
            Ok(changed) => *kernel = changed,
            Err(_) => {
                refused.insert(outer);
            }
        }
    }
    Ok(())
}

/// A loop that recirculates, with a pipelined one inside and no other: their headers.
fn candidate(
    kernel: &Kernel,
    ways: &LoopWays,
    refused: &BTreeSet<Block>,
) -> Option<(Block, Block)> {
    let cfg = Cfg::of(kernel);
    let loops = Loops::of(kernel, &cfg, &Dominators::of(kernel, &cfg));
    let is_free = |header: Block| {
        let mut reports = ways.reports.iter().filter(|it| it.header == header);
        reports.any(|it| it.way == LoopWay::Recirculating && it.is_free)
    };
    let is_pipelined =
        |header: Block| matches!(ways.ways.get(&header), Some(Way::Pipelined(_)));
    loops.iter().find_map(|(loop_, data)| {
        let mut inside = loops.iter().filter(|(_, it)| it.parent == Some(loop_));
        let (Some((_, inner)), None) = (inside.next(), inside.next()) else {
            return None;
        };
        let is_candidate = is_free(data.header)
            && is_pipelined(inner.header)
            && !refused.contains(&data.header);
        is_candidate.then_some((data.header, inner.header))
    })
}

/// The kernel with one loop instead of two, if that pays.
fn coalesced(
    kernel: &Kernel,
    plan: &KernelPlan,
    ways: &LoopWays,
    (outer, inner): (Block, Block),
) -> Result<Kernel, Refused> {
    let mut changed = kernel.clone();
    let head = coalesce(&mut changed, outer)?;
    clean(&mut changed);
    let not = |what: &'static str| Refused {
        reason: what.into(),
        line: 0,
    };
    let after = choose(&changed, plan).map_err(|_| not("the plan asks for something else"))?;
    let Some(Way::Pipelined(waits)) = after.ways.get(&head) else {
        return Err(not("the loop of both would not be pipelined"));
    };
    let Some(Way::Pipelined(before)) = ways.ways.get(&inner) else {
        unreachable!("it is a candidate");
    };
    let allowed = least(kernel, inner, before).unwrap_or(ENOUGH).min(ENOUGH);
    if least(&changed, head, waits).is_some_and(|least| least < allowed) {
        return Err(not("its iterations would wait for what another execution of the inner loop does in memory"));
    }
    match interval(&changed, head) <= interval(kernel, inner) {
        true => Ok(changed),
        false => Err(not("an iteration would wait for what only one of the outer loop waits for")),
    }
}

/// The least distance of those waits that the order of a block does not imply.
fn least(kernel: &Kernel, block: Block, waits: &[Wait]) -> Option<u64> {
    let insts = &kernel.block(block).insts;
    let place = |inst: Inst| insts.iter().position(|&it| it == inst);
    let against = waits.iter().filter(|it| place(it.source) > place(it.sink));
    against.map(|it| it.distance).min()
}

/// About the cycles between iterations of a loop of one block, as far as values that they hand on decide it.
fn interval(kernel: &Kernel, header: Block) -> u64 {
    // Memory is looked at by distances.
    let dependences = Dependences::of(kernel, Aliasing::Distinct);
    let loop_ = dependences.loops().innermost(header).expect("it is a loop");
    let recurrences = dependences.get(loop_).value_recurrences();
    let intervals = recurrences.iter();
    let intervals = intervals.filter_map(|it| it.interval(|inst| cycles(kernel, inst)));
    intervals.max().unwrap_or(1)
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
