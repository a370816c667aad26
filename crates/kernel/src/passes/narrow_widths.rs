//! Narrow widths: each integer is computed with the bits that it needs and no more. OpenCL's index
//! arithmetic is 64 bits wide by the language's rules, hardly ever by the program's needs, and a
//! circuit pays for every bit.
//!
//! Two analyses say what a value needs: [`Ranges`] what it can be, [`Demand`] how many of its low
//! bits matter. Below its demand every value stays exact: it is held in fewer bits from which
//! extending by zeros or by the sign restores the rest, or only its low bits are there because
//! the others are not used. Arguments and what memory holds keep their types.
//!
//! Truncations stand behind the definition and extensions where they are used, so that what goes
//! from block to block is narrow. Both are only wires.

mod cost;
mod plans;

use std::collections::HashMap;

use cranelift_entity::SecondaryMap;

use crate::analysis::{Cfg, Demand, Facts, Ranges};
use crate::ir::{Block, BlockCall, CastOp, Inst, InstData, Kernel, Loc, Type, Value, ValueDef};

use super::{Changed, remove_dead_code};
pub use cost::operator_bits;
use plans::Plan;

/// Narrows every integer to the bits it needs. Where that saves nothing, nothing is changed.
pub fn narrow_widths(kernel: &mut Kernel) -> Changed {
    narrow_widths_within(kernel, Ranges::MOST_GROUP_ITEMS)
}

/// The same for launches whose work-groups have at most `group_items` work-items.
pub fn narrow_widths_within(kernel: &mut Kernel, group_items: u64) -> Changed {
    // What is dead has no demand, and no width.
    let mut changed = remove_dead_code(kernel);
    let mut bits = operator_bits(kernel);
    // A narrower value may tell more about others. Nearly always one round finds everything; around
    // a loop each may take off a single bit. Every round but the last saves something.
    loop {
        let mut narrowed = kernel.clone();
        Narrower::new(&mut narrowed, group_items).rewrite();
        let _ = remove_dead_code(&mut narrowed);
        let left = operator_bits(&narrowed);
        if left >= bits {
            return changed;
        }
        narrowed.compact();
        *kernel = narrowed;
        bits = left;
        changed = Changed::Yes;
    }
}

/// How a value is held: in the low `bits` of another one, from which `extension` restores it as
/// far as it matters.
#[derive(Clone, Copy)]
struct Held {
    value: Value,
    bits: u32,
    extension: Extension,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Extension {
    Zeros,
    Sign,
}

/// An instruction's position in its block. What belongs behind it does so even if it is dropped.
#[derive(Clone, Copy)]
struct Position {
    inst: Inst,
    stays: Stays,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stays {
    Yes,
    No,
}

struct Narrower<'k> {
    kernel: &'k mut Kernel,
    ranges: Ranges,
    demand: Demand,
    held: SecondaryMap<Value, Option<Held>>,
    /// Truncations of a value, or constants it equals, by width: they stand behind its definition.
    behind: SecondaryMap<Value, Vec<(u32, Inst)>>,
    /// Extensions in the present block.
    extended: HashMap<(Value, u32, Extension), Value>,
    done: Vec<Position>,
    loc: Loc,
}

impl<'k> Narrower<'k> {
    fn new(kernel: &'k mut Kernel, group_items: u64) -> Narrower<'k> {
        Narrower {
            ranges: Ranges::within(kernel, group_items),
            demand: Demand::of(kernel),
            kernel,
            held: SecondaryMap::new(),
            behind: SecondaryMap::new(),
            extended: HashMap::new(),
            done: Vec::new(),
            loc: Loc::default(),
        }
    }

    fn rewrite(mut self) {
        let order = Cfg::of(self.kernel).reverse_postorder().to_vec();
        for &block in &order {
            self.narrow_params(block);
        }
        // Dominators come first: operands are held somehow before they are needed.
        let mut positions: SecondaryMap<Block, Vec<Position>> = SecondaryMap::new();
        for &block in &order {
            self.extended.clear();
            for inst in std::mem::take(&mut self.kernel.block_mut(block).insts) {
                self.loc = self.kernel.loc(inst);
                let stays = self.narrow_inst(inst);
                self.done.push(Position { inst, stays });
            }
            positions[block] = std::mem::take(&mut self.done);
        }
        for &block in &order {
            self.assemble(block, &positions[block]);
        }
    }

    /// Puts a block together again, with what belongs behind each definition.
    fn assemble(&mut self, block: Block, positions: &[Position]) {
        let mut insts = Vec::new();
        for &param in &self.kernel.block(block).params {
            take_behind(&mut self.behind, param, &mut insts);
        }
        for position in positions {
            if position.stays == Stays::Yes {
                insts.push(position.inst);
            }
            for &result in self.kernel.results(position.inst) {
                take_behind(&mut self.behind, result, &mut insts);
            }
        }
        self.kernel.block_mut(block).insts = insts;
    }

    fn narrow_params(&mut self, block: Block) {
        for param in self.kernel.block(block).params.clone() {
            if self.kernel.ty(param).is_int() {
                let (bits, extension) = self.need(param);
                self.hold(param, bits, extension);
            }
        }
    }

    /// The fewest bits that hold a value as far as it matters.
    fn need(&self, value: Value) -> (u32, Extension) {
        let facts = self.ranges.facts(value);
        let (unsigned, signed) = (facts.unsigned_width(), facts.signed_width());
        let bits = self.demand.bits(value).min(unsigned).min(signed);
        let extension = if bits < unsigned && bits == signed {
            Extension::Sign
        } else {
            Extension::Zeros
        };
        (bits, extension)
    }

    /// Gives a value a width and notes how it is restored.
    fn hold(&mut self, value: Value, bits: u32, extension: Extension) {
        self.kernel.set_ty(value, Type::Int(bits as u8));
        self.held[value] = Some(Held {
            value,
            bits,
            extension,
        });
    }

    fn facts(&self, value: Value) -> Facts {
        self.ranges.facts(value)
    }

    fn narrow_inst(&mut self, inst: Inst) -> Stays {
        let data = self.kernel.inst(inst).clone();
        if data.is_terminator() {
            self.narrow_terminator(inst);
            return Stays::Yes;
        }
        let int_result = match *self.kernel.results(inst) {
            [result] if self.kernel.ty(result).is_int() => Some(result),
            _ => None,
        };
        match (data, int_result) {
            (InstData::Const(_), _) => {}
            (data, Some(result))
                if data.is_pure() && self.facts(result).as_constant().is_some() =>
            {
                return Stays::No;
            }
            (
                InstData::Cast {
                    op: op @ (CastOp::Zext | CastOp::Sext | CastOp::Trunc),
                    arg,
                },
                Some(result),
            ) => {
                let held = self.pass_on(op, result, arg);
                self.held[result] = Some(held);
                return Stays::No;
            }
            (data @ InstData::Query { .. }, Some(result)) => {
                let (bits, extension) = self.need(result);
                self.replace(inst, data);
                self.hold(result, bits, extension);
            }
            (InstData::Select { cond, args }, Some(result)) => {
                let (bits, extension) = self.need(result);
                let cond = self.take(cond, 1);
                let args = args.map(|arg| self.take(arg, bits));
                self.replace(inst, InstData::Select { cond, args });
                self.hold(result, bits, extension);
            }
            (data, _) => self.narrow_operation(inst, data),
        }
        Stays::Yes
    }

    fn replace(&mut self, inst: Inst, data: InstData) {
        *self.kernel.inst_mut(inst) = data;
    }

    /// An operation whose width is chosen by its operands, or fixed.
    fn narrow_operation(&mut self, inst: Inst, data: InstData) {
        let results = self.kernel.results(inst).to_vec();
        match self.plan(&data, &results) {
            Some(Plan {
                mut data,
                width,
                extension,
            }) => {
                data.map_operands(|value| self.take(value, width));
                self.replace(inst, data);
                // Comparisons and conversions to floats keep their result's type.
                if let InstData::Binary { .. } | InstData::Unary { .. } = self.kernel.inst(inst) {
                    self.hold(results[0], width, extension);
                } else {
                    self.hold_as_is(&results);
                }
            }
            None => {
                let mut data = data;
                if let InstData::PtrAdd { offset, .. } = &mut data {
                    *offset = self.take(*offset, self.facts(*offset).signed_width());
                } else {
                    data.map_operands(|value| self.take_whole(value));
                }
                self.replace(inst, data);
                self.hold_as_is(&results);
            }
        }
    }

    fn hold_as_is(&mut self, results: &[Value]) {
        for &result in results {
            if let Type::Int(bits) = self.kernel.ty(result) {
                self.hold(result, bits.into(), Extension::Zeros);
            }
        }
    }

    fn narrow_terminator(&mut self, inst: Inst) {
        let mut data = self.kernel.inst(inst).clone();
        if let InstData::Branch { cond, .. } = &mut data {
            *cond = self.take(*cond, 1);
        }
        for BlockCall { block, args } in data.targets_mut() {
            let params = self.kernel.block(*block).params.clone();
            for (arg, param) in args.iter_mut().zip(params) {
                if let Type::Int(bits) = self.kernel.ty(param) {
                    *arg = self.take(*arg, bits.into());
                }
            }
        }
        self.replace(inst, data);
    }

    /// How the result of an integer conversion is held: as its operand is, as far as possible.
    fn pass_on(&mut self, op: CastOp, result: Value, arg: Value) -> Held {
        let from = self.facts(arg).width();
        let to = self.facts(result).width();
        let (bits, extension) = self.need(result);
        let held = self.held_whole(arg);
        let passed = match (op, held.extension) {
            (CastOp::Trunc, _) if held.bits > to => Held {
                bits,
                extension,
                ..held
            },
            (CastOp::Trunc, _) => held,
            (CastOp::Zext, Extension::Sign) if held.bits < from => {
                if self.demand.bits(result) <= held.bits {
                    held
                } else {
                    Held {
                        value: self.take(arg, from),
                        bits: from,
                        extension: Extension::Zeros,
                    }
                }
            }
            (CastOp::Sext, _) if held.bits == from => Held {
                extension: Extension::Sign,
                ..held
            },
            (CastOp::Zext, _) if held.bits == from => Held {
                extension: Extension::Zeros,
                ..held
            },
            (_, _) => held,
        };
        if bits < passed.bits {
            return Held {
                bits,
                extension,
                ..passed
            };
        }
        passed
    }

    /// How a value is held, constants included.
    fn held_whole(&mut self, value: Value) -> Held {
        let facts = self.facts(value);
        if let Some(bits) = facts.as_constant() {
            return Held {
                value: self.constant(value, facts.width(), bits),
                bits: facts.width(),
                extension: Extension::Zeros,
            };
        }
        self.held[value].expect("definitions come before uses")
    }

    /// A value of any type with all its bits.
    fn take_whole(&mut self, value: Value) -> Value {
        if self.kernel.ty(value).is_int() {
            self.take(value, self.facts(value).width())
        } else {
            value
        }
    }

    /// The low `width` bits of an integer value, exact as far as they matter.
    fn take(&mut self, value: Value, width: u32) -> Value {
        if let Some(bits) = self.facts(value).as_constant() {
            return self.constant(value, width, bits);
        }
        let held = self.held[value].expect("definitions come before uses");
        let low = self.truncated(held.value, width.min(held.bits));
        if width <= held.bits {
            return low;
        }
        let key = (low, width, held.extension);
        if let Some(&extended) = self.extended.get(&key) {
            return extended;
        }
        let op = match held.extension {
            Extension::Zeros => CastOp::Zext,
            Extension::Sign => CastOp::Sext,
        };
        let inst = self.make(InstData::Cast { op, arg: low }, width, self.loc);
        self.done.push(Position {
            inst,
            stays: Stays::Yes,
        });
        let extended = self.kernel.result(inst);
        self.extended.insert(key, extended);
        extended
    }

    fn truncated(&mut self, value: Value, width: u32) -> Value {
        if self.kernel.ty(value).bits() == width {
            return value;
        }
        let op = CastOp::Trunc;
        self.find_behind(value, width, InstData::Cast { op, arg: value })
    }

    /// The constant that a value is known to be, in another width.
    fn constant(&mut self, value: Value, width: u32, bits: u64) -> Value {
        let is_it = self.kernel.constant(value).is_some();
        if is_it && self.kernel.ty(value).bits() == width {
            return value;
        }
        let bits = bits & Type::Int(width as u8).mask();
        self.find_behind(value, width, InstData::Const(bits))
    }

    fn find_behind(&mut self, value: Value, width: u32, data: InstData) -> Value {
        let found = self.behind[value].iter().find(|(bits, _)| *bits == width);
        if let Some(&(_, inst)) = found {
            return self.kernel.result(inst);
        }
        let loc = match self.kernel.def(value) {
            ValueDef::Result(inst, _) => self.kernel.loc(inst),
            ValueDef::Param(..) => Loc::default(),
        };
        let inst = self.make(data, width, loc);
        self.behind[value].push((width, inst));
        self.kernel.result(inst)
    }

    fn make(&mut self, data: InstData, width: u32, loc: Loc) -> Inst {
        self.kernel.make_inst(data, &[Type::Int(width as u8)], loc)
    }
}

/// Moves what stands behind a definition into the list, the narrowest first.
fn take_behind(
    behind: &mut SecondaryMap<Value, Vec<(u32, Inst)>>,
    value: Value,
    insts: &mut Vec<Inst>,
) {
    let mut here = std::mem::take(&mut behind[value]);
    here.sort_by_key(|&(bits, _)| bits);
    insts.extend(here.into_iter().map(|(_, inst)| inst));
}
