//! The functions that are measured: OpenCL C's math functions (6.12.2) and division, each with its reference and its
//! error bound.

use crate::exact::{self, Exact};
use crate::number::Type;

/// The signature of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// `T f(T)`
    Unary,
    /// `T f(T, T)`
    Binary,
    /// `T f(T, T, T)`
    Ternary,
    /// `T f(T, int)`
    WithInteger,
    /// `int f(T)`
    ToInteger,
    /// `T f(unsigned)`, of the same width
    FromInteger,
    /// `T f(T, T *)`
    TwoResults,
    /// `T f(T, int *)`
    AndInteger,
    /// `T f(T, T, int *)`
    BinaryAndInteger,
}

impl Form {
    /// Whether the results depend on a single number.
    pub const fn has_one_argument(self) -> bool {
        match self {
            Form::Unary
            | Form::ToInteger
            | Form::FromInteger
            | Form::TwoResults
            | Form::AndInteger => true,
            Form::Binary | Form::Ternary | Form::WithInteger | Form::BinaryAndInteger => false,
        }
    }
}

/// The reference for a result.
#[derive(Clone, Copy, Debug)]
pub enum Reference {
    /// A function of the reference library, by its name there.
    Rounded(&'static str),
    /// The one right result.
    Exact(Exact),
    /// Sine and cosine.
    SineAndCosine,
    /// The logarithm of the absolute value of gamma, and gamma's sign.
    LogGammaAndSign,
}

/// The maximum error of a result.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Bound {
    /// The one right result, bit by bit; any NaN for a NaN.
    Exact,
    /// At most this many units in the last place.
    Ulps(f64),
    /// The specification leaves it to the implementation. Infinities, NaNs and zeros are checked all the same.
    Free,
    /// The same, and over a range of its choice: nothing is checked.
    FreeRange,
}

impl Bound {
    /// The largest error within it.
    pub const fn tolerated(self) -> f64 {
        match self {
            Bound::Exact => 0.0,
            Bound::Ulps(ulps) => ulps,
            Bound::Free => f64::MAX,
            Bound::FreeRange => f64::INFINITY,
        }
    }
}

/// Which arguments count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Domain {
    /// All.
    Everything,
    /// All, but the `half_` and `native_` functions may flush subnormals: a subnormal argument or result may count as
    /// zero.
    Normal,
    /// The same for their trigonometric ones, which need not work beyond 2^16.
    NormalAngles,
}

/// A function in one type.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    /// Its name, which is also that of the kernel.
    pub name: &'static str,
    /// How it is written in OpenCL C, of `x`, `y`, `z`; absent for an ordinary call.
    pub expression: Option<&'static str>,
    /// The type.
    pub ty: Type,
    /// The signature.
    pub form: Form,
    /// The reference.
    pub reference: Reference,
    /// The error bound.
    pub bound: Bound,
    /// Which arguments count.
    pub domain: Domain,
}

/// A rounded function: name, form, and its bounds in float, double and half.
type Rounded = (&'static str, Form, [f64; 3]);

/// OpenCL C 3.0, tables "ULP values for single precision", "... double precision", and of the extension
/// specification "... half precision", full profile.
const ROUNDED: &[Rounded] = &[
    ("acos", Form::Unary, [4.0, 4.0, 2.0]),
    ("acosh", Form::Unary, [4.0, 4.0, 2.0]),
    ("acospi", Form::Unary, [5.0, 5.0, 2.0]),
    ("asin", Form::Unary, [4.0, 4.0, 2.0]),
    ("asinh", Form::Unary, [4.0, 4.0, 2.0]),
    ("asinpi", Form::Unary, [5.0, 5.0, 2.0]),
    ("atan", Form::Unary, [5.0, 5.0, 2.0]),
    ("atan2", Form::Binary, [6.0, 6.0, 2.0]),
    ("atan2pi", Form::Binary, [6.0, 6.0, 2.0]),
    ("atanh", Form::Unary, [5.0, 5.0, 2.0]),
    ("atanpi", Form::Unary, [5.0, 5.0, 2.0]),
    ("cbrt", Form::Unary, [2.0, 2.0, 2.0]),
    ("cos", Form::Unary, [4.0, 4.0, 2.0]),
    ("cosh", Form::Unary, [4.0, 4.0, 2.0]),
    ("cospi", Form::Unary, [4.0, 4.0, 2.0]),
    ("erf", Form::Unary, [16.0, 16.0, 4.0]),
    ("erfc", Form::Unary, [16.0, 16.0, 4.0]),
    ("exp", Form::Unary, [3.0, 3.0, 2.0]),
    ("exp10", Form::Unary, [3.0, 3.0, 2.0]),
    ("exp2", Form::Unary, [3.0, 3.0, 2.0]),
    ("expm1", Form::Unary, [3.0, 3.0, 2.0]),
    ("hypot", Form::Binary, [4.0, 4.0, 2.0]),
    ("log", Form::Unary, [3.0, 3.0, 2.0]),
    ("log10", Form::Unary, [3.0, 3.0, 2.0]),
    ("log1p", Form::Unary, [2.0, 2.0, 2.0]),
    ("log2", Form::Unary, [3.0, 3.0, 2.0]),
    ("pow", Form::Binary, [16.0, 16.0, 4.0]),
    ("pown", Form::WithInteger, [16.0, 16.0, 4.0]),
    ("powr", Form::Binary, [16.0, 16.0, 4.0]),
    ("rootn", Form::WithInteger, [16.0, 16.0, 4.0]),
    ("rsqrt", Form::Unary, [2.0, 2.0, 1.0]),
    ("sin", Form::Unary, [4.0, 4.0, 2.0]),
    ("sinh", Form::Unary, [4.0, 4.0, 2.0]),
    ("sinpi", Form::Unary, [4.0, 4.0, 2.0]),
    ("tan", Form::Unary, [5.0, 5.0, 2.0]),
    ("tanh", Form::Unary, [5.0, 5.0, 2.0]),
    ("tanpi", Form::Unary, [6.0, 6.0, 2.0]),
    ("tgamma", Form::Unary, [16.0, 16.0, 4.0]),
];

/// What is exact or correctly rounded. Division and square root in float may be 2.5 and 3 ulp off; here they are
/// not. `mad` is a multiplication and an addition, each rounded, unless a program's options let them be fused.
const EXACT: &[(&str, Option<&str>, Form, Exact)] = &[
    ("ceil", None, Form::Unary, exact::ceil),
    ("copysign", None, Form::Binary, exact::copysign),
    ("divide", Some("x / y"), Form::Binary, exact::divide),
    ("fabs", None, Form::Unary, exact::fabs),
    ("fdim", None, Form::Binary, exact::fdim),
    ("floor", None, Form::Unary, exact::floor),
    ("fma", None, Form::Ternary, exact::fma),
    ("fmax", None, Form::Binary, exact::fmax),
    ("fmin", None, Form::Binary, exact::fmin),
    ("fmod", None, Form::Binary, exact::fmod),
    ("fract", None, Form::TwoResults, exact::fract),
    ("frexp", None, Form::AndInteger, exact::frexp),
    ("ilogb", None, Form::ToInteger, exact::ilogb),
    ("ldexp", None, Form::WithInteger, exact::ldexp),
    ("logb", None, Form::Unary, exact::logb),
    ("mad", None, Form::Ternary, exact::mad),
    ("maxmag", None, Form::Binary, exact::maxmag),
    ("minmag", None, Form::Binary, exact::minmag),
    ("modf", None, Form::TwoResults, exact::modf),
    ("nan", None, Form::FromInteger, exact::nan),
    ("nextafter", None, Form::Binary, exact::nextafter),
    ("recip", Some("1 / x"), Form::Unary, exact::recip),
    ("remainder", None, Form::Binary, exact::remainder),
    ("remquo", None, Form::BinaryAndInteger, exact::remquo),
    ("rint", None, Form::Unary, exact::rint),
    ("round", None, Form::Unary, exact::round),
    ("sqrt", None, Form::Unary, exact::sqrt),
    ("trunc", None, Form::Unary, exact::trunc),
];

/// The functions that also exist as `half_` and `native_`: both names, the function that they stand for, form, and
/// where the `half_` one has to work, which is also where the other is worth measuring.
const RELAXED: &[(&str, &str, &str, Form, Domain)] = &[
    (
        "half_cos",
        "native_cos",
        "cos",
        Form::Unary,
        Domain::NormalAngles,
    ),
    (
        "half_divide",
        "native_divide",
        "divide",
        Form::Binary,
        Domain::Normal,
    ),
    ("half_exp", "native_exp", "exp", Form::Unary, Domain::Normal),
    (
        "half_exp10",
        "native_exp10",
        "exp10",
        Form::Unary,
        Domain::Normal,
    ),
    (
        "half_exp2",
        "native_exp2",
        "exp2",
        Form::Unary,
        Domain::Normal,
    ),
    ("half_log", "native_log", "log", Form::Unary, Domain::Normal),
    (
        "half_log10",
        "native_log10",
        "log10",
        Form::Unary,
        Domain::Normal,
    ),
    (
        "half_log2",
        "native_log2",
        "log2",
        Form::Unary,
        Domain::Normal,
    ),
    (
        "half_powr",
        "native_powr",
        "powr",
        Form::Binary,
        Domain::Normal,
    ),
    (
        "half_recip",
        "native_recip",
        "recip",
        Form::Unary,
        Domain::Normal,
    ),
    (
        "half_rsqrt",
        "native_rsqrt",
        "rsqrt",
        Form::Unary,
        Domain::Normal,
    ),
    (
        "half_sin",
        "native_sin",
        "sin",
        Form::Unary,
        Domain::NormalAngles,
    ),
    (
        "half_sqrt",
        "native_sqrt",
        "sqrt",
        Form::Unary,
        Domain::Normal,
    ),
    (
        "half_tan",
        "native_tan",
        "tan",
        Form::Unary,
        Domain::NormalAngles,
    ),
];

/// Every function in every type that has it, by name.
pub fn all() -> Vec<Function> {
    let mut all = Vec::new();
    for (at, ty) in Type::ALL.into_iter().enumerate() {
        all.extend(ROUNDED.iter().map(|&(name, form, bounds)| {
            let bound = Bound::Ulps(bounds[at]);
            Function::new(name, ty, form, Reference::Rounded(name), bound)
        }));
        all.extend(
            EXACT
                .iter()
                .map(|&(name, expression, form, exact)| Function {
                    expression,
                    ..Function::new(name, ty, form, Reference::Exact(exact), Bound::Exact)
                }),
        );
        all.extend(with_two_results(ty, ROUNDED, at));
    }
    for &(half, native, plain, form, domain) in RELAXED {
        let reference = match plain {
            "sqrt" => Reference::Exact(exact::sqrt),
            name => Reference::Rounded(name),
        };
        let half_bound = Bound::Ulps(8192.0);
        all.push(Function {
            domain,
            ..Function::new(half, Type::Float, form, reference, half_bound)
        });
        // Near the zeros of sine and cosine, nothing is left of a value that is right only absolutely.
        let native_bound = match domain {
            Domain::NormalAngles => Bound::FreeRange,
            Domain::Normal | Domain::Everything => Bound::Free,
        };
        all.push(Function {
            domain,
            ..Function::new(native, Type::Float, form, reference, native_bound)
        });
    }
    all.sort_by_key(|function| (function.name, function.ty));
    all
}

/// `sincos`, which is bound as `sin` and `cos` are, and the logarithms of gamma, which are not bound.
fn with_two_results(ty: Type, rounded: &[Rounded], at: usize) -> [Function; 3] {
    let sine = rounded.iter().find(|(name, ..)| *name == "sin");
    let (_, _, bounds) = sine.expect("the sine is in the table");
    let new = |name, form, reference, bound| Function::new(name, ty, form, reference, bound);
    [
        new(
            "sincos",
            Form::TwoResults,
            Reference::SineAndCosine,
            Bound::Ulps(bounds[at]),
        ),
        new(
            "lgamma",
            Form::Unary,
            Reference::Rounded("lgamma"),
            Bound::Free,
        ),
        new(
            "lgamma_r",
            Form::AndInteger,
            Reference::LogGammaAndSign,
            Bound::Free,
        ),
    ]
}

impl Function {
    /// Whether all of its inputs can be tried.
    pub fn is_of_one_float(&self) -> bool {
        self.ty == Type::Float && self.form.has_one_argument()
    }

    fn new(
        name: &'static str,
        ty: Type,
        form: Form,
        reference: Reference,
        bound: Bound,
    ) -> Function {
        Function {
            name,
            expression: None,
            ty,
            form,
            reference,
            bound,
            domain: Domain::Everything,
        }
    }

    /// The name of its kernel.
    pub fn kernel(&self) -> String {
        format!("sluice_{}_{}", self.name, self.ty.name())
    }
}
