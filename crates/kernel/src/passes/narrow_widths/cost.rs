//! What integers cost: the measure by which narrowing is judged.

use crate::ir::{InstData, Kernel, Type};

/// The bits of all integer operators and registers of a kernel: operands' widths of comparisons and
/// of conversions to floats, results' widths of other operations, block parameters. Constants,
/// extensions and truncations are wires and count nothing.
pub fn operator_bits(kernel: &Kernel) -> u64 {
    let int_bits = |ty: Type| match ty {
        Type::Int(bits) => u64::from(bits),
        Type::F16 | Type::F32 | Type::F64 | Type::Ptr(_) => 0,
    };
    let blocks = kernel.layout().iter();
    let params = blocks.flat_map(|&block| &kernel.block(block).params);
    let params: u64 = params.map(|&param| int_bits(kernel.ty(param))).sum();
    let insts = kernel.insts().map(|(_, inst)| match kernel.inst(inst) {
        InstData::Unary { .. }
        | InstData::Binary { .. }
        | InstData::Ternary { .. }
        | InstData::Elementary { .. }
        | InstData::Select { .. }
        | InstData::Query { .. } => int_bits(kernel.ty(kernel.result(inst))),
        InstData::Compare { args, .. } => int_bits(kernel.ty(args[0])),
        InstData::PtrAdd { offset, .. } => int_bits(kernel.ty(*offset)),
        InstData::Cast { op, .. } if op.row().conversion.is_wiring() => 0,
        InstData::Cast { arg, .. } => {
            int_bits(kernel.ty(*arg)) + int_bits(kernel.ty(kernel.result(inst)))
        }
        InstData::Const(_)
        | InstData::InSpace { .. }
        | InstData::Arg { .. }
        | InstData::Addr(_)
        | InstData::Load { .. }
        | InstData::Store { .. }
        | InstData::AtomicRmw { .. }
        | InstData::CmpXchg { .. }
        | InstData::Barrier(_)
        | InstData::Fence(_)
        | InstData::Printf { .. }
        | InstData::Jump(_)
        | InstData::Branch { .. }
        | InstData::Return => 0,
    });
    params + insts.sum::<u64>()
}
