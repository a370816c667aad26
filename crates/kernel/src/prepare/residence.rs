//! Work-groups that synchronise: how many a datapath has at once, and where their local memory is.

use super::alias_sets::{AliasSet, AliasSets, Storage};
use super::launch_params::LaunchParams;
use super::layout::{Addresses, size};
use super::refusal::barriers;
use super::slot_addresses::{SlotAddresses, SlotSize};
use super::{LaunchValue, Refusal};
use crate::ir::{InstData, Kernel, Object, ObjectKind, Query, Type, Value};
use crate::plan::{KernelPlan, Plan};

/// What a datapath has room for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GroupLimits {
    /// Work-items of a group, at most.
    pub items: u32,
    /// Groups at once, at most: a power of two.
    pub slots: u32,
    /// Work-items at once, each group's number rounded up to a power of two.
    pub places: u32,
}

/// A local memory: one copy of these objects for each group.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LocalMemory {
    /// Its size on the chip: a power of two.
    pub bytes: u64,
    /// Where it begins: a multiple of its size.
    pub address: u64,
    /// Bytes of its variables, which come first.
    pub fixed: u64,
    /// The objects behind them that the host, or the size of a work-group, sizes, in their order.
    pub sized: Vec<Object>,
}

/// Groups with slots.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Grouped {
    pub(crate) limits: GroupLimits,
    /// The slot of a work-item's group.
    pub(crate) slot: Value,
}

/// Most groups at once.
const MOST_SLOTS: u32 = 16;

/// With fewer work-items at once the latency of memory shows.
const LEAST_PLACES: u32 = 512;

/// With fewer groups at once one waits for itself.
const LEAST_SLOTS: u32 = 2;

/// Alignment of what the host sizes.
pub(crate) const SIZED_ALIGN: u64 = 128;

/// Most bytes of a local memory.
const MOST_LOCAL: u64 = 1 << 24;

impl LocalMemory {
    /// Bytes of a group's copy: a power of two. The host says how large its objects are.
    pub fn group_bytes(&self, sizes: impl Fn(Object) -> u64) -> u64 {
        let (_, end) = self.places(sizes);
        end.max(1).next_power_of_two()
    }

    /// The addresses of the objects that the host sizes, in the first group's copy.
    pub fn addresses(&self, sizes: impl Fn(Object) -> u64) -> Vec<(Object, u64)> {
        self.places(sizes).0
    }

    fn places(&self, sizes: impl Fn(Object) -> u64) -> (Vec<(Object, u64)>, u64) {
        let mut end = self.fixed;
        let mut addresses = Vec::with_capacity(self.sized.len());
        for &object in &self.sized {
            end = end.next_multiple_of(SIZED_ALIGN);
            addresses.push((object, self.address + end));
            end += sizes(object);
        }
        (addresses, end)
    }
}

/// Dimensions of launches: as many as the plan says, or as work-items have ids in and groups have sizes in.
pub(crate) fn dimensions(kernel: &Kernel, plan: &KernelPlan) -> usize {
    let of_ids = kernel
        .insts()
        .filter_map(|(_, inst)| match kernel.inst(inst) {
            InstData::Query {
                query: Query::GlobalId | Query::LocalId | Query::GroupId,
                dim,
            } => Some(usize::from(*dim) + 1),
            _ => None,
        });
    let sizes = kernel.work_group_size.required.into_iter().flatten();
    let of_sizes = sizes.enumerate().filter(|(_, size)| *size > 1);
    let of_sizes = of_sizes.map(|(dimension, _)| dimension + 1);
    let least = plan.figures.dimensions as usize;
    of_ids.chain(of_sizes).fold(least, usize::max)
}

/// Most work-items of a group.
pub(crate) fn group_items(kernel: &Kernel, plan: &KernelPlan) -> u64 {
    let size = |size: [u32; 3]| size.iter().map(|&size| u64::from(size)).product();
    let required = kernel.work_group_size.required.map(size);
    required.unwrap_or(plan.figures.group_items.into())
}

fn is_local(kind: &ObjectKind) -> bool {
    match kind {
        ObjectKind::Local { .. }
        | ObjectKind::LocalPerItem { .. }
        | ObjectKind::LocalArg { .. } => true,
        ObjectKind::Buffer { .. }
        | ObjectKind::StructArg { .. }
        | ObjectKind::Private { .. }
        | ObjectKind::Table { .. } => false,
    }
}

/// What groups need, if they have to be told apart: by a barrier or by what they share. At its
/// barriers, a work-item leaves `waiting_bits` altogether.
///
/// While one group waits at a barrier for its last work-items and another one leaves it, others keep
/// what is between the barriers busy: so there are to be two for each barrier, if there is memory.
pub(crate) fn limits(
    kernel: &Kernel,
    alias_sets: &AliasSets,
    plan: &KernelPlan,
    waiting_bits: u64,
) -> Result<Option<GroupLimits>, Refusal> {
    let mut all = alias_sets.sets.iter();
    let is_shared = all.any(|group| !group.is_all(kernel, |kind| !is_local(kind)));
    let barriers = barriers(kernel) as u32;
    if !is_shared && barriers == 0 {
        return Ok(None);
    }
    let required = kernel.work_group_size.required;
    let items = required.map_or(plan.figures.group_items, |size| {
        let product = size.iter().map(|&size| u64::from(size)).product::<u64>();
        u32::try_from(product).unwrap_or(u32::MAX)
    });
    if items > Plan::MOST_GROUP_ITEMS {
        return Err(Refusal {
            what: format!(
                "a work-group of {items} work-items that synchronise, more than {},",
                Plan::MOST_GROUP_ITEMS
            )
            .into(),
            line: 0,
        });
    }
    let each = items.next_power_of_two();
    let mut wanted = (2 * barriers + 2)
        .next_power_of_two()
        .clamp(LEAST_SLOTS, MOST_SLOTS);
    while wanted > LEAST_SLOTS
        && waiting_bits * u64::from(wanted * each) > plan.figures.barrier_bits
    {
        wanted /= 2;
    }
    let places = (wanted * each).max(LEAST_PLACES);
    let slots = match required {
        Some(_) => (places / each).clamp(LEAST_SLOTS, MOST_SLOTS),
        None => MOST_SLOTS,
    };
    Ok(Some(GroupLimits {
        items,
        slots,
        places,
    }))
}

/// Puts local memory on the chip and makes its addresses those of the group's copy.
pub(crate) fn place_local(
    kernel: &mut Kernel,
    alias_sets: &mut AliasSets,
    plan: &KernelPlan,
    params: &mut LaunchParams,
    limits: GroupLimits,
    addresses: &mut Addresses,
) -> Result<(Grouped, Vec<LocalMemory>), Refusal> {
    let mut moves = SlotAddresses::new(kernel, limits.slots, Query::GroupSlot, "group_slot");
    let mut memories = Vec::new();
    for group in &mut alias_sets.sets {
        if group.is_all(kernel, |kind| !is_local(kind)) {
            continue;
        }
        if !group.is_all(kernel, is_local) {
            return Err(Refusal {
                what: "a pointer to either local or other memory".into(),
                line: group.line,
            });
        }
        let memory = local_memory(kernel, group, plan, limits, addresses)?;
        let size = match memory.sized.is_empty() {
            true => SlotSize::Bytes(memory.group_bytes(|_| 0)),
            false => {
                let shift = LaunchValue::LocalShift(memories.len() as u32);
                SlotSize::Param(params.param(kernel, shift, Type::I64))
            }
        };
        moves.move_accesses(kernel, group, size);
        group.storage = Storage::Local(memory.bytes);
        memories.push(memory);
    }
    let slot = moves.finish(kernel);
    Ok((Grouped { limits, slot }, memories))
}

/// Most bytes of a group's copy, unless the host says how many.
fn most_of_group(
    kernel: &Kernel,
    fixed: u64,
    sized: &[Object],
    limits: GroupLimits,
) -> Option<u64> {
    sized.iter().try_fold(fixed, |end, &object| {
        let ObjectKind::LocalPerItem { bytes } = kernel.objects[object].kind else {
            return None;
        };
        Some(end.next_multiple_of(SIZED_ALIGN) + bytes * u64::from(limits.items))
    })
}

fn local_memory(
    kernel: &Kernel,
    group: &AliasSet,
    plan: &KernelPlan,
    limits: GroupLimits,
    addresses: &mut Addresses,
) -> Result<LocalMemory, Refusal> {
    let (sized, variables): (Vec<Object>, Vec<Object>) = group
        .objects
        .iter()
        .partition(|&&object| kernel.objects[object].size().is_none());
    let mut fixed = 0_u64;
    let mut offsets = Vec::new();
    for &object in &variables {
        fixed = fixed.next_multiple_of(kernel.objects[object].align.into());
        offsets.push(fixed);
        fixed += size(kernel, object);
    }
    let least = fixed.max(2 * u64::from(group.bytes)).next_power_of_two();
    let bytes = match most_of_group(kernel, fixed, &sized, limits) {
        Some(most) => {
            let least = least.max(most.next_power_of_two());
            let mut bytes = least * u64::from(limits.slots);
            while bytes > least && bytes > plan.figures.local_bytes {
                bytes /= 2;
            }
            bytes
        }
        None => plan.figures.local_bytes.max(2 * least).next_power_of_two(),
    };
    if bytes > MOST_LOCAL {
        return Err(Refusal {
            what: format!(
                "local memory of more than 16 MiB (`{}` takes {bytes} bytes)",
                group.name
            )
            .into(),
            line: group.line,
        });
    }
    let address = addresses.reserve(bytes, bytes);
    for (object, offset) in variables.into_iter().zip(offsets) {
        addresses.set(object, address + offset);
    }
    Ok(LocalMemory {
        bytes,
        address,
        // A copy has room for a whole transfer.
        fixed: fixed.max(2 * u64::from(group.bytes)),
        sized,
    })
}
