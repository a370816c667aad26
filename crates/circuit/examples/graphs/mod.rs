//! Graphs that several measurements are about.

use sluice_circuit::unit::Fields;
use sluice_circuit::units::segment::{Graph, InlineOp, Operand};

/// Sums, minima and bit operations; each result is used.
pub fn integers(count: usize) -> Graph {
    use InlineOp::*;
    let ops = [
        Add,
        Xor,
        Sub,
        And,
        SMin,
        Or,
        Add,
        UMax,
        ShiftLeft { by: 3 },
        Add,
    ];
    web(
        format!("integers_{count}"),
        count,
        |graph, index, operands| {
            let op = ops[index % ops.len()];
            let operands = match op {
                ShiftLeft { .. } => &operands[..1],
                _ => operands,
            };
            graph.add_inline(op, 32, operands)
        },
    )
}

/// Operations each of which uses the oldest value that is not used yet, and a recent one.
pub fn web(
    name: String,
    count: usize,
    add: impl Fn(&mut Graph, usize, &[Operand]) -> Operand,
) -> Graph {
    let mut graph = Graph::new(name);
    let mut values = graph.add_input(Fields::new([32; 6]));
    for index in 0..count {
        let operands = [values[index], values[values.len() - 1 - index * 7 % 5]];
        values.push(add(&mut graph, index, &operands));
    }
    graph.add_output(&values[count..], 0);
    graph
}
