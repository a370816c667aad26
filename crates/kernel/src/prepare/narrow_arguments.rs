//! Arguments that are known to be small.

use std::collections::BTreeMap;

use crate::ir::{Block, CastOp, Inst, InstData, Kernel, Type, Value};
use crate::plan::KernelPlan;

/// Reads only the low bits of arguments of which a plan says that they have no more. So analyses know what they are at
/// most: of `a[i * n + j]`, that the index does not wrap.
pub(super) fn narrow_arguments(kernel: &mut Kernel, plan: &KernelPlan) {
    let bits: BTreeMap<u32, u32> = plan.narrow_arguments(kernel).collect();
    let is_narrow = |data: &InstData| match data {
        InstData::Arg { param, .. } => bits.get(param).copied(),
        _ => None,
    };
    let insts = kernel.insts();
    let found: Vec<(Block, Inst, u32)> = insts
        .filter_map(|(block, inst)| Some((block, inst, is_narrow(kernel.inst(inst))?)))
        .collect();
    let mut narrowed: BTreeMap<Value, Value> = BTreeMap::new();
    let mut casts: BTreeMap<Inst, [Inst; 2]> = BTreeMap::new();
    for &(_, inst, bits) in &found {
        let made = low_bits(kernel, inst, bits);
        narrowed.insert(kernel.result(inst), kernel.result(made[1]));
        casts.insert(inst, made);
    }
    kernel.map_operands(|value| narrowed.get(&value).copied().unwrap_or(value));
    // Behind the replacement: they take the argument itself.
    for (block, inst, _) in found {
        let insts = &mut kernel.block_mut(block).insts;
        let at = insts.iter().position(|&it| it == inst);
        let behind = at.expect("it is in the block") + 1;
        insts.splice(behind..behind, casts[&inst]);
    }
}

/// The low bits of an argument, and these with zeros above them.
fn low_bits(kernel: &mut Kernel, argument: Inst, bits: u32) -> [Inst; 2] {
    let (value, loc) = (kernel.result(argument), kernel.loc(argument));
    let op = CastOp::Trunc;
    let low = kernel.make_inst(
        InstData::Cast { op, arg: value },
        &[Type::Int(bits as u8)],
        loc,
    );
    let data = InstData::Cast {
        op: CastOp::Zext,
        arg: kernel.result(low),
    };
    let ty = kernel.ty(value);
    [low, kernel.make_inst(data, &[ty], loc)]
}
