//! The outside of a kernel's circuit during a launch: a host that places the buffers in external
//! memory, starts the circuit once and waits until it is done. The simulator and the Verilog run
//! with the same host, so that their results and cycles can be compared.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use sluice_circuit::dram::{
    Dram, Memory as ExternalMemory, Ports, SharedMemory, SharedTraffic, Timing, Traffic,
};
use sluice_circuit::sim::Io;
use sluice_circuit::unit::Model;

use crate::Kernel;
use crate::ir::{Object, ObjectKind, Query};
use crate::launch::{Argument, BufferId, Launch, LaunchError, Memory};
use crate::lower::{LaunchValue, Lowered};

/// Where the first buffer lies; addresses below are no buffer's.
const FIRST_ADDRESS: u64 = 0x1000;

/// Buffers begin at multiples of this.
const BUFFER_ALIGN: u64 = 4096;

/// A launch that is about to run on a circuit.
#[derive(Debug)]
pub struct Host {
    constants: Vec<u64>,
    addresses: Addresses,
    memory: Option<(SharedMemory, Timing)>,
    traffic: SharedTraffic,
    done: Done,
}

/// The cycle in which the kernel was done, if it is.
#[derive(Clone, Debug)]
struct Done(Arc<AtomicU64>);

impl Done {
    const NOT_YET: u64 = u64::MAX;

    fn new() -> Done {
        Done(Arc::new(AtomicU64::new(Done::NOT_YET)))
    }

    fn set(&self, cycle: u64) {
        self.0.store(cycle, Ordering::Relaxed);
    }

    fn get(&self) -> Option<u64> {
        Some(self.0.load(Ordering::Relaxed)).filter(|&cycle| cycle != Done::NOT_YET)
    }
}

impl Host {
    /// Prepares a launch: its buffers, and what else lies there, are copied to external memory.
    pub fn new(
        kernel: &Kernel,
        lowered: &Lowered,
        launch: &Launch,
        memory: &Memory,
        timing: &Timing,
    ) -> Result<Host, LaunchError> {
        launch.check(kernel)?;
        let addresses = Addresses::of(memory, lowered, timing);
        let constants = lowered.constants.iter();
        let constants = constants.map(|value| constant(kernel, launch, &addresses, *value));
        let has_memory = lowered.circuit.outputs().len() > 1;
        Ok(Host {
            constants: constants.collect(),
            memory: has_memory.then(|| {
                let external = SharedMemory::new(fill(kernel, launch, memory, &addresses));
                (external, timing.clone())
            }),
            addresses,
            traffic: SharedTraffic::default(),
            done: Done::new(),
        })
    }

    /// The values of the circuit's constants.
    pub fn constants(&self) -> &[u64] {
        &self.constants
    }

    /// External memory with the launch's buffers, if the circuit has any: for an outside other than
    /// [`Host::outside`].
    pub fn external_memory(&self) -> Option<&SharedMemory> {
        self.memory.as_ref().map(|(memory, _)| memory)
    }

    /// The model of the circuit's outside.
    pub fn outside(&mut self) -> Box<dyn Model> {
        let dram = self
            .memory
            .as_ref()
            .map(|(memory, timing)| Dram::new(timing.clone(), PORTS, memory.clone()));
        if let Some(dram) = &dram {
            self.traffic = dram.traffic();
        }
        Box::new(Outside {
            dram,
            done: self.done.clone(),
        })
    }

    /// In which cycle the kernel was done, if it is.
    pub fn done(&self) -> Option<u64> {
        self.done.get()
    }

    /// What has crossed the bus of external memory.
    pub fn traffic(&self) -> Traffic {
        self.traffic.get()
    }

    /// Copies the results to where the buffers came from.
    pub fn read_back(&self, memory: &Memory) {
        let Some((external, _)) = &self.memory else {
            return;
        };
        let external = external.lock();
        for (id, buffer) in memory.buffers() {
            let mut bytes = vec![0; buffer.len()];
            external.read(self.addresses.buffers[id.as_u32() as usize], &mut bytes);
            buffer.copy_from_bytes(&bytes);
        }
    }
}

/// Where external memory holds what.
#[derive(Debug)]
struct Addresses {
    buffers: Vec<u64>,
    objects: BTreeMap<Object, u64>,
}

impl Addresses {
    /// Each begins in another bank of the memory: buffers of one size, which a kernel often runs
    /// through in step, would otherwise meet in the same bank with different rows.
    fn of(memory: &Memory, lowered: &Lowered, timing: &Timing) -> Addresses {
        let (row, banks) = (u64::from(timing.row_bytes), u64::from(timing.banks));
        let mut next = FIRST_ADDRESS;
        let mut numbers = 0..;
        let mut place = |bytes: u64| {
            let number = numbers.next().expect("there is no end of numbers");
            while next / row % banks != 5 * number % banks {
                next = (next / row + 1) * row;
            }
            let address = next;
            next = (next + bytes.max(1)).next_multiple_of(BUFFER_ALIGN);
            address
        };
        Addresses {
            buffers: memory
                .buffers()
                .map(|(_, buffer)| place(buffer.len() as u64))
                .collect(),
            objects: lowered
                .placed
                .iter()
                .map(|placed| (placed.object, place(placed.bytes)))
                .collect(),
        }
    }
}

fn fill(
    kernel: &Kernel,
    launch: &Launch,
    memory: &Memory,
    addresses: &Addresses,
) -> ExternalMemory {
    let mut external = ExternalMemory::default();
    for ((_, buffer), &address) in memory.buffers().zip(&addresses.buffers) {
        external.write(address, &buffer.to_bytes());
    }
    for (&object, &address) in &addresses.objects {
        match &kernel.objects[object].kind {
            ObjectKind::Table { bytes } => external.write(address, bytes),
            ObjectKind::StructArg { param, .. } => {
                external.write(address, struct_bytes(launch, *param));
            }
            ObjectKind::Private { .. } => {}
            ObjectKind::Buffer { .. } | ObjectKind::LocalArg { .. } | ObjectKind::Local { .. } => {
                unreachable!("Lowered::placed: what is no buffer and in external memory")
            }
        }
    }
    external
}

fn struct_bytes(launch: &Launch, param: u32) -> &[u8] {
    match &launch.args[param as usize] {
        Argument::Struct(bytes) => bytes,
        _ => unreachable!("Launch::check: structs go to struct parameters"),
    }
}

fn constant(kernel: &Kernel, launch: &Launch, addresses: &Addresses, value: LaunchValue) -> u64 {
    let range = &launch.range;
    match value {
        LaunchValue::Argument { param, lane } => match &launch.args[param as usize] {
            Argument::Value(lanes) => lanes[usize::from(lane)],
            _ => unreachable!("Launch::check: values go to value parameters"),
        },
        LaunchValue::Field {
            param,
            offset,
            bits,
        } => {
            let (start, bytes) = (offset as usize, usize::from(bits / 8));
            let mut word = [0; 8];
            word[..bytes].copy_from_slice(&struct_bytes(launch, param)[start..start + bytes]);
            u64::from_le_bytes(word)
        }
        LaunchValue::Address(object) => match buffer_of(kernel, launch, object) {
            Some(id) => addresses.buffers[id.as_u32() as usize],
            None => addresses.objects.get(&object).copied().unwrap_or(0),
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
    done: Done,
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
            self.done.set(io.cycle());
        }
        if let Some(dram) = &mut self.dram {
            dram.clock(io);
        }
    }
}
