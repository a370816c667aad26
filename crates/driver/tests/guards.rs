//! Accesses that leave their arrays or are misaligned: they do nothing and read zero on the
//! interpreter, the simulator and as Verilog, and the simulator counts them.

use std::path::{Path, PathBuf};

use sluice_circuit::target::Target;
use sluice_driver::{Case, Design, Execution, Prepared, TestFile, compile, prepare};
use sluice_kernel::interp::{self, Checks};
use sluice_kernel::plan::MemoryPlan;
use sluice_kernel::simulate::{Bounds, Options};
use sluice_kernel::{Kernel, verify};
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

fn kernel(case: &Case) -> Kernel {
    let compiled = compile(&case.compile).unwrap_or_else(|failure| panic!("{failure}"));
    let [kernel] = <[Kernel; 1]>::try_from(compiled.kernels).expect("one kernel");
    kernel
}

fn prepared(kernel: &Kernel, case: &Case) -> Prepared {
    prepare(kernel, &case.launch).unwrap_or_else(|failure| panic!("{failure}"))
}

/// Compares what a run has left with what is written.
fn check(kernel: &Kernel, case: &Case, found: &Prepared, who: &str, path: &Path) {
    let before = prepared(kernel, case);
    let wrong = case
        .expect
        .check(std::slice::from_ref(kernel), &before, found, "");
    let name = path.file_name().expect("a file").display();
    assert!(wrong.is_empty(), "{name}:{} on {who}: {wrong:?}", case.line);
}

fn interpret(kernel: &Kernel, case: &Case, path: &Path) -> u64 {
    let found = prepared(kernel, case);
    let options = interp::Options {
        checks: Checks::default(),
        ..interp::Options::default()
    };
    let outcome = interp::run(kernel, &found.launch, &found.memory, &options);
    check(kernel, case, &found, "the interpreter", path);
    outcome.expect("nothing is checked").violations
}

fn options() -> Options {
    Options {
        bounds: Bounds::Accesses,
        ..Options::default()
    }
}

fn design(kernel: &Kernel, case: &Case, datapaths: u32) -> Design {
    let launch = prepared(kernel, case);
    let plan = MemoryPlan {
        datapaths,
        ..MemoryPlan::for_launch(&launch.launch, &launch.memory)
    };
    Design::of(kernel.clone(), &Target::ECP5, plan).unwrap_or_else(|why| panic!("{why}"))
}

fn simulate(kernel: &Kernel, case: &Case, design: &Design, path: &Path) -> Execution {
    let found = prepared(kernel, case);
    let execution = design.simulate(&found, &options());
    check(kernel, case, &found, "the simulator", path);
    execution.unwrap_or_else(|why| panic!("{why}"))
}

#[test]
fn what_is_outside_or_misaligned_has_no_effect_and_is_counted() {
    for (path, case) in cases() {
        let kernel = kernel(&case);
        verify::verify(&kernel).unwrap_or_else(|errors| panic!("{errors}"));
        let violations = interpret(&kernel, &case, &path);
        assert!(violations > 0, "{}: nothing is wrong", path.display());
        for datapaths in [1, 2] {
            let design = design(&kernel, &case, datapaths);
            let execution = simulate(&kernel, &case, &design, &path);
            let counted = execution.stray_count();
            assert_eq!(counted, violations, "{}:{}", path.display(), case.line);
        }
    }
}

#[test]
fn the_verilog_does_the_same_in_the_same_cycles() {
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("verilated");
    for (path, case) in cases() {
        let kernel = kernel(&case);
        let design = design(&kernel, &case, 1);
        let rtl = design.verilate(Trace::Off, Effort::QuickBuild, &cache);
        let rtl = rtl.unwrap_or_else(|why| panic!("{why}"));
        let found = prepared(&kernel, &case);
        let execution = design.run_rtl(&rtl, &found, &options(), None);
        check(&kernel, &case, &found, "the Verilog", &path);
        let execution = execution.unwrap_or_else(|why| panic!("{why}"));
        let simulated = simulate(&kernel, &case, &design, &path);
        assert_eq!(execution.cycles, simulated.cycles, "{}", path.display());
    }
}
