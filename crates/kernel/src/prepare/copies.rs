//! Which small buffers are copied to the chip at the start of a launch.
//!
//! A copy has a port for each load, so that these do not take turns as at a cache. It needs to know how large the buffer
//! is: from the plan, or from the launch that the circuit is made for. By the rules, a buffer is copied if several loads
//! of a token would take turns at its cache, if it is read often enough for the time that the copy takes, and if the copy
//! is not larger than the cache.

use std::collections::BTreeMap;

use sluice_circuit::access::Access;
use sluice_circuit::cost::Cost;
use sluice_circuit::target::Target;
use sluice_circuit::unit::UnitKind;
use sluice_circuit::units::arbiter::{Arbiter, Flush};
use sluice_circuit::units::cache::{Cache, Mode};
use sluice_circuit::units::copy::BufferCopy;

use super::AliasSet;
use super::memory_units::{AccessFacts, Chosen};
use super::reason::Reason;
use crate::ir::{Block, Inst, Kernel, Object, ObjectKind};
use crate::plan::{BufferSize, KernelPlan, MemoryUnit};

/// The buffer that a set consists of, and its parameter.
fn buffer(kernel: &Kernel, set: &AliasSet) -> Option<(Object, u32)> {
    let [object] = set.objects[..] else {
        return None;
    };
    match kernel.objects[object].kind {
        ObjectKind::Buffer { param, .. } => Some((object, param)),
        _ => None,
    }
}

/// The buffer that a set consists of, and its bytes at most, where it may be copied.
pub(crate) fn copied(kernel: &Kernel, set: &AliasSet, plan: &KernelPlan) -> Option<(Object, u32)> {
    let (object, _) = buffer(kernel, set)?;
    Some((object, size(kernel, set, plan)?.bytes))
}

/// What is known of the size of the buffer that a set consists of.
fn size(kernel: &Kernel, set: &AliasSet, plan: &KernelPlan) -> Option<BufferSize> {
    let (_, param) = buffer(kernel, set)?;
    plan.buffer_sizes.get(&param).copied()
}

/// What the plan's entry of a buffer asks for.
pub(super) fn entry(kernel: &Kernel, set: &AliasSet, plan: &KernelPlan) -> Option<MemoryUnit> {
    let (object, _) = buffer(kernel, set)?;
    let entry = plan.objects.get(&kernel.objects[object].name)?;
    entry.memory
}

/// Why a set cannot be copied.
pub(super) fn why_not(kernel: &Kernel, set: &AliasSet, plan: &KernelPlan) -> Option<Reason> {
    match () {
        () if set.is_atomic() => Some(Reason::Atomic),
        () if set.is_volatile => Some(Reason::Volatile),
        () if set.is_coherent => Some(Reason::SharedWithKernels),
        () if set.writes => Some(Reason::Written),
        () if buffer(kernel, set).is_none() => Some(Reason::NotOneBuffer),
        () if size(kernel, set, plan).is_none() => Some(Reason::UnknownSize),
        () => None,
    }
}

/// The copy that is needed for a buffer of at most `size` bytes, and its loads in the order of its ports. Of each load
/// the place is known, if it is always the same: it has that word in a register, and up to `waiting` answers wait there.
pub(crate) fn unit(
    access: Access,
    size: u32,
    line: u32,
    places: &[Option<u64>],
    waiting: u32,
) -> (BufferCopy, Vec<usize>) {
    let bytes = size.max(2 * line);
    let word = |at: &usize| {
        let place = places[*at].filter(|&place| place < bytes.into());
        place.map(|place| place as u32 / access.bytes)
    };
    let (fixed, anywhere): (Vec<usize>, Vec<usize>) =
        (0..places.len()).partition(|at| word(at).is_some());
    let unit = BufferCopy {
        access,
        line,
        bytes,
        piece: BufferCopy::piece(access.bytes, line, bytes, anywhere.len() as u32),
        readers: anywhere.len() as u32,
        words: fixed.iter().filter_map(word).collect(),
        waiting: waiting.max(2),
    };
    (unit, anywhere.into_iter().chain(fixed).collect())
}

/// What units take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CopyCost {
    pub(crate) target: Target,
    /// Bytes of a line.
    pub(crate) line: u32,
    pub(crate) address_bits: u32,
}

impl CopyCost {
    fn cost(&self, unit: &dyn UnitKind) -> Cost {
        unit.cost(self.target.family)
    }

    /// Whether a copy takes no more logic and block memories than the cache of as many loads.
    fn is_no_larger(&self, copy: &BufferCopy, set: &AliasSet) -> bool {
        let readers = copy.readers + copy.words.len() as u32;
        let outstanding = set.figures.latency;
        let cache = Cache {
            lines: (set.figures.cache_bytes / copy.line).max(2),
            line: copy.line,
            access: copy.access,
            outstanding,
            mode: Mode::ReadOnly,
        };
        let arbiter = Arbiter {
            readers,
            writers: 0,
            access: copy.access,
            outstanding,
            flush: Flush::Passed,
        };
        let copy = self.cost(copy);
        let mut cache = self.cost(&cache);
        cache += self.cost(&arbiter);
        copy.logic <= cache.logic && copy.block_memories <= cache.block_memories
    }
}

/// Whether a copy of a set pays.
pub(super) struct Pays<'a> {
    pub(super) kernel: &'a Kernel,
    pub(super) set: &'a AliasSet,
    pub(super) facts: &'a AccessFacts,
    pub(super) plan: &'a KernelPlan,
    pub(super) costs: &'a CopyCost,
}

impl Pays<'_> {
    /// Why it does, instead of what was chosen by the rules; nothing if it does not, or something else was asked for.
    pub(super) fn reason(&self, chosen: &[(Inst, Chosen)]) -> Option<Reason> {
        let size = size(self.kernel, self.set, self.plan)?;
        let is_legal = why_not(self.kernel, self.set, self.plan).is_none();
        let is_free = chosen.iter().all(|(_, it)| it.is_by_rule());
        if !is_legal || !is_free {
            return None;
        }
        let turns = self.turns(chosen);
        let places = chosen.iter().map(|(inst, _)| self.facts.place(*inst));
        let places: Vec<Option<u64>> = places.collect();
        let access = Access {
            bytes: self.set.bytes,
            address_bits: self.costs.address_bits,
        };
        let line = self.costs.line.max(access.bytes);
        let (copy, _) = unit(access, size.bytes, line, &places, self.set.figures.latency);
        // Words in registers are there as soon as their line.
        let is_soon_there = copy.readers == 0 || size.is_read_often;
        let pays = turns > 1 && is_soon_there && self.costs.is_no_larger(&copy, self.set);
        pays.then_some(Reason::TakesTurns {
            loads: turns,
            bytes: size.bytes,
        })
    }

    /// Requests that a token makes one after the other at the cache, in the block with most of them.
    fn turns(&self, chosen: &[(Inst, Chosen)]) -> u32 {
        let mut turns: BTreeMap<Block, u64> = BTreeMap::new();
        let cached: BTreeMap<Inst, &Chosen> = chosen
            .iter()
            .filter(|(_, it)| it.is_cached())
            .map(|(inst, it)| (*inst, it))
            .collect();
        for (block, inst) in self.kernel.insts() {
            if cached.contains_key(&inst) {
                *turns.entry(block).or_default() += self.facts.requests(inst);
            }
        }
        turns.into_values().max().unwrap_or(0) as u32
    }
}
