//! The order of the steps, with a reason for each. Before them come the
//! [passes](crate::passes::ORDER), which depend on neither plan nor target.

use std::collections::BTreeMap;

use super::confuse_buffers::confuse_buffers;
use super::drop_wild_accesses::drop_wild_accesses;
use super::end_at_fences::end_at_fences;
use super::guard_accesses::guard_accesses;
use super::layout::lay_out;
use super::{
    Fences, Groups, Guarded, LaunchParams, Layout, PreparedKernel, Refusal, graphs, refusal, spaces,
};
use crate::Kernel;
use crate::analysis::Cfg;
use crate::ir::Inst;
use crate::plan::{Buffers, MemoryPlan};
use crate::program::Optimised;
use crate::structure;

/// A kernel between two steps.
#[derive(Debug)]
pub(crate) struct Preparation {
    kernel: Kernel,
    plan: MemoryPlan,
    params: LaunchParams,
    fences: Fences,
    guarded: BTreeMap<Inst, Guarded>,
    groups: Groups,
    layout: Layout,
}

/// A step of the preparation.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Its name.
    pub name: &'static str,
    /// Why it stands here.
    pub reason: &'static str,
    run: fn(&mut Preparation) -> Result<(), Refusal>,
    invariants: Invariants,
}

/// Which invariants of the IR hold behind a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Invariants {
    /// All.
    All,
    /// All but V3: the entry block has slots as its parameters.
    SlotsAtEntry,
}

const fn step(
    name: &'static str,
    run: fn(&mut Preparation) -> Result<(), Refusal>,
    reason: &'static str,
) -> Step {
    Step {
        name,
        reason,
        run,
        invariants: Invariants::All,
    }
}

/// The order in which a kernel is prepared.
pub const STEPS: &[Step] = &[
    step(
        "confuse_buffers",
        |it| {
            if it.plan.buffers == Buffers::MayAlias {
                confuse_buffers(&mut it.kernel);
            }
            Ok(())
        },
        "first: every later step relies on the objects of accesses",
    ),
    step(
        "take_fields",
        |it| {
            it.params.take_fields(&mut it.kernel);
            Ok(())
        },
        "a struct whose fields are all read at fixed places needs no memory",
    ),
    step(
        "split_mixed_accesses",
        |it| {
            spaces::split_mixed_accesses(&mut it.kernel);
            Ok(())
        },
        "from here on, an access goes to local memory or to other memory",
    ),
    step(
        "compare_with_private",
        |it| {
            spaces::compare_with_private(&mut it.kernel);
            Ok(())
        },
        "while private arrays still have one address each",
    ),
    step(
        "drop_wild_accesses",
        |it| {
            drop_wild_accesses(&mut it.kernel);
            Ok(())
        },
        "an access that reaches no object has no memory to go to",
    ),
    step(
        "end_at_fences",
        |it| {
            it.fences = end_at_fences(&mut it.kernel);
            Ok(())
        },
        "before control flow is structured: it makes blocks",
    ),
    step(
        "structure",
        |it| {
            let barriers = refusal::barriers(&it.kernel);
            let _ = structure::prepare(&mut it.kernel);
            refusal::check_barriers(&it.kernel, barriers)?;
            refusal::check(&it.kernel)
        },
        "reducible loops, ids in the entry block, barriers at the heads of blocks",
    ),
    step(
        "guard_accesses",
        |it| {
            it.guarded = guard_accesses(&mut it.kernel, &mut it.params, &it.plan);
            Ok(())
        },
        "while addresses are those of the objects, not of slots",
    ),
    Step {
        invariants: Invariants::SlotsAtEntry,
        ..step(
            "lay_out",
            |it| {
                it.groups = Groups::of(&it.kernel);
                let dataflow = graphs(&it.kernel, &Cfg::of(&it.kernel));
                it.layout = lay_out(
                    &mut it.kernel,
                    &mut it.groups,
                    &it.plan,
                    &mut it.params,
                    &dataflow,
                )?;
                Ok(())
            },
            "last: every object gets its place, and addresses say so",
        )
    },
];

/// Runs all steps.
pub(super) fn run(kernel: &Optimised, plan: MemoryPlan) -> Result<PreparedKernel, Refusal> {
    let mut it = Preparation::of(kernel, plan);
    STEPS.iter().try_for_each(|step| it.step(step))?;
    let communicates = it.fences == Fences::Global || it.groups.communicate();
    Ok(PreparedKernel {
        kernel: it.kernel,
        groups: it.groups,
        layout: it.layout,
        params: it.params,
        guarded: it.guarded,
        communicates,
    })
}

/// The kernel behind the step of this name. `None` if there is no such step.
pub fn kernel_after(
    kernel: &Optimised,
    plan: MemoryPlan,
    name: &str,
) -> Option<Result<Kernel, Refusal>> {
    let last = STEPS.iter().position(|step| step.name == name)?;
    let mut it = Preparation::of(kernel, plan);
    let steps = STEPS[..=last].iter().try_for_each(|step| it.step(step));
    Some(steps.map(|()| it.kernel))
}

impl Preparation {
    fn of(kernel: &Optimised, plan: MemoryPlan) -> Preparation {
        Preparation {
            kernel: Kernel::clone(kernel),
            plan,
            params: LaunchParams::of(kernel),
            fences: Fences::Local,
            guarded: BTreeMap::new(),
            groups: Groups::default(),
            layout: Layout::default(),
        }
    }

    fn step(&mut self, step: &Step) -> Result<(), Refusal> {
        (step.run)(self)?;
        // Buffers that may alias are confused across global and constant memory, against V19 and V20.
        let are_confused = self.plan.buffers == Buffers::MayAlias;
        if cfg!(debug_assertions) && step.invariants == Invariants::All && !are_confused {
            let verified = crate::verify::verify(&self.kernel);
            verified.unwrap_or_else(|errors| panic!("{}: {errors}\n{}", step.name, self.kernel));
        }
        Ok(())
    }
}
