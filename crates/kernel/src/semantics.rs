//! What the operations compute, on bits.
//!
//! A value is a `u64` whose bits above its type's width are zero. The arithmetic itself is
//! [`sluice_circuit::arith`]: interpreter, constant folding, simulator and the Verilog's tests all
//! compute with the same functions. Floats are IEEE 754, rounding to nearest, ties to even, with
//! subnormals unless the kernel says otherwise; whenever the result of arithmetic is a NaN it is the canonical one. Operations that
//! only move bits (`fneg`, `fabs`, `copysign`, loads, selects) leave NaNs as they are.
//!
//! The interpreter's inner loops rely on these functions being inlined with a constant operation
//! and type.

use sluice_circuit::arith::{self, Extreme, Format, Rounding, Signedness, Subnormals};

use crate::ir::{AtomicOp, BinaryOp, CastOp, Predicate, TernaryOp, Type, UnaryOp};

/// The value read as a signed integer of its width.
#[inline(always)]
pub fn signed(ty: Type, bits: u64) -> i64 {
    arith::signed(ty.bits(), bits)
}

/// The format of a float type.
#[inline(always)]
pub const fn format(ty: Type) -> Format {
    match ty {
        Type::F16 => Format::F16,
        Type::F32 => Format::F32,
        Type::F64 => Format::F64,
        Type::Int(_) | Type::Ptr(_) => panic!("verify: float operations have float operands"),
    }
}

/// Evaluates a unary operation on a value of type `ty`.
#[inline(always)]
pub fn unary(op: UnaryOp, ty: Type, a: u64) -> u64 {
    let width = ty.bits();
    match op {
        UnaryOp::Clz => arith::leading_zeros(width, a),
        UnaryOp::Ctz => arith::trailing_zeros(width, a),
        UnaryOp::Popcount => arith::count_ones(a),
        UnaryOp::BitReverse => a.reverse_bits() >> (64 - width),
        UnaryOp::ByteSwap => a.swap_bytes() >> (64 - width),
        UnaryOp::FNeg => a ^ format(ty).sign(),
        UnaryOp::FAbs => a & !format(ty).sign(),
        UnaryOp::FSqrt => arith::fsqrt(format(ty), a),
        UnaryOp::FFloor => arith::fround(format(ty), Rounding::Floor, a),
        UnaryOp::FCeil => arith::fround(format(ty), Rounding::Ceil, a),
        UnaryOp::FTrunc => arith::fround(format(ty), Rounding::Trunc, a),
        UnaryOp::FRint => arith::fround(format(ty), Rounding::Rint, a),
        UnaryOp::FRound => arith::fround(format(ty), Rounding::Round, a),
    }
}

/// Evaluates a binary operation on values of type `ty`.
#[inline(always)]
pub fn binary(op: BinaryOp, ty: Type, a: u64, b: u64) -> u64 {
    use BinaryOp::*;
    use Signedness::{Signed, Unsigned};
    let width = ty.bits();
    let mask = ty.mask();
    match op {
        Add => a.wrapping_add(b) & mask,
        Sub => a.wrapping_sub(b) & mask,
        Mul => arith::mul_low(width, a, b),
        UDiv => arith::quotient(Unsigned, width, a, b),
        SDiv => arith::quotient(Signed, width, a, b),
        URem => arith::remainder(Unsigned, width, a, b),
        SRem => arith::remainder(Signed, width, a, b),
        And => a & b,
        Or => a | b,
        Xor => a ^ b,
        Shl => arith::shift_left(width, a, b),
        LShr => arith::shift_right_logical(width, a, b),
        AShr => arith::shift_right_arithmetic(width, a, b),
        UMin => a.min(b),
        UMax => a.max(b),
        SMin => signed(ty, a).min(signed(ty, b)) as u64 & mask,
        SMax => signed(ty, a).max(signed(ty, b)) as u64 & mask,
        UMulHi => arith::mul_high(Unsigned, width, a, b),
        SMulHi => arith::mul_high(Signed, width, a, b),
        FAdd => arith::fadd(format(ty), a, b),
        FSub => arith::fsub(format(ty), a, b),
        FMul => arith::fmul(format(ty), a, b),
        FDiv => arith::fdiv(format(ty), a, b),
        FMin => arith::fextreme(format(ty), Extreme::Least, a, b),
        FMax => arith::fextreme(format(ty), Extreme::Greatest, a, b),
        CopySign => (a & !format(ty).sign()) | (b & format(ty).sign()),
    }
}

/// Evaluates a ternary operation on values of type `ty`.
#[inline(always)]
pub fn ternary(op: TernaryOp, ty: Type, a: u64, b: u64, c: u64) -> u64 {
    match op {
        TernaryOp::Fma => arith::fma(format(ty), a, b, c),
        TernaryOp::FunnelShl => arith::funnel_shift_left(ty.bits(), a, b, c),
        TernaryOp::FunnelShr => arith::funnel_shift_right(ty.bits(), a, b, c),
    }
}

/// What a binary operation on values of type `ty` makes of subnormal numbers in a kernel that says
/// `wanted` of them.
#[inline(always)]
pub fn binary_subnormals(wanted: Subnormals, op: BinaryOp, ty: Type) -> Subnormals {
    match ty == Type::F32 && matches!(op, BinaryOp::FMul | BinaryOp::FDiv) {
        true => wanted,
        false => Subnormals::Kept,
    }
}

/// Likewise for a ternary operation.
#[inline(always)]
pub fn ternary_subnormals(wanted: Subnormals, op: TernaryOp, ty: Type) -> Subnormals {
    match op {
        TernaryOp::Fma if ty == Type::F32 => wanted,
        TernaryOp::Fma | TernaryOp::FunnelShl | TernaryOp::FunnelShr => Subnormals::Kept,
    }
}

/// Evaluates a binary operation that flushes subnormal numbers, see [`binary_subnormals`].
#[inline(always)]
pub fn binary_flushed(op: BinaryOp, a: u64, b: u64) -> u64 {
    match op {
        BinaryOp::FMul => arith::fmul_flushed(Format::F32, a, b),
        BinaryOp::FDiv => arith::fdiv_flushed(Format::F32, a, b),
        other => unreachable!("{other} flushes nothing"),
    }
}

/// Evaluates a ternary operation that flushes subnormal numbers, see [`ternary_subnormals`].
#[inline(always)]
pub fn ternary_flushed(op: TernaryOp, a: u64, b: u64, c: u64) -> u64 {
    match op {
        TernaryOp::Fma => arith::fma_flushed(Format::F32, a, b, c),
        TernaryOp::FunnelShl | TernaryOp::FunnelShr => unreachable!("{op} flushes nothing"),
    }
}

/// Evaluates a comparison of values of type `ty`.
#[inline(always)]
pub fn compare(pred: Predicate, ty: Type, a: u64, b: u64) -> bool {
    use Predicate::*;
    let floats = || arith::fcompare(format(ty), a, b);
    let swapped = || arith::fcompare(format(ty), b, a);
    match pred {
        Eq => a == b,
        Ne => a != b,
        Ult => a < b,
        Ule => a <= b,
        Slt => signed(ty, a) < signed(ty, b),
        Sle => signed(ty, a) <= signed(ty, b),
        FOeq => floats().equal,
        FOne => floats().less || swapped().less,
        FOlt => floats().less,
        FOle => floats().less || floats().equal,
        FOrd => !floats().unordered,
        FUeq => floats().unordered || floats().equal,
        FUne => !floats().equal,
        FUlt => floats().unordered || floats().less,
        FUle => !swapped().less,
        FUno => floats().unordered,
    }
}

/// Evaluates a conversion of a value of type `from` to type `to`.
#[inline(always)]
pub fn cast(op: CastOp, from: Type, to: Type, a: u64) -> u64 {
    use Signedness::{Signed, Unsigned};
    match op {
        CastOp::Zext | CastOp::Bitcast => a,
        CastOp::PtrToInt | CastOp::IntToPtr | CastOp::SpaceCast => a,
        CastOp::Sext => signed(from, a) as u64 & to.mask(),
        CastOp::Trunc => a & to.mask(),
        CastOp::FpToSi => arith::float_to_int(format(from), Signed, to.bits(), a),
        CastOp::FpToUi => arith::float_to_int(format(from), Unsigned, to.bits(), a),
        CastOp::SiToFp => arith::int_to_float(Signed, from.bits(), format(to), a),
        CastOp::UiToFp => arith::int_to_float(Unsigned, from.bits(), format(to), a),
        CastOp::FpExt | CastOp::FpTrunc => arith::float_to_float(format(from), format(to), a),
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
    format(ty).canonical_nan()
}

/// A float's value; every value of every float type is exact in `f64`.
#[inline(always)]
pub fn to_f64(ty: Type, bits: u64) -> f64 {
    format(ty).to_f64(bits)
}

/// The bits of `value` rounded to `ty`, NaNs canonical.
#[inline(always)]
pub fn from_f64(ty: Type, value: f64) -> u64 {
    format(ty).from_f64(value)
}

#[cfg(test)]
mod tests {
    use half::f16;

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
