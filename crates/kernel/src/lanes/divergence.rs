//! Divergence: which values may differ between the work-items of a token, where these may come together on
//! different ways, and which loops they may leave in different rounds.

use std::collections::{BTreeMap, BTreeSet};

use cranelift_entity::EntitySet;

use super::level::{Level, To};
use crate::analysis::{Cfg, Loop, Loops};
use crate::ir::{Block, Inst, InstData, Kernel, ObjectKind, ObjectSet, Query, Value};

/// The control flow of a kernel, by levels.
pub(super) struct Flow {
    pub(super) cfg: Cfg,
    pub(super) loops: Loops,
    /// The outermost level.
    pub(super) top: Level,
    /// The level of each loop.
    pub(super) of_loop: BTreeMap<Loop, Level>,
    /// Where values are defined.
    homes: BTreeMap<Value, Block>,
}

/// What may differ between the work-items of a token.
pub(super) struct Divergence {
    varying: EntitySet<Value>,
    /// Loops that work-items may leave in different rounds, or by different ways.
    loops: BTreeSet<Loop>,
    /// Blocks that work-items may come to by different ways at once.
    joins: BTreeSet<Block>,
    /// Headers that work-items may come back to by different ways at once.
    back_joins: BTreeSet<Block>,
}

impl Flow {
    pub(super) fn of(kernel: &Kernel, cfg: Cfg, loops: Loops) -> Flow {
        let top = Level::of(kernel, &cfg, &loops, None);
        let of_loop = loops.iter();
        let of_loop = of_loop.map(|(it, _)| (it, Level::of(kernel, &cfg, &loops, Some(it))));
        let of_loop = of_loop.collect();
        let mut homes = BTreeMap::new();
        for (block, inst) in kernel.insts() {
            homes.extend(kernel.results(inst).iter().map(|&value| (value, block)));
        }
        for &block in kernel.layout() {
            homes.extend(kernel.block(block).params.iter().map(|&it| (it, block)));
        }
        Flow {
            cfg,
            loops,
            top,
            of_loop,
            homes,
        }
    }

    /// The block that a value is defined in.
    pub(super) fn home(&self, value: Value) -> Block {
        self.homes[&value]
    }

    fn levels(&self) -> impl Iterator<Item = (Option<Loop>, &Level)> {
        let inner = self.of_loop.iter().map(|(&it, level)| (Some(it), level));
        inner.chain([(None, &self.top)])
    }
}

impl Divergence {
    pub(super) fn of(kernel: &Kernel, flow: &Flow) -> Divergence {
        let mut found = Divergence {
            varying: EntitySet::new(),
            loops: BTreeSet::new(),
            joins: BTreeSet::new(),
            back_joins: BTreeSet::new(),
        };
        // Everything only grows.
        while found.spread_values(kernel, flow) | found.spread_control(kernel, flow) {}
        found
    }

    /// Whether a value may differ between the work-items of a token, in the loops that it is computed in.
    pub(super) fn is_varying(&self, value: Value) -> bool {
        self.varying.contains(value)
    }

    /// Whether work-items may leave a loop in different rounds, or by different ways.
    pub(super) fn is_divergent(&self, loop_: Loop) -> bool {
        self.loops.contains(&loop_)
    }

    /// Whether a value may differ where a block uses it: behind a loop that work-items leave in different
    /// rounds, each has its own.
    pub(super) fn varies_at(&self, flow: &Flow, value: Value, at: Block) -> bool {
        if self.varying.contains(value) {
            return true;
        }
        let mut around = flow.loops.innermost(flow.home(value));
        while let Some(loop_) = around {
            if flow.loops.contains(loop_, at) {
                return false;
            }
            if self.loops.contains(&loop_) {
                return true;
            }
            around = flow.loops.get(loop_).parent;
        }
        false
    }

    fn spread_values(&mut self, kernel: &Kernel, flow: &Flow) -> bool {
        let mut changed = false;
        for &block in flow.cfg.reverse_postorder() {
            changed |= self.spread_params(kernel, flow, block);
            for &inst in &kernel.block(block).insts {
                if self.is_inst_varying(kernel, flow, block, inst) {
                    let results = kernel.results(inst).iter();
                    changed |= results.fold(false, |any, &it| self.varying.insert(it) | any);
                }
            }
        }
        changed
    }

    fn spread_params(&mut self, kernel: &Kernel, flow: &Flow, block: Block) -> bool {
        let mut changed = false;
        let own = flow.loops.innermost(block);
        let own = own.filter(|&it| flow.loops.get(it).header == block);
        for (at, &param) in kernel.block(block).params.iter().enumerate() {
            if self.varying.contains(param) {
                continue;
            }
            let (mut forward, mut back) = (BTreeSet::new(), BTreeSet::new());
            for &from in flow.cfg.predecessors(block) {
                let targets = kernel.successors(from).iter();
                let args = targets.filter(|it| it.block == block).map(|it| it.args[at]);
                match own.is_some_and(|own| flow.loops.contains(own, from)) {
                    true => back.extend(args),
                    false => forward.extend(args),
                }
            }
            let mut args = forward.iter().chain(&back);
            if args.any(|&arg| self.varies_at(flow, arg, block))
                || (forward.len() > 1 && self.joins.contains(&block))
                || (back.len() > 1 && self.back_joins.contains(&block))
            {
                changed |= self.varying.insert(param);
            }
        }
        changed
    }

    fn is_inst_varying(&self, kernel: &Kernel, flow: &Flow, block: Block, inst: Inst) -> bool {
        let data = kernel.inst(inst);
        let own = match data {
            InstData::Query { query, dim } => {
                matches!(query, Query::GlobalId | Query::LocalId) && *dim == 0
            }
            InstData::Addr(object) => {
                matches!(kernel.objects[*object].kind, ObjectKind::Private { .. })
            }
            InstData::Load {
                access, objects, ..
            } => access.volatile || has_private(kernel, objects),
            InstData::AtomicRmw { .. } | InstData::CmpXchg { .. } => true,
            _ => false,
        };
        let mut operands = data.operands().into_iter();
        own || operands.any(|operand| self.varies_at(flow, operand, block))
    }

    /// Whether the way that a block takes may differ.
    fn is_branch_divergent(&self, kernel: &Kernel, flow: &Flow, block: Block) -> bool {
        match kernel.inst(kernel.terminator(block)) {
            InstData::Branch { cond, .. } => self.varies_at(flow, *cond, block),
            _ => false,
        }
    }

    fn spread_control(&mut self, kernel: &Kernel, flow: &Flow) -> bool {
        let before = (self.loops.len(), self.joins.len(), self.back_joins.len());
        for (own, level) in flow.levels() {
            for (at, node) in level.nodes.iter().enumerate() {
                let parts = match node.inner {
                    None => self.is_branch_divergent(kernel, flow, node.block),
                    Some(inner) => self.loops.contains(&inner),
                };
                if parts {
                    self.spread_from(flow, own, level, at);
                }
            }
        }
        before != (self.loops.len(), self.joins.len(), self.back_joins.len())
    }

    /// Follows the ways from a node where work-items part, until they meet.
    fn spread_from(&mut self, flow: &Flow, own: Option<Loop>, level: &Level, start: usize) {
        // A way is named by the edge that it began with, or by the node where work-items last met.
        let mut labels: Vec<Option<usize>> = vec![None; level.nodes.len()];
        let (mut back, mut out) = (BTreeSet::new(), BTreeSet::new());
        let first = level.nodes.len();
        for (at, node) in level.nodes.iter().enumerate().skip(start) {
            for (number, edge) in node.edges.iter().enumerate() {
                let label = match labels[at] {
                    _ if at == start => first + number,
                    Some(label) => label,
                    None => continue,
                };
                match edge.to {
                    To::Back => drop(back.insert(label)),
                    To::Out => drop(out.insert(label)),
                    To::Node(to) => match labels[to] {
                        Some(other) if other != label => {
                            self.joins.insert(level.nodes[to].block);
                            labels[to] = Some(to);
                        }
                        _ => labels[to] = Some(label),
                    },
                }
            }
        }
        let Some(own) = own else { return };
        if back.len() > 1 {
            self.back_joins.insert(flow.loops.get(own).header);
        }
        if !out.is_empty() && back.union(&out).count() > 1 {
            self.loops.insert(own);
        }
    }
}

/// Whether a set has an object that each work-item has a copy of.
pub(super) fn has_private(kernel: &Kernel, objects: &ObjectSet) -> bool {
    let mut objects = objects.iter();
    objects.any(|object| matches!(kernel.objects[object].kind, ObjectKind::Private { .. }))
}
