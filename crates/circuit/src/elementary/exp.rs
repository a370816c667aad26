//! Powers of e, 2 and 10: the operand times the base's logarithm to base 2, in fixed point, is an
//! integer, which becomes the exponent, and a fraction, of which a table knows the power of two.

use super::pack::{BIAS, NAN, Parts, SIGNIFICAND, infinity, pack, zero};
use super::tables::{self, Table};
use super::{Function, Grade};
use crate::arith::mask;

/// A base.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Base {
    /// The base's logarithm to base 2, from its highest bit; unless that is 1.
    pub scale: Option<u64>,
    /// The largest exponent of operands of which the result need not be infinite or zero.
    pub top: i32,
}

/// Bits of a base's logarithm.
pub(crate) const SCALE: u32 = 36;

/// Bits of the integer part.
const INTEGER: u32 = 8;

impl Base {
    /// The base of a power.
    pub(crate) const fn of(function: Function) -> Option<Self> {
        let (scale, top) = match function {
            Function::Exp => (Some(0xb_8aa3_b296), 6),
            Function::Exp2 => (None, 7),
            Function::Exp10 => (Some(0xd_49a7_84bd), 5),
            Function::Log
            | Function::Log2
            | Function::Log10
            | Function::Sin
            | Function::Cos
            | Function::Rsqrt
            | Function::Recip => return None,
        };
        Some(Self { scale, top })
    }
}

/// The table of powers of two.
pub(crate) const fn table(grade: Grade) -> &'static Table {
    match grade {
        Grade::Full => &tables::EXP2_FULL,
        Grade::Native => &tables::EXP2_NATIVE,
    }
}

/// Bits of a significand below those of a float.
pub(crate) const GUARD: u32 = 5;

/// A power.
#[inline(always)]
pub(crate) fn evaluate(base: Base, grade: Grade, a: u64) -> u64 {
    let a = Parts::of(a);
    if a.is_nan() {
        return NAN;
    }
    let table = table(grade);
    let fraction = table.quadratic.argument();
    // One bit more than is kept, for rounding.
    let width = fraction + 1 + INTEGER;
    let amount = BIAS + base.top - a.exponent;
    if amount < 0 {
        return if a.negative {
            zero(false)
        } else {
            infinity(false)
        };
    }
    let significand = 1 << (SIGNIFICAND - 1) | a.fraction;
    let scaled = match base.scale {
        None => significand << (width - SIGNIFICAND),
        Some(scale) => {
            let product = u128::from(significand) * u128::from(scale);
            (product >> (SIGNIFICAND + SCALE - width)) as u64
        }
    };
    let placed = if amount < 64 { scaled >> amount } else { 0 } as i64;
    let rounded = ((if a.negative { !placed } else { placed }) + 1) >> 1;
    let power =
        table.at(rounded as u64 & mask(fraction)) << (GUARD + SIGNIFICAND - 1 - table.point);
    pack(
        grade,
        false,
        (rounded >> fraction) as i32 + BIAS,
        power,
        GUARD,
    )
}
