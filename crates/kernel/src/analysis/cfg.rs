//! The control-flow graph: predecessors, reverse postorder, reachability.

use cranelift_entity::SecondaryMap;

use crate::ir::{Block, Kernel};

/// A kernel's control-flow graph.
#[derive(Clone, Debug)]
pub struct Cfg {
    predecessors: SecondaryMap<Block, Vec<Block>>,
    reverse_postorder: Vec<Block>,
    index: SecondaryMap<Block, Option<u32>>,
}

impl Cfg {
    /// The graph of a kernel whose blocks all end in terminators.
    pub fn of(kernel: &Kernel) -> Cfg {
        let mut predecessors: SecondaryMap<Block, Vec<Block>> = SecondaryMap::new();
        for &block in kernel.layout() {
            for target in kernel.successors(block) {
                let list = &mut predecessors[target.block];
                if list.last() != Some(&block) {
                    list.push(block);
                }
            }
        }
        let mut reverse_postorder = postorder(kernel);
        reverse_postorder.reverse();
        let mut index = SecondaryMap::new();
        for (at, &block) in reverse_postorder.iter().enumerate() {
            index[block] = Some(at as u32);
        }
        Cfg {
            predecessors,
            reverse_postorder,
            index,
        }
    }

    /// The blocks that may go to `block`, each once, in layout order, unreachable ones included.
    pub fn predecessors(&self, block: Block) -> &[Block] {
        &self.predecessors[block]
    }

    /// The reachable blocks, each before its successors except along retreating edges. The first
    /// is the entry block; of a branch, the first target comes first where both may.
    pub fn reverse_postorder(&self) -> &[Block] {
        &self.reverse_postorder
    }

    /// A block's place in the reverse postorder, if it is reachable.
    pub fn index(&self, block: Block) -> Option<u32> {
        self.index[block]
    }

    /// Whether control can get from the entry block to `block`.
    pub fn is_reachable(&self, block: Block) -> bool {
        self.index[block].is_some()
    }
}

/// The blocks reachable from the entry, each after what a depth-first search finds beyond it.
fn postorder(kernel: &Kernel) -> Vec<Block> {
    let mut order = Vec::new();
    let mut seen: SecondaryMap<Block, bool> = SecondaryMap::new();
    let entry = kernel.entry();
    seen[entry] = true;
    // Each with the number of successors that are still to be visited. Going from the last target
    // to the first puts the first target first in the reverse order.
    let mut stack = vec![(entry, kernel.successors(entry).len())];
    while let Some((block, left)) = stack.last_mut() {
        if *left == 0 {
            order.push(*block);
            stack.pop();
            continue;
        }
        *left -= 1;
        let next = kernel.successors(*block)[*left].block;
        if !std::mem::replace(&mut seen[next], true) {
            stack.push((next, kernel.successors(next).len()));
        }
    }
    order
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::text::parse;

    /// A kernel with these blocks and edges: `0:1,2 1:3 2:3 3:` is a diamond.
    pub fn graph(edges: &str) -> Kernel {
        let mut text = "kernel \"graph\"\n{\n".to_string();
        for (at, edges) in edges.split_whitespace().enumerate() {
            let (block, targets) = edges.split_once(':').unwrap();
            text += &format!("b{block}:\n");
            let targets: Vec<&str> = targets.split_terminator(',').collect();
            text += &match targets[..] {
                [] => "return\n".to_string(),
                [target] => format!("jump b{target}\n"),
                [first, second] => {
                    format!("v{at}: i1 = const 1\nbranch v{at}, b{first}, b{second}\n")
                }
                _ => panic!("{edges}: a block has at most two successors"),
            };
        }
        parse(&(text + "}\n")).unwrap()
    }

    pub fn block(number: u32) -> Block {
        Block::from_u32(number)
    }

    fn numbers(blocks: &[Block]) -> Vec<u32> {
        blocks.iter().map(|block| block.as_u32()).collect()
    }

    #[test]
    fn a_diamond_is_ordered_by_its_edges_and_first_target_first() {
        let cfg = Cfg::of(&graph("0:2,1 1:3 2:3 3:"));
        assert_eq!(numbers(cfg.reverse_postorder()), [0, 2, 1, 3]);
        assert_eq!(numbers(cfg.predecessors(block(3))), [1, 2]);
        assert_eq!(numbers(cfg.predecessors(block(0))), []);
        assert_eq!(cfg.index(block(2)), Some(1));
    }

    #[test]
    fn both_edges_of_a_branch_to_one_block_are_one_predecessor() {
        let cfg = Cfg::of(&graph("0:1,1 1:1,2 2:"));
        assert_eq!(numbers(cfg.predecessors(block(1))), [0, 1]);
    }

    #[test]
    fn unreachable_blocks_precede_but_are_not_ordered() {
        let cfg = Cfg::of(&graph("0:2 1:2,1 2:"));
        assert_eq!(numbers(cfg.reverse_postorder()), [0, 2]);
        assert_eq!(numbers(cfg.predecessors(block(2))), [0, 1]);
        assert!(!cfg.is_reachable(block(1)));
        assert_eq!(cfg.index(block(1)), None);
    }

    #[test]
    fn loops_are_ordered_before_what_follows_them() {
        let cfg = Cfg::of(&graph("0:1 1:2,4 2:3,1 3:2 4:"));
        assert_eq!(numbers(cfg.reverse_postorder()), [0, 1, 2, 3, 4]);
    }
}
