//! The Verilog of every unit's samples passes the lint of Verilator, Icarus and Yosys.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use sluice_circuit::circuit::Circuit;
use sluice_circuit::{emit, units};

/// Writes a circuit of all samples; the folder and its files, the top one first.
fn write_design(name: &str) -> (PathBuf, Vec<String>) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).expect("the test's own folder is writable");
    let samples = units::catalog()
        .into_iter()
        .flat_map(|(_, samples)| samples);
    let circuit = Circuit::of_units("lint_units", samples.collect());
    let files = emit::emit(&circuit);
    for file in &files {
        fs::write(folder.join(&file.name), &file.text).expect("the folder is writable");
    }
    let names = files.into_iter().map(|file| file.name).collect();
    (folder, names)
}

fn passes(tool: &str, arguments: &[&str]) {
    let (folder, files) = write_design(&format!("lint-units-{tool}"));
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
    let top = ["--top-module", "lint_units"];
    let warnings = ["--lint-only", "-Wall", "-Wno-DECLFILENAME"];
    passes("verilator", &[&warnings[..], &top].concat());
}

#[test]
fn iverilog_has_no_complaint() {
    passes(
        "iverilog",
        &["-g2005", "-Wall", "-tnull", "-s", "lint_units"],
    );
}

#[test]
fn yosys_has_no_complaint() {
    let script = "hierarchy -check -top lint_units; proc";
    passes("yosys", &["-q", "-f", "verilog", "-p", script]);
}
