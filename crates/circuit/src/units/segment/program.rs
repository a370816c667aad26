//! A segment as straight-line code over an array of registers: what the simulator executes, once
//! per token.

use std::any::Any;
use std::sync::Arc;

use super::graph::{Graph, Kind, Operand, Operation};
use super::inline::{Inline, InlineOp};
use crate::arith::{self, Format, Subnormals};
use crate::operators::Operator;
use crate::operators::fadd::{Fadd, Sum};
use crate::operators::fcmp::Fcmp;
use crate::operators::fma::Fma;
use crate::operators::fmul::Fmul;
use crate::operators::mul::{Half, Mul};
use crate::operators::shift::{Direction, Shift};
use crate::token_queue::copy_token;

/// A place in the array of registers.
type Register = u32;

/// The code. Registers hold the fields of the inputs, the constants, literals, and results.
pub(super) struct Program {
    /// What depends on constants only: executed once.
    prologue: Vec<Instruction>,
    steps: Vec<Instruction>,
    calls: Calls,
    /// By input: where its fields are.
    inputs: Vec<(Register, u32)>,
    constants: Register,
    registers: Vec<u64>,
    /// By output.
    outputs: Vec<Vec<Register>>,
    /// By state: where it is, and where the value is that a token leaves.
    states: Vec<State>,
    /// Whether the same tokens enter again, if the segment repeats its tokens.
    again: Option<Register>,
}

/// A state.
#[derive(Clone, Copy)]
struct State {
    value: Register,
    next: Register,
    /// What the token leaves, while states change.
    left: u64,
}

/// Defines the steps of the expressions that have no parameters but their width: one variant each,
/// so that executing one is one jump.
macro_rules! steps {
    (binary: $($binary:ident)*; unary: $($unary:ident)*;) => {
        /// An operation decoded: expressions and the common operators are computed in place, other
        /// operators through a call.
        #[derive(Clone, Copy)]
        enum Instruction {
            $($binary(u32, [Register; 2], Register),)*
            $($unary(u32, [Register; 1], Register),)*
            Select([Register; 3], Register),
            /// With the widths of operand and result.
            Sext([u32; 2], Register, Register),
            /// With the lowest bit and the width.
            Slice([u32; 2], Register, Register),
            /// With the number of bits and the width.
            ShiftLeftBy([u32; 2], Register, Register),
            ShiftRightLogicalBy([u32; 2], Register, Register),
            ShiftRightArithmeticBy([u32; 2], Register, Register),
            Fadd(Format, [Register; 2], Register),
            Fsub(Format, [Register; 2], Register),
            Fmul(Format, [Register; 2], Register),
            Fma(Format, [Register; 3], Register),
            Fcmp(Format, [Register; 2], Register),
            Mul(u32, [Register; 2], Register),
            ShiftLeft(u32, [Register; 2], Register),
            ShiftRightLogical(u32, [Register; 2], Register),
            ShiftRightArithmetic(u32, [Register; 2], Register),
            Call(Call, Register),
        }

        impl Instruction {
            /// The step of an expression.
            fn of(inline: &Inline, from: &[Register], to: Register) -> Instruction {
                let operand = |index: usize| from[index.min(from.len() - 1)];
                let [a, b, c] = [operand(0), operand(1), operand(2)];
                let width = inline.width;
                match inline.op {
                    $(InlineOp::$binary => Instruction::$binary(width, [a, b], to),)*
                    $(InlineOp::$unary => Instruction::$unary(width, [a], to),)*
                    InlineOp::Select => Instruction::Select([a, b, c], to),
                    // A value with zeros above is the same number.
                    InlineOp::Zext { .. } => Instruction::Slice([0, width], a, to),
                    InlineOp::Sext { to: wide } => Instruction::Sext([width, wide], a, to),
                    InlineOp::Slice { low, bits } => Instruction::Slice([low, bits], a, to),
                    InlineOp::ShiftLeft { by } => Instruction::ShiftLeftBy([by, width], a, to),
                    InlineOp::ShiftRightLogical { by } => {
                        Instruction::ShiftRightLogicalBy([by, width], a, to)
                    }
                    InlineOp::ShiftRightArithmetic { by } => {
                        Instruction::ShiftRightArithmeticBy([by, width], a, to)
                    }
                }
            }

            #[inline(always)]
            fn execute(&self, r: &mut [u64], calls: &Calls) {
                let get = |register: Register| r[register as usize];
                let (result, to) = match *self {
                    $(Instruction::$binary(width, [a, b], to) => {
                        let op = InlineOp::$binary;
                        (Inline { op, width }.evaluate(get(a), get(b), 0), to)
                    })*
                    $(Instruction::$unary(width, [a], to) => {
                        let op = InlineOp::$unary;
                        (Inline { op, width }.evaluate(get(a), 0, 0), to)
                    })*
                    Instruction::Select([a, b, c], to) => (if get(a) != 0 { get(b) } else { get(c) }, to),
                    Instruction::Sext([width, wide], a, to) => {
                        let op = InlineOp::Sext { to: wide };
                        (Inline { op, width }.evaluate(get(a), 0, 0), to)
                    }
                    Instruction::Slice([low, bits], a, to) => {
                        let (op, width) = (InlineOp::Slice { low, bits }, bits);
                        (Inline { op, width }.evaluate(get(a), 0, 0), to)
                    }
                    Instruction::ShiftLeftBy([by, width], a, to) => {
                        let op = InlineOp::ShiftLeft { by };
                        (Inline { op, width }.evaluate(get(a), 0, 0), to)
                    }
                    Instruction::ShiftRightLogicalBy([by, width], a, to) => {
                        let op = InlineOp::ShiftRightLogical { by };
                        (Inline { op, width }.evaluate(get(a), 0, 0), to)
                    }
                    Instruction::ShiftRightArithmeticBy([by, width], a, to) => {
                        let op = InlineOp::ShiftRightArithmetic { by };
                        (Inline { op, width }.evaluate(get(a), 0, 0), to)
                    }
                    Instruction::Fadd(format, [a, b], to) => (arith::fadd(format, get(a), get(b)), to),
                    Instruction::Fsub(format, [a, b], to) => (arith::fsub(format, get(a), get(b)), to),
                    Instruction::Fmul(format, [a, b], to) => (arith::fmul(format, get(a), get(b)), to),
                    Instruction::Fma(format, [a, b, c], to) => {
                        (arith::fma(format, get(a), get(b), get(c)), to)
                    }
                    Instruction::Fcmp(format, [a, b], to) => {
                        let compared = arith::fcompare(format, get(a), get(b));
                        r[to as usize + 1] = compared.equal.into();
                        r[to as usize + 2] = compared.unordered.into();
                        (compared.less.into(), to)
                    }
                    Instruction::Mul(width, [a, b], to) => (arith::mul_low(width, get(a), get(b)), to),
                    Instruction::ShiftLeft(width, [a, b], to) => {
                        (arith::shift_left(width, get(a), get(b)), to)
                    }
                    Instruction::ShiftRightLogical(width, [a, b], to) => {
                        (arith::shift_right_logical(width, get(a), get(b)), to)
                    }
                    Instruction::ShiftRightArithmetic(width, [a, b], to) => {
                        (arith::shift_right_arithmetic(width, get(a), get(b)), to)
                    }
                    Instruction::Call(call, to) => return calls.execute(call, r, to),
                };
                r[to as usize] = result;
            }
        }
    };
}

steps! {
    binary: Add Sub And Or Xor Eq Ne Ult Ule Slt Sle UMin UMax SMin SMax CopySign;
    unary: Not FNeg FAbs BitReverse ByteSwap;
}

/// Operators that are called through their interface.
#[derive(Default)]
struct Calls {
    operators: Vec<Arc<dyn Operator>>,
    operands: Vec<[Register; PORTS]>,
}

/// Which of the calls.
#[derive(Clone, Copy)]
struct Call(u32);

impl Calls {
    fn add(&mut self, operator: &Arc<dyn Operator>, from: &[Register]) -> Call {
        assert!(
            from.len() <= PORTS,
            "{operator:?} has at most {PORTS} operands"
        );
        let operand = |index: usize| from[index.min(from.len() - 1)];
        self.operands.push(std::array::from_fn(operand));
        self.operators.push(Arc::clone(operator));
        Call(self.operators.len() as u32 - 1)
    }

    fn execute(&self, call: Call, r: &mut [u64], to: Register) {
        let index = call.0 as usize;
        let operands = self.operands[index].map(|register| r[register as usize]);
        self.operators[index].evaluate(&operands, &mut r[to as usize..]);
    }
}

/// The most operands that an operator has.
const PORTS: usize = 4;

impl Program {
    pub(super) fn of(graph: &Graph) -> Program {
        Decoder::new(graph).decode()
    }

    /// Sets the constants and computes what depends on them alone.
    pub(super) fn set_constants(&mut self, constants: &[u64]) {
        let at = self.constants as usize;
        self.registers[at..at + constants.len()].copy_from_slice(constants);
        for step in &self.prologue {
            step.execute(&mut self.registers, &self.calls);
        }
    }

    /// Computes everything from the tokens that were taken.
    #[inline]
    pub(super) fn run<'a>(&mut self, token: impl Fn(usize) -> &'a [u64]) {
        self.load(token);
        self.compute();
    }

    /// Takes in the tokens.
    #[inline]
    pub(super) fn load<'a>(&mut self, token: impl Fn(usize) -> &'a [u64]) {
        for (port, &(at, count)) in self.inputs.iter().enumerate() {
            if count > 0 {
                let fields = &mut self.registers[at as usize..(at + count) as usize];
                copy_token(token(port), fields);
            }
        }
    }

    /// Computes everything from the tokens that were taken in last.
    #[inline]
    pub(super) fn compute(&mut self) {
        for step in &self.steps {
            step.execute(&mut self.registers, &self.calls);
        }
    }

    /// Puts states as they are after reset.
    pub(super) fn clear_states(&mut self) {
        for state in &self.states {
            self.registers[state.value as usize] = 0;
        }
    }

    /// Makes the states what the token leaves. What the outputs get of it has been copied before.
    #[inline]
    pub(super) fn leave_states(&mut self) {
        for state in &mut self.states {
            state.left = self.registers[state.next as usize];
        }
        for state in &self.states {
            self.registers[state.value as usize] = state.left;
        }
    }

    /// Whether the same tokens enter again after what was computed last.
    #[inline]
    pub(super) fn repeats(&self) -> bool {
        self.again
            .is_some_and(|again| self.registers[again as usize] != 0)
    }

    /// Copies out the fields of an output.
    #[inline]
    pub(super) fn output(&self, port: usize, token: &mut [u64]) {
        for (field, &register) in token.iter_mut().zip(&self.outputs[port]) {
            *field = self.registers[register as usize];
        }
    }
}

struct Decoder<'a> {
    graph: &'a Graph,
    program: Program,
    /// By operation: the register of its first result.
    results: Vec<Register>,
    /// By register.
    values: Vec<Value>,
}

/// What is known of the value of a register.
#[derive(Clone, Copy)]
struct Value {
    /// Whether it is the same for all tokens.
    fixed: bool,
    /// Bits above these are zero.
    bits: u32,
}

/// What is computed for an operation, and from what: the low bits of a sum are the sum of the low
/// bits, and the others may be unused.
fn work<'a>(graph: &'a Graph, operation: &'a Operation) -> (Kind, &'a [Operand]) {
    if let Kind::Inline(slice) = &operation.kind
        && let InlineOp::Slice { low: 0, bits } = slice.op
        && let Operand::Result { operation, .. } = operation.operands[0]
    {
        let wide = &graph.operations[operation as usize];
        if let Kind::Inline(inline) = &wide.kind
            && let op @ (InlineOp::Add | InlineOp::Sub) = inline.op
        {
            return (Kind::Inline(Inline { op, width: bits }), &wide.operands);
        }
    }
    (operation.kind.clone(), &operation.operands)
}

impl<'a> Decoder<'a> {
    fn new(graph: &'a Graph) -> Decoder<'a> {
        let mut decoder = Decoder {
            graph,
            program: Program {
                prologue: Vec::new(),
                steps: Vec::new(),
                calls: Calls::default(),
                inputs: Vec::new(),
                constants: 0,
                registers: Vec::new(),
                outputs: Vec::new(),
                states: Vec::new(),
                again: None,
            },
            results: Vec::new(),
            values: Vec::new(),
        };
        for fields in &graph.inputs {
            let widths: Vec<u32> = fields.widths().collect();
            let at = decoder.allocate(&widths, false);
            decoder.program.inputs.push((at, fields.len() as u32));
        }
        let widths: Vec<u32> = graph.constants.iter().map(|wire| wire.width).collect();
        decoder.program.constants = decoder.allocate(&widths, true);
        decoder
    }

    fn allocate(&mut self, widths: &[u32], fixed: bool) -> Register {
        let at = self.values.len();
        let values = widths.iter().map(|&bits| Value { fixed, bits });
        self.values.extend(values);
        self.program.registers.resize(self.values.len(), 0);
        at as Register
    }

    fn decode(mut self) -> Program {
        let graph = self.graph;
        let used = graph.used_by(|operation| work(graph, operation).1);
        for (operation, used) in graph.operations.iter().zip(used) {
            let result = match used {
                true => self.operation(operation),
                false => Register::MAX,
            };
            self.results.push(result);
        }
        for output in &graph.outputs {
            let fields = output.fields.iter();
            let fields = fields.map(|&field| self.register(field)).collect();
            self.program.outputs.push(fields);
        }
        for state in &graph.states {
            let value = self.results[state.operation as usize];
            if value != Register::MAX {
                let next = self.register(state.next.expect("check: it is set"));
                let left = 0;
                self.program.states.push(State { value, next, left });
            }
        }
        self.program.again = graph.repeat.map(|again| self.register(again));
        self.program
    }

    /// Gives the register of the first result.
    fn operation(&mut self, operation: &'a Operation) -> Register {
        let (kind, operands) = work(self.graph, operation);
        if let Kind::State { width } = kind {
            return self.allocate(&[width], false);
        }
        let from = operands.iter();
        let from: Vec<Register> = from.map(|&operand| self.register(operand)).collect();
        if let Kind::Inline(inline) = &kind
            && self.is_same(inline, from[0])
        {
            return from[0];
        }
        let fixed = from.iter().all(|&from| self.values[from as usize].fixed);
        let to = self.allocate(&operation.result_widths(), fixed);
        let step = self.step(&kind, &from, to);
        match fixed {
            true => self.program.prologue.push(step),
            false => self.program.steps.push(step),
        }
        to
    }

    /// Whether an expression gives the number that it is given.
    fn is_same(&self, inline: &Inline, value: Register) -> bool {
        let bits = self.values[value as usize].bits;
        if let InlineOp::Slice {
            low: 0,
            bits: wanted,
        } = inline.op
        {
            return bits <= wanted;
        }
        let is_positive = matches!(inline.op, InlineOp::Sext { .. }) && bits < inline.width;
        is_positive || matches!(inline.op, InlineOp::Zext { .. })
    }

    fn register(&mut self, operand: Operand) -> Register {
        match operand {
            Operand::Input { port, field } => self.program.inputs[port as usize].0 + field,
            Operand::Constant(index) => self.program.constants + index,
            Operand::Literal { bits, .. } => {
                let at = self.allocate(&[u64::BITS - bits.leading_zeros()], true);
                self.program.registers[at as usize] = bits;
                at
            }
            Operand::Result { operation, output } => self.results[operation as usize] + output,
        }
    }

    fn step(&mut self, kind: &Kind, from: &[Register], to: Register) -> Instruction {
        match kind {
            Kind::Inline(inline) => Instruction::of(inline, from, to),
            Kind::State { .. } => unreachable!("states are not computed"),
            Kind::Operator(operator) => known(&**operator, from, to)
                .unwrap_or_else(|| Instruction::Call(self.program.calls.add(operator, from), to)),
        }
    }
}

/// The step of an operator that has one of its own.
fn known(operator: &dyn Operator, from: &[Register], to: Register) -> Option<Instruction> {
    let operator: &dyn Any = operator;
    let pair = || [from[0], from[1]];
    if let Some(&Fadd { format, sum }) = operator.downcast_ref() {
        return Some(match sum {
            Sum::Add => Instruction::Fadd(format, pair(), to),
            Sum::Subtract => Instruction::Fsub(format, pair(), to),
        });
    }
    if let Some(&Fmul {
        format,
        subnormals: Subnormals::Kept,
        ..
    }) = operator.downcast_ref()
    {
        return Some(Instruction::Fmul(format, pair(), to));
    }
    if let Some(&Fma {
        format,
        subnormals: Subnormals::Kept,
        ..
    }) = operator.downcast_ref()
    {
        return Some(Instruction::Fma(format, [from[0], from[1], from[2]], to));
    }
    if let Some(&Fcmp { format }) = operator.downcast_ref() {
        return Some(Instruction::Fcmp(format, pair(), to));
    }
    if let Some(&Mul {
        width,
        half: Half::Low,
        ..
    }) = operator.downcast_ref()
    {
        return Some(Instruction::Mul(width, pair(), to));
    }
    let &Shift { width, direction } = operator.downcast_ref()?;
    Some(match direction {
        Direction::Left => Instruction::ShiftLeft(width, pair(), to),
        Direction::RightLogical => Instruction::ShiftRightLogical(width, pair(), to),
        Direction::RightArithmetic => Instruction::ShiftRightArithmetic(width, pair(), to),
    })
}
