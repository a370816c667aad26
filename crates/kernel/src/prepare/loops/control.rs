//! What controls a loop: the parameters of its header that are cheap to compute ahead of the body, and
//! whether there is another iteration.

use std::collections::{BTreeMap, BTreeSet};

use cranelift_entity::SecondaryMap;

use super::choose::WhyNot;
use crate::analysis::{Loop, LoopData, Loops};
use crate::ir::{
    BinaryOp, Block, BlockCall, CastOp, Inst, InstData, Kernel, Type, Value, ValueDef,
};

/// Operations behind each other that control may consist of, conversions not counted and those of single bits by
/// half: more take longer than a cycle.
const LONGEST_CHAIN: u32 = 2 * 4;

/// A loop that is tested at its end, with one way back and one way out.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub(super) header: Block,
    pub(super) latch: Block,
    /// The condition of the branch at its end.
    pub(super) condition: Value,
    /// Whether the loop goes on if the condition is 1.
    pub(super) goes_on_if: bool,
    /// What goes back to the header.
    pub(super) back: BlockCall,
}

impl Shape {
    pub(super) fn of(kernel: &Kernel, data: &LoopData) -> Result<Shape, WhyNot> {
        let [latch] = data.latches[..] else {
            return Err(WhyNot::Shape("goes back to its start at several places"));
        };
        let InstData::Branch { cond, targets } = kernel.inst(kernel.terminator(latch)) else {
            return Err(WhyNot::Shape("is not tested at its end"));
        };
        let goes_on_if = targets[0].block == data.header;
        let [back, exit] = match goes_on_if {
            true => [&targets[0], &targets[1]],
            false => [&targets[1], &targets[0]],
        };
        if data.exits.iter().any(|exit| exit.from != latch) {
            return Err(WhyNot::Shape("has several ways out"));
        }
        if back.block != data.header || exit.block == data.header {
            return Err(WhyNot::Shape("has no way out at its end"));
        }
        Ok(Shape {
            header: data.header,
            latch,
            condition: *cond,
            goes_on_if,
            back: back.clone(),
        })
    }

    /// The value that a parameter of the header has in the next iteration.
    pub(super) fn next(&self, kernel: &Kernel, param: Value) -> Value {
        let ValueDef::Param(_, at) = kernel.def(param) else {
            unreachable!("it is a parameter of the header");
        };
        self.back.args[at as usize]
    }
}

/// What can be computed ahead of a loop's body.
pub(super) struct Control<'k> {
    kernel: &'k Kernel,
    loops: &'k Loops,
    loop_: Loop,
    homes: SecondaryMap<Value, Option<Block>>,
    /// The parameters of the header that need nothing else of the loop.
    pub(super) params: BTreeSet<Value>,
}

impl<'k> Control<'k> {
    /// What of a loop can be computed ahead: the largest set of parameters that need only each other.
    pub(super) fn of(
        kernel: &'k Kernel,
        loops: &'k Loops,
        loop_: Loop,
        shape: &Shape,
    ) -> Control<'k> {
        let mut control = Control {
            kernel,
            loops,
            loop_,
            homes: homes(kernel),
            params: kernel.block(shape.header).params.iter().copied().collect(),
        };
        loop {
            let is_cheap = |&param: &Value| control.contains(shape.next(kernel, param));
            let kept: BTreeSet<Value> = control.params.iter().copied().filter(is_cheap).collect();
            if kept.len() == control.params.len() {
                return control;
            }
            control.params = kept;
        }
    }

    /// Whether a value can be computed ahead of the body.
    pub(super) fn contains(&self, value: Value) -> bool {
        self.chain(value, &mut BTreeMap::new())
            .is_some_and(|chain| chain <= LONGEST_CHAIN)
    }

    /// Whether a value is computed in the loop.
    pub(super) fn is_inside(&self, value: Value) -> bool {
        self.homes[value].is_some_and(|home| self.loops.contains(self.loop_, home))
    }

    /// The longest chain of operations from parameters to a value; none if it cannot be computed ahead.
    fn chain(&self, value: Value, known: &mut BTreeMap<Value, Option<u32>>) -> Option<u32> {
        if !self.is_inside(value) {
            return Some(0);
        }
        if let Some(&chain) = known.get(&value) {
            return chain;
        }
        let chain = match self.kernel.def(value) {
            ValueDef::Param(..) => self.params.contains(&value).then_some(0),
            ValueDef::Result(inst, _) => self.chain_of(inst, known),
        };
        known.insert(value, chain);
        chain
    }

    fn chain_of(&self, inst: Inst, known: &mut BTreeMap<Value, Option<u32>>) -> Option<u32> {
        let data = self.kernel.inst(inst);
        let own = match *data {
            // It becomes a parameter that is one iteration ahead.
            InstData::Binary {
                op: BinaryOp::Add,
                args: [base, step],
            } if self.params.contains(&base) && !self.is_inside(step) => 0,
            _ => cost(self.kernel, data)?,
        };
        let mut longest = 0;
        for operand in data.operands() {
            longest = longest.max(self.chain(operand, known)?);
        }
        Some(longest + own)
    }

    /// The instructions that compute values ahead of the body, each behind those that it needs.
    pub(super) fn insts(&self, values: &[Value]) -> Vec<Inst> {
        let mut found = Vec::new();
        for &value in values {
            self.collect(value, &mut found);
        }
        found
    }

    fn collect(&self, value: Value, found: &mut Vec<Inst>) {
        let ValueDef::Result(inst, _) = self.kernel.def(value) else {
            return;
        };
        if !self.is_inside(value) || found.contains(&inst) {
            return;
        }
        for operand in self.kernel.inst(inst).operands() {
            self.collect(operand, found);
        }
        found.push(inst);
    }
}

/// Where values are defined.
pub(super) fn homes(kernel: &Kernel) -> SecondaryMap<Value, Option<Block>> {
    let mut homes: SecondaryMap<Value, Option<Block>> = SecondaryMap::new();
    for &block in kernel.layout() {
        for &param in &kernel.block(block).params {
            homes[param] = Some(block);
        }
        for &inst in &kernel.block(block).insts {
            for &result in kernel.results(inst) {
                homes[result] = Some(block);
            }
        }
    }
    homes
}

/// What an operation adds to a chain, in halves, if it is cheap enough for control.
fn cost(kernel: &Kernel, data: &InstData) -> Option<u32> {
    match data {
        InstData::Const(_)
        | InstData::Arg { .. }
        | InstData::Addr(_)
        | InstData::Query { .. }
        | InstData::Cast {
            op: CastOp::Zext | CastOp::Sext | CastOp::Trunc,
            ..
        } => Some(0),
        InstData::Compare { args, .. } => (!kernel.ty(args[0]).is_float()).then_some(2),
        InstData::Select { .. } | InstData::PtrAdd { .. } => Some(2),
        InstData::Binary { op, args } => match op {
            // The opposite of a condition.
            BinaryOp::Xor
                if kernel.ty(args[0]) == Type::BOOL && kernel.constant(args[1]) == Some(1) =>
            {
                Some(0)
            }
            BinaryOp::And | BinaryOp::Or if kernel.ty(args[0]) == Type::BOOL => Some(1),
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => Some(2),
            BinaryOp::SMin | BinaryOp::SMax | BinaryOp::UMin | BinaryOp::UMax => Some(4),
            BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => kernel.constant(args[1]).map(|_| 0),
            _ => None,
        },
        _ => None,
    }
}
