//! Prepare: from an optimised kernel to one whose circuit is decided.
//!
//! What has no unit is gone, control flow has the form that circuits are built from, every access is in
//! bounds or has a guard, and every object has its place. The steps and their order stand in [`order`];
//! [`lower`](crate::lower) then only translates.

mod alias_sets;
mod assume_aliasing;
pub(crate) mod copies;
mod drop_accesses_without_object;
mod end_at_fences;
mod guard_accesses;
mod homes;
mod launch_params;
mod launch_value;
mod layout;
mod loops;
mod memory_units;
mod narrow_arguments;
pub mod order;
mod pointer_bits;
mod pointers;
mod reason;
mod recompute;
mod refusal;
mod residence;
mod slot_addresses;
mod spaces;
mod traffic;

use std::collections::BTreeMap;

use sluice_circuit::target::Target;

use crate::Kernel;
use crate::analysis::{Cfg, Loops, Ranges};
use crate::dataflow::Dataflow;
use crate::ir::{Inst, Object};
use crate::items::Space;
use crate::plan::{KernelPlan, Plan};
use crate::program::Program;

pub use assume_aliasing::assume_aliasing;
pub use guard_accesses::Guarded;
pub use launch_value::{LaunchValue, Placed};
pub use reason::Reason;
pub use refusal::Refusal;
pub use residence::{GroupLimits, LocalMemory};

pub(crate) use alias_sets::{AliasSet, AliasSets, CacheFigures, Storage, beat};
pub(crate) use end_at_fences::Fences;
pub(crate) use launch_params::LaunchParams;
pub(crate) use layout::{Addresses, Layout, ON_CHIP_LATENCY, Slotted};
pub(crate) use loops::choose;
pub(crate) use loops::{Begins, Cut, CutLoop, State, Way};
pub use loops::{LoopReport, Wait, WhyNot};
pub use memory_units::Chosen;
pub(crate) use memory_units::{AccessFacts, MemoryUnits};
pub(crate) use pointer_bits::PointerBits;
pub(crate) use residence::{Grouped, SIZED_ALIGN, dimensions, group_items};
use traffic::{Bandwidth, Room};

/// Streams of a circuit that no entry of a plan asks for, at most: a memory port serves 64 who read, with
/// the caches.
const MOST_STREAMS: usize = 48;

/// Kernels that [`lower`](crate::lower::lower) makes one circuit of.
#[derive(Debug)]
pub struct Prepared {
    /// What the circuit is called.
    pub(crate) name: String,
    pub(crate) kernels: Vec<PreparedKernel>,
    pub(crate) plan: Plan,
    pub(crate) target: Target,
}

/// A kernel that is prepared, and what was decided for it.
#[derive(Debug)]
pub(crate) struct PreparedKernel {
    pub(crate) kernel: Kernel,
    pub(crate) plan: KernelPlan,
    pub(crate) cfg: Cfg,
    pub(crate) loops: Loops,
    /// What of pointers the circuit has.
    pub(crate) pointers: PointerBits,
    pub(crate) dataflow: Dataflow,
    pub(crate) access_facts: AccessFacts,
    pub(crate) alias_sets: AliasSets,
    pub(crate) memory_units: MemoryUnits,
    pub(crate) layout: Layout,
    pub(crate) params: LaunchParams,
    /// Work-items of a token.
    pub(crate) lanes: u32,
    /// What work-items are iterations of, if they are.
    pub(crate) looped: Option<Space>,
    /// What the guards compare that accesses were given.
    pub(crate) guarded: BTreeMap<Inst, Guarded>,
    /// Whether work-items communicate with those of other groups or kernels while it runs.
    pub(crate) communicates: bool,
    /// The loops that were taken apart. What is known of values was found before.
    pub(crate) cut: Cut,
    /// What is known of values, if the kernel has local memory.
    pub(crate) ranges: Option<Ranges>,
    /// The ways of loops.
    pub(crate) loop_reports: Vec<LoopReport>,
}

/// Prepares the kernels of a program for one circuit, in which they may run at the same time. Buffers
/// that they share stay coherent if the kernels have atomic operations, volatile accesses or fences.
pub fn prepare(program: &Program, plan: &Plan, target: &Target) -> Result<Prepared, Refusal> {
    if program.kernels().is_empty() {
        return Err(Refusal {
            what: "a program without kernels".into(),
            line: 0,
        });
    }
    let kernels = program.kernels().iter();
    let prepared = kernels.map(|kernel| order::run(kernel, plan));
    let mut prepared: Vec<PreparedKernel> = prepared.collect::<Result<_, _>>()?;
    if let [_, _, ..] = prepared[..] {
        share_one_cache(&mut prepared);
    }
    let count = prepared.len();
    for kernel in &mut prepared {
        kernel.alias_sets.check(kernel.plan.datapaths)?;
        kernel.memory_units = MemoryUnits::of(
            &kernel.kernel,
            &kernel.loops,
            &kernel.alias_sets,
            &kernel.access_facts,
            &kernel.plan,
            Room {
                streams: MOST_STREAMS / count / kernel.plan.datapaths as usize,
                bandwidth: Bandwidth {
                    line: plan.line_bytes.into(),
                    ports: plan.banks.into(),
                    datapaths: kernel.plan.datapaths.into(),
                },
                costs: copies::CopyCost {
                    target: *target,
                    line: plan.line_bytes,
                    address_bits: plan.address_bits,
                },
            },
        )?;
    }
    if plan.banks > 1 {
        traffic::spread(&mut prepared, plan.banks);
    }
    Ok(Prepared {
        name: program.name().into(),
        kernels: prepared,
        plan: plan.clone(),
        target: *target,
    })
}

/// Objects that one access may reach, set by set: each set shares one memory.
pub(crate) fn alias_sets(kernel: &Kernel) -> Vec<Vec<Object>> {
    let all = AliasSets::of(kernel, &Plan::default().otherwise);
    all.sets.into_iter().map(|it| it.objects).collect()
}

/// Puts all buffers of kernels that communicate into one cache.
fn share_one_cache(kernels: &mut [PreparedKernel]) {
    let is_external = |group: &AliasSet| group.storage == Storage::External;
    let communicating = || kernels.iter().filter(|kernel| kernel.communicates);
    let groups = communicating().flat_map(|kernel| &kernel.alias_sets.sets);
    let external = groups.filter(|group| is_external(group));
    let (bytes, figures) = external.fold((0, CacheFigures::default()), |(bytes, all), group| {
        (group.bytes.max(bytes), all.and(group.figures))
    });
    for kernel in kernels.iter_mut().filter(|kernel| kernel.communicates) {
        let groups = kernel.alias_sets.sets.iter_mut();
        for group in groups.filter(|group| is_external(group)) {
            group.is_coherent = true;
            group.bytes = bytes;
            group.figures = figures;
        }
    }
}
