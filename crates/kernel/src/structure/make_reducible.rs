//! Cycles get one entry: every edge to an entry of a tangled cycle goes to a new block instead,
//! which goes on to the entry that a number on the edge names.
//!
//! Unlike the copying of blocks, this adds one block per entry and level of nesting, no more.
//!
//! Values need no care: what dominates a block of the cycle still does. A new way to the block goes
//! through some entry, and that entry could be reached from outside, around anything in the cycle,
//! before; what is outside and dominated one block of the cycle, dominated all its entries.

use smallvec::SmallVec;

use super::irreducible::{TangledCycle, tangled_cycles};
use crate::analysis::{Cfg, Dominators, Loops};
use crate::ir::{Block, BlockCall, InstData, Kernel, Loc, Predicate, Type, Value};
use crate::passes::{Changed, simplify_blocks};

/// Gives every cycle one entry. A kernel that is changed is simplified as well.
pub fn make_reducible(kernel: &mut Kernel) -> Changed {
    let mut changed = Changed::No;
    // The cycle of a new block, without this block, is smaller: this ends.
    while let Some(cycle) = first_tangled_cycle(kernel) {
        add_dispatch(kernel, &cycle);
        changed = Changed::Yes;
    }
    if changed.is_yes() {
        let _ = simplify_blocks(kernel);
    }
    changed
}

fn first_tangled_cycle(kernel: &Kernel) -> Option<TangledCycle> {
    let cfg = Cfg::of(kernel);
    let dominators = Dominators::of(kernel, &cfg);
    if Loops::of(kernel, &cfg, &dominators).is_reducible() {
        return None;
    }
    tangled_cycles(kernel, &cfg).into_iter().next()
}

/// The new block of a cycle.
struct Dispatch {
    block: Block,
    /// The parameter that says which entry is meant, by its place in the list of entries.
    selected: Value,
    /// The parameters that stand for those of each entry.
    params: Vec<Vec<Value>>,
}

/// Leads all edges to a cycle's entries through one new block.
fn add_dispatch(kernel: &mut Kernel, cycle: &TangledCycle) {
    let sources = kernel.layout().to_vec();
    let count = cycle.entries.len();
    let selector = Type::Int((usize::BITS - (count - 1).leading_zeros()) as u8);
    let block = kernel.add_block();
    let selected = kernel.add_block_param(block, selector);
    let mut params = Vec::new();
    for &entry in &cycle.entries {
        let types = types(kernel, &kernel.block(entry).params);
        let add = |ty| kernel.add_block_param(block, ty);
        params.push(types.into_iter().map(add).collect());
    }
    let dispatch = Dispatch {
        block,
        selected,
        params,
    };
    for block in sources {
        redirect(kernel, block, cycle, &dispatch);
    }
    choose_entry(kernel, cycle, &dispatch);
}

fn types(kernel: &Kernel, values: &[Value]) -> Vec<Type> {
    values.iter().map(|&value| kernel.ty(value)).collect()
}

/// Makes a block's edges to entries go to the new block.
fn redirect(kernel: &mut Kernel, block: Block, cycle: &TangledCycle, dispatch: &Dispatch) {
    let selector = kernel.ty(dispatch.selected);
    let terminator = kernel.terminator(block);
    for at in 0..kernel.inst(terminator).targets().len() {
        let call = kernel.inst(terminator).targets()[at].clone();
        let Some(chosen) = cycle.entries.iter().position(|&entry| entry == call.block) else {
            continue;
        };
        let mut args: SmallVec<[Value; 4]> = SmallVec::new();
        args.push(constant(kernel, block, selector, chosen as u64));
        for (entry, params) in dispatch.params.iter().enumerate() {
            if entry == chosen {
                args.extend(call.args.iter().copied());
                continue;
            }
            for ty in types(kernel, params) {
                args.push(constant(kernel, block, ty, 0));
            }
        }
        kernel.inst_mut(terminator).targets_mut()[at] = BlockCall {
            block: dispatch.block,
            args,
        };
    }
}

/// A constant, computed at the end of a block.
fn constant(kernel: &mut Kernel, block: Block, ty: Type, bits: u64) -> Value {
    let inst = kernel.make_inst(InstData::Const(bits), &[ty], Loc::default());
    let insts = &mut kernel.block_mut(block).insts;
    insts.insert(insts.len() - 1, inst);
    kernel.result(inst)
}

/// Compares the number with each entry's, in blocks one behind the other.
fn choose_entry(kernel: &mut Kernel, cycle: &TangledCycle, dispatch: &Dispatch) {
    let selected = dispatch.selected;
    let call = |at: usize| BlockCall {
        block: cycle.entries[at],
        args: dispatch.params[at].iter().copied().collect(),
    };
    let loc = Loc::default();
    let ty = kernel.ty(selected);
    let last = cycle.entries.len() - 1;
    let mut block = dispatch.block;
    for at in 0..last {
        let data = InstData::Const(at as u64);
        let number = kernel.append_value(block, data, ty, loc);
        let data = InstData::Compare {
            pred: Predicate::Eq,
            args: [selected, number],
        };
        let cond = kernel.append_value(block, data, Type::BOOL, loc);
        let next = (at + 1 < last).then(|| kernel.add_block());
        let other = next.map_or_else(
            || call(last),
            |block| BlockCall {
                block,
                args: SmallVec::new(),
            },
        );
        let targets = [call(at), other];
        kernel.append(block, InstData::Branch { cond, targets }, &[], loc);
        block = next.unwrap_or(block);
    }
}
