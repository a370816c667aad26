//! What makes the caches and streams of a kernel write back when its work-items have ended, and waits
//! until they have: those of a datapath have a fork and a join there.

use std::collections::BTreeMap;

use sluice_circuit::circuit::{Channel, Circuit, ModuleGroup, Unit};

use super::memory_system::MemorySystem;
use super::tokens::{fork, join};

/// Part of a kernel: one of its datapaths, or what they share.
type Part = Option<ModuleGroup>;

/// The flushes of all kernels.
pub(super) struct Flushes {
    kernels: Vec<KernelFlushes>,
}

/// Those of a kernel.
struct KernelFlushes {
    finished: Channel,
    /// By part, the channels that are to be connected.
    waiting: BTreeMap<Part, std::vec::IntoIter<Channel>>,
    /// By part, where units say that they have written back.
    flushed: BTreeMap<Part, Vec<Channel>>,
}

impl Flushes {
    /// Sends the end of each kernel to all caches and streams that it has in a memory system.
    pub(super) fn new(
        circuit: &mut Circuit,
        system: &MemorySystem,
        finished: Vec<Channel>,
    ) -> Flushes {
        let kernels = finished.into_iter().enumerate();
        let kernels = kernels.map(|(kernel, finished)| {
            let caches = system.caches.iter();
            let caches = caches.filter(|cache| cache.kernels.contains(&kernel));
            let streams = system.streams.iter().filter(|it| it.kernel == kernel);
            let parts = caches.map(|it| it.datapath);
            let mut counts: BTreeMap<Part, usize> = BTreeMap::new();
            let shared = system.shared.iter().filter(|it| it.kernel() == kernel);
            // One for each stream, and one for their cache.
            let shared = shared.map(|it| (it.datapath(), it.streams.len() + 1));
            let copies = system.copies.iter().filter(|it| it.kernel == kernel);
            let single = parts.chain(streams.map(|it| it.datapath));
            let single = single.chain(copies.map(|it| it.datapath));
            for (part, units) in single.map(|part| (part, 1)).chain(shared) {
                *counts.entry(part).or_default() += units;
            }
            KernelFlushes {
                finished,
                waiting: spread(circuit, kernel, finished, &counts),
                flushed: BTreeMap::new(),
            }
        });
        Flushes {
            kernels: kernels.collect(),
        }
    }

    /// The flush of the next unit in a part of a kernel.
    pub(super) fn next(&mut self, kernel: usize, part: Part) -> Channel {
        let waiting = self.kernels[kernel].waiting.get_mut(&part);
        let next = waiting.and_then(Iterator::next);
        next.expect("a flush for each cache and stream")
    }

    /// Where a unit in a part of a kernel says that it has written back.
    pub(super) fn flushed(&mut self, kernel: usize, part: Part, channel: Channel) {
        let flushed = self.kernels[kernel].flushed.entry(part);
        flushed.or_default().push(channel);
    }

    /// By kernel, where it is told that all have written back.
    pub(super) fn join(self, circuit: &mut Circuit) -> Vec<Channel> {
        let kernels = self.kernels.into_iter().enumerate();
        let done = kernels.map(|(at, kernel)| {
            let mut all = Vec::new();
            for (part, flushed) in kernel.flushed {
                match part {
                    None => all.extend(flushed),
                    Some(datapath) => {
                        let first = circuit.units().next_key();
                        let name = format!("{}_join_flushed", circuit.groups()[datapath].name);
                        all.push(join(circuit, name, flushed));
                        put_in(circuit, first, part);
                    }
                }
            }
            match all.is_empty() {
                true => kernel.finished,
                false => join(circuit, format!("join_flushed_{at}"), all),
            }
        });
        done.collect()
    }
}

/// Sends a token to units: to one fork per datapath, and to each of those that datapaths share.
fn spread(
    circuit: &mut Circuit,
    kernel: usize,
    finished: Channel,
    counts: &BTreeMap<Part, usize>,
) -> BTreeMap<Part, std::vec::IntoIter<Channel>> {
    let ways = counts.iter().map(|(part, &count)| match part {
        None => count,
        Some(_) => 1,
    });
    let mut channels = match ways.sum() {
        0 => Vec::new(),
        ways => fork(circuit, format!("fork_finished_{kernel}"), finished, ways),
    }
    .into_iter();
    let mut waiting = BTreeMap::new();
    for (&part, &count) in counts {
        let of_part = match part {
            None => channels.by_ref().take(count).collect(),
            Some(datapath) => {
                let input = channels.next().expect("a way to each datapath");
                let first = circuit.units().next_key();
                let name = circuit.groups()[datapath].name.clone();
                circuit.rename_channel(input, format!("{name}_finished"));
                let channels = fork(circuit, format!("{name}_fork_finished"), input, count);
                put_in(circuit, first, part);
                channels
            }
        };
        waiting.insert(part, of_part.into_iter());
    }
    waiting
}

/// Makes the units from this one on part of a datapath, if there is one.
pub(super) fn put_in(circuit: &mut Circuit, first: Unit, datapath: Part) {
    if let Some(datapath) = datapath {
        let units: Vec<Unit> = circuit.units().keys().filter(|&it| it >= first).collect();
        circuit.put_in(datapath, units);
    }
}
