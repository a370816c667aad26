//! The accesses of a loop of one block, and how they are related.

use crate::analysis::Loop;
use crate::analysis::access::{Accesses, Stride};
use crate::analysis::dependence::{Buffers, Distance, MemoryDependence};
use crate::ir::{Block, Inst, InstData, Kernel, ObjectKind, Value};

/// What is known of the accesses of a loop.
pub(super) struct LoopAccesses<'k> {
    kernel: &'k Kernel,
    /// In order.
    pub(super) insts: Vec<Inst>,
    all: Accesses,
    loop_: Loop,
    block: Block,
    /// Those that were asked for.
    dependences: Vec<MemoryDependence>,
}

impl<'k> LoopAccesses<'k> {
    /// Of the loop that consists of a block.
    pub(super) fn of(kernel: &'k Kernel, block: Block) -> LoopAccesses<'k> {
        let insts = kernel.block(block).insts.iter().copied();
        let insts = insts
            .filter(|&inst| kernel.inst(inst).access_effect().is_some())
            .collect();
        let all = Accesses::of(kernel);
        let loop_ = all.loops().innermost(block).expect("the block is a loop");
        LoopAccesses {
            kernel,
            insts,
            loop_,
            all,
            block,
            dependences: Vec::new(),
        }
    }

    /// The order of two accesses.
    pub(super) fn is_before(&self, first: Inst, second: Inst) -> bool {
        let position = |inst| self.insts.iter().position(|&it| it == inst);
        position(first) < position(second)
    }

    /// The bytes from an access to itself in the next iteration, if they are always the same.
    pub(super) fn stride(&self, inst: Inst) -> Option<i64> {
        let strides = &self.all.get(inst)?.loop_strides;
        let (_, stride) = strides.iter().find(|(loop_, _)| *loop_ == self.loop_)?;
        stride.as_ref().and_then(Stride::constant)
    }

    /// The bytes from an access to another one of the same iteration, if they are always the same.
    pub(super) fn distance(&self, from: Inst, to: Inst) -> Option<i64> {
        self.all.distance(from, to)?.constant()
    }

    /// Finds the dependences between accesses that are asked for, by source and sink.
    pub(super) fn relate(&mut self, is_asked: impl Fn(Inst, Inst) -> bool) {
        // Where buffers may be the same, accesses name all of them.
        let buffers = Buffers::Distinct;
        let all = || self.insts.iter().copied();
        let is_any_asked = all().any(|source| all().any(|sink| is_asked(source, sink)));
        if is_any_asked {
            self.dependences =
                MemoryDependence::between(self.kernel, self.block, buffers, is_asked);
        }
    }

    /// The iterations between an access and another one that may go to the same bytes later,
    /// if that was asked for.
    pub(super) fn dependences(
        &self,
        source: Inst,
        sink: Inst,
    ) -> impl Iterator<Item = Distance> + '_ {
        let memory = self.dependences.iter();
        let between = memory.filter(move |it| it.source == source && it.sink == sink);
        between.map(|it| it.distance)
    }

    /// Whether an access is known to be within its object.
    pub(super) fn is_in_bounds(&self, inst: Inst) -> bool {
        let access = self.all.get(inst).expect("it is an access");
        let size = access
            .objects
            .single()
            .and_then(|it| self.kernel.objects[it].size());
        let (Some(size), Some(range)) = (size, access.range) else {
            return false;
        };
        let last = i128::from(size) - i128::from(access.bytes);
        access.form.is_ok() && range.least >= 0 && range.greatest <= last
    }

    /// Whether other work-items can neither see nor change what the access goes to while the loop runs: the
    /// memory is private, or nothing in the loop orders accesses of different work-items.
    pub(super) fn is_undisturbed(&self, inst: Inst) -> bool {
        let synchronises = |&it: &Inst| {
            let effect = self.kernel.inst(it).access_effect();
            effect.is_some_and(|effect| effect.synchronises())
        };
        let is_private = |object| {
            let kind = &self.kernel.objects[object].kind;
            matches!(kind, ObjectKind::Private { .. })
        };
        let objects = self.kernel.inst(inst).objects().expect("it is an access");
        objects.iter().all(is_private) || !self.insts.iter().any(synchronises)
    }
}

/// A load or store that may be replaced: not volatile.
pub(super) struct Plain {
    pub(super) is_store: bool,
    pub(super) access: crate::ir::Access,
    pub(super) guard: Option<Value>,
}

impl Plain {
    /// The access of an instruction, if it is a load or store that is not volatile.
    pub(super) fn of(kernel: &Kernel, inst: Inst) -> Option<Plain> {
        let (is_store, access, guard) = match *kernel.inst(inst) {
            InstData::Load { access, guard, .. } => (false, access, guard),
            InstData::Store { access, guard, .. } => (true, access, guard),
            _ => return None,
        };
        (!access.volatile).then_some(Plain {
            is_store,
            access,
            guard,
        })
    }

    /// Whether both transfer the same number of values of the same type.
    pub(super) fn is_like(&self, other: &Plain) -> bool {
        (self.access.ty, self.access.lanes) == (other.access.ty, other.access.lanes)
    }
}
