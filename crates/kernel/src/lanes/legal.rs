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
        for read in awaited(kernel, flow, loop_) {
            let objects = kernel.inst(read).objects().expect("it is an access");
            let comes_late = |&(block, inst): &(Block, Inst)| {
                let access = kernel.inst(inst).access_effect();
                access.is_some_and(|it| it.writes() && it.objects.intersects(objects))
                    && !flow.loops.contains(loop_, block)
                    && !dominators.dominates(block, data.header)
            };
            if let Some((_, late)) = kernel.insts().find(comes_late) {
                let written = kernel.loc(late).line;
                return Err(Refusal {
                    what: format!(
                        "a loop that reads, until it has changed, what line {written} writes, with {lanes} lanes"
                    )
                    .into(),
                    line: kernel.loc(read).line,
                });
            }
        }
    }
    Ok(())
}

/// The atomic and volatile accesses of a loop that decide when it is left.
fn awaited(kernel: &Kernel, flow: &Flow, loop_: Loop) -> Vec<Inst> {
    let is_own = |block: Block| flow.loops.contains(loop_, block);
    let blocks = || kernel.layout().iter().copied().filter(|&it| is_own(it));
    // What decides which way is taken anywhere in the loop may decide when it is left.
    let mut open: Vec<Value> = blocks()
        .filter_map(|block| match kernel.inst(kernel.terminator(block)) {
            InstData::Branch { cond, .. } => Some(*cond),
            _ => None,
        })
        .collect();
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
            }
            ValueDef::Result(inst, _) => {
                let access = kernel.inst(inst).access_effect();
                if access.is_some_and(|it| it.synchronises()) {
                    reads.insert(inst);
                }
                open.extend(kernel.inst(inst).operands());
            }
        }
    }
    reads.into_iter().collect()
}
