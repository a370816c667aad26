//! What units' longest paths take on an ECP5, by kind and size, fitted to the clocks that they reach
//! alone.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use sluice_circuit::clock::doublings;

use crate::clocks::{self, UnitClock};
use crate::fit::{Expected, Row, fit};

/// What the longest path of a design takes at least, and what each doubling of the design's size
/// beyond 1000 look-up tables adds, as a part of it: from vector add before its caches were made smaller,
/// which reached 98 to 114 MHz among 16,600 look-up tables.
const DESIGN: [f64; 2] = [5.5, 0.05];

/// The beginning of the table.
const HEAD: &str = "\
# Unit, ns at least, ns by doubling of its look-up tables. `sluice-calibrate units` writes the lines of units that it
# finds measured and leaves the others: memory_port is an estimate.
";

pub fn run() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let path = root.join("crates/circuit/src/family/clocks/ecp5.txt");
    let mut kinds: BTreeMap<String, Vec<UnitClock>> = BTreeMap::new();
    for unit in clocks::measured_units()? {
        kinds.entry(unit.kind.clone()).or_default().push(unit);
    }
    // The operations of segments are estimated by their schedules.
    kinds.remove("segment");
    if kinds.is_empty() {
        return Err("no unit is measured as it is now: run `sluice-calibrate clocks`".into());
    }
    let all: Vec<&UnitClock> = kinds.values().flatten().collect();
    let before = fs::read_to_string(&path)?;
    let mut lines: BTreeMap<String, String> = before
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once(' '))
        .map(|(kind, figures)| (kind.to_owned(), figures.to_owned()))
        .collect();
    let figures = |[base, slope]: [f64; 2]| format!("{base:.2} {slope:.3}");
    lines.insert("design".into(), figures(DESIGN));
    lines.insert("others".into(), figures(line(&all)));
    for (kind, units) in &kinds {
        let fitted = line(&units.iter().collect::<Vec<_>>());
        lines.insert(kind.clone(), figures(fitted));
    }
    let errors = kinds.values().map(|units| show(units));
    let error = 100.0 * (errors.sum::<f64>() / all.len() as f64).sqrt();
    println!("{} units, {error:.1} % root mean square error", all.len());
    let mut text = HEAD.to_owned();
    for (kind, figures) in lines {
        writeln!(text, "{kind} {figures}").expect("a string grows");
    }
    fs::write(path, text)?;
    Ok(())
}

/// Prints units of a kind; the sum of the squares of their relative errors.
fn show(units: &[UnitClock]) -> f64 {
    let [base, slope] = line(&units.iter().collect::<Vec<_>>());
    let mut squares = 0.0;
    for unit in units {
        let estimate = base + slope * doublings(unit.luts);
        squares += (estimate / unit.ns - 1.0).powi(2);
        println!(
            "{:5.2} ns, {estimate:5.2} estimated, {:5} LUTs: {}",
            unit.ns, unit.luts, unit.kind
        );
    }
    squares
}

/// What units take at least, and by doubling of their size.
fn line(units: &[&UnitClock]) -> [f64; 2] {
    let rows: Vec<Row> = units
        .iter()
        .map(|unit| Row {
            value: unit.ns,
            counts: vec![(0, 1.0), (1, doublings(unit.luts))],
        })
        .collect();
    let found = fit(&rows, &[Expected::NOTHING; 2]);
    [found[0], found[1]]
}
