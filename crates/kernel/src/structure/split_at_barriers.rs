//! Barriers become the first instructions of their blocks: what is before a barrier and what is
//! behind it are different pipelines, with the barrier's queue in between.

use crate::ir::{BlockCall, InstData, Kernel};
use crate::passes::Changed;

/// Splits blocks before barriers that do not stand first. New blocks stand at the end.
pub fn split_at_barriers(kernel: &mut Kernel) -> Changed {
    let mut changed = Changed::No;
    for block in kernel.layout().to_vec() {
        let insts = kernel.block(block).insts.iter();
        let is_barrier = |inst| matches!(kernel.inst(inst), InstData::Barrier(_));
        let places: Vec<usize> = insts
            .enumerate()
            .skip(1)
            .filter_map(|(at, &inst)| is_barrier(inst).then_some(at))
            .collect();
        let mut before = block;
        let mut start = 0;
        for at in places {
            let rest = kernel.block_mut(before).insts.split_off(at - start);
            let loc = kernel.loc(rest[0]);
            let behind = kernel.add_block();
            kernel.block_mut(behind).insts = rest;
            let call = BlockCall {
                block: behind,
                args: [].into_iter().collect(),
            };
            kernel.append(before, InstData::Jump(call), &[], loc);
            (before, start) = (behind, at);
            changed = Changed::Yes;
        }
    }
    changed
}
