//! Why a launch on a circuit does not end: barriers that some work-items of a group never reach, and
//! loops that work-items never leave.

use std::fmt;
use std::sync::{Arc, Mutex};

use sluice_circuit::circuit::Channel;
use sluice_circuit::sim::Simulator;
use sluice_circuit::unit::Status;

use crate::interp::SourceLocation;
use crate::launch::host::Job;
use crate::lower::{Interface, Lowered};

/// Cycles in which the loops are watched that a circuit is in.
const WATCHED_CYCLES: u64 = 1 << 14;

/// A work-group of which some work-items wait at a barrier that the others do not come to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Divergence {
    /// The kernel.
    pub kernel: String,
    /// Where work-items of the group wait, and how many.
    pub waiting: Vec<(SourceLocation, u64)>,
    /// Those that have ended.
    pub ended: u64,
    /// Work-items of the group.
    pub size: u64,
    /// How many such groups there are at the moment.
    pub groups: usize,
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Divergence {
            waiting,
            ended,
            size,
            groups,
            ..
        } = self;
        for (at, (place, count)) in waiting.iter().enumerate() {
            match at {
                0 => write!(
                    f,
                    "the barrier at {place} was reached by {count} of the {size} work-items of a \
                     work-group"
                )?,
                _ => {
                    let wait = if *count == 1 { "waits" } else { "wait" };
                    write!(f, ", {count} {wait} at the barrier at {place}")?;
                }
            }
        }
        if *ended > 0 {
            let have = if *ended == 1 { "has" } else { "have" };
            write!(f, ", {ended} {have} ended")?;
        }
        match groups - 1 {
            0 => Ok(()),
            1 => f.write_str("; another group is in the same state"),
            others => write!(f, "; {others} other groups are in the same state"),
        }
    }
}

/// The first group that waits at barriers for work-items that do not come. To be asked of a circuit
/// in which nothing happens any more.
pub(crate) fn divergence(
    jobs: &[Job<'_>],
    lowered: &Lowered,
    simulator: &Simulator,
) -> Option<Divergence> {
    let kernels = jobs.iter().zip(lowered.kernels());
    let mut found = kernels.flat_map(|(job, interface)| diverging(job, interface, simulator));
    let first = found.next()?;
    Some(Divergence {
        groups: 1 + found.count(),
        ..first
    })
}

/// The groups of a kernel that wait.
fn diverging(job: &Job<'_>, interface: &Interface, simulator: &Simulator) -> Vec<Divergence> {
    let size = job.launch.range.group_size();
    let mut groups: Vec<((u32, usize), Divergence)> = Vec::new();
    for barrier in &interface.barriers {
        let Status::Gathering(counts) = simulator.status(barrier.unit) else {
            continue;
        };
        let come = counts.iter().enumerate().filter(|&(_, &count)| count > 0);
        for (slot, &count) in come {
            let group = (barrier.path, slot);
            let at = groups.iter().position(|(known, _)| *known == group);
            let at = at.unwrap_or_else(|| {
                let divergence = Divergence {
                    kernel: job.kernel.name.clone(),
                    waiting: Vec::new(),
                    ended: size,
                    size,
                    groups: 1,
                };
                groups.push((group, divergence));
                groups.len() - 1
            });
            let divergence = &mut groups[at].1;
            let place = SourceLocation::new(job.kernel, barrier.loc);
            divergence.waiting.push((place, count.into()));
            divergence.ended -= u64::from(count).min(divergence.ended);
        }
    }
    groups
        .into_iter()
        .map(|(_, divergence)| divergence)
        .collect()
}

/// Work-items that have not ended.
pub(crate) fn remaining(lowered: &Lowered, simulator: &Simulator) -> u64 {
    let units = lowered.circuit().units().keys();
    let remaining = units.map(|unit| match simulator.status(unit) {
        Status::Remaining(count) => count,
        Status::Gathering(_) | Status::Other => 0,
    });
    remaining.sum()
}

/// The loop that work-items go round most often, if any is running. The simulation goes on for a
/// while, and a watch that was set is gone.
pub(crate) fn busiest_loop(
    jobs: &[Job<'_>],
    lowered: &Lowered,
    simulator: &mut Simulator,
) -> Option<SourceLocation> {
    let kernels = jobs.iter().zip(lowered.kernels());
    let loops = kernels.flat_map(|(job, interface)| {
        let loops = interface.loops.iter();
        loops.map(|it| (it.channel, SourceLocation::new(job.kernel, it.loc)))
    });
    let (channels, places): (Vec<Channel>, Vec<SourceLocation>) = loops.unzip();
    let rounds = Arc::new(Mutex::new(vec![0_u64; channels.len()]));
    let count = Arc::clone(&rounds);
    let watch = move |number: usize, _: &[u64]| {
        count.lock().expect("counting does not panic")[number] += 1;
    };
    simulator.watch(&channels, Box::new(watch));
    let end = simulator.cycle().saturating_add(WATCHED_CYCLES);
    while simulator.step(end) {}
    let rounds = rounds.lock().expect("counting does not panic");
    let busiest = rounds.iter().zip(places).filter(|&(&rounds, _)| rounds > 0);
    busiest
        .max_by_key(|&(&rounds, _)| rounds)
        .map(|(_, place)| place)
}
