//! Who waits for whom: from a unit that does not take or a token that is missing, one step nearer to
//! the cause.
//!
//! - **Why does this unit not take?** If it would join and an input is missing, because of that
//!   input (the first, in the order of ports): go on with why that is missing. Otherwise because of
//!   what it does not get rid of: go on with why it does not give.
//! - **Why does this unit not give?** If tokens stand at its outputs, go on with why the consumer of
//!   the one that has stood there longest does not take. If none stand there and a question of its
//!   is not answered, go on with why the answer is missing; if it has nothing left to lend, with why
//!   nothing comes back. If there is none either, or it asks in this very cycle, the unit is the
//!   cause.
//! - **Why is this token missing?** The unit that has it now is the cause. If by the count of tokens
//!   ([`Origin`]) the producer has it and its outputs do not depend on each other, or if it comes in
//!   just now, the producer is the cause; if the producer has it otherwise, go on with why it does
//!   not give. If it does not have it, go on with why it does not take, if tokens stand at its
//!   inputs, or else with why its input is missing.
//! - The environment is always a cause.

use super::topology::Topology;
use crate::unit::Origin;

/// What a channel does in a cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum State {
    /// No token stands there.
    Idle,
    /// A token stands there and is not taken.
    Stalled,
    /// A token is taken at the end of the cycle.
    Passes,
}

/// What is known of channels in a cycle.
pub(super) trait Channels {
    /// What it does.
    fn state(&self, channel: u32) -> State;

    /// Whether its consumer takes, or would if nothing else were missing.
    fn is_taking(&self, channel: u32) -> bool;

    /// How many tokens have passed.
    fn passed(&self, channel: u32) -> u64;

    /// If its token holds the producer up: a measure of since when, the smaller the longer.
    fn stands(&self, channel: u32) -> Option<u64>;
}

/// The answer to a question about a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cause {
    /// This output is not taken: why does its consumer not take?
    Untaken(u32),
    /// This input is missing: why does its producer not give?
    Missing(u32),
    /// Why does the unit itself not take?
    Itself,
    /// It is the cause.
    Ends,
}

/// The steps through a circuit.
pub(super) struct Waits<'a, C> {
    pub(super) topology: &'a Topology,
    pub(super) channels: &'a C,
}

impl<C: Channels> Waits<'_, C> {
    /// Why a unit does not take.
    pub(super) fn why_not_taken(&self, unit: u32) -> Cause {
        if self.topology.is_environment(unit) {
            return Cause::Ends;
        }
        let inputs = self.topology.inputs(unit);
        if self.topology.is_joining(unit) && self.channels.is_taking(inputs[0]) {
            let idle = |&&input: &&u32| self.channels.state(input) == State::Idle;
            if let Some(&input) = inputs.iter().find(idle) {
                return Cause::Missing(input);
            }
        }
        self.why_not_given(unit)
    }

    fn why_not_given(&self, unit: u32) -> Cause {
        let stands = |&output: &u32| Some((self.channels.stands(output)?, output));
        let outputs = self.topology.outputs(unit).iter();
        let longest = outputs.filter_map(stands).min_by_key(|&(since, _)| since);
        if let Some((_, output)) = longest {
            return Cause::Untaken(output);
        }
        let questions = self.topology.questions(unit);
        let state = |channel| self.channels.state(channel);
        if questions
            .iter()
            .any(|&(asked, _)| state(asked) == State::Passes)
        {
            return Cause::Ends;
        }
        let passed = |channel| self.channels.passed(channel);
        let waits = |&&(asked, answer): &&(u32, u32)| {
            state(answer) == State::Idle && passed(asked) > passed(answer)
        };
        match questions.iter().find(waits) {
            Some(&(_, answer)) => Cause::Missing(answer),
            None => self.why_not_lent(unit),
        }
    }

    /// Why a unit that stands idle has nothing to lend, if it lends something.
    fn why_not_lent(&self, unit: u32) -> Cause {
        let outputs = self.topology.outputs(unit).iter();
        let back = outputs.filter_map(|&output| match self.topology.origin(output) {
            Origin::Lent { back, .. } => Some(back),
            Origin::Each
            | Origin::Series
            | Origin::Any
            | Origin::Input(_)
            | Origin::Among(_)
            | Origin::Complete(_)
            | Origin::Unit => None,
        });
        let mut back = back.map(|port| self.topology.inputs(unit)[port]);
        match back.next() {
            Some(back) if self.channels.state(back) == State::Idle => Cause::Missing(back),
            Some(_) | None => Cause::Ends,
        }
    }

    /// Why the producer of a channel does not give.
    pub(super) fn why_missing(&self, channel: u32) -> Cause {
        let unit = self.topology.producer(channel);
        if self.topology.is_environment(unit) {
            return Cause::Ends;
        }
        let passed = |channel: u32| self.channels.passed(channel);
        let sum = |channels: &[u32]| channels.iter().map(|&c| passed(c)).sum::<u64>();
        let (inputs, outputs) = (self.topology.inputs(unit), self.topology.outputs(unit));
        match self.topology.origin(channel) {
            Origin::Each if passed(inputs[0]) > passed(channel) => Cause::Ends,
            Origin::Each => self.why_not_brought(unit, inputs),
            // What still comes of a token is offered, or the unit works on it.
            Origin::Series if sum(inputs) == 0 => self.why_not_brought(unit, inputs),
            Origin::Series => match self.why_not_given(unit) {
                Cause::Ends => self.why_not_brought(unit, inputs),
                cause => cause,
            },
            Origin::Any if sum(inputs) > sum(outputs) => self.why_not_given(unit),
            Origin::Any => self.why_not_brought(unit, inputs),
            Origin::Input(port) | Origin::Lent { to: port, .. }
                if passed(inputs[port]) > passed(channel) =>
            {
                self.why_not_given(unit)
            }
            Origin::Input(port)
            | Origin::Among(port)
            | Origin::Complete(port)
            | Origin::Lent { to: port, .. } => self.why_not_brought(unit, &inputs[port..=port]),
            Origin::Unit => self.why_not_given(unit),
        }
    }

    /// Why a unit has no token from these inputs.
    fn why_not_brought(&self, unit: u32, inputs: &[u32]) -> Cause {
        let has = |state| {
            let mut states = inputs.iter().map(|&input| self.channels.state(input));
            states.any(|it| it == state)
        };
        if has(State::Passes) {
            Cause::Ends
        } else if has(State::Stalled) {
            Cause::Itself
        } else if inputs.len() > 1 && !self.topology.is_joining(unit) {
            // It is not known from which of them it is to come.
            Cause::Ends
        } else {
            Cause::Missing(inputs[0])
        }
    }
}
