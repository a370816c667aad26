//! Counters: loop parameters that move by a constant step until an exit test stops them.
//!
//! A counter that starts at `s`, adds `c > 0` and goes round only while it is at most `B` stays in
//! `s ..= B + c`, or `s ..= B` if the test looks at the next value, provided that no step wraps.
//! A test for inequality stops it as well, if it must meet the bound: with step 1, when the loop is
//! entered with `s` on the right side of it. Counting down is the mirror image, and all of it
//! can be read as signed or as unsigned.

use cranelift_entity::SecondaryMap;
use sluice_circuit::arith::Signedness::Signed;

use super::facts::Facts;
use super::guards::{Comparison, Guards, Truth};
use super::ranges::{Bounds, Ranges};
use super::{Cfg, Dominators, Loop, LoopData, Loops};
use crate::ir::{BinaryOp, Block, CastOp, InstData, Kernel, Relation, Value, ValueDef};
use crate::semantics::signed;

/// The bounds of all counters.
pub(super) fn counter_bounds(
    kernel: &Kernel,
    cfg: &Cfg,
    dominators: &Dominators,
    loops: &Loops,
    ranges: &Ranges,
) -> Bounds {
    let mut bounds = Bounds::new();
    for (id, _) in loops.iter() {
        let search = Search::new(kernel, cfg, dominators, (loops, id), ranges);
        for (param, bound) in search.bounds(cfg, dominators) {
            bounds[param] = Some(bound.facts);
        }
    }
    bounds
}

/// How often control goes round each loop, at most, each time that the loop is entered.
pub(crate) fn round_limits(
    kernel: &Kernel,
    cfg: &Cfg,
    dominators: &Dominators,
    loops: &Loops,
    ranges: &Ranges,
) -> SecondaryMap<Loop, Option<u64>> {
    let mut limits = SecondaryMap::new();
    for (id, _) in loops.iter() {
        let search = Search::new(kernel, cfg, dominators, (loops, id), ranges);
        let bounds = search.bounds(cfg, dominators);
        let rounds = bounds.iter().map(|(_, bound)| bound.rounds).min();
        limits[id] = rounds.and_then(|rounds| u64::try_from(rounds).ok());
    }
    limits
}

/// What an exit test says about a counter.
#[derive(Clone, Copy)]
struct Bound {
    facts: Facts,
    /// How often the loop goes round, at most: a counter that does not wrap counts that.
    rounds: i128,
}

impl Bound {
    fn and(self, other: Bound) -> Bound {
        Bound {
            facts: self.facts.and(other.facts),
            rounds: self.rounds.min(other.rounds),
        }
    }
}

struct Search<'k> {
    kernel: &'k Kernel,
    loops: &'k Loops,
    id: Loop,
    data: &'k LoopData,
    ranges: &'k Ranges,
    guards: Guards,
}

struct Counter {
    param: Value,
    /// The values that go round.
    next: Vec<Value>,
    step: i128,
    start: Facts,
}

/// How a counter is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reading {
    Unsigned,
    Signed,
}

/// Which value a test looks at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tested {
    Present,
    Next,
}

/// An inclusive range of integers.
#[derive(Clone, Copy)]
struct Span {
    least: i128,
    greatest: i128,
}

impl Span {
    fn mirrored(self) -> Span {
        Span {
            least: -self.greatest,
            greatest: -self.least,
        }
    }
}

impl Reading {
    fn span(self, facts: &Facts) -> Span {
        match self {
            Reading::Unsigned => Span {
                least: facts.umin().into(),
                greatest: facts.umax().into(),
            },
            Reading::Signed => Span {
                least: facts.smin().into(),
                greatest: facts.smax().into(),
            },
        }
    }

    fn facts(self, width: u32, span: Span) -> Option<Facts> {
        let all = self.span(&Facts::unknown(width));
        if span.least > span.greatest || span.least < all.least || span.greatest > all.greatest {
            return None;
        }
        Some(match self {
            Reading::Unsigned => Facts::unsigned(width, span.least as u64, span.greatest as u64),
            Reading::Signed => Facts::signed(width, span.least as i64, span.greatest as i64),
        })
    }
}

impl<'k> Search<'k> {
    fn new(
        kernel: &'k Kernel,
        cfg: &Cfg,
        dominators: &Dominators,
        (loops, id): (&'k Loops, Loop),
        ranges: &'k Ranges,
    ) -> Search<'k> {
        let data = loops.get(id);
        Search {
            kernel,
            loops,
            id,
            data,
            ranges,
            guards: Guards::of_entry(kernel, cfg, dominators, data.header, ranges),
        }
    }

    /// The counters that an exit test bounds.
    fn bounds(&self, cfg: &Cfg, dominators: &Dominators) -> Vec<(Value, Bound)> {
        let tests: Vec<Comparison> = self.tests(dominators).collect();
        let params = 0..self.kernel.block(self.data.header).params.len();
        let counters = params.filter_map(|at| self.counter(cfg, at));
        let bounded = counters.filter_map(|counter| {
            let found = tests.iter().filter_map(|test| self.bound(&counter, test));
            Some((counter.param, found.reduce(Bound::and)?))
        });
        bounded.collect()
    }

    /// The comparisons that hold whenever the loop goes round.
    fn tests(&self, dominators: &Dominators) -> impl Iterator<Item = Comparison> {
        let exits = self.data.exits.iter().filter(|exit| {
            let mut latches = self.data.latches.iter();
            latches.all(|&latch| dominators.dominates(exit.from, latch))
        });
        exits.filter_map(|exit| {
            let InstData::Branch { cond, targets } =
                self.kernel.inst(self.kernel.terminator(exit.from))
            else {
                return None;
            };
            let stays = |at: usize| self.is_inside(targets[at].block);
            let truth = match (stays(0), stays(1)) {
                (true, false) => Truth::Holds,
                (false, true) => Truth::Fails,
                (true, true) | (false, false) => return None,
            };
            Comparison::of(self.kernel, *cond, truth)
        })
    }

    fn is_inside(&self, block: Block) -> bool {
        self.loops.contains(self.id, block)
    }

    /// The header's parameter at a position, if it counts.
    fn counter(&self, cfg: &Cfg, at: usize) -> Option<Counter> {
        let header = self.data.header;
        let param = self.kernel.block(header).params[at];
        let ty = self.kernel.ty(param);
        if !ty.is_int() {
            return None;
        }
        let mut start: Option<Facts> = None;
        let mut step = None;
        let mut next = Vec::new();
        for &from in cfg.predecessors(header) {
            let calls = self.kernel.successors(from).iter();
            for call in calls.filter(|call| call.block == header) {
                let arg = call.args[at];
                if !self.is_inside(from) {
                    let facts = self.guarded(arg);
                    start = Some(start.map_or(facts, |start| start.or(facts)));
                    continue;
                }
                let by = self.step(param, arg)?;
                if step.is_some_and(|step| step != by) {
                    return None;
                }
                step = Some(by);
                next.push(arg);
            }
        }
        let step = i128::from(signed(ty, step?));
        Some(Counter {
            param,
            next,
            step,
            start: start?,
        })
    }

    /// What is added to `param` to get `next`.
    fn step(&self, param: Value, next: Value) -> Option<u64> {
        match *self.kernel.def_inst(next)? {
            InstData::Binary {
                op: BinaryOp::Add,
                args: [a, b],
            } if a == param => self.kernel.constant(b),
            InstData::Binary {
                op: BinaryOp::Sub,
                args: [a, b],
            } if a == param => Some(self.kernel.constant(b)?.wrapping_neg()),
            _ => None,
        }
    }

    /// The facts of a value that is the same throughout the loop, as far as guards tell.
    fn guarded(&self, value: Value) -> Facts {
        let given = |value| self.guards.facts(value);
        self.ranges.facts_given(self.kernel, value, &given)
    }

    fn is_invariant(&self, value: Value) -> bool {
        match self.kernel.def(value) {
            ValueDef::Param(block, _) => !self.is_inside(block),
            ValueDef::Result(inst, _) => {
                let blocks = self.data.blocks.iter();
                let mut insts = blocks.flat_map(|&block| &self.kernel.block(block).insts);
                self.kernel.constant(value).is_some() || insts.all(|&inside| inside != inst)
            }
        }
    }

    /// What a test says about a counter.
    fn bound(&self, counter: &Counter, test: &Comparison) -> Option<Bound> {
        let [a, b] = test.args;
        if let Some((tested, extension)) = self.tested(counter, a) {
            let view = View {
                order: Order::First,
                tested,
                extension,
            };
            return self.bound_against(counter, test.relation, view, b);
        }
        let (tested, extension) = self.tested(counter, b)?;
        let view = View {
            order: Order::Second,
            tested,
            extension,
        };
        self.bound_against(counter, test.relation, view, a)
    }

    /// How a test's operand stands for the counter: itself or its next value, maybe extended.
    fn tested(&self, counter: &Counter, value: Value) -> Option<(Tested, Option<CastOp>)> {
        if value == counter.param {
            return Some((Tested::Present, None));
        }
        if counter.next.contains(&value) {
            return Some((Tested::Next, None));
        }
        match *self.kernel.def_inst(value)? {
            InstData::Cast {
                op: op @ (CastOp::Zext | CastOp::Sext),
                arg,
            } => match self.tested(counter, arg)? {
                (tested, None) => Some((tested, Some(op))),
                (_, Some(_)) => None,
            },
            _ => None,
        }
    }

    fn bound_against(
        &self,
        counter: &Counter,
        relation: Relation,
        view: View,
        limit: Value,
    ) -> Option<Bound> {
        use Relation::*;
        let View {
            order,
            tested,
            extension,
        } = view;
        let facts = self.guarded(limit);
        let is_signed_test = matches!(relation, Less(Signed) | LessOrEqual(Signed));
        let readings: &[Reading] = match (relation, extension) {
            (Equal | NotEqual, None) => &[Reading::Unsigned, Reading::Signed],
            (NotEqual, Some(CastOp::Zext)) => &[Reading::Unsigned],
            (NotEqual, Some(_)) => &[Reading::Signed],
            // What was extended by zeros is not negative: both orders are the unsigned one.
            (_, Some(CastOp::Zext)) => &[Reading::Unsigned],
            (_, Some(_)) if is_signed_test => &[Reading::Signed],
            (_, Some(_)) => return None,
            (_, None) if is_signed_test => &[Reading::Signed],
            (_, None) => &[Reading::Unsigned],
        };
        let found = readings.iter().filter_map(|&reading| {
            // The limit is read as the test reads it, the counter as it was extended.
            let limit_reading = match (relation, extension) {
                (NotEqual, _) => reading,
                (_, _) if is_signed_test => Reading::Signed,
                (_, _) => Reading::Unsigned,
            };
            let span = limit_reading.span(&facts);
            let strict = i128::from(matches!(relation, Less(_)));
            let counting = Counting {
                start: reading.span(&counter.start),
                all: reading.span(&Facts::unknown(counter.start.width())),
                step: counter.step,
                tested,
            };
            let span = match (relation, order) {
                (Less(_) | LessOrEqual(_), Order::First) => counting.up_to(span.greatest - strict),
                (Less(_) | LessOrEqual(_), Order::Second) => counting.down_to(span.least + strict),
                (NotEqual, _) if self.is_invariant(limit) => counting.until(span),
                (Equal | NotEqual, _) => None,
            }?;
            let facts = reading.facts(counter.start.width(), span)?;
            let rounds = counting.rounds(span);
            Some(Bound { facts, rounds })
        });
        found.reduce(Bound::and)
    }
}

/// How a test sees a counter.
#[derive(Clone, Copy)]
struct View {
    order: Order,
    tested: Tested,
    extension: Option<CastOp>,
}

/// On which side of a comparison the counter stands.
#[derive(Clone, Copy)]
enum Order {
    First,
    Second,
}

/// A counter's way, in one reading.
struct Counting {
    start: Span,
    /// What the type can hold.
    all: Span,
    step: i128,
    tested: Tested,
}

impl Counting {
    /// The values of a counter that goes round only while the tested value is at most `limit`.
    fn up_to(&self, limit: i128) -> Option<Span> {
        let last = match self.tested {
            Tested::Present => limit + self.step,
            Tested::Next => limit,
        };
        let greatest = self.start.greatest.max(last);
        // The value that goes round, and for a test of the next one, that one before it is tested.
        let reached = match self.tested {
            Tested::Present => last,
            Tested::Next => greatest + self.step,
        };
        (self.step > 0 && reached <= self.all.greatest).then_some(Span {
            least: self.start.least,
            greatest,
        })
    }

    /// The values of a counter that goes round only while the tested value is at least `limit`.
    fn down_to(&self, limit: i128) -> Option<Span> {
        self.mirrored().up_to(-limit).map(Span::mirrored)
    }

    /// How many steps stay within these values.
    fn rounds(&self, span: Span) -> i128 {
        match self.step > 0 {
            true => (span.greatest - self.start.least) / self.step,
            false => (self.start.greatest - span.least) / -self.step,
        }
    }

    /// The same way, with signs exchanged.
    fn mirrored(&self) -> Counting {
        Counting {
            start: self.start.mirrored(),
            all: self.all.mirrored(),
            step: -self.step,
            tested: self.tested,
        }
    }

    /// The values of a counter that goes round until the tested value is the limit.
    fn until(&self, limit: Span) -> Option<Span> {
        if self.step < 0 {
            let mirrored = self.mirrored().until(limit.mirrored());
            return mirrored.map(Span::mirrored);
        }
        let first = match self.tested {
            Tested::Present => self.start.greatest,
            Tested::Next => self.start.greatest + self.step,
        };
        let meets = self.step == 1
            || (self.start.least == self.start.greatest
                && limit.least == limit.greatest
                && self.step > 0
                && (limit.least - first) % self.step == 0);
        let last = match self.tested {
            Tested::Present => limit.greatest,
            Tested::Next => limit.greatest - self.step,
        };
        (meets && first <= limit.least && first <= self.all.greatest).then_some(Span {
            least: self.start.least,
            greatest: last,
        })
    }
}
