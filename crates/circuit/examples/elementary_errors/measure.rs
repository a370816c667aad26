//! How far an elementary function's results are from the exact ones, which binary64 stands for.

use sluice_circuit::elementary::{self, Function, Function2, Grade};

/// An error in units, and the operands that have it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Worst {
    /// The error.
    pub error: f64,
    /// The operands' bits; a function of one operand leaves the second zero.
    pub operands: [u32; 2],
}

impl Worst {
    /// The larger one.
    pub fn or(self, other: Worst) -> Worst {
        // What is no number counts as larger than everything.
        if self.error >= other.error {
            self
        } else {
            other
        }
    }
}

/// The largest error that a function is allowed: in the full grade, in units in the last place of
/// the exact result; in the native one, in units of 2^-23 of its size or, for waves, of their
/// height.
pub fn bound(function: Function, grade: Grade) -> f64 {
    match (grade, function) {
        (Grade::Full, Function::Exp | Function::Exp2 | Function::Exp10) => 1.0,
        (Grade::Full, Function::Log | Function::Log2 | Function::Log10) => 1.0,
        (Grade::Full, Function::Sin | Function::Cos) => 1.0,
        (Grade::Full, Function::Rsqrt) => 1.5,
        (Grade::Full, Function::Recip) => 1.0,
        (Grade::Native, _) => 8.0,
    }
}

/// The same for functions of two operands.
pub fn bound2(function: Function2, grade: Grade) -> f64 {
    match (grade, function) {
        (Grade::Full, Function2::Divide) => 1.0,
        (Grade::Full, Function2::Pow) => 1.5,
        (Grade::Native, _) => 8.0,
    }
}

/// The exact value.
fn exact(function: Function, a: f64) -> f64 {
    match function {
        Function::Exp => a.exp(),
        Function::Exp2 => a.exp2(),
        Function::Exp10 => 10f64.powf(a),
        Function::Log => a.ln(),
        Function::Log2 => a.log2(),
        Function::Log10 => a.log10(),
        Function::Sin => a.sin(),
        Function::Cos => a.cos(),
        Function::Rsqrt => 1.0 / a.sqrt(),
        Function::Recip => 1.0 / a,
    }
}

/// The exact value.
fn exact2(function: Function2, a: f64, b: f64) -> f64 {
    match function {
        Function2::Divide => a / b,
        Function2::Pow => a.powf(b),
    }
}

/// The error on one operand.
pub fn error(function: Function, grade: Grade, a: u32) -> Worst {
    let result = elementary::evaluate(function, grade, a.into());
    let exact = exact(function, operand(grade, a));
    let error = match function {
        Function::Sin | Function::Cos if grade == Grade::Native => height(result, exact),
        Function::Sin | Function::Cos => distance(grade, result, exact),
        Function::Exp | Function::Exp2 | Function::Exp10 => distance(grade, result, exact),
        Function::Log | Function::Log2 | Function::Log10 => distance(grade, result, exact),
        Function::Rsqrt | Function::Recip => distance(grade, result, exact),
    };
    Worst {
        error,
        operands: [a, 0],
    }
}

/// The error on a pair of operands.
pub fn error2(function: Function2, grade: Grade, a: u32, b: u32) -> Worst {
    let result = elementary::evaluate2(function, grade, a.into(), b.into());
    // Exponents are taken as they are, subnormal or not.
    let second = match function {
        Function2::Pow => operand(Grade::Full, b),
        Function2::Divide => operand(grade, b),
    };
    let exact = exact2(function, operand(grade, a), second);
    let error = distance(grade, result, exact);
    Worst {
        error,
        operands: [a, b],
    }
}

/// What a grade takes an operand for.
fn operand(grade: Grade, bits: u32) -> f64 {
    let value = f32::from_bits(bits);
    match grade {
        Grade::Native if value.is_subnormal() => 0f64.copysign(value.into()),
        Grade::Full | Grade::Native => value.into(),
    }
}

/// The error of a wave in units of 2^-23, whatever its size.
fn height(result: u64, exact: f64) -> f64 {
    if exact.is_nan() {
        return distance(Grade::Native, result, exact);
    }
    let result = f32::from_bits(u32::try_from(result).expect("floats have 32 bits"));
    let error = (f64::from(result) - exact).abs() / 2f64.powi(-23);
    if error.is_nan() { f64::INFINITY } else { error }
}

/// The error of a result, infinite if it is one that must not be: a NaN, an infinity or a sign.
fn distance(grade: Grade, result: u64, exact: f64) -> f64 {
    let must_be = |right: bool| if right { 0.0 } else { f64::INFINITY };
    let canonical = result == u64::from(f32::NAN.to_bits());
    let result = f32::from_bits(u32::try_from(result).expect("floats have 32 bits"));
    if result.is_nan() || exact.is_nan() {
        return must_be(canonical && exact.is_nan());
    }
    if result.is_sign_negative() != exact.is_sign_negative() {
        return f64::INFINITY;
    }
    let (result, exact) = (f64::from(result).abs(), exact.abs());
    // Infinity stands for the power of two beyond the largest float.
    let limit = 2f64.powi(128);
    let (result, exact) = (result.min(limit), exact.min(limit));
    let least = f64::from(f32::MIN_POSITIVE);
    match grade {
        Grade::Full => {
            let exponent = (exact.max(least).to_bits() >> 52) as i32 - 1023;
            (result - exact).abs() / 2f64.powi(exponent.min(127) - 23)
        }
        // Around the least normal number, either side is right.
        Grade::Native if exact < least * (1.0 + 2f64.powi(-20)) && result == 0.0 => 0.0,
        Grade::Native => (result - exact).abs() / (exact.max(least) * 2f64.powi(-23)),
    }
}
