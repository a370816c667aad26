//! Operators (OpenCL C 1.2, 6.3) on scalars, which are promoted, and on vectors, which are not.

use std::cmp::Ordering;
use std::sync::Arc;

use rustc_apfloat::ieee::{Double, Half, Single};
use rustc_apfloat::{Float, StatusAnd};

use crate::check::{Check, Expected, Shape, each_lane};
use crate::exact::to_f64;
use crate::types::{Kind, Type};

/// Every operator of a type.
pub fn of_type(type_: Type) -> Vec<Check> {
    let mut checks = comparisons(type_);
    checks.extend(match type_.kind() {
        Kind::Signed | Kind::Unsigned => integers(type_),
        Kind::Float => floats(type_),
    });
    checks.extend(choices(type_));
    checks
}

fn binary(
    operator: &str,
    type_: Type,
    lane: impl Fn(&[u64]) -> Expected + Send + Sync + 'static,
) -> Check {
    let expression = format!("a {operator} b");
    Check::expression(operator, &expression, &[type_; 2], type_, lane).with_shared(&[1])
}

fn integers(type_: Type) -> Vec<Check> {
    let exact = |operator: &str, compute: fn(i128, i128) -> i128| {
        binary(operator, type_, move |x| {
            let [first, second] = [x[0], x[1]].map(|bits| type_.integer(bits));
            Expected::Bits(type_.wrap(compute(first, second)))
        })
    };
    let unary = |operator: &str, compute: fn(i128) -> i128| {
        Check::expression(
            operator,
            &format!("{operator}a"),
            &[type_],
            type_,
            move |x| Expected::Bits(type_.wrap(compute(type_.integer(x[0])))),
        )
    };
    let mut checks = vec![
        exact("+", |x, y| x + y),
        exact("-", |x, y| x - y),
        exact("*", |x, y| (x as u128).wrapping_mul(y as u128) as i128),
        exact("&", |x, y| x & y),
        exact("|", |x, y| x | y),
        exact("^", |x, y| x ^ y),
        unary("-", |x| -x),
        unary("~", |x| !x),
        division("/", type_, u64::MAX, |x, y| x / y),
        division("%", type_, 0, |x, y| x % y),
    ];
    checks.extend(shifts(type_));
    checks
}

/// By zero, all bits of a quotient are set, and the remainder is the dividend.
fn division(operator: &str, type_: Type, by_zero: u64, compute: fn(i128, i128) -> i128) -> Check {
    binary(operator, type_, move |x| {
        let [first, second] = [x[0], x[1]].map(|bits| type_.integer(bits));
        match second {
            0 if by_zero == 0 => Expected::Open(x[0]),
            0 => Expected::Open(by_zero & type_.mask()),
            // The quotient of the least number does not fit.
            -1 if first == type_.smallest() && type_.bits() >= 32 => Expected::Anything,
            _ => Expected::Bits(type_.wrap(compute(first, second))),
        }
    })
}

/// Of the number of places only the low bits count: as many as the type needs, for scalars the promoted one.
fn shifts(type_: Type) -> Vec<Check> {
    let shift = |operator: &str, compute: fn(i128, u32) -> i128| {
        let mut check = binary(operator, type_, |_| Expected::Anything);
        for form in &mut check.forms {
            let bits = match form.result_shape {
                Shape::Vector(1) => type_.bits().max(32),
                Shape::Vector(_) | Shape::Block(_) | Shape::Constant(_) => type_.bits(),
            };
            form.reference = Arc::new(move |lanes| {
                each_lane(lanes, |x| {
                    let places = x[1] as u32 & (bits - 1);
                    Expected::Bits(type_.wrap(compute(type_.integer(x[0]), places)))
                })
            });
        }
        check
    };
    vec![
        shift("<<", |x, places| ((x as u128) << places) as i128),
        shift(">>", |x, places| x >> places),
    ]
}

fn floats(type_: Type) -> Vec<Check> {
    let mut checks: Vec<Check> = [
        Operation::Add,
        Operation::Subtract,
        Operation::Multiply,
        Operation::Divide,
    ]
    .into_iter()
    .flat_map(|operation| {
        let any = binary(operation.operator(), type_, move |x| {
            Expected::Number(operation.of(type_, x))
        });
        let usual = binary(operation.operator(), type_, move |x| {
            Expected::Number(operation.of(type_, x))
        });
        [any, usual.of_usual_size()]
    })
    .collect();
    checks.push(Check::expression("-", "-a", &[type_], type_, move |x| {
        Expected::Number(x[0] ^ type_.top())
    }));
    checks
}

#[derive(Clone, Copy)]
enum Operation {
    Add,
    Subtract,
    Multiply,
    Divide,
}

impl Operation {
    fn operator(self) -> &'static str {
        match self {
            Operation::Add => "+",
            Operation::Subtract => "-",
            Operation::Multiply => "*",
            Operation::Divide => "/",
        }
    }

    fn of(self, type_: Type, x: &[u64]) -> u64 {
        match type_ {
            Type::Half => self.with::<Half>(x),
            Type::Float => self.with::<Single>(x),
            Type::Double => self.with::<Double>(x),
            Type::Char
            | Type::Uchar
            | Type::Short
            | Type::Ushort
            | Type::Int
            | Type::Uint
            | Type::Long
            | Type::Ulong => unreachable!("integers have their own"),
        }
    }

    fn with<F: Float>(self, x: &[u64]) -> u64 {
        let [a, b] = [x[0], x[1]].map(|bits| F::from_bits(bits.into()));
        let StatusAnd { value, .. } = match self {
            Operation::Add => a + b,
            Operation::Subtract => a - b,
            Operation::Multiply => a * b,
            Operation::Divide => a / b,
        };
        value.to_bits() as u64
    }
}

/// The order of two values; none if one is a NaN.
fn order(type_: Type, x: &[u64]) -> Option<Ordering> {
    match type_.kind() {
        Kind::Signed | Kind::Unsigned => Some(type_.integer(x[0]).cmp(&type_.integer(x[1]))),
        Kind::Float => to_f64(type_, x[0]).partial_cmp(&to_f64(type_, x[1])),
    }
}

/// Whether a value counts as true: any but the zeros.
fn is_true(type_: Type, bits: u64) -> bool {
    match type_.kind() {
        Kind::Signed | Kind::Unsigned => bits != 0,
        Kind::Float => bits & !type_.top() != 0,
    }
}

/// Comparisons and logic: 1 for true on scalars, all bits set in the lanes of vectors.
fn comparisons(type_: Type) -> Vec<Check> {
    use Ordering::{Equal, Greater, Less};
    let compared = |operator: &str, holds: fn(Option<Ordering>) -> bool| {
        Check::predicate(
            operator,
            &format!("a {operator} b"),
            &[type_; 2],
            move |x| holds(order(type_, x)),
        )
    };
    let joined = |operator: &str, holds: fn(bool, bool) -> bool| {
        Check::predicate(
            operator,
            &format!("a {operator} b"),
            &[type_; 2],
            move |x| holds(is_true(type_, x[0]), is_true(type_, x[1])),
        )
    };
    vec![
        compared("==", |order| order == Some(Equal)),
        compared("!=", |order| order != Some(Equal)),
        compared("<", |order| order == Some(Less)),
        compared("<=", |order| matches!(order, Some(Less | Equal))),
        compared(">", |order| order == Some(Greater)),
        compared(">=", |order| matches!(order, Some(Greater | Equal))),
        joined("&&", |x, y| x && y),
        joined("||", |x, y| x || y),
        Check::predicate("!", "!a", &[type_], move |x| !is_true(type_, x[0])),
    ]
}

/// `c ? b : a`: by any bit of a scalar, by the top bits of a vector's lanes.
fn choices(type_: Type) -> Vec<Check> {
    vec![Check::selection("?:", "c ? b : a", type_, type_.signed())]
}
