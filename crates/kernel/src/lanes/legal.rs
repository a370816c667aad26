//! What cannot have lanes, and why.

use std::collections::BTreeSet;

use super::divergence::{Divergence, Flow};
use crate::analysis::{Dominators, Loop};
use crate::ir::{Block, Inst, InstData, Kernel, Value, ValueDef};
use crate::prepare::Refusal;

/// Refuses work-groups that have no whole number of tokens.
pub(super) fn check_size(kernel: &Kernel, lanes: u32) -> Result<(), Refusal> {
    match kernel.work_group_size.required {
        Some([x, ..]) if !x.is_multiple_of(lanes) => Err(Refusal {
            what: format!("{lanes} lanes of work-groups that are {x} work-items wide").into(),
            line: 0,
        }),
        _ => Ok(()),
    }
}

/// Refuses loops in which a work-item waits for one of the same token. The lanes that have left a loop go on
/// when the last one has left it, so what they write behind it comes too late.
pub(super) fn check_waits(
    kernel: &Kernel,
    flow: &Flow,
    divergence: &Divergence,
    lanes: u32,
) -> Result<(), Refusal> {
    let dominators = Dominators::of(kernel, &flow.cfg);
    for (loop_, data) in flow.loops.iter() {
        if !divergence.is_divergent(loop_) {
            continue;
        }
        let awaited = awaited(kernel, flow, &dominators, loop_);
        if awaited.is_empty() {
            continue;
        }
        let exits = data.exits.iter().map(|exit| exit.to);
        let behind = reached(kernel, exits, Passing::Barriers);
        let no_barrier = data.exits.iter().map(|exit| exit.to);
        let at_once = reached(kernel, no_barrier, Passing::NoBarriers);
        let is_late = |block: Block| {
            let comes_before =
                || reached(kernel, [block], Passing::Barriers).contains(&data.header);
            let is_beside = || !behind.contains(&block) && !comes_before();
            !flow.loops.contains(loop_, block) && (at_once.contains(&block) || is_beside())
        };
        for read in awaited {
            let objects = kernel.inst(read).objects().expect("it is an access");
            let writes = |&(_, inst): &(Block, Inst)| {
                let access = kernel.inst(inst).access_effect();
                access.is_some_and(|it| it.writes() && it.objects.intersects(objects))
            };
            let mut writes = kernel.insts().filter(writes);
            if let Some((_, late)) = writes.find(|&(block, _)| is_late(block)) {
                let written = kernel.loc(late).line;
                return Err(Refusal {
                    what: format!(
                        "a loop that waits for what another work-item writes in line {written}, with {lanes} lanes,"
                    )
                    .into(),
                    line: kernel.loc(read).line,
                });
            }
        }
    }
    Ok(())
}

/// Whether a way may pass barriers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Passing {
    Barriers,
    NoBarriers,
}

/// The blocks that ways from some blocks lead to.
fn reached(
    kernel: &Kernel,
    from: impl IntoIterator<Item = Block>,
    passing: Passing,
) -> BTreeSet<Block> {
    let mut open: Vec<Block> = from.into_iter().collect();
    let mut reached = BTreeSet::new();
    while let Some(block) = open.pop() {
        let mut insts = kernel.block(block).insts.iter();
        let waits = insts.any(|&inst| matches!(kernel.inst(inst), InstData::Barrier(_)));
        if reached.insert(block) && (passing == Passing::Barriers || !waits) {
            open.extend(kernel.successors(block).iter().map(|target| target.block));
        }
    }
    reached
}

/// The atomic and volatile accesses of a loop that decide when it is left. A loop that ends with a successful
/// exchange of what it has just read waits for none: where one work-item fails, another one has succeeded.
fn awaited(kernel: &Kernel, flow: &Flow, dominators: &Dominators, loop_: Loop) -> BTreeSet<Inst> {
    let is_own = |block: Block| flow.loops.contains(loop_, block);
    let condition = |block: Block| match kernel.inst(kernel.terminator(block)) {
        InstData::Branch { cond, .. } if is_own(block) => Some(*cond),
        _ => None,
    };
    let exits = flow.loops.get(loop_).exits.iter();
    let mut open: Vec<Value> = exits.filter_map(|exit| condition(exit.from)).collect();
    let mut seen: BTreeSet<Value> = BTreeSet::new();
    let mut reads = BTreeSet::new();
    while let Some(value) = open.pop() {
        if !seen.insert(value) || !is_own(flow.home(value)) {
            continue;
        }
        match kernel.def(value) {
            ValueDef::Param(block, at) => {
                let from = flow.cfg.predecessors(block).iter();
                let targets = from.flat_map(|&from| kernel.successors(from));
                let own = targets.filter(|target| target.block == block);
                open.extend(own.map(|target| target.args[at as usize]));
                // Which way was taken decides the value.
                open.extend(dominators.idom(block).and_then(condition));
                let back = flow.cfg.predecessors(block).iter();
                open.extend(back.filter_map(|&from| condition(from)));
            }
            ValueDef::Result(inst, _) => {
                let data = kernel.inst(inst);
                if let InstData::CmpXchg { expected, .. } = data
                    && is_own(flow.home(*expected))
                    && kernel.constant(*expected).is_none()
                {
                    return BTreeSet::new();
                }
                if data.access_effect().is_some_and(|it| it.synchronises()) {
                    reads.insert(inst);
                }
                open.extend(data.operands());
            }
        }
    }
    reads
}
