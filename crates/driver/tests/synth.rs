//! `sluice synth` with stand-ins for the tools: what it shows and writes, the cache, and everything
//! that can go wrong; and once with Yosys itself.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

const SOURCE: &str = "tests/cmd/run.in/saxpy.cl";

/// Tools, a cache and folders of a test's own.
struct Workshop {
    folder: TempDir,
}

impl Workshop {
    /// With stand-ins that succeed.
    fn new() -> Workshop {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for name in ["tools", "results", "cache", "tmp"] {
            fs::create_dir(folder.path().join(name)).expect("it is made");
        }
        let workshop = Workshop { folder };
        for (folder, names) in [
            ("tools", &["yosys", "nextpnr-ecp5", "ecppack"][..]),
            ("results", &["netlist.json", "place.json"]),
        ] {
            for name in names {
                let from = Path::new("tests/synth").join(folder).join(name);
                fs::copy(from, workshop.path(folder).join(name)).expect("it is copied");
            }
        }
        workshop
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Replaces a tool by a script, which still tells its version.
    fn replace(&self, tool: &str, script: &str) {
        let path = self.path("tools").join(tool);
        let text = format!(
            "#!/bin/sh\ncase $1 in -V|--version) echo {tool} 0.99; exit;; esac\n{script}\n"
        );
        fs::write(&path, text).expect("it is written");
        let mode = fs::Permissions::from_mode(0o755);
        fs::set_permissions(&path, mode).expect("it is made executable");
    }

    /// A named pipe, at which scripts and tests wait for each other.
    fn pipe(&self, name: &str) -> PathBuf {
        let path = self.path(name);
        let made = Command::new("mkfifo").arg(&path).status();
        assert!(made.expect("mkfifo is there").success());
        path
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut path = OsString::from(self.path("tools"));
        path.push(":");
        path.push(std::env::var_os("PATH").unwrap_or_default());
        let mut command = Command::new(env!("CARGO_BIN_EXE_sluice"));
        command
            // The stand-ins' results are of a design with caches.
            .args(["synth", SOURCE, "--target", "ecp5-85", "--memory", "cache"])
            .args(arguments)
            .env("PATH", path)
            .env("TMPDIR", self.path("tmp"))
            .env("SLUICE_CACHE_DIR", self.path("cache"))
            .env("SLUICE_SYNTH_TOOLS", self.path("no-such-folder"))
            .env("TOOL_RUNS", self.path("runs"))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("sluice runs")
    }

    /// Runs it with an output folder.
    fn run_to(&self, output: &str, arguments: &[&str]) -> Output {
        let output = self.path(output).display().to_string();
        self.run(&[&["-o", &output], arguments].concat())
    }

    /// The tools that have run.
    fn runs(&self) -> Vec<String> {
        let text = fs::read_to_string(self.path("runs")).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    /// Asserts that nothing is left of a run that has failed.
    fn assert_nothing_left(&self) {
        let names = |path: PathBuf| -> Vec<OsString> {
            let listed = fs::read_dir(path).into_iter().flatten().flatten();
            listed.map(|entry| entry.file_name()).collect()
        };
        assert_eq!(names(self.path("tmp")), [] as [&str; 0]);
        assert_eq!(names(self.path("cache/synth")), [] as [&str; 0]);
    }
}

fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{}", stderr(output));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// What a failed run says, and its exit code.
fn failure(output: &Output) -> (String, Option<i32>) {
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    (stderr(output), output.status.code())
}

#[test]
fn a_placed_design_is_shown_and_written() {
    let workshop = Workshop::new();
    let said = stdout(&workshop.run_to("out", &[]));
    assert!(
        said.starts_with("saxpy on ecp5-85, placed and routed\n"),
        "{said}"
    );
    assert!(said.contains("clock: 125.0 MHz reached"), "{said}");
    let folder = workshop.path("out/saxpy");
    let read = |name: &str| {
        let text = fs::read_to_string(folder.join(name));
        text.unwrap_or_else(|error| panic!("{name}: {error}"))
    };
    assert_eq!(read("saxpy.bit"), "configuration\n");
    assert!(read("saxpy_axi.v").contains("module saxpy_axi"));
    assert!(read("files.f").contains("saxpy_axi.v\n"));
    assert!(read("netlist.json").contains("DP16KD"));
    assert!(read("yosys.log").contains("ABC9"));
    assert!(read("nextpnr-ecp5.log").contains("Routing"));
    let report = read("report.txt");
    assert!(report.starts_with(&said), "{report}");
    let unit = report.lines().find(|line| line.starts_with("cache_x "));
    let unit = unit.unwrap_or_else(|| panic!("{report}"));
    let columns: Vec<&str> = unit.split_whitespace().collect();
    assert_eq!(columns[..3], ["cache_x", "cache", "2"], "{unit}");
    let report: Value = serde_json::from_str(&read("report.json")).expect("JSON");
    assert_eq!(
        report["bitstream"],
        folder.join("saxpy.bit").display().to_string()
    );
    // The target's device and clock are what nextpnr is told.
    let runs = workshop.runs();
    let place = runs.last().expect("two tools have run");
    assert!(
        place.contains("--85k --speed 8 --package CABGA756 --freq 140 "),
        "{place}"
    );
}

#[test]
fn json_has_areas_clock_estimates_and_the_critical_path() {
    let workshop = Workshop::new();
    let said = stdout(&workshop.run(&["--json"]));
    let reports: Value = serde_json::from_str(&said).expect("JSON");
    let report = &reports[0];
    for (name, value) in [
        ("luts", 4),
        ("registers", 3),
        ("multipliers", 1),
        ("block_memories", 1),
    ] {
        assert_eq!(report[name], value, "{name}");
        assert!(report["estimate"][name].as_u64() > Some(0), "{name}");
    }
    assert_eq!(
        (&report["mhz"], &report["clock"]),
        (&125.0.into(), &"placed".into())
    );
    assert!(report["estimate"]["mhz"].as_f64() > Some(0.0));
    assert_eq!(report["target"], "ecp5-85");
    assert_eq!(report["tools"]["yosys"], "Yosys 0.99 (stand-in)");
    assert_eq!(report["tools"]["nextpnr-ecp5"], "nextpnr-0.99");
    assert!(report["seconds"].as_f64().is_some());
    assert_eq!(report["cached"], false);
    let path = report["critical_path"].as_array().expect("a list");
    assert_eq!(path.len(), 2, "{path:?}");
    assert_eq!(
        (&path[0]["unit"], &path[0]["kind"]),
        (&"cache_x".into(), &"cache".into())
    );
    assert_eq!(
        (&path[0]["logic_ns"], &path[0]["routing_ns"]),
        (&0.75.into(), &4.25.into())
    );
    let sum = &path[1];
    assert_eq!(
        (&sum["part"], &sum["kind"]),
        (&"fadd1_unit".into(), &"segment, fadd".into())
    );
    let line = serde_json::json!([{
        "file": "saxpy.cl", "line": 5, "text": "y[i] = a * x[i] + y[i];"
    }]);
    assert_eq!(sum["lines"], line);
}

#[test]
fn the_same_design_again_comes_from_the_cache_and_another_does_not() {
    let workshop = Workshop::new();
    let first = stdout(&workshop.run(&[]));
    assert!(!first.contains("build cache"), "{first}");
    let again = stdout(&workshop.run_to("out", &[]));
    assert!(again.contains("\nfrom the build cache; "), "{again}");
    assert_eq!(workshop.runs().len(), 2);
    assert!(workshop.path("out/saxpy/saxpy.bit").exists());
    stdout(&workshop.run(&["--datapaths", "2"]));
    assert_eq!(workshop.runs().len(), 4);
    workshop.replace("ecppack", "cp $1 $2");
    stdout(&workshop.run(&[]));
    assert_eq!(workshop.runs().len(), 6, "another version is another tool");
}

#[test]
fn without_a_cache_nothing_is_left() {
    let workshop = Workshop::new();
    for _ in 0..2 {
        let output = workshop.command(&[]).env("SLUICE_CACHE", "0").output();
        let said = stdout(&output.expect("sluice runs"));
        assert!(!said.contains("build cache"), "{said}");
    }
    assert_eq!(workshop.runs().len(), 4);
    workshop.assert_nothing_left();
}

#[test]
fn missing_tools_are_named_with_what_installs_them() {
    let workshop = Workshop::new();
    let clang = which("clang-19");
    let run = || {
        let mut command = workshop.command(&[]);
        command.env("PATH", workshop.path("tools"));
        command.env("SLUICE_CLANG", &clang);
        failure(&command.output().expect("sluice runs"))
    };
    fs::remove_file(workshop.path("tools/nextpnr-ecp5")).expect("it is removed");
    let (said, code) = run();
    assert_eq!(
        said,
        "  error: nextpnr-ecp5 is not installed\n  \
         help: `make synth-tools` in Sluice's folder installs it\n"
    );
    assert_eq!(code, Some(3));
    fs::remove_file(workshop.path("tools/yosys")).expect("it is removed");
    let (said, code) = run();
    assert_eq!(
        said,
        "  error: yosys is not installed\n  \
         help: `make synth-tools` in Sluice's folder installs it, and so does `apt install yosys`\n"
    );
    assert_eq!(code, Some(3));
    workshop.assert_nothing_left();
}

/// Where a program is.
fn which(program: &str) -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut files = std::env::split_paths(&path).map(|folder| folder.join(program));
    files.find(|file| file.exists()).expect("it is installed")
}

#[test]
fn a_tool_that_fails_is_quoted_and_its_log_kept() {
    let workshop = Workshop::new();
    workshop.replace(
        "yosys",
        "echo reading; echo 'ERROR: no such cell'; echo; exit 1",
    );
    let (said, code) = failure(&workshop.run_to("out", &[]));
    let log = workshop.path("out/saxpy/yosys.log");
    assert_eq!(
        said,
        format!(
            "  error: saxpy: yosys failed (exit status: 1): ERROR: no such cell\n  \
             help: its whole log is {}\n",
            log.display()
        )
    );
    assert_eq!(code, Some(3));
    let log = fs::read_to_string(log).expect("it is kept");
    assert_eq!(log, "reading\nERROR: no such cell\n\n");
    workshop.assert_nothing_left();
}

#[test]
fn a_tool_that_is_killed_is_told_apart() {
    let workshop = Workshop::new();
    workshop.replace("nextpnr-ecp5", "echo Info: placing; kill -KILL $$");
    let (said, code) = failure(&workshop.run(&[]));
    assert_eq!(
        said,
        "  error: saxpy: nextpnr-ecp5 was killed (signal: 9 (SIGKILL)): Info: placing\n  \
         help: -o DIR keeps its whole log\n"
    );
    assert_eq!(code, Some(3));
    workshop.assert_nothing_left();
}

#[test]
fn results_that_cannot_be_read_are_an_error() {
    let workshop = Workshop::new();
    workshop.replace("yosys", "echo '{' > netlist.json");
    let (said, code) = failure(&workshop.run(&[]));
    assert!(said.contains("yosys: its netlist cannot be read"), "{said}");
    assert_eq!(code, Some(3));
    workshop.assert_nothing_left();
}

#[test]
fn a_design_that_nextpnr_cannot_place_is_too_large() {
    let workshop = Workshop::new();
    workshop.replace(
        "nextpnr-ecp5",
        "echo \"ERROR: Unable to place cell 'x', no BELs remaining to implement cell type 'DP16KD'\"; \
         exit 1",
    );
    let (said, code) = failure(&workshop.run(&[]));
    assert!(said.contains("ERROR: Unable to place cell 'x'"), "{said}");
    assert!(
        said.contains("help: the design is too large for ecp5-85"),
        "{said}"
    );
    assert!(said.contains("`cache_bytes`"), "{said}");
    assert_eq!(code, Some(1));
    workshop.assert_nothing_left();
}

#[test]
fn a_design_that_does_not_fit_is_told_before_it_is_placed() {
    let workshop = Workshop::new();
    let cells: Vec<String> = (0..209)
        .map(|at| format!("\"wrapped.circuit.memory.cache_x.m{at}\": {{\"type\": \"DP16KD\"}}"))
        .collect();
    let text = format!(
        "{{\"modules\": {{\"t\": {{\"attributes\": {{\"top\": \"1\"}}, \"cells\": {{{}}}}}}}}}",
        cells.join(", ")
    );
    fs::write(workshop.path("results/netlist.json"), text).expect("it is written");
    let (said, code) = failure(&workshop.run(&[]));
    assert!(
        said.starts_with(
            "  error: saxpy does not fit ecp5-85: 209 EBRs are needed, the chip has 208\n  \
             help: take fewer --datapaths, smaller caches"
        ),
        "{said}"
    );
    assert_eq!(code, Some(1));
    assert_eq!(workshop.runs(), ["yosys"]);
    let said = stdout(&workshop.run(&["--oversize"]));
    assert!(
        said.starts_with("saxpy on ecp5-85, mapped, not placed\n"),
        "{said}"
    );
    assert!(said.contains("100.5 %"), "{said}");
    assert_eq!(workshop.runs(), ["yosys"], "the netlist is in the cache");
}

/// Whether a process is running.
fn is_running(id: &str) -> bool {
    let state = fs::read_to_string(format!("/proc/{}/stat", id.trim())).unwrap_or_default();
    !state.is_empty() && !state.contains(") Z ")
}

fn send(signal: &str, to: &Child) {
    let sent = Command::new("kill")
        .args([signal, &to.id().to_string()])
        .status();
    assert!(sent.expect("kill is there").success());
}

#[test]
fn an_interrupt_ends_all_processes_and_leaves_nothing() {
    for signal in ["-INT", "-TERM", "-HUP"] {
        let workshop = Workshop::new();
        let started = workshop.pipe("started");
        // As Yosys does, it starts another program and waits for it.
        let script = format!(
            "touch $TMPDIR/left; sleep 1000000 & echo $$ $! > {}; wait",
            started.display()
        );
        workshop.replace("yosys", &script);
        let child = workshop.command(&[]).spawn().expect("sluice runs");
        let mut ids = String::new();
        let mut pipe = File::open(&started).expect("it is opened");
        pipe.read_to_string(&mut ids).expect("it is read");
        assert!(ids.split_whitespace().all(is_running), "{ids}");
        send(signal, &child);
        let output = child.wait_with_output().expect("sluice ends");
        assert_eq!(
            failure(&output),
            ("  error: interrupted\n".into(), Some(130))
        );
        // The system ends what was killed in its own time.
        while ids.split_whitespace().any(is_running) {
            std::thread::yield_now();
        }
        workshop.assert_nothing_left();
    }
}

#[test]
fn a_second_run_waits_for_the_first_and_takes_its_result() {
    let workshop = Workshop::new();
    let (started, go) = (workshop.pipe("started"), workshop.pipe("go"));
    let script = format!(
        "echo yosys >> $TOOL_RUNS; echo > {}; read go < {}\n\
         cp \"$(dirname \"$0\")/../results/netlist.json\" netlist.json",
        started.display(),
        go.display()
    );
    workshop.replace("yosys", &script);
    let first = workshop.command(&[]).spawn().expect("sluice runs");
    let mut pipe = File::open(&started).expect("it is opened");
    pipe.read_to_end(&mut Vec::new()).expect("it is read");
    let mut second = workshop.command(&[]).spawn().expect("sluice runs");
    let mut said = String::new();
    let errors = second.stderr.take().expect("it is piped");
    BufReader::new(errors)
        .read_line(&mut said)
        .expect("it is read");
    assert_eq!(
        said,
        "saxpy: another process synthesises the same design; waiting for its result\n"
    );
    let mut pipe = File::options().write(true).open(&go).expect("it is opened");
    pipe.write_all(b"\n").expect("it is written");
    let [first, second] = [first, second].map(|it| it.wait_with_output().expect("sluice ends"));
    let (first, second) = (stdout(&first), stdout(&second));
    assert!(!first.contains("build cache"), "{first}");
    assert!(second.contains("from the build cache"), "{second}");
    let yosys = workshop.runs().iter().filter(|run| *run == "yosys").count();
    assert_eq!(yosys, 1);
}

#[test]
fn an_output_folder_that_cannot_be_made_is_told_at_once() {
    let workshop = Workshop::new();
    fs::write(workshop.path("file"), "").expect("it is written");
    let (said, code) = failure(&workshop.run_to("file/out", &[]));
    assert!(said.contains("error: cannot write "), "{said}");
    assert_eq!(code, Some(2));
    assert!(workshop.runs().is_empty());
}

#[test]
fn yosys_measures_the_area_where_open_tools_cannot_place() {
    let cache = tempfile::tempdir().expect("a temporary folder");
    let output = Command::new(env!("CARGO_BIN_EXE_sluice"))
        .args([
            "synth",
            "tests/synth/shout.cl",
            "--target",
            "arria10-pac",
            "--json",
        ])
        .env("SLUICE_CACHE_DIR", cache.path())
        .output()
        .expect("sluice runs");
    let reports: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    let report = &reports[0];
    assert_eq!(report["clock"], "estimated");
    assert_eq!(report["clock_basis"], "estimated; delays scaled from ECP5");
    assert_eq!(report["critical_path"], serde_json::json!([]));
    let units = report["units"].as_array().expect("a list");
    for resource in ["luts", "registers", "multipliers", "block_memories"] {
        let by_unit: u64 = units
            .iter()
            .filter_map(|unit| unit[resource].as_u64())
            .sum();
        let total = report[resource].as_u64().expect("a number");
        // Halves are rounded up in each unit.
        assert!(
            total <= by_unit && by_unit <= total + units.len() as u64,
            "{resource}"
        );
    }
    assert!(report["luts"].as_u64() > Some(100), "{report}");
    assert!(report["registers"].as_u64() > Some(100), "{report}");
}
