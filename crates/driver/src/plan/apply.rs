//! Checks a plan file against a program and makes it part of a plan.

use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};

use sluice_circuit::access::{LINE, Lines};
use sluice_kernel::ir::{Kernel, Param, ParamKind};
use sluice_kernel::plan::{
    AccessKey, AccessPlan, Buffers, KernelPlan, MemoryUnit, Plan, WorkItems, names,
};
use sluice_kernel::{Optimised, Program, items};

use super::file::{AccessEntry, ArgumentEntry, KernelEntry, Name, Number, PlanFile};
use super::file::{PlanMistake, Reasons};
use super::loops::{loop_plan, unroll_of};
use super::objects::{apply_object, check_shared_caches};
use crate::launch::MOST_LOCAL_BYTES;

/// Whether a program has all kernels that a file may name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// It has: other names are mistakes.
    Whole,
    /// It is a part: entries of other kernels are for other parts.
    Part,
}

pub(super) type Checked<T> = Result<T, PlanMistake>;

/// What leaves a choice to the rules.
pub(super) const AUTO: &str = "auto";

/// Numbers that an entry may be.
pub(super) struct Rule {
    range: RangeInclusive<i64>,
    is_power_of_two: bool,
    why: &'static str,
}

pub(super) const fn from(range: RangeInclusive<i64>, why: &'static str) -> Rule {
    Rule {
        range,
        is_power_of_two: false,
        why,
    }
}

const BANKS: Rule = from(
    1..=Plan::MOST_BANKS as i64,
    "each bank is a memory port of the circuit",
);
const DATAPATHS: Rule = from(
    1..=Plan::MOST_DATAPATHS as i64,
    "they share the work-groups",
);
const LANES: Rule = Rule {
    range: 1..=Plan::MOST_LANES as i64,
    is_power_of_two: true,
    why: "a token has as many work-items",
};
const WORK_GROUP: Rule = from(
    1..=Plan::MOST_GROUP_ITEMS as i64,
    "all work-items of a group may meet at a barrier",
);
const DIMENSIONS: Rule = from(1..=3, "of launches; ids of work-items may need more");
pub(super) const LATENCY: Rule = from(
    1..=1 << 16,
    "in cycles: the circuit has room for as many accesses",
);
pub(super) const CACHE_BYTES: Rule = Rule {
    range: 128..=1 << 26,
    is_power_of_two: true,
    why: "bytes of each cache",
};
const LINE_BYTES: Rule = Rule {
    range: Lines::SHORTEST as i64..=LINE as i64,
    is_power_of_two: true,
    why: "of a cache line, and of a beat at a memory port",
};
const ON_CHIP_BYTES: Rule = from(0..=1 << 24, "arrays that do not fit are in external memory");
const LOCAL_BYTES: Rule = from(
    1..=MOST_LOCAL_BYTES as i64,
    "for all work-groups under way together",
);
const BARRIER_BITS: Rule = from(
    0..=1 << 40,
    "what work-items leave at barriers, for all work-groups under way together",
);

impl Rule {
    fn check(&self, key: &str, number: &Number) -> Checked<u64> {
        let value = number.value;
        let is_power = !self.is_power_of_two || value.count_ones() == 1;
        if self.range.contains(&value) && is_power {
            return Ok(value as u64);
        }
        let what = match self.is_power_of_two {
            true => "a power of two",
            false => "a number",
        };
        let (least, most) = (self.range.start(), self.range.end());
        Err(PlanMistake::new(
            &number.span,
            format!("{key} cannot be {value}"),
            match least == most {
                true => format!("only {least}: {}", self.why),
                false => format!("{what} from {least} to {most}: {}", self.why),
            },
        ))
    }

    pub(super) fn check_any(&self, key: &str, number: &Option<Number>) -> Checked<Option<u64>> {
        number.as_ref().map(|it| self.check(key, it)).transpose()
    }
}

impl PlanFile {
    /// Makes the entries for a program's kernels part of a plan.
    pub fn apply(&self, program: &Program, scope: Scope, mut plan: Plan) -> Checked<Plan> {
        if let Some((name, _)) = self.pipe.first_key_value() {
            let message = format!("there is no pipe `{}`", name.text);
            let help = "kernels have no pipes yet";
            return Err(PlanMistake::new(&name.span, message, help));
        }
        self.apply_bitstreams(program, scope, &mut plan)?;
        for (name, entry) in &self.kernel {
            match program.kernel(&name.text) {
                None if scope == Scope::Part => {}
                None => return Err(no_kernel(program, name)),
                Some(kernel) => {
                    let banks = plan.banks;
                    apply_kernel(entry, kernel, banks, plan.kernel_mut(&name.text))?;
                }
            }
        }
        Ok(plan)
    }

    fn apply_bitstreams(&self, program: &Program, scope: Scope, plan: &mut Plan) -> Checked<()> {
        let mut taken: BTreeMap<&str, &str> = BTreeMap::new();
        for (name, entry) in &self.bitstream {
            let entries = [
                ("kernels", true),
                ("banks", entry.banks.is_some()),
                ("line_bytes", entry.line_bytes.is_some()),
            ];
            check_reasons(&entry.reason, &entries)?;
            let banks = BANKS.check_any("banks", &entry.banks)?;
            let line_bytes = LINE_BYTES.check_any("line_bytes", &entry.line_bytes)?;
            if entry.kernels.is_empty() {
                let message = format!("bitstream `{}` has no kernels", name.text);
                let help = "name at least one, or leave the bitstream out";
                return Err(PlanMistake::new(&name.span, message, help));
            }
            for kernel in &entry.kernels {
                if let Some(other) = taken.insert(&kernel.text, &name.text) {
                    let message = format!("kernel `{}` is in `{other}` already", kernel.text);
                    let help = "a kernel belongs to one bitstream, once";
                    return Err(PlanMistake::new(&kernel.span, message, help));
                }
                let is_here = program.kernel(&kernel.text).is_some();
                if !is_here && scope == Scope::Whole {
                    return Err(no_kernel(program, kernel));
                }
                if let (true, Some(banks)) = (is_here, banks) {
                    plan.banks = banks as u32;
                }
                if let (true, Some(bytes)) = (is_here, line_bytes) {
                    plan.line_bytes = bytes as u32;
                }
            }
        }
        Ok(())
    }
}

fn no_kernel(program: &Program, name: &Name) -> PlanMistake {
    let names = program.kernels().iter().map(|it| it.name.as_str());
    PlanMistake::new(
        &name.span,
        format!("there is no kernel `{}`", name.text),
        format!("the program has {}", list(names)),
    )
}

pub(super) fn list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    match names.is_empty() {
        true => "none".into(),
        false => names.join(", "),
    }
}

/// Refuses reasons for entries that are not there.
pub(super) fn check_reasons(reasons: &Reasons, entries: &[(&str, bool)]) -> Checked<()> {
    for reason in reasons.keys() {
        let entry = entries.iter().find(|(key, _)| *key == reason.text);
        let (message, help) = match entry {
            Some((_, true)) => continue,
            Some((_, false)) => (
                format!("a reason for `{}`, which has no entry here", reason.text),
                format!("add `{} = ...`, or leave the reason out", reason.text),
            ),
            None => (
                format!("a reason for `{}`, which is no entry", reason.text),
                format!("entries are {}", list(entries.iter().map(|(key, _)| *key))),
            ),
        };
        return Err(PlanMistake::new(&reason.span, message, help));
    }
    Ok(())
}

fn apply_kernel(
    entry: &KernelEntry,
    kernel: &Optimised,
    banks: u32,
    plan: &mut KernelPlan,
) -> Checked<()> {
    check_reasons(
        &entry.reason,
        &[
            ("datapaths", entry.datapaths.is_some()),
            ("items", entry.items.is_some()),
            ("lanes", entry.lanes.is_some()),
            ("work_group", entry.work_group.is_some()),
            ("dimensions", entry.dimensions.is_some()),
            ("buffers", entry.buffers.is_some()),
            ("memory", entry.memory.is_some()),
            ("latency", entry.latency.is_some()),
            ("cache_bytes", entry.cache_bytes.is_some()),
            ("on_chip_bytes", entry.on_chip_bytes.is_some()),
            ("local_bytes", entry.local_bytes.is_some()),
            ("barrier_bits", entry.barrier_bits.is_some()),
        ],
    )?;
    apply_figures(entry, kernel, plan)?;
    if let Some(items) = &entry.items {
        plan.work_items = items_of(items)?;
        check_items(kernel, plan, items)?;
    }
    if let Some(buffers) = &entry.buffers {
        plan.buffers = buffers_of(buffers)?;
    }
    if let Some(memory) = &entry.memory {
        plan.memory = match memory.text.as_str() {
            AUTO => None,
            _ => Some(memory_of(memory)?),
        };
    }
    for (name, object) in &entry.object {
        apply_object(name, object, kernel, banks, plan)?;
    }
    check_shared_caches(&entry.object, kernel, plan.buffers)?;
    let accesses = names::accesses(kernel);
    for (name, access) in &entry.access {
        let (key, chosen) = access_plan(name, access, &accesses)?;
        plan.accesses.insert(key, chosen);
    }
    for (name, entry) in &entry.argument {
        plan.argument_bits
            .extend(argument_bits(name, entry, kernel)?);
    }
    let loops = names::loops(kernel);
    for (name, entry) in &entry.loops {
        let (key, way) = loop_plan(name, entry, &loops)?;
        plan.loops.extend(way.map(|way| (key, way)));
        plan.coalesce.extend(entry.coalesce.map(|it| (key, it)));
        let unroll = entry.unroll.as_ref().map(unroll_of).transpose()?;
        plan.unroll.extend(unroll.map(|it| (key, it)));
    }
    Ok(())
}

fn apply_figures(entry: &KernelEntry, kernel: &Kernel, plan: &mut KernelPlan) -> Checked<()> {
    if let Some(value) = DATAPATHS.check_any("datapaths", &entry.datapaths)? {
        plan.datapaths = value as u32;
    }
    if let Some(number) = &entry.lanes {
        let lanes = LANES.check("lanes", number)? as u32;
        check_lanes(kernel, lanes, &number.span)?;
        plan.lanes = Some(lanes);
    }
    let figures = &mut plan.figures;
    if let Some(number) = &entry.work_group {
        figures.group_items = WORK_GROUP.check("work_group", number)? as u32;
        check_required_size(kernel, figures.group_items, &number.span)?;
    }
    if let Some(value) = DIMENSIONS.check_any("dimensions", &entry.dimensions)? {
        figures.dimensions = value as u32;
    }
    if let Some(value) = LATENCY.check_any("latency", &entry.latency)? {
        figures.latency = value as u32;
    }
    if let Some(value) = CACHE_BYTES.check_any("cache_bytes", &entry.cache_bytes)? {
        figures.cache_bytes = value as u32;
    }
    if let Some(value) = ON_CHIP_BYTES.check_any("on_chip_bytes", &entry.on_chip_bytes)? {
        figures.on_chip_bytes = value;
    }
    if let Some(value) = LOCAL_BYTES.check_any("local_bytes", &entry.local_bytes)? {
        figures.local_bytes = value;
    }
    if let Some(value) = BARRIER_BITS.check_any("barrier_bits", &entry.barrier_bits)? {
        figures.barrier_bits = value;
    }
    Ok(())
}

fn check_required_size(kernel: &Kernel, items: u32, span: &Range<usize>) -> Checked<()> {
    let Some(size) = kernel.work_group_size.required else {
        return Ok(());
    };
    let required: u64 = size.iter().map(|&it| u64::from(it)).product();
    if required == u64::from(items) {
        return Ok(());
    }
    Err(PlanMistake::new(
        span,
        format!("work_group cannot be {items}: the kernel requires work-groups of {required}"),
        "leave the entry out where the kernel has reqd_work_group_size",
    ))
}

fn check_lanes(kernel: &Kernel, lanes: u32, span: &Range<usize>) -> Checked<()> {
    match kernel.work_group_size.required {
        Some([x, ..]) if !x.is_multiple_of(lanes) => Err(PlanMistake::new(
            span,
            format!(
                "lanes cannot be {lanes}: the kernel requires work-groups that are {x} work-items wide"
            ),
            "lanes divide the first number of reqd_work_group_size",
        )),
        _ => Ok(()),
    }
}

fn items_of(word: &Name) -> Checked<WorkItems> {
    let mut all = WorkItems::ALL.into_iter();
    all.find(|it| it.name() == word.text).ok_or_else(|| {
        PlanMistake::new(
            &word.span,
            format!("items cannot be `{}`", word.text),
            "`tokens` if work-items follow each other through the pipeline, `loop` if they are iterations of loops, \
             `group-loop` if those of each group are",
        )
    })
}

/// Refuses loops over work-items whose order decides what a kernel does.
fn check_items(kernel: &Kernel, plan: &KernelPlan, word: &Name) -> Checked<()> {
    let WorkItems::Looped(_) = plan.work_items else {
        return Ok(());
    };
    match items::why_not(kernel, plan.lanes(kernel)) {
        None => Ok(()),
        Some((why, inst)) => {
            let place = match inst.map_or(0, |inst| kernel.loc(inst).line) {
                0 => String::new(),
                line => format!(" (line {line})"),
            };
            Err(PlanMistake::new(
                &word.span,
                format!(
                    "items cannot be `{}`: the kernel has {}{place}",
                    word.text,
                    why.name()
                ),
                "`tokens`: work-items that depend on each other's order cannot become iterations",
            ))
        }
    }
}

fn buffers_of(word: &Name) -> Checked<Buffers> {
    match word.text.as_str() {
        "disjoint" => Ok(Buffers::Disjoint),
        "may-alias" => Ok(Buffers::MayAlias),
        other => Err(PlanMistake::new(
            &word.span,
            format!("buffers cannot be `{other}`"),
            "`disjoint` if each has a cache of its own, `may-alias` if all share one",
        )),
    }
}

pub(super) fn memory_of(word: &Name) -> Checked<MemoryUnit> {
    let mut all = MemoryUnit::ALL.into_iter();
    all.find(|it| it.name() == word.text).ok_or_else(|| {
        PlanMistake::new(
            &word.span,
            format!("memory cannot be `{}`", word.text),
            "`cache` for a cache that accesses share, `stream` for a unit that holds a few lines in a row, `shared` for \
             such units behind a cache, `uniform` for one that holds one line, `copy` for a copy of the buffer, or, for a \
             kernel, `auto`",
        )
    })
}

fn access_plan(
    name: &Name,
    entry: &AccessEntry,
    accesses: &[names::NamedAccess],
) -> Checked<(AccessKey, AccessPlan)> {
    check_reasons(
        &entry.reason,
        &[
            ("memory", entry.memory.is_some()),
            ("latency", entry.latency.is_some()),
        ],
    )?;
    let Some(access) = accesses.iter().find(|it| it.name == name.text) else {
        let all = accesses.iter().map(|it| it.name.as_str());
        return Err(unknown_place(name, "access", list(all)));
    };
    let refuse = |why: &str| {
        let message = format!("the access of `{}` {why}", name.text);
        let help = "entries are for accesses of buffers, and latencies for those that read";
        Err(PlanMistake::new(&name.span, message, help))
    };
    if !access.reads && entry.latency.is_some() {
        return refuse("is a store, which nothing waits for");
    }
    if !access.is_of_buffer {
        return refuse("reaches no buffer, and memory on the chip has a latency of its own");
    }
    let latency = LATENCY.check_any("latency", &entry.latency)?;
    let chosen = AccessPlan {
        latency: latency.map(|it| it as u32),
        memory: entry.memory.as_ref().map(memory_of).transpose()?,
    };
    Ok((access.key, chosen))
}

/// A parameter, and the bits that launches pass for it at most.
fn argument_bits(
    name: &Name,
    entry: &ArgumentEntry,
    kernel: &Kernel,
) -> Checked<Option<(u32, u32)>> {
    check_reasons(&entry.reason, &[("bits", entry.bits.is_some())])?;
    let bits_of = |param: &Param| match param.kind {
        ParamKind::Value(element) if element.lanes == 1 && element.scalar.ty().is_int() => {
            Some(element.scalar.ty().bits())
        }
        _ => None,
    };
    let params = kernel.host_params();
    let found = params.iter().position(|param| param.name == name.text);
    let Some((at, most)) = found.and_then(|at| Some((at, bits_of(&params[at])?))) else {
        let integers = params.iter().filter(|param| bits_of(param).is_some());
        let all = list(integers.map(|param| param.name.as_str()));
        return Err(PlanMistake::new(
            &name.span,
            format!("there is no integer argument `{}`", name.text),
            format!("the kernel has {all}"),
        ));
    };
    let rule = from(
        1..=i64::from(most),
        "bits of the largest value that launches pass",
    );
    let bits = rule.check_any("bits", &entry.bits)?;
    Ok(bits.map(|bits| (at as u32, bits as u32)))
}

pub(super) fn unknown_place(name: &Name, what: &str, all: String) -> PlanMistake {
    PlanMistake::new(
        &name.span,
        format!("there is no {what} `{}`", name.text),
        format!("a line, or `LINE.NUMBER` where a line has several; the kernel has {all}"),
    )
}
