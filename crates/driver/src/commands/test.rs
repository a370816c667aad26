//! `sluice test`: kernel files that carry their launches and results.

use std::path::Path;

use sluice_kernel::interp::{self, Options};

use crate::cli::TestArgs;
use crate::compile::{compile, single_kernel};
use crate::failure::Failure;
use crate::launch::prepare;
use crate::test_file::{Case, Mismatch, TestFile};

pub(super) fn test(args: &TestArgs) -> Result<(), Failure> {
    let (mut passed, mut failed) = (0, 0);
    for path in &args.files {
        let file = TestFile::read(path)?;
        for case in &file.cases {
            let mismatches = run_case(case)?;
            if mismatches.is_empty() {
                passed += 1;
                continue;
            }
            failed += 1;
            report(path, case, &mismatches);
        }
    }
    println!("{passed} passed, {failed} failed");
    if failed > 0 {
        let launches = if failed == 1 { "launch" } else { "launches" };
        return Err(Failure::Unexpected(format!(
            "{failed} {launches} gave wrong results"
        )));
    }
    Ok(())
}

fn run_case(case: &Case) -> Result<Vec<Mismatch>, Failure> {
    let compiled = compile(&case.compile)?;
    let kernel = single_kernel(compiled.kernels, &case.compile.file)?;
    let before = prepare(&kernel, &case.launch)?;
    let after = prepare(&kernel, &case.launch)?;
    let outcome = interp::run(&kernel, &after.launch, &after.memory, &Options::default())
        .map_err(|fault| Failure::fault(fault, &case.compile.file))?;
    let printed = String::from_utf8_lossy(&outcome.printed);
    Ok(case.expect.check(&kernel, &before, &after, &printed))
}

fn report(path: &Path, case: &Case, mismatches: &[Mismatch]) {
    for mismatch in mismatches {
        println!("{}:{}: {mismatch}", path.display(), case.line);
    }
}
