//! How every function begins and ends: a float is taken apart, and a significand with more bits
//! than a float has becomes one, rounded once.

use super::Grade;
use crate::arith::{Format, mask};

const FORMAT: Format = Format::F32;

/// Bits of a significand, its highest one included.
pub(crate) const SIGNIFICAND: u32 = FORMAT.man() + 1;

/// The exponent's offset.
pub(crate) const BIAS: i32 = 127;

/// The exponent that infinities have.
const TOP: i32 = 255;

/// A float taken apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parts {
    /// Whether it is negative.
    pub negative: bool,
    /// The biased exponent as it is stored.
    pub exponent: i32,
    /// The bits behind the point as they are stored.
    pub fraction: u64,
}

impl Parts {
    #[inline(always)]
    pub fn of(bits: u64) -> Self {
        Self {
            negative: bits & FORMAT.sign() != 0,
            exponent: (bits >> FORMAT.man()) as i32 & (TOP),
            fraction: bits & mask(FORMAT.man()),
        }
    }

    #[inline(always)]
    pub fn is_nan(self) -> bool {
        self.exponent == TOP && self.fraction != 0
    }

    #[inline(always)]
    pub fn is_infinite(self) -> bool {
        self.exponent == TOP && self.fraction == 0
    }

    /// Whether it is zero for a grade: to the native one, subnormals are.
    #[inline(always)]
    pub fn is_zero(self, grade: Grade) -> bool {
        self.exponent == 0 && (self.fraction == 0 || grade == Grade::Native)
    }

    /// The biased exponent and the significand with its highest bit set, for a number that is
    /// neither zero nor infinite. Subnormals have exponents of zero and less.
    #[inline(always)]
    pub fn normalised(self) -> (i32, u64) {
        let hidden = 1 << FORMAT.man();
        if self.exponent != 0 {
            return (self.exponent, hidden | self.fraction);
        }
        let zeros = self.fraction.leading_zeros() - (64 - SIGNIFICAND);
        (1 - zeros as i32, self.fraction << zeros)
    }
}

pub(crate) const NAN: u64 = FORMAT.canonical_nan();

/// An infinity.
#[inline(always)]
pub(crate) fn infinity(negative: bool) -> u64 {
    zero(negative) | FORMAT.infinity()
}

/// A zero.
#[inline(always)]
pub(crate) fn zero(negative: bool) -> u64 {
    u64::from(negative) << (FORMAT.width() - 1)
}

/// The float nearest to a significand between 1 and 2, with `guard` bits more than a float has,
/// times a power of two whose biased exponent is given. What is too large is infinite; what is
/// too small is subnormal, or zero in the native grade.
#[inline(always)]
pub(crate) fn pack(
    grade: Grade,
    negative: bool,
    exponent: i32,
    significand: u64,
    guard: u32,
) -> u64 {
    if exponent >= TOP {
        return infinity(negative);
    }
    let (mut exponent, mut significand, mut sticky) = (exponent, significand, 0);
    if exponent <= 0 {
        let amount = (1 - exponent) as u32;
        if grade == Grade::Native || amount > SIGNIFICAND + guard {
            return zero(negative);
        }
        sticky = u64::from(significand & mask(amount) != 0);
        significand >>= amount;
        exponent = 0;
    }
    let fraction = significand >> guard & mask(FORMAT.man());
    let rest = significand & mask(guard);
    let half = 1 << (guard - 1);
    let up = rest & half != 0 && (rest & (half - 1) | sticky | fraction & 1) != 0;
    zero(negative) | ((exponent as u64) << FORMAT.man() | fraction) + u64::from(up)
}
