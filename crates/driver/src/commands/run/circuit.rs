//! A launch on the kernel's circuit.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;
use std::time::Instant;

use sluice_kernel::Program;
use sluice_kernel::interp::{self, Checks, Fault};
use sluice_kernel::plan::Plan;
use sluice_kernel::simulate::{self, Attribution, Bounds, CycleLimit, Divergence, Stopped};
use sluice_verilator::{Effort, Trace};

use super::report::Took;
use super::{Times, checks};
use crate::board::Board;
use crate::cache::VerilogFolder;
use crate::cli::{Device, RunArgs};
use crate::commands::check_fit;
use crate::design::{CircuitError, Design, Execution};
use crate::failure::Failure;
use crate::launch::Session;
use crate::output::Output;
use crate::plan::Scope;
use crate::progress::Progress;

/// Instructions of a work-item of a launch that runs again to find out who does not come to a barrier.
const REPLAYED_STEPS: u64 = 1 << 24;

/// Builds the circuit and runs the launch on it.
pub(super) fn run(
    args: &RunArgs,
    board: &Board,
    program: &Program,
    session: &Session,
    output: &Output,
) -> Result<(Took, Times), Failure> {
    let start = Instant::now();
    let (base, fit) = (Plan::new(board.figures), |plan: Plan| {
        plan.fit(session.launch(), &session.memory)
    });
    let plan = args.circuit.plan.plan(program, Scope::Part, base, fit)?;
    let design = Design::of(program.clone(), &board.target, &plan)
        .map_err(|refusal| Failure::refusal(&refusal, &args.compile.file))?;
    let datapaths = design.datapaths(&plan);
    check_fit(
        design.lowered.circuit(),
        board,
        datapaths,
        &args.circuit.plan,
    )?;
    let options = options(args, board);
    let (execution, times) = match args.device {
        Device::Rtl => on_verilog(args, &design, session, &options, start)?,
        Device::Sim | Device::Interp => on_simulator(args, &design, session, &options, start)?,
    };
    output.write(&execution.printed);
    Ok((
        Took::Cycles(Box::new(execution), Box::new(board.clone())),
        times,
    ))
}

fn options(args: &RunArgs, board: &Board) -> simulate::Options {
    let mut options = simulate::Options {
        timing: board.timing.clone(),
        stalls: Attribution::On,
        bounds: match checks(&args.checks).bounds {
            true => Bounds::Accesses,
            false => Bounds::Memory,
        },
        ..simulate::Options::default()
    };
    let args = &args.circuit;
    options.timing.jitter = args.jitter;
    options.timing.stalls = args.stalls;
    options.timing.seed = args.seed;
    if let Some(limit) = args.cycle_limit {
        options.limit = CycleLimit::Cycles(limit);
    }
    options
}

fn on_simulator(
    args: &RunArgs,
    design: &Design,
    session: &Session,
    options: &simulate::Options,
    start: Instant,
) -> Result<(Execution, Times), Failure> {
    let build = start.elapsed();
    let progress = Progress::start(format!("simulating {}", design.program.name()));
    let start = Instant::now();
    let execution = match &args.wave {
        None => design.simulate(session, options),
        Some(path) => {
            let waves = Box::new(BufWriter::new(create(path)?));
            design.simulate_with_waves(session, options, waves)
        }
    };
    let execution = execution.map_err(|error| match error {
        CircuitError::Stopped(Stopped::Divergence(divergence)) => {
            diverged(args, &design.program, &divergence)
        }
        error => Failure::circuit(error),
    })?;
    progress.finish();
    let run = start.elapsed();
    Ok((execution, Times { build, run }))
}

fn create(path: &Path) -> Result<File, Failure> {
    File::create(path).map_err(|source| Failure::File {
        action: "write",
        path: path.display().to_string(),
        source,
    })
}

/// Some work-items of a group wait at a barrier for others. Which they are, the interpreter knows.
fn diverged(args: &RunArgs, program: &Program, divergence: &Divergence) -> Failure {
    let stopped = Stopped::Divergence(Box::new(divergence.clone()));
    let failure = Failure::circuit(CircuitError::Stopped(stopped));
    let options = interp::Options {
        checks: Checks {
            divergence: true,
            ..Checks::default()
        },
        step_limit: args.step_limit.unwrap_or(REPLAYED_STEPS),
        ..interp::Options::default()
    };
    let kernel = &program.kernels()[0];
    let fault = Board::find(&args.circuit.plan.target)
        .and_then(|board| Session::bind_on(&board, program, [&args.launch]))
        .ok()
        .and_then(|fresh| interp::run(kernel, fresh.launch(), &fresh.memory, &options).err());
    match (failure, fault) {
        (Failure::Halted { message, help }, Some(fault @ Fault::BarrierDivergence { .. })) => {
            let message = format!("{message}\non the interpreter, {fault}");
            Failure::Halted { message, help }
        }
        (failure, _) => failure,
    }
}

/// A launch of a kernel with barriers may have come to no end because of these.
fn suspect_barriers(design: &Design, failure: Failure) -> Failure {
    let mut kernels = design.lowered.kernels().iter();
    match failure {
        Failure::Halted { message, help } if kernels.any(|it| !it.barriers.is_empty()) => {
            let more = "a barrier that some work-items do not reach looks the same: --device sim \
                        says whether it is that";
            Failure::Halted {
                message,
                help: format!("{help}; {more}"),
            }
        }
        failure => failure,
    }
}

fn on_verilog(
    args: &RunArgs,
    design: &Design,
    session: &Session,
    options: &simulate::Options,
    start: Instant,
) -> Result<(Execution, Times), Failure> {
    let progress = Progress::start(format!("building the Verilog of {}", design.program.name()));
    let trace = match &args.wave {
        // Verilator ends the process if it cannot write there.
        Some(path) => create(path).map(|_| Trace::Vcd)?,
        None => Trace::Off,
    };
    let cache = VerilogFolder::from_environment()?;
    let rtl = design
        .verilate(trace, Effort::FastRun, cache.path())
        .map_err(Failure::circuit)?;
    progress.finish();
    let build = start.elapsed();
    let progress = Progress::start(format!("running the Verilog of {}", design.program.name()));
    let start = Instant::now();
    let execution = design
        .run_rtl(&rtl, session, options, args.wave.as_deref())
        .map_err(|error| suspect_barriers(design, Failure::circuit(error)))?;
    progress.finish();
    let run = start.elapsed();
    Ok((execution, Times { build, run }))
}
