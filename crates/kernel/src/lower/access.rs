//! The units of accesses: loads, stores, atomic operations, prints.

use sluice_circuit::access::{Access, Enable, LINE};
use sluice_circuit::circuit::Channel;
use sluice_circuit::connect::{Added, UnitBuilder};
use sluice_circuit::unit::UnitKind;
use sluice_circuit::units::atomics::{Kind, Operation};
use sluice_circuit::units::copy::BufferCopy;
use sluice_circuit::units::fork::Fork;
use sluice_circuit::units::load::{Load, Vector};
use sluice_circuit::units::rom::Rom;
use sluice_circuit::units::store::{Done, Store};

use super::banks::KnownBits;
use super::memory::on_chip;
use super::segment::fields;
use super::two_ports::Ports;
use super::users::{Answer, AtomicUse, CopyUse, LineSource, LocalUse, StreamUse, User};
use super::{Lowering, WatchedAccess};
use crate::interp::AccessKind;
use crate::ir::{self, AtomicOp, Inst, InstData, MemoryUnit, Object, ObjectKind, Value};
use crate::prepare::{AliasSet, ON_CHIP_LATENCY, Storage, beat};

/// Cycles from a local memory's taking a write to its acknowledgement, a little waiting included.
const ACKNOWLEDGED_LATENCY: u32 = 6;

/// Cycles from a request of a load to its response, and from one of a store until it is done, if nothing else is under
/// way: of a local memory, and of a private one behind its arbiter.
const LOCAL_LATENCY: u32 = 6;
const LOCAL_WRITE_LATENCY: u32 = 2;
const PRIVATE_LATENCY: u32 = 6;
const PRIVATE_WRITE_LATENCY: u32 = 1;

/// Cycles from a request of a load to its response if a cache has the line, the arbiter before the cache included.
const CACHED_LATENCY: u32 = 13;

/// Cycles from a request to a table to its response.
const TABLE_LATENCY: u32 = 4;

/// Cycles that an atomic operation takes besides its read.
const ATOMIC_LATENCY: u32 = 6;

/// Places for results of a load that may wait in its stream.
const RESULTS: u32 = 2;

/// Cycles that a load takes whose line is held.
const HELD_LATENCY: u32 = 8;

/// Cycles that a print takes.
const PRINT_LATENCY: u32 = 1;

/// What an access to external memory is taken to find.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Expected {
    /// Its line in the cache.
    Cached,
    /// What takes as long as accesses do most of the time, by the plan.
    Usual,
}

impl Lowering<'_> {
    /// The port that an access goes through, and cycles that a read takes there most of the time.
    fn port(&self, inst: Inst) -> (Access, u32) {
        let data = self.kernel.inst(inst);
        let group = self.alias_set(data);
        match group.storage {
            Storage::External => (
                Access {
                    bytes: match self.memory_units.is_stream(inst) {
                        true => beat(transfer(data)),
                        false => group.bytes,
                    },
                    address_bits: self.bitstream.address_bits,
                },
                self.plan.latency(
                    self.kernel,
                    inst,
                    match self.line_source(inst) {
                        _ if self.memory_units.is_copy(inst) => {
                            group.figures.latency.min(ON_CHIP_LATENCY)
                        }
                        Some(LineSource::PortOnce) => group.figures.latency.min(HELD_LATENCY),
                        Some(LineSource::Port | LineSource::SharedCache) | None => {
                            group.figures.latency
                        }
                    },
                ),
            ),
            Storage::Tables => {
                let bytes = beat(transfer(data));
                let words = self.table(inst).len().div_ceil(bytes as usize);
                let words = words.next_power_of_two().max(2) as u32;
                let size = u64::from(words * bytes);
                (on_chip(bytes, size), ON_CHIP_LATENCY)
            }
            Storage::Memory(size) | Storage::Local(size) => {
                (on_chip(group.bytes, size), ON_CHIP_LATENCY)
            }
        }
    }

    /// Where the stream of an access gets its lines from, if it has one.
    fn line_source(&self, inst: Inst) -> Option<LineSource> {
        match self.memory_units.get(inst)?.unit {
            MemoryUnit::Cache | MemoryUnit::Copy => None,
            MemoryUnit::Stream => Some(LineSource::Port),
            MemoryUnit::Shared => Some(LineSource::SharedCache),
            MemoryUnit::Uniform => Some(LineSource::PortOnce),
        }
    }

    /// Cycles that an access takes most of the time.
    pub(super) fn access_latency(&self, inst: Inst) -> u32 {
        match self.kernel.inst(inst) {
            InstData::Load { .. } => self.port(inst).1,
            // It is done when its last request is accepted, or acknowledged.
            InstData::Store { access, .. } => {
                let requests = access.bytes().div_ceil(access.align.min(LINE));
                1 + requests + self.acknowledgement(inst)
            }
            InstData::AtomicRmw { .. } | InstData::CmpXchg { .. } => {
                self.port(inst).1 + ATOMIC_LATENCY
            }
            InstData::Printf { .. } => PRINT_LATENCY,
            other => unreachable!("dataflow: {other} is no access"),
        }
    }

    /// Cycles that an access takes, from taking a token to giving its result, if nothing else is under way; and
    /// whether that is exact: it is not for external memory.
    pub(super) fn access_cycles(&self, inst: Inst, expected: Expected) -> (u32, bool) {
        let data = self.kernel.inst(inst);
        let storage = self.alias_set(data).storage;
        let is_exact = storage != Storage::External;
        let (load, store) = match storage {
            Storage::External if self.memory_units.is_copy(inst) => (BufferCopy::LATENCY, 0),
            Storage::External if expected == Expected::Usual => {
                return (self.access_latency(inst), is_exact);
            }
            Storage::External => (CACHED_LATENCY, 0),
            Storage::Tables => (TABLE_LATENCY, 0),
            Storage::Local(_) => (LOCAL_LATENCY, LOCAL_WRITE_LATENCY),
            Storage::Memory(_) if self.ports_of(inst).are_two => {
                (LOCAL_LATENCY, LOCAL_WRITE_LATENCY)
            }
            Storage::Memory(_) => (PRIVATE_LATENCY, PRIVATE_WRITE_LATENCY),
        };
        match data {
            InstData::Load { .. } => (self.load_unit(inst, 0).latency() + load, is_exact),
            InstData::Store { .. } => (1 + self.requests(inst) + store, is_exact),
            _ => (self.access_latency(inst), false),
        }
    }

    /// Requests that a load or store makes, one behind the other.
    fn requests(&self, inst: Inst) -> u32 {
        match self.kernel.inst(inst).access() {
            Some(access) => vector(access).beats(self.port(inst).0),
            None => 1,
        }
    }

    /// The memory that an access shares one port of with others, and how many requests it makes there.
    pub(super) fn port_requests(&self, inst: Inst) -> Option<(usize, u32)> {
        let data = self.kernel.inst(inst);
        let at = self.alias_sets.accessed(data)?;
        let is_shared = match self.alias_sets.sets[at].storage {
            Storage::External => self.memory_units.is_cached(inst),
            Storage::Memory(_) => !self.ports[at].are_two,
            Storage::Tables | Storage::Local(_) => false,
        };
        (is_shared && data.access().is_some()).then(|| (at, self.requests(inst)))
    }

    /// Whether an access goes to external memory.
    pub(super) fn is_external(&self, inst: Inst) -> bool {
        self.alias_set(self.kernel.inst(inst)).storage == Storage::External
    }

    fn ports_of(&self, inst: Inst) -> Ports {
        let at = self.alias_sets.accessed(self.kernel.inst(inst));
        self.ports[at.expect("accesses that reach nothing were dropped")]
    }

    /// Cycles from the acceptance of a write until it is done.
    fn acknowledgement(&self, inst: Inst) -> u32 {
        match self.done(inst) {
            Done::Accepted => 0,
            Done::Acknowledged => ACKNOWLEDGED_LATENCY,
        }
    }

    /// When a write is done.
    fn done(&self, inst: Inst) -> Done {
        match self.alias_set(self.kernel.inst(inst)).storage {
            Storage::Local(_) => Done::Acknowledged,
            Storage::Memory(_) if self.ports_of(inst).are_two => Done::Acknowledged,
            Storage::External | Storage::Tables | Storage::Memory(_) => Done::Accepted,
        }
    }

    /// How many bits of its address an access needs.
    pub(super) fn address_bits(&self, inst: Inst) -> u32 {
        self.port(inst).0.address_bits
    }

    fn alias_set(&self, data: &InstData) -> &AliasSet {
        let group = self.alias_sets.accessed(data);
        &self.alias_sets.sets[group.expect("accesses that reach nothing were dropped")]
    }

    /// The values that an access needs, its address left out; its guard comes last.
    pub(super) fn operands_of(&self, inst: Inst) -> Vec<Value> {
        let data = self.kernel.inst(inst);
        let mut operands = match data {
            InstData::Load { .. } => Vec::new(),
            InstData::Store { values, .. } => values.to_vec(),
            InstData::AtomicRmw { value, .. } => vec![*value],
            InstData::CmpXchg { expected, new, .. } => vec![*expected, *new],
            InstData::Printf { args, .. } => args.to_vec(),
            other => unreachable!("dataflow: {other} is no access"),
        };
        operands.extend(data.guard());
        operands
    }

    /// Whether each token of an access's unit is an access.
    fn enable(&self, inst: Inst) -> Enable {
        match self.kernel.inst(inst).guard() {
            Some(_) => Enable::Field,
            None => Enable::Always,
        }
    }

    /// Builds the unit of an access behind the channel with its operands; gives the channel with its
    /// results, and how many work-items it holds. A result may have to wait `slack` cycles until it
    /// is taken.
    pub(super) fn access(&mut self, inst: Inst, input: Channel, slack: u32) -> (Channel, u32) {
        self.note_access(inst, input);
        match self.kernel.inst(inst) {
            InstData::Load { .. } => self.load(inst, input, slack),
            InstData::Store { .. } => self.store(inst, input, slack),
            InstData::Printf { .. } => self.print(inst, input),
            &InstData::AtomicRmw { op, value, .. } => self.atomic(inst, kind(op), value, input),
            &InstData::CmpXchg { new, .. } => self.atomic(inst, Kind::CmpXchg, new, input),
            other => unreachable!("dataflow: {other} is no access"),
        }
    }

    /// Notes where an access to external memory, or one with a guard, gets its operands, to be
    /// watched. Where private arrays are does not say whether an access is out of bounds: each
    /// work-item has its own part of their memory.
    fn note_access(&mut self, inst: Inst, channel: Channel) {
        let data = self.kernel.inst(inst);
        let (kind, bytes, align) = match data {
            InstData::Load { access, .. } => (AccessKind::Read, access.bytes(), access.align),
            InstData::Store { access, .. } => (AccessKind::Write, access.bytes(), access.align),
            InstData::AtomicRmw { value, .. } | InstData::CmpXchg { new: value, .. } => {
                let bytes = self.kernel.ty(*value).bits() / 8;
                (AccessKind::Atomic, bytes, bytes)
            }
            InstData::Printf { .. } => return,
            other => unreachable!("dataflow: {other} is no access"),
        };
        if kind == AccessKind::Read && self.speculative.contains(&inst) {
            // It may be done in vain, anywhere.
            return;
        }
        let objects: Vec<Object> = data
            .objects()
            .into_iter()
            .flat_map(|it| it.iter())
            .collect();
        let is_private = |&object: &Object| {
            matches!(self.kernel.objects[object].kind, ObjectKind::Private { .. })
        };
        let is_external =
            self.alias_set(data).storage == Storage::External && !objects.iter().any(is_private);
        let guard = self.guarded.get(&inst).copied();
        if is_external || guard.is_some() {
            self.accesses.push(WatchedAccess {
                channel,
                guard,
                is_conditional: guard.is_none() && data.guard().is_some(),
                is_external,
                kind,
                bytes,
                align,
                objects,
                loc: self.kernel.loc(inst),
            });
        }
    }

    fn load_unit(&self, inst: Inst, slack: u32) -> Load {
        let (access, usual) = self.port(inst);
        let outstanding = usual + slack;
        Load {
            vector: vector(transfer(self.kernel.inst(inst))),
            access,
            outstanding,
            results: match self.may_wait(inst) {
                true => outstanding.min(RESULTS),
                false => outstanding,
            },
            enable: self.enable(inst),
        }
    }

    /// Whether what a load has read may wait in its stream, or in a copy that only counts how often it is to give it.
    fn may_wait(&self, inst: Inst) -> bool {
        let keeps = !self.memory_units.is_copy(inst) || self.access_facts.place(inst).is_some();
        keeps && self.memory_units.may_wait(inst)
    }

    fn load(&mut self, inst: Inst, input: Channel, slack: u32) -> (Channel, u32) {
        let load = self.load_unit(inst, slack);
        let (load_access, outstanding) = (load.access, load.outstanding);
        let capacity = match load.results {
            results if results < outstanding => results,
            _ => load.capacity(),
        };
        let unit = self.access_unit(inst, load).input(Load::IN, input);
        let unit = unit.with_new_channels().add();
        let out = unit.output(Load::OUT);
        self.name_values(out, self.kernel.results(inst));
        let user = User {
            request: unit.output(Load::REQUEST),
            answer: Answer::Response(unit.input(Load::RESPONSE)),
        };
        match self.alias_set(self.kernel.inst(inst)).storage {
            Storage::Tables => self.rom(inst, load_access, &unit),
            Storage::External | Storage::Memory(_) | Storage::Local(_) => {
                self.add_user(inst, user, outstanding);
            }
        }
        (out, capacity)
    }

    fn store(&mut self, inst: Inst, input: Channel, slack: u32) -> (Channel, u32) {
        let done = self.done(inst);
        let store = Store {
            vector: vector(transfer(self.kernel.inst(inst))),
            access: self.port(inst).0,
            outstanding: 2 + slack + self.acknowledgement(inst),
            done,
            enable: self.enable(inst),
        };
        let capacity = store.capacity();
        let unit = self.access_unit(inst, store).input(Store::IN, input);
        let unit = unit.with_new_channels().add();
        let user = User {
            request: unit.output(Store::REQUEST),
            answer: match done {
                Done::Accepted => Answer::None,
                Done::Acknowledged => Answer::Acknowledgement(unit.input(Store::ACKNOWLEDGED)),
            },
        };
        let outstanding = self.port(inst).1;
        let out = unit.output(Store::OUT);
        self.add_user(inst, user, outstanding);
        (out, capacity)
    }

    /// An atomic operation: the unit of its memory does it, which is built when all are known.
    fn atomic(&mut self, inst: Inst, kind: Kind, value: Value, input: Channel) -> (Channel, u32) {
        let results = self.kernel.results(inst);
        let name = format!("{}_out", self.access_name(inst));
        let output = self.circuit.add_channel(name, fields(self.kernel, results));
        self.name_values(output, results);
        let lines = self.lines(&[inst]);
        let enable = self.enable(inst);
        let group = self.alias_sets.accessed(self.kernel.inst(inst));
        let users = &mut self.users[group.expect("it has a port")];
        users.atomics.push(AtomicUse {
            operation: Operation {
                kind,
                bits: self.kernel.ty(value).bits(),
                enable,
            },
            input,
            output,
            lines,
        });
        (output, super::memory_system::ATOMIC_WINDOW)
    }

    /// A print: its arguments leave the circuit.
    fn print(&mut self, inst: Inst, input: Channel) -> (Channel, u32) {
        let fields = self.circuit.channels()[input].fields.clone();
        let fork = Fork {
            outputs: vec![(0..fields.len()).collect(), Vec::new()],
            fields,
        };
        let capacity = fork.capacity();
        let unit = self.access_unit(inst, fork).input(Fork::IN, input);
        let unit = unit.with_new_channels().add();
        self.prints.push((inst, unit.output(Fork::out(0))));
        (unit.output(Fork::out(1)), capacity)
    }

    /// Adds a user of a memory, with so many accesses under way.
    fn add_user(&mut self, inst: Inst, user: User, outstanding: u32) {
        let group = self.alias_sets.accessed(self.kernel.inst(inst));
        let group = group.expect("it has a port");
        if self.memory_units.is_copy(inst) {
            let copy = CopyUse {
                user,
                place: self.access_facts.place(inst),
                outstanding,
                lines: self.lines(&[inst]),
            };
            self.users[group].copies.push(copy);
            return;
        }
        let Some(source) = self.line_source(inst) else {
            self.users[group].accesses.push(user);
            let local = self.local_use(inst);
            self.users[group].local.push(local);
            return;
        };
        let stream = StreamUse {
            user,
            name: self.access_name(inst),
            bytes: self.port(inst).0.bytes,
            outstanding,
            source,
            lines: self.lines(&[inst]),
        };
        self.users[group].streams.push(stream);
    }

    /// What is known of an access of local memory.
    fn local_use(&self, inst: Inst) -> LocalUse {
        let Some(frequencies) = &self.frequencies else {
            return LocalUse {
                address: self.known_address(inst),
                ..LocalUse::UNKNOWN
            };
        };
        let found = self.kernel.insts().find(|&(_, it)| it == inst);
        let (block, _) = found.expect("it is an instruction of the kernel");
        LocalUse {
            address: self.known_address(inst),
            frequency: frequencies.at(block),
            block: Some(block),
        }
    }

    /// What is known of the addresses of the words that an access of local memory consists of.
    fn known_address(&self, inst: Inst) -> KnownBits {
        let data = self.kernel.inst(inst);
        let is_one_word = beat(transfer(data)) == transfer(data).bytes().next_power_of_two();
        match (self.ranges, data.pointer()) {
            (Some(ranges), Some(pointer)) if is_one_word => {
                KnownBits::of(self.kernel, ranges, self.addresses, pointer)
            }
            _ => KnownBits::default(),
        }
    }

    /// The contents of the table that a load reads.
    fn table(&self, inst: Inst) -> &[u8] {
        let object = self.alias_set(self.kernel.inst(inst)).objects[0];
        match &self.kernel.objects[object].kind {
            ObjectKind::Table { bytes } => bytes,
            other => unreachable!("{other:?} is no table"),
        }
    }

    /// The table of one load.
    fn rom(&mut self, inst: Inst, access: Access, load: &Added<Load>) {
        let object = self.alias_set(self.kernel.inst(inst)).objects[0];
        let rom = Rom {
            name: format!("{}_{object}_{}", self.identifier, access.bytes),
            access,
            contents: self.table(inst).to_vec(),
        };
        let name = format!("table_for_{}", self.access_name(inst));
        self.circuit
            .unit(name, rom)
            .input(Rom::REQUEST, load.output(Load::REQUEST))
            .output(Rom::RESPONSE, load.input(Load::RESPONSE))
            .add();
    }

    /// Starts the unit of an access.
    fn access_unit<K: UnitKind + 'static>(&mut self, inst: Inst, kind: K) -> UnitBuilder<'_, K> {
        let (name, lines) = (self.access_name(inst), self.lines(&[inst]));
        self.circuit.unit(name, kind).lines(lines)
    }
}

fn vector(transfer: &ir::Access) -> Vector {
    Vector {
        lanes: transfer.lanes.into(),
        lane_bits: transfer.ty.bits(),
        alignment: transfer.align,
    }
}

/// What a load or store transfers.
fn transfer(data: &InstData) -> &ir::Access {
    match data {
        InstData::Load { access, .. } | InstData::Store { access, .. } => access,
        other => unreachable!("{other} is no load or store"),
    }
}

fn kind(op: AtomicOp) -> Kind {
    match op {
        AtomicOp::Add => Kind::Add,
        AtomicOp::Sub => Kind::Sub,
        AtomicOp::And => Kind::And,
        AtomicOp::Or => Kind::Or,
        AtomicOp::Xor => Kind::Xor,
        AtomicOp::Xchg => Kind::Xchg,
        AtomicOp::SMin => Kind::SMin,
        AtomicOp::SMax => Kind::SMax,
        AtomicOp::UMin => Kind::UMin,
        AtomicOp::UMax => Kind::UMax,
    }
}
