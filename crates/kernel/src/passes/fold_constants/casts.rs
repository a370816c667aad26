//! Chains of conversions and of pointer arithmetic.

use super::floats::has_canonical_nan;
use super::{Folder, Simpler, cast};
use crate::ir::{CastOp, InstData, Space, Type, Value};
use crate::semantics;

impl Folder<'_> {
    pub(super) fn cast(&mut self, op: CastOp, to: Type, arg: Value) -> Option<Simpler> {
        use CastOp::*;
        let (before, inner) = self.cast_def(arg)?;
        let from = self.ty(inner);
        match (op, before) {
            (Zext, Zext) | (Sext, Sext) | (Trunc, Trunc) | (FpExt, FpExt) => Some(cast(op, inner)),
            // What was extended by zeros has no sign.
            (Sext, Zext) => Some(cast(Zext, inner)),
            (Trunc, Zext | Sext) if to == from => Some(Simpler::Value(inner)),
            (Trunc, Zext | Sext) if to.bits() < from.bits() => Some(cast(Trunc, inner)),
            (Trunc, Zext | Sext) => Some(cast(before, inner)),
            (UiToFp | SiToFp, Zext) => Some(cast(UiToFp, inner)),
            (SiToFp, Sext) => Some(cast(SiToFp, inner)),
            (Bitcast, Bitcast) if to == from => Some(Simpler::Value(inner)),
            (Bitcast, Bitcast) => Some(cast(Bitcast, inner)),
            (FpTrunc, FpExt) if to == from && has_canonical_nan(self.kernel, inner) => {
                Some(Simpler::Value(inner))
            }
            (PtrToInt, IntToPtr) => Some(Simpler::Value(inner)),
            (IntToPtr, PtrToInt) | (SpaceCast, SpaceCast) if to == from => {
                Some(Simpler::Value(inner))
            }
            (PtrToInt, SpaceCast) => Some(cast(PtrToInt, inner)),
            _ => None,
        }
    }

    /// Of a pointer that is an object's address, however it was moved and cast.
    pub(super) fn in_space(&self, space: Space, mut ptr: Value) -> Option<Simpler> {
        loop {
            match *self.kernel.def_inst(ptr)? {
                InstData::Addr(object) => {
                    let is_there = self.kernel.objects[object].space() == space;
                    return Some(Simpler::Const(is_there.into()));
                }
                InstData::PtrAdd { base, .. } => ptr = base,
                InstData::Cast {
                    op: CastOp::SpaceCast,
                    arg,
                } => ptr = arg,
                _ => return None,
            }
        }
    }

    pub(super) fn ptr_add(&mut self, base: Value, offset: Value) -> Option<Simpler> {
        // Offsets are read as signed, whatever their width.
        if let Some((CastOp::Sext, offset)) = self.cast_def(offset) {
            return Some(Simpler::Inst(InstData::PtrAdd { base, offset }));
        }
        let distance = semantics::signed(self.ty(offset), self.constant(offset)?);
        if distance == 0 {
            return Some(Simpler::Value(base));
        }
        let Some(&InstData::PtrAdd {
            base,
            offset: first,
        }) = self.kernel.def_inst(base)
        else {
            return None;
        };
        let first = semantics::signed(self.ty(first), self.constant(first)?);
        let total = first.wrapping_add(distance) as u64;
        let offset = self.make_const(Type::I64, total);
        Some(Simpler::Inst(InstData::PtrAdd { base, offset }))
    }
}
