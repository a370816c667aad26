//! What a graph means, computed the slow and obvious way: operands are looked up, integers are wide,
//! floats' signs are bits of text.

use sluice_circuit::units::segment::{Graph, Inline, InlineOp, Kind, Operand};

/// What comes of a token.
pub struct Outcome {
    /// The fields of each output.
    pub outputs: Vec<Vec<u64>>,
    /// Whether the same token enters again.
    pub again: bool,
}

/// What comes of a token, given the fields of each input and what the token before left.
pub fn evaluate(
    graph: &Graph,
    inputs: &[Vec<u64>],
    constants: &[u64],
    states: &mut [u64],
) -> Outcome {
    let mut results: Vec<Vec<u64>> = Vec::new();
    let value = |results: &[Vec<u64>], operand: Operand| match operand {
        Operand::Input { port, field } => inputs[port as usize][field as usize],
        Operand::Constant(index) => constants[index as usize],
        Operand::Literal { bits, .. } => bits,
        Operand::Result { operation, output } => results[operation as usize][output as usize],
    };
    for (index, operation) in (0..).zip(&graph.operations) {
        let operands = operation.operands.iter();
        let operands: Vec<u64> = operands.map(|&operand| value(&results, operand)).collect();
        results.push(match &operation.kind {
            Kind::Inline(inline) => vec![inline_result(inline, &operands)],
            Kind::Operator(operator) => {
                let mut outputs = vec![0; operator.outputs().len()];
                operator.evaluate(&operands, &mut outputs);
                outputs
            }
            Kind::State { .. } => {
                let mut all = graph.states.iter();
                let state = all.position(|state| state.operation == index).unwrap();
                vec![states[state]]
            }
        });
    }
    let fields = |fields: &[Operand]| fields.iter().map(|&field| value(&results, field)).collect();
    let outputs = graph.outputs.iter();
    let next = graph.states.iter();
    let next: Vec<u64> = next
        .map(|state| value(&results, state.next.unwrap()))
        .collect();
    states.copy_from_slice(&next);
    Outcome {
        outputs: outputs.map(|output| fields(&output.fields)).collect(),
        again: graph
            .repeat
            .is_some_and(|again| value(&results, again) == 1),
    }
}

fn inline_result(inline: &Inline, operands: &[u64]) -> u64 {
    use InlineOp::*;
    let width = inline.width;
    let modulus = 1_i128 << width;
    let natural = |index: usize| i128::from(operands[index]);
    let integer = |index: usize| match natural(index) {
        value if value >= modulus / 2 => value - modulus,
        value => value,
    };
    let text = |index: usize| format!("{:0width$b}", operands[index], width = width as usize);
    let bits = |text: String| i128::from_str_radix(&text, 2).unwrap();
    let result = match inline.op {
        Add => natural(0) + natural(1),
        Sub => natural(0) - natural(1),
        And => natural(0) & natural(1),
        Or => natural(0) | natural(1),
        Xor => natural(0) ^ natural(1),
        Not => modulus - 1 - natural(0),
        Eq => i128::from(natural(0) == natural(1)),
        Ne => i128::from(natural(0) != natural(1)),
        Ult => i128::from(natural(0) < natural(1)),
        Ule => i128::from(natural(0) <= natural(1)),
        Slt => i128::from(integer(0) < integer(1)),
        Sle => i128::from(integer(0) <= integer(1)),
        Select if natural(0) == 1 => natural(1),
        Select => natural(2),
        Zext { .. } => natural(0),
        Sext { .. } => integer(0),
        Slice { low, .. } => natural(0) / (1 << low),
        ShiftLeft { by } => natural(0) * (1 << by),
        ShiftRightLogical { by } => natural(0) / (1 << by),
        ShiftRightArithmetic { by } => integer(0).div_euclid(1 << by),
        UMin => natural(0).min(natural(1)),
        UMax => natural(0).max(natural(1)),
        SMin => integer(0).min(integer(1)),
        SMax => integer(0).max(integer(1)),
        FNeg if text(0).starts_with('0') => bits(format!("1{}", &text(0)[1..])),
        FNeg | FAbs => bits(format!("0{}", &text(0)[1..])),
        CopySign => bits(format!("{}{}", &text(1)[..1], &text(0)[1..])),
        BitReverse => bits(text(0).chars().rev().collect()),
        ByteSwap => {
            let all = text(0);
            let bytes = (0..all.len()).step_by(8).rev();
            bits(bytes.map(|at| &all[at..at + 8]).collect())
        }
    };
    result.rem_euclid(1 << inline.result()) as u64
}
