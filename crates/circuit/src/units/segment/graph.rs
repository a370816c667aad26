//! What a segment computes: operations on the fields of its inputs, before they have a schedule.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use super::inline::{Inline, InlineOp, OperandWidth};
use crate::arith::mask;
use crate::operators::Operator;
use crate::unit::{DEEPEST, Fields, Wire, require};
use crate::verilog::is_identifier;

/// What a segment computes. Operations stand in an order in which each follows those whose results
/// it uses.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// The segment's name, an identifier that no other segment of the circuit has.
    pub name: String,
    /// What the tokens carry that it takes, one from each input at once.
    pub inputs: Vec<Fields>,
    /// The constants that it reads.
    pub constants: Vec<Wire>,
    /// What it does.
    pub operations: Vec<Operation>,
    /// What it gives for each token.
    pub outputs: Vec<Output>,
    /// What tokens leave behind for those that enter after them.
    pub states: Vec<State>,
    /// One bit that says whether the same tokens enter again, if the segment repeats its tokens.
    pub repeat: Option<Operand>,
    /// The names in the source of fields of the inputs.
    pub names: BTreeMap<Operand, String>,
    /// What it is, in a few words.
    pub about: String,
    /// The file of the source that the operations' lines are lines of, without its folder.
    pub source: Option<String>,
}

/// A value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Operand {
    /// A field of an input's token.
    Input {
        /// Which input.
        port: u32,
        /// Which field.
        field: u32,
    },
    /// A constant of the launch.
    Constant(u32),
    /// A number.
    Literal {
        /// Its bits; those above the width are zero.
        bits: u64,
        /// Its width.
        width: u32,
    },
    /// A result of an operation.
    Result {
        /// Which operation.
        operation: u32,
        /// Which of its results.
        output: u32,
    },
}

/// What an operation does.
#[derive(Clone)]
pub enum Kind {
    /// It is an expression.
    Inline(Inline),
    /// It is an instance of a pipelined module.
    Operator(Arc<dyn Operator>),
    /// It is what the token before left behind: it has no operands, and is one of the graph's
    /// [states](Graph::states).
    State {
        /// Its width.
        width: u32,
    },
}

/// A value that each token leaves for the one that enters next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    /// The operation whose result is what the token before left; 0 for the first one after reset.
    pub operation: u32,
    /// What a token leaves; none until it is set.
    pub next: Option<Operand>,
}

/// An operation of a segment.
#[derive(Clone, Debug)]
pub struct Operation {
    /// What it does.
    pub kind: Kind,
    /// Its operands, in the order of the kind.
    pub operands: Vec<Operand>,
    /// The name of its result in the source.
    pub name: Option<String>,
    /// The source line.
    pub line: Option<u32>,
}

/// An output of a segment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Output {
    /// What its tokens carry.
    pub fields: Vec<Operand>,
    /// How many tokens more than what full throughput needs its queue holds.
    pub depth: u32,
}

impl fmt::Debug for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Inline(inline) => inline.fmt(f),
            Kind::Operator(operator) => operator.fmt(f),
            Kind::State { width } => write!(f, "state of {width} bits"),
        }
    }
}

impl Kind {
    /// What reports call it.
    pub fn word(&self) -> String {
        match self {
            Kind::Inline(inline) => {
                let op = format!("{:?}", inline.op).to_lowercase();
                let name = op.split(' ').next().unwrap_or_default();
                name.to_owned()
            }
            Kind::Operator(operator) => operator.module().trim_start_matches("sluice_").into(),
            Kind::State { .. } => "state".into(),
        }
    }
}

impl State {
    /// What the token before left.
    pub fn value(&self) -> Operand {
        Operand::Result {
            operation: self.operation,
            output: 0,
        }
    }
}

impl Operation {
    /// The widths of the operands.
    pub fn operand_widths(&self) -> Vec<u32> {
        match &self.kind {
            Kind::Inline(inline) => {
                let width = |operand: &OperandWidth| match operand {
                    OperandWidth::Full => inline.width,
                    OperandWidth::Bit => 1,
                };
                inline.operands().iter().map(width).collect()
            }
            Kind::Operator(operator) => operator.inputs().iter().map(|port| port.width).collect(),
            Kind::State { .. } => Vec::new(),
        }
    }

    /// The widths of the results.
    pub fn result_widths(&self) -> Vec<u32> {
        match &self.kind {
            Kind::Inline(inline) => vec![inline.result()],
            Kind::Operator(operator) => operator.outputs().iter().map(|port| port.width).collect(),
            Kind::State { width } => vec![*width],
        }
    }

    /// Whether it is a value that the token before has left.
    pub fn is_state(&self) -> bool {
        matches!(self.kind, Kind::State { .. })
    }

    /// Whether the result is the operand with bits above that it implies.
    pub(super) fn is_extension(&self) -> bool {
        matches!(&self.kind, Kind::Inline(inline) if inline.is_extension())
    }
}

impl Graph {
    /// A graph without inputs, operations and outputs.
    pub fn new(name: impl Into<String>) -> Graph {
        Graph {
            name: name.into(),
            ..Graph::default()
        }
    }

    /// Adds an input; its fields are the result.
    pub fn add_input(&mut self, fields: Fields) -> Vec<Operand> {
        let port = self.inputs.len() as u32;
        let count = fields.len() as u32;
        self.inputs.push(fields);
        let operand = |field| Operand::Input { port, field };
        (0..count).map(operand).collect()
    }

    /// Adds a constant.
    pub fn add_constant(&mut self, name: impl Into<String>, width: u32) -> Operand {
        let name = name.into();
        self.constants.push(Wire { name, width });
        Operand::Constant(self.constants.len() as u32 - 1)
    }

    /// Adds an operation; its results are the operands with its number.
    pub fn add(&mut self, operation: Operation) -> u32 {
        self.operations.push(operation);
        self.operations.len() as u32 - 1
    }

    /// Adds an expression without name and line.
    pub fn add_inline(&mut self, op: InlineOp, width: u32, operands: &[Operand]) -> Operand {
        self.add_unnamed(Kind::Inline(Inline { op, width }), operands)
    }

    /// Adds an operator without name and line; the first of its results is given back.
    pub fn add_operator(&mut self, operator: impl Operator, operands: &[Operand]) -> Operand {
        self.add_unnamed(Kind::Operator(Arc::new(operator)), operands)
    }

    fn add_unnamed(&mut self, kind: Kind, operands: &[Operand]) -> Operand {
        let operation = self.add(Operation {
            kind,
            operands: operands.to_vec(),
            name: None,
            line: None,
        });
        Operand::Result {
            operation,
            output: 0,
        }
    }

    /// Adds a state: a value that the token before left behind, 0 for the first token after reset.
    /// What each token leaves is to be set with [`Graph::set_next`].
    pub fn add_state(&mut self, width: u32) -> Operand {
        let state = self.add_unnamed(Kind::State { width }, &[]);
        let Operand::Result { operation, .. } = state else {
            unreachable!("operations have results");
        };
        let next = None;
        self.states.push(State { operation, next });
        state
    }

    /// Makes each token leave the value of `next` for the token that enters next. It may depend on
    /// any state.
    ///
    /// # Panics
    ///
    /// If `state` is no state.
    pub fn set_next(&mut self, state: Operand, next: Operand) {
        let mut states = self.states.iter_mut();
        let found = states.find(|it| it.value() == state);
        found.expect("a state has a next value").next = Some(next);
    }

    /// Makes the segment repeat its tokens: after each pass in which `again`, which has one bit, is 1
    /// the same tokens enter again. The pass in which it is 0 is their last one.
    pub fn set_repeat(&mut self, again: Operand) {
        self.repeat = Some(again);
    }

    /// Adds an output.
    pub fn add_output(&mut self, fields: &[Operand], depth: u32) {
        let fields = fields.to_vec();
        self.outputs.push(Output { fields, depth });
    }

    /// A value's width.
    pub fn width(&self, operand: Operand) -> u32 {
        match operand {
            Operand::Input { port, field } => {
                let mut widths = self.inputs[port as usize].widths();
                widths.nth(field as usize).expect("check: the field exists")
            }
            Operand::Constant(index) => self.constants[index as usize].width,
            Operand::Literal { width, .. } => width,
            Operand::Result { operation, output } => {
                let operation = &self.operations[operation as usize];
                match &operation.kind {
                    Kind::Inline(inline) => inline.result(),
                    Kind::Operator(operator) => operator.outputs()[output as usize].width,
                    Kind::State { width } => *width,
                }
            }
        }
    }

    /// What an output's tokens carry.
    pub fn output_fields(&self, output: usize) -> Fields {
        let fields = &self.outputs[output].fields;
        Fields::new(fields.iter().map(|&operand| self.width(operand)))
    }

    /// The value that an extension extends, through all extensions; others are their own.
    pub(super) fn base(&self, mut operand: Operand) -> Operand {
        while let Operand::Result { operation, .. } = operand {
            let operation = &self.operations[operation as usize];
            if !operation.is_extension() {
                break;
            }
            operand = operation.operands[0];
        }
        operand
    }

    /// By operation: whether an output, or whether tokens are repeated, depends on it.
    pub(super) fn used(&self) -> Vec<bool> {
        self.used_by(|operation| &operation.operands)
    }

    /// The same, for code that computes operations from these operands.
    pub(super) fn used_by<'a>(
        &'a self,
        operands: impl Fn(&'a Operation) -> &'a [Operand],
    ) -> Vec<bool> {
        let mut used = vec![false; self.operations.len()];
        let mark = |used: &mut Vec<bool>, operands: &[Operand]| {
            for operand in operands {
                if let Operand::Result { operation, .. } = operand {
                    used[*operation as usize] = true;
                }
            }
        };
        for output in &self.outputs {
            mark(&mut used, &output.fields);
        }
        mark(&mut used, self.repeat.as_slice());
        loop {
            for (index, operation) in self.operations.iter().enumerate().rev() {
                if used[index] {
                    mark(&mut used, operands(operation));
                }
            }
            // What a state will be is needed for as long as it is read.
            let before = used.iter().filter(|used| **used).count();
            for state in &self.states {
                if used[state.operation as usize] {
                    mark(&mut used, state.next.as_slice());
                }
            }
            if used.iter().filter(|used| **used).count() == before {
                return used;
            }
        }
    }

    /// Why the graph makes no sense, if it does not.
    pub(crate) fn check(&self) -> Result<(), String> {
        let name = &self.name;
        let rule = |rule: &str| format!("segment `{name}` {rule}");
        require(is_identifier(name), &rule("has a name for a module"))?;
        require(!self.inputs.is_empty(), &rule("has an input"))?;
        require(!self.outputs.is_empty(), &rule("has an output"))?;
        for operation in 0..self.operations.len() {
            self.check_operation(operation)?;
        }
        for output in &self.outputs {
            require(
                output.depth <= DEEPEST,
                &rule("has no queue deeper than a million"),
            )?;
            for &operand in &output.fields {
                self.check_operand(operand, self.operations.len())?;
            }
        }
        self.check_states()?;
        if let Some(again) = self.repeat {
            self.check_operand(again, self.operations.len())?;
            let is_bit = self.width(again) == 1;
            require(is_bit, &rule("repeats its tokens by one bit"))?;
        }
        Ok(())
    }

    fn check_states(&self) -> Result<(), String> {
        let name = &self.name;
        let operations = (0..).zip(&self.operations);
        let states = operations.filter(|(_, it)| matches!(it.kind, Kind::State { .. }));
        let states: Vec<u32> = states.map(|(index, _)| index).collect();
        let declared: Vec<u32> = self.states.iter().map(|it| it.operation).collect();
        let rule = format!("segment `{name}` lists each of its states once, in their order");
        require(states == declared, &rule)?;
        for state in &self.states {
            let index = state.operation;
            let Some(next) = state.next else {
                return Err(format!("state {index} of `{name}` has no next value"));
            };
            self.check_operand(next, self.operations.len())?;
            let (wanted, found) = (self.width(state.value()), self.width(next));
            if wanted != found {
                return Err(format!(
                    "the next value of state {index} of `{name}` has {found} bits instead of {wanted}"
                ));
            }
        }
        Ok(())
    }

    /// Why an operation makes no sense, if it does not.
    pub(crate) fn check_operation(&self, index: usize) -> Result<(), String> {
        let operation = &self.operations[index];
        let place = || {
            format!(
                "in operation {index} of `{}`, {:?}",
                self.name, operation.kind
            )
        };
        match &operation.kind {
            Kind::Inline(inline) if !inline.is_sound() => {
                return Err(format!("unsound parameters {}", place()));
            }
            Kind::State { width } if !(1..=64).contains(width) => {
                return Err(format!("a width that is not 1 to 64 {}", place()));
            }
            Kind::Inline(_) | Kind::State { .. } => {}
            Kind::Operator(operator) => operator.check()?,
        }
        let widths = operation.operand_widths();
        let (wanted, found) = (widths.len(), operation.operands.len());
        if wanted != found {
            return Err(format!("{found} operands instead of {wanted} {}", place()));
        }
        for (&operand, wanted) in operation.operands.iter().zip(widths) {
            self.check_operand(operand, index)?;
            let found = self.width(operand);
            if found != wanted {
                return Err(format!(
                    "{operand:?} has {found} bits instead of {wanted} {}",
                    place()
                ));
            }
        }
        Ok(())
    }

    /// Why there is no such value before that many operations, if there is none.
    pub(crate) fn check_operand(&self, operand: Operand, operations: usize) -> Result<(), String> {
        let exists = match operand {
            Operand::Input { port, field } => {
                let fields = self.inputs.get(port as usize);
                fields.is_some_and(|fields| (field as usize) < fields.len())
            }
            Operand::Constant(index) => (index as usize) < self.constants.len(),
            Operand::Literal { bits, width } => {
                (1..=64).contains(&width) && bits & !mask(width) == 0
            }
            Operand::Result { operation, output } => {
                (operation as usize) < operations
                    && (output as usize) < self.operations[operation as usize].result_widths().len()
            }
        };
        match exists {
            true => Ok(()),
            false => Err(format!(
                "{operand:?} does not exist before operation {operations} of `{}`",
                self.name
            )),
        }
    }
}
