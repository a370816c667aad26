//! AliasSets: memory objects that some access may confuse share one memory.

use cranelift_entity::SecondaryMap;
use sluice_circuit::access::LINE;
use sluice_circuit::units::arbiter::Arbiter;
use sluice_circuit::units::atomics::Atomics;

use super::Refusal;
use crate::ir::{Access, InstData, Kernel, Object, ObjectKind};
use crate::plan::KernelPlan;
use crate::plan::names::port_of_location;

/// A name that is longer takes up no more objects.
const LONGEST_NAME: usize = 40;

/// Objects that share a memory because some access may reach any of them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct AliasSet {
    /// The objects, ascending.
    pub(crate) objects: Vec<Object>,
    /// The objects' names, as many as are still readable together.
    pub(crate) name: String,
    /// Bytes per transfer of its memory's port.
    pub(crate) bytes: u32,
    pub(crate) reads: bool,
    pub(crate) writes: bool,
    /// Loads and stores.
    pub(crate) accesses: u32,
    /// Stores among them.
    pub(crate) stores: u32,
    /// Atomic operations.
    pub(crate) atomic_operations: u32,
    /// Whether others are to see at once what is written, and what others have written is to be
    /// seen.
    pub(crate) is_volatile: bool,
    /// Whether it is in the cache of kernels that tell each other something while they run.
    pub(crate) is_coherent: bool,
    /// The source line of its last access.
    pub(crate) line: u32,
    pub(crate) storage: Storage,
    /// What its cache is built for, if it is in external memory.
    pub(crate) figures: CacheFigures,
}

/// What a cache is built for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct CacheFigures {
    /// Bytes of its cache.
    pub(crate) cache_bytes: u32,
    /// Cycles that an access takes most of the time: as many are under way.
    pub(crate) latency: u32,
    /// The memory port behind it, if the plan says which.
    pub(crate) bank: Option<u32>,
}

impl CacheFigures {
    /// What serves both.
    pub(crate) fn and(self, other: CacheFigures) -> CacheFigures {
        CacheFigures {
            cache_bytes: self.cache_bytes.max(other.cache_bytes),
            latency: self.latency.max(other.latency),
            bank: self.bank.or(other.bank),
        }
    }

    /// What a plan says of an object, or else the source. Only buffers have entries.
    fn of(plan: &KernelPlan, kernel: &Kernel, object: Object) -> CacheFigures {
        let data = &kernel.objects[object];
        let is_buffer = matches!(data.kind, ObjectKind::Buffer { .. });
        let entry = plan.objects.get(&data.name).filter(|_| is_buffer);
        let entry = entry.copied().unwrap_or_default();
        CacheFigures {
            cache_bytes: entry.cache_bytes.unwrap_or(plan.figures.cache_bytes),
            latency: entry.latency.unwrap_or(plan.figures.latency),
            bank: entry.bank.or_else(|| port_of_location(kernel, object)),
        }
    }
}

/// Where the objects of a set are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Storage {
    /// In external memory, behind a cache.
    #[default]
    External,
    /// A table of its own for each load.
    Tables,
    /// On the chip, in a memory of this many bytes, with a copy per slot of work-items.
    Memory(u64),
    /// On the chip, in a memory of this many bytes, with a copy per slot of work-groups.
    Local(u64),
}

/// The sets, and which one an object belongs to.
#[derive(Debug, Default)]
pub(crate) struct AliasSets {
    pub(crate) sets: Vec<AliasSet>,
    of: SecondaryMap<Object, Option<usize>>,
}

/// Objects by what they are put together with.
#[derive(Default)]
struct Leaders(SecondaryMap<Object, Option<Object>>);

impl Leaders {
    fn find(&self, mut object: Object) -> Object {
        while let Some(next) = self.0[object] {
            object = next;
        }
        object
    }

    fn unite(&mut self, one: Object, other: Object) {
        let (one, other) = (self.find(one), self.find(other));
        if one != other {
            self.0[one.max(other)] = Some(one.min(other));
        }
    }
}

impl AliasSets {
    /// Puts objects together that one access may reach.
    pub(crate) fn of(kernel: &Kernel, plan: &KernelPlan) -> AliasSets {
        let mut leaders = Leaders::default();
        for (_, inst) in kernel.insts() {
            let Some(objects) = kernel.inst(inst).objects() else {
                continue;
            };
            let first = objects.iter().next();
            for (one, other) in first
                .into_iter()
                .flat_map(|one| objects.iter().map(move |o| (one, o)))
            {
                leaders.unite(one, other);
            }
        }
        let mut alias_sets = AliasSets::default();
        for (_, inst) in kernel.insts() {
            let data = kernel.inst(inst);
            let Some(first) = data.objects().and_then(|objects| objects.iter().next()) else {
                continue;
            };
            let index = *alias_sets.of[leaders.find(first)].get_or_insert_with(|| {
                alias_sets.sets.push(AliasSet::default());
                alias_sets.sets.len() - 1
            });
            alias_sets.sets[index].note(kernel, data);
            alias_sets.sets[index].line = kernel.loc(inst).line;
        }
        for object in kernel.objects.keys() {
            let group = alias_sets.of[leaders.find(object)];
            alias_sets.of[object] = group;
            if let Some(group) = group {
                let data = &kernel.objects[object];
                alias_sets.sets[group].add(object, &data.name);
                let figures = &mut alias_sets.sets[group].figures;
                *figures = figures.and(CacheFigures::of(plan, kernel, object));
            }
        }
        alias_sets
    }

    /// The set of an access.
    pub(crate) fn accessed(&self, data: &InstData) -> Option<usize> {
        let first = data.objects()?.iter().next()?;
        self.of[first]
    }

    /// Whether work-items of different groups tell each other something through global memory.
    pub(crate) fn communicate(&self) -> bool {
        let mut groups = self.sets.iter();
        groups.any(|group| {
            group.storage == Storage::External && (group.is_atomic() || group.is_volatile)
        })
    }

    /// Whether all datapaths share a group's cache: each sees what the others do.
    pub(crate) fn is_shared(&self, group: &AliasSet) -> bool {
        group.is_coherent
            || group.is_atomic()
            || group.is_volatile
            || (group.reads && group.writes && self.communicate())
    }

    /// Refuses what one arbiter or one unit for atomic operations cannot serve.
    pub(crate) fn check(&self, datapaths: u32) -> Result<(), Refusal> {
        let is_external = |group: &AliasSet| group.storage == Storage::External;
        for group in &self.sets {
            let copies = match is_external(group) && self.is_shared(group) {
                true => datapaths,
                false => 1,
            };
            let operations = group.atomic_operations * copies;
            if operations > Atomics::MOST_OPERATIONS as u32 {
                return Err(group.too_many(
                    operations,
                    Atomics::MOST_OPERATIONS as u32,
                    "atomic operations",
                    copies,
                ));
            }
            let atomics = 2 * u32::from(group.is_atomic());
            let requesters = group.accesses * copies + atomics;
            if group.storage != Storage::Tables && requesters > Arbiter::MOST_REQUESTERS {
                return Err(group.too_many(
                    requesters,
                    Arbiter::MOST_REQUESTERS,
                    "accesses",
                    copies,
                ));
            }
        }
        Ok(())
    }
}

impl AliasSet {
    fn add(&mut self, object: Object, name: &str) {
        self.objects.push(object);
        if self.name.len() > LONGEST_NAME {
            return;
        }
        if !self.name.is_empty() {
            self.name.push('_');
        }
        self.name.push_str(name);
    }

    /// Refuses it for the number of its users, which may be in several datapaths.
    fn too_many(&self, count: u32, most: u32, what: &str, copies: u32) -> Refusal {
        let copies = match copies {
            1 => String::new(),
            copies => format!(" from {copies} datapaths"),
        };
        Refusal {
            what: format!(
                "memory object `{}` with {count} {what}{copies}, more than {most},",
                self.name
            )
            .into(),
            line: self.line,
        }
    }

    fn note(&mut self, kernel: &Kernel, data: &InstData) {
        let bytes = match data {
            InstData::Load { access, .. } => {
                self.reads = true;
                self.accesses += 1;
                self.is_volatile |= access.volatile;
                beat(access)
            }
            InstData::Store { access, .. } => {
                self.writes = true;
                self.accesses += 1;
                self.stores += 1;
                self.is_volatile |= access.volatile;
                beat(access)
            }
            InstData::AtomicRmw { value, .. } | InstData::CmpXchg { new: value, .. } => {
                (self.reads, self.writes) = (true, true);
                self.atomic_operations += 1;
                kernel.ty(*value).bits() / 8
            }
            other => unreachable!("{other} accesses no memory"),
        };
        self.bytes = self.bytes.max(bytes);
    }

    /// Whether there are atomic operations on it.
    pub(crate) fn is_atomic(&self) -> bool {
        self.atomic_operations > 0
    }

    /// Whether each of its objects passes.
    pub(crate) fn is_all(&self, kernel: &Kernel, is: impl Fn(&ObjectKind) -> bool) -> bool {
        self.objects
            .iter()
            .all(|&object| is(&kernel.objects[object].kind))
    }
}

/// The widest transfer that an access can use.
pub(crate) fn beat(access: &Access) -> u32 {
    access
        .bytes()
        .next_power_of_two()
        .min(access.align)
        .min(LINE)
}
