//! `sluice-calibrate check`: estimates of kernels that no estimate is fitted to, beside what Yosys
//! makes of them.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::error::Error;
use std::fmt::Write;
use std::fs;

use sluice_circuit::cost::Cost;
use sluice_circuit::family::areas::Areas;
use sluice_circuit::family::{FAMILIES, Family};

use crate::areas::{self, Detail};
use crate::kernels;
use crate::measure::{Measurer, Unmeasured};

/// A kernel's estimate and size.
pub struct Comparison {
    /// The kernel.
    pub kernel: String,
    /// What the estimate is, and what Yosys makes of it; nothing if it was not measured.
    pub sums: Option<[Cost; 2]>,
}

const INTRODUCTION: &str = "# Estimates against Yosys

Written by `cargo run -p sluice-calibrate -- check`. Ten kernels of `tools/bench/kernels`, each with its registers and
memory port, as `sluice build` makes them for a board of the family, beside what Yosys 0.23 makes of them. Tables of
estimates are fitted to units of the kernels of `tests/run`, not to these; but caches, memory ports, arbiters, loads and
stores have the same parameters in many kernels, so that some of them are in both. Errors of the fit are relative,
without their sign, by kind of unit; the error of a unit with fewer than 40 of a resource is relative to 40. Units are
mapped apart, so a kernel's size is the sum of those of its units.

On Intel's chips, memories are mapped by rules of our own (`crates/synth/src/m20k.txt`), since those of Yosys 0.23 know no
write enables of bytes.
";

/// Compares the kernels of each family, prints what comes of it, and writes `docs/estimates.md` if
/// those are all families and kernels.
pub fn run(
    families: &[&'static Family],
    kernels: &[String],
    unmeasured: Unmeasured,
    detail: Detail,
) -> Result<(), Box<dyn Error>> {
    let mut text = INTRODUCTION.to_owned();
    for family in families {
        writeln!(text, "\n## {}\n", family.description)?;
        write_table(
            &mut text,
            family,
            &compare(family, kernels, unmeasured, detail)?,
        )?;
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
    unmeasured: Unmeasured,
    detail: Detail,
) -> Result<Vec<Comparison>, Box<dyn Error>> {
    let board = kernels::board(family)?;
    let mut measurer = Measurer::new(board.target, unmeasured)?;
    // As it is now, not as it was when this was compiled.
    let table = Areas::read(&fs::read_to_string(areas::table_path(family.areas_file))?);
    let mut by_unit: BTreeMap<String, Option<[Cost; 2]>> = BTreeMap::new();
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
                place.insert(None);
                units.push(kind);
            }
        }
        for unit in measurer.measure(units)? {
            let costs = [unit.kind.area().cost_by(family, &table), unit.cost];
            if detail == Detail::Units {
                let [estimate, size] = costs.map(|cost| cost.counts());
                println!("{estimate:?} {size:?} {}", kernels::short_text(&*unit.kind));
            }
            by_unit.insert(kernels::text(&*unit.kind), Some(costs));
        }
        let costs: Option<Vec<[Cost; 2]>> = uses.iter().map(|text| by_unit[text]).collect();
        let comparison = Comparison {
            kernel: name,
            sums: costs.map(|costs| [0, 1].map(|at| costs.iter().map(|pair| pair[at]).sum())),
        };
        println!("{}", row(&comparison));
        kernels.push(comparison);
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
        writeln!(text, "{}", row(it))?;
    }
    Ok(())
}

/// A row of the table: sizes and estimates.
fn row(it: &Comparison) -> String {
    let Some([estimate, size]) = it.sums else {
        return format!("| {} | not measured |{}", it.kernel, " |".repeat(7));
    };
    let pairs = size.counts().into_iter().zip(estimate.counts());
    let cells = pairs.enumerate().map(|(at, (size, estimate))| match at {
        0 | 1 => {
            let percent = 100.0 * (f64::from(estimate) / f64::from(size.max(1)) - 1.0);
            format!(" {size} | {estimate} ({percent:+.1} %) |")
        }
        _ => format!(" {size} | {estimate} |"),
    });
    format!("| {} |{}", it.kernel, cells.collect::<String>())
}
