//! Sums of integers over the copies of an iteration: the copies' summands are added to each other first, so that one addition
//! leads from an iteration to the next. The results are the same bits.

use super::super::code::Code;
use super::super::one_block::{OneBlock, insert_at_end};
use super::super::reduction::{Chain, Operation};
use crate::ir::{BinaryOp, Block, InstData, Kernel, Type, Value};
use crate::loops::constant;

/// A value that is combined with the result.
#[derive(Clone, Copy)]
struct Part {
    /// If there is a condition, the value counts only if it holds, or, with `false`, does not hold.
    under: Option<(Value, bool)>,
    value: Value,
    is_subtracted: bool,
}

/// Makes the integer reductions of a loop of one block trees.
pub(super) fn balance(kernel: &mut Kernel, header: Block) {
    let Ok(loop_) = OneBlock::of(kernel, header) else {
        return;
    };
    for param in kernel.block(header).params.clone() {
        if !kernel.ty(param).is_int() {
            continue;
        }
        let Ok(chain) = Chain::of(kernel, &loop_, param) else {
            continue;
        };
        let mut parts = Vec::new();
        if collect(kernel, &chain, chain.last, &mut parts).is_some() && parts.len() > 1 {
            rebuild(kernel, header, &chain, &parts);
        }
    }
}

/// What is combined with the parameter on the way to a value, if each step is one operation, or one that is done
/// under a condition.
fn collect(kernel: &Kernel, chain: &Chain, value: Value, parts: &mut Vec<Part>) -> Option<()> {
    if value == chain.param {
        return Some(());
    }
    match *kernel.def_inst(value)? {
        InstData::Select { cond, args } => {
            let (updated, kept, holds) = match updates(kernel, chain, args[0], args[1]) {
                Some(_) => (args[0], args[1], true),
                None => (args[1], args[0], false),
            };
            let mut part = updates(kernel, chain, updated, kept)?;
            collect(kernel, chain, kept, parts)?;
            part.under = Some((cond, holds));
            parts.push(part);
            Some(())
        }
        InstData::Binary { args: [a, b], .. } => {
            let before = match chain_leads(kernel, chain, a) {
                true => a,
                false => b,
            };
            let part = updates(kernel, chain, value, before)?;
            collect(kernel, chain, before, parts)?;
            parts.push(part);
            Some(())
        }
        _ => None,
    }
}

/// Whether a value is the parameter or one on the way to its next value.
fn chain_leads(kernel: &Kernel, chain: &Chain, value: Value) -> bool {
    let mut results = chain.insts.iter().map(|&inst| kernel.result(inst));
    value == chain.param || results.any(|it| it == value)
}

/// What is combined with a value to get another one.
fn updates(kernel: &Kernel, chain: &Chain, value: Value, before: Value) -> Option<Part> {
    let InstData::Binary { op, args: [a, b] } = *kernel.def_inst(value)? else {
        return None;
    };
    let is_subtracted = op == BinaryOp::Sub && chain.operation == Operation::Sum;
    let is_own = is_subtracted || op == chain.operation.combination();
    let other = match () {
        _ if a == before => b,
        _ if b == before && !is_subtracted => a,
        _ => return None,
    };
    (is_own && !chain_leads(kernel, chain, other)).then_some(Part {
        under: None,
        value: other,
        is_subtracted,
    })
}

/// Combines the parts as a tree, and the parameter with the outcome.
fn rebuild(kernel: &mut Kernel, header: Block, chain: &Chain, parts: &[Part]) {
    let ty: Type = kernel.ty(chain.param);
    let identity = constant(kernel, ty, chain.operation.identity(ty));
    let loc = kernel.loc(chain.insts[0]);
    let op = chain.operation.combination();
    let mut code = Code::new(kernel);
    code.loc = loc;
    let mut sides = [Vec::new(), Vec::new()];
    for part in parts {
        let value = match part.under {
            None => part.value,
            Some((cond, true)) => code.select(Some(cond), [part.value, identity]),
            Some((cond, false)) => code.select(Some(cond), [identity, part.value]),
        };
        sides[usize::from(part.is_subtracted)].push(value);
    }
    let [added, subtracted] = sides.map(|side| tree(&mut code, op, side));
    let mut last = chain.param;
    last = match (added, subtracted) {
        (Some(added), Some(subtracted)) => {
            let difference = code.binary(BinaryOp::Sub, [added, subtracted]);
            code.binary(op, [last, difference])
        }
        (Some(added), None) => code.binary(op, [last, added]),
        (None, Some(subtracted)) => code.binary(BinaryOp::Sub, [last, subtracted]),
        (None, None) => last,
    };
    let insts = std::mem::take(&mut code.insts);
    insert_at_end(kernel, header, insts);
    let own = chain.insts.clone();
    for block in kernel.layout().to_vec() {
        for inst in kernel.block(block).insts.clone() {
            if !own.contains(&inst) {
                let data = kernel.inst_mut(inst);
                data.map_operands(|value| if value == chain.last { last } else { value });
            }
        }
    }
}

fn tree(code: &mut Code<'_>, op: BinaryOp, mut level: Vec<Value>) -> Option<Value> {
    while level.len() > 1 {
        let pairs = level.chunks(2).map(|pair| match *pair {
            [a, b] => code.binary(op, [a, b]),
            [a] => a,
            _ => unreachable!("chunks of at most two"),
        });
        level = pairs.collect();
    }
    level.pop()
}
