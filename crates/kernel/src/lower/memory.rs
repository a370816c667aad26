//! The memory system of a kernel: a cache per group of objects that accesses may confuse, an
//! arbiter where several units share one, and the port to external memory.

use std::collections::BTreeMap;

use cranelift_entity::SecondaryMap;
use sluice_circuit::access::{Access, LINE};
use sluice_circuit::circuit::Channel;
use sluice_circuit::unit::{Fields, UnitKind};
use sluice_circuit::units::arbiter::{Arbiter, Flush};
use sluice_circuit::units::cache::{Cache, Mode};
use sluice_circuit::units::fork::Fork;
use sluice_circuit::units::join::Join;
use sluice_circuit::units::load::{Load, Vector};
use sluice_circuit::units::memory_port::MemoryPort;
use sluice_circuit::units::store::Store;

use super::{Lowering, Refusal};
use crate::ir::{Inst, InstData, Kernel, Object, ObjectKind};
use crate::launch::{Argument, Launch};

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
}

/// Whether different parameters are different buffers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Buffers {
    /// They are: each may have a cache of its own.
    Disjoint,
    /// Some may be the same: all share one cache.
    MayAlias,
}

impl Buffers {
    /// What holds for a launch.
    pub fn of(launch: &Launch) -> Buffers {
        let buffers = launch.args.iter().filter_map(|arg| match arg {
            Argument::Buffer(id) => Some(id),
            Argument::Value(_) | Argument::Null | Argument::Local(_) | Argument::Struct(_) => None,
        });
        let mut seen: Vec<_> = buffers.collect();
        let all = seen.len();
        seen.sort_unstable();
        seen.dedup();
        match seen.len() == all {
            true => Buffers::Disjoint,
            false => Buffers::MayAlias,
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
        }
    }
}

/// Most units at one arbiter, and most caches at the memory port.
const MOST_SHARERS: usize = 16;

/// Objects that share a cache because some access may reach any of them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Group {
    /// The names of its objects.
    name: String,
    bytes: u32,
    reads: bool,
    writes: bool,
    accesses: usize,
    /// The units that access it, by name, with their channels.
    users: Vec<User>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct User {
    request: Channel,
    response: Option<Channel>,
}

/// The groups, and which one an object belongs to.
#[derive(Debug, Default)]
pub(super) struct Groups {
    pub(super) groups: Vec<Group>,
    of: SecondaryMap<Object, Option<usize>>,
}

impl Groups {
    /// Puts objects together that one access may reach.
    pub(super) fn of(kernel: &Kernel, buffers: Buffers) -> Groups {
        let mut leader: SecondaryMap<Object, Option<Object>> = SecondaryMap::new();
        let find = |leader: &SecondaryMap<Object, Option<Object>>, mut object: Object| {
            while let Some(next) = leader[object] {
                object = next;
            }
            object
        };
        let accesses: Vec<&InstData> = kernel
            .insts()
            .map(|(_, inst)| kernel.inst(inst))
            .filter(|data| data.objects().is_some())
            .collect();
        for data in &accesses {
            let mut objects = data.objects().expect("filtered").iter();
            let Some(first) = objects.next() else {
                continue;
            };
            for other in objects {
                let (a, b) = (find(&leader, first), find(&leader, other));
                if a != b {
                    leader[a.max(b)] = Some(a.min(b));
                }
            }
        }
        if buffers == Buffers::MayAlias {
            let mut all = kernel
                .objects
                .iter()
                .filter(|(_, object)| matches!(object.kind, ObjectKind::Buffer { .. }));
            if let Some((first, _)) = all.next() {
                for (other, _) in all {
                    let (a, b) = (find(&leader, first), find(&leader, other));
                    if a != b {
                        leader[a.max(b)] = Some(a.min(b));
                    }
                }
            }
        }
        let mut groups = Groups::default();
        for data in accesses {
            let Some(first) = data.objects().expect("filtered").iter().next() else {
                continue;
            };
            let root = find(&leader, first);
            let index = *groups.of[root].get_or_insert_with(|| {
                groups.groups.push(Group::default());
                groups.groups.len() - 1
            });
            groups.groups[index].note(data);
        }
        for object in kernel.objects.keys() {
            groups.of[object] = groups.of[find(&leader, object)];
            if let Some(index) = groups.of[object] {
                groups.groups[index].add_name(&kernel.objects[object].name);
            }
        }
        groups
    }
}

impl Groups {
    /// Refuses what one arbiter or one memory port cannot serve.
    pub(super) fn check(&self) -> Result<(), Refusal> {
        let refuse = |what| Err(Refusal { what, line: 0 });
        if self
            .groups
            .iter()
            .any(|group| group.accesses > MOST_SHARERS)
        {
            return refuse("a buffer with more than 16 accesses");
        }
        if self.groups.len() > MOST_SHARERS {
            return refuse("a kernel with more than 16 separate buffers");
        }
        Ok(())
    }
}

impl Group {
    fn add_name(&mut self, object: &str) {
        if self.name.len() > 40 {
            return;
        }
        if !self.name.is_empty() {
            self.name.push('_');
        }
        self.name.push_str(object);
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
        let beat = access
            .bytes()
            .next_power_of_two()
            .min(access.align)
            .min(LINE);
        self.bytes = self.bytes.max(beat);
    }

    fn mode(&self) -> Mode {
        match (self.reads, self.writes) {
            (true, false) => Mode::ReadOnly,
            (false, true) => Mode::WriteOnly,
            (true, true) | (false, false) => Mode::ReadWrite,
        }
    }
}

impl Lowering<'_> {
    /// Builds the unit of a load or store behind the channel with its operands; gives the channel
    /// with its results, and how many work-items it holds.
    pub(super) fn access(&mut self, inst: Inst, input: Channel) -> (Channel, u32) {
        let data = self.kernel.inst(inst);
        let objects = data.objects().expect("dataflow: an access has objects");
        let first = objects
            .iter()
            .next()
            .expect("refused before: an access reaches an object");
        let group = self.groups.of[first].expect("every accessed object has a group");
        let access = Access {
            bytes: self.groups.groups[group].bytes,
            address_bits: self.memory.address_bits,
        };
        let (transfer, is_load) = match data {
            InstData::Load { access, .. } => (access, true),
            InstData::Store { access, .. } => (access, false),
            other => unreachable!("refused before: {other}"),
        };
        let vector = Vector {
            lanes: transfer.lanes.into(),
            lane_bits: transfer.ty.bits(),
            alignment: transfer.align,
        };
        let outstanding = self.memory.latency;
        let lines = self.lines(&[inst]);
        let name = self.access_name(inst, first);
        let given = BTreeMap::from([("in", input)]);
        let (ports, capacity) = match is_load {
            true => {
                let load = Load {
                    vector,
                    access,
                    outstanding,
                };
                let capacity = load.capacity();
                (self.place(name, load, lines, given), capacity)
            }
            false => {
                let store = Store {
                    vector,
                    access,
                    outstanding: 2,
                };
                let capacity = store.capacity();
                (self.place(name, store, lines, given), capacity)
            }
        };
        self.groups.groups[group].users.push(User {
            request: ports["request"],
            response: ports.get("response").copied(),
        });
        self.name_values(ports["out"], self.kernel.results(inst));
        (ports["out"], capacity)
    }

    /// Builds arbiters, caches and the memory port; `finished` makes the caches write back, and the
    /// result says when all have.
    pub(super) fn memory_system(&mut self, finished: Channel) -> Channel {
        let groups = std::mem::take(&mut self.groups.groups);
        let groups: Vec<Group> = groups
            .into_iter()
            .filter(|group| !group.users.is_empty())
            .collect();
        if groups.is_empty() {
            return finished;
        }
        let count = groups.len();
        let flushes = self.fork(finished, count);
        let mut flushed = Vec::new();
        let mut port = BTreeMap::new();
        for (at, (group, flush)) in groups.into_iter().zip(flushes).enumerate() {
            let cache = Cache {
                lines: self.memory.cache_lines,
                access: Access {
                    bytes: group.bytes,
                    address_bits: self.memory.address_bits,
                },
                outstanding: self.memory.latency,
                mode: group.mode(),
            };
            let (shared, flush) = self.share(&group.name, &cache.access, group.users, flush);
            let mut given = BTreeMap::from([("flush", flush), ("request", shared.request)]);
            if let Some(response) = shared.response {
                given.insert("response", response);
            }
            let ports = self.place(format!("cache_{}", group.name), cache, Vec::new(), given);
            if shared.response.is_none() {
                self.circuit.discard(ports["response"]);
            }
            for side in ["fetch", "fill", "writeback", "writeback_done"] {
                port.insert(format!("{side}_{at}"), ports[side]);
            }
            flushed.push(ports["flushed"]);
        }
        let unit = MemoryPort {
            caches: count as u32,
            address_bits: self.memory.address_bits,
            outstanding: self.memory.latency,
        };
        let given = port
            .iter()
            .map(|(name, &channel)| (name.as_str(), channel))
            .collect();
        let ports = self.place("memory_port".into(), unit, Vec::new(), given);
        for name in ["r", "b"] {
            self.circuit.add_input(ports[name]);
        }
        for name in ["ar", "aw", "w"] {
            self.circuit.add_output(ports[name]);
        }
        self.join(flushed)
    }

    /// One port for all users of a cache.
    fn share(
        &mut self,
        cache: &str,
        access: &Access,
        mut users: Vec<User>,
        flush: Channel,
    ) -> (User, Channel) {
        if users.len() == 1 {
            return (users.remove(0), flush);
        }
        // Those who read come first: only they have a response.
        users.sort_by_key(|user| user.response.is_none());
        let readers = users.iter().filter(|user| user.response.is_some()).count();
        let arbiter = Arbiter {
            readers: readers as u32,
            writers: (users.len() - readers) as u32,
            access: *access,
            outstanding: self.memory.latency,
            flush: Flush::Passed,
        };
        let mut given = BTreeMap::from([("flush".to_string(), flush)]);
        for (at, user) in users.iter().enumerate() {
            given.insert(format!("from_{at}"), user.request);
            if let Some(response) = user.response {
                given.insert(format!("to_{at}"), response);
            }
        }
        let given = given
            .iter()
            .map(|(name, &channel)| (name.as_str(), channel))
            .collect();
        let ports = self.place(format!("arbiter_{cache}"), arbiter, Vec::new(), given);
        let user = User {
            request: ports["request"],
            response: Some(ports["response"]),
        };
        (user, ports["flush_out"])
    }

    fn fork(&mut self, input: Channel, ways: usize) -> Vec<Channel> {
        if ways == 1 {
            return vec![input];
        }
        let fork = Fork {
            fields: Fields::NONE,
            outputs: vec![Vec::new(); ways],
        };
        let names: Vec<String> = fork.outputs().into_iter().map(|port| port.name).collect();
        let ports = self.place(
            "fork_finished".into(),
            fork,
            Vec::new(),
            BTreeMap::from([("in", input)]),
        );
        names.iter().map(|name| ports[name]).collect()
    }

    fn join(&mut self, inputs: Vec<Channel>) -> Channel {
        if let [channel] = inputs[..] {
            return channel;
        }
        let join = Join {
            inputs: vec![Fields::NONE; inputs.len()],
        };
        let names: Vec<String> = join.inputs().into_iter().map(|port| port.name).collect();
        let given = names.iter().map(String::as_str).zip(inputs).collect();
        let ports = self.place("join_flushed".into(), join, Vec::new(), given);
        ports["out"]
    }

    /// Adds a unit whose ports are given by name; channels are made for the others. All of its
    /// channels are the result.
    pub(super) fn place(
        &mut self,
        name: String,
        kind: impl UnitKind + 'static,
        lines: Vec<u32>,
        given: BTreeMap<&str, Channel>,
    ) -> BTreeMap<String, Channel> {
        let mut all = BTreeMap::new();
        let mut channel = |port: sluice_circuit::unit::Port| {
            let channel = match given.get(port.name.as_str()) {
                Some(&channel) => channel,
                None => self
                    .circuit
                    .add_channel(format!("{name}_{}", port.name), port.fields),
            };
            all.insert(port.name, channel);
            channel
        };
        let inputs: Vec<Channel> = kind.inputs().into_iter().map(&mut channel).collect();
        let outputs: Vec<Channel> = kind.outputs().into_iter().map(&mut channel).collect();
        self.add_unit(name, kind, lines, inputs, outputs, Vec::new());
        all
    }
}
