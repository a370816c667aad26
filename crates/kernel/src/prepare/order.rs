//! The order of the steps, with a reason for each. Before them come the
//! [passes](crate::passes::ORDER), which depend on neither plan nor target.

use std::collections::BTreeMap;

use super::assume_aliasing::assume_aliasing;
use super::drop_accesses_without_object::drop_accesses_without_object;
use super::end_at_fences::end_at_fences;
use super::guard_accesses::guard_accesses;
use super::layout::lay_out;
use super::loops::{
    LoopWays, Nests, SplitLoop, choose, convert, cut, split_control, without_exits,
};
use super::narrow_arguments::narrow_arguments;
use super::pointer_bits::Memories;
use super::recompute::recompute_cheap_values;
use super::residence::{dimensions, group_items};
use super::{
    AccessFacts, AliasSet, AliasSets, Cut, Fences, Guarded, LaunchParams, Layout, LoopReport,
    MemoryUnits, PointerBits, PreparedKernel, Refusal, Storage, refusal, spaces,
};
use crate::Kernel;
use crate::analysis::{Cfg, Dominators, Liveness, Loops, Ranges, Uniform};
use crate::dataflow::Dataflow;
use crate::ir::{Inst, InstData, Query};
use crate::items::{Space, loop_items};
use crate::lanes::pack_lanes;
use crate::launch::Launch;
use crate::passes::{
    fold_constants, has_sums_in_order, narrow_widths_within, remove_dead_code, simplify_blocks,
};
use crate::plan::{Buffers, KernelPlan, LaunchItems, LoopWay, Looped, Plan, WorkItems};
use crate::program::Optimised;
use crate::structure;

/// A kernel between two steps.
#[derive(Debug)]
pub(crate) struct Preparation {
    kernel: Kernel,
    plan: KernelPlan,
    params: LaunchParams,
    lanes: u32,
    looped: Option<Space>,
    fences: Fences,
    guarded: BTreeMap<Inst, Guarded>,
    access_facts: AccessFacts,
    alias_sets: AliasSets,
    layout: Layout,
    nests: Nests,
    loop_ways: LoopWays,
    split_loops: Vec<SplitLoop>,
}

/// A step of the preparation.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Its name.
    pub name: &'static str,
    /// Why it stands here.
    pub reason: &'static str,
    run: fn(&mut Preparation) -> Result<(), Refusal>,
}

const fn step(
    name: &'static str,
    run: fn(&mut Preparation) -> Result<(), Refusal>,
    reason: &'static str,
) -> Step {
    Step { name, reason, run }
}

/// The order in which a kernel is prepared.
pub const STEPS: &[Step] = &[
    step(
        "assume_aliasing",
        |it| {
            if it.plan.buffers == Buffers::MayAlias {
                assume_aliasing(&mut it.kernel);
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
        "narrow_arguments",
        |it| {
            narrow_arguments(&mut it.kernel, &it.plan);
            Ok(())
        },
        "before everything that asks how large a value can be",
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
        "drop_accesses_without_object",
        |it| {
            drop_accesses_without_object(&mut it.kernel);
            Ok(())
        },
        "an access that reaches no object has no memory to go to",
    ),
    step(
        "loop_items",
        |it| it.loop_items(),
        "before everything that looks at loops and barriers: it makes the ones and removes the others",
    ),
    step(
        "pack_lanes",
        |it| {
            let lanes = it.plan.lanes(&it.kernel);
            pack_lanes(&mut it.kernel, lanes)?;
            it.lanes = lanes;
            // From here on, a work-item is a token.
            let items = &mut it.plan.figures.group_items;
            *items = items.div_ceil(lanes);
            Ok(())
        },
        "while control flow and addresses are those of the source: it splits private arrays and makes masks",
    ),
    step(
        "narrow_ids",
        |it| {
            let most = group_items(&it.kernel, &it.plan);
            if asks_for_group(&it.kernel) && narrow_widths_within(&mut it.kernel, most).is_yes() {
                // Ranges may have decided branches.
                let _ = fold_constants(&mut it.kernel);
                let _ = simplify_blocks(&mut it.kernel);
                let _ = remove_dead_code(&mut it.kernel);
            }
            Ok(())
        },
        "the plan limits work-groups: ids within them, and what is computed from these, take fewer bits",
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
        "convert_loops",
        |it| {
            it.nests = convert(&mut it.kernel, &it.plan)?;
            Ok(())
        },
        "a pipelined loop is one block",
    ),
    step(
        "choose_loops",
        |it| {
            it.loop_ways = choose(&it.kernel, &it.plan)?;
            for report in &mut it.loop_ways.reports {
                report.keeps_order = report.way == LoopWay::Pipelined
                    && has_sums_in_order(&it.kernel, report.header);
            }
            it.nests.explain(&mut it.loop_ways);
            Ok(())
        },
        "control flow is final, and accesses still have the addresses of their objects",
    ),
    step(
        "guard_accesses",
        |it| {
            let speculative = it.loop_ways.speculative();
            it.guarded = guard_accesses(&mut it.kernel, &mut it.params, &it.plan, &speculative);
            Ok(())
        },
        "while addresses are those of the objects, not of slots",
    ),
    step(
        "recompute_cheap_values",
        |it| {
            recompute_cheap_values(&mut it.kernel);
            Ok(())
        },
        "behind the guards, which use addresses, too; what waits at barriers decides how many groups \
         there are",
    ),
    step(
        "lay_out",
        |it| {
            it.access_facts = AccessFacts::of(&it.kernel, &it.loop_ways);
            it.alias_sets = AliasSets::of(&it.kernel, &it.plan);
            it.layout = lay_out(&mut it.kernel, &mut it.alias_sets, &it.plan, &mut it.params)?;
            Ok(())
        },
        "every object gets its place, and accesses go to the copies of work-items and groups",
    ),
    step(
        "split_control",
        |it| {
            it.split_loops = split_control(&mut it.kernel, &it.loop_ways);
            Ok(())
        },
        "last: what controls a loop is computed ahead of everything that other steps put into it",
    ),
];

/// Runs all steps.
pub(super) fn run(kernel: &Optimised, plan: &Plan) -> Result<PreparedKernel, Refusal> {
    let mut it = Preparation::of(kernel, plan.kernel(&kernel.name))?;
    STEPS.iter().try_for_each(|step| it.step(step))?;
    let communicates = it.fences == Fences::Global || it.alias_sets.communicate();
    let cfg = Cfg::of(&it.kernel);
    let loops = Loops::of(&it.kernel, &cfg, &Dominators::of(&it.kernel, &cfg));
    refusal::check_loops(&it.kernel, &loops)?;
    let memories = Memories {
        alias_sets: &it.alias_sets,
        addresses: &it.layout.addresses,
        external_bits: plan.address_bits,
        group_items: group_items(&it.kernel, &it.plan),
    };
    let speculative = it.split_loops.iter();
    let speculative = speculative.filter(|it| it.speculation.is_some());
    let speculative: Vec<_> = speculative.map(|it| (it.control, it.latch)).collect();
    let in_vain = without_exits(&it.kernel, &speculative);
    let mut pointers = PointerBits::of(&in_vain, &cfg, &memories);
    let mut sets = it.alias_sets.sets.iter();
    let is_on_chip = |it: &AliasSet| matches!(it.storage, Storage::Memory(_) | Storage::Local(_));
    let mut ranges = sets.any(is_on_chip).then(|| Ranges::of(&in_vain));
    let (cut, mut loops) = take_apart(&mut it.kernel, &loops, it.split_loops);
    for (&inst, state) in &cut.states {
        let value = it.kernel.result(inst);
        pointers.copy(state.param, value);
        if let Some(ranges) = &mut ranges {
            ranges.copy(state.param, value);
        }
    }
    let cfg = Cfg::of(&it.kernel);
    loops.sort(&cfg);
    let uniform = Uniform::of(&it.kernel, &cfg);
    let liveness = Liveness::of_cut(&it.kernel, &cfg, &uniform, &cut);
    let width = |value| pointers.width(&it.kernel, value);
    let dataflow = Dataflow::with_widths(&it.kernel, &liveness, &uniform, &width, &cut);
    Ok(PreparedKernel {
        kernel: it.kernel,
        plan: it.plan,
        cfg,
        loops,
        pointers,
        dataflow,
        access_facts: it.access_facts,
        alias_sets: it.alias_sets,
        memory_units: MemoryUnits::default(),
        layout: it.layout,
        params: it.params,
        lanes: it.lanes,
        looped: it.looped,
        guarded: it.guarded,
        communicates,
        cut,
        ranges,
        loop_reports: it.loop_ways.reports,
    })
}

/// Takes loops apart; gives what was made of them, and the loops that are left.
fn take_apart(kernel: &mut Kernel, loops: &Loops, split: Vec<SplitLoop>) -> (Cut, Loops) {
    let mut cut = cut(kernel, split);
    let is_cut = |header| cut.controlled_by(header).is_some();
    let mut left = loops.without(is_cut);
    for it in &mut cut.loops {
        if let Some(around) = left.innermost(it.split.control) {
            it.is_nested = true;
            left.put(it.end, around);
        }
    }
    (cut, left)
}

/// The ways that the loops of a kernel are given, by the plan or by rule.
pub fn loop_choices(kernel: &Optimised, plan: &KernelPlan) -> Result<Vec<LoopReport>, Refusal> {
    let mut it = Preparation::of(kernel, plan)?;
    let chosen = STEPS.iter().position(|step| step.name == "choose_loops");
    let last = chosen.expect("it is one of the steps");
    STEPS[..=last].iter().try_for_each(|step| it.step(step))?;
    Ok(it.loop_ways.reports)
}

/// Whether a kernel asks for ids and sizes within work-groups whose size it does not say.
fn asks_for_group(kernel: &Kernel) -> bool {
    let is_asked = |data: &InstData| {
        let InstData::Query { query, .. } = data else {
            return false;
        };
        matches!(query, Query::LocalId | Query::LocalSize)
    };
    let mut insts = kernel.insts().map(|(_, inst)| kernel.inst(inst));
    kernel.work_group_size.required.is_none() && insts.any(is_asked)
}

/// A kernel behind a step.
#[derive(Debug)]
pub struct After {
    /// The kernel.
    pub kernel: Kernel,
    params: LaunchParams,
    lanes: u32,
    looped: Option<Space>,
}

impl After {
    /// What a launch of the kernel that was prepared is for this one, which may have more parameters, and
    /// tokens of several work-items: as many as the launch allows, or all of them.
    pub fn launch(&self, launch: &Launch) -> Launch {
        let range = match self.looped {
            Some(space) => space.form.range(&launch.range),
            None => launch.range.in_lanes(self.lanes),
        };
        let args = launch.args.clone();
        let of_tokens = Launch { range, args };
        self.params.launch(&self.kernel, &of_tokens, &launch.range)
    }
}

/// The kernel behind the step of this name. `None` if there is no such step.
pub fn kernel_after(kernel: &Optimised, plan: &Plan, name: &str) -> Option<Result<After, Refusal>> {
    let last = STEPS.iter().position(|step| step.name == name)?;
    let after = || {
        let mut it = Preparation::of(kernel, plan.kernel(&kernel.name))?;
        STEPS[..=last].iter().try_for_each(|step| it.step(step))?;
        Ok(After {
            kernel: it.kernel,
            params: it.params,
            lanes: it.lanes,
            looped: it.looped,
        })
    };
    Some(after())
}

impl Preparation {
    fn of(kernel: &Optimised, plan: &KernelPlan) -> Result<Preparation, Refusal> {
        refusal::check_stage(kernel)?;
        Ok(Preparation {
            kernel: Kernel::clone(kernel),
            plan: plan.clone(),
            params: LaunchParams::of(kernel),
            lanes: 1,
            looped: None,
            fences: Fences::Local,
            guarded: BTreeMap::new(),
            access_facts: AccessFacts::default(),
            alias_sets: AliasSets::default(),
            layout: Layout::default(),
            nests: Nests::default(),
            loop_ways: LoopWays::default(),
            split_loops: Vec::new(),
        })
    }

    /// Makes work-items iterations of loops, if the plan says so. From there on, the kernel is one of a work-item.
    fn loop_items(&mut self) -> Result<(), Refusal> {
        let WorkItems::Looped(form) = self.plan.work_items else {
            return Ok(());
        };
        let (kernel, plan) = (&mut self.kernel, &mut self.plan);
        let most = group_items(kernel, plan);
        let space = Space::new(kernel, form, dimensions(kernel, plan), most);
        loop_items(kernel, &mut self.params, plan.lanes(kernel), space)?;
        plan.items = match form {
            Looped::Launch => LaunchItems::One,
            Looped::Group => LaunchItems::OneInGroup,
        };
        plan.figures.group_items = 1;
        plan.figures.dimensions = match form {
            Looped::Launch => 1,
            Looped::Group => space.dimensions as u32,
        };
        self.looped = Some(space);
        Ok(())
    }

    fn step(&mut self, step: &Step) -> Result<(), Refusal> {
        (step.run)(self)?;
        if cfg!(debug_assertions) {
            let verified = crate::verify::verify(&self.kernel);
            verified.unwrap_or_else(|errors| panic!("{}: {errors}\n{}", step.name, self.kernel));
        }
        Ok(())
    }
}
