//! Each invariant of circuits, broken: the verifier says which one, and where.

use sluice_circuit::circuit::{Channel, Circuit, Constant};
use sluice_circuit::text::parse;
use sluice_circuit::unit::{Fields, UnitKind};
use sluice_circuit::units;
use sluice_circuit::units::buffer::Buffer;
use sluice_circuit::units::counter::Counter;
use sluice_circuit::units::fifo::Fifo;
use sluice_circuit::verify::verify;

fn problems(circuit: &Circuit) -> Vec<String> {
    let problems = verify(circuit).err().unwrap_or_default();
    problems.iter().map(ToString::to_string).collect()
}

/// The problems of a circuit in the text form, its name left out.
fn problems_of(text: &str) -> Vec<String> {
    let text = format!("circuit broken\n{text}");
    problems(&parse(&text).unwrap_or_else(|error| panic!("{error}")))
}

fn check(text: &str, expected: &[&str]) {
    assert_eq!(problems_of(text), expected, "{text}");
}

fn add(circuit: &mut Circuit, name: &str, kind: impl UnitKind + 'static, ends: [&[Channel]; 2]) {
    add_reading(circuit, name, kind, ends, &[]);
}

fn add_reading(
    circuit: &mut Circuit,
    name: &str,
    kind: impl UnitKind + 'static,
    [inputs, outputs]: [&[Channel]; 2],
    constants: &[Constant],
) {
    circuit
        .unit(name, kind)
        .inputs_in_order(inputs.iter().copied())
        .outputs_in_order(outputs.iter().copied())
        .constants(constants.iter().copied())
        .add();
}

#[test]
fn every_unit_alone_is_a_circuit() {
    for (name, samples) in units::catalog() {
        let circuit = Circuit::of_units(&format!("units_{name}"), samples);
        assert_eq!(problems(&circuit), [""; 0], "{name}");
    }
}

#[test]
fn names_are_different_and_verilog_s() {
    let mut circuit = Circuit::of_units("broken", units::buffer::samples());
    circuit.name = "endmodule".into();
    let keyword = "C1 at circuit `endmodule`: the name is a word of Verilog";
    assert_eq!(problems(&circuit), [keyword]);
    circuit.name = "3u".into();
    let none = "C1 at circuit `3u`: the name is no identifier";
    assert_eq!(problems(&circuit), [none]);
}

/// Two segments of these names, one of which adds and the other subtracts.
fn two_segments(first: &str, second: &str) -> String {
    let segment = |unit: &str, name: &str, op: &str| {
        format!(
            "channel {unit}_in: 8\nchannel {unit}_out: 8\ninput {unit}_in\noutput {unit}_out\n\
             unit {unit}: segment {{\n  name {name}\n  \
             target {{family: ecp5, period: 7.0, grade: 1.0}}\n  \
             input in0: 8\n  v0 = {op} in0.0, 1:8\n  output out0 depth 0: v0\n}}\n  \
             in0 <- {unit}_in\n  out0 -> {unit}_out\n"
        )
    };
    segment("x", first, "add") + &segment("y", second, "sub")
}

#[test]
fn modules_of_one_name_are_one() {
    check(&two_segments("one", "two"), &[]);
    let another = "C2 at unit `y`: there is another module `one`";
    check(&two_segments("one", "one"), &[another]);
    let mut circuit = Circuit::of_units("queues", units::fifo::samples());
    assert_eq!(problems(&circuit), [""; 0]);
    circuit.name = "sluice_fifo".into();
    let all = problems(&circuit);
    assert_eq!(all[0], "C2 at unit `u0`: its module has the circuit's name");
}

#[test]
fn a_group_s_module_is_its_own() {
    let grouped = |group: &str| {
        let segments = two_segments("broken_line1", "two");
        let segments = segments.replace("unit x:", &format!("unit x in {group}:"));
        format!("group {group}\n{segments}")
    };
    check(&grouped("line2"), &[]);
    let another = "C2 at group `line1`: there is another module `broken_line1`";
    check(&grouped("line1"), &[another]);
}

#[test]
fn parameters_make_sense() {
    let mut circuit = Circuit::new("empty_queue");
    let fields = Fields::new([8]);
    let ends = ["a", "b"].map(|name| circuit.add_channel(name, fields.clone()));
    circuit.add_input(ends[0]);
    circuit.add_output(ends[1]);
    let fifo = Fifo { fields, depth: 0 };
    add(&mut circuit, "queue", fifo, [&ends[..1], &ends[1..]]);
    let rule = "C3 at unit `queue`: a queue holds 1 to a million tokens";
    assert_eq!(problems(&circuit), [rule]);
}

#[test]
fn channels_have_two_ends() {
    let unit = "channel a\nchannel b\ninput a\noutput b\n\
                unit u: buffer {fields: []}\n  in <- a\n  out -> b\n";
    let without = |line: &str| unit.replace(line, "");
    check(
        &without("input a\n"),
        &["C4 at channel `a`: it comes from nowhere"],
    );
    check(
        &without("output b\n"),
        &["C4 at channel `b`: it goes nowhere"],
    );
    let around = format!("{unit}channel c\ninput c\noutput c\n");
    check(&around, &["C4 at channel `c`: no unit is at its ends"]);
    let dropped = format!("{unit}channel c\ninput c\ndiscard c\n");
    check(&dropped, &["C4 at channel `c`: no unit is at its ends"]);
}

#[test]
fn constants_have_the_width_of_their_wires() {
    let mut circuit = Circuit::new("counting");
    let total = circuit.add_constant("total", 32);
    let [start, item, finished] =
        ["start", "item", "finished"].map(|name| circuit.add_channel(name, Fields::NONE));
    circuit.add_input(start);
    circuit.add_input(item);
    circuit.add_output(finished);
    let ends: [&[Channel]; 2] = [&[start, item], &[finished]];
    add_reading(
        &mut circuit,
        "counter",
        Counter {
            inputs: 1,
            bits: 64,
        },
        ends,
        &[total],
    );
    let rule = "C6 at unit `counter`: `total` has 32 bits, the wire `total` 64";
    assert_eq!(problems(&circuit), [rule]);
}

#[test]
fn constants_exist() {
    let mut circuit = Circuit::of_units(
        "counting",
        vec![Box::new(Counter {
            inputs: 1,
            bits: 64,
        })],
    );
    let ends = ["start2", "item2", "finished2"];
    let [start, item, finished] = ends.map(|name| circuit.add_channel(name, Fields::NONE));
    circuit.add_input(start);
    circuit.add_input(item);
    circuit.add_output(finished);
    let ends: [&[Channel]; 2] = [&[start, item], &[finished]];
    let missing = Constant::from_u32(7);
    add_reading(
        &mut circuit,
        "counter",
        Counter {
            inputs: 1,
            bits: 64,
        },
        ends,
        &[missing],
    );
    assert_eq!(problems(&circuit), ["C6 at unit `counter`: there is no k7"]);
}

#[test]
fn tokens_come_to_every_unit() {
    let mut circuit = Circuit::of_units(
        "island",
        vec![Box::new(Buffer {
            fields: Fields::NONE,
        })],
    );
    let [a, b] = ["a", "b"].map(|name| circuit.add_channel(name, Fields::NONE));
    add(
        &mut circuit,
        "one",
        Buffer {
            fields: Fields::NONE,
        },
        [&[a], &[b]],
    );
    add(
        &mut circuit,
        "two",
        Buffer {
            fields: Fields::NONE,
        },
        [&[b], &[a]],
    );
    let all = problems(&circuit);
    assert_eq!(all[0], "C7 at unit `one`: no token comes here");
    assert_eq!(all[1], "C7 at unit `two`: no token comes here");
    assert_eq!(
        all[2],
        "C8 at channel `a`: no gate lets tokens into its cycle"
    );
}

/// A loop: a gate, a select, a branch, and a queue on the way back.
const LOOP: &str = "\
channel entry: 1
channel entered: 1
channel header: 1
channel back: 1
channel waiting: 1
channel leaving
channel left
input entry
output left
unit gate: loop_gate {entry: [1], exits: [[]], limit: 3}
  entry_in <- entry
  exit_0_in <- leaving
  entry_out -> entered
  exit_0_out -> left
unit head: select {fields: [1], inputs: 2, policy: first_input_first}
  in_0 <- waiting
  in_1 <- entered
  out -> header
unit body: segment {
  name body
  target {family: ecp5, period: 7.0, grade: 1.0}
  input in0: 1
  output out0 depth 0: in0.0, 0:1
}
  in0 <- header
  out0 -> computed
unit steer: branch {fields: [1], on_true: [0], on_false: []}
  in <- computed
  on_true -> back
  on_false -> leaving
unit queue: fifo {fields: [1], depth: 3}
  in <- back
  out -> waiting
";

fn loop_text() -> String {
    format!("channel computed: 1, 1\n{LOOP}")
}

#[test]
fn loops_have_a_gate() {
    check(&loop_text(), &[]);
}

/// The loop with a line changed and declarations before it.
fn changed_loop(declarations: &str, from: &str, to: &str) -> String {
    let text = loop_text();
    assert!(text.contains(from), "{from}");
    format!("{declarations}{}", text.replace(from, to))
}

#[test]
fn cycles_are_entered_behind_their_gate() {
    let aside = changed_loop(
        "channel aside: 1\ninput aside\n",
        "inputs: 2, policy: first_input_first}\n",
        "inputs: 3, policy: first_input_first}\n  in_2 <- aside\n",
    );
    let problem = "`aside` leads into its cycle, and not behind the gate";
    check(&aside, &[&format!("C8 at channel `header`: {problem}")]);
    let ungated = changed_loop(
        "channel other: 1\ninput other\n",
        "  in_1 <- entered\n",
        "  in_1 <- other\n",
    );
    let problem = "`other` leads into its cycle, and not behind the gate";
    check(
        &format!("{ungated}discard entered\n"),
        &[&format!("C8 at channel `header`: {problem}")],
    );
}

#[test]
fn cycles_are_left_through_their_gate() {
    let left_by = |end: &str| {
        let declarations = format!("channel escaping\n{end} escaping\n");
        let text = changed_loop(&declarations, "on_false -> leaving", "on_false -> escaping");
        format!("{text}input leaving\n")
    };
    let problem = "its cycle is left by `escaping`, which passes no gate";
    check(
        &left_by("output"),
        &[&format!("C8 at channel `computed`: {problem}")],
    );
    check(&left_by("discard"), &[]);
}

/// Iterations that each take a credit and give it back: a segment, units on the way, and the credits.
fn credited(declarations: &str, way: &str) -> String {
    format!(
        "channel iteration: 8\nchannel credit\nchannel begun\nchannel result: 8\nchannel returned\n\
         {declarations}input iteration\noutput result\n\
         unit body: segment {{\n  name body\n  target {{family: ecp5, period: 7.0, grade: 1.0}}\n  \
         input in0: 8\n  input in1\n  output out0 depth 0: in0.0\n  output out1 depth 0\n}}\n  \
         in0 <- iteration\n  in1 <- credit\n  out0 -> result\n  out1 -> begun\n\
         {way}unit credits: credits {{count: 3}}\n  in <- returned\n  out -> credit\n"
    )
}

#[test]
fn credits_let_tokens_into_their_cycle() {
    let queue = "unit queue: fifo {fields: [], depth: 1}\n  in <- begun\n  out -> returned\n";
    check(&credited("", queue), &[]);
    let declarations = "channel one: 1\nchannel two: 1\nchannel kept: 1\ninput kept\n";
    // A token that is taken by a join is given on, whatever it is joined with.
    let joined = "unit pair: join {inputs: [[], [1]]}\n  in_0 <- begun\n  in_1 <- kept\n  out -> one\n\
                  unit copy: fork {fields: [1], outputs: [[], [0]]}\n  in <- one\n  \
                  out_0 -> returned\n  out_1 -> two\n";
    check(
        &credited(&format!("{declarations}output two\n"), joined),
        &[],
    );
}

#[test]
fn tokens_on_a_cycle_with_credits_are_neither_lost_nor_added() {
    let problem = |channel: &str, unit: &str| {
        format!(
            "C8 at channel `{channel}`: its cycle passes credits, and `{unit}` does not give one \
             token for each that it takes"
        )
    };
    let steered = "unit pair: join {inputs: [[], [1]]}\n  in_0 <- begun\n  in_1 <- kept\n  out -> one\n\
                   unit steer: branch {fields: [], on_true: [], on_false: []}\n  in <- one\n  \
                   on_true -> returned\n  on_false -> lost\n";
    let declarations = "channel one: 1\nchannel kept: 1\nchannel lost\ninput kept\noutput lost\n";
    check(
        &credited(declarations, steered),
        &[&problem("returned", "steer")],
    );
    let added = "unit merge: select {fields: [], inputs: 2, policy: round_robin}\n  in_0 <- begun\n  \
                 in_1 <- more\n  out -> returned\n";
    check(
        &credited("channel more\ninput more\n", added),
        &[&problem("returned", "merge")],
    );
}

#[test]
fn a_cycle_beside_credits_needs_a_gate() {
    let declarations = "channel around\nchannel again\n";
    let way = "unit both: join {inputs: [[], []]}\n  in_0 <- begun\n  in_1 <- around\n  out -> again\n\
               unit copy: fork {fields: [], outputs: [[], []]}\n  in <- again\n  \
               out_0 -> returned\n  out_1 -> around\n";
    let problem = "C8 at channel `again`: `begun` leads into its cycle, and not behind the gate";
    check(&credited(declarations, way), &[problem]);
}

#[test]
fn what_is_repeated_in_a_loop_is_dropped_again() {
    let repeated = |text: &str| {
        text.replace(
            "  input in0: 1\n  output",
            "  input in0: 1\n  v0 = state {width: 1}\n  v1 = not v0\n  next v0: v1\n  repeat v1\n  output",
        )
    };
    let problem = "C8 at channel `computed`: all its tokens come back to where they are repeated";
    check(&repeated(&loop_text()), &[problem]);
    // The first of two tokens is dropped behind the segment.
    let declarations = "channel last: 1, 1, 1\nchannel dropped\ndiscard dropped\n";
    let text = changed_loop(declarations, "  out0 -> computed\n", "  out0 -> last\n");
    let text = text.replace("depth 0: in0.0, 0:1", "depth 0: v0, in0.0, 0:1");
    let text = text.replace(
        "unit steer: branch",
        "unit drop: branch {fields: [1, 1], on_true: [0, 1], on_false: []}\n  \
        in <- last\n  on_true -> computed\n  on_false -> dropped\nunit steer: branch",
    );
    check(&repeated(&text), &[]);
}

#[test]
fn requests_and_responses_are_no_cycle() {
    let fields = "1, 32, 4, 32";
    let text = format!(
        "channel address: 32\nchannel value: 32\nchannel request: {fields}\nchannel response: 32\n\
         input address\noutput value\n\
         unit load: load {{vector: {{lanes: 1, lane_bits: 32, alignment: 4}}, \
         access: {{bytes: 4, address_bits: 32}}, outstanding: 4, results: 4, enable: always}}\n  \
         in <- address\n  response <- response\n  out -> value\n  request -> request\n\
         unit numbers: rom {{name: numbers, access: {{bytes: 4, address_bits: 32}}, contents: x\"0102\"}}\n  \
         request <- request\n  response -> response\n"
    );
    check(&text, &[]);
}
