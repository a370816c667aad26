//! Dependences between the iterations of each loop, within one work-item: through values and through
//! memory, with their distances.
//!
//! Of each natural loop, at every level of a nest, this says
//!
//! - which accesses may go to the same bytes in the same or in a later iteration of *this* loop, in one
//!   execution of it: the iterations of the loops around it are the same ([`MemoryDependence`]);
//! - what is computed from what, as a graph with distances ([`Edge`]), and the cycles in it
//!   ([`Recurrence`]), which limit how soon an iteration can follow another one;
//! - what decides whether there is another iteration ([`Control`]);
//! - which instructions have an order among themselves, whatever they access ([`LoopDependences::ordered`]).
//!
//! What *different* work-items do to the same bytes is no part of it: the
//! [access analysis](super::access) says that, and barriers order it.
//!
//! A distance is either proven or assumed: [`Basis`] says which. Subscripts that are linear in the
//! numbers of iterations and in values that do not change in the loop are decided by an exact test over
//! the integers (`integer`, `pair`), in which conditions on the way to an access and exit tests of
//! loops take part (`bounds`). Nothing is assumed about arithmetic that might wrap: where it might, the
//! test counts that in, or the answer has a [condition](MemoryDependence::narrowed) for the launch.
//! Accesses that lie outside their object do nothing, and depend on nothing. A load does not depend on stores that it
//! [may miss](crate::ir::Access::lag). What the source promises
//! ([`Independence`](crate::ir::Independence)) is believed.

mod bounds;
mod graph;
mod integer;
mod linear;
mod nest;
mod pair;
mod print;
mod recurrence;

pub use graph::{Cause, Edge, Node};
pub(crate) use nest::{NestDependence, Span};
pub use recurrence::Recurrence;

use std::collections::{BTreeMap, BTreeSet};

use super::access::numbers::{Numbers, Surroundings};
use super::access::{Access, Accesses, Conditions, Sum};
use super::{Loop, LoopData, Loops};
use crate::ir::{
    AccessKind, Block, Conflict, Effect, Inst, Kernel, Object, ObjectData, ObjectKind, Space,
};
use bounds::LoopBound;
use integer::Budget;
use pair::{Found, Located, Pair, When};

/// Rows of integer systems that are made for one kernel, at most; for one pair, at most.
const MOST_ROWS: u32 = 20_000_000;
const MOST_ROWS_OF_PAIR: u32 = 200_000;

/// Whether launches may pass one buffer for several parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Buffers {
    /// Different objects have no bytes in common, unless an access names both.
    Distinct,
    /// Global buffers that are not `restrict` may be one and the same.
    MayAlias,
}

/// The dependences of all loops of a kernel.
#[derive(Clone, Debug)]
pub struct Dependences {
    loops: Loops,
    list: BTreeMap<Loop, LoopDependences>,
}

/// The dependences of a loop.
#[derive(Clone, Debug)]
pub struct LoopDependences {
    /// Dependences between accesses in the loop, those of inner loops included. Pairs that are both in
    /// one inner loop are listed here only if this loop carries the dependence: what happens in the same
    /// iteration is listed for the inner one.
    pub memory: Vec<MemoryDependence>,
    /// What the loop has of barriers, fences and prints. No access is moved across a barrier or a fence
    /// that orders it, and prints keep their order, from each iteration to the next.
    pub ordered: Vec<Inst>,
    /// What is computed from what.
    pub edges: Vec<Edge>,
    /// What decides whether there is another iteration.
    pub control: Control,
    /// The number of iterations of one execution, at most.
    pub iterations: Option<u64>,
}

impl MemoryDependence {
    /// The dependences of the innermost loop around a block whose source and sink are asked for.
    pub fn between(
        kernel: &Kernel,
        block: Block,
        buffers: Buffers,
        is_asked: impl Fn(Inst, Inst) -> bool,
    ) -> Vec<MemoryDependence> {
        let surroundings = Surroundings::of(kernel, u64::from(u32::MAX));
        let Some(loop_) = surroundings.loops.innermost(block) else {
            return Vec::new();
        };
        let accesses = Accesses::in_surroundings(&surroundings);
        let mut analysis = Analysis::new(&surroundings, &accesses, buffers);
        analysis.memory(loop_, surroundings.loops.get(loop_), &is_asked)
    }
}

/// Two accesses that may go to the same bytes, the sink after the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemoryDependence {
    /// The access that is executed first.
    pub source: Inst,
    /// The access that is executed later.
    pub sink: Inst,
    /// What kind it is.
    pub kind: DependenceKind,
    /// The number of iterations between them.
    pub distance: Distance,
    /// How the distance is known.
    pub basis: Basis,
    /// What is known in launches that meet conditions.
    pub narrowed: Option<Narrowed>,
}

/// What is known of a dependence in some launches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Narrowed {
    /// What a launch has to meet.
    pub conditions: Conditions,
    /// The distance in such launches; none if there is no dependence.
    pub distance: Option<Distance>,
}

/// What a dependence is due to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum DependenceKind {
    /// The sink reads what the source has written.
    Flow,
    /// The sink overwrites what the source has read.
    Anti,
    /// The sink overwrites what the source has written.
    Output,
    /// Both are volatile and happen in the order of the program.
    Order,
}

/// The number of iterations from the source to the sink of a dependence.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Distance {
    /// Always this. 0 is the same iteration.
    Exactly(u64),
    /// At least this, which is not 0.
    AtLeast(u64),
}

impl From<Conflict> for DependenceKind {
    fn from(conflict: Conflict) -> DependenceKind {
        match conflict {
            Conflict::Flow => DependenceKind::Flow,
            Conflict::Anti => DependenceKind::Anti,
            Conflict::Output => DependenceKind::Output,
        }
    }
}

impl Distance {
    /// The least number of iterations.
    pub fn least(self) -> u64 {
        match self {
            Distance::Exactly(distance) | Distance::AtLeast(distance) => distance,
        }
    }

    /// What is left of it if no dependence has a distance of less than `safe` iterations.
    fn if_safe(self, safe: u64) -> Option<Distance> {
        match self {
            Distance::Exactly(distance) => (distance >= safe).then_some(self),
            Distance::AtLeast(distance) => Some(Distance::AtLeast(distance.max(safe))),
        }
    }
}

/// How a distance is known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Basis {
    /// It follows from subscripts that are linear in iterations and values that do not change in the loop.
    Exact,
    /// A subscript depends on values that may change in each iteration.
    Data,
    /// Assumed: an address is not known.
    UnknownAddress,
    /// Assumed: the two buffers may be the same.
    Aliasing,
    /// Assumed: an access is atomic or volatile.
    Ordered,
    /// Assumed: a subscript has products that vary in ways that are not understood.
    NotLinear,
    /// Assumed: the computation of an address may wrap.
    MayWrap,
    /// Assumed: the question is too large.
    TooLarge,
}

/// What decides whether a loop has another iteration.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Control {
    /// The branches that may leave the loop.
    pub exits: Vec<Inst>,
    /// What they are computed from in the loop, block parameters included.
    pub nodes: Vec<Node>,
    /// Whether a load is among it: whether there is another iteration depends on memory.
    pub reads_memory: bool,
}

impl Dependences {
    /// The dependences of a kernel that has passed verification.
    pub fn of(kernel: &Kernel, buffers: Buffers) -> Dependences {
        let surroundings = Surroundings::of(kernel, u64::from(u32::MAX));
        let accesses = Accesses::in_surroundings(&surroundings);
        let mut analysis = Analysis::new(&surroundings, &accesses, buffers);
        let loops = surroundings.loops.iter();
        let list = loops.map(|(loop_, data)| (loop_, analysis.of_loop(loop_, data)));
        Dependences {
            list: list.collect(),
            loops: surroundings.loops.clone(),
        }
    }

    /// The loops of the kernel.
    pub fn loops(&self) -> &Loops {
        &self.loops
    }

    /// The dependences of a loop.
    pub fn get(&self, loop_: Loop) -> &LoopDependences {
        &self.list[&loop_]
    }

    /// The dependences of all loops, each loop behind those around it.
    pub fn iter(&self) -> impl Iterator<Item = (Loop, &LoopDependences)> {
        self.list.iter().map(|(&loop_, it)| (loop_, it))
    }
}

impl LoopDependences {
    /// Those of the innermost loop around a block alone.
    pub fn of(kernel: &Kernel, buffers: Buffers, block: Block) -> LoopDependences {
        let surroundings = Surroundings::of(kernel, u64::from(u32::MAX));
        let accesses = Accesses::in_surroundings(&surroundings);
        let mut analysis = Analysis::new(&surroundings, &accesses, buffers);
        let loop_ = surroundings
            .loops
            .innermost(block)
            .expect("it is in a loop");
        analysis.of_loop(loop_, surroundings.loops.get(loop_))
    }

    /// The dependences through memory from an iteration to later ones.
    pub fn carried(&self) -> impl Iterator<Item = &MemoryDependence> {
        self.memory.iter().filter(|it| it.distance.least() > 0)
    }

    /// The dependences through memory within an iteration.
    pub fn within(&self) -> impl Iterator<Item = &MemoryDependence> {
        self.memory.iter().filter(|it| it.distance.least() == 0)
    }

    /// The cycles through values alone: what is computed from what it was in earlier iterations.
    pub fn value_recurrences(&self) -> Vec<Recurrence> {
        recurrence::find(&self.edges, |edge| match edge.cause {
            Cause::Value | Cause::Control => true,
            Cause::Memory(_) => false,
        })
    }

    /// The cycles through values and memory.
    pub fn recurrences(&self) -> Vec<Recurrence> {
        recurrence::find(&self.edges, |_| true)
    }
}

struct Analysis<'k> {
    surroundings: &'k Surroundings<'k>,
    accesses: &'k Accesses,
    bounds: BTreeMap<Loop, Vec<LoopBound>>,
    numbers: BTreeMap<Block, Numbers<'k>>,
    not_negative: BTreeMap<Inst, Vec<Sum>>,
    /// Buffers of which several may be one.
    aliases: BTreeSet<Object>,
    budget: Budget,
}

impl<'k> Analysis<'k> {
    fn new(
        surroundings: &'k Surroundings<'k>,
        accesses: &'k Accesses,
        buffers: Buffers,
    ) -> Analysis<'k> {
        let mut numbers = BTreeMap::new();
        let mut not_negative = BTreeMap::new();
        let in_loops = accesses
            .iter()
            .filter(|access| surroundings.loops.innermost(access.block).is_some());
        for access in in_loops {
            let numbers = numbers
                .entry(access.block)
                .or_insert_with(|| Numbers::at(surroundings, access.block));
            let sums = bounds::of_access(numbers, access.block, access.inst);
            not_negative.insert(access.inst, sums);
        }
        let objects = surroundings.kernel.objects.iter();
        let aliases = objects.filter(|(_, data)| may_alias(surroundings.kernel, data));
        Analysis {
            surroundings,
            accesses,
            bounds: bounds::of_loops(surroundings),
            numbers,
            not_negative,
            aliases: match buffers {
                Buffers::Distinct => BTreeSet::new(),
                Buffers::MayAlias => aliases.map(|(object, _)| object).collect(),
            },
            budget: Budget(MOST_ROWS),
        }
    }

    fn of_loop(&mut self, loop_: Loop, data: &LoopData) -> LoopDependences {
        let kernel = self.surroundings.kernel;
        let memory = self.memory(loop_, data, &|_, _| true);
        let edges = graph::edges(self.surroundings, loop_, &memory);
        let insts = data.blocks.iter().flat_map(|&it| &kernel.block(it).insts);
        let is_ordered = |inst: &Inst| match kernel.inst(*inst).effect() {
            Effect::Barrier(_) | Effect::Fence(_) | Effect::Print => true,
            Effect::Pure | Effect::Access(_) | Effect::Control => false,
        };
        let rounds = self.surroundings.rounds(loop_);
        LoopDependences {
            control: graph::control(kernel, data, &edges),
            ordered: insts.copied().filter(is_ordered).collect(),
            iterations: rounds.map(|rounds| rounds.saturating_add(1)),
            memory,
            edges,
        }
    }

    fn memory(
        &mut self,
        loop_: Loop,
        data: &LoopData,
        is_asked: &dyn Fn(Inst, Inst) -> bool,
    ) -> Vec<MemoryDependence> {
        let accesses = self.accesses;
        let loops = &self.surroundings.loops;
        let inside = accesses.iter();
        let inside: Vec<&Access> = inside
            .filter(|access| loops.contains(loop_, access.block))
            .collect();
        let order = graph::Order::of(self.surroundings.kernel, data);
        let mut found = Vec::new();
        for &source in &inside {
            for &sink in &inside {
                let Some(kind) = kind(source, sink).filter(|_| is_asked(source.inst, sink.inst))
                else {
                    continue;
                };
                let are_here = common_loop(loops, source.block, sink.block) == Some(loop_);
                if are_here && order.is_before(source, sink) {
                    found.extend(self.pair(loop_, (source, sink, kind), When::Same));
                }
                found.extend(self.pair(loop_, (source, sink, kind), When::Later));
            }
        }
        found
    }

    fn pair(
        &mut self,
        loop_: Loop,
        (source, sink, kind): (&'k Access, &'k Access, DependenceKind),
        when: When,
    ) -> Option<MemoryDependence> {
        let found = self.found(loop_, (source, sink, kind), when)?;
        let promised = |distance| {
            let left = self.promised(loop_, source, sink, distance)?;
            self.without_lag(loop_, source, sink, left)
        };
        let narrowed = found.narrowed.map(|(conditions, distance)| Narrowed {
            conditions,
            distance: distance.and_then(promised),
        });
        let distance = promised(found.distance?)?;
        Some(MemoryDependence {
            source: source.inst,
            sink: sink.inst,
            kind,
            distance,
            basis: found.basis,
            narrowed,
        })
    }

    /// What the hints of a loop leave of a distance. Atomic and volatile accesses keep their order.
    fn promised(
        &self,
        loop_: Loop,
        source: &Access,
        sink: &Access,
        distance: Distance,
    ) -> Option<Distance> {
        let Surroundings { kernel, loops, .. } = self.surroundings;
        if distance.least() == 0 || is_ordered(source) || is_ordered(sink) {
            return Some(distance);
        }
        let mut left = Some(distance);
        let kind = kind(source, sink);
        let hints = &kernel.block(loops.get(loop_).header).hints.independence;
        for hint in hints {
            if hint.conflict.is_some_and(|it| kind != Some(it.into())) {
                continue;
            }
            let is_named = |object: Object| match &hint.array {
                Some(name) => kernel.objects[object].name == *name,
                None => true,
            };
            // Both go to the array alone, or one does and the other may.
            let is_meant = |it: &Access| it.objects.iter().all(is_named);
            if is_meant(source) || is_meant(sink) {
                let safe = hint.safe_length?;
                left = left.and_then(|left| left.if_safe(safe.into()));
            }
        }
        left
    }

    /// What is left of a distance behind the iterations that a load may miss.
    fn without_lag(
        &self,
        loop_: Loop,
        source: &Access,
        sink: &Access,
        distance: Distance,
    ) -> Option<Distance> {
        let may_miss = sink.lag > 0
            && source.kind == AccessKind::Write
            && self.surroundings.loops.innermost(sink.block) == Some(loop_);
        match may_miss {
            true => distance.if_safe(u64::from(sink.lag) + 1),
            false => Some(distance),
        }
    }

    fn found(
        &mut self,
        loop_: Loop,
        (source, sink, kind): (&'k Access, &'k Access, DependenceKind),
        when: When,
    ) -> Option<Found> {
        let assumed = |basis| Some(Found::assumed(when, basis));
        if kind == DependenceKind::Order {
            return assumed(Basis::Ordered);
        }
        match self.relation(source, sink) {
            Relation::Apart => return None,
            Relation::Aliases => return assumed(Basis::Aliasing),
            Relation::Unknown => return assumed(Basis::UnknownAddress),
            Relation::OneObject => {}
        }
        if is_ordered(source) || is_ordered(sink) {
            return assumed(Basis::Ordered);
        }
        let pair = Pair {
            surroundings: self.surroundings,
            bounds: &self.bounds,
            loop_,
            source: self.locate(source),
            sink: self.locate(sink),
            when,
        };
        let mut budget = Budget(self.budget.0.min(MOST_ROWS_OF_PAIR));
        let given = budget.0;
        let found = pair.distance(&mut budget);
        self.budget.0 -= given - budget.0;
        Some(found)
    }

    fn locate<'p>(&'p self, access: &'p Access) -> Located<'p, 'k> {
        Located {
            access,
            numbers: &self.numbers[&access.block],
            not_negative: &self.not_negative[&access.inst],
        }
    }

    /// Which objects two accesses have in common.
    fn relation(&self, a: &Access, b: &Access) -> Relation {
        let both_aliased = || {
            let has_alias = |it: &Access| it.objects.iter().any(|it| self.aliases.contains(&it));
            has_alias(a) && has_alias(b)
        };
        match (a.objects.single(), b.objects.single()) {
            (Some(one), Some(other)) if one == other => Relation::OneObject,
            (Some(_), Some(_)) if both_aliased() => Relation::Aliases,
            (Some(_), Some(_)) => Relation::Apart,
            _ if a.objects.intersects(&b.objects) || both_aliased() => Relation::Unknown,
            _ => Relation::Apart,
        }
    }
}

/// What the objects of two accesses say about them.
enum Relation {
    /// They have no bytes in common.
    Apart,
    /// They go to the same object.
    OneObject,
    /// They go to buffers that may be the same.
    Aliases,
    /// They may go to the same object.
    Unknown,
}

/// Whether the order of an access matters, wherever it goes.
fn is_ordered(access: &Access) -> bool {
    access.is_volatile || access.kind == AccessKind::Atomic
}

/// Whether a launch may pass an object's memory for another parameter, too.
fn may_alias(kernel: &Kernel, object: &ObjectData) -> bool {
    match object.kind {
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
    }
}

/// What the sink of two accesses depends on the source for.
fn kind(source: &Access, sink: &Access) -> Option<DependenceKind> {
    match (source.writes(), sink.reads(), sink.writes()) {
        (true, true, _) => Some(DependenceKind::Flow),
        (true, false, true) => Some(DependenceKind::Output),
        (false, _, true) => Some(DependenceKind::Anti),
        _ if source.is_volatile && sink.is_volatile => Some(DependenceKind::Order),
        _ => None,
    }
}

/// The smallest loop around both blocks.
fn common_loop(loops: &Loops, a: Block, b: Block) -> Option<Loop> {
    let mut around = loops.innermost(a);
    while let Some(loop_) = around {
        if loops.contains(loop_, b) {
            break;
        }
        around = loops.get(loop_).parent;
    }
    around
}
