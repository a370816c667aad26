//! Kernels whose build options decide their results: interpreter, simulator and Verilog give those written in
//! `tests/options`.

mod threads;

use std::path::{Path, PathBuf};

use sluice_driver::{Agreement, Case, CircuitExecutors, TestFile, check_agreement, compile};
use sluice_kernel::plan::Plan;
use sluice_kernel::{Program, interp};

fn cases() -> Vec<(PathBuf, Case)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/options");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder exists")
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "cl"))
        .collect();
    files.sort();
    let cases = files.into_iter().flat_map(|path| {
        let file = TestFile::read(&path).unwrap_or_else(|failure| panic!("{failure}"));
        let cases = file.cases.into_iter();
        cases.map(|case| (path.clone(), case)).collect::<Vec<_>>()
    });
    cases.collect()
}

fn program(case: &Case) -> Program {
    let compiled = compile(&case.compile).unwrap_or_else(|failure| panic!("{failure}"));
    compiled.program
}

fn place(path: &Path, case: &Case) -> String {
    let name = path.file_name().expect("a file").display();
    format!("{name}:{}", case.line)
}

#[test]
fn the_interpreter_gives_the_expected_results() {
    for (path, case) in cases() {
        let program = program(&case);
        let bind = || case.bind(&program).unwrap_or_else(|it| panic!("{it}"));
        let (before, after) = (bind(), bind());
        let options = interp::Options::default();
        let outcome = interp::run(
            &program.kernels()[0],
            after.launch(),
            &after.memory,
            &options,
        )
        .unwrap_or_else(|fault| panic!("{}: {fault}", place(&path, &case)));
        let printed = String::from_utf8_lossy(&outcome.printed);
        let wrong = case.expect.check(&program, &before, &after, &printed);
        let wrong: Vec<String> = wrong.iter().map(ToString::to_string).collect();
        assert!(wrong.is_empty(), "{}: {wrong:?}", place(&path, &case));
    }
}

#[test]
fn simulator_and_verilog_agree_with_the_interpreter() {
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("verilated");
    let mut seen: Vec<(PathBuf, Option<String>)> = Vec::new();
    let cases = cases().into_iter().map(|(path, case)| {
        // What is constant has no circuit worth the time that Verilog takes; of a kernel the first launch
        // is enough.
        let kind = (path.clone(), case.compile.kernel.clone());
        let executors = match path.ends_with("macros.cl") || seen.contains(&kind) {
            true => CircuitExecutors::Simulator,
            false => CircuitExecutors::SimulatorAndRtl(&cache),
        };
        seen.push(kind);
        (path, case, executors)
    });
    let cases: Vec<_> = cases.collect();
    threads::for_each(&cases, |(path, case, executors)| {
        let program = program(case);
        let found = check_agreement(
            &program,
            &|| case.bind(&program),
            Plan::default(),
            *executors,
        );
        let found = found.unwrap_or_else(|failure| panic!("{failure}"));
        let agree = matches!(found, Agreement::Agreed { .. });
        assert!(agree, "{}: {found:?}", place(path, case));
    });
}
