//! Identities of float operations that hold for every operand, bit for bit.
//!
//! Arithmetic makes every NaN canonical, so `x * 1.0` is not `x` when `x` is some other NaN: such
//! identities need an operand that arithmetic has computed.

use sluice_circuit::operators::funnel::Direction;

use super::{Folder, Simpler, binary, is_defined_by, unary};
use crate::ir::{
    BinaryOp, InstData, Kernel, Nan, Subnormals, TernaryAlgebra, TernaryOp, Type, UnaryAlgebra,
    UnaryOp, Value,
};
use crate::semantics::{format, from_f64, to_f64};

impl Folder<'_> {
    pub(super) fn unary(&mut self, op: UnaryOp, arg: Value) -> Option<Simpler> {
        match op.row().algebra? {
            UnaryAlgebra::Count(_) => None,
            UnaryAlgebra::Permutation | UnaryAlgebra::Negation => match self.unary_def(arg)? {
                (before, inner) if before == op => Some(Simpler::Value(inner)),
                _ => None,
            },
            UnaryAlgebra::Magnitude => self.magnitude(op, arg),
        }
    }

    /// The absolute value of what has lost, or got, its sign just before.
    fn magnitude(&self, op: UnaryOp, arg: Value) -> Option<Simpler> {
        if let Some((BinaryOp::CopySign, [magnitude, _])) = self.binary_def(arg) {
            return Some(unary(op, magnitude));
        }
        let (before, inner) = self.unary_def(arg)?;
        match before.row().algebra? {
            UnaryAlgebra::Magnitude => Some(Simpler::Value(arg)),
            UnaryAlgebra::Negation => Some(unary(op, inner)),
            UnaryAlgebra::Count(_) | UnaryAlgebra::Permutation => None,
        }
    }

    pub(super) fn float_binary(
        &mut self,
        op: BinaryOp,
        ty: Type,
        a: Value,
        b: Value,
    ) -> Option<Simpler> {
        use BinaryOp::*;
        if op == CopySign && a == b {
            return Some(Simpler::Value(a));
        }
        let bits = self.constant(b)?;
        let c = to_f64(ty, bits);
        let flushes = op.subnormals(self.kernel.subnormals, ty) == Subnormals::Flushed;
        let changes_nothing = match op {
            FAdd => c == 0.0 && c.is_sign_negative(),
            FSub => c == 0.0 && c.is_sign_positive(),
            FMul | FDiv => c == 1.0 && !flushes,
            _ => false,
        };
        if changes_nothing && has_canonical_nan(self.kernel, a) {
            return Some(Simpler::Value(a));
        }
        match op {
            CopySign if c.is_sign_positive() => Some(unary(UnaryOp::FAbs, a)),
            // Scaling by a power of two rounds once, whichever way it is written.
            FDiv => {
                let reciprocal = exact_reciprocal(ty, c)?;
                let is_small = |bits: u64| bits & format(ty).infinity() == 0;
                if flushes && (is_small(bits) || is_small(reciprocal)) {
                    return None;
                }
                Some(self.binary_with(FMul, ty, a, reciprocal))
            }
            _ => None,
        }
    }

    pub(super) fn ternary(
        &mut self,
        op: TernaryOp,
        ty: Type,
        [a, b, c]: [Value; 3],
    ) -> Option<Simpler> {
        match op.row().algebra? {
            TernaryAlgebra::FusedProduct => self.fused_product(op, ty, [a, b, c]),
            TernaryAlgebra::Funnel(direction) => self.funnel_shift(direction, ty, [a, b], c),
        }
    }

    fn fused_product(&mut self, op: TernaryOp, ty: Type, [a, b, c]: [Value; 3]) -> Option<Simpler> {
        if self.constant(a).is_some() && self.constant(b).is_none() {
            let args = [b, a, c];
            return Some(Simpler::Inst(InstData::Ternary { op, args }));
        }
        let float = |value| self.constant(value).map(|bits| to_f64(ty, bits));
        let flushes = op.subnormals(self.kernel.subnormals, ty) == Subnormals::Flushed;
        if float(b) == Some(1.0) && !flushes {
            return Some(binary(BinaryOp::FAdd, a, c));
        }
        if float(c).is_some_and(|c| c == 0.0 && c.is_sign_negative()) {
            return Some(binary(BinaryOp::FMul, a, b));
        }
        None
    }

    fn funnel_shift(
        &mut self,
        direction: Direction,
        ty: Type,
        [high, low]: [Value; 2],
        amount: Value,
    ) -> Option<Simpler> {
        let amount = self.constant(amount)? % u64::from(ty.bits());
        let upper = direction == Direction::Left;
        if amount == 0 {
            return Some(Simpler::Value(if upper { high } else { low }));
        }
        let shift = if upper {
            amount
        } else {
            u64::from(ty.bits()) - amount
        };
        if self.constant(low) == Some(0) {
            return Some(self.binary_with(BinaryOp::Shl, ty, high, shift));
        }
        if self.constant(high) == Some(0) {
            let down = u64::from(ty.bits()) - shift;
            return Some(self.binary_with(BinaryOp::LShr, ty, low, down));
        }
        None
    }
}

/// The bits of `1 / c`, if `c` is a power of two whose reciprocal the type has.
fn exact_reciprocal(ty: Type, c: f64) -> Option<u64> {
    let fraction = (1 << (f64::MANTISSA_DIGITS - 1)) - 1;
    if !c.is_normal() || c.to_bits() & fraction != 0 {
        return None;
    }
    let bits = from_f64(ty, 1.0 / c);
    let reciprocal = to_f64(ty, bits);
    (reciprocal.is_normal() && reciprocal * c == 1.0).then_some(bits)
}

/// Whether the value, if it is a NaN, is the canonical one.
pub(super) fn has_canonical_nan(kernel: &Kernel, value: Value) -> bool {
    is_defined_by(kernel, value, |data| match data {
        InstData::Unary { op, .. } => op.row().nan == Nan::Canonical,
        InstData::Binary { op, .. } => op.row().nan == Nan::Canonical,
        InstData::Ternary { op, .. } => op.row().nan == Nan::Canonical,
        InstData::Elementary { .. } => true,
        InstData::Cast { op, .. } => op.row().conversion.nan() == Nan::Canonical,
        _ => false,
    })
}
