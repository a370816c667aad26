//! What is said on standard error to people whose programs show neither logs nor codes.

mod programs;

use std::path::Path;
use std::sync::OnceLock;

use programs::{Program, folder};

/// What the program prints and what is said.
fn run(mode: &str, environment: &[(&str, &str)]) -> (String, String) {
    static PROGRAM: OnceLock<Program> = OnceLock::new();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/notices/notices.c");
    let program = PROGRAM.get_or_init(|| Program::compile(&source));
    let output = program.run_with(environment, &[mode]);
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (text(output.stdout), text(output.stderr))
}

#[test]
fn a_program_that_finds_no_gpu_is_told_once_how_it_would() {
    let (stdout, stderr) = run("types", &[]);
    assert_eq!(
        stdout,
        "gpu -1\ngpu -1\ncpu -1\naccelerator 0\ndefault 0\nall 0\n"
    );
    assert_eq!(
        stderr,
        "sluice: the program asks for a device of another type; with SLUICE_DEVICE_TYPE=gpu it \
         finds this one\n"
    );
    let (stdout, stderr) = run("types", &[("SLUICE_DEVICE_TYPE", "all")]);
    assert_eq!(
        stdout,
        "gpu 0\ngpu 0\ncpu 0\naccelerator 0\ndefault 0\nall 0\n"
    );
    assert_eq!(stderr, "");
}

#[test]
fn a_build_that_exceeds_a_circuits_limits_says_so_once() {
    let (stdout, stderr) = run("too-much", &[]);
    assert_eq!(stdout, "build -11\nbuild -11\n");
    assert_eq!(
        stderr,
        "sluice: kernel `crowded`: memory object `table` with 2100 accesses, more than \
         2048, cannot become a circuit yet (line 2101); a smaller kernel may fit, and \
         SLUICE_DEVICE=interp runs this one on the interpreter\n"
    );
    let (stdout, stderr) = run("too-much", &[("SLUICE_DEVICE", "interp")]);
    assert_eq!(stdout, "build 0\nbuild 0\n");
    assert_eq!(stderr, "");
}

#[test]
fn a_kernel_has_as_many_datapaths_as_fit() {
    let cache = ("SLUICE_CACHE", "0");
    let target = ("SLUICE_TARGET", "ecp5-85");
    let (one, stderr) = run("large", &[cache]);
    assert_eq!(stderr, "");
    let (stdout, stderr) = run("large", &[cache, target, ("SLUICE_DATAPATHS", "16")]);
    assert_eq!(stdout, one, "the results are the same");
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    assert!(
        stderr.starts_with("sluice: kernel `large`: 16 datapaths need "),
        "{stderr}"
    );
    assert!(stderr.contains(" of ecp5-85; it has "), "{stderr}");
    let (stdout, stderr) = run("huge", &[cache, target, ("SLUICE_DATAPATHS", "2")]);
    assert_eq!(stdout, "1 1\n");
    assert!(
        stderr.starts_with("sluice: kernel `huge`: 1 datapath needs "),
        "{stderr}"
    );
}

#[test]
fn a_wrong_setting_is_said() {
    for (name, value, said) in [
        ("SLUICE_BANKS", "33", "not a number from 1 to 32"),
        (
            "SLUICE_CHECKS",
            "bounds,rac",
            "SLUICE_CHECKS has `rac`, not one of all",
        ),
        ("SLUICE_COMPARE", "yes", "not one of 0, 1"),
    ] {
        let (stdout, stderr) = run("count", &[(name, value)]);
        assert_eq!(stdout, "device: -1\n");
        assert!(
            stderr.starts_with("sluice: ") && stderr.contains(said),
            "{stderr}"
        );
    }
}

#[test]
fn pyopencl_survives_a_failed_link() {
    let python = folder().join("target/python/bin/python");
    assert!(
        python.exists(),
        "PyOpenCL is not there: `make python` installs it"
    );
    let program = Program::installed(&python.to_string_lossy());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/notices/failed_link.py");
    let output = program.run_with(&[], &[&script.to_string_lossy()]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {errors}", output.status);
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "clLinkProgram -17\nstill here\n"
    );
}

#[test]
fn a_kernel_that_prints_without_end_is_cut_off() {
    let interpreter = ("SLUICE_DEVICE", "interp");
    let (stdout, _) = run("flood", &[interpreter]);
    assert_eq!(stdout, "x".repeat(3 * 64 * 6000) + "0 0\n");
    let (stdout, _) = run("flood-more", &[interpreter]);
    let lost = 64 * 16400 - (1 << 20);
    let launch =
        "x".repeat(1 << 20) + &format!("[{lost} more prints are lost: 1048576 are kept]\n");
    assert_eq!(stdout, launch.repeat(3) + "0 0\n");
}
