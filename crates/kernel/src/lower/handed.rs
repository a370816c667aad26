//! What the iterations of a pipelined loop hand to later ones, as states of a segment.
//!
//! A value that an iteration only passes on, as in a shift register, is the value of an iteration some distance
//! before. If all values of such a chain begin alike, they are one row of registers: a value counts as the initial
//! one until the loop has run for as many iterations.

use std::collections::BTreeMap;

use sluice_circuit::units::segment::Operand;

use super::segment::SegmentBuilder;
use crate::ir::{Inst, Kernel, Value, ValueDef};
use crate::prepare::{Cut, State};

/// The states of a segment, until it is known what they become.
pub(super) struct Handed {
    /// Whether there is another iteration.
    pub(super) again: Value,
    /// By state that no other state is passed on to: what it becomes.
    pub(super) next: Vec<Value>,
    states: Vec<Operand>,
    goes_on: Operand,
    /// The number of iterations before this one, as far as it matters, and the state that counts them.
    age: Option<(Operand, u64)>,
}

impl Handed {
    /// Adds states for some instructions; none if there are none.
    pub(super) fn add(
        cut: &Cut,
        kernel: &Kernel,
        builder: &mut SegmentBuilder<'_>,
        insts: &[Inst],
        operand: &mut dyn FnMut(&mut SegmentBuilder<'_>, Value) -> Operand,
    ) -> Option<Handed> {
        let again = cut.states.get(insts.first()?)?.again;
        let chains = Chains { cut, kernel, insts };
        let oldest = insts.iter().map(|&inst| chains.distance(inst)).max()?;
        let (first, goes_on) = builder.first_of_loop();
        let mut handed = Handed {
            again,
            next: Vec::new(),
            states: Vec::new(),
            goes_on,
            age: (oldest > 1).then(|| (builder.age(oldest), oldest)),
        };
        let raw: BTreeMap<Inst, Operand> = insts
            .iter()
            .map(|&inst| (inst, builder.add_state(kernel.result(inst))))
            .collect();
        for &inst in insts {
            let State { initial, next, .. } = cut.states[&inst];
            let begins = match (chains.distance(inst), handed.age) {
                (distance @ 2.., Some((age, oldest))) => builder.is_below(age, distance, oldest),
                (_, _) => first,
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

    /// Says what the states become.
    pub(super) fn close(self, builder: &mut SegmentBuilder<'_>, again: Operand, next: &[Operand]) {
        builder.graph.set_next(self.goes_on, again);
        for (&state, &next) in self.states.iter().zip(next) {
            builder.graph.set_next(state, next);
        }
        if let Some((age, oldest)) = self.age {
            builder.count_age(age, oldest, again);
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
