//! Levels of the pure instructions: the fewest bits between levels, except for what takes long.
//!
//! What is in level k or earlier is one side of a cut, and a value crosses it if its definition is
//! on this side and a use on the other. The cuts of all boundaries are independent minimum cuts:
//! among the minimum cuts of each boundary the one with the most instructions on the early side is
//! taken, and these are nested, since the function that they minimise is submodular and the
//! accesses on the early side become more.

use super::min_cut::{Network, SINK, SOURCE, UNCUT};

/// An instruction of a block, to be placed. Instructions are numbered in program order.
pub(super) struct Operation {
    /// The level of an access; for a pure instruction the first one that its operands allow.
    pub earliest: usize,
    /// The level of an access; for a pure instruction the last one that its uses allow.
    pub latest: usize,
    /// Bits that may rather wait than that it is in a later level.
    pub haste: u64,
}

/// A value that may wait between levels.
pub(super) struct Carried {
    /// Its width.
    pub bits: u64,
    /// The pure instruction that computes it; otherwise the level from which on it is there.
    pub origin: Origin,
    /// The instructions that use it.
    pub users: Vec<usize>,
    /// Whether the last level needs it.
    pub is_output: bool,
}

/// Where a value comes from.
#[derive(Clone, Copy)]
pub(super) enum Origin {
    /// It is there from this level on, wherever instructions are placed.
    Fixed(usize),
    /// A pure instruction computes it.
    Pure(usize),
}

/// Where an instruction is, seen from a boundary.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Before,
    Behind,
    Open(usize),
}

/// The level of each operation, given the number of the last level.
pub(super) fn place(operations: &[Operation], values: &[Carried], last: usize) -> Vec<usize> {
    let touching = values_by_operation(operations.len(), values);
    let mut from: Vec<Vec<usize>> = vec![Vec::new(); last + 1];
    for (at, operation) in operations.iter().enumerate() {
        from[operation.earliest].push(at);
    }
    let mut level: Vec<usize> = operations
        .iter()
        .map(|operation| operation.latest)
        .collect();
    // The operations that may be on either side of the boundary.
    let mut open: Vec<usize> = Vec::new();
    let mut nodes: Vec<Option<usize>> = vec![None; operations.len()];
    for (boundary, opening) in from.iter().enumerate().take(last) {
        open.extend(opening);
        open.retain(|&at| level[at] > boundary);
        let mut network = Network::new();
        for &at in &open {
            let node = network.add_node();
            if operations[at].haste > 0 {
                network.add_edge(SOURCE, node, operations[at].haste);
            }
            nodes[at] = Some(node);
        }
        let side = |at: usize| match nodes[at] {
            Some(node) => Side::Open(node),
            None if level[at] <= boundary => Side::Before,
            None => Side::Behind,
        };
        let mut concerned: Vec<usize> =
            open.iter().flat_map(|&at| &touching[at]).copied().collect();
        concerned.sort_unstable();
        concerned.dedup();
        for value in concerned {
            add_value(&mut network, side, &values[value], boundary);
        }
        let is_early = network.cut();
        for at in open.extract_if(.., |&mut at| {
            nodes[at].take().is_some_and(|node| is_early[node])
        }) {
            level[at] = boundary;
        }
    }
    level
}

/// The values that each operation computes or uses.
fn values_by_operation(count: usize, values: &[Carried]) -> Vec<Vec<usize>> {
    let mut touching = vec![Vec::new(); count];
    for (at, value) in values.iter().enumerate() {
        if let Origin::Pure(operation) = value.origin {
            touching[operation].push(at);
        }
        for &user in &value.users {
            touching[user].push(at);
        }
    }
    touching
}

/// Adds what a value costs if it crosses the boundary.
fn add_value(
    network: &mut Network,
    side: impl Fn(usize) -> Side,
    value: &Carried,
    boundary: usize,
) {
    let origin = match value.origin {
        Origin::Fixed(from) if from <= boundary => Side::Before,
        Origin::Fixed(_) => Side::Behind,
        Origin::Pure(at) => side(at),
    };
    let definition = match origin {
        Side::Behind => return,
        Side::Before => SOURCE,
        Side::Open(node) => node,
    };
    let users = value.users.iter().map(|&user| side(user));
    let open: Vec<usize> = users
        .clone()
        .filter_map(|side| match side {
            Side::Open(node) => Some(node),
            Side::Before | Side::Behind => None,
        })
        .collect();
    if definition != SOURCE {
        // What uses the value cannot be earlier.
        open.iter()
            .for_each(|&user| network.add_edge(user, definition, UNCUT));
    }
    if value.is_output || users.clone().any(|side| side == Side::Behind) {
        network.add_edge(definition, SINK, value.bits);
    } else if !open.is_empty() {
        let any = network.add_node();
        network.add_edge(definition, any, value.bits);
        open.iter()
            .for_each(|&user| network.add_edge(any, user, UNCUT));
    }
}
