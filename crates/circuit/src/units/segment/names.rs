//! Names in a segment's Verilog: of ports, of values as the source calls them, of what stands
//! between.

use super::graph::{Graph, Kind, Operation};
use super::inline::InlineOp;
use crate::verilog::{Identifiers, legal};

/// The names that are taken.
pub(super) struct Names(Identifiers);

/// What stands beside each port.
const ENDINGS: [&str; 8] = [
    "",
    "_valid",
    "_ready",
    "_room",
    "_first",
    "_first_next",
    "_head",
    "_queue",
];

/// What keeps tokens apart and repeats them.
const PACE: [&str; 7] = [
    "open",
    "pace",
    "free",
    "again",
    "token",
    "token_valid",
    "tokens",
];

/// Makes the constants' names good for ports.
pub(super) fn name_constants(graph: &mut Graph) {
    let mut names = Names::of_ports(graph);
    for wire in &mut graph.constants {
        wire.name = names.unique(&wire.name);
    }
}

impl Names {
    /// What the ports need is taken.
    fn of_ports(graph: &Graph) -> Names {
        let mut names = Identifiers::default();
        names.reserve(["clk", "rst", "enter", "valid"].map(String::from));
        if !graph.states.is_empty() || graph.repeat.is_some() {
            names.reserve(PACE.map(String::from));
        }
        let inputs = (0..graph.inputs.len()).map(|index| format!("in{index}"));
        let outputs = (0..graph.outputs.len()).map(|index| format!("out{index}"));
        for port in inputs.chain(outputs) {
            names.reserve(ENDINGS.map(|ending| format!("{port}{ending}")));
        }
        Names(names)
    }

    /// The names of the graph's ports are taken.
    pub(super) fn new(graph: &Graph) -> Names {
        let mut names = Names::of_ports(graph);
        names
            .0
            .reserve(graph.constants.iter().map(|wire| wire.name.clone()));
        names
    }

    /// Takes this name, or one like it.
    pub(super) fn unique(&mut self, name: &str) -> String {
        self.0.take(name)
    }
}

/// What an operation's result is called: as the source calls it, or after what is done.
pub(super) fn base(operation: &Operation, index: usize) -> String {
    match &operation.name {
        Some(name) => legal(name),
        None => format!("{}{index}", verb(operation)),
    }
}

/// What an operation does, in a word.
pub(super) fn verb(operation: &Operation) -> String {
    match &operation.kind {
        Kind::Inline(inline) => word(inline.op).to_string(),
        Kind::Operator(operator) => operator.module().trim_start_matches("sluice_").to_string(),
        Kind::State { .. } => "state".to_string(),
    }
}

fn word(op: InlineOp) -> &'static str {
    match op {
        InlineOp::Add => "add",
        InlineOp::Sub => "sub",
        InlineOp::And => "and",
        InlineOp::Or => "or",
        InlineOp::Xor => "xor",
        InlineOp::Not => "not",
        InlineOp::Eq => "eq",
        InlineOp::Ne => "ne",
        InlineOp::Ult | InlineOp::Slt => "lt",
        InlineOp::Ule | InlineOp::Sle => "le",
        InlineOp::Select => "select",
        InlineOp::Zext { .. } | InlineOp::Sext { .. } => "extend",
        InlineOp::Slice { .. } => "part",
        InlineOp::ShiftLeft { .. } => "shl",
        InlineOp::ShiftRightLogical { .. } | InlineOp::ShiftRightArithmetic { .. } => "shr",
        InlineOp::UMin | InlineOp::SMin => "min",
        InlineOp::UMax | InlineOp::SMax => "max",
        InlineOp::FNeg => "neg",
        InlineOp::FAbs => "abs",
        InlineOp::CopySign => "copysign",
        InlineOp::BitReverse => "bitreverse",
        InlineOp::ByteSwap => "byteswap",
    }
}
