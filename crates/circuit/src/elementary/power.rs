//! Powers: 2 to the power of the exponent times the base's logarithm. The logarithm keeps more bits
//! than that of [`super::logarithm`], because its error is multiplied.

use super::Grade;
use super::logarithm::unrounded;
use super::pack::{BIAS, NAN, Parts, SIGNIFICAND, infinity, pack, zero};
use super::tables::{self, Table};
use crate::arith::mask;

/// The widths of a grade.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    /// The table of factors of the logarithm.
    pub log: &'static Table,
    /// Bits of the logarithm that are multiplied.
    pub kept: u32,
    /// The table of powers of two.
    pub exp: &'static Table,
}

/// The widths.
pub(crate) const fn shape(grade: Grade) -> Shape {
    match grade {
        Grade::Full => Shape {
            log: &tables::POW_LOG2,
            kept: 36,
            exp: &tables::POW_EXP2,
        },
        Grade::Native => Shape {
            log: &tables::LOG2_FULL,
            kept: 32,
            exp: &tables::EXP2_NATIVE,
        },
    }
}

/// Bits of the product's integer part: more than any float's exponent.
pub(crate) const INTEGER: u32 = 9;

/// Bits of a significand below those of a float.
pub(crate) const GUARD: u32 = 7;

/// What a number is to the sign of a power.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Parity {
    Odd,
    Even,
    Fractional,
}

fn parity(y: Parts) -> Parity {
    let power = y.exponent - BIAS;
    if power < 0 {
        return Parity::Fractional;
    }
    if power >= SIGNIFICAND as i32 {
        return Parity::Even;
    }
    let placed = (1 << (SIGNIFICAND - 1) | y.fraction) << power;
    if placed & mask(SIGNIFICAND - 1) != 0 {
        Parity::Fractional
    } else if placed >> (SIGNIFICAND - 1) & 1 == 1 {
        Parity::Odd
    } else {
        Parity::Even
    }
}

/// A power: x to the power of y.
#[inline(always)]
pub(crate) fn evaluate(grade: Grade, a: u64, b: u64) -> u64 {
    let one = (BIAS as u64) << (SIGNIFICAND - 1);
    let (x, y) = (Parts::of(a), Parts::of(b));
    // An exponent is no zero just because it is subnormal: zero and infinity tell the difference.
    if y.is_zero(Grade::Full) || a == one {
        return one;
    }
    let parity = parity(y);
    let beyond = x.is_zero(grade) || x.is_infinite();
    let undefined = x.negative && !beyond && parity == Parity::Fractional;
    if x.is_nan() || y.is_nan() || undefined {
        return NAN;
    }
    let negative = x.negative && parity == Parity::Odd;
    if beyond {
        return end(x.is_infinite() != y.negative, negative);
    }
    let Shape { log, kept, exp } = shape(grade);
    let (exponent, significand) = x.normalised();
    let log = unrounded(log, None, exponent, significand);
    if log.magnitude == 0 {
        return zero(negative) | one;
    }
    let grows = log.negative == y.negative;
    let zeros = log.magnitude.leading_zeros();
    // The product is at least 2 to the power of this.
    let weight = 127 - (zeros + log.point) as i32 + y.exponent.max(1) - BIAS;
    let amount = INTEGER as i32 - 2 - weight;
    if y.is_infinite() || amount < 0 {
        return end(grows, negative);
    }
    let log = (log.magnitude << zeros >> (128 - kept)) as u64;
    let hidden = u64::from(y.exponent != 0) << (SIGNIFICAND - 1);
    let product = log * (hidden | y.fraction);
    let fraction = exp.quadratic.argument();
    let scaled = product >> (kept + SIGNIFICAND - (INTEGER + fraction + 1));
    let placed = if amount < 64 { scaled >> amount } else { 0 } as i64;
    let rounded = ((if grows { placed } else { !placed }) + 1) >> 1;
    let power = exp.at(rounded as u64 & mask(fraction)) << (GUARD + SIGNIFICAND - 1 - exp.point);
    pack(
        grade,
        negative,
        (rounded >> fraction) as i32 + BIAS,
        power,
        GUARD,
    )
}

/// What a power tends to.
fn end(grows: bool, negative: bool) -> u64 {
    match grows {
        true => infinity(negative),
        false => zero(negative),
    }
}
