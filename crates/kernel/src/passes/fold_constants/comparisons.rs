//! Comparisons whose outcome is known or that a simpler one can replace.

use super::{Folder, Simpler, compare};
use crate::ir::{BinaryOp, CastOp, Predicate, Type, Value};

impl Folder<'_> {
    pub(super) fn compare(&mut self, pred: Predicate, [a, b]: [Value; 2]) -> Option<Simpler> {
        use Predicate::*;
        let swaps = matches!(pred, Eq | Ne | FOeq | FOne | FOrd | FUeq | FUne | FUno);
        if swaps && self.constant(a).is_some() && self.constant(b).is_none() {
            return Some(compare(pred, b, a));
        }
        if pred.is_float() {
            return None;
        }
        if a == b {
            let truth = matches!(pred, Eq | Ule | Sle);
            return Some(Simpler::Const(truth.into()));
        }
        match (self.constant(a), self.constant(b)) {
            (_, Some(c)) if matches!(pred, Eq | Ne) => self.equal_to(pred, a, c),
            (_, Some(c)) => self.less_than(pred, a, b, c),
            (Some(c), _) => self.constant_less(pred, c, a, b),
            (None, None) => None,
        }
    }

    fn equal_to(&mut self, pred: Predicate, a: Value, c: u64) -> Option<Simpler> {
        let ty = self.ty(a);
        if ty == Type::BOOL {
            return Some(if (pred == Predicate::Eq) == (c == 1) {
                Simpler::Value(a)
            } else {
                self.binary_with(BinaryOp::Xor, ty, a, 1)
            });
        }
        if let Some((CastOp::Zext, inner)) = self.cast_def(a) {
            let from = self.ty(inner);
            if c > from.mask() {
                return Some(Simpler::Const((pred == Predicate::Ne).into()));
            }
            let c = self.make_const(from, c);
            return Some(compare(pred, inner, c));
        }
        if let Some((inner, by)) = self.with_constant(BinaryOp::Xor, a) {
            let c = self.make_const(ty, c ^ by);
            return Some(compare(pred, inner, c));
        }
        if let Some((inner, by)) = self.with_constant(BinaryOp::Add, a) {
            let c = self.make_const(ty, c.wrapping_sub(by));
            return Some(compare(pred, inner, c));
        }
        match self.binary_def(a)? {
            (BinaryOp::Sub, [left, right]) if c == 0 => Some(compare(pred, left, right)),
            _ => None,
        }
    }

    /// `a < c` or `a <= c`.
    fn less_than(&mut self, pred: Predicate, a: Value, b: Value, c: u64) -> Option<Simpler> {
        use Predicate::*;
        let ty = self.ty(a);
        let (least, greatest) = bounds(pred, ty);
        match pred {
            Ult | Slt if c == least => Some(Simpler::Const(0)),
            Ule | Sle if c == greatest => Some(Simpler::Const(1)),
            Ule | Sle if c == least => Some(compare(Eq, a, b)),
            Ult | Slt if c == greatest => Some(compare(Ne, a, b)),
            Ult | Slt if c == (least + 1) & ty.mask() => {
                let least = self.make_const(ty, least);
                Some(compare(Eq, a, least))
            }
            _ => None,
        }
    }

    /// `c < b` or `c <= b`.
    fn constant_less(&mut self, pred: Predicate, c: u64, a: Value, b: Value) -> Option<Simpler> {
        use Predicate::*;
        let (least, greatest) = bounds(pred, self.ty(b));
        match pred {
            Ult | Slt if c == greatest => Some(Simpler::Const(0)),
            Ule | Sle if c == least => Some(Simpler::Const(1)),
            Ule | Sle if c == greatest => Some(compare(Eq, b, a)),
            Ult | Slt if c == least => Some(compare(Ne, b, a)),
            _ => None,
        }
    }
}

/// The least and the greatest value that a comparison sees in the type.
fn bounds(pred: Predicate, ty: Type) -> (u64, u64) {
    if pred.is_signed() {
        (ty.mask() ^ (ty.mask() >> 1), ty.mask() >> 1)
    } else {
        (0, ty.mask())
    }
}
