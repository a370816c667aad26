//! `sluice exec`: a program with the environment set, and what its kernels took.

#[path = "../../opencl/tests/programs/mod.rs"]
mod programs;

use std::path::Path;
use std::process::{Command, Output};

use programs::{Program, Vendor, folder, library};

/// A small program whose first argument says what its kernel does.
fn small_program() -> (Program, String) {
    let source = folder().join("crates/opencl/tests/notices/notices.c");
    let program = Program::compile(&source);
    let binary = program.command(Vendor::Sluice).get_program().to_owned();
    (program, binary.to_string_lossy().into_owned())
}

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
        &["--target", "de5-net", "--datapaths", "2", "--", &binary],
        cache.path(),
    );
    assert!(shown.status.success(), "{}", text(&shown.stderr));
    assert_eq!(text(&shown.stdout), plain.stdout);
    let stderr = text(&shown.stderr);
    assert!(
        stderr.starts_with("sluice: kernels on sim, de5-net at "),
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

#[test]
fn a_program_finds_a_device_of_whatever_type_it_asks_for() {
    let (_program, binary) = small_program();
    let cache = tempfile::tempdir().expect("a folder can be made");
    let ended = exec(&["--", &binary, "types"], cache.path());
    assert_eq!(
        text(&ended.stdout),
        "gpu 0\ngpu 0\ncpu 0\naccelerator 0\ndefault 0\nall 0\n"
    );
}

#[test]
fn waveforms_are_a_file_for_each_launch() {
    let (_program, binary) = small_program();
    let cache = tempfile::tempdir().expect("a folder can be made");
    let wave = cache.path().join("out.vcd");
    let path = wave.to_string_lossy();
    let ended = exec(
        &["--wave", &path, "--banks", "2", "--", &binary, "count"],
        cache.path(),
    );
    assert_eq!(text(&ended.stdout), "0 189\n", "{}", text(&ended.stderr));
    for launch in 0..3 {
        let file = cache.path().join(format!("out-{launch}.vcd"));
        let waves = std::fs::read_to_string(&file).expect("the waveforms were written");
        assert!(waves.contains("$enddefinitions"), "{}", file.display());
    }
    assert!(!wave.exists() && !cache.path().join("out-3.vcd").exists());
    let refused = exec(
        &[
            "--device", "interp", "--wave", &path, "--", &binary, "count",
        ],
        cache.path(),
    );
    assert_eq!(refused.status.code(), Some(2), "{}", text(&refused.stderr));
}

#[test]
fn launches_are_compared_with_the_interpreter() {
    let (_program, binary) = small_program();
    let cache = tempfile::tempdir().expect("a folder can be made");
    for device in ["sim", "interp"] {
        let same = exec(
            &["--device", device, "--check", "--", &binary, "count"],
            cache.path(),
        );
        assert!(same.status.success(), "{}", text(&same.stderr));
        assert_eq!(text(&same.stdout), "0 189\n");
        assert!(!text(&same.stderr).contains("differ"));
    }
    // Which of the racing writes is the last is each executor's own.
    let differs = exec(&["--check", "--", &binary, "order"], cache.path());
    assert_eq!(differs.status.code(), Some(1), "{}", text(&differs.stderr));
    let stderr = text(&differs.stderr);
    assert!(
        stderr
            .contains("sluice: kernel `order`: sim differs from the interpreter: buffer 0, byte "),
        "{stderr}"
    );
    assert!(
        stderr.contains("launches that differ from the interpreter: "),
        "{stderr}"
    );
}

#[test]
fn checks_say_what_they_find_each_place_once() {
    let (_program, binary) = small_program();
    let cache = tempfile::tempdir().expect("a folder can be made");
    for (device, checks, found) in [
        ("sim", "races", "data race at byte 0 of `a`"),
        ("interp", "races", "data race at byte 0 of `a`"),
        (
            "sim",
            "bounds",
            "out-of-bounds write of 4 bytes at byte 256 of `a`",
        ),
    ] {
        let ended = exec(
            &[
                "--device", device, "--checks", checks, "--", &binary, "race",
            ],
            cache.path(),
        );
        let stderr = text(&ended.stderr);
        assert_eq!(ended.status.code(), Some(1), "{stderr}");
        let said = format!("sluice: kernel `race`: {found}");
        assert_eq!(stderr.matches(&said).count(), 1, "{stderr}");
        assert!(stderr.contains("findings of the checks: 3\n"), "{stderr}");
    }
    let fine = exec(&["--checks", "all", "--", &binary, "count"], cache.path());
    assert!(fine.status.success(), "{}", text(&fine.stderr));
    let stderr = text(&fine.stderr);
    assert!(stderr.starts_with("sluice: kernels on sim"), "{stderr}");
}

#[test]
fn a_launch_that_takes_too_long_is_ended() {
    let (_program, binary) = small_program();
    let cache = tempfile::tempdir().expect("a folder can be made");
    let ended = exec(
        &["--cycle-limit", "10", "--", &binary, "count"],
        cache.path(),
    );
    let stderr = text(&ended.stderr);
    assert!(
        stderr.contains("kernel `count`: the launch has not ended after 10 cycles"),
        "{stderr}"
    );
}

#[test]
fn the_report_says_how_many_datapaths_fitted() {
    let (_program, binary) = small_program();
    let cache = tempfile::tempdir().expect("a folder can be made");
    let arguments = ["--target", "ecp5-85", "--datapaths", "16", "--"];
    let ended = exec(
        &[&arguments[..], &[&binary, "large"]].concat(),
        cache.path(),
    );
    let stderr = text(&ended.stderr);
    assert!(
        stderr.contains("sluice: kernel `large`: 16 datapaths need "),
        "{stderr}"
    );
    assert!(
        stderr.contains(" of 16 datapaths: more do not fit ecp5-85\n"),
        "{stderr}"
    );
}

#[test]
fn lanes_and_memory_units_are_those_of_the_options() {
    let program = Program::compile(&folder().join("examples/host/vector_add.c"));
    let binary = program.command(Vendor::Sluice).get_program().to_owned();
    let binary = binary.to_string_lossy();
    let cache = tempfile::tempdir().expect("a folder can be made");
    let took = |options: &[&str]| {
        let shown = exec(
            &[options, &["--check", "--", &binary]].concat(),
            cache.path(),
        );
        assert!(shown.status.success(), "{}", text(&shown.stderr));
        let path = cache.path().join("report.json");
        let report = ["--report", &path.to_string_lossy(), "--", &binary];
        let written = exec(&[options, &report].concat(), cache.path());
        assert!(written.status.success(), "{}", text(&written.stderr));
        let report = std::fs::read_to_string(&path).expect("the report was written");
        let report: serde_json::Value = serde_json::from_str(&report).expect("it is JSON");
        let kernel = &report["kernels"][0];
        let cycles = kernel["cycles"].as_u64().expect("a number");
        (text(&shown.stderr), kernel["lanes"].clone(), cycles)
    };
    let (shown, lanes, plain) = took(&[]);
    assert_eq!(lanes, 1);
    assert!(!shown.contains("lanes"), "{shown}");
    let (shown, lanes, wide) = took(&["--lanes", "4"]);
    assert_eq!(lanes, 4);
    assert!(shown.contains("    4 lanes\n"), "{shown}");
    let (_, _, cached) = took(&["--memory", "cache"]);
    assert!(wide < plain && plain < cached, "{wide}, {plain}, {cached}");
}

#[test]
fn a_report_that_cannot_be_written_is_a_failure() {
    let (_program, binary) = small_program();
    let cache = tempfile::tempdir().expect("a folder can be made");
    let ended = exec(
        &["--report", "/dev/full", "--", &binary, "count"],
        cache.path(),
    );
    assert_eq!(text(&ended.stdout), "0 189\n");
    assert!(!ended.status.success());
    assert!(
        text(&ended.stderr).contains("cannot write /dev/full"),
        "{}",
        text(&ended.stderr)
    );
}

#[test]
fn kernels_have_what_their_plan_says() {
    let program = Program::compile(&folder().join("tests/programs/matrix_chain.c"));
    let binary = program.command(Vendor::Sluice).get_program().to_owned();
    let binary = binary.to_string_lossy();
    let cache = tempfile::tempdir().expect("a folder can be made");
    let plain = program.run(Vendor::Sluice, &[]);
    let path = cache.path().join("plan.toml");
    let plan = path.to_string_lossy();
    let with_plan = |text: &str| {
        std::fs::write(&path, text).expect("the folder can be written");
        exec(&["--plan", &plan, "--", &binary], cache.path())
    };

    let planned = with_plan(
        "[kernel.first_product]\ndatapaths = 3\n\n\
         [kernel.first_product.object.a]\ncache_bytes = 256\n\n\
         [kernel.of_another_program]\ndatapaths = 2\n",
    );
    let stderr = text(&planned.stderr);
    assert!(planned.status.success(), "{stderr}");
    assert_eq!(text(&planned.stdout), plain.stdout);
    assert!(stderr.contains("    3 datapaths by its plan\n"), "{stderr}");
    assert!(stderr.contains(" MHz, 1 datapath\n"), "{stderr}");

    let wrong = with_plan("[kernel.scale.object.beta]\nbank = 0\n");
    let stderr = text(&wrong.stderr);
    assert!(!wrong.status.success(), "{stderr}");
    let said = format!(
        "sluice: kernel `scale`: {plan}:1: there is no buffer `beta` (the kernel accesses `d`)\n"
    );
    assert!(stderr.contains(&said), "{stderr}");

    let damaged = with_plan("[kernel.scale]\ndatapaths = 0x\n");
    assert_eq!(damaged.status.code(), Some(2), "{}", text(&damaged.stderr));
}
