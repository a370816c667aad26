//! Logarithms. The significand m is brought to [0.75, 1.5): then the logarithm is small only near
//! 1, where m - 1 is exact, and the factor log(m) / (m - 1), which a table knows, is never far from
//! 1. The exponent's multiple of the logarithm of 2 is added.

use super::pack::{BIAS, NAN, Parts, SIGNIFICAND, infinity, pack, zero};
use super::tables::{self, Table};
use super::{Function, Grade};
use crate::arith::mask;

/// A base's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LogBase {
    /// The natural logarithm's.
    E,
    /// Two.
    Two,
    /// Ten.
    Ten,
}

/// A base.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Base {
    /// Its name.
    pub name: LogBase,
    /// The logarithm of 2, [`UNIT`] bits behind the point; unless that is 1.
    pub unit: Option<u64>,
    full: &'static Table,
    native: &'static Table,
}

/// Bits of the logarithm of 2.
pub(crate) const UNIT: u32 = 36;

impl Base {
    /// The base of a logarithm.
    pub(crate) const fn of(function: Function) -> Option<Self> {
        let base = match function {
            Function::Log => Self {
                name: LogBase::E,
                unit: Some(0xb_1721_7f7d),
                full: &tables::LOG_FULL,
                native: &tables::LOG_NATIVE,
            },
            Function::Log2 => Self {
                name: LogBase::Two,
                unit: None,
                full: &tables::LOG2_FULL,
                native: &tables::LOG2_NATIVE,
            },
            Function::Log10 => Self {
                name: LogBase::Ten,
                unit: Some(0x4_d104_d428),
                full: &tables::LOG10_FULL,
                native: &tables::LOG10_NATIVE,
            },
            Function::Exp
            | Function::Exp2
            | Function::Exp10
            | Function::Sin
            | Function::Cos
            | Function::Rsqrt
            | Function::Recip => return None,
        };
        Some(base)
    }

    /// The table of factors.
    pub(crate) const fn table(self, grade: Grade) -> &'static Table {
        match grade {
            Grade::Full => self.full,
            Grade::Native => self.native,
        }
    }
}

/// A logarithm that is not rounded.
pub(crate) struct Unrounded {
    /// Whether it is negative.
    pub negative: bool,
    /// Its magnitude.
    pub magnitude: u128,
    /// The bits of the magnitude behind the point.
    pub point: u32,
}

/// The logarithm of a significand with its highest bit set and a biased exponent.
#[inline(always)]
pub(crate) fn unrounded(
    table: &Table,
    unit: Option<u64>,
    exponent: i32,
    significand: u64,
) -> Unrounded {
    let fraction = significand & mask(SIGNIFICAND - 1);
    let below = fraction >> (SIGNIFICAND - 2) == 1;
    // The distance from 1 in units of half a last place.
    let off = match below {
        true => (1 << (SIGNIFICAND - 1)) - fraction,
        false => fraction << 1,
    };
    let point = SIGNIFICAND + table.point;
    let part = u128::from(off) * u128::from(table.at(fraction));
    let power = exponent - BIAS + i32::from(below);
    let whole = u128::from(unit.unwrap_or(1 << UNIT)) * u128::from(power.unsigned_abs());
    let whole = whole << (point - UNIT);
    let magnitude = match power != 0 && (power < 0) != below {
        true => whole - part,
        false => whole + part,
    };
    Unrounded {
        negative: if power == 0 { below } else { power < 0 },
        magnitude,
        point,
    }
}

/// A logarithm.
#[inline(always)]
pub(crate) fn evaluate(base: Base, grade: Grade, a: u64) -> u64 {
    let a = Parts::of(a);
    if a.is_zero(grade) {
        return infinity(true);
    }
    if a.is_nan() || a.negative {
        return NAN;
    }
    if a.is_infinite() {
        return infinity(false);
    }
    let (exponent, significand) = a.normalised();
    let log = unrounded(base.table(grade), base.unit, exponent, significand);
    if log.magnitude == 0 {
        return zero(false);
    }
    let zeros = log.magnitude.leading_zeros();
    // At most 64 bits: none is lost.
    let significand = (log.magnitude << zeros >> 64) as u64;
    let exponent = BIAS + 127 - (zeros + log.point) as i32;
    pack(grade, log.negative, exponent, significand, 64 - SIGNIFICAND)
}
