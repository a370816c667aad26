//! Relational functions (OpenCL C 1.2, 6.12.6): 1 for true on scalars, all bits set in the lanes of vectors.

use std::cmp::Ordering;
use std::sync::Arc;

use crate::check::{Check, Expected, Form, Shape};
use crate::exact::{Number, to_f64};
use crate::types::{Type, WIDTHS};

/// Every relational function for every type.
pub fn checks() -> Vec<Check> {
    let mut checks: Vec<Check> = Type::FLOATS.into_iter().flat_map(comparisons).collect();
    checks.extend(Type::ALL.into_iter().flat_map(selections));
    for type_ in [Type::Char, Type::Short, Type::Int, Type::Long] {
        checks.extend(any_and_all(type_));
    }
    checks
}

/// The order of two floats; none if one is a NaN. Doubles hold every value of the other types.
fn order(type_: Type, x: &[u64]) -> Option<Ordering> {
    to_f64(type_, x[0]).partial_cmp(&to_f64(type_, x[1]))
}

/// Comparisons and classes of a float type.
pub fn comparisons(type_: Type) -> Vec<Check> {
    use Ordering::{Equal, Greater, Less};
    let compared = |name: &str, holds: fn(Option<Ordering>) -> bool| {
        let call = format!("{name}(a, b)");
        Check::predicate(name, &call, &[type_; 2], move |x| holds(order(type_, x)))
    };
    let class = |name: &str, holds: fn(Type, u64) -> bool| {
        let call = format!("{name}(a)");
        Check::predicate(name, &call, &[type_], move |x| holds(type_, x[0]))
    };
    vec![
        compared("isequal", |order| order == Some(Equal)),
        compared("isnotequal", |order| order != Some(Equal)),
        compared("isgreater", |order| order == Some(Greater)),
        compared("isgreaterequal", |order| {
            matches!(order, Some(Greater | Equal))
        }),
        compared("isless", |order| order == Some(Less)),
        compared("islessequal", |order| matches!(order, Some(Less | Equal))),
        compared("islessgreater", |order| {
            matches!(order, Some(Less | Greater))
        }),
        compared("isordered", |order| order.is_some()),
        compared("isunordered", |order| order.is_none()),
        class("isfinite", |type_, x| {
            matches!(Number::of(type_, x), Number::Finite { .. })
        }),
        class("isinf", |type_, x| {
            matches!(Number::of(type_, x), Number::Infinite { .. })
        }),
        class("isnan", |type_, x| Number::of(type_, x) == Number::Nan),
        class("isnormal", |type_, x| {
            matches!(Number::of(type_, x), Number::Finite { magnitude, .. }
                     if magnitude >> type_.fraction() != 0)
        }),
        class("signbit", |type_, x| x & type_.top() != 0),
    ]
}

/// `bitselect`, and `select` with signed and unsigned conditions.
pub fn selections(type_: Type) -> Vec<Check> {
    let bitselect = Check::lanewise("bitselect", &[type_; 3], type_, |x| {
        Expected::Bits((x[0] & !x[2]) | (x[1] & x[2]))
    });
    let select = |condition: Type| Check::selection("select", "select(a, b, c)", type_, condition);
    vec![bitselect, select(type_.signed()), select(type_.unsigned())]
}

/// `any` and `all`, which look at the top bits.
pub fn any_and_all(type_: Type) -> Vec<Check> {
    let horizontal = |name: &str, holds: fn(&[bool]) -> bool| {
        let mut check = Check::without_forms(name, &[type_]);
        check.forms = WIDTHS
            .map(|width| Form {
                name: type_.vector(width),
                operands: vec![Shape::Vector(width)],
                result: Type::Int,
                result_shape: Shape::Vector(1),
                statements: format!("result = {name}(a);"),
                reference: Arc::new(move |lanes| {
                    let tops = lanes[0].iter().map(|lane| lane & type_.top() != 0);
                    vec![Expected::Bits(holds(&tops.collect::<Vec<_>>()).into())]
                }),
            })
            .into();
        check
    };
    vec![
        horizontal("any", |tops| tops.contains(&true)),
        horizontal("all", |tops| !tops.contains(&false)),
    ]
}
