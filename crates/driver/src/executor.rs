//! What executes launches: interpreter, simulator or Verilog, with one kind of result.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use sluice_circuit::dram::Traffic;
use sluice_circuit::sim::Stalls;
use sluice_kernel::Program;
use sluice_kernel::interp::{self, Fault};
use sluice_kernel::launch::host::{Host, Job, OutOfBounds, Violations};
use sluice_kernel::launch::simulate::{
    self, Patience, Stopped, simulate_together, simulate_with_waves,
};
use sluice_verilator::BuildError;
use sluice_verilator::rtl::Rtl;
use thiserror::Error;

use crate::design::Design;
use crate::launch::Session;

/// What executes launches.
#[derive(Clone, Copy)]
pub enum Executor<'a> {
    /// The interpreter of the kernel IR.
    Interpreter(&'a Program),
    /// The program's circuit, simulated.
    Simulator(&'a Design),
    /// The program's circuit as Verilog.
    Verilog(&'a Design, &'a Rtl),
}

/// How launches are executed.
#[derive(Clone, Default)]
pub struct Options<'a> {
    /// Checks, threads and limits of the interpreter.
    pub interpreter: interp::Options<'a>,
    /// External memory of circuits, their limits, and what is observed.
    pub circuit: simulate::Options,
    /// Where waveforms of circuits go.
    pub waves: Option<&'a Path>,
}

/// What launches took.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Execution {
    /// How much was done.
    pub work: Work,
    /// Copies of the pipeline that shared it; none if there is no circuit.
    pub datapaths: Option<u32>,
    /// Work-items of a token; none if there is no circuit.
    pub lanes: Option<u32>,
    /// What crossed the bus of external memory.
    pub traffic: Traffic,
    /// Stalled cycles and their causes, if that was asked for and can be seen.
    pub stalls: Option<Stalls>,
    /// What left its buffers.
    pub violations: OutsideAccesses,
    /// What the kernels printed, unless the interpreter's options took it.
    pub printed: Vec<u8>,
}

/// How much was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Work {
    /// Instructions that the interpreter executed.
    Instructions(u64),
    /// Cycles of a circuit from start to done.
    Cycles(u64),
}

/// What left its buffers, as far as it was observed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OutsideAccesses {
    /// The interpreter counts them.
    Counted(u64),
    /// The simulator looks at each access.
    Accesses(OutOfBounds),
    /// External memory sees transfers.
    Transfers(Violations),
}

/// Why launches did not end.
#[derive(Debug, Error)]
pub enum ExecutionError {
    /// The interpreter found a fault.
    #[error(transparent)]
    Fault(Box<Fault>),
    /// A circuit stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// Verilator could not build the circuit.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// Waveforms have no place.
    #[error("cannot write {}: {source}", path.display())]
    Waves {
        /// Where they should go.
        path: PathBuf,
        /// Why they cannot.
        source: io::Error,
    },
}

impl Execution {
    /// Cycles, if there is a clock.
    pub fn cycles(&self) -> Option<u64> {
        match self.work {
            Work::Instructions(_) => None,
            Work::Cycles(cycles) => Some(cycles),
        }
    }
}

impl OutsideAccesses {
    /// How many were observed.
    pub fn count(&self) -> u64 {
        match self {
            OutsideAccesses::Counted(count) => *count,
            OutsideAccesses::Accesses(accesses) => accesses.count(),
            OutsideAccesses::Transfers(Violations { reads, writes, .. }) => reads + writes,
        }
    }

    /// What a kernel did outside of its buffers, for people: a sentence without its subject.
    pub fn describe(&self) -> Option<String> {
        let (misaligned, [one, many], first) = match self {
            OutsideAccesses::Counted(_) => (0, ["access", "accesses"], None),
            OutsideAccesses::Accesses(accesses) => {
                let first = accesses.first.as_ref().map(ToString::to_string);
                (accesses.misaligned, ["access", "accesses"], first)
            }
            OutsideAccesses::Transfers(violations) => {
                let first = violations.first.as_ref().map(ToString::to_string);
                (0, ["transfer", "transfers"], first)
            }
        };
        let counted = |count: u64, what: &str| {
            let of = if count == 1 { one } else { many };
            (count > 0).then(|| format!("{what} {count} {of}"))
        };
        let outside = counted(self.count() - misaligned, "left its buffers in");
        let misaligned = counted(misaligned, "was misaligned in");
        let counts: Vec<String> = outside.into_iter().chain(misaligned).collect();
        match (counts.is_empty(), first) {
            (true, _) => None,
            (false, None) => Some(counts.join(" and ")),
            (false, Some(first)) => Some(format!("{}: {first}", counts.join(" and "))),
        }
    }
}

impl Executor<'_> {
    /// Executes launches; their results are left in the session's memory.
    pub fn run(
        &self,
        session: &Session,
        options: &Options<'_>,
    ) -> Result<Execution, ExecutionError> {
        match self {
            Executor::Interpreter(program) => interpret(program, session, &options.interpreter),
            Executor::Simulator(design) => simulate(design, session, options),
            Executor::Verilog(design, rtl) => run_verilog(design, rtl, session, options),
        }
    }
}

fn interpret(
    program: &Program,
    session: &Session,
    options: &interp::Options<'_>,
) -> Result<Execution, ExecutionError> {
    let memory = &session.memory;
    let outcomes = match program.kernels() {
        [kernel] => interp::run(kernel, session.launch(), memory, options).map(|it| vec![it]),
        kernels => {
            let kernels = kernels.iter().map(|kernel| &**kernel);
            let launches: Vec<_> = kernels.zip(&session.launches).collect();
            interp::run_together(&launches, memory, options)
        }
    };
    let outcomes = outcomes.map_err(|fault| ExecutionError::Fault(Box::new(fault)))?;
    let instructions = outcomes.iter().map(|it| it.instructions).sum();
    let violations = outcomes.iter().map(|it| it.violations).sum();
    Ok(Execution {
        work: Work::Instructions(instructions),
        datapaths: None,
        lanes: None,
        traffic: Traffic::default(),
        stalls: None,
        violations: OutsideAccesses::Counted(violations),
        printed: outcomes.into_iter().flat_map(|it| it.printed).collect(),
    })
}

/// A launch of each kernel of a design.
fn jobs<'a>(design: &'a Design, session: &'a Session) -> Vec<Job<'a>> {
    let jobs = design.program.kernels().iter().zip(&session.launches);
    jobs.map(|(kernel, launch)| Job { kernel, launch })
        .collect()
}

/// Makes the file of waveforms.
pub(crate) fn create_waves(path: &Path) -> Result<File, ExecutionError> {
    File::create(path).map_err(|source| ExecutionError::Waves {
        path: path.to_owned(),
        source,
    })
}

fn simulate(
    design: &Design,
    session: &Session,
    options: &Options<'_>,
) -> Result<Execution, ExecutionError> {
    let (jobs, memory) = (jobs(design, session), &session.memory);
    let (lowered, circuit) = (&design.lowered, &options.circuit);
    let outcome = match options.waves {
        None => simulate_together(&jobs, lowered, memory, circuit)?,
        Some(path) => {
            let waves = Box::new(BufWriter::new(create_waves(path)?));
            simulate_with_waves(&jobs, lowered, memory, circuit, waves)?
        }
    };
    Ok(Execution {
        work: Work::Cycles(outcome.cycles),
        datapaths: Some(design.datapaths),
        lanes: Some(design.lanes),
        traffic: outcome.traffic,
        stalls: outcome.stalls,
        violations: match outcome.out_of_bounds {
            Some(accesses) => OutsideAccesses::Accesses(accesses),
            None => OutsideAccesses::Transfers(outcome.violations),
        },
        printed: outcome.printed,
    })
}

fn run_verilog(
    design: &Design,
    rtl: &Rtl,
    session: &Session,
    options: &Options<'_>,
) -> Result<Execution, ExecutionError> {
    let circuit = &options.circuit;
    let (jobs, memory) = (jobs(design, session), &session.memory);
    let host = Host::new(&jobs, &design.lowered, memory, &circuit.timing);
    let mut host = host.map_err(Stopped::Launch)?;
    let mut run = match options.waves {
        None => rtl.start(host.environment(), host.constants()),
        Some(path) => {
            // Verilator ends the process if it cannot write there.
            create_waves(path)?;
            rtl.start_traced(host.environment(), host.constants(), path)
        }
    };
    let mut patience = Patience::new(circuit.limit);
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
        work: Work::Cycles(cycles),
        datapaths: Some(design.datapaths),
        lanes: Some(design.lanes),
        traffic: host.traffic(),
        stalls: None,
        violations: OutsideAccesses::Transfers(host.violations()),
        printed: host.printed(),
    })
}
