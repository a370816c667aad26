//! The first iterations of a loop of one block, computed before it: addresses and conditions of what is loaded ahead.

use std::collections::HashMap;

use super::code::{Code, Condition};
use super::one_block::OneBlock;
use crate::ir::{Block, Kernel, Value, ValueDef};

/// What values are in the first iterations.
pub(super) struct FirstIterations<'l> {
    loop_: &'l OneBlock,
    initial: Vec<Value>,
    next: Vec<Value>,
    known: HashMap<(Value, u32), Value>,
}

impl<'l> FirstIterations<'l> {
    /// Of a loop that is entered from a block.
    pub(super) fn of(
        kernel: &Kernel,
        loop_: &'l OneBlock,
        preheader: Block,
    ) -> FirstIterations<'l> {
        FirstIterations {
            loop_,
            initial: loop_.initial(kernel, preheader).to_vec(),
            next: loop_.next(kernel).to_vec(),
            known: HashMap::new(),
        }
    }

    /// Writes what a value is in an iteration; it must be [computable](is_computable).
    pub(super) fn value(&mut self, code: &mut Code<'_>, value: Value, iteration: u32) -> Value {
        if let Some(&known) = self.known.get(&(value, iteration)) {
            return known;
        }
        let result = match code.kernel.def(value) {
            ValueDef::Param(block, at) if block == self.loop_.header => match iteration {
                0 => self.initial[at as usize],
                _ => self.value(code, self.next[at as usize], iteration - 1),
            },
            ValueDef::Result(inst, _) if is_inside(code.kernel, self.loop_, value) => {
                let mut data = code.kernel.inst(inst).clone();
                data.map_operands(|operand| self.value(code, operand, iteration));
                code.loc = code.kernel.loc(inst);
                code.value(data, code.kernel.ty(value))
            }
            ValueDef::Param(..) | ValueDef::Result(..) => value,
        };
        self.known.insert((value, iteration), result);
        result
    }

    /// Writes whether there is an iteration with a number.
    pub(super) fn exists(&mut self, code: &mut Code<'_>, iteration: u32) -> Condition {
        let mut exists = None;
        for before in 0..iteration {
            let cond = self.value(code, self.loop_.cond, before);
            let again = match self.loop_.back {
                0 => cond,
                _ => code.not(cond),
            };
            exists = code.and(exists, Some(again));
        }
        exists
    }
}

/// Whether a value can be computed before the loop for this and all earlier iterations: it depends on no access.
pub(super) fn is_computable(
    kernel: &Kernel,
    loop_: &OneBlock,
    value: Value,
    iteration: u32,
) -> bool {
    match kernel.def(value) {
        ValueDef::Param(block, at) if block == loop_.header => {
            let next = loop_.next(kernel)[at as usize];
            iteration == 0 || is_computable(kernel, loop_, next, iteration - 1)
        }
        ValueDef::Result(inst, _) if is_inside(kernel, loop_, value) => {
            let data = kernel.inst(inst);
            let mut operands = data.operands().into_iter();
            data.is_pure() && operands.all(|it| is_computable(kernel, loop_, it, iteration))
        }
        ValueDef::Param(..) | ValueDef::Result(..) => true,
    }
}

fn is_inside(kernel: &Kernel, loop_: &OneBlock, value: Value) -> bool {
    match kernel.def(value) {
        ValueDef::Result(inst, _) => kernel.block(loop_.header).insts.contains(&inst),
        ValueDef::Param(block, _) => block == loop_.header,
    }
}
