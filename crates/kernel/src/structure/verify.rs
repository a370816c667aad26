//! The invariants of a control tree.
//!
//! - T1. Every reachable block is in exactly one leaf. The root has no parent; every other node is
//!   a child of its parent, once.
//! - T2. A node is entered at its first child's entry. Every edge of the control-flow graph to
//!   another block of the node comes from inside the node.
//! - T3. A node's exits are the edges of the control-flow graph from its blocks to others, the
//!   returns in it, and the back edges to its entry if their loop is around the node.
//! - T4. Edges between a node's children go to later children; those to the first child are the
//!   back edges of a loop.
//! - T5. The edges between the children and out of the node are those of its kind. The first child
//!   of `IfThen`, `IfThenElse` and `WhileLoop` is left at one block.
//! - T6. The loops of the kernel are the loop nodes, block for block.

use std::collections::BTreeSet;

use super::{ControlTree, Edge, Node, NodeKind};
use crate::analysis::{Cfg, Dominators, Loops};
use crate::ir::{Block, Kernel};

type Check = Result<(), String>;

macro_rules! ensure {
    ($condition:expr, $($message:tt)+) => {
        if !$condition {
            return Err(format!($($message)+));
        }
    };
}

impl ControlTree {
    /// Checks the tree against the kernel that it is of; says which invariant is violated where.
    pub fn verify(&self, kernel: &Kernel) -> Result<(), String> {
        let cfg = Cfg::of(kernel);
        self.check_shape(&cfg)?;
        for (node, _) in self.iter() {
            self.check_entry(&cfg, node)?;
            self.check_exits(kernel, node)?;
            self.check_children(node)?;
            self.check_kind(node)?;
        }
        self.check_loops(kernel, &cfg)
    }

    fn check_shape(&self, cfg: &Cfg) -> Check {
        let mut blocks = self.blocks(self.root());
        blocks.sort_unstable();
        let mut expected = cfg.reverse_postorder().to_vec();
        expected.sort_unstable();
        ensure!(blocks == expected, "T1: the leaves are {blocks:?}");
        for (node, data) in self.iter() {
            let is_root = node == self.root();
            ensure!(data.parent.is_none() == is_root, "T1: {node} has no parent");
            for &child in &data.children {
                let parent = self.node(child).parent;
                ensure!(parent == Some(node), "T1: {child} is a child of {node}");
            }
            if let NodeKind::Block(block) = data.kind {
                let is_leaf = self.leaf(block) == node && data.children.is_empty();
                ensure!(is_leaf, "T1: {node} is no leaf");
            } else {
                ensure!(!data.children.is_empty(), "T1: {node} has no children");
            }
        }
        Ok(())
    }

    fn check_entry(&self, cfg: &Cfg, node: Node) -> Check {
        let data = self.node(node);
        let first = match data.kind {
            NodeKind::Block(block) => block,
            NodeKind::Sequence
            | NodeKind::IfThen
            | NodeKind::IfThenElse
            | NodeKind::SelfLoop
            | NodeKind::WhileLoop
            | NodeKind::ProperInterval
            | NodeKind::NaturalLoop => self.node(data.children[0]).entry,
        };
        ensure!(data.entry == first, "T2: {node} is entered at {first}");
        for block in self.blocks(node) {
            for &from in cfg.predecessors(block) {
                let is_inside = self.contains(node, self.leaf(from));
                ensure!(
                    block == data.entry || is_inside,
                    "T2: {from} enters {node} at {block}"
                );
            }
        }
        Ok(())
    }

    fn check_exits(&self, kernel: &Kernel, node: Node) -> Check {
        let data = self.node(node);
        let mut expected = BTreeSet::new();
        for from in self.blocks(node) {
            let targets = kernel.successors(from).iter();
            let targets: Vec<Option<Block>> = targets.map(|target| Some(target.block)).collect();
            let ends = if targets.is_empty() {
                vec![None]
            } else {
                targets
            };
            for to in ends {
                let leaves = to.is_none_or(|to| {
                    let goes_round = to == data.entry && !self.contains_loop_of(node, to);
                    goes_round || !self.contains(node, self.leaf(to))
                });
                if leaves {
                    expected.insert(Edge { from, to });
                }
            }
        }
        let exits: BTreeSet<Edge> = data.exits.iter().copied().collect();
        let is_once = exits.len() == data.exits.len();
        ensure!(is_once && exits == expected, "T3: {node} has other exits");
        Ok(())
    }

    /// Whether the loop with this header is `node` or a part of it.
    fn contains_loop_of(&self, node: Node, header: Block) -> bool {
        let mut loops = self.loops.iter().filter(|(_, data)| data.header == header);
        loops.any(|(loop_, _)| self.contains(node, self.loop_node(loop_)))
    }

    /// The child of `node` that a block is in.
    fn child_at(&self, node: Node, block: Block) -> Option<usize> {
        let mut ancestors = self.ancestors(self.leaf(block));
        let child = ancestors.find(|&inner| self.node(inner).parent == Some(node))?;
        let mut children = self.node(node).children.iter();
        children.position(|&other| other == child)
    }

    fn check_children(&self, node: Node) -> Check {
        let data = self.node(node);
        for (at, &child) in data.children.iter().enumerate() {
            for edge in &self.node(child).exits {
                let to = edge.to.and_then(|to| self.child_at(node, to));
                // An edge to the entry of a node that is no loop belongs to a loop around it.
                let is_round = to == Some(0);
                ensure!(
                    is_round || to.is_none_or(|to| to > at),
                    "T4: {edge} goes backwards in {node}"
                );
            }
        }
        Ok(())
    }

    /// Where a child's exits go, each place once: to children by number, else to blocks or the end.
    fn ways(&self, node: Node, child: usize) -> BTreeSet<Way> {
        let child = self.node(node).children[child];
        let exits = self.node(child).exits.iter();
        let way = |edge: &Edge| match edge.to.and_then(|to| self.child_at(node, to)) {
            Some(0) if !self.node(node).kind.is_loop() => Way::Out(edge.to),
            Some(child) => Way::Child(child),
            None => Way::Out(edge.to),
        };
        exits.map(way).collect()
    }

    fn check_kind(&self, node: Node) -> Check {
        let data = self.node(node);
        let count = data.children.len();
        let ways: Vec<Vec<Way>> = (0..count)
            .map(|child| self.ways(node, child).into_iter().collect())
            .collect();
        let outs: BTreeSet<Option<Block>> = data.exits.iter().map(|edge| edge.to).collect();
        let child = Way::Child;
        let has_one_branch = self.is_left_at_one_block(data.children.first());
        let fits = match data.kind {
            NodeKind::Block(_) => true,
            NodeKind::Sequence => {
                let is_next = |at: usize| ways[at] == [child(at + 1)];
                count > 1 && (0..count - 1).all(is_next)
            }
            NodeKind::IfThen => {
                count == 2
                    && has_one_branch
                    && matches!((&ways[0][..], &ways[1][..]),
                        (&[Way::Child(1), out], &[end]) if out == end)
            }
            NodeKind::IfThenElse => {
                count == 3
                    && has_one_branch
                    && ways[0] == [child(1), child(2)]
                    && ways[1] == ways[2]
                    && matches!(ways[1][..], [Way::Out(_)])
            }
            NodeKind::SelfLoop => count == 1 && ways[0][0] == child(0) && outs.len() <= 1,
            NodeKind::WhileLoop => {
                count == 2
                    && has_one_branch
                    && matches!(ways[0][..], [Way::Child(1), Way::Out(_)])
                    && ways[1] == [child(0)]
            }
            NodeKind::ProperInterval => count > 1,
            NodeKind::NaturalLoop => ways.iter().flatten().any(|&way| way == child(0)),
        };
        ensure!(fits, "T5: {node} is no {}", data.kind.name());
        Ok(())
    }

    fn is_left_at_one_block(&self, node: Option<&Node>) -> bool {
        node.is_some_and(|&node| {
            let exits = &self.node(node).exits;
            exits.windows(2).all(|pair| pair[0].from == pair[1].from)
        })
    }

    fn check_loops(&self, kernel: &Kernel, cfg: &Cfg) -> Check {
        let dominators = Dominators::of(kernel, cfg);
        let loops = Loops::of(kernel, cfg, &dominators);
        let nodes = self.iter().filter(|(_, data)| data.kind.is_loop());
        ensure!(
            nodes.count() == loops.len(),
            "T6: loops are missing or made up"
        );
        for (loop_, data) in loops.iter() {
            let node = self.loop_node(loop_);
            let mut blocks = self.blocks(node);
            blocks.sort_by_key(|&block| cfg.index(block));
            let is_same = self.node(node).kind.is_loop()
                && self.node(node).loop_ == Some(loop_)
                && blocks == data.blocks;
            ensure!(is_same, "T6: {node} is not {loop_}");
        }
        Ok(())
    }
}

/// Where an exit goes, as seen from the parent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    Child(usize),
    Out(Option<Block>),
}
