//! Levels of the pure instructions: the fewest bits between levels.
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
    let mut level: Vec<usize> = operations
        .iter()
        .map(|operation| operation.latest)
        .collect();
    let mut is_placed = vec![false; operations.len()];
    for boundary in 0..last {
        let mut network = Network::new();
        let sides: Vec<Side> = operations
            .iter()
            .zip(&is_placed)
            .map(|(operation, &is_placed)| match operation {
                _ if is_placed || operation.latest <= boundary => Side::Before,
                _ if operation.earliest > boundary => Side::Behind,
                _ => Side::Open(network.add_node()),
            })
            .collect();
        for value in values {
            add_value(&mut network, &sides, value, boundary);
        }
        let is_early = network.cut();
        for (at, side) in sides.iter().enumerate() {
            if let Side::Open(node) = *side
                && is_early[node]
            {
                level[at] = boundary;
                is_placed[at] = true;
            }
        }
    }
    level
}

/// Adds what a value costs if it crosses the boundary.
fn add_value(network: &mut Network, sides: &[Side], value: &Carried, boundary: usize) {
    let origin = match value.origin {
        Origin::Fixed(from) if from <= boundary => Side::Before,
        Origin::Fixed(_) => Side::Behind,
        Origin::Pure(at) => sides[at],
    };
    let definition = match origin {
        Side::Behind => return,
        Side::Before => SOURCE,
        Side::Open(node) => node,
    };
    let users = value.users.iter().map(|&user| sides[user]);
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
