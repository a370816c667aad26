//! How many of a value's low bits its uses depend on.
//!
//! An operation's low bits often depend on its operands' low bits only, so what a truncation, a mask
//! or a shift throws away need not be computed. Demand is a number of low bits rather than a set of
//! bits: below it, every bit of a value is exact, its sign at any narrower width included.

use cranelift_entity::SecondaryMap;
use sluice_circuit::operators::shift::Direction::{Left, RightArithmetic, RightLogical};

use crate::ir::{Algebra, BinaryOp, Conversion, Effect, Inst, InstData, Kernel, Value, ValueDef};

/// The number of low bits that matter, for each value.
#[derive(Clone, Debug)]
pub struct Demand {
    bits: SecondaryMap<Value, u8>,
}

impl Demand {
    /// What the kernel's effects and control flow demand.
    pub fn of(kernel: &Kernel) -> Demand {
        let mut search = Search {
            kernel,
            demand: Demand {
                bits: SecondaryMap::new(),
            },
            incoming: incoming(kernel),
            work: Vec::new(),
        };
        for (_, inst) in kernel.insts() {
            search.start(inst);
        }
        while let Some(value) = search.work.pop() {
            search.visit(value);
        }
        search.demand
    }

    /// The number of low bits of `value` that matter; 0 if the value is not used.
    pub fn bits(&self, value: Value) -> u32 {
        self.bits[value].into()
    }
}

struct Search<'k> {
    kernel: &'k Kernel,
    demand: Demand,
    incoming: SecondaryMap<Value, Vec<Value>>,
    work: Vec<Value>,
}

impl Search<'_> {
    /// Demands what an instruction with effects needs.
    fn start(&mut self, inst: Inst) {
        let data = self.kernel.inst(inst);
        match data.effect() {
            Effect::Pure => {}
            Effect::Access(access) if access.is_removable() => {}
            Effect::Control => {
                if let InstData::Branch { cond, .. } = *data {
                    self.all(cond);
                }
            }
            Effect::Access(_) | Effect::Fence(_) | Effect::Barrier(_) | Effect::Print => {
                for operand in data.operands() {
                    self.all(operand);
                }
            }
        }
    }

    fn visit(&mut self, value: Value) {
        let bits = self.demand.bits(value);
        match self.kernel.def(value) {
            ValueDef::Result(inst, _) => self.visit_inst(inst, bits),
            ValueDef::Param(..) => {
                let incoming = std::mem::take(&mut self.incoming[value]);
                for &arg in &incoming {
                    self.low(arg, bits);
                }
                self.incoming[value] = incoming;
            }
        }
    }

    /// Demands what the low `bits` of an instruction's result need.
    fn visit_inst(&mut self, inst: Inst, bits: u32) {
        let data = self.kernel.inst(inst);
        match *data {
            InstData::Binary { op, args } => self.binary(op, args, bits),
            InstData::Select { cond, args } => {
                self.all(cond);
                args.into_iter().for_each(|arg| self.low(arg, bits));
            }
            InstData::Cast { op, arg } => match op.row().conversion {
                Conversion::Extend(_) | Conversion::Truncate => self.low(arg, bits),
                Conversion::FloatToInt(_)
                | Conversion::IntToFloat(_)
                | Conversion::FloatToFloat
                | Conversion::Reinterpret => self.all(arg),
            },
            _ => data.operands().into_iter().for_each(|arg| self.all(arg)),
        }
    }

    fn binary(&mut self, op: BinaryOp, [a, b]: [Value; 2], bits: u32) {
        use Algebra::*;
        let constant = self.kernel.constant(b);
        let Some(algebra) = op.row().algebra else {
            self.all(a);
            return self.all(b);
        };
        match (algebra, constant) {
            (And, Some(mask)) => self.low(a, bits.min(64 - mask.leading_zeros())),
            (Or, Some(ones)) => {
                // Ones at the top of what is demanded come from the constant.
                let leading = (ones << (64 - bits)).leading_ones();
                self.low(a, bits.saturating_sub(leading));
            }
            (Product, Some(factor)) => self.low(a, bits.saturating_sub(factor.trailing_zeros())),
            (Sum | Difference | Product | And | Or | Xor, _) => self.low(a, bits),
            (Shift(Left), Some(by)) => self.low(a, u64::from(bits).saturating_sub(by) as u32),
            (Shift(Left), None) => self.low(a, bits),
            (Shift(RightLogical | RightArithmetic), Some(by)) => {
                self.low(a, u64::from(bits).saturating_add(by).min(64) as u32)
            }
            (Shift(RightLogical | RightArithmetic), None)
            | (HighProduct(_) | Quotient(_) | Remainder(_) | Extreme(..), _) => self.all(a),
        }
        match algebra {
            Sum | Difference | Product | And | Or | Xor => self.low(b, bits),
            Shift(_) | HighProduct(_) | Quotient(_) | Remainder(_) | Extreme(..) => self.all(b),
        }
    }

    fn all(&mut self, value: Value) {
        self.low(value, 64);
    }

    /// Demands low bits. An operand of something that is computed is itself computed: that takes
    /// at least one bit.
    fn low(&mut self, value: Value, bits: u32) {
        let bits = bits.clamp(1, self.kernel.ty(value).bits());
        if bits > self.demand.bits(value) {
            self.demand.bits[value] = bits as u8;
            self.work.push(value);
        }
    }
}

/// The values that reach each block parameter.
pub(super) fn incoming(kernel: &Kernel) -> SecondaryMap<Value, Vec<Value>> {
    let mut incoming: SecondaryMap<Value, Vec<Value>> = SecondaryMap::new();
    for &block in kernel.layout() {
        for target in kernel.successors(block) {
            let params = &kernel.block(target.block).params;
            for (&param, &arg) in params.iter().zip(&target.args) {
                incoming[param].push(arg);
            }
        }
    }
    incoming
}
