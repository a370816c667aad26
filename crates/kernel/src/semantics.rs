//! How values are read from bits: what the operations of [`crate::ir`] compute with.
//!
//! A value is a `u64` whose bits above its type's width are zero. What each operation computes stands
//! in its row ([`BinaryOp::evaluate`](crate::ir::BinaryOp::evaluate) and its like). The arithmetic
//! itself is [`sluice_circuit::arith`]: interpreter, constant folding, simulator and the Verilog's
//! tests all compute with the same functions. Floats are IEEE 754, rounding to nearest, ties to even, with
//! subnormals unless the kernel says otherwise; whenever the result of arithmetic is a NaN it is the
//! canonical one. Operations that only move bits (`fneg`, `fabs`, `copysign`, loads, selects) leave NaNs as they are.
//!
//! The interpreter's inner loops rely on these functions being inlined with a constant operation
//! and type.

use sluice_circuit::arith::{self, Format};

use smallvec::SmallVec;

use crate::ir::{InstData, Kernel, Type, Value};

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

/// What a pure instruction computes in a result of a type, if its operands are known; nothing for a select, which
/// may need only some of them.
pub fn evaluate(
    kernel: &Kernel,
    data: &InstData,
    ty: Type,
    bits: impl Fn(Value) -> Option<u64>,
) -> Option<u64> {
    match *data {
        InstData::Unary { op, arg } => Some(op.evaluate(ty, bits(arg)?)),
        InstData::Binary { op, args: [a, b] } => {
            Some(op.evaluate_with(kernel.subnormals, ty, bits(a)?, bits(b)?))
        }
        InstData::Ternary {
            op,
            args: [a, b, c],
        } => Some(op.evaluate_with(kernel.subnormals, ty, [bits(a)?, bits(b)?, bits(c)?])),
        InstData::Elementary { op, ref args } => {
            let args: Option<SmallVec<[u64; 2]>> = args.iter().map(|&arg| bits(arg)).collect();
            Some(op.evaluate(&args?))
        }
        InstData::Compare { pred, args: [a, b] } => {
            Some(pred.evaluate(kernel.ty(a), bits(a)?, bits(b)?).into())
        }
        InstData::Cast { op, arg } => Some(op.evaluate(kernel.ty(arg), ty, bits(arg)?)),
        InstData::PtrAdd { base, offset } => {
            let ty = kernel.ty(offset);
            Some(ptr_add(bits(base)?, ty, bits(offset)?))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use half::f16;

    use super::*;
    use crate::ir::{BinaryOp, CastOp, TernaryOp, UnaryOp};

    const I8: Type = Type::Int(8);

    #[test]
    fn division_by_zero_and_overflow_have_defined_results() {
        assert_eq!(BinaryOp::UDiv.evaluate(I8, 7, 0), 0xff);
        assert_eq!(BinaryOp::URem.evaluate(I8, 7, 0), 7);
        assert_eq!(BinaryOp::SDiv.evaluate(I8, 0x80, 0), 0xff);
        assert_eq!(BinaryOp::SDiv.evaluate(I8, 0x80, 0xff), 0x80);
        assert_eq!(BinaryOp::SRem.evaluate(I8, 0x80, 0xff), 0);
        let min = i64::MIN as u64;
        assert_eq!(BinaryOp::SDiv.evaluate(Type::I64, min, u64::MAX), min);
    }

    #[test]
    fn shifts_by_the_width_or_more_shift_everything_out() {
        assert_eq!(BinaryOp::Shl.evaluate(I8, 0xff, 8), 0);
        assert_eq!(BinaryOp::LShr.evaluate(Type::I64, u64::MAX, 64), 0);
        assert_eq!(BinaryOp::AShr.evaluate(I8, 0x80, 200), 0xff);
        assert_eq!(TernaryOp::FunnelShl.evaluate(I8, 0x81, 0x81, 9), 0x03);
        assert_eq!(TernaryOp::FunnelShr.evaluate(I8, 0x81, 0x81, 8), 0x81);
    }

    #[test]
    fn bit_counts_respect_odd_widths() {
        let i7 = Type::Int(7);
        assert_eq!(UnaryOp::Clz.evaluate(i7, 1), 6);
        assert_eq!(UnaryOp::Ctz.evaluate(i7, 0), 7);
        assert_eq!(UnaryOp::BitReverse.evaluate(i7, 0b000_0011), 0b110_0000);
        assert_eq!(BinaryOp::SMulHi.evaluate(i7, 0x7f, 0x7f), 0);
        assert_eq!(BinaryOp::UMulHi.evaluate(i7, 0x7f, 0x7f), 0x7e);
    }

    #[test]
    fn minimum_and_maximum_ignore_nan_and_order_zeros() {
        let f = |x: f32| u64::from(x.to_bits());
        let min = |a, b| BinaryOp::FMin.evaluate(Type::F32, f(a), f(b));
        let max = |a, b| BinaryOp::FMax.evaluate(Type::F32, f(a), f(b));
        assert_eq!(min(f32::NAN, 2.0), f(2.0));
        assert_eq!(max(2.0, f32::NAN), f(2.0));
        assert_eq!([min(0.0, -0.0), min(-0.0, 0.0)], [f(-0.0); 2]);
        assert_eq!([max(0.0, -0.0), max(-0.0, 0.0)], [f(0.0); 2]);
        assert_eq!(min(-f32::NAN, -f32::NAN), canonical_nan(Type::F32));
    }

    #[test]
    fn float_to_integer_saturates() {
        let f = |x: f32| u64::from(x.to_bits());
        assert_eq!(CastOp::FpToSi.evaluate(Type::F32, I8, f(-1000.0)), 0x80);
        assert_eq!(CastOp::FpToUi.evaluate(Type::F32, I8, f(-1.0)), 0);
        assert_eq!(
            CastOp::FpToUi.evaluate(Type::F32, Type::I64, f(1e30)),
            u64::MAX
        );
        assert_eq!(CastOp::FpToSi.evaluate(Type::F32, I8, f(f32::NAN)), 0);
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
        let fma = |c| TernaryOp::Fma.evaluate(Type::F16, h(3.0), h(683.0), c);
        assert_eq!(fma(tiny(0)), h(2050.0));
        assert_eq!(fma(tiny(1)), h(2048.0));
        assert_eq!(fma(0), h(2048.0));
    }
}
