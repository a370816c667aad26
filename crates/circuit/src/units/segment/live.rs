//! Which bits of a segment's values become hardware: synthesis removes high bits that nothing reads
//! and low bits that are always zero.

use std::collections::BTreeMap;

use super::graph::{Graph, Kind, Operand, Operation};
use super::inline::{Inline, InlineOp};

/// By value, the bits that are read, counted from the lowest, and the low ones that are zero.
#[derive(Debug)]
pub(super) struct Live<'a> {
    graph: &'a Graph,
    read: BTreeMap<Operand, u32>,
    zeros: BTreeMap<Operand, u32>,
}

impl<'a> Live<'a> {
    pub(super) fn of(graph: &'a Graph) -> Live<'a> {
        let mut live = Live {
            graph,
            read: BTreeMap::new(),
            zeros: BTreeMap::new(),
        };
        let operations = graph.operations.iter().enumerate();
        for (at, operation) in operations.clone() {
            if let Kind::Inline(inline) = &operation.kind {
                let zeros = live.zeros_of(inline, operation);
                live.zeros.insert(result(at), zeros);
            }
        }
        for &field in graph.outputs.iter().flat_map(|output| &output.fields) {
            live.reads(field, graph.width(field));
        }
        if let Some(again) = graph.repeat {
            live.reads(again, 1);
        }
        loop {
            for (at, operation) in operations.clone().rev() {
                live.reads_of(at, operation);
            }
            if !live.reads_next() {
                return live;
            }
        }
    }

    /// Marks what is read of the values that states get; says whether that is more than before.
    fn reads_next(&mut self) -> bool {
        let graph = self.graph;
        let mut changed = false;
        for state in &graph.states {
            let read = self.read.get(&state.value()).copied().unwrap_or(0);
            let next = state.next.expect("check: it is set");
            let before = self.read.get(&next).copied().unwrap_or(0);
            if read > before {
                self.reads(next, read);
                changed = true;
            }
        }
        changed
    }

    /// The bits of a value that become hardware.
    pub(super) fn bits(&self, value: Operand) -> u32 {
        let read = self.read.get(&value).copied().unwrap_or(0);
        read.saturating_sub(self.low_zeros(value))
    }

    fn low_zeros(&self, value: Operand) -> u32 {
        match value {
            Operand::Literal { bits, width } => bits.trailing_zeros().min(width),
            Operand::Input { .. } | Operand::Constant(_) | Operand::Result { .. } => {
                self.zeros.get(&value).copied().unwrap_or(0)
            }
        }
    }

    fn zeros_of(&self, inline: &Inline, operation: &Operation) -> u32 {
        use InlineOp::*;
        let zeros = |at: usize| self.low_zeros(operation.operands[at]);
        let found = match inline.op {
            Add | Sub | Or | Xor => zeros(0).min(zeros(1)),
            And => zeros(0).max(zeros(1)),
            Select => zeros(1).min(zeros(2)),
            Zext { .. } | Sext { .. } => zeros(0),
            Slice { low, .. } => zeros(0).saturating_sub(low),
            ShiftLeft { by } => zeros(0) + by,
            ShiftRightLogical { by } | ShiftRightArithmetic { by } => zeros(0).saturating_sub(by),
            Not | Eq | Ne | Ult | Ule | Slt | Sle | UMin | UMax | SMin | SMax | FNeg | FAbs
            | CopySign | BitReverse | ByteSwap => 0,
        };
        found.min(inline.result())
    }

    /// Marks what an operation reads of its operands for what is read of its results.
    fn reads_of(&mut self, at: usize, operation: &Operation) {
        let read = match &operation.kind {
            Kind::Inline(_) => self.read.get(&result(at)).copied().unwrap_or(0),
            Kind::Operator(_) => u32::MAX,
            Kind::State { .. } => return,
        };
        if read == 0 {
            return;
        }
        for (index, &operand) in operation.operands.iter().enumerate() {
            let bits = match &operation.kind {
                Kind::Inline(inline) => self.reads_at(inline, index, read, operation),
                Kind::Operator(_) | Kind::State { .. } => read,
            };
            self.reads(operand, bits);
        }
    }

    fn reads_at(&self, inline: &Inline, index: usize, read: u32, operation: &Operation) -> u32 {
        use InlineOp::*;
        match inline.op {
            And => match operation.operands[1 - index] {
                Operand::Literal { bits, .. } => read.min(u64::BITS - bits.leading_zeros()),
                Operand::Input { .. } | Operand::Constant(_) | Operand::Result { .. } => read,
            },
            Select if index == 0 => 1,
            Add | Sub | Or | Xor | Not | Select | Zext { .. } | Sext { .. } => read,
            Slice { low, bits } => low + read.min(bits),
            ShiftLeft { by } => read.saturating_sub(by),
            ShiftRightLogical { by } | ShiftRightArithmetic { by } => read + by,
            Eq | Ne | Ult | Ule | Slt | Sle | UMin | UMax | SMin | SMax | FNeg | FAbs
            | CopySign | BitReverse | ByteSwap => inline.width,
        }
    }

    fn reads(&mut self, value: Operand, bits: u32) {
        let bits = bits.min(self.graph.width(value));
        let read = self.read.entry(value).or_default();
        *read = (*read).max(bits);
    }
}

fn result(at: usize) -> Operand {
    Operand::Result {
        operation: at as u32,
        output: 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::Fields;

    #[test]
    fn bits_that_are_not_read_and_zeros_are_no_hardware() {
        let mut graph = Graph::new("address");
        let a = graph.add_input(Fields::new([64]))[0];
        let four = graph.add_inline(InlineOp::ShiftLeft { by: 2 }, 64, &[a]);
        let base = graph.add_constant("base", 64);
        let sum = graph.add_inline(InlineOp::Add, 64, &[four, base]);
        let low = graph.add_inline(InlineOp::Slice { low: 0, bits: 9 }, 64, &[sum]);
        graph.add_output(&[low], 0);
        let live = Live::of(&graph);
        assert_eq!([a, four, sum, low].map(|it| live.bits(it)), [7, 7, 9, 9]);
    }

    #[test]
    fn comparisons_read_everything_and_nothing_reads_what_is_unused() {
        let mut graph = Graph::new("limits");
        let [a, b] = graph.add_input(Fields::new([32, 32]))[..] else {
            unreachable!("two fields");
        };
        let less = graph.add_inline(InlineOp::Ult, 32, &[a, b]);
        let unused = graph.add_inline(InlineOp::Add, 32, &[a, b]);
        graph.add_output(&[less], 0);
        let live = Live::of(&graph);
        assert_eq!([a, less, unused].map(|it| live.bits(it)), [32, 1, 0]);
    }
}
