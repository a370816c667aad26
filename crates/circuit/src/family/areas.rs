//! What each [term](crate::area::Term) takes of a family's logic and registers: a table per family,
//! which `sluice-calibrate areas` fits to what Yosys makes of units, and writes.

use std::collections::BTreeMap;

use crate::area::Term;

/// A family's table.
#[derive(Debug)]
pub struct Areas {
    coefficients: BTreeMap<(String, String), [f64; 2]>,
    unmeasured: usize,
}

/// What comments say of terms that are scaled from an ECP5's, or guessed.
pub const NOT_MEASURED: &str = "# not measured: ";

impl Areas {
    /// Reads a table: lines of an owner, a term with underscores for spaces, and what one of it takes
    /// of logic and registers. Lines that begin with `#` are comments.
    ///
    /// # Panics
    ///
    /// If the text is no table.
    pub fn read(text: &str) -> Areas {
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let row = |line: &str| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let [owner, term, logic, registers] = words[..] else {
                panic!("not a line of a table: {line}");
            };
            let numbers = [logic, registers].map(|word| word.parse().expect("a number"));
            ((owner.to_owned(), term.replace('_', " ")), numbers)
        };
        let unmeasured = text.lines().filter(|line| line.starts_with(NOT_MEASURED));
        Areas {
            coefficients: lines.map(row).collect(),
            unmeasured: unmeasured.count(),
        }
    }

    /// The number of terms, and how many of them were not measured.
    pub fn counts(&self) -> [usize; 2] {
        [self.coefficients.len(), self.unmeasured]
    }

    /// What one of a term takes of logic and registers.
    ///
    /// # Panics
    ///
    /// If the table does not have it: tests look up every term.
    pub fn coefficients(&self, term: &Term) -> [f64; 2] {
        let key = (term.owner.to_owned(), term.name.to_owned());
        let found = self.coefficients.get(&key).copied();
        found.unwrap_or_else(|| panic!("{} {} has no coefficients", term.owner, term.name))
    }

    /// The owners and terms of the table.
    pub fn names(&self) -> impl Iterator<Item = (&str, &str)> {
        let keys = self.coefficients.keys();
        keys.map(|(owner, term)| (owner.as_str(), term.as_str()))
    }
}
