//! Loops that never end get a way out that is never taken: so every loop has an exit that its gate
//! counts work-items at, and every kernel an end.

use crate::analysis::{Cfg, Dominators, Loop, LoopData, Loops};
use crate::ir::{Block, BlockCall, InstData, Kernel, Loc, Type};
use crate::passes::Changed;

/// Gives each loop of a reducible kernel a way out.
pub fn exit_endless_loops(kernel: &mut Kernel) -> Changed {
    let mut changed = Changed::No;
    // An exit of an inner loop may be one of the outer loops, too.
    while let Some((header, latch)) = first_endless(kernel) {
        add_exit(kernel, header, latch);
        changed = Changed::Yes;
    }
    changed
}

/// The header of an innermost loop without an exit, and a block that goes back to it.
fn first_endless(kernel: &Kernel) -> Option<(Block, Block)> {
    let cfg = Cfg::of(kernel);
    let dominators = Dominators::of(kernel, &cfg);
    let loops = Loops::of(kernel, &cfg, &dominators);
    let is_endless = |&(loop_, data): &(Loop, &LoopData)| {
        let blocks = data.blocks.iter();
        let mut targets = blocks.flat_map(|&block| kernel.successors(block));
        targets.all(|target| loops.contains(loop_, target.block))
    };
    let endless = loops.iter().filter(is_endless);
    let (_, data) = endless.min_by_key(|(_, data)| data.blocks.len())?;
    let goes_back = |&&block: &&Block| {
        let targets = kernel.successors(block).iter();
        targets.clone().any(|target| target.block == data.header)
    };
    let latch = data.blocks.iter().find(goes_back);
    Some((data.header, *latch.expect("a loop has a way back")))
}

/// Leads a way back through a new block that could go to the end.
fn add_exit(kernel: &mut Kernel, header: Block, latch: Block) {
    let loc = kernel.loc(kernel.terminator(latch));
    let (through, end) = (kernel.add_block(), kernel.add_block());
    let terminator = kernel.terminator(latch);
    let targets = kernel.inst_mut(terminator).targets_mut();
    let way = targets.iter_mut().find(|target| target.block == header);
    let empty = |block| BlockCall {
        block,
        args: Default::default(),
    };
    let back = std::mem::replace(way.expect("it goes back"), empty(through));
    let always = kernel.append_value(through, InstData::Const(1), Type::BOOL, loc);
    let branch = InstData::Branch {
        cond: always,
        targets: [back, empty(end)],
    };
    kernel.append(through, branch, &[], loc);
    kernel.append(end, InstData::Return, &[], Loc::default());
}
