//! The elementary functions' models against binary64, on a sample of all operands, on every operand
//! near the interesting ones, and on those that the standards name.

#[path = "../examples/make_tables/fit.rs"]
mod fit;
#[path = "elementary/logs_waves_powers.rs"]
mod logs_waves_powers;
#[path = "../examples/elementary_errors/measure.rs"]
mod measure;
mod vectors;
#[path = "../examples/make_tables/window.rs"]
mod window;

use measure::Worst;
use sluice_circuit::arith::Format;
use sluice_circuit::elementary::{self, Function, Function2, Grade, tables, windows};
use sluice_circuit::operators::Port;

/// Of this number of operands one is tried: coprime to powers of two, so that all bits vary.
const STRIDE: usize = 4093;

/// Around these, all operands are tried: where results begin or cease to be subnormal, zero or
/// infinite, and where they are 1 or cross zero.
const NEAR: [f32; 24] = [
    0.0,
    f32::MIN_POSITIVE,
    f32::MAX,
    f32::INFINITY,
    1.0,
    2.0,
    0.5,
    1e-7,
    88.722_84,
    -87.336_54,
    -103.278_93,
    -103.972_08,
    128.0,
    -126.0,
    -149.0,
    -150.0,
    38.531_84,
    -37.929_78,
    -44.853_47,
    -45.154_5,
    std::f32::consts::FRAC_PI_2,
    std::f32::consts::PI,
    8.507_059e37,
    1.701_411_8e38,
];

/// How many operands are near.
const AROUND: i64 = 1 << 12;

/// The sample of operands.
fn operands() -> impl Iterator<Item = u32> {
    let near = NEAR.into_iter().chain(NEAR.map(|at| -at));
    let near = near.flat_map(|at| {
        let bits = i64::from(at.to_bits());
        (bits - AROUND..=bits + AROUND).map(|bits| bits as u32)
    });
    (0..=u32::MAX).step_by(STRIDE).chain(near)
}

fn within(what: &str, worst: Worst, bound: f64) {
    let Worst { error, operands } = worst;
    assert!(
        error <= bound,
        "{what} of {operands:x?} is off by {error}, allowed are {bound}"
    );
}

fn check(functions: &[Function]) {
    for &function in functions {
        for grade in Grade::ALL {
            let errors = operands().map(|a| measure::error(function, grade, a));
            let worst = errors.fold(Worst::default(), |worst, error| error.or(worst));
            let bound = measure::bound(function, grade);
            within(&format!("{function:?} {grade:?}"), worst, bound);
        }
    }
}

#[test]
fn exponentials_are_within_their_bound() {
    check(&[Function::Exp, Function::Exp2, Function::Exp10]);
}

#[test]
fn reciprocals_are_within_their_bound() {
    check(&[Function::Recip, Function::Rsqrt]);
}

/// Exponents only scale these functions by powers of two, of which the root needs even ones: two
/// neighbouring exponents stand for all normal operands.
#[test]
fn reciprocals_of_every_significand_are_within_their_bound() {
    let operands = 0.5f32.to_bits()..2f32.to_bits();
    for function in [Function::Recip, Function::Rsqrt] {
        for grade in Grade::ALL {
            let errors = operands.clone().map(|a| measure::error(function, grade, a));
            let worst = errors.fold(Worst::default(), |worst, error| error.or(worst));
            let what = format!("{function:?} {grade:?}");
            within(&what, worst, measure::bound(function, grade));
        }
    }
}

fn check2(function: Function2) {
    let port = |name| Port {
        name,
        width: Format::F32.width(),
        format: Some(Format::F32),
    };
    let mut random = vectors::Random::new(0xe1e);
    let pairs = vectors::rows(
        &[port("a"), port("b")],
        vectors::rows_or(1_000_000),
        &mut random,
    );
    for grade in Grade::ALL {
        let errors = pairs
            .iter()
            .map(|pair| measure::error2(function, grade, pair[0] as u32, pair[1] as u32));
        let worst = errors.fold(Worst::default(), |worst, error| error.or(worst));
        let bound = measure::bound2(function, grade);
        within(&format!("{function:?} {grade:?}"), worst, bound);
    }
}

#[test]
fn quotients_are_within_their_bound() {
    check2(Function2::Divide);
}

/// Exactly these results, in both grades.
fn exactly(function: Function, cases: &[(f32, f32)]) {
    for grade in Grade::ALL {
        for &(a, expected) in cases {
            let result = elementary::evaluate(function, grade, a.to_bits().into());
            let expected = match expected.is_nan() {
                true => Format::F32.canonical_nan(),
                false => expected.to_bits().into(),
            };
            assert_eq!(
                result, expected,
                "{function:?} {grade:?} of {a:?} is {result:x}"
            );
        }
    }
}

const INF: f32 = f32::INFINITY;
const NAN: f32 = f32::NAN;

#[test]
fn exponentials_of_special_values_are_exact() {
    for function in [Function::Exp, Function::Exp2, Function::Exp10] {
        let negative_nan = f32::from_bits(0xff80_0001);
        exactly(
            function,
            &[
                (0.0, 1.0),
                (-0.0, 1.0),
                (INF, INF),
                (-INF, 0.0),
                (NAN, NAN),
                (negative_nan, NAN),
                (f32::MAX, INF),
                (f32::MIN, 0.0),
                (f32::MIN_POSITIVE, 1.0),
                (f32::from_bits(1), 1.0),
                (-f32::from_bits(1), 1.0),
            ],
        );
    }
    let integers = (-126..=127).map(|n| (n as f32, 2f32.powi(n)));
    exactly(Function::Exp2, &integers.collect::<Vec<_>>());
    exactly(
        Function::Exp2,
        &[(128.0, INF), (-151.0, 0.0), (-150.0, 0.0)],
    );
    for n in -149..-126 {
        let result = elementary::evaluate(Function::Exp2, Grade::Full, (n as f32).to_bits().into());
        assert_eq!(result, 1 << (n + 149), "2^{n} is subnormal");
    }
}

#[test]
fn reciprocals_of_special_values_are_exact() {
    exactly(
        Function::Recip,
        &[
            (0.0, INF),
            (-0.0, -INF),
            (INF, 0.0),
            (-INF, -0.0),
            (NAN, NAN),
            (f32::from_bits(0x001f_ffff), INF),
            (-f32::from_bits(1), -INF),
        ],
    );
    exactly(
        Function::Rsqrt,
        &[
            (0.0, INF),
            (-0.0, -INF),
            (INF, 0.0),
            (-INF, NAN),
            (NAN, NAN),
            (-1.0, NAN),
            (f32::MIN, NAN),
        ],
    );
    let powers = (-126..=126).map(|n| (2f32.powi(n), 2f32.powi(-n)));
    exactly(Function::Recip, &powers.collect::<Vec<_>>());
    let squares = (-63..=63).map(|n| (4f32.powi(n), 2f32.powi(-n)));
    exactly(Function::Rsqrt, &squares.collect::<Vec<_>>());
    let full = |function, a: u32| elementary::evaluate(function, Grade::Full, a.into());
    assert_eq!(
        full(Function::Recip, 0x0040_0000),
        0x7f00_0000,
        "of a subnormal"
    );
    assert_eq!(
        full(Function::Recip, 0x7f00_0000),
        0x0040_0000,
        "it is subnormal"
    );
    assert_eq!(
        full(Function::Rsqrt, 0x0000_0002),
        0x6480_0000,
        "of a subnormal"
    );
    assert_eq!(
        full(Function::Rsqrt, 0x8000_0001),
        Format::F32.canonical_nan()
    );
}

#[test]
fn quotients_of_special_values_are_exact() {
    let cases = [
        (0.0, 0.0, NAN),
        (-0.0, 0.0, NAN),
        (INF, INF, NAN),
        (INF, -INF, NAN),
        (NAN, 1.0, NAN),
        (1.0, NAN, NAN),
        (INF, NAN, NAN),
        (0.0, NAN, NAN),
        (1.0, 0.0, INF),
        (1.0, -0.0, -INF),
        (-1.0, 0.0, -INF),
        (INF, 0.0, INF),
        (INF, -2.0, -INF),
        (0.0, -3.0, -0.0),
        (-0.0, -3.0, 0.0),
        (2.0, INF, 0.0),
        (-2.0, INF, -0.0),
        (0.0, INF, 0.0),
        (f32::MAX, 0.5, INF),
        (f32::MAX, -f32::MIN_POSITIVE, -INF),
        (1.0, 8.0, 0.125),
        (-6.0, 0.25, -24.0),
    ];
    let exact = [
        (6.0, 3.0, 2.0),
        (-10.0, 5.0, -2.0),
        (f32::MAX, f32::MAX, 1.0),
    ];
    for grade in Grade::ALL {
        let exact = exact.iter().filter(|_| grade == Grade::Full);
        for &(a, b, expected) in cases.iter().chain(exact) {
            let [x, y] = [a, b].map(|operand: f32| operand.to_bits().into());
            let result = elementary::evaluate2(Function2::Divide, grade, x, y);
            let expected = match expected.is_nan() {
                true => Format::F32.canonical_nan(),
                false => expected.to_bits().into(),
            };
            assert_eq!(result, expected, "{grade:?}: {a:?} / {b:?} is {result:x}");
        }
    }
}

#[test]
fn tables_are_what_the_generator_writes() {
    let quadratics = tables::ALL.iter();
    let quadratics = quadratics.map(|table| (table.source, fit::verilog(table)));
    let windows = windows::ALL.iter();
    let windows = windows.map(|windows| (windows.source, window::verilog(windows)));
    for (source, text) in quadratics.chain(windows) {
        let file = source.file;
        assert!(
            text == source.text,
            "run the example make_tables for {file}"
        );
    }
}
