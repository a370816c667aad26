//! What is known of an integer: bits that are always 0 or always 1, and the least and the greatest
//! value, read as unsigned and as signed. The three views are kept in step.

use crate::ir::Type;
use crate::semantics::signed;

/// What is known of a value of an integer type. Every value that it can have agrees with all of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Facts {
    width: u32,
    zeros: u64,
    ones: u64,
    umin: u64,
    umax: u64,
    smin: i64,
    smax: i64,
}

impl Facts {
    /// Nothing is known but the width.
    pub fn unknown(width: u32) -> Facts {
        let mask = mask(width);
        Facts {
            width,
            zeros: 0,
            ones: 0,
            umin: 0,
            umax: mask,
            smin: -((mask >> 1) as i64) - 1,
            smax: (mask >> 1) as i64,
        }
    }

    /// The value is `bits`.
    pub fn constant(width: u32, bits: u64) -> Facts {
        let unknown = Facts::unknown(width);
        unknown.with_bits(!bits & mask(width), bits)
    }

    /// The value is in `least..=greatest`, read as unsigned.
    pub fn unsigned(width: u32, least: u64, greatest: u64) -> Facts {
        Facts::unknown(width).within_unsigned(least, greatest)
    }

    /// The value is in `least..=greatest`, read as signed.
    pub fn signed(width: u32, least: i64, greatest: i64) -> Facts {
        Facts::unknown(width).within_signed(least, greatest)
    }

    /// Number of bits of the type.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The bits that are 0.
    pub fn zeros(&self) -> u64 {
        self.zeros
    }

    /// The bits that are 1.
    pub fn ones(&self) -> u64 {
        self.ones
    }

    /// The least value, unsigned.
    pub fn umin(&self) -> u64 {
        self.umin
    }

    /// The greatest value, unsigned.
    pub fn umax(&self) -> u64 {
        self.umax
    }

    /// The least value, signed.
    pub fn smin(&self) -> i64 {
        self.smin
    }

    /// The greatest value, signed.
    pub fn smax(&self) -> i64 {
        self.smax
    }

    /// The value, if there is only one.
    pub fn as_constant(&self) -> Option<u64> {
        (self.umin == self.umax).then_some(self.umin)
    }

    /// Whether the value is never negative, read as signed.
    pub fn is_nonnegative(&self) -> bool {
        self.smin >= 0
    }

    /// The width from which extending by zeros restores the value.
    pub fn unsigned_width(&self) -> u32 {
        (64 - self.umax.leading_zeros()).max(1)
    }

    /// The width from which extending by the sign restores the value.
    pub fn signed_width(&self) -> u32 {
        signed_width(self.smin).max(signed_width(self.smax))
    }

    /// Number of low bits that are known to be 0.
    pub fn trailing_zeros(&self) -> u32 {
        (!self.zeros).trailing_zeros().min(self.width)
    }

    /// Number of low bits that are known.
    pub fn known_low_bits(&self) -> u32 {
        (!(self.zeros | self.ones)).trailing_zeros().min(self.width)
    }

    /// With what else is known of the bits.
    pub fn with_bits(mut self, zeros: u64, ones: u64) -> Facts {
        self.zeros |= zeros & mask(self.width);
        self.ones |= ones & mask(self.width);
        self.reduced()
    }

    /// With another unsigned range that holds the value.
    pub fn within_unsigned(mut self, least: u64, greatest: u64) -> Facts {
        self.umin = self.umin.max(least);
        self.umax = self.umax.min(greatest);
        self.reduced()
    }

    /// With another signed range that holds the value.
    pub fn within_signed(mut self, least: i64, greatest: i64) -> Facts {
        self.smin = self.smin.max(least);
        self.smax = self.smax.min(greatest);
        self.reduced()
    }

    /// What both say about one value.
    pub fn and(self, other: Facts) -> Facts {
        Facts {
            width: self.width,
            zeros: self.zeros | other.zeros,
            ones: self.ones | other.ones,
            umin: self.umin.max(other.umin),
            umax: self.umax.min(other.umax),
            smin: self.smin.max(other.smin),
            smax: self.smax.min(other.smax),
        }
        .reduced()
    }

    /// What is known of a value that is one or the other.
    pub fn or(self, other: Facts) -> Facts {
        Facts {
            width: self.width,
            zeros: self.zeros & other.zeros,
            ones: self.ones & other.ones,
            umin: self.umin.min(other.umin),
            umax: self.umax.max(other.umax),
            smin: self.smin.min(other.smin),
            smax: self.smax.max(other.smax),
        }
    }

    /// Like [`Facts::or`], but what `other` takes away goes at once: bounds that move go all the way.
    pub fn widened(self, other: Facts) -> Facts {
        let unknown = Facts::unknown(self.width);
        let joined = self.or(other);
        let lost = (self.zeros & !joined.zeros) | (self.ones & !joined.ones);
        // Carries go upwards: below the lowest bit that changed, bits are likely to last.
        let lasting = !(u64::MAX.checked_shl(lost.trailing_zeros()).unwrap_or(0));
        Facts {
            width: self.width,
            zeros: joined.zeros & lasting,
            ones: joined.ones & lasting,
            umin: keep_or(joined.umin, self.umin, unknown.umin),
            umax: keep_or(joined.umax, self.umax, unknown.umax),
            smin: keep_or(joined.smin, self.smin, unknown.smin),
            smax: keep_or(joined.smax, self.smax, unknown.smax),
        }
        .reduced()
    }

    /// Carries what each view knows over to the others.
    fn reduced(mut self) -> Facts {
        // Each step may sharpen the one before it; a second round catches nearly all of that.
        for _ in 0..2 {
            let before = self;
            self.bits_to_unsigned();
            self.unsigned_to_bits();
            self.unsigned_to_signed();
            self.signed_to_unsigned();
            if self == before {
                break;
            }
        }
        let is_possible =
            self.umin <= self.umax && self.smin <= self.smax && self.zeros & self.ones == 0;
        // A contradiction means that the code never runs. Knowing nothing is right there, too.
        if is_possible {
            self
        } else {
            Facts::unknown(self.width)
        }
    }

    fn bits_to_unsigned(&mut self) {
        self.umin = self.umin.max(self.ones);
        self.umax = self.umax.min(mask(self.width) & !self.zeros);
    }

    /// The bits above the highest one in which the bounds differ are those of the bounds.
    fn unsigned_to_bits(&mut self) {
        let differing = 64 - (self.umin ^ self.umax).leading_zeros();
        let common = mask(self.width) & !low_bits(differing);
        if self.umin <= self.umax {
            self.zeros |= !self.umin & common;
            self.ones |= self.umin & common;
        }
    }

    /// A range that does not cross the sign is the same range for both readings.
    fn unsigned_to_signed(&mut self) {
        let greatest = mask(self.width) >> 1;
        if self.umin <= self.umax && (self.umax <= greatest || self.umin > greatest) {
            self.smin = self.smin.max(self.as_signed(self.umin));
            self.smax = self.smax.min(self.as_signed(self.umax));
        }
    }

    fn signed_to_unsigned(&mut self) {
        if self.smin <= self.smax && (self.smin >= 0 || self.smax < 0) {
            self.umin = self.umin.max(self.smin as u64 & mask(self.width));
            self.umax = self.umax.min(self.smax as u64 & mask(self.width));
        }
    }

    fn as_signed(&self, bits: u64) -> i64 {
        signed(Type::Int(self.width as u8), bits)
    }
}

fn keep_or<T: PartialEq>(joined: T, before: T, unknown: T) -> T {
    if joined == before { joined } else { unknown }
}

/// The bits of an integer of this width.
pub(super) fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

/// The lowest bits, 0 to 64 of them.
pub(super) fn low_bits(count: u32) -> u64 {
    match count {
        0 => 0,
        count => u64::MAX >> (64 - count.min(64)),
    }
}

/// Number of bits that a signed number takes.
fn signed_width(value: i64) -> u32 {
    let magnitude = if value < 0 { !value } else { value };
    65 - magnitude.leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_views_inform_each_other() {
        let facts = Facts::unsigned(8, 0x12, 0x15);
        assert_eq!((facts.zeros(), facts.ones()), (0xe8, 0x10));
        assert_eq!((facts.smin(), facts.smax()), (0x12, 0x15));
        let negative = Facts::signed(8, -3, -2);
        assert_eq!((negative.umin(), negative.umax()), (0xfd, 0xfe));
        assert_eq!(Facts::constant(8, 0x80).smax(), -128);
    }

    #[test]
    fn widths_restore_the_value() {
        let facts = Facts::signed(64, -4, 3);
        assert_eq!((facts.unsigned_width(), facts.signed_width()), (64, 3));
        let facts = Facts::unsigned(64, 0, 255);
        assert_eq!((facts.unsigned_width(), facts.signed_width()), (8, 9));
        assert_eq!(Facts::constant(64, 0).unsigned_width(), 1);
        assert_eq!(Facts::unknown(1).signed_width(), 1);
        assert_eq!(Facts::unknown(64).signed_width(), 64);
    }

    #[test]
    fn widening_keeps_low_bits_that_last() {
        let before = Facts::constant(32, 0);
        let after = before.widened(Facts::constant(32, 4));
        assert_eq!(after.trailing_zeros(), 2);
        assert_eq!((after.umin(), after.umax()), (0, 0x7fff_ffff));
    }
}
