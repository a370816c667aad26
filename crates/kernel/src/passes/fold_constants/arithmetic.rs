//! Identities of integer arithmetic and of bitwise operations. All hold for every operand, wrapped
//! results, zero divisors and `i1` included.

use super::{Folder, Simpler, binary};
use crate::ir::{BinaryOp, Type, Value};
use crate::semantics;

impl Folder<'_> {
    pub(super) fn arithmetic(
        &mut self,
        op: BinaryOp,
        ty: Type,
        a: Value,
        b: Value,
    ) -> Option<Simpler> {
        use BinaryOp::*;
        match (op, self.constant(b)) {
            (Add, Some(c)) => self.add_constant(ty, a, c),
            (Add, None) => self.add_negated(a, b),
            (Sub, Some(0)) => Some(Simpler::Value(a)),
            (Sub, Some(c)) => Some(self.binary_with(Add, ty, a, c.wrapping_neg())),
            (Sub, None) => self.subtract(a, b),
            (Mul, Some(c)) => self.multiply_by(ty, a, c),
            (UMulHi | SMulHi, Some(0)) => Some(Simpler::Const(0)),
            (UMulHi, Some(1)) => Some(Simpler::Const(0)),
            (UDiv | SDiv | URem | SRem, Some(c)) => self.divide_by(op, ty, a, c),
            (Mul | UMulHi | SMulHi | UDiv | SDiv | URem | SRem, _) => None,
            (_, _) => unreachable!("{op} is not arithmetic"),
        }
    }

    fn add_constant(&mut self, ty: Type, a: Value, c: u64) -> Option<Simpler> {
        if c == 0 {
            return Some(Simpler::Value(a));
        }
        let (inner, before) = self.with_constant(BinaryOp::Add, a)?;
        Some(self.binary_with(BinaryOp::Add, ty, inner, before.wrapping_add(c)))
    }

    fn add_negated(&self, a: Value, b: Value) -> Option<Simpler> {
        if let Some(negated) = self.negated(b) {
            return Some(binary(BinaryOp::Sub, a, negated));
        }
        let negated = self.negated(a)?;
        Some(binary(BinaryOp::Sub, b, negated))
    }

    fn subtract(&self, a: Value, b: Value) -> Option<Simpler> {
        if a == b {
            return Some(Simpler::Const(0));
        }
        let negated = self.negated(b)?;
        if self.constant(a) == Some(0) {
            return Some(Simpler::Value(negated));
        }
        Some(binary(BinaryOp::Add, a, negated))
    }

    /// The value of which `value` is the negative, if it is written as one.
    fn negated(&self, value: Value) -> Option<Value> {
        match self.binary_def(value)? {
            (BinaryOp::Sub, [zero, inner]) if self.constant(zero) == Some(0) => Some(inner),
            _ => None,
        }
    }

    fn multiply_by(&mut self, ty: Type, a: Value, c: u64) -> Option<Simpler> {
        if c == 0 {
            return Some(Simpler::Const(0));
        }
        if c.is_power_of_two() {
            let amount = c.trailing_zeros().into();
            return Some(self.shift_by(BinaryOp::Shl, ty, a, amount));
        }
        if c == ty.mask() {
            let zero = self.make_const(ty, 0);
            return Some(binary(BinaryOp::Sub, zero, a));
        }
        let (inner, before) = self.with_constant(BinaryOp::Mul, a)?;
        Some(self.binary_with(BinaryOp::Mul, ty, inner, before.wrapping_mul(c)))
    }

    fn divide_by(&mut self, op: BinaryOp, ty: Type, a: Value, c: u64) -> Option<Simpler> {
        use BinaryOp::*;
        match (op, c) {
            (UDiv | SDiv, 0) => return Some(Simpler::Const(ty.mask())),
            (URem | SRem, 0) => return Some(Simpler::Value(a)),
            (UDiv | SDiv, 1) => return Some(Simpler::Value(a)),
            (URem | SRem, 1) => return Some(Simpler::Const(0)),
            (SRem, _) if c == ty.mask() => return Some(Simpler::Const(0)),
            (SDiv, _) if c == ty.mask() => {
                let zero = self.make_const(ty, 0);
                return Some(binary(Sub, zero, a));
            }
            _ => {}
        }
        if !c.is_power_of_two() {
            return None;
        }
        match op {
            UDiv => Some(self.shift_by(LShr, ty, a, c.trailing_zeros().into())),
            URem => Some(self.binary_with(And, ty, a, c - 1)),
            // The most negative divisor is not a positive power of two.
            _ if semantics::signed(ty, c) < 0 => None,
            SDiv => {
                let bias = self.rounding_bias(ty, a, c);
                let sum = self.make_binary(Add, ty, a, bias);
                Some(self.shift_by(AShr, ty, sum, c.trailing_zeros().into()))
            }
            SRem => {
                let bias = self.rounding_bias(ty, a, c);
                let sum = self.make_binary(Add, ty, a, bias);
                let mask = self.make_const(ty, c - 1);
                let low = self.make_binary(And, ty, sum, mask);
                Some(binary(Sub, low, bias))
            }
            _ => unreachable!("{op} is not a division"),
        }
    }

    /// `c - 1` for a negative `a`, else 0: what makes a shift to the right round towards zero.
    fn rounding_bias(&mut self, ty: Type, a: Value, c: u64) -> Value {
        let last = self.make_const(ty, u64::from(ty.bits()) - 1);
        let sign = self.make_binary(BinaryOp::AShr, ty, a, last);
        let mask = self.make_const(ty, c - 1);
        self.make_binary(BinaryOp::And, ty, sign, mask)
    }

    pub(super) fn bitwise(
        &mut self,
        op: BinaryOp,
        ty: Type,
        a: Value,
        b: Value,
    ) -> Option<Simpler> {
        use BinaryOp::*;
        if a == b {
            return Some(match op {
                Xor => Simpler::Const(0),
                _ => Simpler::Value(a),
            });
        }
        let c = self.constant(b)?;
        let (least, greatest) = (ty.mask() ^ (ty.mask() >> 1), ty.mask() >> 1);
        let (neutral, absorbing) = match op {
            And => (ty.mask(), Some(0)),
            Or => (0, Some(ty.mask())),
            Xor => (0, None),
            UMin => (ty.mask(), Some(0)),
            UMax => (0, Some(ty.mask())),
            SMin => (greatest, Some(least)),
            SMax => (least, Some(greatest)),
            _ => unreachable!("{op} is not bitwise"),
        };
        if c == neutral {
            return Some(Simpler::Value(a));
        }
        if Some(c) == absorbing {
            return Some(Simpler::Const(c));
        }
        let (inner, before) = self.with_constant(op, a)?;
        let both = semantics::binary(op, ty, before, c);
        Some(self.binary_with(op, ty, inner, both))
    }
}
