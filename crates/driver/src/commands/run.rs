//! `sluice run`: one launch of one kernel.

mod circuit;
mod report;

use std::io::Write;
use std::time::{Duration, Instant};

use sluice_kernel::Kernel;
use sluice_kernel::interp::{self, Checks, Options};

use crate::agreement::first_difference;
use crate::cli::{Check, Device, Dump, RunArgs};
use crate::compile::{compile, compile_unoptimised, single_kernel};
use crate::failure::Failure;
use crate::launch::{Prepared, prepare};
use crate::output::{show, show_line};
use crate::progress::Progress;
use report::{Report, Took};

pub(super) fn run(args: &RunArgs) -> Result<(), Failure> {
    let compiled = if args.no_passes {
        compile_unoptimised(&args.compile)?
    } else {
        compile(&args.compile)?
    };
    eprint!("{}", compiled.warnings);
    let kernel = single_kernel(compiled.kernels, &args.compile.file)?;
    let prepared = prepare(&kernel, &args.launch)?;
    check_dumps(&kernel, &prepared, &args.dump)?;
    let (took, times) = match args.device {
        Device::Interp => interpret(args, &kernel, &prepared)?,
        Device::Sim | Device::Rtl => circuit::run(args, &kernel, &prepared)?,
    };
    if args.check {
        compare_with_interpreter(args, &kernel, &prepared)?;
    }
    for dump in &args.dump {
        write_dump(&kernel, &prepared, dump)?;
    }
    let report = Report {
        args,
        kernel: &kernel,
        prepared: &prepared,
        took,
        compile: compiled.elapsed,
        times,
    };
    match args.json {
        true => show_line(report.json()),
        false => show(report.text()),
    }
    Ok(())
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
    kernel: &Kernel,
    prepared: &Prepared,
) -> Result<(Took, Times), Failure> {
    if args.wave.is_some() {
        return Err(Failure::usage(
            "the interpreter has no waveforms",
            "run the circuit: --device sim or --device rtl",
        ));
    }
    let progress = Progress::start(format!("running {}", kernel.name));
    let start = Instant::now();
    let outcome = interp::run(kernel, &prepared.launch, &prepared.memory, &options(args))
        .map_err(|fault| Failure::fault(fault, &args.compile.file))?;
    let times = Times {
        run: start.elapsed(),
        ..Times::default()
    };
    progress.finish();
    Ok((Took::Instructions(outcome), times))
}

/// Runs the launch on the interpreter, with its checks, and compares memory byte by byte.
fn compare_with_interpreter(
    args: &RunArgs,
    kernel: &Kernel,
    found: &Prepared,
) -> Result<(), Failure> {
    let expected = prepare(kernel, &args.launch)?;
    let options = Options {
        print: None,
        ..options(args)
    };
    interp::run(kernel, &expected.launch, &expected.memory, &options)
        .map_err(|fault| Failure::fault(fault, &args.compile.file))?;
    match first_difference(&[kernel], &expected, found) {
        None => Ok(()),
        Some(what) => Err(Failure::Unexpected(format!(
            "{} differs from the interpreter: {what}",
            args.device.name()
        ))),
    }
}

fn options(args: &RunArgs) -> Options<'static> {
    let mut options = Options {
        checks: checks(&args.checks),
        threads: args.threads.unwrap_or_else(all_cores).max(1),
        print: Some(&print_to_stdout),
        ..Options::default()
    };
    if let Some(limit) = args.step_limit {
        options.step_limit = limit;
    }
    options
}

fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn print_to_stdout(text: &[u8]) {
    // A reader that has gone away ends the output, not the run.
    let _ = std::io::stdout().write_all(text);
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

fn check_dumps(kernel: &Kernel, prepared: &Prepared, dumps: &[Dump]) -> Result<(), Failure> {
    for dump in dumps {
        if prepared.buffer(kernel, dump.argument).is_none() {
            return Err(Failure::usage(
                format!("--dump: argument {} is no buffer", dump.argument),
                "only buffers can be written to a file",
            ));
        }
    }
    Ok(())
}

fn write_dump(kernel: &Kernel, prepared: &Prepared, dump: &Dump) -> Result<(), Failure> {
    let (buffer, _) = prepared
        .buffer(kernel, dump.argument)
        .expect("check_dumps accepted it");
    std::fs::write(&dump.path, buffer.to_bytes()).map_err(|source| Failure::File {
        action: "write",
        path: dump.path.display().to_string(),
        source,
    })
}
