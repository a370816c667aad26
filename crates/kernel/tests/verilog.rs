//! The Verilog of whole kernels: tools have no complaint, and it says where it comes from.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use sluice_circuit::target::Target;
use sluice_circuit::verilog::{File, emit};
use sluice_kernel::lower::{Lowered, lower};
use sluice_kernel::plan::Plan;
use sluice_kernel::prepare::prepare;
use sluice_kernel::{Optimised, Program};

/// Kernels by the name of their file, ascending.
fn kernels() -> Vec<(String, Lowered)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/verilog");
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .expect("the folder exists")
        .map(|entry| entry.expect("the folder can be read").path())
        .collect();
    paths.sort();
    let lowered = |path: PathBuf| {
        let name = path.file_stem().expect("a file").display().to_string();
        let text = fs::read_to_string(&path).expect("the file can be read");
        let kernel = Optimised::read(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let lowered = prepare(&Program::of(kernel), &Plan::default(), &Target::ECP5)
            .and_then(|it| lower(&it));
        let lowered = lowered.unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
        (name, lowered)
    };
    paths.into_iter().map(lowered).collect()
}

/// Writes a kernel's files to a folder of its own.
fn write(tool: &str, name: &str, files: &[File]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("verilog-{tool}/{name}"));
    // What an earlier run left is no part of the design.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the folder can be made");
    for file in files {
        fs::write(folder.join(&file.name), &file.text).expect("the file can be written");
    }
    folder
}

/// Runs a tool on every kernel; the arguments may depend on the top module.
fn has_no_complaint(tool: &str, arguments: impl Fn(&str) -> Vec<String>) {
    for (name, lowered) in kernels() {
        let files = emit(lowered.circuit());
        let output = Command::new(tool)
            .current_dir(write(tool, &name, &files))
            .args(arguments(&lowered.circuit().name))
            .args(files.iter().map(|file| &file.name))
            .output();
        let output = output.unwrap_or_else(|error| {
            panic!("`{tool}` does not run ({error}): install the Debian package `{tool}`")
        });
        let messages = [output.stdout, output.stderr].concat();
        let messages = String::from_utf8_lossy(&messages);
        assert!(
            output.status.success() && messages.is_empty(),
            "{tool}, {name}: {messages}"
        );
    }
}

#[test]
fn verilator_has_no_complaint() {
    has_no_complaint("verilator", |top| {
        let arguments = [
            "--lint-only",
            "-Wall",
            "-Wno-DECLFILENAME",
            "--top-module",
            top,
        ];
        arguments.map(String::from).into()
    });
}

#[test]
fn iverilog_has_no_complaint() {
    has_no_complaint("iverilog", |top| {
        let arguments = ["-g2005", "-Wall", "-tnull", "-s", top];
        arguments.map(String::from).into()
    });
}

#[test]
fn yosys_has_no_complaint() {
    has_no_complaint("yosys", |top| {
        let script = format!("hierarchy -check -top {top}; proc; check -assert");
        let arguments = ["-q", "-f", "verilog", "-p", &script];
        arguments.map(String::from).into()
    });
}

#[test]
fn the_same_kernel_gives_the_same_text() {
    let texts = || {
        kernels()
            .into_iter()
            .map(|(_, lowered)| emit(lowered.circuit()))
    };
    assert!(texts().eq(texts()));
}

#[test]
fn every_file_says_what_it_is_and_no_folder_is_named() {
    for (name, lowered) in kernels() {
        let own = &lowered.circuit().name;
        for file in emit(lowered.circuit()) {
            let (first, _) = file.text.split_once('\n').expect("a file has lines");
            assert!(first.starts_with("// "), "{name}, {}: {first}", file.name);
            // The kernels' own file names have folders.
            assert!(!file.text.contains("tests/run"), "{name}, {}", file.name);
            if file.name == format!("{own}.v") {
                let place = format!(", {name}.cl:");
                assert!(first.contains(&place), "{first} says where {name} is from");
            }
        }
    }
}

#[test]
fn every_block_is_a_module_around_its_units() {
    for (name, lowered) in kernels() {
        let files = emit(lowered.circuit());
        for group in lowered.circuit().groups().values() {
            let module = format!("{}_{}.v", lowered.circuit().name, group.name);
            let file = files.iter().find(|file| file.name == module);
            let text = &file.unwrap_or_else(|| panic!("{name} has {module}")).text;
            assert!(
                text.contains(&group.about),
                "{module} says that it is {}",
                group.about
            );
        }
        let top = &files[0].text;
        for (unit, data) in lowered.circuit().units() {
            let is_in_top = top.contains(&format!(" {} (\n", data.name));
            let is_alone = lowered.circuit().group(unit).is_none();
            assert_eq!(
                is_in_top, is_alone,
                "{name}: {} stands in its group",
                data.name
            );
        }
    }
}
