//! Geometric functions (OpenCL C 1.2, 6.12.5), within the bounds that the specification gives them.

use std::sync::Arc;

use crate::check::{Check, Expected, Form, Reference, Shape};
use crate::exact::{from_f64, to_f64};
use crate::types::Type;

/// Every geometric function of a float type, on vectors of a usual size and on any.
pub fn of_type(type_: Type) -> Vec<Check> {
    let mut checks = Vec::new();
    for usual in [true, false] {
        let of_size = |check: Check| match usual {
            true => check.of_usual_size(),
            false => check,
        };
        checks.push(of_size(dot(type_)));
        checks.push(of_size(cross(type_)));
        checks.extend(lengths(type_, Bounds::of(type_)).into_iter().map(of_size));
        if usual && type_ != Type::Half {
            checks.extend(normalize_far_apart(type_));
        }
        if type_ == Type::Float {
            checks.extend(lengths(type_, Bounds::FAST).into_iter().map(of_size));
        }
    }
    checks
}

/// How many units in the last place the lengths of n components may be off.
#[derive(Clone, Copy)]
struct Bounds {
    prefix: &'static str,
    length: Ulps,
    distance: Ulps,
    normalize: Ulps,
}

/// A bound by the number of components.
type Ulps = fn(f64) -> f64;

impl Bounds {
    const FAST: Bounds = Bounds {
        prefix: "fast_",
        length: |n| 8191.5 + n,
        distance: |n| 8191.5 + 2.0 * n,
        normalize: |n| 8192.0 + n,
    };

    fn of(type_: Type) -> Bounds {
        let (length, distance, normalize): (Ulps, Ulps, Ulps) = match type_ {
            Type::Half => (|n| 0.25 + 0.5 * n, |n| 2.0 * n, |n| 1.0 + n),
            Type::Double => (|n| 5.5 + n, |n| 5.5 + 2.0 * n, |n| 4.5 + n),
            Type::Char
            | Type::Uchar
            | Type::Short
            | Type::Ushort
            | Type::Int
            | Type::Uint
            | Type::Long
            | Type::Ulong
            | Type::Float => (|n| 2.75 + 0.5 * n, |n| 2.5 + 2.0 * n, |n| 2.0 + n),
        };
        Bounds {
            prefix: "",
            length,
            distance,
            normalize,
        }
    }

    /// Whether the squares may leave the range on the way.
    fn squares_count(self) -> bool {
        self.prefix == "fast_"
    }
}

fn values(type_: Type, lanes: &[u64]) -> Vec<f64> {
    lanes.iter().map(|&lane| to_f64(type_, lane)).collect()
}

fn largest(vector: &[f64]) -> f64 {
    vector.iter().fold(0.0, |most, lane| most.max(lane.abs()))
}

fn is_nan(vector: &[f64]) -> bool {
    vector.iter().any(|lane| lane.is_nan())
}

/// The largest number of a type, or of doubles a number whose products with others stay inside.
fn limit(type_: Type) -> f64 {
    if type_ == Type::Double {
        1e150
    } else {
        to_f64(type_, type_.infinity() - 1)
    }
}

/// A form for each width.
fn forms(
    check: &mut Check,
    widths: &[usize],
    result: impl Fn(usize) -> usize,
    reference: impl Fn(&[&[u64]]) -> Vec<Expected> + Send + Sync + 'static,
    call: &str,
) {
    let reference: Reference = Arc::new(reference);
    let type_ = check.operands[0];
    check.forms.extend(widths.iter().map(|&width| Form {
        name: type_.vector(width),
        operands: vec![Shape::Vector(width); check.operands.len()],
        result: type_,
        result_shape: Shape::Vector(result(width)),
        statements: format!("result = {call};"),
        reference: Arc::clone(&reference),
    }));
}

/// A sum of products as if in twice the precision.
fn sum_of_products(pairs: impl Iterator<Item = (f64, f64)>) -> f64 {
    let (mut sum, mut lost) = (0.0_f64, 0.0_f64);
    for (x, y) in pairs {
        let product = x * y;
        let next = sum + product;
        let back = next - sum;
        lost += (sum - (next - back)) + (product - back) + x.mul_add(y, -product);
        sum = next;
    }
    sum + lost
}

/// A sum of products, of which the specification bounds the absolute error.
fn expected_product(type_: Type, exact: f64, most: f64, units: f64) -> Expected {
    let epsilon = (-f64::from(type_.fraction())).exp2();
    // Results below the normal numbers are rounded to a multiple of the least one, in each operation.
    let least = to_f64(type_, 1) * units;
    let error = most * units * epsilon + least;
    Expected::Between(exact - error, exact + error)
}

fn dot(type_: Type) -> Check {
    let mut check = Check::without_forms("dot", &[type_; 2]);
    let reference = move |lanes: &[&[u64]]| {
        let [p, q] = [0, 1].map(|at| values(type_, lanes[at]));
        let most = largest(&p) * largest(&q);
        let units = 2.0 * p.len() as f64 - 1.0;
        let all = [p.as_slice(), &q].concat();
        if is_nan(&all) {
            return vec![Expected::Number(type_.quiet_nan())];
        }
        // Sums of infinities, or of what overflows on the way, depend on the order.
        if most.is_nan() || most * p.len() as f64 > limit(type_) {
            return vec![Expected::Anything];
        }
        let exact = sum_of_products(p.into_iter().zip(q));
        vec![expected_product(type_, exact, most, units)]
    };
    forms(&mut check, &[1, 2, 3, 4], |_| 1, reference, "dot(a, b)");
    check
}

fn cross(type_: Type) -> Check {
    let mut check = Check::without_forms("cross", &[type_; 2]);
    let reference = move |lanes: &[&[u64]]| {
        let [p, q] = [0, 1].map(|at| values(type_, lanes[at]));
        let most = largest(&p[..3]) * largest(&q[..3]);
        let is_open = most.is_nan() || most * 2.0 > limit(type_) || is_nan(&p) || is_nan(&q);
        let mut expected: Vec<Expected> = [(1, 2), (2, 0), (0, 1)]
            .map(|(i, j)| {
                let exact = sum_of_products([(p[i], q[j]), (-p[j], q[i])].into_iter());
                match is_open {
                    true => Expected::Anything,
                    false => expected_product(type_, exact, most, 3.0),
                }
            })
            .into();
        if p.len() == 4 {
            expected.push(Expected::Value(0));
        }
        expected
    };
    forms(&mut check, &[3, 4], |width| width, reference, "cross(a, b)");
    check
}

/// The components over a power of two that leaves the largest near one, and that power's exponent.
fn scaled(vector: &[f64]) -> (Vec<f64>, i32) {
    let most = largest(vector);
    let exponent = match most == 0.0 || most.is_infinite() {
        true => 0,
        false => most.log2().floor() as i32,
    };
    let lanes = vector.iter().map(|&lane| times_power(lane, -exponent));
    (lanes.collect(), exponent)
}

/// `x * 2^exponent`, in steps that are powers in range themselves.
fn times_power(mut x: f64, mut exponent: i32) -> f64 {
    while exponent != 0 {
        let step = exponent.clamp(-1000, 1000);
        x *= f64::from(step).exp2();
        exponent -= step;
    }
    x
}

/// The length, over a power of two.
fn length(vector: &[f64]) -> (f64, i32) {
    let (lanes, exponent) = scaled(vector);
    let squares = lanes.iter().map(|&lane| (lane, lane));
    (sum_of_products(squares).sqrt(), exponent)
}

/// Whether the sum of squares leaves a type's range, or its part with full precision.
fn squares_leave(type_: Type, vector: &[f64]) -> bool {
    let most = largest(vector);
    let precision = f64::from(type_.fraction()).exp2();
    let least_normal = to_f64(type_, 1 << type_.fraction());
    most != 0.0
        && !(most * most * precision.recip() > least_normal && most * most * 4.0 < limit(type_))
}

fn expected_length(type_: Type, vector: &[f64], ulps: f64, bounds: Bounds) -> Expected {
    if vector.iter().any(|lane| lane.is_infinite()) {
        // With a NaN beside the infinity the specification says nothing.
        return match is_nan(vector) {
            true => Expected::Anything,
            false => Expected::Number(type_.infinity()),
        };
    }
    if is_nan(vector) {
        return Expected::Number(type_.quiet_nan());
    }
    if bounds.squares_count() && squares_leave(type_, vector) {
        return Expected::Anything;
    }
    let (length, exponent) = length(vector);
    Expected::Ulps(from_f64(type_, times_power(length, exponent)), ulps as u64)
}

fn expected_normalize(type_: Type, lanes: &[u64], ulps: f64, bounds: Bounds) -> Vec<Expected> {
    let vector = values(type_, lanes);
    if is_nan(&vector) {
        return vec![Expected::Number(type_.quiet_nan()); lanes.len()];
    }
    if bounds.squares_count() && (squares_leave(type_, &vector) || largest(&vector).is_infinite()) {
        return vec![Expected::Anything; lanes.len()];
    }
    // Beside infinities, finite components count for nothing.
    let vector: Vec<f64> = match largest(&vector).is_infinite() {
        true => vector
            .iter()
            .map(|lane| f64::from(u8::from(lane.is_infinite())).copysign(*lane))
            .collect(),
        false => vector,
    };
    let (directions, _) = scaled(&vector);
    let (length, exponent) = length(&vector);
    let length = times_power(length, exponent - scaled(&vector).1);
    let expected = directions.iter().map(|lane| match length == 0.0 {
        true => Expected::Value(0),
        false => Expected::Ulps(from_f64(type_, lane / length), ulps as u64),
    });
    expected.collect()
}

fn lengths(type_: Type, bounds: Bounds) -> Vec<Check> {
    let prefix = bounds.prefix;
    let widths = [1, 2, 3, 4];
    let mut length = Check::without_forms(&format!("{prefix}length"), &[type_]);
    let reference = move |lanes: &[&[u64]]| {
        let vector = values(type_, lanes[0]);
        let ulps = (bounds.length)(vector.len() as f64);
        vec![expected_length(type_, &vector, ulps, bounds)]
    };
    let call = format!("{prefix}length(a)");
    forms(&mut length, &widths, |_| 1, reference, &call);

    let mut distance = Check::without_forms(&format!("{prefix}distance"), &[type_; 2]);
    let reference = move |lanes: &[&[u64]]| {
        let [p, q] = [0, 1].map(|at| values(type_, lanes[at]));
        let apart: Vec<f64> = p.iter().zip(&q).map(|(p, q)| p - q).collect();
        let ulps = (bounds.distance)(apart.len() as f64);
        vec![expected_length(type_, &apart, ulps, bounds)]
    };
    let call = format!("{prefix}distance(a, b)");
    forms(&mut distance, &widths, |_| 1, reference, &call);

    let mut normalize = Check::without_forms(&format!("{prefix}normalize"), &[type_]);
    let reference = move |lanes: &[&[u64]]| {
        let ulps = (bounds.normalize)(lanes[0].len() as f64);
        expected_normalize(type_, lanes[0], ulps, bounds)
    };
    let call = format!("{prefix}normalize(a)");
    forms(&mut normalize, &widths, |width| width, reference, &call);
    vec![length, distance, normalize]
}

/// Components so far apart that the squares of some leave the range while others still count in the result.
fn normalize_far_apart(type_: Type) -> Vec<Check> {
    let powers = if type_ == Type::Double {
        [[-500, 0, 520], [-900, -700, -480]]
    } else {
        [[-60, 0, 70], [-110, -90, -65]]
    };
    let bounds = Bounds::of(type_);
    let checks = powers.map(|powers| {
        let lanes = powers.map(|power| format!("ldexp(({})1, {power})", type_.name()));
        let call = format!("normalize(a * ({})({}))", type_.vector(3), lanes.join(", "));
        let mut check = Check::without_forms(&call, &[type_]);
        let reference = move |lanes: &[&[u64]]| {
            let lanes = lanes[0].iter().zip(powers);
            let lanes: Vec<u64> = lanes
                .map(|(&lane, power)| from_f64(type_, times_power(to_f64(type_, lane), power)))
                .collect();
            expected_normalize(type_, &lanes, (bounds.normalize)(3.0), bounds)
        };
        forms(&mut check, &[3], |width| width, reference, &call);
        check.of_usual_size()
    });
    checks.into()
}
