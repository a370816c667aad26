//! Identities of shifts. An amount of the width or more shifts everything out.

use super::{Folder, Simpler, cast};
use crate::ir::{BinaryOp, CastOp, InstData, Type, Value};

impl Folder<'_> {
    pub(super) fn shl(&mut self, ty: Type, a: Value, b: Value) -> Option<Simpler> {
        self.shift_zeros_in(BinaryOp::Shl, ty, a, b).or_else(|| {
            let amount = self.constant(b)?;
            self.there_and_back(BinaryOp::LShr, ty, a, amount, ty.mask() << amount)
        })
    }

    pub(super) fn lshr(&mut self, ty: Type, a: Value, b: Value) -> Option<Simpler> {
        self.shift_zeros_in(BinaryOp::LShr, ty, a, b).or_else(|| {
            let amount = self.constant(b)?;
            self.there_and_back(BinaryOp::Shl, ty, a, amount, ty.mask() >> amount)
        })
    }

    fn shift_zeros_in(&mut self, op: BinaryOp, ty: Type, a: Value, b: Value) -> Option<Simpler> {
        if self.constant(a) == Some(0) {
            return Some(Simpler::Const(0));
        }
        let amount = self.constant(b)?;
        let width = u64::from(ty.bits());
        if amount == 0 {
            return Some(Simpler::Value(a));
        }
        if amount >= width {
            return Some(Simpler::Const(0));
        }
        let (inner, before) = self.with_constant(op, a)?;
        let total = before.saturating_add(amount);
        if total >= width {
            return Some(Simpler::Const(0));
        }
        Some(self.binary_with(op, ty, inner, total))
    }

    /// Shifting by an amount below the width and back leaves the bits of `mask`.
    fn there_and_back(
        &mut self,
        there: BinaryOp,
        ty: Type,
        a: Value,
        amount: u64,
        mask: u64,
    ) -> Option<Simpler> {
        match self.with_constant(there, a)? {
            (inner, before) if before == amount => {
                Some(self.binary_with(BinaryOp::And, ty, inner, mask))
            }
            _ => None,
        }
    }

    pub(super) fn ashr(&mut self, ty: Type, a: Value, b: Value) -> Option<Simpler> {
        // Zeros stay zeros and ones stay ones, whatever the amount.
        if let Some(bits) = self.constant(a).filter(|&a| a == 0 || a == ty.mask()) {
            return Some(Simpler::Const(bits));
        }
        let amount = self.constant(b)?;
        let last = u64::from(ty.bits()) - 1;
        if amount == 0 {
            return Some(Simpler::Value(a));
        }
        if amount > last {
            return Some(self.binary_with(BinaryOp::AShr, ty, a, last));
        }
        if let Some(extension) = self.sign_extension(ty, a, amount) {
            return Some(extension);
        }
        let (inner, before) = self.with_constant(BinaryOp::AShr, a)?;
        let total = before.saturating_add(amount).min(last);
        Some(self.binary_with(BinaryOp::AShr, ty, inner, total))
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
