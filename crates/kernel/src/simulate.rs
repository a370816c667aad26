//! Launches on a kernel's circuit, simulated cycle by cycle.

use std::sync::{Arc, Mutex};

use sluice_circuit::dram::{Dram, Memory as ExternalMemory, Ports, SharedMemory, Timing};
use sluice_circuit::sim::{Io, Simulator};
use sluice_circuit::unit::Model;

use crate::Kernel;
use crate::ir::{Object, ObjectKind, Query};
use crate::launch::{Argument, BufferId, Launch, LaunchError, Memory};
use crate::lower::{LaunchValue, Lowered};

/// Where the first buffer lies; addresses below are no buffer's.
const FIRST_ADDRESS: u64 = 0x1000;

/// Buffers begin at multiples of this.
const BUFFER_ALIGN: u64 = 4096;

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
    launch.check(kernel)?;
    let addresses = place_buffers(memory, &options.timing);
    let shared = SharedMemory::new(fill(memory, &addresses));
    let constants: Vec<u64> = lowered
        .constants
        .iter()
        .map(|value| constant(kernel, launch, &addresses, *value))
        .collect();
    let done = Arc::new(Mutex::new(None));
    let outside = Outside {
        dram: has_memory(lowered).then(|| Dram::new(options.timing.clone(), PORTS, shared.clone())),
        done: Arc::clone(&done),
    };
    let mut simulator = Simulator::new(&lowered.circuit, Box::new(outside), &constants);
    let finished = || *done.lock().expect("the simulator does not panic");
    let cycles = loop {
        let before = simulator.cycle();
        let went_on = simulator.step(options.cycle_limit);
        match finished() {
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
    let external = shared.lock();
    for (id, buffer) in memory.buffers() {
        let mut bytes = vec![0; buffer.len()];
        external.read(addresses[id.as_u32() as usize], &mut bytes);
        buffer.copy_from_bytes(&bytes);
    }
    Ok(Outcome { cycles })
}

fn has_memory(lowered: &Lowered) -> bool {
    lowered.circuit.outputs().len() > 1
}

/// Addresses by buffer. Each begins in another bank of the memory: buffers of one size, which a
/// kernel often runs through in step, would otherwise meet in the same bank with different rows.
fn place_buffers(memory: &Memory, timing: &Timing) -> Vec<u64> {
    let mut next = FIRST_ADDRESS;
    let (row, banks) = (u64::from(timing.row_bytes), u64::from(timing.banks));
    (0..)
        .zip(memory.buffers())
        .map(|(number, (_, buffer))| {
            while next / row % banks != 5 * number % banks {
                next = (next / row + 1) * row;
            }
            let address = next;
            next = (next + buffer.len().max(1) as u64).next_multiple_of(BUFFER_ALIGN);
            address
        })
        .collect()
}

fn fill(memory: &Memory, addresses: &[u64]) -> ExternalMemory {
    let mut external = ExternalMemory::default();
    for ((_, buffer), &address) in memory.buffers().zip(addresses) {
        external.write(address, &buffer.to_bytes());
    }
    external
}

fn constant(kernel: &Kernel, launch: &Launch, addresses: &[u64], value: LaunchValue) -> u64 {
    let range = &launch.range;
    match value {
        LaunchValue::Argument { param, lane } => match &launch.args[param as usize] {
            Argument::Value(lanes) => lanes[usize::from(lane)],
            _ => unreachable!("Launch::check: values go to value parameters"),
        },
        LaunchValue::Address(object) => match buffer_of(kernel, launch, object) {
            Some(id) => addresses[id.as_u32() as usize],
            None => 0,
        },
        LaunchValue::Size(query, dim) => {
            let dim = usize::from(dim);
            match query {
                Query::GlobalSize => range.global[dim],
                Query::LocalSize => range.local[dim],
                Query::NumGroups => range.num_groups()[dim],
                Query::GlobalOffset => range.offset[dim],
                Query::WorkDim => range.dims.into(),
                Query::GlobalId | Query::LocalId | Query::GroupId => {
                    unreachable!("ids come with the work-item")
                }
            }
        }
        LaunchValue::Total => range.work_items(),
    }
}

fn buffer_of(kernel: &Kernel, launch: &Launch, object: Object) -> Option<BufferId> {
    let ObjectKind::Buffer { param, .. } = kernel.objects[object].kind else {
        return None;
    };
    match launch.args[param as usize] {
        Argument::Buffer(id) => Some(id),
        _ => None,
    }
}

/// The circuit's outside: a host that starts it once, and external memory.
struct Outside {
    dram: Option<Dram>,
    done: Arc<Mutex<Option<u64>>>,
}

/// The outside's outputs: start, then what memory answers; its inputs: what memory is asked, then
/// done.
const START: usize = 0;
const PORTS: Ports = Ports {
    ar: 0,
    aw: 1,
    w: 2,
    r: 1,
    b: 2,
};

impl Outside {
    fn done_port(&self) -> usize {
        if self.dram.is_some() { 3 } else { 0 }
    }
}

impl Model for Outside {
    fn reset(&mut self, _: &[u64], io: &mut Io<'_>) {
        io.offer(START, &[]);
        io.accept(self.done_port(), true);
        if let Some(dram) = &mut self.dram {
            dram.reset(&[], io);
        }
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        if io.taken(self.done_port()).is_some() {
            *self.done.lock().expect("nobody panics while it holds this") = Some(io.cycle());
        }
        if let Some(dram) = &mut self.dram {
            dram.clock(io);
        }
    }
}
