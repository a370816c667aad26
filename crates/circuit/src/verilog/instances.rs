//! Instances of modules.

use std::fmt::Write;

use super::layout::{LONGEST_LINE, wrapped};
use super::{CLOCK, REGS};
use crate::operators::{Operator, Regs};

/// An instance of an operator's module; each connection is a port and the expression it is connected
/// to.
pub fn operator_instance(
    operator: &dyn Operator,
    regs: Regs,
    name: &str,
    connections: &[(&str, &str)],
) -> String {
    let mut text = format!("{} #(", operator.module());
    for (parameter, value) in operator.parameters() {
        write!(text, ".{parameter}({value}), ").expect("strings accept all text");
    }
    write!(text, ".{REGS}({regs})) {name} (.{CLOCK}({CLOCK})").expect("strings accept all text");
    for (port, expression) in connections {
        write!(text, ", .{port}({expression})").expect("strings accept all text");
    }
    text.push_str(");\n");
    text
}

/// The connections of a channel's ports: to these wires for valid, ready and data.
pub(crate) fn channel_connections(port: &str, [valid, ready, data]: [&str; 3]) -> String {
    format!(".{port}_valid({valid}), .{port}_ready({ready}), .{port}({data})")
}

/// The connections of a channel's ports to the wires of the same names.
pub(crate) fn same_connections(port: &str) -> String {
    let [valid, ready] = ["valid", "ready"].map(|ending| format!("{port}_{ending}"));
    channel_connections(port, [&valid, &ready, port])
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
        _ if short.len() <= LONGEST_LINE => short,
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
    8 + (0..3).map(length).sum::<usize>() <= LONGEST_LINE + 20
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
