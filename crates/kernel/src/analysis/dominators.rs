//! Dominators: which blocks every path from the entry to a block goes through.
//!
//! Immediate dominators are found by the iteration of Cooper, Harvey and Kennedy: in reverse
//! postorder, each block's is the nearest common dominator of its predecessors, until nothing
//! changes (for reducible graphs, after one round).

use cranelift_entity::SecondaryMap;

use super::Cfg;
use crate::ir::{Block, Kernel};

/// The dominator tree of a kernel's reachable blocks.
#[derive(Clone, Debug)]
pub struct Dominators {
    idom: SecondaryMap<Block, Option<Block>>,
    /// Preorder numbers in the tree: a block's own and the last one in its subtree, so that
    /// ancestry is containment.
    span: SecondaryMap<Block, Option<(u32, u32)>>,
}

impl Dominators {
    /// The dominators of a kernel with this control-flow graph.
    pub fn of(kernel: &Kernel, cfg: &Cfg) -> Dominators {
        let idom = immediate_dominators(kernel.entry(), cfg);
        let span = spans(cfg, &idom);
        Dominators { idom, span }
    }

    /// The last block before `block` on every path to it; `None` for the entry block and for
    /// unreachable blocks.
    pub fn idom(&self, block: Block) -> Option<Block> {
        self.idom[block]
    }

    /// Whether every path from the entry to `block` goes through `dominator`. A block dominates
    /// itself. Unreachable blocks neither dominate nor are dominated.
    pub fn dominates(&self, dominator: Block, block: Block) -> bool {
        match (self.span[dominator], self.span[block]) {
            (Some((first, last)), Some((own, _))) => (first..=last).contains(&own),
            (None, _) | (_, None) => false,
        }
    }
}

fn immediate_dominators(entry: Block, cfg: &Cfg) -> SecondaryMap<Block, Option<Block>> {
    let mut idom: SecondaryMap<Block, Option<Block>> = SecondaryMap::new();
    // The entry stands for its own dominator, so that every walk up the tree ends there.
    idom[entry] = Some(entry);
    let mut changed = true;
    while changed {
        changed = false;
        for &block in &cfg.reverse_postorder()[1..] {
            let known = cfg.predecessors(block).iter().copied();
            let known = known.filter(|&predecessor| idom[predecessor].is_some());
            let new = known.reduce(|a, b| common_dominator(cfg, &idom, a, b));
            changed |= idom[block] != new;
            idom[block] = new;
        }
    }
    idom[entry] = None;
    idom
}

/// The nearest block that dominates both, as far as `idom` knows yet.
fn common_dominator(
    cfg: &Cfg,
    idom: &SecondaryMap<Block, Option<Block>>,
    mut a: Block,
    mut b: Block,
) -> Block {
    let up = |block: Block| idom[block].expect("walks start at blocks that have a dominator");
    while a != b {
        if cfg.index(a) > cfg.index(b) {
            a = up(a);
        } else {
            b = up(b);
        }
    }
    a
}

/// Preorder spans of the tree. A block comes behind its dominator in reverse postorder: sizes of
/// subtrees add up backwards, and forwards each subtree takes its place behind its elder siblings.
fn spans(
    cfg: &Cfg,
    idom: &SecondaryMap<Block, Option<Block>>,
) -> SecondaryMap<Block, Option<(u32, u32)>> {
    let mut size: SecondaryMap<Block, u32> = SecondaryMap::with_default(1);
    for &block in cfg.reverse_postorder().iter().rev() {
        if let Some(parent) = idom[block] {
            size[parent] += size[block];
        }
    }
    let mut span = SecondaryMap::new();
    let mut free: SecondaryMap<Block, u32> = SecondaryMap::new();
    for &block in cfg.reverse_postorder() {
        let first = idom[block].map_or(0, |parent| {
            let first = free[parent];
            free[parent] += size[block];
            first
        });
        span[block] = Some((first, first + size[block] - 1));
        free[block] = first + 1;
    }
    span
}

#[cfg(test)]
mod tests {
    use super::super::cfg::tests::{block, graph};
    use super::*;

    fn dominators(edges: &str) -> (Kernel, Cfg, Dominators) {
        let kernel = graph(edges);
        let cfg = Cfg::of(&kernel);
        let dominators = Dominators::of(&kernel, &cfg);
        (kernel, cfg, dominators)
    }

    fn idoms(edges: &str) -> Vec<Option<u32>> {
        let (kernel, _, dominators) = dominators(edges);
        let idom = |&block: &Block| dominators.idom(block).map(|idom| idom.as_u32());
        kernel.layout().iter().map(idom).collect()
    }

    #[test]
    fn the_join_of_a_diamond_is_dominated_by_its_fork() {
        assert_eq!(idoms("0:1,2 1:3 2:3 3:"), [None, Some(0), Some(0), Some(0)]);
    }

    #[test]
    fn a_loop_is_dominated_by_its_header() {
        assert_eq!(
            idoms("0:1 1:2,4 2:3,1 3:2 4:"),
            [None, Some(0), Some(1), Some(2), Some(1)]
        );
    }

    #[test]
    fn neither_entry_of_an_irreducible_loop_dominates_the_other() {
        assert_eq!(
            idoms("0:1,2 1:2 2:1,3 3:"),
            [None, Some(0), Some(0), Some(2)]
        );
    }

    #[test]
    fn unreachable_blocks_have_no_part_in_dominance() {
        let (_, _, dominators) = dominators("0:2 1:2 2:");
        assert_eq!(dominators.idom(block(1)), None);
        assert_eq!(dominators.idom(block(2)), Some(block(0)));
        assert!(!dominators.dominates(block(1), block(1)));
        assert!(!dominators.dominates(block(0), block(1)));
    }

    /// The definition: `a` dominates `b` if no path avoids it.
    fn every_path_goes_through(kernel: &Kernel, a: Block, b: Block) -> bool {
        let mut reached = vec![kernel.entry()];
        let mut at = 0;
        while let Some(&block) = reached.get(at) {
            at += 1;
            if block == a {
                continue;
            }
            for target in kernel.successors(block) {
                if !reached.contains(&target.block) {
                    reached.push(target.block);
                }
            }
        }
        a == b || !reached.contains(&b)
    }

    #[test]
    fn dominance_is_what_its_definition_says_on_random_graphs() {
        let mut state = 7u32;
        let mut random = |bound: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % bound
        };
        for _ in 0..300 {
            let count = 2 + random(9);
            let mut edges = String::new();
            for from in 0..count {
                let mut target = || 1 + random(count - 1);
                edges += &match target() % 4 {
                    0 => format!("{from}: "),
                    1 => format!("{from}:{} ", target()),
                    _ => format!("{from}:{},{} ", target(), target()),
                };
            }
            let (kernel, cfg, dominators) = dominators(&edges);
            for &a in kernel.layout() {
                for &b in kernel.layout() {
                    let expected = cfg.is_reachable(a)
                        && cfg.is_reachable(b)
                        && every_path_goes_through(&kernel, a, b);
                    assert_eq!(dominators.dominates(a, b), expected, "{a} {b} in {edges}");
                }
            }
        }
    }
}
