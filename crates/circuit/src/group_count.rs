//! How many tokens of each work-group have come, by the groups' slots.

use crate::area::Area;
use crate::family::memories::Memory;
use crate::verilog::Source;

/// The module.
pub(crate) const SOURCE: Source = Source {
    file: "sluice_group_count.v",
    text: include_str!("units/group_count.v"),
};

/// The contents of a [`SOURCE`].
#[derive(Debug)]
pub(crate) struct GroupCount {
    counts: Vec<u32>,
    /// The number of the last token of a group.
    last: u32,
    mask: u32,
}

/// What a token is among those of its group.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrival {
    /// Number of tokens of the group that came before it.
    pub(crate) before: u32,
    /// Whether it is the last.
    pub(crate) complete: bool,
}

impl GroupCount {
    /// `slots`: number of slots; a group has at most `1 << bits` tokens.
    pub(crate) fn new(slots: u32, bits: u32) -> GroupCount {
        GroupCount {
            counts: vec![0; slots as usize],
            last: 0,
            mask: (1 << bits) - 1,
        }
    }

    /// No token has come.
    pub(crate) fn clear(&mut self) {
        self.counts.fill(0);
    }

    /// The number of tokens that groups have from now on.
    pub(crate) fn set_group_size(&mut self, size: u64) {
        self.last = (size as u32).wrapping_sub(1) & self.mask;
    }

    /// By slot, those of groups that are not complete.
    pub(crate) fn counts(&self) -> &[u32] {
        &self.counts
    }

    /// Whether it is the number of the last token of a group.
    #[inline]
    pub(crate) fn is_last(&self, number: u32) -> bool {
        number == self.last
    }

    /// One comes.
    #[inline]
    pub(crate) fn come(&mut self, slot: u64) -> Arrival {
        let count = &mut self.counts[slot as usize];
        let (before, complete) = (*count, *count == self.last);
        *count = if complete {
            0
        } else {
            (before + 1) & self.mask
        };
        Arrival { before, complete }
    }
}

/// What it consists of.
pub(crate) fn area(slots: u32, bits: u32) -> Area {
    Area::of("group_count", [("slots", slots), ("bits", bits)])
        + Area::memory(Memory::distributed(bits, slots))
}
