//! Kernels that run at the same time in one circuit: interpreter, simulator and Verilog leave the
//! same memory, with one datapath or several, whatever memory does.

use std::path::{Path, PathBuf};

use sluice_driver::{Agreement, Case, CircuitExecutors, TestFile, check_agreement};
use sluice_kernel::plan::Plan;

fn cases() -> Vec<(PathBuf, Case)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/together");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder exists")
        .map(|entry| entry.expect("the folder can be read").path())
        .collect();
    files.sort();
    let cases = files.into_iter().flat_map(|path| {
        let file = TestFile::read(&path).unwrap_or_else(|failure| panic!("{failure}"));
        let cases = file.cases.into_iter().map(move |case| (path.clone(), case));
        cases.collect::<Vec<_>>()
    });
    cases.collect()
}

fn check(datapaths: u32, executors: CircuitExecutors<'_>) {
    for (path, case) in cases() {
        let program = case.program().unwrap_or_else(|failure| panic!("{failure}"));
        let bind = || case.bind(&program);
        let plan = Plan::default().with_datapaths(datapaths);
        let found = check_agreement(&program, &bind, plan, executors)
            .unwrap_or_else(|failure| panic!("{failure}"));
        let name = format!("{}:{}, {datapaths} datapaths", path.display(), case.line);
        match found {
            Agreement::Agreed { .. } => {}
            Agreement::Refused(why) => panic!("{name}: {why}"),
            Agreement::Disagreed(what) => panic!("{name}: {}", what[0]),
        }
    }
}

#[test]
fn simulator_and_interpreter_agree() {
    check(1, CircuitExecutors::Simulator);
    check(3, CircuitExecutors::Simulator);
}

#[test]
fn verilog_agrees_in_memory_and_cycles() {
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("verilated");
    check(1, CircuitExecutors::SimulatorAndRtl(&cache));
}

#[test]
fn the_interpreter_gives_the_expected_results() {
    for (path, case) in cases() {
        let program = case.program().unwrap_or_else(|failure| panic!("{failure}"));
        let bind = || {
            case.bind(&program)
                .unwrap_or_else(|failure| panic!("{failure}"))
        };
        let (before, after) = (bind(), bind());
        let kernels = program.kernels().iter().map(|kernel| &**kernel);
        let launches: Vec<_> = kernels.zip(&after.launches).collect();
        let options = sluice_kernel::interp::Options::default();
        sluice_kernel::interp::run_together(&launches, &after.memory, &options)
            .unwrap_or_else(|fault| panic!("{}: {fault}", path.display()));
        let wrong = case.expect.check(&program, &before, &after, "");
        let wrong: Vec<String> = wrong.iter().map(ToString::to_string).collect();
        assert!(wrong.is_empty(), "{}: {}", path.display(), wrong.join("\n"));
    }
}
