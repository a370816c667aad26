//! Small modules, driven through every way a port can be driven.

use std::fs;
use std::path::Path;

use sluice_verilator::{Design, Effort, Model, Port, Trace};

const COUNTER: &str = "
`default_nettype none
module counter #(parameter W = 8, parameter STEP = 1)
    (input wire clk, input wire enable, output reg [W-1:0] count);
    initial count = 0;
    always @(posedge clk) if (enable) count <= count + STEP;
endmodule
";

const WIDE: &str = "
module wide(input wire [99:0] a, output wire [99:0] b, output wire [63:0] low);
    assign b = ~a;
    assign low = a[63:0];
endmodule
";

const DELAYS: &str = "
module delays(input wire clk, input wire [15:0] a, input wire [15:0] b,
              output wire [15:0] now, output reg [15:0] next);
    assign now = a - b;
    always @(posedge clk) next <= a + b;
endmodule
";

fn cache() -> &'static Path {
    Path::new(concat!(env!("CARGO_TARGET_TMPDIR"), "/verilator"))
}

fn build(top: &str, text: &str, parameters: &[(&str, i64)], ports: &[Port]) -> Model {
    let design = Design {
        top,
        sources: &[("design.v", text)],
        parameters,
        ports,
        trace: Trace::Off,
        effort: Effort::QuickBuild,
    };
    Model::build(&design, cache()).unwrap_or_else(|error| panic!("{error}"))
}

fn counter_ports() -> [Port; 3] {
    [
        Port::input("clk", 1),
        Port::input("enable", 1),
        Port::output("count", 8),
    ]
}

#[test]
fn registers_advance_on_each_tick_of_their_own_instance() {
    let model = build("counter", COUNTER, &[("STEP", 3)], &counter_ports());
    let (enable, count) = (model.port("enable").unwrap(), model.port("count").unwrap());
    let (mut one, mut other) = (model.instance(), model.instance());
    one.set(enable, 1);
    for expected in [3, 6, 9] {
        one.tick();
        other.tick();
        assert_eq!([one.get(count), other.get(count)], [expected, 0]);
    }
}

#[test]
fn wide_ports_are_words() {
    let ports = [
        Port::input("a", 100),
        Port::output("b", 100),
        Port::output("low", 64),
    ];
    let model = build("wide", WIDE, &[], &ports);
    let mut instance = model.instance();
    instance.set_words(model.port("a").unwrap(), &[1, 2, 3, 4]);
    instance.eval();
    assert_eq!(
        instance.get_words(model.port("b").unwrap()),
        [!1, !2, !3, 0xb]
    );
    assert_eq!(instance.get(model.port("low").unwrap()), 0x2_0000_0001);
}

#[test]
fn each_output_answers_after_its_own_latency() {
    let ports = [
        Port::input("clk", 1),
        Port::input("a", 16),
        Port::input("b", 16),
        Port::output("now", 16),
        Port::output("next", 16),
    ];
    let model = build("delays", DELAYS, &[], &ports);
    let rows = [[9, 1], [7, 2], [100, 50]];
    let outputs = model.instance().run_vectors(&rows.concat(), &[0, 1]);
    assert_eq!(outputs, [8, 10, 5, 9, 50, 150]);
}

#[test]
fn waveforms_name_the_ports() {
    let design = Design {
        top: "counter",
        sources: &[("design.v", COUNTER)],
        parameters: &[],
        ports: &counter_ports(),
        trace: Trace::Vcd,
        effort: Effort::QuickBuild,
    };
    let model = Model::build(&design, cache()).unwrap_or_else(|error| panic!("{error}"));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("counter.vcd");
    let mut instance = model.instance();
    instance.trace(&file);
    instance.tick();
    drop(instance);
    assert!(std::fs::read_to_string(&file).unwrap().contains("enable"));
}

#[test]
fn errors_of_the_design_are_shown() {
    let design = Design {
        top: "broken",
        sources: &[(
            "broken.v",
            "module broken(input wire a); assign b = ; endmodule",
        )],
        parameters: &[],
        ports: &[Port::input("a", 1)],
        trace: Trace::Off,
        effort: Effort::QuickBuild,
    };
    let error = Model::build(&design, cache()).err().unwrap();
    assert!(error.to_string().contains("syntax error"), "{error}");
}

#[test]
fn ports_may_have_any_underscores() {
    let names = ["_a", "b_", "c__d", "e___f", "____", "_"];
    let inputs = names.map(|name| Port::input(name, 8));
    let outputs = names.map(|name| Port::output(format!("{name}_out"), 8));
    let ports = [inputs, outputs].concat();
    let mut text = String::from("module t(");
    for name in names {
        text += &format!("input wire [7:0] {name}, output wire [7:0] {name}_out,");
    }
    let mut text = text.trim_end_matches(',').to_owned() + ");\n";
    for name in names {
        text += &format!("assign {name}_out = {name} + 8'd1;\n");
    }
    text += "endmodule\n";
    let design = Design {
        top: "t",
        sources: &[("t.v", &text)],
        parameters: &[],
        ports: &ports,
        trace: Trace::Off,
        effort: Effort::QuickBuild,
    };
    let model = Model::build(&design, cache()).unwrap_or_else(|error| panic!("{error}"));
    let mut instance = model.instance();
    for (value, name) in (0..).zip(names) {
        instance.set(model.port(name).unwrap(), value);
    }
    instance.eval();
    for (value, name) in (0..).zip(names) {
        let port = model.port(&format!("{name}_out")).unwrap();
        assert_eq!(instance.get(port), value + 1, "{name}");
    }
}

#[test]
fn damaged_models_are_built_again() {
    let folder = tempfile::tempdir().unwrap();
    let design = Design {
        top: "doubler",
        sources: &[("doubler.v", DOUBLER)],
        parameters: &[],
        ports: &[Port::input("x", 8), Port::output("y", 8)],
        trace: Trace::Off,
        effort: Effort::QuickBuild,
    };
    let works = || {
        let model = Model::build(&design, folder.path()).unwrap_or_else(|error| panic!("{error}"));
        let port = |name: &str| model.port(name).expect("the design has it");
        let mut instance = model.instance();
        instance.set(port("x"), 21);
        instance.eval();
        instance.get(port("y"))
    };
    assert_eq!(works(), 42);
    let entries = fs::read_dir(folder.path()).unwrap().flatten();
    let mut entries = entries.map(|entry| entry.path());
    let entry = entries.find(|path| path.join("model.so").exists());
    let entry = entry.expect("the model is kept");
    let library = entry.join("model.so");
    let whole = fs::read(&library).unwrap();
    let damages: [&dyn Fn(); 4] = [
        &|| fs::write(&library, &whole[..whole.len() / 2]).unwrap(),
        &|| {
            let mut bytes = whole.clone();
            bytes[0x40..0x2000].fill(0xff);
            fs::write(&library, bytes).unwrap();
        },
        &|| fs::remove_file(library.with_extension("checksum")).unwrap(),
        &|| {
            fs::remove_dir_all(&entry).unwrap();
            fs::write(&entry, "not a folder").unwrap();
        },
    ];
    for damage in damages {
        // A file that is loaded must not change under its process: another one takes its place.
        let loaded = folder.path().join("loaded");
        fs::rename(&library, &loaded).unwrap();
        fs::copy(&loaded, &library).unwrap();
        damage();
        assert_eq!(works(), 42);
    }
}

const DOUBLER: &str = "module doubler (input wire [7:0] x, output wire [7:0] y);\n\
    assign y = {x[6:0], 1'b0};\nendmodule\n";
