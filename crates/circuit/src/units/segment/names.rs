//! Names in Verilog for values of the source.

use std::collections::BTreeSet;

use super::graph::Graph;
use crate::verilog::keywords;

/// The names that are taken.
pub(super) struct Names(BTreeSet<String>);

/// Makes the constants' names good for ports.
pub(super) fn name_constants(graph: &mut Graph) {
    let mut names = Names::of_ports(graph.inputs.len(), graph.outputs.len());
    for (index, wire) in graph.constants.iter_mut().enumerate() {
        let base = names.base(Some(&wire.name), index as u32);
        wire.name = names.unique(&base);
    }
}

impl Names {
    /// Words of Verilog and what the ports need is taken.
    fn of_ports(inputs: usize, outputs: usize) -> Names {
        let mut names: BTreeSet<String> = keywords().map(String::from).collect();
        names.extend(["clk", "rst", "enter", "valid"].map(String::from));
        let inputs = (0..inputs).map(|index| format!("in{index}"));
        let outputs = (0..outputs).map(|index| format!("out{index}"));
        for port in inputs.chain(outputs) {
            let suffixes = [
                "",
                "_valid",
                "_ready",
                "_room",
                "_first",
                "_first_next",
                "_head",
                "_queue",
            ];
            names.extend(suffixes.map(|suffix| format!("{port}{suffix}")));
        }
        Names(names)
    }

    /// The names of the graph's ports are taken.
    pub(super) fn new(graph: &Graph) -> Names {
        let mut names = Names::of_ports(graph.inputs.len(), graph.outputs.len());
        names
            .0
            .extend(graph.constants.iter().map(|wire| wire.name.clone()));
        names
    }

    /// Takes this name, or one like it.
    pub(super) fn unique(&mut self, name: &str) -> String {
        let numbered = (2..).map(|number| format!("{name}_{number}"));
        let mut candidates = std::iter::once(name.to_string()).chain(numbered);
        let free = candidates.find(|candidate| !self.0.contains(candidate));
        let free = free.expect("there are always more numbers");
        self.0.insert(free.clone());
        free
    }

    /// An identifier for an operation's result: the source's name for it, or its number.
    pub(super) fn base(&self, name: Option<&str>, operation: u32) -> String {
        let name = name.unwrap_or_default();
        let legal = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let name: String = name.chars().map(legal).collect();
        match name.chars().next() {
            None => format!("v{operation}"),
            Some(first) if first.is_ascii_digit() => format!("v{name}"),
            Some(_) => name,
        }
    }
}
