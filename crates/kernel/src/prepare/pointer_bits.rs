//! Pointers in a circuit: how many of their low bits matter, and which of these are known.
//!
//! A memory on the chip reads as many bits of an address as its size takes, external memory as many as its
//! ports have. What is above them is neither computed nor carried, unless a program looks at a pointer as
//! a number.

use cranelift_entity::SecondaryMap;

use super::alias_sets::{AliasSets, Storage};
use super::layout::{Addresses, size};
use super::pointers::PLACED_ZEROS;
use crate::analysis::{Cfg, Facts, Ranges, transfer};
use crate::ir::{BinaryOp, CastOp, Inst, InstData, Kernel, Type, Value, ValueDef};

/// Bits of an address in the smallest memory on the chip: access units count their beats in addresses.
const FEWEST_BITS: u32 = 7;

/// What matters of a kernel's pointers.
#[derive(Debug, Default)]
pub(crate) struct PointerBits {
    bits: SecondaryMap<Value, u8>,
    facts: SecondaryMap<Value, Option<Facts>>,
}

/// The sizes and places of a kernel's memories.
pub(crate) struct Memories<'a> {
    pub(crate) alias_sets: &'a AliasSets,
    pub(crate) addresses: &'a Addresses,
    /// Bits of an address in external memory.
    pub(crate) external_bits: u32,
    /// Most work-items of a group.
    pub(crate) group_items: u64,
}

impl PointerBits {
    /// The pointers of a kernel that is laid out.
    pub(crate) fn of(kernel: &Kernel, cfg: &Cfg, memories: &Memories<'_>) -> PointerBits {
        let mut search = Search::of(kernel);
        for (_, inst) in kernel.insts() {
            search.start(inst, memories);
        }
        while let Some(value) = search.work.pop() {
            search.visit(value);
        }
        PointerBits {
            bits: search.bits,
            facts: facts(kernel, cfg, memories),
        }
    }

    /// The bits that a circuit has of a value: of a pointer as many as matter, of all else its type's.
    pub(crate) fn width(&self, kernel: &Kernel, value: Value) -> u32 {
        match kernel.ty(value) {
            Type::Ptr(_) => u32::from(self.bits[value]).max(1),
            other => other.bits(),
        }
    }

    /// Makes what is known of a pointer known of another one, which always equals it.
    pub(crate) fn copy(&mut self, from: Value, to: Value) {
        self.bits[to] = self.bits[from];
        self.facts[to] = self.facts[from];
    }

    /// Whether no bit that matters of a moved pointer is set in both the pointer and the distance.
    pub(crate) fn is_disjoint(&self, kernel: &Kernel, moved: Value) -> bool {
        let Some(&InstData::PtrAdd { base, offset }) = kernel.def_inst(moved) else {
            return false;
        };
        let (Some(base), Some(offset)) = (self.facts[base], self.facts[offset]) else {
            return false;
        };
        let mask = u64::MAX >> (64 - self.width(kernel, moved));
        !base.zeros() & !extended(offset).zeros() & mask == 0
    }
}

/// A signed number with 64 bits.
fn extended(facts: Facts) -> Facts {
    match facts.width() {
        64 => facts,
        _ => transfer::cast(CastOp::Sext, &facts, 64),
    }
}

/// What is known of pointers and of what moves them. Of block parameters nothing is.
fn facts(
    kernel: &Kernel,
    cfg: &Cfg,
    memories: &Memories<'_>,
) -> SecondaryMap<Value, Option<Facts>> {
    let ranges = Ranges::within(kernel, memories.group_items);
    let mut facts: SecondaryMap<Value, Option<Facts>> = SecondaryMap::new();
    for &block in cfg.reverse_postorder() {
        for &inst in &kernel.block(block).insts {
            match *kernel.inst(inst) {
                InstData::Addr(object) => {
                    let known = match memories.addresses.of(object) {
                        Some(address) => Facts::constant(64, address),
                        None => Facts::unknown(64).with_bits((1 << PLACED_ZEROS) - 1, 0),
                    };
                    facts[kernel.result(inst)] = Some(known);
                }
                InstData::PtrAdd { base, offset } => {
                    let distance = ranges.facts(offset);
                    facts[offset] = Some(distance);
                    let moved =
                        |base: Facts| transfer::binary(BinaryOp::Add, &base, &extended(distance));
                    facts[kernel.result(inst)] = facts[base].map(moved);
                }
                _ => {}
            }
        }
    }
    facts
}

struct Search<'k> {
    kernel: &'k Kernel,
    bits: SecondaryMap<Value, u8>,
    /// By block parameter and argument: those that it has its width in common with.
    joined: SecondaryMap<Value, Vec<Value>>,
    work: Vec<Value>,
}

impl<'k> Search<'k> {
    fn of(kernel: &'k Kernel) -> Search<'k> {
        let mut joined: SecondaryMap<Value, Vec<Value>> = SecondaryMap::new();
        for &block in kernel.layout() {
            for target in kernel.successors(block) {
                let params = &kernel.block(target.block).params;
                for (&param, &arg) in params.iter().zip(&target.args) {
                    if kernel.ty(param).is_ptr() {
                        joined[param].push(arg);
                        joined[arg].push(param);
                    }
                }
            }
        }
        Search {
            kernel,
            bits: SecondaryMap::new(),
            joined,
            work: Vec::new(),
        }
    }

    /// Notes what an instruction needs of pointers, except for other pointers.
    fn start(&mut self, inst: Inst, memories: &Memories<'_>) {
        let data = self.kernel.inst(inst);
        let mut results = self.kernel.results(inst).iter();
        let makes_pointer = data.is_pure() && results.any(|&it| self.kernel.ty(it).is_ptr());
        if data.is_terminator() || makes_pointer {
            return;
        }
        let mut whole: Vec<Value> = data.operands().to_vec();
        if let Some(address) = data.pointer() {
            let at = whole.iter().position(|&operand| operand == address);
            whole.remove(at.expect("the address is an operand"));
            self.need(address, address_bits(self.kernel, data, memories));
        }
        whole.into_iter().for_each(|operand| self.need(operand, 64));
    }

    /// Notes what a pointer needs of those that it is made of.
    fn visit(&mut self, value: Value) {
        let bits = self.bits[value].into();
        for other in self.joined[value].clone() {
            self.need(other, bits);
        }
        if let ValueDef::Result(inst, _) = self.kernel.def(value)
            && self.kernel.inst(inst).is_pure()
        {
            for operand in self.kernel.inst(inst).operands() {
                self.need(operand, bits);
            }
        }
    }

    fn need(&mut self, value: Value, bits: u32) {
        if self.kernel.ty(value).is_ptr() && bits > self.bits[value].into() {
            self.bits[value] = bits as u8;
            self.work.push(value);
        }
    }
}

/// The bits that an access reads of its address, at most.
fn address_bits(kernel: &Kernel, data: &InstData, memories: &Memories<'_>) -> u32 {
    let set = memories.alias_sets.accessed(data);
    let set = &memories.alias_sets.sets[set.expect("accesses that reach nothing were dropped")];
    let bytes = match set.storage {
        Storage::External => return memories.external_bits,
        Storage::Tables => size(kernel, set.objects[0]).next_power_of_two(),
        Storage::Memory(bytes) | Storage::Local(bytes) => bytes,
    };
    bytes.trailing_zeros().max(FEWEST_BITS)
}
