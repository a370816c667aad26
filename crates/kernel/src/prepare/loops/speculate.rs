//! Loops whose iterations start before it is known whether there are any.
//!
//! ```text
//! body(s): ...; store p, x; s' = ...; branch again, body(s'), exit(s')
//! ```
//! becomes
//! ```text
//! control(first, s, lives): jump body(first, s, lives)
//! body(first, s, lives):    ...; store p, x if lives; s' = ...; goes_on = lives and again
//!                           branch again, control(0, s', goes_on), exit(s')
//! ```
//!
//! As kernel IR this does what the loop did before: `lives` is always 1. In the circuit, iterations are started without
//! the way back. The one that lives and does not go on leaves the loop with its own values; all behind it are in vain,
//! have no effect and end.

use std::collections::BTreeMap;

use crate::analysis::{Cfg, Dominators, Loops};
use crate::ir::{
    BinaryOp, Block, BlockCall, Effect, Inst, InstData, Kernel, Loc, ObjectKind, Type, Value,
};
use crate::loops::constant;
use crate::plan::LoopKey;

use super::choose::Way;
use super::control::Shape;
use super::split_control::SplitLoop;

/// What the iterations of a loop know that start before it is known whether there are any.
#[derive(Clone, Debug)]
pub(crate) struct Speculation {
    /// Whether an iteration is the first one: the first parameter of the body.
    pub(crate) first: Value,
    /// Whether the next iteration is none in vain.
    pub(crate) goes_on: Value,
    /// Whether the loop ends with an iteration that is none in vain.
    pub(crate) is_last: Value,
}

impl SplitLoop {
    /// Parameters of the body that come from what starts its iterations: they stand before all others.
    pub(super) fn marks(&self) -> usize {
        usize::from(self.speculation.is_some())
    }
}

/// Splits a loop of one block.
pub(super) fn split_speculative(kernel: &mut Kernel, header: Block, way: Way) -> SplitLoop {
    let cfg = Cfg::of(kernel);
    let loops = Loops::of(kernel, &cfg, &Dominators::of(kernel, &cfg));
    let chosen = "choose: it is a loop of this shape";
    let found = loops.iter().find(|(_, data)| data.header == header);
    let (_, data) = found.expect(chosen);
    let first_loc = LoopKey::loc_of(kernel, data);
    let shape = Shape::of(kernel, data).expect(chosen);
    let loc = kernel.loc(kernel.terminator(header));

    let [first, lives] = add_marks(kernel, header);
    let params = kernel.block(header).params.clone();
    guard_stores(kernel, header, lives);
    let one = constant(kernel, Type::BOOL, 1);
    let opposite = binary(kernel, header, (BinaryOp::Xor, [shape.condition, one]), loc);
    let [again, left] = match shape.goes_on_if {
        true => [shape.condition, opposite],
        false => [opposite, shape.condition],
    };
    let goes_on = binary(kernel, header, (BinaryOp::And, [lives, again]), loc);
    let is_last = binary(kernel, header, (BinaryOp::And, [lives, left]), loc);

    let control = kernel.add_block();
    let hints = std::mem::take(&mut kernel.block_mut(header).hints);
    kernel.block_mut(control).hints = hints;
    let args = params.iter();
    let args = args.map(|&param| kernel.add_block_param(control, kernel.ty(param)));
    let args = args.collect();
    enter_by(kernel, header, control);
    let jump = BlockCall {
        block: header,
        args,
    };
    kernel.append(control, InstData::Jump(jump), &[], loc);
    let zero = constant(kernel, Type::BOOL, 0);
    let mut back = shape.back;
    back.block = control;
    back.args.insert(0, zero);
    back.args.push(goes_on);
    let terminator = kernel.terminator(header);
    let exit = kernel.successors(header)[usize::from(shape.goes_on_if)].clone();
    *kernel.inst_mut(terminator) = InstData::Branch {
        cond: again,
        targets: [back, exit],
    };
    SplitLoop {
        control,
        body: header,
        latch: header,
        again,
        controlled: Vec::new(),
        way,
        speculation: Some(Speculation {
            first,
            goes_on,
            is_last,
        }),
        loc: first_loc,
    }
}

/// Adds the parameters of a body that say whether an iteration is the first one, before all others, and whether it is none
/// in vain, behind them.
fn add_marks(kernel: &mut Kernel, body: Block) -> [Value; 2] {
    let marks = [0; 2].map(|_| kernel.add_block_param(body, Type::BOOL));
    let mut params = kernel.block(body).params.clone();
    params.retain(|&it| it != marks[0]);
    params.insert(0, marks[0]);
    kernel.set_block_params(body, params);
    marks
}

/// Makes loads of buffers in a block unconditional, and what they give zero where they were not executed; says whether
/// there were some. If whether a load is executed depends on what it gave in the iteration before, memory would be in that
/// recurrence.
pub(super) fn free_loads(kernel: &mut Kernel, block: Block) -> bool {
    let insts = std::mem::take(&mut kernel.block_mut(block).insts);
    let mut written = Vec::new();
    let mut chosen: BTreeMap<Value, Value> = BTreeMap::new();
    for inst in insts {
        kernel
            .inst_mut(inst)
            .map_operands(|it| chosen.get(&it).copied().unwrap_or(it));
        let guard = kernel.inst(inst).guard();
        let guard = guard.filter(|_| is_load_of_buffers(kernel, inst));
        written.push(inst);
        let Some(cond) = guard else { continue };
        let place = kernel.inst_mut(inst).guard_mut();
        *place.expect("it has a guard") = None;
        for value in kernel.results(inst).to_vec() {
            let ty = kernel.ty(value);
            let zero = constant(kernel, ty, 0);
            let select = InstData::Select {
                cond,
                args: [value, zero],
            };
            let select = kernel.make_inst(select, &[ty], kernel.loc(inst));
            written.push(select);
            chosen.insert(value, kernel.result(select));
        }
    }
    kernel.block_mut(block).insts = written;
    // What is used behind the loop.
    let selects: Vec<(Value, Value)> = chosen.into_iter().collect();
    for &other in &kernel.layout().to_vec() {
        if other == block {
            continue;
        }
        for inst in kernel.block(other).insts.clone() {
            let find = |it: Value| selects.iter().find(|(value, _)| *value == it);
            kernel
                .inst_mut(inst)
                .map_operands(|it| find(it).map_or(it, |&(_, chosen)| chosen));
        }
    }
    !selects.is_empty()
}

/// Whether an instruction only reads buffers, and may do so at any time.
fn is_load_of_buffers(kernel: &Kernel, inst: Inst) -> bool {
    let InstData::Load { objects, .. } = kernel.inst(inst) else {
        return false;
    };
    let is_buffer = |object| matches!(kernel.objects[object].kind, ObjectKind::Buffer { .. });
    let is_volatile = match kernel.inst(inst).effect() {
        Effect::Access(access) => access.is_volatile,
        _ => true,
    };
    let is_number = |&value: &Value| !kernel.ty(value).is_ptr();
    !is_volatile && objects.iter().all(is_buffer) && kernel.results(inst).iter().all(is_number)
}

/// Makes what enters a loop of one block go to its control block, with marks that it is the first iteration.
fn enter_by(kernel: &mut Kernel, header: Block, control: Block) {
    let one = constant(kernel, Type::BOOL, 1);
    for from in kernel.layout().to_vec() {
        if from == header || from == control {
            continue;
        }
        let terminator = kernel.terminator(from);
        for target in kernel.inst_mut(terminator).targets_mut() {
            if target.block == header {
                target.block = control;
                target.args.insert(0, one);
                target.args.push(one);
            }
        }
    }
}

/// Lets the stores of a block happen only under a condition.
fn guard_stores(kernel: &mut Kernel, block: Block, condition: Value) {
    let insts = std::mem::take(&mut kernel.block_mut(block).insts);
    let mut written = Vec::new();
    for inst in insts {
        let is_store = match kernel.inst(inst).effect() {
            Effect::Access(access) => access.writes(),
            _ => false,
        };
        if is_store {
            let guard = match kernel.inst(inst).guard() {
                None => condition,
                Some(before) => {
                    let both = InstData::Binary {
                        op: BinaryOp::And,
                        args: [condition, before],
                    };
                    let both = kernel.make_inst(both, &[Type::BOOL], kernel.loc(inst));
                    written.push(both);
                    kernel.result(both)
                }
            };
            let place = kernel.inst_mut(inst).guard_mut();
            *place.expect("stores may have guards") = Some(guard);
        }
        written.push(inst);
    }
    kernel.block_mut(block).insts = written;
}

/// Adds an operation at the end of a block.
fn binary(
    kernel: &mut Kernel,
    block: Block,
    (op, args): (BinaryOp, [Value; 2]),
    loc: Loc,
) -> Value {
    let ty = kernel.ty(args[0]);
    let inst = kernel.make_inst(InstData::Binary { op, args }, &[ty], loc);
    insert_last(kernel, block, inst);
    kernel.result(inst)
}

fn insert_last(kernel: &mut Kernel, block: Block, inst: Inst) {
    let insts = &mut kernel.block_mut(block).insts;
    insts.insert(insts.len() - 1, inst);
}

/// Takes a loop apart: what starts its iterations marks the first one, and all but the last one that lives end. Gives
/// what an iteration hands to the next one, the marks left out.
pub(super) fn cut(kernel: &mut Kernel, split: &SplitLoop, end: BlockCall) -> Vec<Value> {
    let speculation = split.speculation.as_ref();
    let speculation = speculation.expect("split_control: the loop is speculative");
    let terminator = kernel.terminator(split.body);
    let [back, exit] = match kernel.successors(split.body) {
        [back, exit] => [back.clone(), exit.clone()],
        _ => unreachable!("split_control: it ends in a branch"),
    };
    *kernel.inst_mut(terminator) = InstData::Branch {
        cond: speculation.is_last,
        targets: [exit, end],
    };
    let params = kernel.block(split.control).params[1..].to_vec();
    kernel.set_block_params(split.control, params);
    for from in kernel.layout().to_vec() {
        let terminator = kernel.terminator(from);
        for target in kernel.inst_mut(terminator).targets_mut() {
            if target.block == split.control {
                target.args.remove(0);
            }
        }
    }
    let one = constant(kernel, Type::BOOL, 1);
    let jump = kernel.terminator(split.control);
    kernel.inst_mut(jump).targets_mut()[0].args[0] = one;
    back.args[1..].to_vec()
}

/// The kernel as iterations in vain have it: nothing is known of values because a loop with one of these blocks at its
/// start and at its end goes on.
pub(crate) fn without_exits(kernel: &Kernel, loops: &[(Block, Block)]) -> Kernel {
    let mut kernel = kernel.clone();
    for &(header, latch) in loops {
        let one = constant(&mut kernel, Type::BOOL, 1);
        // A bit that is 1 and 0 in turn.
        let bit = kernel.add_block_param(header, Type::BOOL);
        let loc = kernel.loc(kernel.terminator(latch));
        let other = binary(&mut kernel, latch, (BinaryOp::Xor, [bit, one]), loc);
        for from in kernel.layout().to_vec() {
            let terminator = kernel.terminator(from);
            for target in kernel.inst_mut(terminator).targets_mut() {
                if target.block == header {
                    target.args.push(if from == latch { other } else { one });
                }
            }
        }
        let terminator = kernel.terminator(latch);
        if let InstData::Branch { cond, .. } = kernel.inst_mut(terminator) {
            *cond = bit;
        }
    }
    kernel
}
