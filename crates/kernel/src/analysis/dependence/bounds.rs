//! What holds whenever an access is executed, as sums that are not negative: the conditions of branches on
//! the way to it, and the exit tests of the loops around it.
//!
//! An exit test that every way round passes has held at the end of iteration `t - 1` if there is an iteration
//! `t`. So a bound on the counter holds in iteration `t` with `t - 1` for the iteration's number, from the
//! second iteration on; in the first one, too, if it holds at the loop's entrance with `-1`. A test for
//! inequality of a counter with step 1 is a bound only in the latter case: then the counter cannot have jumped
//! over the limit.

use std::collections::BTreeMap;

use sluice_circuit::arith::Signedness::{self, Signed, Unsigned};

use crate::analysis::access::numbers::{Numbers, Surroundings};
use crate::analysis::access::{Sum, Term, comparisons};
use crate::analysis::guards::{self, Comparison, Truth};
use crate::analysis::{Loop, LoopData};
use crate::ir::{Block, Inst, InstData, Relation, Value};

/// A sum that is not negative in a loop's iterations.
#[derive(Clone, Debug)]
pub(super) struct LoopBound {
    pub(super) sum: Sum,
    pub(super) from: First,
}

/// The first iteration for which something holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum First {
    First,
    Second,
}

/// The sums that are not negative whenever an access is executed.
pub(super) fn of_access(numbers: &Numbers<'_>, block: Block, inst: Inst) -> Vec<Sum> {
    let data = numbers.surroundings.kernel.inst(inst);
    let comparisons = comparisons(numbers, block, data);
    let sums = comparisons.iter().flat_map(|it| sums(numbers, it));
    sums.collect()
}

/// The bounds of all loops.
pub(super) fn of_loops(surroundings: &Surroundings<'_>) -> BTreeMap<Loop, Vec<LoopBound>> {
    let loops = surroundings.loops.iter();
    loops
        .map(|(loop_, data)| (loop_, of_loop(surroundings, loop_, data)))
        .collect()
}

fn of_loop(surroundings: &Surroundings<'_>, loop_: Loop, data: &LoopData) -> Vec<LoopBound> {
    let entrance = Entrance::of(surroundings, data.header);
    let mut bounds = Vec::new();
    for (block, cond, truth) in tests(surroundings, loop_, data) {
        let numbers = Numbers::at(surroundings, block);
        for comparison in guards::comparisons(surroundings.kernel, cond, truth) {
            match comparison.relation {
                Relation::NotEqual => {
                    let counting = until_equal(&numbers, &comparison, loop_);
                    let bounds_of =
                        counting.and_then(|sum| bound(surroundings, loop_, &sum, &entrance));
                    bounds.extend(bounds_of.filter(|bound| bound.from == First::First));
                }
                Relation::Equal | Relation::Less(_) | Relation::LessOrEqual(_) => {
                    let sums = sums(&numbers, &comparison);
                    let sums = sums.iter();
                    bounds.extend(sums.filter_map(|it| bound(surroundings, loop_, it, &entrance)));
                }
            }
        }
    }
    bounds
}

/// The conditions that have held whenever the loop has gone round, with the blocks that test them.
fn tests(
    surroundings: &Surroundings<'_>,
    loop_: Loop,
    data: &LoopData,
) -> Vec<(Block, Value, Truth)> {
    let Surroundings {
        kernel,
        dominators,
        loops,
        ..
    } = surroundings;
    let exits = data.exits.iter().filter(|exit| {
        let mut latches = data.latches.iter();
        latches.all(|&latch| dominators.dominates(exit.from, latch))
    });
    let test = |from: Block| {
        let InstData::Branch { cond, targets } = kernel.inst(kernel.terminator(from)) else {
            return None;
        };
        let stays = |at: usize| loops.contains(loop_, targets[at].block);
        match (stays(0), stays(1)) {
            (true, false) => Some((from, *cond, Truth::Holds)),
            (false, true) => Some((from, *cond, Truth::Fails)),
            (true, true) | (false, false) => None,
        }
    };
    exits.filter_map(|exit| test(exit.from)).collect()
}

/// What is known when a loop is entered.
struct Entrance<'k> {
    numbers: Numbers<'k>,
    not_negative: Vec<Sum>,
}

impl<'k> Entrance<'k> {
    fn of(surroundings: &'k Surroundings<'k>, header: Block) -> Entrance<'k> {
        let Surroundings {
            kernel,
            cfg,
            dominators,
            ..
        } = surroundings;
        let numbers = Numbers::at(surroundings, header);
        let conditions = guards::conditions(kernel, cfg, dominators, header);
        let all = conditions.into_iter();
        let all = all.flat_map(|(cond, truth)| guards::comparisons(kernel, cond, truth));
        Entrance {
            not_negative: all.flat_map(|it| sums(&numbers, &it)).collect(),
            numbers,
        }
    }

    fn implies(&self, sum: &Sum) -> bool {
        let is_not_negative = |sum: &Sum| {
            let range = self.numbers.interval(sum);
            range.is_some_and(|range| range.least >= 0)
        };
        let follows = |known: &Sum| sum.minus(known).is_some_and(|it| is_not_negative(&it));
        is_not_negative(sum) || self.not_negative.iter().any(follows)
    }
}

/// What a sum that has not been negative at the end of an iteration says about the next one.
fn bound(
    surroundings: &Surroundings<'_>,
    loop_: Loop,
    tested: &Sum,
    entrance: &Entrance<'_>,
) -> Option<LoopBound> {
    let number = Term::Iteration(loop_);
    let is_known = |term: Term| term == number || surroundings.is_invariant(term, loop_);
    if !tested.terms().all(is_known) {
        return None;
    }
    let before = Sum::term(number).minus(&Sum::constant(1))?;
    let at_entrance = tested.replacing(number, &Sum::constant(-1))?;
    Some(LoopBound {
        sum: tested.replacing(number, &before)?,
        from: match entrance.implies(&at_entrance) {
            true => First::First,
            false => First::Second,
        },
    })
}

/// A counter that moves by 1 towards the limit: the sum of which a loop makes sure, if it starts on the
/// right side, that it is not negative.
fn until_equal(numbers: &Numbers<'_>, comparison: &Comparison, loop_: Loop) -> Option<Sum> {
    let [a, b] = comparison.args;
    let readings = [Signed, Unsigned].into_iter();
    let mut differences = readings
        .filter_map(|reading| exact(numbers, b, reading)?.minus(&exact(numbers, a, reading)?));
    let difference = differences.next()?;
    let number = Term::Iteration(loop_);
    let step = difference.growth(&[number])?.as_constant()?;
    let distance = match step {
        -1 => difference,
        1 => Sum::default().minus(&difference)?,
        _ => return None,
    };
    distance.minus(&Sum::constant(1))
}

/// The sums that a comparison that holds says are not negative.
fn sums(numbers: &Numbers<'_>, comparison: &Comparison) -> Vec<Sum> {
    let [a, b] = comparison.args;
    let difference = |reading: Signedness| -> Option<Sum> {
        exact(numbers, b, reading)?.minus(&exact(numbers, a, reading)?)
    };
    match comparison.relation {
        Relation::Less(reading) => {
            let less = difference(reading).and_then(|it| it.minus(&Sum::constant(1)));
            less.into_iter().collect()
        }
        Relation::LessOrEqual(reading) => difference(reading).into_iter().collect(),
        Relation::Equal => {
            let zero = difference(Signed).or_else(|| difference(Unsigned));
            let opposite = zero.as_ref().and_then(|it| Sum::default().minus(it));
            zero.into_iter().chain(opposite).collect()
        }
        Relation::NotEqual => Vec::new(),
    }
}

/// The sum that a value is, read as signed or unsigned.
fn exact(numbers: &Numbers<'_>, value: Value, reading: Signedness) -> Option<Sum> {
    let ty = numbers.surroundings.kernel.ty(value);
    if !ty.is_int() {
        return None;
    }
    // One bit more shows whether the sum is all of the value.
    let number = numbers.extended(value, ty.bits() + 1, reading);
    (number.bits == number.width).then_some(number.sum)
}
