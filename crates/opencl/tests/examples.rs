//! The examples for users, as their README says to run them.

mod programs;

use std::process::Command;

use programs::{Program, Vendor, folder};

#[test]
fn the_c_example_runs() {
    let program = Program::compile(&folder().join("examples/host/vector_add.c"));
    let ended = program.run(Vendor::Sluice, &[]);
    assert_eq!(ended.code, Some(0), "{}", ended.stdout);
}

#[test]
fn the_cpp_example_runs() {
    let program = Program::compile(&folder().join("examples/host/matrix_multiply.cpp"));
    let ended = program.run(Vendor::Sluice, &[]);
    assert_eq!(ended.code, Some(0), "{}", ended.stdout);
}

#[test]
fn the_python_example_runs() {
    let python = folder().join("target/python/bin/python");
    assert!(
        python.exists(),
        "PyOpenCL is not there: `make python` installs it"
    );
    let program = Program::installed(&python.to_string_lossy());
    let script = folder().join("examples/host/n_body.py");
    let ended = program.run(Vendor::Sluice, &[&script.to_string_lossy()]);
    assert_eq!(ended.code, Some(0), "{}", ended.stdout);
}

/// What clinfo says, without complaints.
fn clinfo(environment: &[(&str, &str)]) -> String {
    let output = Program::installed("clinfo").run_with(environment, &[]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(output.status.success(), "{text}");
    // What it dislikes stands between these, in place of a value.
    assert!(!text.contains('<'), "{text}");
    text
}

/// What clinfo says of something.
fn value(text: &str, name: &str) -> String {
    let line = text
        .lines()
        .find(|line| line.trim_start().starts_with(name));
    let line = line.unwrap_or_else(|| panic!("no {name} in {text}"));
    line.trim_start()[name.len()..].trim().to_owned()
}

#[test]
fn clinfo_lists_the_device_without_complaints() {
    let text = clinfo(&[("SLUICE_DATAPATHS", "2"), ("SLUICE_TARGET", "ecp5-85")]);
    assert_eq!(value(&text, "Number of platforms"), "1");
    assert_eq!(value(&text, "Device Name"), "Sluice ecp5-85");
    assert_eq!(value(&text, "Device Numeric Version"), "0xc00000 (3.0.0)");
    assert_eq!(value(&text, "Max compute units"), "2");
    assert_eq!(value(&text, "Device Type"), "Accelerator");
}

#[test]
fn the_device_is_what_programs_ask_for() {
    let kinds = [
        ("gpu", "GPU"),
        ("cpu", "CPU"),
        ("all", "Accelerator, GPU, CPU"),
    ];
    for (asked, kind) in kinds {
        let text = clinfo(&[("SLUICE_DEVICE_TYPE", asked)]);
        assert_eq!(value(&text, "Device Type"), kind);
    }
}

#[test]
fn nothing_leaks() {
    let program = Program::compile(&folder().join("tests/programs/matrix_chain.c"));
    let plain = program.command(Vendor::Sluice);
    let suppressions = folder().join("crates/opencl/tests/valgrind.supp");
    let mut command = Command::new("valgrind");
    command
        .args(["--leak-check=full", "--error-exitcode=99"])
        // Threads that are about to end, and tables with pointers into them, are only possibly lost.
        .args([
            "--show-leak-kinds=definite,indirect",
            "--errors-for-leak-kinds=definite,indirect",
        ])
        .arg(format!("--suppressions={}", suppressions.display()))
        .arg(plain.get_program());
    for (name, value) in plain.get_envs() {
        command.env(name, value.unwrap_or_default());
    }
    let output = command.output().expect("valgrind is installed");
    let report = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{report}");
    assert!(
        report.contains("definitely lost: 0 bytes in 0 blocks"),
        "{report}"
    );
}
