//! What the operations compute, on bits.
//!
//! A value is a `u64` whose bits above its type's width are zero. Floats compute as IEEE 754 says,
//! rounding to nearest, ties to even, with subnormals; whenever the result of arithmetic is a NaN
//! it is the canonical one (quiet, positive, no payload), so that every executor agrees. Operations
//! that only move bits (`fneg`, `fabs`, `copysign`, loads, selects) leave NaNs as they are.
//!
//! Constant folding and the interpreter both call these functions; the interpreter's inner loops
//! rely on their being inlined with a constant operation and type.

use half::f16;

use crate::ir::{AtomicOp, BinaryOp, CastOp, Predicate, TernaryOp, Type, UnaryOp};

/// The value read as a signed integer of its width.
#[inline(always)]
pub fn signed(ty: Type, bits: u64) -> i64 {
    let unused = 64 - ty.bits();
    ((bits << unused) as i64) >> unused
}

/// Evaluates a unary operation on a value of type `ty`.
#[inline(always)]
pub fn unary(op: UnaryOp, ty: Type, a: u64) -> u64 {
    let width = ty.bits();
    let unused = 64 - width;
    match op {
        UnaryOp::Clz => u64::from(a.leading_zeros() - unused) & ty.mask(),
        UnaryOp::Ctz => u64::from(a.trailing_zeros().min(width)) & ty.mask(),
        UnaryOp::Popcount => u64::from(a.count_ones()) & ty.mask(),
        UnaryOp::BitReverse => a.reverse_bits() >> unused,
        UnaryOp::ByteSwap => a.swap_bytes() >> unused,
        UnaryOp::FNeg => a ^ sign_bit(ty),
        UnaryOp::FAbs => a & !sign_bit(ty),
        UnaryOp::FSqrt => float1(ty, a, f32::sqrt, f64::sqrt),
        UnaryOp::FFloor => float1(ty, a, f32::floor, f64::floor),
        UnaryOp::FCeil => float1(ty, a, f32::ceil, f64::ceil),
        UnaryOp::FTrunc => float1(ty, a, f32::trunc, f64::trunc),
        UnaryOp::FRint => float1(ty, a, f32::round_ties_even, f64::round_ties_even),
        UnaryOp::FRound => float1(ty, a, f32::round, f64::round),
    }
}

/// Evaluates a binary operation on values of type `ty`.
#[inline(always)]
pub fn binary(op: BinaryOp, ty: Type, a: u64, b: u64) -> u64 {
    use BinaryOp::*;
    let width = ty.bits();
    let mask = ty.mask();
    match op {
        Add => a.wrapping_add(b) & mask,
        Sub => a.wrapping_sub(b) & mask,
        Mul => a.wrapping_mul(b) & mask,
        UDiv => a.checked_div(b).unwrap_or(mask),
        URem => a.checked_rem(b).unwrap_or(a),
        SDiv if b == 0 => mask,
        SDiv => signed(ty, a).wrapping_div(signed(ty, b)) as u64 & mask,
        SRem if b == 0 => a,
        SRem => signed(ty, a).wrapping_rem(signed(ty, b)) as u64 & mask,
        And => a & b,
        Or => a | b,
        Xor => a ^ b,
        Shl if b >= u64::from(width) => 0,
        Shl => (a << b) & mask,
        LShr if b >= u64::from(width) => 0,
        LShr => a >> b,
        AShr => (signed(ty, a) >> b.min(u64::from(width - 1))) as u64 & mask,
        UMin => a.min(b),
        UMax => a.max(b),
        SMin => signed(ty, a).min(signed(ty, b)) as u64 & mask,
        SMax => signed(ty, a).max(signed(ty, b)) as u64 & mask,
        UMulHi => ((u128::from(a) * u128::from(b)) >> width) as u64 & mask,
        SMulHi => {
            let product = i128::from(signed(ty, a)) * i128::from(signed(ty, b));
            (product >> width) as u64 & mask
        }
        FAdd => float2(ty, a, b, |x, y| x + y, |x, y| x + y),
        FSub => float2(ty, a, b, |x, y| x - y, |x, y| x - y),
        FMul => float2(ty, a, b, |x, y| x * y, |x, y| x * y),
        FDiv => float2(ty, a, b, |x, y| x / y, |x, y| x / y),
        FMin => extreme(ty, a, b, Extreme::Least),
        FMax => extreme(ty, a, b, Extreme::Greatest),
        CopySign => (a & !sign_bit(ty)) | (b & sign_bit(ty)),
    }
}

/// Evaluates a ternary operation on values of type `ty`.
#[inline(always)]
pub fn ternary(op: TernaryOp, ty: Type, a: u64, b: u64, c: u64) -> u64 {
    let width = u64::from(ty.bits());
    match op {
        TernaryOp::Fma => fma(ty, a, b, c),
        TernaryOp::FunnelShl => match c % width {
            0 => a,
            by => ((a << by) | (b >> (width - by))) & ty.mask(),
        },
        TernaryOp::FunnelShr => match c % width {
            0 => b,
            by => ((a << (width - by)) | (b >> by)) & ty.mask(),
        },
    }
}

/// Evaluates a comparison of values of type `ty`.
#[inline(always)]
// The unordered comparisons are the negations of ordered ones, and clearest as such.
#[allow(clippy::neg_cmp_op_on_partial_ord)]
pub fn compare(pred: Predicate, ty: Type, a: u64, b: u64) -> bool {
    use Predicate::*;
    match pred {
        Eq => a == b,
        Ne => a != b,
        Ult => a < b,
        Ule => a <= b,
        Slt => signed(ty, a) < signed(ty, b),
        Sle => signed(ty, a) <= signed(ty, b),
        FOeq => to_f64(ty, a) == to_f64(ty, b),
        FOne => to_f64(ty, a) < to_f64(ty, b) || to_f64(ty, a) > to_f64(ty, b),
        FOlt => to_f64(ty, a) < to_f64(ty, b),
        FOle => to_f64(ty, a) <= to_f64(ty, b),
        FOrd => !to_f64(ty, a).is_nan() && !to_f64(ty, b).is_nan(),
        FUeq => !(to_f64(ty, a) < to_f64(ty, b) || to_f64(ty, a) > to_f64(ty, b)),
        FUne => to_f64(ty, a) != to_f64(ty, b),
        FUlt => !(to_f64(ty, a) >= to_f64(ty, b)),
        FUle => !(to_f64(ty, a) > to_f64(ty, b)),
        FUno => to_f64(ty, a).is_nan() || to_f64(ty, b).is_nan(),
    }
}

/// Evaluates a conversion of a value of type `from` to type `to`.
#[inline(always)]
pub fn cast(op: CastOp, from: Type, to: Type, a: u64) -> u64 {
    match op {
        CastOp::Zext | CastOp::Bitcast => a,
        CastOp::PtrToInt | CastOp::IntToPtr | CastOp::SpaceCast => a,
        CastOp::Sext => signed(from, a) as u64 & to.mask(),
        CastOp::Trunc => a & to.mask(),
        CastOp::FpToSi => {
            let highest = (to.mask() >> 1) as i64;
            (to_f64(from, a) as i64).clamp(-highest - 1, highest) as u64 & to.mask()
        }
        CastOp::FpToUi => (to_f64(from, a) as u64).min(to.mask()),
        CastOp::SiToFp => match to {
            Type::F32 => bits32(signed(from, a) as f32),
            _ => from_f64(to, signed(from, a) as f64),
        },
        CastOp::UiToFp => match to {
            Type::F32 => bits32(a as f32),
            _ => from_f64(to, a as f64),
        },
        CastOp::FpExt | CastOp::FpTrunc => from_f64(to, to_f64(from, a)),
    }
}

/// What an atomic operation stores, given the old value and its operand.
#[inline(always)]
pub fn atomic(op: AtomicOp, ty: Type, old: u64, operand: u64) -> u64 {
    let op = match op {
        AtomicOp::Xchg => return operand,
        AtomicOp::Add => BinaryOp::Add,
        AtomicOp::Sub => BinaryOp::Sub,
        AtomicOp::And => BinaryOp::And,
        AtomicOp::Or => BinaryOp::Or,
        AtomicOp::Xor => BinaryOp::Xor,
        AtomicOp::SMin => BinaryOp::SMin,
        AtomicOp::SMax => BinaryOp::SMax,
        AtomicOp::UMin => BinaryOp::UMin,
        AtomicOp::UMax => BinaryOp::UMax,
    };
    binary(op, ty, old, operand)
}

/// A pointer moved by an offset of type `ty`, read as signed.
#[inline(always)]
pub fn ptr_add(base: u64, ty: Type, offset: u64) -> u64 {
    base.wrapping_add(signed(ty, offset) as u64)
}

/// The canonical NaN of a float type.
pub const fn canonical_nan(ty: Type) -> u64 {
    match ty {
        Type::F16 => 0x7e00,
        Type::F32 => 0x7fc0_0000,
        Type::F64 => 0x7ff8_0000_0000_0000,
        Type::Int(_) | Type::Ptr(_) => panic!("not a float type"),
    }
}

/// A float's value; every value of every float type is exact in `f64`.
#[inline(always)]
pub fn to_f64(ty: Type, bits: u64) -> f64 {
    match ty {
        Type::F16 => f16::from_bits(bits as u16).to_f64(),
        Type::F32 => f32::from_bits(bits as u32).into(),
        Type::F64 => f64::from_bits(bits),
        Type::Int(_) | Type::Ptr(_) => panic!("verify: float operations have float operands"),
    }
}

/// The bits of `value` rounded to `ty`, NaNs canonical.
#[inline(always)]
pub fn from_f64(ty: Type, value: f64) -> u64 {
    match ty {
        Type::F16 if value.is_nan() => canonical_nan(Type::F16),
        Type::F16 => f16::from_f32(round_to_odd(value)).to_bits().into(),
        Type::F32 => bits32(value as f32),
        Type::F64 => bits64(value),
        Type::Int(_) | Type::Ptr(_) => panic!("verify: float operations have float results"),
    }
}

#[inline(always)]
fn sign_bit(ty: Type) -> u64 {
    1 << (ty.bits() - 1)
}

#[inline(always)]
fn bits32(value: f32) -> u64 {
    if value.is_nan() {
        canonical_nan(Type::F32)
    } else {
        value.to_bits().into()
    }
}

#[inline(always)]
fn bits64(value: f64) -> u64 {
    if value.is_nan() {
        canonical_nan(Type::F64)
    } else {
        value.to_bits()
    }
}

#[inline(always)]
fn float1(ty: Type, a: u64, single: impl Fn(f32) -> f32, double: impl Fn(f64) -> f64) -> u64 {
    match ty {
        Type::F32 => bits32(single(f32::from_bits(a as u32))),
        Type::F64 => bits64(double(f64::from_bits(a))),
        // Rounding to binary32 first is harmless: 24 bits are at least twice binary16's 11 plus 2.
        _ => from_f64(ty, single(to_f64(ty, a) as f32).into()),
    }
}

#[inline(always)]
fn float2(
    ty: Type,
    a: u64,
    b: u64,
    single: impl Fn(f32, f32) -> f32,
    double: impl Fn(f64, f64) -> f64,
) -> u64 {
    match ty {
        Type::F32 => bits32(single(f32::from_bits(a as u32), f32::from_bits(b as u32))),
        Type::F64 => bits64(double(f64::from_bits(a), f64::from_bits(b))),
        _ => {
            let [a, b] = [a, b].map(|x| to_f64(ty, x) as f32);
            from_f64(ty, single(a, b).into())
        }
    }
}

/// The lesser or the greater operand: the other one if one is NaN, and zeros ordered by sign.
#[inline(always)]
fn extreme(ty: Type, a: u64, b: u64, want: Extreme) -> u64 {
    let (x, y) = (to_f64(ty, a), to_f64(ty, b));
    if x.is_nan() && y.is_nan() {
        return canonical_nan(ty);
    }
    if x.is_nan() || y.is_nan() {
        return if x.is_nan() { b } else { a };
    }
    let a_is_less = x < y || (x == y && x.is_sign_negative());
    match want {
        Extreme::Least => {
            if a_is_less {
                a
            } else {
                b
            }
        }
        Extreme::Greatest => {
            if a_is_less {
                b
            } else {
                a
            }
        }
    }
}

enum Extreme {
    Least,
    Greatest,
}

#[inline(always)]
fn fma(ty: Type, a: u64, b: u64, c: u64) -> u64 {
    match ty {
        Type::F32 => {
            let [a, b, c] = [a, b, c].map(|x| f32::from_bits(x as u32));
            bits32(a.mul_add(b, c))
        }
        Type::F64 => bits64(f64::from_bits(a).mul_add(f64::from_bits(b), f64::from_bits(c))),
        _ => {
            let [a, b, c] = [a, b, c].map(|x| to_f64(ty, x));
            from_f64(ty, add_round_to_odd(a * b, c))
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    const I8: Type = Type::Int(8);

    #[test]
    fn division_by_zero_and_overflow_have_defined_results() {
        assert_eq!(binary(BinaryOp::UDiv, I8, 7, 0), 0xff);
        assert_eq!(binary(BinaryOp::URem, I8, 7, 0), 7);
        assert_eq!(binary(BinaryOp::SDiv, I8, 0x80, 0), 0xff);
        assert_eq!(binary(BinaryOp::SDiv, I8, 0x80, 0xff), 0x80);
        assert_eq!(binary(BinaryOp::SRem, I8, 0x80, 0xff), 0);
        let min = i64::MIN as u64;
        assert_eq!(binary(BinaryOp::SDiv, Type::I64, min, u64::MAX), min);
    }

    #[test]
    fn shifts_by_the_width_or_more_shift_everything_out() {
        assert_eq!(binary(BinaryOp::Shl, I8, 0xff, 8), 0);
        assert_eq!(binary(BinaryOp::LShr, Type::I64, u64::MAX, 64), 0);
        assert_eq!(binary(BinaryOp::AShr, I8, 0x80, 200), 0xff);
        assert_eq!(ternary(TernaryOp::FunnelShl, I8, 0x81, 0x81, 9), 0x03);
        assert_eq!(ternary(TernaryOp::FunnelShr, I8, 0x81, 0x81, 8), 0x81);
    }

    #[test]
    fn bit_counts_respect_odd_widths() {
        let i7 = Type::Int(7);
        assert_eq!(unary(UnaryOp::Clz, i7, 1), 6);
        assert_eq!(unary(UnaryOp::Ctz, i7, 0), 7);
        assert_eq!(unary(UnaryOp::BitReverse, i7, 0b000_0011), 0b110_0000);
        assert_eq!(binary(BinaryOp::SMulHi, i7, 0x7f, 0x7f), 0);
        assert_eq!(binary(BinaryOp::UMulHi, i7, 0x7f, 0x7f), 0x7e);
    }

    #[test]
    fn minimum_and_maximum_ignore_nan_and_order_zeros() {
        let f = |x: f32| u64::from(x.to_bits());
        let min = |a, b| binary(BinaryOp::FMin, Type::F32, f(a), f(b));
        let max = |a, b| binary(BinaryOp::FMax, Type::F32, f(a), f(b));
        assert_eq!(min(f32::NAN, 2.0), f(2.0));
        assert_eq!(max(2.0, f32::NAN), f(2.0));
        assert_eq!([min(0.0, -0.0), min(-0.0, 0.0)], [f(-0.0); 2]);
        assert_eq!([max(0.0, -0.0), max(-0.0, 0.0)], [f(0.0); 2]);
        assert_eq!(min(-f32::NAN, -f32::NAN), canonical_nan(Type::F32));
    }

    #[test]
    fn float_to_integer_saturates() {
        let f = |x: f32| u64::from(x.to_bits());
        assert_eq!(cast(CastOp::FpToSi, Type::F32, I8, f(-1000.0)), 0x80);
        assert_eq!(cast(CastOp::FpToUi, Type::F32, I8, f(-1.0)), 0);
        assert_eq!(
            cast(CastOp::FpToUi, Type::F32, Type::I64, f(1e30)),
            u64::MAX
        );
        assert_eq!(cast(CastOp::FpToSi, Type::F32, I8, f(f32::NAN)), 0);
    }

    #[test]
    fn doubles_round_to_the_nearest_half() {
        let round = |x: f64| from_f64(Type::F16, x) as u16;
        for bits in 0..0x7bff_u16 {
            let (low, high) = (f16::from_bits(bits), f16::from_bits(bits + 1));
            let middle = (low.to_f64() + high.to_f64()) / 2.0;
            let even = if bits & 1 == 0 { low } else { high };
            assert_eq!(round(middle), even.to_bits());
            assert_eq!(round(-middle), even.to_bits() | 0x8000);
            assert_eq!(round(middle.next_down()), low.to_bits());
            assert_eq!(round(middle.next_up()), high.to_bits());
        }
        assert_eq!(round(65519.99), 0x7bff);
        assert_eq!(round(65520.0), 0x7c00);
    }

    #[test]
    fn half_fma_rounds_once() {
        let h = |x: f32| u64::from(f16::from_f32(x).to_bits());
        // 3 * 683 is halfway between 2048 and 2050: the smallest subnormal decides.
        let tiny = |sign: u16| u64::from(sign << 15 | 1);
        let fma = |c| ternary(TernaryOp::Fma, Type::F16, h(3.0), h(683.0), c);
        assert_eq!(fma(tiny(0)), h(2050.0));
        assert_eq!(fma(tiny(1)), h(2048.0));
        assert_eq!(fma(0), h(2048.0));
    }
}
