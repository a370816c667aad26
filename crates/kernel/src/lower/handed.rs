//! What the iterations of a pipelined loop hand to later ones, as states of a segment.
//!
//! A value that an iteration only passes on, as in a shift register, is the value of an iteration some distance
//! before. If all values of such a chain begin alike, they are one row of registers: a value counts as the initial
//! one until the loop has run for as many iterations.
//!
//! A value that begins anew now and then, `s' = goes_on ? next : initial`, is chosen where the loop's first iteration
//! chooses the initial one anyway: what it is computed from then does not wait for two choices.

use std::collections::BTreeMap;

use sluice_circuit::units::segment::{InlineOp, Operand};

use super::segment::SegmentBuilder;
use crate::ir::{Inst, InstData, Kernel, Value, ValueDef};
use crate::prepare::{Begins, Cut, State};

/// The states of a segment, until it is known what they become.
pub(super) struct Handed {
    /// When values begin anew.
    pub(super) begins: Begins,
    /// By state that no other state is passed on to: what it becomes.
    pub(super) next: Vec<Value>,
    states: Vec<Operand>,
    /// Whether an iteration is the first one.
    first: Operand,
    /// The state that says whether there was one before, unless iterations bring along whether they are the first.
    goes_on: Option<Operand>,
    /// Of values that begin anew: the state that says whether the value of the iteration before counts, and when it does.
    resets: Vec<(Operand, Vec<Value>)>,
    age: Option<Age>,
}

/// The number of iterations before this one, as far as it matters.
#[derive(Clone, Copy)]
struct Age {
    /// The state that counts them.
    state: Operand,
    /// Their number.
    now: Operand,
    /// The largest number that matters.
    oldest: u64,
}

impl Age {
    /// Adds it; the number is 0 where `first` is 1.
    fn add(builder: &mut SegmentBuilder<'_>, oldest: u64, first: Option<Operand>) -> Age {
        let state = builder.age(oldest);
        let now = match first {
            None => state,
            Some(first) => builder.none_if(first, state),
        };
        Age { state, now, oldest }
    }
}

impl Handed {
    /// Adds the states among the instructions of a level; none if there are none.
    pub(super) fn add(
        cut: &Cut,
        kernel: &Kernel,
        builder: &mut SegmentBuilder<'_>,
        level: &[Inst],
        operand: &mut dyn FnMut(&mut SegmentBuilder<'_>, Value) -> Operand,
    ) -> Option<Handed> {
        let insts = level.iter().copied();
        let insts: Vec<Inst> = insts.filter(|it| cut.states.contains_key(it)).collect();
        let insts = &insts[..];
        let begins = cut.states.get(insts.first()?)?.begins;
        let chains = Chains { cut, kernel, insts };
        let oldest = insts.iter().map(|&inst| chains.distance(inst)).max()?;
        let (first, goes_on) = match begins {
            Begins::Behind(_) => {
                let (first, goes_on) = builder.first_of_loop();
                (first, Some(goes_on))
            }
            Begins::In(first) => (operand(builder, first), None),
        };
        let mut handed = Handed {
            begins,
            next: Vec::new(),
            states: Vec::new(),
            first,
            goes_on,
            resets: Vec::new(),
            age: (oldest > 1)
                .then(|| Age::add(builder, oldest, goes_on.is_none().then_some(first))),
        };
        let raw: BTreeMap<Inst, Operand> = insts
            .iter()
            .map(|&inst| (inst, builder.add_state(kernel.result(inst))))
            .collect();
        for &inst in insts {
            let State { initial, .. } = cut.states[&inst];
            let (next, conditions) = chains.reset(inst, level);
            let begins = match (chains.distance(inst), handed.age) {
                (distance @ 2.., Some(age)) => builder.is_below(age.now, distance, age.oldest),
                (_, _) if conditions.is_empty() => first,
                (_, _) => handed.begins_anew(builder, conditions),
            };
            let initial = operand(builder, initial);
            let value = kernel.result(inst);
            let initial = builder.low_bits(initial, builder.width(value));
            builder.begin_with(value, begins, initial, raw[&inst]);
            match chains.passed_on(inst) {
                Some(from) => builder.graph.set_next(raw[&inst], raw[&from]),
                None => {
                    handed.next.push(next);
                    handed.states.push(raw[&inst]);
                }
            }
        }
        Some(handed)
    }

    /// Whether a value is the initial one: unless there was an iteration before, and the conditions held in it.
    fn begins_anew(&mut self, builder: &mut SegmentBuilder<'_>, conditions: Vec<Value>) -> Operand {
        let mut known = self.resets.iter();
        let kept = match known.find(|(_, it)| *it == conditions) {
            Some(&(kept, _)) => kept,
            None => {
                let kept = builder.graph.add_state(1);
                self.resets.push((kept, conditions));
                kept
            }
        };
        let anew = builder.graph.add_inline(InlineOp::Not, 1, &[kept]);
        match self.goes_on {
            Some(_) => anew,
            None => {
                let either = [self.first, anew];
                builder.graph.add_inline(InlineOp::Or, 1, &either)
            }
        }
    }

    /// The values that decide whether values begin anew.
    pub(super) fn conditions(&self) -> Vec<Value> {
        let all = self.resets.iter().flat_map(|(_, conditions)| conditions);
        all.copied().collect()
    }

    /// Says what the states become, given the values of [`Handed::next`], of [`Handed::conditions`], and the value that
    /// tells executions apart.
    pub(super) fn close(
        self,
        builder: &mut SegmentBuilder<'_>,
        begins: Operand,
        next: &[Operand],
        conditions: &[Operand],
    ) {
        let again = self.goes_on.map(|_| begins);
        if let (Some(goes_on), Some(again)) = (self.goes_on, again) {
            builder.graph.set_next(goes_on, again);
        }
        let mut conditions = conditions.iter();
        for (kept, own) in &self.resets {
            let own = conditions.by_ref().take(own.len()).copied();
            let all = again.into_iter().chain(own);
            let all = all.reduce(|all, it| builder.graph.add_inline(InlineOp::And, 1, &[all, it]));
            builder
                .graph
                .set_next(*kept, all.expect("values begin anew under conditions"));
        }
        for (&state, &next) in self.states.iter().zip(next) {
            builder.graph.set_next(state, next);
        }
        if let Some(age) = self.age {
            builder.count_age([age.state, age.now], age.oldest, again);
        }
    }
}

/// States that become what other states are.
struct Chains<'a> {
    cut: &'a Cut,
    kernel: &'a Kernel,
    insts: &'a [Inst],
}

impl Chains<'_> {
    /// The state that a state becomes in the next iteration, if it is one that begins alike. In a ring of such
    /// states, none is.
    fn passed_on(&self, inst: Inst) -> Option<Inst> {
        let first = self.becomes(inst)?;
        let mut at = first;
        for _ in 0..self.insts.len() {
            match self.becomes(at) {
                Some(next) => at = next,
                None => return Some(first),
            }
        }
        None
    }

    /// What a state becomes, and the conditions under which: otherwise it begins anew. They are computed in the level of
    /// the state.
    fn reset(&self, inst: Inst, level: &[Inst]) -> (Value, Vec<Value>) {
        let state = self.cut.states[&inst];
        let mut next = state.next;
        let mut conditions = Vec::new();
        let is_row = self.passed_on(inst).is_some()
            || self
                .insts
                .iter()
                .any(|&it| self.passed_on(it) == Some(inst));
        let Some(&begin) = self.cut.begins.get(&state.initial).filter(|_| !is_row) else {
            return (next, conditions);
        };
        while let ValueDef::Result(select, _) = self.kernel.def(next)
            && level.contains(&select)
            && !self.cut.states.contains_key(&select)
            && let InstData::Select { cond, args } = *self.kernel.inst(select)
            && self.is_same(args[1], begin)
        {
            conditions.push(cond);
            next = args[0];
        }
        (next, conditions)
    }

    fn is_same(&self, a: Value, b: Value) -> bool {
        let constants = [a, b].map(|it| self.kernel.constant(it));
        a == b || (constants[0].is_some() && constants[0] == constants[1])
    }

    fn becomes(&self, inst: Inst) -> Option<Inst> {
        let state = self.cut.states[&inst];
        let ValueDef::Result(from, _) = self.kernel.def(state.next) else {
            return None;
        };
        let other = self
            .cut
            .states
            .get(&from)
            .filter(|_| self.insts.contains(&from))?;
        let begin = [state.initial, other.initial].map(|it| self.cut.begins.get(&it));
        (from != inst && begin[0].is_some() && begin[0] == begin[1]).then_some(from)
    }

    /// How many iterations before a state's value was computed.
    fn distance(&self, inst: Inst) -> u64 {
        let mut distance = 1;
        let mut at = inst;
        while let Some(from) = self.passed_on(at) {
            distance += 1;
            at = from;
        }
        distance
    }
}
