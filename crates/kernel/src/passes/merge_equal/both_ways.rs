//! What is computed on every way behind a branch is computed once, before it. So a value that meets behind
//! the ways is one value, not one for each way.

use std::collections::{BTreeSet, HashMap};

use super::{Renaming, is_wiring, normal_form};
use crate::analysis::Cfg;
use crate::ir::{Block, Inst, InstData, Kernel, Type, Value};

/// Moves pure instructions that stand on all ways behind a branch before it; gives what replaces those that
/// are gone.
pub(super) fn hoist(kernel: &mut Kernel, cfg: &Cfg) -> Renaming {
    let mut renaming = Renaming::new();
    // The last blocks first: what is hoisted there may stand on all ways behind an earlier branch.
    for &block in cfg.reverse_postorder().iter().rev() {
        if let Some((first, others)) = ways(kernel, cfg, block) {
            hoist_to(kernel, block, first, &others, &mut renaming);
        }
    }
    renaming.apply(kernel);
    renaming
}

/// The blocks behind a branch, if they are reached from it alone.
fn ways(kernel: &Kernel, cfg: &Cfg, block: Block) -> Option<(Block, Vec<Block>)> {
    let mut ways: Vec<Block> = kernel.successors(block).iter().map(|it| it.block).collect();
    ways.sort_unstable();
    ways.dedup();
    let is_own = |&way: &Block| matches!(cfg.predecessors(way), [_]);
    if ways.len() < 2 || !ways.iter().all(is_own) {
        return None;
    }
    let first = ways.remove(0);
    Some((first, ways))
}

/// Moves what it can; what was moved may make others equal, which are looked for in the next round.
fn hoist_to(
    kernel: &mut Kernel,
    block: Block,
    first: Block,
    others: &[Block],
    renaming: &mut Renaming,
) {
    loop {
        let computed: Vec<Computed> = others
            .iter()
            .map(|&other| computed(kernel, renaming, other))
            .collect();
        let (mut stays, mut moves) = (Vec::new(), Vec::new());
        let mut inside: BTreeSet<Value> = kernel.block(first).params.iter().copied().collect();
        for &inst in &kernel.block(first).insts {
            let key = key(kernel, renaming, inst);
            let is_free = || !key.0.operands().iter().any(|it| inside.contains(it));
            let equal = computed.iter().map(|it| it.get(&key).copied());
            match equal.collect::<Option<Vec<Inst>>>() {
                Some(equal) if is_candidate(&key.0) && is_free() => moves.push((inst, equal)),
                _ => {
                    inside.extend(kernel.results(inst));
                    stays.push(inst);
                }
            }
        }
        if moves.is_empty() {
            return;
        }
        kernel.block_mut(first).insts = stays;
        for (inst, equal) in moves {
            let insts = &mut kernel.block_mut(block).insts;
            insts.insert(insts.len() - 1, inst);
            for (&other, copy) in others.iter().zip(equal) {
                kernel.block_mut(other).insts.retain(|&it| it != copy);
                let (old, new) = (kernel.result(copy), kernel.result(inst));
                renaming.replace(kernel, old, new);
            }
        }
    }
}

/// The instructions of a block by what they compute.
type Computed = HashMap<(InstData, Option<Type>), Inst>;

fn computed(kernel: &Kernel, renaming: &Renaming, block: Block) -> Computed {
    let insts = kernel.block(block).insts.iter();
    let insts = insts.filter(|&&inst| is_candidate(kernel.inst(inst)));
    // Of equal ones the first.
    insts
        .rev()
        .map(|&inst| (key(kernel, renaming, inst), inst))
        .collect()
}

fn key(kernel: &Kernel, renaming: &Renaming, inst: Inst) -> (InstData, Option<Type>) {
    let mut data = kernel.inst(inst).clone();
    data.map_operands(|value| renaming.resolve(value));
    let result = kernel.results(inst).first();
    (
        normal_form(kernel, &data),
        result.map(|&value| kernel.ty(value)),
    )
}

fn is_candidate(data: &InstData) -> bool {
    data.is_pure() && !is_wiring(data)
}
