//! Folds the arithmetic of addresses into the accesses that use them: `base + (index << shift) +
//! displacement` is then computed where memory is accessed, without registers in between.
//!
//! The operands of a folded instruction dominate it and so the access: their registers still hold
//! what they held when the instruction would have been executed.

use cranelift_entity::SecondaryMap;

use crate::{
    Kernel,
    ir::{BinaryOp, Block, CastOp, InstData, Type, Value},
    semantics::signed,
};

/// An address in terms of values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Folded {
    pub base: Value,
    /// An `i32`, read as signed, or an `i64`, and the number of places it is shifted left.
    pub index: Option<(Value, u32)>,
    pub displacement: u64,
}

/// How often a pointer with a variable offset is computed where it is used rather than once.
const FOLDED_USES: u32 = 2;

/// What is known of a kernel's values before folding.
pub(super) struct Uses {
    all: SecondaryMap<Value, u32>,
    /// Uses other than as the address of an access.
    plain: SecondaryMap<Value, u32>,
}

impl Uses {
    /// Counts the uses in the given blocks, whose order is one of definitions before uses.
    pub fn of(kernel: &Kernel, order: &[Block]) -> Uses {
        let mut uses = Uses {
            all: SecondaryMap::new(),
            plain: SecondaryMap::new(),
        };
        let insts = order.iter().rev().flat_map(|&b| {
            let insts = &kernel.block(b).insts;
            insts.iter().rev().copied()
        });
        for inst in insts {
            let data = kernel.inst(inst);
            let address = if let InstData::PtrAdd { base, offset } = data
                && kernel.constant(*offset).is_some()
                && uses.plain[kernel.result(inst)] == 0
            {
                Some(*base)
            } else {
                data.pointer()
            };
            for operand in data.operands() {
                uses.all[operand] += 1;
                uses.plain[operand] += 1;
            }
            if let Some(address) = address {
                uses.plain[address] -= 1;
            }
        }
        uses
    }

    /// The address that `pointer` is, with everything folded that pays.
    pub fn fold(&self, kernel: &Kernel, pointer: Value) -> Folded {
        let mut folded = Folded {
            base: pointer,
            index: None,
            displacement: 0,
        };
        while let Some(&InstData::PtrAdd { base, offset }) = kernel.def_inst(folded.base) {
            if self.plain[folded.base] != 0 {
                break;
            }
            let ty = kernel.ty(offset);
            match (kernel.constant(offset), ty) {
                (Some(bits), _) => {
                    let by = signed(ty, bits) as u64;
                    folded.displacement = folded.displacement.wrapping_add(by);
                }
                (None, Type::Int(32 | 64))
                    if folded.index.is_none() && self.all[folded.base] <= FOLDED_USES =>
                {
                    folded.index = Some(self.fold_index(kernel, offset));
                }
                (None, _) => break,
            }
            folded.base = base;
        }
        folded
    }

    fn fold_index(&self, kernel: &Kernel, offset: Value) -> (Value, u32) {
        let mut index = (offset, 0);
        if let Some(&InstData::Binary {
            op: BinaryOp::Shl,
            args: [value, by],
        }) = kernel.def_inst(offset)
            && let Some(by @ 0..=63) = kernel.constant(by)
            && kernel.ty(offset) == Type::I64
            && self.all[offset] == 1
        {
            index = (value, by as u32);
        }
        if let Some(&InstData::Cast {
            op: CastOp::Sext,
            arg,
        }) = kernel.def_inst(index.0)
            && kernel.ty(arg) == Type::I32
            && kernel.ty(index.0) == Type::I64
            && self.all[index.0] == 1
        {
            index.0 = arg;
        }
        index
    }
}
