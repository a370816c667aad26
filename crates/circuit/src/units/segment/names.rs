//! Names in Verilog for values of the source.

use std::collections::BTreeSet;

use super::graph::Graph;

/// The names that are taken.
pub(super) struct Names(BTreeSet<String>);

/// The words of Verilog-2005 that an identifier of the source may be, and those of its successor
/// that tools refuse.
const KEYWORDS: &[&str] = &[
    "always",
    "and",
    "assign",
    "automatic",
    "begin",
    "bit",
    "buf",
    "byte",
    "case",
    "cell",
    "class",
    "config",
    "const",
    "context",
    "cover",
    "default",
    "design",
    "disable",
    "do",
    "edge",
    "else",
    "end",
    "enum",
    "event",
    "expect",
    "export",
    "extends",
    "final",
    "for",
    "force",
    "forever",
    "fork",
    "function",
    "generate",
    "global",
    "if",
    "import",
    "include",
    "initial",
    "inout",
    "input",
    "inside",
    "instance",
    "int",
    "integer",
    "interface",
    "join",
    "large",
    "let",
    "liblist",
    "library",
    "local",
    "logic",
    "longint",
    "macromodule",
    "matches",
    "medium",
    "module",
    "nand",
    "negedge",
    "new",
    "nor",
    "not",
    "null",
    "or",
    "output",
    "package",
    "packed",
    "parameter",
    "posedge",
    "primitive",
    "priority",
    "program",
    "property",
    "protected",
    "pull0",
    "pull1",
    "pure",
    "rand",
    "real",
    "realtime",
    "ref",
    "reg",
    "release",
    "repeat",
    "restrict",
    "return",
    "scalared",
    "sequence",
    "shortint",
    "shortreal",
    "signed",
    "small",
    "specify",
    "static",
    "string",
    "strong",
    "strong0",
    "strong1",
    "struct",
    "super",
    "supply0",
    "supply1",
    "table",
    "tagged",
    "task",
    "this",
    "time",
    "tran",
    "tri",
    "tri0",
    "tri1",
    "type",
    "typedef",
    "union",
    "unique",
    "unsigned",
    "until",
    "use",
    "var",
    "vectored",
    "virtual",
    "void",
    "wait",
    "wand",
    "weak",
    "weak0",
    "weak1",
    "while",
    "wire",
    "with",
    "within",
    "wor",
    "xnor",
    "xor",
];

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
        let mut names: BTreeSet<String> = KEYWORDS.iter().map(|word| word.to_string()).collect();
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
