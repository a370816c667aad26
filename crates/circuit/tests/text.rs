//! The text form of circuits: printing and parsing undo each other, and what comes back behaves the
//! same; texts that are no circuits are refused where they stop being one.

#[path = "text/random_circuit.rs"]
mod random_circuit;
#[path = "units/random_environment.rs"]
mod random_environment;

use random_environment::{Log, RandomEnvironment, SplitMix64, Stalls};
use sluice_circuit::circuit::Circuit;
use sluice_circuit::family;
use sluice_circuit::operators;
use sluice_circuit::sim::Simulator;
use sluice_circuit::target::Target;
use sluice_circuit::text::{parse, print};
use sluice_circuit::unit::Fields;
use sluice_circuit::units;
use sluice_circuit::units::segment::{Graph, Kind, Operation, Segment, samples::random_graph};
use sluice_circuit::verify::verify;
use sluice_circuit::verilog::emit;

const CYCLES: u64 = 400;

fn simulate(circuit: &Circuit, seed: u64) -> Log {
    let stalls = [Stalls::None, Stalls::Some, Stalls::Many][seed as usize % 3];
    let (environment, log) = RandomEnvironment::new(circuit, seed, stalls);
    let mut random = SplitMix64(seed);
    let constants = circuit.outer_constants();
    let constants: Vec<u64> = constants
        .map(|(_, wire)| (random.next() % 12) & (u64::MAX >> (64 - wire.width)))
        .collect();
    let mut simulator = Simulator::new(circuit, Box::new(environment), &constants);
    while simulator.step(CYCLES) {}
    log.take()
}

/// The circuit comes back from its text, and does the same.
fn check(circuit: &Circuit, seed: u64) -> String {
    let text = print(circuit);
    let again = parse(&text).unwrap_or_else(|error| panic!("{error} in\n{text}"));
    assert_eq!(print(&again), text);
    assert_eq!(verify(&again), Ok(()), "{text}");
    assert_eq!(emit(circuit), emit(&again), "{text}");
    let (ours, theirs) = (simulate(circuit, seed), simulate(&again, seed));
    assert!(!ours.is_empty(), "no token passed\n{text}");
    assert_eq!(ours, theirs, "{text}");
    text
}

#[test]
fn every_unit_comes_back_from_its_text() {
    for (name, samples) in units::catalog() {
        check(&Circuit::of_units(&format!("units_{name}"), samples), 1);
    }
}

/// A circuit of one segment with one operation.
fn circuit_of_operation(kind: Kind) -> Circuit {
    let mut graph = Graph::new("alone");
    let mut operation = Operation {
        kind,
        operands: Vec::new(),
        name: None,
        line: None,
    };
    operation.operands = graph.add_input(Fields::new(operation.operand_widths()));
    let results = operation.result_widths().len() as u32;
    let operation = graph.add(operation);
    let result = |output| sluice_circuit::units::segment::Operand::Result { operation, output };
    let results: Vec<_> = (0..results).map(result).collect();
    graph.add_output(&results, 0);
    Circuit::of_units(
        "operator",
        vec![Box::new(Segment::schedule(graph, &Target::ECP5))],
    )
}

#[test]
fn every_operator_comes_back_from_its_text() {
    for (name, samples) in operators::catalog() {
        for sample in samples {
            let shown = format!("{sample:?}");
            let circuit = circuit_of_operation(Kind::Operator(sample.into()));
            let text = check(&circuit, 2);
            assert!(
                text.contains(&format!("v0 = {name} {{")),
                "{shown}:\n{text}"
            );
        }
    }
}

#[test]
fn segments_come_back_with_their_schedules() {
    for seed in 0..60 {
        let target = Target {
            period: 3.0 + seed as f64 / 7.0,
            ..Target::ECP5
        };
        let segment = Segment::schedule(random_graph(seed, 5 + seed as usize), &target);
        check(&Circuit::of_units("one", vec![Box::new(segment)]), seed);
    }
}

#[test]
fn random_circuits_come_back_from_their_text() {
    for seed in 0..60 {
        check(&random_circuit::of(seed), seed);
    }
}

const EXAMPLE: &str = "\
circuit example
source \"example.cl\"
constant n: 32

channel a: x 32, \"x > 3\" 1 ; environment -> scale.in0
channel b: 32 ; scale.out0 -> hold.in
channel c: 32 ; hold.out -> environment

input a
output c

group line3 \"block b0\" !3, 4

unit scale in line3: segment {
  name scale
  about \"Circuit example: scale\"
  source \"example.cl\"
  target {family: ecp5, period: 7.0, grade: 1.0}
  constant n: 32
  input in0: x 32, 1
  v0.twice = shl {by: 1} in0.0 !3
  v1 = mul {width: 32, half: low, tile: {a: 18, b: 18}} v0, $n !3
  v2.\"x.y\" = select in0.1, v1, 0x12345678:32
  output out0 depth 4: v2
} !3, 4
  n = n
  in0 <- a
  out0 -> b

unit hold: fifo {fields: [32], depth: 4}
  in <- b
  out -> c
";

#[test]
fn a_written_circuit_is_printed_as_it_was_written() {
    let circuit = parse(EXAMPLE).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(print(&circuit), EXAMPLE);
    check(&circuit, 5);
}

/// The message for the example with `from` replaced by `to`.
fn refusal(from: &str, to: &str) -> String {
    assert!(EXAMPLE.contains(from), "{from}");
    match parse(&EXAMPLE.replacen(from, to, 1)) {
        Ok(_) => panic!("{to} is accepted"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn what_is_no_circuit_is_refused_where_it_stops_being_one() {
    let cases = [
        (
            "circuit example",
            "kernel example",
            "1:1: expected `circuit`, found `kernel`",
        ),
        (
            "n: 32\n",
            "n: 65\n",
            "3:13: a width is 1 to 64 bits, not 65",
        ),
        ("channel b", "channel a", "6:9: `a` is declared twice"),
        (
            "input a",
            "input d",
            "9:7: `d` is not a channel declared above",
        ),
        (
            "output c",
            "output c\noutput c",
            "11:8: `c` goes to two places",
        ),
        (
            "unit hold: fifo",
            "unit hold: pipe",
            "30:12: expected a unit's kind, found `pipe`",
        ),
        (
            "depth: 4}",
            "depth: 0}",
            "30:17: a queue holds 1 to a million tokens",
        ),
        (
            "depth: 4}",
            "deep: 4}",
            "30:32: expected `depth`, found `deep`",
        ),
        (
            "fields: [32]",
            "fields: [8]",
            "31:9: `b` carries [32], the port `in` [8]",
        ),
        ("  in <- b\n", "", "30:6: `hold` needs a line `in <- ...`"),
        (
            "  in <- b",
            "  in <- b\n  on <- a",
            "32:3: a fifo of these parameters has no `on`",
        ),
        (
            "  in <- b",
            "  in <- b\n  in <- b",
            "32:3: `in` is connected twice",
        ),
        (
            "  n = n",
            "  n = m",
            "26:7: `m` is not a constant declared above",
        ),
        ("in0.1, v1", "in0.1, v7", "23:28: no operation `v7` above"),
        (
            "in0.1, v1",
            "in0.2, v1",
            "23:21: Input { port: 0, field: 2 } does not exist before operation 2 of `scale`",
        ),
        (
            "in0.1, v1",
            "in0.0, v1",
            "23:3: Input { port: 0, field: 0 } has 32 bits instead of 1 in operation 2 of `scale`, Inline { op: Select, width: 32 }",
        ),
        (
            "select in0.1, v1,",
            "select v1,",
            "23:21: expected 3 operands, found 2",
        ),
        (
            "shl {by: 1}",
            "shl {by: 32}",
            "21:3: unsound parameters in operation 0 of `scale`, Inline { op: ShiftLeft { by: 32 }, width: 32 }",
        ),
        (
            "half: low",
            "half: none",
            "22:30: expected one of low, high_unsigned, high_signed, found `none`",
        ),
        ("v1 = mul", "v0 = mul", "22:3: `v0` is defined twice"),
        ("$n !3", "$k !3", "22:61: no constant `k` above"),
        (
            "family: ecp5",
            "family: spartan_6",
            "18:19: expected one of arria_10, ecp5, series_7, stratix_v, ultrascale_plus, virtex_5, found `spartan_6`",
        ),
        (
            "period: 7.0",
            "period: 0.0",
            "18:10: a target's period and grade are positive",
        ),
        ("x.y\"", "x.y", "23:6: the string does not end on its line"),
        (
            "depth 4:",
            "depth 9999999:",
            "14:30: segment `scale` has no queue deeper than a million",
        ),
        (
            "\"x > 3\" 1",
            "1",
            "5:9: some fields have names and some do not",
        ),
        (
            "circuit example",
            "circuit endmodule",
            "1:9: `endmodule` is taken or no identifier of Verilog: try `endmodule_2`",
        ),
        (
            "channel b",
            "channel n",
            "6:9: `n` is taken or no identifier of Verilog: try `n_2`",
        ),
        (
            "unit hold",
            "unit a_ready",
            "30:6: `a_ready` is taken or no identifier of Verilog: try `a_ready_2`",
        ),
        (
            "group line3",
            "group hold\ngroup line3",
            "12:7: `hold` is taken or no identifier of Verilog: try `hold_2`",
        ),
        (
            "in line3:",
            "in line4:",
            "14:15: `line4` is not a group declared above",
        ),
        (
            "group line3 \"block b0\" !3, 4",
            "group line3\ngroup line3",
            "13:7: `line3` is declared twice",
        ),
        (
            "b0\" !3, 4",
            "b0\" 3",
            "12:24: expected the end of the line, found `3`",
        ),
    ];
    for (from, to, message) in cases {
        assert_eq!(refusal(from, to), message, "{from} -> {to}");
    }
}

/// One change to a text: a character, a line or a word goes, comes or changes places.
fn mutate(text: &str, random: &mut SplitMix64) -> String {
    let mut below = |bound: usize| (random.next() % bound.max(1) as u64) as usize;
    if text.lines().next().is_none() {
        return "circuit".into();
    }
    let characters: Vec<char> = text.chars().collect();
    let at = below(characters.len());
    let mut lines: Vec<&str> = text.lines().collect();
    let (one, two) = (below(lines.len()), below(lines.len()));
    let change = |with: &str| {
        let before = characters[..at].iter();
        let behind = characters.get(at + 1..).unwrap_or_default();
        before
            .copied()
            .chain(with.chars())
            .chain(behind.iter().copied())
            .collect()
    };
    match below(7) {
        0 => change(""),
        1 => change(["0", "99999999999", "{", "\"", ",", "-", "é", "\n", "1e400"][below(9)]),
        2 => {
            lines.remove(one);
            lines.join("\n")
        }
        3 => {
            lines.swap(one, two);
            lines.join("\n")
        }
        4 => {
            lines.insert(one, lines[two]);
            lines.join("\n")
        }
        5 => characters[..at].iter().collect(),
        _ => {
            let words: Vec<&str> = text.split(' ').collect();
            let (one, two) = (words[below(words.len())], words[below(words.len())]);
            text.replacen(one, two, 1)
        }
    }
}

#[test]
fn no_text_makes_the_parser_panic() {
    let mut random = SplitMix64(7);
    let mut texts = vec![EXAMPLE.to_string()];
    for (name, samples) in units::catalog() {
        // The larger segments only take longer.
        let samples = samples
            .into_iter()
            .take(6)
            .filter(|kind| kind.cost(&family::ECP5).logic < 20_000);
        texts.push(print(&Circuit::of_units(
            &format!("units_{name}"),
            samples.collect(),
        )));
    }
    texts.extend((0..4).map(|seed| print(&random_circuit::of(seed))));
    let (mut parsed, mut refused) = (0, 0);
    for round in 0..6000 {
        let mut text = texts[round % texts.len()].clone();
        for _ in 0..1 + round % 3 {
            text = mutate(&text, &mut random);
        }
        match parse(&text) {
            Ok(circuit) => {
                parsed += 1;
                let _ = verify(&circuit);
                let printed = print(&circuit);
                let again = parse(&printed).unwrap_or_else(|error| panic!("{error} in\n{printed}"));
                assert_eq!(print(&again), printed);
            }
            Err(error) => {
                refused += 1;
                let lines = text.lines().count() as u32;
                assert!((1..=lines + 1).contains(&error.line), "{error} in\n{text}");
            }
        }
    }
    assert!(
        parsed > 100 && refused > 1000,
        "{parsed} parsed, {refused} refused"
    );
}
