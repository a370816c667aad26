//! Launches on a kernel's circuit, simulated cycle by cycle.

use std::io::Write;

use sluice_circuit::dram::{Timing, Traffic};
use sluice_circuit::sim::{Simulator, Stalls, Waiting};

use crate::Kernel;
use crate::host::{Host, Job, OutOfBounds, Violations};
use crate::launch::{Launch, LaunchError, Memory};
use crate::lower::Lowered;

/// How a launch is simulated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// External memory.
    pub timing: Timing,
    /// How many cycles a launch may take.
    pub cycle_limit: u64,
    /// Whether somebody wants to know who held whom up.
    pub stalls: Attribution,
    /// Whether somebody wants to know of every access that leaves its buffer.
    pub bounds: Bounds,
}

/// Whether accesses outside of their buffers are counted one by one; that takes time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Bounds {
    /// They are not: what external memory sees is counted.
    #[default]
    Memory,
    /// They are.
    Accesses,
}

/// Whether stalled cycles are attributed to those who cause them; that takes time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Attribution {
    /// They are not.
    #[default]
    Off,
    /// They are.
    On,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            timing: Timing::default(),
            cycle_limit: 1 << 32,
            stalls: Attribution::Off,
            bounds: Bounds::Memory,
        }
    }
}

/// What a launch took.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Cycles from start to done.
    pub cycles: u64,
    /// What crossed the bus of external memory.
    pub traffic: Traffic,
    /// Who held whom up, if that was asked for.
    pub stalls: Option<Stalls>,
    /// What the kernel printed.
    pub printed: Vec<u8>,
    /// What went beyond everything that the launches were given.
    pub violations: Violations,
    /// The accesses that left their buffers, if that was asked for.
    pub out_of_bounds: Option<OutOfBounds>,
}

/// Why a launch did not end.
#[derive(Debug, thiserror::Error)]
pub enum Stopped {
    /// The launch does not fit the kernel.
    #[error(transparent)]
    Launch(#[from] LaunchError),
    /// Nothing happens any more, and the kernel is not done.
    #[error("the circuit stands still since cycle {}:\n{waiting}", waiting.since)]
    Stuck {
        /// Who waits for whom.
        waiting: Box<Waiting>,
    },
    /// The launch takes too long.
    #[error("the launch has not ended after {cycles} cycles")]
    TooLong {
        /// The limit.
        cycles: u64,
    },
    /// Waveforms could not be written.
    #[error("cannot write waveforms: {0}")]
    Waves(#[from] std::io::Error),
}

/// Executes a launch on a circuit; its results are left in `memory`.
pub fn simulate(
    kernel: &Kernel,
    lowered: &Lowered,
    launch: &Launch,
    memory: &Memory,
    options: &Options,
) -> Result<Outcome, Stopped> {
    simulate_together(&[Job { kernel, launch }], lowered, memory, options)
}

/// Executes a launch of each kernel of a circuit, all at once.
pub fn simulate_together(
    jobs: &[Job<'_>],
    lowered: &Lowered,
    memory: &Memory,
    options: &Options,
) -> Result<Outcome, Stopped> {
    let mut host = Host::new(jobs, lowered, memory, &options.timing)?;
    let mut simulator = Simulator::new(&lowered.circuit, host.outside(), host.constants());
    run(lowered, &host, &mut simulator, options)
}

/// As [`simulate_together`], and writes waveforms of all channels (VCD).
pub fn simulate_with_waves(
    jobs: &[Job<'_>],
    lowered: &Lowered,
    memory: &Memory,
    options: &Options,
    waves: Box<dyn Write + Send>,
) -> Result<Outcome, Stopped> {
    let mut host = Host::new(jobs, lowered, memory, &options.timing)?;
    let mut simulator = Simulator::new(&lowered.circuit, host.outside(), host.constants());
    simulator.write_waves(&lowered.circuit, waves)?;
    let outcome = run(lowered, &host, &mut simulator, options);
    // What was seen until it stopped is most wanted if it stopped too early.
    simulator.finish_waves()?;
    outcome
}

fn run(
    lowered: &Lowered,
    host: &Host,
    simulator: &mut Simulator,
    options: &Options,
) -> Result<Outcome, Stopped> {
    if options.stalls == Attribution::On {
        simulator.observe_stalls(&lowered.circuit);
    }
    let bounds = match options.bounds {
        Bounds::Memory => None,
        Bounds::Accesses => Some(host.watch_bounds(simulator)),
    };
    while host.done().is_none() {
        if !simulator.step(options.cycle_limit) {
            return Err(match simulator.is_still() {
                true => Stopped::Stuck {
                    waiting: Box::new(simulator.waiting(&lowered.circuit)),
                },
                false => Stopped::TooLong {
                    cycles: options.cycle_limit,
                },
            });
        }
    }
    Ok(Outcome {
        cycles: host.done().expect("it is done"),
        traffic: host.traffic(),
        stalls: simulator.stalls(),
        printed: host.printed(),
        violations: host.violations(),
        out_of_bounds: bounds.map(|counted| counted.get()),
    })
}
