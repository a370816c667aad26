//! Addresses in constant tables: `constant char *constant names[] = {"one", "two"};`.
//!
//! Addresses are known only at launch. A table holds the number of the target and an offset instead, and a loaded
//! code is decoded by comparisons, which select among the addresses of the targets.

use std::collections::HashSet;

use sluice_kernel::ir::{self, BinaryOp, Predicate, Space, Type};

use super::body::Reader;
use super::llvm::{Opcode, Shape, Value, ValueKind};
use super::memory::{MemoryOperand, gep_offset};
use super::refusal::{Code, Refusal};
use super::{Result, types};

/// An address in a table.
#[derive(Clone, Copy)]
pub struct Entry<'m> {
    /// Its offset in the table.
    pub offset: u64,
    /// The variable that it points into.
    pub target: Value<'m>,
    /// The offset from the target's start, in bytes.
    pub distance: i64,
}

/// Where a pointer into a table may point: `first + n * stride` for any `n`; with a stride of zero, at `first`.
#[derive(Clone, Copy)]
struct Reach {
    first: i64,
    stride: u64,
}

/// Whether it is known which entries a pointer points to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Certainty {
    /// Exactly these, at these offsets.
    Exact,
    /// Some of these, or data that is not an address.
    Rough,
}

impl<'m> Reader<'m> {
    /// The addresses that a constant holds, in the order of their offsets.
    pub fn entries_of(&self, constant: Value<'m>) -> Vec<Entry<'m>> {
        let mut entries = Vec::new();
        self.collect_entries(constant, 0, &mut entries);
        entries
    }

    fn collect_entries(&self, value: Value<'m>, offset: u64, entries: &mut Vec<Entry<'m>>) {
        match value.ty().shape() {
            Shape::Pointer(_) => {
                if let Some((target, distance)) = self.address_in(value) {
                    entries.push(Entry {
                        offset,
                        target,
                        distance,
                    });
                }
            }
            _ if value.kind() != ValueKind::Aggregate => {}
            Shape::Struct(fields) => {
                for at in 0..fields.len() as u32 {
                    let field = offset + self.module.field_offset(value.ty(), at);
                    self.collect_entries(value.element(at), field, entries);
                }
            }
            Shape::Array(element, count) if may_hold_addresses(element) => {
                for at in 0..count {
                    let at_offset = offset + at * self.module.size(element);
                    self.collect_entries(value.element(at as u32), at_offset, entries);
                }
            }
            _ => {}
        }
    }

    /// The variable that a constant address points into, and the offset.
    fn address_in(&self, value: Value<'m>) -> Option<(Value<'m>, i64)> {
        match (value.kind(), value.opcode()) {
            (ValueKind::GlobalVariable, _) => Some((value, 0)),
            (ValueKind::Expression, Some(Opcode::LLVMGetElementPtr)) => {
                let (target, distance) = self.address_in(value.operand(0))?;
                let offset = gep_offset(self.module, value).ok()?;
                let moved = distance.wrapping_add(offset.constant);
                offset.terms.is_empty().then_some((target, moved))
            }
            (ValueKind::Expression, Some(Opcode::LLVMAddrSpaceCast | Opcode::LLVMBitCast)) => {
                self.address_in(value.operand(0))
            }
            _ => None,
        }
    }

    /// Finds the variables whose addresses are in tables that the kernel reaches, and numbers them.
    pub fn number_targets(&mut self) {
        let mut seen = HashSet::new();
        let mut open: Vec<Value<'m>> = Vec::new();
        for block in self.function.blocks() {
            for instruction in block.instructions() {
                open.extend(instruction.operands().filter(|it| is_constant(*it)));
            }
        }
        while let Some(value) = open.pop() {
            if !seen.insert(value) {
                continue;
            }
            match value.kind() {
                ValueKind::GlobalVariable => {
                    let entries = value.initializer().map(|it| self.entries_of(it));
                    for entry in entries.unwrap_or_default() {
                        if !self.targets.contains(&entry.target) {
                            self.targets.push(entry.target);
                        }
                        open.push(entry.target);
                    }
                }
                ValueKind::Expression => open.extend(value.operands()),
                _ => {}
            }
        }
        // In the order of the module, independent of the order of the search.
        let order: Vec<Value<'m>> = self.module.globals().collect();
        self.targets
            .sort_by_key(|target| order.iter().position(|it| it == target));
    }

    /// What a table holds for an address.
    pub fn code_of(&self, entry: Entry<'m>) -> Option<u64> {
        let number = self.targets.iter().position(|it| *it == entry.target)?;
        let distance = i32::try_from(entry.distance).ok()?;
        Some((number as u64 + 1) << 32 | u64::from(distance as u32))
    }

    /// Loads an address or, where structures are copied, its bits; `None` if no table is accessed.
    pub fn load_address(
        &mut self,
        load: Value<'m>,
        operand: MemoryOperand,
    ) -> Result<Option<ir::Value>> {
        let pointer = load.operand(0);
        if self.targets.is_empty() || pointer.ty().shape() != Shape::Pointer(2) {
            return Ok(None);
        }
        let (certainty, entries) = self.entries_at(pointer);
        let is_address = match load.ty().shape() {
            Shape::Pointer(2) => true,
            Shape::Int(64) if entries.is_empty() => false,
            Shape::Int(64) if certainty == Certainty::Exact => true,
            _ if self.module.store_size(load.ty()) < 8 || entries.is_empty() => false,
            _ if !self.is_certain_to_be_table(pointer) => false,
            _ => return Err(unclear()),
        };
        if !is_address {
            return Ok(None);
        }
        let address = self.decode(operand, 0, &entries);
        Ok(Some(match types::scalar(load.ty())? {
            Type::Ptr(_) => address,
            _ => self.b.as_int(address),
        }))
    }

    /// After bytes were copied from tables: replaces codes by addresses.
    pub fn copy_addresses(
        &mut self,
        call: Value<'m>,
        to: MemoryOperand,
        from: MemoryOperand,
    ) -> Result<()> {
        let source = call.operand(1);
        if self.targets.is_empty() || source.ty().shape() != Shape::Pointer(2) {
            return Ok(());
        }
        let mut all = Vec::new();
        for (table, reach) in self.tables_of(source).unwrap_or_default() {
            let entries = table.initializer().map(|it| self.entries_of(it));
            let entries = entries.unwrap_or_default();
            let Some(size) = call.operand(2).as_int().map(|size| size as u64) else {
                return if entries.is_empty() {
                    Ok(())
                } else {
                    Err(unclear())
                };
            };
            if entries.is_empty() || size < 8 {
                continue;
            }
            // Whole elements, so that addresses are at the same offsets in each.
            if reach.first.rem_euclid(size as i64) != 0 || !reach.stride.is_multiple_of(size) {
                return Err(unclear());
            }
            all.extend(entries.into_iter().map(|entry| Entry {
                offset: entry.offset % size,
                ..entry
            }));
        }
        let mut offsets: Vec<u64> = all.iter().map(|entry| entry.offset).collect();
        offsets.sort_unstable();
        offsets.dedup();
        for offset in offsets {
            let here: Vec<_> = all
                .iter()
                .copied()
                .filter(|it| it.offset == offset)
                .collect();
            let address = self.decode(from, offset, &here);
            self.store(to, offset, &[address]);
        }
        Ok(())
    }

    /// The address whose code is in a table.
    fn decode(&mut self, operand: MemoryOperand, offset: u64, entries: &[Entry<'m>]) -> ir::Value {
        let code = self.load(operand, offset, Type::I64, 1)[0];
        let number = self.b.binary_constant(BinaryOp::LShr, code, 32);
        let number = self.b.resize(number, Type::I32);
        let mut address = self.b.constant(Type::Ptr(Space::Constant), 0);
        for (at, target) in self.targets.clone().into_iter().enumerate() {
            if !entries.iter().any(|entry| entry.target == target) {
                continue;
            }
            let Ok(object) = self.global_object(target) else {
                continue;
            };
            let start = self.b.address(object);
            let here = self
                .b
                .compare_constant(Predicate::Eq, number, at as u64 + 1);
            address = self.b.select(here, start, address);
        }
        if entries.iter().all(|entry| entry.distance == 0) {
            return address;
        }
        let distance = self.b.resize(code, Type::I32);
        let distance = self.b.resize_signed(distance, Type::I64);
        self.b.offset(address, distance)
    }

    /// The entries that a pointer may point to; all entries if its origin is unknown.
    fn entries_at(&self, pointer: Value<'m>) -> (Certainty, Vec<Entry<'m>>) {
        let Some(tables) = self.tables_of(pointer) else {
            let all = self.targets.iter().map(|&target| Entry {
                offset: 0,
                target,
                distance: 1,
            });
            return (Certainty::Rough, all.collect());
        };
        let mut found = Vec::new();
        let mut certainty = Certainty::Exact;
        for (table, reach) in tables {
            let entries = table.initializer().map(|it| self.entries_of(it));
            let mut entries = entries.unwrap_or_default();
            entries.retain(|entry| reach.contains(entry.offset));
            if reach.stride == 1 {
                certainty = Certainty::Rough;
            }
            found.extend(entries);
        }
        (certainty, found)
    }

    fn is_certain_to_be_table(&self, pointer: Value<'m>) -> bool {
        self.tables_of(pointer).is_some()
    }

    /// The variables that a pointer is computed from, and the offsets that it reaches in each. `None` if it has any
    /// other origin.
    fn tables_of(&self, pointer: Value<'m>) -> Option<Vec<(Value<'m>, Reach)>> {
        let mut tables = Vec::new();
        let mut seen = HashSet::new();
        let start = Reach {
            first: 0,
            stride: 0,
        };
        let mut open = vec![(pointer, start)];
        while let Some((value, reach)) = open.pop() {
            match (value.kind(), value.opcode()) {
                (ValueKind::GlobalVariable, _) => tables.push((value, reach)),
                (_, Some(Opcode::LLVMGetElementPtr)) => {
                    let offset = gep_offset(self.module, value).ok()?;
                    open.push((value.operand(0), reach.moved(&offset)));
                }
                (_, Some(Opcode::LLVMAddrSpaceCast | Opcode::LLVMBitCast | Opcode::LLVMFreeze)) => {
                    open.push((value.operand(0), reach));
                }
                (_, Some(Opcode::LLVMSelect)) => {
                    open.extend([(value.operand(1), reach), (value.operand(2), reach)]);
                }
                // A loop may move it by any distance.
                (_, Some(Opcode::LLVMPHI)) => {
                    if seen.insert(value) {
                        let anywhere = Reach {
                            first: 0,
                            stride: 1,
                        };
                        open.extend(value.operands().map(|it| (it, anywhere)));
                    }
                }
                (ValueKind::Null | ValueKind::Undefined, _) => {}
                _ => return None,
            }
        }
        Some(tables)
    }
}

impl Reach {
    fn moved(self, offset: &super::memory::Offset<'_>) -> Reach {
        let strides = offset.terms.iter().map(|&(_, scale)| scale);
        Reach {
            first: self.first.wrapping_add(offset.constant),
            stride: strides.fold(self.stride, gcd),
        }
    }

    fn contains(self, offset: u64) -> bool {
        let distance = (offset as i64).wrapping_sub(self.first);
        match self.stride {
            0 => distance == 0,
            stride => distance.unsigned_abs().is_multiple_of(stride),
        }
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    match b {
        0 => a,
        b => gcd(b, a % b),
    }
}

fn is_constant(value: Value<'_>) -> bool {
    matches!(
        value.kind(),
        ValueKind::GlobalVariable | ValueKind::Expression
    )
}

/// Avoids visiting the elements of large tables of numbers.
fn may_hold_addresses(ty: super::llvm::Type<'_>) -> bool {
    match ty.shape() {
        Shape::Pointer(_) => true,
        Shape::Array(element, _) => may_hold_addresses(element),
        Shape::Struct(fields) => fields.into_iter().any(may_hold_addresses),
        _ => false,
    }
}

fn unclear() -> Refusal {
    Refusal::new(
        Code::PointerInTable,
        "addresses from a constant table are copied together with other data",
    )
    .help("copy the members one by one, or store indices instead of pointers")
}
