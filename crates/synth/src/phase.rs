//! What a tool is doing, by the lines that it prints.

use crate::tools::Tool;

/// Passes of Yosys and what they are for, in the order in which they come.
const YOSYS: &[(&str, &str)] = &[
    ("Executing PROC pass", "elaborating"),
    ("Executing WREDUCE pass", "optimising"),
    ("Executing MEMORY_LIBMAP pass", "mapping memories"),
    ("Executing MEMORY_MAP pass", "mapping memories"),
    ("Executing ABC9 pass", "mapping to LUTs"),
    ("Executing ABC pass", "mapping to LUTs"),
    ("Executing FLATTEN pass", "flattening"),
    ("Executing AUTONAME pass", "naming cells"),
    ("Executing JSON backend", "writing the netlist"),
];

/// Steps of nextpnr.
const NEXTPNR: &[(&str, &str)] = &[
    ("Info: Packing", "packing"),
    ("Info: Creating initial", "placing"),
    ("Info: Running main analytical placer", "placing"),
    (
        "Info: Running simulated annealing",
        "refining the placement",
    ),
    ("Info: Routing globals", "routing"),
    ("Info: Routing..", "routing"),
    ("Info: Critical path report", "analysing timing"),
];

/// The phase that begins or continues with a line, if the line says so.
pub fn phase(tool: Tool, line: &str) -> Option<String> {
    let find = |table: &[(&str, &'static str)], starts: fn(&str, &str) -> bool| {
        let mut rows = table.iter();
        rows.find(|(mark, _)| starts(line, mark)).map(|row| row.1)
    };
    let text = match tool {
        Tool::Yosys => find(YOSYS, |line, mark| line.contains(mark))?.to_owned(),
        Tool::NextpnrEcp5 => match iteration(line) {
            Some(text) => text,
            None => find(NEXTPNR, |line, mark| line.starts_with(mark))?.to_owned(),
        },
        Tool::Ecppack => return None,
    };
    Some(format!("{}: {text}", title(tool)))
}

/// What a tool is called in sentences.
pub fn title(tool: Tool) -> &'static str {
    match tool {
        Tool::Yosys => "Yosys",
        Tool::NextpnrEcp5 => "nextpnr",
        Tool::Ecppack => "ecppack",
    }
}

/// Progress of nextpnr's placer and router: `at iteration #3, type ALL: ...`, and rows of a table
/// with the number of arcs that are not routed in the fourth column.
fn iteration(line: &str) -> Option<String> {
    let line = line.strip_prefix("Info:")?.trim();
    if let Some(rest) = line.strip_prefix("at iteration #") {
        let (number, rest) = rest.split_once([',', ':'])?;
        return Some(match rest.contains("temp") {
            true => format!("refining the placement, iteration {number}"),
            false => format!("placing, iteration {number}"),
        });
    }
    let columns: Vec<&str> = line.split('|').map(str::trim).collect();
    let (first, remaining) = (columns.first()?, columns.get(3)?);
    first.parse::<u64>().ok()?;
    let remaining: u64 = remaining.parse().ok()?;
    Some(format!("routing, {remaining} connections left"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_tools_tell_their_phase() {
        use Tool::{NextpnrEcp5, Yosys};
        for (tool, line, expected) in [
            (
                Yosys,
                "3.25. Executing ABC9 pass.",
                "Yosys: mapping to LUTs",
            ),
            (
                NextpnrEcp5,
                "Info:     at iteration #7, type ALL: wirelen solved = 2007, spread = 2014",
                "nextpnr: placing, iteration 7",
            ),
            (
                NextpnrEcp5,
                "Info:   at iteration #5: temp = 0.000000, timing cost = 3, wirelen = 1389",
                "nextpnr: refining the placement, iteration 5",
            ),
            (
                NextpnrEcp5,
                "Info:       1000 |       20         62 |   20    62 |      1234|       0.14       0.14|",
                "nextpnr: routing, 1234 connections left",
            ),
            (NextpnrEcp5, "Info: Packing carries...", "nextpnr: packing"),
        ] {
            assert_eq!(phase(tool, line).as_deref(), Some(expected));
        }
        assert_eq!(phase(Yosys, "Removed 3 unused cells."), None);
        assert_eq!(
            phase(NextpnrEcp5, "Info:    IterCnt |  w/ripup   wo/ripup |"),
            None
        );
    }
}
