//! `sluice-calibrate check`: estimates of kernels that no estimate is fitted to, beside what Yosys
//! makes of them.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write;

use sluice_circuit::cost::Cost;
use sluice_circuit::family::Family;

use crate::kernels;
use crate::measure::Measurer;

/// A kernel's estimate and size.
pub struct Comparison {
    /// The kernel.
    pub kernel: String,
    /// What the estimate is.
    pub estimate: Cost,
    /// What Yosys makes of it.
    pub size: Cost,
}

/// Compares the kernels of each family and prints a table.
pub fn run(families: &[&'static Family]) -> Result<(), Box<dyn Error>> {
    for family in families {
        let mut text = String::new();
        write_table(&mut text, family, &compare(family)?)?;
        println!("{text}");
    }
    Ok(())
}

/// The kernels on a family. As units are mapped apart, a kernel's size is the sum of theirs.
pub fn compare(family: &'static Family) -> Result<Vec<Comparison>, Box<dyn Error>> {
    let board = kernels::board(family)?;
    let mut measurer = Measurer::new(board.target)?;
    let mut by_unit: BTreeMap<String, [Cost; 2]> = BTreeMap::new();
    let mut kernels = Vec::new();
    for (name, program) in kernels::held_out()? {
        let mut uses = Vec::new();
        let mut units = Vec::new();
        for kind in kernels::units(&program, &board, 1)? {
            let text = kernels::text(&*kind);
            uses.push(text.clone());
            if !by_unit.contains_key(&text) {
                by_unit.insert(text, Default::default());
                units.push(kind);
            }
        }
        for unit in measurer.measure(units)? {
            let costs = [unit.kind.cost(family), unit.cost];
            if std::env::var_os("CALIBRATE_SHOW").is_some() {
                let text: String = kernels::text(&*unit.kind).chars().take(160).collect();
                println!(
                    "{:?} {:?} {}",
                    costs[0].counts(),
                    costs[1].counts(),
                    text.replace('\n', " ")
                );
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
