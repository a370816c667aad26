//! The states of a segment, as histories: what the last tokens left, the latest one first.
//!
//! A state whose next value is another state is what the token before left there. So a chain of states
//! is one history of the value that its last state gets, and each state of the chain is the value that
//! a token some distance before left. All of them are in a row of registers, which shifts when a token
//! leaves a value. A state that is only ever moved from state to state stays what it is after reset.

use std::collections::BTreeMap;

use super::graph::{Graph, Kind, Operand};

/// The values that tokens left, without the cycles in which they are read and written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Chain {
    /// What a token leaves.
    pub(super) next: Operand,
    /// The states, and the distance to the token that left their value: 1 for the one before.
    pub(super) states: Vec<(u32, u32)>,
}

/// What the states of a segment are.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Chains {
    pub(super) all: Vec<Chain>,
    /// States that are always 0.
    pub(super) zeros: Vec<u32>,
}

impl Chains {
    /// Those of the states that are used.
    pub(super) fn of(graph: &Graph, used: &[bool]) -> Chains {
        let next_of: BTreeMap<u32, Operand> = graph
            .states
            .iter()
            .map(|state| (state.operation, state.next.expect("check: it is set")))
            .collect();
        let mut by_next: BTreeMap<Operand, Vec<(u32, u32)>> = BTreeMap::new();
        let mut chains = Chains::default();
        for state in &graph.states {
            if !used[state.operation as usize] {
                continue;
            }
            match last_value(graph, &next_of, state.operation) {
                Some((next, distance)) => {
                    let states = by_next.entry(next).or_default();
                    states.push((state.operation, distance));
                }
                None => chains.zeros.push(state.operation),
            }
        }
        let chain = |(next, states)| Chain { next, states };
        chains.all = by_next.into_iter().map(chain).collect();
        chains
    }
}

/// The value that the last state of a chain gets, and its distance; none if the chain is a ring.
fn last_value(
    graph: &Graph,
    next_of: &BTreeMap<u32, Operand>,
    mut state: u32,
) -> Option<(Operand, u32)> {
    for distance in 1..=next_of.len() as u32 {
        let next = next_of[&state];
        match next {
            Operand::Result { operation, .. }
                if matches!(
                    graph.operations[operation as usize].kind,
                    Kind::State { .. }
                ) =>
            {
                state = operation;
            }
            Operand::Input { .. }
            | Operand::Constant(_)
            | Operand::Literal { .. }
            | Operand::Result { .. } => return Some((next, distance)),
        }
    }
    None
}
