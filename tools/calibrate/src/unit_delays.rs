//! What units' longest paths take on an ECP5, by kind and size, fitted to the clocks that they reach
//! alone.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use sluice_circuit::clock::doublings;

use crate::clocks::{self, UnitClock};
use crate::fit::{Row, fit};

/// What the longest path of a design takes at least, and what each doubling of the design's size
/// beyond 1000 look-up tables adds, as a part of it: from vector add, whose caches reach 98 to 114 MHz
/// among 16,600 look-up tables.
const DESIGN: [f64; 2] = [5.5, 0.05];

pub fn run() -> Result<(), Box<dyn Error>> {
    let mut kinds: BTreeMap<String, Vec<UnitClock>> = BTreeMap::new();
    for unit in clocks::measured_units()? {
        kinds.entry(unit.kind.clone()).or_default().push(unit);
    }
    // The operations of segments are estimated by their schedules.
    kinds.remove("segment");
    let all: Vec<&UnitClock> = kinds.values().flatten().collect();
    let mut text = String::from(
        "# Written by `sluice-calibrate units`: unit, ns at least, ns by doubling of its look-up tables\n",
    );
    let mut add = |kind: &str, [base, slope]: [f64; 2]| {
        writeln!(text, "{kind} {base:.2} {slope:.3}").expect("a string grows");
    };
    add("design", DESIGN);
    add("others", line(&all));
    let mut squares = 0.0;
    for (kind, units) in &kinds {
        let units: Vec<&UnitClock> = units.iter().collect();
        let [base, slope] = line(&units);
        add(kind, [base, slope]);
        for unit in units {
            let estimate = base + slope * doublings(unit.luts);
            squares += (estimate / unit.ns - 1.0).powi(2);
            println!(
                "{:5.2} ns, {estimate:5.2} estimated, {:5} LUTs: {kind}",
                unit.ns, unit.luts
            );
        }
    }
    let count = all.len();
    let error = 100.0 * (squares / count as f64).sqrt();
    println!("{count} units, {error:.1} % root mean square error");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    fs::write(root.join("crates/circuit/src/family/clocks/ecp5.txt"), text)?;
    Ok(())
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
    let found = fit(&rows, &[0.0; 2]);
    [found[0], found[1]]
}
