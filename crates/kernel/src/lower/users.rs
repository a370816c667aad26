//! The units that access a memory, collected until it is built.

use sluice_circuit::circuit::Channel;
use sluice_circuit::units::atomics::Operation;

use super::banks::KnownBits;
use crate::ir::Block;

/// What accesses the memory of a group of objects.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Users {
    /// Loads and stores that share a memory or a cache, with their channels.
    pub(super) accesses: Vec<User>,
    /// By load and store of local memory, what is known of it.
    pub(super) local: Vec<LocalUse>,
    /// Loads and stores with streams of their own.
    pub(super) streams: Vec<StreamUse>,
    /// Loads with ports of a copy of their buffer.
    pub(super) copies: Vec<CopyUse>,
    /// Atomic operations.
    pub(super) atomics: Vec<AtomicUse>,
}

/// What is known of an access of local memory.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct LocalUse {
    /// Of the addresses of its words.
    pub(super) address: KnownBits,
    /// How often it is executed by a work-item, 1 at most.
    pub(super) frequency: f64,
    /// Where it is, if it is an instruction of its own.
    pub(super) block: Option<Block>,
}

impl LocalUse {
    /// Of which nothing is known.
    pub(super) const UNKNOWN: LocalUse = LocalUse {
        address: KnownBits::NOTHING,
        frequency: 1.0,
        block: None,
    };
}

/// Accesses that can take turns at a port without waiting for long: together they want it in at most a quarter of
/// all cycles, and not two of one block at once.
pub(super) fn in_turns(uses: &[LocalUse]) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..uses.len()).collect();
    order.sort_by(|&a, &b| uses[b].frequency.total_cmp(&uses[a].frequency));
    let mut ports: Vec<Vec<usize>> = Vec::new();
    for at in order {
        let one = uses[at];
        let has_room = |port: &&mut Vec<usize>| {
            let others = port.iter().map(|&other| uses[other]);
            let together: f64 = others.clone().map(|it| it.frequency).sum();
            let mut blocks = others.map(|it| it.block);
            together + one.frequency <= MOST_OF_A_PORT
                && blocks.all(|block| block.is_some() && block != one.block)
        };
        match ports.iter_mut().find(has_room) {
            Some(port) => port.push(at),
            None => ports.push(vec![at]),
        }
    }
    ports
}

/// The part of all cycles in which those that take turns at a port want it, at most.
const MOST_OF_A_PORT: f64 = 0.25;

/// A load or store with a stream of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct StreamUse {
    pub(super) user: User,
    /// The name of its unit.
    pub(super) name: String,
    /// Bytes per transfer.
    pub(super) bytes: u32,
    /// Accesses under way.
    pub(super) outstanding: u32,
    /// Where its lines come from.
    pub(super) source: LineSource,
    pub(super) lines: Vec<u32>,
}

/// A load with a port of a copy of its buffer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct CopyUse {
    pub(super) user: User,
    /// How many bytes from the beginning of the buffer it reads, if that is always the same.
    pub(super) place: Option<u64>,
    /// Accesses under way.
    pub(super) outstanding: u32,
    pub(super) lines: Vec<u32>,
}

/// Where the lines of a stream come from, and how many it holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LineSource {
    /// A memory port: as many as accesses under way lie in.
    Port,
    /// A memory port: one at a time.
    PortOnce,
    /// A cache that other streams have, too: as many as accesses under way lie in.
    SharedCache,
}

/// A unit that accesses memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct User {
    pub(super) request: Channel,
    pub(super) answer: Answer,
}

/// What a memory tells a unit that accesses it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Answer {
    /// What was read.
    Response(Channel),
    /// That a write was done.
    Acknowledgement(Channel),
    /// Nothing: a write is done when it was accepted.
    None,
}

impl User {
    pub(super) fn response(&self) -> Option<Channel> {
        match self.answer {
            Answer::Response(channel) => Some(channel),
            Answer::Acknowledgement(_) | Answer::None => None,
        }
    }
}

/// An atomic operation: where its operands come from, where the old value goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct AtomicUse {
    pub(super) operation: Operation,
    pub(super) input: Channel,
    pub(super) output: Channel,
    pub(super) lines: Vec<u32>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uses(uses: &[(u32, f64)]) -> Vec<LocalUse> {
        let uses = uses.iter().map(|&(block, frequency)| LocalUse {
            frequency,
            block: Some(Block::from_u32(block)),
            ..LocalUse::UNKNOWN
        });
        uses.collect()
    }

    #[test]
    fn rare_accesses_of_different_blocks_share_a_port() {
        let tree = [
            (1, 0.25),
            (1, 0.25),
            (2, 0.125),
            (2, 0.125),
            (3, 0.0625),
            (3, 0.0625),
        ];
        let ports = in_turns(&uses(&tree));
        assert_eq!(ports, [vec![0], vec![1], vec![2, 4], vec![3, 5]]);
    }

    #[test]
    fn frequent_accesses_have_ports_of_their_own() {
        assert_eq!(in_turns(&uses(&[(1, 1.0), (2, 1.0)])).len(), 2);
        assert_eq!(in_turns(&[LocalUse::UNKNOWN; 3]).len(), 3);
    }
}
