//! Structural analysis: regions shrink, construct by construct, to one node.
//!
//! Each loop, inner ones first, and last the whole kernel is a region: a graph without cycles,
//! whose nodes are blocks and the nodes of the loops directly inside. Edges back to the region's
//! entry, to blocks outside and to the end of the work-item go *out*. In postorder, every node
//! swallows what it can: its branches if they meet again, its successor if nobody else goes there,
//! or all up to the place where its ways meet, as a proper interval. One round suffices: what a
//! node can swallow depends only on nodes behind it.

use std::collections::BTreeSet;

use cranelift_entity::{EntitySet, PrimaryMap, SecondaryMap};

use super::{Edge, Node, NodeData, NodeKind};
use crate::analysis::{Cfg, Loop, Loops};
use crate::ir::{Block, Kernel};

/// The nodes of the tree and its root. Nodes that were dissolved into others are left over.
pub(super) fn reduce(
    kernel: &Kernel,
    cfg: &Cfg,
    loops: &Loops,
) -> (PrimaryMap<Node, NodeData>, Node) {
    let mut forest = Forest {
        cfg,
        nodes: PrimaryMap::new(),
        top: SecondaryMap::new(),
    };
    for &block in cfg.reverse_postorder() {
        forest.add_leaf(kernel, block);
    }
    for (loop_, data) in loops.iter().rev() {
        let members = data.blocks.iter().copied();
        let members = members.filter(|&block| is_directly_in(loops, block, Some(loop_)));
        let mut region = Region::new(&mut forest, members);
        region.reduce();
        region.close_loop(loop_);
    }
    let members = cfg.reverse_postorder().iter().copied();
    let members = members.filter(|&block| is_directly_in(loops, block, None));
    let mut region = Region::new(&mut forest, members);
    region.reduce();
    let root = region.close();
    (forest.nodes, root)
}

/// Whether a block, or the loop that it is the header of, is in `region` and in no loop therein.
fn is_directly_in(loops: &Loops, block: Block, region: Option<Loop>) -> bool {
    match loops.innermost(block) {
        innermost if innermost == region => true,
        Some(inner) => {
            let inner = loops.get(inner);
            inner.header == block && inner.parent == region
        }
        None => false,
    }
}

/// The nodes made so far.
struct Forest<'k> {
    cfg: &'k Cfg,
    nodes: PrimaryMap<Node, NodeData>,
    /// The largest node that is entered at a block.
    top: SecondaryMap<Block, Option<Node>>,
}

impl Forest<'_> {
    fn add_leaf(&mut self, kernel: &Kernel, block: Block) {
        let targets = kernel.successors(block).iter();
        let mut exits: Vec<Edge> = Vec::new();
        for to in targets.map(|target| Some(target.block)) {
            let edge = Edge { from: block, to };
            if !exits.contains(&edge) {
                exits.push(edge);
            }
        }
        if exits.is_empty() {
            let edge = Edge {
                from: block,
                to: None,
            };
            exits.push(edge);
        }
        let leaf = self.nodes.push(NodeData {
            kind: NodeKind::Block(block),
            parent: None,
            children: Vec::new(),
            entry: block,
            exits,
            loop_: None,
        });
        self.top[block] = Some(leaf);
    }

    /// Makes a node of others. Its exits are theirs, without those to entries in `inside`.
    fn add(&mut self, kind: NodeKind, children: Vec<Node>, inside: &BTreeSet<Block>) -> Node {
        let mut exits = Vec::new();
        for &child in &children {
            let leaving = self.nodes[child].exits.iter().copied();
            exits.extend(leaving.filter(|edge| edge.to.is_none_or(|to| !inside.contains(&to))));
        }
        let entry = self.nodes[children[0]].entry;
        let node = self.nodes.push(NodeData {
            kind,
            parent: None,
            children,
            entry,
            exits,
            loop_: None,
        });
        self.top[entry] = Some(node);
        node
    }

    fn entry(&self, node: Node) -> Block {
        self.nodes[node].entry
    }

    /// Where the node stands among those of its region: edges go to higher numbers.
    fn rank(&self, node: Node) -> u32 {
        let index = self.cfg.index(self.entry(node));
        index.expect("only reachable blocks have nodes")
    }
}

/// Where an edge of a region goes. Nodes come before the ways out, and each before its successors.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Inside { rank: u32, node: Node },
    Out(Option<Block>),
}

/// An acyclic graph of nodes, to be reduced.
struct Region<'f, 'k> {
    forest: &'f mut Forest<'k>,
    /// The nodes in reverse postorder, also those that others have swallowed.
    nodes: Vec<Node>,
    /// The entries of the nodes, except of the first: an edge there goes out.
    inside: BTreeSet<Block>,
    /// The nodes that go to the node with an entry.
    predecessors: SecondaryMap<Block, Vec<Node>>,
}

impl<'f, 'k> Region<'f, 'k> {
    /// The region with these entries of nodes, in reverse postorder.
    fn new(forest: &'f mut Forest<'k>, members: impl Iterator<Item = Block>) -> Region<'f, 'k> {
        let members: Vec<Block> = members.collect();
        let top = |&block| forest.top[block].expect("every block has a node");
        let nodes: Vec<Node> = members.iter().map(top).collect();
        let mut region = Region {
            forest,
            nodes,
            inside: members[1..].iter().copied().collect(),
            predecessors: SecondaryMap::new(),
        };
        for node in region.nodes.clone() {
            for place in region.successors(node) {
                if let Place::Inside { node: to, .. } = place {
                    let entry = region.forest.entry(to);
                    region.predecessors[entry].push(node);
                }
            }
        }
        region
    }

    /// The places that a node goes to, each once, in order.
    fn successors(&self, node: Node) -> Vec<Place> {
        let exits = self.forest.nodes[node].exits.iter();
        let mut places: Vec<Place> = exits
            .map(|edge| match edge.to {
                Some(to) if self.inside.contains(&to) => {
                    let node = self.forest.top[to].expect("every block has a node");
                    let rank = self.forest.rank(node);
                    Place::Inside { rank, node }
                }
                to => Place::Out(to),
            })
            .collect();
        places.sort_unstable();
        places.dedup();
        places
    }

    fn predecessors(&self, node: Node) -> &[Node] {
        &self.predecessors[self.forest.entry(node)]
    }

    fn reduce(&mut self) {
        for at in (0..self.nodes.len()).rev() {
            let mut node = self.nodes[at];
            while let Some(larger) = self
                .branch(node)
                .or_else(|| self.sequence(node))
                .or_else(|| self.interval(node))
            {
                node = larger;
            }
            self.nodes[at] = node;
        }
    }

    /// The node and its branches, if they meet again.
    fn branch(&mut self, node: Node) -> Option<Node> {
        let [Place::Inside { node: first, .. }, second] = self.successors(node)[..] else {
            return None;
        };
        if !self.is_left_at_one_block(node) || self.predecessors(first) != [node] {
            return None;
        }
        let [meeting] = self.successors(first)[..] else {
            return None;
        };
        if meeting == second {
            return Some(self.swallow(NodeKind::IfThen, vec![node, first]));
        }
        let Place::Inside { node: other, .. } = second else {
            return None;
        };
        let meets = self.predecessors(other) == [node] && self.successors(other) == [meeting];
        meets.then(|| self.swallow(NodeKind::IfThenElse, vec![node, first, other]))
    }

    /// Whether one branch decides where a node goes. Work-items may overtake each other on their
    /// ways to different exits of a loop.
    fn is_left_at_one_block(&self, node: Node) -> bool {
        let exits = &self.forest.nodes[node].exits;
        exits.iter().all(|edge| edge.from == exits[0].from)
    }

    /// The node and the only one that it goes to, if nobody else goes there.
    fn sequence(&mut self, node: Node) -> Option<Node> {
        let [Place::Inside { node: next, .. }] = self.successors(node)[..] else {
            return None;
        };
        if self.predecessors(next) != [node] {
            return None;
        }
        let mut children = Vec::new();
        for part in [node, next] {
            match self.forest.nodes[part].kind {
                NodeKind::Sequence => children.extend(&self.forest.nodes[part].children),
                NodeKind::Block(_)
                | NodeKind::IfThen
                | NodeKind::IfThenElse
                | NodeKind::SelfLoop
                | NodeKind::WhileLoop
                | NodeKind::ProperInterval
                | NodeKind::NaturalLoop => children.push(part),
            }
        }
        Some(self.merge(NodeKind::Sequence, children, &[node, next]))
    }

    /// The node and all behind it up to the place where all ways meet.
    fn interval(&mut self, node: Node) -> Option<Node> {
        let mut reached = BTreeSet::from([Place::Inside {
            rank: self.forest.rank(node),
            node,
        }]);
        let mut members: Vec<Node> = Vec::new();
        let mut is_member: EntitySet<Node> = EntitySet::new();
        while let Some(place) = reached.pop_first() {
            // Whatever is behind goes through the only place reached.
            if reached.is_empty() && !members.is_empty() {
                let is_more = members.len() > 1;
                return is_more.then(|| self.swallow(NodeKind::ProperInterval, members));
            }
            let Place::Inside { node: member, .. } = place else {
                return None;
            };
            let mut entries = self.predecessors(member).iter();
            if member != node && !entries.all(|&from| is_member.contains(from)) {
                return None;
            }
            members.push(member);
            is_member.insert(member);
            reached.extend(self.successors(member));
        }
        None
    }

    fn swallow(&mut self, kind: NodeKind, children: Vec<Node>) -> Node {
        let parts = children.clone();
        self.merge(kind, children, &parts)
    }

    /// Puts a new node with these children in the place of the nodes `parts`.
    fn merge(&mut self, kind: NodeKind, children: Vec<Node>, parts: &[Node]) -> Node {
        // Edges to the first child's entry go round a loop: those leave the new node.
        let entries = children[1..].iter().map(|&part| self.forest.entry(part));
        let inside: BTreeSet<Block> = entries.collect();
        let new = self.forest.add(kind, children, &inside);
        for place in self.successors(new) {
            if let Place::Inside { node, .. } = place {
                let entry = self.forest.entry(node);
                let sources = &mut self.predecessors[entry];
                sources.retain(|from| !parts.contains(from));
                sources.push(new);
            }
        }
        for &part in &parts[1..] {
            self.inside.remove(&self.forest.entry(part));
        }
        new
    }

    /// The nodes that are left, in reverse postorder.
    fn left(&self) -> Vec<Node> {
        let is_left = |&node: &Node| {
            let entry = self.forest.entry(node);
            node == self.nodes[0] || self.inside.contains(&entry)
        };
        self.nodes.iter().copied().filter(is_left).collect()
    }

    /// Makes one node of what is left.
    fn close(mut self) -> Node {
        match self.left()[..] {
            [node] => node,
            _ => {
                let left = self.left();
                self.swallow(NodeKind::ProperInterval, left)
            }
        }
    }

    /// Makes a loop of what is left.
    fn close_loop(self, loop_: Loop) {
        let left = self.left();
        let kind = self.loop_kind(&left);
        let entries: BTreeSet<Block> = left.iter().map(|&node| self.forest.entry(node)).collect();
        let node = self.forest.add(kind, left, &entries);
        self.forest.nodes[node].loop_ = Some(loop_);
    }

    fn loop_kind(&self, left: &[Node]) -> NodeKind {
        let header = Place::Out(Some(self.forest.entry(left[0])));
        match *left {
            [only] => match self.successors(only).len() {
                1 | 2 => NodeKind::SelfLoop,
                _ => NodeKind::NaturalLoop,
            },
            [test, body] => match self.successors(test)[..] {
                [Place::Inside { .. }, out]
                    if out != header
                        && self.is_left_at_one_block(test)
                        && self.successors(body) == [header] =>
                {
                    NodeKind::WhileLoop
                }
                _ => NodeKind::NaturalLoop,
            },
            _ => NodeKind::NaturalLoop,
        }
    }
}
