//! Launches on a kernel's circuit, simulated cycle by cycle.

use std::io::Write;

use sluice_circuit::dram::{Timing, Traffic};
use sluice_circuit::sim::{Simulator, Stalls, Waiting};

use crate::Kernel;
use crate::interp::SourceLocation;
use crate::launch::host::{Host, Job, OutOfBounds, Violations};
use crate::launch::no_end;
use crate::launch::{Launch, LaunchError, Memory};
use crate::lower::Lowered;

pub use crate::launch::no_end::Divergence;

/// How a launch is simulated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// External memory.
    pub timing: Timing,
    /// How long a launch may take.
    pub limit: CycleLimit,
    /// Whether stalls are attributed to their causes.
    pub stalls: Attribution,
    /// Whether every access that leaves its buffer is reported.
    pub bounds: Bounds,
}

/// How long a launch may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CycleLimit {
    /// This number of cycles.
    Cycles(u64),
    /// As many as it wants, as long as something happens that can be seen: within this many cycles, or
    /// an eighth more, a work-item ends, something is printed, or a line leaves for external memory.
    /// On Verilog, whose inside cannot be seen, work-items that end do not count.
    WithoutEffect(u64),
}

impl Default for CycleLimit {
    fn default() -> CycleLimit {
        CycleLimit::WithoutEffect(1 << 28)
    }
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
            limit: CycleLimit::default(),
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
    #[error("deadlock since cycle {}:\n{waiting}", waiting.since)]
    Stuck {
        /// Who waits for whom.
        waiting: Box<Waiting>,
    },
    /// Work-items of a group wait at a barrier for others that do not come.
    #[error("deadlock at a barrier: {0}")]
    Divergence(Box<Divergence>),
    /// The launch takes too long.
    #[error("the launch has not ended after {cycles} cycles{}", loop_at(.in_loop))]
    TooLong {
        /// The limit.
        cycles: u64,
        /// The loop that work-items are in, if that is known.
        in_loop: Option<SourceLocation>,
    },
    /// Nothing comes of the launch any more.
    #[error(
        "in {cycles} cycles the launch has written nothing, printed nothing, and no work-item has \
         ended{}", loop_at(.in_loop)
    )]
    NoEffect {
        /// The limit.
        cycles: u64,
        /// The loop that work-items are in, if that is known.
        in_loop: Option<SourceLocation>,
    },
    /// Waveforms could not be written.
    #[error("cannot write waveforms: {0}")]
    Waves(#[from] std::io::Error),
}

fn loop_at(place: &Option<SourceLocation>) -> String {
    match place {
        Some(place) => format!(": work-items go round the loop at {place}"),
        None => String::new(),
    }
}

/// How often it is looked within the limit whether something has happened.
const LOOKS: u64 = 8;

/// Says when a launch has taken too long.
#[derive(Debug)]
pub struct Patience {
    limit: CycleLimit,
    /// When to look again.
    until: u64,
    /// What had happened when it was last looked, and in which cycle that was new.
    seen: (u64, u64),
    since: u64,
}

impl Patience {
    /// For a launch that starts now.
    pub fn new(limit: CycleLimit) -> Patience {
        let until = match limit {
            CycleLimit::Cycles(cycles) => cycles,
            CycleLimit::WithoutEffect(cycles) => cycles / LOOKS,
        };
        Patience {
            limit,
            until,
            seen: (0, 0),
            since: 0,
        }
    }

    /// The cycle in which to look again.
    pub fn until(&self) -> u64 {
        self.until
    }

    /// Looks, in cycle `until`: whether the launch may go on. Given is what has happened so far
    /// in the environment, and how many work-items are not yet done, if that is known.
    pub fn goes_on(&mut self, host: &Host, remaining: u64) -> bool {
        let seen = (host.effects(), remaining);
        match self.limit {
            CycleLimit::Cycles(_) => false,
            CycleLimit::WithoutEffect(cycles) => {
                if seen != self.seen {
                    (self.seen, self.since) = (seen, self.until);
                }
                let goes_on = self.until - self.since < cycles;
                self.until = self.until.saturating_add((cycles / LOOKS).max(1));
                goes_on
            }
        }
    }

    /// The launch has taken too long.
    pub fn stop(&self, in_loop: Option<SourceLocation>) -> Stopped {
        match self.limit {
            CycleLimit::Cycles(cycles) => Stopped::TooLong { cycles, in_loop },
            CycleLimit::WithoutEffect(cycles) => Stopped::NoEffect { cycles, in_loop },
        }
    }
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
    let mut simulator = Simulator::new(lowered.circuit(), host.environment(), host.constants());
    run(jobs, lowered, &host, &mut simulator, options)
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
    let mut simulator = Simulator::new(lowered.circuit(), host.environment(), host.constants());
    simulator.write_waves(lowered.circuit(), waves)?;
    let outcome = run(jobs, lowered, &host, &mut simulator, options);
    // What was seen until it stopped is most wanted if it stopped too early.
    simulator.finish_waves()?;
    outcome
}

fn run(
    jobs: &[Job<'_>],
    lowered: &Lowered,
    host: &Host,
    simulator: &mut Simulator,
    options: &Options,
) -> Result<Outcome, Stopped> {
    if options.stalls == Attribution::On {
        simulator.observe_stalls(lowered.circuit());
    }
    let bounds = match options.bounds {
        Bounds::Memory => None,
        Bounds::Accesses => Some(host.watch_bounds(simulator)),
    };
    let mut patience = Patience::new(options.limit);
    while host.done().is_none() {
        if simulator.step(patience.until()) {
            continue;
        }
        if simulator.is_quiescent() {
            return Err(match no_end::divergence(jobs, lowered, simulator) {
                Some(divergence) => Stopped::Divergence(Box::new(divergence)),
                None => Stopped::Stuck {
                    waiting: Box::new(simulator.waiting(lowered.circuit())),
                },
            });
        }
        if !patience.goes_on(host, no_end::remaining(lowered, simulator)) {
            return Err(patience.stop(no_end::busiest_loop(jobs, lowered, simulator)));
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
