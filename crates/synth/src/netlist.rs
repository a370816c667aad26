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

/// What Yosys puts before the name of an instance whose cells it gives names of their own.
const FLATTENED: &str = "$flatten\\";

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
            .map(|(name, cell)| (name.replace(FLATTENED, ""), cell.r#type));
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

    /// Names as Yosys gives them to cells that had one, and to those that it has made.
    const NETLIST: &str = r#"{"modules": {"part": {"cells": {}}, "whole": {
        "attributes": {"top": "1"},
        "cells": {
            "group.unit.words": {"type": "RAM64M"},
            "$flatten\\group.$flatten\\unit.$abc$12": {"type": "LUT6"},
            "group.unit2.held": {"type": "FDRE"}
        }
    }}}"#;

    #[test]
    fn cells_belong_to_the_instances_that_they_are_in() {
        let file = tempfile::NamedTempFile::new().expect("a temporary file");
        std::fs::write(file.path(), NETLIST).expect("it can be written");
        let netlist = Netlist::read(file.path()).expect("a netlist");
        let cells = netlist.cells_in("group.unit");
        assert_eq!([cells.count("RAM64M"), cells.count("LUT6")], [1, 1]);
        assert_eq!(cells.count("FDRE"), 0);
        assert_eq!(netlist.cells_in("").0.values().sum::<u32>(), 3);
    }
}
