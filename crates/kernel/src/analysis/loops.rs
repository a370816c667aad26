//! Natural loops and their nesting.
//!
//! A back edge goes to a block that dominates its source: the loop's header. The loop is the header
//! and whatever reaches the back edge without passing it. Back edges to one header are one loop.
//! A cycle with several entries has no such header: the graph is then irreducible and the cycle is
//! not among the loops.

use cranelift_entity::{PrimaryMap, SecondaryMap, entity_impl};

use super::{Cfg, Dominators};
use crate::ir::{Block, Kernel};

/// A natural loop.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Loop(u32);
entity_impl!(Loop, "loop");

/// What is known of a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopData {
    /// The block through which the loop is entered.
    pub header: Block,
    /// All blocks in reverse postorder, those of inner loops included; the header is the first.
    pub blocks: Vec<Block>,
    /// The blocks that go back to the header, in reverse postorder.
    pub latches: Vec<Block>,
    /// The edges that leave the loop, in reverse postorder of their sources.
    pub exits: Vec<Exit>,
    /// The smallest loop around this one.
    pub parent: Option<Loop>,
    /// Number of loops around this one, itself included.
    pub depth: u32,
}

/// An edge out of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exit {
    /// The block inside.
    pub from: Block,
    /// The block outside.
    pub to: Block,
}

/// A kernel's natural loops.
#[derive(Clone, Debug)]
pub struct Loops {
    loops: PrimaryMap<Loop, LoopData>,
    innermost: SecondaryMap<Block, Option<Loop>>,
    is_reducible: bool,
}

impl Loops {
    /// The loops of a kernel with this control-flow graph and these dominators.
    pub fn of(kernel: &Kernel, cfg: &Cfg, dominators: &Dominators) -> Loops {
        let mut loops = Loops {
            loops: PrimaryMap::new(),
            innermost: SecondaryMap::new(),
            is_reducible: true,
        };
        // A header comes behind the headers of the loops around it: outer loops are found first,
        // and when a loop is found, `innermost` of its header is its parent.
        for &header in cfg.reverse_postorder() {
            let retreating = retreating_edges(cfg, header);
            let (latches, others): (Vec<Block>, Vec<Block>) = retreating
                .into_iter()
                .partition(|&from| dominators.dominates(header, from));
            loops.is_reducible &= others.is_empty();
            if !latches.is_empty() {
                loops.add(kernel, cfg, header, latches);
            }
        }
        loops
    }

    fn add(&mut self, kernel: &Kernel, cfg: &Cfg, header: Block, latches: Vec<Block>) {
        let blocks = natural_loop(cfg, header, &latches);
        let exits = exits(kernel, &blocks);
        let parent = self.innermost[header];
        let depth = 1 + parent.map_or(0, |parent| self.loops[parent].depth);
        let new = self.loops.next_key();
        for &block in &blocks {
            self.innermost[block] = Some(new);
        }
        self.loops.push(LoopData {
            header,
            blocks,
            latches,
            exits,
            parent,
            depth,
        });
    }

    /// The loops, each behind the loops around it.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (Loop, &LoopData)> + '_ {
        self.loops.iter()
    }

    /// Number of loops.
    pub fn len(&self) -> usize {
        self.loops.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.loops.is_empty()
    }

    /// A loop.
    pub fn get(&self, loop_: Loop) -> &LoopData {
        &self.loops[loop_]
    }

    /// The smallest loop around a block.
    pub fn innermost(&self, block: Block) -> Option<Loop> {
        self.innermost[block]
    }

    /// Number of loops around a block.
    pub fn depth(&self, block: Block) -> u32 {
        self.innermost[block].map_or(0, |loop_| self.loops[loop_].depth)
    }

    /// Whether a block is in a loop.
    pub fn contains(&self, loop_: Loop, block: Block) -> bool {
        let mut around = self.innermost[block];
        while let Some(candidate) = around {
            if candidate == loop_ {
                return true;
            }
            around = self.loops[candidate].parent;
        }
        false
    }

    /// The loops without some of them, by their headers: what was in one of these is now in the loop around it.
    pub(crate) fn without(&self, is_removed: impl Fn(Block) -> bool) -> Loops {
        let mut loops = Loops {
            loops: PrimaryMap::new(),
            innermost: SecondaryMap::new(),
            is_reducible: self.is_reducible,
        };
        let mut kept: SecondaryMap<Loop, Option<Loop>> = SecondaryMap::new();
        for (loop_, data) in self.loops.iter() {
            let parent = data.parent.and_then(|parent| kept[parent]);
            kept[loop_] = parent;
            if is_removed(data.header) {
                continue;
            }
            let depth = 1 + parent.map_or(0, |parent| loops.loops[parent].depth);
            let data = LoopData {
                parent,
                depth,
                ..data.clone()
            };
            kept[loop_] = Some(loops.loops.push(data));
        }
        for block in self.innermost.keys() {
            loops.innermost[block] = self.innermost[block].and_then(|loop_| kept[loop_]);
        }
        loops
    }

    /// Puts the blocks of each loop into the reverse postorder of another control-flow graph.
    pub(crate) fn sort(&mut self, cfg: &Cfg) {
        for data in self.loops.values_mut() {
            data.blocks.sort_by_key(|&block| cfg.index(block));
        }
    }

    /// Puts a new block into a loop; [`Loops::sort`] is to follow.
    pub(crate) fn put(&mut self, block: Block, inside: Loop) {
        self.innermost[block] = Some(inside);
        let mut around = Some(inside);
        while let Some(loop_) = around {
            self.loops[loop_].blocks.push(block);
            around = self.loops[loop_].parent;
        }
    }

    /// Whether every cycle is a natural loop or inside one: none has several entries.
    pub fn is_reducible(&self) -> bool {
        self.is_reducible
    }
}

/// The sources of the edges that go backwards in reverse postorder to `target`.
fn retreating_edges(cfg: &Cfg, target: Block) -> Vec<Block> {
    let predecessors = cfg.predecessors(target).iter().copied();
    let mut sources: Vec<Block> = predecessors
        .filter(|&from| cfg.is_reachable(from) && cfg.index(from) >= cfg.index(target))
        .collect();
    sources.sort_by_key(|&from| cfg.index(from));
    sources
}

/// The header and what reaches the latches without passing it, in reverse postorder.
fn natural_loop(cfg: &Cfg, header: Block, latches: &[Block]) -> Vec<Block> {
    let mut inside: SecondaryMap<Block, bool> = SecondaryMap::new();
    inside[header] = true;
    let mut blocks = vec![header];
    let mut work = latches.to_vec();
    while let Some(block) = work.pop() {
        if !std::mem::replace(&mut inside[block], true) {
            blocks.push(block);
            let predecessors = cfg.predecessors(block).iter().copied();
            work.extend(predecessors.filter(|&from| cfg.is_reachable(from)));
        }
    }
    blocks.sort_by_key(|&block| cfg.index(block));
    blocks
}

fn exits(kernel: &Kernel, blocks: &[Block]) -> Vec<Exit> {
    let mut inside: SecondaryMap<Block, bool> = SecondaryMap::new();
    for &block in blocks {
        inside[block] = true;
    }
    let mut exits = Vec::new();
    for &from in blocks {
        for target in kernel.successors(from) {
            let exit = Exit {
                from,
                to: target.block,
            };
            if !inside[target.block] && !exits.contains(&exit) {
                exits.push(exit);
            }
        }
    }
    exits
}

#[cfg(test)]
mod tests {
    use super::super::cfg::tests::{block, graph};
    use super::*;

    fn loops(edges: &str) -> Loops {
        let kernel = graph(edges);
        let cfg = Cfg::of(&kernel);
        Loops::of(&kernel, &cfg, &Dominators::of(&kernel, &cfg))
    }

    /// One line per loop, blocks as numbers.
    fn summary(loops: &Loops) -> Vec<String> {
        let numbers = |blocks: &[Block]| {
            let numbers: Vec<String> = blocks.iter().map(|b| b.as_u32().to_string()).collect();
            numbers.join(",")
        };
        let line = |(loop_, data): (Loop, &LoopData)| {
            let exits: Vec<String> = data
                .exits
                .iter()
                .map(|exit| format!("{}>{}", exit.from.as_u32(), exit.to.as_u32()))
                .collect();
            format!(
                "{loop_} depth {} parent {:?}: {} latches {} exits {}",
                data.depth,
                data.parent,
                numbers(&data.blocks),
                numbers(&data.latches),
                exits.join(",")
            )
        };
        loops.iter().map(line).collect()
    }

    #[test]
    fn straight_code_has_no_loops() {
        let loops = loops("0:1,2 1:2 2:");
        assert!(loops.is_empty() && loops.is_reducible());
        assert_eq!(loops.depth(block(1)), 0);
    }

    #[test]
    fn a_self_loop_is_its_own_latch() {
        let loops = loops("0:1 1:1,2 2:");
        assert_eq!(
            summary(&loops),
            ["loop0 depth 1 parent None: 1 latches 1 exits 1>2"]
        );
        assert!(loops.is_reducible());
    }

    #[test]
    fn nested_loops_know_their_parents() {
        let loops = loops("0:1 1:2,6 2:3 3:3,4 4:5,2 5:1,6 6:");
        assert_eq!(
            summary(&loops),
            [
                "loop0 depth 1 parent None: 1,2,3,4,5 latches 5 exits 1>6,5>6",
                "loop1 depth 2 parent Some(loop0): 2,3,4 latches 4 exits 4>5",
                "loop2 depth 3 parent Some(loop1): 3 latches 3 exits 3>4",
            ]
        );
        let [outer, inner] = [0, 2].map(Loop::from_u32);
        assert_eq!(loops.depth(block(3)), 3);
        assert_eq!(loops.innermost(block(5)), Some(outer));
        assert!(loops.contains(outer, block(3)));
        assert!(!loops.contains(inner, block(4)));
        assert!(!loops.contains(outer, block(6)));
    }

    #[test]
    fn back_edges_to_one_header_are_one_loop() {
        let loops = loops("0:1 1:2,3 2:1,4 3:1 4:");
        assert_eq!(
            summary(&loops),
            ["loop0 depth 1 parent None: 1,2,3 latches 2,3 exits 2>4"]
        );
    }

    #[test]
    fn sibling_loops_share_no_blocks() {
        let loops = loops("0:1 1:1,2 2:2,3 3:");
        assert_eq!(
            summary(&loops),
            [
                "loop0 depth 1 parent None: 1 latches 1 exits 1>2",
                "loop1 depth 1 parent None: 2 latches 2 exits 2>3",
            ]
        );
    }

    #[test]
    fn a_cycle_with_two_entries_is_irreducible_and_no_loop() {
        let loops = loops("0:1,2 1:2 2:1,3 3:");
        assert!(!loops.is_reducible());
        assert!(loops.is_empty());
    }

    #[test]
    fn a_loop_around_an_irreducible_cycle_is_still_found() {
        let loops = loops("0:1 1:2,3 2:3 3:2,4 4:1,5 5:");
        assert!(!loops.is_reducible());
        assert_eq!(
            summary(&loops),
            ["loop0 depth 1 parent None: 1,3,2,4 latches 4 exits 4>5"]
        );
    }

    #[test]
    fn unreachable_blocks_are_in_no_loop() {
        let loops = loops("0:1 1:1,3 2:1 3: 4:4");
        assert_eq!(
            summary(&loops),
            ["loop0 depth 1 parent None: 1 latches 1 exits 1>3"]
        );
        assert_eq!(loops.innermost(block(4)), None);
        assert!(loops.is_reducible());
    }

    #[test]
    fn a_loop_without_exit_is_a_loop() {
        let loops = loops("0:1 1:2 2:1");
        assert_eq!(
            summary(&loops),
            ["loop0 depth 1 parent None: 1,2 latches 2 exits "]
        );
    }
}
