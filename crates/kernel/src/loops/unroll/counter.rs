//! The counter that ends a loop, and what has to hold of it so that there are several further iterations.
//!
//! The loop `do { ...; i += s } while (i < n)` has `k` further iterations if `i + (k - 2) s < n`, provided that nothing wraps:
//! the test is then passed `k - 1` times. So `i` is compared with `n - (k - 2) s`, which is the same in all iterations, if that
//! does not wrap; otherwise the loop is left as it is. What is compared with is `n`, whether the loop goes on while the
//! counter is less, at most, or other than `n`: a counter that is less, or greater if it counts down, is another one.

use sluice_circuit::arith::Signedness::{self, Signed, Unsigned};

use super::is_invariant;
use crate::analysis::{LoopData, Ranges};
use crate::ir::{
    BinaryOp, Block, CastOp, InstData, Kernel, Predicate, Relation, Swap, Type, Value, ValueDef,
};
use crate::loops::code::Code;
use crate::loops::constant;
use crate::loops::one_block::insert_at_end;
use crate::semantics::signed;

/// Iterations that are counted, at most.
const MOST: u64 = 1 << 20;

/// A parameter that a constant is added to in each iteration, until a test ends the loop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counter {
    /// Its place among the parameters.
    pub(super) at: usize,
    pub(super) param: Value,
    /// Whether the test looks at its value in the next iteration.
    pub(super) is_next: bool,
    /// How it is made as wide as the limit, if it has fewer bits.
    extension: Option<CastOp>,
    /// What is added; not 0.
    step: i64,
    /// What it begins with.
    start: Value,
    /// While this holds of the counter and the limit, or with `swap` of the limit and the counter, the loop goes on.
    relation: Relation,
    swap: Swap,
    limit: Value,
}

/// What a counter is compared with.
pub(super) struct Limits {
    /// Whether the limits are numbers of the counter's type.
    pub(super) fits: Value,
    /// Before the first iteration.
    pub(super) enter: Value,
    /// At the end of an iteration of all copies.
    pub(super) go_on: Value,
}

impl Counter {
    /// The counter of a loop that is entered from a block and left at its end only.
    pub(super) fn of(kernel: &Kernel, data: &LoopData, before: Block) -> Option<Counter> {
        let [latch] = data.latches[..] else {
            return None;
        };
        if data.exits.iter().any(|exit| exit.from != latch) {
            return None;
        }
        let InstData::Branch { cond, targets } = kernel.inst(kernel.terminator(latch)) else {
            return None;
        };
        let way = usize::from(targets[0].block != data.header);
        if targets[1 - way].block == data.header {
            return None;
        }
        let &InstData::Compare { pred, args } = kernel.def_inst(*cond)? else {
            return None;
        };
        if !kernel.ty(args[0]).is_int() {
            return None;
        }
        let relation = pred.row().relation?;
        let (relation, swapped) = match way {
            0 => (relation, Swap::No),
            _ => relation.negated(),
        };
        let [a, b] = match swapped {
            Swap::No => args,
            Swap::Yes => [args[1], args[0]],
        };
        let start = &kernel.successors(before)[0].args;
        let params = kernel.block(data.header).params.iter().enumerate();
        let mut sides = [(a, b, Swap::No), (b, a, Swap::Yes)].into_iter();
        sides.find_map(|(tested, limit, swap)| {
            let mut params = params.clone();
            let (tested, extension) = narrow(kernel, tested);
            let (at, step, is_next) = params.find_map(|(at, &param)| {
                let next = targets[way].args[at];
                let is_next = tested == next;
                let is_it = is_next || tested == param;
                let step = is_it.then(|| step(kernel, next, param))??;
                Some((at, step, is_next))
            })?;
            let param = kernel.block(data.header).params[at];
            let counter = Counter {
                at,
                param,
                is_next,
                extension,
                step,
                start: start[at],
                relation,
                swap,
                limit,
            };
            let is_odd = extension == Some(CastOp::Sext)
                && matches!(
                    relation,
                    Relation::Less(Unsigned) | Relation::LessOrEqual(Unsigned)
                );
            let is_it = is_invariant(kernel, data, limit) && counter.leads_to_limit() && !is_odd;
            is_it.then_some(counter)
        })
    }

    /// Whether it counts towards the limit.
    fn leads_to_limit(&self) -> bool {
        match self.relation {
            Relation::Equal => false,
            Relation::NotEqual => true,
            Relation::Less(_) | Relation::LessOrEqual(_) => match self.swap {
                Swap::No => self.step > 0,
                Swap::Yes => self.step < 0,
            },
        }
    }

    /// The number of iterations, if it is a constant.
    pub(super) fn trips(&self, kernel: &Kernel) -> Option<u64> {
        let ty = kernel.ty(self.param);
        let limit = kernel.constant(self.limit)?;
        let mut value = kernel.constant(self.start)?;
        let pred = Predicate::of(self.relation);
        for count in 1..=MOST {
            let next = self.add(ty, value, 1);
            let tested = match self.is_next {
                true => next,
                false => value,
            };
            let wide = kernel.ty(self.limit);
            let tested = match self.extension {
                Some(CastOp::Sext) => signed(ty, tested) as u64 & wide.mask(),
                _ => tested,
            };
            let goes_on = match self.swap {
                Swap::No => pred.evaluate(wide, tested, limit),
                Swap::Yes => pred.evaluate(wide, limit, tested),
            };
            if !goes_on {
                return Some(count);
            }
            value = next;
        }
        None
    }

    /// Its value after some iterations, if it begins with a constant.
    pub(super) fn after(&self, kernel: &Kernel, iterations: u64) -> u64 {
        let start = kernel.constant(self.start);
        let ty = kernel.ty(self.param);
        self.add(ty, start.expect("iterations were counted"), iterations)
    }

    fn add(&self, ty: Type, value: u64, steps: u64) -> u64 {
        let by = (self.step as u64).wrapping_mul(steps) & ty.mask();
        BinaryOp::Add.evaluate(ty, value, by)
    }

    /// From the tested value of the first of some copies to the last test that is passed inside, and to that of
    /// the iteration behind.
    fn distances(&self, copies: u32) -> [i128; 2] {
        let (step, copies) = (i128::from(self.step), i128::from(copies));
        match self.is_next {
            true => [(copies - 1) * step; 2],
            false => [(copies - 2) * step, (2 * copies - 2) * step],
        }
    }

    /// Whether a counter of its type can go through so many copies without wrapping.
    pub(super) fn has_room(&self, kernel: &Kernel, copies: u32) -> bool {
        let bits = kernel.ty(self.param).bits();
        let [_, most] = self.distances(copies);
        most.abs() < 1 << (bits - 1)
    }

    /// How the counter and the limit are compared.
    fn reading(&self, kernel: &Kernel) -> Signedness {
        match (self.relation, self.extension) {
            (Relation::Less(reading) | Relation::LessOrEqual(reading), _) => reading,
            (_, Some(CastOp::Zext)) => Unsigned,
            (_, Some(_)) => Signed,
            // What has fewer bits than an `int` was made narrower because it is small and not negative.
            (_, None) => match kernel.ty(self.param).bits() < 32 {
                true => Unsigned,
                false => Signed,
            },
        }
    }

    /// The values that the counter can have, as it is compared.
    fn range(&self, kernel: &Kernel) -> [i128; 2] {
        let bits = kernel.ty(self.param).bits();
        let reading = match self.extension {
            Some(CastOp::Zext) => Unsigned,
            Some(_) => Signed,
            None => self.reading(kernel),
        };
        range(bits, reading)
    }

    /// Computes the limits at the end of the block before the loop.
    pub(super) fn limits(&self, kernel: &mut Kernel, before: Block, copies: u32) -> Limits {
        let ty = kernel.ty(self.limit);
        let reading = self.reading(kernel);
        let distances = self.distances(copies);
        let [least, greatest] = range(ty.bits(), reading);
        let own = self.range(kernel);
        // Where the limit is none of the counter's values, the counter would wrap before it gets there.
        let known = Ranges::of(kernel).facts(self.limit);
        let known = match reading {
            Signed => [known.smin().into(), known.smax().into()],
            Unsigned => [known.umin().into(), i128::from(known.umax())],
        };
        let is_far = match self.step > 0 {
            true => known[1] > own[1],
            false => known[0] < own[0],
        };
        let mut number = |value: i128| constant(kernel, ty, value as u64 & ty.mask());
        // The limit less the distance has to be a number of the type.
        let edge = match self.step > 0 {
            true => number(least + distances[1]),
            false => number(greatest + distances[1]),
        };
        let nearest = distances.map(&mut number);
        let ends = distances.map(|it| match self.step > 0 {
            true => number((own[1] - it).min(greatest)),
            false => number((own[0] - it).max(least)),
        });
        let mut code = Code::new(kernel);
        let args = match self.step > 0 {
            true => [edge, self.limit],
            false => [self.limit, edge],
        };
        let pred = Predicate::of(Relation::LessOrEqual(reading));
        let fits = code.value(InstData::Compare { pred, args }, Type::BOOL);
        let nearer = match (reading, self.step > 0) {
            (Signed, true) => BinaryOp::SMin,
            (Signed, false) => BinaryOp::SMax,
            (Unsigned, true) => BinaryOp::UMin,
            (Unsigned, false) => BinaryOp::UMax,
        };
        let limits = [0, 1].map(|at| {
            let limit = code.binary(BinaryOp::Sub, [self.limit, nearest[at]]);
            match is_far {
                true => code.binary(nearer, [limit, ends[at]]),
                false => limit,
            }
        });
        let insts = std::mem::take(&mut code.insts);
        insert_at_end(kernel, before, insts);
        Limits {
            fits,
            enter: limits[0],
            go_on: limits[1],
        }
    }

    /// Whether a value of the counter is on the right side of a limit.
    pub(super) fn goes_on(&self, code: &mut Code<'_>, value: Value, limit: Value) -> Value {
        let reading = self.reading(code.kernel);
        let relation = match self.relation {
            Relation::LessOrEqual(_) => Relation::LessOrEqual(reading),
            Relation::Less(_) | Relation::Equal | Relation::NotEqual => Relation::Less(reading),
        };
        let value = match self.extension {
            Some(op) => {
                let wide = code.kernel.ty(limit);
                code.value(InstData::Cast { op, arg: value }, wide)
            }
            None => value,
        };
        let args = match self.step > 0 {
            true => [value, limit],
            false => [limit, value],
        };
        let pred = Predicate::of(relation);
        code.value(InstData::Compare { pred, args }, Type::BOOL)
    }
}

/// The numbers of so many bits.
fn range(bits: u32, reading: Signedness) -> [i128; 2] {
    match reading {
        Signed => {
            let half = 1_i128 << (bits - 1);
            [-half, half - 1]
        }
        Unsigned => [0, (1_i128 << bits) - 1],
    }
}

/// What a value is before it was extended.
fn narrow(kernel: &Kernel, value: Value) -> (Value, Option<CastOp>) {
    match kernel.def_inst(value) {
        Some(&InstData::Cast {
            op: op @ (CastOp::Zext | CastOp::Sext),
            arg,
        }) => (arg, Some(op)),
        _ => (value, None),
    }
}

/// The constant that is added to a parameter to get its next value.
fn step(kernel: &Kernel, next: Value, param: Value) -> Option<i64> {
    let ValueDef::Result(inst, _) = kernel.def(next) else {
        return None;
    };
    let (base, by, is_less) = match *kernel.inst(inst) {
        InstData::Binary {
            op: BinaryOp::Add,
            args: [base, by],
        } => (base, by, false),
        InstData::Binary {
            op: BinaryOp::Sub,
            args: [base, by],
        } => (base, by, true),
        _ => return None,
    };
    let step = signed(kernel.ty(param), kernel.constant(by)?);
    let step = match is_less {
        true => step.checked_neg()?,
        false => step,
    };
    (base == param && step != 0).then_some(step)
}
