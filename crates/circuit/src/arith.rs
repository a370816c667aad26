//! What the operators compute, on bits.
//!
//! A value is a `u64` whose bits above its width are zero. Floats compute as IEEE 754 says,
//! rounding to nearest, ties to even, with subnormals; whenever the result of arithmetic is a NaN
//! it is the canonical one (quiet, positive, no payload), so that every executor agrees.

use half::f16;

/// A binary float format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Format {
    /// IEEE 754 binary16.
    F16,
    /// IEEE 754 binary32.
    F32,
    /// IEEE 754 binary64.
    F64,
}

impl Format {
    /// All formats, narrowest first.
    pub const ALL: [Self; 3] = [Self::F16, Self::F32, Self::F64];

    /// Exponent bits.
    pub const fn exp(self) -> u32 {
        match self {
            Self::F16 => 5,
            Self::F32 => 8,
            Self::F64 => 11,
        }
    }

    /// Stored significand bits.
    pub const fn man(self) -> u32 {
        match self {
            Self::F16 => 10,
            Self::F32 => 23,
            Self::F64 => 52,
        }
    }

    /// All bits.
    pub const fn width(self) -> u32 {
        1 + self.exp() + self.man()
    }

    /// The bits of the sign.
    pub const fn sign(self) -> u64 {
        1 << (self.width() - 1)
    }

    /// Positive infinity, which is also the mask of the exponent.
    pub const fn infinity(self) -> u64 {
        mask(self.exp()) << self.man()
    }

    /// The NaN that arithmetic returns.
    pub const fn canonical_nan(self) -> u64 {
        self.infinity() | 1 << (self.man() - 1)
    }

    /// Whether the bits are a NaN.
    pub const fn is_nan(self, bits: u64) -> bool {
        bits & !self.sign() > self.infinity()
    }

    /// The value; every value of every format is exact in `f64`.
    #[inline(always)]
    pub fn to_f64(self, bits: u64) -> f64 {
        match self {
            Self::F16 => f16::from_bits(bits as u16).to_f64(),
            Self::F32 => f32::from_bits(bits as u32).into(),
            Self::F64 => f64::from_bits(bits),
        }
    }

    /// The bits of the value rounded to this format, NaNs canonical.
    #[inline(always)]
    pub fn from_f64(self, value: f64) -> u64 {
        match self {
            Self::F16 if value.is_nan() => self.canonical_nan(),
            Self::F16 => f16::from_f32(round_to_odd(value)).to_bits().into(),
            Self::F32 => bits32(value as f32),
            Self::F64 => bits64(value),
        }
    }
}

/// What becomes of subnormal numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subnormals {
    /// They are numbers like others.
    Kept,
    /// As operands and as rounded results they are zeros of their sign.
    Flushed,
}

/// How a float becomes integral.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rounding {
    /// Towards negative infinity.
    Floor,
    /// Towards positive infinity.
    Ceil,
    /// Towards zero.
    Trunc,
    /// To nearest, ties to even.
    Rint,
    /// To nearest, ties away from zero.
    Round,
}

impl Rounding {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Floor,
        Self::Ceil,
        Self::Trunc,
        Self::Rint,
        Self::Round,
    ];
}

/// Which of two values is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Extreme {
    /// The lesser.
    Least,
    /// The greater.
    Greatest,
}

/// How the bits of an integer are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Signedness {
    /// As a natural number.
    Unsigned,
    /// As two's complement.
    Signed,
}

/// How two floats compare; at most one of these holds, and none if the first is greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The first is less.
    pub less: bool,
    /// They are equal.
    pub equal: bool,
    /// One is a NaN.
    pub unordered: bool,
}

/// The lowest `width` bits, at most 64, set.
#[inline(always)]
pub const fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

/// The value read as a signed integer of its width.
#[inline(always)]
pub const fn signed(width: u32, bits: u64) -> i64 {
    let unused = 64 - width;
    ((bits << unused) as i64) >> unused
}

/// `a + b`.
#[inline(always)]
pub fn fadd(format: Format, a: u64, b: u64) -> u64 {
    float2(format, a, b, |x, y| x + y, |x, y| x + y)
}

/// `a - b`.
#[inline(always)]
pub fn fsub(format: Format, a: u64, b: u64) -> u64 {
    float2(format, a, b, |x, y| x - y, |x, y| x - y)
}

/// `a * b`.
#[inline(always)]
pub fn fmul(format: Format, a: u64, b: u64) -> u64 {
    float2(format, a, b, |x, y| x * y, |x, y| x * y)
}

/// `a * b`, subnormal operands and results flushed to zeros of their sign.
#[inline(always)]
pub fn fmul_flushed(format: Format, a: u64, b: u64) -> u64 {
    let [a, b] = [a, b].map(|x| flushed(format, x));
    flushed(format, fmul(format, a, b))
}

/// `a / b`.
#[inline(always)]
pub fn fdiv(format: Format, a: u64, b: u64) -> u64 {
    float2(format, a, b, |x, y| x / y, |x, y| x / y)
}

/// `a / b`, subnormal operands and results flushed to zeros of their sign.
#[inline(always)]
pub fn fdiv_flushed(format: Format, a: u64, b: u64) -> u64 {
    let [a, b] = [a, b].map(|x| flushed(format, x));
    flushed(format, fdiv(format, a, b))
}

/// The square root.
#[inline(always)]
pub fn fsqrt(format: Format, a: u64) -> u64 {
    float1(format, a, f32::sqrt, f64::sqrt)
}

/// `a * b + c`, rounded once.
#[inline(always)]
pub fn fma(format: Format, a: u64, b: u64, c: u64) -> u64 {
    match format {
        Format::F16 => {
            let [a, b, c] = [a, b, c].map(|x| format.to_f64(x));
            format.from_f64(add_round_to_odd(a * b, c))
        }
        Format::F32 => {
            let [a, b, c] = [a, b, c].map(|x| f32::from_bits(x as u32));
            bits32(a.mul_add(b, c))
        }
        Format::F64 => bits64(f64::from_bits(a).mul_add(f64::from_bits(b), f64::from_bits(c))),
    }
}

/// `a * b + c`, rounded once, subnormal operands and results flushed to zeros of their sign.
#[inline(always)]
pub fn fma_flushed(format: Format, a: u64, b: u64, c: u64) -> u64 {
    let [a, b, c] = [a, b, c].map(|x| flushed(format, x));
    flushed(format, fma(format, a, b, c))
}

/// How the floats compare; zeros are equal.
#[inline(always)]
pub fn fcompare(format: Format, a: u64, b: u64) -> Comparison {
    let (x, y) = (format.to_f64(a), format.to_f64(b));
    Comparison {
        less: x < y,
        equal: x == y,
        unordered: x.is_nan() || y.is_nan(),
    }
}

/// The lesser or the greater operand: the other one if one is NaN, and zeros ordered by sign.
#[inline(always)]
pub fn fextreme(format: Format, want: Extreme, a: u64, b: u64) -> u64 {
    let (x, y) = (format.to_f64(a), format.to_f64(b));
    if x.is_nan() && y.is_nan() {
        return format.canonical_nan();
    }
    if x.is_nan() || y.is_nan() {
        return if x.is_nan() { b } else { a };
    }
    let a_is_less = x < y || (x == y && x.is_sign_negative());
    if a_is_less == (want == Extreme::Least) {
        a
    } else {
        b
    }
}

/// The nearest integral float in that direction.
#[inline(always)]
pub fn fround(format: Format, rounding: Rounding, a: u64) -> u64 {
    match rounding {
        Rounding::Floor => float1(format, a, f32::floor, f64::floor),
        Rounding::Ceil => float1(format, a, f32::ceil, f64::ceil),
        Rounding::Trunc => float1(format, a, f32::trunc, f64::trunc),
        Rounding::Rint => float1(format, a, f32::round_ties_even, f64::round_ties_even),
        Rounding::Round => float1(format, a, f32::round, f64::round),
    }
}

/// The float's integral part as an integer, the nearest one if it has none, zero for a NaN.
#[inline(always)]
pub fn float_to_int(format: Format, to: Signedness, width: u32, a: u64) -> u64 {
    let value = format.to_f64(a);
    match to {
        Signedness::Unsigned => (value as u64).min(mask(width)),
        Signedness::Signed => {
            let highest = (mask(width) >> 1) as i64;
            (value as i64).clamp(-highest - 1, highest) as u64 & mask(width)
        }
    }
}

/// The float nearest to an integer.
#[inline(always)]
pub fn int_to_float(from: Signedness, width: u32, format: Format, a: u64) -> u64 {
    match (from, format) {
        (Signedness::Unsigned, Format::F32) => bits32(a as f32),
        // An integer that is inexact in binary64 is infinite in binary16.
        (Signedness::Unsigned, Format::F16 | Format::F64) => format.from_f64(a as f64),
        (Signedness::Signed, Format::F32) => bits32(signed(width, a) as f32),
        (Signedness::Signed, Format::F16 | Format::F64) => format.from_f64(signed(width, a) as f64),
    }
}

/// The float in another format.
#[inline(always)]
pub fn float_to_float(from: Format, to: Format, a: u64) -> u64 {
    to.from_f64(from.to_f64(a))
}

/// The low half of the product.
#[inline(always)]
pub fn mul_low(width: u32, a: u64, b: u64) -> u64 {
    a.wrapping_mul(b) & mask(width)
}

/// The high half of the product.
#[inline(always)]
pub fn mul_high(signedness: Signedness, width: u32, a: u64, b: u64) -> u64 {
    let product = match signedness {
        Signedness::Unsigned => u128::from(a) * u128::from(b),
        Signedness::Signed => (i128::from(signed(width, a)) * i128::from(signed(width, b))) as u128,
    };
    (product >> width) as u64 & mask(width)
}

/// The quotient, rounded towards zero; all ones if the divisor is zero.
#[inline(always)]
pub fn quotient(signedness: Signedness, width: u32, a: u64, b: u64) -> u64 {
    match signedness {
        Signedness::Unsigned => a.checked_div(b).unwrap_or(mask(width)),
        Signedness::Signed if b == 0 => mask(width),
        Signedness::Signed => signed(width, a).wrapping_div(signed(width, b)) as u64 & mask(width),
    }
}

/// The remainder, with the sign of the dividend; the dividend if the divisor is zero.
#[inline(always)]
pub fn remainder(signedness: Signedness, width: u32, a: u64, b: u64) -> u64 {
    match signedness {
        Signedness::Unsigned => a.checked_rem(b).unwrap_or(a),
        Signedness::Signed if b == 0 => a,
        Signedness::Signed => signed(width, a).wrapping_rem(signed(width, b)) as u64 & mask(width),
    }
}

/// `a << b`; zero if `b` is the width or more.
#[inline(always)]
pub fn shift_left(width: u32, a: u64, b: u64) -> u64 {
    if b >= u64::from(width) {
        0
    } else {
        (a << b) & mask(width)
    }
}

/// `a >> b`, filled with zeros; zero if `b` is the width or more.
#[inline(always)]
pub fn shift_right_logical(width: u32, a: u64, b: u64) -> u64 {
    if b >= u64::from(width) { 0 } else { a >> b }
}

/// `a >> b`, filled with the sign; only signs if `b` is the width or more.
#[inline(always)]
pub fn shift_right_arithmetic(width: u32, a: u64, b: u64) -> u64 {
    (signed(width, a) >> b.min(u64::from(width - 1))) as u64 & mask(width)
}

/// The high half of `{a, b} << c`, `c` taken modulo the width.
#[inline(always)]
pub fn funnel_shift_left(width: u32, a: u64, b: u64, c: u64) -> u64 {
    match c % u64::from(width) {
        0 => a,
        by => ((a << by) | (b >> (u64::from(width) - by))) & mask(width),
    }
}

/// The low half of `{a, b} >> c`, `c` taken modulo the width.
#[inline(always)]
pub fn funnel_shift_right(width: u32, a: u64, b: u64, c: u64) -> u64 {
    match c % u64::from(width) {
        0 => b,
        by => ((a << (u64::from(width) - by)) | (b >> by)) & mask(width),
    }
}

/// The number of zeros above the highest one.
#[inline(always)]
pub fn leading_zeros(width: u32, a: u64) -> u64 {
    u64::from(a.leading_zeros() - (64 - width))
}

/// The number of zeros below the lowest one.
#[inline(always)]
pub fn trailing_zeros(width: u32, a: u64) -> u64 {
    u64::from(a.trailing_zeros().min(width))
}

/// The number of ones.
#[inline(always)]
pub fn count_ones(a: u64) -> u64 {
    u64::from(a.count_ones())
}

/// The float, the zero of its sign in place of a subnormal number.
#[inline(always)]
fn flushed(format: Format, bits: u64) -> u64 {
    match bits & format.infinity() {
        0 => bits & format.sign(),
        _ => bits,
    }
}

#[inline(always)]
fn bits32(value: f32) -> u64 {
    if value.is_nan() {
        Format::F32.canonical_nan()
    } else {
        value.to_bits().into()
    }
}

#[inline(always)]
fn bits64(value: f64) -> u64 {
    if value.is_nan() {
        Format::F64.canonical_nan()
    } else {
        value.to_bits()
    }
}

#[inline(always)]
fn float1(format: Format, a: u64, single: impl Fn(f32) -> f32, double: impl Fn(f64) -> f64) -> u64 {
    match format {
        // Rounding to binary32 first is harmless: 24 bits are at least twice binary16's 11 plus 2.
        Format::F16 => format.from_f64(single(format.to_f64(a) as f32).into()),
        Format::F32 => bits32(single(f32::from_bits(a as u32))),
        Format::F64 => bits64(double(f64::from_bits(a))),
    }
}

#[inline(always)]
fn float2(
    format: Format,
    a: u64,
    b: u64,
    single: impl Fn(f32, f32) -> f32,
    double: impl Fn(f64, f64) -> f64,
) -> u64 {
    match format {
        Format::F16 => {
            let [a, b] = [a, b].map(|x| format.to_f64(x) as f32);
            format.from_f64(single(a, b).into())
        }
        Format::F32 => bits32(single(f32::from_bits(a as u32), f32::from_bits(b as u32))),
        Format::F64 => bits64(double(f64::from_bits(a), f64::from_bits(b))),
    }
}

/// The value in binary32, inexact results rounded to odd: rounding it again, to binary16, is then
/// the same as rounding once.
fn round_to_odd(value: f64) -> f32 {
    let single = value as f32;
    if f64::from(single) == value || single.is_infinite() || single.to_bits() & 1 == 1 {
        return single;
    }
    let too_large = f64::from(single).abs() > value.abs();
    f32::from_bits(if too_large {
        single.to_bits() - 1
    } else {
        single.to_bits() + 1
    })
}

/// The sum rounded to odd: rounding it again, to a format of at most 51 bits, is then exact.
fn add_round_to_odd(a: f64, b: f64) -> f64 {
    let sum = a + b;
    let a_part = sum - b;
    let error = (a - a_part) + (b - (sum - a_part));
    if !sum.is_finite() || error == 0.0 || sum.to_bits() & 1 == 1 {
        return sum;
    }
    // The sum was rounded away from the exact value: one step back towards it is odd.
    let towards_zero = (error < 0.0) == (sum > 0.0);
    f64::from_bits(if towards_zero {
        sum.to_bits() - 1
    } else {
        sum.to_bits() + 1
    })
}
