//! The distance of a dependence between two accesses, as a question about integers.
//!
//! The variables are the number of the source's iteration, the distance, and for each access the
//! numbers of the iterations of inner loops and the values that differ between iterations. The
//! inequalities say what these can be, and that the accesses have bytes in common: the distance of their
//! addresses is in a window around zero. Addresses that are known modulo 2^k bring a variable that counts
//! multiples of it.
//!
//! Strides that only the launch decides are not linear. If the distance is `n * h + l` with `-n < l < n`
//! throughout the window, which is a question about integers again, then it is in the window only if
//! `h` is 0 and `l` is in the window: what `a[i * n + j]` needs, if `j` is less than `n`. Modulo 2^k that
//! holds if no distance reaches 2^k: a condition that a launch meets or does not.

use std::collections::{BTreeMap, BTreeSet};

use super::bounds::{First, LoopBound};
use super::integer::{Budget, Solution};
use super::linear::{Linear, Polynomial, Side, Variable, system};
use super::{Basis, Distance};
use crate::analysis::access::numbers::{Numbers, Surroundings};
use crate::analysis::access::{Access, Conditions, Extent, Form, Part, Product, Reach, Sum, Term};
use crate::analysis::{Loop, Scope};

/// No distance beyond this is looked for.
const GREATEST_DISTANCE: i128 = 1 << 40;

/// No shift of more iterations of an inner loop is looked for.
const GREATEST_SHIFT: i128 = 1 << 12;

/// An access with what holds when it is executed.
pub(super) struct Located<'p, 'k> {
    pub(super) access: &'p Access,
    pub(super) numbers: &'p Numbers<'k>,
    pub(super) not_negative: &'p [Sum],
}

/// When the sink is executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum When {
    /// In the same iteration as the source.
    Same,
    /// In a later one.
    Later,
}

/// A pair of accesses of one object in a loop.
pub(super) struct Pair<'p, 'k> {
    pub(super) surroundings: &'k Surroundings<'k>,
    pub(super) bounds: &'p BTreeMap<Loop, Vec<LoopBound>>,
    pub(super) loop_: Loop,
    pub(super) source: Located<'p, 'k>,
    pub(super) sink: Located<'p, 'k>,
    pub(super) when: When,
}

/// What is known of a distance.
pub(super) struct Found {
    /// None: there is no dependence.
    pub(super) distance: Option<Distance>,
    pub(super) basis: Basis,
    /// What it is in launches that meet conditions.
    pub(super) narrowed: Option<(Conditions, Option<Distance>)>,
}

impl Found {
    /// Nothing is known but that it may exist.
    pub(super) fn assumed(when: When, basis: Basis) -> Found {
        Found {
            distance: Some(match when {
                When::Same => Distance::Exactly(0),
                When::Later => Distance::AtLeast(1),
            }),
            basis,
            narrowed: None,
        }
    }
}

impl<'p, 'k> Pair<'p, 'k> {
    /// The distance of the dependence, if there is one.
    pub(super) fn distance(&self, budget: &mut Budget) -> Found {
        let (Ok(source), Ok(sink)) = (&self.source.access.form, &self.sink.access.form) else {
            return self.assumed(Basis::UnknownAddress);
        };
        let polynomial = || {
            let sink = self.polynomial(Side::Sink, &sink.sum)?;
            sink.minus(&self.polynomial(Side::Source, &source.sum)?)
        };
        let Some(distance) = polynomial() else {
            return self.assumed(Basis::NotLinear);
        };
        let modulus = source.modulus.into_iter().chain(sink.modulus).min();
        let window = self.window();
        match (distance.as_linear(), modulus) {
            (Some(linear), modulus) => match self.linear(&linear, modulus, window) {
                Some(rows) => self.search(&rows, budget),
                None => self.assumed(Basis::TooLarge),
            },
            (None, None) => match self.within(&distance, window, budget) {
                Some(rows) => self.search(&rows, budget),
                None => self.assumed(Basis::NotLinear),
            },
            (None, Some(bits)) => {
                let mut found = self.assumed(Basis::MayWrap);
                found.narrowed = self.unless_it_wraps(&distance, (window, bits), budget);
                found
            }
        }
    }

    /// The least number of iterations of an inner loop that the sink's is further than the source's, where the sink is
    /// this number of iterations of the loop later. Accesses that are not in the inner loop count as in its first
    /// iteration. None if it is not known.
    pub(super) fn inner_shift(
        &self,
        inner: Loop,
        distance: u64,
        budget: &mut Budget,
    ) -> Option<i64> {
        let rows = self.rows(budget)?;
        let loops = &self.surroundings.loops;
        let number = |side| match loops.contains(inner, self.located(side).access.block) {
            true => Linear::variable(Variable::Of(side, Term::Iteration(inner))),
            false => Linear::constant(0),
        };
        let shift = number(Side::Sink).minus(&number(Side::Source))?;
        let apart = Linear::variable(Variable::Distance);
        let apart = apart.plus(&Linear::constant(-i128::from(distance)))?;
        let mut is_at_most = |most: i128| -> Option<bool> {
            let mut rows = rows.clone();
            rows.extend([apart.clone(), apart.times(-1)?]);
            rows.push(Linear::constant(most).minus(&shift)?);
            let rows = self.with_constraints(&rows);
            Some(system(&rows).solve(budget) != Solution::None)
        };
        let (mut low, mut high) = (-GREATEST_SHIFT, GREATEST_SHIFT);
        if is_at_most(low)? {
            return None;
        }
        // It is more than `low`, and may be `high`.
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            match is_at_most(middle)? {
                true => high = middle,
                false => low = middle,
            }
        }
        i64::try_from(high).ok()
    }

    /// What holds if both accesses have bytes in common, if that is linear whatever the launch is.
    fn rows(&self, budget: &mut Budget) -> Option<Vec<Linear>> {
        let (Ok(source), Ok(sink)) = (&self.source.access.form, &self.sink.access.form) else {
            return None;
        };
        let to = self.polynomial(Side::Sink, &sink.sum)?;
        let distance = to.minus(&self.polynomial(Side::Source, &source.sum)?)?;
        let modulus = source.modulus.into_iter().chain(sink.modulus).min();
        match (distance.as_linear(), modulus) {
            (Some(linear), modulus) => self.linear(&linear, modulus, self.window()),
            (None, None) => self.within(&distance, self.window(), budget),
            (None, Some(_)) => None,
        }
    }

    fn window(&self) -> Window {
        Window {
            least: 1 - i128::from(self.sink.access.bytes),
            greatest: i128::from(self.source.access.bytes) - 1,
        }
    }

    fn assumed(&self, basis: Basis) -> Found {
        Found::assumed(self.when, basis)
    }

    /// The rows that say that a linear distance is in the window.
    fn linear(&self, sum: &Linear, modulus: Option<u32>, window: Window) -> Option<Vec<Linear>> {
        let sum = match modulus {
            None => sum.clone(),
            Some(bits) => sum.plus(&Linear::variable(Variable::Wrap).times(1 << bits)?)?,
        };
        window.rows(&sum)
    }

    /// The rows that say that a distance is in the window, if there are any.
    fn within(
        &self,
        distance: &Polynomial,
        window: Window,
        budget: &mut Budget,
    ) -> Option<Vec<Linear>> {
        if let Some(linear) = distance.as_linear() {
            return window.rows(&linear);
        }
        for symbol in distance.symbols() {
            let (quotient, rest) = distance.divided(symbol);
            let Some(rest) = rest.as_linear() else {
                continue;
            };
            let step = Linear::variable(Variable::Shared(Product::of([symbol])));
            let step = step.times(quotient.common_divisor())?;
            let above = rest.plus(&Linear::constant(-window.least))?.minus(&step)?;
            let below = Linear::constant(window.greatest)
                .minus(&rest)?
                .minus(&step)?;
            let mut excludes = |sum: Linear| {
                let rows = self.with_constraints(&[sum]);
                system(&rows).solve(budget) == Solution::None
            };
            if excludes(above) && excludes(below) {
                let mut rows = self.within(&quotient, Window::ZERO, budget)?;
                rows.extend(window.rows(&rest)?);
                return Some(rows);
            }
        }
        None
    }

    /// What the distance is in launches in which no address wraps.
    fn unless_it_wraps(
        &self,
        distance: &Polynomial,
        (window, bits): (Window, u32),
        budget: &mut Budget,
    ) -> Option<(Conditions, Option<Distance>)> {
        let rows = self.within(distance, window, budget)?;
        let reach = self.reach(distance, window, bits)?;
        let conditions = Conditions {
            reach: vec![reach],
            ..Conditions::default()
        };
        Some((conditions, self.search(&rows, budget).distance))
    }

    /// The greatest distance of the addresses, as a launch computes it.
    fn reach(&self, distance: &Polynomial, window: Window, bits: u32) -> Option<Reach> {
        let mut parts = Vec::new();
        for (product, sum) in distance.parts() {
            let part = |coefficient: i128, extent: Extent| Part {
                coefficient,
                factors: product.clone(),
                extent,
            };
            parts.push(part(sum.constant, Extent::Known(1)));
            for (variable, by) in sum.terms() {
                parts.push(part(by, self.extent(variable)?));
            }
        }
        let rest = window.greatest.max(-window.least);
        Some(Reach { bits, rest, parts })
    }

    /// The greatest size of a variable.
    fn extent(&self, variable: &Variable) -> Option<Extent> {
        let (side, term) = match variable {
            Variable::Earlier => (Side::Source, Term::Iteration(self.loop_)),
            Variable::Distance => (Side::Sink, Term::Iteration(self.loop_)),
            Variable::Of(side, term) => (*side, *term),
            Variable::Wrap | Variable::Shared(_) => return None,
        };
        if let Term::Iteration(loop_) = term {
            let mut bounds = self.bounds[&loop_].iter();
            let bound = bounds.find_map(|bound| upper_bound(&bound.sum, term));
            if let Some(bound) = bound {
                return Some(Extent::Bound(bound));
            }
        }
        let range = self.located(side).numbers.interval_of(term)?;
        Some(Extent::Known(range.least.abs().max(range.greatest.abs())))
    }

    /// The least distance for which the rows have a solution.
    fn search(&self, rows: &[Linear], budget: &mut Budget) -> Found {
        let rows = self.with_constraints(rows);
        let mut is_complete = true;
        let mut exists = |least: i128, greatest: Option<i128>| {
            let mut rows = rows.clone();
            let distance = Linear::variable(Variable::Distance);
            rows.extend(distance.plus(&Linear::constant(-least)));
            if let Some(greatest) = greatest {
                rows.extend(Linear::constant(greatest).minus(&distance));
            }
            let solution = system(&rows).solve(budget);
            is_complete &= solution != Solution::Unknown;
            solution != Solution::None
        };
        let distance = match self.when {
            When::Same => exists(0, Some(0)).then_some(Distance::Exactly(0)),
            When::Later => least(&mut exists),
        };
        let basis = match is_complete {
            true => self.basis(&rows),
            false => Basis::TooLarge,
        };
        Found {
            distance,
            basis,
            narrowed: None,
        }
    }

    fn basis(&self, rows: &[Linear]) -> Basis {
        let is_data = |variable: &Variable| matches!(variable, Variable::Of(_, Term::Value(_)));
        match rows.iter().flat_map(Linear::variables).any(is_data) {
            true => Basis::Data,
            false => Basis::Exact,
        }
    }

    fn located(&self, side: Side) -> &Located<'p, 'k> {
        match side {
            Side::Source => &self.source,
            Side::Sink => &self.sink,
        }
    }

    /// Whether a term is the same for both accesses.
    fn is_shared(&self, term: Term) -> bool {
        let Surroundings { loops, homes, .. } = self.surroundings;
        if self.surroundings.is_invariant(term, self.loop_) {
            return true;
        }
        match term {
            // A value that is computed once in each iteration.
            Term::Value(symbol) => {
                let innermost = homes[symbol.value].and_then(|home| loops.innermost(home));
                self.when == When::Same && loops.is_reducible() && innermost == Some(self.loop_)
            }
            Term::Base(_)
            | Term::GlobalId(_)
            | Term::LocalId(_)
            | Term::GroupId(_)
            | Term::ItemSlot
            | Term::GroupSlot
            | Term::Iteration(_) => false,
        }
    }

    /// A term that is not the same for both.
    fn varying(&self, side: Side, term: Term) -> Linear {
        let earlier = Linear::variable(Variable::Earlier);
        match (side, self.when) {
            _ if term != Term::Iteration(self.loop_) => Linear::variable(Variable::Of(side, term)),
            (Side::Source, _) | (Side::Sink, When::Same) => earlier,
            (Side::Sink, When::Later) => {
                let later = earlier.plus(&Linear::variable(Variable::Distance));
                later.expect("small numbers")
            }
        }
    }

    fn polynomial(&self, side: Side, sum: &Sum) -> Option<Polynomial> {
        let mut all = Polynomial::default();
        for (product, by) in sum.products() {
            let factors = product.factors().iter().copied();
            let (shared, varying): (Vec<Term>, Vec<Term>) =
                factors.partition(|&term| self.is_shared(term));
            let part = match varying[..] {
                [] => Linear::constant(by),
                [term] => self.varying(side, term).times(by)?,
                _ => return None,
            };
            all.add(Product::of(shared), &part)?;
        }
        Some(all)
    }

    /// The rows, and those that say what their variables can be.
    fn with_constraints(&self, rows: &[Linear]) -> Vec<Linear> {
        let mut open = self.candidates();
        let mut known: BTreeSet<Variable> =
            rows.iter().flat_map(Linear::variables).cloned().collect();
        known.insert(Variable::Earlier);
        let mut all = rows.to_vec();
        loop {
            let (related, others): (Vec<Linear>, Vec<Linear>) = open
                .into_iter()
                .partition(|row| row.variables().any(|it| known.contains(it)));
            if related.is_empty() {
                break;
            }
            known.extend(related.iter().flat_map(Linear::variables).cloned());
            all.extend(related);
            open = others;
        }
        for variable in &known {
            all.extend(self.range(variable));
        }
        all
    }

    /// Everything that is known to be not negative for both accesses, where it is linear.
    fn candidates(&self) -> Vec<Linear> {
        let mut all = Vec::new();
        for side in [Side::Source, Side::Sink] {
            let located = self.located(side);
            let mut add = |sum: &Sum| {
                let linear = self.polynomial(side, sum).and_then(|it| it.as_linear());
                all.extend(linear);
            };
            located.not_negative.iter().for_each(&mut add);
            for loop_ in self.surroundings.loops_around(located.access.block) {
                let is_later =
                    loop_ == self.loop_ && side == Side::Sink && self.when == When::Later;
                let bounds = self.bounds[&loop_].iter();
                let bounds = bounds.filter(|it| it.from == First::First || is_later);
                bounds.for_each(|it| add(&it.sum));
            }
            if let Ok(Form {
                sum, modulus: None, ..
            }) = &located.access.form
            {
                // What is out of bounds is not accessed.
                let offset = self.polynomial(side, sum).and_then(|it| it.as_linear());
                let bounds = located.access.bounds();
                let last = Linear::constant(bounds.greatest);
                all.extend(offset.as_ref().and_then(|it| last.minus(it)));
                all.extend(offset.and_then(|it| it.minus(&Linear::constant(bounds.least))));
            }
        }
        all
    }

    /// What a variable can be by itself.
    fn range(&self, variable: &Variable) -> Vec<Linear> {
        let own = Linear::variable(variable.clone());
        let number = Sum::term(Term::Iteration(self.loop_));
        let numbers = |side: Side| self.located(side).numbers;
        let (own, ranges) = match variable {
            Variable::Earlier => {
                let range = numbers(Side::Source).interval(&number);
                (own.clone(), vec![range])
            }
            Variable::Distance => {
                let range = numbers(Side::Sink).interval(&number);
                let later = own.plus(&Linear::variable(Variable::Earlier));
                (later.expect("small numbers"), vec![range])
            }
            Variable::Of(side, term) => (own.clone(), vec![numbers(*side).interval_of(*term)]),
            Variable::Shared(product) => {
                let sum = Sum::product(product.clone(), 1);
                let sides = [Side::Source, Side::Sink];
                (
                    own.clone(),
                    sides.map(|it| numbers(it).interval(&sum)).to_vec(),
                )
            }
            Variable::Wrap => return Vec::new(),
        };
        let mut rows = match variable {
            // Iterations have numbers from 0 on, though nothing else is known.
            Variable::Earlier | Variable::Of(_, Term::Iteration(_)) => vec![own.clone()],
            Variable::Distance | Variable::Shared(_) | Variable::Of(..) | Variable::Wrap => {
                Vec::new()
            }
        };
        for range in ranges.into_iter().flatten() {
            rows.extend(own.plus(&Linear::constant(-range.least)));
            rows.extend(Linear::constant(range.greatest).minus(&own));
        }
        rows
    }
}

/// Numbers around zero.
#[derive(Clone, Copy)]
struct Window {
    least: i128,
    greatest: i128,
}

impl Window {
    const ZERO: Window = Window {
        least: 0,
        greatest: 0,
    };

    /// The sum is in the window.
    fn rows(self, sum: &Linear) -> Option<Vec<Linear>> {
        let below = Linear::constant(self.greatest).minus(sum)?;
        let above = sum.plus(&Linear::constant(-self.least))?;
        Some(vec![below, above])
    }
}

/// The least distance from 1 on that exists, and whether there is another one.
fn least(exists: &mut dyn FnMut(i128, Option<i128>) -> bool) -> Option<Distance> {
    if !exists(1, None) {
        return None;
    }
    // None is less than `low`; one is at most `high`.
    let (mut low, mut high) = (1, 1);
    while !exists(low, Some(high)) {
        low = high + 1;
        high *= 2;
        if high > GREATEST_DISTANCE {
            return Some(Distance::AtLeast(low as u64));
        }
    }
    while low < high {
        let middle = low + (high - low) / 2;
        match exists(low, Some(middle)) {
            true => high = middle,
            false => low = middle + 1,
        }
    }
    Some(match exists(low + 1, None) {
        true => Distance::AtLeast(low as u64),
        false => Distance::Exactly(low as u64),
    })
}

/// What a term is at most, if a sum that is not negative says so by values that the launch decides.
fn upper_bound(not_negative: &Sum, term: Term) -> Option<Sum> {
    let by = not_negative.growth(&[term])?.as_constant()?;
    let rest = not_negative.replacing(term, &Sum::default())?;
    let is_launched = |term: Term| matches!(term, Term::Value(it) if it.scope == Scope::Launch);
    (by < 0 && rest.terms().all(is_launched)).then_some(rest)
}
