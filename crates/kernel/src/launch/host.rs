//! The environment of a circuit during a launch of its kernels: a host that places the buffers in
//! external memory, starts each kernel once and waits until all are done. External memory is the
//! buffers themselves: what a kernel writes is there at once. The simulator and the
//! Verilog run with the same host, so that their results and cycles can be compared.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use sluice_circuit::dram::{
    Direction, Dram, Memory as ExternalMemory, Ports, SharedTraffic, Timing, Traffic,
};
use sluice_circuit::sim::{Io, Simulator};
use sluice_circuit::unit::Model;

use crate::Kernel;
use crate::interp::{PrintfArgument, SourceLocation, format_printf};
use crate::ir::{Object, ObjectKind};
use crate::launch::bounds::{self, Counted, Watched};
use crate::launch::placement::{self, Placement, Span};
use crate::launch::printed::Printed;
use crate::launch::residency::Residency;
use crate::launch::{Argument, BufferId, Launch, LaunchError, Memory, NdRange};
use crate::lower::{Interface, Lowered, Print, WatchedAccess};
use crate::prepare::LaunchValue;

pub use crate::launch::bounds::{FirstOutOfBounds, ObjectSize, OutOfBounds, Problem};
pub use crate::launch::placement::{Near, Violation, Violations};
pub use crate::launch::printed::{MOST_PRINTS, lost_prints};

/// Where strings are that only the host reads: no memory has these addresses.
const STRINGS: u64 = 1 << 56;

/// A kernel and what to do with it.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// The kernel.
    pub kernel: &'a Kernel,
    /// Its launch.
    pub launch: &'a Launch,
}

impl Job<'_> {
    /// The kernel and the launch of tokens, if these have several work-items.
    fn in_tokens(self, interface: &Interface) -> Result<Option<(Kernel, Launch)>, LaunchError> {
        let Some(packed) = &interface.packed else {
            return Ok(None);
        };
        let launch = match packed.looped {
            Some(space) => self.launch.in_loops(self.kernel, &space)?,
            None => self.launch.in_lanes(self.kernel, packed.lanes)?,
        };
        let mut kernel = self.kernel.clone();
        kernel.objects.clone_from(&packed.objects);
        Ok(Some((kernel, launch)))
    }
}

/// Launches that are about to run on a circuit, one of each of its kernels, all at once.
#[derive(Debug)]
pub struct Host {
    constants: Vec<u64>,
    placement: Placement,
    memory: ExternalMemory,
    watched: Vec<Watched>,
    /// Whether kernels read what they turn out not to need.
    reads_in_vain: bool,
    timing: Timing,
    traffic: Vec<SharedTraffic>,
    wiring: Wiring,
    done: Done,
    prints: Vec<Print>,
    strings: BTreeMap<u64, Vec<u8>>,
    printed: Printed,
}

/// The ports of a circuit's environment: what its model drives are the circuit's inputs.
#[derive(Clone, Debug)]
struct Wiring {
    starts: Vec<usize>,
    dones: Vec<usize>,
    prints: Vec<usize>,
    memories: Vec<Ports>,
}

/// The cycle in which the last kernel was done, if all are.
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
    /// Prepares launches: the buffers, and what else lies in external memory, get their addresses.
    pub fn new(
        jobs: &[Job<'_>],
        lowered: &Lowered,
        memory: &Memory,
        timing: &Timing,
    ) -> Result<Host, LaunchError> {
        assert_eq!(
            jobs.len(),
            lowered.kernels().len(),
            "a launch of each kernel"
        );
        for job in jobs {
            job.launch.check(job.kernel)?;
        }
        for job in jobs {
            let address = placement::variables_address(timing);
            job.launch.fill_variables(job.kernel, memory, address);
        }
        let ranges: Vec<NdRange> = jobs.iter().map(|job| job.launch.range).collect();
        let tokens = jobs.iter().zip(lowered.kernels());
        let tokens = tokens.map(|(job, interface)| job.in_tokens(interface));
        let tokens: Vec<Option<(Kernel, Launch)>> = tokens.collect::<Result<_, _>>()?;
        let jobs = jobs.iter().zip(&tokens);
        let jobs = jobs.map(|(job, tokens)| match tokens {
            Some((kernel, launch)) => Job { kernel, launch },
            None => *job,
        });
        let jobs: Vec<Job<'_>> = jobs.collect();
        let mut placement = Placement::new(&jobs, lowered, memory, timing)?;
        let mut constants = vec![0; lowered.circuit().constants().len()];
        let mut strings = BTreeMap::new();
        let mut watched = Vec::new();
        for ((job, interface), given) in jobs.iter().zip(lowered.kernels()).zip(&ranges) {
            let residency = Residency::of(job.kernel, interface, job.launch)?;
            let mut objects: BTreeMap<Object, u64> = residency.addresses.iter().copied().collect();
            let mut spans = BTreeMap::new();
            for placed in &interface.placed {
                let name = &job.kernel.objects[placed.object].name;
                let contents = contents(*job, placed.object);
                let span = placement.place(name, placed.total(), contents);
                objects.insert(placed.object, span.address());
                spans.insert(placed.object, span);
            }
            let reach = Reach {
                job: *job,
                memory,
                placement: &placement,
                spans,
            };
            let accesses = interface.accesses.iter();
            watched.extend(accesses.map(|access| reach.watched(access)));
            place_strings(job.kernel, interface, &mut objects, &mut strings);
            let values = Values {
                job: *job,
                given,
                interface,
                memory,
                placement: &placement,
                objects: &objects,
                residency: &residency,
            };
            for &(constant, value) in &interface.constants {
                constants[constant.as_u32() as usize] = values.get(value);
            }
        }
        let prints = lowered.kernels().iter().flat_map(|kernel| &kernel.prints);
        Ok(Host {
            constants,
            memory: placement.memory(),
            placement,
            watched,
            reads_in_vain: lowered.kernels().iter().any(|it| it.reads_in_vain),
            timing: timing.clone(),
            traffic: Vec::new(),
            wiring: Wiring::of(lowered),
            done: Done::new(),
            prints: prints.cloned().collect(),
            strings,
            printed: Printed::default(),
        })
    }

    /// The values of the circuit's constants.
    pub fn constants(&self) -> &[u64] {
        &self.constants
    }

    /// External memory with the launches' buffers: for an environment other than [`Host::environment`].
    pub fn external_memory(&self) -> &ExternalMemory {
        &self.memory
    }

    /// The model of the circuit's environment.
    pub fn environment(&mut self) -> Box<dyn Model> {
        let memories = self.wiring.memories.iter();
        let dram = |&ports| Dram::new(self.timing.clone(), ports, self.memory.clone());
        let drams: Vec<Dram> = memories.map(dram).collect();
        self.traffic = drams.iter().map(Dram::traffic).collect();
        Box::new(Environment {
            wiring: self.wiring.clone(),
            drams,
            running: 0,
            done: self.done.clone(),
            printed: self.printed.clone(),
        })
    }

    /// In which cycle the last kernel was done, if all are.
    pub fn done(&self) -> Option<u64> {
        self.done.get()
    }

    /// What has crossed the buses of external memory.
    pub fn traffic(&self) -> Traffic {
        let all = self.traffic.iter().map(SharedTraffic::get);
        all.fold(Traffic::default(), |sum, traffic| sum + traffic)
    }

    /// How much has happened that can be seen: bytes that were written to external memory, and prints.
    pub fn effects(&self) -> u64 {
        self.traffic().written + self.printed.count()
    }

    /// What the kernels have asked of external memory outside of all that they were given. If they read in vain, only
    /// what they wrote: the rest is not told apart.
    pub fn violations(&self) -> Violations {
        let mut counted = self.memory.violations();
        if self.reads_in_vain {
            counted.reads = 0;
            counted.first = counted.first.filter(|it| it.direction == Direction::Write);
        }
        self.placement.violations(counted)
    }

    /// Counts from now on the accesses that leave their objects.
    pub(crate) fn watch_bounds(&self, simulator: &mut Simulator) -> Counted {
        bounds::watch(simulator, self.watched.clone())
    }

    /// What the kernels have printed, in the order in which it came.
    pub fn printed(&self) -> Vec<u8> {
        self.printed.text(|print, values| {
            let print = &self.prints[print];
            let args = print.types.iter().zip(values);
            let args: Vec<_> = args
                .map(|(&ty, &bits)| PrintfArgument { ty, bits })
                .collect();
            format_printf(&print.format, &args, |address| {
                self.strings.get(&address).cloned().unwrap_or_default()
            })
        })
    }
}

/// What the accesses of a launch may reach.
struct Reach<'a> {
    job: Job<'a>,
    memory: &'a Memory,
    placement: &'a Placement,
    /// What is no buffer.
    spans: BTreeMap<Object, Span>,
}

impl Reach<'_> {
    fn watched(&self, access: &WatchedAccess) -> Watched {
        let objects = access.objects.iter();
        let spans = match access.is_external {
            true => Some(objects.clone().filter_map(|&it| self.span(it)).collect()),
            false => None,
        };
        Watched {
            channel: access.channel,
            guard: access.guard,
            is_conditional: access.is_conditional,
            kind: access.kind,
            bytes: access.bytes,
            align: access.align,
            place: SourceLocation::new(self.job.kernel, access.loc),
            spans,
            objects: objects.filter_map(|&object| self.size(object)).collect(),
        }
    }

    /// The name and size of an object that is no buffer.
    fn size(&self, object: Object) -> Option<ObjectSize> {
        let Job { kernel, launch } = self.job;
        let data = &kernel.objects[object];
        let size = match data.kind {
            ObjectKind::Buffer { .. } => return None,
            ObjectKind::LocalArg { param } => local_bytes(launch, param),
            ObjectKind::LocalPerItem { bytes } => bytes * launch.range.group_size(),
            ObjectKind::Private { .. }
            | ObjectKind::Local { .. }
            | ObjectKind::StructArg { .. }
            | ObjectKind::Table { .. } => data.size()?,
        };
        let name = data.name.clone();
        Some(ObjectSize { name, size })
    }

    fn span(&self, object: Object) -> Option<Span> {
        let Job { kernel, launch } = self.job;
        match buffer_of(kernel, launch, object) {
            Some(id) => {
                let name = &kernel.objects[object].name;
                Some(self.placement.span(name, id, self.memory))
            }
            None => self.spans.get(&object).cloned(),
        }
    }
}

/// Places the tables that no unit of the circuit reads: strings for `%s`.
fn place_strings(
    kernel: &Kernel,
    interface: &Interface,
    objects: &mut BTreeMap<Object, u64>,
    strings: &mut BTreeMap<u64, Vec<u8>>,
) {
    for &(_, value) in &interface.constants {
        let LaunchValue::Address(object) = value else {
            continue;
        };
        let ObjectKind::Table { bytes } = &kernel.objects[object].kind else {
            continue;
        };
        let next = STRINGS + ((strings.len() as u64) << 32);
        let address = *objects.entry(object).or_insert(next);
        let end = bytes.iter().position(|&byte| byte == 0);
        strings.insert(address, bytes[..end.unwrap_or(bytes.len())].to_vec());
    }
}

/// What an object holds when a launch starts.
fn contents<'a>(job: Job<'a>, object: Object) -> &'a [u8] {
    match &job.kernel.objects[object].kind {
        ObjectKind::Table { bytes } => bytes,
        ObjectKind::StructArg { param, .. } => struct_bytes(job.launch, *param),
        ObjectKind::Private { .. } => &[],
        ObjectKind::Buffer { .. }
        | ObjectKind::LocalArg { .. }
        | ObjectKind::Local { .. }
        | ObjectKind::LocalPerItem { .. } => {
            unreachable!("Interface::placed: what is no buffer and in external memory")
        }
    }
}

fn local_bytes(launch: &Launch, param: u32) -> u64 {
    match launch.args[param as usize] {
        Argument::Local(bytes) => bytes,
        _ => unreachable!("Launch::check: local memory goes to local parameters"),
    }
}

fn struct_bytes(launch: &Launch, param: u32) -> &[u8] {
    match &launch.args[param as usize] {
        Argument::Struct(bytes) => bytes,
        _ => unreachable!("Launch::check: structs go to struct parameters"),
    }
}

/// What a launch's constants are computed from.
struct Values<'a> {
    job: Job<'a>,
    /// The index space that the host is given.
    given: &'a NdRange,
    interface: &'a Interface,
    memory: &'a Memory,
    placement: &'a Placement,
    objects: &'a BTreeMap<Object, u64>,
    residency: &'a Residency,
}

impl Values<'_> {
    fn get(&self, value: LaunchValue) -> u64 {
        let Job { kernel, launch } = self.job;
        if let Some(value) = value.of_launch(kernel, launch, self.given) {
            return value;
        }
        match value {
            LaunchValue::PathAddress { object, path } => {
                let mut placed = self.interface.placed.iter();
                let placed = placed.find(|placed| placed.object == object);
                let placed = placed.expect("private arrays in external memory are placed");
                self.objects[&object] + placed.bytes * u64::from(path)
            }
            LaunchValue::Address(object) => match buffer_of(kernel, launch, object) {
                Some(id) => self.placement.buffer(id),
                None => self.objects.get(&object).copied().unwrap_or(0),
            },
            // The circuit fetches no more than a copy holds, which is less.
            LaunchValue::Bytes(object) => buffer_of(kernel, launch, object).map_or(0, |id| {
                let bytes = self.memory.buffer(id).len() as u64;
                bytes.min(u32::MAX.into())
            }),
            LaunchValue::GroupShift => self.residency.group_shift.into(),
            LaunchValue::Resident => self.residency.resident.into(),
            LaunchValue::LocalShift(memory) => self.residency.local_shifts[memory as usize].into(),
            LaunchValue::Argument { .. }
            | LaunchValue::Field { .. }
            | LaunchValue::Size(..)
            | LaunchValue::Space(..)
            | LaunchValue::Total
            | LaunchValue::GroupSize
            | LaunchValue::LocalLimit { .. } => unreachable!("of_launch: the launch decides it"),
        }
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

/// The circuit's environment: a host that starts each kernel once, and external memory.
struct Environment {
    wiring: Wiring,
    drams: Vec<Dram>,
    /// Kernels that are not done.
    running: usize,
    done: Done,
    printed: Printed,
}

impl Wiring {
    fn of(lowered: &Lowered) -> Wiring {
        let (circuit, kernels) = (lowered.circuit(), lowered.kernels());
        let prints = kernels.iter().flat_map(|kernel| &kernel.prints);
        let memories = lowered.memory_ports().iter();
        Wiring {
            starts: kernels
                .iter()
                .map(|it| circuit.input_index(it.start))
                .collect(),
            dones: kernels
                .iter()
                .map(|it| circuit.output_index(it.done))
                .collect(),
            prints: prints.map(|it| circuit.output_index(it.channel)).collect(),
            memories: memories.map(|it| it.ports(circuit)).collect(),
        }
    }
}

impl Model for Environment {
    fn reset(&mut self, _: &[u64], io: &mut Io<'_>) {
        self.running = self.wiring.starts.len();
        for &start in &self.wiring.starts {
            io.offer(start, &[]);
        }
        for &port in self.wiring.dones.iter().chain(&self.wiring.prints) {
            io.accept(port, true);
        }
        for dram in &mut self.drams {
            dram.reset(&[], io);
        }
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        for &done in &self.wiring.dones {
            if io.taken(done).is_some() {
                self.running -= 1;
                if self.running == 0 {
                    self.done.set(io.cycle());
                }
            }
        }
        for (print, &port) in self.wiring.prints.iter().enumerate() {
            if let Some(args) = io.taken(port) {
                self.printed.add(print, args);
            }
        }
        for dram in &mut self.drams {
            dram.clock(io);
        }
    }
}
