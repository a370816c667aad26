//! Which accesses of external memory have a stream of their own, and which go through a cache.
//!
//! A stream keeps nothing that it has read, and what it writes is seen by nobody until it is in memory. So
//! an access may have one if nobody else is to see what happens in between: loads of what is only read, the
//! only store of what is only written, and both where no work-item reads what was written in the launch.
//!
//! Where the plan leaves the choice, accesses have streams that are made once by each work-item, when
//! neighbouring work-items ask for neighbouring places. In loops, caches are better: what a work-item reads
//! in one iteration, it or its neighbours often read again in the next. What all work-items read at one place needs
//! one line only, in loops too.
//!
//! Loads of a buffer that lie as far apart for each work-item read the same lines one after the other. Their streams
//! share a cache where the memory moves too little for all of them. Small buffers that are only read may be
//! [copied](super::copies) to the chip.

use std::collections::{BTreeMap, BTreeSet};

use sluice_circuit::access::LINE;

use super::copies;
use super::launch_params::place;
use super::loops::LoopWays;
use super::traffic::{Bandwidth, Room, moved, traffic};
use super::{AliasSet, AliasSets, Reason, Refusal, Storage, beat};
use crate::analysis::access::{Access, Accesses, Answer, Stride, Term, Uniformity};
use crate::analysis::{Loop, Loops, Scope};
use crate::ir::{Inst, InstData, Kernel, Object, ObjectKind};
use crate::plan::{KernelPlan, MemoryUnit};

/// Streams of a buffer by the rules, at most: many take more logic than a cache.
const MOST_OF_BUFFER: usize = 6;

/// Streams of one line that a buffer has by the rules in loops, where it would have a cache otherwise, at most.
const MOST_HELD: usize = 1;

/// Accesses of a kernel whose analysis takes little time. Of more, nothing is known.
const MOST_ANALYSED: usize = 512;

/// What is known of accesses while their addresses are still those of the objects.
#[derive(Debug, Default)]
pub(crate) struct AccessFacts {
    /// Bytes from a token's place to that of the next, as far as they are expected.
    strides: BTreeMap<Inst, i64>,
    /// The bytes of each access.
    bytes: BTreeMap<Inst, u32>,
    /// Those with which each work-item goes along lines of its own, iteration by iteration.
    rows: BTreeSet<Inst>,
    /// Buffers of which no work-item reads what was written, unless launches have data races.
    apart: BTreeSet<Object>,
    /// Bytes that each access moves for a work-item.
    traffic: BTreeMap<Inst, u64>,
    /// Bytes that each access moves for a token, and requests that it makes for it.
    of_token: BTreeMap<Inst, (u64, u64)>,
    /// Those that go to one place, whichever work-item and iteration, with one request.
    at_one_place: BTreeSet<Inst>,
    /// The first one of those that are as far apart for each work-item.
    families: BTreeMap<Inst, Inst>,
    /// Of loads that always go to one place of a buffer, how many bytes that is from its beginning.
    places: BTreeMap<Inst, u64>,
}

impl AccessFacts {
    pub(crate) fn of(kernel: &Kernel, ways: &LoopWays) -> AccessFacts {
        let is_access = |(_, inst): &(_, Inst)| kernel.inst(*inst).objects().is_some();
        if kernel.insts().filter(is_access).count() > MOST_ANALYSED {
            return AccessFacts::default();
        }
        let accesses = Accesses::of(kernel);
        let is_token = |loop_: Loop| ways.ways.contains_key(&accesses.loops().get(loop_).header);
        let stride = |inst| {
            let access = accesses.get(inst)?;
            // Where iterations are tokens, the next token is the next iteration.
            let innermost = access
                .loop_strides
                .last()
                .filter(|(loop_, _)| is_token(*loop_));
            let stride = innermost.map_or(&access.stride, |(_, stride)| stride);
            stride.as_ref()?.expected()
        };
        let strides = accesses.iter().map(|access| access.inst);
        let strides = strides.filter_map(|inst| Some((inst, stride(inst)?)));
        let never = |answer: &Answer| answer.conditions().is_some_and(|it| it.is_empty());
        let is_apart = |&object: &Object| {
            if !matches!(kernel.objects[object].kind, ObjectKind::Buffer { .. }) {
                return false;
            }
            let flow = accesses.read_after_write_of(object);
            never(&flow.own) && (flow.only_in_races || never(&flow.others))
        };
        AccessFacts {
            strides: strides.collect(),
            bytes: accesses.iter().map(|it| (it.inst, it.bytes)).collect(),
            rows: accesses
                .iter()
                .filter(|it| is_row(it))
                .map(|it| it.inst)
                .collect(),
            apart: kernel.objects.keys().filter(is_apart).collect(),
            traffic: traffic(kernel, &accesses),
            of_token: accesses
                .iter()
                .map(|it| (it.inst, (moved(it), requests(kernel, it))))
                .collect(),
            at_one_place: accesses
                .iter()
                .filter(|it| is_at_one_place(kernel, it))
                .map(|it| it.inst)
                .collect(),
            families: families(&accesses),
            places: kernel
                .insts()
                .filter_map(|(_, inst)| Some((inst, fixed_place(kernel, inst)?)))
                .collect(),
        }
    }

    /// How many bytes from the beginning of a buffer a load reads, if that is always the same.
    pub(crate) fn place(&self, inst: Inst) -> Option<u64> {
        self.places.get(&inst).copied()
    }

    /// Bytes that an access moves for a work-item, or one if nothing is known of any.
    pub(crate) fn traffic(&self, inst: Inst) -> u64 {
        self.traffic.get(&inst).copied().unwrap_or(1)
    }

    fn stride(&self, inst: Inst) -> Option<i64> {
        self.strides.get(&inst).copied()
    }

    /// Bytes that an access moves for a token.
    fn moved(&self, inst: Inst) -> u64 {
        self.of_token.get(&inst).map_or(1, |(moved, _)| *moved)
    }

    /// Requests that an access makes for a token.
    pub(super) fn requests(&self, inst: Inst) -> u64 {
        self.of_token
            .get(&inst)
            .map_or(1, |(_, requests)| *requests)
    }

    fn bytes(&self, inst: Inst) -> u32 {
        self.bytes.get(&inst).copied().unwrap_or(0)
    }

    fn are_apart(&self, set: &AliasSet) -> bool {
        matches!(set.objects[..], [object] if self.apart.contains(&object))
    }
}

/// How many bytes from the beginning of a buffer a load reads with one request, if that is always the same.
fn fixed_place(kernel: &Kernel, inst: Inst) -> Option<u64> {
    let InstData::Load { ptr, access, .. } = kernel.inst(inst) else {
        return None;
    };
    let (object, offset) = place(kernel, *ptr)?;
    let is_buffer = matches!(kernel.objects[object].kind, ObjectKind::Buffer { .. });
    let bytes = access.bytes().next_power_of_two();
    (is_buffer && beat(access) == bytes && offset.is_multiple_of(bytes.into())).then_some(offset)
}

/// Whether each work-item goes along lines of its own with an access, iteration by iteration.
fn is_row(access: &Access) -> bool {
    // A distance that is not the same in every launch is an argument's: the length of a row.
    let far = |it: &Stride| {
        let bytes = it.expected().map(i64::unsigned_abs);
        bytes.is_none_or(|bytes| bytes >= LINE.into())
    };
    let near = |it: &Stride| {
        let bytes = it.expected().map(i64::unsigned_abs);
        bytes.is_some_and(|bytes| bytes > 0 && bytes < LINE.into())
    };
    let of_iterations = access.loop_strides.last();
    access.stride.as_ref().is_some_and(far)
        && of_iterations.is_some_and(|(_, it)| it.as_ref().is_some_and(near))
}

/// Requests that an access makes each time.
fn requests(kernel: &Kernel, access: &Access) -> u64 {
    match kernel.inst(access.inst) {
        InstData::Load { access, .. } | InstData::Store { access, .. } => {
            let bytes = access.bytes().next_power_of_two();
            u64::from(bytes / beat(access))
        }
        _ => 1,
    }
}

/// Whether an access goes to one place, whichever work-item and iteration, with one request.
fn is_at_one_place(kernel: &Kernel, access: &Access) -> bool {
    let stays = |it: &Option<Stride>| it.as_ref().and_then(Stride::expected) == Some(0);
    requests(kernel, access) == 1
        && access.uniform == Uniformity::Launch
        && access.loop_strides.iter().all(|(_, it)| stays(it))
}

/// By access, the first one of its object that is as far from it for all work-items and iterations.
fn families(accesses: &Accesses) -> BTreeMap<Inst, Inst> {
    let mut firsts: Vec<&Access> = Vec::new();
    let mut families = BTreeMap::new();
    for access in accesses.iter().filter(|it| it.reads()) {
        let Ok(form) = &access.form else { continue };
        let is_as_far = |other: &&&Access| {
            let Ok(of_other) = &other.form else {
                return false;
            };
            let distance = form.sum.minus(&of_other.sum);
            let is_fixed = |term: Term| match term {
                Term::Value(symbol) => symbol.scope == Scope::Launch,
                _ => false,
            };
            form.object == of_other.object && distance.is_some_and(|it| it.terms().all(is_fixed))
        };
        let first = firsts.iter().find(is_as_far).map(|it| it.inst);
        if first.is_none() {
            firsts.push(access);
        }
        families.insert(access.inst, first.unwrap_or(access.inst));
    }
    families
}

/// The units of all accesses of external memory.
#[derive(Debug, Default)]
pub(crate) struct MemoryUnits(BTreeMap<Inst, Chosen>);

/// What stands between an access and external memory, and why.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chosen {
    /// What stands there.
    pub unit: MemoryUnit,
    /// Why that.
    pub reason: Reason,
    /// What the source asks for.
    pub wanted: Option<MemoryUnit>,
    /// Whether it is in a loop.
    in_loop: bool,
    /// The bytes of the access, if each work-item goes along lines of its own, iteration by iteration.
    row_bytes: Option<u32>,
}

impl MemoryUnits {
    /// The choice of the plan, where it is allowed, or else by the rules. What an entry of an access asks
    /// for and is not allowed is refused. Without an entry, accesses beyond the most streams have none.
    pub(crate) fn of(
        kernel: &Kernel,
        loops: &Loops,
        sets: &AliasSets,
        facts: &AccessFacts,
        plan: &KernelPlan,
        room: Room,
    ) -> Result<MemoryUnits, Refusal> {
        let mut units = MemoryUnits::default();
        let mut streams = 0;
        for set in sets
            .sets
            .iter()
            .filter(|it| it.storage == Storage::External)
        {
            let accesses = kernel.insts().filter(|&(_, inst)| {
                let accessed = sets.accessed(kernel.inst(inst));
                accessed.is_some_and(|at| std::ptr::eq(&sets.sets[at], set))
            });
            let mut chosen = Vec::new();
            for (block, inst) in accesses {
                let choice = choose(
                    kernel,
                    set,
                    facts,
                    plan,
                    (inst, loops.innermost(block).is_some()),
                )?;
                chosen.push((inst, choice));
            }
            keep_together(&mut chosen, room.streams.saturating_sub(streams));
            let pays = copies::Pays {
                kernel,
                set,
                facts,
                plan,
                costs: &room.costs,
            };
            if let Some(reason) = pays.reason(&chosen) {
                for (_, it) in &mut chosen {
                    (it.unit, it.reason) = (MemoryUnit::Copy, reason);
                }
            }
            streams += chosen.iter().filter(|(_, it)| it.is_stream()).count();
            units.0.extend(chosen);
        }
        if loops.is_empty() {
            units.share_caches(kernel, sets, facts, room.bandwidth);
        }
        Ok(units)
    }

    /// Puts streams of loads that read the same lines one after the other behind a cache, if tokens take a quarter
    /// less time then: where the memory moves less than all streams ask for, and a cache with a line per cycle more.
    fn share_caches(
        &mut self,
        kernel: &Kernel,
        sets: &AliasSets,
        facts: &AccessFacts,
        bandwidth: Bandwidth,
    ) {
        let set_of = |inst| sets.accessed(kernel.inst(inst));
        let mut families: BTreeMap<(usize, Inst), Vec<Inst>> = BTreeMap::new();
        for (&inst, chosen) in &self.0 {
            let is_stream = matches!(
                (chosen.unit, chosen.reason),
                (MemoryUnit::Stream, Reason::ShortStride(_))
            );
            let of = (set_of(inst), facts.families.get(&inst));
            if let ((Some(set), Some(&first)), true) = (of, is_stream) {
                families.entry((set, first)).or_default().push(inst);
            }
        }
        families.retain(|_, insts| insts.len() > 1);
        let moved = |insts: &[Inst]| insts.iter().map(|&it| facts.moved(it)).sum::<u64>();
        let all: u64 = self.0.keys().map(|&it| facts.moved(it)).sum();
        // Behind a cache, a family moves what one of them does; the cache answers with a line in a cycle.
        let most = |insts: &[Inst]| insts.iter().map(|&it| facts.moved(it)).max().unwrap_or(0);
        let saved: u64 = families.values().map(|it| moved(it) - most(it)).sum();
        let mut of_caches: BTreeMap<usize, u64> = BTreeMap::new();
        for ((set, _), insts) in &families {
            *of_caches.entry(*set).or_default() += moved(insts);
        }
        let at_cache = of_caches.into_values().max().unwrap_or(0);
        let requests = self.0.keys().map(|&it| facts.requests(it));
        let of_pipeline = requests.max().unwrap_or(1);
        let with_cache = bandwidth.cycles(of_pipeline, all - saved, at_cache);
        if 4 * with_cache > 3 * bandwidth.cycles(of_pipeline, all, 0) {
            return;
        }
        for (inst, count) in families
            .values()
            .flat_map(|insts| insts.iter().map(|&inst| (inst, insts.len())))
        {
            let chosen = self.0.get_mut(&inst).expect("it is one of them");
            chosen.unit = MemoryUnit::Shared;
            chosen.reason = Reason::SameLines(count as u32);
        }
    }

    /// Whether an access has a stream of its own.
    pub(crate) fn is_stream(&self, inst: Inst) -> bool {
        self.get(inst).is_some_and(Chosen::is_stream)
    }

    /// Whether an access shares a cache.
    pub(crate) fn is_cached(&self, inst: Inst) -> bool {
        self.get(inst).is_none_or(Chosen::is_cached)
    }

    /// Whether an access has a port of a copy of its buffer.
    pub(crate) fn is_copy(&self, inst: Inst) -> bool {
        self.get(inst).is_some_and(Chosen::is_copy)
    }

    /// Whether what a load has read may wait in its stream or copy until it is taken. A stream holds more of it the
    /// more of it lies in a line: too uncertain for a loop, which admits as many work-items as its units
    /// surely hold.
    pub(crate) fn may_wait(&self, inst: Inst) -> bool {
        let waits = |it: &Chosen| !it.in_loop && !it.is_cached();
        self.get(inst).is_some_and(waits)
    }

    /// The bytes of an access, if each work-item goes along lines of its own with it, iteration by iteration,
    /// and a cache holds these lines.
    pub(crate) fn row_bytes_in_cache(&self, inst: Inst) -> Option<u32> {
        let chosen = self.get(inst)?;
        chosen.row_bytes.filter(|_| chosen.is_cached())
    }

    /// All accesses of external memory.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Inst, &Chosen)> {
        self.0.iter().map(|(&inst, chosen)| (inst, chosen))
    }

    /// What stands between an access and external memory, if it goes there.
    pub(crate) fn get(&self, inst: Inst) -> Option<&Chosen> {
        self.0.get(&inst)
    }
}

impl Chosen {
    /// Whether it shares a cache.
    pub(crate) fn is_cached(&self) -> bool {
        self.unit == MemoryUnit::Cache
    }

    fn is_copy(&self) -> bool {
        self.unit == MemoryUnit::Copy
    }

    fn is_stream(&self) -> bool {
        !self.is_cached() && !self.is_copy()
    }

    /// Whether the rules have chosen a stream.
    fn is_free(&self) -> bool {
        matches!(self.reason, Reason::ShortStride(_) | Reason::OnePlace)
    }

    /// Whether the rules have chosen it, and nothing forbids another choice.
    pub(super) fn is_by_rule(&self) -> bool {
        matches!(
            self.reason,
            Reason::InLoop
                | Reason::UnknownStride
                | Reason::LongStride(_)
                | Reason::ShortStride(_)
                | Reason::OnePlace
                | Reason::ManyAccesses
                | Reason::ManyStreams
                | Reason::BesideCache
        )
    }

    /// Why the access does not have what the source asks for, unless the plan says otherwise.
    pub fn ignored(&self) -> Option<Reason> {
        let is_ignored = self.wanted.is_some_and(|wanted| wanted != self.unit);
        let by_plan = matches!(self.reason, Reason::Asked | Reason::AskedOfKernel);
        (is_ignored && !by_plan).then_some(self.reason)
    }
}

/// The unit of an access, by the plan or by the rules for it alone.
fn choose(
    kernel: &Kernel,
    set: &AliasSet,
    facts: &AccessFacts,
    plan: &KernelPlan,
    (inst, in_loop): (Inst, bool),
) -> Result<Chosen, Refusal> {
    let wanted = kernel.inst(inst).access().and_then(|access| access.unit);
    let entry = plan.access(kernel, inst).and_then(|entry| entry.memory);
    let rule = Rule {
        entry: entry.or_else(|| copies::entry(kernel, set, plan)),
        of_kernel: plan.memory,
        of_source: wanted,
        forbidden: why_not_stream(set, kernel.inst(inst), facts),
        no_copy: copies::why_not(kernel, set, plan),
        in_loop,
        is_load: matches!(kernel.inst(inst), InstData::Load { .. }),
        is_at_one_place: facts.at_one_place.contains(&inst),
        stride: facts.stride(inst),
        bytes: facts.bytes(inst),
    };
    let (unit, reason) = rule.choose().map_err(|reason| {
        let unit = match rule.entry {
            Some(MemoryUnit::Copy) => "copy",
            _ => "stream",
        };
        Refusal {
            what: format!("a {unit} of `{}`, which {reason},", set.name).into(),
            line: kernel.loc(inst).line,
        }
    })?;
    Ok(Chosen {
        unit,
        reason,
        wanted,
        in_loop: rule.in_loop,
        row_bytes: facts.rows.contains(&inst).then_some(rule.bytes),
    })
}

/// Gives the accesses of a set the cache that some of them have, where the plan leaves the choice: streams
/// beside a cache cost more than they gain. More than `most` streams are for the plan's entries alone.
fn keep_together(chosen: &mut [(Inst, Chosen)], most: usize) {
    let cached = chosen.iter().find(|(_, it)| it.is_cached());
    let free = chosen.iter().filter(|(_, it)| it.is_free()).count();
    let is_held = |(_, it): &&(Inst, Chosen)| it.in_loop && it.reason == Reason::OnePlace;
    let held = chosen.iter().filter(is_held).count();
    let streams = chosen.iter().filter(|(_, it)| it.is_stream()).count();
    let reason = match cached {
        _ if streams > most => Reason::ManyStreams,
        Some(_) => Reason::BesideCache,
        None if free > MOST_OF_BUFFER || held > MOST_HELD => Reason::ManyAccesses,
        None => return,
    };
    let free = chosen.iter_mut().filter(|(_, it)| match it.reason {
        Reason::ShortStride(_) | Reason::OnePlace => true,
        Reason::AskedOfKernel | Reason::AskedBySource => {
            it.is_stream() && reason == Reason::ManyStreams
        }
        _ => false,
    });
    for (_, it) in free {
        (it.unit, it.reason) = (MemoryUnit::Cache, reason);
    }
}

/// What the choice for an access depends on.
struct Rule {
    entry: Option<MemoryUnit>,
    of_kernel: Option<MemoryUnit>,
    of_source: Option<MemoryUnit>,
    forbidden: Option<Reason>,
    /// Why it cannot have a port of a copy.
    no_copy: Option<Reason>,
    in_loop: bool,
    is_load: bool,
    is_at_one_place: bool,
    stride: Option<i64>,
    bytes: u32,
}

impl Rule {
    /// What stands there and why, or why what was asked for cannot.
    fn choose(&self) -> Result<(MemoryUnit, Reason), Reason> {
        match (self.copy_asked_by(), self.no_copy) {
            (None, _) => {}
            (Some(asked), None) => return Ok((MemoryUnit::Copy, asked)),
            (Some(Reason::Asked), Some(reason)) => return Err(reason),
            // Where there can be no copy, it is as if none were asked for.
            (Some(_), Some(_)) => return self.without_copy().choose(),
        }
        match (self.entry, self.forbidden) {
            (None, _) => {}
            (Some(MemoryUnit::Cache), _) => return Ok((MemoryUnit::Cache, Reason::Asked)),
            (Some(_), Some(reason)) => return Err(reason),
            (Some(unit), None) if self.for_access(unit) != unit => return Err(Reason::OnlyWritten),
            (Some(unit), None) => return Ok((unit, Reason::Asked)),
        }
        if let (None, None, Some(unit)) = (self.of_kernel, self.forbidden, self.of_source) {
            return Ok((self.for_access(unit), Reason::AskedBySource));
        }
        let cache = |reason| Ok((MemoryUnit::Cache, reason));
        match (self.of_kernel, self.forbidden) {
            (Some(MemoryUnit::Cache), _) => cache(Reason::AskedOfKernel),
            (_, Some(reason)) => cache(reason),
            (Some(unit), None) => Ok((self.for_access(unit), Reason::AskedOfKernel)),
            (None, None) if self.is_load && self.is_at_one_place => {
                Ok((MemoryUnit::Uniform, Reason::OnePlace))
            }
            (None, None) if self.in_loop => cache(Reason::InLoop),
            (None, None) => match self.stride {
                None => cache(Reason::UnknownStride),
                Some(bytes) if bytes.unsigned_abs() > u64::from(self.bytes.max(LINE / 2)) => {
                    cache(Reason::LongStride(bytes))
                }
                Some(bytes) => Ok((MemoryUnit::Stream, Reason::ShortStride(bytes))),
            },
        }
    }
}

impl Rule {
    /// Why it is to have a port of a copy, if that is asked for.
    fn copy_asked_by(&self) -> Option<Reason> {
        let asked = [
            (self.entry, Reason::Asked),
            (self.of_kernel, Reason::AskedOfKernel),
            (self.of_source, Reason::AskedBySource),
        ];
        let first = asked.into_iter().find(|(unit, _)| unit.is_some())?;
        (first.0 == Some(MemoryUnit::Copy)).then_some(first.1)
    }

    fn without_copy(&self) -> Rule {
        let other = |unit: Option<MemoryUnit>| unit.filter(|&it| it != MemoryUnit::Copy);
        Rule {
            of_kernel: other(self.of_kernel),
            of_source: other(self.of_source),
            ..*self
        }
    }

    /// What an access has that is asked to have a unit: a store has one kind of stream.
    fn for_access(&self, unit: MemoryUnit) -> MemoryUnit {
        match unit {
            MemoryUnit::Shared | MemoryUnit::Uniform if !self.is_load => MemoryUnit::Stream,
            MemoryUnit::Cache
            | MemoryUnit::Stream
            | MemoryUnit::Shared
            | MemoryUnit::Uniform
            | MemoryUnit::Copy => unit,
        }
    }
}

fn why_not_stream(set: &AliasSet, data: &InstData, facts: &AccessFacts) -> Option<Reason> {
    let is_load = matches!(data, InstData::Load { .. });
    match () {
        () if set.is_atomic() => Some(Reason::Atomic),
        () if set.is_volatile => Some(Reason::Volatile),
        () if set.is_coherent => Some(Reason::SharedWithKernels),
        () if set.reads && set.writes && !facts.are_apart(set) => Some(Reason::ReadAndWritten),
        () if !is_load && set.stores > 1 => Some(Reason::SeveralStores),
        () => None,
    }
}
