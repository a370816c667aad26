//! The interpreter: executes whole launches and so defines what a kernel means.
//!
//! A kernel is decoded once into a [`Program`]. Work-items run in strips of 64 lanes: each decoded
//! operation is applied to all lanes that stand at it, in one loop over registers that hold one
//! value per lane. Lanes that branch differently wait at their blocks until the scheduler comes to
//! them; it prefers the earliest block, so that lanes meet again where control flow does.
//!
//! Every access is checked against its object's bounds and its alignment. [`Checks`] asks for more:
//! reads of uninitialised memory, data races, barriers that not every work-item of the group
//! reaches. The first fault ends a launch, unless [`Findings`] collect them.

mod access;
mod arithmetic;
mod block_order;
mod checks;
mod decode;
mod execute;
mod fault;
mod findings;
mod fold_addresses;
mod format_printf;
mod group;
mod index_space;
mod lane_access;
mod lanes;
mod memory;
mod program;
mod run;
mod strip;
mod trace;

pub use crate::ir::AccessKind;
pub use fault::{Elsewhere, Fault, RacingAccess, SourceLocation, WorkItem};
pub use findings::{Finding, Findings};
pub use format_printf::{PrintfArgument, format_printf};
pub use program::Program;
pub use trace::{TracedAccess, Tracer};

use std::panic::resume_unwind;
use std::thread;

use crate::{
    Kernel,
    launch::{Launch, Memory},
};

/// Takes what a kernel prints.
pub type Print<'a> = dyn Fn(&[u8]) + Sync + 'a;

/// How a launch is executed.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// What is reported as a fault.
    pub checks: Checks,
    /// How many threads may share the work. Kernels whose effects have an order (atomics on
    /// buffers, volatile accesses, printf) and launches that are watched for races or for reads of
    /// uninitialised memory run on one.
    pub threads: usize,
    /// How many instructions a work-item may execute.
    pub step_limit: u64,
    /// Is given what the kernel prints, as soon as it prints it. Without it, the output is
    /// collected in [`Outcome::printed`].
    pub print: Option<&'a Print<'a>>,
    /// Whether other launches work on the same memory at the same time.
    pub concurrency: Concurrency,
    /// Takes what the checks report, and the launch goes on as without them. Without it, the first
    /// fault ends the launch.
    pub findings: Option<&'a Findings>,
}

/// Whether other launches work on the same memory at the same time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Concurrency {
    /// None do.
    #[default]
    Exclusive,
    /// Some do: atomic operations are atomic for them, too.
    Shared,
}

/// What is reported as a fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Checks {
    /// Accesses outside of their object, misaligned or through null pointers, and writes to
    /// read-only memory. Without this they read zero, write nothing and are counted.
    pub bounds: bool,
    /// Reads of bytes that have not been written.
    pub uninitialised: bool,
    /// Accesses of different work-items to the same byte, at least one a write and not both
    /// atomic, that no barrier orders.
    pub races: bool,
    /// Barriers that some work-items of the group do not reach. Without this a barrier opens when
    /// every work-item that has not ended waits at some barrier.
    pub divergence: bool,
}

/// What a launch did.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Outcome {
    /// Instructions executed, summed over work-items; those without operands that are the same
    /// wherever they stand (constants, arguments, addresses, work-item functions) do not count.
    pub instructions: u64,
    /// Loads and atomics executed, summed over work-items.
    pub loads: u64,
    /// Stores and atomics executed, summed over work-items.
    pub stores: u64,
    /// Bytes that the loads transferred.
    pub bytes_read: u64,
    /// Bytes that the stores transferred.
    pub bytes_written: u64,
    /// Accesses that [`Checks::bounds`] would have reported.
    pub violations: u64,
    /// What the kernel printed, unless [`Options::print`] took it.
    pub printed: Vec<u8>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            checks: Checks {
                bounds: true,
                ..Checks::default()
            },
            threads: 1,
            step_limit: 1 << 32,
            print: None,
            concurrency: Concurrency::Exclusive,
            findings: None,
        }
    }
}

impl Checks {
    /// No check.
    pub const NONE: Checks = Checks {
        bounds: false,
        uninitialised: false,
        races: false,
        divergence: false,
    };

    /// Every check.
    pub const ALL: Checks = Checks {
        bounds: true,
        uninitialised: true,
        races: true,
        divergence: true,
    };
}

/// Executes a launch of a kernel that has passed verification; its results are left in `memory`.
pub fn run(
    kernel: &Kernel,
    launch: &Launch,
    memory: &Memory,
    options: &Options<'_>,
) -> Result<Outcome, Fault> {
    Program::new(kernel).run(launch, memory, options)
}

/// Executes a launch of each of several kernels at the same time; the outcomes are in their order.
pub fn run_together(
    launches: &[(&Kernel, &Launch)],
    memory: &Memory,
    options: &Options<'_>,
) -> Result<Vec<Outcome>, Fault> {
    let options = Options {
        concurrency: Concurrency::Shared,
        ..*options
    };
    thread::scope(|scope| {
        let threads = launches.iter().map(|&(kernel, launch)| {
            let options = &options;
            scope.spawn(move || run(kernel, launch, memory, options))
        });
        let threads: Vec<_> = threads.collect();
        let outcomes = threads.into_iter().map(|thread| thread.join());
        outcomes
            .map(|outcome| outcome.unwrap_or_else(|panic| resume_unwind(panic)))
            .collect()
    })
}
