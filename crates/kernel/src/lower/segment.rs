//! One level of a block as a segment.

use std::collections::BTreeMap;

use sluice_circuit::circuit::{Circuit, Constant};
use sluice_circuit::target::Target;
use sluice_circuit::unit::Fields;
use sluice_circuit::units::segment::{Graph, InlineOp, Operand};

use super::Lowering;
use super::constants::Constants;
use super::names::{line, value_name};
use super::operations::Translator;
use crate::ir::{Inst, InstData, Kernel, Predicate, Query, Space, Value, ValueDef};
use crate::prepare::{Addresses, LaunchValue, PointerBits};

/// What is known of a kernel's values.
#[derive(Clone, Copy)]
pub(super) struct Values<'a> {
    pub(super) kernel: &'a Kernel,
    /// Where objects on the chip are.
    pub(super) addresses: &'a Addresses,
    pub(super) pointers: &'a PointerBits,
}

/// A segment in the making.
pub(super) struct SegmentBuilder<'a> {
    pub(super) graph: Graph,
    /// The circuit's constants at the segment's wires.
    pub(super) constants: Vec<Constant>,
    kernel: &'a Kernel,
    of: Values<'a>,
    target: &'a Target,
    values: BTreeMap<Value, Operand>,
    wires: BTreeMap<LaunchValue, Operand>,
}

impl<'a> Lowering<'a> {
    /// A segment of this name, without inputs and operations yet.
    pub(super) fn segment_builder(&self, name: &str) -> SegmentBuilder<'a> {
        SegmentBuilder::new(
            self.circuit,
            name,
            self.in_datapath(name),
            Values {
                kernel: self.kernel,
                addresses: self.addresses,
                pointers: self.pointers,
            },
            self.target,
        )
    }
}

impl<'a> SegmentBuilder<'a> {
    /// A segment of this name in a circuit, which is called `about` in its datapath.
    pub(super) fn new(
        circuit: &Circuit,
        name: &str,
        about: &str,
        of: Values<'a>,
        target: &'a Target,
    ) -> SegmentBuilder<'a> {
        let mut graph = Graph::new(format!("{}_{name}", circuit.name));
        graph.about = format!("Circuit {}: {about}", circuit.name);
        graph.source = circuit.source.clone();
        SegmentBuilder {
            graph,
            constants: Vec::new(),
            kernel: of.kernel,
            of,
            target,
            values: BTreeMap::new(),
            wires: BTreeMap::new(),
        }
    }

    /// Adds an input that carries these values.
    pub(super) fn add_input(&mut self, values: &[Value]) {
        let widths = values.iter().map(|&value| self.width(value));
        let fields = Fields::new(widths);
        self.add_fields(values, fields);
    }

    /// Adds an input that carries these results of an access, with all bits of their types.
    pub(super) fn add_results(&mut self, values: &[Value]) {
        let operands = self.add_fields(values, fields(self.kernel, values));
        for (&value, operand) in values.iter().zip(operands) {
            let narrow = self.low_bits(operand, self.width(value));
            self.values.insert(value, narrow);
        }
    }

    fn add_fields(&mut self, values: &[Value], fields: Fields) -> Vec<Operand> {
        let operands = self.graph.add_input(fields);
        let names = values.iter().map(|&value| value_name(self.kernel, value));
        self.graph.names.extend(operands.iter().copied().zip(names));
        let each = operands.iter().copied();
        self.values.extend(values.iter().copied().zip(each));
        operands
    }

    pub(super) fn width(&self, value: Value) -> u32 {
        self.of.pointers.width(self.kernel, value)
    }

    /// Computes a pure instruction.
    pub(super) fn compute(&mut self, circuit: &mut Circuit, known: &mut Constants, inst: Inst) {
        let result = self.kernel.result(inst);
        let operand = self.translate(circuit, known, inst);
        self.values.insert(result, operand);
    }

    /// A value, computed here if the launch alone decides it.
    pub(super) fn operand(
        &mut self,
        circuit: &mut Circuit,
        known: &mut Constants,
        value: Value,
    ) -> Operand {
        if let Some(&operand) = self.values.get(&value) {
            return operand;
        }
        let ValueDef::Result(inst, _) = self.kernel.def(value) else {
            panic!("dataflow: {value} is carried to where it is used");
        };
        let operand = self.translate(circuit, known, inst);
        self.values.insert(value, operand);
        operand
    }

    /// Adds a state that is as wide as a value.
    pub(super) fn add_state(&mut self, value: Value) -> Operand {
        let width = self.width(value);
        self.graph.add_state(width)
    }

    /// Makes a value what a state is, or the initial value of its loop where `begins` is 1.
    pub(super) fn begin_with(
        &mut self,
        value: Value,
        begins: Operand,
        initial: Operand,
        state: Operand,
    ) {
        let width = self.width(value);
        let operands = [begins, initial, state];
        let chosen = self.graph.add_inline(InlineOp::Select, width, &operands);
        self.values.insert(value, chosen);
    }

    /// A state for the number of iterations before this one, which counts up to `most`.
    pub(super) fn age(&mut self, most: u64) -> Operand {
        self.graph.add_state(age_bits(most))
    }

    /// Whether an age is below a number of at most `most`.
    pub(super) fn is_below(&mut self, age: Operand, number: u64, most: u64) -> Operand {
        let width = age_bits(most);
        let number = Operand::Literal {
            bits: number,
            width,
        };
        self.graph.add_inline(InlineOp::Ult, width, &[age, number])
    }

    /// A number that fits, or 0 where a condition is 1.
    pub(super) fn none_if(&mut self, condition: Operand, number: Operand) -> Operand {
        let width = self.graph.width(number);
        let none = Operand::Literal { bits: 0, width };
        let operands = [condition, none, number];
        self.graph.add_inline(InlineOp::Select, width, &operands)
    }

    /// Makes an age, given as the state and as what it is now, one more for the next iteration, `most` at most, or 0
    /// if there is none.
    pub(super) fn count_age(
        &mut self,
        [state, age]: [Operand; 2],
        most: u64,
        again: Option<Operand>,
    ) {
        let width = age_bits(most);
        let literal = |bits| Operand::Literal { bits, width };
        let counts = self.is_below(age, most, most);
        let more = self
            .graph
            .add_inline(InlineOp::Add, width, &[age, literal(1)]);
        let older = [counts, more, age];
        let older = self.graph.add_inline(InlineOp::Select, width, &older);
        let next = match again {
            None => older,
            Some(again) => {
                let next = [again, older, literal(0)];
                self.graph.add_inline(InlineOp::Select, width, &next)
            }
        };
        self.graph.set_next(state, next);
    }

    /// Whether a token is the first of its loop: the one before was the last of another execution. The second
    /// result is the state that is to become `again`.
    pub(super) fn first_of_loop(&mut self) -> (Operand, Operand) {
        let goes_on = self.graph.add_state(1);
        let first = self.graph.add_inline(InlineOp::Not, 1, &[goes_on]);
        (first, goes_on)
    }

    /// The low bits of a value that has as many or more.
    pub(super) fn low_bits(&mut self, operand: Operand, bits: u32) -> Operand {
        match (operand, self.graph.width(operand)) {
            (_, width) if width == bits => operand,
            (Operand::Literal { bits: number, .. }, _) => Operand::Literal {
                bits: number & (u64::MAX >> (64 - bits)),
                width: bits,
            },
            (_, width) => {
                let slice = InlineOp::Slice { low: 0, bits };
                self.graph.add_inline(slice, width, &[operand])
            }
        }
    }

    fn translate(&mut self, circuit: &mut Circuit, known: &mut Constants, inst: Inst) -> Operand {
        let kernel = self.kernel;
        let result = kernel.result(inst);
        let ty = kernel.ty(result);
        let data = kernel.inst(inst);
        let width = self.width(result);
        let mut operands: Vec<Operand> = Vec::new();
        for value in data.operands() {
            let operand = self.operand(circuit, known, value);
            let is_of_pointer = ty.is_ptr() && kernel.ty(value).is_ptr();
            operands.push(match is_of_pointer {
                true => self.low_bits(operand, width),
                false => operand,
            });
        }
        let of = |value: Value| kernel.ty(value);
        let mut make = Translator {
            graph: &mut self.graph,
            target: self.target,
            subnormals: kernel.subnormals,
            name: kernel.value_name(result),
            line: line(kernel, inst),
        };
        match *data {
            InstData::Const(bits) => {
                let width = ty.bits();
                let all = Operand::Literal { bits, width };
                self.low_bits(all, self.width(result))
            }
            InstData::Arg { param, lane } => {
                self.wire(circuit, known, LaunchValue::Argument { param, lane })
            }
            InstData::Addr(object) => {
                let address = match self.of.addresses.of(object) {
                    Some(bits) => Operand::Literal { bits, width: 64 },
                    None => {
                        let address = known.address(kernel, object);
                        self.wire(circuit, known, address)
                    }
                };
                self.low_bits(address, width)
            }
            InstData::Query { query, dim } => self.size(circuit, known, query, dim, ty.bits()),
            InstData::Unary { op, .. } => make.unary(op, ty, operands[0]),
            InstData::Binary { op, .. } => make.binary(op, ty, [operands[0], operands[1]]),
            InstData::Ternary { op, .. } => {
                make.ternary(op, ty, [operands[0], operands[1], operands[2]])
            }
            InstData::Elementary { op, .. } => make.elementary(op, &operands),
            InstData::Select { .. } => make.select(operands[0], width, [operands[1], operands[2]]),
            InstData::Compare { pred, args } => {
                make.compare(pred, of(args[0]), [operands[0], operands[1]])
            }
            InstData::Cast { op, arg } => {
                let cast = make.cast(op, of(arg), ty, operands[0]);
                self.low_bits(cast, width)
            }
            InstData::PtrAdd { .. } => {
                let is_disjoint = self.of.pointers.is_disjoint(kernel, result);
                let op = match is_disjoint {
                    true => InlineOp::Or,
                    false => InlineOp::Add,
                };
                make.ptr_add(op, operands[0], operands[1])
            }
            InstData::InSpace { space, ptr } => {
                assert_eq!(space, Space::Local, "prepare: others are compared");
                let first = Operand::Literal {
                    bits: self.of.addresses.first_local,
                    width: 64,
                };
                make.compare(Predicate::Ule, of(ptr), [first, operands[0]])
            }
            InstData::Load { .. }
            | InstData::Store { .. }
            | InstData::AtomicRmw { .. }
            | InstData::CmpXchg { .. }
            | InstData::Barrier(_)
            | InstData::Fence(_)
            | InstData::Printf { .. }
            | InstData::Jump(_)
            | InstData::Branch { .. }
            | InstData::Return => unreachable!(
                "dataflow: segments hold pure instructions, not {data}, in {}",
                self.graph.name
            ),
        }
    }

    fn wire(
        &mut self,
        circuit: &mut Circuit,
        known: &mut Constants,
        value: LaunchValue,
    ) -> Operand {
        if let Some(&operand) = self.wires.get(&value) {
            return operand;
        }
        self.constants.push(known.get(circuit, self.kernel, value));
        let (name, width) = (value.name(self.kernel), value.width(self.kernel));
        let operand = self.graph.add_constant(name, width);
        self.wires.insert(value, operand);
        operand
    }

    /// A size of the index space in as many bits as the instruction wants.
    fn size(
        &mut self,
        circuit: &mut Circuit,
        known: &mut Constants,
        query: Query,
        dim: u8,
        bits: u32,
    ) -> Operand {
        let wire = self.wire(circuit, known, LaunchValue::Size(query, dim));
        match bits {
            32 => wire,
            ..32 => self
                .graph
                .add_inline(InlineOp::Slice { low: 0, bits }, 32, &[wire]),
            33.. => self
                .graph
                .add_inline(InlineOp::Zext { to: bits }, 32, &[wire]),
        }
    }
}

/// The fields of a token that carries these values.
pub(super) fn fields(kernel: &Kernel, values: &[Value]) -> Fields {
    Fields::new(values.iter().map(|&value| kernel.ty(value).bits()))
}

/// Bits of a number of at most `most`.
fn age_bits(most: u64) -> u32 {
    u64::BITS - most.leading_zeros()
}
