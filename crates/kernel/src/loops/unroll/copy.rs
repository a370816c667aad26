//! Copies of a loop's blocks, and what connects one with the next.

use std::collections::BTreeMap;

use super::is_invariant;
use crate::analysis::LoopData;
use crate::ir::{BinaryOp, Block, Inst, InstData, Kernel, Loc, Type, Value, ValueDef};
use crate::loops::constant;
use crate::loops::one_block::insert_at_end;
use crate::loops::shape::edges_to;
use crate::passes::Renaming;
use crate::semantics::signed;

/// A copy of a loop's blocks, by what is copied; what is in no map stands for itself.
pub(super) struct Copies {
    blocks: BTreeMap<Block, Block>,
    values: BTreeMap<Value, Value>,
}

impl Copies {
    /// The blocks themselves.
    pub(super) fn original(data: &LoopData) -> Copies {
        let blocks = data.blocks.iter().map(|&it| (it, it));
        Copies {
            blocks: blocks.collect(),
            values: BTreeMap::new(),
        }
    }

    /// Some copies, each of which goes back to itself.
    pub(super) fn of(kernel: &mut Kernel, data: &LoopData, count: u32) -> Vec<Copies> {
        let copies = 0..count;
        copies.map(|_| Copies::one(kernel, data)).collect()
    }

    fn one(kernel: &mut Kernel, data: &LoopData) -> Copies {
        let mut copy = Copies {
            blocks: BTreeMap::new(),
            values: BTreeMap::new(),
        };
        let mut insts: Vec<Inst> = Vec::new();
        for &from in &data.blocks {
            let to = kernel.add_block();
            copy.blocks.insert(from, to);
            for param in kernel.block(from).params.clone() {
                let value = kernel.add_block_param(to, kernel.ty(param));
                copy.note(kernel, param, value);
            }
            for inst in kernel.block(from).insts.clone() {
                let results = kernel.results(inst).to_vec();
                let types: Vec<Type> = results.iter().map(|&it| kernel.ty(it)).collect();
                let inst_data = kernel.inst(inst).clone();
                let new = kernel.append(to, inst_data, &types, kernel.loc(inst));
                insts.push(new);
                for (old, new) in results.into_iter().zip(kernel.results(new).to_vec()) {
                    copy.note(kernel, old, new);
                }
            }
        }
        for inst in insts {
            let data = kernel.inst_mut(inst);
            data.map_operands(|value| copy.values.get(&value).copied().unwrap_or(value));
            for target in data.targets_mut() {
                target.block = copy
                    .blocks
                    .get(&target.block)
                    .copied()
                    .unwrap_or(target.block);
            }
        }
        copy
    }

    fn note(&mut self, kernel: &mut Kernel, old: Value, new: Value) {
        self.values.insert(old, new);
        if let Some(name) = kernel.value_name(old).map(String::from) {
            kernel.set_value_name(new, &name);
        }
    }

    /// The copy of a block.
    pub(super) fn block(&self, block: Block) -> Block {
        self.blocks[&block]
    }

    /// The copy of a value.
    pub(super) fn value(&self, value: Value) -> Value {
        self.values.get(&value).copied().unwrap_or(value)
    }
}

/// What is added to a parameter of a loop in each iteration.
struct Step {
    at: usize,
    param: Value,
    by: Value,
    is_pointer: bool,
    loc: Loc,
}

/// Makes what each copy but the first begins with values instead of parameters, and copies that are always behind each other one
/// block. Counters are computed from those of the first copy: none waits for the one before.
pub(super) fn chain(kernel: &mut Kernel, data: &LoopData, bodies: &[Copies], before: Block) {
    let header = data.header;
    let first = bodies[0].block(header);
    let last = bodies.last().expect("there is a copy");
    let inside: Vec<Block> = last.blocks.values().copied().collect();
    let returns = edges_to(kernel, &inside, first);
    let back: Vec<(Block, usize)> = bodies[..bodies.len() - 1]
        .iter()
        .zip(&bodies[1..])
        .flat_map(|(from, to)| {
            let blocks: Vec<Block> = from.blocks.values().copied().collect();
            edges_to(kernel, &blocks, to.block(header))
        })
        .collect();
    if back.len() != bodies.len() - 1 {
        return;
    }
    let steps = steps(kernel, data, bodies);
    let ahead = advance(kernel, &steps, before, bodies.len());
    let mut heads: Vec<Inst> = Vec::new();
    let mut renaming = Renaming::new();
    for (number, (body, &(from, way))) in bodies[1..].iter().zip(&back).enumerate() {
        let to = body.block(header);
        let params = std::mem::take(&mut kernel.block_mut(to).params);
        let terminator = kernel.terminator(from);
        let args = std::mem::take(&mut kernel.inst_mut(terminator).targets_mut()[way].args);
        for (at, (param, arg)) in params.into_iter().zip(args).enumerate() {
            let step = steps.iter().position(|it| it.at == at);
            let value = match step {
                Some(step) => {
                    let sum = sum(kernel, &steps[step], ahead[step][number]);
                    heads.push(sum);
                    let sum = kernel.result(sum);
                    renaming.replace(kernel, arg, sum);
                    sum
                }
                None => arg,
            };
            renaming.replace(kernel, param, value);
        }
    }
    for (step, ahead) in steps.iter().zip(&ahead) {
        for &(from, way) in &returns {
            let sum = sum(kernel, step, ahead[bodies.len() - 1]);
            heads.push(sum);
            let value = kernel.result(sum);
            let old = kernel.successors(from)[way].args[step.at];
            renaming.replace(kernel, old, value);
        }
    }
    kernel.block_mut(first).insts.splice(0..0, heads);
    renaming.apply(kernel);
    join(kernel, data, bodies, &back);
}

/// The parameters of the first copy that each iteration adds the same to.
fn steps(kernel: &Kernel, data: &LoopData, bodies: &[Copies]) -> Vec<Step> {
    let params = kernel.block(data.header).params.clone();
    let (from, way) = {
        let blocks: Vec<Block> = bodies[0].blocks.values().copied().collect();
        let next = bodies.get(1).unwrap_or(&bodies[0]).block(data.header);
        match edges_to(kernel, &blocks, next)[..] {
            [edge] => edge,
            _ => return Vec::new(),
        }
    };
    let args = kernel.successors(from)[way].args.clone();
    let step = |(at, (&param, &arg)): (usize, (&Value, &Value))| {
        let (base, by, is_pointer) = match *kernel.def_inst(arg)? {
            InstData::Binary {
                op: BinaryOp::Add,
                args: [base, by],
            } => (base, by, false),
            InstData::PtrAdd { base, offset } => (base, offset, true),
            _ => return None,
        };
        let ValueDef::Result(inst, _) = kernel.def(arg) else {
            unreachable!("an instruction defines it");
        };
        let is_wide = !is_pointer || kernel.ty(by) == Type::I64 || kernel.constant(by).is_some();
        (base == param && is_wide && is_invariant(kernel, data, by)).then_some(Step {
            at,
            param,
            by,
            is_pointer,
            loc: kernel.loc(inst),
        })
    };
    params
        .iter()
        .zip(&args)
        .enumerate()
        .filter_map(step)
        .collect()
}

/// What is added to each of these parameters in one iteration, in two, and so on.
fn advance(kernel: &mut Kernel, steps: &[Step], before: Block, count: usize) -> Vec<Vec<Value>> {
    let mut all = Vec::new();
    for step in steps {
        // Offsets of pointers are signed, and may have fewer bits than their multiples.
        let ty = match step.is_pointer {
            true => Type::I64,
            false => kernel.ty(step.by),
        };
        let mut sums: Vec<Value> = Vec::new();
        for number in 1..=count as u64 {
            let sum = match (kernel.constant(step.by), sums.last()) {
                (Some(by), _) => {
                    let by = signed(kernel.ty(step.by), by) as u64 & ty.mask();
                    let bits = BinaryOp::Mul.evaluate(ty, by, number & ty.mask());
                    constant(kernel, ty, bits)
                }
                (None, None) => step.by,
                (None, Some(&last)) => {
                    let data = InstData::Binary {
                        op: BinaryOp::Add,
                        args: [last, step.by],
                    };
                    let loc = kernel.loc(kernel.terminator(before));
                    let inst = kernel.make_inst(data, &[ty], loc);
                    insert_at_end(kernel, before, vec![inst]);
                    kernel.result(inst)
                }
            };
            sums.push(sum);
        }
        all.push(sums);
    }
    all
}

fn sum(kernel: &mut Kernel, step: &Step, by: Value) -> Inst {
    let ty = kernel.ty(step.param);
    let data = match step.is_pointer {
        true => InstData::PtrAdd {
            base: step.param,
            offset: by,
        },
        false => InstData::Binary {
            op: BinaryOp::Add,
            args: [step.param, by],
        },
    };
    kernel.make_inst(data, &[ty], step.loc)
}

/// Makes copies that are always behind each other one block.
fn join(kernel: &mut Kernel, data: &LoopData, bodies: &[Copies], back: &[(Block, usize)]) {
    let mut merged: BTreeMap<Block, Block> = BTreeMap::new();
    for (body, &(from, _)) in bodies[1..].iter().zip(back) {
        let to = body.block(data.header);
        let from = merged.get(&from).copied().unwrap_or(from);
        if kernel.successors(from).len() == 1 {
            append(kernel, from, to);
            merged.insert(to, from);
        }
    }
    kernel.retain_blocks(|block| !merged.contains_key(block));
}

/// Moves what a block without parameters does to the end of the only one that leads to it.
fn append(kernel: &mut Kernel, from: Block, to: Block) {
    let insts = std::mem::take(&mut kernel.block_mut(to).insts);
    let list = &mut kernel.block_mut(from).insts;
    list.pop();
    list.extend(insts);
}

/// Makes the parameters of a block that one edge leads to what that brings: analyses see where a loop begins.
pub(super) fn forward_params(kernel: &mut Kernel, block: Block) {
    let all = kernel.layout().to_vec();
    let [(from, way)] = edges_to(kernel, &all, block)[..] else {
        return;
    };
    let params = std::mem::take(&mut kernel.block_mut(block).params);
    let terminator = kernel.terminator(from);
    let args = std::mem::take(&mut kernel.inst_mut(terminator).targets_mut()[way].args);
    let mut renaming = Renaming::new();
    for (param, arg) in params.into_iter().zip(args) {
        renaming.replace(kernel, param, arg);
    }
    renaming.apply(kernel);
}

/// Makes blocks of a loop that only ever follow one other a part of it.
pub(super) fn merge_chains(kernel: &mut Kernel, data: &LoopData) {
    let mut gone: Vec<Block> = Vec::new();
    let mut renaming = Renaming::new();
    for &block in &data.blocks {
        if gone.contains(&block) {
            continue;
        }
        while let [call] = kernel.successors(block) {
            let to = call.block;
            let all = kernel.layout().to_vec();
            let is_own = data.blocks.contains(&to) && to != data.header && to != block;
            if !is_own || edges_to(kernel, &all, to).len() != 1 {
                break;
            }
            let args = kernel.successors(block)[0].args.clone();
            let params = std::mem::take(&mut kernel.block_mut(to).params);
            for (param, arg) in params.into_iter().zip(args) {
                renaming.replace(kernel, param, arg);
            }
            append(kernel, block, to);
            // It leads nowhere until it is removed.
            kernel.append(to, InstData::Return, &[], Loc::default());
            gone.push(to);
        }
    }
    renaming.apply(kernel);
    kernel.retain_blocks(|block| !gone.contains(block));
}
