//! The clock that a circuit is expected to reach on a target.
//!
//! A unit's longest path takes what its kind takes at least, and more the larger the unit is; that of
//! a segment follows from its schedule. In a circuit, wires get longer with its size. The figures are
//! those of an ECP5, in `family/clocks/ecp5.txt`: `sluice-calibrate units` fits the lines of units to
//! those that were placed and routed; where none were, and for the size of designs, they were set by
//! hand. Other families' are scaled by their delays.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::circuit::Circuit;
use crate::family::ECP5;
use crate::target::Target;

/// An estimated clock.
#[derive(Clone, PartialEq, Debug)]
pub struct Estimate {
    /// In megahertz.
    pub mhz: f64,
    /// The longest path, in nanoseconds.
    pub period: f64,
    /// The unit that it is expected in.
    pub slowest: Option<String>,
    /// What that unit's longest path takes alone on a chip.
    pub alone: f64,
}

/// The clock of a circuit on a target.
pub fn estimate(circuit: &Circuit, target: &Target) -> Estimate {
    let units = circuit.units().values();
    let delays = units.map(|unit| (&unit.name, unit.kind.delay(target)));
    let slowest = delays.max_by(|(_, a), (_, b)| a.total_cmp(b));
    let alone = slowest.map_or(0.0, |(_, ns)| ns);
    let luts = circuit
        .units()
        .values()
        .map(|unit| unit.kind.cost(&ECP5).logic);
    let period = alone.max(TABLE.least * scale(target)) * TABLE.growth(luts.sum());
    Estimate {
        mhz: 1000.0 / period,
        period,
        slowest: slowest.map(|(name, _)| name.clone()),
        alone,
    }
}

/// What the longest path of a unit takes on a target, alone on a chip, by its kind and the look-up
/// tables that it has on an ECP5.
pub fn unit_delay(kind: &str, luts: u32, target: &Target) -> f64 {
    let line = TABLE.units.get(kind).or(TABLE.units.get(OTHERS));
    let line = line.expect("the table has a line for other units");
    (line.base + line.per_doubling * doublings(luts)) * scale(target)
}

/// How often a unit of one look-up table has to be doubled to have that size.
pub fn doublings(luts: u32) -> f64 {
    f64::from(luts.max(1)).log2()
}

/// How long paths take on a target if they take one nanosecond on the chips that were measured.
fn scale(target: &Target) -> f64 {
    target.delays().register / ECP5.delays.register
}

/// The line for units without one.
const OTHERS: &str = "others";

/// The table of the ECP5.
struct Table {
    units: BTreeMap<String, Line>,
    /// What the longest path takes in any design.
    least: f64,
    /// What the size of a design adds to a path, as a part of it, by doublings of 1000 look-up tables.
    per_doubling: f64,
}

/// What a unit takes, by its size.
struct Line {
    base: f64,
    per_doubling: f64,
}

static TABLE: LazyLock<Table> =
    LazyLock::new(|| Table::read(include_str!("family/clocks/ecp5.txt")));

impl Table {
    /// Lines of a unit, what it takes at least and by doubling of its size; the line of `design` has
    /// what the longest path takes at least, and what the design's size adds.
    fn read(text: &str) -> Table {
        let mut units = BTreeMap::new();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let words: Vec<&str> = line.split_whitespace().collect();
            let [unit, base, per_doubling] = words[..] else {
                panic!("not a line of the table: {line}");
            };
            let [base, per_doubling] =
                [base, per_doubling].map(|word| word.parse().expect("a number"));
            units.insert(unit.to_owned(), Line { base, per_doubling });
        }
        let design = units.remove("design").expect("a line for designs");
        Table {
            units,
            least: design.base,
            per_doubling: design.per_doubling,
        }
    }

    /// What the size of a design multiplies paths with.
    fn growth(&self, luts: u32) -> f64 {
        1.0 + self.per_doubling * (f64::from(luts) / SMALL).max(1.0).log2()
    }
}

/// Look-up tables of a design in which wires are as short as in a unit alone.
const SMALL: f64 = 1000.0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn larger_designs_are_slower() {
        let at = |luts| TABLE.growth(luts);
        assert_eq!(at(10), 1.0);
        assert!(at(20_000) > at(5_000) && at(5_000) > 1.0);
    }

    #[test]
    fn the_table_has_a_line_for_every_case() {
        assert!(TABLE.units.contains_key(OTHERS));
        for line in TABLE.units.values() {
            assert!(line.base >= 0.0 && line.per_doubling >= 0.0);
            assert!(line.base + line.per_doubling > 0.0);
        }
        assert!(TABLE.least > 0.0);
    }
}
