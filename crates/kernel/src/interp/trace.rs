//! Traces: what the work-items of a launch execute, for tests of what analyses claim about it.

use crate::ir::{AccessKind, Block, Fences, Inst, Object, Value};

use super::{
    checks::{Observer, Verdict, Watched},
    index_space::IndexSpace,
    lanes::lanes_of,
    program::Program,
    strip::Strip,
};

/// Is shown what the work-items of a launch do, each one's steps in their order.
pub trait Tracer {
    /// A work-item, by its position among all, begins to execute a block.
    fn enter(&mut self, item: u64, block: Block);
    /// An access is about to happen that lies within its object.
    fn access(&mut self, access: &TracedAccess<'_>);
}

/// An access of one work-item.
pub struct TracedAccess<'a> {
    /// The instruction.
    pub inst: Inst,
    /// What it does.
    pub kind: AccessKind,
    /// The object that it goes to.
    pub object: Object,
    /// The offset of the first byte in the object.
    pub offset: u64,
    /// The number of bytes.
    pub bytes: u32,
    /// Position of the work-item among all.
    pub item: u64,
    /// The global id of the work-item.
    pub global_id: [u64; 3],
    /// The local id of the work-item.
    pub local_id: [u64; 3],
    /// The id of its group.
    pub group_id: [u64; 3],
    program: &'a Program,
    strip: &'a Strip,
    lane: usize,
}

impl TracedAccess<'_> {
    /// The bits of a value that the work-item has computed, the last time that it has; none if the
    /// interpreter does not keep it.
    pub fn value(&self, value: Value) -> Option<u64> {
        let slot = self.program.slots[value]?;
        Some(self.strip.get(slot, self.lane))
    }
}

/// Passes on what it observes.
pub(super) struct Traced<'t>(pub &'t mut dyn Tracer);

impl Observer for Traced<'_> {
    const WATCHES: bool = true;

    fn watch(&mut self, program: &Program, space: &IndexSpace, access: Watched<'_>) -> Verdict {
        let [local_id, group_id] = space.local_and_group_id(access.item);
        self.0.access(&TracedAccess {
            inst: access.inst,
            kind: access.kind,
            object: access.object,
            offset: access.offset,
            bytes: access.bytes,
            item: access.item,
            global_id: space.global_id(access.item),
            local_id,
            group_id,
            program,
            strip: access.strip,
            lane: access.lane,
        });
        Ok(())
    }

    fn enter(&mut self, block: Block, strip: &Strip, lanes: u64) {
        for lane in lanes_of(lanes) {
            self.0.enter(strip.first_item + lane as u64, block);
        }
    }

    fn begin_group(&mut self) {}

    fn pass_barrier(&mut self, _: Fences) {}
}
