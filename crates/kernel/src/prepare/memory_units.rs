//! Which accesses of external memory have a stream of their own, and which go through a cache.
//!
//! A stream keeps nothing that it has read, and what it writes is seen by nobody until it is in memory. So
//! an access may have one if nobody else is to see what happens in between: loads of what is only read, and
//! the only store of what is only written, in kernels that tell each other nothing.

use std::collections::BTreeMap;
use std::fmt;

use super::{AliasSet, AliasSets, Refusal, Storage};
use crate::analysis::Loops;
use crate::ir::{Inst, InstData, Kernel};
use crate::plan::{KernelPlan, MemoryUnit};

/// The accesses of external memory that have streams.
#[derive(Debug, Default)]
pub(crate) struct MemoryUnits {
    streams: BTreeMap<Inst, Place>,
}

/// Whether an access is in a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    InLoop,
    OutsideOfLoops,
}

impl MemoryUnits {
    /// The choice of the plan, where it is allowed. What an entry asks for and is not allowed is refused.
    /// Without an entry, accesses behind the first `most` have none.
    pub(crate) fn of(
        kernel: &Kernel,
        loops: &Loops,
        sets: &AliasSets,
        plan: &KernelPlan,
        most: usize,
    ) -> Result<MemoryUnits, Refusal> {
        let mut streams = BTreeMap::new();
        for (block, inst) in kernel.insts() {
            let data = kernel.inst(inst);
            let Some(set) = sets.accessed(data).map(|set| &sets.sets[set]) else {
                continue;
            };
            if set.storage != Storage::External {
                continue;
            }
            let asked = plan.access(kernel, inst).and_then(|entry| entry.memory);
            match (asked.unwrap_or(plan.memory), why_not_stream(set, data)) {
                (MemoryUnit::Cache, _) => {}
                (MemoryUnit::Stream, None) if asked.is_none() && streams.len() >= most => {}
                (MemoryUnit::Stream, None) => {
                    let place = match loops.innermost(block) {
                        Some(_) => Place::InLoop,
                        None => Place::OutsideOfLoops,
                    };
                    streams.insert(inst, place);
                }
                (MemoryUnit::Stream, Some(_)) if asked.is_none() => {}
                (MemoryUnit::Stream, Some(reason)) => {
                    return Err(Refusal {
                        what: format!("a stream of `{}`, which {reason},", set.name).into(),
                        line: kernel.loc(inst).line,
                    });
                }
            }
        }
        Ok(MemoryUnits { streams })
    }

    /// Whether an access has a stream of its own.
    pub(crate) fn is_stream(&self, inst: Inst) -> bool {
        self.streams.contains_key(&inst)
    }

    /// Whether what a load has read may wait in its stream until it is taken. A stream holds more of it the
    /// more of it lies in a line: too uncertain for a loop, which admits as many work-items as its units
    /// surely hold.
    pub(crate) fn may_wait(&self, inst: Inst) -> bool {
        self.streams.get(&inst) == Some(&Place::OutsideOfLoops)
    }
}

/// Why an access goes through a cache.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reason {
    Atomic,
    Volatile,
    SharedWithKernels,
    ReadAndWritten,
    SeveralStores,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Atomic => "has atomic operations",
            Reason::Volatile => "is volatile",
            Reason::SharedWithKernels => "kernels share while they run",
            Reason::ReadAndWritten => "is both read and written",
            Reason::SeveralStores => "is written by several stores",
        })
    }
}

fn why_not_stream(set: &AliasSet, data: &InstData) -> Option<Reason> {
    let is_load = matches!(data, InstData::Load { .. });
    match () {
        () if set.is_atomic() => Some(Reason::Atomic),
        () if set.is_volatile => Some(Reason::Volatile),
        () if set.is_coherent => Some(Reason::SharedWithKernels),
        () if set.reads && set.writes => Some(Reason::ReadAndWritten),
        () if !is_load && set.accesses > 1 => Some(Reason::SeveralStores),
        () => None,
    }
}
