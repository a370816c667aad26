//! A program's circuit for a target, and launches on it: simulated, or as Verilog under Verilator.

use std::io::Write;
use std::path::Path;

use sluice_circuit::dram::{Timing, Traffic};
use sluice_circuit::shell::Shell;
use sluice_circuit::sim::Stalls;
use sluice_circuit::target::Target;
use sluice_kernel::Program;
use sluice_kernel::host::{Host, Job, OutOfBounds, Violations};
use sluice_kernel::ip_block;
use sluice_kernel::lower::{Lowered, lower};
use sluice_kernel::plan::Plan;
use sluice_kernel::prepare::{Refusal, prepare};
use sluice_kernel::simulate::{
    self, Outcome, Patience, Stopped, simulate_together, simulate_with_waves,
};
use sluice_verilator::rtl::{Rtl, Run};
use sluice_verilator::{BuildError, Effort, Trace};
use thiserror::Error;

use crate::launch::Session;

/// A program as a circuit.
#[derive(Debug)]
pub struct Design {
    /// The program.
    pub program: Program,
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
    /// What went beyond everything that the launches were given.
    pub violations: Violations,
    /// The accesses that left their buffers, if that was asked for: the Verilog does not know.
    pub out_of_bounds: Option<OutOfBounds>,
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

impl Execution {
    /// How often the kernel left its buffers, as far as anybody looked.
    pub fn stray_count(&self) -> u64 {
        match &self.out_of_bounds {
            Some(accesses) => accesses.count(),
            None => self.violations.reads + self.violations.writes,
        }
    }

    /// What the kernel did outside of its buffers, for people: by access if they were watched, else as
    /// memory saw it.
    pub fn strays(&self) -> Option<String> {
        let (one, many, first) = match &self.out_of_bounds {
            Some(accesses) => {
                let first = accesses.first.as_ref();
                ("access", "accesses", first.map(ToString::to_string))
            }
            None => {
                let first = self.violations.first.as_ref();
                ("transfer", "transfers", first.map(ToString::to_string))
            }
        };
        let misaligned = self.out_of_bounds.as_ref().map_or(0, |it| it.misaligned);
        let outside = self.stray_count() - misaligned;
        let counted = |count: u64, what: &str| {
            let of = if count == 1 { one } else { many };
            (count > 0).then(|| format!("{what} {count} {of}"))
        };
        let outside = counted(outside, "left its buffers in");
        let misaligned = counted(misaligned, "was misaligned in");
        let counts: Vec<String> = outside.into_iter().chain(misaligned).collect();
        first.map(|first| format!("{}: {first}", counts.join(" and ")))
    }
}

impl From<Outcome> for Execution {
    fn from(outcome: Outcome) -> Execution {
        Execution {
            cycles: outcome.cycles,
            traffic: outcome.traffic,
            stalls: outcome.stalls,
            printed: outcome.printed,
            violations: outcome.violations,
            out_of_bounds: outcome.out_of_bounds,
        }
    }
}

impl Design {
    /// The circuit of a program.
    pub fn of(program: Program, target: &Target, plan: &Plan) -> Result<Design, Refusal> {
        let lowered = prepare(&program, plan).and_then(|it| lower(&it, target))?;
        Ok(Design { program, lowered })
    }

    /// The datapaths of the kernel that has most of them.
    pub fn datapaths(&self, plan: &Plan) -> u32 {
        let kernels = self.program.kernels().iter();
        let datapaths = kernels.map(|kernel| plan.kernel(&kernel.name).datapaths);
        datapaths.max().unwrap_or(1)
    }

    /// The circuit behind registers: an IP block.
    pub fn into_shell(self) -> Shell {
        ip_block::wrap(self.lowered, &self.program)
    }

    /// What there is to do, by kernel.
    fn jobs<'a>(&'a self, session: &'a Session) -> Vec<Job<'a>> {
        let jobs = self.program.kernels().iter().zip(&session.launches);
        jobs.map(|(kernel, launch)| Job { kernel, launch })
            .collect()
    }

    /// Runs a launch on the simulator; its results are left in the launch's memory.
    pub fn simulate(
        &self,
        session: &Session,
        options: &simulate::Options,
    ) -> Result<Execution, CircuitError> {
        let jobs = self.jobs(session);
        let outcome = simulate_together(&jobs, &self.lowered, &session.memory, options)?;
        Ok(outcome.into())
    }

    /// As [`Design::simulate`], with waveforms.
    pub fn simulate_with_waves(
        &self,
        session: &Session,
        options: &simulate::Options,
        waves: Box<dyn Write + Send>,
    ) -> Result<Execution, CircuitError> {
        let (jobs, memory) = (self.jobs(session), &session.memory);
        let outcome = simulate_with_waves(&jobs, &self.lowered, memory, options, waves)?;
        Ok(outcome.into())
    }

    /// Builds the circuit's Verilog under Verilator; what is built once is kept in a folder.
    pub fn verilate(
        &self,
        trace: Trace,
        effort: Effort,
        cache: &Path,
    ) -> Result<Rtl<'_>, CircuitError> {
        Ok(Rtl::build(self.lowered.circuit(), trace, effort, cache)?)
    }

    /// Runs a launch on the Verilog; its results are left in the launch's memory. Waveforms go to a
    /// file, if one is given.
    pub fn run_rtl(
        &self,
        rtl: &Rtl<'_>,
        session: &Session,
        options: &simulate::Options,
        wave: Option<&Path>,
    ) -> Result<Execution, CircuitError> {
        let mut host = self.host(session, &options.timing)?;
        let mut run: Run<'_> = match wave {
            None => rtl.start(host.environment(), host.constants()),
            Some(path) => rtl.start_traced(host.environment(), host.constants(), path),
        };
        let mut patience = Patience::new(options.limit);
        let cycles = loop {
            if let Some(cycle) = host.done() {
                break cycle;
            }
            if run.cycle() >= patience.until() && !patience.goes_on(&host, 0) {
                return Err(patience.stop(None).into());
            }
            run.step();
        };
        Ok(Execution {
            cycles,
            traffic: host.traffic(),
            stalls: None,
            printed: host.printed(),
            violations: host.violations(),
            out_of_bounds: None,
        })
    }

    fn host(&self, session: &Session, timing: &Timing) -> Result<Host, Stopped> {
        let jobs = self.jobs(session);
        Ok(Host::new(&jobs, &self.lowered, &session.memory, timing)?)
    }
}
