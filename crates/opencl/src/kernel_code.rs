//! What runs a kernel on a device: its circuits, made when they are needed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use sluice_driver::cli::{ChoiceArgs, estimated_mhz};
use sluice_driver::fit::Fitted;
use sluice_driver::plan::Scope;
use sluice_driver::{
    Board, Design, Execution, ExecutionError, ExecutionOptions, Executor as Runner, Session,
    VerilogFolder,
};
use sluice_kernel::interp::{self, Checks};
use sluice_kernel::launch::simulate::{Attribution, Bounds, Options, Stopped};
use sluice_kernel::launch::{Argument, Buffer, Launch, Memory, NdRange};
use sluice_kernel::plan::Plan;
use sluice_kernel::prepare::Refusal;
use sluice_kernel::{Kernel, Optimised, Program};
use sluice_verilator::rtl::Rtl;
use sluice_verilator::{Effort, Trace};

use crate::build_once::BuildOnce;
use crate::code::{Answer, Code};
use crate::context::Context;
use crate::device::Device;
use crate::engine::{Engine, Nanoseconds, Spent};
use crate::notices::say_once;
use crate::printing::{PrintBuffer, print};
use crate::settings::{Check, Executor, Settings, time_at};
use crate::totals::{self, Launched};
use crate::watch::{Counts, Watch};
use crate::waves;

/// A kernel that was built for a device.
#[derive(Debug)]
pub(crate) struct KernelCode {
    /// The kernel, as a program of one.
    program: Program,
    /// The program's variables, if it uses them.
    variables: Option<Buffer>,
    settings: &'static Settings,
    datapaths: u32,
    /// By what they are made for.
    circuits: BuildOnce<Plan, Arc<Circuit>, Refusal>,
    /// It runs one launch at a time.
    pub(crate) engine: Arc<Engine>,
    was_reported: AtomicBool,
    watch: Watch,
}

/// A circuit that fits the device, or the smallest one.
#[derive(Debug)]
struct Circuit {
    design: Design,
    /// What it runs on, with the clock that times are for.
    board: Board,
    /// The clock that it is expected to reach.
    estimated_mhz: f64,
    /// Its Verilog, opened; with waveforms or without.
    models: BuildOnce<Trace, Arc<Rtl>, String>,
}

/// A launch that has run.
struct Ran {
    execution: Execution,
    /// What it ran on, unless it was interpreted.
    circuit: Option<Arc<Circuit>>,
}

impl KernelCode {
    /// A kernel on a device, without circuits yet.
    pub(crate) fn new(kernel: Optimised, variables: Option<Buffer>, device: &Device) -> KernelCode {
        KernelCode {
            program: Program::of(kernel),
            variables,
            settings: device.settings,
            datapaths: device.datapaths,
            circuits: BuildOnce::default(),
            engine: Arc::new(Engine::with_memory(device.bandwidth.clone())),
            was_reported: AtomicBool::new(false),
            watch: Watch::default(),
        }
    }

    /// The kernel.
    pub(crate) fn kernel(&self) -> &Kernel {
        &self.program.kernels()[0]
    }

    /// Makes the circuit for the common kind of launches.
    pub(crate) fn prepare(&self) -> Result<(), String> {
        match self.settings.executor {
            Executor::Interpreter => Ok(()),
            Executor::Simulator | Executor::Verilog => self.circuit_with(|plan| plan).map(drop),
        }
    }

    /// What is chosen for launches: what the environment says, then what `fit` adds for a launch, then the
    /// plan file, then the default rules.
    fn plan(&self, fit: impl FnOnce(Plan) -> Plan) -> Result<Plan, String> {
        let settings = self.settings;
        let base = settings
            .board
            .plan_for(&self.program)
            .with_datapaths(self.datapaths)
            .with_figures(|it| it.group_items = it.group_items.max(settings.group_items));
        let planned = match &settings.plan {
            None => base,
            Some(file) => {
                let applied = file.apply(&self.program, Scope::Part, base);
                applied.map_err(|mistake| file.log(&mistake))?
            }
        };
        let choices = &settings.choices;
        let choices = ChoiceArgs {
            datapaths: choices.datapaths.map(|_| self.datapaths),
            ..choices.clone()
        };
        let plan = choices.apply(planned, fit).with_useful_sizes(&self.program);
        let fits = settings.board.check_banks(&plan);
        fits.map_err(|it| it.to_string()).map(|()| plan)
    }

    /// The circuit for a plan, with fewer datapaths if as many do not fit.
    fn circuit(&self, plan: Plan) -> Result<Arc<Circuit>, Refusal> {
        self.circuits.get(&plan, || {
            let design = self.fitting(&plan)?;
            let board = &self.settings.board;
            let circuit = Circuit {
                board: self.settings.clock.of(design.lowered.circuit(), board),
                estimated_mhz: estimated_mhz(design.lowered.circuit(), board),
                design,
                models: BuildOnce::default(),
            };
            Ok(Arc::new(circuit))
        })
    }

    fn fitting(&self, plan: &Plan) -> Result<Design, Refusal> {
        let Fitted {
            design,
            fewer,
            oversize,
        } = Fitted::of(&self.program, &self.settings.board, plan)?;
        let datapaths = design.datapaths;
        let name = self.program.name();
        let told = match (oversize, fewer) {
            (Some(oversize), _) => Some(format!("{oversize}; it runs as if the chip were larger")),
            (None, Some(why)) if datapaths == 1 => Some(format!("{why}; it has 1 datapath")),
            (None, Some(why)) => Some(format!("{why}; it has {datapaths} datapaths")),
            (None, None) => None,
        };
        if let Some(told) = told {
            say_once(
                format!("datapaths of {name}"),
                &format!("kernel `{name}`: {told}"),
            );
        }
        for warning in design.warnings().lines() {
            say_once(warning.to_owned(), warning);
        }
        Ok(design)
    }

    /// Runs a launch.
    pub(crate) fn run(
        &self,
        context: &Context,
        range: NdRange,
        mut args: Vec<Argument>,
        mut memory: Memory,
    ) -> Answer<Spent> {
        let variables = self.variables.clone().map(|buffer| memory.add(buffer));
        args.extend(variables.map(Argument::Buffer));
        let session = Session {
            launches: vec![Launch { range, args }],
            memory,
            variables,
        };
        let before = self.watch.before(&self.program, &session, self.settings);
        let start = Instant::now();
        match self.execute(&session) {
            Ok(ran) => {
                let taken = start.elapsed();
                let compared = self
                    .watch
                    .after(&self.program, &session, self.settings, before);
                for finding in &compared.messages {
                    context.report(finding);
                }
                self.finish(context, &session, ran, taken, compared.counts)
            }
            Err(problem) => {
                context.report(&format!("kernel `{}`: {problem}", self.program.name()));
                Err(Code::RESOURCES)
            }
        }
    }

    /// Prints what the kernel printed, says what it did wrong, and counts.
    fn finish(
        &self,
        context: &Context,
        session: &Session,
        ran: Ran,
        taken: Duration,
        watched: Counts,
    ) -> Answer<Spent> {
        let Ran { execution, circuit } = ran;
        print(&execution.printed);
        let cycles = execution.cycles();
        let length = match (cycles, &circuit) {
            (Some(cycles), Some(circuit)) => time_at(circuit.board.mhz, cycles),
            (None, _) | (_, None) => taken.as_nanos() as Nanoseconds,
        };
        let spent = Spent {
            length,
            memory: circuit.as_ref().map_or(0.0, |it| it.share(&execution)),
        };
        totals::add(
            self.program.name(),
            Launched {
                items: session.launch().range.work_items(),
                length,
                host: taken,
                cycles: cycles.unwrap_or(0),
                datapaths: execution.datapaths,
                lanes: execution.lanes,
                estimated_mhz: circuit.map(|circuit| circuit.estimated_mhz),
                watched,
                traffic: execution.traffic,
                stalls: execution.stalls,
            },
        );
        match (execution.violations.describe(), self.settings.check) {
            (None, _) | (_, Check::Off) => Ok(spent),
            (Some(violations), Check::Warn) => {
                if !self.was_reported.swap(true, Relaxed) {
                    self.report_violations(context, &violations);
                }
                Ok(spent)
            }
            (Some(violations), Check::Strict) => {
                self.report_violations(context, &violations);
                Err(Code::RESOURCES)
            }
        }
    }

    fn report_violations(&self, context: &Context, violations: &str) {
        context.report(&format!(
            "kernel `{}` {violations}; such reads give zero, such writes are lost",
            self.program.name()
        ));
    }

    /// Executes a launch as the settings say.
    fn execute(&self, session: &Session) -> Result<Ran, String> {
        match self.settings.executor {
            Executor::Interpreter => Ok(Ran {
                execution: self.interpret(session)?,
                circuit: None,
            }),
            Executor::Simulator => {
                let circuit = self.circuit_for(session)?;
                self.execute_on(&circuit, Runner::Simulator(&circuit.design), session)
            }
            Executor::Verilog => {
                let circuit = self.circuit_for(session)?;
                let rtl = circuit.model(self.settings)?;
                self.execute_on(&circuit, Runner::Verilog(&circuit.design, &rtl), session)
            }
        }
    }

    fn execute_on(
        &self,
        circuit: &Arc<Circuit>,
        runner: Runner<'_>,
        session: &Session,
    ) -> Result<Ran, String> {
        let wave = self.settings.wave.as_deref().map(waves::next);
        let options = ExecutionOptions {
            circuit: self.options(&circuit.board),
            waves: wave.as_deref(),
            ..ExecutionOptions::default()
        };
        let execution = runner.run(session, &options);
        Ok(Ran {
            execution: execution.map_err(|error| explain(&error))?,
            circuit: Some(circuit.clone()),
        })
    }

    fn interpret(&self, session: &Session) -> Result<Execution, String> {
        let printed = PrintBuffer::default();
        let take = |text: &[u8]| printed.add(text);
        let options = ExecutionOptions {
            interpreter: interp::Options {
                checks: Checks::default(),
                threads: self.settings.threads,
                concurrency: interp::Concurrency::Shared,
                print: Some(&take),
                ..interp::Options::default()
            },
            ..ExecutionOptions::default()
        };
        let execution = Runner::Interpreter(&self.program).run(session, &options);
        let execution = execution.map_err(|error| explain(&error))?;
        Ok(Execution {
            printed: printed.text(),
            ..execution
        })
    }

    fn options(&self, board: &Board) -> Options {
        Options {
            timing: board.timing.clone(),
            limit: self.settings.limit,
            stalls: match self.settings.report {
                Some(_) => Attribution::On,
                None => Attribution::Off,
            },
            bounds: match self.settings.check {
                Check::Off => Bounds::Memory,
                Check::Strict => Bounds::Accesses,
                // What has been said need not be found again.
                Check::Warn if self.was_reported.load(Relaxed) => Bounds::Memory,
                Check::Warn => Bounds::Accesses,
            },
        }
    }

    fn circuit_for(&self, session: &Session) -> Result<Arc<Circuit>, String> {
        self.circuit_with(|plan| plan.fit(session.launch(), &session.memory))
    }

    fn circuit_with(&self, fit: impl FnOnce(Plan) -> Plan) -> Result<Arc<Circuit>, String> {
        let circuit = self.circuit(self.plan(fit)?);
        circuit.map_err(|refusal| format!("{refusal}; {WAY_OUT}"))
    }
}

impl Circuit {
    /// The share of the bandwidth of the memories at its ports that a launch has used.
    fn share(&self, execution: &Execution) -> f64 {
        let ports = self.design.lowered.memory_ports().len() as f64;
        let speed = f64::from(self.board.timing.bytes_per_cycle) * ports;
        let possible = speed * execution.cycles().unwrap_or(0) as f64;
        let moved = execution.traffic.read + execution.traffic.written;
        match possible > 0.0 {
            true => (moved as f64 / possible).min(1.0),
            false => 0.0,
        }
    }

    /// The Verilog, built and opened at the first launch that wants it so.
    fn model(&self, settings: &Settings) -> Result<Arc<Rtl>, String> {
        let trace = match settings.wave {
            None => Trace::Off,
            Some(_) => Trace::Vcd,
        };
        self.models.get(&trace, || {
            let folder = VerilogFolder::from_environment().map_err(|it| it.to_string())?;
            let rtl = self.design.verilate(trace, Effort::FastRun, folder.path());
            rtl.map(Arc::new).map_err(|error| error.to_string())
        })
    }
}

/// Why a launch on a circuit did not end, with the way out.
fn explain(error: &ExecutionError) -> String {
    match error {
        ExecutionError::Stopped(Stopped::TooLong { .. } | Stopped::NoEffect { .. }) => {
            format!("{error}; SLUICE_CYCLE_LIMIT sets how many cycles it may take")
        }
        ExecutionError::Stopped(
            Stopped::Launch(_) | Stopped::Divergence(_) | Stopped::Stuck { .. } | Stopped::Waves(_),
        )
        | ExecutionError::Fault(_)
        | ExecutionError::Build(_)
        | ExecutionError::Waves { .. } => error.to_string(),
    }
}

/// What to do about a kernel that has no circuit.
const WAY_OUT: &str =
    "a smaller kernel may fit, and SLUICE_DEVICE=interp runs this one on the interpreter";
