//! Integer operations with overflow detection.

use sluice_kernel::ir::{self, BinaryOp, Predicate};
use smallvec::SmallVec;

use super::body::Reader;
use super::llvm::Value;
use super::{Lanes, Result};

/// An operation that may wrap around.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Wrapping {
    UAdd,
    USub,
    UMul,
    SAdd,
    SSub,
    SMul,
}

impl<'m> Reader<'m> {
    /// The wrapped results, then whether each wrapped: the lanes of the pair that LLVM makes.
    pub fn read_with_overflow(&mut self, op: Wrapping, call: Value<'m>) -> Result<Lanes> {
        let a = self.lanes(call.operand(0))?;
        let b = self.lanes(call.operand(1))?;
        let pairs = a.iter().zip(&b);
        let (mut results, flags): (Lanes, SmallVec<[ir::Value; 4]>) =
            pairs.map(|(&a, &b)| self.wrapping(op, a, b)).unzip();
        results.extend(flags);
        Ok(results)
    }

    /// The result modulo the width, and whether that is not the true one.
    fn wrapping(&mut self, op: Wrapping, a: ir::Value, b: ir::Value) -> (ir::Value, ir::Value) {
        let bits = self.b.kernel.ty(a).bits();
        match op {
            Wrapping::UAdd => {
                let sum = self.b.binary(BinaryOp::Add, a, b);
                (sum, self.b.compare(Predicate::Ult, sum, a))
            }
            Wrapping::USub => {
                let difference = self.b.binary(BinaryOp::Sub, a, b);
                (difference, self.b.compare(Predicate::Ult, a, b))
            }
            Wrapping::UMul => {
                let product = self.b.binary(BinaryOp::Mul, a, b);
                let upper = self.b.binary(BinaryOp::UMulHi, a, b);
                (product, self.b.compare_constant(Predicate::Ne, upper, 0))
            }
            // A sum is wrong if its sign differs from both operands' signs.
            Wrapping::SAdd => {
                let sum = self.b.binary(BinaryOp::Add, a, b);
                (sum, self.both_signs_differ((sum, a), (sum, b)))
            }
            // A difference is wrong if the operands' signs differ and it has the second's.
            Wrapping::SSub => {
                let difference = self.b.binary(BinaryOp::Sub, a, b);
                (difference, self.both_signs_differ((a, b), (difference, a)))
            }
            // A product fits if its upper half is nothing but its sign.
            Wrapping::SMul => {
                let product = self.b.binary(BinaryOp::Mul, a, b);
                let upper = self.b.binary(BinaryOp::SMulHi, a, b);
                let sign = self
                    .b
                    .binary_constant(BinaryOp::AShr, product, u64::from(bits) - 1);
                (product, self.b.compare(Predicate::Ne, upper, sign))
            }
        }
    }

    fn both_signs_differ(
        &mut self,
        first: (ir::Value, ir::Value),
        second: (ir::Value, ir::Value),
    ) -> ir::Value {
        let first = self.b.binary(BinaryOp::Xor, first.0, first.1);
        let second = self.b.binary(BinaryOp::Xor, second.0, second.1);
        let both = self.b.binary(BinaryOp::And, first, second);
        self.b.compare_constant(Predicate::Slt, both, 0)
    }

    /// The result, or the nearest one that fits.
    pub fn saturating(&mut self, op: Wrapping, a: ir::Value, b: ir::Value) -> ir::Value {
        let (result, wrapped) = self.wrapping(op, a, b);
        let limit = match op {
            Wrapping::UAdd | Wrapping::UMul => self.b.constant_like(a, u64::MAX),
            Wrapping::USub => self.b.constant_like(a, 0),
            // A sum leaves the range on the side of its operands, a difference on that of its first.
            Wrapping::SAdd | Wrapping::SSub => self.signed_limit(a),
            Wrapping::SMul => {
                let sign = self.b.binary(BinaryOp::Xor, a, b);
                self.signed_limit(sign)
            }
        };
        self.b.select(wrapped, limit, result)
    }

    /// The smallest number if `sign` is negative, else the largest.
    fn signed_limit(&mut self, sign: ir::Value) -> ir::Value {
        let bits = self.b.kernel.ty(sign).bits();
        let spread = self
            .b
            .binary_constant(BinaryOp::AShr, sign, u64::from(bits) - 1);
        let largest = (1u64 << (bits - 1)) - 1;
        self.b.binary_constant(BinaryOp::Xor, spread, largest)
    }

    /// A shift to the left, or the nearest number that fits if bits were lost. `back` is the shift
    /// to the right that undoes it.
    pub fn saturating_shift(&mut self, back: BinaryOp, x: ir::Value, by: ir::Value) -> ir::Value {
        let shifted = self.b.binary(BinaryOp::Shl, x, by);
        let undone = self.b.binary(back, shifted, by);
        let lost = self.b.compare(Predicate::Ne, undone, x);
        let limit = match back == BinaryOp::AShr {
            true => self.signed_limit(x),
            false => self.b.constant_like(x, u64::MAX),
        };
        self.b.select(lost, limit, shifted)
    }
}
