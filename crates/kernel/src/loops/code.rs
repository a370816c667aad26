//! Straight-line code that is being written: instructions in order, equal ones once.

use std::collections::HashMap;

use crate::ir::{BinaryOp, Inst, InstData, Kernel, Loc, Type, Value};

/// A condition; none if it always holds.
pub(super) type Condition = Option<Value>;

/// Instructions that will follow each other in one block.
pub(super) struct Code<'k> {
    pub(super) kernel: &'k mut Kernel,
    /// The instructions so far.
    pub(super) insts: Vec<Inst>,
    /// Where new instructions come from.
    pub(super) loc: Loc,
    known: HashMap<(InstData, Type), Value>,
}

impl<'k> Code<'k> {
    /// No instructions yet.
    pub(super) fn new(kernel: &'k mut Kernel) -> Code<'k> {
        Code {
            kernel,
            insts: Vec::new(),
            loc: Loc::default(),
            known: HashMap::new(),
        }
    }

    /// Adds a pure operation with one result, unless an equal one is there.
    pub(super) fn value(&mut self, data: InstData, ty: Type) -> Value {
        let key = (data, ty);
        if let Some(&value) = self.known.get(&key) {
            return value;
        }
        let inst = self.kernel.make_inst(key.0.clone(), &[ty], self.loc);
        self.insts.push(inst);
        let value = self.kernel.result(inst);
        self.known.insert(key, value);
        value
    }

    /// Adds an operation of two operands of one type.
    pub(super) fn binary(&mut self, op: BinaryOp, args: [Value; 2]) -> Value {
        let ty = self.kernel.ty(args[0]);
        self.value(InstData::Binary { op, args }, ty)
    }

    /// The first value if a condition holds, else the second.
    pub(super) fn select(&mut self, cond: Condition, args: [Value; 2]) -> Value {
        match cond {
            Some(cond) if args[0] != args[1] => {
                let ty = self.kernel.ty(args[0]);
                self.value(InstData::Select { cond, args }, ty)
            }
            Some(_) | None => args[0],
        }
    }

    /// Both conditions.
    pub(super) fn and(&mut self, a: Condition, b: Condition) -> Condition {
        match (a, b) {
            (Some(a), Some(b)) if a != b => Some(self.binary(BinaryOp::And, [a, b])),
            (a, b) => a.or(b),
        }
    }

    /// At least one of two conditions.
    pub(super) fn or(&mut self, a: Condition, b: Condition) -> Condition {
        let (a, b) = (a?, b?);
        if a == b {
            return Some(a);
        }
        if self.are_opposite(a, b) {
            return None;
        }
        // `a || (!a && c)` is `a || c`.
        let b = match self.kernel.def_inst(b) {
            Some(&InstData::Binary {
                op: BinaryOp::And,
                args: [first, second],
            }) if self.are_opposite(a, first) => second,
            _ => b,
        };
        Some(self.binary(BinaryOp::Or, [a, b]))
    }

    /// The opposite of a condition.
    pub(super) fn not(&mut self, cond: Value) -> Value {
        if let Some(inner) = self.negated(cond) {
            return inner;
        }
        // Neither of two opposites is one of both.
        if let Some(&InstData::Binary {
            op: BinaryOp::And,
            args: [a, b],
        }) = self.kernel.def_inst(cond)
            && let (Some(a), Some(b)) = (self.negated(a), self.negated(b))
        {
            return self.binary(BinaryOp::Or, [a, b]);
        }
        let one = constant(self.kernel, Type::BOOL, 1);
        self.binary(BinaryOp::Xor, [cond, one])
    }

    /// A condition as a value.
    pub(super) fn condition(&mut self, cond: Condition) -> Value {
        cond.unwrap_or_else(|| constant(self.kernel, Type::BOOL, 1))
    }

    fn are_opposite(&self, a: Value, b: Value) -> bool {
        self.negated(a) == Some(b) || self.negated(b) == Some(a)
    }

    /// What a condition is the opposite of, as far as its definition says.
    fn negated(&self, cond: Value) -> Option<Value> {
        match self.kernel.def_inst(cond) {
            Some(&InstData::Binary {
                op: BinaryOp::Xor,
                args: [inner, one],
            }) if self.kernel.constant(one) == Some(1) => Some(inner),
            _ => None,
        }
    }
}

/// A constant in the entry block, where it can be used everywhere.
pub(crate) fn constant(kernel: &mut Kernel, ty: Type, bits: u64) -> Value {
    let entry = kernel.entry();
    let is_it = |&&inst: &&Inst| {
        *kernel.inst(inst) == InstData::Const(bits) && kernel.ty(kernel.result(inst)) == ty
    };
    if let Some(&inst) = kernel.block(entry).insts.iter().find(is_it) {
        return kernel.result(inst);
    }
    let inst = kernel.make_inst(InstData::Const(bits), &[ty], Loc::default());
    // A barrier stays at the head of its block.
    let at = match kernel.inst(kernel.block(entry).insts[0]) {
        InstData::Barrier(_) => 1,
        _ => 0,
    };
    kernel.block_mut(entry).insts.insert(at, inst);
    kernel.result(inst)
}
