//! `sluice test`: kernel files that carry their launches and results.

use std::path::Path;

use sluice_kernel::plan::Plan;
use sluice_kernel::prepare::Refusal;

use crate::agreement::{Agreement, CircuitExecutors, check_agreement, interpret};
use crate::cache::VerilogFolder;
use crate::cli::{Device, TestArgs};
use crate::failure::Failure;
use crate::output::Output;
use crate::test_file::{Case, TestFile};

/// What became of a launch.
enum Verdict {
    Passed,
    Failed(Vec<String>),
    Refused(Refusal),
}

pub(super) fn test(args: &TestArgs, output: &Output) -> Result<(), Failure> {
    let (mut passed, mut failed, mut refused) = (0, 0, 0);
    for path in &args.files {
        let file = TestFile::read(path)?;
        for case in &file.cases {
            match run_case(case, args)? {
                Verdict::Passed => passed += 1,
                Verdict::Failed(wrong) => {
                    failed += 1;
                    wrong
                        .iter()
                        .for_each(|what| report(output, path, case, what));
                }
                Verdict::Refused(refusal) => {
                    refused += 1;
                    report(output, path, case, &refusal.to_string());
                }
            }
        }
    }
    match refused {
        0 => output.line(format_args!("{passed} passed, {failed} failed")),
        _ => output.line(format_args!(
            "{passed} passed, {failed} failed, {refused} have no circuit"
        )),
    }
    if failed > 0 {
        let launches = if failed == 1 { "launch" } else { "launches" };
        return Err(Failure::Unexpected(format!(
            "{failed} {launches} gave wrong results"
        )));
    }
    Ok(())
}

fn run_case(case: &Case, args: &TestArgs) -> Result<Verdict, Failure> {
    let program = case.program()?;
    let before = case.bind(&program)?;
    let after = case.bind(&program)?;
    let printed = interpret(&program, &after)?;
    let printed = String::from_utf8_lossy(&printed);
    let mismatches = case.expect.check(&program, &before, &after, &printed);
    let mut wrong: Vec<String> = mismatches.iter().map(ToString::to_string).collect();
    let cache = VerilogFolder::from_environment()?;
    let executors = match args.device {
        Device::Interp => None,
        Device::Sim => Some(CircuitExecutors::Simulator),
        Device::Rtl => Some(CircuitExecutors::SimulatorAndRtl(cache.path())),
    };
    if let Some(executors) = executors {
        let bind = || case.bind(&program);
        let plan = Plan::default().with_datapaths(args.datapaths);
        let plan = match args.lanes {
            Some(lanes) => plan.with_lanes(lanes),
            None => plan,
        };
        let plan = match args.memory {
            Some(memory) => plan.with_memory(memory.into()),
            None => plan,
        };
        match check_agreement(&program, &bind, plan, executors)? {
            Agreement::Agreed { .. } => {}
            Agreement::Refused(refusal) => return Ok(Verdict::Refused(refusal)),
            Agreement::Disagreed(what) => wrong.extend(what.iter().map(ToString::to_string)),
        }
    }
    Ok(match wrong.is_empty() {
        true => Verdict::Passed,
        false => Verdict::Failed(wrong),
    })
}

fn report(output: &Output, path: &Path, case: &Case, what: &str) {
    output.line(format_args!("{}:{}: {what}", path.display(), case.line));
}
