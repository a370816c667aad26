//! Cycles with several entries: where they are.

use std::collections::BTreeSet;

use cranelift_entity::SecondaryMap;

use crate::analysis::Cfg;
use crate::ir::{Block, Kernel};

/// A cycle with several entries.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct TangledCycle {
    /// The blocks that reach each other, in reverse postorder.
    pub(super) blocks: Vec<Block>,
    /// Those that are entered from elsewhere, in reverse postorder.
    pub(super) entries: Vec<Block>,
}

/// The tangled cycles of a kernel, none inside another, in the order of their first blocks.
pub(super) fn tangled_cycles(kernel: &Kernel, cfg: &Cfg) -> Vec<TangledCycle> {
    let mut cycles = Vec::new();
    let mut work = vec![cfg.reverse_postorder().to_vec()];
    while let Some(blocks) = work.pop() {
        for blocks in components(kernel, &blocks) {
            let entries = entries(cfg, &blocks);
            if let [header] = entries[..] {
                // What goes back to the header is a loop; its inside may be tangled.
                let inside = blocks.into_iter().filter(|&block| block != header);
                work.push(inside.collect());
            } else {
                cycles.push(TangledCycle { blocks, entries });
            }
        }
    }
    cycles.sort_by_key(|cycle| cfg.index(cycle.blocks[0]));
    cycles
}

/// The blocks of a cycle that are entered from outside.
fn entries(cfg: &Cfg, cycle: &[Block]) -> Vec<Block> {
    let inside: BTreeSet<Block> = cycle.iter().copied().collect();
    let is_entered = |&block: &Block| {
        let mut sources = cfg.predecessors(block).iter();
        sources.any(|&from| cfg.is_reachable(from) && !inside.contains(&from))
    };
    cycle.iter().copied().filter(is_entered).collect()
}

/// The strongly connected components with cycles of the graph of `blocks`, each in their order.
///
/// Path-based: `path` holds the blocks of the depth-first path that are not known to reach an
/// earlier one, `open` those that have no component yet.
fn components(kernel: &Kernel, blocks: &[Block]) -> Vec<Vec<Block>> {
    let mut order: SecondaryMap<Block, u32> = SecondaryMap::new();
    for (at, &block) in blocks.iter().enumerate() {
        order[block] = at as u32 + 1;
    }
    let mut number: SecondaryMap<Block, u32> = SecondaryMap::new();
    let mut closed: SecondaryMap<Block, bool> = SecondaryMap::new();
    let (mut next, mut open, mut path) = (0, Vec::new(), Vec::new());
    let mut components = Vec::new();
    for &root in blocks {
        let mut stack = if number[root] == 0 {
            vec![(root, 0)]
        } else {
            Vec::new()
        };
        while let Some((block, done)) = stack.last_mut() {
            let block = *block;
            if number[block] == 0 {
                next += 1;
                number[block] = next;
                open.push(block);
                path.push(block);
            }
            if let Some(target) = kernel.successors(block).get(*done) {
                *done += 1;
                let to = target.block;
                if order[to] != 0 && number[to] == 0 {
                    stack.push((to, 0));
                } else if order[to] != 0 && !closed[to] {
                    path.retain(|&earlier| number[earlier] <= number[to]);
                }
                continue;
            }
            stack.pop();
            if path.last() == Some(&block) {
                path.pop();
                let first = open.iter().position(|&other| other == block);
                let mut component = open.split_off(first.expect("a block on the path is open"));
                component.iter().for_each(|&member| closed[member] = true);
                component.sort_by_key(|&member| order[member]);
                let goes_round = |target: &crate::ir::BlockCall| target.block == block;
                if component.len() > 1 || kernel.successors(block).iter().any(goes_round) {
                    components.push(component);
                }
            }
        }
    }
    components
}
