//! The memories of a kernel: a cache or a memory on the chip per alias set.

use sluice_circuit::access::{Access, LINE};
use sluice_circuit::units::cache::Mode;
use sluice_circuit::units::local_memory::{Banks, Collisions, Known, LocalMemory};
use sluice_circuit::units::private_memory::PrivateMemory;
use sluice_circuit::units::store::Done;

use super::Lowering;
use super::banks::{AskedBanks, KnownBits, Memory};
use super::memory_system::{CachePlan, atomics};
use super::sharing::{Sharing, share, share_reads};
use super::streams::{SharedPlan, StreamPlan};
use super::users::{Answer, AtomicUse, LineSource, LocalUse, User, Users, in_turns};
use crate::prepare::{ON_CHIP_LATENCY, Storage};

/// Banks from which on a port costs more than what lets several readers share one: each port has a choice of a word
/// among all banks.
const LEAST_SHARED_BANKS: u32 = 4;

/// Most readers of a local memory with ports of their own.
const MOST_LOCAL_READERS: usize = 128;

/// Ports of a local memory for readers that share them.
const SHARED_LOCAL_PORTS: usize = 64;

impl Lowering<'_> {
    /// Builds what belongs to the datapath that was built last: its memories on the chip. Its caches
    /// are planned, to be built with those of the others.
    pub(super) fn datapath_memory(&mut self) {
        for at in 0..self.alias_sets.sets.len() {
            match self.alias_sets.sets[at].storage {
                Storage::Memory(size) if self.ports[at].are_two => self.local_memory(at, size),
                Storage::Memory(size) => self.private_memory(at, size),
                Storage::Local(size) => self.local_memory(at, size),
                Storage::External if !self.alias_sets.is_shared(&self.alias_sets.sets[at]) => {
                    self.plan_cache(at);
                }
                Storage::External | Storage::Tables => {}
            }
        }
    }

    /// Plans the caches that the kernel's datapaths share.
    pub(super) fn shared_memory(&mut self) {
        for at in 0..self.alias_sets.sets.len() {
            let group = &self.alias_sets.sets[at];
            if group.storage == Storage::External && self.alias_sets.is_shared(group) {
                self.plan_cache(at);
            }
        }
    }

    /// Makes the users that a group has so far those of one cache, and gives the others their streams.
    fn plan_cache(&mut self, at: usize) {
        let group = &self.alias_sets.sets[at];
        let users = std::mem::take(&mut self.users[at]);
        let mode = mode_of(&users);
        let bank = group.figures.bank.unwrap_or(at as u32) % self.bitstream.banks;
        let streams = users.streams.into_iter().map(|stream| StreamPlan {
            stream,
            kernel: self.number,
            bank,
            datapath: None,
        });
        let is_shared = |it: &StreamPlan| it.stream.source == LineSource::SharedCache;
        let (shared, streams): (Vec<_>, Vec<_>) = streams.partition(is_shared);
        self.system.streams.extend(streams);
        if !shared.is_empty() {
            self.system.shared.push(SharedPlan {
                name: format!("{}{}", self.prefix, group.name),
                size: group.figures.cache_bytes,
                latency: group.figures.latency,
                streams: shared,
            });
        }
        self.plan_copy(at, users.copies, bank);
        if users.accesses.is_empty() && users.atomics.is_empty() {
            return;
        }
        let cache = CachePlan {
            name: format!("{}{}", self.prefix, group.name),
            bytes: group.bytes,
            mode,
            users: users.accesses,
            atomics: users.atomics,
            kernels: vec![self.number],
            size: group.figures.cache_bytes,
            latency: group.figures.latency,
            bank,
            datapath: None,
        };
        match (group.is_coherent, &mut self.system.coherent) {
            (false, _) => self.system.caches.push(cache),
            (true, coherent @ None) => {
                *coherent = Some(CachePlan {
                    name: "coherent".into(),
                    mode: Mode::ReadWrite,
                    bank: group.figures.bank.unwrap_or(0) % self.bitstream.banks,
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
        let memory = PrivateMemory { access, bytes };
        let memory = self
            .circuit
            .unit(format!("memory_{name}"), memory)
            .input(PrivateMemory::REQUEST, shared.request)
            .outputs(response.map(|channel| (PrivateMemory::RESPONSE, channel)))
            .with_new_channels()
            .add();
        if response.is_none() {
            let unread = memory.output(PrivateMemory::RESPONSE);
            self.circuit.discard(unread);
        }
    }

    /// A memory by the groups' slots, or by those of work-items, in banks.
    fn local_memory(&mut self, at: usize, bytes: u64) {
        let local = std::mem::take(&mut self.users[at].local);
        let Some(OnChip {
            name,
            access,
            users,
            atomics: uses,
        }) = self.on_chip(at, bytes)
        else {
            return;
        };
        let atomics = atomics(self.circuit, &name, access, uses, Done::Acknowledged);
        let local = local
            .into_iter()
            .chain(std::iter::repeat(LocalUse::UNKNOWN));
        let users = users.into_iter().chain(atomics).zip(local);
        let (reading, writing): (Vec<_>, Vec<_>) =
            users.partition(|(user, _)| user.response().is_some());
        let objects = self.alias_sets.sets[at].objects.iter();
        let attributes = objects.map(|&object| &self.kernel.objects[object].attributes);
        let words = Words {
            bytes: access.bytes,
            count: bytes / u64::from(access.bytes),
            asked: AskedBanks::of(attributes, access.bytes),
        };
        let reading = self.share_local_reads(&name, access, reading, &writing, &words);
        let (banks, known) = words.banks(&reading, &writing);
        let ports = self.ports[at];
        let (banks, known) = match ports.are_two && !ports.are_shared {
            // A loop has one load and one store there: more banks would give it nothing.
            true => (Banks::default(), Vec::new()),
            false => (banks, known),
        };
        let memory = LocalMemory {
            access,
            bytes,
            readers: reading.len() as u32,
            writers: writing.len() as u32,
            banks,
            known,
            collisions: match self.misses_collisions(at) {
                true => Collisions::Ignore,
                false => Collisions::Wait,
            },
        };
        let mut unit = self.circuit.unit(format!("local_{name}"), memory);
        for (at, (user, _)) in reading.iter().chain(&writing).enumerate() {
            let (Answer::Response(answer) | Answer::Acknowledgement(answer)) = user.answer else {
                unreachable!("local memory answers every request");
            };
            unit = unit
                .input(LocalMemory::from(at), user.request)
                .output(LocalMemory::to(at), answer);
        }
        unit.add();
    }

    /// Whether nothing is needed of what is read while it is written: of whole words, which loads may miss, and
    /// everything else waits for writes that it needs.
    fn misses_collisions(&self, at: usize) -> bool {
        let insts = self.kernel.insts().map(|(_, inst)| self.kernel.inst(inst));
        let bytes = self.alias_sets.sets[at].bytes;
        let mut may_miss = false;
        for data in insts.filter(|it| self.alias_sets.accessed(it) == Some(at)) {
            let Some(access) = data.access() else {
                return false;
            };
            if access.volatile || access.bytes() != bytes || access.align < bytes {
                return false;
            }
            may_miss |= access.lag > 0;
        }
        may_miss
    }

    /// Lets readers of a local memory share ports: those that rarely want one, if the banks of none are known, and
    /// else where there are many those next to each other in memory, as more is known of their banks together.
    fn share_local_reads(
        &mut self,
        name: &str,
        access: Access,
        mut readers: Vec<LocalUser>,
        writers: &[LocalUser],
        words: &Words,
    ) -> Vec<LocalUser> {
        let (banks, known) = words.banks(&readers, writers);
        let ports = if readers.len() > MOST_LOCAL_READERS {
            readers.sort_by_key(|(_, it)| (it.address.ones, it.address.zeros));
            let numbers: Vec<usize> = (0..readers.len()).collect();
            let at_one_port = readers.len().div_ceil(SHARED_LOCAL_PORTS);
            numbers.chunks(at_one_port).map(<[usize]>::to_vec).collect()
        } else if known.is_empty() && banks.count() >= LEAST_SHARED_BANKS {
            in_turns(&uses(&readers))
        } else {
            return readers;
        };
        let sharing = Sharing {
            name: format!("arbiter_{name}"),
            access,
            outstanding: ON_CHIP_LATENCY,
            flush: None,
        };
        let shared = ports.into_iter().enumerate().map(|(at, port)| {
            let users: Vec<User> = port.iter().map(|&it| readers[it].0.clone()).collect();
            let uses = port.iter().map(|&it| readers[it].1);
            let known = uses.clone().map(|it| it.address).reduce(KnownBits::common);
            let name = format!("{}_{at}", sharing.name);
            let user = share_reads(self.circuit, name, &sharing, &users);
            let together = LocalUse {
                address: known.unwrap_or_default(),
                frequency: uses.map(|it| it.frequency).sum::<f64>().min(1.0),
                block: None,
            };
            (user, together)
        });
        shared.collect()
    }

    /// Takes the users of a group on the chip, if it has any.
    fn on_chip(&mut self, at: usize, bytes: u64) -> Option<OnChip> {
        let group = &self.alias_sets.sets[at];
        let users = std::mem::take(&mut self.users[at]);
        let memory = OnChip {
            name: format!("{}{}", self.prefix, group.name),
            access: on_chip(group.bytes, bytes),
            users: users.accesses,
            atomics: users.atomics,
        };
        (!memory.users.is_empty() || !memory.atomics.is_empty()).then_some(memory)
    }
}

/// A unit that accesses a local memory.
type LocalUser = (User, LocalUse);

fn uses(users: &[LocalUser]) -> Vec<LocalUse> {
    users.iter().map(|&(_, it)| it).collect()
}

/// The words of a local memory.
struct Words {
    bytes: u32,
    count: u64,
    asked: Option<AskedBanks>,
}

impl Words {
    /// Their banks, and what is known of those of each user.
    fn banks(&self, readers: &[LocalUser], writers: &[LocalUser]) -> (Banks, Vec<Known>) {
        let [readers, writers] = [readers, writers].map(uses);
        let addresses = |uses: &[LocalUse]| uses.iter().map(|it| it.address).collect::<Vec<_>>();
        // Accesses meet at half of the banks if twice as many are there as are wanted.
        let wanted: f64 = readers.iter().chain(&writers).map(|it| it.frequency).sum();
        let ports = in_turns(&readers).len() + in_turns(&writers).len();
        let memory = Memory {
            bytes: self.bytes,
            words: self.count,
            readers: &addresses(&readers),
            writers: &addresses(&writers),
            ports: ports.min((2.0 * wanted).ceil() as usize),
            asked: self.asked,
        };
        memory.banks()
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

/// What a cache of these users has to be able to do.
fn mode_of(users: &Users) -> Mode {
    let is_load = |user: &User| user.response().is_some();
    let is_atomic = !users.atomics.is_empty();
    let reads = is_atomic || users.accesses.iter().any(is_load);
    let writes = is_atomic || !users.accesses.iter().all(is_load);
    match (reads, writes) {
        (true, false) => Mode::ReadOnly,
        (false, true) => Mode::WriteOnly,
        (true, true) | (false, false) => Mode::ReadWrite,
    }
}
