//! `sluice exec`: a program with the environment set, and what its kernels took.

#[path = "../../opencl/tests/programs/mod.rs"]
mod programs;

use std::path::Path;
use std::process::{Command, Output};

use programs::{Program, Vendor, folder, library};

fn exec(arguments: &[&str], cache: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sluice"));
    command
        .arg("exec")
        .args(arguments)
        .env("SLUICE_CACHE_DIR", cache)
        .env("SLUICE_OPENCL_LIBRARY", library());
    command.output().expect("the command runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn what_kernels_took_is_shown_when_the_program_has_ended() {
    let program = Program::compile(&folder().join("tests/programs/matrix_chain.c"));
    let binary = program.command(Vendor::Sluice).get_program().to_owned();
    let binary = binary.to_string_lossy();
    let cache = tempfile::tempdir().expect("a folder can be made");
    let plain = program.run(Vendor::Sluice, &[]);

    let shown = exec(
        &["--target", "ecp5-85", "--datapaths", "2", "--", &binary],
        cache.path(),
    );
    assert!(shown.status.success(), "{}", text(&shown.stderr));
    assert_eq!(text(&shown.stdout), plain.stdout);
    let stderr = text(&shown.stderr);
    assert!(
        stderr.starts_with("sluice: kernels on sim, ecp5-85 at "),
        "{stderr}"
    );
    assert!(stderr.contains("2 datapaths\n"), "{stderr}");

    let file = cache.path().join("report.json");
    let path = file.to_string_lossy();
    let written = exec(
        &["--device", "interp", "--report", &path, "--", &binary],
        cache.path(),
    );
    assert_eq!(text(&written.stderr), "");
    let report = std::fs::read_to_string(&file).expect("the report was written");
    assert!(report.contains("\"device\": \"interp\""), "{report}");

    // A report that cannot be written is a failure, and is shown all the same.
    let full = exec(
        &["--device", "interp", "--report", "/dev/full", "--", &binary],
        cache.path(),
    );
    let stderr = text(&full.stderr);
    assert_eq!(full.status.code(), Some(2), "{stderr}");
    assert!(
        stderr.starts_with("sluice: kernels on interp, "),
        "{stderr}"
    );
    assert!(stderr.contains("error: cannot write /dev/full"), "{stderr}");
}

#[test]
fn the_programs_exit_code_and_arguments_are_its_own() {
    let cache = tempfile::tempdir().expect("a folder can be made");
    let ended = exec(
        &[
            "--",
            "sh",
            "-c",
            "echo \"$@\"; exit 7",
            "sh",
            "-DX",
            "--",
            "-w",
        ],
        cache.path(),
    );
    assert_eq!(ended.status.code(), Some(7));
    assert_eq!(text(&ended.stdout), "-DX -- -w\n");
}

#[test]
fn a_program_that_is_not_there_is_a_mistake() {
    let cache = tempfile::tempdir().expect("a folder can be made");
    let ended = exec(&["--", "./no such program"], cache.path());
    assert_eq!(ended.status.code(), Some(2), "{}", text(&ended.stderr));
}
