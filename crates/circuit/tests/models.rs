//! The operators' models against independent references: `rustc_apfloat` for floats, 128-bit and
//! bit-by-bit arithmetic for integers.

mod vectors;

use std::cmp::Ordering;

use rustc_apfloat::ieee::{Double, Half, Single};
use rustc_apfloat::{Float, FloatConvert, Round};
use sluice_circuit::arith::{Extreme, Format, Rounding, Signedness, Subnormals, mask, signed};
use sluice_circuit::operators::count::{Count, Counted};
use sluice_circuit::operators::fadd::{Fadd, Sum};
use sluice_circuit::operators::mul::{Half as ProductHalf, Mul};
use sluice_circuit::operators::shift::{Direction, Shift};
use sluice_circuit::operators::{Operator, Tile, funnel};
use sluice_circuit::operators::{
    div::Div, fcmp::Fcmp, fdiv::Fdiv, fextreme::Fextreme, fma::Fma, fmul::Fmul, fround::Fround,
    fsqrt::Fsqrt, ftof::Ftof, ftoi::Ftoi, itof::Itof,
};

/// Binds a type name to the reference float of a format.
macro_rules! with_float {
    ($format:expr, $F:ident => $body:expr) => {
        match $format {
            Format::F16 => {
                type $F = Half;
                $body
            }
            Format::F32 => {
                type $F = Single;
                $body
            }
            Format::F64 => {
                type $F = Double;
                $body
            }
        }
    };
}

fn check(operator: &dyn Operator, reference: impl Fn(&[u64]) -> Vec<u64>) {
    let default = if cfg!(debug_assertions) {
        200_000
    } else {
        1_000_000
    };
    let count = vectors::rows_or(default);
    let mut random = vectors::Random::new(0x1234);
    let mut results = vec![0; operator.outputs().len()];
    for row in vectors::rows(&operator.inputs(), count, &mut random) {
        operator.evaluate(&row, &mut results);
        let expected = reference(&row);
        assert!(
            results == expected,
            "{operator:?} of {row:x?} is {results:x?}, the reference says {expected:x?}"
        );
    }
}

fn of<F: Float>(bits: u64) -> F {
    F::from_bits(bits.into())
}

fn bits<F: Float>(format: Format, value: F) -> u64 {
    if value.is_nan() {
        format.canonical_nan()
    } else {
        value.to_bits() as u64
    }
}

#[test]
fn sums_are_rounded_to_nearest() {
    for format in Format::ALL {
        for sum in [Sum::Add, Sum::Subtract] {
            with_float!(format, F => check(&Fadd { format, sum }, |row| {
                let [a, b] = [of::<F>(row[0]), of(row[1])];
                vec![bits(format, if sum == Sum::Add { a + b } else { a - b }.value)]
            }));
        }
    }
}

#[test]
fn products_are_rounded_to_nearest() {
    let tile = Tile::ECP5;
    for format in Format::ALL {
        let subnormals = Subnormals::Kept;
        with_float!(format, F => check(&Fmul { format, tile, subnormals }, |row| {
            vec![bits(format, (of::<F>(row[0]) * of(row[1])).value)]
        }));
    }
}

fn flushed<F: Float>(value: F) -> F {
    let zero = F::ZERO.copy_sign(value);
    if value.is_denormal() { zero } else { value }
}

#[test]
fn products_may_flush_subnormals() {
    let tile = Tile::ECP5;
    for format in Format::ALL {
        let subnormals = Subnormals::Flushed;
        with_float!(format, F => check(&Fmul { format, tile, subnormals }, |row| {
            let [a, b] = [of::<F>(row[0]), of(row[1])].map(flushed);
            vec![bits(format, flushed((a * b).value))]
        }));
    }
}

#[test]
fn quotients_are_rounded_to_nearest() {
    for format in Format::ALL {
        let subnormals = Subnormals::Kept;
        with_float!(format, F => check(&Fdiv { format, subnormals }, |row| {
            vec![bits(format, (of::<F>(row[0]) / of(row[1])).value)]
        }));
    }
}

#[test]
fn quotients_may_flush_subnormals() {
    for format in Format::ALL {
        let subnormals = Subnormals::Flushed;
        with_float!(format, F => check(&Fdiv { format, subnormals }, |row| {
            let [a, b] = [of::<F>(row[0]), of(row[1])].map(flushed);
            vec![bits(format, flushed((a / b).value))]
        }));
    }
}

#[test]
fn fused_products_and_sums_are_rounded_once() {
    let tile = Tile::ECP5;
    for format in Format::ALL {
        let subnormals = Subnormals::Kept;
        with_float!(format, F => check(&Fma { format, tile, subnormals }, |row| {
            let [a, b, c] = [of::<F>(row[0]), of(row[1]), of(row[2])];
            vec![bits(format, a.mul_add(b, c).value)]
        }));
    }
}

#[test]
fn fused_products_and_sums_may_flush_subnormals() {
    let tile = Tile::ECP5;
    for format in Format::ALL {
        let subnormals = Subnormals::Flushed;
        with_float!(format, F => check(&Fma { format, tile, subnormals }, |row| {
            let [a, b, c] = [of::<F>(row[0]), of(row[1]), of(row[2])].map(flushed);
            vec![bits(format, flushed(a.mul_add(b, c).value))]
        }));
    }
}

/// The square root through an integer one: a result has at most 53 bits, so a radicand of 110 or
/// 111 bits has a root of two bits more, and a remainder that says whether it is exact.
fn square_root(format: Format, a: u64) -> u64 {
    let man = format.man();
    let bias = mask(format.exp() - 1) as i64;
    let exponent = (a >> man) as i64 & mask(format.exp()) as i64;
    let fraction = a & mask(man);
    if a & !format.sign() == 0 || a == format.infinity() {
        return a;
    }
    if format.is_nan(a) || a & format.sign() != 0 {
        return format.canonical_nan();
    }
    // The value is significand * 2^scale.
    let hidden = u64::from(exponent > 0) << man;
    let mut significand = u128::from(fraction | hidden);
    let mut scale = exponent.max(1) - bias - i64::from(man);
    while significand < 1 << 109 || scale % 2 != 0 {
        significand <<= 1;
        scale -= 1;
    }
    let root = significand.isqrt();
    let exact = root * root == significand;
    let dropped = 128 - root.leading_zeros() - (man + 1);
    let kept = root >> dropped;
    let rest = root & !(u128::MAX << dropped);
    let half = 1 << (dropped - 1);
    let up = rest > half || (rest == half && (!exact || kept & 1 == 1));
    let exponent = scale / 2 + i64::from(dropped) + i64::from(man) + bias;
    ((exponent as u64) << man) + (kept as u64 & mask(man)) + u64::from(up)
}

#[test]
fn square_roots_are_rounded_to_nearest() {
    for format in Format::ALL {
        check(&Fsqrt { format }, |row| vec![square_root(format, row[0])]);
    }
}

#[test]
fn comparisons_distinguish_nan() {
    for format in Format::ALL {
        with_float!(format, F => check(&Fcmp { format }, |row| {
            let order = of::<F>(row[0]).partial_cmp(&of(row[1]));
            let is = |wanted| u64::from(order == wanted);
            vec![is(Some(Ordering::Less)), is(Some(Ordering::Equal)), is(None)]
        }));
    }
}

fn extreme<F: Float>(format: Format, want: Extreme, row: &[u64]) -> u64 {
    let [a, b] = [of::<F>(row[0]), of(row[1])];
    let (low, high) = match a.partial_cmp(&b) {
        None if a.is_nan() => return bits(format, b),
        None => return row[0],
        Some(Ordering::Less) => (row[0], row[1]),
        Some(Ordering::Greater) => (row[1], row[0]),
        Some(Ordering::Equal) if a.is_negative() => (row[0], row[1]),
        Some(Ordering::Equal) => (row[1], row[0]),
    };
    match want {
        Extreme::Least => low,
        Extreme::Greatest => high,
    }
}

#[test]
fn minimum_and_maximum_ignore_nan_and_order_zeros() {
    for format in Format::ALL {
        for want in [Extreme::Least, Extreme::Greatest] {
            with_float!(format, F => check(&Fextreme { format, want }, |row| {
                vec![extreme::<F>(format, want, row)]
            }));
        }
    }
}

#[test]
fn integral_floats_are_nearest_in_their_direction() {
    for rounding in Rounding::ALL {
        let round = match rounding {
            Rounding::Floor => Round::TowardNegative,
            Rounding::Ceil => Round::TowardPositive,
            Rounding::Trunc => Round::TowardZero,
            Rounding::Rint => Round::NearestTiesToEven,
            Rounding::Round => Round::NearestTiesToAway,
        };
        for format in Format::ALL {
            with_float!(format, F => check(&Fround { format, rounding }, |row| {
                vec![bits(format, of::<F>(row[0]).round_to_integral(round).value)]
            }));
        }
    }
}

#[test]
fn floats_to_integers_saturate() {
    for format in Format::ALL {
        for width in [1, 8, 31, 32, 64] {
            for signedness in [Signedness::Unsigned, Signedness::Signed] {
                let operator = Ftoi {
                    format,
                    width,
                    signedness,
                };
                with_float!(format, F => check(&operator, |row| {
                    let value = of::<F>(row[0]);
                    let exact: i128 = value.to_i128(128).value;
                    let (low, high) = match signedness {
                        Signedness::Unsigned => (0, i128::from(mask(width))),
                        Signedness::Signed => (-1 << (width - 1), !(-1 << (width - 1))),
                    };
                    vec![exact.clamp(low, high) as u64 & mask(width)]
                }));
            }
        }
    }
}

#[test]
fn integers_to_floats_are_rounded_to_nearest() {
    for format in Format::ALL {
        for width in [1, 8, 31, 32, 64] {
            for signedness in [Signedness::Unsigned, Signedness::Signed] {
                let operator = Itof {
                    width,
                    signedness,
                    format,
                };
                with_float!(format, F => check(&operator, |row| {
                    let value = match signedness {
                        Signedness::Unsigned => F::from_u128(row[0].into()),
                        Signedness::Signed => F::from_i128(signed(width, row[0]).into()),
                    };
                    vec![bits(format, value.value)]
                }));
            }
        }
    }
}

fn converted<A: FloatConvert<B>, B: Float>(to: Format, a: u64) -> u64 {
    bits(to, of::<A>(a).convert(&mut false).value)
}

#[test]
fn floats_to_floats_are_rounded_to_nearest() {
    for from in Format::ALL {
        for to in Format::ALL.into_iter().filter(|&to| to != from) {
            with_float!(from, A => with_float!(to, B => check(&Ftof { from, to }, |row| {
                vec![converted::<A, B>(to, row[0])]
            })));
        }
    }
}

#[test]
fn integer_products_are_exact() {
    for width in [1, 7, 16, 32, 37, 64] {
        for half in [
            ProductHalf::Low,
            ProductHalf::High(Signedness::Unsigned),
            ProductHalf::High(Signedness::Signed),
        ] {
            let tile = Tile::ECP5;
            check(&Mul { width, half, tile }, |row| {
                // Schoolbook: a copy of one operand per bit of the other, the highest negative.
                let is_signed = half == ProductHalf::High(Signedness::Signed);
                let a = match is_signed {
                    true => i128::from(signed(width, row[0])) as u128,
                    false => row[0].into(),
                };
                let mut product = 0u128;
                for bit in (0..width).filter(|bit| row[1] >> bit & 1 == 1) {
                    product = match is_signed && bit == width - 1 {
                        true => product.wrapping_sub(a << bit),
                        false => product.wrapping_add(a << bit),
                    };
                }
                let shift = if half == ProductHalf::Low { 0 } else { width };
                vec![(product >> shift) as u64 & mask(width)]
            });
        }
    }
}

#[test]
fn integer_division_truncates_and_has_defined_results_for_zero() {
    for width in [1, 7, 16, 32, 64] {
        for signedness in [Signedness::Unsigned, Signedness::Signed] {
            check(&Div { width, signedness }, |row| {
                let [a, b] = match signedness {
                    Signedness::Unsigned => [row[0], row[1]].map(i128::from),
                    Signedness::Signed => [row[0], row[1]].map(|x| signed(width, x).into()),
                };
                let (quotient, remainder) = if b == 0 { (-1, a) } else { (a / b, a % b) };
                vec![
                    quotient as u64 & mask(width),
                    remainder as u64 & mask(width),
                ]
            });
        }
    }
}

#[test]
fn shifts_by_the_width_or_more_shift_everything_out() {
    for width in [1, 7, 16, 32, 64] {
        for direction in Direction::ALL {
            check(&Shift { width, direction }, |row| {
                let by = row[1].min(u64::from(width)) as u32;
                let value = match direction {
                    Direction::Left => u128::from(row[0]) << by,
                    Direction::RightLogical => u128::from(row[0]) >> by,
                    Direction::RightArithmetic => (i128::from(signed(width, row[0])) >> by) as u128,
                };
                vec![value as u64 & mask(width)]
            });
        }
    }
}

#[test]
fn funnel_shifts_move_a_window_over_the_pair() {
    for width in [2, 8, 16, 32, 64] {
        for direction in [funnel::Direction::Left, funnel::Direction::Right] {
            check(&funnel::Funnel { width, direction }, |row| {
                let pair = u128::from(row[0]) << width | u128::from(row[1]);
                let by = (row[2] % u64::from(width)) as u32;
                let window = match direction {
                    funnel::Direction::Left => pair << by >> width,
                    funnel::Direction::Right => pair >> by,
                };
                vec![window as u64 & mask(width)]
            });
        }
    }
}

#[test]
fn counts_look_at_each_bit() {
    for width in [1, 7, 16, 32, 64] {
        for counted in Counted::ALL {
            check(&Count { width, counted }, |row| {
                let bit = |index: u32| row[0] >> index & 1;
                let count = match counted {
                    Counted::LeadingZeros => (0..width).rev().take_while(|&i| bit(i) == 0).count(),
                    Counted::TrailingZeros => (0..width).take_while(|&i| bit(i) == 0).count(),
                    Counted::Ones => (0..width).filter(|&i| bit(i) == 1).count(),
                };
                vec![count as u64]
            });
        }
    }
}
