//! Addresses of what work-items or work-groups have a copy of: those of their slot.

use std::collections::BTreeMap;

use super::alias_sets::AliasSet;
use crate::ir::{BinaryOp, Block, CastOp, Inst, InstData, Kernel, Loc, Object, Query, Type, Value};

/// Gives a kernel's work-items slots and moves addresses there.
pub(crate) struct SlotAddresses {
    /// The query for the slot, which goes to the head of the entry block.
    query: Inst,
    slot: Value,
    /// By block and size of a slot: where the work-item's slot begins.
    offsets: BTreeMap<(Block, SlotSize), Value>,
    /// What comes to the heads of blocks.
    heads: BTreeMap<Block, Vec<Inst>>,
}

/// The size of a slot: a power of two.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum SlotSize {
    /// This number of bytes.
    Bytes(u64),
    /// Two to the power of this parameter.
    Param(u32),
}

impl SlotAddresses {
    /// `slots`: their number, a power of two; `query`: what gives one; `name`: what it is called.
    pub(crate) fn new(kernel: &mut Kernel, slots: u32, query: Query, name: &str) -> SlotAddresses {
        let ty = Type::Int(slots.trailing_zeros() as u8);
        let query = InstData::Query { query, dim: 0 };
        let query = kernel.make_inst(query, &[ty], Loc::default());
        let slot = kernel.result(query);
        kernel.set_value_name(slot, name);
        SlotAddresses {
            query,
            slot,
            offsets: BTreeMap::new(),
            heads: BTreeMap::new(),
        }
    }

    /// Makes all accesses of a group go to the slot.
    pub(crate) fn move_accesses(&mut self, kernel: &mut Kernel, group: &AliasSet, size: SlotSize) {
        for block in kernel.layout().to_vec() {
            let insts = std::mem::take(&mut kernel.block_mut(block).insts);
            let mut all = Vec::with_capacity(insts.len());
            for inst in insts {
                let data = kernel.inst(inst);
                let objects = data.objects().and_then(|objects| objects.iter().next());
                if objects.is_some_and(|object| group.objects.contains(&object)) {
                    let old = data.pointer().expect("accesses have an address");
                    let moved = self.moved(kernel, block, old, size);
                    all.push(moved);
                    let new = kernel.result(moved);
                    let pointer = kernel.inst_mut(inst).pointer_mut();
                    *pointer.expect("accesses have an address") = new;
                }
                all.push(inst);
            }
            kernel.block_mut(block).insts = all;
        }
    }

    /// Makes the address of an object that of the slot's copy, wherever it is used.
    pub(crate) fn move_object(&mut self, kernel: &mut Kernel, object: Object, size: SlotSize) {
        let insts: Vec<Inst> = kernel.insts().map(|(_, inst)| inst).collect();
        let addresses = insts
            .iter()
            .copied()
            .filter(|&inst| *kernel.inst(inst) == InstData::Addr(object));
        let addresses: Vec<Value> = addresses.map(|inst| kernel.result(inst)).collect();
        for old in addresses {
            for block in kernel.layout().to_vec() {
                let insts = kernel.block(block).insts.clone();
                let uses = |inst: &Inst| kernel.inst(*inst).operands().contains(&old);
                let users: Vec<Inst> = insts.into_iter().filter(uses).collect();
                if users.is_empty() {
                    continue;
                }
                // Computed again in each block: the slot has fewer bits to carry than an address.
                let moved = self.moved(kernel, block, old, size);
                self.heads.entry(block).or_default().push(moved);
                let new = kernel.result(moved);
                for user in users {
                    let replace = |value| if value == old { new } else { value };
                    kernel.inst_mut(user).map_operands(replace);
                }
            }
        }
    }

    /// Puts what was computed into the blocks; gives the slot.
    pub(crate) fn finish(self, kernel: &mut Kernel) -> Value {
        let is_barrier = |data: &&InstData| matches!(data, InstData::Barrier(_));
        // Behind addresses of objects, ids and the like, which are at the head of the entry block.
        let is_leaf = |data: &&InstData| data.is_pure() && data.operands().is_empty();
        for (block, head) in self.heads {
            let at = leading(kernel, block, |data| is_barrier(data) || is_leaf(data));
            kernel.block_mut(block).insts.splice(at..at, head);
        }
        let entry = kernel.entry();
        let at = leading(kernel, entry, |data| is_barrier(data) || data.is_slot());
        kernel.block_mut(entry).insts.insert(at, self.query);
        self.slot
    }

    /// An address in slot 0, moved to the work-item's.
    fn moved(&mut self, kernel: &mut Kernel, block: Block, base: Value, size: SlotSize) -> Inst {
        let offset = match self.offsets.get(&(block, size)) {
            Some(&offset) => offset,
            None => {
                let offset = self.offset(kernel, block, size);
                self.offsets.insert((block, size), offset);
                offset
            }
        };
        let ty = kernel.ty(base);
        kernel.make_inst(InstData::PtrAdd { base, offset }, &[ty], Loc::default())
    }

    fn offset(&mut self, kernel: &mut Kernel, block: Block, size: SlotSize) -> Value {
        let head = self.heads.entry(block).or_default();
        let mut make = |data, ty| {
            let inst = kernel.make_inst(data, &[ty], Loc::default());
            head.push(inst);
            kernel.result(inst)
        };
        let by = match size {
            SlotSize::Bytes(bytes) => InstData::Const(bytes.trailing_zeros().into()),
            SlotSize::Param(param) => InstData::Arg { param, lane: 0 },
        };
        let by = make(by, Type::I64);
        let widen = InstData::Cast {
            op: CastOp::Zext,
            arg: self.slot,
        };
        let slot = make(widen, Type::I64);
        let shift = InstData::Binary {
            op: BinaryOp::Shl,
            args: [slot, by],
        };
        make(shift, Type::I64)
    }
}

/// How many instructions at the head of a block pass.
fn leading(kernel: &Kernel, block: Block, passes: impl Fn(&&InstData) -> bool) -> usize {
    let insts = kernel.block(block).insts.iter();
    let data = insts.map(|&inst| kernel.inst(inst));
    data.take_while(passes).count()
}
