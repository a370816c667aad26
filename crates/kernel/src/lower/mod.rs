//! Kernels to circuits: datapaths, the memory system, and what starts and ends a launch.
//!
//! The circuit is isomorphic to the control-flow graph (see `docs/decisions/0004-circuits.md`). Its
//! input `start` takes a token for each launch, its output `done` gives one back when every
//! work-item has ended and every cache has written back; between them it talks to external memory
//! over the channels of an AXI4 master. Several kernels in one circuit have a start and an end each,
//! and share the memory port.

mod access;
mod balance;
mod banks;
mod block;
mod constants;
mod control;
mod copies;
mod dispatch;
mod flushes;
mod handed;
mod interface;
mod loop_control;
mod memory;
mod memory_system;
mod names;
mod operations;
mod runahead;
mod segment;
mod sharing;
mod streams;
mod tokens;
mod two_ports;
mod users;
mod waits;

use std::collections::{BTreeMap, BTreeSet};

use sluice_circuit::circuit::{Channel, Circuit, Constant};
use sluice_circuit::target::Target;
use sluice_circuit::unit::Fields;
use sluice_circuit::units::counter::Counter;
use sluice_circuit::verilog::distinct;

use crate::analysis::{Cfg, Frequencies, Loops, Ranges, has_equal_control};
use crate::dataflow::Dataflow;
use crate::ir::{Block, Inst, InstData, Kernel, Value};
use crate::plan::{KernelPlan, Plan};
use crate::prepare::{
    AccessFacts, Addresses, AliasSets, Cut, Grouped, Guarded, LaunchValue, MemoryUnits,
    PointerBits, Prepared, PreparedKernel, Refusal, Slotted, dimensions, group_items,
};
use constants::Constants;
pub use interface::{
    BarrierUnit, Interface, LoopDescription, LoopLimit, LoopTiming, Lowered, MemoryAccess, Packed,
    Print, Rounds, SmallArgument, WatchedAccess,
};
use memory_system::MemorySystem;
use runahead::QuietWay;
use tokens::fork;
use two_ports::Ports;
use users::Users;

/// A kernel's part of a circuit in the making.
struct Lowering<'a> {
    kernel: &'a Kernel,
    /// Where objects on the chip are.
    addresses: &'a Addresses,
    /// Its number among the circuit's kernels.
    number: usize,
    dataflow: &'a Dataflow,
    pointers: &'a PointerBits,
    target: &'a Target,
    /// What was chosen for the kernel.
    plan: &'a KernelPlan,
    /// What was chosen for the circuit.
    bitstream: &'a Plan,
    limits: LoopLimits,
    circuit: &'a mut Circuit,
    system: &'a mut MemorySystem,
    constants: Constants,
    alias_sets: &'a AliasSets,
    /// By alias set.
    ports: Vec<Ports>,
    memory_units: &'a MemoryUnits,
    access_facts: &'a AccessFacts,
    /// What tells copies of buffers that a launch starts.
    copy_starts: Vec<Channel>,
    /// Whether work-items that go along rows of their own are kept together.
    keeps_rows_together: bool,
    /// What accesses them, by group.
    users: Vec<Users>,
    /// The slots of work-items, if they have private arrays.
    slotted: Option<Slotted>,
    /// The slots of groups, if they synchronise.
    grouped: Option<Grouped>,
    /// Most work-items of a group.
    group_items: u64,
    /// Dimensions of launches.
    dimensions: usize,
    /// The kernel's name in those of modules.
    identifier: &'a str,
    /// What the names of the kernel's, then of the datapath's units and channels begin with.
    prefix: String,
    names: names::BlockNames,
    /// The prints that are known so far, with the channels of their arguments.
    prints: Vec<(Inst, Channel)>,
    accesses: Vec<WatchedAccess>,
    barriers: Vec<BarrierUnit>,
    loops: Vec<Rounds>,
    /// What the guards compare that accesses were given.
    guarded: &'a BTreeMap<Inst, Guarded>,
    /// What is known of values, if the kernel has local memory.
    ranges: Option<&'a Ranges>,
    /// How often blocks are executed, if the kernel has local memory.
    frequencies: Option<Frequencies>,
    /// The loops that were taken apart.
    cut: &'a Cut,
    /// How soon the iterations of loops follow each other, by their control blocks.
    timings: BTreeMap<Block, LoopTiming>,
    /// Accesses of iterations that may be in vain.
    speculative: BTreeSet<Inst>,
    /// Where the end of the kernel waits for iterations in vain, if there may be some.
    quiet: Option<QuietWay>,
}

/// Whether loops admit only as many work-items as they surely keep moving.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LoopLimits {
    /// They do: no circuit deadlocks.
    #[default]
    Enforced,
    /// They admit whatever comes, and have no queue where they go back. For experiments that show
    /// what the limits are for: such a circuit may deadlock.
    Off,
}

/// Builds the circuit of prepared kernels.
pub fn lower(prepared: &Prepared) -> Result<Lowered, Refusal> {
    lower_with(prepared, LoopLimits::Enforced)
}

/// Builds the circuit of prepared kernels, with or without limits of loops.
pub fn lower_with(prepared: &Prepared, limits: LoopLimits) -> Result<Lowered, Refusal> {
    let (kernels, plan, target) = (&prepared.kernels, &prepared.plan, &prepared.target);
    let mut circuit = Circuit::new(&prepared.name);
    circuit.source = names::source(&kernels[0].kernel);
    let identifiers = distinct(kernels.iter().map(|it| it.kernel.name.as_str()));
    let prefixes: Vec<String> = match kernels[..] {
        [_] => vec![String::new()],
        _ => identifiers.iter().map(|it| format!("{it}_")).collect(),
    };
    let starts: Vec<Channel> = prefixes
        .iter()
        .map(|prefix| {
            let start = circuit.add_channel(format!("{prefix}start"), Fields::NONE);
            circuit.add_input(start);
            start
        })
        .collect();
    let mut system = MemorySystem::default();
    let mut built = Vec::new();
    for (number, (kernel, prefix)) in kernels.iter().zip(&prefixes).enumerate() {
        let place = KernelSite {
            number,
            identifier: &identifiers[number],
            prefix,
            start: starts[number],
        };
        let build = Build {
            target,
            plan,
            limits,
            circuit: &mut circuit,
            system: &mut system,
        };
        built.push(build.kernel(kernel, place));
    }
    system.check()?;
    let first = circuit.units().next_key();
    let finished = built.iter().map(|kernel| kernel.done).collect();
    let memory = system.build(&mut circuit, plan, finished);
    names::group(
        &mut circuit,
        first,
        "memory",
        "caches and ports to external memory",
    );
    for ((kernel, done), prefix) in built.iter_mut().zip(memory.done).zip(&prefixes) {
        circuit.rename_channel(done, format!("{prefix}done"));
        circuit.add_output(done);
        kernel.done = done;
    }
    for print in built.iter().flat_map(|kernel| &kernel.prints) {
        circuit.add_output(print.channel);
    }
    Ok(Lowered::new(circuit, built, memory.ports))
}

/// What a kernel is built for, and into.
struct Build<'a> {
    target: &'a Target,
    plan: &'a Plan,
    limits: LoopLimits,
    circuit: &'a mut Circuit,
    system: &'a mut MemorySystem,
}

/// Where a kernel is in its circuit.
struct KernelSite<'a> {
    number: usize,
    identifier: &'a str,
    prefix: &'a str,
    start: Channel,
}

impl Build<'_> {
    /// Builds a kernel but for its caches: it says that it is done before they have written back.
    fn kernel(self, prepared: &PreparedKernel, place: KernelSite<'_>) -> Interface {
        let PreparedKernel { kernel, layout, .. } = prepared;
        let mut lowering = Lowering {
            kernel,
            addresses: &layout.addresses,
            number: place.number,
            dataflow: &prepared.dataflow,
            pointers: &prepared.pointers,
            target: self.target,
            plan: &prepared.plan,
            bitstream: self.plan,
            limits: self.limits,
            circuit: self.circuit,
            system: self.system,
            constants: Constants::new(place.prefix),
            alias_sets: &prepared.alias_sets,
            ports: Ports::of(kernel, &prepared.alias_sets, &prepared.cut),
            memory_units: &prepared.memory_units,
            access_facts: &prepared.access_facts,
            copy_starts: Vec::new(),
            keeps_rows_together: keeps_rows_together(prepared, self.plan.line_bytes),
            users: vec![Users::default(); prepared.alias_sets.sets.len()],
            slotted: layout.slotted,
            grouped: layout.grouped,
            group_items: group_items(kernel, &prepared.plan),
            dimensions: dimensions(kernel, &prepared.plan),
            identifier: place.identifier,
            prefix: place.prefix.to_string(),
            names: names::BlockNames::new(),
            prints: Vec::new(),
            accesses: Vec::new(),
            barriers: Vec::new(),
            loops: Vec::new(),
            guarded: &prepared.guarded,
            ranges: prepared.ranges.as_ref(),
            frequencies: frequencies(prepared),
            cut: &prepared.cut,
            timings: BTreeMap::new(),
            speculative: speculative(kernel, &prepared.cut),
            quiet: None,
        };
        lowering.system.by_datapath |= lowering.keeps_rows_together;
        let finished = lowering.kernel(&prepared.cfg, &prepared.loops, place.start);
        let values = lowering.constants.values.iter();
        let constants = values.map(|&(constant, value)| (constant, prepared.params.named(value)));
        Interface {
            start: place.start,
            done: finished,
            constants: constants.collect(),
            packed: (prepared.lanes > 1 || prepared.looped.is_some()).then(|| Packed {
                lanes: prepared.lanes,
                looped: prepared.looped,
                objects: kernel.objects.clone(),
            }),
            placed: layout.placed.clone(),
            group_items: lowering.group_items,
            dimensions: lowering.dimensions,
            limits: layout.grouped.map(|grouped| grouped.limits),
            locals: layout.locals.clone(),
            prints: lowering.printed(),
            accesses: std::mem::take(&mut lowering.accesses),
            reads_in_vain: !lowering.speculative.is_empty(),
            memory: MemoryAccess::all(prepared),
            barriers: std::mem::take(&mut lowering.barriers),
            loops: std::mem::take(&mut lowering.loops),
            loop_ways: lowering.loop_ways(prepared),
            small_arguments: small_arguments(prepared),
        }
    }
}

/// How often blocks outside of loops are executed; those inside may be each time that one of another block is.
fn frequencies(prepared: &PreparedKernel) -> Option<Frequencies> {
    let PreparedKernel { kernel, loops, .. } = prepared;
    // Iterations of loops that were taken apart are no loop any more.
    if !prepared.cut.loops.is_empty() {
        return None;
    }
    let ranges = prepared.ranges.as_ref()?;
    let is_inside = |block| loops.innermost(block).is_some();
    Some(Frequencies::of(kernel, ranges, is_inside))
}

/// The instructions of loops whose iterations start before it is known whether there are any.
fn speculative(kernel: &Kernel, cut: &Cut) -> BTreeSet<Inst> {
    let bodies = cut.loops.iter().map(|it| it.split.body);
    let bodies = bodies.filter(|&it| cut.speculation(it).is_some());
    let insts = bodies.flat_map(|it| kernel.block(it).insts.iter().copied());
    insts.collect()
}

fn small_arguments(prepared: &PreparedKernel) -> Vec<SmallArgument> {
    let kernel = &prepared.kernel;
    let arguments = prepared.plan.narrow_arguments(kernel);
    let small = |(param, bits): (u32, u32)| SmallArgument {
        name: kernel.params[param as usize].name.clone(),
        bits,
    };
    arguments.map(small).collect()
}

/// Whether work-items that go along rows of their own are kept together: those of a datapath make the same
/// iteration, each datapath gets as many groups, and these take turns at the memory ports.
///
/// Each work-item has a line of its own in a cache, and these stand in different places as long as all are as
/// far. They need their next lines in one iteration, too. Several datapaths take turns at that, if half of
/// what the memory moves suffices for them; with one datapath, it costs more than it gains.
fn keeps_rows_together(prepared: &PreparedKernel, line_bytes: u32) -> bool {
    let units = &prepared.memory_units;
    let rows = units.iter();
    let rows = rows.filter_map(|(inst, _)| units.row_bytes_in_cache(inst));
    let datapaths = prepared.plan.datapaths;
    let bytes = rows.sum::<u32>().saturating_mul(datapaths);
    let suffices = 0 < bytes && bytes <= line_bytes / 2;
    datapaths > 1 && suffices && has_equal_control(&prepared.kernel)
}

impl Lowering<'_> {
    /// Builds all but the caches; gives where the kernel says that all work-items have ended.
    fn kernel(&mut self, cfg: &Cfg, loops: &Loops, start: Channel) -> Channel {
        let prefix = self.prefix.clone();
        let ways = 2 + self.copies() * self.plan.datapaths as usize;
        let mut starts = fork(self.circuit, format!("{prefix}fork_start"), start, ways);
        self.copy_starts = starts.split_off(2);
        let ways = self.work_groups(starts[0]);
        let mut ended = Vec::new();
        for (at, way) in ways.into_iter().enumerate() {
            if self.plan.datapaths > 1 {
                self.prefix = format!("{prefix}path{at}_");
                let name = format!("{}groups", self.prefix);
                self.circuit.rename_channel(way, name);
            }
            self.constants.path = at as u32;
            let (first, planned) = (self.circuit.units().next_key(), self.system.planned());
            ended.push(self.datapath(cfg, loops, way));
            if self.plan.datapaths > 1 {
                let name = format!("{prefix}path{at}");
                let datapath = names::enclose(self.circuit, first, &name);
                self.system.enclose(planned, datapath);
            }
        }
        self.prefix = prefix;
        self.shared_memory();
        self.count(starts[1], ended)
    }

    /// A datapath between where it gets groups and where its work-items have ended.
    fn datapath(&mut self, cfg: &Cfg, loops: &Loops, group: Channel) -> Channel {
        self.names = names::block_names(self.kernel, loops, &self.prefix);
        let ends = self.ends(group);
        self.control(cfg, loops, ends.entry, ends.leaving);
        let first = self.circuit.units().next_key();
        self.datapath_memory();
        let name = format!("{}on_chip", self.prefix);
        names::group(self.circuit, first, &name, "memories on the chip");
        ends.ended
    }

    /// The counter of those that have ended; gives where it says that all have.
    fn count(&mut self, start: Channel, ended: Vec<Channel>) -> Channel {
        let total = self.constant(LaunchValue::Total);
        let counter = Counter {
            inputs: ended.len(),
            // A dimension has fewer than 2^32 work-items, and all together fewer than 2^64.
            bits: if self.dimensions == 1 { 32 } else { 64 },
        };
        let name = |what: &str| format!("{}{what}", self.prefix);
        let (counter_name, finished) = (name("counter"), name("finished"));
        let finished = match self.quiet {
            Some(way) => way.before,
            None => self.circuit.add_channel(finished, Fields::NONE),
        };
        let ended = ended.into_iter().enumerate();
        let ended = ended.map(|(path, channel)| (Counter::ended(path), channel));
        self.circuit
            .unit(counter_name, counter)
            .constants([total])
            .input(Counter::START, start)
            .inputs(ended)
            .output(Counter::FINISHED, finished)
            .add();
        self.quiet.map_or(finished, |way| way.behind)
    }

    /// The prints.
    fn printed(&self) -> Vec<Print> {
        let print = |&(inst, channel): &(Inst, Channel)| {
            let InstData::Printf { format, args } = self.kernel.inst(inst) else {
                unreachable!("only prints are there");
            };
            Print {
                channel,
                format: format.clone(),
                types: args.iter().map(|&arg| self.kernel.ty(arg)).collect(),
            }
        };
        self.prints.iter().map(print).collect()
    }

    /// The fields of a token that carries these values from segment to segment.
    fn fields(&self, values: &[Value]) -> Fields {
        let widths = values
            .iter()
            .map(|&value| self.pointers.width(self.kernel, value));
        Fields::new(widths)
    }

    /// The circuit's constant for a value of the launch.
    fn constant(&mut self, value: LaunchValue) -> Constant {
        self.constants.get(self.circuit, self.kernel, value)
    }
}
