//! Control flow without detours: block parameters that always hold one value, blocks that only
//! jump on and pairs of blocks that always run one after the other disappear. Each block boundary
//! is a handshake in the circuit, and each parameter is a register.

mod redundant_params;

use cranelift_entity::SecondaryMap;
use smallvec::SmallVec;

use crate::analysis::Cfg;
use crate::ir::{Block, BlockCall, InstData, Kernel, Type, Value};

use super::renaming::Renaming;
use super::{Changed, drop_unreachable};
use redundant_params::replace_redundant_params;

/// Simplifies the control-flow graph.
pub fn simplify_blocks(kernel: &mut Kernel) -> Changed {
    let mut changed = drop_unreachable(kernel);
    loop {
        let mut again = replace_redundant_params(kernel);
        again |= thread_jumps(kernel);
        again |= merge_pairs(kernel);
        changed |= again;
        // Each round drops a parameter or a block: this ends.
        if !again.is_yes() {
            return changed;
        }
    }
}

/// Goes to where an empty block goes, and chooses arguments instead of ways to the same block.
fn thread_jumps(kernel: &mut Kernel) -> Changed {
    let mut threader = Threader::new(kernel);
    let mut changed = Changed::No;
    for block in kernel.layout().to_vec() {
        changed |= threader.thread(kernel, block);
    }
    changed | drop_unreachable(kernel)
}

struct Threader {
    /// Number of uses of each value.
    uses: SecondaryMap<Value, u32>,
    /// Number of edges to each block.
    entries: SecondaryMap<Block, u32>,
    /// Whether an edge goes backwards to the block.
    is_header: SecondaryMap<Block, bool>,
}

impl Threader {
    fn new(kernel: &Kernel) -> Threader {
        let mut threader = Threader {
            uses: SecondaryMap::new(),
            entries: SecondaryMap::new(),
            is_header: SecondaryMap::new(),
        };
        let cfg = Cfg::of(kernel);
        for (block, inst) in kernel.insts() {
            for operand in kernel.inst(inst).operands() {
                threader.uses[operand] += 1;
            }
            for target in kernel.inst(inst).targets() {
                threader.entries[target.block] += 1;
                threader.is_header[target.block] |= cfg.index(target.block) <= cfg.index(block);
            }
        }
        threader
    }

    fn thread(&mut self, kernel: &mut Kernel, block: Block) -> Changed {
        let terminator = kernel.terminator(block);
        let mut changed = Changed::No;
        for at in 0..kernel.inst(terminator).targets().len() {
            let call = kernel.inst(terminator).targets()[at].clone();
            if let Some(onwards) = self.beyond(kernel, block, &call) {
                onwards.args.iter().for_each(|&arg| self.uses[arg] += 1);
                call.args.iter().for_each(|&arg| self.uses[arg] -= 1);
                self.entries[onwards.block] += 1;
                self.entries[call.block] -= 1;
                kernel.inst_mut(terminator).targets_mut()[at] = onwards;
                changed = Changed::Yes;
            }
        }
        changed | self.choose_arguments(kernel, block)
    }

    /// Where `call` ends up if it goes to a block that only jumps on.
    fn beyond(&self, kernel: &Kernel, from: Block, call: &BlockCall) -> Option<BlockCall> {
        let empty = kernel.block(call.block);
        let [only] = empty.insts[..] else {
            return None;
        };
        let InstData::Jump(onwards) = kernel.inst(only) else {
            return None;
        };
        // A loop keeps one way in and one way round, where it has them.
        let is_shared = self.entries[call.block] > 1;
        if onwards.block == call.block
            || call.block == from
            || (is_shared && self.is_header[onwards.block])
            || self.is_header[call.block]
        {
            return None;
        }
        let is_used_elsewhere = empty.params.iter().any(|param| {
            let here = onwards.args.iter().filter(|&arg| arg == param).count();
            self.uses[*param] as usize != here
        });
        if is_used_elsewhere {
            return None;
        }
        let mut onwards = onwards.clone();
        for arg in &mut onwards.args {
            if let Some(at) = empty.params.iter().position(|param| param == arg) {
                *arg = call.args[at];
            }
        }
        Some(onwards)
    }

    /// A branch whose two ways lead to one block becomes a jump with chosen arguments.
    fn choose_arguments(&mut self, kernel: &mut Kernel, block: Block) -> Changed {
        let terminator = kernel.terminator(block);
        let InstData::Branch { cond, targets } = kernel.inst(terminator).clone() else {
            return Changed::No;
        };
        let [yes, no] = &targets;
        if yes.block != no.block {
            return Changed::No;
        }
        let loc = kernel.loc(terminator);
        let mut selects = Vec::new();
        let mut args: SmallVec<[Value; 4]> = SmallVec::new();
        for (&a, &b) in yes.args.iter().zip(&no.args) {
            if a == b {
                args.push(a);
                continue;
            }
            let ty: Type = kernel.ty(a);
            let select = InstData::Select { cond, args: [a, b] };
            let inst = kernel.make_inst(select, &[ty], loc);
            selects.push(inst);
            args.push(kernel.result(inst));
            self.uses[cond] += 1;
        }
        for &arg in &args {
            self.uses[arg] += 1;
        }
        self.entries[yes.block] -= 1;
        let block_ = yes.block;
        *kernel.inst_mut(terminator) = InstData::Jump(BlockCall {
            block: block_,
            args,
        });
        let insts = &mut kernel.block_mut(block).insts;
        let end = insts.len() - 1;
        insts.splice(end..end, selects);
        Changed::Yes
    }
}

/// Appends a block to the one block that goes to it and nowhere else.
fn merge_pairs(kernel: &mut Kernel) -> Changed {
    let mut entries: SecondaryMap<Block, u32> = SecondaryMap::new();
    for &block in kernel.layout() {
        for target in kernel.successors(block) {
            entries[target.block] += 1;
        }
    }
    let mut merged: SecondaryMap<Block, bool> = SecondaryMap::new();
    let mut renaming = Renaming::new();
    let mut changed = Changed::No;
    for block in kernel.layout().to_vec() {
        if merged[block] {
            continue;
        }
        while let InstData::Jump(call) = kernel.inst(kernel.terminator(block)).clone() {
            // Only a block that nothing reaches could go to itself alone.
            if entries[call.block] != 1 || call.block == block {
                break;
            }
            let params = kernel.block(call.block).params.clone();
            for (param, &arg) in params.into_iter().zip(&call.args) {
                renaming.replace(kernel, param, arg);
            }
            let rest = std::mem::take(&mut kernel.block_mut(call.block).insts);
            let insts = &mut kernel.block_mut(block).insts;
            insts.pop();
            insts.extend(rest);
            merged[call.block] = true;
            changed = Changed::Yes;
        }
    }
    kernel.retain_blocks(|&block| !merged[block]);
    renaming.apply(kernel);
    changed
}
