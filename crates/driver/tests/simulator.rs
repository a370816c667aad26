//! Every kernel of `tests/run` that can become a circuit: interpreter and simulator leave the same
//! memory, the Verilog too, and simulator and Verilog take the same cycles, whatever memory does.

use std::path::{Path, PathBuf};

use sluice_driver::{Agreement, Case, CircuitExecutors, TestFile, check_agreement, compile};
use sluice_kernel::Program;
use sluice_kernel::plan::Plan;

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/run");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder exists")
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "cl"))
        .collect();
    files.sort();
    files
}

fn program(case: &Case) -> Program {
    let compiled = compile(&case.compile).unwrap_or_else(|failure| panic!("{failure}"));
    compiled.program
}

/// Launches that were compared, and what was found.
fn check(
    cases: &[(PathBuf, Case)],
    datapaths: u32,
    executors: CircuitExecutors<'_>,
) -> (usize, Vec<String>) {
    let (mut checked, mut wrong) = (0, Vec::new());
    for (path, case) in cases {
        let program = program(case);
        let plan = Plan::default().with_datapaths(datapaths);
        let found = check_agreement(&program, &|| case.bind(&program), plan, executors)
            .unwrap_or_else(|failure| panic!("{failure}"));
        let name = path.file_name().expect("a file").display();
        match found {
            Agreement::Refused(why) => println!("{name}:{}: {why}", case.line),
            Agreement::Agreed { .. } => checked += 1,
            Agreement::Disagreed(what) => {
                checked += 1;
                wrong.extend(
                    what.iter()
                        .map(|what| format!("{name}:{}: {what}", case.line)),
                );
            }
        }
    }
    (checked, wrong)
}

fn cases() -> Vec<(PathBuf, Case)> {
    let cases = files().into_iter().flat_map(|path| {
        let file = TestFile::read(&path).unwrap_or_else(|failure| panic!("{failure}"));
        let cases = file.cases.into_iter();
        cases
            .map(move |case| (path.clone(), case))
            .collect::<Vec<_>>()
    });
    cases.collect()
}

#[test]
fn simulator_and_interpreter_agree() {
    let cases = cases();
    for datapaths in [1, 2, 4] {
        let (checked, wrong) = check(&cases, datapaths, CircuitExecutors::Simulator);
        assert!(
            wrong.is_empty(),
            "{} of {checked} wrong:\n{}",
            wrong.len(),
            wrong.join("\n")
        );
        assert_eq!(checked, cases.len(), "all have circuits");
    }
}

/// Building Verilog takes seconds: here every 32nd launch, all of them with `make rtl`.
#[test]
fn verilog_agrees_in_memory_and_cycles() {
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("verilated");
    let some: Vec<_> = cases().into_iter().step_by(32).collect();
    let (checked, wrong) = check(&some, 1, CircuitExecutors::SimulatorAndRtl(&cache));
    assert!(wrong.is_empty(), "wrong:\n{}", wrong.join("\n"));
    assert_eq!(checked, some.len(), "all have circuits");
    let some: Vec<_> = cases().into_iter().skip(40).step_by(150).collect();
    let (checked, wrong) = check(&some, 2, CircuitExecutors::SimulatorAndRtl(&cache));
    assert!(wrong.is_empty(), "wrong:\n{}", wrong.join("\n"));
    assert_eq!(checked, some.len(), "all have circuits");
}

/// Ports, modules and files are named after the source, whose names may be any identifiers of C: here
/// one kernel of each kind, all of them with `make rtl`.
#[test]
fn verilog_agrees_whatever_the_names() {
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("verilated");
    let names = ["_names__", "clk", "\u{e9}t\u{e9}"];
    let named = cases().into_iter().filter(|(_, case)| {
        let kernel = case.compile.kernel.as_deref();
        kernel.is_some_and(|kernel| names.contains(&kernel))
    });
    let named: Vec<_> = named.collect();
    let (checked, wrong) = check(&named, 1, CircuitExecutors::SimulatorAndRtl(&cache));
    assert!(wrong.is_empty(), "wrong:\n{}", wrong.join("\n"));
    assert_eq!(checked, names.len(), "all have circuits");
}
