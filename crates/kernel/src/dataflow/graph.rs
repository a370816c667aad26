//! The dataflow graph of one block.

use std::collections::BTreeMap;

use crate::ir::{Inst, Kernel, Value};

/// What runs when in a block.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BlockGraph {
    /// The barrier that the block begins with: it is passed before level 0.
    pub barrier: Option<Inst>,
    /// The values that come in with the work-item and are needed: block parameters in their order,
    /// then what is live, ascending; in the entry block the ids in the order of their instructions.
    pub inputs: Vec<Value>,
    /// The levels. Behind the last one, which holds no access, all accesses are done.
    pub levels: Vec<Level>,
    /// Which accesses wait for which others without getting a value from them, in program order.
    /// What other dependences imply is left out.
    pub order: Vec<Order>,
    /// The values that the terminator uses or that are live behind it, ascending: the last level
    /// has them.
    pub outputs: Vec<Value>,
    /// The values in question, uniform ones left out.
    pub(super) values: BTreeMap<Value, Span>,
    /// The accesses and the levels that wait for them.
    pub(super) joins: BTreeMap<Inst, usize>,
}

/// One level of a block.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Level {
    /// The pure instructions, in program order: the segment.
    pub pure: Vec<Inst>,
    /// The loads, stores, atomics, fences and prints that the segment starts, in program order.
    pub memory: Vec<Inst>,
}

/// Two accesses of which the second may begin when the first is done.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Order {
    /// The first.
    pub before: Inst,
    /// The second.
    pub after: Inst,
}

/// When a value is there and when it is needed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Span {
    /// The level in which it is computed or comes in; for the result of an access, the level behind
    /// the access's.
    pub from: usize,
    /// The levels that use it, ascending.
    pub needs: Vec<usize>,
    /// The access that it is a result of.
    pub access: Option<Inst>,
}

/// Where a channel comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Source {
    /// The segment of a level.
    Level(usize),
    /// An access, when it is done.
    Memory(Inst),
}

/// A channel to the segment of a level.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Channel {
    /// Where it comes from.
    pub from: Source,
    /// The level that it goes to.
    pub to: usize,
    /// What it carries, ascending; nothing where only order matters.
    pub values: Vec<Value>,
}

impl BlockGraph {
    /// The last level: the one that the terminator belongs to.
    pub fn last(&self) -> usize {
        self.levels.len() - 1
    }

    /// The level from which on a value is there: that of its instruction, 0 for inputs, and for an
    /// access's results the level behind it. `None` for values that are not of this block.
    pub fn available(&self, value: Value) -> Option<usize> {
        self.values.get(&value).map(|span| span.from)
    }

    /// The levels whose segment, accesses or terminator use a value, ascending.
    pub fn needs(&self, value: Value) -> &[usize] {
        self.values.get(&value).map_or(&[], |span| &span.needs)
    }

    /// The level whose segment waits until an access is done.
    pub fn joined(&self, access: Inst) -> Option<usize> {
        self.joins.get(&access).copied()
    }

    /// The values that are there before `level` and are needed in it or later, ascending.
    pub fn carried(&self, level: usize) -> Vec<Value> {
        let is_carried =
            |span: &Span| span.from < level && span.needs.last().is_some_and(|&last| last >= level);
        let carried = self.values.iter().filter(|(_, span)| is_carried(span));
        carried.map(|(&value, _)| value).collect()
    }

    /// The bits that wait between levels, summed over the boundaries.
    pub fn carried_bits(&self, kernel: &Kernel) -> u64 {
        let boundaries = 1..self.levels.len();
        let values = boundaries.flat_map(|level| self.carried(level));
        values.map(|value| u64::from(kernel.ty(value).bits())).sum()
    }

    /// The channels between levels, by target, segments before accesses.
    ///
    /// A value goes from where it is computed to the first level that needs it, from there to the
    /// next one, and so on: nothing waits twice. An access sends its results to the level that
    /// waits for it. From each level a channel goes to the next one, so that a level comes behind
    /// all accesses that earlier levels have waited for.
    pub fn channels(&self) -> Vec<Channel> {
        let mut channels: BTreeMap<(usize, Source), Vec<Value>> = BTreeMap::new();
        for level in 1..self.levels.len() {
            channels.insert((level, Source::Level(level - 1)), Vec::new());
        }
        for (&access, &level) in &self.joins {
            channels.insert((level, Source::Memory(access)), Vec::new());
        }
        for (&value, span) in &self.values {
            let mut from = match span.access {
                Some(access) if !span.needs.is_empty() => {
                    let level = self.joins[&access];
                    let channel = channels.get_mut(&(level, Source::Memory(access)));
                    channel.expect("every access has a channel").push(value);
                    level
                }
                Some(_) | None => span.from,
            };
            for &to in &span.needs {
                if to > from {
                    let channel = channels.entry((to, Source::Level(from))).or_default();
                    channel.push(value);
                    from = to;
                }
            }
        }
        let channel = |((to, from), values)| Channel { from, to, values };
        channels.into_iter().map(channel).collect()
    }
}
