//! Rotation: a loop that tests at its start becomes one that tests at its end, behind a test of its own.
//!
//! An iteration that is under way then is one that counts: nothing in it waits for the test.

use std::collections::HashMap;

use smallvec::SmallVec;

use super::repair::redefine;
use super::{Refused, shape};
use crate::analysis::LoopData;
use crate::ir::{Block, BlockCall, Effect, InstData, Kernel, Value};

/// Moves the test of a loop from its header to its end, and copies it to before the loop. The header stays
/// the header of the loop. Refused if the header is no test, or does more than compute.
pub fn rotate(kernel: &mut Kernel, header: Block) -> Result<(), Refused> {
    let data = shape::natural(kernel, header)?;
    is_rotatable(kernel, &data)?;
    let sources = kernel.layout().to_vec();
    let outside: Vec<Block> = sources
        .into_iter()
        .filter(|it| !data.blocks.contains(it))
        .collect();
    let entries = shape::edges_to(kernel, &outside, header);
    let returns = shape::edges_to(kernel, &data.blocks, header);
    let last = kernel.add_block();
    let (first, copies) = copy_block(kernel, header);
    redirect(kernel, &entries, first);
    redirect(kernel, &returns, last);
    let onwards = move_test(kernel, &data, last);
    for block in [first, last] {
        lead_to(kernel, block, onwards.block, header);
    }
    let loc = kernel.loc(kernel.terminator(last));
    kernel.append(header, InstData::Jump(onwards), &[], loc);
    for (old, copy) in copies {
        redefine(kernel, old, &[(first, copy), (last, old)]);
    }
    Ok(())
}

/// Whether a loop tests at its start, and does no more before the test than compute.
pub(super) fn is_rotatable(kernel: &Kernel, data: &LoopData) -> Result<(), Refused> {
    let is_inside = |call: &&BlockCall| data.blocks.contains(&call.block);
    let inside: Vec<Block> = kernel
        .successors(data.header)
        .iter()
        .filter(is_inside)
        .map(|call| call.block)
        .collect();
    let is_test = kernel.successors(data.header).len() == 2 && inside.len() == 1;
    if !is_test || inside[0] == data.header {
        return Err(Refused::because("the loop does not test at its start"));
    }
    let insts = kernel.block(data.header).insts.iter();
    let has_effect = |&&inst: &&_| match kernel.inst(inst).effect() {
        Effect::Pure | Effect::Control => false,
        Effect::Access(_) | Effect::Fence(_) | Effect::Barrier(_) | Effect::Print => true,
    };
    match insts.clone().find(has_effect) {
        Some(&inst) => {
            let what = "the test at the start of the loop does more than compute";
            Err(Refused::at(kernel, inst, what))
        }
        None => Ok(()),
    }
}

/// A copy of a block, and what stands for each value of the block in it, in order.
fn copy_block(kernel: &mut Kernel, block: Block) -> (Block, Vec<(Value, Value)>) {
    let copy = kernel.add_block();
    let mut copies = Vec::new();
    for param in kernel.block(block).params.clone() {
        let value = kernel.add_block_param(copy, kernel.ty(param));
        copies.push((param, value));
    }
    let mut map: HashMap<Value, Value> = copies.iter().copied().collect();
    for inst in kernel.block(block).insts.clone() {
        let mut data = kernel.inst(inst).clone();
        data.map_operands(|value| map.get(&value).copied().unwrap_or(value));
        let results = kernel.results(inst).to_vec();
        let types: Vec<_> = results.iter().map(|&it| kernel.ty(it)).collect();
        let new = kernel.append(copy, data, &types, kernel.loc(inst));
        let pairs = results.into_iter().zip(kernel.results(new).to_vec());
        for (old, new) in pairs {
            map.insert(old, new);
            copies.push((old, new));
        }
    }
    for &(old, new) in &copies {
        if let Some(name) = kernel.value_name(old).map(String::from) {
            kernel.set_value_name(new, &name);
        }
    }
    (copy, copies)
}

fn redirect(kernel: &mut Kernel, edges: &[(Block, usize)], to: Block) {
    for &(from, way) in edges {
        let terminator = kernel.terminator(from);
        kernel.inst_mut(terminator).targets_mut()[way].block = to;
    }
}

/// Moves the header's parameters and instructions to another block; says where its test goes on to in the loop.
fn move_test(kernel: &mut Kernel, data: &LoopData, last: Block) -> BlockCall {
    let params = std::mem::take(&mut kernel.block_mut(data.header).params);
    kernel.set_block_params(last, params);
    let insts = std::mem::take(&mut kernel.block_mut(data.header).insts);
    kernel.block_mut(last).insts = insts;
    let mut targets = kernel.successors(last).iter();
    let onwards = targets.find(|call| data.blocks.contains(&call.block));
    onwards.expect("the test goes on in the loop").clone()
}

/// Makes the edge from a test to the body go to the header instead, which has no parameters.
fn lead_to(kernel: &mut Kernel, test: Block, body: Block, header: Block) {
    let terminator = kernel.terminator(test);
    let mut targets = kernel.inst_mut(terminator).targets_mut().iter_mut();
    let target = targets.find(|call| call.block == body);
    *target.expect("the test goes on in the loop") = BlockCall {
        block: header,
        args: SmallVec::new(),
    };
}
