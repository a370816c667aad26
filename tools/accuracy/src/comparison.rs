//! Compares results with the reference.

use crate::error::{Real, ulps};
use crate::exact::Exact;
use crate::functions::{Domain, Form, Function, Reference};
use crate::inputs::Arguments;
use crate::number::Type;
use crate::reference::{self, Rounded};

/// The float types of the results; absent for integers.
pub(crate) fn result_types(function: &Function) -> [Option<Type>; 2] {
    match function.form {
        Form::ToInteger => [None, None],
        Form::TwoResults => [Some(function.ty); 2],
        Form::Unary
        | Form::Binary
        | Form::Ternary
        | Form::WithInteger
        | Form::FromInteger
        | Form::AndInteger
        | Form::BinaryAndInteger => [Some(function.ty), None],
    }
}

/// The largest angle that `half_` and `native_` functions have to be right for.
const LARGEST_ANGLE: f64 = 65536.0;

/// Computes the errors of a function's results.
pub(crate) struct Comparison {
    function: Function,
    source: Expected,
    /// The smallest normal number.
    least: f64,
}

/// Where the right results come from.
enum Expected {
    Rounded(Rounded),
    Exact(Exact),
    SineAndCosine([Rounded; 2]),
    LogGammaAndSign(Rounded),
}

impl Comparison {
    pub(crate) fn of(function: &Function) -> Comparison {
        let source = match function.reference {
            Reference::Rounded(name) => Expected::Rounded(Rounded::named(name)),
            Reference::Exact(exact) => Expected::Exact(exact),
            Reference::SineAndCosine => Expected::SineAndCosine(["sin", "cos"].map(Rounded::named)),
            Reference::LogGammaAndSign => Expected::LogGammaAndSign(Rounded::named("lgamma")),
        };
        Comparison {
            function: *function,
            source,
            least: 2_f64.powi(function.ty.least_exponent()),
        }
    }

    /// Whether no result counts for floats between these two.
    pub(crate) fn ignores(&self, ends: [Arguments; 2]) -> bool {
        let ty = self.function.ty;
        let same_sign = (ends[0][0] ^ ends[1][0]) & ty.sign() == 0;
        let is_large = |end: Arguments| ty.value(end[0]).abs() > LARGEST_ANGLE;
        self.function.domain == Domain::NormalAngles && same_sign && ends.into_iter().all(is_large)
    }

    /// The rows that may have a worse error than is `known` already.
    pub(crate) fn suspects(
        &self,
        arguments: &[Vec<u64>; 3],
        found: &[Vec<u64>; 2],
        known: f64,
        rows: &mut Vec<u32>,
    ) {
        let [x, ..] = arguments;
        let [first, second] = found;
        rows.clear();
        if known <= 0.5 || !self.function.is_of_one_float() {
            rows.extend(0..x.len() as u32);
            return;
        }
        match self.source {
            Expected::Rounded(rounded) => rounded.misses(x, first, known, rows),
            Expected::SineAndCosine([sine, cosine]) => {
                sine.misses(x, first, known, rows);
                cosine.misses(x, second, known, rows);
                rows.sort_unstable();
                rows.dedup();
            }
            Expected::LogGammaAndSign(rounded) => {
                rounded.misses(x, first, known, rows);
                let signs = x.iter().zip(second).zip(0..);
                let other = signs.filter(|((x, sign), _)| !is_sign_of_gamma(**x, **sign));
                rows.extend(other.map(|(_, row)| row));
                rows.sort_unstable();
                rows.dedup();
            }
            Expected::Exact(_) => rows.extend(0..x.len() as u32),
        }
    }

    /// The error in ULP; none where the function need not be right.
    #[inline]
    pub(crate) fn error(&self, arguments: Arguments, found: [u64; 2]) -> Option<f64> {
        let ty = self.function.ty;
        let x = ty.value(arguments[0]);
        match &self.source {
            Expected::Rounded(rounded) => {
                let expected = |[x, y, _]: Arguments| {
                    let y = match self.function.form {
                        Form::WithInteger => f64::from(y as u32 as i32),
                        _ => ty.value(y),
                    };
                    rounded.value(ty, ty.value(x), y)
                };
                self.relaxed(arguments, |arguments| {
                    self.rounded_error(found[0], expected(arguments))
                })
            }
            Expected::Exact(exact) => self.relaxed(arguments, |arguments| {
                self.exact_error(exact(ty, arguments), found)
            }),
            Expected::SineAndCosine([sine, cosine]) => {
                let sine = ulps(ty, found[0], sine.value(ty, x, 0.0));
                let cosine = ulps(ty, found[1], cosine.value(ty, x, 0.0));
                Some(sine.max(cosine))
            }
            Expected::LogGammaAndSign(rounded) => {
                let error = ulps(ty, found[0], rounded.value(ty, x, 0.0));
                // Where gamma has no value, its sign is not named.
                let no_sign = x.is_nan() || x.is_infinite() || (x <= 0.0 && x == x.floor());
                let sign = found[1] as u32 as i32;
                match no_sign || sign == reference::gamma_sign(x) {
                    true => Some(error),
                    false => Some(f64::INFINITY),
                }
            }
        }
    }

    /// The error of a function that may take subnormal arguments as zeros: the least one, whichever it does. None
    /// beyond the angles that it has to be right for.
    #[inline]
    fn relaxed(&self, arguments: Arguments, error: impl Fn(Arguments) -> f64) -> Option<f64> {
        let ty = self.function.ty;
        match self.function.domain {
            Domain::Everything => return Some(error(arguments)),
            Domain::NormalAngles if ty.value(arguments[0]).abs() > LARGEST_ANGLE => return None,
            Domain::Normal | Domain::NormalAngles => {}
        }
        let is_subnormal = |bits: u64| {
            let size = ty.value(bits).abs();
            size > 0.0 && size < self.least
        };
        let mut least = error(arguments);
        let [x, y, z] = arguments;
        let zero = |bits: u64| bits & ty.sign();
        for (x_flushed, y_flushed) in [(true, false), (false, true), (true, true)] {
            if (x_flushed && !is_subnormal(x)) || (y_flushed && !is_subnormal(y)) {
                continue;
            }
            let x = if x_flushed { zero(x) } else { x };
            let y = if y_flushed { zero(y) } else { y };
            least = least.min(error([x, y, z]));
        }
        Some(least)
    }

    /// The error of a rounded result. Where the domain leaves out subnormal numbers, zero stands for them.
    #[inline]
    fn rounded_error(&self, found: u64, expected: Real) -> f64 {
        let ty = self.function.ty;
        let is_zero = found & !ty.sign() == 0;
        let negative = expected.high.is_sign_negative();
        if self.function.domain != Domain::Everything
            && is_zero
            && (found != 0) == negative
            && self.is_small(expected)
        {
            return 0.0;
        }
        ulps(ty, found, expected)
    }

    /// Whether a result is subnormal within the bound: up to 8192 ulp above the least normal number.
    fn is_small(&self, expected: Real) -> bool {
        let ty = self.function.ty;
        if expected.high == 0.0 || !expected.high.is_finite() {
            return false;
        }
        let least = 1.0 + 8192.0 * 2_f64.powi(-(ty.fraction() as i32));
        let Real { high, exponent, .. } = expected.normal();
        exponent < ty.least_exponent() || (exponent == ty.least_exponent() && high.abs() <= least)
    }

    fn exact_error(&self, expected: [Option<u64>; 2], found: [u64; 2]) -> f64 {
        let pairs = expected.iter().zip(found).zip(result_types(&self.function));
        let errors = pairs.map(|((expected, found), ty)| match (*expected, ty) {
            (None, _) => 0.0,
            (Some(expected), _) if found == expected => 0.0,
            (Some(expected), Some(ty)) => ulps(ty, found, ty.value(expected).into()),
            (Some(_), None) => f64::INFINITY,
        });
        errors.fold(0.0, f64::max)
    }
}

/// Whether this is the sign of gamma of the float `x`: it changes at every negative integer. Where gamma has no value,
/// no.
fn is_sign_of_gamma(x: u64, sign: u64) -> bool {
    let below = Type::Float.value(x).floor();
    let is_odd = below / 2.0 != (below / 2.0).floor();
    let expected = if below < 0.0 && is_odd { -1 } else { 1 };
    sign as u32 as i32 == expected
}
