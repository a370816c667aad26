//! How many inputs of cells a net leads to: many of them cannot all be near.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use crate::job::JobError;
use crate::tools::Tool;

#[derive(Deserialize)]
struct JsonNetlist {
    modules: BTreeMap<String, JsonModule>,
}

#[derive(Deserialize)]
struct JsonModule {
    #[serde(default)]
    attributes: BTreeMap<String, Value>,
    #[serde(default)]
    cells: BTreeMap<String, JsonCell>,
    #[serde(default)]
    netnames: BTreeMap<String, JsonNet>,
}

#[derive(Deserialize)]
struct JsonCell {
    #[serde(default)]
    port_directions: BTreeMap<String, String>,
    #[serde(default)]
    connections: BTreeMap<String, Vec<Value>>,
}

#[derive(Deserialize)]
struct JsonNet {
    bits: Vec<Value>,
    /// The index of the first bit; negative ones are legal.
    #[serde(default)]
    offset: i64,
}

/// The number of inputs that a net of a netlist leads to; none if there is no such net. A bit of a
/// net is written `net[3]`.
pub fn fan_out(netlist: &Path, net: &str) -> Result<Option<usize>, JobError> {
    let name = Tool::Yosys.name();
    let file = File::open(netlist).map_err(|error| JobError::System { name, error })?;
    let read: JsonNetlist =
        serde_json::from_reader(BufReader::new(file)).map_err(|error| JobError::Unexpected {
            name,
            message: format!("its netlist cannot be read: {error}"),
        })?;
    let mut modules = read.modules.values();
    let top = modules.find(|module| module.attributes.contains_key("top"));
    Ok(top.and_then(|top| Some(top.inputs_of(top.bit(net)?))))
}

impl JsonModule {
    /// The number of a net's bit.
    fn bit(&self, net: &str) -> Option<&Value> {
        if let Some(found) = self.netnames.get(net) {
            return found.bits.first();
        }
        let (net, index) = net.strip_suffix(']')?.rsplit_once('[')?;
        let found = self.netnames.get(net)?;
        let index: i64 = index.parse().ok()?;
        found.bits.get(usize::try_from(index - found.offset).ok()?)
    }

    fn inputs_of(&self, bit: &Value) -> usize {
        let inputs = self.cells.values().flat_map(|cell| {
            let ports = cell.connections.iter();
            let inputs = ports.filter(|(port, _)| {
                let direction = cell.port_directions.get(*port);
                direction.is_none_or(|it| it != "output")
            });
            inputs.flat_map(|(_, bits)| bits)
        });
        inputs.filter(|&it| it == bit).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_counted_by_bit() {
        let text = r#"{"modules": {"top": {
            "attributes": {"top": "1"},
            "netnames": {
                "a": {"bits": [2, 3]}, "high": {"bits": [4, 5], "offset": 8}, "one[0].x": {"bits": [2]},
                "low": {"bits": [2, 3], "offset": -1}},
            "cells": {
                "l": {"port_directions": {"A": "input", "B": "input", "Z": "output"},
                      "connections": {"A": [2], "B": ["0"], "Z": [3]}},
                "m": {"port_directions": {"A": "input", "Z": "output"},
                      "connections": {"A": [2, 5], "Z": [6]}}}}}}"#;
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("netlist.json");
        std::fs::write(&path, text).expect("it is written");
        let count = |net| fan_out(&path, net).expect("it is a netlist");
        assert_eq!(count("a[0]"), Some(2));
        assert_eq!(count("a[1]"), Some(0));
        assert_eq!(count("high[9]"), Some(1));
        assert_eq!(count("one[0].x"), Some(2));
        assert_eq!(count("low[-1]"), Some(2));
        assert_eq!(count("b"), None);
    }
}
