//! Numbers without rounding, and rounding them once to a type: what conversions are compared with.
//! Nothing here uses the machine's floating point.

use crate::types::{Kind, Type};

/// A number as a type's bits mean it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Number {
    /// Not a number.
    Nan,
    /// An infinity.
    Infinite {
        /// Whether it is the negative one.
        negative: bool,
    },
    /// `magnitude * 2^exponent`, with a sign that zero has, too.
    Finite {
        /// The sign.
        negative: bool,
        /// A whole number.
        magnitude: u128,
        /// The power of two that it is multiplied with.
        exponent: i32,
    },
}

/// How a number between two values of a type is rounded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rounding {
    /// To the nearest, of two to the even one.
    Even,
    /// Towards zero.
    Zero,
    /// Towards positive infinity.
    Up,
    /// Towards negative infinity.
    Down,
}

impl Rounding {
    /// Every mode.
    pub const ALL: [Rounding; 4] = [Rounding::Even, Rounding::Zero, Rounding::Up, Rounding::Down];

    /// Its suffix on the names of builtins.
    pub fn suffix(self) -> &'static str {
        match self {
            Rounding::Even => "_rte",
            Rounding::Zero => "_rtz",
            Rounding::Up => "_rtp",
            Rounding::Down => "_rtn",
        }
    }

    /// `magnitude / 2^shift` of a number with this sign, as a whole number.
    fn shift_right(self, negative: bool, magnitude: u128, shift: u32) -> u128 {
        let (whole, rest, half) = match shift {
            0 => return magnitude,
            1..128 => {
                let whole = magnitude >> shift;
                (whole, magnitude - (whole << shift), 1 << (shift - 1))
            }
            // All of it is below a half.
            _ => (0, magnitude.min(1), 2),
        };
        let up = match self {
            Rounding::Even => rest > half || (rest == half && whole & 1 == 1),
            Rounding::Zero => false,
            Rounding::Up => rest != 0 && !negative,
            Rounding::Down => rest != 0 && negative,
        };
        whole + u128::from(up)
    }

    /// Whether what is too large becomes infinite, and not the largest number.
    fn overflows(self, negative: bool) -> bool {
        match self {
            Rounding::Even => true,
            Rounding::Zero => false,
            Rounding::Up => !negative,
            Rounding::Down => negative,
        }
    }
}

impl Number {
    /// An integer.
    pub fn whole(value: i128) -> Number {
        Number::Finite {
            negative: value < 0,
            magnitude: value.unsigned_abs(),
            exponent: 0,
        }
    }

    /// What a type's bits mean.
    pub fn of(type_: Type, bits: u64) -> Number {
        match type_.kind() {
            Kind::Signed | Kind::Unsigned => Number::whole(type_.integer(bits)),
            Kind::Float => Number::of_float(type_, bits),
        }
    }

    fn of_float(type_: Type, bits: u64) -> Number {
        let negative = bits & type_.top() != 0;
        let pattern = bits & !type_.top();
        if pattern > type_.infinity() {
            return Number::Nan;
        }
        if pattern == type_.infinity() {
            return Number::Infinite { negative };
        }
        let field = pattern >> type_.fraction();
        let fraction = pattern & ((1 << type_.fraction()) - 1);
        let hidden = u64::from(field != 0) << type_.fraction();
        Number::Finite {
            negative,
            magnitude: u128::from(fraction | hidden),
            exponent: lowest_exponent(type_) + field.saturating_sub(1) as i32,
        }
    }

    /// The bits of the float of a type that this rounds to.
    pub fn to_float(self, type_: Type, rounding: Rounding) -> u64 {
        let sign = |negative: bool| if negative { type_.top() } else { 0 };
        let (negative, magnitude, exponent) = match self {
            Number::Nan => return type_.quiet_nan(),
            Number::Infinite { negative } => return sign(negative) | type_.infinity(),
            Number::Finite {
                negative,
                magnitude,
                exponent,
            } => (negative, magnitude, exponent),
        };
        if magnitude == 0 {
            return sign(negative);
        }
        let leading = 127 - magnitude.leading_zeros() as i32 + exponent;
        let lowest = lowest_exponent(type_);
        let unit = (leading - type_.fraction() as i32).max(lowest);
        let whole = match unit.checked_sub(exponent) {
            Some(shift) if shift > 0 => {
                rounding.shift_right(negative, magnitude, shift.unsigned_abs())
            }
            Some(_) | None => magnitude << (exponent - unit),
        };
        // The leading bit of the significand, or a carry out of it, adds one to the exponent.
        let pattern = (((unit - lowest) as u128) << type_.fraction()) + whole;
        if pattern < u128::from(type_.infinity()) {
            return sign(negative) | pattern as u64;
        }
        match rounding.overflows(negative) {
            true => sign(negative) | type_.infinity(),
            false => sign(negative) | (type_.infinity() - 1),
        }
    }

    /// The integer that this rounds to, as far as 100 bits hold it; none for NaN.
    pub fn to_integer(self, rounding: Rounding) -> Option<i128> {
        const FAR: i128 = 1 << 100;
        let (negative, whole) = match self {
            Number::Nan => return None,
            Number::Infinite { negative } => (negative, FAR),
            Number::Finite {
                negative,
                magnitude,
                exponent,
            } => {
                let whole = if exponent <= 0 {
                    rounding.shift_right(negative, magnitude, exponent.unsigned_abs())
                } else if exponent < 64 && magnitude < 1 << 60 {
                    magnitude << exponent
                } else if magnitude == 0 {
                    0
                } else {
                    FAR as u128
                };
                (negative, whole.min(FAR as u128) as i128)
            }
        };
        Some(if negative { -whole } else { whole })
    }
}

/// The exponent of a type's smallest number.
fn lowest_exponent(type_: Type) -> i32 {
    let bias = (type_.infinity() >> type_.fraction()) as i32 / 2;
    1 - bias - type_.fraction() as i32
}

/// The value of a float as a double: exact.
pub fn to_f64(type_: Type, bits: u64) -> f64 {
    f64::from_bits(Number::of_float(type_, bits).to_float(Type::Double, Rounding::Even))
}

/// The float of a type that is nearest to a double.
pub fn from_f64(type_: Type, value: f64) -> u64 {
    Number::of_float(Type::Double, value.to_bits()).to_float(type_, Rounding::Even)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_round_to_floats_as_the_machine_does() {
        for value in [
            0.0,
            -0.0,
            1.0,
            1.0 + f64::EPSILON,
            0.1,
            -1e-45,
            7e-46,
            3.5e38,
            f64::MAX,
            -f64::INFINITY,
            1e-310,
            1.000_000_059_604_644_8,
        ] {
            let machine = u64::from((value as f32).to_bits());
            assert_eq!(from_f64(Type::Float, value), machine, "{value:e}");
            let back = f64::from(f32::from_bits(machine as u32));
            assert_eq!(
                to_f64(Type::Float, machine).to_bits(),
                back.to_bits(),
                "{value:e}"
            );
        }
    }

    #[test]
    fn directed_modes_stop_at_the_largest_number() {
        let large = Number::of(Type::Double, 1e300_f64.to_bits());
        let largest = u64::from(f32::MAX.to_bits());
        assert_eq!(large.to_float(Type::Float, Rounding::Zero), largest);
        assert_eq!(large.to_float(Type::Float, Rounding::Down), largest);
        assert_eq!(
            large.to_float(Type::Float, Rounding::Up),
            Type::Float.infinity()
        );
    }

    #[test]
    fn ties_go_to_the_even_integer() {
        let halves = |value: f64| Number::of(Type::Double, value.to_bits());
        assert_eq!(halves(2.5).to_integer(Rounding::Even), Some(2));
        assert_eq!(halves(-3.5).to_integer(Rounding::Even), Some(-4));
        assert_eq!(halves(-3.5).to_integer(Rounding::Up), Some(-3));
        assert_eq!(halves(1e-300).to_integer(Rounding::Up), Some(1));
        assert_eq!(halves(f64::NAN).to_integer(Rounding::Up), None);
    }
}
