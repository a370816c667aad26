//! What runs a kernel on a device: its circuits, made when they are needed.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use sluice_driver::fit::{self, Oversize};
use sluice_driver::{CircuitError, Design, Execution, Prepared, VerilogFolder};
use sluice_kernel::Kernel;
use sluice_kernel::interp::{self, Checks};
use sluice_kernel::launch::{Argument, Buffer, Launch, Memory, NdRange};
use sluice_kernel::plan::MemoryPlan;
use sluice_kernel::prepare::Refusal;

use sluice_kernel::simulate::{Attribution, Bounds, Options, Stopped};
use sluice_verilator::{Effort, Trace};

use crate::code::{Answer, Code};
use crate::context::Context;
use crate::device::Device;
use crate::event::{Engine, Nanoseconds};
use crate::notices::say_once;
use crate::printing::{PrintBuffer, print};
use crate::settings::{Check, Executor, Settings};
use crate::totals::{self, Launched};
use crate::watch::{Counts, Watch};
use crate::waves;

/// A kernel that was built for a device.
#[derive(Debug)]
pub(crate) struct KernelCode {
    pub(crate) kernel: Kernel,
    /// The program's variables, if it uses them.
    variables: Option<Buffer>,
    settings: &'static Settings,
    datapaths: u32,
    /// By what they are made for.
    circuits: Mutex<Vec<(MemoryPlan, Circuit)>>,
    /// It runs one launch at a time.
    pub(crate) engine: Arc<Engine>,
    has_complained: AtomicBool,
    watch: Watch,
}

/// A circuit that fits the device, or the smallest one.
#[derive(Clone, Debug)]
struct Circuit {
    design: Arc<Design>,
    datapaths: u32,
}

impl KernelCode {
    /// A kernel on a device, without circuits yet.
    pub(crate) fn new(kernel: Kernel, variables: Option<Buffer>, device: &Device) -> KernelCode {
        KernelCode {
            kernel,
            variables,
            settings: device.settings,
            datapaths: device.datapaths,
            circuits: Mutex::default(),
            engine: Arc::default(),
            has_complained: AtomicBool::new(false),
            watch: Watch::default(),
        }
    }

    /// Makes the circuit for the common kind of launches.
    pub(crate) fn prepare(&self) -> Result<(), Refusal> {
        match self.settings.executor {
            Executor::Interpreter => Ok(()),
            Executor::Simulator | Executor::Verilog => {
                self.circuit(self.plan(MemoryPlan::default())).map(drop)
            }
        }
    }

    /// What the device adds to a plan.
    fn plan(&self, plan: MemoryPlan) -> MemoryPlan {
        MemoryPlan {
            datapaths: self.datapaths,
            banks: self.settings.banks,
            group_items: plan.group_items.max(self.settings.group_items),
            ..plan
        }
    }

    /// The circuit for a plan, with fewer datapaths if as many do not fit.
    fn circuit(&self, plan: MemoryPlan) -> Result<Circuit, Refusal> {
        let mut circuits = self.circuits.lock().unwrap_or_else(|it| it.into_inner());
        if let Some((_, circuit)) = circuits.iter().find(|(it, _)| *it == plan) {
            return Ok(circuit.clone());
        }
        let circuit = self.fitting(plan)?;
        circuits.push((plan, circuit.clone()));
        Ok(circuit)
    }

    fn fitting(&self, plan: MemoryPlan) -> Result<Circuit, Refusal> {
        let board = &self.settings.board;
        let mut datapaths = plan.datapaths;
        let mut why = None;
        let (design, oversize) = loop {
            let plan = MemoryPlan { datapaths, ..plan };
            let design = match Design::of(self.kernel.clone(), &board.target, plan) {
                Ok(design) => design,
                // The limits of memory ports and arbiters hold for all datapaths together.
                Err(refusal) if datapaths > 1 => {
                    why.get_or_insert(refusal.to_string());
                    datapaths /= 2;
                    continue;
                }
                Err(refusal) => return Err(refusal),
            };
            match fit::check(&design.lowered.circuit, datapaths, board) {
                Err(oversize) if datapaths > 1 => {
                    datapaths = fewer(&oversize);
                    why.get_or_insert(oversize.to_string());
                }
                fits => break (design, fits.err()),
            }
        };
        let name = &self.kernel.name;
        let told = match (oversize, why) {
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
        Ok(Circuit {
            design: Arc::new(design),
            datapaths,
        })
    }

    /// Runs a launch.
    pub(crate) fn run(
        &self,
        context: &Context,
        range: NdRange,
        mut args: Vec<Argument>,
        mut memory: Memory,
    ) -> Answer<Nanoseconds> {
        let variables = self.variables.clone().map(|buffer| memory.add(buffer));
        args.extend(variables.map(Argument::Buffer));
        let prepared = Prepared {
            launch: Launch { range, args },
            others: Vec::new(),
            memory,
            variables,
        };
        let before = self.watch.before(&self.kernel, &prepared, self.settings);
        let start = Instant::now();
        let took = match self.settings.executor {
            Executor::Interpreter => self.interpret(&prepared),
            Executor::Simulator => self.simulate(&prepared),
            Executor::Verilog => self.run_verilog(&prepared),
        };
        match took {
            Ok(took) => {
                let taken = start.elapsed();
                let compared = self
                    .watch
                    .after(&self.kernel, &prepared, self.settings, before);
                for finding in &compared.messages {
                    context.complain(finding);
                }
                self.finish(context, &prepared, took, taken, compared.counts)
            }
            Err(problem) => {
                context.complain(&format!("kernel `{}`: {problem}", self.kernel.name));
                Err(Code::RESOURCES)
            }
        }
    }

    /// Prints what the kernel printed, says what it did wrong, and counts.
    fn finish(
        &self,
        context: &Context,
        prepared: &Prepared,
        took: Took,
        taken: Duration,
        watched: Counts,
    ) -> Answer<Nanoseconds> {
        print(&took.printed);
        let length = match took.cycles {
            Some(cycles) => self.settings.device_time(cycles),
            None => taken.as_nanos() as Nanoseconds,
        };
        totals::add(
            &self.kernel.name,
            Launched {
                items: prepared.launch.range.work_items(),
                length,
                host: taken,
                cycles: took.cycles.unwrap_or(0),
                datapaths: took.datapaths,
                watched,
                traffic: took.traffic,
                stalls: took.stalls,
            },
        );
        match (took.violations, self.settings.check) {
            (None, _) | (_, Check::Off) => Ok(length),
            (Some(violations), Check::Warn) => {
                if !self.has_complained.swap(true, Relaxed) {
                    self.complain(context, &violations);
                }
                Ok(length)
            }
            (Some(violations), Check::Strict) => {
                self.complain(context, &violations);
                Err(Code::RESOURCES)
            }
        }
    }

    fn complain(&self, context: &Context, violations: &str) {
        context.complain(&format!(
            "kernel `{}` {violations}; such reads give zero, such writes are lost",
            self.kernel.name
        ));
    }

    fn interpret(&self, prepared: &Prepared) -> Result<Took, String> {
        let printed = Arc::new(PrintBuffer::default());
        let buffer = printed.clone();
        let take = move |text: &[u8]| buffer.add(text);
        let options = interp::Options {
            checks: Checks::default(),
            threads: self.settings.threads,
            concurrency: interp::Concurrency::Shared,
            print: Some(&take),
            ..interp::Options::default()
        };
        let Prepared { launch, memory, .. } = prepared;
        let outcome = interp::run(&self.kernel, launch, memory, &options)
            .map_err(|fault| fault.to_string())?;
        Ok(Took {
            cycles: None,
            datapaths: None,
            traffic: Default::default(),
            stalls: None,
            violations: match outcome.violations {
                0 => None,
                1 => Some("left its buffers in 1 access".to_owned()),
                count => Some(format!("left its buffers in {count} accesses")),
            },
            printed: printed.text(),
        })
    }

    fn options(&self) -> Options {
        Options {
            timing: self.settings.board.timing.clone(),
            limit: self.settings.limit,
            stalls: match self.settings.report {
                Some(_) => Attribution::On,
                None => Attribution::Off,
            },
            bounds: match self.settings.check {
                Check::Off => Bounds::Memory,
                Check::Strict => Bounds::Accesses,
                // What has been said need not be found again.
                Check::Warn if self.has_complained.load(Relaxed) => Bounds::Memory,
                Check::Warn => Bounds::Accesses,
            },
        }
    }

    fn design(&self, prepared: &Prepared) -> Result<Circuit, String> {
        let plan = MemoryPlan::for_launch(&prepared.launch, &prepared.memory);
        self.circuit(self.plan(plan))
            .map_err(|refusal| format!("{refusal}; {}", WAY_OUT))
    }

    fn simulate(&self, prepared: &Prepared) -> Result<Took, String> {
        let Circuit { design, datapaths } = self.design(prepared)?;
        let execution = match &self.settings.wave {
            None => design.simulate(prepared, &self.options()),
            Some(name) => {
                let waves = waves::create(name)?;
                design.simulate_with_waves(prepared, &self.options(), waves)
            }
        };
        let execution = execution.map_err(|error| explain(&error))?;
        Ok(Took::of(execution, datapaths))
    }

    fn run_verilog(&self, prepared: &Prepared) -> Result<Took, String> {
        let Circuit { design, datapaths } = self.design(prepared)?;
        let folder = VerilogFolder::from_environment().map_err(|failure| failure.to_string())?;
        let (trace, wave) = match &self.settings.wave {
            None => (Trace::Off, None),
            Some(name) => (Trace::Vcd, Some(waves::next(name))),
        };
        let run = || -> Result<Execution, CircuitError> {
            let rtl = design.verilate(trace, Effort::FastRun, folder.path())?;
            design.run_rtl(&rtl, prepared, &self.options(), wave.as_deref())
        };
        let execution = run().map_err(|error| explain(&error))?;
        Ok(Took::of(execution, datapaths))
    }
}

/// Why a launch on a circuit did not end, with the way out.
fn explain(error: &CircuitError) -> String {
    match error {
        CircuitError::Stopped(Stopped::TooLong { .. } | Stopped::NoEffect { .. }) => {
            format!("{error}; SLUICE_CYCLE_LIMIT sets how many cycles it may take")
        }
        CircuitError::Stopped(
            Stopped::Launch(_) | Stopped::Divergence(_) | Stopped::Stuck { .. } | Stopped::Waves(_),
        )
        | CircuitError::Build(_) => error.to_string(),
    }
}

/// What to do about a kernel that has no circuit.
pub(crate) const WAY_OUT: &str =
    "a smaller kernel may fit, and SLUICE_DEVICE=interp runs this one on the interpreter";

/// How many datapaths may fit where more do not: at least one, and fewer than there are.
fn fewer(oversize: &Oversize) -> u32 {
    let percent = oversize.exceeded[0].percent();
    let fitting = f64::from(oversize.datapaths) * 100.0 / percent;
    (fitting as u32).clamp(1, oversize.datapaths - 1)
}

/// What a launch took, whatever ran it.
struct Took {
    /// None if there is no clock.
    cycles: Option<u64>,
    /// None if there is no circuit.
    datapaths: Option<u32>,
    traffic: sluice_circuit::dram::Traffic,
    stalls: Option<sluice_circuit::sim::Stalls>,
    /// What it did outside of its buffers.
    violations: Option<String>,
    printed: Vec<u8>,
}

impl Took {
    fn of(execution: Execution, datapaths: u32) -> Took {
        Took {
            cycles: Some(execution.cycles),
            datapaths: Some(datapaths),
            traffic: execution.traffic,
            violations: execution.strays(),
            stalls: execution.stalls,
            printed: execution.printed,
        }
    }
}
