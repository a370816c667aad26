//! What a reduction is: a parameter of a loop that is only ever combined with other values by one operation.

use std::collections::BTreeSet;

use super::Refused;
use super::one_block::OneBlock;
use crate::ir::{
    BinaryOp, Inst, InstData, Kernel, Reassociation, TernaryOp, Type, Value, ValueDef,
};
use crate::semantics::format;

/// The operation of a reduction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Operation {
    /// Sums of integers, also differences.
    Sum,
    /// Sums of floats, also differences and fused products.
    FloatSum,
    /// An operation that combines with itself.
    Same(BinaryOp),
}

impl Operation {
    /// That of an instruction that updates a value, and the operand that the value has to be.
    fn of(data: &InstData) -> Option<(Operation, Vec<usize>)> {
        match data {
            InstData::Binary { op, .. } => match op {
                BinaryOp::Add => Some((Operation::Sum, vec![0, 1])),
                BinaryOp::Sub => Some((Operation::Sum, vec![0])),
                BinaryOp::FAdd => Some((Operation::FloatSum, vec![0, 1])),
                BinaryOp::FSub => Some((Operation::FloatSum, vec![0])),
                BinaryOp::Mul
                | BinaryOp::And
                | BinaryOp::Or
                | BinaryOp::Xor
                | BinaryOp::UMin
                | BinaryOp::UMax
                | BinaryOp::SMin
                | BinaryOp::SMax
                | BinaryOp::FMul
                | BinaryOp::FMin
                | BinaryOp::FMax => Some((Operation::Same(*op), vec![0, 1])),
                BinaryOp::UDiv
                | BinaryOp::SDiv
                | BinaryOp::URem
                | BinaryOp::SRem
                | BinaryOp::Shl
                | BinaryOp::LShr
                | BinaryOp::AShr
                | BinaryOp::UMulHi
                | BinaryOp::SMulHi
                | BinaryOp::FDiv
                | BinaryOp::CopySign => None,
            },
            InstData::Ternary {
                op: TernaryOp::Fma, ..
            } => Some((Operation::FloatSum, vec![2])),
            _ => None,
        }
    }

    /// What combines two partial results.
    pub(super) fn combination(self) -> BinaryOp {
        match self {
            Operation::Sum => BinaryOp::Add,
            Operation::FloatSum => BinaryOp::FAdd,
            Operation::Same(op) => op,
        }
    }

    /// The bits of the value that changes nothing.
    pub(super) fn identity(self, ty: Type) -> u64 {
        let highest = 1 << (ty.bits() - 1);
        match self.combination() {
            BinaryOp::Mul => 1,
            BinaryOp::And | BinaryOp::UMin => ty.mask(),
            BinaryOp::SMin => ty.mask() & !highest,
            BinaryOp::SMax => highest,
            // Minus zero: plus zero would change the sign of a sum that is minus zero.
            BinaryOp::FAdd => format(ty).sign(),
            BinaryOp::FMul => format(ty).from_f64(1.0),
            // The result is the other operand, also if that is an infinity.
            BinaryOp::FMin | BinaryOp::FMax => format(ty).canonical_nan(),
            _ => 0,
        }
    }

    /// Whether results are the same bits in any order.
    fn is_exact(self) -> bool {
        !matches!(self, Operation::FloatSum | Operation::Same(BinaryOp::FMul))
    }

    fn is_float_extreme(self) -> bool {
        matches!(self, Operation::Same(BinaryOp::FMin | BinaryOp::FMax))
    }
}

/// A parameter of a loop and the operations that lead from it to its next value.
pub(super) struct Chain {
    pub(super) param: Value,
    /// Its value in the next iteration.
    pub(super) last: Value,
    pub(super) operation: Operation,
    /// The operations, in order.
    pub(super) insts: Vec<Inst>,
}

impl Chain {
    /// The reduction that a parameter is. No reason is given for parameters that no one would take for one.
    pub(super) fn of(
        kernel: &Kernel,
        loop_: &OneBlock,
        param: Value,
    ) -> Result<Chain, Option<Refused>> {
        let params = kernel.block(loop_.header).params.iter();
        let mut params = params.zip(loop_.next(kernel));
        let (_, &last) = params
            .find(|(it, _)| **it == param)
            .expect("it is a parameter");
        let mut search = Search {
            kernel,
            loop_,
            param,
            found: None,
            members: BTreeSet::new(),
            has_select: false,
        };
        if last == param || !search.leads_to(last) {
            return Err(None);
        }
        let (operation, inst) = search.found.ok_or(None)?;
        let allowed = kernel.reassociation == Reassociation::Allowed;
        let is_exact = operation.is_exact() && !(operation.is_float_extreme() && search.has_select);
        if !is_exact && !allowed {
            let what = "the order of operations on floats has to be kept, \
                        unless the kernel is built with -cl-fast-relaxed-math";
            return Err(Some(Refused::at(kernel, inst, what)));
        }
        if let Some(other) = search.other_use(last) {
            let what = "a partial result is used in the loop or behind it";
            return Err(Some(Refused::at(kernel, other, what)));
        }
        let insts = kernel.block(loop_.header).insts.iter().copied();
        Ok(Chain {
            param,
            last,
            operation,
            insts: insts.filter(|it| search.members.contains(it)).collect(),
        })
    }
}

struct Search<'k> {
    kernel: &'k Kernel,
    loop_: &'k OneBlock,
    param: Value,
    found: Option<(Operation, Inst)>,
    /// The operations between the parameter and its next value.
    members: BTreeSet<Inst>,
    has_select: bool,
}

impl Search<'_> {
    /// Whether a value is the parameter after some updates by one operation. Operands other than the updated
    /// value do not depend on the parameter: that it has no other uses is checked later.
    fn leads_to(&mut self, value: Value) -> bool {
        if value == self.param {
            return true;
        }
        let ValueDef::Result(inst, _) = self.kernel.def(value) else {
            return false;
        };
        if !self.kernel.block(self.loop_.header).insts.contains(&inst) {
            return false;
        }
        if self.members.contains(&inst) {
            return true;
        }
        let data = self.kernel.inst(inst);
        if let InstData::Select { args, .. } = data {
            self.has_select = true;
            let leads = self.leads_to(args[0]) && self.leads_to(args[1]);
            self.members.insert(inst);
            return leads;
        }
        let Some((operation, places)) = Operation::of(data) else {
            return false;
        };
        if self.found.is_some_and(|(found, _)| found != operation) {
            return false;
        }
        let operands = data.operands();
        let before = (self.found, self.members.clone(), self.has_select);
        for place in places {
            self.found = self.found.or(Some((operation, inst)));
            if self.leads_to(operands[place]) {
                self.members.insert(inst);
                return true;
            }
            (self.found, self.members, self.has_select) = before.clone();
        }
        false
    }

    /// An instruction other than the members that uses the parameter or a value on the way, or one
    /// of them that uses it more than once. The next value may be used behind the loop.
    fn other_use(&self, last: Value) -> Option<Inst> {
        let mut values: BTreeSet<Value> = self
            .members
            .iter()
            .map(|&inst| self.kernel.result(inst))
            .collect();
        values.insert(self.param);
        let header = self.loop_.header;
        let is_other = |&(block, inst): &(_, Inst)| {
            let data = self.kernel.inst(inst);
            let operands = data.operands().into_iter();
            let used: Vec<Value> = operands.filter(|it| values.contains(it)).collect();
            if self.members.contains(&inst) {
                return match data {
                    InstData::Select { cond, .. } => values.contains(cond),
                    _ => used.len() > 1,
                };
            }
            if block == header && inst != self.loop_.branch {
                return !used.is_empty();
            }
            // The branch brings the next value to the parameter, and perhaps behind the loop.
            used.iter().any(|&it| it != last) || self.is_brought_elsewhere(inst, last)
        };
        self.kernel.insts().find(is_other).map(|(_, inst)| inst)
    }

    /// Whether the loop's branch has the next value as that of another parameter, or as its condition.
    fn is_brought_elsewhere(&self, inst: Inst, last: Value) -> bool {
        if inst != self.loop_.branch {
            return false;
        }
        let next = self.loop_.next(self.kernel).iter();
        next.filter(|&&it| it == last).count() > 1 || self.loop_.cond == last
    }
}
