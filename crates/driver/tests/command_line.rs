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
