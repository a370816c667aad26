//! Logarithms, sine and cosine, and powers.

use std::f64::consts::FRAC_PI_2;

use sluice_circuit::arith::Format;
use sluice_circuit::elementary::{self, Function, Function2, Grade};

use super::measure::{self, Worst};
use super::{INF, NAN, check, check2, exactly, vectors};

const LOGARITHMS: [Function; 3] = [Function::Log, Function::Log2, Function::Log10];
const WAVES: [Function; 2] = [Function::Sin, Function::Cos];

fn bits(value: f32) -> u64 {
    match value.is_nan() {
        true => Format::F32.canonical_nan(),
        false => value.to_bits().into(),
    }
}

fn least() -> f32 {
    f32::from_bits(1)
}

#[test]
fn logarithms_are_within_their_bound() {
    check(&LOGARITHMS);
}

#[test]
fn logarithms_of_special_values_are_exact() {
    for function in LOGARITHMS {
        exactly(
            function,
            &[
                (0.0, -INF),
                (-0.0, -INF),
                (1.0, 0.0),
                (INF, INF),
                (-INF, NAN),
                (-1.0, NAN),
                (f32::MIN, NAN),
                (-f32::MIN_POSITIVE, NAN),
                (NAN, NAN),
                (-NAN, NAN),
            ],
        );
        let of = |grade, a: f32| elementary::evaluate(function, grade, bits(a));
        assert_eq!(of(Grade::Full, -least()), bits(NAN));
        assert_eq!(of(Grade::Native, -least()), bits(-INF));
        assert_eq!(of(Grade::Native, least()), bits(-INF));
    }
    let powers = (-126..=127).map(|n| (2f32.powi(n), n as f32));
    exactly(Function::Log2, &powers.collect::<Vec<_>>());
    for n in -149..-126 {
        let result = elementary::evaluate(Function::Log2, Grade::Full, 1 << (n + 149));
        assert_eq!(result, bits(n as f32), "of the subnormal 2^{n}");
    }
}

/// The worst error of waves at angles.
fn worst_wave(grade: Grade, angles: impl Iterator<Item = f32>) -> Worst {
    let errors = angles
        .flat_map(|angle| WAVES.map(|function| measure::error(function, grade, angle.to_bits())));
    errors.fold(Worst::default(), |worst, error| error.or(worst))
}

#[test]
fn waves_are_within_their_bound() {
    check(&WAVES);
}

#[test]
fn waves_are_within_their_bound_next_to_quarter_turns() {
    for grade in Grade::ALL {
        let turns = (1..100_000).flat_map(|turn| {
            let nearest = (f64::from(turn) * FRAC_PI_2) as f32;
            [nearest.next_down(), nearest, nearest.next_up()]
        });
        // No float is closer to a multiple of a quarter turn than this one.
        let hardest = 16_367_173f32 * 2f32.powi(72);
        let turns = turns.chain([hardest]);
        let worst = worst_wave(grade, turns);
        let bound = measure::bound(Function::Sin, grade);
        assert!(worst.error <= bound, "{grade:?}: {worst:x?}");
    }
}

#[test]
fn waves_of_special_values_are_exact() {
    exactly(
        Function::Sin,
        &[
            (0.0, 0.0),
            (-0.0, -0.0),
            (INF, NAN),
            (-INF, NAN),
            (NAN, NAN),
            (f32::MIN_POSITIVE, f32::MIN_POSITIVE),
            (-f32::MIN_POSITIVE, -f32::MIN_POSITIVE),
            (1e-6, 1e-6),
        ],
    );
    exactly(
        Function::Cos,
        &[
            (0.0, 1.0),
            (-0.0, 1.0),
            (least(), 1.0),
            (1e-5, 1.0),
            (INF, NAN),
            (-INF, NAN),
            (NAN, NAN),
        ],
    );
    let sine = |grade, a: f32| elementary::evaluate(Function::Sin, grade, bits(a));
    for subnormal in [least(), -least(), f32::from_bits(0x007f_ffff)] {
        assert_eq!(sine(Grade::Full, subnormal), bits(subnormal));
        assert_eq!(
            sine(Grade::Native, subnormal),
            bits(0f32.copysign(subnormal))
        );
    }
}

#[test]
fn powers_are_within_their_bound() {
    check2(Function2::Pow);
}

/// Bases of all sizes, every other one near 1, and exponents that make results of all sizes.
#[test]
fn powers_that_neither_overflow_nor_vanish_are_within_their_bound() {
    let mut random = vectors::Random::new(0x90e);
    let pairs: Vec<[u32; 2]> = (0..vectors::rows_or(400_000))
        .map(|row| {
            let bits = random.below(0x7f80_0000) as u32;
            let base = match row % 2 {
                0 => bits,
                _ => 0x3f80_0000 - 0x4000 + bits % 0x8000,
            };
            let power = random.below(1 << 20) as f64 / f64::from(1 << 20) * 280.0 - 150.0;
            let exponent = power / f64::from(f32::from_bits(base)).log2();
            [base, (exponent as f32).to_bits()]
        })
        .collect();
    for grade in Grade::ALL {
        let errors = pairs
            .iter()
            .map(|&[a, b]| measure::error2(Function2::Pow, grade, a, b));
        let worst = errors.fold(Worst::default(), |worst, error| error.or(worst));
        let bound = measure::bound2(Function2::Pow, grade);
        assert!(worst.error <= bound, "{grade:?}: {worst:x?}");
    }
}

fn power(grade: Grade, a: f32, b: f32) -> u64 {
    elementary::evaluate2(
        Function2::Pow,
        grade,
        a.to_bits().into(),
        b.to_bits().into(),
    )
}

/// The cases that the C standard lists (F.9.4.4).
#[test]
fn powers_of_special_values_are_exact() {
    let odd = [1.0, 3.0, 16_777_215.0];
    let even = [2.0, 4.0, 16_777_216.0, 3e38];
    let subnormal = [least(), f32::MIN_POSITIVE.next_down()];
    let broken = [0.5, 1.5, 8_388_607.5, f32::MIN_POSITIVE]
        .into_iter()
        .chain(subnormal);
    let broken: Vec<f32> = broken.collect();
    let mut cases = Vec::new();
    for y in odd {
        cases.extend([
            (0.0, -y, INF),
            (-0.0, -y, -INF),
            (0.0, y, 0.0),
            (-0.0, y, -0.0),
        ]);
        cases.extend([
            (-INF, -y, -0.0),
            (-INF, y, -INF),
            (-1.0, y, -1.0),
            (-1.0, -y, -1.0),
        ]);
    }
    for y in even {
        cases.extend([(-1.0, y, 1.0), (-1.0, -y, 1.0)]);
    }
    for &y in &broken {
        cases.extend([(-1.0, y, NAN), (-2.5, -y, NAN), (f32::MIN, y, NAN)]);
    }
    for y in even.into_iter().chain(broken.iter().copied()) {
        cases.extend([
            (0.0, -y, INF),
            (-0.0, -y, INF),
            (0.0, y, 0.0),
            (-0.0, y, 0.0),
        ]);
        cases.extend([(-INF, -y, 0.0), (-INF, y, INF)]);
    }
    for y in odd.into_iter().chain(even).chain(broken) {
        cases.extend([(INF, -y, 0.0), (INF, y, INF), (1.0, y, 1.0), (1.0, -y, 1.0)]);
        cases.extend([(NAN, y, NAN), (-NAN, -y, NAN)]);
    }
    for x in [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.3,
        -7.0,
        INF,
        -INF,
        NAN,
        f32::MAX,
        f32::MIN_POSITIVE,
    ] {
        cases.extend([(x, 0.0, 1.0), (x, -0.0, 1.0)]);
        if x != 1.0 {
            cases.extend([(x, NAN, NAN), (x, -NAN, NAN)]);
        }
    }
    for x in [0.0, 0.5, 0.999_999_94, f32::MIN_POSITIVE] {
        cases.extend([
            (x, -INF, INF),
            (-x, -INF, INF),
            (x, INF, 0.0),
            (-x, INF, 0.0),
        ]);
    }
    for x in [1.000_000_1, 2.0, f32::MAX, INF] {
        cases.extend([
            (x, -INF, 0.0),
            (-x, -INF, 0.0),
            (x, INF, INF),
            (-x, INF, INF),
        ]);
    }
    cases.extend([(1.0, NAN, 1.0), (1.0, INF, 1.0), (1.0, -INF, 1.0)]);
    cases.extend([(-1.0, INF, 1.0), (-1.0, -INF, 1.0)]);
    for grade in Grade::ALL {
        for &(x, y, expected) in &cases {
            let result = power(grade, x, y);
            assert_eq!(
                result,
                bits(expected),
                "{grade:?}: pow({x:?}, {y:?}) is {result:x}"
            );
        }
    }
}

#[test]
fn powers_take_subnormals_as_their_grade_says() {
    assert_eq!(power(Grade::Full, least(), 1.0), bits(least()));
    assert_eq!(power(Grade::Full, -least(), -1.0), bits(-INF));
    assert_eq!(
        power(Grade::Full, least(), 0.5),
        bits(2f32.powi(-75) * 2f32.sqrt())
    );
    assert_eq!(power(Grade::Full, 2.0, -149.0), bits(least()));
    assert_eq!(
        power(Grade::Full, 2.0, -150.0),
        bits(0.0),
        "half of the least is even"
    );
    assert_eq!(power(Grade::Full, -2.0, -149.0), bits(-least()));
    assert_eq!(power(Grade::Full, 2.0, least()), bits(1.0));
    assert_eq!(power(Grade::Native, least(), 1.0), bits(0.0));
    assert_eq!(power(Grade::Native, -least(), -1.0), bits(-INF));
    assert_eq!(power(Grade::Native, 2.0, -140.0), bits(0.0));
    assert_eq!(power(Grade::Native, 2.0, least()), bits(1.0));
    assert_eq!(
        power(Grade::Native, NAN, least()),
        bits(NAN),
        "the exponent is no zero"
    );
}

#[test]
fn powers_that_are_floats_are_exact() {
    for base in (1..0x7f80_0000).step_by(12_289).map(f32::from_bits) {
        assert_eq!(power(Grade::Full, base, 1.0), bits(base), "{base:?}");
        assert_eq!(power(Grade::Full, -base, 1.0), bits(-base), "{base:?}");
    }
    for base in 1..=4095u16 {
        let base = f32::from(base);
        assert_eq!(power(Grade::Full, base, 2.0), bits(base * base), "{base}");
        assert_eq!(power(Grade::Full, base * base, 0.5), bits(base), "{base}");
    }
    for n in -126..=127i16 {
        let exponent = f32::from(n);
        assert_eq!(power(Grade::Full, 2.0, exponent), bits(2f32.powi(n.into())));
        assert_eq!(
            power(Grade::Full, 0.5, -exponent),
            bits(2f32.powi(n.into()))
        );
    }
}
