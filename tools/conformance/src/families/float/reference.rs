//! What the exact functions give, on bits.

use rustc_apfloat::Float;
use rustc_apfloat::ieee::{Double, Half, Single};

use crate::check::Expected;
use crate::exact::{Number, Rounding, from_f64, to_f64};
use crate::types::Type;

/// `x[0] * x[1] + x[2]`, rounded once.
pub(super) fn fma(type_: Type, x: &[u64]) -> u64 {
    fn with<F: Float>(x: &[u64]) -> u64 {
        let [a, b, c] = [0, 1, 2].map(|at| F::from_bits(x[at].into()));
        a.mul_add(b, c).value.to_bits() as u64
    }
    match type_ {
        Type::Half => with::<Half>(x),
        Type::Float => with::<Single>(x),
        Type::Double => with::<Double>(x),
        Type::Char
        | Type::Uchar
        | Type::Short
        | Type::Ushort
        | Type::Int
        | Type::Uint
        | Type::Long
        | Type::Ulong => unreachable!("only floats have it"),
    }
}

/// The square root by integers: enough digits of it, and whether there are more.
pub(super) fn sqrt(type_: Type, bits: u64) -> u64 {
    let Number::Finite {
        negative,
        magnitude,
        exponent,
    } = Number::of(type_, bits)
    else {
        return match bits == type_.infinity() {
            true => bits,
            false => type_.quiet_nan(),
        };
    };
    if magnitude == 0 {
        return bits;
    }
    if negative {
        return type_.quiet_nan();
    }
    let shift = magnitude.leading_zeros() as i32 - 1;
    let shift = shift - (exponent - shift).rem_euclid(2);
    let wide = magnitude << shift;
    let root = wide.isqrt();
    let inexact = u128::from(root * root != wide);
    let number = Number::Finite {
        negative: false,
        magnitude: root << 1 | inexact,
        exponent: (exponent - shift) / 2 - 1,
    };
    number.to_float(type_, Rounding::Even)
}

/// The neighbour of one number in the direction of another.
pub(super) fn nextafter(type_: Type, from: u64, to: u64) -> u64 {
    let [x, y] = [from, to].map(|bits| to_f64(type_, bits));
    if x.is_nan() || y.is_nan() {
        return type_.quiet_nan();
    }
    if x == y {
        return to;
    }
    let sign = from & type_.top();
    let towards_larger_magnitude = (x < y) == (sign == 0);
    match (from & !type_.top(), towards_larger_magnitude) {
        (0, _) if x < y => 1,
        (0, _) => type_.top() | 1,
        (magnitude, true) => sign | (magnitude + 1),
        (magnitude, false) => sign | (magnitude - 1),
    }
}

/// The exponent of a number's leading bit.
fn leading(magnitude: u128, exponent: i32) -> i32 {
    127 - magnitude.leading_zeros() as i32 + exponent
}

/// The exponent as an int: `FP_ILOGB0`, which is `INT_MIN`, for zero; `INT_MAX` for infinity, and for NaN,
/// where it is `FP_ILOGBNAN`.
pub(super) fn ilogb(type_: Type, bits: u64) -> u64 {
    let value = match Number::of(type_, bits) {
        Number::Nan | Number::Infinite { .. } => i32::MAX,
        Number::Finite { magnitude: 0, .. } => i32::MIN,
        Number::Finite {
            magnitude,
            exponent,
            ..
        } => leading(magnitude, exponent),
    };
    Type::Int.wrap(value.into())
}

/// The exponent as a float.
pub(super) fn logb(type_: Type, bits: u64) -> u64 {
    match Number::of(type_, bits) {
        Number::Nan => type_.quiet_nan(),
        Number::Infinite { .. } => type_.infinity(),
        Number::Finite { magnitude: 0, .. } => type_.infinity() | type_.top(),
        Number::Finite {
            magnitude,
            exponent,
            ..
        } => Number::whole(leading(magnitude, exponent).into()).to_float(type_, Rounding::Even),
    }
}

/// `x * 2^by`, rounded once.
pub(super) fn ldexp(type_: Type, x: u64, by: u64) -> u64 {
    let by = Type::Int.integer(by).clamp(-10_000, 10_000) as i32;
    match Number::of(type_, x) {
        number @ (Number::Nan | Number::Infinite { .. }) => number,
        Number::Finite {
            negative,
            magnitude,
            exponent,
        } => Number::Finite {
            negative,
            magnitude,
            exponent: exponent + by,
        },
    }
    .to_float(type_, Rounding::Even)
}

/// A number from a half to one, and the power of two that it is multiplied with.
pub(super) fn frexp(type_: Type, bits: u64) -> (Expected, Expected) {
    match Number::of(type_, bits) {
        Number::Nan | Number::Infinite { .. } => (Expected::Number(bits), Expected::Anything),
        Number::Finite { magnitude: 0, .. } => (Expected::Number(bits), Expected::Bits(0)),
        Number::Finite {
            negative,
            magnitude,
            exponent,
        } => {
            let power = leading(magnitude, exponent) + 1;
            let number = Number::Finite {
                negative,
                magnitude,
                exponent: exponent - power,
            };
            (
                Expected::Number(number.to_float(type_, Rounding::Even)),
                Expected::Bits(Type::Int.wrap(power.into())),
            )
        }
    }
}

/// What is above the whole number below, less than one; and that whole number.
pub(super) fn fract(type_: Type, bits: u64) -> (u64, u64) {
    let value = to_f64(type_, bits);
    let floor = value.floor();
    let rest = match value {
        _ if value.is_infinite() => 0.0_f64.copysign(value),
        _ if value == 0.0 => value,
        _ => value - floor,
    };
    let below_one = type_.one() - 1;
    let rest = from_f64(type_, rest);
    let rest = if rest == type_.one() { below_one } else { rest };
    (rest, from_f64(type_, floor))
}
