//! Groups: memory objects that some access may confuse share one memory.

use cranelift_entity::SecondaryMap;
use sluice_circuit::access::LINE;
use sluice_circuit::circuit::Channel;
use sluice_circuit::units::arbiter::Arbiter;
use sluice_circuit::units::cache::Mode;
use sluice_circuit::units::memory_port::MemoryPort;

use super::Refusal;
use crate::ir::{Access, InstData, Kernel, Object, ObjectKind};

/// A name that is longer takes up no more objects.
const LONGEST_NAME: usize = 40;

/// Objects that share a memory because some access may reach any of them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Group {
    /// The objects, ascending.
    pub(super) objects: Vec<Object>,
    /// The objects' names, as many as are still readable together.
    pub(super) name: String,
    /// Bytes per transfer of its memory's port.
    pub(super) bytes: u32,
    pub(super) reads: bool,
    pub(super) writes: bool,
    pub(super) accesses: u32,
    /// The source line of its last access.
    line: u32,
    pub(super) storage: Storage,
    /// The units that access it, with their channels.
    pub(super) users: Vec<User>,
}

/// Where a group's objects are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Storage {
    /// In external memory, behind a cache.
    #[default]
    External,
    /// A table of its own for each load.
    Tables,
    /// On the chip, in a memory of so many bytes.
    Memory(u64),
}

/// A unit that accesses memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct User {
    pub(super) request: Channel,
    pub(super) response: Option<Channel>,
}

/// The groups, and which one an object belongs to.
#[derive(Debug, Default)]
pub(super) struct Groups {
    pub(super) groups: Vec<Group>,
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

impl Groups {
    /// Puts objects together that one access may reach.
    pub(super) fn of(kernel: &Kernel) -> Groups {
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
        let mut groups = Groups::default();
        for (_, inst) in kernel.insts() {
            let data = kernel.inst(inst);
            let Some(first) = data.objects().and_then(|objects| objects.iter().next()) else {
                continue;
            };
            let index = *groups.of[leaders.find(first)].get_or_insert_with(|| {
                groups.groups.push(Group::default());
                groups.groups.len() - 1
            });
            groups.groups[index].note(data);
            groups.groups[index].line = kernel.loc(inst).line;
        }
        for object in kernel.objects.keys() {
            let group = groups.of[leaders.find(object)];
            groups.of[object] = group;
            if let Some(group) = group {
                groups.groups[group].add(object, &kernel.objects[object].name);
            }
        }
        groups
    }

    /// The group of an access.
    pub(super) fn accessed(&self, data: &InstData) -> Option<usize> {
        let first = data.objects()?.iter().next()?;
        self.of[first]
    }

    /// Refuses what one arbiter or one memory port cannot serve.
    pub(super) fn check(&self) -> Result<(), Refusal> {
        let is_shared = |group: &&Group| group.storage != Storage::Tables;
        let mut shared = self.groups.iter().filter(is_shared);
        if let Some(group) = shared.find(|group| group.accesses > Arbiter::MOST_REQUESTERS) {
            return Err(Refusal {
                what: "an object with more than 128 accesses",
                line: group.line,
            });
        }
        let is_external = |group: &&Group| group.storage == Storage::External;
        let external = self.groups.iter().filter(is_external);
        if external.count() > MemoryPort::MOST_CACHES as usize {
            return Err(Refusal {
                what: "a kernel with more than 64 separate objects in external memory",
                line: 0,
            });
        }
        Ok(())
    }
}

impl Group {
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

    fn note(&mut self, data: &InstData) {
        self.accesses += 1;
        let access = match data {
            InstData::Load { access, .. } => {
                self.reads = true;
                access
            }
            InstData::Store { access, .. } => {
                self.writes = true;
                access
            }
            other => unreachable!("refused before: {other}"),
        };
        self.bytes = self.bytes.max(beat(access));
    }

    /// What its cache has to be able to do.
    pub(super) fn mode(&self) -> Mode {
        match (self.reads, self.writes) {
            (true, false) => Mode::ReadOnly,
            (false, true) => Mode::WriteOnly,
            (true, true) | (false, false) => Mode::ReadWrite,
        }
    }

    /// Whether each of its objects passes.
    pub(super) fn is_all(&self, kernel: &Kernel, is: impl Fn(&ObjectKind) -> bool) -> bool {
        self.objects
            .iter()
            .all(|&object| is(&kernel.objects[object].kind))
    }
}

/// The widest transfer that an access can use.
pub(super) fn beat(access: &Access) -> u32 {
    access
        .bytes()
        .next_power_of_two()
        .min(access.align)
        .min(LINE)
}
