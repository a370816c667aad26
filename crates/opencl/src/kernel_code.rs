//! What runs a kernel on a device: its circuits, made when they are needed.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use sluice_driver::{CircuitError, Design, Execution, Prepared, VerilogFolder};
use sluice_kernel::Kernel;
use sluice_kernel::interp::{self, Checks};
use sluice_kernel::launch::{Argument, Buffer, Launch, Memory, NdRange};
use sluice_kernel::lower::{MemoryPlan, Refusal};

use sluice_kernel::simulate::{Attribution, Bounds, Options};
use sluice_verilator::{Effort, Trace};

use crate::code::{Answer, Code};
use crate::context::Context;
use crate::device::Device;
use crate::event::{Engine, Nanoseconds};
use crate::settings::{Check, Executor, Settings};
use crate::totals::{self, Launched};

/// A kernel that was built for a device.
#[derive(Debug)]
pub(crate) struct KernelCode {
    pub(crate) kernel: Kernel,
    /// The program's variables, if it uses them.
    variables: Option<Buffer>,
    settings: &'static Settings,
    datapaths: u32,
    /// By what they are made for.
    circuits: Mutex<Vec<(MemoryPlan, Arc<Design>)>>,
    /// It runs one launch at a time.
    pub(crate) engine: Arc<Engine>,
    has_complained: AtomicBool,
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
            group_items: plan.group_items.max(self.settings.group_items),
            ..plan
        }
    }

    /// The circuit for a plan.
    fn circuit(&self, plan: MemoryPlan) -> Result<Arc<Design>, Refusal> {
        let mut circuits = self.circuits.lock().unwrap_or_else(|it| it.into_inner());
        if let Some((_, design)) = circuits.iter().find(|(it, _)| *it == plan) {
            return Ok(design.clone());
        }
        let design = Design::of(self.kernel.clone(), &self.settings.board.target, plan)?;
        let design = Arc::new(design);
        circuits.push((plan, design.clone()));
        Ok(design)
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
        let start = Instant::now();
        let took = match self.settings.executor {
            Executor::Interpreter => self.interpret(&prepared),
            Executor::Simulator => self.simulate(&prepared),
            Executor::Verilog => self.run_verilog(&prepared),
        };
        match took {
            Ok(took) => self.finish(context, &prepared, took, start),
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
        start: Instant,
    ) -> Answer<Nanoseconds> {
        print(&took.printed);
        let length = match took.cycles {
            Some(cycles) => self.settings.device_time(cycles),
            None => start.elapsed().as_nanos() as Nanoseconds,
        };
        totals::add(
            &self.kernel.name,
            Launched {
                items: prepared.launch.range.work_items(),
                length,
                host: start.elapsed(),
                cycles: took.cycles.unwrap_or(0),
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
        let options = interp::Options {
            checks: Checks::default(),
            threads: self.settings.threads,
            company: interp::Company::Others,
            ..interp::Options::default()
        };
        let Prepared { launch, memory, .. } = prepared;
        let outcome = interp::run(&self.kernel, launch, memory, &options)
            .map_err(|fault| fault.to_string())?;
        Ok(Took {
            cycles: None,
            traffic: Default::default(),
            stalls: None,
            violations: (outcome.violations > 0)
                .then(|| format!("left its buffers in {} accesses", outcome.violations)),
            printed: outcome.printed,
        })
    }

    fn options(&self) -> Options {
        Options {
            timing: self.settings.board.timing.clone(),
            cycle_limit: self.settings.cycle_limit,
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

    fn design(&self, prepared: &Prepared) -> Result<Arc<Design>, String> {
        let plan = MemoryPlan::for_launch(&prepared.launch, &prepared.memory);
        self.circuit(self.plan(plan))
            .map_err(|refusal| refusal.to_string())
    }

    fn simulate(&self, prepared: &Prepared) -> Result<Took, String> {
        let design = self.design(prepared)?;
        let execution = design.simulate(prepared, &self.options());
        execution.map(Took::from).map_err(|error| error.to_string())
    }

    fn run_verilog(&self, prepared: &Prepared) -> Result<Took, String> {
        let design = self.design(prepared)?;
        let folder = VerilogFolder::from_environment().map_err(|failure| failure.to_string())?;
        let run = || -> Result<Execution, CircuitError> {
            let rtl = design.verilate(Trace::Off, Effort::FastRun, folder.path())?;
            design.run_rtl(&rtl, prepared, &self.options(), None)
        };
        run().map(Took::from).map_err(|error| error.to_string())
    }
}

/// What a launch took, whatever ran it.
struct Took {
    /// None if there is no clock.
    cycles: Option<u64>,
    traffic: sluice_circuit::dram::Traffic,
    stalls: Option<sluice_circuit::sim::Stalls>,
    /// What it did outside of its buffers.
    violations: Option<String>,
    printed: Vec<u8>,
}

impl From<Execution> for Took {
    fn from(execution: Execution) -> Took {
        Took {
            cycles: Some(execution.cycles),
            traffic: execution.traffic,
            violations: execution.strays(),
            stalls: execution.stalls,
            printed: execution.printed,
        }
    }
}

/// Prints where the program itself prints, so that both come in order, and at once: whoever has seen
/// the command end finds it there.
fn print(text: &[u8]) {
    unsafe extern "C" {
        static stdout: *mut libc::FILE;
    }
    if !text.is_empty() {
        // SAFETY: the stream is the C library's, which locks it.
        unsafe {
            libc::fwrite(text.as_ptr().cast(), 1, text.len(), stdout);
            libc::fflush(stdout);
        }
    }
}
