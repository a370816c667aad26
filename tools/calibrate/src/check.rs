//! `sluice-calibrate check`: estimates of kernels that no estimate is fitted to, beside what Yosys
//! makes of them.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::error::Error;
use std::fmt::Write;
use std::fs;

use sluice_circuit::cost::Cost;
use sluice_circuit::family::{FAMILIES, Family};

use crate::areas::{self, Detail};
use crate::kernels;
use crate::measure::{Measurer, Unmeasured};

/// A kernel's estimate and size.
pub struct Comparison {
    /// The kernel.
    pub kernel: String,
    /// What the estimate is.
    pub estimate: Cost,
    /// What Yosys makes of it.
    pub size: Cost,
}

const INTRODUCTION: &str = "# Estimates against Yosys

Written by `cargo run -p sluice-calibrate -- check`. Ten kernels of `tools/bench/kernels`, each with its registers and
memory port, as `sluice build` makes them for a board of the family, beside what Yosys 0.23 makes of them. Tables of
estimates are fitted to units of the kernels of `tests/run`, not to these; but caches, memory ports, arbiters, loads and
stores have the same parameters in many kernels, so that some of them are in both. Errors of the fit are relative,
without their sign, by kind of unit; the error of a unit with fewer than 40 of a resource is relative to 40. Units are
mapped apart, so a kernel's size is the sum of those of its units.
";

/// Compares the kernels of each family, prints what comes of it, and writes `docs/estimates.md` if
/// those are all families and kernels.
pub fn run(
    families: &[&'static Family],
    kernels: &[String],
    detail: Detail,
) -> Result<(), Box<dyn Error>> {
    let mut text = INTRODUCTION.to_owned();
    for family in families {
        writeln!(text, "\n## {}\n", family.description)?;
        write_table(&mut text, family, &compare(family, kernels, detail)?)?;
        let table = fs::read_to_string(areas::table_path(family.areas_file))?;
        let comments = table.lines().filter_map(|line| line.strip_prefix("# "));
        let errors = comments.skip_while(|line| !line.starts_with("errors"));
        writeln!(text, "\n```")?;
        errors.for_each(|line| text.extend([line, "\n"]));
        writeln!(text, "```")?;
    }
    println!("{text}");
    if families.len() == FAMILIES.len() && kernels.is_empty() {
        fs::write(kernels::root().join("docs/estimates.md"), text)?;
    }
    Ok(())
}

/// The kernels on a family. As units are mapped apart, a kernel's size is the sum of theirs.
pub fn compare(
    family: &'static Family,
    wanted: &[String],
    detail: Detail,
) -> Result<Vec<Comparison>, Box<dyn Error>> {
    let board = kernels::board(family)?;
    let mut measurer = Measurer::new(board.target, Unmeasured::Mapped)?;
    let mut by_unit: BTreeMap<String, [Cost; 2]> = BTreeMap::new();
    let mut kernels = Vec::new();
    for (name, program) in kernels::held_out()? {
        if !wanted.is_empty() && !wanted.contains(&name) {
            continue;
        }
        let mut uses = Vec::new();
        let mut units = Vec::new();
        for kind in kernels::units(&program, &board, 1)? {
            let text = kernels::text(&*kind);
            uses.push(text.clone());
            if let Entry::Vacant(place) = by_unit.entry(text) {
                place.insert(Default::default());
                units.push(kind);
            }
        }
        for unit in measurer.measure(units)? {
            let costs = [unit.kind.cost(family), unit.cost];
            if detail == Detail::Units {
                let [estimate, size] = costs.map(|cost| cost.counts());
                println!("{estimate:?} {size:?} {}", kernels::short_text(&*unit.kind));
            }
            by_unit.insert(kernels::text(&*unit.kind), costs);
        }
        let sum = |at: usize| uses.iter().map(|text| by_unit[text][at]).sum();
        kernels.push(Comparison {
            kernel: name,
            estimate: sum(0),
            size: sum(1),
        });
    }
    println!(
        "{}: Yosys ran for {:.0} s",
        family.name,
        measurer.spent.as_secs_f64()
    );
    Ok(kernels)
}

fn write_table(text: &mut String, family: &Family, kernels: &[Comparison]) -> std::fmt::Result {
    let [logic, registers, multipliers, memories] = family.resources.names();
    writeln!(
        text,
        "| kernel | {logic} | estimate | {registers} | estimate | {multipliers} | estimate | {memories} | estimate |"
    )?;
    writeln!(text, "| --- |{}", " ---: |".repeat(8))?;
    for it in kernels {
        write!(text, "| {} |", it.kernel)?;
        let pairs = it.size.counts().into_iter().zip(it.estimate.counts());
        for (at, (size, estimate)) in pairs.enumerate() {
            match at {
                0 | 1 => {
                    let percent = 100.0 * (f64::from(estimate) / f64::from(size.max(1)) - 1.0);
                    write!(text, " {size} | {estimate} ({percent:+.1} %) |")?;
                }
                _ => write!(text, " {size} | {estimate} |")?,
            }
        }
        writeln!(text)?;
    }
    Ok(())
}
