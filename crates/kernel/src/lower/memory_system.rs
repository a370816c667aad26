//! What stands between the accesses of a circuit's kernels and external memory: caches, arbiters
//! where several units share one, and the ports.

use std::collections::BTreeMap;

use sluice_circuit::access::Access;
use sluice_circuit::circuit::{Channel, Circuit};
use sluice_circuit::unit::Fields;
use sluice_circuit::units::arbiter::{Arbiter, Flush};
use sluice_circuit::units::atomics::Atomics;
use sluice_circuit::units::cache::{Cache, Mode};
use sluice_circuit::units::memory_port::MemoryPort;
use sluice_circuit::units::store::Done;
use sluice_circuit::units::turns::Turns;

use super::place::{Placing, fork, join, place};
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
    /// Lines of 64 bytes.
    pub(super) lines: u32,
    /// Cycles that an access takes most of the time: as many are under way.
    pub(super) latency: u32,
    /// The memory port behind it.
    pub(super) bank: u32,
}

/// The caches of a circuit in the making.
#[derive(Debug, Default)]
pub(super) struct MemorySystem {
    pub(super) caches: Vec<CachePlan>,
    /// The cache of kernels that tell each other something while they run.
    pub(super) coherent: Option<CachePlan>,
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
        let mut caches: BTreeMap<u32, u32> = BTreeMap::new();
        for cache in self.caches.iter().chain(&self.coherent) {
            *caches.entry(cache.bank).or_default() += 1;
        }
        let refused = |what: String| {
            let what = what.into();
            Err(Refusal { what, line: 0 })
        };
        let most = MemoryPort::MOST_CACHES;
        if let Some(&count) = caches.values().find(|&&count| count > most) {
            return refused(format!(
                "a circuit with {count} caches at a memory port, more than {most},"
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

    /// Builds caches and memory ports; by kernel, `finished` makes its caches write back, and the
    /// result says when all have.
    pub(super) fn build(
        mut self,
        circuit: &mut Circuit,
        plan: &Plan,
        finished: Vec<Channel>,
    ) -> Vec<Channel> {
        self.caches.extend(self.coherent.take());
        let is_used = |cache: &CachePlan| !cache.users.is_empty() || !cache.atomics.is_empty();
        self.caches.retain(is_used);
        let mut flushes = self.flushes(circuit, &finished);
        let mut flushed = vec![Vec::new(); finished.len()];
        let mut banks: BTreeMap<u32, (u32, Vec<BTreeMap<String, Channel>>)> = BTreeMap::new();
        for plan_of_cache in self.caches {
            let (bank, name) = (plan_of_cache.bank, plan_of_cache.name.clone());
            let kernels = plan_of_cache.kernels.clone();
            let asked: Vec<Channel> = kernels
                .iter()
                .map(|&kernel| {
                    flushes[kernel]
                        .next()
                        .expect("a flush for each of its caches")
                })
                .collect();
            let flush = match asked[..] {
                [flush] => flush,
                _ => circuit.add_channel(format!("flush_{name}"), Fields::NONE),
            };
            let latency = plan_of_cache.latency;
            let cache = build_cache(circuit, plan.address_bits, plan_of_cache, flush);
            let answers = match asked.len() {
                1 => vec![cache["flushed"]],
                _ => take_turns(circuit, &name, &asked, flush, cache["flushed"]),
            };
            for (kernel, answer) in kernels.into_iter().zip(answers) {
                flushed[kernel].push(answer);
            }
            let (most, caches) = banks.entry(bank).or_default();
            *most = latency.max(*most);
            caches.push(cache);
        }
        for (at, (latency, caches)) in banks.values().enumerate() {
            memory_port(circuit, plan.address_bits, at, *latency, caches);
        }
        let done = finished.into_iter().zip(flushed).enumerate();
        let done = done.map(|(kernel, (finished, flushed))| match flushed.is_empty() {
            true => finished,
            false => join(circuit, format!("join_flushed_{kernel}"), flushed),
        });
        done.collect()
    }

    /// By kernel, the channels that make its caches write back, in the caches' order.
    fn flushes(
        &self,
        circuit: &mut Circuit,
        finished: &[Channel],
    ) -> Vec<std::vec::IntoIter<Channel>> {
        let mut flushes = Vec::new();
        for (kernel, &finished) in finished.iter().enumerate() {
            let caches = self.caches.iter();
            let count = caches
                .filter(|cache| cache.kernels.contains(&kernel))
                .count();
            let channels = match count {
                0 => Vec::new(),
                _ => fork(circuit, format!("fork_finished_{kernel}"), finished, count),
            };
            flushes.push(channels.into_iter());
        }
        flushes
    }
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
    let names: Vec<String> = (0..asked.len()).map(|at| format!("in_{at}")).collect();
    let asked = names.iter().map(String::as_str).zip(asked.iter().copied());
    let given = asked.chain([("question", question), ("answer", answer)]);
    let ports = place(circuit, turns, Placing::new(format!("turns_{name}"), given));
    (0..names.len())
        .map(|at| ports[&format!("out_{at}")])
        .collect()
}

/// A cache, with what is before it; gives its channels.
fn build_cache(
    circuit: &mut Circuit,
    address_bits: u32,
    CachePlan {
        name,
        bytes,
        mode,
        lines,
        latency,
        mut users,
        atomics: uses,
        ..
    }: CachePlan,
    flush: Channel,
) -> BTreeMap<String, Channel> {
    let access = Access {
        bytes,
        address_bits,
    };
    users.extend(atomics(circuit, &name, access, uses, Done::Accepted));
    let cache = Cache {
        lines,
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
    let given = [("flush", flush), ("request", shared.request)];
    let given = given
        .into_iter()
        .chain(response.map(|channel| ("response", channel)));
    let ports = place(circuit, cache, Placing::new(format!("cache_{name}"), given));
    if response.is_none() {
        circuit.discard(ports["response"]);
    }
    ports
}

/// A port to external memory behind its caches.
fn memory_port(
    circuit: &mut Circuit,
    address_bits: u32,
    at: usize,
    latency: u32,
    caches: &[BTreeMap<String, Channel>],
) {
    let mut given = BTreeMap::new();
    for (at, cache) in caches.iter().enumerate() {
        for side in ["fetch", "fill", "writeback", "writeback_done"] {
            given.insert(format!("{side}_{at}"), cache[side]);
        }
    }
    let unit = MemoryPort {
        caches: caches.len() as u32,
        address_bits,
        outstanding: latency,
    };
    let name = match at {
        0 => "memory_port".to_string(),
        _ => format!("memory_port_{at}"),
    };
    let given = given
        .iter()
        .map(|(name, &channel)| (name.as_str(), channel));
    let ports = place(circuit, unit, Placing::new(name, given));
    for name in ["r", "b"] {
        circuit.add_input(ports[name]);
    }
    for name in ["ar", "aw", "w"] {
        circuit.add_output(ports[name]);
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
    let mut given = BTreeMap::new();
    for (at, it) in uses.iter().enumerate() {
        given.insert(format!("in_{at}"), it.input);
        given.insert(format!("out_{at}"), it.output);
    }
    let given = given
        .iter()
        .map(|(name, &channel)| (name.as_str(), channel));
    let placing = Placing {
        lines,
        ..Placing::new(format!("atomics_{name}"), given)
    };
    let ports = place(circuit, unit, placing);
    let read = User {
        request: ports["read"],
        answer: Answer::Response(ports["response"]),
    };
    let write = User {
        request: ports["write"],
        answer: match done {
            Done::Accepted => Answer::None,
            Done::Acknowledged => Answer::Acknowledgement(ports["acknowledged"]),
        },
    };
    vec![read, write]
}

/// An arbiter to be, if one is needed.
pub(super) struct Sharing {
    pub(super) name: String,
    pub(super) access: Access,
    /// Reads under way.
    pub(super) outstanding: u32,
    /// A cache's flush passes there, too.
    pub(super) flush: Option<Channel>,
}

/// One port for all users of a cache or memory; gives where a flush comes out.
pub(super) fn share(
    circuit: &mut Circuit,
    sharing: Sharing,
    mut users: Vec<User>,
) -> (User, Option<Channel>) {
    if users.len() == 1 {
        return (users.remove(0), sharing.flush);
    }
    // Those who read come first: only they have a response.
    users.sort_by_key(|user| user.response().is_none());
    let readers = users
        .iter()
        .filter(|user| user.response().is_some())
        .count();
    let arbiter = Arbiter {
        readers: readers as u32,
        writers: (users.len() - readers) as u32,
        access: sharing.access,
        outstanding: sharing.outstanding,
        flush: match sharing.flush {
            Some(_) => Flush::Passed,
            None => Flush::None,
        },
    };
    let mut given = BTreeMap::new();
    given.extend(sharing.flush.map(|flush| ("flush".to_string(), flush)));
    for (at, user) in users.iter().enumerate() {
        given.insert(format!("from_{at}"), user.request);
        if let Some(response) = user.response() {
            given.insert(format!("to_{at}"), response);
        }
    }
    let given = given
        .iter()
        .map(|(name, &channel)| (name.as_str(), channel));
    let ports = place(circuit, arbiter, Placing::new(sharing.name, given));
    let user = User {
        request: ports["request"],
        answer: Answer::Response(ports["response"]),
    };
    (user, ports.get("flush_out").copied())
}
