//! All Verilog passes the lint of Verilator, Icarus and Yosys, for every sample of every operator and
//! every unit.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use sluice_circuit::circuit::Circuit;
use sluice_circuit::family;
use sluice_circuit::operators::{self, Regs};
use sluice_circuit::{units, verilog};

/// A design to be linted: its module is `top`.
#[derive(Clone, Copy)]
enum Design {
    Operators,
    Units,
}

impl Design {
    const ALL: [Design; 2] = [Design::Operators, Design::Units];

    /// A new folder with the design, and its files.
    fn write(self, tool: &str) -> (PathBuf, Vec<String>) {
        let (name, write): (_, fn(&Path) -> Vec<String>) = match self {
            Design::Operators => ("operators", write_operators),
            Design::Units => ("units", write_units),
        };
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("lint-{tool}-{name}"));
        fs::create_dir_all(&folder).unwrap();
        let files = write(&folder);
        (folder, files)
    }
}

/// A module that instantiates all samples of all units, and its sources.
fn write_units(folder: &Path) -> Vec<String> {
    let samples = units::catalog()
        .into_iter()
        .flat_map(|(_, samples)| samples);
    let files = verilog::emit(&Circuit::of_units("top", samples.collect()));
    for file in &files {
        fs::write(folder.join(&file.name), &file.text).unwrap();
    }
    files.into_iter().map(|file| file.name).collect()
}

/// A module that instantiates all samples of all operators, without and with registers, and its
/// sources.
fn write_operators(folder: &Path) -> Vec<String> {
    let (mut header, mut body) = (vec!["input wire clk".to_owned()], String::new());
    let mut files = vec!["top.v".to_owned()];
    let samples = operators::catalog()
        .into_iter()
        .flat_map(|(_, samples)| samples);
    for (index, operator) in samples.enumerate() {
        for source in operator.sources() {
            if !files.iter().any(|file| file == source.file) {
                files.push(source.file.to_owned());
                fs::write(folder.join(source.file), source.text).unwrap();
            }
        }
        let choices = [
            Regs::NONE,
            Regs::all(operator.steps(&family::ECP5.delays).len()),
        ];
        for (choice, regs) in choices.into_iter().enumerate() {
            let mut connections = Vec::new();
            for port in operator.inputs() {
                let name = format!("i{index}_{choice}_{}", port.name);
                header.push(format!("input wire [{}:0] {name}", port.width - 1));
                connections.push((port.name, name));
            }
            for port in operator.outputs() {
                let name = format!("o{index}_{choice}_{}", port.name);
                header.push(format!("output wire [{}:0] {name}", port.width - 1));
                connections.push((port.name, name));
            }
            let connections: Vec<_> = connections.iter().map(|(p, e)| (*p, e.as_str())).collect();
            let name = format!("u{index}_{choice}");
            let instance = verilog::operator_instance(&*operator, regs, &name, &connections);
            write!(body, "{instance}").unwrap();
        }
    }
    let header = header.join(",\n");
    let top = format!("`default_nettype none\nmodule top({header});\n{body}endmodule\n");
    fs::write(folder.join("top.v"), top).unwrap();
    files
}

fn passes(folder: &Path, tool: &str, arguments: &[&str], files: &[String]) {
    let output = Command::new(tool)
        .current_dir(folder)
        .args(arguments)
        .args(files)
        .output();
    let output = output.unwrap_or_else(|error| {
        panic!("`{tool}` does not run ({error}): install the Debian package `{tool}`")
    });
    let messages = [output.stdout, output.stderr].concat();
    let messages = String::from_utf8_lossy(&messages);
    assert!(
        output.status.success() && messages.is_empty(),
        "{tool}: {messages}"
    );
}

#[test]
fn verilator_has_no_complaint() {
    let arguments = [
        "--lint-only",
        "-Wall",
        "-Wno-DECLFILENAME",
        "--top-module",
        "top",
    ];
    for design in Design::ALL {
        let (folder, files) = design.write("verilator");
        passes(&folder, "verilator", &arguments, &files);
    }
}

#[test]
fn iverilog_has_no_complaint() {
    let arguments = ["-g2005", "-Wall", "-tnull", "-s", "top"];
    for design in Design::ALL {
        let (folder, files) = design.write("iverilog");
        passes(&folder, "iverilog", &arguments, &files);
    }
}

#[test]
fn yosys_has_no_complaint() {
    let script = "hierarchy -check -top top; proc";
    let arguments = ["-q", "-f", "verilog", "-p", script];
    for design in Design::ALL {
        let (folder, files) = design.write("yosys");
        passes(&folder, "yosys", &arguments, &files);
    }
}

#[test]
fn every_file_follows_the_convention() {
    for (_, samples) in operators::catalog() {
        for source in samples.iter().flat_map(|operator| operator.sources()) {
            let module = source.file.strip_suffix(".v").unwrap();
            let declared = format!("\nmodule {module} #(");
            assert!(
                source.text.contains(&declared),
                "{} declares {module}",
                source.file
            );
            assert!(
                source.text.contains("`default_nettype none\n"),
                "{}",
                source.file
            );
            assert!(
                source.text.ends_with("`default_nettype wire\n"),
                "{}",
                source.file
            );
        }
    }
}
