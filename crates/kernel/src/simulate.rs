//! Launches on a kernel's circuit, simulated cycle by cycle.

use sluice_circuit::dram::Timing;
use sluice_circuit::sim::Simulator;

use crate::Kernel;
use crate::host::Host;
use crate::launch::{Launch, LaunchError, Memory};
use crate::lower::Lowered;

/// How a launch is simulated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// External memory.
    pub timing: Timing,
    /// How many cycles a launch may take.
    pub cycle_limit: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            timing: Timing::default(),
            cycle_limit: 1 << 32,
        }
    }
}

/// What a launch took.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Cycles from start to done.
    pub cycles: u64,
}

/// Why a launch did not end.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Stopped {
    /// The launch does not fit the kernel.
    #[error(transparent)]
    Launch(#[from] LaunchError),
    /// Nothing happens any more, and the kernel is not done.
    #[error("the circuit stands still since cycle {cycle}")]
    Stuck {
        /// The last cycle in which something happened.
        cycle: u64,
    },
    /// The launch takes too long.
    #[error("the launch has not ended after {cycles} cycles")]
    TooLong {
        /// The limit.
        cycles: u64,
    },
}

/// Executes a launch on a circuit; its results are left in `memory`.
pub fn simulate(
    kernel: &Kernel,
    lowered: &Lowered,
    launch: &Launch,
    memory: &Memory,
    options: &Options,
) -> Result<Outcome, Stopped> {
    let host = Host::new(kernel, lowered, launch, memory, &options.timing)?;
    let mut simulator = Simulator::new(&lowered.circuit, host.outside(), host.constants());
    let cycles = loop {
        let before = simulator.cycle();
        let went_on = simulator.step(options.cycle_limit);
        match host.done() {
            Some(cycle) => break cycle,
            None if !went_on && before < options.cycle_limit => {
                return Err(Stopped::Stuck { cycle: before });
            }
            None if !went_on => {
                return Err(Stopped::TooLong {
                    cycles: options.cycle_limit,
                });
            }
            None => {}
        }
    };
    host.read_back(memory);
    Ok(Outcome { cycles })
}
