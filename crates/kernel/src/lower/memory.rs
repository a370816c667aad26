//! The memory system of a kernel: a cache or a memory on the chip per group of objects that accesses
//! may confuse, an arbiter where several units share one, and the port to external memory.

use std::collections::BTreeMap;

use sluice_circuit::access::{Access, LINE};
use sluice_circuit::circuit::Channel;
use sluice_circuit::unit::{Fields, UnitKind};
use sluice_circuit::units::arbiter::{Arbiter, Flush};
use sluice_circuit::units::cache::Cache;
use sluice_circuit::units::fork::Fork;
use sluice_circuit::units::join::Join;
use sluice_circuit::units::load::{Load, Vector};
use sluice_circuit::units::memory_port::MemoryPort;
use sluice_circuit::units::private_memory::PrivateMemory;
use sluice_circuit::units::rom::Rom;
use sluice_circuit::units::store::{Done, Store};

use super::Lowering;
use super::groups::{Group, Storage, User, beat};
use super::layout::ON_CHIP_LATENCY;
use crate::ir::{self, Inst, InstData, ObjectKind};
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
    /// Most bytes of private arrays on the chip, for all work-items together; the same for each
    /// table, for all of its loads together. What does not fit is in external memory.
    pub on_chip_bytes: u64,
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
            on_chip_bytes: 1 << 16,
        }
    }
}

/// Most outputs of one fork; more make a tree.
const WIDEST_FORK: usize = 16;

impl Lowering<'_> {
    /// The port that an access goes through, and how many accesses are to be under way.
    fn port(&self, inst: Inst) -> (Access, u32) {
        let data = self.kernel.inst(inst);
        let group = self.memory_group(data);
        match group.storage {
            Storage::External => (
                Access {
                    bytes: group.bytes,
                    address_bits: self.memory.address_bits,
                },
                self.memory.latency,
            ),
            Storage::Tables => {
                let bytes = beat(transfer(data));
                let words = self.table(inst).len().div_ceil(bytes as usize);
                let words = words.next_power_of_two().max(2) as u32;
                let size = u64::from(words * bytes);
                (on_chip(bytes, size), ON_CHIP_LATENCY)
            }
            Storage::Memory(size) => (on_chip(group.bytes, size), ON_CHIP_LATENCY),
        }
    }

    /// Cycles that an access takes most of the time.
    pub(super) fn usual_latency(&self, inst: Inst) -> u32 {
        self.port(inst).1
    }

    /// How many bits of its address an access needs.
    pub(super) fn address_bits(&self, inst: Inst) -> u32 {
        self.port(inst).0.address_bits
    }

    fn memory_group(&self, data: &InstData) -> &Group {
        let group = self.groups.accessed(data);
        &self.groups.groups[group.expect("accesses that reach nothing were dropped")]
    }

    /// The contents of the table that a load reads.
    fn table(&self, inst: Inst) -> &[u8] {
        let object = self.memory_group(self.kernel.inst(inst)).objects[0];
        match &self.kernel.objects[object].kind {
            ObjectKind::Table { bytes } => bytes,
            other => unreachable!("{other:?} is no table"),
        }
    }

    /// Builds the unit of a load or store behind the channel with its operands; gives the channel
    /// with its results, and how many work-items it holds. A result may have to wait `slack` cycles
    /// until it is taken.
    pub(super) fn access(&mut self, inst: Inst, input: Channel, slack: u32) -> (Channel, u32) {
        let data = self.kernel.inst(inst);
        let (access, usual) = self.port(inst);
        let transfer = transfer(data);
        let vector = Vector {
            lanes: transfer.lanes.into(),
            lane_bits: transfer.ty.bits(),
            alignment: transfer.align,
        };
        let outstanding = usual + slack;
        let lines = self.lines(&[inst]);
        let name = self.access_name(inst);
        let given = BTreeMap::from([("in", input)]);
        let (ports, capacity) = match data {
            InstData::Load { .. } => {
                let load = Load {
                    vector,
                    access,
                    outstanding,
                };
                let capacity = load.capacity();
                (self.place(name, load, lines, given), capacity)
            }
            InstData::Store { .. } => {
                let store = Store {
                    vector,
                    access,
                    outstanding: 2 + slack,
                    done: Done::Accepted,
                };
                let capacity = store.capacity();
                (self.place(name, store, lines, given), capacity)
            }
            other => unreachable!("refused before: {other}"),
        };
        let user = User {
            request: ports["request"],
            response: ports.get("response").copied(),
        };
        self.name_values(ports["out"], self.kernel.results(inst));
        let group = self.groups.accessed(data).expect("it has a port");
        match self.groups.groups[group].storage {
            Storage::Tables => self.rom(inst, access, &user),
            Storage::External | Storage::Memory(_) => self.groups.groups[group].users.push(user),
        }
        (ports["out"], capacity)
    }

    /// The table of one load.
    fn rom(&mut self, inst: Inst, access: Access, user: &User) {
        let object = self.memory_group(self.kernel.inst(inst)).objects[0];
        let rom = Rom {
            name: format!("{}_{object}_{}", self.kernel.name, access.bytes),
            access,
            contents: self.table(inst).to_vec(),
        };
        let response = user.response.expect("tables are only read");
        let given = BTreeMap::from([("request", user.request), ("response", response)]);
        let name = format!("table_for_{}", self.access_name(inst));
        self.place(name, rom, Vec::new(), given);
    }

    /// Builds arbiters, memories, caches and the memory port; `finished` makes the caches write back,
    /// and the result says when all have.
    pub(super) fn memory_system(&mut self, finished: Channel) -> Channel {
        let groups = std::mem::take(&mut self.groups.groups);
        let mut cached = Vec::new();
        for group in groups {
            match group.storage {
                _ if group.users.is_empty() => {}
                Storage::External => cached.push(group),
                Storage::Memory(size) => self.private_memory(group, size),
                Storage::Tables => unreachable!("tables have no users in common"),
            }
        }
        if cached.is_empty() {
            return finished;
        }
        let count = cached.len();
        let flushes = self.fork("fork_finished".into(), finished, count);
        let mut flushed = Vec::new();
        let mut port = BTreeMap::new();
        for (at, (group, flush)) in cached.into_iter().zip(flushes).enumerate() {
            let ports = self.cache(group, flush);
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

    /// A group's cache, with what is before it; gives its channels.
    fn cache(&mut self, group: Group, flush: Channel) -> BTreeMap<String, Channel> {
        let cache = Cache {
            lines: self.memory.cache_lines,
            access: Access {
                bytes: group.bytes,
                address_bits: self.memory.address_bits,
            },
            outstanding: self.memory.latency,
            mode: group.mode(),
        };
        let name = format!("arbiter_{}", group.name);
        let (shared, flush) = self.share(name, &cache.access, group.users, Some(flush));
        let flush = flush.expect("what comes in goes out");
        let mut given = BTreeMap::from([("flush", flush), ("request", shared.request)]);
        given.extend(shared.response.map(|response| ("response", response)));
        let ports = self.place(format!("cache_{}", group.name), cache, Vec::new(), given);
        if shared.response.is_none() {
            self.circuit.discard(ports["response"]);
        }
        ports
    }

    /// A group's memory on the chip, with what is before it.
    fn private_memory(&mut self, group: Group, bytes: u64) {
        let access = on_chip(group.bytes, bytes);
        let name = format!("arbiter_{}", group.name);
        let (shared, _) = self.share(name, &access, group.users, None);
        let mut given = BTreeMap::from([("request", shared.request)]);
        given.extend(shared.response.map(|response| ("response", response)));
        let memory = PrivateMemory { access, bytes };
        let ports = self.place(format!("memory_{}", group.name), memory, Vec::new(), given);
        if shared.response.is_none() {
            self.circuit.discard(ports["response"]);
        }
    }

    /// One port for all users of a cache or memory; a cache's flush passes there, too.
    fn share(
        &mut self,
        name: String,
        access: &Access,
        mut users: Vec<User>,
        flush: Option<Channel>,
    ) -> (User, Option<Channel>) {
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
            flush: match flush {
                Some(_) => Flush::Passed,
                None => Flush::None,
            },
        };
        let mut given = BTreeMap::new();
        given.extend(flush.map(|flush| ("flush".to_string(), flush)));
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
        let ports = self.place(name, arbiter, Vec::new(), given);
        let user = User {
            request: ports["request"],
            response: Some(ports["response"]),
        };
        (user, ports.get("flush_out").copied())
    }

    /// Sends a token so many ways: by a fork, or by several behind each other.
    fn fork(&mut self, name: String, input: Channel, ways: usize) -> Vec<Channel> {
        if ways == 1 {
            return vec![input];
        }
        let outputs = ways.min(WIDEST_FORK);
        let fork = Fork {
            fields: Fields::NONE,
            outputs: vec![Vec::new(); outputs],
        };
        let names: Vec<String> = fork.outputs().into_iter().map(|port| port.name).collect();
        let given = BTreeMap::from([("in", input)]);
        let ports = self.place(name.clone(), fork, Vec::new(), given);
        let mut channels = Vec::with_capacity(ways);
        for (at, port) in names.iter().enumerate() {
            let share = (ways - channels.len()).div_ceil(outputs - at);
            channels.extend(self.fork(format!("{name}_{at}"), ports[port], share));
        }
        channels
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

/// What a load or store transfers.
fn transfer(data: &InstData) -> &ir::Access {
    match data {
        InstData::Load { access, .. } | InstData::Store { access, .. } => access,
        other => unreachable!("refused before: {other}"),
    }
}

/// The port of a memory or table on the chip, whose size is a power of two.
fn on_chip(bytes: u32, size: u64) -> Access {
    Access {
        bytes,
        // Access units count their beats in addresses: tiny memories have a few bits to spare.
        address_bits: size.trailing_zeros().max(LINE.trailing_zeros() + 1),
    }
}
