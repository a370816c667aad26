//! Values as sums: what each integer and each address is made of, where an access stands.
//!
//! A value of `w` bits is a [`Number`]: a sum that it agrees with modulo 2^k, for a `k` of at most
//! `w`. Sums, differences and products keep that, and a product with a power of two adds to `k`.
//! Extending a value keeps all of it only if the sum itself lies within what `w` bits hold; else the
//! extended value agrees with the sum modulo 2^k still, and with nothing more. So nothing is assumed
//! about wrapping: it is either excluded by ranges or visible in `k`.
//!
//! A parameter of a loop's header that grows by the same amount each time round is its value at the
//! loop's entrance plus that amount times the number of the iteration. Everything else that is no
//! such sum becomes a term of its own. A term stands for the value that was computed last: what
//! an address is computed from dominates the access, so none of it has been computed again since.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, HashMap, HashSet};

use cranelift_entity::SecondaryMap;
use sluice_circuit::arith::Signedness::{self, Signed, Unsigned};

use super::form::{Interval, Sum, Symbol, Term, all_of};
use crate::analysis::ranges::query_facts;
use crate::analysis::round_limits;
use crate::analysis::uniform::{Scope, Scopes};
use crate::analysis::{BlockFacts, Cfg, Dominators, Loop, Loops, Ranges};
use crate::ir::{BinaryOp, Block, CastOp, InstData, Kernel, Query, Type, Value, ValueDef};
use crate::semantics::signed;

/// How many additions lead from a loop's parameter to its next value, at most.
const STEPS: u32 = 8;

/// How many operations a value is followed through, at most.
const DEPTH: u32 = 64;

/// What is known of a kernel as a whole.
pub(in crate::analysis) struct Surroundings<'k> {
    pub(in crate::analysis) kernel: &'k Kernel,
    pub(in crate::analysis) cfg: Cfg,
    pub(in crate::analysis) dominators: Dominators,
    pub(in crate::analysis) loops: Loops,
    pub(in crate::analysis) homes: SecondaryMap<Value, Option<Block>>,
    ranges: Ranges,
    scopes: Scopes,
    rounds: SecondaryMap<Loop, Option<u64>>,
    /// The least and the greatest value that ids can have, and slots.
    ids: BTreeMap<Term, Interval>,
    /// The results of work-item functions that are terms.
    queries: Vec<(Term, Value)>,
    /// One of the values that hold the same argument or size.
    representative: SecondaryMap<Value, Option<Value>>,
}

impl<'k> Surroundings<'k> {
    /// `group_items`: most work-items of a group.
    pub(in crate::analysis) fn of(kernel: &'k Kernel, group_items: u64) -> Surroundings<'k> {
        let cfg = Cfg::of(kernel);
        let dominators = Dominators::of(kernel, &cfg);
        let loops = Loops::of(kernel, &cfg, &dominators);
        let ranges = Ranges::within(kernel, group_items);
        let mut it = Surroundings {
            kernel,
            rounds: round_limits(kernel, &cfg, &dominators, &loops, &ranges),
            scopes: Scopes::of(kernel, &cfg),
            cfg,
            dominators,
            loops,
            homes: SecondaryMap::new(),
            ranges,
            ids: BTreeMap::new(),
            queries: Vec::new(),
            representative: SecondaryMap::new(),
        };
        it.visit(group_items);
        it
    }

    fn visit(&mut self, group_items: u64) {
        let kernel = self.kernel;
        let mut leaves: HashMap<(&InstData, Type), Value> = HashMap::new();
        for &block in kernel.layout() {
            for &param in &kernel.block(block).params {
                self.homes[param] = Some(block);
            }
            for &inst in &kernel.block(block).insts {
                let data = kernel.inst(inst);
                for &result in kernel.results(inst) {
                    self.homes[result] = Some(block);
                    if data.is_pure() && data.operands().is_empty() {
                        let key = (data, kernel.ty(result));
                        self.representative[result] = Some(*leaves.entry(key).or_insert(result));
                    }
                }
                if let &InstData::Query { query, dim } = data
                    && let Some(term) = id_term(query, dim)
                {
                    let result = kernel.result(inst);
                    self.queries.push((term, result));
                    let range = match term {
                        Term::ItemSlot | Term::GroupSlot => {
                            all_of(kernel.ty(result).bits(), Unsigned)
                        }
                        _ => {
                            let facts = query_facts(kernel, group_items, (query, dim), 64);
                            natural(facts.umin(), facts.umax())
                        }
                    };
                    self.ids.insert(term, range);
                }
            }
        }
    }

    /// How often control goes round a loop, at most.
    pub(in crate::analysis) fn rounds(&self, loop_: Loop) -> Option<u64> {
        self.rounds[loop_]
    }

    /// Whether a term is the same in all iterations of a loop that it is computed for.
    pub(in crate::analysis) fn is_invariant(&self, term: Term, loop_: Loop) -> bool {
        match term {
            Term::Base(_)
            | Term::GlobalId(_)
            | Term::LocalId(_)
            | Term::GroupId(_)
            | Term::ItemSlot
            | Term::GroupSlot => true,
            Term::Iteration(other) => {
                other != loop_ && self.loops.contains(other, self.loops.get(loop_).header)
            }
            Term::Value(symbol) => match symbol.scope {
                Scope::Launch | Scope::Group | Scope::Item => true,
                Scope::Once => {
                    let home = self.homes[symbol.value];
                    home.is_some_and(|home| !self.loops.contains(loop_, home))
                }
            },
        }
    }

    /// The loops around a block, the outermost first.
    pub(in crate::analysis) fn loops_around(&self, block: Block) -> Vec<Loop> {
        let mut around = Vec::new();
        let mut next = self.loops.innermost(block);
        while let Some(loop_) = next {
            around.push(loop_);
            next = self.loops.get(loop_).parent;
        }
        around.reverse();
        around
    }
}

fn natural(least: u64, greatest: u64) -> Interval {
    Interval {
        least: least.into(),
        greatest: greatest.into(),
    }
}

fn id_term(query: Query, dim: u8) -> Option<Term> {
    match query {
        Query::GlobalId => Some(Term::GlobalId(dim)),
        Query::LocalId => Some(Term::LocalId(dim)),
        Query::GroupId => Some(Term::GroupId(dim)),
        Query::ItemSlot => Some(Term::ItemSlot),
        Query::GroupSlot => Some(Term::GroupSlot),
        Query::GlobalSize
        | Query::LocalSize
        | Query::NumGroups
        | Query::GlobalOffset
        | Query::WorkDim => None,
    }
}

/// What is known of a value: it agrees with the sum modulo 2^bits.
#[derive(Clone, Debug)]
pub(in crate::analysis) struct Number {
    pub(in crate::analysis) sum: Sum,
    pub(in crate::analysis) bits: u32,
    /// Of the value, at least `bits`.
    pub(in crate::analysis) width: u32,
}

/// The values as they are in one block.
pub(in crate::analysis) struct Numbers<'k> {
    pub(in crate::analysis) surroundings: &'k Surroundings<'k>,
    block: Block,
    facts: BlockFacts<'k>,
    ids: BTreeMap<Term, Interval>,
    known: RefCell<HashMap<Value, Number>>,
    /// Loop parameters that are being looked at.
    busy: RefCell<HashSet<Value>>,
    /// Operations between the value that was asked for and the one that is being looked at.
    depth: Cell<u32>,
    /// The same with nothing but what holds everywhere.
    unguarded: OnceCell<Box<Numbers<'k>>>,
}

impl<'k> Numbers<'k> {
    pub(in crate::analysis) fn at(surroundings: &'k Surroundings<'k>, block: Block) -> Numbers<'k> {
        Numbers::given(surroundings, block, block)
    }

    /// The values in a block, with what is known in another one that every way to the block passes.
    fn given(surroundings: &'k Surroundings<'k>, block: Block, guards: Block) -> Numbers<'k> {
        let Surroundings {
            kernel,
            cfg,
            dominators,
            ranges,
            ..
        } = surroundings;
        let facts = BlockFacts::of(kernel, cfg, dominators, ranges, guards);
        let mut ids = surroundings.ids.clone();
        for &(term, value) in &surroundings.queries {
            let known = ids[&term];
            // An id that its type does not hold may be larger than the facts say.
            if known.is_within(all_of(kernel.ty(value).bits(), Unsigned)) {
                let facts = facts.facts(value);
                let here = natural(facts.umin(), facts.umax());
                ids.insert(term, known.and(here).unwrap_or(known));
            }
        }
        Numbers {
            surroundings,
            block,
            facts,
            ids,
            known: RefCell::default(),
            busy: RefCell::default(),
            depth: Cell::new(0),
            unguarded: OnceCell::new(),
        }
    }

    /// What a loop adds has been added in iterations, too, that did not come to the access: what the
    /// branches on the way to it say does not count there.
    fn unguarded(&self) -> &Numbers<'k> {
        let entry = self.surroundings.kernel.entry();
        self.unguarded.get_or_init(|| {
            let numbers = Numbers::given(self.surroundings, self.block, entry);
            Box::new(numbers)
        })
    }

    /// The values that a term can have here.
    pub(in crate::analysis) fn interval_of(&self, term: Term) -> Option<Interval> {
        let all = natural(0, u64::MAX);
        match term {
            Term::Base(_) => None,
            Term::Iteration(loop_) => Some(natural(0, self.surroundings.rounds(loop_)?)),
            Term::Value(Symbol { value, reading, .. }) => {
                if !self.surroundings.kernel.ty(value).is_int() {
                    return None;
                }
                let facts = self.facts.facts(value);
                Some(match reading {
                    Unsigned => natural(facts.umin(), facts.umax()),
                    Signed => Interval {
                        least: facts.smin().into(),
                        greatest: facts.smax().into(),
                    },
                })
            }
            Term::GlobalId(_)
            | Term::LocalId(_)
            | Term::GroupId(_)
            | Term::ItemSlot
            | Term::GroupSlot => Some(self.ids.get(&term).copied().unwrap_or(all)),
        }
    }

    /// The values that a sum can have here.
    pub(in crate::analysis) fn interval(&self, sum: &Sum) -> Option<Interval> {
        sum.interval(|term| self.interval_of(term))
    }

    /// The signed distances in bytes that an address can have from its object's first byte, by the
    /// facts of what was added to it.
    pub(in crate::analysis) fn distance(&self, mut pointer: Value) -> Option<Interval> {
        let mut all = Interval::point(0);
        loop {
            match *self.surroundings.kernel.def_inst(pointer)? {
                InstData::Addr(_) => return Some(all),
                InstData::PtrAdd { base, offset } => {
                    let facts = self.facts.facts(offset);
                    all = all.plus(Interval {
                        least: facts.smin().into(),
                        greatest: facts.smax().into(),
                    })?;
                    pointer = base;
                }
                _ => return None,
            }
        }
    }

    /// What a value is, read as signed or unsigned and extended to `width` bits.
    pub(in crate::analysis) fn extended(
        &self,
        value: Value,
        width: u32,
        reading: Signedness,
    ) -> Number {
        let number = self.of(value);
        if let Some(sum) = self.moved_within(&number, reading) {
            return Number {
                sum,
                bits: width,
                width,
            };
        }
        if self.is_exact(value, &number, reading) {
            return Number {
                sum: number.sum,
                bits: width,
                width,
            };
        }
        let has_structure = number.sum.terms().any(|term| match term {
            Term::Value(_) => false,
            Term::Base(_)
            | Term::GlobalId(_)
            | Term::LocalId(_)
            | Term::GroupId(_)
            | Term::ItemSlot
            | Term::GroupSlot
            | Term::Iteration(_) => true,
        });
        match has_structure {
            true => Number { width, ..number },
            // As a term of its own it is exact.
            false => Number {
                sum: Sum::term(self.symbol(value, reading)),
                bits: width,
                width,
            },
        }
    }

    /// The sum that is the value, read as signed or unsigned: constants are signed in sums, and a sum
    /// may be 2^width too small or too large as a whole.
    fn moved_within(&self, number: &Number, reading: Signedness) -> Option<Sum> {
        let interval = self.interval(&number.sum)?;
        let all = all_of(number.width, reading);
        let wraps = (interval.least - all.least).div_euclid(1 << number.width);
        let shift = -(wraps.checked_mul(1 << number.width)?);
        let moved = interval.plus(Interval::point(shift))?;
        let is_exact = number.bits == number.width && moved.is_within(all);
        is_exact.then(|| number.sum.plus(&Sum::constant(shift)))?
    }

    /// Whether the sum is the value, read as signed or unsigned.
    pub(in crate::analysis) fn is_exact(
        &self,
        value: Value,
        number: &Number,
        reading: Signedness,
    ) -> bool {
        if number.bits < number.width {
            return false;
        }
        let Some(interval) = self.interval(&number.sum) else {
            return false;
        };
        let is_within = |reading| interval.is_within(all_of(number.width, reading));
        let is_nonnegative = || {
            let is_int = self.surroundings.kernel.ty(value).is_int();
            is_int && self.facts.facts(value).is_nonnegative()
        };
        // Both readings of a value that is not negative are the same.
        is_within(reading) || ([Signed, Unsigned].into_iter().any(is_within) && is_nonnegative())
    }

    fn symbol(&self, value: Value, reading: Signedness) -> Term {
        let representative = self.surroundings.representative[value];
        Term::Value(Symbol {
            value: representative.unwrap_or(value),
            reading,
            scope: self.surroundings.scopes.of_value(value),
        })
    }

    fn opaque(&self, value: Value) -> Number {
        let width = self.surroundings.kernel.ty(value).bits();
        Number {
            sum: Sum::term(self.symbol(value, Unsigned)),
            bits: width,
            width,
        }
    }

    /// What an integer or a pointer is.
    pub(in crate::analysis) fn of(&self, value: Value) -> Number {
        if let Some(known) = self.known.borrow().get(&value) {
            return known.clone();
        }
        let depth = self.depth.get();
        if depth == DEPTH {
            return self.opaque(value);
        }
        self.depth.set(depth + 1);
        let found = match self.surroundings.kernel.def(value) {
            ValueDef::Param(block, at) => self.counter(value, block, at as usize),
            ValueDef::Result(inst, _) => self.result(value, self.surroundings.kernel.inst(inst)),
        };
        self.depth.set(depth);
        let number = found.unwrap_or_else(|| self.opaque(value));
        self.known.borrow_mut().insert(value, number.clone());
        number
    }

    fn result(&self, value: Value, data: &InstData) -> Option<Number> {
        let ty = self.surroundings.kernel.ty(value);
        let width = ty.bits();
        let all = |sum| Number {
            sum,
            bits: width,
            width,
        };
        match *data {
            InstData::Const(bits) if ty.is_int() => {
                Some(all(Sum::constant(signed(ty, bits).into())))
            }
            InstData::Addr(object) => Some(all(Sum::term(Term::Base(object)))),
            InstData::Query { query, dim } => Some(all(Sum::term(id_term(query, dim)?))),
            InstData::Binary { op, args } if ty.is_int() => self.binary(op, args, width),
            InstData::Cast { op, arg } if ty.is_int() => {
                if !self.surroundings.kernel.ty(arg).is_int() {
                    return None;
                }
                match op {
                    CastOp::Zext => Some(self.extended(arg, width, Unsigned)),
                    CastOp::Sext => Some(self.extended(arg, width, Signed)),
                    CastOp::Trunc => {
                        let Number { sum, bits, .. } = self.of(arg);
                        let bits = bits.min(width);
                        Some(Number { sum, bits, width })
                    }
                    _ => None,
                }
            }
            InstData::PtrAdd { base, offset } => {
                let base = self.of(base);
                base.plus(&self.extended(offset, width, Signed))
            }
            _ => None,
        }
    }

    fn binary(&self, op: BinaryOp, [a, b]: [Value; 2], width: u32) -> Option<Number> {
        let kernel = self.surroundings.kernel;
        match op {
            BinaryOp::Add => self.of(a).plus(&self.of(b)),
            BinaryOp::Sub => self.of(a).plus(&self.of(b).scaled(-1)?),
            BinaryOp::Mul => match (kernel.constant(a), kernel.constant(b)) {
                (_, Some(by)) => self.of(a).scaled(signed(kernel.ty(b), by).into()),
                (Some(by), None) => self.of(b).scaled(signed(kernel.ty(a), by).into()),
                (None, None) => self.of(a).times(&self.of(b)),
            },
            BinaryOp::Shl => match kernel.constant(b)? {
                by if by < width.into() => self.of(a).scaled(1 << by),
                _ => None,
            },
            BinaryOp::Or => {
                let [zeros_a, zeros_b] = [a, b].map(|value| self.facts.facts(value).zeros());
                let all = Type::Int(width as u8).mask();
                // Without a bit in common, as an addition.
                let is_sum = zeros_a | zeros_b == all;
                is_sum.then(|| self.of(a).plus(&self.of(b)))?
            }
            _ => None,
        }
    }

    /// What a parameter of a block is that counts the iterations of a loop around the access.
    fn counter(&self, param: Value, header: Block, at: usize) -> Option<Number> {
        let Surroundings {
            kernel, cfg, loops, ..
        } = self.surroundings;
        let loop_ = loops.innermost(header)?;
        if loops.get(loop_).header != header || !loops.contains(loop_, self.block) {
            return None;
        }
        let ty = kernel.ty(param);
        if !(ty.is_int() || ty.is_ptr()) || !self.busy.borrow_mut().insert(param) {
            return None;
        }
        let found = || {
            let mut start: Option<Number> = None;
            let mut step: Option<Number> = None;
            for &from in cfg.predecessors(header) {
                if !cfg.is_reachable(from) {
                    continue;
                }
                let calls = kernel.successors(from).iter();
                for call in calls.filter(|call| call.block == header) {
                    let arg = call.args[at];
                    let (place, number) = match loops.contains(loop_, from) {
                        true => (&mut step, self.unguarded().step(param, arg, STEPS)?),
                        false => (&mut start, self.of(arg)),
                    };
                    let same = place.get_or_insert_with(|| number.clone());
                    if same.sum != number.sum {
                        return None;
                    }
                    same.bits = same.bits.min(number.bits);
                }
            }
            let (start, step) = (start?, step?);
            let mut terms = step.sum.terms();
            if !terms.all(|term| self.surroundings.is_invariant(term, loop_)) {
                return None;
            }
            let iteration = Number {
                sum: Sum::term(Term::Iteration(loop_)),
                ..step
            };
            start.plus(&step.times(&iteration)?)
        };
        let found = found();
        self.busy.borrow_mut().remove(&param);
        found
    }

    /// What is added to a loop's parameter to get its next value.
    fn step(&self, param: Value, next: Value, depth: u32) -> Option<Number> {
        let kernel = self.surroundings.kernel;
        let width = kernel.ty(param).bits();
        if next == param {
            return Some(Number {
                sum: Sum::default(),
                bits: width,
                width,
            });
        }
        let depth = depth.checked_sub(1)?;
        match *kernel.def_inst(next)? {
            InstData::Binary {
                op: BinaryOp::Add,
                args: [a, b],
            } => match self.step(param, a, depth) {
                Some(step) => step.plus(&self.of(b)),
                None => self.step(param, b, depth)?.plus(&self.of(a)),
            },
            InstData::Binary {
                op: BinaryOp::Sub,
                args: [a, b],
            } => self.step(param, a, depth)?.plus(&self.of(b).scaled(-1)?),
            InstData::PtrAdd { base, offset } => {
                let step = self.step(param, base, depth)?;
                step.plus(&self.extended(offset, width, Signed))
            }
            _ => None,
        }
    }
}

impl Number {
    fn plus(&self, other: &Number) -> Option<Number> {
        Some(Number {
            sum: self.sum.plus(&other.sum)?,
            bits: self.bits.min(other.bits),
            width: self.width,
        })
    }

    fn times(&self, other: &Number) -> Option<Number> {
        Some(Number {
            sum: self.sum.times(&other.sum)?,
            bits: self.bits.min(other.bits),
            width: self.width,
        })
    }

    /// Times a constant: its factors of two add to the bits that are known.
    fn scaled(&self, by: i128) -> Option<Number> {
        let zeros = if by == 0 {
            self.width
        } else {
            by.trailing_zeros()
        };
        Some(Number {
            sum: self.sum.times(&Sum::constant(by))?,
            bits: (self.bits + zeros).min(self.width),
            width: self.width,
        })
    }
}
