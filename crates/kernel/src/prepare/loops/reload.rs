//! Loads again what an iteration would hand to the next one.
//!
//! LLVM reads `a[i + 1]` once and keeps it as the `a[i]` of the next iteration. That saves a load and makes each
//! iteration wait for the one before. Where nothing in the loop writes to the object, the value can be loaded where it
//! is needed: iterations then have nothing to do with each other. In the first iteration the value is the one that the
//! loop begins with.

use std::collections::BTreeMap;

use super::control::{Control, Shape};
use crate::analysis::{Cfg, Dominators, Loop, Loops};
use crate::ir::{BinaryOp, Block, Effect, Inst, InstData, Kernel, Loc, Type, Value, ValueDef};

/// Operations from the counter to an address, at most.
const MOST_COPIED: usize = 16;

/// Loads what a loop hands from one iteration to the next where it is needed; says whether it did.
pub(super) fn reload(kernel: &mut Kernel, header: Block) -> bool {
    let cfg = Cfg::of(kernel);
    let loops = Loops::of(kernel, &cfg, &Dominators::of(kernel, &cfg));
    let Some((loop_, data)) = loops.iter().find(|(_, data)| data.header == header) else {
        return false;
    };
    let Ok(shape) = Shape::of(kernel, data) else {
        return false;
    };
    let control = Control::of(kernel, &loops, loop_, &shape);
    let params = kernel.block(header).params.clone();
    let mut found: Vec<(Value, Inst, Vec<Inst>)> = Vec::new();
    for &param in params.iter().filter(|it| !control.params.contains(it)) {
        let ValueDef::Result(load, 0) = kernel.def(shape.next(kernel, param)) else {
            return false;
        };
        let copied = match is_unwritten(kernel, &loops, loop_, load) {
            true => address(kernel, &shape, &control, load),
            false => None,
        };
        match copied {
            Some(copied) => found.push((param, load, copied)),
            None => return false,
        }
    }
    if found.is_empty() {
        return false;
    }
    let entering = cfg.predecessors(header).iter().copied();
    let entering: Vec<Block> = entering.filter(|&it| !loops.contains(loop_, it)).collect();
    let is_first = add_first(kernel, &shape, &entering);
    for (param, load, copied) in found {
        replace(kernel, &shape, (param, load), &copied, is_first);
    }
    true
}

/// Whether nothing in the loop writes to what a plain load reads.
fn is_unwritten(kernel: &Kernel, loops: &Loops, loop_: Loop, load: Inst) -> bool {
    let InstData::Load {
        access,
        objects,
        guard: None,
        ..
    } = kernel.inst(load)
    else {
        return false;
    };
    let mut inside = kernel
        .insts()
        .filter(|(block, _)| loops.contains(loop_, *block));
    access.lanes == 1
        && !access.volatile
        && inside.all(|(_, inst)| match kernel.inst(inst).effect() {
            Effect::Pure | Effect::Control | Effect::Print => true,
            Effect::Barrier(_) | Effect::Fence(_) => false,
            Effect::Access(other) => !other.writes() || !other.objects.intersects(objects),
        })
}

/// The instructions that compute the address of a load from what the controlled parameters are in the next iteration,
/// each behind those that it needs.
fn address(kernel: &Kernel, shape: &Shape, control: &Control<'_>, load: Inst) -> Option<Vec<Inst>> {
    let mut copied = Vec::new();
    let pointer = kernel.inst(load).pointer()?;
    let counters: Vec<Value> = control
        .params
        .iter()
        .map(|&it| shape.next(kernel, it))
        .collect();
    collect(kernel, control, &counters, pointer, &mut copied).then_some(copied)
}

fn collect(
    kernel: &Kernel,
    control: &Control<'_>,
    counters: &[Value],
    value: Value,
    copied: &mut Vec<Inst>,
) -> bool {
    if !control.is_inside(value) || counters.contains(&value) {
        return true;
    }
    let ValueDef::Result(inst, _) = kernel.def(value) else {
        return false;
    };
    if copied.contains(&inst) {
        return true;
    }
    let data = kernel.inst(inst);
    let mut operands = data.operands().into_iter();
    let is_known = data.is_pure()
        && copied.len() < MOST_COPIED
        && operands.all(|operand| collect(kernel, control, counters, operand, copied));
    if is_known {
        copied.push(inst);
    }
    is_known
}

/// Adds a parameter that is 1 in the first iteration.
fn add_first(kernel: &mut Kernel, shape: &Shape, entering: &[Block]) -> Value {
    let is_first = kernel.add_block_param(shape.header, Type::Int(1));
    for &from in entering.iter().chain([&shape.latch]) {
        let bit = u64::from(from != shape.latch);
        let terminator = kernel.terminator(from);
        let loc = kernel.loc(terminator);
        let constant = kernel.make_inst(InstData::Const(bit), &[Type::Int(1)], loc);
        let insts = &mut kernel.block_mut(from).insts;
        insts.insert(insts.len() - 1, constant);
        let constant = kernel.result(constant);
        for target in kernel.inst_mut(terminator).targets_mut() {
            if target.block == shape.header {
                target.args.push(constant);
            }
        }
    }
    is_first
}

/// Replaces a parameter by a load at the start of the iteration.
fn replace(
    kernel: &mut Kernel,
    shape: &Shape,
    (param, load): (Value, Inst),
    copied: &[Inst],
    is_first: Value,
) {
    let mut now: BTreeMap<Value, Value> = BTreeMap::new();
    let params = kernel.block(shape.header).params.clone();
    for &it in params.iter().filter(|&&it| it != is_first) {
        now.insert(shape.next(kernel, it), it);
    }
    now.retain(|&next, it| next != *it);
    let mut insts = Vec::new();
    let loc = kernel.loc(load);
    let add = |kernel: &mut Kernel, data: InstData, ty: Type, insts: &mut Vec<Inst>, loc: Loc| {
        let inst = kernel.make_inst(data, &[ty], loc);
        insts.push(inst);
        kernel.result(inst)
    };
    for &inst in copied {
        let mut data = kernel.inst(inst).clone();
        data.map_operands(&mut |it| now.get(&it).copied().unwrap_or(it));
        let result = kernel.result(inst);
        let copy = add(
            kernel,
            data,
            kernel.ty(result),
            &mut insts,
            kernel.loc(inst),
        );
        now.insert(result, copy);
    }
    let one = add(kernel, InstData::Const(1), Type::Int(1), &mut insts, loc);
    let later = InstData::Binary {
        op: BinaryOp::Xor,
        args: [is_first, one],
    };
    let later = add(kernel, later, Type::Int(1), &mut insts, loc);
    let InstData::Load {
        ptr,
        access,
        objects,
        ..
    } = kernel.inst(load).clone()
    else {
        unreachable!("it is a load");
    };
    let again = InstData::Load {
        ptr: now.get(&ptr).copied().unwrap_or(ptr),
        access,
        objects,
        guard: Some(later),
    };
    let ty = kernel.ty(param);
    let loaded = add(kernel, again, ty, &mut insts, loc);
    let choice = InstData::Select {
        cond: is_first,
        args: [param, loaded],
    };
    let chosen = add(kernel, choice, ty, &mut insts, loc);
    let selecting = *insts.last().expect("it was just added");
    kernel.map_operands(|it| if it == param { chosen } else { it });
    if let InstData::Select { args, .. } = kernel.inst_mut(selecting) {
        args[0] = param;
    }
    kernel.block_mut(shape.header).insts.splice(0..0, insts);
    // What the loop begins with stays the parameter: it does not change any more.
    let ValueDef::Param(_, at) = kernel.def(param) else {
        unreachable!("it is a parameter of the header");
    };
    let terminator = kernel.terminator(shape.latch);
    for target in kernel.inst_mut(terminator).targets_mut() {
        if target.block == shape.header {
            target.args[at as usize] = param;
        }
    }
}
