//! The command line: complete output of every command and every message, as the files in `cmd` say.

use std::collections::BTreeSet;
use std::path::Path;

use sluice_circuit::family::{self, FAMILIES};
use sluice_driver::Board;

#[test]
fn commands_print_what_the_files_say() {
    trycmd::TestCases::new().case("tests/cmd/*.md");
}

#[test]
fn a_missing_clang_is_named_with_its_package() {
    trycmd::TestCases::new()
        .case("tests/cmd/tools/*.md")
        .env("SLUICE_CLANG", "/no/such/clang");
}

#[test]
fn synthesis_shows_what_came_of_it() {
    let tools = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/synth/tools");
    let path = std::env::var("PATH").expect("a path");
    trycmd::TestCases::new()
        .case("tests/cmd/synth/*.md")
        .env("PATH", format!("{}:{path}", tools.display()))
        .env("SLUICE_CACHE", "0");
}

#[test]
fn a_dump_holds_the_buffer() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("out.bin");
    let status = std::process::Command::new(env!("CARGO_BIN_EXE_sluice"))
        .args(["run", "tests/cmd/run.in/saxpy.cl", "-g", "3", "-a", "2"])
        .args(["-a", "iota:3", "-a", "zero:3", "--json", "--dump"])
        .arg(format!("2={}", path.display()))
        .status()
        .expect("sluice runs");
    assert!(status.success());
    let expected: Vec<u8> = [0.0_f32, 2.0, 4.0]
        .iter()
        .flat_map(|x| x.to_le_bytes())
        .collect();
    assert_eq!(std::fs::read(&path).expect("the dump exists"), expected);
}

/// Builds a file of `cmd/run.in`; gives what was said and where everything is.
fn build(arguments: &[&str]) -> (String, tempfile::TempDir) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_sluice"))
        .current_dir("tests/cmd/run.in")
        .arg("build")
        .args(arguments)
        .arg("-o")
        .arg(folder.path())
        .output()
        .expect("sluice runs");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    let said = String::from_utf8(output.stdout).expect("text");
    let said = said.replace(&folder.path().display().to_string(), "DIR");
    (said, folder)
}

/// A file of a design.
fn read(folder: &Path, name: &str) -> String {
    let path = folder.join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Every module is there, and the text is a circuit's; gives the report.
fn check_design(folder: &Path) -> serde_json::Value {
    for file in read(folder, "files.f").lines() {
        assert!(read(folder, file).contains("endmodule"), "{file}");
    }
    let circuit = sluice_circuit::text::parse(&read(folder, "circuit.txt")).expect("a circuit");
    assert_eq!(sluice_circuit::verify::verify(&circuit), Ok(()));
    serde_json::from_str(&read(folder, "report.json")).expect("JSON")
}

#[test]
fn build_writes_verilog_text_and_reports() {
    let (said, folder) = build(&["saxpy.cl", "--target", "ecp5-85"]);
    assert!(said.starts_with("saxpy: 17 units, "), "{said}");
    assert!(
        said.ends_with("report.json, circuit.txt and saxpy.sluice in DIR/saxpy\n"),
        "{said}"
    );
    let folder = folder.path().join("saxpy");
    let report = check_design(&folder);
    assert_eq!(report["module"], "saxpy_axi");
    assert_eq!(report["kernels"][0]["slave"], "s_axi_control");
    assert_eq!(report["kernels"][0]["arguments"][0]["offset"], 0x40);
    assert!(read(&folder, "report.txt").starts_with("Kernel saxpy, module saxpy_axi, for ecp5-85"));
}

#[test]
fn the_example_target_of_the_documentation_builds() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let file = docs.join("examples/arty-a7-100t.toml");
    let (_, folder) = build(&["saxpy.cl", "--target", &file.display().to_string()]);
    let folder = folder.path().join("saxpy");
    check_design(&folder);
    let report = read(&folder, "report.txt");
    assert!(report.starts_with("Kernel saxpy, module saxpy_axi, for arty-a7-100t"));
    let page = read(&docs, "adding-a-target.md");
    let example = read(&docs, "examples/arty-a7-100t.toml");
    assert!(page.contains(&format!("```toml\n{example}```\n")));
    let table = read(&docs, "../crates/circuit/src/family/table.rs");
    let (_, family) = page.split_once("```rust\n").expect("a family");
    let (family, _) = family.split_once("```\n").expect("its end");
    assert!(table.contains(family));
}

#[test]
fn a_report_names_the_resources_of_its_target_s_family_and_no_others() {
    for board in Board::names().map(|name| Board::find(name).expect("it is built in")) {
        let (said, folder) = build(&["saxpy.cl", "--target", &board.name]);
        let report = read(&folder.path().join("saxpy"), "report.txt");
        let words: BTreeSet<&str> = [said.as_str(), &report]
            .into_iter()
            .flat_map(|text| text.split(|c: char| !c.is_alphanumeric()))
            .collect();
        let own = board.target.family.resources.names();
        let all = FAMILIES.iter().flat_map(|family| family.resources.names());
        let named: BTreeSet<&str> = all.filter(|&name| words.contains(name)).collect();
        assert_eq!(named, BTreeSet::from(own), "{}", board.name);
        assert!(!["LUTs", "BRAMs"].iter().any(|name| words.contains(name)));
        assert!(report.contains(&board.target.family.basis()), "{report}");
    }
}

#[test]
fn the_documentation_of_targets_has_every_family() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let page = read(&docs, "targets.md");
    for family in FAMILIES {
        let (names, tile) = (&family.resources, family.tile);
        let factor = (1000.0 * family.delays.lut / family::ECP5.delays.lut).round() / 1000.0;
        let row = format!(
            "| `{}` | {} | {}, {} by {} bits | {}, {} kbit | {factor} | `{}` |\n",
            family.name,
            names.logic,
            names.multipliers,
            tile.a,
            tile.b,
            names.block_memories,
            names.block_memory_kbits,
            family.synthesis.command,
        );
        assert!(page.contains(&row), "{row}");
    }
}

#[test]
fn kernels_built_together_are_one_design_with_registers_for_each() {
    let (said, folder) = build(&["three.cl", "--together", "--banks", "2"]);
    assert!(said.starts_with("three: "), "{said}");
    assert!(said.ends_with("in DIR/three\n"), "{said}");
    let folder = folder.path().join("three");
    let report = check_design(&folder);
    assert_eq!(report["module"], "three_axi");
    assert_eq!(report["memories"][0]["master"], "m_axi_mem0");
    let units = serde_json::json!(["writer_of_copy_store_to_line3"]);
    assert_eq!(report["memories"][1]["units"], units);
    for (at, name) in ["copy", "sum", "shout"].into_iter().enumerate() {
        let kernel = &report["kernels"][at];
        assert_eq!(kernel["slave"], format!("{name}_s_axi_control"));
        assert_eq!(kernel["interrupt"], format!("{name}_irq"));
        // Each register block begins anew.
        assert_eq!(kernel["arguments"][0]["offset"], 0x40);
    }
    let print = serde_json::json!({
        "stream": "shout_m_axis_print",
        "format": "%d: %f\n",
        "bits": [32, 64]
    });
    assert_eq!(report["kernels"][2]["prints"], serde_json::json!([print]));
    let text = read(&folder, "report.txt");
    assert!(text.starts_with("Kernels copy, sum, shout, module three_axi, for arria10-pac"));
    assert!(text.contains("argument registers of sum at sum_s_axi_control, interrupt sum_irq\n"));
    assert!(text.contains("  m_axi_mem1: writer_of_copy_store_to_line3\n"));
    let module = read(&folder, "three_axi.v");
    assert!(module.contains("output wire [95:0] shout_m_axis_print_tdata"));
}

#[test]
fn the_report_says_what_work_groups_have_room_for() {
    let options = ["--work-group", "64", "--local-bytes", "4096"];
    let (_, folder) = build(&[&["../errors.in/swap.cl"], &options[..]].concat());
    let report = check_design(&folder.path().join("swap"));
    let groups = &report["kernels"][0]["groups"];
    assert_eq!(groups["items"], 64);
    assert_eq!(groups["places"], 512);
    assert_eq!(groups["local_memories"][0]["bytes"], 4096);
    let base = &groups["local_memories"][0]["arguments"][0];
    let arguments = report["kernels"][0]["arguments"].as_array();
    let mut names = arguments.expect("registers").iter().map(|it| &it["name"]);
    assert!(names.any(|name| name == base), "{base} is a register");
}

#[test]
fn kernels_built_apart_are_a_design_each() {
    let (_, folder) = build(&["three.cl"]);
    for name in ["copy", "sum", "shout"] {
        let report = check_design(&folder.path().join(name));
        assert_eq!(report["kernels"][0]["interrupt"], "irq");
    }
}

#[test]
fn designs_may_have_any_names() {
    let (_, folder) = build(&["../../../../../tests/run/names_beyond_ascii.cl"]);
    for (name, kernel) in [
        ("u00E9tu00E9", "\u{e9}t\u{e9}"),
        ("u0024kernelu0024", "$kernel$"),
    ] {
        let report = check_design(&folder.path().join(name));
        assert_eq!(report["kernels"][0]["kernel"], kernel);
    }
    let (_, folder) = build(&["../../../../../tests/run/names_of_verilog.cl", "--together"]);
    let report = check_design(&folder.path().join("names_of_verilog"));
    let slaves: Vec<&str> = (0..3)
        .map(|at| report["kernels"][at]["slave"].as_str().expect("a name"))
        .collect();
    assert_eq!(
        slaves,
        [
            "module_2_s_axi_control",
            "clk_2_s_axi_control",
            "start_s_axi_control"
        ]
    );
}

#[test]
fn an_oversized_design_is_built_if_that_is_meant() {
    let options = [
        "saxpy.cl",
        "--target",
        "ecp5-85",
        "--datapaths",
        "8",
        "--oversize",
    ];
    let (said, folder) = build(&options);
    assert!(said.starts_with("saxpy: "), "{said}");
    check_design(&folder.path().join("saxpy"));
}

#[test]
fn ip_writes_every_module_of_the_library() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let status = std::process::Command::new(env!("CARGO_BIN_EXE_sluice"))
        .args(["ip", "-o"])
        .arg(folder.path())
        .status()
        .expect("sluice runs");
    assert!(status.success());
    for module in [
        "sluice_cache",
        "sluice_fadd",
        "sluice_registers",
        "sluice_loop_gate",
    ] {
        let path = folder.path().join(format!("{module}.v"));
        let text =
            std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{module}: {error}"));
        assert!(text.contains(&format!("module {module}")), "{module}");
    }
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_sluice"))
        .arg("targets")
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("sluice runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("sluice ends");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(output.status.success());
}
