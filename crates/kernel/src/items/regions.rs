//! Regions: what all work-items of a group do before any of them goes on.
//!
//! A region begins at the entry, behind a barrier, or where a loop with a barrier, or the ways around a barrier, begin or
//! end, and goes on until the next such place. No loop that is in one region leads through two, so what a region
//! uses is either defined in it on every way, or before it.

use std::collections::BTreeSet;

use cranelift_entity::SecondaryMap;

use super::divergence::Divergence;
use crate::analysis::{Cfg, Dominators, Loops};
use crate::ir::{
    BinaryOp, Block, BlockCall, CastOp, Inst, InstData, Kernel, Type, Value, ValueDef,
};

/// Operations behind each other that are computed again rather than kept, at most.
const DEEPEST: u32 = 5;

/// The regions of a kernel.
pub(super) struct Regions<'k> {
    kernel: &'k Kernel,
    /// By their first blocks, in reverse postorder.
    pub(super) all: Vec<Region>,
    pub(super) divergence: Divergence,
    home: SecondaryMap<Value, Option<Block>>,
}

/// A region.
pub(super) struct Region {
    /// Where it begins.
    pub(super) start: Block,
    /// Its blocks in reverse postorder, the first one included.
    pub(super) blocks: Vec<Block>,
    /// The ways out of it.
    pub(super) edges: Vec<Edge>,
    /// What it, or what comes behind it, needs from before: ids and what is computed from them easily left out.
    pub(super) live: BTreeSet<Value>,
}

/// A way out of a region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Edge {
    /// The block that it leaves.
    pub(super) from: Block,
    /// Which of its targets it is; none if the work-item ends there.
    pub(super) target: Option<usize>,
    /// Where it goes.
    pub(super) end: End,
}

/// Where a region is left to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// The region that begins with this block.
    Region(Block),
    /// The end of the work-item.
    Return,
}

/// Takes barriers out of a kernel. Gives the blocks that begin behind them.
pub(super) fn split_at_barriers(kernel: &mut Kernel) -> BTreeSet<Block> {
    let mut behind = BTreeSet::new();
    let mut open = kernel.layout().to_vec();
    while let Some(block) = open.pop() {
        let insts = &kernel.block(block).insts;
        let is_barrier = |&inst: &Inst| matches!(kernel.inst(inst), InstData::Barrier(_));
        let Some(at) = insts.iter().position(is_barrier) else {
            continue;
        };
        let loc = kernel.loc(insts[at]);
        let rest = kernel.add_block();
        let moved = kernel.block_mut(block).insts.split_off(at + 1);
        kernel.block_mut(block).insts.truncate(at);
        kernel.block_mut(rest).insts = moved;
        let jump = InstData::Jump(BlockCall {
            block: rest,
            args: Default::default(),
        });
        kernel.append(block, jump, &[], loc);
        behind.insert(rest);
        open.push(rest);
    }
    behind
}

impl<'k> Regions<'k> {
    /// The regions of a kernel that is reducible and whose barriers stood before these blocks.
    pub(super) fn of(kernel: &'k Kernel, behind_barriers: &BTreeSet<Block>) -> Regions<'k> {
        let cfg = Cfg::of(kernel);
        let divergence = Divergence::of(kernel, &cfg, behind_barriers);
        let starts = starts(kernel, &cfg, &divergence, behind_barriers);
        let order = cfg.reverse_postorder();
        let firsts = order.iter().filter(|block| starts.contains(block));
        let region = |&start: &Block| Region::of(kernel, &cfg, &starts, start);
        let mut home = SecondaryMap::new();
        for &block in kernel.layout() {
            for &param in &kernel.block(block).params {
                home[param] = Some(block);
            }
            for &inst in &kernel.block(block).insts {
                for &result in kernel.results(inst) {
                    home[result] = Some(block);
                }
            }
        }
        let mut regions = Regions {
            kernel,
            all: firsts.map(region).collect(),
            divergence,
            home,
        };
        while regions.spread_liveness() {}
        regions
    }

    /// The region that begins with a block.
    pub(super) fn get(&self, start: Block) -> &Region {
        let mut all = self.all.iter();
        let found = all.find(|it| it.start == start);
        found.expect("edges lead to regions")
    }

    /// The type of a value.
    pub(super) fn ty(&self, value: Value) -> Type {
        self.kernel.ty(value)
    }

    /// Whether a region can be entered again.
    pub(super) fn repeats(&self, start: Block) -> bool {
        let next = |region: &Region| {
            let edges = region.edges.iter();
            let starts = edges.filter_map(|edge| match edge.end {
                End::Region(start) => Some(start),
                End::Return => None,
            });
            starts.collect::<Vec<Block>>()
        };
        let mut open = next(self.get(start));
        let mut seen = BTreeSet::new();
        while let Some(block) = open.pop() {
            if seen.insert(block) {
                open.extend(next(self.get(block)));
            }
        }
        seen.contains(&start)
    }

    /// Whether a region defines a value; its parameters come from before.
    pub(super) fn defines(&self, region: &Region, value: Value) -> bool {
        let home = self.home[value].expect("verify: values have definitions");
        let is_own_param =
            home == region.start && matches!(self.kernel.def(value), ValueDef::Param(..));
        region.blocks.contains(&home) && !is_own_param
    }

    /// What a way out of a region hands to a value that the region behind it needs.
    pub(super) fn handed(&self, edge: &Edge, value: Value) -> Value {
        let (End::Region(start), Some(target)) = (edge.end, edge.target) else {
            unreachable!("nothing is needed behind the end");
        };
        match self.kernel.def(value) {
            ValueDef::Param(block, at) if block == start => {
                self.kernel.successors(edge.from)[target].args[at as usize]
            }
            ValueDef::Param(..) | ValueDef::Result(..) => value,
        }
    }

    fn spread_liveness(&mut self) -> bool {
        let mut changed = false;
        for at in (0..self.all.len()).rev() {
            let region = &self.all[at];
            let mut needed: BTreeSet<Value> = BTreeSet::new();
            for value in self.used(region) {
                if !self.defines(region, value) {
                    self.keep(value, &mut needed);
                }
            }
            changed |= needed != region.live;
            self.all[at].live = needed;
        }
        changed
    }

    /// What the instructions of a region use, and what it hands on.
    fn used(&self, region: &Region) -> Vec<Value> {
        let mut used = Vec::new();
        for &block in &region.blocks {
            for &inst in &self.kernel.block(block).insts {
                let data = self.kernel.inst(inst);
                match data {
                    InstData::Jump(_) => {}
                    InstData::Branch { cond, .. } => used.push(*cond),
                    other => used.extend(other.operands()),
                }
                for (at, target) in data.targets().iter().enumerate() {
                    let leaves = |edge: &&Edge| edge.from == block && edge.target == Some(at);
                    match region.edges.iter().find(leaves) {
                        None => used.extend(&target.args),
                        Some(edge) => {
                            let live = self.get(target.block).live.iter();
                            used.extend(live.map(|&value| self.handed(edge, value)));
                        }
                    }
                }
            }
        }
        used
    }

    /// Adds what has to be kept so that a value can be had later.
    fn keep(&self, value: Value, kept: &mut BTreeSet<Value>) {
        match self.origin(value) {
            Origin::Leaf => {}
            Origin::Group | Origin::Kept => drop(kept.insert(value)),
            Origin::Again => {
                let data = self.kernel.def_inst(value).expect("it is computed");
                let operands = data.operands().into_iter();
                operands.for_each(|operand| self.keep(operand, kept));
            }
        }
    }

    /// Whether a value is a constant, an argument, an address or an id.
    fn is_leaf(&self, value: Value) -> bool {
        let data = self.kernel.def_inst(value);
        data.is_some_and(is_leaf)
    }

    /// How a value that comes from before a region is had in it.
    pub(super) fn origin(&self, value: Value) -> Origin {
        match self.kernel.def_inst(value) {
            Some(data) if is_leaf(data) => Origin::Leaf,
            _ if !self.divergence.varies(value) => Origin::Group,
            // Addresses have to be seen to belong to their objects, and what is extended is shorter before.
            Some(
                InstData::PtrAdd { .. }
                | InstData::Cast {
                    op: CastOp::Zext | CastOp::Sext,
                    ..
                },
            ) => Origin::Again,
            _ if self.is_cheap(value, DEEPEST) => Origin::Again,
            _ => Origin::Kept,
        }
    }

    /// Whether a value takes a few simple operations from ids and what is the same for the group.
    fn is_cheap(&self, value: Value, depth: u32) -> bool {
        let Some(data) = self.kernel.def_inst(value) else {
            return false;
        };
        let is_simple = match data {
            InstData::Binary { op, .. } => matches!(
                op,
                BinaryOp::Add
                    | BinaryOp::Sub
                    | BinaryOp::Mul
                    | BinaryOp::And
                    | BinaryOp::Or
                    | BinaryOp::Xor
                    | BinaryOp::Shl
                    | BinaryOp::LShr
                    | BinaryOp::AShr
            ),
            InstData::Cast { op, .. } => {
                matches!(op, CastOp::Zext | CastOp::Sext | CastOp::Trunc)
            }
            InstData::Compare { .. } | InstData::Select { .. } | InstData::PtrAdd { .. } => true,
            _ => false,
        };
        let is_there = |&operand: &Value| {
            self.is_leaf(operand)
                || !self.divergence.varies(operand)
                || (depth > 0 && self.is_cheap(operand, depth - 1))
        };
        is_simple && data.operands().iter().all(is_there)
    }
}

/// Whether an instruction gives a constant, an argument, an address or an id.
pub(super) fn is_leaf(data: &InstData) -> bool {
    matches!(
        data,
        InstData::Const(_) | InstData::Arg { .. } | InstData::Addr(_) | InstData::Query { .. }
    )
}

/// How a value that comes from before a region is had in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Origin {
    /// A constant, an argument, an address or an id: it is there everywhere.
    Leaf,
    /// The same for all work-items of the group: it comes as a value.
    Group,
    /// It is computed again.
    Again,
    /// Each work-item has kept it.
    Kept,
}

impl Region {
    fn of(kernel: &Kernel, cfg: &Cfg, starts: &BTreeSet<Block>, start: Block) -> Region {
        let mut inside = BTreeSet::from([start]);
        let mut open = vec![start];
        while let Some(block) = open.pop() {
            for target in kernel.successors(block) {
                if !starts.contains(&target.block) && inside.insert(target.block) {
                    open.push(target.block);
                }
            }
        }
        let order = cfg.reverse_postorder().iter().copied();
        let blocks: Vec<Block> = order.filter(|block| inside.contains(block)).collect();
        let mut edges = Vec::new();
        for &from in &blocks {
            let targets = kernel.successors(from);
            if targets.is_empty() {
                edges.push(Edge {
                    from,
                    target: None,
                    end: End::Return,
                });
            }
            for (at, target) in targets.iter().enumerate() {
                if starts.contains(&target.block) {
                    edges.push(Edge {
                        from,
                        target: Some(at),
                        end: End::Region(target.block),
                    });
                }
            }
        }
        Region {
            start,
            blocks,
            edges,
            live: BTreeSet::new(),
        }
    }
}

/// Where regions begin.
fn starts(
    kernel: &Kernel,
    cfg: &Cfg,
    divergence: &Divergence,
    behind_barriers: &BTreeSet<Block>,
) -> BTreeSet<Block> {
    let mut starts = BTreeSet::from([kernel.entry()]);
    starts.extend(behind_barriers);
    let loops = Loops::of(kernel, cfg, &Dominators::of(kernel, cfg));
    for (_, data) in loops.iter() {
        if data.blocks.iter().any(|it| behind_barriers.contains(it)) {
            starts.insert(data.header);
            starts.extend(data.exits.iter().map(|exit| exit.to));
        }
    }
    let joins = cfg.reverse_postorder().iter();
    starts.extend(joins.filter_map(|&block| divergence.join_behind_barrier(kernel, block)));
    starts
}
