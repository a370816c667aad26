//! Circuits as Verilog: a module that instantiates the units.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use cranelift_entity::EntityRef;

use crate::circuit::{Channel, ChannelData, Circuit, Constant, End, Unit, UnitData};
use crate::unit::{Fields, Wire};

/// A Verilog file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct File {
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// The circuit's files: first its own module, then what that needs, by name.
pub fn emit(circuit: &Circuit) -> Vec<File> {
    let mut library: BTreeMap<String, String> = BTreeMap::new();
    for unit in circuit.units().values() {
        let module = unit.kind.module();
        for source in module.sources {
            library.insert(source.file.into(), source.text.into());
        }
        if let Some(text) = module.text {
            library.insert(format!("{}.v", module.name), text);
        }
    }
    let top = File {
        name: format!("{}.v", circuit.name),
        text: top(circuit),
    };
    let library = library.into_iter().map(|(name, text)| File { name, text });
    std::iter::once(top).chain(library).collect()
}

/// The module of the circuit itself.
fn top(circuit: &Circuit) -> String {
    let mut text = String::from("`default_nettype none\n\n");
    let mut ports = vec!["input  wire clk".to_string(), "input  wire rst".to_string()];
    for (_, wire) in circuit.outer_constants() {
        ports.push(format!("input  wire {} {}", range(wire.width), wire.name));
    }
    for &channel in circuit.inputs() {
        let data = &circuit.channels()[channel];
        ports.extend(input_ports(&data.name, &data.fields));
    }
    for &channel in circuit.outputs() {
        let data = &circuit.channels()[channel];
        ports.extend(output_ports(&data.name, &data.fields));
    }
    let ports = ports.join(",\n    ");
    writeln!(text, "module {} (\n    {ports}\n);", circuit.name).expect("strings take all text");
    text.push_str(&driven_constants(circuit));
    for data in circuit.channels().values() {
        match (data.from, data.to) {
            (End::Unit(..), End::Unit(..)) => text.push_str(&wires(data)),
            (End::Unit(..), End::Nobody) => {
                text.push_str(&wires(data));
                let name = &data.name;
                writeln!(text, "    assign {name}_ready = 1'b1;").expect("strings take all text");
                writeln!(
                    text,
                    "    wire unused_{name} = &{{1'b0, {name}_valid, {name}}};"
                )
                .expect("strings take all text");
            }
            _ => {}
        }
    }
    for (unit, data) in circuit.units() {
        text.push_str(&instance(circuit, unit, data));
    }
    text.push_str("endmodule\n\n`default_nettype wire\n");
    text
}

/// The ports of a channel from which a module takes tokens.
pub(crate) fn input_ports(name: &str, fields: &Fields) -> [String; 3] {
    [
        format!("input  wire {name}_valid"),
        format!("output wire {name}_ready"),
        format!("input  wire {} {name}", data_range(fields)),
    ]
}

/// The ports of a channel to which a module gives tokens.
pub(crate) fn output_ports(name: &str, fields: &Fields) -> [String; 3] {
    [
        format!("output wire {name}_valid"),
        format!("input  wire {name}_ready"),
        format!("output wire {} {name}", data_range(fields)),
    ]
}

fn wires(channel: &ChannelData) -> String {
    let name = &channel.name;
    format!(
        "    wire {name}_valid, {name}_ready;\n    wire {} {name};\n",
        data_range(&channel.fields)
    )
}

/// The wires of the constants that units drive.
fn driven_constants(circuit: &Circuit) -> String {
    let units = circuit.units().values();
    let read: BTreeSet<Constant> = units.flat_map(|unit| unit.constants.clone()).collect();
    let mut text = String::new();
    for (constant, Wire { name, width }) in circuit.constants() {
        if circuit.is_driven(constant) {
            writeln!(text, "    wire {} {name};", range(*width)).expect("strings take all text");
            if !read.contains(&constant) {
                writeln!(text, "    wire unused_{name} = &{{1'b0, {name}}};")
                    .expect("strings take all text");
            }
        }
    }
    text
}

fn instance(circuit: &Circuit, place: Unit, unit: &UnitData) -> String {
    let module = unit.kind.module();
    let mut text = String::from("\n");
    if !unit.lines.is_empty() {
        let lines: Vec<String> = unit.lines.iter().map(u32::to_string).collect();
        writeln!(text, "    // line {}", lines.join(", ")).expect("strings take all text");
    }
    let parameters: Vec<String> = module
        .parameters
        .iter()
        .map(|(name, value)| format!(".{name}({value})"))
        .collect();
    let parameters = match parameters.is_empty() {
        true => String::new(),
        false => format!(" #({})", parameters.join(", ")),
    };
    let mut connections = vec![".clk(clk), .rst(rst)".to_string()];
    for (wire, &constant) in unit.kind.constants().iter().zip(&unit.constants) {
        let outer = &circuit.constants()[constant].name;
        connections.push(format!(".{}({outer})", wire.name));
    }
    for (wire, &constant) in unit.kind.drives().iter().zip(&circuit.driven_by(place)) {
        let outer = &circuit.constants()[constant].name;
        connections.push(format!(".{}({outer})", wire.name));
    }
    let ports = unit.kind.inputs().into_iter().chain(unit.kind.outputs());
    let channels = unit.inputs.iter().chain(&unit.outputs);
    for (port, &channel) in ports.zip(channels) {
        connections.push(connection(&port.name, &circuit.channels()[channel]));
    }
    let connections = connections.join(",\n        ");
    writeln!(
        text,
        "    {}{parameters} {} (\n        {connections}\n    );",
        module.name, unit.name
    )
    .expect("strings take all text");
    text
}

fn connection(port: &str, channel: &ChannelData) -> String {
    let outer = &channel.name;
    format!(".{port}_valid({outer}_valid), .{port}_ready({outer}_ready), .{port}({outer})")
}

pub(crate) fn data_range(fields: &Fields) -> String {
    range(fields.bits().max(1))
}

pub(crate) fn range(width: u32) -> String {
    format!("[{}:0]", width - 1)
}

/// A channel's name in Verilog when the source gives none.
pub fn channel_name(channel: Channel) -> String {
    format!("channel_{}", channel.index())
}
