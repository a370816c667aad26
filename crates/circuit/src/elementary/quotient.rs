//! The quotient: the dividend's significand times the divisor's reciprocal before it is rounded.

use super::Grade;
use super::pack::{BIAS, NAN, Parts, SIGNIFICAND, infinity, pack, zero};
use super::root;
use crate::arith::mask;

/// Bits of a significand below those of a float.
pub(crate) const GUARD: u32 = 5;

/// a / b.
#[inline(always)]
pub(crate) fn divide(grade: Grade, a: u64, b: u64) -> u64 {
    let (a, b) = (Parts::of(a), Parts::of(b));
    let negative = a.negative != b.negative;
    let (zero_a, zero_b) = (a.is_zero(grade), b.is_zero(grade));
    let undefined = zero_a && zero_b || a.is_infinite() && b.is_infinite();
    if a.is_nan() || b.is_nan() || undefined {
        return NAN;
    }
    if a.is_infinite() || zero_b {
        return infinity(negative);
    }
    if zero_a || b.is_infinite() {
        return zero(negative);
    }
    let ((exponent_a, a), (exponent_b, b)) = (a.normalised(), b.normalised());
    let table = root::recip_table(grade);
    let inverse = table.at(b & mask(SIGNIFICAND - 1));
    let product = a * inverse;
    // The quotient is between 1/2 and 2; bits below those that are rounded are left out.
    let point = SIGNIFICAND - 1 + table.point;
    let below = u64::from(product >> point == 0);
    let kept = SIGNIFICAND + GUARD;
    let significand = product << below >> (point + 1 - kept);
    let exponent = exponent_a - exponent_b + BIAS - below as i32;
    pack(grade, negative, exponent, significand, GUARD)
}
