//! What stands between the accesses of a circuit's kernels and external memory: streams, caches, arbiters
//! where several units share one, and the ports.

use std::collections::BTreeMap;

use sluice_circuit::access::{Access, Lines};
use sluice_circuit::circuit::{Channel, Circuit, ModuleGroup};
use sluice_circuit::connect::Added;
use sluice_circuit::unit::Fields;
use sluice_circuit::units::arbiter::Arbiter;
use sluice_circuit::units::atomics::Atomics;
use sluice_circuit::units::cache::{Cache, Mode};
use sluice_circuit::units::memory_port::{MemoryInterface, MemoryPort};
use sluice_circuit::units::store::Done;
use sluice_circuit::units::turns::Turns;

use super::copies::CopyPlan;
use super::flushes::{Flushes, put_in};
use super::sharing::{Sharing, share};
use super::streams::{Attached, SharedPlan, StreamPlan};
use super::users::{Answer, AtomicUse, User};
use crate::plan::Plan;
use crate::prepare::Refusal;

/// Atomic operations that a memory has under way: one per cycle needs 13 on local memory, and one in
/// two cycles fewer on a cache that hits.
pub(super) const ATOMIC_WINDOW: u32 = 16;

/// A cache in the making: what it is for, who uses it.
#[derive(Debug)]
pub(super) struct CachePlan {
    pub(super) name: String,
    pub(super) bytes: u32,
    pub(super) mode: Mode,
    pub(super) users: Vec<User>,
    pub(super) atomics: Vec<AtomicUse>,
    /// The kernels at whose end it writes back, ascending.
    pub(super) kernels: Vec<usize>,
    /// Its size in bytes.
    pub(super) size: u32,
    /// Cycles that an access takes most of the time: as many are under way.
    pub(super) latency: u32,
    /// The memory port behind it.
    pub(super) bank: u32,
    /// The datapath that it belongs to, if there are several and it is not shared.
    pub(super) datapath: Option<ModuleGroup>,
}

/// A memory system that is built.
pub(super) struct BuiltMemory {
    /// By kernel, where it is told that all of its caches have written back.
    pub(super) done: Vec<Channel>,
    /// The ports to external memory.
    pub(super) ports: Vec<MemoryInterface>,
}

/// The caches of a circuit in the making.
#[derive(Debug, Default)]
pub(super) struct MemorySystem {
    pub(super) caches: Vec<CachePlan>,
    pub(super) streams: Vec<StreamPlan>,
    pub(super) shared: Vec<SharedPlan>,
    pub(super) copies: Vec<CopyPlan>,
    /// The cache of kernels that tell each other something while they run.
    pub(super) coherent: Option<CachePlan>,
    /// Whether datapaths take turns at the memory ports: all of their work-items need other lines in the same
    /// cycles.
    pub(super) by_datapath: bool,
}

impl MemorySystem {
    /// Refuses what one arbiter or one memory port cannot serve.
    pub(super) fn check(&self) -> Result<(), Refusal> {
        self.check_ports()?;
        let requesters =
            |cache: &CachePlan| cache.users.len() + 2 * usize::from(!cache.atomics.is_empty());
        let refused = |count: usize, most: usize, what: &str| {
            Err(Refusal {
                what: format!(
                    "{count} {what} on what kernels share while they run, more than {most},"
                )
                .into(),
                line: 0,
            })
        };
        let most = Arbiter::MOST_REQUESTERS as usize;
        match &self.coherent {
            Some(cache) if requesters(cache) > most => refused(requesters(cache), most, "accesses"),
            Some(cache) if cache.atomics.len() > Atomics::MOST_OPERATIONS => refused(
                cache.atomics.len(),
                Atomics::MOST_OPERATIONS,
                "atomic operations",
            ),
            Some(_) | None => Ok(()),
        }
    }

    fn check_ports(&self) -> Result<(), Refusal> {
        // Readers and writers of a bank; a cache is both.
        let mut units: BTreeMap<u32, [u32; 2]> = BTreeMap::new();
        for cache in self.caches.iter().chain(&self.coherent) {
            let [readers, writers] = units.entry(cache.bank).or_default();
            let writes = u32::from(cache.mode != Mode::ReadOnly);
            (*readers, *writers) = (*readers + 1, *writers + writes);
        }
        for plan in &self.streams {
            units.entry(plan.bank).or_default()[usize::from(plan.stream.writes())] += 1;
        }
        for plan in &self.shared {
            units.entry(plan.bank()).or_default()[0] += 1;
        }
        for plan in &self.copies {
            units.entry(plan.bank).or_default()[0] += 1;
        }
        let refused = |what: String| {
            let what = what.into();
            Err(Refusal { what, line: 0 })
        };
        let most = MemoryPort::MOST_UNITS;
        let shared = self.shared.iter().map(|it| it.streams.len() as u32);
        let all = units.into_values().flatten().chain(shared);
        if let Some(count) = all.into_iter().find(|&count| count > most) {
            return refused(format!(
                "a circuit with {count} caches and streams at a memory port, more than {most},"
            ));
        }
        let most = Turns::MOST_ASKERS;
        match &self.coherent {
            Some(cache) if cache.kernels.len() > most => refused(format!(
                "a circuit of {} kernels that tell each other something, more than {most},",
                cache.kernels.len()
            )),
            Some(_) | None => Ok(()),
        }
    }

    /// Bytes of a line: as many as the plan says, or as the widest access has.
    fn line_bytes(&self, plan: &Plan) -> u32 {
        let caches = self.caches.iter().map(|cache| cache.bytes);
        let shared = self.shared.iter().flat_map(|it| &it.streams);
        let streams = self.streams.iter().chain(shared).map(|it| it.stream.bytes);
        let copies = self.copies.iter().map(|it| it.bytes);
        caches
            .chain(streams)
            .chain(copies)
            .fold(plan.line_bytes, u32::max)
    }

    /// Makes what is planned from here on part of a datapath.
    pub(super) fn enclose(&mut self, from: Planned, datapath: ModuleGroup) {
        let caches = self.caches[from.caches..].iter_mut();
        let shared = self.shared[from.shared..].iter_mut();
        let shared = shared.flat_map(|it| &mut it.streams);
        let streams = self.streams[from.streams..].iter_mut().chain(shared);
        let datapaths = caches.map(|it| &mut it.datapath);
        let copies = self.copies[from.copies..].iter_mut();
        let copies = copies.map(|it| &mut it.datapath);
        for it in datapaths
            .chain(copies)
            .chain(streams.map(|it| &mut it.datapath))
        {
            *it = Some(datapath);
        }
    }

    /// What is planned so far.
    pub(super) fn planned(&self) -> Planned {
        Planned {
            caches: self.caches.len(),
            streams: self.streams.len(),
            shared: self.shared.len(),
            copies: self.copies.len(),
        }
    }

    /// Builds caches and memory ports; by kernel, `finished` makes its caches write back.
    pub(super) fn build(
        mut self,
        circuit: &mut Circuit,
        plan: &Plan,
        finished: Vec<Channel>,
    ) -> BuiltMemory {
        self.caches.extend(self.coherent.take());
        let transfers = Lines {
            bytes: self.line_bytes(plan),
            address_bits: plan.address_bits,
        };
        let mut flushes = Flushes::new(circuit, &self, finished);
        let mut banks: BTreeMap<u32, (u32, Vec<Connected>)> = BTreeMap::new();
        for cache in self.caches {
            let (bank, latency, datapath) = (cache.bank, cache.latency, cache.datapath);
            let unit = flushed_cache(circuit, transfers, cache, &mut flushes);
            attach(banks.entry(bank).or_default(), latency, (datapath, unit));
        }
        for stream in self.streams {
            let (bank, latency) = (stream.bank, stream.stream.outstanding);
            let (kernel, datapath) = (stream.kernel, stream.datapath);
            let first = circuit.units().next_key();
            let flush = flushes.next(kernel, datapath);
            let unit = stream.build(circuit, transfers, flush);
            put_in(circuit, first, datapath);
            flushes.flushed(kernel, datapath, unit.flushed());
            attach(banks.entry(bank).or_default(), latency, (datapath, unit));
        }
        for shared in self.shared {
            let (bank, datapath) = (shared.bank(), shared.datapath());
            let latency = shared.outstanding(transfers.bytes);
            let unit = flushed_streams(circuit, transfers, shared, &mut flushes);
            attach(banks.entry(bank).or_default(), latency, (datapath, unit));
        }
        for copy in self.copies {
            let (bank, kernel, datapath) = (copy.bank, copy.kernel, copy.datapath);
            let latency = copy.outstanding(transfers.bytes);
            let first = circuit.units().next_key();
            let flush = flushes.next(kernel, datapath);
            let unit = copy.build(circuit, transfers, flush);
            put_in(circuit, first, datapath);
            flushes.flushed(kernel, datapath, unit.flushed());
            attach(banks.entry(bank).or_default(), latency, (datapath, unit));
        }
        let ports = banks.values().enumerate();
        let by_datapath = self.by_datapath;
        let ports = ports.map(|(at, (latency, units))| {
            let fetches = fetches(units, by_datapath);
            memory_port(circuit, transfers, at, *latency, units, fetches)
        });
        let ports = ports.collect();
        BuiltMemory {
            done: flushes.join(circuit),
            ports,
        }
    }
}

/// How much of a memory system is planned.
#[derive(Clone, Copy)]
pub(super) struct Planned {
    caches: usize,
    streams: usize,
    shared: usize,
    copies: usize,
}

/// A unit at a port, and the datapath that it belongs to, if it does.
type Connected = (Option<ModuleGroup>, Attached);

/// Connects a unit to a port, which has as many transfers under way as the unit with the most.
fn attach((most, units): &mut (u32, Vec<Connected>), latency: u32, unit: Connected) {
    *most = latency.max(*most);
    units.push(unit);
}

/// A cache, with what makes it write back.
fn flushed_cache(
    circuit: &mut Circuit,
    transfers: Lines,
    plan: CachePlan,
    flushes: &mut Flushes,
) -> Attached {
    let first = circuit.units().next_key();
    let (name, kernels) = (plan.name.clone(), plan.kernels.clone());
    let (datapath, mode) = (plan.datapath, plan.mode);
    let asked = kernels.iter().map(|&it| flushes.next(it, datapath));
    let asked: Vec<Channel> = asked.collect();
    let flush = match asked[..] {
        [flush] => flush,
        _ => circuit.add_channel(format!("flush_{name}"), Fields::NONE),
    };
    let cache = build_cache(circuit, transfers, plan, flush);
    let answers = match asked.len() {
        1 => vec![cache.output(Cache::FLUSHED)],
        _ => take_turns(circuit, &name, &asked, flush, cache.output(Cache::FLUSHED)),
    };
    put_in(circuit, first, datapath);
    for (kernel, answer) in kernels.into_iter().zip(answers) {
        flushes.flushed(kernel, datapath, answer);
    }
    Attached::Cache(cache, mode)
}

/// Streams behind a cache, with what makes all of them forget what they have read.
fn flushed_streams(
    circuit: &mut Circuit,
    transfers: Lines,
    shared: SharedPlan,
    flushes: &mut Flushes,
) -> Attached {
    let first = circuit.units().next_key();
    let (kernel, datapath) = (shared.kernel(), shared.datapath());
    let asked = (0..=shared.streams.len()).map(|_| flushes.next(kernel, datapath));
    let asked = asked.collect();
    let (cache, flushed) = shared.build(circuit, transfers, asked);
    put_in(circuit, first, datapath);
    for channel in flushed.into_iter().chain([cache.flushed()]) {
        flushes.flushed(kernel, datapath, channel);
    }
    cache
}

/// Lets several kernels make one cache write back; gives where each is told that it has.
fn take_turns(
    circuit: &mut Circuit,
    name: &str,
    asked: &[Channel],
    question: Channel,
    answer: Channel,
) -> Vec<Channel> {
    let turns = Turns {
        askers: asked.len(),
    };
    let (questions, answers) = (turns.question(), turns.answer());
    let asked = asked.iter().enumerate();
    let asked: Vec<_> = asked.map(|(at, &it)| (Turns::asked(at), it)).collect();
    let askers = asked.len();
    let turns = circuit
        .unit(format!("turns_{name}"), turns)
        .inputs(asked)
        .input(answers, answer)
        .output(questions, question)
        .with_new_channels()
        .add();
    (0..askers)
        .map(|at| turns.output(Turns::answered(at)))
        .collect()
}

/// A cache, with what is before it.
fn build_cache(
    circuit: &mut Circuit,
    transfers: Lines,
    CachePlan {
        name,
        bytes,
        mode,
        size,
        latency,
        mut users,
        atomics: uses,
        ..
    }: CachePlan,
    flush: Channel,
) -> Added<Cache> {
    let access = Access {
        bytes,
        address_bits: transfers.address_bits,
    };
    users.extend(atomics(circuit, &name, access, uses, Done::Accepted));
    let cache = Cache {
        lines: (size / transfers.bytes).max(2),
        line: transfers.bytes,
        access,
        outstanding: latency,
        mode,
    };
    let arbiter = Sharing {
        name: format!("arbiter_{name}"),
        access,
        outstanding: latency,
        flush: Some(flush),
    };
    let (shared, flush) = share(circuit, arbiter, users);
    let flush = flush.expect("what comes in goes out");
    let response = shared.response();
    let cache = circuit
        .unit(format!("cache_{name}"), cache)
        .input(Cache::FLUSH, flush)
        .input(Cache::REQUEST, shared.request)
        .outputs(response.map(|channel| (Cache::RESPONSE, channel)))
        .with_new_channels()
        .add();
    if response.is_none() {
        circuit.discard(cache.output(Cache::RESPONSE));
    }
    cache
}

/// A port to external memory behind its caches and streams.
fn memory_port(
    circuit: &mut Circuit,
    transfers: Lines,
    at: usize,
    latency: u32,
    units: &[Connected],
    Fetches { fetches, datapaths }: Fetches,
) -> MemoryInterface {
    let writebacks = units.iter().filter_map(|(_, unit)| unit.writeback());
    let writebacks: Vec<_> = writebacks.collect();
    let port = MemoryPort {
        readers: fetches.len() as u32,
        datapaths,
        longest_run: MemoryPort::LONGEST_RUN,
        writers: writebacks.len() as u32,
        address_bits: transfers.address_bits,
        line: transfers.bytes,
        outstanding: latency,
    };
    let name = match at {
        0 => "memory_port".to_string(),
        _ => format!("memory_port_{at}"),
    };
    let mut unit = circuit.unit(name, port.clone());
    for (at, &[fetch, fill]) in fetches.iter().enumerate() {
        unit = unit
            .input(MemoryPort::fetch(at), fetch)
            .output(MemoryPort::fill(at), fill);
    }
    for (at, &[writeback, done]) in writebacks.iter().enumerate() {
        unit = unit
            .input(port.writeback(at), writeback)
            .output(port.writeback_done(at), done);
    }
    let unit = unit.with_new_channels().add();
    MemoryInterface::expose(circuit, &port, &unit)
}

/// Where the units at a port ask for lines and get them.
struct Fetches {
    fetches: Vec<[Channel; 2]>,
    /// Datapaths that these belong to, one behind the other, if they take turns.
    datapaths: u32,
}

/// The fetches of units. Datapaths take turns if that is wanted, none is shared, and each has as many.
fn fetches(units: &[Connected], by_datapath: bool) -> Fetches {
    let fetches = units.iter();
    let fetches = fetches.filter_map(|(datapath, unit)| Some((*datapath, unit.fetch()?)));
    let mut fetches: Vec<_> = fetches.collect();
    let mut counts: BTreeMap<Option<ModuleGroup>, u32> = BTreeMap::new();
    for (datapath, _) in &fetches {
        *counts.entry(*datapath).or_default() += 1;
    }
    let first = counts.values().next();
    let is_equal = !counts.contains_key(&None) && counts.values().all(|it| Some(it) == first);
    let datapaths = match by_datapath && is_equal && counts.len() > 1 {
        true => counts.len() as u32,
        false => 1,
    };
    if datapaths > 1 {
        fetches.sort_by_key(|(datapath, _)| *datapath);
    }
    Fetches {
        fetches: fetches.into_iter().map(|(_, fetch)| fetch).collect(),
        datapaths,
    }
}

/// The unit for atomic operations on a memory, and what it is to the memory: one who reads and one
/// who writes.
pub(super) fn atomics(
    circuit: &mut Circuit,
    name: &str,
    access: Access,
    uses: Vec<AtomicUse>,
    done: Done,
) -> Vec<User> {
    if uses.is_empty() {
        return Vec::new();
    }
    let unit = Atomics {
        access,
        operations: uses.iter().map(|it| it.operation).collect(),
        window: ATOMIC_WINDOW,
        outstanding: ATOMIC_WINDOW,
        done,
    };
    let mut lines: Vec<u32> = uses.iter().flat_map(|it| it.lines.clone()).collect();
    lines.sort_unstable();
    lines.dedup();
    let mut added = circuit.unit(format!("atomics_{name}"), unit.clone());
    for (at, it) in uses.iter().enumerate() {
        added = added
            .input(Atomics::input(at), it.input)
            .output(Atomics::out(at), it.output);
    }
    let added = added.lines(lines).with_new_channels().add();
    let read = User {
        request: added.output(unit.read()),
        answer: Answer::Response(added.input(unit.response())),
    };
    let write = User {
        request: added.output(unit.write()),
        answer: match done {
            Done::Accepted => Answer::None,
            Done::Acknowledged => Answer::Acknowledgement(added.input(unit.acknowledged())),
        },
    };
    vec![read, write]
}
