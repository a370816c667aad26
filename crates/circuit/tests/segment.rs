//! Segments: schedules that keep the clock and waste no bits, exact latency, capacity and
//! throughput, and values as the operations define them. That the Verilog does the same is tested
//! with all units.

#[path = "segment/reference.rs"]
mod reference;
#[path = "segment/traffic.rs"]
mod traffic;

use std::collections::BTreeMap;

use sluice_circuit::arith::mask;
use sluice_circuit::family::FAMILIES;
use sluice_circuit::operators::Timing;
use sluice_circuit::target::Target;
use sluice_circuit::unit::{Fields, UnitKind};
use sluice_circuit::units::segment::samples::random_graph;
use sluice_circuit::units::segment::{
    Graph, Inline, InlineOp, Kind, Operand, OperationTime, Segment, Slot,
};

const EPSILON: f64 = 1e-6;

/// Random graphs with targets from slow to fast.
fn random_segments() -> impl Iterator<Item = Segment> {
    (0..60).map(|seed| {
        let target = Target {
            family: FAMILIES[seed as usize % FAMILIES.len()],
            period: [4.0, 5.0, 7.0, 10.0, 20.0][seed as usize % 5],
            ..Target::ECP5
        };
        Segment::schedule(random_graph(seed, 4 + 2 * seed as usize), &target)
    })
}

/// What an operand is read from: extensions are seen through.
fn base(graph: &Graph, operand: Operand) -> Operand {
    if let Operand::Result { operation, .. } = operand {
        let operation = &graph.operations[operation as usize];
        if let Kind::Inline(Inline {
            op: InlineOp::Zext { .. } | InlineOp::Sext { .. },
            ..
        }) = operation.kind
        {
            return base(graph, operation.operands[0]);
        }
    }
    operand
}

/// An operation's delays: until its first register or result, and behind its last register.
fn delays(target: &Target, kind: &Kind, slot: &Slot) -> (f64, Option<f64>) {
    let delays = target.delays();
    match kind {
        Kind::Inline(inline) => (inline.delay(&delays), None),
        Kind::State { .. } => panic!("these graphs have no states"),
        Kind::Operator(operator) => match operator.timing(&delays, slot.regs) {
            Timing::Through(delay) => (delay, None),
            Timing::Registered { input, output, .. } => (input, Some(output)),
        },
    }
}

/// When a value is there: its cycle (none if always) and time.
fn arrival(segment: &Segment, times: &[f64], operand: Operand) -> (Option<u32>, f64) {
    match base(segment.graph(), operand) {
        Operand::Input { .. } => (Some(0), 0.0),
        Operand::Constant(_) | Operand::Literal { .. } => (None, 0.0),
        Operand::Result { operation, .. } => match segment.times().operations[operation as usize] {
            OperationTime::At(slot) => (Some(slot.done), times[operation as usize]),
            OperationTime::Invariant { .. } => (None, times[operation as usize]),
            OperationTime::Unused | OperationTime::Extension => panic!("{operand:?} is nowhere"),
        },
    }
}

/// Recomputes when results are there, and asserts that nothing is read before it is there, nor
/// anything late for the clock.
fn check_times(segment: &Segment) {
    let graph = segment.graph();
    let budget = segment.target().budget() + EPSILON;
    let mut times = Vec::new();
    for (operation, time) in graph.operations.iter().zip(&segment.times().operations) {
        let slot = match time {
            OperationTime::Unused | OperationTime::Extension => {
                times.push(0.0);
                continue;
            }
            OperationTime::Invariant { .. } => Slot {
                cycle: 0,
                arrival: 0.0,
                regs: sluice_circuit::operators::Regs::NONE,
                done: 0,
                ready: 0.0,
            },
            OperationTime::At(slot) => *slot,
        };
        let (first, last) = delays(segment.target(), &operation.kind, &slot);
        assert_eq!(slot.done, slot.cycle + slot.regs.latency());
        let mut start: f64 = 0.0;
        for &operand in &operation.operands {
            let (cycle, time) = arrival(segment, &times, operand);
            assert!(
                cycle.is_none_or(|cycle| cycle <= slot.cycle),
                "{operand:?} is late"
            );
            if cycle.is_none_or(|cycle| cycle == slot.cycle) {
                start = start.max(time);
            }
        }
        // A step that is too long for the clock by itself has a cycle for itself.
        assert!(
            start + first <= budget || start == 0.0 || first == 0.0,
            "{operation:?} ends at {} of {budget}",
            start + first
        );
        let ready = last.unwrap_or(start + first);
        times.push(ready);
        if let OperationTime::At(slot) = time {
            assert!((slot.arrival - start).abs() < EPSILON && (slot.ready - ready).abs() < EPSILON);
        }
    }
}

#[test]
fn chains_fit_the_clock_and_operands_are_there() {
    for segment in random_segments() {
        check_times(&segment);
    }
}

/// The earliest cycle and time of every operation by itself, in order; invariants are like others.
fn earliest(segment: &Segment) -> Vec<(u32, u32, f64)> {
    let graph = segment.graph();
    let budget = segment.target().budget() + EPSILON;
    let mut done: Vec<(u32, u32, f64)> = Vec::new();
    for (operation, time) in graph.operations.iter().zip(&segment.times().operations) {
        let OperationTime::At(slot) = time else {
            done.push((0, 0, 0.0));
            continue;
        };
        let (first, last) = delays(segment.target(), &operation.kind, slot);
        let (mut cycle, mut time) = (0, 0.0);
        let mut steady: f64 = 0.0;
        for &operand in &operation.operands {
            let Operand::Result { operation, .. } = base(graph, operand) else {
                continue;
            };
            if let OperationTime::Invariant { ready } =
                segment.times().operations[operation as usize]
            {
                steady = steady.max(ready);
                continue;
            }
            let (_, at, ready) = done[operation as usize];
            if at > cycle || (at == cycle && ready > time) {
                (cycle, time) = (at, ready);
            }
        }
        if time.max(steady) + first > budget && time > 0.0 && first > 0.0 {
            (cycle, time) = (cycle + 1, 0.0);
        }
        let ready = last.unwrap_or(time.max(steady) + first);
        done.push((cycle, cycle + slot.regs.latency(), ready));
    }
    done
}

/// The bits that wait between operations if these are the cycles of operands and results.
fn waiting(segment: &Segment, cycles: impl Fn(usize) -> (u32, u32)) -> u32 {
    let graph = segment.graph();
    let mut last: BTreeMap<Operand, u32> = BTreeMap::new();
    for (index, operation) in graph.operations.iter().enumerate() {
        if let OperationTime::At(_) = segment.times().operations[index] {
            for &operand in &operation.operands {
                let read = last.entry(base(graph, operand)).or_default();
                *read = (*read).max(cycles(index).0);
            }
        }
    }
    let bits = last.into_iter().map(|(value, read)| {
        let done = match value {
            Operand::Input { .. } => 0,
            Operand::Result { operation, .. } => {
                match segment.times().operations[operation as usize] {
                    OperationTime::At(_) => cycles(operation as usize).1,
                    OperationTime::Unused
                    | OperationTime::Extension
                    | OperationTime::Invariant { .. } => return 0,
                }
            }
            Operand::Constant(_) | Operand::Literal { .. } => return 0,
        };
        graph.width(value) * (read - done)
    });
    bits.sum()
}

fn cycles(segment: &Segment) -> impl Fn(usize) -> (u32, u32) {
    |index| match segment.times().operations[index] {
        OperationTime::At(slot) => (slot.cycle, slot.done),
        OperationTime::Unused | OperationTime::Extension | OperationTime::Invariant { .. } => {
            (0, 0)
        }
    }
}

#[test]
fn outputs_are_as_early_as_can_be_and_fewer_bits_wait_than_in_the_earliest_schedule() {
    let (mut ours, mut theirs) = (0, 0);
    for segment in random_segments() {
        let earliest = earliest(&segment);
        for (output, latency) in segment
            .graph()
            .outputs
            .iter()
            .zip(&segment.times().latencies)
        {
            let done = output
                .fields
                .iter()
                .map(|&field| match base(segment.graph(), field) {
                    Operand::Result { operation, .. } => earliest[operation as usize].1,
                    Operand::Input { .. } | Operand::Constant(_) | Operand::Literal { .. } => 0,
                });
            assert_eq!(
                *latency,
                done.max().unwrap_or(0),
                "{}",
                segment.graph().name
            );
        }
        let bits = waiting(&segment, cycles(&segment));
        let bits_then = waiting(&segment, |index| (earliest[index].0, earliest[index].1));
        assert!(
            bits <= bits_then,
            "{}: {bits} > {bits_then}",
            segment.graph().name
        );
        ours += bits;
        theirs += bits_then;
    }
    assert!(ours * 10 < theirs * 9, "{ours} of {theirs} bits");
}

#[test]
fn the_narrow_value_waits() {
    let mut graph = Graph::new("narrow");
    let fields = graph.add_input(Fields::new([64, 64, 4, 64]));
    let mut sum = fields[0];
    for _ in 0..20 {
        sum = graph.add_inline(InlineOp::Add, 64, &[sum, fields[1]]);
    }
    // Narrows: wants to be early. Widens, though through nothing that is free: wants to be late.
    let narrow = graph.add_inline(InlineOp::Ult, 64, &[fields[0], fields[3]]);
    let zero = Operand::Literal { bits: 0, width: 64 };
    let wide = graph.add_inline(
        InlineOp::Select,
        64,
        &[narrow, zero, Operand::Literal { bits: 5, width: 64 }],
    );
    let both = graph.add_inline(InlineOp::Xor, 64, &[wide, sum]);
    graph.add_output(&[both], 0);
    let segment = Segment::schedule(graph, &Target::ECP5);
    let at = |operation: usize| match segment.times().operations[operation] {
        OperationTime::At(slot) => slot.cycle,
        other => panic!("{other:?}"),
    };
    let length = segment.times().length();
    assert!(length >= 8);
    assert_eq!(at(20), 0, "the comparison");
    assert_eq!(at(21), length, "the selection");
}

#[test]
fn tokens_come_with_the_latency_and_one_per_cycle() {
    const CYCLES: u64 = 400;
    for segment in random_segments() {
        let outputs = segment.graph().outputs.len();
        let constants = vec![3; segment.constants().len()];
        let passed = traffic::run(&segment, &vec![true; outputs], &constants, CYCLES);
        for tokens in &passed.inputs {
            let cycles: Vec<u64> = tokens.iter().map(|(cycle, _)| *cycle).collect();
            assert_eq!(
                cycles,
                (0..CYCLES).collect::<Vec<_>>(),
                "{}",
                segment.graph().name
            );
        }
        for (output, tokens) in passed.outputs.iter().enumerate() {
            let cycles: Vec<u64> = tokens.iter().map(|(cycle, _)| *cycle).collect();
            let first = segment.output_latency(output).into();
            assert_eq!(
                cycles,
                (first..CYCLES).collect::<Vec<_>>(),
                "{}",
                segment.graph().name
            );
        }
        assert_eq!(
            segment.latency(),
            (0..outputs)
                .map(|output| segment.output_latency(output))
                .max()
                .unwrap()
        );
    }
}

#[test]
fn it_takes_as_many_tokens_as_it_says_and_the_slowest_output_decides() {
    for segment in random_segments() {
        let outputs = segment.graph().outputs.len();
        let constants = vec![3; segment.constants().len()];
        let entered = |ready: &[bool]| {
            let passed = traffic::run(&segment, ready, &constants, 400);
            passed
                .inputs
                .iter()
                .for_each(|tokens| assert_eq!(tokens.len(), passed.inputs[0].len()));
            passed.inputs[0].len() as u32
        };
        assert_eq!(entered(&vec![false; outputs]), segment.capacity());
        for stuck in 0..outputs {
            let ready: Vec<bool> = (0..outputs).map(|output| output != stuck).collect();
            assert_eq!(entered(&ready), segment.output_capacity(stuck));
        }
    }
}

#[test]
fn values_are_those_of_the_operations() {
    for segment in random_segments() {
        let graph = segment.graph();
        let wires = segment.constants();
        let constants: Vec<u64> = wires
            .iter()
            .map(|wire| 0x9e37_79b9_7f4a_7c15 & mask(wire.width))
            .collect();
        let ready = vec![true; graph.outputs.len()];
        let passed = traffic::run(&segment, &ready, &constants, 300);
        for number in 0..300 - segment.latency() as usize {
            let token = |tokens: &Vec<(u64, Vec<u64>)>| tokens[number].1.clone();
            let inputs: Vec<Vec<u64>> = passed.inputs.iter().map(token).collect();
            let outputs: Vec<Vec<u64>> = passed.outputs.iter().map(token).collect();
            let outcome = reference::evaluate(graph, &inputs, &constants, &mut []);
            assert!(!outcome.again);
            assert_eq!(outputs, outcome.outputs, "{}", graph.name);
        }
    }
}

#[test]
fn every_operation_is_among_the_random_ones() {
    let mut seen: Vec<String> = Vec::new();
    for segment in random_segments() {
        for (operation, time) in segment
            .graph()
            .operations
            .iter()
            .zip(&segment.times().operations)
        {
            if *time != OperationTime::Unused {
                let name = format!("{:?}", operation.kind);
                let word = match &operation.kind {
                    Kind::Inline(inline) => format!("{:?}", inline.op),
                    Kind::Operator(_) | Kind::State { .. } => name,
                };
                let end = word.find([' ', '{']).unwrap_or(word.len());
                seen.push(word[..end].to_string());
            }
        }
    }
    seen.sort();
    seen.dedup();
    let operators = sluice_circuit::operators::catalog().len();
    assert_eq!(seen.len(), 28 + operators, "{seen:?}");
}

#[test]
fn the_same_graph_gives_the_same_text() {
    for seed in 0..20 {
        let text = || {
            let graph = random_graph(seed, 40);
            Segment::schedule(graph, &Target::ECP5).module().text
        };
        assert_eq!(text(), text());
    }
}
