//! Functions with one right result. The arithmetic is `f64`'s, which gives the right result for float and half,
//! too, when it is rounded to them: it has more than twice their digits.

use crate::number::Type;
use crate::reference;

/// The right results for arguments given as bits; absent where the specification names none.
pub type Exact = fn(Type, [u64; 3]) -> [Option<u64>; 2];

fn one(bits: u64) -> [Option<u64>; 2] {
    [Some(bits), None]
}

fn map(ty: Type, x: u64, f: impl Fn(f64) -> f64) -> [Option<u64>; 2] {
    one(ty.round(f(ty.value(x))))
}

fn map2(ty: Type, [x, y, _]: [u64; 3], f: impl Fn(f64, f64) -> f64) -> [Option<u64>; 2] {
    one(ty.round(f(ty.value(x), ty.value(y))))
}

/// A number and an integer.
fn with_integer(ty: Type, value: f64, integer: Option<i32>) -> [Option<u64>; 2] {
    [Some(ty.round(value)), integer.map(bits_of_integer)]
}

fn bits_of_integer(integer: i32) -> u64 {
    u64::from(integer as u32)
}

pub(crate) fn ceil(ty: Type, [x, ..]: [u64; 3]) -> [Option<u64>; 2] {
    map(ty, x, f64::ceil)
}

pub(crate) fn floor(ty: Type, [x, ..]: [u64; 3]) -> [Option<u64>; 2] {
    map(ty, x, f64::floor)
}

pub(crate) fn trunc(ty: Type, [x, ..]: [u64; 3]) -> [Option<u64>; 2] {
    map(ty, x, f64::trunc)
}

pub(crate) fn rint(ty: Type, [x, ..]: [u64; 3]) -> [Option<u64>; 2] {
    map(ty, x, f64::round_ties_even)
}

pub(crate) fn round(ty: Type, [x, ..]: [u64; 3]) -> [Option<u64>; 2] {
    map(ty, x, f64::round)
}

pub(crate) fn sqrt(ty: Type, [x, ..]: [u64; 3]) -> [Option<u64>; 2] {
    map(ty, x, f64::sqrt)
}

pub(crate) fn recip(ty: Type, [x, ..]: [u64; 3]) -> [Option<u64>; 2] {
    map(ty, x, f64::recip)
}

pub(crate) fn divide(ty: Type, args: [u64; 3]) -> [Option<u64>; 2] {
    map2(ty, args, |x, y| x / y)
}

pub(crate) fn fabs(ty: Type, [x, ..]: [u64; 3]) -> [Option<u64>; 2] {
    one(x & !ty.sign())
}

pub(crate) fn copysign(ty: Type, [x, y, _]: [u64; 3]) -> [Option<u64>; 2] {
    one(x & !ty.sign() | y & ty.sign())
}

pub(crate) fn fdim(ty: Type, args: [u64; 3]) -> [Option<u64>; 2] {
    map2(ty, args, |x, y| match x.partial_cmp(&y) {
        None => f64::NAN,
        Some(std::cmp::Ordering::Greater) => x - y,
        Some(_) => 0.0,
    })
}

/// IEEE 754's maximumNumber: a NaN loses, and 0 is greater than -0.
fn greater(x: f64, y: f64) -> f64 {
    match (x.is_nan(), y.is_nan()) {
        (true, _) => y,
        (_, true) => x,
        _ if x == y && x.is_sign_negative() => y,
        _ if x >= y => x,
        _ => y,
    }
}

pub(crate) fn fmax(ty: Type, args: [u64; 3]) -> [Option<u64>; 2] {
    map2(ty, args, greater)
}

pub(crate) fn fmin(ty: Type, args: [u64; 3]) -> [Option<u64>; 2] {
    map2(ty, args, |x, y| -greater(-x, -y))
}

pub(crate) fn maxmag(ty: Type, args: [u64; 3]) -> [Option<u64>; 2] {
    map2(ty, args, |x, y| match x.abs().partial_cmp(&y.abs()) {
        Some(std::cmp::Ordering::Greater) => x,
        Some(std::cmp::Ordering::Less) => y,
        _ => greater(x, y),
    })
}

pub(crate) fn minmag(ty: Type, args: [u64; 3]) -> [Option<u64>; 2] {
    map2(ty, args, |x, y| match x.abs().partial_cmp(&y.abs()) {
        Some(std::cmp::Ordering::Less) => x,
        Some(std::cmp::Ordering::Greater) => y,
        _ => -greater(-x, -y),
    })
}

pub(crate) fn fmod(ty: Type, args: [u64; 3]) -> [Option<u64>; 2] {
    map2(ty, args, |x, y| x % y)
}

pub(crate) fn remainder(ty: Type, args: [u64; 3]) -> [Option<u64>; 2] {
    map2(ty, args, reference::remainder)
}

pub(crate) fn remquo(ty: Type, args: [u64; 3]) -> [Option<u64>; 2] {
    let [x, y] = [ty.value(args[0]), ty.value(args[1])];
    let rest = reference::remainder(x, y);
    // Where there is no remainder OpenCL names the quotient zero; by infinity it is.
    let quotient = if rest.is_nan() || y.is_infinite() {
        0
    } else {
        reference::quotient(x, y)
    };
    with_integer(ty, rest, Some(quotient))
}

pub(crate) fn fma(ty: Type, args: [u64; 3]) -> [Option<u64>; 2] {
    let [x, y, z] = args.map(|bits| ty.value(bits));
    one(match ty {
        Type::Double => x.mul_add(y, z).to_bits(),
        Type::Float => {
            let fused = (x as f32).mul_add(y as f32, z as f32);
            u64::from(fused.to_bits())
        }
        Type::Half => ty.round(half_fma(x, y, z)),
    })
}

/// The product and sum of halves with 53 digits, the last of which is one if anything was lost: rounded to half,
/// that is what the exact sum gives.
fn half_fma(x: f64, y: f64, z: f64) -> f64 {
    let rounded = x.mul_add(y, z);
    if !rounded.is_finite() || rounded == 0.0 {
        return rounded;
    }
    // All are multiples of 2^-48 below 2^33.
    let unit = 2_f64.powi(48);
    let exact = (x * y * unit) as i128 + (z * unit) as i128;
    let found = (rounded * unit) as i128;
    let odd = rounded.to_bits() & 1 == 1;
    match exact.abs().cmp(&found.abs()) {
        std::cmp::Ordering::Equal => rounded,
        _ if odd => rounded,
        std::cmp::Ordering::Greater => f64::from_bits(rounded.to_bits() + 1),
        std::cmp::Ordering::Less => f64::from_bits(rounded.to_bits() - 1),
    }
}

pub(crate) fn mad(ty: Type, args: [u64; 3]) -> [Option<u64>; 2] {
    let [x, y, z] = args.map(|bits| ty.value(bits));
    map2(ty, [ty.round(x * y), ty.round(z), 0], |product, z| {
        product + z
    })
}

pub(crate) fn fract(ty: Type, [x, ..]: [u64; 3]) -> [Option<u64>; 2] {
    let value = ty.value(x);
    let below_one = ty.value(ty.round(1.0) - 1);
    let rest = match value {
        _ if value.is_infinite() || value == 0.0 => 0_f64.copysign(value),
        _ if value.is_nan() => value,
        _ => ty.value(ty.round(value - value.floor())).min(below_one),
    };
    [Some(ty.round(rest)), Some(ty.round(value.floor()))]
}

pub(crate) fn modf(ty: Type, [x, ..]: [u64; 3]) -> [Option<u64>; 2] {
    let value = ty.value(x);
    let rest = match value {
        _ if value.is_infinite() => 0.0,
        _ => value - value.trunc(),
    };
    let rest = rest.copysign(value);
    [Some(ty.round(rest)), Some(ty.round(value.trunc()))]
}

/// The fraction in [1/2, 1) and the power of two of a finite number other than zero.
fn split(value: f64) -> (f64, i32) {
    let tiny = value.abs() < f64::MIN_POSITIVE;
    let scaled = if tiny { value * 2_f64.powi(64) } else { value };
    let biased = (scaled.to_bits() >> 52 & 0x7ff) as i32;
    let fraction = f64::from_bits(scaled.to_bits() & !(0x7ff << 52) | 0x3fe << 52);
    (fraction, biased - 0x3fe - if tiny { 64 } else { 0 })
}

pub(crate) fn frexp(ty: Type, [x, ..]: [u64; 3]) -> [Option<u64>; 2] {
    let value = ty.value(x);
    if value == 0.0 {
        return with_integer(ty, value, Some(0));
    }
    if !value.is_finite() {
        return with_integer(ty, value, None);
    }
    let (fraction, exponent) = split(value);
    with_integer(ty, fraction, Some(exponent))
}

pub(crate) fn ilogb(ty: Type, [x, ..]: [u64; 3]) -> [Option<u64>; 2] {
    let value = ty.value(x);
    one(bits_of_integer(match value {
        // FP_ILOGB0 and FP_ILOGBNAN of clang's OpenCL.
        0.0 => i32::MIN,
        _ if !value.is_finite() => i32::MAX,
        _ => split(value).1 - 1,
    }))
}

pub(crate) fn logb(ty: Type, [x, ..]: [u64; 3]) -> [Option<u64>; 2] {
    map(ty, x, |value| match value {
        0.0 => f64::NEG_INFINITY,
        _ if value.is_infinite() => f64::INFINITY,
        _ if value.is_nan() => value,
        _ => f64::from(split(value).1 - 1),
    })
}

pub(crate) fn ldexp(ty: Type, [x, n, _]: [u64; 3]) -> [Option<u64>; 2] {
    map(ty, x, |value| reference::scale(value, n as u32 as i32))
}

pub(crate) fn nan(ty: Type, _: [u64; 3]) -> [Option<u64>; 2] {
    one(ty.nan())
}

pub(crate) fn nextafter(ty: Type, [x, y, _]: [u64; 3]) -> [Option<u64>; 2] {
    let [from, to] = [ty.value(x), ty.value(y)];
    one(match from.partial_cmp(&to) {
        None => ty.nan(),
        Some(std::cmp::Ordering::Equal) => y,
        Some(_) if from == 0.0 => y & ty.sign() | 1,
        // Away from zero the bits grow.
        Some(order) if (order == std::cmp::Ordering::Less) == (from > 0.0) => x + 1,
        Some(_) => x - 1,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fused_half_sum_is_rounded_once() {
        let half = |x: f64| Type::Half.round(x);
        let fma = |z| fma(Type::Half, [half(3.0), half(683.0), z])[0];
        // 3 * 683 lies between 2048 and 2050: the smallest subnormal decides.
        assert_eq!(fma(1), Some(half(2050.0)));
        assert_eq!(fma(1 | Type::Half.sign()), Some(half(2048.0)));
        assert_eq!(fma(0), Some(half(2048.0)));
    }

    #[test]
    fn neighbours_pass_zero() {
        let float = |x: f32| u64::from(x.to_bits());
        let next = |x, y| nextafter(Type::Float, [float(x), float(y), 0])[0];
        assert_eq!(next(0.0, -1.0), Some(0x8000_0001));
        assert_eq!(next(-0.0, 1.0), Some(1));
        assert_eq!(next(-1.0, 0.0), Some(float(-1.0) - 1));
        assert_eq!(next(1.0, f32::INFINITY), Some(float(1.0) + 1));
    }
}
