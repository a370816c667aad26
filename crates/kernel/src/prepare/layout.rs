//! Where memory objects lie that are no buffers.
//!
//! A table that no access confuses with anything else is on the chip, once for each of its loads.
//! Private arrays have a copy for each work-item that can be under way: a work-item takes a *slot*
//! when it begins and returns it when it ends, and its copies lie at the slot's number times their
//! size. Arrays that accesses confuse with nothing but each other are in a memory on the chip, if
//! there is room for enough slots. Local memory is on the chip, a copy for each group that can be
//! under way. All other objects are in external memory, with the buffers.

use sluice_circuit::access::LINE;

use super::Refusal;
use super::groups::{Group, Groups, Storage};
use super::launch_params::LaunchParams;
use super::launch_value::Placed;
use super::residence::{self, GroupLimits, Grouped, LocalMemory};
use super::slot_addresses::{SlotAddresses, SlotSize};
use super::spaces::compare_with_local;
use crate::analysis::{Cfg, Liveness, Uniform};
use crate::dataflow::Dataflow;
use crate::ir::{InstData, Kernel, Object, ObjectKind, Space, Value};
use crate::plan::MemoryPlan;

/// Slots of work-items.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Slotted {
    /// How many there are: a power of two.
    pub(crate) slots: u32,
    /// A work-item's own: the parameter of the entry block.
    pub(crate) slot: Value,
}

/// Where everything is.
#[derive(Debug, Default)]
pub(crate) struct Layout {
    pub(crate) slotted: Option<Slotted>,
    pub(crate) grouped: Option<Grouped>,
    pub(crate) placed: Vec<Placed>,
    pub(crate) locals: Vec<LocalMemory>,
}

/// Most work-items with private arrays at once.
const MOST_SLOTS: u32 = 512;

/// With fewer slots the latency of external memory shows: rather than that, arrays leave the chip.
const LEAST_SLOTS: u32 = 32;

/// Most bytes of external memory for private arrays.
const MOST_EXTERNAL: u64 = 1 << 28;

/// Addresses from here on are on the chip; external memory never has them.
const ON_CHIP: u64 = 1 << 48;

/// Cycles that an access on the chip takes, a little waiting included.
pub(crate) const ON_CHIP_LATENCY: u32 = 16;

/// What a work-item leaves at the barriers that it waits at, in bits.
fn waiting_bits(kernel: &Kernel, dataflow: &Dataflow) -> u64 {
    let graphs = dataflow.iter().map(|(_, graph)| graph);
    let waiting = graphs.filter(|graph| graph.barrier.is_some());
    let values = waiting.flat_map(|graph| &graph.inputs);
    values
        .map(|&value| u64::from(kernel.ty(value).bits()))
        .sum()
}

/// How many work-items are under way when nothing stalls for long, at most.
fn under_way(kernel: &Kernel, dataflow: &Dataflow, groups: &Groups, plan: &MemoryPlan) -> u32 {
    let latency = |inst| {
        let group = groups.accessed(kernel.inst(inst));
        match group.is_some_and(|group| fits_on_chip(kernel, &groups.groups[group])) {
            true => ON_CHIP_LATENCY,
            false => plan.latency,
        }
    };
    let levels = dataflow.iter().flat_map(|(_, graph)| &graph.levels);
    let each = levels.map(|level| {
        let accesses = level.memory.iter().map(|&inst| latency(inst));
        // Segments are short beside memory.
        accesses.max().unwrap_or(0) + 8
    });
    each.sum::<u32>().next_power_of_two().clamp(2, MOST_SLOTS)
}

fn fits_on_chip(kernel: &Kernel, group: &Group) -> bool {
    is_table(kernel, group)
        || group.is_all(kernel, |kind| match kind {
            ObjectKind::Private { .. }
            | ObjectKind::Local { .. }
            | ObjectKind::LocalPerItem { .. }
            | ObjectKind::LocalArg { .. } => true,
            ObjectKind::Buffer { .. } | ObjectKind::StructArg { .. } | ObjectKind::Table { .. } => {
                false
            }
        })
}

fn is_table(kernel: &Kernel, group: &Group) -> bool {
    group.objects.len() == 1
        && group.is_all(kernel, |kind| matches!(kind, ObjectKind::Table { .. }))
}

fn is_private(kind: &ObjectKind) -> bool {
    matches!(kind, ObjectKind::Private { .. })
}

/// Decides where objects are and makes the kernel's addresses say so.
pub(crate) fn lay_out(
    kernel: &mut Kernel,
    groups: &mut Groups,
    plan: &MemoryPlan,
    params: &mut LaunchParams,
    dataflow: &Dataflow,
) -> Result<Layout, Refusal> {
    let mut next = ON_CHIP;
    let under_way = under_way(kernel, dataflow, groups, plan);
    place_tables(kernel, groups, plan, &mut next);
    let limits = residence::limits(kernel, groups, plan, waiting_bits(kernel, dataflow))?;
    let has_private = groups
        .groups
        .iter()
        .any(|group| !group.is_all(kernel, |kind| !is_private(kind)));
    let slotted = has_private.then(|| {
        let slots = match limits {
            // All of them may have to meet at a barrier.
            Some(GroupLimits { places, .. }) => Wanted {
                most: places,
                least: places,
            },
            None => Wanted {
                most: under_way,
                least: LEAST_SLOTS.min(under_way),
            },
        };
        place_private(kernel, groups, plan, slots, &mut next)
    });
    let first_local = next;
    let local = limits
        .map(|limits| residence::place_local(kernel, groups, plan, params, limits, &mut next));
    let (grouped, locals) = local.transpose()?.unzip();
    place_unused(kernel, groups, next);
    compare_with_local(kernel, first_local);
    let placed = external_objects(kernel, groups, slotted, plan.datapaths);
    Ok(Layout {
        slotted,
        grouped,
        placed,
        locals: locals.unwrap_or_default(),
    })
}

/// Gives local variables that are never accessed addresses among those of local memory.
fn place_unused(kernel: &mut Kernel, groups: &Groups, mut next: u64) {
    let is_local = |object: &Object| kernel.objects[*object].space() == Space::Local;
    let is_unused = |object: &Object| groups.groups.iter().all(|it| !it.objects.contains(object));
    let unused = kernel.objects.keys().filter(is_local).filter(is_unused);
    for object in unused.collect::<Vec<_>>() {
        next = next.next_multiple_of(kernel.objects[object].align.into());
        set_address(kernel, object, next);
        next += kernel.objects[object].size().unwrap_or(1).max(1);
    }
}

/// How many slots there are to be.
#[derive(Clone, Copy)]
struct Wanted {
    most: u32,
    /// Rather than fewer, arrays leave the chip.
    least: u32,
}

/// Puts tables on the chip that are small enough for all of their loads.
fn place_tables(kernel: &mut Kernel, groups: &mut Groups, plan: &MemoryPlan, next: &mut u64) {
    for group in &mut groups.groups {
        if !is_table(kernel, group) {
            continue;
        }
        let object = group.objects[0];
        let size = size(kernel, object).next_power_of_two().max(128);
        if size * u64::from(group.accesses) <= plan.on_chip_bytes {
            group.storage = Storage::Tables;
            *next = next.next_multiple_of(size);
            set_address(kernel, object, *next);
            *next += size;
        }
    }
}

/// Puts private arrays on the chip or into external memory.
fn place_private(
    kernel: &mut Kernel,
    groups: &mut Groups,
    plan: &MemoryPlan,
    Wanted { most, least }: Wanted,
    next: &mut u64,
) -> Slotted {
    let sizes: Vec<u64> = groups
        .groups
        .iter()
        .map(|group| slot_size(kernel, group))
        .collect();
    let mut on_chip: Vec<usize> = (0..sizes.len())
        .filter(|&at| groups.groups[at].is_all(kernel, is_private))
        .collect();
    on_chip.sort_by_key(|&at| sizes[at]);
    let total = |on_chip: &[usize]| on_chip.iter().map(|&at| sizes[at]).sum::<u64>();
    while total(&on_chip) * u64::from(least) > plan.on_chip_bytes {
        on_chip.pop();
    }
    let mut slots = most;
    while slots > least && total(&on_chip) * u64::from(slots) > plan.on_chip_bytes {
        slots /= 2;
    }
    let fewest = if least == most { least } else { 2 };
    while slots > fewest && sizes.iter().sum::<u64>() * u64::from(slots) > MOST_EXTERNAL {
        slots /= 2;
    }
    for &at in &on_chip {
        let bytes = sizes[at] * u64::from(slots);
        let group = &mut groups.groups[at];
        group.storage = Storage::Memory(bytes);
        *next = next.next_multiple_of(bytes);
        let mut offset = *next;
        for &object in &group.objects {
            offset = offset.next_multiple_of(kernel.objects[object].align.into());
            set_address(kernel, object, offset);
            offset += size(kernel, object);
        }
        *next += bytes;
    }
    let mut addresses = SlotAddresses::new(kernel, slots, "slot");
    for (group, &size) in groups.groups.iter().zip(&sizes) {
        let size = SlotSize::Bytes(size);
        match group.is_all(kernel, is_private) {
            // Addresses of the arrays are those of slot 0: each access moves to its own slot.
            true => addresses.move_accesses(kernel, group, size),
            false => {
                let private = group
                    .objects
                    .iter()
                    .filter(|&&object| is_private(&kernel.objects[object].kind));
                let private: Vec<Object> = private.copied().collect();
                private
                    .iter()
                    .for_each(|&object| addresses.move_object(kernel, object, size));
            }
        }
    }
    let slot = addresses.finish(kernel);
    Slotted { slots, slot }
}

/// Bytes of a slot of a group's private arrays: a power of two, 1 if there are none. On the chip
/// they lie side by side in it; in external memory each has its own region of such slots.
fn slot_size(kernel: &Kernel, group: &Group) -> u64 {
    let private = group
        .objects
        .iter()
        .filter(|&&object| is_private(&kernel.objects[object].kind));
    let end = private.fold(0_u64, |end, &object| {
        end.next_multiple_of(kernel.objects[object].align.into()) + size(kernel, object)
    });
    match end {
        0 => 1,
        end => end.max(group.bytes.into()).next_power_of_two(),
    }
}

/// The size of an object that is no buffer.
pub(crate) fn size(kernel: &Kernel, object: Object) -> u64 {
    kernel.objects[object]
        .size()
        .expect("only buffers have no size here")
}

/// Makes an object's address a constant.
pub(crate) fn set_address(kernel: &mut Kernel, object: Object, address: u64) {
    let insts: Vec<_> = kernel.insts().map(|(_, inst)| inst).collect();
    for inst in insts {
        if *kernel.inst(inst) == InstData::Addr(object) {
            *kernel.inst_mut(inst) = InstData::Const(address);
        }
    }
}

fn external_objects(
    kernel: &Kernel,
    groups: &Groups,
    slotted: Option<Slotted>,
    datapaths: u32,
) -> Vec<Placed> {
    let external = groups
        .groups
        .iter()
        .filter(|group| group.storage == Storage::External);
    let mut placed = Vec::new();
    for group in external {
        for &object in &group.objects {
            let (bytes, copies) = match &kernel.objects[object].kind {
                ObjectKind::Buffer { .. } => continue,
                ObjectKind::Table { bytes } => (bytes.len() as u64, 1),
                ObjectKind::StructArg { size, .. } => (*size, 1),
                ObjectKind::Private { .. } => {
                    let slots = slotted.expect("private arrays have slots").slots;
                    let bytes = slot_size(kernel, group) * u64::from(slots);
                    (bytes.next_multiple_of(LINE.into()), datapaths)
                }
                ObjectKind::Local { .. }
                | ObjectKind::LocalPerItem { .. }
                | ObjectKind::LocalArg { .. } => {
                    unreachable!("local memory is on the chip")
                }
            };
            placed.push(Placed {
                object,
                bytes,
                copies,
            });
        }
    }
    placed
}

/// The dataflow graphs of a kernel.
pub(crate) fn graphs(kernel: &Kernel, cfg: &Cfg) -> Dataflow {
    let uniform = Uniform::of(kernel, cfg);
    let liveness = Liveness::of(kernel, cfg, &uniform);
    Dataflow::of(kernel, &liveness, &uniform)
}
