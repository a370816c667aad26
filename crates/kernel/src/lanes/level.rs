//! Levels: the blocks of a kernel outside of all loops, or those of one loop, with each inner loop as one
//! node. A level has no cycles: its nodes are in a topological order.

use std::collections::BTreeMap;

use crate::analysis::{Cfg, Loop, Loops};
use crate::ir::{Block, Kernel};

/// A level.
pub(super) struct Level {
    /// The nodes in topological order, the entry first.
    pub(super) nodes: Vec<Node>,
    /// By node, its immediate dominator within the level; the entry's is itself.
    idom: Vec<usize>,
    /// By node, its immediate postdominator within the level, [`Level::end`] if it is none of the nodes.
    ipdom: Vec<usize>,
}

/// A block, or an inner loop.
pub(super) struct Node {
    /// The block, or the loop's header.
    pub(super) block: Block,
    /// The loop.
    pub(super) inner: Option<Loop>,
    /// The ways from it.
    pub(super) edges: Vec<Edge>,
}

/// A way from a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Edge {
    /// The block that it begins at: of an inner loop, one that is left.
    pub(super) from: Block,
    /// Which of the block's targets it leads to.
    pub(super) way: usize,
    /// Where it leads within the level.
    pub(super) to: To,
}

/// Where an edge leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum To {
    /// To a node of the level.
    Node(usize),
    /// Back to the header of the level's loop.
    Back,
    /// Out of the level's loop.
    Out,
}

impl Level {
    /// The level of a loop, or the outermost one.
    pub(super) fn of(kernel: &Kernel, cfg: &Cfg, loops: &Loops, own: Option<Loop>) -> Level {
        let is_node = |block: Block| match loops.innermost(block) {
            inner if inner == own => true,
            Some(inner) => loops.get(inner).header == block && loops.get(inner).parent == own,
            None => false,
        };
        let blocks = cfg.reverse_postorder().iter().copied();
        let blocks: Vec<Block> = blocks.filter(|&block| is_node(block)).collect();
        let index: BTreeMap<Block, usize> = blocks.iter().copied().zip(0..).collect();
        let header = own.map(|own| loops.get(own).header);
        let to = |target: Block| match index.get(&target) {
            _ if Some(target) == header => To::Back,
            Some(&at) => To::Node(at),
            None => To::Out,
        };
        let edges_of = |block: Block, stays: &dyn Fn(Block) -> bool| {
            let targets = kernel.successors(block).iter().enumerate();
            let left = targets.filter(|(_, target)| !stays(target.block));
            let edges = left.map(|(way, target)| Edge {
                from: block,
                way,
                to: to(target.block),
            });
            edges.collect::<Vec<Edge>>()
        };
        let nodes = blocks.iter().map(|&block| {
            let inner = loops.innermost(block).filter(|&it| Some(it) != own);
            let edges = match inner {
                None => edges_of(block, &|_| false),
                Some(inner) => {
                    let within = cfg.reverse_postorder().iter().copied();
                    let within = within.filter(|&it| loops.contains(inner, it));
                    let edges = within.flat_map(|it| edges_of(it, &|to| loops.contains(inner, to)));
                    edges.collect()
                }
            };
            Node {
                block,
                inner,
                edges,
            }
        });
        let nodes: Vec<Node> = nodes.collect();
        let (idom, ipdom) = (dominators(&nodes), postdominators(&nodes));
        Level { nodes, idom, ipdom }
    }

    /// Stands for what is behind all nodes.
    pub(super) fn end(&self) -> usize {
        self.nodes.len()
    }

    /// The immediate postdominator of a node.
    pub(super) fn postdominator(&self, node: usize) -> usize {
        self.ipdom[node]
    }

    /// The nearest dominator of a node that is passed exactly if the node is, if there is one.
    pub(super) fn equivalent(&self, node: usize) -> Option<usize> {
        let dominator = self.idom[node];
        let mut behind = dominator;
        while behind < node {
            behind = self.ipdom[behind];
        }
        (dominator != node && behind == node).then_some(dominator)
    }

    /// The nodes that edges of a node lead to.
    pub(super) fn successors(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        self.nodes[node]
            .edges
            .iter()
            .filter_map(|edge| match edge.to {
                To::Node(to) => Some(to),
                To::Back | To::Out => None,
            })
    }
}

fn dominators(nodes: &[Node]) -> Vec<usize> {
    let mut idom: Vec<Option<usize>> = vec![None; nodes.len()];
    let mut all = Vec::with_capacity(nodes.len());
    for (at, node) in nodes.iter().enumerate() {
        let own = idom[at].unwrap_or(at);
        all.push(own);
        for edge in &node.edges {
            let To::Node(to) = edge.to else { continue };
            idom[to] = Some(match idom[to] {
                None => at,
                Some(other) => nearest(&all, other, at),
            });
        }
    }
    all
}

/// The nearest node that is on both ways up to the first node.
fn nearest(idom: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        if a > b {
            a = idom[a];
        } else {
            b = idom[b];
        }
    }
    a
}

fn postdominators(nodes: &[Node]) -> Vec<usize> {
    let end = nodes.len();
    let mut ipdom = vec![end; end + 1];
    for (at, node) in nodes.iter().enumerate().rev() {
        let targets = node.edges.iter().map(|edge| match edge.to {
            To::Node(to) => to,
            To::Back | To::Out => end,
        });
        let common = targets.reduce(|mut a, mut b| {
            while a != b {
                if a < b {
                    a = ipdom[a];
                } else {
                    b = ipdom[b];
                }
            }
            a
        });
        ipdom[at] = common.unwrap_or(end);
    }
    ipdom
}
