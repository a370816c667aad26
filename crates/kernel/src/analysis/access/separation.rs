//! Separation: whether the ids of a work-item, or the numbers of the iterations that it is in, can be
//! read off the address of an access.
//!
//! Two accesses have bytes in common if the distance of their addresses is in a window around zero.
//! If both forms have the same coefficients, that distance is a constant plus a sum of coefficients
//! times differences of terms. Let the coefficients be `c1 <= c2 <= ...`, and let the terms with
//! lower coefficients and the window together never reach `ci`: then a difference of term `i` other
//! than 0 takes the distance out of the window, whatever the lower ones are. So all differences are 0,
//! the last one first. Coefficients and extents may be products of values that the launch decides:
//! `y * w + x` separates `x` and `y` if every `x` is less than `w`.
//!
//! Addresses that are known modulo 2^k need in addition that no distance reaches 2^k: that is shown
//! by ranges, or becomes a condition for the launch.

use std::collections::BTreeMap;

use sluice_circuit::arith::Signedness::{Signed, Unsigned};

use super::conditions::{Extent, Part, Reach};
use super::form::{Interval, Product, Sum, Symbol, Term};
use super::numbers::Numbers;
use super::{Access, Conditions, Form, Reason};
use crate::analysis::Loop;
use crate::analysis::guards::Comparison;
use crate::analysis::uniform::Scope;
use crate::ir::{InstData, Query, Relation};

/// What is known of the terms of a form where its access stands.
#[derive(Clone, Debug, Default)]
pub(super) struct Extents {
    intervals: BTreeMap<Term, Interval>,
    /// Terms, what they are less than, and what the term itself has to be below for that.
    limits: Vec<Limit>,
    /// Values that are computed at most once.
    settled: Vec<Term>,
}

/// A term that is not negative and less than another one.
#[derive(Clone, Debug)]
struct Limit {
    term: Term,
    less_than: Term,
    /// Holds if the term is below this.
    if_below: Option<i128>,
}

impl Extents {
    pub(super) fn of(numbers: &Numbers<'_>, form: &Form, comparisons: &[Comparison]) -> Extents {
        let surroundings = numbers.surroundings;
        let mut extents = Extents::default();
        for term in form.sum.terms() {
            if let Some(interval) = numbers.interval_of(term) {
                extents.intervals.insert(term, interval);
            }
            if let Term::Value(symbol) = term {
                let home = surroundings.homes[symbol.value];
                let is_in_loop = home.is_none_or(|it| surroundings.loops.innermost(it).is_some());
                if surroundings.loops.is_reducible() && !is_in_loop {
                    extents.settled.push(term);
                }
                extents.limits.extend(size_limit(numbers, symbol));
            }
        }
        for comparison in comparisons {
            extents.limits.extend(limits(numbers, comparison));
        }
        extents
    }

    fn is_positive(&self, term: Term) -> bool {
        let by_range = self.intervals.get(&term).is_some_and(|it| it.least >= 1);
        by_range
            || self
                .limits
                .iter()
                .any(|limit| limit.less_than == term && limit.if_below.is_none())
    }
}

/// The difference of two ids is less than the size of the index space.
fn size_limit(numbers: &Numbers<'_>, symbol: Symbol) -> Option<Limit> {
    let kernel = numbers.surroundings.kernel;
    let &InstData::Query { query, dim } = kernel.def_inst(symbol.value)? else {
        return None;
    };
    if symbol.reading != Unsigned || kernel.ty(symbol.value).bits() < 32 {
        return None;
    }
    let term = match query {
        Query::GlobalSize => Term::GlobalId(dim),
        Query::LocalSize => Term::LocalId(dim),
        Query::NumGroups => Term::GroupId(dim),
        Query::GlobalId
        | Query::LocalId
        | Query::GroupId
        | Query::GlobalOffset
        | Query::WorkDim
        | Query::ItemSlot
        | Query::GroupSlot => return None,
    };
    Some(Limit {
        term,
        less_than: Term::Value(symbol),
        if_below: None,
    })
}

/// What a comparison says about a term and a value that the launch decides.
fn limits(numbers: &Numbers<'_>, comparison: &Comparison) -> Vec<Limit> {
    let Relation::Less(reading) = comparison.relation else {
        return Vec::new();
    };
    let [a, b] = comparison.args;
    let (left, right) = (numbers.of(a), numbers.of(b));
    let (Some(term), Some(Term::Value(symbol))) = (left.sum.as_term(), right.sum.as_term()) else {
        return Vec::new();
    };
    if symbol.scope != Scope::Launch || matches!(term, Term::Value(_) | Term::Base(_)) {
        return Vec::new();
    }
    let limit = |reading, if_below| Limit {
        term,
        less_than: Term::Value(Symbol { reading, ..symbol }),
        if_below,
    };
    let is_whole = right.bits == right.width;
    match reading {
        Unsigned
            if numbers.is_exact(a, &left, Unsigned) && numbers.is_exact(b, &right, Unsigned) =>
        {
            vec![limit(symbol.reading, None)]
        }
        // What is greater than something that is not negative is the same in both readings.
        Signed if is_whole && numbers.is_exact(a, &left, Signed) => {
            vec![limit(Signed, None), limit(Unsigned, None)]
        }
        Signed if is_whole && numbers.is_exact(a, &left, Unsigned) => {
            let if_below = Some(1 << (left.width - 1));
            vec![limit(Signed, if_below), limit(Unsigned, if_below)]
        }
        Unsigned | Signed => Vec::new(),
    }
}

/// How a term differs between two accesses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// Not at all.
    Fixed,
    /// Whether it does is the question.
    Sought,
    /// In some way.
    Free,
}

/// Whether terms differ, and under which conditions that can be told.
pub(super) struct Separation {
    /// The terms that are equal if the accesses have bytes in common.
    pub(super) equal: Vec<Term>,
    /// Whether all terms are among them, or the same anyway.
    pub(super) is_complete: bool,
    /// The distance of the addresses if all terms are equal.
    pub(super) distance: i128,
    pub(super) conditions: Conditions,
}

/// A term with its coefficient in both forms.
struct Variable {
    term: Term,
    role: Role,
    coefficient: i128,
    factors: Product,
    /// The greatest difference, if it is known.
    extent: Option<i128>,
    /// What the difference is less than.
    limits: Vec<(Term, Option<i128>)>,
}

/// Separates two accesses of one object whose terms have these roles.
pub(super) fn separate(
    a: &Access,
    b: &Access,
    role: &dyn Fn(&Access, Term) -> Role,
) -> Result<Separation, Reason> {
    let (Ok(form_a), Ok(form_b)) = (&a.form, &b.form) else {
        return Err(Reason::UnknownAddress);
    };
    let parts_a = Parts::of(&form_a.sum, &|term| role(a, term))?;
    let parts_b = Parts::of(&form_b.sum, &|term| role(b, term))?;
    if parts_a.fixed != parts_b.fixed {
        return Err(Reason::DifferentForms);
    }
    let distance = parts_a.constant.checked_sub(parts_b.constant);
    let mut distance = distance.ok_or(Reason::Wraps)?;
    let mut variables = variables([(a, &parts_a), (b, &parts_b)], role, &mut distance)?;
    variables.sort_by_key(|it| (it.factors.factors().len(), it.coefficient.abs()));
    if distance.abs() > i64::MAX.into() {
        return Err(Reason::Wraps);
    }
    let before = i128::from(a.bytes) + distance;
    let after = i128::from(b.bytes) - distance;
    let window = before.abs().max(after.abs()).max(1);
    let is_positive = |term: Term| a.extents.is_positive(term) && b.extents.is_positive(term);
    let mut noise: Vec<Variable> = Vec::new();
    let mut conditions = loop {
        let parts = noise
            .iter()
            .map(|it| it.coefficient.abs().saturating_mul(it.extent.unwrap_or(0)));
        match climb(
            &variables,
            parts.fold(window, i128::saturating_add),
            &is_positive,
        ) {
            Ok(conditions) => break conditions,
            Err(at) => {
                let failed = variables.remove(at);
                let is_bounded = failed.extent.is_some() && failed.factors.factors().is_empty();
                if failed.role == Role::Sought || !is_bounded {
                    return Err(Reason::NotSeparated);
                }
                noise.push(failed);
            }
        }
    };
    let bits = form_a.modulus.into_iter().chain(form_b.modulus).min();
    if let Some(bits) = bits {
        let all = variables.iter().chain(&noise);
        let reach = reach(all, bits, window + 2 * distance.abs())?;
        conditions.reach.extend(reach);
    }
    Ok(Separation {
        is_complete: noise.is_empty(),
        equal: variables.iter().map(|variable| variable.term).collect(),
        distance,
        conditions,
    })
}

/// A sum by what its terms do.
struct Parts {
    constant: i128,
    fixed: BTreeMap<Product, i128>,
    varying: BTreeMap<Term, Sum>,
}

impl Parts {
    fn of(sum: &Sum, role: &dyn Fn(Term) -> Role) -> Result<Parts, Reason> {
        let mut parts = Parts {
            constant: 0,
            fixed: BTreeMap::new(),
            varying: BTreeMap::new(),
        };
        for (product, coefficient) in sum.products() {
            let factors = product.factors().iter().copied();
            let (fixed, varying): (Vec<Term>, Vec<Term>) =
                factors.partition(|&factor| role(factor) == Role::Fixed);
            match (&varying[..], &fixed[..]) {
                ([], []) => parts.constant = coefficient,
                ([], _) => {
                    parts.fixed.insert(product.clone(), coefficient);
                }
                ([term], _) => {
                    let more = Sum::product(Product::of(fixed), coefficient);
                    let sum = parts.varying.entry(*term).or_default();
                    *sum = sum.plus(&more).ok_or(Reason::NotLinear)?;
                }
                (_, _) => return Err(Reason::NotLinear),
            }
        }
        Ok(parts)
    }
}

/// The terms that differ. What only one form has is taken from the least value that it has there,
/// which becomes part of the distance.
fn variables(
    sides: [(&Access, &Parts); 2],
    role: &dyn Fn(&Access, Term) -> Role,
    distance: &mut i128,
) -> Result<Vec<Variable>, Reason> {
    let [(a, in_a), (b, in_b)] = sides;
    let mut terms: Vec<Term> = in_a
        .varying
        .keys()
        .chain(in_b.varying.keys())
        .copied()
        .collect();
    terms.sort_unstable();
    terms.dedup();
    let mut variables = Vec::new();
    for term in terms {
        match (in_a.varying.get(&term), in_b.varying.get(&term)) {
            (Some(one), Some(other)) if one == other => {
                let (coefficient, factors) = single(one)?;
                variables.push(Variable {
                    term,
                    role: role(a, term),
                    coefficient,
                    factors,
                    extent: difference(a, b, term),
                    limits: common_limits(a, b, term),
                });
            }
            (one, other) => {
                if role(a, term) == Role::Sought {
                    return Err(Reason::DifferentForms);
                }
                for (access, sum, sign) in [(a, one, 1), (b, other, -1)] {
                    if let Some(sum) = sum {
                        variables.push(one_sided(access, term, sum, (sign, distance))?);
                    }
                }
            }
        }
    }
    Ok(variables)
}

/// A term that one form has with this coefficient. Its least value moves the distance by that much,
/// with the sign of the form in it.
fn one_sided(
    access: &Access,
    term: Term,
    coefficient: &Sum,
    (sign, distance): (i128, &mut i128),
) -> Result<Variable, Reason> {
    let (coefficient, factors) = single(coefficient)?;
    let interval = access.extents.intervals.get(&term);
    let interval = interval.ok_or(Reason::NotSeparated)?;
    if !factors.factors().is_empty() {
        return Err(Reason::DifferentForms);
    }
    let shift = coefficient.checked_mul(sign * interval.least);
    let moved = shift.and_then(|shift| distance.checked_add(shift));
    *distance = moved.ok_or(Reason::Wraps)?;
    Ok(Variable {
        term,
        role: Role::Free,
        coefficient,
        factors,
        extent: Some(interval.width()),
        limits: Vec::new(),
    })
}

fn single(coefficient: &Sum) -> Result<(i128, Product), Reason> {
    let mut products = coefficient.products();
    match (products.next(), products.next()) {
        (Some((product, by)), None) => Ok((by, product.clone())),
        (_, _) => Err(Reason::NotLinear),
    }
}

/// How much a term of one access can differ from that of another one.
fn difference(a: &Access, b: &Access, term: Term) -> Option<i128> {
    let (a, b) = (
        a.extents.intervals.get(&term)?,
        b.extents.intervals.get(&term)?,
    );
    Some((a.greatest - b.least).max(b.greatest - a.least).max(0))
}

fn common_limits(a: &Access, b: &Access, term: Term) -> Vec<(Term, Option<i128>)> {
    let of = |access: &Access| -> Vec<Limit> {
        let limits = access.extents.limits.iter();
        limits.filter(|it| it.term == term).cloned().collect()
    };
    let (of_a, of_b) = (of(a), of(b));
    let both = of_a.iter().filter_map(|one| {
        let mut others = of_b.iter();
        let other = others.find(|other| other.less_than == one.less_than)?;
        Some((
            one.less_than,
            one.if_below
                .min(other.if_below)
                .or(one.if_below)
                .or(other.if_below),
        ))
    });
    both.collect()
}

/// Whether each variable, in ascending order of coefficients, has one that those below it and the
/// window never reach; the first that has not is the error.
fn climb(
    variables: &[Variable],
    window: i128,
    is_positive: &dyn Fn(Term) -> bool,
) -> Result<Conditions, usize> {
    let mut conditions = Conditions::default();
    // Everything so far is less than `bound` times the product of `factors`.
    let (mut bound, mut factors) = (window, Product::default());
    let mut positive: Vec<Term> = Vec::new();
    for (at, variable) in variables.iter().enumerate() {
        let more = variable.factors.without(&factors).ok_or(at)?;
        let is_at_least_one = |&it: &Term| is_positive(it) || positive.contains(&it);
        if variable.coefficient.abs() < bound || !more.factors().iter().all(is_at_least_one) {
            return Err(at);
        }
        let Some(next) = variables.get(at + 1) else {
            break;
        };
        let grown = next.factors.without(&variable.factors);
        let limit = grown.and_then(|grown| match grown.factors() {
            &[factor] => variable
                .limits
                .iter()
                .find(|(less_than, _)| *less_than == factor),
            _ => None,
        });
        if let Some(&(less_than, if_below)) = limit {
            // c * (w - 1) + what is less than c is less than c * w.
            bound = variable.coefficient.abs();
            factors = next.factors.clone();
            positive.push(less_than);
            conditions
                .below
                .extend(if_below.map(|below| (variable.term, below)));
        } else {
            let extent = variable.extent.ok_or(at)?;
            let part = variable.coefficient.abs().checked_mul(extent);
            bound = part.and_then(|part| part.checked_add(bound)).ok_or(at)?;
            factors = variable.factors.clone();
        }
    }
    Ok(conditions)
}

/// What keeps the greatest distance below 2^bits: nothing more, or a condition.
fn reach<'v>(
    variables: impl Iterator<Item = &'v Variable>,
    bits: u32,
    rest: i128,
) -> Result<Option<Reach>, Reason> {
    let mut parts = Vec::new();
    let mut total = Some(rest);
    for variable in variables {
        let is_id = matches!(
            variable.term,
            Term::GlobalId(_) | Term::LocalId(_) | Term::GroupId(_)
        );
        let size = variable.coefficient.abs();
        let known = variable
            .extent
            .filter(|_| variable.factors.factors().is_empty());
        let part = known.and_then(|extent| size.checked_mul(extent));
        total = total.and_then(|total| total.checked_add(part?));
        parts.push(Part {
            coefficient: size,
            factors: variable.factors.clone(),
            extent: match (is_id, variable.extent) {
                (true, _) => Extent::Id(variable.term),
                (false, Some(extent)) => Extent::Known(extent),
                (false, None) => return Err(Reason::Wraps),
            },
        });
    }
    match total {
        Some(total) if total < 1 << bits => Ok(None),
        _ => Ok(Some(Reach { bits, rest, parts })),
    }
}

/// The role of a term between iterations of these loops by one work-item.
pub(super) fn role_between_iterations(access: &Access, term: Term, loops: &[Loop]) -> Role {
    match term {
        Term::Iteration(loop_) if loops.contains(&loop_) => Role::Sought,
        Term::Iteration(_) => Role::Free,
        Term::Value(symbol) if symbol.scope == Scope::Once => {
            match access.extents.settled.contains(&term) {
                true => Role::Fixed,
                false => Role::Free,
            }
        }
        Term::Base(_)
        | Term::GlobalId(_)
        | Term::LocalId(_)
        | Term::GroupId(_)
        | Term::ItemSlot
        | Term::GroupSlot
        | Term::Value(_) => Role::Fixed,
    }
}

/// The role of a term between work-items that share an object: those of a launch, or of a group.
pub(super) fn role_between_items(term: Term, sharing: Scope) -> Role {
    match term {
        Term::GlobalId(_) | Term::LocalId(_) => Role::Sought,
        Term::GroupId(_) if sharing == Scope::Launch => Role::Sought,
        Term::Iteration(_) => Role::Free,
        Term::Base(_) => Role::Fixed,
        Term::GroupId(_) | Term::ItemSlot | Term::GroupSlot | Term::Value(_) => {
            match term.scope() <= sharing {
                true => Role::Fixed,
                false => Role::Free,
            }
        }
    }
}
