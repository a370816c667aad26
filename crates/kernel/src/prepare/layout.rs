//! Where memory objects lie that are no buffers.
//!
//! A table that is alone in its alias set is on the chip, once for each of its loads.
//! Private arrays have a copy for each work-item that can be under way: a work-item takes a *slot*
//! when it begins and returns it when it ends, and its copies lie at the slot's number times their
//! size. Arrays whose alias set has only private arrays are in a memory on the chip, if
//! there is room for enough slots. Local memory is on the chip, a copy for each group that can be
//! under way. All other objects are in external memory, with the buffers.

use std::collections::BTreeMap;

use cranelift_entity::EntitySet;
use sluice_circuit::access::LINE;

use super::Refusal;
use super::alias_sets::{AliasSet, AliasSets, Storage};
use super::launch_params::LaunchParams;
use super::launch_value::Placed;
use super::residence::{self, GroupLimits, Grouped, LocalMemory};
use super::slot_addresses::{SlotAddresses, SlotSize};
use crate::analysis::{Cfg, Liveness, Uniform};
use crate::dataflow::access_levels;
use crate::ir::{Block, InstData, Kernel, Object, ObjectKind, Query, Space, Value};
use crate::plan::KernelPlan;

/// Slots of work-items.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Slotted {
    /// How many there are: a power of two.
    pub(crate) slots: u32,
    /// A work-item's own.
    pub(crate) slot: Value,
}

/// Where everything is.
#[derive(Debug, Default)]
pub(crate) struct Layout {
    pub(crate) addresses: Addresses,
    pub(crate) slotted: Option<Slotted>,
    pub(crate) grouped: Option<Grouped>,
    pub(crate) placed: Vec<Placed>,
    pub(crate) locals: Vec<LocalMemory>,
}

/// Addresses of what is on the chip, in the copy of slot 0.
#[derive(Debug)]
pub(crate) struct Addresses {
    of: BTreeMap<Object, u64>,
    /// The first that is free.
    next: u64,
    /// Local memory has this address and all above it.
    pub(crate) first_local: u64,
}

impl Default for Addresses {
    fn default() -> Addresses {
        Addresses {
            of: BTreeMap::new(),
            next: ON_CHIP,
            first_local: ON_CHIP,
        }
    }
}

impl Addresses {
    /// The address of an object, if it is on the chip.
    pub(crate) fn of(&self, object: Object) -> Option<u64> {
        self.of.get(&object).copied()
    }

    pub(super) fn set(&mut self, object: Object, address: u64) {
        self.of.insert(object, address);
    }

    /// Takes a range of addresses; gives its first.
    pub(super) fn reserve(&mut self, bytes: u64, align: u64) -> u64 {
        let first = self.next.next_multiple_of(align);
        self.next = first + bytes;
        first
    }
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
fn waiting_bits(kernel: &Kernel) -> u64 {
    let blocks = kernel.layout().iter().copied();
    let waits = |block: &Block| {
        let first = kernel.block(*block).insts[0];
        matches!(kernel.inst(first), InstData::Barrier(_))
    };
    let waiting: Vec<Block> = blocks.filter(waits).collect();
    if waiting.is_empty() {
        return 0;
    }
    let cfg = Cfg::of(kernel);
    let liveness = Liveness::of(kernel, &cfg, &Uniform::of(kernel, &cfg));
    let mut used = EntitySet::new();
    for (_, inst) in kernel.insts() {
        used.extend(kernel.inst(inst).operands());
    }
    let carried = waiting.iter().flat_map(|&block| {
        let params = kernel.block(block).params.iter();
        let params = params.filter(|&&param| used.contains(param));
        params.chain(liveness.live_in(block))
    });
    let bits = carried.map(|&value| u64::from(kernel.ty(value).bits()));
    bits.sum()
}

/// How many work-items are under way when nothing stalls for long, at most.
fn under_way(kernel: &Kernel, alias_sets: &AliasSets, plan: &KernelPlan) -> u32 {
    let latency = |inst| {
        let group = alias_sets.accessed(kernel.inst(inst));
        match group.map(|group| &alias_sets.sets[group]) {
            Some(group) if fits_on_chip(kernel, group) => ON_CHIP_LATENCY,
            Some(group) => plan.latency(kernel, inst, group.figures.latency),
            None => plan.figures.latency,
        }
    };
    let blocks = kernel.layout().iter();
    let levels = blocks.flat_map(|&block| access_levels(kernel, block));
    let each = levels.map(|level| {
        let accesses = level.iter().map(|&inst| latency(inst));
        // Segments are short beside memory.
        accesses.max().unwrap_or(0) + 8
    });
    each.sum::<u32>().next_power_of_two().clamp(2, MOST_SLOTS)
}

fn fits_on_chip(kernel: &Kernel, group: &AliasSet) -> bool {
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

fn is_table(kernel: &Kernel, group: &AliasSet) -> bool {
    group.objects.len() == 1
        && group.is_all(kernel, |kind| matches!(kind, ObjectKind::Table { .. }))
}

fn is_private(kind: &ObjectKind) -> bool {
    matches!(kind, ObjectKind::Private { .. })
}

/// Decides where objects are and makes the kernel's addresses say so.
pub(crate) fn lay_out(
    kernel: &mut Kernel,
    alias_sets: &mut AliasSets,
    plan: &KernelPlan,
    params: &mut LaunchParams,
) -> Result<Layout, Refusal> {
    let mut addresses = Addresses::default();
    let under_way = under_way(kernel, alias_sets, plan);
    place_tables(kernel, alias_sets, plan, &mut addresses);
    let limits = residence::limits(kernel, alias_sets, plan, waiting_bits(kernel))?;
    let has_private = alias_sets
        .sets
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
        place_private(kernel, alias_sets, plan, slots, &mut addresses)
    });
    addresses.first_local = addresses.next;
    let local = limits.map(|limits| {
        residence::place_local(kernel, alias_sets, plan, params, limits, &mut addresses)
    });
    let (grouped, locals) = local.transpose()?.unzip();
    place_unused(kernel, alias_sets, &mut addresses);
    let placed = external_objects(kernel, alias_sets, slotted, plan.datapaths);
    Ok(Layout {
        addresses,
        slotted,
        grouped,
        placed,
        locals: locals.unwrap_or_default(),
    })
}

/// Gives local variables that are never accessed addresses among those of local memory.
fn place_unused(kernel: &Kernel, alias_sets: &AliasSets, addresses: &mut Addresses) {
    let is_local = |object: &Object| kernel.objects[*object].space() == Space::Local;
    let is_unused = |object: &Object| {
        alias_sets
            .sets
            .iter()
            .all(|it| !it.objects.contains(object))
    };
    let unused = kernel.objects.keys().filter(is_local).filter(is_unused);
    for object in unused {
        let data = &kernel.objects[object];
        let address = addresses.reserve(data.size().unwrap_or(1).max(1), data.align.into());
        addresses.set(object, address);
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
fn place_tables(
    kernel: &Kernel,
    alias_sets: &mut AliasSets,
    plan: &KernelPlan,
    addresses: &mut Addresses,
) {
    for group in &mut alias_sets.sets {
        if !is_table(kernel, group) {
            continue;
        }
        let object = group.objects[0];
        let size = size(kernel, object).next_power_of_two().max(128);
        if size * u64::from(group.accesses) <= plan.figures.on_chip_bytes {
            group.storage = Storage::Tables;
            let address = addresses.reserve(size, size);
            addresses.set(object, address);
        }
    }
}

/// Puts private arrays on the chip or into external memory.
fn place_private(
    kernel: &mut Kernel,
    alias_sets: &mut AliasSets,
    plan: &KernelPlan,
    Wanted { most, least }: Wanted,
    addresses: &mut Addresses,
) -> Slotted {
    let sizes: Vec<u64> = alias_sets
        .sets
        .iter()
        .map(|group| slot_size(kernel, group))
        .collect();
    let mut on_chip: Vec<usize> = (0..sizes.len())
        .filter(|&at| alias_sets.sets[at].is_all(kernel, is_private))
        .collect();
    on_chip.sort_by_key(|&at| sizes[at]);
    let total = |on_chip: &[usize]| on_chip.iter().map(|&at| sizes[at]).sum::<u64>();
    while total(&on_chip) * u64::from(least) > plan.figures.on_chip_bytes {
        on_chip.pop();
    }
    let mut slots = most;
    while slots > least && total(&on_chip) * u64::from(slots) > plan.figures.on_chip_bytes {
        slots /= 2;
    }
    let fewest = if least == most { least } else { 2 };
    while slots > fewest && sizes.iter().sum::<u64>() * u64::from(slots) > MOST_EXTERNAL {
        slots /= 2;
    }
    for &at in &on_chip {
        let bytes = sizes[at] * u64::from(slots);
        let group = &mut alias_sets.sets[at];
        group.storage = Storage::Memory(bytes);
        let mut offset = addresses.reserve(bytes, bytes);
        for &object in &group.objects {
            offset = offset.next_multiple_of(kernel.objects[object].align.into());
            addresses.set(object, offset);
            offset += size(kernel, object);
        }
    }
    let mut moves = SlotAddresses::new(kernel, slots, Query::ItemSlot, "slot");
    for (group, &size) in alias_sets.sets.iter().zip(&sizes) {
        let size = SlotSize::Bytes(size);
        match group.is_all(kernel, is_private) {
            // Addresses of the arrays are those of slot 0: each access moves to its own slot.
            true => moves.move_accesses(kernel, group, size),
            false => {
                let private = group
                    .objects
                    .iter()
                    .filter(|&&object| is_private(&kernel.objects[object].kind));
                let private: Vec<Object> = private.copied().collect();
                private
                    .iter()
                    .for_each(|&object| moves.move_object(kernel, object, size));
            }
        }
    }
    let slot = moves.finish(kernel);
    Slotted { slots, slot }
}

/// Bytes of a slot of a group's private arrays: a power of two, 1 if there are none. On the chip
/// they lie side by side in it; in external memory each has its own region of such slots.
fn slot_size(kernel: &Kernel, group: &AliasSet) -> u64 {
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

fn external_objects(
    kernel: &Kernel,
    alias_sets: &AliasSets,
    slotted: Option<Slotted>,
    datapaths: u32,
) -> Vec<Placed> {
    let external = alias_sets
        .sets
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
