//! The shape of a loop, as far as the transformations ask for it.

use super::Refused;
use crate::analysis::{Cfg, Dominators, Loop, LoopData, Loops};
use crate::ir::{Block, Effect, Kernel};

/// The loops of a kernel, and the one with a header.
pub(super) fn find(kernel: &Kernel, header: Block) -> Result<(Loops, Loop), Refused> {
    let cfg = Cfg::of(kernel);
    let loops = Loops::of(kernel, &cfg, &Dominators::of(kernel, &cfg));
    let found = loops.innermost(header);
    let found = found.filter(|&it| loops.get(it).header == header);
    match found {
        Some(found) => Ok((loops, found)),
        None => Err(Refused::because("the block is not the header of a loop")),
    }
}

/// The loop with a header.
pub(super) fn natural(kernel: &Kernel, header: Block) -> Result<LoopData, Refused> {
    let (loops, found) = find(kernel, header)?;
    Ok(loops.get(found).clone())
}

/// The loop with a header, which must contain no other one.
pub(super) fn innermost(kernel: &Kernel, header: Block) -> Result<LoopData, Refused> {
    let (loops, found) = find(kernel, header)?;
    let data = loops.get(found);
    let mut blocks = data.blocks.iter();
    match blocks.find(|&&block| loops.innermost(block) != Some(found)) {
        Some(&inner) => {
            let first = kernel.block(inner).insts[0];
            Err(Refused::at(kernel, first, "the loop contains another one"))
        }
        None if !loops.is_reducible() => Err(Refused::because(
            "the kernel has a cycle with several entries",
        )),
        None => Ok(data.clone()),
    }
}

/// Refuses blocks with instructions that cannot be executed under a condition.
pub(super) fn check_conditional(kernel: &Kernel, blocks: &[Block]) -> Result<(), Refused> {
    let insts = blocks.iter().flat_map(|&block| &kernel.block(block).insts);
    for &inst in insts {
        let what = match kernel.inst(inst).effect() {
            Effect::Pure | Effect::Access(_) | Effect::Control => continue,
            Effect::Barrier(_) => "the loop has a barrier",
            Effect::Fence(_) => "the loop has a fence",
            Effect::Print => "the loop prints",
        };
        return Err(Refused::at(kernel, inst, what));
    }
    Ok(())
}

/// The edges from one set of blocks to a block, by source and number of the target.
pub(super) fn edges_to(kernel: &Kernel, from: &[Block], to: Block) -> Vec<(Block, usize)> {
    let mut edges = Vec::new();
    for &block in from {
        for (way, target) in kernel.successors(block).iter().enumerate() {
            if target.block == to {
                edges.push((block, way));
            }
        }
    }
    edges
}
