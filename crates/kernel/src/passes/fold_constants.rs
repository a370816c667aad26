//! Folding: operations on constants become constants, and operations that are exactly some simpler
//! operation become that one. The circuit then has no units for what is known beforehand, and the
//! other passes have fewer forms to recognise.

mod arithmetic;
mod casts;
mod comparisons;
mod floats;
mod shifts;

use sluice_circuit::arith::Extreme::{Greatest, Least};
use sluice_circuit::arith::Signedness::{Signed, Unsigned};
use sluice_circuit::operators::shift::Direction::{Left, RightArithmetic, RightLogical};
use smallvec::SmallVec;

use crate::analysis::Cfg;
use crate::ir::{
    Algebra, BinaryOp, Block, CastOp, Inst, InstData, Kernel, Loc, Predicate, Type, UnaryOp, Value,
    ValueDef,
};
use crate::semantics;

use super::renaming::Renaming;
use super::{Changed, drop_unreachable};
use arithmetic::Limits;

/// Folds constants and simplifies operations.
pub fn fold_constants(kernel: &mut Kernel) -> Changed {
    let order = Cfg::of(kernel).reverse_postorder().to_vec();
    let mut folder = Folder {
        kernel,
        renaming: Renaming::new(),
        done: Vec::new(),
        loc: Loc::default(),
        changed: Changed::No,
    };
    // Definitions come before their uses: one round sees every operand in its final form.
    for block in order {
        folder.fold_block(block);
    }
    let Folder {
        renaming, changed, ..
    } = folder;
    renaming.apply(kernel);
    changed | drop_unreachable(kernel)
}

/// What an instruction can be replaced by.
enum Simpler {
    /// A value that is there already.
    Value(Value),
    /// A constant of the result's type.
    Const(u64),
    /// Another instruction with the same result.
    Inst(InstData),
}

/// Whether an access may happen.
#[derive(PartialEq, Eq)]
enum Guarded {
    /// As far as is known.
    Maybe,
    /// Its guard is 0.
    Never,
}

struct Folder<'k> {
    kernel: &'k mut Kernel,
    renaming: Renaming,
    /// The instructions of the present block that are finished.
    done: Vec<Inst>,
    /// Where the present instruction comes from.
    loc: Loc,
    changed: Changed,
}

impl Folder<'_> {
    fn fold_block(&mut self, block: Block) {
        let insts = std::mem::take(&mut self.kernel.block_mut(block).insts);
        for inst in insts {
            self.fold_inst(inst);
        }
        self.kernel.block_mut(block).insts = std::mem::take(&mut self.done);
    }

    fn fold_inst(&mut self, inst: Inst) {
        let renaming = &self.renaming;
        self.kernel
            .inst_mut(inst)
            .map_operands(|value| renaming.resolve(value));
        self.loc = self.kernel.loc(inst);
        if self.guard(inst) == Guarded::Never {
            return self.drop_access(inst);
        }
        while let Some(simpler) = self.simplify(inst) {
            self.changed = Changed::Yes;
            match simpler {
                Simpler::Inst(data) => *self.kernel.inst_mut(inst) = data,
                Simpler::Const(bits) => *self.kernel.inst_mut(inst) = InstData::Const(bits),
                Simpler::Value(value) => {
                    let result = self.kernel.result(inst);
                    self.renaming.replace(self.kernel, result, value);
                    return;
                }
            }
        }
        self.done.push(inst);
    }

    /// Drops a guard that always holds.
    fn guard(&mut self, inst: Inst) -> Guarded {
        let guard = self.kernel.inst(inst).guard();
        match guard.and_then(|guard| self.kernel.constant(guard)) {
            None => Guarded::Maybe,
            Some(0) => Guarded::Never,
            Some(_) => {
                let guard = self.kernel.inst_mut(inst).guard_mut();
                *guard.expect("it has a guard") = None;
                self.changed = Changed::Yes;
                Guarded::Maybe
            }
        }
    }

    /// Replaces an access that never happens by the zeros that it gives.
    fn drop_access(&mut self, inst: Inst) {
        self.changed = Changed::Yes;
        let results: SmallVec<[Value; 4]> = self.kernel.results(inst).into();
        for result in results {
            let ty = self.kernel.ty(result);
            let zero = self.kernel.make_inst(InstData::Const(0), &[ty], self.loc);
            self.done.push(zero);
            let zero = self.kernel.result(zero);
            self.renaming.replace(self.kernel, result, zero);
        }
    }

    fn simplify(&mut self, inst: Inst) -> Option<Simpler> {
        let data = self.kernel.inst(inst).clone();
        if data.is_terminator() {
            return self.terminator(&data);
        }
        let [result] = *self.kernel.results(inst) else {
            return None;
        };
        let ty = self.kernel.ty(result);
        let constant = |value| self.kernel.constant(value);
        if let Some(bits) = semantics::evaluate(self.kernel, &data, ty, constant) {
            return Some(Simpler::Const(bits));
        }
        match data {
            InstData::Unary { op, arg } => self.unary(op, arg),
            InstData::Binary { op, args } => self.binary(op, ty, args),
            InstData::Ternary { op, args } => self.ternary(op, ty, args),
            InstData::Select { cond, args } => self.select(ty, cond, args),
            InstData::Compare { pred, args } => self.compare(pred, args),
            InstData::Cast { op, arg } => self.cast(op, ty, arg),
            InstData::PtrAdd { base, offset } => self.ptr_add(base, offset),
            InstData::InSpace { space, ptr } => self.in_space(space, ptr),
            InstData::Elementary { .. }
            | InstData::Const(_)
            | InstData::Arg { .. }
            | InstData::Addr(_)
            | InstData::Query { .. }
            | InstData::Load { .. }
            | InstData::Store { .. }
            | InstData::AtomicRmw { .. }
            | InstData::CmpXchg { .. }
            | InstData::Barrier(_)
            | InstData::Fence(_)
            | InstData::Printf { .. }
            | InstData::Jump(_)
            | InstData::Branch { .. }
            | InstData::Return => None,
        }
    }

    fn binary(&mut self, op: BinaryOp, ty: Type, [a, b]: [Value; 2]) -> Option<Simpler> {
        if op.is_commutative() && self.constant(a).is_some() && self.constant(b).is_none() {
            return Some(binary(op, b, a));
        }
        use Algebra::*;
        let Some(algebra) = op.row().algebra else {
            return match op.is_float() {
                true => self.float_binary(op, ty, a, b),
                false => None,
            };
        };
        let (none, all) = (0, ty.mask());
        let (least, greatest) = (ty.mask() ^ (ty.mask() >> 1), ty.mask() >> 1);
        let mut between = |neutral, absorbing| {
            let limits = Limits { neutral, absorbing };
            self.idempotent(op, ty, [a, b], limits)
        };
        match algebra {
            And | Extreme(Unsigned, Least) => between(all, none),
            Or | Extreme(Unsigned, Greatest) => between(none, all),
            Extreme(Signed, Least) => between(greatest, least),
            Extreme(Signed, Greatest) => between(least, greatest),
            Xor => self.xor(ty, a, b),
            Sum => self.add(ty, a, b),
            Difference => self.subtract(ty, a, b),
            Product => self.multiply(ty, a, b),
            HighProduct(_) => self.multiply_high(b),
            Quotient(Unsigned) => self.udiv(ty, a, b),
            Remainder(Unsigned) => self.urem(ty, a, b),
            Quotient(Signed) => self.sdiv(ty, a, b),
            Remainder(Signed) => self.srem(ty, a, b),
            Shift(Left) => self.shl(ty, a, b),
            Shift(RightLogical) => self.lshr(ty, a, b),
            Shift(RightArithmetic) => self.ashr(ty, a, b),
        }
    }

    fn select(&mut self, ty: Type, cond: Value, [yes, no]: [Value; 2]) -> Option<Simpler> {
        if let Some(cond) = self.constant(cond) {
            return Some(Simpler::Value(if cond == 1 { yes } else { no }));
        }
        if yes == no || (self.constant(yes).is_some() && self.constant(yes) == self.constant(no)) {
            return Some(Simpler::Value(yes));
        }
        if let Some(cond) = self.inverted(cond) {
            let args = [no, yes];
            return Some(Simpler::Inst(InstData::Select { cond, args }));
        }
        if !ty.is_int() {
            return None;
        }
        match (self.constant(yes), self.constant(no)) {
            (Some(1), Some(0)) if ty == Type::BOOL => Some(Simpler::Value(cond)),
            (Some(0), Some(1)) if ty == Type::BOOL => {
                Some(binary(BinaryOp::Xor, cond, self.make_const(Type::BOOL, 1)))
            }
            (Some(1), _) if ty == Type::BOOL => Some(binary(BinaryOp::Or, cond, no)),
            (_, Some(0)) if ty == Type::BOOL => Some(binary(BinaryOp::And, cond, yes)),
            (Some(1), Some(0)) => Some(cast(CastOp::Zext, cond)),
            (Some(bits), Some(0)) if bits == ty.mask() => Some(cast(CastOp::Sext, cond)),
            _ => None,
        }
    }

    fn terminator(&mut self, data: &InstData) -> Option<Simpler> {
        let InstData::Branch { cond, targets } = data else {
            return None;
        };
        if let Some(cond) = self.constant(*cond) {
            let taken = &targets[usize::from(cond == 0)];
            return Some(Simpler::Inst(InstData::Jump(taken.clone())));
        }
        if targets[0] == targets[1] {
            return Some(Simpler::Inst(InstData::Jump(targets[0].clone())));
        }
        let cond = self.inverted(*cond)?;
        let targets = [targets[1].clone(), targets[0].clone()];
        Some(Simpler::Inst(InstData::Branch { cond, targets }))
    }

    /// The condition of which `cond` is the opposite, if it is written as one.
    fn inverted(&self, cond: Value) -> Option<Value> {
        match self.binary_def(cond)? {
            (BinaryOp::Xor, [inner, one]) if self.constant(one) == Some(1) => Some(inner),
            _ => None,
        }
    }

    fn constant(&self, value: Value) -> Option<u64> {
        self.kernel.constant(value)
    }

    fn ty(&self, value: Value) -> Type {
        self.kernel.ty(value)
    }

    /// The unary operation that defines `value`.
    fn unary_def(&self, value: Value) -> Option<(UnaryOp, Value)> {
        match *self.kernel.def_inst(value)? {
            InstData::Unary { op, arg } => Some((op, arg)),
            _ => None,
        }
    }

    /// The binary operation that defines `value`.
    fn binary_def(&self, value: Value) -> Option<(BinaryOp, [Value; 2])> {
        match *self.kernel.def_inst(value)? {
            InstData::Binary { op, args } => Some((op, args)),
            _ => None,
        }
    }

    /// The conversion that defines `value`.
    fn cast_def(&self, value: Value) -> Option<(CastOp, Value)> {
        match *self.kernel.def_inst(value)? {
            InstData::Cast { op, arg } => Some((op, arg)),
            _ => None,
        }
    }

    /// The other operand, if `value` is `op` of that and a constant on the right.
    fn with_constant(&self, op: BinaryOp, value: Value) -> Option<(Value, u64)> {
        match self.binary_def(value)? {
            (found, [inner, right]) if found == op => Some((inner, self.constant(right)?)),
            _ => None,
        }
    }

    /// A new instruction in front of the present one.
    fn make(&mut self, data: InstData, ty: Type) -> Value {
        let inst = self.kernel.make_inst(data, &[ty], self.loc);
        self.done.push(inst);
        self.kernel.result(inst)
    }

    fn make_const(&mut self, ty: Type, bits: u64) -> Value {
        self.make(InstData::Const(bits & ty.mask()), ty)
    }

    fn make_binary(&mut self, op: BinaryOp, ty: Type, a: Value, b: Value) -> Value {
        self.make(InstData::Binary { op, args: [a, b] }, ty)
    }

    /// `op` of a value and a new constant.
    fn binary_with(&mut self, op: BinaryOp, ty: Type, a: Value, b: u64) -> Simpler {
        let b = self.make_const(ty, b);
        binary(op, a, b)
    }
}

fn binary(op: BinaryOp, a: Value, b: Value) -> Simpler {
    Simpler::Inst(InstData::Binary { op, args: [a, b] })
}

fn unary(op: UnaryOp, arg: Value) -> Simpler {
    Simpler::Inst(InstData::Unary { op, arg })
}

fn cast(op: CastOp, arg: Value) -> Simpler {
    Simpler::Inst(InstData::Cast { op, arg })
}

fn compare(pred: Predicate, a: Value, b: Value) -> Simpler {
    let args = [a, b];
    Simpler::Inst(InstData::Compare { pred, args })
}

/// Whether the value is defined by an instruction that the test accepts.
fn is_defined_by(kernel: &Kernel, value: Value, test: impl Fn(&InstData) -> bool) -> bool {
    match kernel.def(value) {
        ValueDef::Result(inst, _) => test(kernel.inst(inst)),
        ValueDef::Param(..) => false,
    }
}
