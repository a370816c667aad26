//! Fences: a block ends only when all its accesses are done, so a fence is where a block ends.

use crate::ir::{Block, BlockCall, InstData, Kernel};

/// Which fences a kernel has outside of barriers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fences {
    /// None that order global memory.
    Local,
    /// Some that do.
    Global,
}

/// Ends blocks at their fences, and drops these. New blocks stand at the end.
pub(crate) fn end_at_fences(kernel: &mut Kernel) -> Fences {
    let mut found = Fences::Local;
    for block in kernel.layout().to_vec() {
        let mut block = block;
        while let Some(at) = first_fence(kernel, block) {
            let mut rest = kernel.block_mut(block).insts.split_off(at);
            let fence = rest.remove(0);
            if matches!(kernel.inst(fence), InstData::Fence(fences) if fences.global) {
                found = Fences::Global;
            }
            if at == 0 {
                // Those before it have ended.
                kernel.block_mut(block).insts = rest;
                continue;
            }
            let behind = kernel.add_block();
            kernel.block_mut(behind).insts = rest;
            let call = BlockCall {
                block: behind,
                args: [].into_iter().collect(),
            };
            kernel.append(block, InstData::Jump(call), &[], kernel.loc(fence));
            block = behind;
        }
    }
    found
}

fn first_fence(kernel: &Kernel, block: Block) -> Option<usize> {
    let mut insts = kernel.block(block).insts.iter();
    insts.position(|&inst| matches!(kernel.inst(inst), InstData::Fence(_)))
}
