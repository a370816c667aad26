//! Decoding: numbers registers and turns instructions into operations, blocks into units.

use std::collections::HashMap;

use cranelift_entity::SecondaryMap;
use smallvec::SmallVec;

use crate::{
    Kernel,
    ir::{BinaryOp, Block, BlockCall, Inst, InstData, Loc, ObjectSet, Type, Value, ValueDef},
    semantics::signed,
};

use super::{
    arithmetic::{self, Compute, Operands, Run},
    fold_addresses::{Folded, Uses},
    program::{
        Atomic, Bank, Change, Constant, Edge, Exit, InSpace, Index, Load, Op, Preset, Printf, Slot,
        Store, Target, Unit, bank,
    },
};

/// A kernel being decoded.
pub(super) struct Decoder<'k> {
    kernel: &'k Kernel,
    order: &'k [Block],
    uses: Uses,
    /// Values that some operation or exit reads.
    needed: SecondaryMap<Value, bool>,
    pub slots: SecondaryMap<Value, Option<Slot>>,
    /// Registers that are written before a strip starts.
    pub presets: Vec<Preset>,
    /// Number of registers of each bank.
    pub count: [u32; 2],
    /// A register of each bank for moves, once one is needed.
    spare: [Option<u32>; 2],
    /// The first unit of each block.
    first: SecondaryMap<Block, usize>,
}

impl<'k> Decoder<'k> {
    /// Numbers the registers of the blocks of `order`.
    pub fn new(kernel: &'k Kernel, order: &'k [Block]) -> Decoder<'k> {
        let mut decoder = Decoder {
            kernel,
            order,
            uses: Uses::of(kernel, order),
            needed: SecondaryMap::new(),
            slots: SecondaryMap::new(),
            presets: Vec::new(),
            count: [0; 2],
            spare: [None; 2],
            first: SecondaryMap::new(),
        };
        decoder.find_needed();
        decoder.number_presets();
        decoder.number_definitions();
        decoder.number_units();
        decoder
    }

    fn insts(&self) -> impl Iterator<Item = Inst> + use<'k> {
        let (kernel, order) = (self.kernel, self.order);
        order
            .iter()
            .flat_map(move |&block| kernel.block(block).insts.iter().copied())
    }

    /// The values that the operation of an instruction with effects reads, block arguments left out.
    fn reads(&self, inst: Inst) -> SmallVec<[Value; 8]> {
        let data = self.kernel.inst(inst);
        if let InstData::Branch { cond, .. } = data {
            return [*cond].into_iter().collect();
        }
        if data.is_terminator() {
            return SmallVec::new();
        }
        let mut reads = data.operands();
        if let Some(pointer) = data.pointer() {
            let folded = self.uses.fold(self.kernel, pointer);
            let at = reads.iter().position(|&value| value == pointer);
            reads.remove(at.expect("a pointer is an operand"));
            reads.push(folded.base);
            reads.extend(folded.index.map(|(value, _)| value));
        }
        reads
    }

    fn find_needed(&mut self) {
        let mut calls: SecondaryMap<Block, Vec<&BlockCall>> = SecondaryMap::new();
        for &block in self.order {
            for call in self.kernel.successors(block) {
                calls[call.block].push(call);
            }
        }
        let effects = self.insts().filter(|&i| !self.kernel.inst(i).is_pure());
        let mut work: Vec<Value> = effects.flat_map(|inst| self.reads(inst)).collect();
        while let Some(value) = work.pop() {
            if std::mem::replace(&mut self.needed[value], true) {
                continue;
            }
            match self.kernel.def(value) {
                ValueDef::Result(inst, _) if self.kernel.inst(inst).is_pure() => {
                    work.extend(self.kernel.inst(inst).operands());
                }
                ValueDef::Result(..) => {}
                ValueDef::Param(block, at) => {
                    work.extend(calls[block].iter().map(|call| call.args[at as usize]));
                }
            }
        }
    }

    fn new_slot(&mut self, ty: Type) -> Slot {
        let bank = bank(ty);
        let count = &mut self.count[bank as usize];
        let slot = Slot { bank, at: *count };
        *count += 1;
        slot
    }

    fn number_presets(&mut self) {
        let mut known: HashMap<(Constant, Type), Slot> = HashMap::new();
        for inst in self.insts() {
            let Some(constant) = Constant::of(self.kernel.inst(inst)) else {
                continue;
            };
            let value = self.kernel.result(inst);
            if !self.needed[value] {
                continue;
            }
            let ty = self.kernel.ty(value);
            let slot = known.get(&(constant, ty)).copied().unwrap_or_else(|| {
                let slot = self.new_slot(ty);
                self.presets.push(Preset { slot, ty, constant });
                slot
            });
            known.insert((constant, ty), slot);
            self.slots[value] = Some(slot);
        }
    }

    /// In the order of definitions, so that operands have lower numbers than results.
    fn number_definitions(&mut self) {
        for &block in self.order {
            let data = self.kernel.block(block);
            let results = data.insts.iter().flat_map(|&inst| {
                let preset = Constant::of(self.kernel.inst(inst)).is_some();
                let results = self.kernel.results(inst);
                results.iter().copied().filter(move |_| !preset)
            });
            let values: Vec<Value> = data.params.iter().copied().chain(results).collect();
            for value in values {
                let is_load = matches!(self.kernel.def_inst(value), Some(data) if !data.is_pure());
                if self.needed[value] || is_load {
                    self.slots[value] = Some(self.new_slot(self.kernel.ty(value)));
                }
            }
        }
    }

    fn number_units(&mut self) {
        let mut next = 0;
        for &block in self.order {
            self.first[block] = next;
            let insts = self.kernel.block(block).insts.iter();
            let barriers = insts.filter(|&&i| matches!(self.kernel.inst(i), InstData::Barrier(_)));
            next += 1 + barriers.count();
        }
    }

    fn slot(&self, value: Value) -> Slot {
        self.slots[value].expect("verify: operands are defined")
    }

    fn slots_of(&self, values: &[Value]) -> SmallVec<[Slot; 4]> {
        values.iter().map(|&value| self.slot(value)).collect()
    }

    /// The units of all blocks.
    pub fn units(&mut self) -> Vec<Unit> {
        let mut units = Vec::new();
        for &block in self.order {
            self.decode_block(block, &mut units);
        }
        units
    }

    fn decode_block(&mut self, block: Block, units: &mut Vec<Unit>) {
        let mut unit = Unit {
            head_of: Some(block),
            ops: Vec::new(),
            exit: Exit::Return,
            weight: 0,
            loc: Loc::default(),
        };
        for &inst in &self.kernel.block(block).insts {
            let (data, loc) = (self.kernel.inst(inst), self.kernel.loc(inst));
            unit.weight += u64::from(Constant::of(data).is_none());
            if unit.loc.line == 0 {
                unit.loc = loc;
            }
            if let InstData::Barrier(fences) = *data {
                let next = units.len() + 1;
                unit.exit = Exit::Barrier { next, fences, loc };
                let rest = Unit {
                    head_of: None,
                    ops: Vec::new(),
                    exit: Exit::Return,
                    weight: 0,
                    loc,
                };
                units.push(std::mem::replace(&mut unit, rest));
            } else if data.is_terminator() {
                unit.exit = self.exit(data);
            } else {
                unit.ops.extend(self.op(inst));
            }
        }
        units.push(unit);
    }

    fn exit(&mut self, terminator: &InstData) -> Exit {
        if let InstData::Branch { cond, targets } = terminator {
            Exit::Branch {
                cond: self.slot(*cond).at,
                targets: [self.edge(&targets[0]), self.edge(&targets[1])],
            }
        } else if let InstData::Jump(call) = terminator {
            Exit::Jump(self.edge(call))
        } else {
            Exit::Return
        }
    }

    fn edge(&mut self, call: &BlockCall) -> Edge {
        let params = &self.kernel.block(call.block).params;
        let moves = params.iter().zip(&call.args);
        let moves = moves.filter(|&(&param, _)| self.needed[param]);
        let moves = moves.map(|(&param, &arg)| (self.slot(param), self.slot(arg)));
        let moves = moves.filter(|(to, from)| to != from).collect();
        Edge {
            unit: self.first[call.block],
            moves: self.in_sequence(moves),
        }
    }

    /// Orders moves that are meant to happen at once so that they can happen one after the other.
    fn in_sequence(&mut self, mut waiting: Vec<(Slot, Slot)>) -> Vec<(Slot, Slot)> {
        let mut moves = Vec::new();
        while !waiting.is_empty() {
            let is_read = |to: Slot| waiting.iter().any(|&(_, from)| from == to);
            match waiting.iter().position(|&(to, _)| !is_read(to)) {
                Some(free) => moves.push(waiting.swap_remove(free)),
                None => {
                    // Only cycles are left: a copy of one value opens its cycle.
                    let saved = waiting[0].0;
                    let spare = self.spare(saved.bank);
                    moves.push((spare, saved));
                    for (_, from) in &mut waiting {
                        if *from == saved {
                            *from = spare;
                        }
                    }
                }
            }
        }
        moves
    }

    /// The register that opens cycles of moves.
    fn spare(&mut self, bank: Bank) -> Slot {
        let count = &mut self.count[bank as usize];
        let at = *self.spare[bank as usize].get_or_insert_with(|| {
            *count += 1;
            *count - 1
        });
        Slot { bank, at }
    }

    /// The operation of an instruction that does not end a unit, unless it can be left out.
    fn op(&self, inst: Inst) -> Option<Op> {
        let kernel = self.kernel;
        let data = kernel.inst(inst);
        if let InstData::InSpace { space, ptr } = *data {
            let is_needed = self.needed[kernel.result(inst)];
            return is_needed.then(|| {
                Op::InSpace(InSpace {
                    space,
                    pointer: self.slot(ptr).at,
                    result: self.slot(kernel.result(inst)),
                })
            });
        }
        if data.is_pure() {
            let needed = self.needed[kernel.result(inst)] && Constant::of(data).is_none();
            needed.then(|| Op::Compute(self.compute(inst)))
        } else if let Some(objects) = data.objects() {
            Some(self.access(inst, objects))
        } else if let InstData::Printf { format, args } = data {
            Some(Op::Printf(Box::new(Printf {
                format: format.clone(),
                args: args.iter().map(|&v| (self.slot(v), kernel.ty(v))).collect(),
            })))
        } else {
            // A fence: one work-item's accesses are in order anyway.
            None
        }
    }

    /// The operation of an instruction that accesses memory.
    fn access(&self, inst: Inst, objects: &ObjectSet) -> Op {
        let (data, results) = (self.kernel.inst(inst), self.kernel.results(inst));
        let target = self.target(inst, objects);
        if let InstData::Load { access, .. } = data {
            return Op::Load(Box::new(Load {
                target,
                access: *access,
                results: self.slots_of(results),
            }));
        }
        if let InstData::Store { access, values, .. } = data {
            return Op::Store(Box::new(Store {
                target,
                access: *access,
                values: self.slots_of(values),
            }));
        }
        let change = if let InstData::AtomicRmw { op, value, .. } = data {
            Change::Combine {
                op: *op,
                value: self.slot(*value),
            }
        } else if let InstData::CmpXchg { expected, new, .. } = data {
            Change::CompareExchange {
                expected: self.slot(*expected),
                new: self.slot(*new),
            }
        } else {
            unreachable!("accesses are loads, stores and atomics")
        };
        Op::Atomic(Box::new(Atomic {
            target,
            ty: self.kernel.ty(results[0]),
            change,
            result: self.slot(results[0]),
        }))
    }

    fn target(&self, inst: Inst, objects: &ObjectSet) -> Target {
        let data = self.kernel.inst(inst);
        let pointer = data.pointer().expect("an access has an address");
        let align = match data {
            InstData::Load { access, .. } | InstData::Store { access, .. } => access.align,
            _ => self.kernel.ty(self.kernel.results(inst)[0]).bits() / 8,
        };
        let Folded {
            base,
            index,
            displacement,
        } = self.uses.fold(self.kernel, pointer);
        Target {
            base: self.slot(base).at,
            index: match index.map(|(value, shift)| (self.slot(value), shift)) {
                None => Index::None,
                Some((slot, shift)) => match slot.bank {
                    Bank::Narrow => Index::Narrow(slot.at, shift),
                    Bank::Wide => Index::Wide(slot.at, shift),
                },
            },
            displacement,
            objects: objects.clone(),
            align,
            guard: data.guard().map(|guard| self.slot(guard).at),
            inst,
            loc: self.kernel.loc(inst),
        }
    }

    /// The computation of a pure instruction.
    fn compute(&self, inst: Inst) -> Compute {
        let kernel = self.kernel;
        let result = kernel.result(inst);
        let data = kernel.inst(inst);
        let (to, of) = (kernel.ty(result), |value| kernel.ty(value));
        let plain = |run, from, values: &[Value]| self.computation(result, run, from, values);
        match *data {
            InstData::Unary { op, arg } => plain(arithmetic::unary(op, to), to, &[arg]),
            InstData::Binary { op, args } => self.binary(result, op, args),
            InstData::Ternary { op, args } => {
                let subnormals = op.subnormals(kernel.subnormals, to);
                plain(arithmetic::ternary(op, to, subnormals), to, &args)
            }
            InstData::Elementary { op, ref args } => plain(arithmetic::elementary(op), to, args),
            InstData::Select { cond, args: [a, b] } => {
                plain(arithmetic::select(to), to, &[cond, a, b])
            }
            InstData::Compare { pred, args } => {
                let from = of(args[0]);
                match kernel.constant(args[1]) {
                    Some(bits) => {
                        let run = arithmetic::compare_immediate(pred, from);
                        plain(run, from, &args[..1]).with_immediate(bits)
                    }
                    None => plain(arithmetic::compare(pred, from), from, &args),
                }
            }
            InstData::Cast { op, arg } => plain(arithmetic::cast(op, of(arg), to), of(arg), &[arg]),
            InstData::PtrAdd { base, offset } => {
                let from = of(offset);
                match kernel.constant(offset) {
                    Some(bits) => plain(arithmetic::ptr_add_immediate(), from, &[base])
                        .with_immediate(signed(from, bits) as u64),
                    None => plain(arithmetic::ptr_add(from), from, &[base, offset]),
                }
            }
            InstData::Const(_)
            | InstData::Arg { .. }
            | InstData::Addr(_)
            | InstData::Query { .. }
            | InstData::InSpace { .. }
            | InstData::Load { .. }
            | InstData::Store { .. }
            | InstData::AtomicRmw { .. }
            | InstData::CmpXchg { .. }
            | InstData::Barrier(_)
            | InstData::Fence(_)
            | InstData::Printf { .. }
            | InstData::Jump(_)
            | InstData::Branch { .. }
            | InstData::Return => unreachable!("not a computation"),
        }
    }

    fn binary(&self, result: Value, op: BinaryOp, [mut a, mut b]: [Value; 2]) -> Compute {
        let ty = self.kernel.ty(result);
        if op.is_commutative() && self.kernel.constant(a).is_some() {
            std::mem::swap(&mut a, &mut b);
        }
        let subnormals = op.subnormals(self.kernel.subnormals, ty);
        match self.kernel.constant(b) {
            Some(bits) => {
                let run = arithmetic::binary_immediate(op, ty, subnormals);
                let computation = self.computation(result, run, ty, &[a]);
                computation.with_immediate(bits)
            }
            None => {
                let run = arithmetic::binary(op, ty, subnormals);
                self.computation(result, run, ty, &[a, b])
            }
        }
    }

    fn computation(&self, result: Value, run: Run, from: Type, values: &[Value]) -> Compute {
        let mut args = [0; 3];
        for (arg, &value) in args.iter_mut().zip(values) {
            *arg = self.slot(value).at;
        }
        Compute {
            run,
            operands: Operands {
                target: self.slot(result).at,
                args,
                immediate: 0,
                from,
                to: self.kernel.ty(result),
            },
        }
    }
}
