//! Comparisons whose outcome is known or that a simpler one can replace.

use sluice_circuit::arith::Signedness::{Signed, Unsigned};

use super::{Folder, Simpler, compare};
use crate::ir::{BinaryOp, CastOp, Order, Predicate, Relation, Type, Value};

impl Folder<'_> {
    pub(super) fn compare(&mut self, pred: Predicate, [a, b]: [Value; 2]) -> Option<Simpler> {
        use Relation::*;
        let swaps = pred.row().order == Order::Commutes;
        if swaps && self.constant(a).is_some() && self.constant(b).is_none() {
            return Some(compare(pred, b, a));
        }
        let relation = pred.row().relation?;
        if a == b {
            return Some(Simpler::Const(relation.is_reflexive().into()));
        }
        match (self.constant(a), self.constant(b), relation) {
            (_, Some(c), Equal | NotEqual) => self.equal_to(pred, a, c),
            (_, Some(c), Less(_) | LessOrEqual(_)) => self.less_than(relation, a, b, c),
            (Some(c), None, Less(_) | LessOrEqual(_)) => self.constant_less(relation, c, a, b),
            (Some(_), None, Equal | NotEqual) | (None, None, _) => None,
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
    fn less_than(&mut self, relation: Relation, a: Value, b: Value, c: u64) -> Option<Simpler> {
        use Relation::*;
        let ty = self.ty(a);
        let (least, greatest) = bounds(relation, ty);
        match relation {
            Less(_) if c == least => Some(Simpler::Const(0)),
            LessOrEqual(_) if c == greatest => Some(Simpler::Const(1)),
            LessOrEqual(_) if c == least => Some(compare(Predicate::Eq, a, b)),
            Less(_) if c == greatest => Some(compare(Predicate::Ne, a, b)),
            Less(_) if c == (least + 1) & ty.mask() => {
                let least = self.make_const(ty, least);
                Some(compare(Predicate::Eq, a, least))
            }
            Less(_) | LessOrEqual(_) | Equal | NotEqual => None,
        }
    }

    /// `c < b` or `c <= b`.
    fn constant_less(&mut self, relation: Relation, c: u64, a: Value, b: Value) -> Option<Simpler> {
        use Relation::*;
        let (least, greatest) = bounds(relation, self.ty(b));
        match relation {
            Less(_) if c == greatest => Some(Simpler::Const(0)),
            LessOrEqual(_) if c == least => Some(Simpler::Const(1)),
            LessOrEqual(_) if c == greatest => Some(compare(Predicate::Eq, b, a)),
            Less(_) if c == least => Some(compare(Predicate::Ne, b, a)),
            Less(_) | LessOrEqual(_) | Equal | NotEqual => None,
        }
    }
}

/// The least and the greatest value that a comparison sees in the type.
fn bounds(relation: Relation, ty: Type) -> (u64, u64) {
    match relation {
        Relation::Less(Signed) | Relation::LessOrEqual(Signed) => {
            (ty.mask() ^ (ty.mask() >> 1), ty.mask() >> 1)
        }
        Relation::Less(Unsigned)
        | Relation::LessOrEqual(Unsigned)
        | Relation::Equal
        | Relation::NotEqual => (0, ty.mask()),
    }
}
