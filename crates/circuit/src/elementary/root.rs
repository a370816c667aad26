//! Reciprocals, and reciprocals of square roots: a table knows them of significands between 1 and
//! 2, and between 2 and 4 where the exponent is odd.

use super::Grade;
use super::pack::{BIAS, NAN, Parts, SIGNIFICAND, infinity, pack, zero};
use super::tables::{self, Table};
use crate::arith::mask;

/// Bits of a significand below those of a float.
pub(crate) const GUARD: u32 = 5;

/// The table of reciprocals.
pub(crate) const fn recip_table(grade: Grade) -> &'static Table {
    match grade {
        Grade::Full => &tables::RECIP_FULL,
        Grade::Native => &tables::RECIP_NATIVE,
    }
}

/// The table of reciprocals of square roots.
pub(crate) const fn rsqrt_table(grade: Grade) -> &'static Table {
    match grade {
        Grade::Full => &tables::RSQRT_FULL,
        Grade::Native => &tables::RSQRT_NATIVE,
    }
}

/// A table's value, which is 1 or between 1/2 and 1, as a significand, and the exponent that goes
/// with it if the one given is that of 1.
#[inline(always)]
fn normalise(table: &Table, value: u64, exponent: i32) -> (i32, u64) {
    let up = GUARD + SIGNIFICAND - 1 - table.point;
    match value >> table.point {
        0 => (exponent - 1, value << (up + 1)),
        _ => (exponent, value << up),
    }
}

/// 1 / a.
#[inline(always)]
pub(crate) fn recip(grade: Grade, a: u64) -> u64 {
    let a = Parts::of(a);
    if a.is_nan() {
        return NAN;
    }
    if a.is_infinite() {
        return zero(a.negative);
    }
    if a.is_zero(grade) {
        return infinity(a.negative);
    }
    let (exponent, significand) = a.normalised();
    let table = recip_table(grade);
    let value = table.at(significand & mask(SIGNIFICAND - 1));
    let (exponent, significand) = normalise(table, value, 2 * BIAS - exponent);
    pack(grade, a.negative, exponent, significand, GUARD)
}

/// 1 / sqrt(a).
#[inline(always)]
pub(crate) fn rsqrt(grade: Grade, a: u64) -> u64 {
    let a = Parts::of(a);
    if a.is_zero(grade) {
        return infinity(a.negative);
    }
    if a.is_nan() || a.negative {
        return NAN;
    }
    if a.is_infinite() {
        return zero(false);
    }
    let (exponent, significand) = a.normalised();
    let table = rsqrt_table(grade);
    // The bias is odd: the true exponent is odd where the stored one is even.
    let odd = u64::from(exponent & 1 == 0);
    let significand = significand & mask(SIGNIFICAND - 1);
    let value = table.at(odd << (SIGNIFICAND - 1) | significand);
    let (exponent, significand) = normalise(table, value, (3 * BIAS + 1 - exponent) >> 1);
    pack(grade, false, exponent, significand, GUARD)
}
