//! Declarations of ports and wires, laid out in columns.

use super::layout::wrapped;
use crate::unit::{Fields, Wire};

/// The ports of a module, in the order of the convention: clock, reset, constants, inputs, outputs.
pub(crate) struct Ports(Vec<Line>);

enum Line {
    Comment(String),
    Port {
        direction: &'static str,
        range: String,
        name: String,
    },
}

impl Ports {
    /// Clock and reset.
    pub(crate) fn new() -> Ports {
        let mut ports = Ports(Vec::new());
        for name in ["clk", "rst"] {
            ports.add("input", String::new(), name.into());
        }
        ports
    }

    fn add(&mut self, direction: &'static str, range: String, name: String) {
        self.0.push(Line::Port {
            direction,
            range,
            name,
        });
    }

    /// Says something about the ports that follow.
    pub(crate) fn comment(&mut self, text: impl Into<String>) {
        self.0.push(Line::Comment(text.into()));
    }

    /// A constant.
    pub(crate) fn constant(&mut self, wire: &Wire) {
        self.add("input", range(wire.width), wire.name.clone());
    }

    /// A constant that the module drives.
    pub(crate) fn driven(&mut self, wire: &Wire) {
        self.add("output", range(wire.width), wire.name.clone());
    }

    /// A channel from which the module takes tokens.
    pub(crate) fn input(&mut self, name: &str, fields: &Fields) {
        self.inputs(name, fields, None);
    }

    /// A channel from which the module takes tokens, or several side by side.
    pub(crate) fn inputs(&mut self, name: &str, fields: &Fields, copies: Option<u32>) {
        self.add("input", flags_range(copies), format!("{name}_valid"));
        self.add("output", flags_range(copies), format!("{name}_ready"));
        self.add("input", data_range(fields, copies), name.into());
    }

    /// Channels from which the module takes tokens that all carry the same.
    pub(crate) fn input_run(&mut self, names: &[&str], fields: &Fields) {
        self.add("input", String::new(), list(names, "_valid"));
        self.add("output", String::new(), list(names, "_ready"));
        self.add("input", data_range(fields, None), list(names, ""));
    }

    /// Channels to which the module gives tokens that all carry the same.
    pub(crate) fn output_run(&mut self, names: &[&str], fields: &Fields) {
        self.add("output", String::new(), list(names, "_valid"));
        self.add("input", String::new(), list(names, "_ready"));
        self.add("output", data_range(fields, None), list(names, ""));
    }

    /// A channel to which the module gives tokens.
    pub(crate) fn output(&mut self, name: &str, fields: &Fields) {
        self.outputs(name, fields, None);
    }

    /// A channel to which the module gives tokens, or several side by side.
    pub(crate) fn outputs(&mut self, name: &str, fields: &Fields, copies: Option<u32>) {
        self.add("output", flags_range(copies), format!("{name}_valid"));
        self.add("input", flags_range(copies), format!("{name}_ready"));
        self.add("output", data_range(fields, copies), name.into());
    }

    /// The text between the parentheses.
    pub(crate) fn text(&self) -> String {
        let ranges = self.0.iter().map(|line| match line {
            Line::Port { range, .. } => range.len(),
            Line::Comment(_) => 0,
        });
        let column = ranges.max().unwrap_or(0);
        let is_port = |line: &Line| matches!(line, Line::Port { .. });
        let last = self.0.iter().rposition(is_port);
        let mut text = String::new();
        for (at, line) in self.0.iter().enumerate() {
            match line {
                Line::Comment(comment) => text += &wrapped("    // ", comment),
                Line::Port {
                    direction,
                    range,
                    name,
                } => {
                    let comma = if Some(at) == last { "" } else { "," };
                    let range = padded(range, column);
                    text += &format!("    {direction:<6} wire {range}{name}{comma}\n");
                }
            }
        }
        text
    }
}

/// Wires inside a module, by section.
#[derive(Default)]
pub(crate) struct Wires(Vec<(String, Vec<(String, String)>)>);

impl Wires {
    /// Begins a section.
    pub(crate) fn section(&mut self, about: impl Into<String>) {
        self.0.push((about.into(), Vec::new()));
    }

    /// A channel, or several side by side.
    pub(crate) fn channels(&mut self, name: &str, fields: &Fields, copies: Option<u32>) {
        let (_, wires) = self.0.last_mut().expect("a section has begun");
        wires.push((flags_range(copies), format!("{name}_valid, {name}_ready")));
        wires.push((data_range(fields, copies), name.into()));
    }

    /// A constant.
    pub(crate) fn constant(&mut self, wire: &Wire) {
        let (_, wires) = self.0.last_mut().expect("a section has begun");
        wires.push((range(wire.width), wire.name.clone()));
    }

    /// The declarations.
    pub(crate) fn text(&self) -> String {
        let all = self.0.iter().flat_map(|(_, wires)| wires);
        let column = all.map(|(range, _)| range.len()).max().unwrap_or(0);
        let mut text = String::new();
        for (about, wires) in &self.0 {
            text += &wrapped("    // ", about);
            for (range, name) in wires {
                text += &format!("    wire {}{name};\n", padded(range, column));
            }
        }
        text
    }
}

/// Names that are declared together, in as many lines as they need.
fn list(names: &[&str], ending: &str) -> String {
    let names = names.iter().map(|name| format!("{name}{ending}"));
    let names: Vec<String> = names.collect();
    let lines = wrapped("        ", &names.join(", "));
    lines.trim().to_string()
}

/// The range of a channel's data, which has at least one bit, or of those of several.
fn data_range(fields: &Fields, copies: Option<u32>) -> String {
    range(fields.bits().max(1) * copies.unwrap_or(1))
}

/// The range of valid and ready: none for one channel.
fn flags_range(copies: Option<u32>) -> String {
    copies.map_or(String::new(), range)
}

/// The range of a declaration: parts of what has one bit can be selected, too.
pub(crate) fn range(width: u32) -> String {
    format!("[{}:0]", width - 1)
}

/// The range of a port of an IP block: none for a single bit.
pub(crate) fn port_range(width: u32) -> String {
    match width {
        1 => String::new(),
        _ => format!("{} ", range(width)),
    }
}

fn padded(range: &str, column: usize) -> String {
    match column {
        0 => String::new(),
        _ => format!("{range:<column$} "),
    }
}
