//! A set of units, as bits: a unit that is added several times is in it once, and taking all units out
//! gives them in the same order every time.

/// The set.
#[derive(Debug)]
pub(super) struct UnitSet {
    words: Box<[u64]>,
}

impl UnitSet {
    /// An empty set for `units` units.
    pub(super) fn new(units: usize) -> UnitSet {
        UnitSet {
            words: vec![0; units.div_ceil(64)].into(),
        }
    }

    /// Adds a unit.
    #[inline]
    pub(super) fn insert(&mut self, unit: u32) {
        self.words[unit as usize / 64] |= 1 << (unit % 64);
    }

    /// Adds several pairs of units, most of them with both in the same word.
    pub(super) fn adding(&mut self) -> Adding<'_> {
        Adding {
            set: self,
            group: 0,
            bits: 0,
        }
    }

    /// Whether it is empty.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// How many times [`UnitSet::take`] gives all units.
    pub(super) fn groups(&self) -> usize {
        self.words.len()
    }

    /// Takes out those of a group.
    #[inline]
    pub(super) fn take(&mut self, group: usize) -> Bits {
        Bits::of(group, std::mem::take(&mut self.words[group]))
    }
}

/// Two units.
#[derive(Clone, Copy)]
pub(super) struct Pair {
    units: [u32; 2],
    /// If both are in the same word: which one, and their bits.
    group: u32,
    bits: u64,
}

impl Pair {
    /// No word has both.
    const APART: u32 = u32::MAX;

    /// These two.
    pub(super) fn new(one: u32, other: u32) -> Pair {
        let same = one / 64 == other / 64;
        Pair {
            units: [one, other],
            group: if same { one / 64 } else { Pair::APART },
            bits: 1 << (one % 64) | 1 << (other % 64),
        }
    }
}

/// Units on their way into a set.
pub(super) struct Adding<'a> {
    set: &'a mut UnitSet,
    /// Those that are not there yet: in which word, and their bits.
    group: u32,
    bits: u64,
}

impl Adding<'_> {
    /// Adds two units.
    #[inline]
    pub(super) fn insert(&mut self, pair: &Pair) {
        if pair.group != self.group {
            return self.change(pair);
        }
        self.bits |= pair.bits;
    }

    /// Goes on with another word.
    fn change(&mut self, pair: &Pair) {
        if pair.group == Pair::APART {
            return pair.units.iter().for_each(|&unit| self.set.insert(unit));
        }
        self.set.words[self.group as usize] |= self.bits;
        (self.group, self.bits) = (pair.group, pair.bits);
    }

    /// All are added.
    #[inline]
    pub(super) fn finish(self) {
        self.set.words[self.group as usize] |= self.bits;
    }
}

/// The numbers of the bits that are set, in order.
pub(super) struct Bits {
    first: u32,
    bits: u64,
}

impl Bits {
    /// Those of a word; `before` words come before it.
    #[inline]
    pub(super) fn of(before: usize, bits: u64) -> Bits {
        Bits {
            first: 64 * before as u32,
            bits,
        }
    }
}

impl Iterator for Bits {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        if self.bits == 0 {
            return None;
        }
        let number = self.first + self.bits.trailing_zeros();
        self.bits &= self.bits - 1;
        Some(number)
    }
}
