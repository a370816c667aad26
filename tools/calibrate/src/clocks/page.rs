//! The page with the table of clocks.

use std::fmt::Write;

use super::{GOAL_MHZ, Row};

/// What stands below the table: why some are slower.
const NOTES: &str = include_str!("notes.md");

/// The page.
pub(super) fn page(rows: &[Row]) -> String {
    let mut text = format!(
        "# Clocks of units and operators\n\n\
         Written by `make clocks`: each alone on an ECP5-85 of speed grade 8, built for 140 MHz, with\n\
         registers at its ports. Of each unit there is one of typical size and a large one, as the kernels\n\
         of the tests and benchmarks have them, and some that are chosen by their parameters. Those below\n\
         {GOAL_MHZ} MHz are **marked**; where nextpnr's own seed misses that, the best of three counts.\n\n",
    );
    text.push_str(
        "| unit or operator | parameters, or kernel and unit | LUTs | registers | MHz | levels | logic, ns | routing, ns |\n\
         | --- | --- | --- | --- | --- | --- | --- | --- |\n",
    );
    for row in rows {
        writeln!(text, "| {} | {} | {} |", row.kind, row.name, cells(row)).expect("a string grows");
    }
    text.push('\n');
    text.push_str(NOTES);
    text
}

/// What was measured, as the last cells of a row.
fn cells(row: &Row) -> String {
    let Some(clock) = &row.clock else {
        return "| | not measured | | |".into();
    };
    let path = &clock.path;
    let mark = if clock.mhz < GOAL_MHZ { "**" } else { "" };
    format!(
        "{} | {} | {mark}{:.0}{mark} | {} | {:.1} | {:.1}",
        clock.luts, clock.registers, clock.mhz, path.levels, path.logic_ns, path.routing_ns,
    )
}
