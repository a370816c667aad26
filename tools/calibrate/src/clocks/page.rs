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
         {GOAL_MHZ} MHz are **marked**.\n\n",
    );
    text.push_str(
        "         | unit or operator | parameters, or kernel and unit | LUTs | registers | MHz | levels | logic, ns | routing, ns |\n\
         | --- | --- | --- | --- | --- | --- | --- | --- |\n",
    );
    for row in rows {
        let (clock, path) = (&row.clock, &row.clock.path);
        let mark = if clock.mhz < GOAL_MHZ { "**" } else { "" };
        writeln!(
            text,
            "| {} | {} | {} | {} | {mark}{:.0}{mark} | {} | {:.1} | {:.1} |",
            row.kind,
            row.name,
            clock.luts,
            clock.registers,
            clock.mhz,
            path.levels,
            path.logic_ns,
            path.routing_ns,
        )
        .expect("a string grows");
    }
    text.push('\n');
    text.push_str(NOTES);
    text
}
