//! Coalescing: a loop with one loop inside becomes one loop, whose iterations are those of the inner one.
//!
//! ```text
//! outer(p): q = prologue(p); branch runs(p), inner(r0(p)), after
//! inner(r): ...; branch again, inner(r'), after
//! after:    ...; branch further, outer(p'), exit
//! ```
//! becomes
//! ```text
//! head(enters, runs, p, r, q):
//!           branch enters, prologue, test
//! prologue: q = ...; jump test
//! test:     branch runs, inner, after
//! inner:    ...; branch again, head(0, 1, p, r', q), after
//! after:    ...; branch further, head(1, runs(p'), p', r0(p'), q), exit
//! ```
//!
//! which [`if_convert`](super::if_convert()) makes one block. An outer iteration whose inner loop has no iteration takes one. What the
//! prologue computes from `p` alone is *stable*: it is computed in each iteration instead of being handed on, and
//! what the inner loop begins with is computed one iteration ahead, so that nothing waits for a choice between both.
//!
//! Dependences through memory from one execution of the inner loop to the next ones have distances of its length. Where
//! that may be too short for the pipeline, an outer iteration is given a number of iterations at least: those that
//! are left over do nothing. What is known of distances is noted as promises of the new loop.

mod distances;
mod rebuild;
mod trips;

use std::collections::BTreeSet;

use super::{Refused, if_convert, shape};
use crate::analysis::LoopData;
use crate::ir::{Block, Effect, Kernel, Value, ValueDef};
use distances::Distances;
pub(crate) use distances::ENOUGH;
use rebuild::rebuild;

/// Makes a loop and the only loop in it, which is one block, one loop of one block. Gives its header.
pub fn coalesce(kernel: &mut Kernel, header: Block) -> Result<Block, Refused> {
    let nest = Nest::of(kernel, header)?;
    let distances = Distances::of(kernel, &nest);
    let mut changed = kernel.clone();
    let head = rebuild(&mut changed, &nest, distances.least_row)?;
    if_convert(&mut changed, head)?;
    let mut hints = kernel.block(header).hints.clone();
    hints.coalesce = None;
    hints.independence = distances.promises;
    changed.block_mut(head).hints = hints;
    *kernel = changed;
    Ok(head)
}

/// A loop with one loop inside.
pub(super) struct Nest {
    pub(super) outer: LoopData,
    /// The block of the inner loop.
    pub(super) inner: Block,
    /// The blocks of an outer iteration that lead to the inner loop.
    pub(super) before: Vec<Block>,
    /// The values of the outer iteration that need nothing but its parameters.
    pub(super) stable: BTreeSet<Value>,
}

impl Nest {
    fn of(kernel: &Kernel, header: Block) -> Result<Nest, Refused> {
        let (loops, outer_loop) = shape::find(kernel, header)?;
        let outer = loops.get(outer_loop).clone();
        if !loops.is_reducible() {
            return Err(Refused::because(
                "the kernel has a cycle with several entries",
            ));
        }
        let mut inside = loops.iter().filter(|(_, it)| it.parent == Some(outer_loop));
        let (Some((inner, data)), None) = (inside.next(), inside.next()) else {
            return Err(Refused::because(
                "the loop does not contain exactly one other",
            ));
        };
        if data.blocks.len() != 1 {
            let has_more = loops.iter().any(|(_, it)| it.parent == Some(inner));
            return Err(Refused::because(match has_more {
                true => "the loop inside contains another one",
                false => "the loop inside does not consist of one block",
            }));
        }
        shape::check_conditional(kernel, &outer.blocks)?;
        let inner = data.header;
        let before = leading_to(kernel, &outer, inner);
        let stable = stable(kernel, &outer, &before);
        Ok(Nest {
            outer,
            inner,
            before,
            stable,
        })
    }

    /// Whether a value is the same for all iterations of the inner loop and needs nothing but the parameters of the outer one.
    pub(super) fn is_stable(&self, kernel: &Kernel, value: Value) -> bool {
        self.stable.contains(&value) || !self.is_inside(kernel, value)
    }

    fn is_inside(&self, kernel: &Kernel, value: Value) -> bool {
        home(kernel, &self.outer.blocks, value).is_some()
    }
}

/// The block of a list that defines a value.
fn home(kernel: &Kernel, blocks: &[Block], value: Value) -> Option<Block> {
    let mut blocks = blocks.iter().copied();
    match kernel.def(value) {
        ValueDef::Param(block, _) => blocks.find(|&it| it == block),
        ValueDef::Result(inst, _) => blocks.find(|&it| kernel.block(it).insts.contains(&inst)),
    }
}

/// The blocks of a loop from which a block is reached without going back to the header, that block not counted.
fn leading_to(kernel: &Kernel, data: &LoopData, to: Block) -> Vec<Block> {
    let mut found = BTreeSet::from([to]);
    loop {
        let count = found.len();
        for &block in &data.blocks {
            let mut onwards = kernel.successors(block).iter();
            if onwards.any(|it| it.block != data.header && found.contains(&it.block)) {
                found.insert(block);
            }
        }
        if found.len() == count {
            break;
        }
    }
    let blocks = data.blocks.iter().copied();
    blocks
        .filter(|it| *it != to && found.contains(it))
        .collect()
}

/// The values of a loop's first blocks that are computed from its parameters alone.
fn stable(kernel: &Kernel, data: &LoopData, before: &[Block]) -> BTreeSet<Value> {
    let params = kernel.block(data.header).params.iter();
    let mut stable: BTreeSet<Value> = params.copied().collect();
    let inside: BTreeSet<Value> = data
        .blocks
        .iter()
        .flat_map(|&block| {
            let insts = kernel.block(block).insts.iter();
            let results = insts.flat_map(|&inst| kernel.results(inst));
            kernel.block(block).params.iter().chain(results).copied()
        })
        .collect();
    // Blocks are in reverse postorder: definitions come first.
    for &inst in before.iter().flat_map(|&it| &kernel.block(it).insts) {
        let data = kernel.inst(inst);
        let mut operands = data.operands().into_iter();
        if data.effect() == Effect::Pure
            && operands.all(|it| stable.contains(&it) || !inside.contains(&it))
        {
            stable.extend(kernel.results(inst));
        }
    }
    stable
}
