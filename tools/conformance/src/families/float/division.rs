//! What divisions leave, by modular arithmetic on whole numbers.

use crate::exact::{Number, Rounding};
use crate::types::Type;

/// The low bits of a quotient that `remquo` gives.
const QUOTIENT_BITS: u32 = 7;

/// `|x|` modulo `|y|`, in units of `2^exponent`, and the low bits of the quotient.
struct Division {
    rest: u128,
    divisor: u128,
    exponent: i32,
    quotient: u128,
}

/// Divides finite numbers; the divisor is not zero.
fn divide(x: (u128, i32), y: (u128, i32)) -> Division {
    let ((above, above_exponent), (below, below_exponent)) = (x, y);
    if above == 0 {
        return Division {
            rest: 0,
            divisor: below,
            exponent: below_exponent,
            quotient: 0,
        };
    }
    if above_exponent < below_exponent {
        let shift = below_exponent - above_exponent;
        // The divisor would not fit: the dividend is far below half of it.
        if shift > 60 {
            return Division {
                rest: above,
                divisor: u128::MAX,
                exponent: above_exponent,
                quotient: 0,
            };
        }
        let divisor = below << shift;
        return Division {
            rest: above % divisor,
            divisor,
            exponent: above_exponent,
            quotient: above / divisor,
        };
    }
    // Modulo a multiple of the divisor, so that the low bits of the quotient stay.
    let modulus = below << (QUOTIENT_BITS + 1);
    let power = power_of_two((above_exponent - below_exponent).unsigned_abs(), modulus);
    let reduced = (above % modulus) * power % modulus;
    Division {
        rest: reduced % below,
        divisor: below,
        exponent: below_exponent,
        quotient: reduced / below,
    }
}

/// `2^exponent` modulo `modulus`, which is below 2^62.
fn power_of_two(exponent: u32, modulus: u128) -> u128 {
    let (mut result, mut base, mut left) = (1 % modulus, 2 % modulus, exponent);
    while left > 0 {
        if left & 1 == 1 {
            result = result * base % modulus;
        }
        base = base * base % modulus;
        left >>= 1;
    }
    result
}

/// The operands of a division, or its result where there is none to be done.
enum Operands {
    Finite {
        negative: bool,
        opposite: bool,
        x: (u128, i32),
        y: (u128, i32),
    },
    Special(u64),
}

fn operands(type_: Type, x: u64, y: u64) -> Operands {
    match (Number::of(type_, x), Number::of(type_, y)) {
        (Number::Nan | Number::Infinite { .. }, _)
        | (_, Number::Nan | Number::Finite { magnitude: 0, .. }) => {
            Operands::Special(type_.quiet_nan())
        }
        (Number::Finite { .. }, Number::Infinite { .. }) => Operands::Special(x),
        (
            Number::Finite {
                negative,
                magnitude,
                exponent,
            },
            Number::Finite {
                negative: other_negative,
                magnitude: other,
                exponent: other_exponent,
            },
        ) => Operands::Finite {
            negative,
            opposite: negative != other_negative,
            x: (magnitude, exponent),
            y: (other, other_exponent),
        },
    }
}

fn rest(type_: Type, negative: bool, magnitude: u128, exponent: i32) -> u64 {
    let number = Number::Finite {
        negative,
        magnitude,
        exponent,
    };
    number.to_float(type_, Rounding::Even)
}

/// `x - y * trunc(x / y)`, with the sign of `x`.
pub(super) fn fmod(type_: Type, x: u64, y: u64) -> u64 {
    match operands(type_, x, y) {
        Operands::Special(result) => result,
        Operands::Finite { negative, x, y, .. } => {
            let division = divide(x, y);
            rest(type_, negative, division.rest, division.exponent)
        }
    }
}

/// `x - y * n` with the whole number `n` that is nearest to `x / y`, of two the even one; and the sign and
/// low seven bits of `n`, where it is defined.
pub(super) fn remainder(type_: Type, x: u64, y: u64) -> (u64, Option<i128>) {
    match operands(type_, x, y) {
        Operands::Special(result) => {
            let is_whole = !type_.is_nan(result);
            (result, is_whole.then_some(0))
        }
        Operands::Finite {
            negative,
            opposite,
            x,
            y,
        } => {
            let division = divide(x, y);
            let missing = division.divisor - division.rest;
            let odd = division.quotient & 1 == 1;
            let up = division.rest > missing || (division.rest == missing && odd);
            let quotient =
                (division.quotient + u128::from(up)) as i128 & ((1 << QUOTIENT_BITS) - 1);
            let quotient = if opposite { -quotient } else { quotient };
            // Zero has the sign of x.
            let (sign, magnitude) = match up {
                true => (negative != (missing != 0), missing),
                false => (negative, division.rest),
            };
            (
                rest(type_, sign, magnitude, division.exponent),
                Some(quotient),
            )
        }
    }
}
