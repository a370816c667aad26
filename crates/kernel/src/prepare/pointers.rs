//! What addresses are made of: the objects they come from, and the bits that are surely zero.

use cranelift_entity::SecondaryMap;

use crate::analysis::{Cfg, Ranges};
use crate::ir::{BlockCall, CastOp, InstData, Kernel, Object, ObjectKind, Type, Value};
use crate::semantics::signed;

/// Zero bits at the end of the address of a buffer, table or struct, and of a local argument.
pub(crate) const PLACED_ZEROS: u32 = 7;

/// Distances that are added to a pointer one after the other.
pub(crate) struct Chain {
    /// The pointer.
    pub(crate) root: Value,
    /// The distances, each a signed number, in no particular order.
    pub(crate) terms: Vec<Value>,
    /// The sum of those that are constants.
    pub(crate) constant: i64,
}

impl Chain {
    /// What an address is made of.
    pub(crate) fn of(kernel: &Kernel, ptr: Value) -> Chain {
        let mut chain = Chain {
            root: ptr,
            terms: Vec::new(),
            constant: 0,
        };
        loop {
            match kernel.def_inst(chain.root) {
                Some(&InstData::PtrAdd { base, offset }) => {
                    match kernel.constant(offset) {
                        Some(bits) => {
                            let by = signed(kernel.ty(offset), bits);
                            chain.constant = chain.constant.wrapping_add(by);
                        }
                        None => chain.terms.push(offset),
                    }
                    chain.root = base;
                }
                Some(&InstData::Cast {
                    op: CastOp::SpaceCast,
                    arg,
                }) => chain.root = arg,
                _ => return chain,
            }
        }
    }

    /// The object that the address comes from, if that is always the same.
    pub(crate) fn object(&self, kernel: &Kernel) -> Option<Object> {
        match kernel.def_inst(self.root) {
            Some(&InstData::Addr(object)) => Some(object),
            _ => None,
        }
    }
}

/// How many low bits of every pointer are surely zero.
pub(crate) struct PointerAlignments {
    zeros: SecondaryMap<Value, u32>,
}

impl PointerAlignments {
    /// The alignments of a kernel's pointers.
    pub(crate) fn of(kernel: &Kernel, cfg: &Cfg, ranges: &Ranges) -> PointerAlignments {
        // Parameters begin as good as can be and lose what some way does not bring.
        let mut found = PointerAlignments {
            zeros: SecondaryMap::with_default(u64::BITS),
        };
        let mut is_stable = false;
        while !is_stable {
            is_stable = true;
            for &block in cfg.reverse_postorder() {
                for &inst in &kernel.block(block).insts {
                    for &result in kernel.results(inst) {
                        if kernel.ty(result).is_ptr() {
                            found.zeros[result] = found.of_inst(kernel, kernel.inst(inst), ranges);
                        }
                    }
                }
                for target in kernel.successors(block) {
                    is_stable &= !found.join(kernel, target);
                }
            }
        }
        found
    }

    /// Zero bits at the end of a pointer.
    pub(crate) fn trailing_zeros(&self, ptr: Value) -> u32 {
        self.zeros[ptr]
    }

    fn of_inst(&self, kernel: &Kernel, data: &InstData, ranges: &Ranges) -> u32 {
        match *data {
            InstData::Addr(object) => match kernel.objects[object].kind {
                ObjectKind::Private { .. } | ObjectKind::Local { .. } => {
                    kernel.objects[object].align.trailing_zeros()
                }
                ObjectKind::Buffer { .. }
                | ObjectKind::LocalArg { .. }
                | ObjectKind::LocalPerItem { .. }
                | ObjectKind::StructArg { .. }
                | ObjectKind::Table { .. } => PLACED_ZEROS,
            },
            InstData::PtrAdd { base, offset } => {
                let offset = ranges.facts(offset);
                let zeros = match offset.as_constant() {
                    Some(0) => u64::BITS,
                    _ => offset.trailing_zeros(),
                };
                self.zeros[base].min(zeros)
            }
            InstData::Cast {
                op: CastOp::IntToPtr,
                arg,
            } => ranges.facts(arg).trailing_zeros(),
            InstData::Cast { arg, .. } => self.zeros[arg],
            InstData::Select { args: [a, b], .. } => self.zeros[a].min(self.zeros[b]),
            InstData::Const(bits) => bits.trailing_zeros(),
            _ => 0,
        }
    }

    /// Takes from parameters what a way does not bring; says whether that was anything.
    fn join(&mut self, kernel: &Kernel, target: &BlockCall) -> bool {
        let params = &kernel.block(target.block).params;
        let mut has_changed = false;
        for (&param, &arg) in params.iter().zip(&target.args) {
            if matches!(kernel.ty(param), Type::Ptr(_)) && self.zeros[arg] < self.zeros[param] {
                self.zeros[param] = self.zeros[arg];
                has_changed = true;
            }
        }
        has_changed
    }
}
