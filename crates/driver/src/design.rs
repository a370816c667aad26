//! A kernel's circuit for a target, and launches on it: simulated, or as Verilog under Verilator.

use std::io::Write;
use std::path::Path;

use sluice_circuit::dram::{Timing, Traffic};
use sluice_circuit::sim::Stalls;
use sluice_circuit::target::Target;
use sluice_kernel::Kernel;
use sluice_kernel::host::{Host, Job};
use sluice_kernel::lower::{Lowered, MemoryPlan, Refusal, lower};
use sluice_kernel::simulate::{self, Outcome, Stopped, simulate, simulate_with_waves};
use sluice_verilator::rtl::{Rtl, Run};
use sluice_verilator::{BuildError, Effort, Trace};
use thiserror::Error;

use crate::launch::Prepared;

/// A kernel as a circuit.
#[derive(Debug)]
pub struct Design {
    /// The kernel.
    pub kernel: Kernel,
    /// Its circuit.
    pub lowered: Lowered,
}

/// What a launch on a circuit took.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Execution {
    /// Cycles from start to done.
    pub cycles: u64,
    /// What crossed the bus of external memory.
    pub traffic: Traffic,
    /// Who held whom up, if that was asked for: the Verilog does not know.
    pub stalls: Option<Stalls>,
    /// What the kernel printed.
    pub printed: Vec<u8>,
}

/// Why a launch on a circuit did not end.
#[derive(Debug, Error)]
pub enum CircuitError {
    /// The simulator stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// Verilator could not build the circuit.
    #[error(transparent)]
    Build(#[from] BuildError),
}

impl From<Outcome> for Execution {
    fn from(outcome: Outcome) -> Execution {
        Execution {
            cycles: outcome.cycles,
            traffic: outcome.traffic,
            stalls: outcome.stalls,
            printed: outcome.printed,
        }
    }
}

impl Design {
    /// The circuit of an optimised kernel.
    pub fn of(kernel: Kernel, target: &Target, plan: MemoryPlan) -> Result<Design, Refusal> {
        let lowered = lower(&kernel, target, plan)?;
        Ok(Design { kernel, lowered })
    }

    /// Runs a launch on the simulator; its results are left in the launch's memory.
    pub fn simulate(
        &self,
        prepared: &Prepared,
        options: &simulate::Options,
    ) -> Result<Execution, CircuitError> {
        let Prepared { launch, memory } = prepared;
        let outcome = simulate(&self.kernel, &self.lowered, launch, memory, options)?;
        Ok(outcome.into())
    }

    /// As [`Design::simulate`], with waveforms.
    pub fn simulate_with_waves(
        &self,
        prepared: &Prepared,
        options: &simulate::Options,
        waves: Box<dyn Write + Send>,
    ) -> Result<Execution, CircuitError> {
        let Prepared { launch, memory } = prepared;
        let (kernel, lowered) = (&self.kernel, &self.lowered);
        let outcome = simulate_with_waves(kernel, lowered, launch, memory, options, waves)?;
        Ok(outcome.into())
    }

    /// Builds the circuit's Verilog under Verilator; what is built once is kept in a folder.
    pub fn verilate(
        &self,
        trace: Trace,
        effort: Effort,
        cache: &Path,
    ) -> Result<Rtl<'_>, CircuitError> {
        Ok(Rtl::build(&self.lowered.circuit, trace, effort, cache)?)
    }

    /// Runs a launch on the Verilog; its results are left in the launch's memory. Waveforms go to a
    /// file, if one is given.
    pub fn run_rtl(
        &self,
        rtl: &Rtl<'_>,
        prepared: &Prepared,
        options: &simulate::Options,
        wave: Option<&Path>,
    ) -> Result<Execution, CircuitError> {
        let mut host = self.host(prepared, &options.timing)?;
        let mut run: Run<'_> = match wave {
            None => rtl.start(host.outside(), host.constants()),
            Some(path) => rtl.start_traced(host.outside(), host.constants(), path),
        };
        let cycles = loop {
            if let Some(cycle) = host.done() {
                break cycle;
            }
            if run.cycle() >= options.cycle_limit {
                let cycles = options.cycle_limit;
                return Err(Stopped::TooLong { cycles }.into());
            }
            run.step();
        };
        host.read_back(&prepared.memory);
        Ok(Execution {
            cycles,
            traffic: host.traffic(),
            stalls: None,
            printed: host.printed(),
        })
    }

    fn host(&self, prepared: &Prepared, timing: &Timing) -> Result<Host, Stopped> {
        let Prepared { launch, memory } = prepared;
        let job = Job {
            kernel: &self.kernel,
            launch,
        };
        Ok(Host::new(&[job], &self.lowered, memory, timing)?)
    }
}
