//! The plan that is made where none is given, with a reason for each entry.

use std::collections::BTreeMap;

use sluice_kernel::ir::{Kernel, Object};
use sluice_kernel::plan::{Buffers, KernelPlan, Plan, names};
use sluice_kernel::prepare::order::loop_choices;
use sluice_kernel::{Optimised, Program};

use super::file::{AccessEntry, BitstreamEntry, KernelEntry, LoopEntry, Name, ObjectEntry};
use super::file::{PlanFile, Reasons};
use super::objects::accessed_buffers;
use crate::board::Board;

/// The plan of a program on a board: what `sluice build` does without a plan file.
pub fn default_rules(program: &Program, board: &Board) -> PlanFile {
    let plan = board.plan_for(program);
    let mut file = PlanFile::default();
    for kernel in program.kernels() {
        let name = Name::from(kernel.name.as_str());
        file.bitstream
            .insert(name.clone(), bitstream(kernel, &plan, board));
        file.kernel.insert(name, kernel_entry(kernel, &plan, board));
    }
    file
}

fn reasons<const N: usize>(reasons: [(&str, String); N]) -> Reasons {
    let reasons = reasons.into_iter().filter(|(_, reason)| !reason.is_empty());
    reasons
        .map(|(key, reason)| (Name::from(key), reason))
        .collect()
}

fn bitstream(kernel: &Optimised, plan: &Plan, board: &Board) -> BitstreamEntry {
    BitstreamEntry {
        kernels: vec![Name::from(kernel.name.as_str())],
        banks: Some(u64::from(plan.banks).into()),
        line_bytes: Some(u64::from(plan.line_bytes).into()),
        reason: reasons([
            (
                "kernels",
                "kernels run one after the other, each on a circuit of its own".into(),
            ),
            (
                "banks",
                match plan.banks {
                    1 => "one memory port, unless --banks asks for more".into(),
                    _ => "as many as the source names memories, and the target has".into(),
                },
            ),
            (
                "line_bytes",
                format!(
                    "the memory of {} moves {} bytes in a cycle",
                    board.name, board.timing.bytes_per_cycle
                ),
            ),
        ]),
    }
}

fn kernel_entry(kernel: &Optimised, plan: &Plan, board: &Board) -> KernelEntry {
    let figures = plan.otherwise.figures;
    let of_target = format!("the default of {}", board.name);
    let required = kernel.work_group_size.required;
    KernelEntry {
        datapaths: Some(u64::from(plan.otherwise.datapaths).into()),
        items: Some(Name::from(plan.otherwise.work_items.name())),
        lanes: Some(u64::from(plan.otherwise.lanes(kernel)).into()),
        // A kernel that says how large its groups are leaves no choice.
        work_group: required
            .is_none()
            .then(|| u64::from(figures.group_items).into()),
        dimensions: Some(u64::from(figures.dimensions).into()),
        buffers: Some(Name::from("disjoint")),
        memory: Some(Name::from("auto")),
        latency: Some(u64::from(figures.latency).into()),
        cache_bytes: Some(u64::from(figures.cache_bytes).into()),
        on_chip_bytes: Some(figures.on_chip_bytes.into()),
        local_bytes: Some(figures.local_bytes.into()),
        barrier_bits: Some(figures.barrier_bits.into()),
        reason: reasons([
            ("datapaths", "one, unless --datapaths asks for more".into()),
            (
                "items",
                "work-items follow each other through the pipeline".into(),
            ),
            (
                "lanes",
                match kernel.lanes {
                    None => "one, unless --lanes asks for more".into(),
                    Some(_) => "num_simd_work_items of the source".into(),
                },
            ),
            (
                "work_group",
                match required {
                    None => "a larger launch gets a circuit with room for it".into(),
                    Some(_) => String::new(),
                },
            ),
            (
                "dimensions",
                "as many as work-items have ids in; a launch of more gets a circuit of its own"
                    .into(),
            ),
            (
                "buffers",
                "a launch that passes overlapping buffers gets a circuit of its own".into(),
            ),
            (
                "memory",
                "each access has what suits it, unless --memory says otherwise".into(),
            ),
            ("latency", of_target.clone()),
            ("cache_bytes", of_target),
            (
                "on_chip_bytes",
                "private arrays and tables beyond it are in external memory".into(),
            ),
            ("local_bytes", "more only if one work-group needs it".into()),
            (
                "barrier_bits",
                "more only if two work-groups need it".into(),
            ),
        ]),
        object: objects(kernel, plan, board),
        access: accesses(kernel, plan, board),
        argument: BTreeMap::new(),
        loops: loops(kernel, plan.kernel(&kernel.name)),
    }
}

fn objects(kernel: &Kernel, plan: &Plan, board: &Board) -> BTreeMap<Name, ObjectEntry> {
    let figures = plan.otherwise.figures;
    let sets = names::shared_caches(kernel, Buffers::Disjoint);
    let entry = |object: Object| {
        let sharing = sets
            .iter()
            .find(|set| set.contains(&object) && set.len() > 1);
        let of_target = format!("the default of {}", board.name);
        let cache = match sharing {
            None => of_target.clone(),
            Some(set) => {
                let others = set.iter().filter(|&&other| other != object);
                let others = others.map(|&it| kernel.objects[it].name.as_str());
                let others: Vec<&str> = others.collect();
                format!(
                    "shared with {}: some access may reach either",
                    others.join(", ")
                )
            }
        };
        let name = Name::from(kernel.objects[object].name.as_str());
        let (bank, why) = match names::port_of_location(kernel, object) {
            _ if plan.banks == 1 => (Some(0), "there is one memory port"),
            Some(bank) => (Some(bank), "buffer_location of the source"),
            None => (None, ""),
        };
        let entry = ObjectEntry {
            cache_bytes: Some(u64::from(figures.cache_bytes).into()),
            latency: Some(u64::from(figures.latency).into()),
            bank: bank.map(|bank| u64::from(bank % plan.banks).into()),
            memory: None,
            copy_bytes: None,
            reason: reasons([
                ("cache_bytes", cache),
                ("latency", of_target),
                ("bank", why.into()),
            ]),
        };
        (name, entry)
    };
    accessed_buffers(kernel).into_iter().map(entry).collect()
}

fn accesses(kernel: &Kernel, plan: &Plan, board: &Board) -> BTreeMap<Name, AccessEntry> {
    let accesses = names::accesses(kernel).into_iter();
    let accesses = accesses.filter(|it| it.reads && it.is_of_buffer);
    let entry = |access: names::NamedAccess| {
        let objects = access.objects.iter();
        let objects = objects.map(|&it| kernel.objects[it].name.as_str());
        let objects: Vec<&str> = objects.collect();
        let entry = AccessEntry {
            memory: None,
            latency: Some(u64::from(plan.otherwise.figures.latency).into()),
            reason: reasons([(
                "latency",
                format!(
                    "reads {}: the default of {}",
                    objects.join(" or "),
                    board.name
                ),
            )]),
        };
        (Name::from(access.name.as_str()), entry)
    };
    accesses.map(entry).collect()
}

fn loops(kernel: &Optimised, plan: &KernelPlan) -> BTreeMap<Name, LoopEntry> {
    // A kernel that has no circuit has no ways of loops either: building it says why.
    let choices = loop_choices(kernel, plan).unwrap_or_default();
    let entry = |named: names::NamedLoop| {
        let mut own = choices.iter().filter(|it| it.key == Some(named.key));
        let choice = own.find(|it| !it.is_rest)?;
        let (copies, why) = match &choice.not_unrolled {
            Some(why) => (Some(1), why.clone()),
            None => {
                let copies = Some(choice.copies).filter(|&it| it > 1);
                (copies, "the source asks for it".to_owned())
            }
        };
        let entry = LoopEntry {
            way: Some(Name::from(choice.way.name())),
            coalesce: None,
            unroll: copies.map(|it| u64::from(it).into()),
            reason: match copies {
                Some(_) => reasons([("way", choice.reason.clone()), ("unroll", why)]),
                None => reasons([("way", choice.reason.clone())]),
            },
        };
        Some((Name::from(named.name.as_str()), entry))
    };
    names::loops(kernel).into_iter().filter_map(entry).collect()
}
