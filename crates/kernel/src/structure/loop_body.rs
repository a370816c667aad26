//! The rounds of a loop: its edges, and how long the ways round are.

use cranelift_entity::SecondaryMap;

use super::Edge;
use crate::analysis::{Cfg, Loop, Loops};
use crate::ir::{Block, Kernel};

/// A loop's edges and the graph of its rounds.
///
/// A round goes from the header to a latch and passes no block twice, so it goes back nowhere, not
/// in inner loops either: it passes those from their header to an exit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopBody {
    /// The header.
    pub header: Block,
    /// The edges from outside to the header.
    pub entries: Vec<Edge>,
    /// The edges from the latches to the header.
    pub backs: Vec<Edge>,
    /// The edges to blocks outside, and the ends of work-items inside.
    pub exits: Vec<Edge>,
    /// The blocks that some round passes, each behind those that it comes from.
    pub blocks: Vec<Block>,
    /// The edges between them, by their sources' order, back edges left out.
    forward: Vec<(Block, Block)>,
}

impl LoopBody {
    /// The rounds of a loop of a reducible kernel.
    pub fn of(kernel: &Kernel, cfg: &Cfg, loops: &Loops, loop_: Loop) -> LoopBody {
        let data = loops.get(loop_);
        let edge = |from, to| Edge { from, to: Some(to) };
        let outside = cfg.predecessors(data.header).iter().copied();
        let outside = outside.filter(|&from| !loops.contains(loop_, from));
        let mut body = LoopBody {
            header: data.header,
            entries: outside.map(|from| edge(from, data.header)).collect(),
            backs: data
                .latches
                .iter()
                .map(|&from| edge(from, data.header))
                .collect(),
            exits: Vec::new(),
            blocks: Vec::new(),
            forward: Vec::new(),
        };
        // A natural loop has no block that ends a work-item: nothing goes back from there.
        body.exits
            .extend(data.exits.iter().map(|exit| edge(exit.from, exit.to)));
        let mut is_passed: SecondaryMap<Block, bool> = SecondaryMap::new();
        for &block in data.blocks.iter().rev() {
            let mut onwards: Vec<Block> =
                kernel.successors(block).iter().map(|to| to.block).collect();
            onwards.retain(|&to| is_passed[to] && cfg.index(to) > cfg.index(block));
            onwards.dedup();
            is_passed[block] = !onwards.is_empty() || data.latches.contains(&block);
            body.forward
                .extend(onwards.iter().rev().map(|&to| (block, to)));
        }
        body.forward.reverse();
        body.blocks = data
            .blocks
            .iter()
            .copied()
            .filter(|&block| is_passed[block])
            .collect();
        body
    }

    /// The least sum of the weights of a round's blocks.
    pub fn shortest(&self, weight: impl Fn(Block) -> u32) -> u64 {
        self.extreme(weight, u64::min)
    }

    /// The greatest sum of the weights of a round's blocks.
    pub fn longest(&self, weight: impl Fn(Block) -> u32) -> u64 {
        self.extreme(weight, u64::max)
    }

    fn extreme(&self, weight: impl Fn(Block) -> u32, choose: fn(u64, u64) -> u64) -> u64 {
        let mut until: SecondaryMap<Block, Option<u64>> = SecondaryMap::new();
        let mut edges = self.forward.iter().peekable();
        for &block in &self.blocks {
            let sum = until[block].unwrap_or(0) + u64::from(weight(block));
            until[block] = Some(sum);
            while let Some(&(_, to)) = edges.next_if(|edge| edge.0 == block) {
                until[to] = Some(until[to].map_or(sum, |other| choose(other, sum)));
            }
        }
        let rounds = self.backs.iter().filter_map(|edge| until[edge.from]);
        rounds
            .reduce(choose)
            .expect("a loop has a latch, which the header reaches")
    }
}
