//! Traffic: how many bytes of external memory each access is expected to move for a work-item, and which memory port
//! each buffer is behind, so that all ports move about as much.

use std::collections::BTreeMap;

use sluice_circuit::access::LINE;

use super::copies::CopyCost;
use super::{PreparedKernel, Storage};
use crate::analysis::access::{Access, Accesses, Stride};
use crate::analysis::{Loop, Ranges};
use crate::ir::{AccessKind, Inst, Kernel};

/// Iterations of a loop of which nothing is known.
const USUAL_TRIPS: u64 = 16;

/// A counter with a wider range is taken for one whose bounds are not known.
const MOST_TRIPS: u64 = 1 << 16;

/// Bytes that each access moves for a work-item.
pub(super) fn traffic(kernel: &Kernel, accesses: &Accesses) -> BTreeMap<Inst, u64> {
    let trips = trips(kernel, accesses);
    let of = |access: &Access| {
        let around = access.loop_strides.iter();
        let executions = around.fold(1_u64, |all, (loop_, _)| all.saturating_mul(trips[loop_]));
        let ways = match access.kind {
            AccessKind::Read | AccessKind::Write => 1,
            AccessKind::Atomic => 2,
        };
        executions.saturating_mul(ways * moved(access))
    };
    let all = accesses.iter().map(|it| (it.inst, of(it)));
    all.collect()
}

/// Bytes that one execution moves: what is new of a line beside the executions of the next work-item and the next
/// iteration, as far as these are known.
pub(super) fn moved(access: &Access) -> u64 {
    let innermost = access.loop_strides.last().and_then(|(_, it)| it.as_ref());
    let strides = access.stride.iter().chain(innermost);
    let distances = strides.filter_map(Stride::expected);
    let nearest = distances.map(i64::unsigned_abs).min();
    let line = u64::from(LINE.max(access.bytes));
    // What all executions share is moved now and then.
    nearest.map_or(line, |bytes| bytes.clamp(1, line))
}

/// Iterations of each loop: as many as its counter has values, if these are known.
fn trips(kernel: &Kernel, accesses: &Accesses) -> BTreeMap<Loop, u64> {
    let loops = accesses.loops();
    if loops.is_empty() {
        return BTreeMap::new();
    }
    let ranges = Ranges::of(kernel);
    let trips = loops.iter().map(|(loop_, data)| {
        let params = kernel.block(data.header).params.iter();
        let counters = params.filter(|&&param| kernel.ty(param).is_int());
        let values = counters.map(|&param| {
            let facts = ranges.facts(param);
            let unsigned = facts.umax() - facts.umin();
            unsigned.min(facts.smax().abs_diff(facts.smin()))
        });
        let bounded = values.filter(|&values| (1..MOST_TRIPS).contains(&values));
        (loop_, bounded.max().unwrap_or(USUAL_TRIPS))
    });
    trips.collect()
}

/// A buffer, or several that share a memory, without a port.
struct Unplaced {
    kernel: usize,
    set: usize,
    bytes: u64,
}

/// Gives alias sets in external memory without a memory port one each: those with most traffic first, each the port
/// with the least so far.
pub(super) fn spread(kernels: &mut [PreparedKernel], banks: u32) {
    let mut loads = vec![0_u64; banks as usize];
    let mut unplaced = Vec::new();
    for (kernel, prepared) in kernels.iter().enumerate() {
        let bytes = bytes_of_sets(prepared);
        for (set, data) in prepared.alias_sets.sets.iter().enumerate() {
            let bytes = bytes[set];
            match data.figures.bank {
                _ if data.storage != Storage::External || data.is_coherent => {}
                Some(bank) => {
                    let load = &mut loads[(bank % banks) as usize];
                    *load = load.saturating_add(bytes);
                }
                None => unplaced.push(Unplaced { kernel, set, bytes }),
            }
        }
    }
    unplaced.sort_by_key(|it| std::cmp::Reverse(it.bytes));
    for Unplaced { kernel, set, bytes } in unplaced {
        let ports = 0..banks as usize;
        let port = ports.min_by_key(|&port| loads[port]);
        let port = port.expect("there is a port");
        loads[port] = loads[port].saturating_add(bytes);
        let figures = &mut kernels[kernel].alias_sets.sets[set].figures;
        figures.bank = Some(port as u32);
    }
}

fn bytes_of_sets(prepared: &PreparedKernel) -> Vec<u64> {
    let PreparedKernel {
        kernel,
        alias_sets,
        access_facts,
        ..
    } = prepared;
    let mut bytes = vec![0_u64; alias_sets.sets.len()];
    for (_, inst) in kernel.insts() {
        if let Some(set) = alias_sets.accessed(kernel.inst(inst)) {
            bytes[set] = bytes[set].saturating_add(access_facts.traffic(inst));
        }
    }
    bytes
}

/// What a circuit has room for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    /// Streams that no entry of a plan asks for, at most.
    pub(crate) streams: usize,
    /// What the memory moves.
    pub(crate) bandwidth: Bandwidth,
    /// What units take on the target.
    pub(crate) costs: CopyCost,
}

/// What memory ports move for several datapaths.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bandwidth {
    /// Bytes that a port moves in a cycle at most.
    pub(crate) line: u64,
    pub(crate) ports: u64,
    pub(crate) datapaths: u64,
}

impl Bandwidth {
    /// Cycles for a thousand tokens of each datapath that take so many in the pipeline, and move so many bytes, some
    /// of them through a cache of the datapath.
    pub(super) fn cycles(&self, of_pipeline: u64, moved: u64, through_cache: u64) -> u64 {
        const TOKENS: u64 = 1000;
        let of_memory = TOKENS * moved * self.datapaths / (self.line * self.ports);
        let of_cache = TOKENS * through_cache / self.line;
        of_memory.max(of_cache).max(TOKENS * of_pipeline)
    }
}
