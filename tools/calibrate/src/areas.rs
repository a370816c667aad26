//! `sluice-calibrate areas`: measures units and fits what each of their terms takes.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use sluice_circuit::area::Term;
use sluice_circuit::family::areas::{Areas, NOT_MEASURED};
use sluice_circuit::family::memories::{self, Memory};
use sluice_circuit::family::multipliers::Multiplication;
use sluice_circuit::family::{ECP5, Family, Maker, SERIES_7, ULTRASCALE_PLUS};
use sluice_circuit::operators::{self, Operator, Regs};
use sluice_circuit::units;

use crate::fit::{Expected, FLOOR, Row, fit};
use crate::kernels;
use crate::measure::{Measured, Measurer, Unmeasured};
use crate::samples;

/// An owner and one of its terms.
type Key = (&'static str, &'static str);

/// What was measured, and how well terms explain it.
pub struct Fitted {
    /// Terms that no sample has.
    pub unmeasured: BTreeSet<Key>,
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

/// What is printed beside the errors by kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Detail {
    /// Nothing.
    Kinds,
    /// Each unit, with its errors in percent and what it takes.
    Units,
}

/// Measures and fits families, and writes their tables.
pub fn run(
    families: &[&'static Family],
    unmeasured: Unmeasured,
    detail: Detail,
) -> Result<(), Box<dyn Error>> {
    let programs = kernels::fitted()?;
    for (file, family) in by_table(families) {
        let board = kernels::board(family)?;
        let mut measurer = Measurer::new(board.target, unmeasured)?;
        let units = kernels::distinct(&programs, &board);
        let kinds = match unmeasured {
            Unmeasured::Mapped => samples::choose(units, &board.target),
            Unmeasured::Skipped => samples::all(units, &board.target),
        };
        let measured = measurer.measure(kinds)?;
        let seconds = measurer.spent.as_secs_f64();
        let fitted = fit_all(&measured, family, detail);
        println!("{} samples, Yosys ran for {seconds:.0} s", measured.len());
        println!("{file}\n{}", error_lines(&fitted));
        fs::write(table_path(file), table(family, &fitted))?;
    }
    Ok(())
}

/// The first family of each table: Yosys maps those that share one alike.
fn by_table(families: &[&'static Family]) -> BTreeMap<&'static str, &'static Family> {
    let mut found = BTreeMap::new();
    for &family in families {
        found.entry(family.areas_file).or_insert(family);
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
pub fn fit_all(measured: &[Measured], family: &Family, detail: Detail) -> Fitted {
    let samples: Vec<BTreeMap<Key, f64>> = measured.iter().map(|it| terms(it, family)).collect();
    let keys: BTreeSet<Key> = samples.iter().flat_map(|it| it.keys().copied()).collect();
    let column: BTreeMap<Key, usize> = keys.iter().copied().zip(0..).collect();
    let expectation = Expectation::of(family);
    let found = [0, 1].map(|resource| {
        let row = |(unit, terms): (&Measured, &BTreeMap<Key, f64>)| Row {
            value: unit.cost.counts()[resource].into(),
            counts: terms
                .iter()
                .filter(|(key, _)| resource == 0 || may_have_registers(key))
                .map(|(key, &count)| (column[key], count))
                .collect(),
        };
        let rows: Vec<Row> = measured.iter().zip(&samples).map(row).collect();
        let expected = keys.iter().map(|key| Expected {
            value: expectation.get(key)[resource],
            weight: if resource == 1 && says_registers(key) {
                KNOWN
            } else {
                GUESSED
            },
        });
        let expected: Vec<Expected> = expected.collect();
        fit(&rows, &expected)
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
        if detail == Detail::Units {
            let [logic, registers] = error.map(|it| 100.0 * it);
            let text = kernels::short_text(&*unit.kind);
            println!(
                "{logic:+6.1} {registers:+6.1} {:?} {text}",
                unit.cost.counts()
            );
        }
        errors.entry(unit.kind.word()).or_default().each.push(error);
    }
    let unmeasured = catalog_terms(family);
    let unmeasured = unmeasured
        .into_iter()
        .filter(|key| !column.contains_key(key));
    Fitted {
        unmeasured: unmeasured.collect(),
        coefficients: completed(coefficients, family, &expectation),
        errors,
    }
}

/// What terms are expected to take of logic and registers, before anything is measured.
struct Expectation {
    /// The table of a family whose logic is alike, if there is one.
    alike: Option<Areas>,
    /// What of its logic one of the family's replaces.
    logic: f64,
}

impl Expectation {
    fn of(family: &Family) -> Expectation {
        let (alike, logic) = match family.synthesis.maker {
            Maker::Lattice => (None, 1.0),
            Maker::Xilinx if *family == ULTRASCALE_PLUS => (Some(&SERIES_7), 1.0),
            // Four-input look-up tables by one of six inputs, as vendors say.
            Maker::Xilinx => (Some(&ECP5), 1.6),
            Maker::Intel => (Some(&ECP5), 2.65),
        };
        let text = alike.and_then(|it| fs::read_to_string(table_path(it.areas_file)).ok());
        Expectation {
            alike: text.map(|text| Areas::read(&text)),
            logic,
        }
    }

    /// What the Verilog says of registers, and else what it is on a family that is alike.
    fn get(&self, &(owner, name): &Key) -> [f64; 2] {
        match (owner, name) {
            (Memory::OWNER, "distributed logic") => [1.0, 0.0],
            (Memory::OWNER, memories::REGISTERS) => [0.0, 1.0],
            _ => self
                .on_alike(owner, name)
                .unwrap_or_else(|| by_name(owner, name)),
        }
    }

    fn on_alike(&self, owner: &'static str, name: &'static str) -> Option<[f64; 2]> {
        let table = self.alike.as_ref()?;
        let is_known = table.names().any(|it| it == (owner, name));
        let count = 1.0;
        let found = is_known.then(|| table.coefficients(&Term { owner, name, count }));
        found.map(|[logic, registers]| [logic / self.logic, registers])
    }
}

/// Whether something of this kind may be a register: what operators and expressions compute is not,
/// but what they keep.
fn may_have_registers(&(owner, name): &Key) -> bool {
    let is_operator = || operators::catalog().iter().any(|(word, _)| *word == owner);
    match owner {
        "inline" | Multiplication::OWNER => false,
        Memory::OWNER => name == memories::REGISTERS,
        _ => name == operators::REGISTER_BITS || !is_operator(),
    }
}

/// The weight of what the Verilog says, and of guesses.
const KNOWN: f64 = 5.0;
const GUESSED: f64 = 0.003;

/// Whether [`by_name`] has what the Verilog says of a term's registers.
fn says_registers(&(owner, name): &Key) -> bool {
    matches!(owner, "skid" | "buffer" | "fifo" | "segment")
        || (owner, name) == (Memory::OWNER, memories::REGISTERS)
        || owner == "local_memory" && LOCAL_REGISTERS.contains(&name)
}

/// Terms of local memories that stand for registers: what is before a bank and what is read from it, and three times
/// the number of a reader's bank.
const LOCAL_REGISTERS: [&str; 4] = [
    "bank number bits",
    "read bits",
    "waiting write bits",
    "write bits",
];

fn by_name(owner: &str, name: &str) -> [f64; 2] {
    match (owner, name) {
        ("skid" | "buffer", "bits") => [1.0, 2.0],
        ("skid" | "buffer", "units") => [4.0, 2.0],
        ("fifo", "counter bits") => [1.0, 1.0],
        ("fifo", "units") => [8.0, 1.0],
        ("segment", "queues") => [6.0, 2.0],
        ("segment", "counter bits" | "column address bits" | "place bits") => [1.0, 1.0],
        ("segment", "register bits" | "shift register bits" | "block column bits" | "cycles") => {
            [0.0, 1.0]
        }
        (_, operators::REGISTER_BITS) => [0.0, 1.0],
        ("local_memory", "bank number bits") => [1.0, 3.0],
        ("local_memory", "read bits" | "write bits" | "waiting write bits") => [0.3, 1.0],
        ("inline", "equality bits" | "logic bits") => [0.6, 0.0],
        ("inline", "extreme bits") => [2.0, 0.0],
        ("inline", "equality bits with a number") => [0.3, 0.0],
        (_, "units") => [20.0, 5.0],
        (_, name) if name.ends_with("bits") => [1.0, 0.0],
        _ => [0.0, 0.0],
    }
}

/// With terms that no sample has: they take what is expected.
fn completed(
    mut coefficients: BTreeMap<Key, [f64; 2]>,
    family: &Family,
    expectation: &Expectation,
) -> BTreeMap<Key, [f64; 2]> {
    for key in catalog_terms(family) {
        coefficients
            .entry(key)
            .or_insert_with(|| expectation.get(&key));
    }
    coefficients
}

/// The terms of all units, operators and memories.
fn catalog_terms(family: &Family) -> BTreeSet<Key> {
    let units = units::catalog()
        .into_iter()
        .flat_map(|(_, samples)| samples);
    let operators = operators::catalog().into_iter();
    let operators = operators.flat_map(|(_, samples)| samples);
    let all = |it: &dyn Operator| Regs::all(it.steps(&family.delays).len());
    let operators = operators.map(|it| it.area(all(&*it)));
    let areas = units.map(|unit| unit.area()).chain(operators);
    let terms = areas.flat_map(|area| area.terms(family));
    let memories = memories::TERMS.map(|name| (Memory::OWNER, name));
    let terms = terms.map(|term| (term.owner, term.name));
    let multiplications = [(Multiplication::OWNER, Multiplication::LOGIC)];
    terms.chain(memories).chain(multiplications).collect()
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
    for (owner, term) in &fitted.unmeasured {
        writeln!(text, "{NOT_MEASURED}{owner} {term}").expect("strings take all text");
    }
    for ((owner, term), [logic, registers]) in &fitted.coefficients {
        let term = term.replace(' ', "_");
        writeln!(text, "{owner} {term} {logic:.4} {registers:.4}").expect("strings take all text");
    }
    text
}
