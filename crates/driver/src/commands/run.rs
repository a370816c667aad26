//! `sluice run`: one launch of one kernel.

mod circuit;
mod report;

use std::time::{Duration, Instant};

use sluice_kernel::interp::{self, Checks, Findings};
use sluice_kernel::{Kernel, Program};

use crate::agreement::first_difference;
use crate::board::Board;
use crate::cli::{Check, Device, Dump, RunArgs};
use crate::compile::{compile_with, single_kernel};
use crate::executor::{Execution, Executor, Options};
use crate::failure::Failure;
use crate::files::{check_folder, write_path};
use crate::launch::Session;
use crate::loop_report::{LoopReport, SmallArgument};
use crate::memory_report::AccessReport;
use crate::output::{Output, warn};
use crate::program::Passes;
use crate::progress::Progress;
use report::Report;

pub(super) fn run(args: &RunArgs, output: &Output) -> Result<(), Failure> {
    let passes = match args.no_passes {
        true => Passes::Skip,
        false => Passes::Run,
    };
    let compiled = compile_with(&args.compile, args.compile.options(), passes)?;
    warn(&compiled.warnings);
    let program = compiled.program;
    let kernel = single_kernel(&program, &args.compile.file)?;
    let board = args.circuit.plan.board()?;
    let session = Session::bind_on(&board, &program, [&args.launch])?;
    check_dumps(kernel, &session, &args.dump)?;
    let ran = match args.device {
        Device::Interp => interpret(args, &board, &program, &session, output)?,
        Device::Sim | Device::Rtl => circuit::run(args, &board, &program, &session, output)?,
    };
    if args.check {
        compare_with_interpreter(args, &board, &program, &session)?;
    }
    for dump in &args.dump {
        write_dump(kernel, &session, dump)?;
    }
    let report = Report {
        args,
        kernel,
        session: &session,
        ran,
        compile: compiled.elapsed,
    };
    match args.json {
        true => output.line(report.json()),
        false => output.show(report.text()),
    }
    Ok(())
}

/// Most places where the checks report mistakes.
const MOST_FINDINGS: usize = 100;

/// A launch that has run.
struct Ran {
    execution: Execution,
    times: Times,
    /// With the clock of simulated times.
    board: Board,
    /// The clock that the circuit is expected to reach, if there is one.
    estimated_mhz: Option<f64>,
    /// What stands between accesses and external memory, if there is a circuit.
    accesses: Vec<AccessReport>,
    /// The loops, if there is a circuit.
    loops: Vec<LoopReport>,
    /// What launches of the circuit have to keep to.
    small_arguments: Vec<SmallArgument>,
}

/// How long things took on the host.
#[derive(Clone, Copy, Debug, Default)]
struct Times {
    /// From kernel to circuit.
    build: Duration,
    /// The launch.
    run: Duration,
}

fn interpret(
    args: &RunArgs,
    board: &Board,
    program: &Program,
    session: &Session,
    output: &Output,
) -> Result<Ran, Failure> {
    if args.wave.is_some() {
        return Err(Failure::no_waveforms());
    }
    let progress = Progress::start(format!("running {}", program.name()));
    let start = Instant::now();
    let findings = Findings::new(MOST_FINDINGS);
    let print = |text: &[u8]| output.write(text);
    let mut options = options(args);
    options.interpreter.print = Some(&print);
    // Bounds alone are checked in threads, which stop at the first fault.
    let Checks {
        bounds: _,
        uninitialised,
        races,
        divergence,
    } = options.interpreter.checks;
    if uninitialised || races || divergence {
        options.interpreter.findings = Some(&findings);
    }
    let execution = Executor::Interpreter(program).run(session, &options);
    if let Some(failure) = Failure::findings(&findings, &args.compile.file) {
        return Err(failure);
    }
    let execution = execution.map_err(|error| Failure::execution(error, &args.compile.file))?;
    let times = Times {
        run: start.elapsed(),
        ..Times::default()
    };
    progress.finish();
    Ok(Ran {
        execution,
        times,
        board: board.clone(),
        estimated_mhz: None,
        accesses: Vec::new(),
        loops: Vec::new(),
        small_arguments: Vec::new(),
    })
}

/// Runs the launch on the interpreter, with its checks, and compares memory byte by byte.
fn compare_with_interpreter(
    args: &RunArgs,
    board: &Board,
    program: &Program,
    found: &Session,
) -> Result<(), Failure> {
    let expected = Session::bind_on(board, program, [&args.launch])?;
    Executor::Interpreter(program)
        .run(&expected, &options(args))
        .map_err(|error| Failure::execution(error, &args.compile.file))?;
    match first_difference(program, &expected, found) {
        None => Ok(()),
        Some(what) => Err(Failure::Unexpected(format!(
            "{} differs from the interpreter: {what}",
            args.device.name()
        ))),
    }
}

/// How the interpreter runs launches.
fn options<'a>(args: &RunArgs) -> Options<'a> {
    let mut interpreter = interp::Options {
        checks: checks(&args.checks),
        threads: args
            .threads
            .map_or_else(all_cores, |threads| threads as usize),
        ..interp::Options::default()
    };
    if let Some(limit) = args.step_limit {
        interpreter.step_limit = limit;
    }
    Options {
        interpreter,
        ..Options::default()
    }
}

fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn checks(chosen: &[Check]) -> Checks {
    let wants = |check| chosen.contains(&check) || chosen.contains(&Check::All);
    Checks {
        bounds: wants(Check::Bounds),
        uninitialised: wants(Check::Uninitialised),
        races: wants(Check::Races),
        divergence: wants(Check::Divergence),
    }
}

fn check_dumps(kernel: &Kernel, session: &Session, dumps: &[Dump]) -> Result<(), Failure> {
    for dump in dumps {
        if session.buffer(kernel, dump.argument).is_none() {
            return Err(Failure::usage(
                format!("--dump: argument {} is no buffer", dump.argument),
                "only buffers can be written to a file",
            ));
        }
        // A long run is not lost for a folder that is not there.
        check_folder(&dump.path)?;
    }
    Ok(())
}

fn write_dump(kernel: &Kernel, session: &Session, dump: &Dump) -> Result<(), Failure> {
    let (buffer, _) = session
        .buffer(kernel, dump.argument)
        .expect("check_dumps accepted it");
    write_path(&dump.path, buffer.to_bytes())
}
