//! What is chosen for a circuit, as far as its kernel leaves a choice.

use sluice_circuit::units::cache::Cache;

use crate::launch::{Argument, BufferId, Launch, Memory};
use crate::prepare::SIZED_ALIGN;

/// What the memory system is built for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemoryPlan {
    /// Bits of an address in external memory.
    pub address_bits: u32,
    /// Cycles that an access takes most of the time, misses included: as many are under way.
    pub latency: u32,
    /// Lines of 64 bytes of each cache.
    pub cache_lines: u32,
    /// Whether different parameters are different buffers.
    pub buffers: Buffers,
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
    /// Copies of the kernel's pipeline, 1 to [`MemoryPlan::MOST_DATAPATHS`].
    pub datapaths: u32,
    /// Ports to external memory; a buffer is always reached through the same one.
    pub banks: u32,
}

impl MemoryPlan {
    /// Most datapaths of one circuit.
    pub const MOST_DATAPATHS: u32 = 16;

    /// Most memory ports of a circuit.
    pub const MOST_BANKS: u32 = 32;

    /// Most work-items of a group that synchronises: all of them may meet at a barrier.
    pub const MOST_GROUP_ITEMS: u32 = 1 << 16;

    /// A plan that launches fit.
    pub fn for_launches<'a>(
        launches: impl IntoIterator<Item = &'a Launch>,
        memory: &Memory,
    ) -> MemoryPlan {
        let launches = launches.into_iter();
        let plans = launches.map(|launch| MemoryPlan::for_launch(launch, memory));
        plans.fold(MemoryPlan::default(), |all, plan| MemoryPlan {
            buffers: match (all.buffers, plan.buffers) {
                (Buffers::Disjoint, Buffers::Disjoint) => Buffers::Disjoint,
                (Buffers::MayAlias, _) | (_, Buffers::MayAlias) => Buffers::MayAlias,
            },
            group_items: all.group_items.max(plan.group_items),
            local_bytes: all.local_bytes.max(plan.local_bytes),
            ..all
        })
    }

    /// A plan that a launch fits.
    pub fn for_launch(launch: &Launch, memory: &Memory) -> MemoryPlan {
        let plan = MemoryPlan::default();
        let local = launch.args.iter().filter_map(|arg| match arg {
            Argument::Local(bytes) => Some(bytes.next_multiple_of(SIZED_ALIGN)),
            Argument::Value(_) | Argument::Buffer(_) | Argument::Null | Argument::Struct(_) => None,
        });
        let local: u64 = local.sum();
        let items = u32::try_from(launch.range.group_size()).unwrap_or(u32::MAX);
        MemoryPlan {
            buffers: Buffers::of(launch, memory),
            group_items: plan.group_items.max(items),
            local_bytes: plan.local_bytes.max(2 * local.next_power_of_two()),
            ..plan
        }
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

impl Default for MemoryPlan {
    fn default() -> MemoryPlan {
        MemoryPlan {
            address_bits: 40,
            latency: 128,
            cache_lines: Cache::DEFAULT_LINES,
            buffers: Buffers::Disjoint,
            on_chip_bytes: 1 << 16,
            local_bytes: 1 << 16,
            barrier_bits: 1 << 21,
            group_items: 1024,
            datapaths: 1,
            banks: 1,
        }
    }
}
