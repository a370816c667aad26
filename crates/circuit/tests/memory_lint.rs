//! The Verilog of the units around memory passes the lint of Verilator, Icarus and Yosys, for every
//! sample.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use sluice_circuit::circuit::Circuit;
use sluice_circuit::{emit, units};

const UNITS: &[&str] = &["load", "store", "arbiter", "cache", "memory_port", "rom"];

/// Writes a circuit of all samples, and says where and which files.
fn write_design(tool: &str) -> (PathBuf, Vec<String>) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("lint-memory-{tool}"));
    fs::create_dir_all(&folder).unwrap();
    let ours = units::catalog()
        .into_iter()
        .filter(|(name, _)| UNITS.contains(name));
    let samples = ours.flat_map(|(_, samples)| samples).collect();
    let files = emit::emit(&Circuit::of_units("top", samples));
    for file in &files {
        fs::write(folder.join(&file.name), &file.text).unwrap();
    }
    (folder, files.into_iter().map(|file| file.name).collect())
}

fn passes(tool: &str, arguments: &[&str]) {
    let (folder, files) = write_design(tool);
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
    passes("verilator", &arguments);
}

#[test]
fn iverilog_has_no_complaint() {
    passes("iverilog", &["-g2005", "-Wall", "-tnull", "-s", "top"]);
}

#[test]
fn yosys_has_no_complaint() {
    passes(
        "yosys",
        &[
            "-q",
            "-f",
            "verilog",
            "-p",
            "hierarchy -check -top top; proc",
        ],
    );
}
