//! Relations between two accesses: whether they can go to the same bytes, and whether a load can read
//! what a store has written.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::numbers::Surroundings;
use super::separation::{role_between_items, role_between_iterations, separate};
use super::{Access, Accesses, Conditions, Form, Only, Stride, Term, holds};
use crate::analysis::uniform::Scope;
use crate::analysis::{Loop, Loops};
use crate::ir::{AccessKind, Block, Inst, Object, Space};

/// Whether two accesses can go to the same bytes, by whichever work-items and in whichever iterations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Overlap {
    /// They cannot.
    Never,
    /// Perhaps they can.
    Maybe,
}

/// Whether a load can read what a store has written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadAfterWrite {
    /// What the same work-item has written before.
    pub own: Answer,
    /// What another work-item writes, at any time.
    pub others: Answer,
    /// Nothing in the kernel orders such accesses of different work-items: a launch in which one
    /// reads what another one writes has a data race.
    pub only_in_races: bool,
}

/// Whether something can happen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It cannot, in launches for which these conditions hold.
    Never(Conditions),
    /// Perhaps it can.
    Maybe(Reason),
}

/// Why something cannot be excluded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// An address is not known.
    UnknownAddress,
    /// An access is atomic.
    Atomic,
    /// An access is volatile.
    Volatile,
    /// The addresses are not of the same form.
    DifferentForms,
    /// An address is not linear in what differs.
    NotLinear,
    /// Different ids or iterations can lead to the same address.
    NotSeparated,
    /// The address is the same in each iteration of a loop.
    EachIteration,
    /// The store comes before the load.
    StoreFirst,
    /// The computation of an address may wrap.
    Wraps,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::UnknownAddress => "an address is not known",
            Reason::Atomic => "an access is atomic",
            Reason::Volatile => "an access is volatile",
            Reason::DifferentForms => "the addresses are not of the same form",
            Reason::NotLinear => "an address is not linear in ids and iterations",
            Reason::NotSeparated => "different ids or iterations may lead to the same address",
            Reason::EachIteration => "the address is the same in each iteration of a loop",
            Reason::StoreFirst => "the store comes before the load",
            Reason::Wraps => "the computation of an address may wrap",
        })
    }
}

impl Answer {
    fn never() -> Answer {
        Answer::Never(Conditions::default())
    }

    /// Whether one of two things can happen.
    fn and(self, other: &Answer) -> Answer {
        match (self, other) {
            (Answer::Never(one), Answer::Never(other)) => Answer::Never(one.and(other)),
            (Answer::Maybe(reason), _) | (_, &Answer::Maybe(reason)) => Answer::Maybe(reason),
        }
    }

    /// The conditions under which it cannot happen.
    pub fn conditions(&self) -> Option<&Conditions> {
        match self {
            Answer::Never(conditions) => Some(conditions),
            Answer::Maybe(_) => None,
        }
    }
}

impl Accesses {
    /// Whether two accesses of one object can go to the same bytes. Accesses whose object is not known
    /// perhaps can; what different objects have in common is not asked here.
    pub fn overlap(&self, a: Inst, b: Inst) -> Overlap {
        match (self.get(a), self.get(b)) {
            (Some(a), Some(b)) => overlap(a, b),
            _ => Overlap::Maybe,
        }
    }

    /// The distance from the bytes of `a` to those of `b`, executed by one work-item in the same
    /// iterations of all loops around either, if it is the same each time.
    pub fn distance(&self, a: Inst, b: Inst) -> Option<Stride> {
        let (a, b) = (self.get(a)?, self.get(b)?);
        let (from, to) = (a.form.as_ref().ok()?, b.form.as_ref().ok()?);
        let common = self.flow.common_loops(a.block, b.block);
        let roles = |access: &Access, term| role_between_iterations(access, term, &common);
        let is_same = |access: &Access, form: &Form| {
            let mut terms = form.sum.terms();
            terms.all(|term| roles(access, term) != super::separation::Role::Free)
        };
        if from.object != to.object || !is_same(a, from) || !is_same(b, to) {
            return None;
        }
        let bytes = to.sum.minus(&from.sum)?;
        let modulus = from.modulus.into_iter().chain(to.modulus).min();
        let ends = (
            b.bounds.greatest - a.bounds.least,
            a.bounds.greatest - b.bounds.least,
        );
        let holds = holds(modulus, ends.0.max(ends.1).max(0), &bytes);
        bytes.as_constant()?;
        Some(Stride { bytes, holds })
    }

    /// Whether a load can read what a store writes: both may be atomic operations.
    pub fn read_after_write(&self, load: Inst, store: Inst) -> ReadAfterWrite {
        let maybe = |reason| ReadAfterWrite {
            own: Answer::Maybe(reason),
            others: Answer::Maybe(reason),
            only_in_races: false,
        };
        let (Some(load), Some(store)) = (self.get(load), self.get(store)) else {
            return maybe(Reason::UnknownAddress);
        };
        let both = [load, store];
        let (Ok(at), Ok(to)) = (&load.form, &store.form) else {
            return maybe(Reason::UnknownAddress);
        };
        if both.iter().any(|access| access.kind == AccessKind::Atomic) {
            return maybe(Reason::Atomic);
        }
        if both.iter().any(|access| access.is_volatile) {
            return maybe(Reason::Volatile);
        }
        let space = self.objects[&at.object];
        let only_in_races = match space {
            Space::Local => !self.synchronises.local,
            Space::Global | Space::Constant | Space::Private | Space::Generic => {
                !self.synchronises.global
            }
        };
        let (own, others) = match at.object != to.object || overlap(load, store) == Overlap::Never {
            true => (Answer::never(), Answer::never()),
            false => (self.own(load, store), self.others(load, store, space)),
        };
        ReadAfterWrite {
            own,
            others,
            only_in_races,
        }
    }

    /// Whether any load from an object can read what any store to it writes. Accesses that may lead
    /// to other objects as well count.
    pub fn read_after_write_of(&self, object: Object) -> ReadAfterWrite {
        let mut all = ReadAfterWrite {
            own: Answer::never(),
            others: Answer::never(),
            only_in_races: true,
        };
        let touches = |access: &&Access| access.objects.contains(object);
        for load in self.iter().filter(touches).filter(|it| it.reads()) {
            for store in self.iter().filter(touches).filter(|it| it.writes()) {
                let pair = self.read_after_write(load.inst, store.inst);
                all = ReadAfterWrite {
                    own: all.own.and(&pair.own),
                    others: all.others.and(&pair.others),
                    only_in_races: all.only_in_races && pair.only_in_races,
                };
            }
        }
        all
    }

    /// Whether a work-item can read by `load` what it has written by `store` before.
    fn own(&self, load: &Access, store: &Access) -> Answer {
        if !self.flow.reaches(store, load, &[]) {
            return Answer::never();
        }
        let common = self.flow.common_loops(load.block, store.block);
        let role = |access: &Access, term| role_between_iterations(access, term, &common);
        let separation = match separate(load, store, &role) {
            Ok(separation) => separation,
            Err(reason) => return Answer::Maybe(reason),
        };
        let is_equal = |loop_: &Loop| separation.equal.contains(&Term::Iteration(*loop_));
        if !common.iter().all(is_equal) {
            return Answer::Maybe(Reason::EachIteration);
        }
        // In the same iterations the store comes later, or the bytes are others.
        let window = -i128::from(load.bytes)..i128::from(store.bytes);
        let is_apart = separation.is_complete
            && (separation.distance == window.start || !window.contains(&separation.distance));
        match is_apart || !self.flow.reaches(store, load, &common) {
            true => Answer::Never(separation.conditions),
            false => Answer::Maybe(Reason::StoreFirst),
        }
    }

    /// Whether a work-item can read by `load` what another one writes by `store`.
    fn others(&self, load: &Access, store: &Access, space: Space) -> Answer {
        let sharing = match space {
            Space::Private => return Answer::never(),
            Space::Local => Scope::Group,
            Space::Global | Space::Constant | Space::Generic => Scope::Launch,
        };
        let role = |_: &Access, term| role_between_items(term, sharing);
        let separation = match separate(load, store, &role) {
            Ok(separation) => separation,
            Err(reason) => return Answer::Maybe(reason),
        };
        let mut conditions = separation.conditions;
        for dim in 0..3 {
            conditions.dims[dim] = self.needed(dim, &separation.equal, sharing);
        }
        Answer::Never(conditions)
    }

    /// What a dimension may have only one of, so that different work-items differ in one of the terms.
    fn needed(&self, dim: usize, terms: &[Term], sharing: Scope) -> Option<Only> {
        let number = dim as u8;
        let has = |term: Term| terms.contains(&term);
        let is_single = self.required.is_some_and(|size| size[dim] == 1);
        if has(Term::GlobalId(number)) {
            return None;
        }
        let has_local = has(Term::LocalId(number)) || is_single;
        let has_group = has(Term::GroupId(number)) || sharing == Scope::Group;
        match (has_local, has_group) {
            (true, true) => None,
            (true, false) => Some(Only::Group),
            (false, true) => Some(Only::ItemOfGroup),
            (false, false) => Some(Only::Item),
        }
    }
}

/// Accesses are apart if their ranges are, or their distance is never in the window modulo what the
/// coefficients have in common.
fn overlap(a: &Access, b: &Access) -> Overlap {
    let (Ok(form_a), Ok(form_b)) = (&a.form, &b.form) else {
        return Overlap::Maybe;
    };
    if form_a.object != form_b.object {
        return Overlap::Never;
    }
    if let (Some(range_a), Some(range_b)) = (a.range, b.range) {
        let ends_before = |one: &Access, least: i128, greatest: i128| {
            greatest.saturating_add(one.bytes.into()) <= least
        };
        if ends_before(a, range_b.least, range_a.greatest)
            || ends_before(b, range_a.least, range_b.greatest)
        {
            return Overlap::Never;
        }
    }
    match are_apart_modulo(a, b, form_a, form_b) {
        true => Overlap::Never,
        false => Overlap::Maybe,
    }
}

fn are_apart_modulo(a: &Access, b: &Access, form_a: &Form, form_b: &Form) -> bool {
    let mut common: i128 = 0;
    for modulus in form_a.modulus.into_iter().chain(form_b.modulus) {
        common = gcd(common, 1 << modulus);
    }
    let coefficients_of = |form: &Form| -> BTreeMap<_, i128> {
        let products = form.sum.products();
        products
            .map(|(product, coefficient)| (product.clone(), coefficient))
            .collect()
    };
    let (in_a, in_b) = (coefficients_of(form_a), coefficients_of(form_b));
    for (one, other) in [(&in_a, &in_b), (&in_b, &in_a)] {
        for (product, &coefficient) in one {
            let mut factors = product.factors().iter();
            let is_same = factors
                .all(|term| term.scope() == Scope::Launch && !matches!(term, Term::Iteration(_)));
            // What the launch decides is the same in both; constants make up the distance.
            let cancels = is_same && other.get(product) == Some(&coefficient);
            if !cancels && !product.factors().is_empty() {
                common = gcd(common, coefficient);
            }
        }
    }
    let Some(distance) = form_a.sum.offset().checked_sub(form_b.sum.offset()) else {
        return false;
    };
    let least = match common {
        0 => distance,
        _ => distance.rem_euclid(common),
    };
    // The least distance that is not negative, and the greatest that is.
    let is_clear = |distance: i128| distance >= b.bytes.into() || distance <= -i128::from(a.bytes);
    is_clear(least) && (common == 0 || is_clear(least - common))
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a as i128
}

/// What can be executed behind what.
pub(super) struct ControlFlow {
    loops: Loops,
    successors: BTreeMap<Block, Vec<Block>>,
    positions: BTreeMap<Inst, usize>,
}

impl ControlFlow {
    pub(super) fn of(surroundings: &Surroundings<'_>) -> ControlFlow {
        let kernel = surroundings.kernel;
        let mut flow = ControlFlow {
            loops: surroundings.loops.clone(),
            successors: BTreeMap::new(),
            positions: BTreeMap::new(),
        };
        for &block in kernel.layout() {
            let targets = kernel.successors(block).iter().map(|call| call.block);
            flow.successors.insert(block, targets.collect());
            for (at, &inst) in kernel.block(block).insts.iter().enumerate() {
                flow.positions.insert(inst, at);
            }
        }
        flow
    }

    pub(super) fn loops(&self) -> &Loops {
        &self.loops
    }

    /// The loops around both blocks.
    fn common_loops(&self, a: Block, b: Block) -> Vec<Loop> {
        let loops = self.loops.iter().map(|(loop_, _)| loop_);
        loops
            .filter(|&it| self.loops.contains(it, a) && self.loops.contains(it, b))
            .collect()
    }

    /// Whether one access can be executed behind another one without going round these loops.
    fn reaches(&self, from: &Access, to: &Access, loops: &[Loop]) -> bool {
        if from.block == to.block && self.positions[&from.inst] < self.positions[&to.inst] {
            return true;
        }
        let goes_round = |source: Block, target: Block| {
            let mut loops = loops.iter();
            loops.any(|&loop_| {
                self.loops.get(loop_).header == target && self.loops.contains(loop_, source)
            })
        };
        let mut seen: BTreeSet<Block> = BTreeSet::new();
        let mut work = vec![from.block];
        while let Some(block) = work.pop() {
            for &next in &self.successors[&block] {
                if !goes_round(block, next) && seen.insert(next) {
                    work.push(next);
                }
            }
        }
        seen.contains(&to.block)
    }
}
