//! Atomic operations and fences.

use sluice_kernel::ir::{AtomicOp, Fences, InstData, ObjectSet, Predicate};
use smallvec::smallvec;

use super::body::{Reader, one};
use super::llvm::{RmwOp, Value};
use super::refusal::{Code, Refusal};
use super::{Lanes, Result};

impl<'m> Reader<'m> {
    /// An atomic read-modify-write.
    pub fn read_atomic_update(&mut self, value: Value<'m>) -> Result<Lanes> {
        let op = atomic_op(value.rmw_op()).ok_or_else(|| {
            Refusal::new(
                Code::UnsupportedOperation,
                format!("this atomic operation is not supported: `{}`", value.text()),
            )
            .help("use the atomic functions on integers, or a loop with atomic_cmpxchg")
        })?;
        let ptr = self.scalar(value.operand(0))?;
        let operand = self.scalar(value.operand(1))?;
        let data = InstData::AtomicRmw {
            op,
            ptr,
            value: operand,
            objects: ObjectSet::default(),
        };
        Ok(one(self.b.value(data, self.b.kernel.ty(operand))))
    }

    /// A compare-and-exchange: the old value, and whether it was the expected one.
    pub fn read_compare_exchange(&mut self, value: Value<'m>) -> Result<Lanes> {
        let ptr = self.scalar(value.operand(0))?;
        let expected = self.scalar(value.operand(1))?;
        let new = self.scalar(value.operand(2))?;
        let data = InstData::CmpXchg {
            ptr,
            expected,
            new,
            objects: ObjectSet::default(),
        };
        let old = self.b.value(data, self.b.kernel.ty(new));
        let swapped = self.b.compare(Predicate::Eq, old, expected);
        Ok(smallvec![old, swapped])
    }

    /// A fence of the language's memory model: it does not say which memory it orders.
    pub fn read_fence(&mut self) -> Result<Lanes> {
        self.b.effect(InstData::Fence(Fences {
            local: true,
            global: true,
        }));
        Ok(Lanes::new())
    }
}

fn atomic_op(op: RmwOp) -> Option<AtomicOp> {
    Some(match op {
        RmwOp::LLVMAtomicRMWBinOpXchg => AtomicOp::Xchg,
        RmwOp::LLVMAtomicRMWBinOpAdd => AtomicOp::Add,
        RmwOp::LLVMAtomicRMWBinOpSub => AtomicOp::Sub,
        RmwOp::LLVMAtomicRMWBinOpAnd => AtomicOp::And,
        RmwOp::LLVMAtomicRMWBinOpOr => AtomicOp::Or,
        RmwOp::LLVMAtomicRMWBinOpXor => AtomicOp::Xor,
        RmwOp::LLVMAtomicRMWBinOpMax => AtomicOp::SMax,
        RmwOp::LLVMAtomicRMWBinOpMin => AtomicOp::SMin,
        RmwOp::LLVMAtomicRMWBinOpUMax => AtomicOp::UMax,
        RmwOp::LLVMAtomicRMWBinOpUMin => AtomicOp::UMin,
        _ => return None,
    })
}
