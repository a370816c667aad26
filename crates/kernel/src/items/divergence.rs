//! Which values may differ between the work-items of a group, and which branches all of them take alike.

use std::collections::BTreeSet;

use cranelift_entity::EntitySet;

use crate::analysis::Cfg;
use crate::ir::{Block, InstData, Kernel, Object, ObjectKind, ObjectSet, Query, Value};

/// What may differ between the work-items of a group.
pub(super) struct Divergence {
    varying: EntitySet<Value>,
    postdominators: Postdominators,
    /// Blocks that begin behind a barrier.
    behind_barriers: BTreeSet<Block>,
    /// Objects that the kernel writes.
    written: ObjectSet,
}

impl Divergence {
    /// What differs in a kernel whose barriers stand before these blocks.
    pub(super) fn of(kernel: &Kernel, cfg: &Cfg, behind_barriers: &BTreeSet<Block>) -> Divergence {
        let effects = kernel
            .insts()
            .filter_map(|(_, inst)| kernel.inst(inst).access_effect());
        let writes = effects.filter(|it| it.writes());
        let mut divergence = Divergence {
            varying: EntitySet::new(),
            postdominators: Postdominators::of(kernel, cfg),
            behind_barriers: behind_barriers.clone(),
            written: writes.flat_map(|it| it.objects.iter()).collect(),
        };
        while divergence.spread(kernel, cfg) {}
        divergence
    }

    /// Whether work-items of a group may have different values.
    pub(super) fn varies(&self, value: Value) -> bool {
        self.varying.contains(value)
    }

    /// The block where all ways from a branch meet, if there is a barrier on one of them.
    pub(super) fn join_behind_barrier(&self, kernel: &Kernel, branch: Block) -> Option<Block> {
        let between = self.between(kernel, branch);
        match between.is_disjoint(&self.behind_barriers) {
            true => None,
            false => self.postdominators.nearest(branch),
        }
    }

    fn spread(&mut self, kernel: &Kernel, cfg: &Cfg) -> bool {
        let mut changed = false;
        for &block in cfg.reverse_postorder() {
            for &inst in &kernel.block(block).insts {
                let data = kernel.inst(inst);
                if self.is_varying(kernel, data) {
                    for &result in kernel.results(inst) {
                        changed |= self.varying.insert(result);
                    }
                }
                for target in data.targets() {
                    let params = &kernel.block(target.block).params;
                    for (&param, &arg) in params.iter().zip(&target.args) {
                        changed |= self.varies(arg) && self.varying.insert(param);
                    }
                }
            }
            changed |= self.spread_control(kernel, cfg, block);
        }
        changed
    }

    /// Where work-items part, what they meet with depends on their ways.
    fn spread_control(&mut self, kernel: &Kernel, cfg: &Cfg, branch: Block) -> bool {
        let InstData::Branch { cond, .. } = kernel.inst(kernel.terminator(branch)) else {
            return false;
        };
        if !self.varies(*cond) {
            return false;
        }
        let mut between = self.between(kernel, branch);
        // All work-items of a group come to a barrier, or none does: they cannot part around one.
        if !between.is_disjoint(&self.behind_barriers) {
            return false;
        }
        between.extend(self.postdominators.nearest(branch));
        let mut changed = false;
        for block in between {
            if cfg.predecessors(block).len() > 1 {
                for &param in &kernel.block(block).params {
                    changed |= self.varying.insert(param);
                }
            }
        }
        changed
    }

    /// The blocks on the ways from a branch to where all of them meet.
    fn between(&self, kernel: &Kernel, branch: Block) -> BTreeSet<Block> {
        let targets = |block| kernel.successors(block).iter().map(|it| it.block);
        let mut open: Vec<Block> = targets(branch).collect();
        let mut between = BTreeSet::new();
        while let Some(block) = open.pop() {
            let is_join = block != branch && self.postdominators.contains(block, branch);
            if !is_join && between.insert(block) {
                open.extend(targets(block));
            }
        }
        between
    }

    fn is_varying(&self, kernel: &Kernel, data: &InstData) -> bool {
        let is_private =
            |object: Object| matches!(kernel.objects[object].kind, ObjectKind::Private { .. });
        let own = match data {
            InstData::Query { query, .. } => matches!(query, Query::GlobalId | Query::LocalId),
            InstData::Addr(object) => is_private(*object),
            InstData::Load {
                access, objects, ..
            } => access.volatile || objects.intersects(&self.written),
            InstData::AtomicRmw { .. } | InstData::CmpXchg { .. } => true,
            _ => false,
        };
        own || data.operands().iter().any(|&operand| self.varies(operand))
    }
}

/// Which blocks every way from a block to the end of the kernel goes through.
struct Postdominators {
    order: Vec<Block>,
    /// By number in the order: the numbers of its postdominators, itself included.
    sets: Vec<Vec<bool>>,
    cfg: Cfg,
}

impl Postdominators {
    fn of(kernel: &Kernel, cfg: &Cfg) -> Postdominators {
        let order = cfg.reverse_postorder().to_vec();
        let number = |block: Block| cfg.index(block).expect("it is reachable") as usize;
        let own = |at: usize| (0..order.len()).map(|it| it == at).collect::<Vec<bool>>();
        let is_end = |block: Block| kernel.successors(block).is_empty();
        let first = |(at, &block)| match is_end(block) {
            true => own(at),
            false => vec![true; order.len()],
        };
        let mut sets: Vec<Vec<bool>> = order.iter().enumerate().map(first).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for (at, &block) in order.iter().enumerate().rev() {
                let targets = kernel.successors(block).iter();
                let targets: Vec<usize> = targets.map(|it| number(it.block)).collect();
                if targets.is_empty() {
                    continue;
                }
                let all = |of: usize| of == at || targets.iter().all(|&target| sets[target][of]);
                let new: Vec<bool> = (0..order.len()).map(all).collect();
                changed |= new != sets[at];
                sets[at] = new;
            }
        }
        Postdominators {
            order,
            sets,
            cfg: cfg.clone(),
        }
    }

    fn number(&self, block: Block) -> usize {
        self.cfg.index(block).expect("it is reachable") as usize
    }

    fn contains(&self, postdominator: Block, block: Block) -> bool {
        self.sets[self.number(block)][self.number(postdominator)]
    }

    /// The first block behind a block that all ways from it go through.
    fn nearest(&self, block: Block) -> Option<Block> {
        let own = self.number(block);
        let all = (0..self.order.len()).filter(|&it| it != own && self.sets[own][it]);
        // It has all the others behind it.
        let count = |&it: &usize| self.sets[it].iter().filter(|&&is| is).count();
        all.max_by_key(count).map(|it| self.order[it])
    }
}
