//! What is computed from what in a loop, as a graph whose edges have distances in iterations.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::{Control, DependenceKind, MemoryDependence};
use crate::analysis::access::Access;
use crate::analysis::access::numbers::Surroundings;
use crate::analysis::guards;
use crate::analysis::{Dominators, Loop, LoopData};
use crate::ir::{Block, Effect, Inst, InstData, Kernel, Value, ValueDef};

/// What takes part in the computations of a loop.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Node {
    /// A parameter of a block of the loop.
    Param(Value),
    /// An instruction of the loop; branches, too, since what they choose between waits for them.
    Inst(Inst),
}

/// One node waits for another one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Edge {
    /// What is computed first.
    pub from: Node,
    /// What waits for it.
    pub to: Node,
    /// How many iterations later the second one is, at least.
    pub distance: u64,
    /// Why it waits.
    pub cause: Cause,
}

/// Why a node waits for another one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Cause {
    /// It needs its value.
    Value,
    /// A branch decides which value a parameter has, or whether an access is made. Whether there is another
    /// iteration at all is not meant here: [`Control`] is that.
    Control,
    /// A dependence through memory.
    Memory(DependenceKind),
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Node::Param(value) => write!(f, "{value}"),
            Node::Inst(inst) => write!(f, "{inst}"),
        }
    }
}

/// The edges of a loop, in ascending order.
pub(super) fn edges(
    surroundings: &Surroundings<'_>,
    loop_: Loop,
    memory: &[MemoryDependence],
) -> Vec<Edge> {
    let mut builder = Builder {
        surroundings,
        loop_,
        data: surroundings.loops.get(loop_),
        edges: BTreeSet::new(),
    };
    for &block in &builder.data.blocks {
        builder.operands(block);
        builder.arguments(block);
        builder.choices(block);
        builder.conditions(block);
    }
    for dependence in memory {
        builder.edges.insert(Edge {
            from: Node::Inst(dependence.source),
            to: Node::Inst(dependence.sink),
            distance: dependence.distance.least(),
            cause: Cause::Memory(dependence.kind),
        });
    }
    builder.edges.into_iter().collect()
}

struct Builder<'k> {
    surroundings: &'k Surroundings<'k>,
    loop_: Loop,
    data: &'k LoopData,
    edges: BTreeSet<Edge>,
}

impl Builder<'_> {
    fn kernel(&self) -> &Kernel {
        self.surroundings.kernel
    }

    fn is_inside(&self, block: Block) -> bool {
        self.surroundings.loops.contains(self.loop_, block)
    }

    /// Where a value comes from, if that is in the loop.
    fn node(&self, value: Value) -> Option<Node> {
        let home = self.surroundings.homes[value]?;
        if !self.is_inside(home) {
            return None;
        }
        match self.kernel().def(value) {
            ValueDef::Param(..) => Some(Node::Param(value)),
            ValueDef::Result(inst, _) => {
                let is_constant = self.kernel().inst(inst).operands().is_empty()
                    && self.kernel().inst(inst).is_pure();
                (!is_constant).then_some(Node::Inst(inst))
            }
        }
    }

    fn add(&mut self, from: Option<Node>, to: Node, distance: u64, cause: Cause) {
        self.edges.extend(from.map(|from| Edge {
            from,
            to,
            distance,
            cause,
        }));
    }

    /// Instructions wait for their operands.
    fn operands(&mut self, block: Block) {
        let kernel = self.surroundings.kernel;
        for &inst in &kernel.block(block).insts {
            let data = kernel.inst(inst);
            let operands = match data {
                InstData::Branch { cond, .. } => vec![*cond],
                InstData::Jump(_) => Vec::new(),
                data => data.operands().to_vec(),
            };
            for operand in operands {
                self.add(self.node(operand), Node::Inst(inst), 0, Cause::Value);
            }
        }
    }

    /// Parameters wait for what jumps pass for them: those of the header, for the iteration before.
    fn arguments(&mut self, block: Block) {
        let kernel = self.surroundings.kernel;
        for target in kernel.successors(block) {
            if !self.is_inside(target.block) {
                continue;
            }
            let distance = u64::from(target.block == self.data.header);
            let params = kernel.block(target.block).params.iter();
            for (&param, &arg) in params.zip(&target.args) {
                self.add(self.node(arg), Node::Param(param), distance, Cause::Value);
            }
        }
    }

    /// Parameters wait for the branches that decide which jump passes them.
    fn choices(&mut self, block: Block) {
        let kernel = self.surroundings.kernel;
        let params = &kernel.block(block).params;
        if params.is_empty() {
            return;
        }
        let distance = u64::from(block == self.data.header);
        for branch in self.deciding(block) {
            for &param in params {
                self.add(
                    Some(Node::Inst(branch)),
                    Node::Param(param),
                    distance,
                    Cause::Control,
                );
            }
        }
    }

    /// The branches that decide through which jump within the loop a block is reached: those between it and
    /// what every way to it passes.
    fn deciding(&self, block: Block) -> Vec<Inst> {
        let Surroundings {
            kernel,
            cfg,
            dominators,
            ..
        } = self.surroundings;
        let sources = cfg.predecessors(block).iter().copied();
        let sources: Vec<Block> = sources.filter(|&it| self.is_inside(it)).collect();
        let Some(start) = common_dominator(dominators, &sources) else {
            return Vec::new();
        };
        let mut seen = BTreeSet::from([start]);
        let mut work = sources;
        while let Some(next) = work.pop() {
            if seen.insert(next) {
                let before = cfg.predecessors(next).iter().copied();
                work.extend(before.filter(|&it| self.is_inside(it)));
            }
        }
        let decides = |&block: &Block| {
            let targets = kernel.successors(block);
            targets.len() == 2 && targets.iter().all(|it| self.is_inside(it.block))
        };
        let blocks = seen.into_iter().filter(decides);
        blocks.map(|block| kernel.terminator(block)).collect()
    }

    /// Accesses and prints wait for the conditions under which they are made.
    fn conditions(&mut self, block: Block) {
        let Surroundings {
            kernel,
            cfg,
            dominators,
            ..
        } = self.surroundings;
        let conditions = guards::conditions(kernel, cfg, dominators, block);
        for &inst in &kernel.block(block).insts {
            match kernel.inst(inst).effect() {
                Effect::Access(_) | Effect::Print => {}
                Effect::Pure | Effect::Fence(_) | Effect::Barrier(_) | Effect::Control => continue,
            }
            for &(condition, _) in &conditions {
                self.add(self.node(condition), Node::Inst(inst), 0, Cause::Control);
            }
        }
    }
}

/// The last block that is on every way to all of these.
fn common_dominator(dominators: &Dominators, blocks: &[Block]) -> Option<Block> {
    let mut candidate = blocks.first().copied();
    while let Some(block) = candidate {
        if blocks.iter().all(|&it| dominators.dominates(block, it)) {
            break;
        }
        candidate = dominators.idom(block);
    }
    candidate
}

/// What the branches that may leave a loop are computed from.
pub(super) fn control(kernel: &Kernel, data: &LoopData, edges: &[Edge]) -> Control {
    let mut exits: Vec<Inst> = data
        .exits
        .iter()
        .map(|it| kernel.terminator(it.from))
        .collect();
    exits.dedup();
    let mut before: BTreeMap<Node, Vec<Node>> = BTreeMap::new();
    for edge in edges {
        match edge.cause {
            Cause::Value | Cause::Control => before.entry(edge.to).or_default().push(edge.from),
            Cause::Memory(_) => {}
        }
    }
    let mut nodes = BTreeSet::new();
    let mut work: Vec<Node> = exits.iter().map(|&it| Node::Inst(it)).collect();
    while let Some(node) = work.pop() {
        for &from in before.get(&node).into_iter().flatten() {
            if nodes.insert(from) {
                work.push(from);
            }
        }
    }
    let is_load = |node: &Node| match node {
        Node::Inst(inst) => kernel.inst(*inst).access_effect().is_some(),
        Node::Param(_) => false,
    };
    Control {
        exits,
        reads_memory: nodes.iter().any(is_load),
        nodes: nodes.into_iter().collect(),
    }
}

/// Which accesses can be executed before which in the same iteration of a loop.
pub(super) struct Order {
    reached: BTreeMap<Block, BTreeSet<Block>>,
    positions: BTreeMap<Inst, usize>,
}

impl Order {
    pub(super) fn of(kernel: &Kernel, data: &LoopData) -> Order {
        let inside: BTreeSet<Block> = data.blocks.iter().copied().collect();
        let mut order = Order {
            reached: BTreeMap::new(),
            positions: BTreeMap::new(),
        };
        for &block in &data.blocks {
            for (at, &inst) in kernel.block(block).insts.iter().enumerate() {
                order.positions.insert(inst, at);
            }
            let mut seen = BTreeSet::new();
            let mut work = vec![block];
            while let Some(from) = work.pop() {
                for target in kernel.successors(from) {
                    let goes_on = target.block != data.header && inside.contains(&target.block);
                    if goes_on && seen.insert(target.block) {
                        work.push(target.block);
                    }
                }
            }
            order.reached.insert(block, seen);
        }
        order
    }

    /// Whether one can be executed before another one.
    pub(super) fn is_before(&self, first: &Access, second: &Access) -> bool {
        let is_earlier = self.positions[&first.inst] < self.positions[&second.inst];
        (first.block == second.block && is_earlier)
            || self.reached[&first.block].contains(&second.block)
    }
}
