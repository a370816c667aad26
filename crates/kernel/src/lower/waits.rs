//! Iterations of a pipelined loop that wait for earlier ones, because of what these do in memory.

use std::collections::BTreeMap;

use sluice_circuit::circuit::Channel;
use sluice_circuit::unit::{Fields, UnitKind};
use sluice_circuit::units::credits::Credits;

use super::block::Stage;
use super::segment::SegmentBuilder;
use super::{LoopLimit, Lowering};
use crate::dataflow::BlockGraph;
use crate::ir::{Block, Inst};

/// Iterations between two of which the later one waits for the earlier one, at most; where they are further
/// apart, it waits for one in between.
const MOST_APART: u32 = 4096;

/// An iteration's segment of level `to` waits for the segment of level `from` of an earlier one.
pub(super) struct WaitLink {
    pub(super) from: usize,
    pub(super) to: usize,
    /// How many iterations earlier.
    pub(super) distance: u32,
    /// The accesses that are kept in order.
    accesses: Vec<Inst>,
}

/// The queue of a [`WaitLink`].
pub(super) struct WaitQueue {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) before: Channel,
    pub(super) behind: Channel,
}

impl Lowering<'_> {
    /// What iterations of a pipelined loop wait for, as far as their order in each level does not imply it.
    pub(super) fn wait_links(&self, block: Block, graph: &BlockGraph) -> Vec<WaitLink> {
        let level_of = |access: Inst| {
            let mut levels = graph.levels.iter();
            levels.position(|level| level.memory.contains(&access))
        };
        let mut links: BTreeMap<(usize, usize), (u64, Vec<Inst>)> = BTreeMap::new();
        for wait in self.cut.waits(block) {
            let (Some(from), Some(to)) = (graph.joined(wait.source), level_of(wait.sink)) else {
                continue;
            };
            // A level's tokens, and an access's requests, stay in order.
            if from <= to || wait.source == wait.sink {
                continue;
            }
            let new = || (wait.distance, Vec::new());
            let (least, accesses) = links.entry((from, to)).or_insert_with(new);
            *least = wait.distance.min(*least);
            accesses.extend([wait.source, wait.sink]);
        }
        let links = links.into_iter();
        let links = links.map(|((from, to), (distance, accesses))| WaitLink {
            from,
            to,
            distance: u32::try_from(distance).unwrap_or(u32::MAX).min(MOST_APART),
            accesses,
        });
        links.collect()
    }

    /// Notes how soon iterations of a pipelined loop follow each other, if the block is the body of one.
    pub(super) fn note_timing(
        &mut self,
        block: Block,
        graph: &BlockGraph,
        stages: &[Stage<'_>],
        waits: &[WaitLink],
        latency: u32,
    ) {
        let Some(cut) = self.cut.pipelined_body(block) else {
            return;
        };
        let control = cut.split.control;
        for stage in stages {
            self.note_interval(control, &stage.segment);
        }
        for link in waits {
            let cycles = self.cycles_between(graph, stages, link);
            let limit = LoopLimit::Memory {
                lines: self.lines(&link.accesses),
                distance: link.distance,
            };
            self.note_limit(control, cycles.div_ceil(link.distance), limit);
        }
        let timing = self.timings.get_mut(&control).expect("it was just noted");
        timing.latency = latency;
    }

    /// Cycles from when an iteration goes on in the level that waits until it tells a later one: the segments and accesses
    /// between.
    pub(super) fn cycles_between(
        &self,
        graph: &BlockGraph,
        stages: &[Stage<'_>],
        link: &WaitLink,
    ) -> u32 {
        let between = link.to..link.from;
        let accesses = between.clone().map(|level| {
            let accesses = graph.levels[level].memory.iter();
            accesses
                .map(|&it| self.access_latency(it))
                .max()
                .unwrap_or(0)
        });
        let segments = between.chain([link.from]);
        let segments = segments.map(|level| stages[level].segment.latency());
        accesses.sum::<u32>() + segments.sum::<u32>()
    }

    /// The queues in which earlier iterations tell later ones that they may go on.
    pub(super) fn wait_queues(&mut self, block: Block, links: &[WaitLink]) -> Vec<WaitQueue> {
        let mut queues = Vec::new();
        for link in links {
            let name = format!("{}_wait{}_{}", self.names[block], link.from, link.to);
            let before = self
                .circuit
                .add_channel(format!("{name}_done"), Fields::NONE);
            let behind = self.circuit.add_channel(format!("{name}_go"), Fields::NONE);
            let credits = Credits {
                count: link.distance,
            };
            self.circuit
                .unit(name, credits)
                .input(Credits::IN, before)
                .output(Credits::OUT, behind)
                .add();
            queues.push(WaitQueue {
                from: link.from,
                to: link.to,
                before,
                behind,
            });
        }
        queues
    }

    /// Inputs without fields, for what earlier iterations tell this level.
    pub(super) fn waiting_inputs(
        &self,
        builder: &mut SegmentBuilder<'_>,
        links: &[WaitLink],
        level: usize,
    ) {
        for _ in links.iter().filter(|link| link.to == level) {
            builder.add_input(&[]);
        }
    }
}
