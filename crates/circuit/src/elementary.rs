//! Elementary functions of floats, as the circuit computes them: what each one is, and its value on
//! bits.
//!
//! Every function exists in two [grades](Grade). Operands and results are the bits of binary32
//! numbers; a result that is no number is the canonical NaN.

pub(crate) mod exp;
pub(crate) mod logarithm;
pub(crate) mod pack;
pub(crate) mod power;
pub mod quadratic;
pub(crate) mod quotient;
pub(crate) mod root;
pub mod tables;
pub(crate) mod trig;
pub mod windows;

/// A function of one float.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Function {
    /// e to the power of the operand.
    Exp,
    /// 2 to the power of the operand.
    Exp2,
    /// 10 to the power of the operand.
    Exp10,
    /// The natural logarithm.
    Log,
    /// The logarithm to base 2.
    Log2,
    /// The logarithm to base 10.
    Log10,
    /// The sine of an angle in radians.
    Sin,
    /// The cosine of an angle in radians.
    Cos,
    /// One divided by the square root.
    Rsqrt,
    /// One divided by the operand.
    Recip,
}

impl Function {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Exp,
        Self::Exp2,
        Self::Exp10,
        Self::Log,
        Self::Log2,
        Self::Log10,
        Self::Sin,
        Self::Cos,
        Self::Rsqrt,
        Self::Recip,
    ];
}

/// A function of two floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Function2 {
    /// The first divided by the second.
    Divide,
    /// The first to the power of the second.
    Pow,
}

impl Function2 {
    /// Both of them.
    pub const ALL: [Self; 2] = [Self::Divide, Self::Pow];
}

/// How good a function's results are, and on which operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Grade {
    /// Within OpenCL's bound for the full profile on every operand, subnormals included.
    Full,
    /// Smaller: about 20 bits are right, subnormal operands and results are zeros.
    Native,
}

impl Grade {
    /// Both of them, the better first.
    pub const ALL: [Self; 2] = [Self::Full, Self::Native];
}

/// The function's value.
#[inline(always)]
pub fn evaluate(function: Function, grade: Grade, a: u64) -> u64 {
    if let Some(base) = exp::Base::of(function) {
        return exp::evaluate(base, grade, a);
    }
    if let Some(base) = logarithm::Base::of(function) {
        return logarithm::evaluate(base, grade, a);
    }
    if let Some(wave) = trig::Wave::of(function) {
        return trig::evaluate(wave, grade, a);
    }
    match function {
        Function::Rsqrt => root::rsqrt(grade, a),
        Function::Recip => root::recip(grade, a),
        Function::Exp | Function::Exp2 | Function::Exp10 => unreachable!("they have a base"),
        Function::Log | Function::Log2 | Function::Log10 => unreachable!("they have a base"),
        Function::Sin | Function::Cos => unreachable!("they are waves"),
    }
}

/// The function's value.
#[inline]
pub fn evaluate2(function: Function2, grade: Grade, a: u64, b: u64) -> u64 {
    match function {
        Function2::Divide => quotient::divide(grade, a, b),
        Function2::Pow => power::evaluate(grade, a, b),
    }
}
