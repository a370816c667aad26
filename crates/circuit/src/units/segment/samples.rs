//! Segments for tests and measurements.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Graph, Inline, InlineOp, Kind, Operand, Operation, Segment};
use crate::arith::{Format, Signedness, Subnormals, mask};
use crate::operators::div::Div;
use crate::operators::fadd::{Fadd, Sum};
use crate::operators::fdiv::Fdiv;
use crate::operators::mul::{Half, Mul};
use crate::operators::{self, Operator, Tile};
use crate::target::Target;
use crate::unit::{Fields, UnitKind};

/// The choices for tests.
pub fn samples() -> Vec<Box<dyn UnitKind>> {
    let mut graphs = vec![wiring(), numbers(), signals(), quotient(), expressions()];
    for seed in 0..8 {
        graphs.push(random_graph(seed, 6 + 6 * seed as usize));
    }
    graphs.extend([
        counted_loop(),
        extremes(),
        shift_register(16),
        sums(1),
        sums(3),
        sums(8),
    ]);
    for seed in 0..24 {
        graphs.push(random_recurrence(seed, 3 + 2 * seed as usize));
    }
    let slow = Target {
        grade: 1.7,
        ..Target::ECP5
    };
    let targets = [Target::ECP5, slow].into_iter().cycle();
    // Clocks at which what is left can be used in the cycle in which it is written.
    let bypassed = [1, 2, 3, 17].map(|count| {
        let period = 4.0;
        let target = Target {
            period,
            ..Target::ECP5
        };
        (remainders(count), target)
    });
    let segments = graphs.into_iter().zip(targets).chain(bypassed);
    segments
        .map(|(graph, target)| Box::new(Segment::schedule(graph, &target)) as _)
        .collect()
}

/// No operation takes time: every output is complete when the token enters.
fn wiring() -> Graph {
    let mut graph = Graph::new("wiring");
    let [a, b] = graph.add_input(Fields::new([32, 1]))[..] else {
        unreachable!("two fields");
    };
    let c = graph.add_input(Fields::new([64]))[0];
    let wide = graph.add_inline(InlineOp::Sext { to: 48 }, 32, &[a]);
    let low = graph.add_inline(InlineOp::Slice { low: 3, bits: 20 }, 64, &[c]);
    graph.add_output(&[wide, low, b, wide], 0);
    graph.add_output(&[c], 100);
    graph
}

/// Numbers and constants need no storage.
fn numbers() -> Graph {
    let mut graph = Graph::new("numbers");
    graph.add_input(Fields::new([5]));
    let n = graph.add_constant("reg", 32);
    let seven = Operand::Literal { bits: 7, width: 32 };
    let product = graph.add_inline(InlineOp::Add, 32, &[n, seven]);
    let wide = graph.add_inline(InlineOp::Zext { to: 64 }, 32, &[product]);
    graph.add_output(&[seven, n, wide], 1);
    graph.add_output(&[Operand::Literal { bits: 1, width: 1 }], 0);
    graph
}

/// Tokens without fields.
fn signals() -> Graph {
    let mut graph = Graph::new("signals");
    graph.add_input(Fields::NONE);
    graph.add_input(Fields::NONE);
    let x = graph.add_input(Fields::new([8]))[0];
    graph.add_output(&[], 0);
    graph.add_output(&[], 5);
    let y = graph.add_inline(InlineOp::Not, 8, &[x]);
    graph.add_output(&[y], 0);
    graph
}

/// A long operator beside short ones: delay lines, early outputs, columns of both kinds of memory.
fn quotient() -> Graph {
    let mut graph = Graph::new("quotient");
    let format = Format::F32;
    let fields = graph.add_input(Fields::new([32, 32, 32, 1]));
    let scale = graph.add_constant("scale", 32);
    let sum = Fadd {
        format,
        sum: Sum::Add,
    };
    let mul = Mul {
        width: 32,
        half: Half::Low,
        tile: Tile::ECP5,
    };
    let quotient = graph.add_operator(
        Fdiv {
            format,
            subnormals: Subnormals::Kept,
        },
        &[fields[0], fields[1]],
    );
    let scaled = graph.add_operator(mul, &[fields[2], scale]);
    let total = graph.add_operator(sum, &[quotient, scaled]);
    let chosen = graph.add_inline(InlineOp::Select, 32, &[fields[3], total, fields[2]]);
    graph.add_output(&[scaled], 0);
    graph.add_output(&[chosen, fields[1], fields[3]], 60);
    graph
}

/// Every expression in several widths, on values that are often equal, and on numbers.
fn expressions() -> Graph {
    let mut graph = Graph::new("expressions");
    let bit = graph.add_input(Fields::new([1]))[0];
    for width in [1, 8, 33, 64] {
        let fields = graph.add_input(Fields::new([width, width]));
        let a = fields[0];
        let b = graph.add_inline(InlineOp::Select, width, &[bit, a, fields[1]]);
        let mut seconds = vec![b];
        let numbers = [0, 1, mask(width), 1 << (width - 1)];
        seconds.extend(numbers.map(|bits| Operand::Literal { bits, width }));
        for op in all_expressions(width, width / 3, 64 - (64 - width) / 2, width - width / 3) {
            let inline = Inline { op, width };
            let operands = inline.operands().len();
            if !inline.is_sound() {
                continue;
            }
            for &second in &seconds {
                let operands = match operands {
                    1 => vec![second],
                    2 => vec![a, second],
                    _ => vec![bit, a, second],
                };
                graph.add_inline(op, width, &operands);
                if let [first, second] = operands[..] {
                    graph.add_inline(op, width, &[second, first]);
                }
            }
        }
    }
    for results in unused_results(&graph).chunks(50) {
        graph.add_output(results, 0);
    }
    graph
}

/// All expressions, with these parameters where they have some.
fn all_expressions(width: u32, by: u32, to: u32, bits: u32) -> Vec<InlineOp> {
    use InlineOp::*;
    debug_assert!(by + bits <= width && width <= to);
    vec![
        Add,
        Sub,
        And,
        Or,
        Xor,
        Not,
        Eq,
        Ne,
        Ult,
        Ule,
        Slt,
        Sle,
        Select,
        Zext { to },
        Sext { to },
        Slice { low: by, bits },
        ShiftLeft { by },
        ShiftRightLogical { by },
        ShiftRightArithmetic { by },
        UMin,
        UMax,
        SMin,
        SMax,
        FNeg,
        FAbs,
        CopySign,
        BitReverse,
        ByteSwap,
    ]
}

/// One pass per number below the token's, at least one: 32 bits are counted and compared. The state
/// of the last bit says whether a pass is the first one of its token.
pub fn counted_loop() -> Graph {
    let mut graph = Graph::new("counted_loop");
    let fields = graph.add_input(Fields::new([32, 8]));
    let one = Operand::Literal { bits: 1, width: 32 };
    let zero = Operand::Literal { bits: 0, width: 32 };
    let limit = graph.add_inline(
        InlineOp::And,
        32,
        &[fields[0], Operand::Literal { bits: 7, width: 32 }],
    );
    let (number, going) = (graph.add_state(32), graph.add_state(1));
    let following = graph.add_inline(InlineOp::Add, 32, &[number, one]);
    let again = graph.add_inline(InlineOp::Ult, 32, &[following, limit]);
    let next = graph.add_inline(InlineOp::Select, 32, &[again, following, zero]);
    let first = graph.add_inline(InlineOp::Not, 1, &[going]);
    graph.set_next(number, next);
    graph.set_next(going, again);
    graph.set_repeat(again);
    graph.add_output(&[number, first, fields[1]], 0);
    graph
}

/// The least and the greatest number so far.
pub fn extremes() -> Graph {
    let mut graph = Graph::new("extremes");
    let x = graph.add_input(Fields::new([32]))[0];
    let states = [InlineOp::SMin, InlineOp::SMax].map(|op| {
        let state = graph.add_state(32);
        let next = graph.add_inline(op, 32, &[state, x]);
        graph.set_next(state, next);
        next
    });
    graph.add_output(&states, 0);
    graph
}

/// The last tokens, and the sum of the first and the last of them.
pub fn shift_register(length: usize) -> Graph {
    let mut graph = Graph::new(format!("shift_register_{length}"));
    let x = graph.add_input(Fields::new([16]))[0];
    let states: Vec<Operand> = (0..length).map(|_| graph.add_state(16)).collect();
    for (at, &state) in states.iter().enumerate() {
        graph.set_next(state, states.get(at + 1).copied().unwrap_or(x));
    }
    let sum = graph.add_inline(InlineOp::Add, 16, &[states[0], states[length - 1]]);
    graph.add_output(&states, 0);
    graph.add_output(&[sum], 0);
    graph
}

/// Sums of floats, in turns: each token is added to the oldest of them.
pub fn sums(count: usize) -> Graph {
    let mut graph = Graph::new(format!("sums_{count}"));
    let x = graph.add_input(Fields::new([32]))[0];
    let states: Vec<Operand> = (0..count).map(|_| graph.add_state(32)).collect();
    let add = Fadd {
        format: Format::F32,
        sum: Sum::Add,
    };
    let sum = graph.add_operator(add, &[states[0], x]);
    for (at, &state) in states.iter().enumerate() {
        graph.set_next(state, states.get(at + 1).copied().unwrap_or(sum));
    }
    graph.add_output(&[sum], 0);
    graph
}

/// Remainders, in turns: each token is divided by the oldest of them. All are given.
pub fn remainders(count: usize) -> Graph {
    let mut graph = Graph::new(format!("remainders_{count}"));
    let x = graph.add_input(Fields::new([16]))[0];
    let states: Vec<Operand> = (0..count).map(|_| graph.add_state(16)).collect();
    let signedness = Signedness::Unsigned;
    let divide = Div {
        width: 16,
        signedness,
    };
    let quotient = graph.add_operator(divide, &[x, states[0]]);
    let Operand::Result { operation, .. } = quotient else {
        unreachable!("operators have results");
    };
    let output = 1;
    let remainder = Operand::Result { operation, output };
    for (at, &state) in states.iter().enumerate() {
        graph.set_next(state, states.get(at + 1).copied().unwrap_or(remainder));
    }
    graph.add_output(&states, 0);
    graph.add_output(&[quotient, remainder], 0);
    graph
}

/// A small generator of random numbers: the same seed gives the same graphs everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % bound
    }

    fn pick<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }

    fn bits(&mut self, width: u32) -> u64 {
        let bits = (self.below(1 << 31) as u64) << 33 | (self.below(1 << 31) as u64) << 5 | 9;
        let extreme = [0, mask(width), 1, 1 << (width - 1)];
        match self.below(3) {
            0 => self.pick(&extreme),
            _ => bits >> 5 & mask(width),
        }
    }
}

/// A random graph of `size` operations, all kinds among them, with up to three inputs and four
/// outputs.
pub fn random_graph(seed: u64, operations: usize) -> Graph {
    let graph = Graph::new(format!("random_{seed}_{operations}"));
    random_operations(graph, &mut Random(seed), operations)
}

/// A random graph with states, of which every second one repeats its tokens. What tokens leave is
/// random too: results, inputs, numbers, other states.
pub fn random_recurrence(seed: u64, operations: usize) -> Graph {
    let mut random = Random(seed ^ 0x5eed);
    let mut graph = Graph::new(format!("recurrence_{seed}_{operations}"));
    for _ in 0..1 + random.below(6) {
        graph.add_state(random.pick(&[1, 8, 16, 32, 32, 33, 64]));
    }
    let mut graph = random_operations(graph, &mut random, operations);
    let states: Vec<Operand> = graph.states.iter().map(|state| state.value()).collect();
    let mut values = states.clone();
    for (operation, data) in (0..).zip(&graph.operations) {
        let outputs = 0..data.result_widths().len() as u32;
        values.extend(outputs.map(|output| Operand::Result { operation, output }));
    }
    for (port, fields) in (0..).zip(&graph.inputs) {
        values.extend((0..fields.len() as u32).map(|field| Operand::Input { port, field }));
    }
    for state in states {
        let width = graph.width(state);
        let next = operand(&mut graph, &mut values, width, &mut random);
        graph.set_next(state, next);
    }
    if seed % 2 == 1 {
        let again = operand(&mut graph, &mut values, 1, &mut random);
        // A pass after which the state is not set is the last one.
        let going = graph.add_state(1);
        let others = graph.add_inline(InlineOp::Not, 1, &[going]);
        let again = graph.add_inline(InlineOp::Xor, 1, &[others, again]);
        graph.set_next(going, again);
        graph.set_repeat(again);
    }
    graph
}

fn random_operations(mut graph: Graph, random: &mut Random, operations: usize) -> Graph {
    let mut values: Vec<Operand> = graph.states.iter().map(|state| state.value()).collect();
    let operations = operations + graph.operations.len();
    for _ in 0..1 + random.below(3) {
        let fields = (0..random.below(4)).map(|_| random.pick(&[1, 8, 16, 32, 33, 64]));
        values.extend(graph.add_input(Fields::new(fields)));
    }
    for index in 0..random.below(3) {
        values.push(graph.add_constant(format!("k{index}"), random.pick(&[8, 32, 64])));
    }
    let operators = all_operators();
    while graph.operations.len() < operations {
        let kind = match random.below(4) {
            0 => Kind::Operator(random.pick(&operators)),
            _ => Kind::Inline(random_inline(random)),
        };
        add_operation(&mut graph, &mut values, kind, random);
    }
    for _ in 0..1 + random.below(4) {
        let fields: Vec<Operand> = (0..random.below(5)).map(|_| random.pick(&values)).collect();
        graph.add_output(&fields, random.below(4) as u32);
    }
    let unused = unused_results(&graph);
    graph.add_output(&unused, 0);
    graph
}

/// The results that nothing uses.
fn unused_results(graph: &Graph) -> Vec<Operand> {
    let operands = graph
        .operations
        .iter()
        .flat_map(|operation| &operation.operands);
    let fields = graph.outputs.iter().flat_map(|output| &output.fields);
    let used: BTreeSet<Operand> = operands.chain(fields).copied().collect();
    let operations = (0..).zip(&graph.operations);
    let results = operations.flat_map(|(operation, data)| {
        let outputs = 0..data.result_widths().len() as u32;
        outputs.map(move |output| Operand::Result { operation, output })
    });
    results.filter(|result| !used.contains(result)).collect()
}

fn all_operators() -> Vec<Arc<dyn Operator>> {
    let catalog = operators::catalog().into_iter();
    catalog
        .flat_map(|(_, samples)| samples.into_iter().map(Arc::from))
        .collect()
}

fn add_operation(graph: &mut Graph, values: &mut Vec<Operand>, kind: Kind, random: &mut Random) {
    let mut operation = Operation {
        kind,
        operands: Vec::new(),
        name: None,
        line: None,
    };
    let widths = operation.operand_widths();
    operation.operands = widths
        .iter()
        .map(|&width| operand(graph, values, width, random))
        .collect();
    if random.below(2) == 0 {
        operation.name = Some(
            random
                .pick(&["sum", "wire", "x.y", "0", "v3", "in0"])
                .into(),
        );
        operation.line = Some(random.below(90) as u32);
    }
    let results = operation.result_widths().len() as u32;
    let operation = graph.add(operation);
    values.extend((0..results).map(|output| Operand::Result { operation, output }));
}

/// A value of that width: one that exists, a part or an extension of one, or a number.
fn operand(
    graph: &mut Graph,
    values: &mut Vec<Operand>,
    width: u32,
    random: &mut Random,
) -> Operand {
    let fitting: Vec<Operand> = values
        .iter()
        .copied()
        .filter(|&value| graph.width(value) == width)
        .collect();
    if !fitting.is_empty() && random.below(3) > 0 {
        return random.pick(&fitting);
    }
    if values.is_empty() || random.below(6) == 0 {
        let bits = random.bits(width);
        return Operand::Literal { bits, width };
    }
    let value = random.pick(values);
    let from = graph.width(value);
    let op = match from < width {
        true => random.pick(&[InlineOp::Zext { to: width }, InlineOp::Sext { to: width }]),
        false => InlineOp::Slice {
            low: random.below((from - width) as usize + 1) as u32,
            bits: width,
        },
    };
    let value = graph.add_inline(op, from, &[value]);
    values.push(value);
    value
}

fn random_inline(random: &mut Random) -> Inline {
    let width = random.pick(&[1, 2, 8, 16, 32, 33, 64]);
    let to = width + random.below((65 - width) as usize) as u32;
    let by = random.below(width as usize) as u32;
    let bits = 1 + random.below((width - by) as usize) as u32;
    let op = random.pick(&all_expressions(width, by, to, bits));
    let inline = Inline { op, width };
    match inline.is_sound() {
        true => inline,
        false => Inline {
            op: InlineOp::Not,
            width,
        },
    }
}
