//! Identities of integer arithmetic and of bitwise operations. All hold for every operand, wrapped
//! results, zero divisors and `i1` included.

use super::{Folder, Simpler, binary};
use crate::ir::{BinaryOp, Type, Value};
use crate::semantics;

impl Folder<'_> {
    pub(super) fn add(&mut self, ty: Type, a: Value, b: Value) -> Option<Simpler> {
        let Some(c) = self.constant(b) else {
            return self.add_negated(a, b);
        };
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

    pub(super) fn subtract(&mut self, ty: Type, a: Value, b: Value) -> Option<Simpler> {
        if a == b {
            return Some(Simpler::Const(0));
        }
        match self.constant(b) {
            Some(0) => return Some(Simpler::Value(a)),
            Some(c) => return Some(self.binary_with(BinaryOp::Add, ty, a, c.wrapping_neg())),
            None => {}
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

    fn negative(&mut self, ty: Type, a: Value) -> Simpler {
        let zero = self.make_const(ty, 0);
        binary(BinaryOp::Sub, zero, a)
    }

    pub(super) fn multiply(&mut self, ty: Type, a: Value, b: Value) -> Option<Simpler> {
        let c = self.constant(b)?;
        if c == 0 {
            return Some(Simpler::Const(0));
        }
        if c.is_power_of_two() {
            let amount = c.trailing_zeros().into();
            return Some(self.binary_with(BinaryOp::Shl, ty, a, amount));
        }
        if c == ty.mask() {
            return Some(self.negative(ty, a));
        }
        let (inner, before) = self.with_constant(BinaryOp::Mul, a)?;
        Some(self.binary_with(BinaryOp::Mul, ty, inner, before.wrapping_mul(c)))
    }

    /// The upper half of a product with 0, whatever the signs.
    pub(super) fn multiply_high(&self, b: Value) -> Option<Simpler> {
        (self.constant(b) == Some(0)).then_some(Simpler::Const(0))
    }

    pub(super) fn udiv(&mut self, ty: Type, a: Value, b: Value) -> Option<Simpler> {
        match self.constant(b)? {
            0 => Some(Simpler::Const(ty.mask())),
            c if c.is_power_of_two() => {
                Some(self.binary_with(BinaryOp::LShr, ty, a, c.trailing_zeros().into()))
            }
            _ => None,
        }
    }

    pub(super) fn urem(&mut self, ty: Type, a: Value, b: Value) -> Option<Simpler> {
        match self.constant(b)? {
            0 => Some(Simpler::Value(a)),
            c if c.is_power_of_two() => Some(self.binary_with(BinaryOp::And, ty, a, c - 1)),
            _ => None,
        }
    }

    pub(super) fn sdiv(&mut self, ty: Type, a: Value, b: Value) -> Option<Simpler> {
        match self.constant(b)? {
            0 => Some(Simpler::Const(ty.mask())),
            1 => Some(Simpler::Value(a)),
            c if c == ty.mask() => Some(self.negative(ty, a)),
            c if is_positive_power_of_two(ty, c) => {
                let bias = self.rounding_bias(ty, a, c);
                let sum = self.make_binary(BinaryOp::Add, ty, a, bias);
                Some(self.binary_with(BinaryOp::AShr, ty, sum, c.trailing_zeros().into()))
            }
            _ => None,
        }
    }

    pub(super) fn srem(&mut self, ty: Type, a: Value, b: Value) -> Option<Simpler> {
        match self.constant(b)? {
            0 => Some(Simpler::Value(a)),
            1 => Some(Simpler::Const(0)),
            c if c == ty.mask() => Some(Simpler::Const(0)),
            c if is_positive_power_of_two(ty, c) => {
                let bias = self.rounding_bias(ty, a, c);
                let sum = self.make_binary(BinaryOp::Add, ty, a, bias);
                let mask = self.make_const(ty, c - 1);
                let low = self.make_binary(BinaryOp::And, ty, sum, mask);
                Some(binary(BinaryOp::Sub, low, bias))
            }
            _ => None,
        }
    }

    /// `c - 1` for a negative `a`, else 0: what makes a shift to the right round towards zero.
    fn rounding_bias(&mut self, ty: Type, a: Value, c: u64) -> Value {
        let last = self.make_const(ty, u64::from(ty.bits()) - 1);
        let sign = self.make_binary(BinaryOp::AShr, ty, a, last);
        let mask = self.make_const(ty, c - 1);
        self.make_binary(BinaryOp::And, ty, sign, mask)
    }

    pub(super) fn xor(&mut self, ty: Type, a: Value, b: Value) -> Option<Simpler> {
        if a == b {
            return Some(Simpler::Const(0));
        }
        let c = self.constant(b)?;
        if c == 0 {
            return Some(Simpler::Value(a));
        }
        let (inner, before) = self.with_constant(BinaryOp::Xor, a)?;
        Some(self.binary_with(BinaryOp::Xor, ty, inner, before ^ c))
    }

    /// An operation that gives an operand back if both are equal.
    pub(super) fn idempotent(
        &mut self,
        op: BinaryOp,
        ty: Type,
        [a, b]: [Value; 2],
        limits: Limits,
    ) -> Option<Simpler> {
        if a == b {
            return Some(Simpler::Value(a));
        }
        let c = self.constant(b)?;
        if c == limits.neutral {
            return Some(Simpler::Value(a));
        }
        if c == limits.absorbing {
            return Some(Simpler::Const(c));
        }
        let (inner, before) = self.with_constant(op, a)?;
        let both = op.evaluate(ty, before, c);
        Some(self.binary_with(op, ty, inner, both))
    }
}

/// The operand that changes nothing, and the one that decides the result.
pub(super) struct Limits {
    pub(super) neutral: u64,
    pub(super) absorbing: u64,
}

fn is_positive_power_of_two(ty: Type, c: u64) -> bool {
    c.is_power_of_two() && semantics::signed(ty, c) > 0
}
