//! The memories of a kernel: a cache or a memory on the chip per group of objects that accesses may
//! confuse.

use std::collections::BTreeMap;

use sluice_circuit::access::{Access, LINE};
use sluice_circuit::units::cache::{Cache, Mode};
use sluice_circuit::units::local_memory::LocalMemory;
use sluice_circuit::units::private_memory::PrivateMemory;
use sluice_circuit::units::store::Done;

use super::Lowering;
use super::groups::{Answer, AtomicUse, Storage, User};
use super::layout::ON_CHIP_LATENCY;
use super::memory_system::{CachePlan, Sharing, atomics, share};
use super::place::{Placing, place};
use super::residence::SIZED_ALIGN;
use crate::launch::{Argument, BufferId, Launch, Memory};

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

/// Most banks of a local memory.
const MOST_BANKS: u32 = 16;

impl Lowering<'_> {
    /// Builds what belongs to the datapath that was built last: its memories on the chip. Its caches
    /// are planned, to be built with those of the others.
    pub(super) fn datapath_memory(&mut self) {
        for at in 0..self.groups.groups.len() {
            match self.groups.groups[at].storage {
                Storage::Memory(size) => self.private_memory(at, size),
                Storage::Local(size) => self.local_memory(at, size),
                Storage::External if !self.groups.is_shared(&self.groups.groups[at]) => {
                    self.plan_cache(at);
                }
                Storage::External | Storage::Tables => {}
            }
        }
    }

    /// Plans the caches that the kernel's datapaths share.
    pub(super) fn shared_memory(&mut self) {
        for at in 0..self.groups.groups.len() {
            let group = &self.groups.groups[at];
            if group.storage == Storage::External && self.groups.is_shared(group) {
                self.plan_cache(at);
            }
        }
    }

    /// Makes the users that a group has so far those of one cache.
    fn plan_cache(&mut self, at: usize) {
        let group = &mut self.groups.groups[at];
        let users = std::mem::take(&mut group.users);
        let atomics = std::mem::take(&mut group.atomics);
        let cache = CachePlan {
            name: format!("{}{}", self.prefix, group.name),
            bytes: group.bytes,
            mode: group.mode(),
            users,
            atomics,
            kernels: vec![self.number],
            bank: at as u32 % self.memory.banks,
        };
        match (group.is_coherent, &mut self.system.coherent) {
            (false, _) => self.system.caches.push(cache),
            (true, coherent @ None) => {
                *coherent = Some(CachePlan {
                    name: "coherent".into(),
                    mode: Mode::ReadWrite,
                    bank: 0,
                    ..cache
                });
            }
            (true, Some(coherent)) => {
                coherent.users.extend(cache.users);
                coherent.atomics.extend(cache.atomics);
                if coherent.kernels.last() != Some(&self.number) {
                    coherent.kernels.push(self.number);
                }
            }
        }
    }

    /// A memory by the work-items' slots, with what is before it.
    fn private_memory(&mut self, at: usize, bytes: u64) {
        let Some(OnChip {
            name,
            access,
            mut users,
            atomics: uses,
        }) = self.on_chip(at, bytes)
        else {
            return;
        };
        users.extend(atomics(self.circuit, &name, access, uses, Done::Accepted));
        let sharing = Sharing {
            name: format!("arbiter_{name}"),
            access,
            outstanding: ON_CHIP_LATENCY,
            flush: None,
        };
        let (shared, _) = share(self.circuit, sharing, users);
        let response = shared.response();
        let given = [("request", shared.request)].into_iter();
        let given = given.chain(response.map(|channel| ("response", channel)));
        let placing = Placing::new(format!("memory_{name}"), given);
        let ports = place(self.circuit, PrivateMemory { access, bytes }, placing);
        if response.is_none() {
            self.circuit.discard(ports["response"]);
        }
    }

    /// A memory by the groups' slots: as many banks as there are units that access it.
    fn local_memory(&mut self, at: usize, bytes: u64) {
        let Some(OnChip {
            name,
            access,
            mut users,
            atomics: uses,
        }) = self.on_chip(at, bytes)
        else {
            return;
        };
        users.extend(atomics(
            self.circuit,
            &name,
            access,
            uses,
            Done::Acknowledged,
        ));
        users.sort_by_key(|user| user.response().is_none());
        let readers = users
            .iter()
            .filter(|user| user.response().is_some())
            .count();
        let most = (bytes / u64::from(2 * access.bytes)).min(MOST_BANKS.into()) as u32;
        let memory = LocalMemory {
            access,
            bytes,
            readers: readers as u32,
            writers: (users.len() - readers) as u32,
            banks: (users.len() as u32).next_power_of_two().min(most),
        };
        let mut given = BTreeMap::new();
        for (at, user) in users.iter().enumerate() {
            given.insert(format!("from_{at}"), user.request);
            let (Answer::Response(answer) | Answer::Acknowledgement(answer)) = user.answer else {
                unreachable!("local memory answers everybody");
            };
            given.insert(format!("to_{at}"), answer);
        }
        let given = given
            .iter()
            .map(|(name, &channel)| (name.as_str(), channel));
        place(
            self.circuit,
            memory,
            Placing::new(format!("local_{name}"), given),
        );
    }

    /// Takes the users of a group on the chip, if it has any.
    fn on_chip(&mut self, at: usize, bytes: u64) -> Option<OnChip> {
        let group = &mut self.groups.groups[at];
        let memory = OnChip {
            name: format!("{}{}", self.prefix, group.name),
            access: on_chip(group.bytes, bytes),
            users: std::mem::take(&mut group.users),
            atomics: std::mem::take(&mut group.atomics),
        };
        (!memory.users.is_empty() || !memory.atomics.is_empty()).then_some(memory)
    }
}

/// A memory on the chip in the making.
struct OnChip {
    name: String,
    access: Access,
    users: Vec<User>,
    atomics: Vec<AtomicUse>,
}

/// The port of a memory or table on the chip, whose size is a power of two.
pub(super) fn on_chip(bytes: u32, size: u64) -> Access {
    Access {
        bytes,
        // Access units count their beats in addresses: tiny memories have a few bits to spare.
        address_bits: size.trailing_zeros().max(LINE.trailing_zeros() + 1),
    }
}
