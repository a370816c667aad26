//! Netlists that Yosys writes.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use serde::Deserialize;

use crate::cells::Cells;
use crate::job::JobError;
use crate::tools::Tool;

/// The cells of a design, each with the names of the instances that it is in: `top.unit.part.cell`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Netlist {
    /// Type of each cell by name.
    pub cells: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct JsonNetlist {
    modules: BTreeMap<String, JsonModule>,
}

#[derive(Deserialize)]
struct JsonModule {
    #[serde(default)]
    attributes: BTreeMap<String, serde_json::Value>,
    #[serde(default)]
    cells: BTreeMap<String, JsonCell>,
}

#[derive(Deserialize)]
struct JsonCell {
    r#type: String,
}

impl Netlist {
    /// Reads a netlist.
    pub fn read(path: &Path) -> Result<Netlist, JobError> {
        let name = Tool::Yosys.name();
        let file = File::open(path).map_err(|error| JobError::System { name, error })?;
        let unexpected = |message: String| JobError::Unexpected { name, message };
        let read: JsonNetlist = serde_json::from_reader(BufReader::new(file))
            .map_err(|error| unexpected(format!("its netlist cannot be read: {error}")))?;
        let mut modules = read.modules.into_values();
        let top = modules.find(|module| module.attributes.contains_key("top"));
        let top = top.ok_or_else(|| unexpected("its netlist has no top module".into()))?;
        let cells = top
            .cells
            .into_iter()
            .map(|(name, cell)| (plain_name(&name), cell.r#type));
        Ok(Netlist {
            cells: cells.collect(),
        })
    }

    /// The cells of an instance, by its path of names with dots; of everything, if that is empty.
    pub fn cells_in(&self, path: &str) -> Cells {
        let mut cells = Cells::default();
        for (name, kind) in &self.cells {
            if is_in(name, path) {
                cells.add(kind);
            }
        }
        cells
    }
}

/// A name without the marks that Yosys puts into names which it has made itself: that of a cell in
/// the instances `a` and `b` is `$flatten\a.\b.$auto$1` if it has no name of the source.
pub fn plain_name(name: &str) -> String {
    match name.strip_prefix("$flatten") {
        Some(rest) => rest.replace('\\', ""),
        None => name.to_owned(),
    }
}

/// Whether a name is that of something in an instance.
fn is_in(name: &str, path: &str) -> bool {
    path.is_empty()
        || name
            .strip_prefix(path)
            .is_some_and(|rest| rest.starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_counted_by_instance() {
        let text = r#"{"modules": {
            "LUT4": {"attributes": {"blackbox": "1"}},
            "top": {"attributes": {"top": "1"}, "cells": {
                "design.circuit.cache.tag_LUT4_Z": {"type": "LUT4", "connections": {}},
                "$flatten\\design.\\circuit.\\cache.$abc$12$lut$7": {"type": "LUT4"},
                "design.circuit.cache2.q_TRELLIS_FF_Q": {"type": "TRELLIS_FF"},
                "inputs_TRELLIS_FF_Q": {"type": "TRELLIS_FF"}}}}}"#;
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("netlist.json");
        std::fs::write(&path, text).expect("it is written");
        let netlist = Netlist::read(&path).expect("it is a netlist");
        let counts = |path| {
            let cells = netlist.cells_in(path);
            (cells.count("LUT4"), cells.count("TRELLIS_FF"))
        };
        assert_eq!(counts(""), (2, 2));
        assert_eq!(counts("design"), (2, 1));
        assert_eq!(counts("design.circuit.cache"), (2, 0));
        assert_eq!(counts("design.circuit.cache2"), (0, 1));
    }

    #[test]
    fn a_netlist_without_a_top_module_is_refused() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("netlist.json");
        std::fs::write(&path, r#"{"modules": {}}"#).expect("it is written");
        let error = Netlist::read(&path).expect_err("it has no module");
        assert_eq!(error.to_string(), "yosys: its netlist has no top module");
    }
}
