//! Arithmetic, comparisons, casts and selects, lane by lane.

use sluice_kernel::ir::{self, BinaryOp, CastOp, Predicate, Type, UnaryOp};

use super::body::Reader;
use super::llvm::{IntPredicate, Opcode, RealPredicate, Value};
use super::{Lanes, Result, types};

/// The order of a comparison's operands: the IR has only less-than predicates.
enum Order {
    Same(Predicate),
    Swapped(Predicate),
    Always(bool),
}

impl<'m> Reader<'m> {
    /// An operation with one operand.
    pub fn read_unary(&mut self, op: UnaryOp, value: Value<'m>) -> Result<Lanes> {
        let args = self.lanes(value.operand(0))?;
        Ok(args.iter().map(|&arg| self.b.unary(op, arg)).collect())
    }

    /// An operation with two operands.
    pub fn read_binary(&mut self, opcode: Opcode, value: Value<'m>) -> Result<Lanes> {
        if types::is_wide(value.ty()) {
            return self.read_wide_binary(opcode, value);
        }
        self.map_binary(binary_op(opcode), value.operand(0), value.operand(1))
    }

    /// A binary operation on each pair of lanes.
    pub fn map_binary(&mut self, op: BinaryOp, a: Value<'m>, b: Value<'m>) -> Result<Lanes> {
        let (a, b) = (self.lanes(a)?, self.lanes(b)?);
        let pairs = a.iter().zip(&b);
        Ok(pairs.map(|(&a, &b)| self.b.binary(op, a, b)).collect())
    }

    /// Integers of more than 64 bits: what is bitwise, and shifts by constants.
    fn read_wide_binary(&mut self, opcode: Opcode, value: Value<'m>) -> Result<Lanes> {
        let (a, b) = (value.operand(0), value.operand(1));
        let types = types::lanes(value.ty())?;
        match opcode {
            Opcode::LLVMAnd | Opcode::LLVMOr | Opcode::LLVMXor => {
                self.map_binary(binary_op(opcode), a, b)
            }
            Opcode::LLVMShl | Opcode::LLVMLShr => {
                let amount = self.lanes(b)?;
                let Some(bits) = self.b.kernel.constant(amount[0]) else {
                    return Err(types::unsupported(value.ty()));
                };
                let from = match opcode {
                    Opcode::LLVMShl => -(bits as i64),
                    _ => bits as i64,
                };
                let source = self.lanes(a)?;
                Ok(self.b.repack(&source, from, &types))
            }
            _ => Err(types::unsupported(value.ty())),
        }
    }

    /// A choice by one condition or by one per lane.
    pub fn read_select(&mut self, value: Value<'m>) -> Result<Lanes> {
        let cond = self.lanes(value.operand(0))?;
        let (yes, no) = (self.lanes(value.operand(1))?, self.lanes(value.operand(2))?);
        let pairs = yes.iter().zip(&no).enumerate();
        let choose = |(at, (&yes, &no))| {
            let cond = cond.get(at).copied().unwrap_or(cond[0]);
            self.b.select(cond, yes, no)
        };
        Ok(pairs.map(choose).collect())
    }

    /// An integer or pointer comparison.
    pub fn read_int_compare(&mut self, value: Value<'m>) -> Result<Lanes> {
        let operand_type = value.operand(0).ty();
        if types::is_wide(operand_type) {
            return Err(types::unsupported(operand_type));
        }
        let order = int_order(value.int_predicate());
        self.read_compare(order, value)
    }

    /// A float comparison.
    pub fn read_float_compare(&mut self, value: Value<'m>) -> Result<Lanes> {
        let order = real_order(value.real_predicate());
        self.read_compare(order, value)
    }

    fn read_compare(&mut self, order: Order, value: Value<'m>) -> Result<Lanes> {
        let a = self.lanes(value.operand(0))?;
        let b = self.lanes(value.operand(1))?;
        let pairs = a.iter().zip(&b);
        Ok(pairs
            .map(|(&a, &b)| match order {
                Order::Same(pred) => self.compare_scalars(pred, a, b),
                Order::Swapped(pred) => self.compare_scalars(pred, b, a),
                Order::Always(answer) => self.b.constant(Type::BOOL, answer.into()),
            })
            .collect())
    }

    fn compare_scalars(&mut self, pred: Predicate, a: ir::Value, b: ir::Value) -> ir::Value {
        match pred.is_signed() {
            // Pointers compare as unsigned numbers only.
            true => {
                let (a, b) = (self.b.as_int(a), self.b.as_int(b));
                self.b.compare(pred, a, b)
            }
            false => self.b.compare(pred, a, b),
        }
    }

    /// A conversion.
    pub fn read_cast(&mut self, opcode: Opcode, value: Value<'m>) -> Result<Lanes> {
        let source = self.lanes(value.operand(0))?;
        let types = types::lanes(value.ty())?;
        let is_wide = types::is_wide(value.ty()) || types::is_wide(value.operand(0).ty());
        match opcode {
            Opcode::LLVMBitCast => return Ok(self.b.repack(&source, 0, &types)),
            Opcode::LLVMTrunc | Opcode::LLVMZExt if is_wide => {
                return Ok(self.b.repack(&source, 0, &types));
            }
            _ if is_wide => return Err(types::unsupported(wide_side(value))),
            _ => {}
        }
        let lanes = source.iter().zip(types);
        Ok(lanes
            .map(|(&arg, ty)| self.cast_scalar(opcode, arg, ty))
            .collect())
    }

    fn cast_scalar(&mut self, opcode: Opcode, arg: ir::Value, ty: Type) -> ir::Value {
        let op = match opcode {
            Opcode::LLVMTrunc => CastOp::Trunc,
            Opcode::LLVMZExt => CastOp::Zext,
            Opcode::LLVMSExt => CastOp::Sext,
            Opcode::LLVMFPToUI => CastOp::FpToUi,
            Opcode::LLVMFPToSI => CastOp::FpToSi,
            Opcode::LLVMUIToFP => CastOp::UiToFp,
            Opcode::LLVMSIToFP => CastOp::SiToFp,
            Opcode::LLVMFPTrunc => CastOp::FpTrunc,
            Opcode::LLVMFPExt => CastOp::FpExt,
            Opcode::LLVMAddrSpaceCast => CastOp::SpaceCast,
            // Addresses are numbers of 64 bits; LLVM also converts from and to other widths.
            Opcode::LLVMPtrToInt => {
                let address = self.b.cast(CastOp::PtrToInt, arg, Type::I64);
                return self.b.resize(address, ty);
            }
            Opcode::LLVMIntToPtr => {
                let address = self.b.resize(arg, Type::I64);
                return self.b.cast(CastOp::IntToPtr, address, ty);
            }
            other => unreachable!("{other:?} is not a cast"),
        };
        self.b.cast(op, arg, ty)
    }
}

fn wide_side(cast: Value<'_>) -> super::llvm::Type<'_> {
    match types::is_wide(cast.ty()) {
        true => cast.ty(),
        false => cast.operand(0).ty(),
    }
}

fn binary_op(opcode: Opcode) -> BinaryOp {
    match opcode {
        Opcode::LLVMAdd => BinaryOp::Add,
        Opcode::LLVMSub => BinaryOp::Sub,
        Opcode::LLVMMul => BinaryOp::Mul,
        Opcode::LLVMUDiv => BinaryOp::UDiv,
        Opcode::LLVMSDiv => BinaryOp::SDiv,
        Opcode::LLVMURem => BinaryOp::URem,
        Opcode::LLVMSRem => BinaryOp::SRem,
        Opcode::LLVMAnd => BinaryOp::And,
        Opcode::LLVMOr => BinaryOp::Or,
        Opcode::LLVMXor => BinaryOp::Xor,
        Opcode::LLVMShl => BinaryOp::Shl,
        Opcode::LLVMLShr => BinaryOp::LShr,
        Opcode::LLVMAShr => BinaryOp::AShr,
        Opcode::LLVMFAdd => BinaryOp::FAdd,
        Opcode::LLVMFSub => BinaryOp::FSub,
        Opcode::LLVMFMul => BinaryOp::FMul,
        Opcode::LLVMFDiv => BinaryOp::FDiv,
        other => unreachable!("{other:?} is not a binary operation"),
    }
}

fn int_order(predicate: IntPredicate) -> Order {
    use IntPredicate::*;
    match predicate {
        LLVMIntEQ => Order::Same(Predicate::Eq),
        LLVMIntNE => Order::Same(Predicate::Ne),
        LLVMIntULT => Order::Same(Predicate::Ult),
        LLVMIntULE => Order::Same(Predicate::Ule),
        LLVMIntUGT => Order::Swapped(Predicate::Ult),
        LLVMIntUGE => Order::Swapped(Predicate::Ule),
        LLVMIntSLT => Order::Same(Predicate::Slt),
        LLVMIntSLE => Order::Same(Predicate::Sle),
        LLVMIntSGT => Order::Swapped(Predicate::Slt),
        LLVMIntSGE => Order::Swapped(Predicate::Sle),
    }
}

fn real_order(predicate: RealPredicate) -> Order {
    use RealPredicate::*;
    match predicate {
        LLVMRealPredicateFalse => Order::Always(false),
        LLVMRealPredicateTrue => Order::Always(true),
        LLVMRealOEQ => Order::Same(Predicate::FOeq),
        LLVMRealONE => Order::Same(Predicate::FOne),
        LLVMRealOLT => Order::Same(Predicate::FOlt),
        LLVMRealOLE => Order::Same(Predicate::FOle),
        LLVMRealOGT => Order::Swapped(Predicate::FOlt),
        LLVMRealOGE => Order::Swapped(Predicate::FOle),
        LLVMRealORD => Order::Same(Predicate::FOrd),
        LLVMRealUEQ => Order::Same(Predicate::FUeq),
        LLVMRealUNE => Order::Same(Predicate::FUne),
        LLVMRealULT => Order::Same(Predicate::FUlt),
        LLVMRealULE => Order::Same(Predicate::FUle),
        LLVMRealUGT => Order::Swapped(Predicate::FUlt),
        LLVMRealUGE => Order::Swapped(Predicate::FUle),
        LLVMRealUNO => Order::Same(Predicate::FUno),
    }
}
