//! Registers of a strip: one value per lane, values of up to 32 bits in one bank and wider ones in
//! another, so that loops over the lanes of common types are dense.

use std::iter;

/// Lanes of a strip: the work-items that run together. Sets of lanes are the bits of a `u64`.
pub(super) const LANES: usize = 64;

/// A register: one value per lane.
pub(super) type Register<T> = [T; LANES];

/// The registers of a strip. Within each bank they are in an order in which an operation's operands
/// come before its result.
#[derive(Default)]
pub(super) struct Registers {
    pub narrow: Vec<Register<u32>>,
    pub wide: Vec<Register<u64>>,
}

/// The registers that an operation may read while its result is being written.
pub(super) struct Sources<'a> {
    narrow: &'a [Register<u32>],
    wide: &'a [Register<u64>],
}

/// The lanes that an operation is applied to.
#[derive(Clone, Copy)]
pub(super) struct Active {
    /// The lanes.
    pub mask: u64,
    /// Whether the other lanes' registers may be overwritten, and there are enough active lanes for
    /// a loop over all lanes to be faster.
    pub dense: bool,
}

/// What a bank's registers hold.
pub(super) trait Word: Copy + Default + 'static {
    /// The value's bits.
    fn bits(self) -> u64;
    /// The value of these bits.
    fn of(bits: u64) -> Self;
    /// The bank.
    fn bank(registers: &Registers) -> &[Register<Self>];
    /// The bank, to be changed.
    fn bank_mut(registers: &mut Registers) -> &mut Vec<Register<Self>>;
    /// A register to write, and all that come before it.
    fn target(registers: &mut Registers, at: u32) -> (&mut Register<Self>, Sources<'_>);
    /// A register to read.
    fn source<'a>(sources: &Sources<'a>, at: u32) -> &'a Register<Self>;
}

impl Word for u32 {
    #[inline(always)]
    fn bits(self) -> u64 {
        self.into()
    }

    #[inline(always)]
    fn of(bits: u64) -> u32 {
        bits as u32
    }

    #[inline(always)]
    fn bank(registers: &Registers) -> &[Register<u32>] {
        &registers.narrow
    }

    #[inline(always)]
    fn bank_mut(registers: &mut Registers) -> &mut Vec<Register<u32>> {
        &mut registers.narrow
    }

    #[inline(always)]
    fn target(registers: &mut Registers, at: u32) -> (&mut Register<u32>, Sources<'_>) {
        let (narrow, rest) = registers.narrow.split_at_mut(at as usize);
        let wide = &registers.wide;
        (&mut rest[0], Sources { narrow, wide })
    }

    #[inline(always)]
    fn source<'a>(sources: &Sources<'a>, at: u32) -> &'a Register<u32> {
        &sources.narrow[at as usize]
    }
}

impl Word for u64 {
    #[inline(always)]
    fn bits(self) -> u64 {
        self
    }

    #[inline(always)]
    fn of(bits: u64) -> u64 {
        bits
    }

    #[inline(always)]
    fn bank(registers: &Registers) -> &[Register<u64>] {
        &registers.wide
    }

    #[inline(always)]
    fn bank_mut(registers: &mut Registers) -> &mut Vec<Register<u64>> {
        &mut registers.wide
    }

    #[inline(always)]
    fn target(registers: &mut Registers, at: u32) -> (&mut Register<u64>, Sources<'_>) {
        let (wide, rest) = registers.wide.split_at_mut(at as usize);
        let narrow = &registers.narrow;
        (&mut rest[0], Sources { narrow, wide })
    }

    #[inline(always)]
    fn source<'a>(sources: &Sources<'a>, at: u32) -> &'a Register<u64> {
        &sources.wide[at as usize]
    }
}

impl Registers {
    /// One lane of a register.
    pub fn get<T: Word>(&self, at: u32, lane: usize) -> u64 {
        T::bank(self)[at as usize][lane].bits()
    }

    /// Sets one lane of a register.
    pub fn set<T: Word>(&mut self, at: u32, lane: usize, bits: u64) {
        T::bank_mut(self)[at as usize][lane] = T::of(bits);
    }

    /// Sets all lanes of a register.
    pub fn fill<T: Word>(&mut self, at: u32, bits: u64) {
        T::bank_mut(self)[at as usize] = [T::of(bits); LANES];
    }

    /// Copies a register.
    #[inline(always)]
    pub fn copy<T: Word>(&mut self, to: u32, from: u32, active: Active) {
        let disjoint = T::bank_mut(self).get_disjoint_mut([to as usize, from as usize]);
        let [to, from] = disjoint.expect("moves between a register and itself are left out");
        if active.dense {
            *to = *from;
        } else {
            for lane in lanes_of(active.mask) {
                to[lane] = from[lane];
            }
        }
    }
}

impl Active {
    /// Below this many lanes a loop over them is faster than one over all.
    const DENSE: u32 = 6;
    /// From this many lanes on it pays to compute all and to restore the others.
    const NEARLY_DENSE: u32 = 36;

    /// The lanes of `mask`, of a strip whose lanes `live` have not ended.
    #[inline(always)]
    pub fn new(mask: u64, live: u64) -> Active {
        Active {
            mask,
            dense: mask == live && mask.count_ones() >= Active::DENSE,
        }
    }

    /// Whether a loop over all lanes is faster although some lanes must keep their values.
    #[inline(always)]
    pub fn is_nearly_dense(self) -> bool {
        !self.dense && self.mask.count_ones() >= Active::NEARLY_DENSE
    }

    /// Number of lanes.
    #[inline(always)]
    pub fn count(self) -> u64 {
        self.mask.count_ones().into()
    }
}

/// Runs `$body` for each lane whose register is to be written. A macro, because a closure that two
/// loops call is not inlined, and the loop over all lanes would not vectorise.
macro_rules! each_lane {
    ($active:expr, $lane:ident, $body:block) => {
        if $active.dense {
            #[allow(clippy::needless_range_loop)]
            for $lane in 0..LANES $body
        } else {
            for $lane in lanes_of($active.mask) $body
        }
    };
}
pub(super) use each_lane;

/// The lanes of a mask, ascending.
#[inline(always)]
pub(super) fn lanes_of(mut mask: u64) -> impl Iterator<Item = usize> {
    iter::from_fn(move || {
        if mask == 0 {
            return None;
        }
        let lane = mask.trailing_zeros() as usize % LANES;
        mask &= mask - 1;
        Some(lane)
    })
}
