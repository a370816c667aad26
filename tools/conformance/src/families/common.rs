//! Common functions (OpenCL C 1.2, 6.12.4), within the bounds that the specification gives them.

use crate::check::{Check, Expected};
use crate::exact::{from_f64, to_f64};
use crate::types::Type;

/// A half circle in degrees over pi, as a double and what it lacks.
const DEGREES: (f64, f64) = (57.295_779_513_082_32, -1.987_849_567_057_628e-15);
/// Its inverse.
const RADIANS: (f64, f64) = (0.017_453_292_519_943_295, 2.948_652_270_870_113_5e-19);

/// Every common function of a float type.
pub fn of_type(type_: Type) -> Vec<Check> {
    let mut checks = choices(type_);
    checks.extend([
        scaled("degrees", type_, DEGREES),
        scaled("radians", type_, RADIANS),
        Check::lanewise("mix", &[type_; 3], type_, move |x| mix(type_, x))
            .with_shared(&[2])
            .of_usual_size(),
        Check::lanewise("smoothstep", &[type_; 3], type_, move |x| {
            smoothstep(type_, x)
        })
        .with_shared(&[0, 1])
        .of_usual_size(),
        Check::lanewise("sign", &[type_], type_, move |x| {
            let value = to_f64(type_, x[0]);
            Expected::Bits(if value.is_nan() {
                0
            } else if value == 0.0 {
                x[0]
            } else {
                type_.one() | (x[0] & type_.top())
            })
        }),
    ]);
    checks
}

/// The functions that give an operand or a constant.
pub fn choices(type_: Type) -> Vec<Check> {
    let values = move |x: &[u64]| [0, 1].map(|at| to_f64(type_, x[at]));
    let is_nan = move |x: &[u64]| x.iter().any(|&bits| type_.is_nan(bits));
    vec![
        Check::lanewise("max", &[type_; 2], type_, move |x| {
            let [first, second] = values(x);
            match is_nan(x) {
                true => Expected::Anything,
                false => Expected::Bits(if first < second { x[1] } else { x[0] }),
            }
        })
        .with_shared(&[1]),
        Check::lanewise("min", &[type_; 2], type_, move |x| {
            let [first, second] = values(x);
            match is_nan(x) {
                true => Expected::Anything,
                false => Expected::Bits(if second < first { x[1] } else { x[0] }),
            }
        })
        .with_shared(&[1]),
        Check::lanewise("clamp", &[type_; 3], type_, move |x| {
            let [value, low, high] = [0, 1, 2].map(|at| to_f64(type_, x[at]));
            match is_nan(x) || low > high {
                true => Expected::Anything,
                false => Expected::Value(from_f64(type_, value.clamp(low, high))),
            }
        })
        .with_shared(&[1, 2]),
        Check::lanewise("step", &[type_; 2], type_, move |x| {
            let [edge, value] = values(x);
            Expected::Bits(if value < edge { 0 } else { type_.one() })
        })
        .with_shared(&[0]),
    ]
}

/// A multiple, within two units in the last place.
fn scaled(name: &str, type_: Type, (factor, rest): (f64, f64)) -> Check {
    Check::lanewise(name, &[type_], type_, move |x| {
        let value = to_f64(type_, x[0]);
        let product = value * factor;
        let exact = match product.is_finite() {
            true => product + (value.mul_add(factor, -product) + value * rest),
            false => product,
        };
        Expected::Ulps(from_f64(type_, exact), 2)
    })
}

/// The distance of one from the next number.
fn epsilon(type_: Type) -> f64 {
    (-f64::from(type_.fraction())).exp2()
}

/// OpenCL leaves the error open; each of the three operations makes one of half a unit.
fn mix(type_: Type, x: &[u64]) -> Expected {
    let [first, second, part] = [0, 1, 2].map(|at| to_f64(type_, x[at]));
    let exact = first + (second - first) * part;
    let size = first.abs() + (first.abs() + second.abs()) * part.abs();
    // Below the normal numbers the unit no longer shrinks.
    let error = 2.0 * (epsilon(type_) * size + to_f64(type_, 1));
    // Where an operation on the way overflows, so may the result.
    match 2.0 * size < to_f64(type_, type_.infinity() - 1) {
        true => Expected::Between(exact - error, exact + error),
        false => Expected::Anything,
    }
}

/// As above, with the eight operations of a polynomial whose terms are below three.
fn smoothstep(type_: Type, x: &[u64]) -> Expected {
    let [low, high, value] = [0, 1, 2].map(|at| to_f64(type_, x[at]));
    if low >= high {
        return Expected::Anything;
    }
    let part = ((value - low) / (high - low)).clamp(0.0, 1.0);
    let exact = part * part * (3.0 - 2.0 * part);
    let error = 16.0 * epsilon(type_);
    Expected::Between((exact - error).max(0.0), exact + error)
}
