//! A small circuit with a group: its Verilog and its report, whole.
//!
//! `SLUICE_BLESS=1` writes the expected files anew.

use std::path::Path;
use std::{env, fs};

use sluice_circuit::circuit::{Circuit, ModuleGroupData};
use sluice_circuit::family;
use sluice_circuit::hierarchy::{Hierarchy, own_modules};
use sluice_circuit::report::Report;
use sluice_circuit::target::Target;
use sluice_circuit::unit::{Fields, UnitKind};
use sluice_circuit::units::buffer::Buffer;
use sluice_circuit::units::fifo::Fifo;
use sluice_circuit::units::segment::{Graph, Inline, InlineOp, Kind, Operand, Operation, Segment};
use sluice_circuit::verilog::emit;

/// `y = a + b * 4 + n`, as two lines of a file.
fn segment() -> Segment {
    let mut graph = Graph::new("mix_line3_stage0");
    graph.about = "Circuit mix: line3_stage0".into();
    graph.source = Some("mix.cl".into());
    let fields = graph.add_input(Fields::new([32, 32]));
    for (&field, name) in fields.iter().zip(["a", "wire"]) {
        graph.names.insert(field, name.into());
    }
    let n = graph.add_constant("n", 32);
    let mut add = |op, operands: [Operand; 2], name: Option<&str>, line| {
        let inline = Inline { op, width: 32 };
        let operands = operands[..inline.operands().len()].to_vec();
        let operation = graph.add(Operation {
            kind: Kind::Inline(inline),
            operands,
            name: name.map(String::from),
            line: Some(line),
        });
        Operand::Result {
            operation,
            output: 0,
        }
    };
    let scaled = add(InlineOp::ShiftLeft { by: 2 }, [fields[1]; 2], None, 3);
    let sum = add(InlineOp::Add, [fields[0], scaled], Some("sum"), 3);
    let result = add(InlineOp::Add, [sum, n], Some("y"), 4);
    graph.add_output(&[result], 0);
    Segment::schedule(graph, &Target::ECP5)
}

fn circuit() -> Circuit {
    let mut circuit = Circuit::new("mix");
    circuit.source = Some("mix.cl".into());
    let n = circuit.add_constant("n", 32);
    let pair = Fields::new([32, 32]);
    let input = circuit.add_channel("in", pair.clone());
    circuit.name_fields(input, vec!["a".into(), "wire".into()]);
    circuit.add_input(input);
    let waiting = circuit.add_channel_like("waiting", input);
    let result = circuit.add_channel("result", Fields::new([32]));
    let output = circuit.add_channel_like("output", result);
    let mut add = |name: &str, kind: Box<dyn UnitKind>, lines: &[u32], channels, constants| {
        let (input, output) = channels;
        circuit
            .any_unit(name, kind)
            .lines(lines.to_vec())
            .inputs_in_order([input])
            .outputs_in_order([output])
            .constants(constants)
            .add()
            .unit
    };
    let fifo = Fifo {
        fields: pair,
        depth: 4,
    };
    let buffer = Buffer {
        fields: Fields::new([32]),
    };
    add("queue", Box::new(fifo), &[], (input, waiting), vec![]);
    let segment = Box::new(segment());
    let segment = add("line3_stage0", segment, &[3, 4], (waiting, result), vec![n]);
    let buffer = add("last", Box::new(buffer), &[4], (result, output), vec![]);
    circuit.add_output(output);
    let group = ModuleGroupData {
        name: "line3".into(),
        about: "block b0".into(),
        lines: vec![3, 4],
        within: None,
    };
    circuit.add_group(group, [segment, buffer]);
    circuit
}

fn check(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/emit")
        .join(name);
    if env::var_os("SLUICE_BLESS").is_some() {
        fs::write(&path, text).expect("the file can be written");
    }
    let expected = fs::read_to_string(&path).expect("the file exists");
    assert!(text == expected, "{name} is now:\n{text}");
}

#[test]
fn groups_are_modules_and_say_where_they_come_from() {
    let files = emit(&circuit());
    for name in ["mix.v", "mix_line3.v", "mix_line3_stage0.v"] {
        let file = files.iter().find(|file| file.name == name);
        check(name, &file.unwrap_or_else(|| panic!("{name} is made")).text);
    }
}

#[test]
fn the_report_names_what_is_biggest_first() {
    check(
        "report.txt",
        &Report::of(&circuit(), &family::ECP5).to_string(),
    );
}

#[test]
fn the_report_adds_up() {
    let report = Report::of(&circuit(), &family::ECP5);
    let sum = |costs: &mut dyn Iterator<Item = u32>| costs.sum::<u32>();
    let units = sum(&mut report.units.iter().map(|unit| unit.cost.logic));
    let lines = sum(&mut report.lines.iter().map(|line| line.cost.logic));
    assert_eq!(report.total.logic, units);
    assert_eq!(report.total.logic, lines + report.shared.logic);
    let json = serde_json::to_value(&report).expect("reports can be written as JSON");
    assert_eq!(json["total"]["logic"], report.total.logic);
    assert_eq!(json["units"][1]["group"], "line3");
}

#[test]
fn names_that_verilog_refuses_are_changed() {
    let mut circuit = Circuit::new("table");
    let names = ["wire", "a", "a_valid", "a b", "a.b"];
    let channels = names.map(|name| circuit.add_channel(name, Fields::NONE));
    let names = channels.map(|channel| circuit.channels()[channel].name.clone());
    assert_eq!(names, ["wire_2", "a", "a_valid_2", "a_b", "a_b_2"]);
    assert_eq!(circuit.name, "table_2");
}

/// Two copies of a queue in a group, each behind a buffer.
fn copies() -> Circuit {
    let mut circuit = Circuit::new("twice");
    for path in ["path0", "path1"] {
        let fields = Fields::new([32]);
        let name = |what: &str| format!("{path}_{what}");
        let channels =
            ["in", "between", "out"].map(|what| circuit.add_channel(name(what), fields.clone()));
        let [input, between, output] = channels;
        circuit.add_input(input);
        let buffer = Buffer {
            fields: fields.clone(),
        };
        let mut add = |what: &str, kind: Box<dyn UnitKind>, input, output| {
            let unit = circuit.any_unit(name(what), kind);
            let unit = unit.inputs_in_order([input]).outputs_in_order([output]);
            unit.add().unit
        };
        let first = add("first", Box::new(buffer), input, between);
        let queue = add(
            "queue",
            Box::new(Fifo { fields, depth: 4 }),
            between,
            output,
        );
        circuit.add_output(output);
        let group = |name: String| ModuleGroupData {
            name,
            about: "a copy".into(),
            lines: Vec::new(),
            within: None,
        };
        circuit.add_group(group(name("inner")), [queue]);
        circuit.enclose(group(path.into()), [first, queue]);
    }
    circuit
}

#[test]
fn copies_are_instances_of_one_module() {
    let circuit = copies();
    let files = emit(&circuit);
    let own: Vec<&str> = files
        .iter()
        .map(|file| file.name.as_str())
        .filter(|name| name.starts_with("twice"))
        .collect();
    assert_eq!(own, ["twice.v", "twice_inner.v", "twice_path.v"]);
    let top = &files[0].text;
    assert!(top.contains("    twice_path path [1:0] (\n"), "{top}");
    // What the environment is connected to has ports of its own.
    assert!(
        top.contains(".in_valid  ({path1_in_valid, path0_in_valid})"),
        "{top}"
    );
    assert_eq!(
        own_modules(&circuit),
        ["twice", "twice_inner", "twice_path"]
    );
    let hierarchy = Hierarchy::of(&circuit);
    let places = [
        "path[0].inner.queue.x",
        "path[1].inner.queue.x",
        "path[1].first.x",
    ];
    let units = places.map(|name| {
        let place = hierarchy
            .find(name)
            .unwrap_or_else(|| panic!("{name} is a unit"));
        circuit.units()[place.unit].name.as_str()
    });
    assert_eq!(units, ["path0_queue", "path1_queue", "path1_first"]);
}

#[test]
fn enclosing_groups_are_written_and_read() {
    let text = sluice_circuit::text::print(&copies());
    assert!(
        text.contains("group path1_inner \"a copy\" in path1\n"),
        "{text}"
    );
    let again = sluice_circuit::text::parse(&text).expect("it is read");
    assert_eq!(sluice_circuit::text::print(&again), text);
}
