//! Iterations of a pipelined loop that wait for earlier ones, because of what these do in memory.

use std::collections::BTreeMap;

use sluice_circuit::circuit::Channel;
use sluice_circuit::unit::Fields;
use sluice_circuit::units::credits::Credits;

use super::access::Expected;
use super::block::{Exit, Stage};
use super::segment::SegmentBuilder;
use super::{LoopLimit, Lowering};
use crate::dataflow::BlockGraph;
use crate::ir::{Block, Inst};

/// Iterations between two of which the later one waits for the earlier one, at most; where they are further
/// apart, it waits for one in between.
const MOST_APART: u32 = 4096;

/// Cycles from a level's telling that it is done to where the one that waits can go on.
const CREDIT_LATENCY: u32 = 1;

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
            let (cycles, is_external) = self.cycles_between(graph, stages, link, Expected::Cached);
            let limit = LoopLimit::Memory {
                lines: self.lines(&link.accesses),
                distance: link.distance,
                is_external,
            };
            self.note_limit(control, cycles.div_ceil(link.distance), limit);
        }
        self.note_ports(control, block);
        let timing = self.timings.get_mut(&control).expect("it was just noted");
        timing.latency = latency;
    }

    /// Cycles from an iteration's start of the level that waits to where it tells a later one that it may go on, and
    /// whether external memory is on the way.
    pub(super) fn cycles_between(
        &self,
        graph: &BlockGraph,
        stages: &[Stage<'_>],
        link: &WaitLink,
        expected: Expected,
    ) -> (u32, bool) {
        let mut reached: Vec<Option<(u32, bool)>> = vec![None; stages.len()];
        reached[link.to] = Some((0, false));
        for level in link.to..link.from {
            let Some((start, is_external)) = reached[level] else {
                continue;
            };
            for (at, exit) in stages[level].exits.iter().enumerate() {
                let left = start + stages[level].segment.output_latency(at);
                let (to, there) = match exit {
                    Exit::Level(channel) => (channel.to, (left, is_external)),
                    Exit::Memory(inst) => {
                        let to = graph.joined(*inst);
                        let (cycles, is_exact) = self.access_cycles(*inst, expected);
                        let turns = self.turns_before(*inst, &stages[level]);
                        let there = (left + cycles + turns, is_external || !is_exact);
                        (to.expect("some level waits for every access"), there)
                    }
                    Exit::Wait(_) | Exit::Ended(_) | Exit::Terminator => continue,
                };
                reached[to] = reached[to].max(Some(there));
            }
        }
        let (start, is_external) = reached[link.from].unwrap_or((0, false));
        let last = &stages[link.from];
        let tells = |exit: &Exit<'_>| match exit {
            Exit::Wait(told) => (told.from, told.to) == (link.from, link.to),
            Exit::Level(_) | Exit::Memory(_) | Exit::Ended(_) | Exit::Terminator => false,
        };
        let output = last.exits.iter().position(tells);
        let output = output.expect("every link has an output");
        let told = last.segment.output_latency(output) + CREDIT_LATENCY;
        (start + told, is_external)
    }

    /// Cycles that an access waits for its port because of others that a stage makes there.
    fn turns_before(&self, inst: Inst, stage: &Stage<'_>) -> u32 {
        let Some((port, _)) = self.port_requests(inst) else {
            return 0;
        };
        let others = stage.exits.iter().filter_map(|exit| match exit {
            Exit::Memory(other) if *other != inst => self.port_requests(*other),
            Exit::Memory(_)
            | Exit::Level(_)
            | Exit::Wait(_)
            | Exit::Ended(_)
            | Exit::Terminator => None,
        });
        let others = others.filter(|&(of, _)| of == port);
        others.map(|(_, requests)| requests).sum()
    }

    /// Notes that several accesses of an iteration go through one port.
    fn note_ports(&mut self, control: Block, block: Block) {
        let mut ports: BTreeMap<usize, (u32, Vec<Inst>)> = BTreeMap::new();
        for &inst in &self.kernel.block(block).insts {
            if let Some((set, requests)) = self.port_requests(inst) {
                let (all, insts) = ports.entry(set).or_default();
                *all += requests;
                insts.push(inst);
            }
        }
        for (requests, insts) in ports.into_values() {
            let lines = self.lines(&insts);
            self.note_limit(control, requests, LoopLimit::Port(lines));
        }
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
