//! `sluice test`: kernel files that carry their launches and results.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use serde::Serialize;
use sluice_circuit::cost::Cost;
use sluice_kernel::plan::Plan;
use sluice_kernel::prepare::Refusal;

use crate::agreement::{Agreement, CircuitExecutors, check_agreement, interpret};
use crate::cache::VerilogFolder;
use crate::cli::{Device, TestArgs};
use crate::failure::Failure;
use crate::output::Output;
use crate::progress::Progress;
use crate::test_file::{Case, TestFile};

/// What became of a launch.
enum Verdict {
    Passed(Option<Measured>),
    Failed(Vec<String>),
    Refused(Refusal),
}

/// What a circuit took for a launch.
#[derive(Clone, Copy, Serialize)]
struct Measured {
    cycles: u64,
    area: Cost,
}

/// A launch, for scripts.
#[derive(Serialize)]
struct LaunchReport<'a> {
    file: &'a Path,
    line: usize,
    /// `passed`, `failed` or `refused`.
    verdict: &'static str,
    /// Why, if it is not passed.
    reasons: Vec<String>,
    #[serde(flatten)]
    measured: Option<Measured>,
}

/// How many launches came out how.
#[derive(Default)]
struct Counts {
    passed: u32,
    failed: u32,
    refused: u32,
}

pub(super) fn test(args: &TestArgs, output: &Output) -> Result<(), Failure> {
    let mut counts = Counts::default();
    let cases = cases(&args.files)?;
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        let (done, verdicts) = channel();
        let threads = thread::available_parallelism().map_or(1, usize::from);
        for _ in 0..threads.min(cases.len()) {
            let (done, next, cases) = (done.clone(), &next, &cases);
            scope.spawn(move || {
                while let Some((at, (_, case))) = take(next, cases)
                    // Without a receiver, a launch before could not be run.
                    && done.send((at, run_case(case, args))).is_ok()
                {}
            });
        }
        drop(done);
        report(&cases, &verdicts, args, output, &mut counts)
    })?;
    if !args.json {
        output.line(&counts);
    }
    match counts.failed {
        0 => Ok(()),
        1 => Err(Failure::Unexpected("1 launch gave wrong results".into())),
        failed => Err(Failure::Unexpected(format!(
            "{failed} launches gave wrong results"
        ))),
    }
}

/// A launch and the file that it is written in.
type Written<'a> = (&'a Path, Case);

/// The launches of all files.
fn cases(files: &[PathBuf]) -> Result<Vec<Written<'_>>, Failure> {
    let mut all = Vec::new();
    for path in files {
        let cases = TestFile::read(path)?.cases.into_iter();
        all.extend(cases.map(|case| (path.as_path(), case)));
    }
    Ok(all)
}

/// The next launch that no thread has taken, with its place.
fn take<'c, 'a>(next: &AtomicUsize, cases: &'c [Written<'a>]) -> Option<(usize, &'c Written<'a>)> {
    let at = next.fetch_add(1, Relaxed);
    cases.get(at).map(|case| (at, case))
}

/// Prints what became of each launch, in their order, as soon as that is known. Ends with the first one that could not
/// be run.
fn report(
    cases: &[Written<'_>],
    verdicts: &Receiver<(usize, Result<Verdict, Failure>)>,
    args: &TestArgs,
    output: &Output,
    counts: &mut Counts,
) -> Result<(), Failure> {
    let progress = Progress::start(format!("0 of {} launches", cases.len()));
    let mut waiting = BTreeMap::new();
    let mut printed = 0;
    for (at, verdict) in verdicts {
        waiting.insert(at, verdict);
        while let Some(verdict) = waiting.remove(&printed) {
            let verdict = verdict?;
            counts.note(&verdict);
            let (path, case) = &cases[printed];
            match args.json {
                true => output.line(json(path, case, verdict)),
                false => verdict.reasons().iter().for_each(|what| {
                    output.line(format_args!("{}:{}: {what}", path.display(), case.line));
                }),
            }
            printed += 1;
        }
        progress.set(format!("{printed} of {} launches", cases.len()));
    }
    progress.finish();
    Ok(())
}

impl Counts {
    fn note(&mut self, verdict: &Verdict) {
        *match verdict {
            Verdict::Passed(_) => &mut self.passed,
            Verdict::Failed(_) => &mut self.failed,
            Verdict::Refused(_) => &mut self.refused,
        } += 1;
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)?;
        match self.refused {
            0 => Ok(()),
            refused => write!(f, ", {refused} have no circuit"),
        }
    }
}

impl Verdict {
    /// Why it is not passed.
    fn reasons(&self) -> Vec<String> {
        match self {
            Verdict::Passed(_) => Vec::new(),
            Verdict::Failed(wrong) => wrong.clone(),
            Verdict::Refused(refusal) => vec![refusal.to_string()],
        }
    }
}

fn json(path: &Path, case: &Case, verdict: Verdict) -> String {
    let report = LaunchReport {
        file: path,
        line: case.line,
        reasons: verdict.reasons(),
        verdict: match verdict {
            Verdict::Passed(_) => "passed",
            Verdict::Failed(_) => "failed",
            Verdict::Refused(_) => "refused",
        },
        measured: match verdict {
            Verdict::Passed(measured) => measured,
            Verdict::Failed(_) | Verdict::Refused(_) => None,
        },
    };
    serde_json::to_string(&report).expect("reports are plain data")
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
    let mut measured = None;
    if let Some(executors) = executors {
        let bind = || case.bind(&program);
        let plan = args.choices.apply(Plan::default(), |plan| plan);
        match check_agreement(&program, &bind, plan, executors)? {
            Agreement::Agreed { cycles, area } => measured = Some(Measured { cycles, area }),
            Agreement::Refused(refusal) => return Ok(Verdict::Refused(refusal)),
            Agreement::Disagreed(what) => wrong.extend(what.iter().map(ToString::to_string)),
        }
    }
    Ok(match wrong.is_empty() {
        true => Verdict::Passed(measured),
        false => Verdict::Failed(wrong),
    })
}
