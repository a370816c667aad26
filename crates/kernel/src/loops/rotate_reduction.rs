//! Reductions: a sum that each iteration adds to becomes several partial sums, which take turns.
//!
//! An iteration then adds to what the iteration `depth` before it has left, instead of waiting for the one
//! just before. The partial results rotate through parameters of the loop, (s0, .., sn) to
//! (s1, .., sn, s0 + x), and are combined behind it, together with what the sum began with. All start with the
//! identity of the operation, so that any number of iterations is right, and a circuit can keep them in a row of
//! registers.

use super::Refused;
use super::code::{Code, constant};
use super::one_block::{OneBlock, exit_block, insert_at_end, preheader};
use super::reduction::{Chain, Operation};
use crate::ir::{Block, Inst, Kernel, Value};

/// A reduction that was given several partial results.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RotatedReduction {
    /// The name of the variable in the source, if known.
    pub name: Option<String>,
    /// The operation that combines the partial results.
    pub operation: &'static str,
    /// The source line of the operation, 0 if unknown.
    pub line: u32,
    /// The number of partial results.
    pub depth: u32,
}

/// Gives each reduction of a loop of one block several partial results: as many as `depth` says for the
/// operations of an iteration, which wait for each other. Less than two means that it stays as it is. Sums and products
/// of floats are changed only where the kernel [allows](crate::ir::Reassociation) it; all others keep their
/// results bit for bit.
pub fn rotate_reduction(
    kernel: &mut Kernel,
    header: Block,
    depth: impl Fn(&Kernel, &[Inst]) -> u32,
) -> Result<Vec<RotatedReduction>, Refused> {
    let loop_ = OneBlock::of(kernel, header)?;
    let mut refused = Refused::because("no value of the loop is a reduction");
    let mut chains = Vec::new();
    for param in kernel.block(header).params.clone() {
        match Chain::of(kernel, &loop_, param) {
            Ok(chain) => match depth(kernel, &chain.insts) {
                0 | 1 => {
                    refused = Refused::because("one partial result is enough for the reductions");
                }
                depth => chains.push((chain, depth)),
            },
            // Counters have other uses as well: that is no news.
            Err(Some(reason)) if kernel.ty(param).is_float() || refused.line == 0 => {
                refused = reason;
            }
            Err(Some(_)) => {}
            Err(None) => {}
        }
    }
    if chains.is_empty() {
        return Err(refused);
    }
    let before = preheader(kernel, header)?;
    let behind = exit_block(kernel, &loop_);
    let rotated = chains.into_iter();
    Ok(rotated
        .map(|(chain, depth)| rotate(kernel, &loop_, (before, behind), chain, depth))
        .collect())
}

fn rotate(
    kernel: &mut Kernel,
    loop_: &OneBlock,
    (before, behind): (Block, Block),
    chain: Chain,
    depth: u32,
) -> RotatedReduction {
    let Chain {
        param,
        last,
        operation,
        insts,
    } = chain;
    let neutral = operation.identity(kernel.ty(param));
    let identity = constant(kernel, kernel.ty(param), neutral);
    let initial = loop_.replace_initial(kernel, before, param, identity);
    let others: Vec<Value> = (1..depth)
        .map(|_| loop_.add_param(kernel, before, identity))
        .collect();
    let from = [param].into_iter().chain(others.iter().copied());
    let to = others.iter().copied().chain([last]);
    for (param, next) in from.zip(to) {
        loop_.set_next(kernel, param, next);
    }
    let mut partial: Vec<Value> = [last].into_iter().chain(others).collect();
    if kernel.constant(initial) != Some(neutral) {
        partial.push(initial);
    }
    combine_behind(kernel, (loop_.header, behind), &partial, operation);
    RotatedReduction {
        name: kernel.value_name(param).map(String::from),
        operation: operation.combination().name(),
        line: kernel.loc(insts[0]).line,
        depth,
    }
}

/// Combines the partial results behind the loop, and uses the outcome where the last value was used.
fn combine_behind(
    kernel: &mut Kernel,
    (header, behind): (Block, Block),
    partial: &[Value],
    operation: Operation,
) {
    let last = partial[0];
    let mut code = Code::new(kernel);
    let mut level = partial.to_vec();
    while level.len() > 1 {
        level = level
            .chunks(2)
            .map(|pair| match *pair {
                [a, b] => code.binary(operation.combination(), [a, b]),
                [a] => a,
                _ => unreachable!("chunks of at most two"),
            })
            .collect();
    }
    let insts = std::mem::take(&mut code.insts);
    for block in kernel.layout().to_vec() {
        if block == header {
            continue;
        }
        for inst in kernel.block(block).insts.clone() {
            let data = kernel.inst_mut(inst);
            data.map_operands(|value| if value == last { level[0] } else { value });
        }
    }
    insert_at_end(kernel, behind, insts);
}
