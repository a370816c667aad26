//! The error of a result relative to the exact real number, in units in the last place.
//!
//! ULP as OpenCL C defines it (section "Relative error as ULPs"): the distance of the two neighbouring numbers
//! around the real one, subnormals included. An infinity instead of a number at the end of the range counts as the
//! first power of two beyond.

use std::cmp::Ordering;

use crate::number::Type;

/// A real number `(high + low) * 2^exponent`, or in `high` alone a zero, an infinity or a NaN.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Real {
    /// The leading digits.
    pub high: f64,
    /// The rest, below the leading digits.
    pub low: f64,
    /// The power of two.
    pub exponent: i32,
}

impl From<f64> for Real {
    #[inline]
    fn from(value: f64) -> Real {
        Real {
            high: value,
            low: 0.0,
            exponent: 0,
        }
    }
}

impl Real {
    /// The same with the leading digits in [1, 2), so that no scaling can underflow; neither zero nor infinite.
    #[inline]
    pub fn normal(self) -> Real {
        let bits = self.high.to_bits();
        let biased = (bits >> 52 & 0x7ff) as i32;
        if biased == 0 {
            return Real {
                high: self.high * TWO_TO_64,
                low: self.low * TWO_TO_64,
                exponent: self.exponent - 64,
            }
            .normal();
        }
        let shift = biased - 0x3ff;
        Real {
            high: f64::from_bits(bits & !(0x7ff << 52) | 0x3ff << 52),
            low: if self.low == 0.0 {
                0.0
            } else {
                scale(self.low, -shift)
            },
            exponent: self.exponent + shift,
        }
    }
}

const TWO_TO_64: f64 = (1_u128 << 64) as f64;

/// The error of the result `bits` in ULP; infinite where it is of the wrong kind: a NaN or a number, an infinity far
/// from the end of the range, a zero or infinity that should be exact, the sign of a zero.
#[inline]
pub fn ulps(ty: Type, bits: u64, expected: Real) -> f64 {
    let found = ty.value(bits);
    if expected.high.is_nan() || found.is_nan() {
        return kind(expected.high.is_nan() == found.is_nan());
    }
    if expected.high.is_infinite() {
        return kind(found == expected.high);
    }
    if expected.high == 0.0 {
        return kind(found == 0.0 && found.is_sign_negative() == expected.high.is_sign_negative());
    }
    let same_sign = found.is_sign_negative() == expected.high.is_sign_negative();
    if !same_sign && (found == 0.0 || found.is_infinite()) {
        return f64::INFINITY;
    }
    distance(ty, found, expected)
}

fn kind(right: bool) -> f64 {
    if right { 0.0 } else { f64::INFINITY }
}

#[inline]
fn distance(ty: Type, found: f64, expected: Real) -> f64 {
    let Real {
        high,
        low,
        exponent,
    } = expected.normal();
    let fraction = ty.fraction() as i32;
    // The signs are equal, as the caller has seen.
    match exponent.cmp(&(ty.beyond_exponent() - 1)) {
        Ordering::Greater if found.is_infinite() => return 0.0,
        Ordering::Less if found.is_infinite() => return f64::INFINITY,
        Ordering::Less | Ordering::Equal | Ordering::Greater => {}
    }
    // At a power of two the nearer neighbour is the one below.
    let below = i32::from(high.abs() == 1.0 && (low == 0.0 || (low < 0.0) == (high > 0.0)));
    let unit = (exponent - below).clamp(ty.least_exponent(), ty.beyond_exponent() - 1) - fraction;
    // In units in the last place: infinite is the first power beyond the range.
    let found = if found.is_infinite() {
        scale(1.0_f64.copysign(found), ty.beyond_exponent() - unit)
    } else {
        scale(found, -unit)
    };
    let shift = exponent - unit;
    let difference = found - scale(high, shift);
    match low == 0.0 {
        true => difference.abs(),
        false => (difference - scale(low, shift)).abs(),
    }
}

/// `x * 2^exponent`, which may pass the range of one factor.
#[inline]
fn scale(x: f64, exponent: i32) -> f64 {
    let power = |exponent: i32| f64::from_bits(((exponent + 0x3ff) as u64) << 52);
    let first = exponent.clamp(-1000, 1000);
    if first == exponent {
        return x * power(first);
    }
    let second = (exponent - first).clamp(-1000, 1000);
    x * power(first) * power(second)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn float(x: f32) -> u64 {
        u64::from(x.to_bits())
    }

    #[test]
    fn errors_count_in_units_in_the_last_place() {
        let third = Real::from(1.0 / 3.0);
        assert!(ulps(Type::Float, float(1.0 / 3.0), third) < 0.5);
        let above = float((1.0_f32 / 3.0).next_up());
        assert!((0.5..1.5).contains(&ulps(Type::Float, above, third)));
        // Below one the numbers are twice as dense.
        let one = Real::from(1.0);
        assert_eq!(ulps(Type::Float, float(1.0_f32.next_down()), one), 1.0);
        assert_eq!(ulps(Type::Float, float(1.0_f32.next_up()), one), 2.0);
    }

    #[test]
    fn the_nearest_number_is_half_a_unit_off_at_most() {
        let powers = (-160..=130).map(|exponent| 2_f64.powi(exponent));
        let values = powers.flat_map(|power| {
            [
                power,
                power.next_down(),
                power * 1.000_000_03,
                power * 1.7,
                -power / 3.0,
            ]
        });
        for value in values {
            let nearest = Type::Float.round(value);
            assert!(ulps(Type::Float, nearest, value.into()) <= 0.5, "{value:e}");
        }
    }

    #[test]
    fn subnormals_are_equally_far_apart() {
        let tiny = Real::from(2_f64.powi(-151));
        assert_eq!(ulps(Type::Float, 0, tiny), 0.25);
        assert_eq!(ulps(Type::Float, 1, tiny), 0.75);
        assert_eq!(ulps(Type::Float, 0x8000_0000, tiny), f64::INFINITY);
    }

    #[test]
    fn digits_beyond_double_count() {
        let expected = Real {
            high: 1.0,
            low: 2_f64.powi(-54),
            exponent: -1040,
        };
        let unit = 2_f64.powi(-1040).to_bits();
        assert_eq!(
            ulps(Type::Double, unit + 1, expected),
            1.0 - 2_f64.powi(-20)
        );
    }

    #[test]
    fn overflow_is_right_beyond_the_range_and_an_error_within() {
        let infinity = float(f32::INFINITY);
        assert_eq!(ulps(Type::Float, infinity, Real::from(1e39)), 0.0);
        assert_eq!(
            ulps(Type::Float, float(f32::MAX), Real::from(f64::INFINITY)),
            f64::INFINITY
        );
        assert_eq!(
            ulps(Type::Float, infinity, Real::from(f64::from(f32::MAX))),
            1.0
        );
        assert_eq!(
            ulps(Type::Float, infinity, Real::from(f64::NAN)),
            f64::INFINITY
        );
        assert_eq!(ulps(Type::Float, infinity, Real::from(1e38)), f64::INFINITY);
        assert_eq!(
            ulps(Type::Float, infinity, Real::from(-1e39)),
            f64::INFINITY
        );
    }
}
