//! Segments whose tokens leave values for those behind them: the intervals between tokens, values as
//! the operations define them, and tokens that enter several times. That the Verilog does the same is
//! tested with all units.

#[path = "segment/reference.rs"]
mod reference;
#[path = "segment/traffic.rs"]
mod traffic;

use sluice_circuit::arith::{Format, Signedness, mask};
use sluice_circuit::circuit::Circuit;
use sluice_circuit::family::{ARRIA_10, FAMILIES};
use sluice_circuit::operators::Operator;
use sluice_circuit::operators::div::Div;
use sluice_circuit::operators::fadd::{Fadd, Sum};
use sluice_circuit::report::Report;
use sluice_circuit::target::Target;
use sluice_circuit::unit::{Fields, UnitKind};
use sluice_circuit::units::segment::samples::{
    counted_loop, extremes, random_recurrence, remainders, shift_register, sums,
};
use sluice_circuit::units::segment::{Graph, InlineOp, Operand, Segment};

const TARGETS: [Target; 2] = [
    Target::ECP5,
    Target {
        family: &ARRIA_10,
        period: 5.0,
        grade: 1.0,
    },
];

fn interval(graph: Graph, target: &Target) -> u32 {
    Segment::schedule(graph, target).interval()
}

/// The registers of the float adder.
fn adder_latency(target: &Target) -> u32 {
    let add = Fadd {
        format: Format::F32,
        sum: Sum::Add,
    };
    add.pipeline(target).latency()
}

#[test]
fn expressions_that_fit_a_cycle_have_an_interval_of_one() {
    for target in &TARGETS {
        assert_eq!(interval(counted_loop(), target), 1, "{target:?}");
        assert_eq!(interval(extremes(), target), 1, "{target:?}");
        assert_eq!(interval(shift_register(16), target), 1, "{target:?}");
    }
}

#[test]
fn sums_of_floats_wait_for_the_adder() {
    for target in &TARGETS {
        let alone = interval(sums(1), target);
        let latency = adder_latency(target);
        // The result passes the last step, which has no register behind it, into that of the sum.
        assert_eq!(alone, latency + 1, "{target:?}");
        for count in 1..=10 {
            let expected = alone.div_ceil(count as u32);
            assert_eq!(
                interval(sums(count), target),
                expected,
                "{count} on {target:?}"
            );
        }
    }
}

#[test]
fn what_is_written_is_used_in_the_same_cycle_where_the_clock_allows_it() {
    let target = Target {
        period: 4.0,
        ..Target::ECP5
    };
    let signedness = Signedness::Unsigned;
    let width = 16;
    let latency = Div { width, signedness }.pipeline(&target).latency();
    for count in [1, 2, 3, latency, latency + 1] {
        let segment = Segment::schedule(remainders(count as usize), &target);
        assert_eq!(segment.interval(), latency.div_ceil(count), "{count}");
        let taps = segment.times().histories.iter().flat_map(|it| &it.taps);
        let is_bypassed = taps.clone().any(|tap| tap.is_bypassed());
        assert_eq!(is_bypassed, latency.is_multiple_of(count), "{count}");
    }
}

#[test]
fn recurrences_fit_the_clock() {
    for target in &TARGETS {
        let graphs = [counted_loop(), extremes(), shift_register(16)];
        let turns = (1..=10).flat_map(|count| [sums(count), remainders(count)]);
        for graph in graphs.into_iter().chain(turns) {
            let segment = Segment::schedule(graph, target);
            for path in segment.report().paths {
                let budget = target.budget() + 1e-6;
                assert!(path <= budget, "{}: {path} ns", segment.graph().name);
            }
        }
    }
}

/// Random graphs with states, on slow and fast targets.
fn random_segments() -> impl Iterator<Item = Segment> {
    (0..120).map(|seed| {
        let target = Target {
            family: FAMILIES[seed as usize % FAMILIES.len()],
            period: [4.0, 5.0, 7.0, 10.0, 20.0][seed as usize % 5],
            ..Target::ECP5
        };
        Segment::schedule(random_recurrence(seed, 2 + seed as usize / 2), &target)
    })
}

#[test]
fn tokens_enter_an_interval_apart_and_give_what_the_operations_say() {
    const CYCLES: u64 = 500;
    for segment in random_segments() {
        let graph = segment.graph();
        let constants: Vec<u64> = segment
            .constants()
            .iter()
            .map(|wire| 0x9e37_79b9_7f4a_7c15 & mask(wire.width))
            .collect();
        let ready = vec![true; graph.outputs.len()];
        let passed = traffic::run(&segment, &ready, &constants, CYCLES);
        let mut states = vec![0; graph.states.len()];
        let mut passes = 0;
        'tokens: for number in 0..passed.inputs[0].len() {
            let inputs = passed.inputs.iter();
            let inputs: Vec<Vec<u64>> = inputs.map(|tokens| tokens[number].1.clone()).collect();
            loop {
                let outcome = reference::evaluate(graph, &inputs, &constants, &mut states);
                for (port, fields) in outcome.outputs.into_iter().enumerate() {
                    let Some((cycle, token)) = passed.outputs[port].get(passes) else {
                        break 'tokens;
                    };
                    assert_eq!(*token, fields, "{} at {cycle}", graph.name);
                    let first = u64::from(segment.output_latency(port));
                    let entered = passes as u64 * u64::from(segment.interval());
                    assert_eq!(*cycle, first + entered, "{}", graph.name);
                }
                passes += 1;
                if !outcome.again {
                    break;
                }
            }
        }
        let most = CYCLES / u64::from(segment.interval());
        let latency = u64::from(segment.latency());
        assert!(passes as u64 + latency + 1 >= most, "{}", graph.name);
    }
}

#[test]
fn a_counted_loop_repeats_its_tokens_and_loses_no_cycle() {
    let segment = Segment::schedule(counted_loop(), &Target::ECP5);
    assert_eq!(segment.latency(), segment.output_latency(0));
    let passed = traffic::run(&segment, &[true], &[], 300);
    let mut expected = Vec::new();
    for (_, token) in &passed.inputs[0] {
        for number in 0..(token[0] & 7).max(1) {
            expected.push(vec![number, u64::from(number == 0), token[1]]);
        }
    }
    let first = u64::from(segment.latency());
    let found = &passed.outputs[0];
    assert_eq!(found.len() as u64, 300 - first);
    for (at, (cycle, token)) in found.iter().enumerate() {
        assert_eq!((*cycle, token), (first + at as u64, &expected[at]));
    }
}

#[test]
fn the_limiting_recurrence_is_the_ring_of_operations_that_takes_longest() {
    let mut graph = Graph::new("two_sums");
    let fields = graph.add_input(Fields::new([32, 32]));
    let count = graph.add_state(32);
    let sum = graph.add_state(32);
    let one = Operand::Literal { bits: 1, width: 32 };
    let counted = graph.add_inline(InlineOp::Add, 32, &[count, one]);
    let product = graph.add_inline(InlineOp::Xor, 32, &[fields[0], fields[1]]);
    let add = Fadd {
        format: Format::F32,
        sum: Sum::Add,
    };
    let added = graph.add_operator(add, &[sum, product]);
    graph.set_next(count, counted);
    graph.set_next(sum, added);
    graph.add_output(&[counted, added], 0);
    let segment = Segment::schedule(graph, &Target::ECP5);
    let mut ring = segment.limiting_recurrence().to_vec();
    ring.sort_unstable();
    let number = |operand| match operand {
        Operand::Result { operation, .. } => operation,
        _ => unreachable!("results of operations"),
    };
    assert_eq!(ring, [number(sum), number(added)]);
    let circuit = Circuit::of_units("alone", vec![Box::new(segment)]);
    let report = Report::of(&circuit, Target::ECP5.family);
    assert_eq!(report.recurrences.len(), 1);
    assert_eq!(report.recurrences[0].interval, 6);
    let text = report.to_string();
    assert!(text.contains("recurrence in"), "{text}");
    let segment = Segment::schedule(extremes(), &Target::ECP5);
    assert!(segment.limiting_recurrence().is_empty());
}

#[test]
fn states_that_are_only_moved_stay_zero() {
    let mut graph = Graph::new("moved");
    let x = graph.add_input(Fields::new([8]))[0];
    let states = [(); 3].map(|()| graph.add_state(8));
    graph.set_next(states[0], states[1]);
    graph.set_next(states[1], states[0]);
    graph.set_next(states[2], states[2]);
    let sum = states.into_iter().fold(x, |sum, state| {
        graph.add_inline(InlineOp::Add, 8, &[sum, state])
    });
    graph.add_output(&[sum], 0);
    let segment = Segment::schedule(graph, &Target::ECP5);
    assert_eq!(segment.interval(), 1);
    assert_eq!(segment.times().histories, []);
    let passed = traffic::run(&segment, &[true], &[], 20);
    for ((_, taken), (_, given)) in passed.inputs[0].iter().zip(&passed.outputs[0]) {
        assert_eq!(taken, given);
    }
}
