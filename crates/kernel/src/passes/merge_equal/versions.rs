//! Versions of memory objects: a name for what an object holds, the same at two places only if
//! nothing can have changed the object in between.
//!
//! Versions are to objects what SSA values are to variables: each write makes a new one, and where
//! paths with different versions meet, the block itself names the mixture. An object that the
//! kernel never writes has one version throughout.
//!
//! Other work-items may change local and global memory. In a program without races what they write
//! is seen only after a barrier, a fence, or an atomic or volatile access by which this work-item
//! has waited for them: each of these makes new versions of all local and global objects.
//!
//! A launch may pass one buffer for several parameters that are not `restrict`: these have one
//! version together.

use cranelift_entity::{PrimaryMap, SecondaryMap};
use smallvec::SmallVec;

use crate::analysis::Cfg;
use crate::ir::{
    AccessEffect, Block, Effect, Inst, InstData, Kernel, Object, ObjectData, ObjectKind, ObjectSet,
    Space,
};

/// How often a block's versions may change before those that still do count as the block's own.
const MOST_CHANGES: u32 = 8;

/// A version of a memory object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Version {
    /// What the object held when the work-item began.
    Initial,
    /// What this instruction left behind.
    After(Inst),
    /// What there is at the start of this block, whichever way control came.
    At(Block),
}

/// The versions at the starts of all blocks, and at a place between instructions.
pub(super) struct Versions {
    /// The objects that the kernel writes, one for those that may be the same; all others keep their
    /// initial version.
    written: Vec<Object>,
    slot: SecondaryMap<Object, Option<u32>>,
    is_shared: PrimaryMap<Object, bool>,
    at_start: SecondaryMap<Block, Vec<Option<Version>>>,
    now: Vec<Option<Version>>,
}

impl Versions {
    pub(super) fn of(kernel: &Kernel, cfg: &Cfg) -> Versions {
        let same = maybe_same(kernel);
        let mut written = written_objects(kernel);
        let first = written.iter().copied().find(|object| same.contains(object));
        written.retain(|object| !same.contains(object) || Some(*object) == first);
        let mut slot = SecondaryMap::new();
        for (at, &object) in written.iter().enumerate() {
            slot[object] = Some(at as u32);
        }
        if let Some(first) = first {
            let shared = slot[first];
            same.iter().for_each(|&object| slot[object] = shared);
        }
        let spaces = kernel.objects.values().map(|object| object.space());
        let shared = spaces.map(|space| matches!(space, Space::Local | Space::Global));
        let mut versions = Versions {
            now: vec![None; written.len()],
            written,
            slot,
            is_shared: shared.collect(),
            at_start: SecondaryMap::new(),
        };
        if !versions.written.is_empty() {
            versions.solve(kernel, cfg);
        }
        versions
    }

    /// Goes to the start of a block.
    pub(super) fn enter(&mut self, block: Block) {
        self.now.clone_from(&self.at_start[block]);
    }

    /// Goes over an instruction.
    pub(super) fn pass(&mut self, data: &InstData, inst: Inst) {
        if self.written.is_empty() {
            return;
        }
        match data.effect() {
            Effect::Access(access) => {
                if access.writes() {
                    self.write(access.objects, inst);
                }
                if access.synchronises() {
                    self.synchronise(inst);
                }
            }
            Effect::Fence(_) | Effect::Barrier(_) => self.synchronise(inst),
            Effect::Pure | Effect::Print | Effect::Control => {}
        }
    }

    /// The present versions of some objects.
    pub(super) fn of_objects(&self, objects: &ObjectSet) -> SmallVec<[Version; 2]> {
        let version = |object| match self.slot[object] {
            Some(slot) => self.now[slot as usize].expect("reachable blocks have versions"),
            None => Version::Initial,
        };
        objects.iter().map(version).collect()
    }

    fn write(&mut self, objects: &ObjectSet, inst: Inst) {
        for object in objects.iter() {
            let slot = self.slot[object].expect("written objects have slots");
            self.now[slot as usize] = Some(Version::After(inst));
        }
    }

    fn synchronise(&mut self, inst: Inst) {
        for (at, &object) in self.written.iter().enumerate() {
            if self.is_shared[object] {
                self.now[at] = Some(Version::After(inst));
            }
        }
    }

    /// Carries versions along all edges until nothing changes.
    fn solve(&mut self, kernel: &Kernel, cfg: &Cfg) {
        let count = self.written.len();
        let mut at_end: SecondaryMap<Block, Vec<Option<Version>>> =
            SecondaryMap::with_default(vec![None; count]);
        let mut changes: SecondaryMap<Block, u32> = SecondaryMap::new();
        let mut changed = true;
        while changed {
            changed = false;
            for &block in cfg.reverse_postorder() {
                let mut start = self.meet(kernel, cfg, block, &at_end);
                let own = Some(Version::At(block));
                for (new, old) in start.iter_mut().zip(&self.at_start[block]) {
                    if *old == own || (changes[block] > MOST_CHANGES && *old != *new) {
                        *new = own;
                    }
                }
                if self.at_start[block] == start {
                    continue;
                }
                changed = true;
                changes[block] += 1;
                self.at_start[block].clone_from(&start);
                self.now = start;
                for &inst in &kernel.block(block).insts {
                    self.pass(kernel.inst(inst), inst);
                }
                at_end[block].clone_from(&self.now);
            }
        }
    }

    /// What the predecessors leave, as far as they are known yet.
    fn meet(
        &self,
        kernel: &Kernel,
        cfg: &Cfg,
        block: Block,
        at_end: &SecondaryMap<Block, Vec<Option<Version>>>,
    ) -> Vec<Option<Version>> {
        if block == kernel.entry() {
            return vec![Some(Version::Initial); self.written.len()];
        }
        let mut met = vec![None; self.written.len()];
        for &from in cfg.predecessors(block) {
            for (met, end) in met.iter_mut().zip(&at_end[from]) {
                *met = match (*met, *end) {
                    (None, other) | (other, None) => other,
                    (Some(a), Some(b)) if a == b => Some(a),
                    (Some(_), Some(_)) => Some(Version::At(block)),
                };
            }
        }
        met
    }
}

/// Buffers that may be one and the same.
fn maybe_same(kernel: &Kernel) -> Vec<Object> {
    let is_one = |data: &ObjectData| match data.kind {
        ObjectKind::Buffer {
            param,
            space: Space::Global,
        } => !kernel.params[param as usize].qualifiers.is_restrict,
        ObjectKind::Buffer { .. }
        | ObjectKind::LocalArg { .. }
        | ObjectKind::StructArg { .. }
        | ObjectKind::Local { .. }
        | ObjectKind::LocalPerItem { .. }
        | ObjectKind::Private { .. }
        | ObjectKind::Table { .. } => false,
    };
    let objects = kernel.objects.iter();
    let same = objects.filter(|(_, data)| is_one(data));
    same.map(|(object, _)| object).collect()
}

fn written_objects(kernel: &Kernel) -> Vec<Object> {
    let mut written: Vec<Object> = Vec::new();
    for (_, inst) in kernel.insts() {
        let access = kernel.inst(inst).access_effect();
        let writes = access.filter(AccessEffect::writes);
        written.extend(writes.into_iter().flat_map(|access| access.objects.iter()));
    }
    written.sort_unstable();
    written.dedup();
    written
}
