//! Emission: instructions at the end of the current block, and constants, arguments and addresses
//! once each at the start of the entry block.

use std::collections::HashMap;

use sluice_kernel::Kernel;
use sluice_kernel::ir::{
    BinaryOp, Block, CastOp, Elementary, Inst, InstData, Loc, Object, Predicate, Query, TernaryOp,
    Type, UnaryOp, Value,
};
use smallvec::SmallVec;

/// A kernel under construction.
pub struct Builder {
    /// The kernel.
    pub kernel: Kernel,
    /// Where instructions go.
    pub block: Block,
    /// The source location of what is being emitted.
    pub loc: Loc,
    /// Instructions that go before the entry block's own.
    prologue: Vec<Inst>,
    placed: HashMap<(InstData, Type), Value>,
}

impl Builder {
    /// Starts with an empty entry block.
    pub fn new(mut kernel: Kernel) -> Builder {
        let block = kernel.add_block();
        Builder {
            kernel,
            block,
            loc: Loc::default(),
            prologue: Vec::new(),
            placed: HashMap::new(),
        }
    }

    /// Inserts the prologue and returns the kernel.
    pub fn finish(mut self) -> Kernel {
        let entry = self.kernel.entry();
        let insts = &mut self.kernel.block_mut(entry).insts;
        self.prologue.append(insts);
        *insts = self.prologue;
        self.kernel
    }

    /// Emits an instruction without results.
    pub fn effect(&mut self, data: InstData) {
        self.kernel.append(self.block, data, &[], self.loc);
    }

    /// Emits an instruction with one result.
    pub fn value(&mut self, data: InstData, ty: Type) -> Value {
        self.kernel.append_value(self.block, data, ty, self.loc)
    }

    /// Emits an instruction with a result per type.
    pub fn values(&mut self, data: InstData, types: &[Type]) -> &[Value] {
        let inst = self.kernel.append(self.block, data, types, self.loc);
        self.kernel.results(inst)
    }

    fn once(&mut self, data: InstData, ty: Type) -> Value {
        if let Some(&value) = self.placed.get(&(data.clone(), ty)) {
            return value;
        }
        let inst = self.kernel.make_inst(data.clone(), &[ty], Loc::default());
        self.prologue.push(inst);
        let value = self.kernel.result(inst);
        self.placed.insert((data, ty), value);
        value
    }

    /// A constant, given by its bits.
    pub fn constant(&mut self, ty: Type, bits: u64) -> Value {
        self.once(InstData::Const(bits & ty.mask()), ty)
    }

    /// A constant of the type of another value.
    pub fn constant_like(&mut self, like: Value, bits: u64) -> Value {
        self.constant(self.kernel.ty(like), bits)
    }

    /// One lane of an argument.
    pub fn argument(&mut self, param: u32, lane: u8, ty: Type) -> Value {
        self.once(InstData::Arg { param, lane }, ty)
    }

    /// The address of an object.
    pub fn address(&mut self, object: Object) -> Value {
        let space = self.kernel.objects[object].space();
        self.once(InstData::Addr(object), Type::Ptr(space))
    }

    /// A work-item function.
    pub fn query(&mut self, query: Query, dim: u8) -> Value {
        self.value(InstData::Query { query, dim }, Type::I64)
    }

    /// An operation with one operand.
    pub fn unary(&mut self, op: UnaryOp, arg: Value) -> Value {
        self.value(InstData::Unary { op, arg }, self.kernel.ty(arg))
    }

    /// An operation with two operands.
    pub fn binary(&mut self, op: BinaryOp, a: Value, b: Value) -> Value {
        let args = [a, b];
        self.value(InstData::Binary { op, args }, self.kernel.ty(a))
    }

    /// An operation whose second operand is a constant.
    pub fn binary_constant(&mut self, op: BinaryOp, a: Value, bits: u64) -> Value {
        let b = self.constant_like(a, bits);
        self.binary(op, a, b)
    }

    /// An operation with three operands.
    pub fn ternary(&mut self, op: TernaryOp, args: [Value; 3]) -> Value {
        self.value(InstData::Ternary { op, args }, self.kernel.ty(args[0]))
    }

    /// An elementary function.
    pub fn elementary(&mut self, op: Elementary, args: SmallVec<[Value; 2]>) -> Value {
        self.value(InstData::Elementary { op, args }, Type::F32)
    }

    /// A choice.
    pub fn select(&mut self, cond: Value, yes: Value, no: Value) -> Value {
        let args = [yes, no];
        self.value(InstData::Select { cond, args }, self.kernel.ty(yes))
    }

    /// A comparison.
    pub fn compare(&mut self, pred: Predicate, a: Value, b: Value) -> Value {
        let args = [a, b];
        self.value(InstData::Compare { pred, args }, Type::BOOL)
    }

    /// A comparison with a constant.
    pub fn compare_constant(&mut self, pred: Predicate, a: Value, bits: u64) -> Value {
        let b = self.constant_like(a, bits);
        self.compare(pred, a, b)
    }

    /// The opposite of a condition.
    pub fn not(&mut self, cond: Value) -> Value {
        self.binary_constant(BinaryOp::Xor, cond, u64::MAX)
    }

    /// A conversion; no instruction if the value already has the type.
    pub fn cast(&mut self, op: CastOp, arg: Value, ty: Type) -> Value {
        if self.kernel.ty(arg) == ty {
            return arg;
        }
        self.value(InstData::Cast { op, arg }, ty)
    }

    /// An integer truncated or zero-extended.
    pub fn resize(&mut self, arg: Value, ty: Type) -> Value {
        let op = match self.kernel.ty(arg).bits() < ty.bits() {
            true => CastOp::Zext,
            false => CastOp::Trunc,
        };
        self.cast(op, arg, ty)
    }

    /// An integer truncated or sign-extended.
    pub fn resize_signed(&mut self, arg: Value, ty: Type) -> Value {
        let op = match self.kernel.ty(arg).bits() < ty.bits() {
            true => CastOp::Sext,
            false => CastOp::Trunc,
        };
        self.cast(op, arg, ty)
    }

    /// A pointer moved by a number of bytes.
    pub fn offset(&mut self, base: Value, offset: Value) -> Value {
        self.value(InstData::PtrAdd { base, offset }, self.kernel.ty(base))
    }

    /// A pointer moved by a constant number of bytes.
    pub fn offset_constant(&mut self, base: Value, bytes: i64) -> Value {
        if bytes == 0 {
            return base;
        }
        let offset = self.constant(Type::I64, bytes as u64);
        self.offset(base, offset)
    }

    /// The bits of a scalar as an integer.
    pub fn as_int(&mut self, value: Value) -> Value {
        match self.kernel.ty(value) {
            Type::Int(_) => value,
            Type::F16 => self.cast(CastOp::Bitcast, value, Type::Int(16)),
            Type::F32 => self.cast(CastOp::Bitcast, value, Type::I32),
            Type::F64 => self.cast(CastOp::Bitcast, value, Type::I64),
            Type::Ptr(_) => self.cast(CastOp::PtrToInt, value, Type::I64),
        }
    }

    /// An integer's bits as a scalar of another type of its width.
    pub fn reinterpret(&mut self, value: Value, ty: Type) -> Value {
        if self.kernel.ty(value) == ty {
            return value;
        }
        match ty {
            Type::Int(_) => value,
            Type::F16 | Type::F32 | Type::F64 => self.cast(CastOp::Bitcast, value, ty),
            Type::Ptr(_) => self.cast(CastOp::IntToPtr, value, ty),
        }
    }
}
