//! A launch on the kernel's circuit.

use std::time::Instant;

use sluice_kernel::Program;
use sluice_kernel::interp::{self, Checks, Fault};
use sluice_kernel::launch::simulate::{self, Attribution, Bounds, CycleLimit, Divergence, Stopped};
use sluice_kernel::plan::Plan;
use sluice_kernel::prepare::Refusal;
use sluice_verilator::{Effort, Trace};

use super::{Ran, Times, checks};
use crate::board::Board;
use crate::cache::VerilogFolder;
use crate::cli::{Device, RunArgs, estimated_mhz};
use crate::commands::check_fit;
use crate::design::Design;
use crate::executor::{Execution, ExecutionError, Executor, Options, create_waves};
use crate::failure::Failure;
use crate::fit::Fitted;
use crate::launch::Session;
use crate::loop_report::{LoopReport, SmallArgument};
use crate::memory_report::AccessReport;
use crate::output::{Output, warn};
use crate::plan::Scope;
use crate::progress::Progress;

/// Instructions of a work-item of a launch that runs again to find out which work-items do not reach a barrier.
const REPLAYED_STEPS: u64 = 1 << 24;

/// Builds the circuit and runs the launch on it.
pub(super) fn run(
    args: &RunArgs,
    board: &Board,
    program: &Program,
    session: &Session,
    output: &Output,
) -> Result<Ran, Failure> {
    let start = Instant::now();
    let fit = |plan: Plan| plan.fit(session.launch(), &session.memory);
    let plan = args.circuit.plan.plan(program, Scope::Part, board, fit)?;
    let design = fitting(args, board, program, &plan)?;
    let circuit = design.lowered.circuit();
    let clocked = args.clock.of(circuit, board);
    let options = Options {
        circuit: options(args, &clocked),
        waves: args.wave.as_deref(),
        ..Options::default()
    };
    let (execution, times) = match args.device {
        Device::Rtl => on_verilog(args, &design, session, &options, start)?,
        Device::Sim | Device::Interp => on_simulator(args, &design, session, &options, start)?,
    };
    output.write(&execution.printed);
    Ok(Ran {
        execution,
        times,
        estimated_mhz: Some(estimated_mhz(circuit, board)),
        accesses: AccessReport::all(&design.lowered.kernels()[0]),
        loops: LoopReport::all(&design.lowered.kernels()[0]),
        small_arguments: SmallArgument::all(&design.lowered.kernels()[0]),
        board: clocked,
    })
}

/// The circuit: of its datapaths, if not all of them fit, as many as do.
fn fitting(
    args: &RunArgs,
    board: &Board,
    program: &Program,
    plan: &Plan,
) -> Result<Design, Failure> {
    let refused = |refusal: Refusal| Failure::refusal(&refusal, &args.compile.file);
    if args.circuit.plan.oversize {
        let design = Design::of(program.clone(), &board.target, plan).map_err(refused)?;
        let circuit = design.lowered.circuit();
        check_fit(circuit, board, design.datapaths, &args.circuit.plan)?;
        warn(design.warnings());
        return Ok(design);
    }
    let Fitted {
        design,
        fewer,
        oversize,
    } = Fitted::of(program, board, plan).map_err(refused)?;
    let name = &design.lowered.circuit().name;
    if let Some(oversize) = oversize {
        let design = name.clone();
        return Err(Failure::Oversize { design, oversize });
    }
    if let Some(why) = fewer {
        let built = match design.datapaths {
            1 => "1 datapath".to_owned(),
            datapaths => format!("{datapaths} datapaths"),
        };
        warn(format_args!("warning: {name}: {why}; it has {built}\n"));
    }
    warn(design.warnings());
    Ok(design)
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
    options: &Options<'_>,
    start: Instant,
) -> Result<(Execution, Times), Failure> {
    let build = start.elapsed();
    let progress = Progress::start(format!("simulating {}", design.program.name()));
    let start = Instant::now();
    let execution = Executor::Simulator(design).run(session, options);
    let execution = execution.map_err(|error| match error {
        ExecutionError::Stopped(Stopped::Divergence(divergence)) => {
            diverged(args, &design.program, &divergence)
        }
        error => Failure::execution(error, &args.compile.file),
    })?;
    progress.finish();
    let run = start.elapsed();
    Ok((execution, Times { build, run }))
}

/// Some work-items of a group wait at a barrier for others. Which they are, the interpreter knows.
fn diverged(args: &RunArgs, program: &Program, divergence: &Divergence) -> Failure {
    let stopped = Stopped::Divergence(Box::new(divergence.clone()));
    let failure = Failure::execution(ExecutionError::Stopped(stopped), &args.compile.file);
    let options = Options {
        interpreter: interp::Options {
            checks: Checks {
                divergence: true,
                ..Checks::default()
            },
            step_limit: args.step_limit.unwrap_or(REPLAYED_STEPS),
            ..interp::Options::default()
        },
        ..Options::default()
    };
    let replay = |session: Session| Executor::Interpreter(program).run(&session, &options);
    let board = args.circuit.plan.board();
    let error = board
        .and_then(|board| Session::bind_on(&board, program, [&args.launch]))
        .ok()
        .and_then(|session| replay(session).err());
    let fault = match error {
        Some(ExecutionError::Fault(fault)) => Some(*fault),
        Some(_) | None => None,
    };
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
    options: &Options<'_>,
    start: Instant,
) -> Result<(Execution, Times), Failure> {
    let name = design.program.name();
    let progress = Progress::start(format!("building the Verilog of {name}"));
    let failure = |error| Failure::execution(error, &args.compile.file);
    let trace = match &args.wave {
        // Building takes long: a file that cannot be written is found before.
        Some(path) => {
            create_waves(path).map_err(failure)?;
            Trace::Vcd
        }
        None => Trace::Off,
    };
    let cache = VerilogFolder::from_environment()?;
    let rtl = design
        .verilate(trace, Effort::FastRun, cache.path())
        .map_err(|error| failure(error.into()))?;
    progress.finish();
    let build = start.elapsed();
    let progress = Progress::start(format!("running the Verilog of {name}"));
    let start = Instant::now();
    let execution = Executor::Verilog(design, &rtl)
        .run(session, options)
        .map_err(|error| suspect_barriers(design, failure(error)))?;
    progress.finish();
    let run = start.elapsed();
    Ok((execution, Times { build, run }))
}
