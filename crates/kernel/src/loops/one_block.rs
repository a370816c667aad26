//! Loops of one block that test at their end, and what stands before and behind them.

use smallvec::SmallVec;

use super::{Refused, shape};
use crate::ir::{Block, BlockCall, Inst, InstData, Kernel, Value};

/// The parts of a loop of one block.
pub(super) struct OneBlock {
    pub(super) header: Block,
    /// The branch at its end.
    pub(super) branch: Inst,
    /// Its condition.
    pub(super) cond: Value,
    /// Which target of the branch goes back, and which one leaves.
    pub(super) back: usize,
    pub(super) leave: usize,
}

impl OneBlock {
    /// The loop with a header, if it is one block.
    pub(super) fn of(kernel: &Kernel, header: Block) -> Result<OneBlock, Refused> {
        let branch = kernel.terminator(header);
        let targets = kernel.successors(header).iter();
        let goes_back: Vec<bool> = targets.map(|call| call.block == header).collect();
        let (back, leave) = match goes_back[..] {
            [true, false] => (0, 1),
            [false, true] => (1, 0),
            _ => return Err(Refused::because("the loop does not consist of one block")),
        };
        let &InstData::Branch { cond, .. } = kernel.inst(branch) else {
            unreachable!("only branches have two targets");
        };
        Ok(OneBlock {
            header,
            branch,
            cond,
            back,
            leave,
        })
    }

    /// The values of the header's parameters in the next iteration.
    pub(super) fn next<'k>(&self, kernel: &'k Kernel) -> &'k [Value] {
        &kernel.successors(self.header)[self.back].args
    }

    /// The values of the header's parameters in the first iteration, if there is one edge into the loop: that
    /// from the block that [`preheader`] makes.
    pub(super) fn initial<'k>(&self, kernel: &'k Kernel, preheader: Block) -> &'k [Value] {
        &kernel.successors(preheader)[0].args
    }

    /// Adds a parameter that has one value in the first iteration and another one in each next one.
    pub(super) fn add_param(&self, kernel: &mut Kernel, preheader: Block, initial: Value) -> Value {
        let param = kernel.add_block_param(self.header, kernel.ty(initial));
        let enter = kernel.terminator(preheader);
        kernel.inst_mut(enter).targets_mut()[0].args.push(initial);
        // `set_next` replaces it.
        kernel.inst_mut(self.branch).targets_mut()[self.back]
            .args
            .push(param);
        param
    }

    /// Makes the loop begin with another value of a parameter; gives the one that it began with.
    pub(super) fn replace_initial(
        &self,
        kernel: &mut Kernel,
        preheader: Block,
        param: Value,
        initial: Value,
    ) -> Value {
        let at = self.position(kernel, param);
        let enter = kernel.terminator(preheader);
        let arg = &mut kernel.inst_mut(enter).targets_mut()[0].args[at];
        std::mem::replace(arg, initial)
    }

    fn position(&self, kernel: &Kernel, param: Value) -> usize {
        let mut params = kernel.block(self.header).params.iter();
        params
            .position(|&it| it == param)
            .expect("it is a parameter of the loop")
    }

    /// Sets what a parameter is in the next iteration.
    pub(super) fn set_next(&self, kernel: &mut Kernel, param: Value, next: Value) {
        let at = self.position(kernel, param);
        kernel.inst_mut(self.branch).targets_mut()[self.back].args[at] = next;
    }
}

/// The block that all edges into a loop come from, with a jump to the header at its end: made if there is none.
pub(super) fn preheader(kernel: &mut Kernel, header: Block) -> Result<Block, Refused> {
    let blocks = shape::natural(kernel, header)?.blocks;
    let mut outside = kernel.layout().to_vec();
    outside.retain(|block| !blocks.contains(block));
    let edges = shape::edges_to(kernel, &outside, header);
    if let [(from, 0)] = edges[..]
        && kernel.successors(from).len() == 1
    {
        return Ok(from);
    }
    let block = kernel.add_block();
    let params = kernel.block(header).params.clone();
    let args: SmallVec<[Value; 4]> = params
        .into_iter()
        .map(|param| kernel.add_block_param(block, kernel.ty(param)))
        .collect();
    for (from, way) in edges {
        let terminator = kernel.terminator(from);
        kernel.inst_mut(terminator).targets_mut()[way].block = block;
    }
    let jump = InstData::Jump(BlockCall {
        block: header,
        args,
    });
    let loc = kernel.loc(kernel.block(header).insts[0]);
    kernel.append(block, jump, &[], loc);
    Ok(block)
}

/// A new block on the edge out of a loop of one block.
pub(super) fn exit_block(kernel: &mut Kernel, loop_: &OneBlock) -> Block {
    let block = kernel.add_block();
    let empty = BlockCall {
        block,
        args: SmallVec::new(),
    };
    let exit = &mut kernel.inst_mut(loop_.branch).targets_mut()[loop_.leave];
    let exit = std::mem::replace(exit, empty);
    let loc = kernel.loc(loop_.branch);
    kernel.append(block, InstData::Jump(exit), &[], loc);
    block
}

/// Adds instructions at the end of a block, before its terminator.
pub(super) fn insert_at_end(kernel: &mut Kernel, block: Block, insts: Vec<Inst>) {
    let list = &mut kernel.block_mut(block).insts;
    let end = list.len() - 1;
    list.splice(end..end, insts);
}

/// Adds instructions in front of one of a block.
pub(super) fn insert_before(kernel: &mut Kernel, block: Block, inst: Inst, insts: Vec<Inst>) {
    let list = &mut kernel.block_mut(block).insts;
    let at = list.iter().position(|&it| it == inst);
    let at = at.expect("it is in the block");
    list.splice(at..at, insts);
}
