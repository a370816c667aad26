//! Dead code: whatever has no influence on what the kernel leaves behind is dropped, including
//! values that only feed themselves around a loop and stores to private memory that is never read.
//! The reader and the other passes leave such code behind freely because this pass finds it.

use cranelift_entity::{EntitySet, SecondaryMap};

use crate::ir::{
    AccessEffect, AccessKind, Effect, Inst, InstData, Kernel, Object, ObjectKind, Value, ValueDef,
};

use super::{Changed, drop_unreachable, retain_params};

/// Drops unreachable blocks, instructions without effect or use, and unused block parameters.
pub fn remove_dead_code(kernel: &mut Kernel) -> Changed {
    let mut changed = drop_unreachable(kernel);
    let live = Live::of(kernel);
    changed |= retain_params(kernel, |param| live.values.contains(param));
    changed |= drop_insts(kernel, &live);
    changed
}

/// What has an influence. Everything starts as dead; effects are alive, and so is what a live
/// instruction reads. What waits for a reason to live never gets one from another dead thing, so
/// cycles of dead code stay dead.
struct Live {
    values: EntitySet<Value>,
    insts: EntitySet<Inst>,
}

struct Marking<'k> {
    kernel: &'k Kernel,
    live: Live,
    work: Vec<Value>,
    /// The values that reach a block parameter.
    incoming: SecondaryMap<Value, Vec<Value>>,
    /// Stores that matter as soon as one of their objects is read.
    stores: SecondaryMap<Object, Vec<Inst>>,
}

impl Live {
    fn of(kernel: &Kernel) -> Live {
        let mut marking = Marking {
            kernel,
            live: Live {
                values: EntitySet::new(),
                insts: EntitySet::new(),
            },
            work: Vec::new(),
            incoming: SecondaryMap::new(),
            stores: SecondaryMap::new(),
        };
        // Waiting stores first: what is read at once must find them.
        let (stores, others): (Vec<Inst>, Vec<Inst>) =
            kernel.insts().map(|(_, inst)| inst).partition(|&inst| {
                let access = kernel.inst(inst).access_effect();
                access.is_some_and(|access| access.kind == AccessKind::Write)
            });
        for inst in stores.into_iter().chain(others) {
            marking.start(inst);
        }
        while let Some(value) = marking.work.pop() {
            marking.visit(value);
        }
        marking.live
    }
}

impl Marking<'_> {
    /// Marks an instruction with effects; notes what may get alive later.
    fn start(&mut self, inst: Inst) {
        let data = self.kernel.inst(inst);
        match data.effect() {
            Effect::Pure => {}
            Effect::Access(access) if access.is_removable() => {}
            Effect::Access(access) => {
                if !self.waits_for_reader(access) {
                    return self.mark_inst(inst);
                }
                for object in access.objects.iter() {
                    self.stores[object].push(inst);
                }
            }
            Effect::Fence(_) | Effect::Barrier(_) | Effect::Print => self.mark_inst(inst),
            Effect::Control => {
                self.live.insts.insert(inst);
                if let InstData::Branch { cond, .. } = *data {
                    self.mark(cond);
                }
                for target in data.targets() {
                    let params = &self.kernel.block(target.block).params;
                    for (&param, &arg) in params.iter().zip(&target.args) {
                        self.incoming[param].push(arg);
                    }
                }
            }
        }
    }

    /// Whether an access only writes memory that no other work-item sees: it matters once one of
    /// its objects is read.
    fn waits_for_reader(&self, access: AccessEffect<'_>) -> bool {
        let is_private =
            |object| matches!(self.kernel.objects[object].kind, ObjectKind::Private { .. });
        access.kind == AccessKind::Write
            && !access.is_volatile
            && !access.objects.is_empty()
            && access.objects.iter().all(is_private)
    }

    fn mark(&mut self, value: Value) {
        if self.live.values.insert(value) {
            self.work.push(value);
        }
    }

    fn mark_inst(&mut self, inst: Inst) {
        if !self.live.insts.insert(inst) {
            return;
        }
        let data = self.kernel.inst(inst);
        for operand in data.operands() {
            self.mark(operand);
        }
        let read = data.access_effect().filter(AccessEffect::reads);
        for object in read.into_iter().flat_map(|read| read.objects.iter()) {
            for store in std::mem::take(&mut self.stores[object]) {
                self.mark_inst(store);
            }
        }
    }

    fn visit(&mut self, value: Value) {
        match self.kernel.def(value) {
            ValueDef::Result(inst, _) => self.mark_inst(inst),
            ValueDef::Param(..) => {
                for arg in std::mem::take(&mut self.incoming[value]) {
                    self.mark(arg);
                }
            }
        }
    }
}

fn drop_insts(kernel: &mut Kernel, live: &Live) -> Changed {
    let before = kernel.num_insts();
    for block in kernel.layout().to_vec() {
        let insts = &mut kernel.block_mut(block).insts;
        insts.retain(|&inst| live.insts.contains(inst));
    }
    Changed::from(kernel.num_insts() != before)
}
