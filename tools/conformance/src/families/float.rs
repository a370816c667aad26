//! Floating-point functions whose results are exact or correctly rounded (OpenCL C 1.2, 6.12.2).

mod division;
mod reference;

use std::sync::Arc;

use crate::check::{Check, Expected, Form, Reference, Shape, Standard, each_lane};
use crate::exact::{from_f64, to_f64};
use crate::types::{Type, WIDTHS};
use division::{fmod, remainder};
use reference::{fma, fract, frexp, ilogb, ldexp, logb, nextafter, sqrt};

/// Every exact function of a float type.
pub fn of_type(type_: Type) -> Vec<Check> {
    let mut checks = roundings(type_);
    checks.extend(choices(type_));
    checks.extend(scalings(type_));
    checks.extend(remainders(type_));
    checks.extend(with_second_result(type_));
    checks
}

/// A function of one float, in doubles: they hold every float, and the result is rounded once.
fn through_doubles(name: &str, type_: Type, function: fn(f64) -> f64) -> Check {
    Check::lanewise(name, &[type_], type_, move |x| {
        Expected::Number(from_f64(type_, function(to_f64(type_, x[0]))))
    })
}

/// To whole numbers.
pub fn roundings(type_: Type) -> Vec<Check> {
    vec![
        through_doubles("ceil", type_, f64::ceil),
        through_doubles("floor", type_, f64::floor),
        through_doubles("trunc", type_, f64::trunc),
        through_doubles("rint", type_, f64::round_ties_even),
        through_doubles("round", type_, f64::round),
        Check::lanewise("fabs", &[type_], type_, move |x| {
            Expected::Bits(x[0] & !type_.top())
        }),
        Check::lanewise("sqrt", &[type_], type_, move |x| {
            Expected::Number(sqrt(type_, x[0]))
        }),
    ]
}

/// One operand or the other, or something near it.
pub fn choices(type_: Type) -> Vec<Check> {
    // Which zero is the smaller one is left open, which operand a NaN gives way to is not.
    let chosen = move |prefers: fn(f64, f64) -> bool| {
        move |x: &[u64]| {
            let [first, second] = [0, 1].map(|at| to_f64(type_, x[at]));
            let takes_first = second.is_nan() || prefers(first, second);
            Expected::Value(if takes_first && !first.is_nan() {
                x[0]
            } else {
                x[1]
            })
        }
    };
    let fmin = |x: f64, y: f64| x < y;
    let fmax = |x: f64, y: f64| x > y;
    let minmag = |x: f64, y: f64| x.abs() < y.abs() || (x.abs() == y.abs() && x < y);
    let maxmag = |x: f64, y: f64| x.abs() > y.abs() || (x.abs() == y.abs() && x > y);
    vec![
        Check::lanewise("fmin", &[type_; 2], type_, chosen(fmin)).with_shared(&[1]),
        Check::lanewise("fmax", &[type_; 2], type_, chosen(fmax)).with_shared(&[1]),
        Check::lanewise("minmag", &[type_; 2], type_, chosen(minmag)),
        Check::lanewise("maxmag", &[type_; 2], type_, chosen(maxmag)),
        Check::lanewise("fdim", &[type_; 2], type_, move |x| {
            let [first, second] = [0, 1].map(|at| to_f64(type_, x[at]));
            Expected::Number(from_f64(
                type_,
                match first.partial_cmp(&second) {
                    Some(std::cmp::Ordering::Greater) => first - second,
                    Some(_) => 0.0,
                    None => f64::NAN,
                },
            ))
        }),
        Check::lanewise("copysign", &[type_; 2], type_, move |x| {
            Expected::Bits((x[0] & !type_.top()) | (x[1] & type_.top()))
        }),
        Check::lanewise("nextafter", &[type_; 2], type_, move |x| {
            Expected::Number(nextafter(type_, x[0], x[1]))
        }),
        Check::lanewise("nan", &[type_.unsigned()], type_, move |_| {
            Expected::Number(type_.quiet_nan())
        }),
        Check::lanewise("fma", &[type_; 3], type_, move |x| {
            Expected::Number(fma(type_, x))
        }),
        Check::lanewise("fma", &[type_; 3], type_, move |x| {
            Expected::Number(fma(type_, x))
        })
        .of_usual_size(),
    ]
}

/// Exponents taken and given.
pub fn scalings(type_: Type) -> Vec<Check> {
    vec![
        Check::lanewise("ilogb", &[type_], Type::Int, move |x| {
            Expected::Bits(ilogb(type_, x[0]))
        }),
        Check::lanewise("logb", &[type_], type_, move |x| {
            Expected::Number(logb(type_, x[0]))
        }),
        Check::lanewise("ldexp", &[type_, Type::Int], type_, move |x| {
            Expected::Number(ldexp(type_, x[0], x[1]))
        })
        .with_shared(&[1]),
        ldexp_across_the_range(type_),
    ]
}

/// With exponents that lead from one end of the range to the other, where random ones would rarely end.
fn ldexp_across_the_range(type_: Type) -> Check {
    let factor = type_.bits() / 2;
    let mut check = Check::lanewise("ldexp", &[type_, Type::Char], type_, move |x| {
        let by = Type::Char.integer(x[1]) * i128::from(factor);
        Expected::Number(ldexp(type_, x[0], Type::Int.wrap(by)))
    });
    for (form, width) in check.forms.iter_mut().zip(WIDTHS) {
        let ints = Type::Int.vector(width);
        form.statements = format!("result = ldexp(a, convert_{ints}(b) * {factor});");
    }
    check
}

/// What divisions leave.
pub fn remainders(type_: Type) -> Vec<Check> {
    vec![
        Check::lanewise("fmod", &[type_; 2], type_, move |x| {
            Expected::Number(fmod(type_, x[0], x[1]))
        }),
        Check::lanewise("remainder", &[type_; 2], type_, move |x| {
            Expected::Number(remainder(type_, x[0], x[1]).0)
        }),
        Check::lanewise("fmod", &[type_; 2], type_, move |x| {
            Expected::Number(fmod(type_, x[0], x[1]))
        })
        .of_usual_size(),
    ]
}

/// A function whose second result goes through a pointer.
struct TwoResults {
    name: &'static str,
    operands: Vec<Type>,
    first: Type,
    second: Type,
    lane: BothResults,
}

/// The two results for a lane of the operands.
type BothResults = Arc<dyn Fn(&[u64]) -> (Expected, Expected) + Send + Sync>;

/// `fract`, `frexp`, `modf` and `remquo`, with pointers to every address space.
pub fn with_second_result(type_: Type) -> Vec<Check> {
    let functions = [
        TwoResults {
            name: "fract",
            operands: vec![type_],
            first: type_,
            second: type_,
            lane: Arc::new(move |x| {
                let (rest, whole) = fract(type_, x[0]);
                (Expected::Number(rest), Expected::Number(whole))
            }),
        },
        TwoResults {
            name: "modf",
            operands: vec![type_],
            first: type_,
            second: type_,
            lane: Arc::new(move |x| {
                let value = to_f64(type_, x[0]);
                let rest = if value.is_infinite() {
                    0.0
                } else {
                    value % 1.0
                };
                let rest = from_f64(type_, rest.copysign(value));
                (
                    Expected::Number(rest),
                    Expected::Number(from_f64(type_, value.trunc())),
                )
            }),
        },
        TwoResults {
            name: "frexp",
            operands: vec![type_],
            first: type_,
            second: Type::Int,
            lane: Arc::new(move |x| frexp(type_, x[0])),
        },
        TwoResults {
            name: "remquo",
            operands: vec![type_; 2],
            first: type_,
            second: Type::Int,
            lane: Arc::new(move |x| {
                let (rest, quotient) = remainder(type_, x[0], x[1]);
                let quotient = quotient.map_or(Expected::Anything, |low| {
                    Expected::Bits(Type::Int.wrap(low))
                });
                (Expected::Number(rest), quotient)
            }),
        },
    ];
    functions.iter().flat_map(two_results).collect()
}

fn two_results(function: &TwoResults) -> Vec<Check> {
    let arguments = ["a", "a, b"][function.operands.len() - 1];
    let call = |pointer: &str| format!("{}({arguments}, {pointer})", function.name);
    let lane = Arc::clone(&function.lane);
    let first: Reference = Arc::new(move |lanes| each_lane(lanes, |x| lane(x).0));
    let lane = Arc::clone(&function.lane);
    let second: Reference = Arc::new(move |lanes| each_lane(lanes, |x| lane(x).1));
    let check = |space: &str| {
        let name = format!("{} {space}", function.name);
        Check::without_forms(&name, &function.operands)
    };
    let form = |width: usize, result: Type, statements: String, reference: &Reference| Form {
        name: format!("width {width}, {statements}"),
        operands: vec![Shape::Vector(width); function.operands.len()],
        result,
        result_shape: Shape::Vector(width),
        statements,
        reference: Arc::clone(reference),
    };
    let (mut private, mut local, mut global) = (check("private"), check("local"), check("global"));
    let mut generic = check("generic").since(Standard::V20);
    for width in WIDTHS {
        let (type_, pointed) = (function.second, function.second.vector(width));
        let by_variable = |result: Type, text: String, reference: &Reference| {
            form(
                width,
                result,
                format!("{pointed} second; {text}"),
                reference,
            )
        };
        let value = format!("result = {};", call("&second"));
        private
            .forms
            .push(by_variable(function.first, value, &first));
        let value = format!("{}; result = second;", call("&second"));
        private
            .forms
            .push(by_variable(type_, value.clone(), &second));
        generic.forms.push(by_variable(type_, value, &second));
        local.declarations += &format!("  local {pointed} room{width}[64];\n");
        let target = format!("room{width}[get_local_id(0)]");
        let value = format!("{}; result = {target};", call(&format!("&{target}")));
        local.forms.push(form(width, type_, value, &second));
        // The result itself is in global memory; a vector of three takes the room of four.
        let room = width.next_power_of_two();
        let value = format!("{};", call(&format!("(global {pointed} *)result")));
        let reference = Arc::clone(&second);
        let mut through = form(width, type_, value, &second);
        through.result_shape = Shape::Block(room);
        through.reference = Arc::new(move |lanes| {
            let mut expected = reference(lanes);
            expected.resize(room, Expected::Anything);
            expected
        });
        global.forms.push(through);
    }
    vec![private, local, global, generic]
}
