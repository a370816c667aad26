//! Atomic operations and fences.

use sluice_kernel::ir::{self, AtomicOp, Fences, InstData, ObjectSet, Predicate, Type};
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
        let (operand, ty) = self.atomic_operand(value.operand(1))?;
        let data = InstData::AtomicRmw {
            op,
            ptr,
            value: operand,
            objects: ObjectSet::default(),
            guard: None,
        };
        let old = self.b.value(data, self.b.kernel.ty(operand));
        Ok(one(self.b.reinterpret(old, ty)))
    }

    /// A compare-and-exchange: the old value, and whether it was the expected one.
    pub fn read_compare_exchange(&mut self, value: Value<'m>) -> Result<Lanes> {
        let ptr = self.scalar(value.operand(0))?;
        let (expected, ty) = self.atomic_operand(value.operand(1))?;
        let (new, _) = self.atomic_operand(value.operand(2))?;
        let data = InstData::CmpXchg {
            ptr,
            expected,
            new,
            objects: ObjectSet::default(),
            guard: None,
        };
        let old = self.b.value(data, self.b.kernel.ty(new));
        let swapped = self.b.compare(Predicate::Eq, old, expected);
        Ok(smallvec![self.b.reinterpret(old, ty), swapped])
    }

    /// An operand as atomics take it, and the type that the program gives it: pointers are
    /// exchanged as numbers.
    fn atomic_operand(&mut self, operand: Value<'m>) -> Result<(ir::Value, Type)> {
        let value = self.scalar(operand)?;
        let ty = self.b.kernel.ty(value);
        match ty {
            Type::Int(32 | 64) | Type::F32 | Type::F64 => Ok((value, ty)),
            Type::Ptr(_) => Ok((self.b.as_int(value), ty)),
            Type::Int(_) | Type::F16 => Err(Refusal::new(
                Code::UnsupportedOperation,
                format!("atomic operations have 32 or 64 bits, not {}", ty.bits()),
            )),
        }
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
