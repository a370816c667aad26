//! What is chosen for a program's circuits, as far as the program leaves a choice.
//!
//! A plan has entries for the bitstream, for each kernel, and inside a kernel for objects and accesses; what
//! has no entry has the default figures, which the target decides. Results never depend on a plan.

pub mod names;

use std::collections::BTreeMap;

use sluice_circuit::access::LINE;
use sluice_circuit::units::cache::Cache;

use crate::analysis::LoopData;
pub use crate::ir::MemoryUnit;
use crate::ir::{Inst, Kernel, Loc, ParamKind};
pub use crate::items::Looped;
use crate::launch::{Argument, BufferId, Launch, Memory};
use crate::prepare::SIZED_ALIGN;

/// Bytes that may be left free beside a buffer, so that it begins in another bank.
const BESIDE_BUFFER: u64 = 1 << 20;

/// Bits that arguments are counted in: few choices, so that few circuits serve all launches. With 15, `i * n + j` has 31;
/// with 10, `(i * n + j) * m + k` has.
const ARGUMENT_BITS: [u32; 2] = [10, 15];

/// What is chosen for the kernels of a program, which share a circuit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// Bits of an address in external memory.
    pub address_bits: u32,
    /// Bytes of a cache line, and of a beat at a memory port: a power of two from 8 to 64. Where an access is
    /// wider, lines are as long as it.
    pub line_bytes: u32,
    /// Ports to external memory; a buffer is always reached through the same one.
    pub banks: u32,
    /// What is chosen for kernels without an entry of their own.
    pub otherwise: KernelPlan,
    /// The entries of kernels, by name.
    pub kernels: BTreeMap<String, KernelPlan>,
}

/// What is chosen for a kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KernelPlan {
    /// Copies of the kernel's pipeline, 1 to [`Plan::MOST_DATAPATHS`].
    pub datapaths: u32,
    /// Work-items of a token, one of [`lanes::CHOICES`](crate::lanes::CHOICES), if the plan says how many.
    pub lanes: Option<u32>,
    /// Whether different parameters are different buffers.
    pub buffers: Buffers,
    /// What stands between external memory and accesses without an entry of their own, wherever it may;
    /// if nothing is said, what suits the access.
    pub memory: Option<MemoryUnit>,
    /// The figures of everything without an entry of its own.
    pub figures: Figures,
    /// The entries of buffers, by name.
    pub objects: BTreeMap<String, ObjectPlan>,
    /// The entries of accesses.
    pub accesses: BTreeMap<AccessKey, AccessPlan>,
    /// The ways of loops; of others, what suits the loop.
    pub loops: BTreeMap<LoopKey, LoopWay>,
    /// Whether loops become one with the loop inside; where nothing is said, they do if it pays.
    pub coalesce: BTreeMap<LoopKey, bool>,
    /// Bits that integer arguments have at most in all launches, by parameter, if that is known: the others are zero.
    pub argument_bits: BTreeMap<u32, u32>,
    /// How many work-items launches have.
    pub items: LaunchItems,
    /// What becomes of work-items.
    pub work_items: WorkItems,
}

/// What becomes of work-items.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum WorkItems {
    /// Tokens that follow each other through the circuit.
    #[default]
    Tokens,
    /// Iterations of [loops](crate::items).
    Looped(Looped),
}

impl WorkItems {
    /// All of them.
    pub const ALL: [WorkItems; 3] = [
        WorkItems::Tokens,
        WorkItems::Looped(Looped::Launch),
        WorkItems::Looped(Looped::Group),
    ];

    /// What plans call it.
    pub fn name(self) -> &'static str {
        match self {
            WorkItems::Tokens => "tokens",
            WorkItems::Looped(Looped::Launch) => "loop",
            WorkItems::Looped(Looped::Group) => "group-loop",
        }
    }
}

/// How many work-items launches have, as far as that is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LaunchItems {
    /// Nothing is known.
    #[default]
    Unknown,
    /// One each.
    One,
    /// One in each group.
    OneInGroup,
    /// At most [`LaunchItems::MOST_OF_FEW`].
    Few,
    /// Some have more.
    Several,
}

impl LaunchItems {
    /// Work-items that are too few to fill the pipeline of any loop: an iteration takes some 25 cycles at least, and
    /// starts every cycle or, where it waits for a sum of floats, every six.
    pub const MOST_OF_FEW: u64 = 4;

    /// With a launch of this many work-items besides.
    fn with(self, items: u64) -> LaunchItems {
        match self {
            LaunchItems::Unknown | LaunchItems::One if items == 1 => LaunchItems::One,
            LaunchItems::Unknown | LaunchItems::One | LaunchItems::Few
                if items <= LaunchItems::MOST_OF_FEW =>
            {
                LaunchItems::Few
            }
            _ => LaunchItems::Several,
        }
    }
}

/// How the iterations of a loop go through the circuit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LoopWay {
    /// A work-item goes round the loop, an iteration at a time. Many work-items do so at once.
    Recirculating,
    /// Iterations are tokens of their own, in any order.
    Parallel,
    /// Iterations follow each other in order, before the ones ahead of them have ended.
    Pipelined,
}

impl LoopWay {
    /// All of them.
    pub const ALL: [LoopWay; 3] = [
        LoopWay::Recirculating,
        LoopWay::Parallel,
        LoopWay::Pipelined,
    ];

    /// What plans call it.
    pub fn name(self) -> &'static str {
        match self {
            LoopWay::Recirculating => "recirculating",
            LoopWay::Parallel => "parallel",
            LoopWay::Pipelined => "pipelined",
        }
    }
}

/// A loop by where it begins in the source.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LoopKey {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

impl LoopKey {
    /// The key of a loop in the kernel's own file: the first place of its instructions.
    pub fn of(kernel: &Kernel, data: &LoopData) -> Option<LoopKey> {
        let blocks = data.blocks.iter();
        let insts = blocks.flat_map(|&block| &kernel.block(block).insts);
        let locs = insts.map(|&inst| kernel.loc(inst));
        let own = locs.filter(|loc| loc.file == 0 && loc.line > 0);
        let keys = own.map(|loc| LoopKey {
            line: loc.line,
            column: loc.column.into(),
        });
        keys.min()
    }

    /// Where a loop begins in the source; nowhere, if none of its instructions is in the kernel's own file.
    pub(crate) fn loc_of(kernel: &Kernel, data: &LoopData) -> Loc {
        let key = LoopKey::of(kernel, data);
        let loc = |key: LoopKey| Loc {
            file: 0,
            line: key.line,
            column: u16::try_from(key.column).expect("it was the column of a place"),
        };
        key.map(loc).unwrap_or_default()
    }
}

/// What the memories and work-groups of a kernel are built for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Figures {
    /// Cycles that an access takes most of the time, misses included: as many are under way.
    pub latency: u32,
    /// Bytes of each cache.
    pub cache_bytes: u32,
    /// Most bytes of private arrays on the chip, for all work-items together; the same for each
    /// table, for all of its loads together. What does not fit is in external memory.
    pub on_chip_bytes: u64,
    /// Bytes of each local memory for all of its groups together, more only if a single group needs
    /// them.
    pub local_bytes: u64,
    /// Bits of memory at barriers, more only if two groups need them.
    pub barrier_bits: u64,
    /// Work-items of a group that synchronises, at most, unless the kernel says how many.
    pub group_items: u32,
    /// Dimensions of a launch; more where work-items have ids in more of them.
    pub dimensions: u32,
}

/// What is chosen for a buffer. Buffers that share a cache have the largest figures of all of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ObjectPlan {
    /// Bytes of its cache.
    pub cache_bytes: Option<u32>,
    /// Cycles that an access takes most of the time, misses included.
    pub latency: Option<u32>,
    /// The memory port that it is reached through.
    pub bank: Option<u32>,
}

/// What is chosen for an access.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AccessPlan {
    /// Cycles that it takes most of the time: as many are under way.
    pub latency: Option<u32>,
    /// What stands between it and external memory.
    pub memory: Option<MemoryUnit>,
}

/// An access by its place in the source: loads, stores and atomic operations that a line's accesses became,
/// by inlining or unrolling, have the key of that access.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AccessKey {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

impl AccessKey {
    /// The key of an access in the kernel's own file.
    pub fn of(kernel: &Kernel, inst: Inst) -> Option<AccessKey> {
        kernel.inst(inst).objects()?;
        let loc = kernel.loc(inst);
        (loc.file == 0 && loc.line > 0).then_some(AccessKey {
            line: loc.line,
            column: loc.column.into(),
        })
    }
}

impl Plan {
    /// Most datapaths of one kernel.
    pub const MOST_DATAPATHS: u32 = 16;

    /// Most lanes of a kernel.
    pub const MOST_LANES: u32 = 16;

    /// Most memory ports of a circuit.
    pub const MOST_BANKS: u32 = 32;

    /// Most work-items of a group that synchronises: all of them may meet at a barrier.
    pub const MOST_GROUP_ITEMS: u32 = 1 << 16;

    /// A plan without entries.
    pub fn new(figures: Figures) -> Plan {
        Plan {
            address_bits: 40,
            line_bytes: LINE,
            banks: 1,
            otherwise: KernelPlan {
                datapaths: 1,
                lanes: None,
                buffers: Buffers::Disjoint,
                memory: None,
                figures,
                objects: BTreeMap::new(),
                accesses: BTreeMap::new(),
                loops: BTreeMap::new(),
                coalesce: BTreeMap::new(),
                argument_bits: BTreeMap::new(),
                items: LaunchItems::Unknown,
                work_items: WorkItems::Tokens,
            },
            kernels: BTreeMap::new(),
        }
    }

    /// The plan without entries that launches fit, with the default figures.
    pub fn for_launches<'a>(
        launches: impl IntoIterator<Item = &'a Launch>,
        memory: &Memory,
    ) -> Plan {
        let launches = launches.into_iter();
        launches.fold(Plan::default(), |plan, launch| plan.fit(launch, memory))
    }

    /// The plan without entries that a launch fits, with the default figures.
    pub fn for_launch(launch: &Launch, memory: &Memory) -> Plan {
        Plan::default().fit(launch, memory)
    }

    /// The plan, with room for a launch.
    pub fn fit(mut self, launch: &Launch, memory: &Memory) -> Plan {
        self.all().for_each(|plan| plan.fit(launch, memory));
        let bytes = launch.buffers().map(|id| memory.buffer(id).len() as u64);
        let bytes: u64 = bytes.map(|bytes| bytes + BESIDE_BUFFER).sum();
        self.address_bits = self
            .address_bits
            .max(bytes.next_power_of_two().trailing_zeros() + 1);
        self
    }

    /// The plan, with as many datapaths for each kernel.
    pub fn with_datapaths(mut self, datapaths: u32) -> Plan {
        self.all().for_each(|plan| plan.datapaths = datapaths);
        self
    }

    /// The plan, with as many lanes for each kernel; launches that it is fitted to afterwards may allow
    /// fewer.
    pub fn with_lanes(mut self, lanes: u32) -> Plan {
        self.all().for_each(|plan| plan.lanes = Some(lanes));
        self
    }

    /// The plan, with work-items as tokens or as iterations.
    pub fn with_work_items(mut self, items: WorkItems) -> Plan {
        self.all().for_each(|plan| plan.work_items = items);
        self
    }

    /// The plan, with streams wherever they may be, with none, or with what suits each access.
    pub fn with_memory(mut self, memory: impl Into<Option<MemoryUnit>>) -> Plan {
        let memory = memory.into();
        self.all().for_each(|plan| plan.memory = memory);
        self
    }

    /// The plan, with as many memory ports.
    pub fn with_banks(self, banks: u32) -> Plan {
        Plan { banks, ..self }
    }

    /// The plan for kernels whose buffers are disjoint or may alias.
    pub fn with_buffers(mut self, buffers: Buffers) -> Plan {
        self.all().for_each(|plan| plan.buffers = buffers);
        self
    }

    /// The plan, with other figures for each kernel.
    pub fn with_figures(mut self, change: impl Fn(&mut Figures)) -> Plan {
        self.all().for_each(|plan| change(&mut plan.figures));
        self
    }

    /// What is chosen for a kernel.
    pub fn kernel(&self, name: &str) -> &KernelPlan {
        self.kernels.get(name).unwrap_or(&self.otherwise)
    }

    /// What is chosen for a kernel, as an entry of its own.
    pub fn kernel_mut(&mut self, name: &str) -> &mut KernelPlan {
        if !self.kernels.contains_key(name) {
            self.kernels.insert(name.into(), self.otherwise.clone());
        }
        self.kernels.get_mut(name).expect("it was just inserted")
    }

    fn all(&mut self) -> impl Iterator<Item = &mut KernelPlan> {
        std::iter::once(&mut self.otherwise).chain(self.kernels.values_mut())
    }
}

impl Default for Plan {
    fn default() -> Plan {
        Plan::new(Figures::default())
    }
}

impl KernelPlan {
    fn fit(&mut self, launch: &Launch, memory: &Memory) {
        let local = launch.args.iter().filter_map(|arg| match arg {
            Argument::Local(bytes) => Some(bytes.next_multiple_of(SIZED_ALIGN)),
            Argument::Value(_) | Argument::Buffer(_) | Argument::Null | Argument::Struct(_) => None,
        });
        let local: u64 = local.sum();
        let items = u32::try_from(launch.range.group_size()).unwrap_or(u32::MAX);
        if Buffers::of(launch, memory) == Buffers::MayAlias {
            self.buffers = Buffers::MayAlias;
        }
        self.fit_arguments(launch);
        self.items = self.items.with(launch.range.work_items());
        let most = launch.range.most_lanes();
        self.lanes = self.lanes.map(|lanes| lanes.min(most));
        let figures = &mut self.figures;
        figures.group_items = figures.group_items.max(items);
        figures.dimensions = figures.dimensions.max(launch.range.dimensions());
        figures.local_bytes = figures.local_bytes.max(2 * local.next_power_of_two());
    }

    /// Notes how many bits arguments have in launches of a few work-items: what bounds sizes of rows tells accesses of
    /// different rows apart, so that iterations of loops can overlap.
    fn fit_arguments(&mut self, launch: &Launch) {
        let is_noted = self.items == LaunchItems::Unknown
            && launch.range.work_items() <= LaunchItems::MOST_OF_FEW;
        for (param, arg) in (0..).zip(&launch.args) {
            let Argument::Value(lanes) = arg else {
                continue;
            };
            let [value] = lanes[..] else { continue };
            let bits = u64::BITS - value.leading_zeros();
            let class = ARGUMENT_BITS.into_iter().find(|&class| bits <= class);
            match (self.argument_bits.get_mut(&param), class) {
                (Some(known), _) if bits <= *known => {}
                (Some(known), Some(class)) => *known = class,
                (Some(_), None) => {
                    self.argument_bits.remove(&param);
                }
                (None, Some(class)) if is_noted => {
                    self.argument_bits.insert(param, class);
                }
                (None, _) => {}
            }
        }
    }

    /// The integer parameters that the circuit reads fewer bits of than they have, and how many.
    pub fn narrow_arguments(&self, kernel: &Kernel) -> impl Iterator<Item = (u32, u32)> {
        let bits = self
            .argument_bits
            .iter()
            .map(|(&param, &bits)| (param, bits));
        bits.filter(
            |&(param, bits)| match kernel.params.get(param as usize).map(|it| &it.kind) {
                Some(ParamKind::Value(element)) => {
                    let ty = element.scalar.ty();
                    element.lanes == 1 && ty.is_int() && bits < ty.bits()
                }
                _ => false,
            },
        )
    }

    /// Work-items of a token: what the plan says, else what the kernel does.
    pub fn lanes(&self, kernel: &Kernel) -> u32 {
        self.lanes.or(kernel.lanes).unwrap_or(1)
    }

    /// Cycles that an access of a buffer takes most of the time.
    pub(crate) fn latency(&self, kernel: &Kernel, inst: Inst, of_buffer: u32) -> u32 {
        let entry = self.access(kernel, inst);
        entry.and_then(|entry| entry.latency).unwrap_or(of_buffer)
    }

    /// The entry of an access.
    pub(crate) fn access(&self, kernel: &Kernel, inst: Inst) -> Option<&AccessPlan> {
        AccessKey::of(kernel, inst).and_then(|key| self.accesses.get(&key))
    }
}

/// Whether different parameters are different buffers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Buffers {
    /// They are: each may have a cache of its own.
    Disjoint,
    /// Some may be the same or overlap: all share one cache.
    MayAlias,
}

impl Buffers {
    /// What holds for a launch.
    pub fn of(launch: &Launch, memory: &Memory) -> Buffers {
        let buffers: Vec<BufferId> = launch.buffers().collect();
        let overlaps = |(at, &id): (usize, &BufferId)| {
            let mut others = buffers[..at].iter();
            others.any(|&other| memory.overlap(id, other))
        };
        match buffers.iter().enumerate().any(overlaps) {
            true => Buffers::MayAlias,
            false => Buffers::Disjoint,
        }
    }
}

impl Default for Figures {
    fn default() -> Figures {
        Figures {
            latency: 128,
            cache_bytes: Cache::DEFAULT_BYTES,
            on_chip_bytes: 1 << 16,
            local_bytes: 1 << 16,
            barrier_bits: 1 << 21,
            group_items: 1024,
            dimensions: 1,
        }
    }
}
