//! `sluice-calibrate areas`: measures units and fits what each of their terms takes.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use sluice_circuit::family::Family;
use sluice_circuit::family::memories::{self, Memory};
use sluice_circuit::operators;

use crate::fit::{FLOOR, Row, fit};
use crate::kernels;
use crate::measure::{Measured, Measurer, Unmeasured};
use crate::samples;

/// An owner and one of its terms.
type Key = (&'static str, &'static str);

/// What was measured, and how well terms explain it.
pub struct Fitted {
    /// By term, what it takes of logic and registers.
    pub coefficients: BTreeMap<Key, [f64; 2]>,
    /// The errors by kind of unit.
    pub errors: BTreeMap<&'static str, Errors>,
}

/// Relative errors of logic and registers.
#[derive(Clone, Debug, Default)]
pub struct Errors {
    /// By sample.
    pub each: Vec<[f64; 2]>,
}

impl Errors {
    /// The mean and the worst, by resource, in percent.
    pub fn summary(&self) -> [[f64; 2]; 2] {
        [0, 1].map(|at| {
            let errors = self.each.iter().map(|it| 100.0 * it[at].abs());
            let count = self.each.len().max(1) as f64;
            [
                errors.clone().sum::<f64>() / count,
                errors.fold(0.0, f64::max),
            ]
        })
    }
}

/// Measures and fits families, and writes their tables.
pub fn run(families: &[&'static Family], unmeasured: Unmeasured) -> Result<(), Box<dyn Error>> {
    let programs = kernels::fitted()?;
    for (file, families) in by_table(families) {
        let mut measured = Vec::new();
        let mut seconds = 0.0;
        for family in &families {
            let board = kernels::board(family)?;
            let mut measurer = Measurer::new(board.target, unmeasured)?;
            let units = kernels::distinct(&programs, &board);
            measured.extend(measurer.measure(samples::choose(units, &board.target))?);
            seconds += measurer.spent.as_secs_f64();
        }
        let family = families[0];
        let fitted = fit_all(&measured, family);
        println!("{} samples, Yosys ran for {seconds:.0} s", measured.len());
        println!("{file}\n{}", error_lines(&fitted));
        fs::write(table_path(file), table(family, &fitted))?;
    }
    Ok(())
}

/// Families by the file of their table: some share one.
fn by_table(families: &[&'static Family]) -> BTreeMap<&'static str, Vec<&'static Family>> {
    let mut found: BTreeMap<&str, Vec<&Family>> = BTreeMap::new();
    for &family in families {
        found.entry(family.areas_file).or_default().push(family);
    }
    found
}

/// The file of a table.
pub fn table_path(file: &str) -> PathBuf {
    let folder =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/circuit/src/family/areas");
    folder.join(format!("{file}.txt"))
}

fn terms(unit: &Measured, family: &Family) -> BTreeMap<Key, f64> {
    let mut counts = BTreeMap::new();
    for term in unit.kind.area().terms(family) {
        *counts.entry((term.owner, term.name)).or_insert(0.0) += term.count;
    }
    counts
}

/// Fits logic and registers.
pub fn fit_all(measured: &[Measured], family: &Family) -> Fitted {
    let samples: Vec<BTreeMap<Key, f64>> = measured.iter().map(|it| terms(it, family)).collect();
    let keys: BTreeSet<Key> = samples.iter().flat_map(|it| it.keys().copied()).collect();
    let column: BTreeMap<Key, usize> = keys.iter().copied().zip(0..).collect();
    let found = [0, 1].map(|resource| {
        let row = |(unit, terms): (&Measured, &BTreeMap<Key, f64>)| Row {
            value: unit.cost.counts()[resource].into(),
            counts: terms
                .iter()
                .map(|(key, &count)| (column[key], count))
                .collect(),
        };
        let rows: Vec<Row> = measured.iter().zip(&samples).map(row).collect();
        fit(&rows, keys.len())
    });
    let coefficients: BTreeMap<Key, [f64; 2]> = keys
        .into_iter()
        .enumerate()
        .map(|(at, key)| (key, [found[0][at], found[1][at]]))
        .collect();
    let mut errors: BTreeMap<&str, Errors> = BTreeMap::new();
    for (unit, terms) in measured.iter().zip(&samples) {
        let error = [0, 1].map(|resource| {
            let each = terms
                .iter()
                .map(|(key, count)| coefficients[key][resource] * count);
            let value = f64::from(unit.cost.counts()[resource]);
            (each.sum::<f64>() - value) / value.max(FLOOR)
        });
        if std::env::var_os("CALIBRATE_SHOW").is_some() {
            println!(
                "{:6.1} {:6.1} {:?} {}",
                100.0 * error[0],
                100.0 * error[1],
                unit.cost.counts(),
                kernels::text(&*unit.kind)
                    .chars()
                    .take(200)
                    .collect::<String>()
                    .replace('\n', " ")
            );
        }
        errors.entry(unit.kind.word()).or_default().each.push(error);
    }
    Fitted {
        coefficients: completed(coefficients),
        errors,
    }
}

/// With terms that no sample has: a bit of registers is a register, and distributed memories that
/// samples are not deep enough for need no logic beside their words.
fn completed(mut coefficients: BTreeMap<Key, [f64; 2]>) -> BTreeMap<Key, [f64; 2]> {
    for (word, _) in operators::catalog() {
        let key = (word, operators::REGISTER_BITS);
        coefficients.entry(key).or_insert([0.0, 1.0]);
    }
    let registers = (Memory::OWNER, memories::REGISTERS);
    coefficients.entry(registers).or_insert([0.0, 1.0]);
    for name in memories::TERMS {
        coefficients.entry((Memory::OWNER, name)).or_default();
    }
    coefficients
}

/// A line for each kind of unit: the number of samples, and the mean and the worst error of logic and
/// of registers.
fn error_lines(fitted: &Fitted) -> String {
    let line = |(word, errors): (&&str, &Errors)| {
        let [[logic, worst_logic], [registers, worst_registers]] = errors.summary();
        let count = errors.each.len();
        format!(
            "# {word:<16} {count:3} {logic:6.1} {worst_logic:6.1} {registers:6.1} {worst_registers:6.1}\n"
        )
    };
    let header = "# errors in %     n  logic  worst   regs  worst\n";
    header.to_owned() + &fitted.errors.iter().map(line).collect::<String>()
}

/// The text of a table.
fn table(family: &Family, fitted: &Fitted) -> String {
    let mut text = format!(
        "# What terms of areas take of logic and registers: {}.\n\
         # Written by `sluice-calibrate areas`; fitted to what Yosys 0.23 makes of units with\n\
         # `{}`.\n",
        family.areas_file, family.synthesis.command
    );
    text += &error_lines(fitted);
    for ((owner, term), [logic, registers]) in &fitted.coefficients {
        let term = term.replace(' ', "_");
        writeln!(text, "{owner} {term} {logic:.4} {registers:.4}").expect("strings take all text");
    }
    text
}
