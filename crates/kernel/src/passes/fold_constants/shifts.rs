//! Identities of shifts. An amount of the width or more shifts everything out.

use super::{Folder, Simpler, cast};
use crate::ir::{BinaryOp, CastOp, InstData, Type, Value};

impl Folder<'_> {
    pub(super) fn shift(&mut self, op: BinaryOp, ty: Type, a: Value, b: Value) -> Option<Simpler> {
        // Zeros stay zeros, and for ashr so do ones, whatever the amount.
        match (op, self.constant(a)) {
            (_, Some(0)) => return Some(Simpler::Const(0)),
            (BinaryOp::AShr, Some(bits)) if bits == ty.mask() => return Some(Simpler::Const(bits)),
            _ => {}
        }
        let amount = self.constant(b)?;
        let width = u64::from(ty.bits());
        match op {
            _ if amount == 0 => Some(Simpler::Value(a)),
            BinaryOp::AShr if amount >= width => Some(self.shift_by(op, ty, a, width - 1)),
            _ if amount >= width => Some(Simpler::Const(0)),
            BinaryOp::AShr => self.sign_extension(ty, a, amount).or_else(|| {
                let (inner, before) = self.with_constant(op, a)?;
                let total = before.saturating_add(amount).min(width - 1);
                Some(self.shift_by(op, ty, inner, total))
            }),
            _ => self.same_shift_twice(op, ty, a, amount),
        }
    }

    /// A shift by a constant. An amount that the type cannot hold is the width or more.
    pub(super) fn shift_by(&mut self, op: BinaryOp, ty: Type, a: Value, amount: u64) -> Simpler {
        self.binary_with(op, ty, a, amount)
    }

    fn same_shift_twice(
        &mut self,
        op: BinaryOp,
        ty: Type,
        a: Value,
        amount: u64,
    ) -> Option<Simpler> {
        let width = u64::from(ty.bits());
        if let Some((inner, before)) = self.with_constant(op, a) {
            let total = before.saturating_add(amount);
            return Some(if total >= width {
                Simpler::Const(0)
            } else {
                self.shift_by(op, ty, inner, total)
            });
        }
        let (back, mask) = match op {
            BinaryOp::Shl => (BinaryOp::LShr, ty.mask() << amount),
            _ => (BinaryOp::Shl, ty.mask() >> amount),
        };
        let (inner, before) = self.with_constant(back, a)?;
        if before != amount {
            return None;
        }
        Some(self.binary_with(BinaryOp::And, ty, inner, mask))
    }

    /// Shifting left and back with the sign extends the low part: wires instead of shifts.
    fn sign_extension(&mut self, ty: Type, a: Value, amount: u64) -> Option<Simpler> {
        let (inner, before) = self.with_constant(BinaryOp::Shl, a)?;
        if before != amount {
            return None;
        }
        let low = Type::Int((u64::from(ty.bits()) - amount) as u8);
        let op = CastOp::Trunc;
        let low = self.make(InstData::Cast { op, arg: inner }, low);
        Some(cast(CastOp::Sext, low))
    }
}
