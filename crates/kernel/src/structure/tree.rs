//! The control tree: blocks are its leaves, each node above them is a control-flow construct.

use cranelift_entity::{PrimaryMap, SecondaryMap, entity_impl};

use super::Irreducible;
use super::reduce::reduce;
use crate::analysis::{Cfg, Dominators, Loop, Loops};
use crate::ir::{Block, Kernel};

/// A node of a control tree.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Node(u32);
entity_impl!(Node, "n");

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NodeKind {
    /// A basic block: a leaf.
    Block(Block),
    /// The children run one after the other. Only the last may have several ways out.
    Sequence,
    /// A branch at the end of the first child goes to the second or past it; behind it both meet.
    IfThen,
    /// A branch at the end of the first child goes to the second or to the third; behind them both
    /// meet.
    IfThenElse,
    /// A loop around its only child, left to at most one place.
    SelfLoop,
    /// A loop: a branch at the end of the first child leaves it or goes to the second, which goes
    /// back to the first.
    WhileLoop,
    /// Children without a cycle, entered at the first.
    ProperInterval,
    /// A loop of any other form: children whose only cycles go through the first.
    NaturalLoop,
}

/// An edge of the control-flow graph.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Edge {
    /// The block that is left.
    pub from: Block,
    /// The block that is entered; `None` where the work-item ends.
    pub to: Option<Block>,
}

/// What is known of a node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NodeData {
    /// What it is.
    pub kind: NodeKind,
    /// The node that it is a part of.
    pub parent: Option<Node>,
    /// Its parts, each before those it goes to; the first is entered from outside.
    pub children: Vec<Node>,
    /// The block through which it is entered.
    pub entry: Block,
    /// The edges that leave it, returns included, each once.
    pub exits: Vec<Edge>,
    /// The loop that it is.
    pub loop_: Option<Loop>,
}

/// A kernel's control tree. Nodes are numbered from the root downwards, first children first.
#[derive(Clone, Debug)]
pub struct ControlTree {
    pub(super) nodes: PrimaryMap<Node, NodeData>,
    pub(super) leaves: SecondaryMap<Block, Option<Node>>,
    pub(super) loops: Loops,
    pub(super) loop_nodes: SecondaryMap<Loop, Option<Node>>,
}

impl ControlTree {
    /// The control tree of a verified kernel, unless a cycle has several entries.
    pub fn of(kernel: &Kernel) -> Result<ControlTree, Irreducible> {
        let cfg = Cfg::of(kernel);
        let dominators = Dominators::of(kernel, &cfg);
        let loops = Loops::of(kernel, &cfg, &dominators);
        if !loops.is_reducible() {
            return Err(Irreducible::of(kernel, &cfg));
        }
        let (nodes, root) = reduce(kernel, &cfg, &loops);
        Ok(ControlTree::numbered(&nodes, root, loops))
    }

    /// The tree below `root`, numbered in preorder.
    fn numbered(nodes: &PrimaryMap<Node, NodeData>, root: Node, loops: Loops) -> ControlTree {
        let mut tree = ControlTree {
            nodes: PrimaryMap::new(),
            leaves: SecondaryMap::new(),
            loops,
            loop_nodes: SecondaryMap::new(),
        };
        let mut work = vec![(root, None)];
        while let Some((old, parent)) = work.pop() {
            let data = NodeData {
                parent,
                children: Vec::new(),
                ..nodes[old].clone()
            };
            let node = tree.nodes.push(data);
            if let Some(parent) = parent {
                tree.nodes[parent].children.push(node);
            }
            if let NodeKind::Block(block) = nodes[old].kind {
                tree.leaves[block] = Some(node);
            }
            if let Some(loop_) = nodes[old].loop_ {
                tree.loop_nodes[loop_] = Some(node);
            }
            let children = nodes[old].children.iter().rev();
            work.extend(children.map(|&child| (child, Some(node))));
        }
        tree
    }

    /// The whole kernel.
    pub fn root(&self) -> Node {
        Node(0)
    }

    /// A node.
    pub fn node(&self, node: Node) -> &NodeData {
        &self.nodes[node]
    }

    /// The nodes, each behind its parent.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (Node, &NodeData)> + '_ {
        self.nodes.iter()
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no node, which no kernel has.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The leaf of a block.
    pub fn leaf(&self, block: Block) -> Node {
        self.leaves[block].expect("verify: every block is reachable and so has a leaf")
    }

    /// The loops of the kernel.
    pub fn loops(&self) -> &Loops {
        &self.loops
    }

    /// The node of a loop.
    pub fn loop_node(&self, loop_: Loop) -> Node {
        self.loop_nodes[loop_].expect("every loop has a node")
    }

    /// The node and those around it, up to the root.
    pub fn ancestors(&self, node: Node) -> impl Iterator<Item = Node> + '_ {
        std::iter::successors(Some(node), |&node| self.nodes[node].parent)
    }

    /// Whether `inner` is `outer` or a part of it.
    pub fn contains(&self, outer: Node, inner: Node) -> bool {
        self.ancestors(inner).any(|node| node == outer)
    }

    /// The blocks of a node, in the order of its leaves.
    pub fn blocks(&self, node: Node) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut work = vec![node];
        while let Some(node) = work.pop() {
            if let NodeKind::Block(block) = self.nodes[node].kind {
                blocks.push(block);
            }
            work.extend(self.nodes[node].children.iter().rev());
        }
        blocks
    }
}

impl NodeKind {
    /// Whether the node is a loop.
    pub fn is_loop(self) -> bool {
        match self {
            NodeKind::SelfLoop | NodeKind::WhileLoop | NodeKind::NaturalLoop => true,
            NodeKind::Block(_)
            | NodeKind::Sequence
            | NodeKind::IfThen
            | NodeKind::IfThenElse
            | NodeKind::ProperInterval => false,
        }
    }

    /// Its name as the printer writes it.
    pub fn name(self) -> &'static str {
        match self {
            NodeKind::Block(_) => "Block",
            NodeKind::Sequence => "Sequence",
            NodeKind::IfThen => "IfThen",
            NodeKind::IfThenElse => "IfThenElse",
            NodeKind::SelfLoop => "SelfLoop",
            NodeKind::WhileLoop => "WhileLoop",
            NodeKind::ProperInterval => "ProperInterval",
            NodeKind::NaturalLoop => "NaturalLoop",
        }
    }
}
