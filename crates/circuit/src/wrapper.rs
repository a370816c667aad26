//! Modules made for one choice of a unit's parameters: they give each channel its ports and its
//! fields, and leave the behaviour to modules of the library.

use crate::emit::{input_ports, output_ports, range};
use crate::unit::{Fields, Module, UnitKind};
use crate::verilog::Source;

/// The module of a unit: its ports, around `body`. Equal texts have equal names.
pub(crate) fn wrap(
    unit: &dyn UnitKind,
    name: &str,
    body: &str,
    sources: impl Into<Vec<Source>>,
) -> Module {
    let mut ports = vec!["input  wire clk".to_string(), "input  wire rst".to_string()];
    for wire in unit.constants() {
        ports.push(format!("input  wire {} {}", range(wire.width), wire.name));
    }
    for wire in unit.drives() {
        ports.push(format!("output wire {} {}", range(wire.width), wire.name));
    }
    for port in unit.inputs() {
        ports.extend(input_ports(&port.name, &port.fields));
    }
    for port in unit.outputs() {
        ports.extend(output_ports(&port.name, &port.fields));
    }
    let rest = format!(" (\n    {}\n);\n{body}endmodule\n", ports.join(",\n    "));
    let name = format!("{name}_{:016x}", fingerprint(&rest));
    let text = format!("`default_nettype none\n\nmodule {name}{rest}\n`default_nettype wire\n");
    Module {
        name,
        parameters: Vec::new(),
        sources: sources.into(),
        text: Some(text),
    }
}

/// FNV-1a: the same on every machine and in every version, as the names of modules must be.
fn fingerprint(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// The fields with these indices, in this order.
pub(crate) fn pick(fields: &Fields, indices: &[usize]) -> Fields {
    let widths: Vec<u32> = fields.widths().collect();
    Fields::new(indices.iter().map(|&index| widths[index]))
}

/// The Verilog of the fields with these indices of `channel`, which carries `fields`.
pub(crate) fn pick_text(channel: &str, fields: &Fields, indices: &[usize]) -> String {
    let widths: Vec<u32> = fields.widths().collect();
    let slice = |&index: &usize| {
        let low: u32 = widths[..index].iter().sum();
        format!("{channel}[{}:{low}]", low + widths[index] - 1)
    };
    concatenate(indices.iter().map(slice))
}

/// A wire that reads the fields of `channel` that no other does: so lint knows that it is meant.
pub(crate) fn unread_text(channel: &str, fields: &Fields, read: &[usize]) -> String {
    let unread: Vec<usize> = (0..fields.len()).filter(|i| !read.contains(i)).collect();
    let unread = match (fields.is_empty(), unread.is_empty()) {
        (true, _) => channel.to_string(),
        (false, true) => return String::new(),
        (false, false) => pick_text(channel, fields, &unread),
    };
    format!("    wire unused_{channel} = &{{1'b0, {unread}}};\n")
}

/// Verilog side by side, the first one lowest; a bit that means nothing, if there is none.
pub(crate) fn concatenate(parts: impl Iterator<Item = String>) -> String {
    let mut parts: Vec<String> = parts.collect();
    parts.reverse();
    match parts.is_empty() {
        true => "1'b0".into(),
        false => format!("{{{}}}", parts.join(", ")),
    }
}
