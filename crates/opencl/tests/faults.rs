//! What becomes of kernels that leave their buffers or come to no end, and of hosts with a floating-point
//! mode, signal handlers and random numbers of their own.

mod programs;

use std::path::Path;
use std::process::Output;
use std::sync::OnceLock;

use programs::Program;

fn run(name: &str, environment: &[(&str, &str)]) -> (String, String) {
    static PROGRAM: OnceLock<Program> = OnceLock::new();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults/faults.c");
    let program = PROGRAM.get_or_init(|| Program::compile(&source));
    let Output { stdout, stderr, .. } = program.run_with(environment, &[name]);
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (text(stdout), text(stderr))
}

const UNHARMED: &str = "1 2 3 4 5 7 7 7\nmode kept\nprocess kept\n";

#[test]
fn out_of_bounds_accesses_are_harmless_and_reported_once() {
    for device in ["sim", "interp"] {
        let (stdout, stderr) = run("beyond", &[("SLUICE_DEVICE", device)]);
        let ended = "beyond: waited 0, status 0, read 0, finish 0\n";
        assert_eq!(stdout, format!("notified: yes\n{ended}{ended}{UNHARMED}"));
        let begin = "sluice: kernel `beyond` left its buffers in ";
        assert!(
            stderr.starts_with(begin) && stderr.lines().count() == 1,
            "{stderr}"
        );
    }
}

#[test]
fn out_of_bounds_accesses_are_not_reported_without_checks() {
    let (stdout, stderr) = run("beyond", &[("SLUICE_CHECK", "off")]);
    let ended = "beyond: waited 0, status 0, read 0, finish 0\n";
    assert_eq!(stdout, format!("{ended}{ended}{UNHARMED}"));
    assert_eq!(stderr, "");
}

#[test]
fn out_of_bounds_accesses_fail_in_strict_mode() {
    let (stdout, stderr) = run("beyond", &[("SLUICE_CHECK", "strict")]);
    let failed = "notified: yes\nbeyond: waited -14, status -5, read -5, finish -5\n";
    assert_eq!(stdout, format!("{failed}{failed}{UNHARMED}"));
    assert_eq!(stderr.lines().count(), 2, "{stderr}");
}

#[test]
fn a_launch_without_end_fails() {
    let (stdout, stderr) = run("endless", &[("SLUICE_CYCLE_LIMIT", "100000")]);
    let failed = "notified: yes\nendless: waited -14, status -5, read -5, finish -5\n";
    let unchanged = "1 2 3 4 5 400001 7 8\nmode kept\nprocess kept\n";
    assert_eq!(stdout, format!("{failed}{failed}{unchanged}"));
    let begin = "sluice: kernel `endless`: the launch has not ended after 100000 cycles: work-items go \
                 round the loop at ";
    let end = "; SLUICE_CYCLE_LIMIT sets how many cycles it may take";
    let is_right = |line: &str| line.starts_with(begin) && line.ends_with(end);
    assert!(
        stderr.lines().count() == 2 && stderr.lines().all(is_right),
        "{stderr}"
    );
}

#[test]
fn accesses_beyond_local_arrays_are_found_like_those_beyond_buffers() {
    let (stdout, stderr) = run("beyond_local", &[("SLUICE_CHECK", "strict")]);
    assert!(
        stdout.contains("beyond_local: waited -14, status -5"),
        "{stdout}"
    );
    let what = "out-of-bounds write of 4 bytes of `s` (16 bytes)";
    assert!(stderr.lines().all(|line| line.contains(what)), "{stderr}");
    assert_eq!(stderr.lines().count(), 2, "{stderr}");
    let (stdout, stderr) = run("beyond_local", &[]);
    assert!(
        stdout.contains("beyond_local: waited 0, status 0"),
        "{stdout}"
    );
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
}

#[test]
fn a_divergent_barrier_is_named() {
    let (stdout, stderr) = run("diverge", &[]);
    assert!(
        stdout.contains("diverge: waited -14, status -5"),
        "{stdout}"
    );
    let what = "deadlock at a barrier: the barrier at ";
    assert!(
        stderr.contains(what) && stderr.contains("was reached by 1 of the "),
        "{stderr}"
    );
}

#[test]
fn the_hosts_floating_point_mode_is_its_own() {
    for device in ["sim", "interp"] {
        let (stdout, stderr) = run("halve", &[("SLUICE_DEVICE", device)]);
        let ended = "halve: waited 0, status 0, read 0, finish 0\n";
        // Half of the denormal numbers, rounded to even.
        let halves = "0 1 2 2 2 200000 4 4\nmode kept\nprocess kept\n";
        assert_eq!(stdout, format!("{ended}{ended}{halves}"));
        assert_eq!(stderr, "");
    }
}

#[test]
fn a_wrong_environment_is_said() {
    let (stdout, stderr) = run("halve", &[("SLUICE_TARGET", "nowhere")]);
    assert_eq!(stdout, "");
    assert!(
        stderr.starts_with("sluice: SLUICE_TARGET: no target `nowhere`\n"),
        "{stderr}"
    );
}
