//! Every kernel of `tests/run` that can become a circuit: the simulator leaves the results written
//! there.

use std::path::{Path, PathBuf};

use sluice_circuit::target::Target;
use sluice_driver::{Case, TestFile, prepare};
use sluice_kernel::lower::{Buffers, MemoryPlan, lower};
use sluice_kernel::simulate::{self, simulate};
use sluice_kernel::{Kernel, passes};

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

fn compile(case: &Case) -> Kernel {
    let source = case
        .compile
        .source()
        .unwrap_or_else(|failure| panic!("{failure}"));
    let compiled = sluice_frontend::compile(&source, &case.compile.options())
        .unwrap_or_else(|error| panic!("{error}"));
    let [mut kernel] = <[Kernel; 1]>::try_from(compiled.kernels).expect("one kernel");
    passes::optimise(&mut kernel);
    kernel
}

/// What is wrong with a case, `None` if it has no circuit.
fn check(case: &Case) -> Option<Vec<String>> {
    let kernel = compile(case);
    let before = prepare(&kernel, &case.launch).unwrap_or_else(|failure| panic!("{failure}"));
    let after = prepare(&kernel, &case.launch).unwrap_or_else(|failure| panic!("{failure}"));
    let plan = MemoryPlan {
        buffers: Buffers::of(&after.launch),
        ..MemoryPlan::default()
    };
    let lowered = lower(&kernel, &Target::ECP5, plan).ok()?;
    let options = simulate::Options {
        cycle_limit: 10_000_000,
        ..simulate::Options::default()
    };
    let result = simulate(&kernel, &lowered, &after.launch, &after.memory, &options);
    Some(match result {
        Ok(_) => {
            let mismatches = case.expect.check(&kernel, &before, &after, "");
            mismatches.iter().map(ToString::to_string).collect()
        }
        Err(stopped) => vec![stopped.to_string()],
    })
}

#[test]
fn circuits_leave_the_expected_results() {
    let (mut checked, mut wrong) = (0, Vec::new());
    for path in files() {
        let file = TestFile::read(&path).unwrap_or_else(|failure| panic!("{failure}"));
        for case in &file.cases {
            let Some(found) = check(case) else { continue };
            checked += 1;
            let name = path.file_name().expect("a file").display();
            wrong.extend(
                found
                    .iter()
                    .map(|what| format!("{name}:{}: {what}", case.line)),
            );
        }
    }
    println!("{checked} launches on circuits");
    assert!(
        wrong.is_empty(),
        "{} of {checked} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    // Kernels that are refused are passed over: none that has a circuit today may lose it.
    assert!(checked >= 132, "only {checked} launches have circuits");
}
