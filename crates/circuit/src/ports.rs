//! Declarations and connections in Verilog, laid out in columns.

use crate::unit::{Fields, Wire};

/// The longest line, where there is a choice.
const WIDTH: usize = 100;

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
        self.add("input", String::new(), format!("{name}_valid"));
        self.add("output", String::new(), format!("{name}_ready"));
        self.add("input", data_range(fields), name.into());
    }

    /// A channel to which the module gives tokens.
    pub(crate) fn output(&mut self, name: &str, fields: &Fields) {
        self.add("output", String::new(), format!("{name}_valid"));
        self.add("input", String::new(), format!("{name}_ready"));
        self.add("output", data_range(fields), name.into());
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

    /// A channel.
    pub(crate) fn channel(&mut self, name: &str, fields: &Fields) {
        let (_, wires) = self.0.last_mut().expect("a section has begun");
        wires.push((String::new(), format!("{name}_valid, {name}_ready")));
        wires.push((data_range(fields), name.into()));
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

/// An instance: its module with parameters, its name, and rows of connections, aligned.
pub(crate) fn instance(
    module: &str,
    parameters: &[(&str, String)],
    name: &str,
    rows: &[Vec<(String, String)>],
) -> String {
    let parameters: Vec<String> = parameters
        .iter()
        .map(|(name, value)| format!(".{name}({value})"))
        .collect();
    let short = format!("    {module} #({}) {name} (\n", parameters.join(", "));
    let mut text = match parameters.len() {
        0 => format!("    {module} {name} (\n"),
        _ if short.len() <= WIDTH => short,
        _ => {
            let parameters = wrapped("        ", &parameters.join(", "));
            format!("    {module} #(\n{parameters}    ) {name} (\n")
        }
    };
    text += &match fits(rows) {
        true => in_columns(rows),
        false => one_per_line(rows),
    };
    text + "    );\n"
}

/// Whether rows, each on a line, are not too long.
fn fits(rows: &[Vec<(String, String)>]) -> bool {
    let length = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        let lengths = cells.map(|(port, expression)| port.len() + expression.len() + 5);
        lengths.max().unwrap_or(0)
    };
    8 + (0..3).map(length).sum::<usize>() <= WIDTH + 20
}

/// A line per row; rows of the same shape have columns.
fn in_columns(rows: &[Vec<(String, String)>]) -> String {
    let cell = |(port, expression): &(String, String)| format!(".{port}({expression})");
    let cells: Vec<Vec<String>> = rows
        .iter()
        .map(|row| row.iter().map(cell).collect())
        .collect();
    let longest = |shape: usize, column: usize| {
        let rows = cells.iter().filter(|row| row.len() == shape);
        rows.map(|row| row[column].len()).max().unwrap_or(0)
    };
    let lines = cells.iter().map(|row| {
        let columns = row.iter().enumerate().map(|(column, cell)| {
            let width = longest(row.len(), column) + 2;
            match column + 1 == row.len() {
                true => cell.clone(),
                false => format!("{:<width$}", format!("{cell},")),
            }
        });
        format!("        {}", columns.collect::<String>())
    });
    lines.collect::<Vec<_>>().join(",\n") + "\n"
}

/// A line per connection, the expressions below each other.
fn one_per_line(rows: &[Vec<(String, String)>]) -> String {
    let cells = || rows.iter().flatten();
    let longest = cells().map(|(port, _)| port.len()).max().unwrap_or(0);
    let lines =
        cells().map(|(port, expression)| format!("        .{port:<longest$} ({expression})"));
    lines.collect::<Vec<_>>().join(",\n") + "\n"
}

/// Text in as many lines as it needs.
pub(crate) fn wrapped(start: &str, text: &str) -> String {
    let mut lines = String::new();
    let mut line = String::new();
    for word in text.split(' ') {
        if !line.is_empty() && start.len() + line.len() + 1 + word.len() > WIDTH {
            lines += &format!("{start}{line}\n");
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line += word;
    }
    lines + &format!("{start}{line}\n")
}

/// Lines as one writes them: `kernel.cl:3,5-7`. The lines ascend.
pub(crate) fn place(source: Option<&str>, lines: &[u32]) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for &line in lines {
        match ranges.last_mut() {
            Some((_, last)) if line <= *last + 1 => *last = line,
            Some(_) | None => ranges.push((line, line)),
        }
    }
    let range = |&(first, last): &(u32, u32)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    };
    let ranges = ranges.iter().map(range).collect::<Vec<_>>().join(",");
    match source {
        Some(file) => format!("{file}:{ranges}"),
        None => format!("line {ranges}"),
    }
}

/// The range of a channel's data, which has at least one bit.
fn data_range(fields: &Fields) -> String {
    range(fields.bits().max(1))
}

/// The range of a declaration: parts of what has one bit can be selected, too.
pub(crate) fn range(width: u32) -> String {
    format!("[{}:0]", width - 1)
}

fn padded(range: &str, column: usize) -> String {
    match column {
        0 => String::new(),
        _ => format!("{range:<column$} "),
    }
}
