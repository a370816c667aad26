//! The number of iterations of a loop of one block, if it is a constant.

use super::Nest;
use crate::ir::{BinaryOp, InstData, Kernel, Type, Value};
use crate::loops::one_block::OneBlock;

/// Loops with more iterations are long enough for everything.
const MOST: u64 = 1 << 12;

/// The number of iterations of the inner loop each time, [`MOST`] if there are more; none if it is not known.
pub(super) fn trips(kernel: &Kernel, nest: &Nest) -> Option<u64> {
    // What may pass it by has no iterations then.
    let leads_elsewhere = nest.before.iter().any(|&block| {
        let mut onwards = kernel.successors(block).iter();
        onwards.any(|it| it.block != nest.inner && !nest.before.contains(&it.block))
    });
    if leads_elsewhere {
        return None;
    }
    let loop_ = OneBlock::of(kernel, nest.inner).ok()?;
    let (&InstData::Compare { pred, args }, goes_on_if) =
        (kernel.def_inst(loop_.cond)?, loop_.back == 0)
    else {
        return None;
    };
    let limit = kernel.constant(args[1])?;
    let params = &kernel.block(nest.inner).params;
    let at = params
        .iter()
        .position(|&it| it == args[0] || step(kernel, args[0], it).is_some())?;
    let step_of = step(kernel, loop_.next(kernel)[at], params[at])?;
    let ty = kernel.ty(params[at]);
    let mut value = initial(kernel, nest, at)?;
    for count in 1..MOST {
        let next = add(ty, value, step_of);
        let compared = match args[0] == params[at] {
            true => value,
            false => add(ty, value, step(kernel, args[0], params[at])?),
        };
        if pred.evaluate(ty, compared, limit) != goes_on_if {
            return Some(count);
        }
        value = next;
    }
    Some(MOST)
}

fn add(ty: Type, a: u64, b: u64) -> u64 {
    BinaryOp::Add.evaluate(ty, a, b)
}

/// What is added to a parameter to get a value.
fn step(kernel: &Kernel, value: Value, param: Value) -> Option<u64> {
    match *kernel.def_inst(value)? {
        InstData::Binary {
            op: BinaryOp::Add,
            args: [base, step],
        } if base == param => kernel.constant(step),
        _ => None,
    }
}

/// The constant that a parameter of the inner loop begins with.
fn initial(kernel: &Kernel, nest: &Nest, at: usize) -> Option<u64> {
    let calls = nest.before.iter().flat_map(|&it| kernel.successors(it));
    let entering = calls.filter(|it| it.block == nest.inner);
    let mut values = entering.map(|it| kernel.constant(it.args[at]));
    let first = values.next()??;
    values.all(|it| it == Some(first)).then_some(first)
}
