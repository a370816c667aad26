//! The command line: complete output of every command and every message, as the files in `cmd` say.

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

#[test]
fn build_writes_verilog_text_and_reports() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_sluice"))
        .args(["build", "tests/cmd/run.in/saxpy.cl", "--target", "ecp5-85"])
        .arg("-o")
        .arg(folder.path())
        .output()
        .expect("sluice runs");
    assert!(output.status.success());
    let said = String::from_utf8(output.stdout).expect("text");
    let said = said.replace(&folder.path().display().to_string(), "DIR");
    assert!(said.starts_with("saxpy: 16 units, "), "{said}");
    assert!(
        said.ends_with("report.json and circuit.txt in DIR/saxpy\n"),
        "{said}"
    );
    let read = |name: &str| {
        let path = folder.path().join("saxpy").join(name);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"))
    };
    for file in read("files.f").lines() {
        let text = read(file);
        assert!(text.contains("endmodule"), "{file}");
    }
    let report: serde_json::Value = serde_json::from_str(&read("report.json")).expect("JSON");
    assert_eq!(report["module"], "saxpy_axi");
    assert_eq!(report["arguments"][0]["offset"], 0x40);
    let circuit = sluice_circuit::text::parse(&read("circuit.txt")).expect("a circuit");
    assert_eq!(sluice_circuit::verify::verify(&circuit), Ok(()));
    assert!(read("report.txt").starts_with("Kernel saxpy, module saxpy_axi, for ecp5-85"));
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
