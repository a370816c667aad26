//! Accesses that leave their arrays or are misaligned: they do nothing and read zero on the
//! interpreter, the simulator and as Verilog, and the simulator counts them.

mod threads;

use std::path::{Path, PathBuf};

use sluice_circuit::target::Target;
use sluice_driver::{
    Case, Design, Execution, ExecutionOptions, Executor, Session, TestFile, compile,
};
use sluice_kernel::interp::{self, Checks};
use sluice_kernel::launch::simulate::{Bounds, Options};
use sluice_kernel::plan::Plan;
use sluice_kernel::{Program, verify};
use sluice_verilator::{Effort, Trace};

fn cases() -> Vec<(PathBuf, Case)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/guards");
    let entries = std::fs::read_dir(folder).expect("the folder exists");
    let paths = entries.map(|entry| entry.expect("the folder can be read").path());
    let is_kernel = |path: &PathBuf| path.extension().is_some_and(|it| it == "cl");
    let mut paths: Vec<PathBuf> = paths.filter(is_kernel).collect();
    paths.sort();
    let cases = paths.into_iter().flat_map(|path| {
        let file = TestFile::read(&path).unwrap_or_else(|failure| panic!("{failure}"));
        let cases = file.cases.into_iter();
        cases
            .map(move |case| (path.clone(), case))
            .collect::<Vec<_>>()
    });
    cases.collect()
}

fn program(case: &Case) -> Program {
    let compiled = compile(&case.compile).unwrap_or_else(|failure| panic!("{failure}"));
    compiled.program
}

fn bind(program: &Program, case: &Case) -> Session {
    Session::bind(program, [&case.launch]).unwrap_or_else(|failure| panic!("{failure}"))
}

/// Compares what a run has left with what is written.
fn check(program: &Program, case: &Case, found: &Session, who: &str, path: &Path) {
    let before = bind(program, case);
    let wrong = case.expect.check(program, &before, found, "");
    let name = path.file_name().expect("a file").display();
    assert!(wrong.is_empty(), "{name}:{} on {who}: {wrong:?}", case.line);
}

fn interpret(program: &Program, case: &Case, path: &Path) -> u64 {
    let found = bind(program, case);
    let options = interp::Options {
        checks: Checks::default(),
        ..interp::Options::default()
    };
    let outcome = interp::run(
        &program.kernels()[0],
        found.launch(),
        &found.memory,
        &options,
    );
    check(program, case, &found, "the interpreter", path);
    outcome.expect("nothing is checked").violations
}

fn options() -> ExecutionOptions<'static> {
    ExecutionOptions {
        circuit: Options {
            bounds: Bounds::Accesses,
            ..Options::default()
        },
        ..ExecutionOptions::default()
    }
}

fn design(program: &Program, case: &Case, datapaths: u32) -> Design {
    let session = bind(program, case);
    let plan = Plan::for_launch(session.launch(), &session.memory).with_datapaths(datapaths);
    Design::of(program.clone(), &Target::ECP5, &plan).unwrap_or_else(|why| panic!("{why}"))
}

fn simulate(program: &Program, case: &Case, design: &Design, path: &Path) -> Execution {
    let found = bind(program, case);
    let execution = Executor::Simulator(design).run(&found, &options());
    check(program, case, &found, "the simulator", path);
    execution.unwrap_or_else(|why| panic!("{why}"))
}

#[test]
fn what_is_outside_or_misaligned_has_no_effect_and_is_counted() {
    for (path, case) in cases() {
        let program = program(&case);
        verify::verify(&program.kernels()[0]).unwrap_or_else(|errors| panic!("{errors}"));
        let violations = interpret(&program, &case, &path);
        assert!(violations > 0, "{}: nothing is wrong", path.display());
        for datapaths in [1, 2] {
            let design = design(&program, &case, datapaths);
            let execution = simulate(&program, &case, &design, &path);
            let counted = execution.violations.count();
            assert_eq!(counted, violations, "{}:{}", path.display(), case.line);
        }
    }
}

#[test]
fn the_verilog_does_the_same_in_the_same_cycles() {
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("verilated");
    threads::for_each(&cases(), |(path, case)| {
        let program = program(case);
        let design = design(&program, case, 1);
        let rtl = design.verilate(Trace::Off, Effort::QuickBuild, &cache);
        let rtl = rtl.unwrap_or_else(|why| panic!("{why}"));
        let found = bind(&program, case);
        let execution = Executor::Verilog(&design, &rtl).run(&found, &options());
        check(&program, case, &found, "the Verilog", path);
        let execution = execution.unwrap_or_else(|why| panic!("{why}"));
        let simulated = simulate(&program, case, &design, path);
        assert_eq!(execution.cycles(), simulated.cycles(), "{}", path.display());
    });
}
