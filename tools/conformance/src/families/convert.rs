//! Conversions (OpenCL C 1.2, 6.2): explicit ones with every rounding and saturation, casts, and other views
//! of the same bits.

use std::sync::Arc;

use crate::check::{Check, Expected, Form, Shape};
use crate::exact::{Number, Rounding};
use crate::types::{Type, WIDTHS, from_bytes, to_bytes};

/// How values outside the range of the type are converted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Range {
    /// Integers are cut. Of floats OpenCL leaves it open; here they saturate.
    Cut,
    /// They become the nearest value.
    Saturate,
}

/// `convert_<to>...` of every type.
pub fn conversions(to: Type) -> Vec<Check> {
    Type::ALL
        .into_iter()
        .flat_map(|from| between(from, to))
        .collect()
}

/// Every conversion of one type to another.
pub fn between(from: Type, to: Type) -> Vec<Check> {
    let modes = || std::iter::once(None).chain(Rounding::ALL.map(Some));
    let mut checks: Vec<Check> = modes()
        .map(|mode| conversion(from, to, Range::Cut, mode))
        .collect();
    if !to.is_float() {
        checks.extend(modes().map(|mode| conversion(from, to, Range::Saturate, mode)));
    }
    checks
}

fn conversion(from: Type, to: Type, range: Range, mode: Option<Rounding>) -> Check {
    let saturation = match range {
        Range::Cut => "",
        Range::Saturate => "_sat",
    };
    let suffix = mode.map_or("", Rounding::suffix);
    let name = |width: usize| format!("convert_{}{saturation}{suffix}", to.vector(width));
    let mut check = Check::lanewise(&name(1), &[from], to, move |x| {
        converted(from, to, range, mode, x[0])
    });
    for (form, width) in check.forms.iter_mut().zip(WIDTHS) {
        form.statements = format!("result = {}(a);", name(width));
    }
    check
}

fn converted(from: Type, to: Type, range: Range, mode: Option<Rounding>, x: u64) -> Expected {
    let number = Number::of(from, x);
    if to.is_float() {
        return Expected::Number(number.to_float(to, mode.unwrap_or(Rounding::Even)));
    }
    let whole = number.to_integer(mode.unwrap_or(Rounding::Zero));
    let fits = whole.is_some_and(|whole| (to.smallest()..=to.largest()).contains(&whole));
    let nearest = whole.map_or(0, |whole| to.saturate(whole));
    match (whole, range) {
        (Some(whole), Range::Cut) if !from.is_float() => Expected::Bits(to.wrap(whole)),
        (_, Range::Cut) if !fits => Expected::Open(nearest),
        (_, Range::Cut | Range::Saturate) => Expected::Bits(nearest),
    }
}

/// Casts and assignments of scalars, which round like `convert_<to>`.
pub fn casts(to: Type) -> Vec<Check> {
    let casts = Type::ALL.into_iter().map(|from| {
        let name = format!("({})", to.name());
        let reference = move |x: &[u64]| converted(from, to, Range::Cut, None, x[0]);
        let cast = format!("({})a", to.name());
        let mut check = Check::expression(&name, &cast, &[from], to, reference).up_to(1);
        let assigned = Form {
            name: format!("{} assigned", from.name()),
            statements: "result = a;".to_owned(),
            ..check.forms[0].clone()
        };
        check.forms.push(assigned);
        check
    });
    casts.collect()
}

/// `as_<to><n>` of everything that has its size; vectors of three have the size of four.
pub fn views(to: Type) -> Vec<Check> {
    let views = Type::ALL.into_iter().map(|from| {
        let mut check = Check::without_forms(&format!("as_{}", to.name()), &[from]);
        let pairs = WIDTHS
            .into_iter()
            .flat_map(|width| WIDTHS.map(|target| (width, target)));
        let size = |type_: Type, width: usize| type_.bytes() * width.next_power_of_two();
        let views = pairs.filter(|&(width, target)| size(from, width) == size(to, target));
        check.forms.extend(views.map(|(width, target)| Form {
            name: format!("{} as {}", from.vector(width), to.vector(target)),
            operands: vec![Shape::Vector(width)],
            result: to,
            result_shape: Shape::Vector(target),
            statements: format!("result = as_{}(a);", to.vector(target)),
            reference: Arc::new(move |lanes| {
                let lanes = from_bytes(to, &to_bytes(from, lanes[0]));
                // The fourth lane of a vector of three is undefined.
                let whole = width * from.bytes() / to.bytes();
                let expected = lanes.into_iter().take(whole).map(Expected::Bits);
                let expected = expected.chain(std::iter::repeat(Expected::Anything));
                expected.take(target).collect()
            }),
        }));
        check
    });
    views.filter(|check| !check.forms.is_empty()).collect()
}
