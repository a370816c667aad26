//! The control-flow graph as a circuit: blocks, selects, loops with their gates and queues.

use std::collections::{BTreeMap, BTreeSet};

use cranelift_entity::SecondaryMap;
use sluice_circuit::circuit::Channel;
use sluice_circuit::units::buffer::Buffer;
use sluice_circuit::units::loop_gate::LoopGate;
use sluice_circuit::units::segment::{Graph, Segment};
use sluice_circuit::units::select::{Policy, Select};

use super::block::Built;
use super::{LoopLimits, Lowering, Rounds};
use crate::analysis::{Cfg, Loop, LoopData, Loops};
use crate::ir::Block;
use crate::plan::LoopKey;
use crate::structure::{LoopCapacity, loop_capacities};

/// Most inputs of one select; more make a tree.
const WIDEST_SELECT: usize = 8;

/// Ways out of a loop that each have an exit of its gate; of more, those to one block share one.
const MANY_EXITS: usize = 16;

/// Cycles of the longest block whose shortcut has a queue: one with accesses on the chip. Longer ones wait
/// for external memory, and what passes them by waits the less.
const LONGEST_PASSED: u32 = 64;

/// What a loop admits that admits whatever comes.
const UNLIMITED: LoopCapacity = LoopCapacity {
    limit: 1 << 20,
    queue: 0,
};

/// A way between blocks on which something stands: a select, or gates of loops.
struct Way {
    from: Block,
    to: Option<Block>,
    channel: Channel,
}

/// A way on its way out of loops.
struct Leaving {
    from: Block,
    channel: Channel,
    /// The innermost loop that it has not left.
    inside: Option<Loop>,
}

/// The channels that pass a loop's gate on the way out.
#[derive(Default)]
struct Exits {
    before: Vec<Channel>,
    behind: Vec<Channel>,
}

impl Lowering<'_> {
    /// Builds all blocks between `entry`, where work-items come from the dispatcher, and `finished`,
    /// where they go when they end.
    pub(super) fn control(&mut self, cfg: &Cfg, loops: &Loops, entry: Channel, finished: Channel) {
        let mut inputs: SecondaryMap<Block, Option<Channel>> = SecondaryMap::new();
        for &block in self.kernel.layout() {
            inputs[block] = Some(match block == self.kernel.entry() {
                true => entry,
                false => {
                    let values = &self.dataflow.block(block).inputs;
                    let name = format!("{}_in", self.names[block]);
                    let fields = self.fields(values);
                    let channel = self.circuit.add_channel(name, fields);
                    self.name_values(channel, values);
                    channel
                }
            });
        }
        let input = |block: Block| inputs[block].expect("every block has an input");
        let arrivals = self.arrivals();
        let mut indirect = Vec::new();
        let mut built: SecondaryMap<Block, Built> = SecondaryMap::new();
        for &block in self.kernel.layout() {
            if self.cut.ends.contains(&block) {
                continue;
            }
            let ways = self.ways(block);
            let channels: Vec<Channel> = ways
                .iter()
                .map(|&to| {
                    let target = to.map_or(finished, input);
                    if arrivals[&to] == 1 && is_direct(loops, block, to) {
                        return target;
                    }
                    let name = self.way_name(loops, block, to);
                    let channel = self.circuit.add_channel_like(name, target);
                    indirect.push(Way {
                        from: block,
                        to,
                        channel,
                    });
                    channel
                })
                .collect();
            let first = self.circuit.units().next_key();
            let control = self.cut.controlled_by(block);
            built[block] = match control.filter(|it| it.split.speculation.is_none()) {
                Some(cut) => self.loop_control(cut, input(block), &channels, input(cut.end)),
                None => self.block(block, input(block), &channels),
            };
            if let Some(cut) = control.filter(|it| it.split.speculation.is_some()) {
                // Iterations have told that they end before the branch.
                self.circuit.discard(input(cut.end));
            }
            self.group_block(block, first);
        }
        self.connect(cfg, loops, indirect, &built, |to| {
            to.map_or(finished, input)
        });
    }

    fn way_name(&self, loops: &Loops, from: Block, to: Option<Block>) -> String {
        let is_back = |&(loop_, data): &(Loop, &LoopData)| {
            to == Some(data.header) && loops.contains(loop_, from)
        };
        let name = &self.names[from];
        match to {
            Some(_) if loops.iter().any(|it| is_back(&it)) => format!("{name}_back"),
            Some(to) => format!("{name}_to_{}", self.names[to]),
            None => format!("{name}_to_end"),
        }
    }

    /// Where a block's ways lead: to blocks, or to the end.
    fn ways(&self, block: Block) -> Vec<Option<Block>> {
        let successors = self.kernel.successors(block);
        match successors.is_empty() {
            true => vec![None],
            false => successors.iter().map(|target| Some(target.block)).collect(),
        }
    }

    /// How many ways lead to each block, and to the end.
    fn arrivals(&self) -> BTreeMap<Option<Block>, usize> {
        let mut arrivals = BTreeMap::new();
        let blocks = self.kernel.layout().iter();
        for &block in blocks.filter(|it| !self.cut.ends.contains(it)) {
            for to in self.ways(block) {
                *arrivals.entry(to).or_default() += 1;
            }
        }
        arrivals
    }

    /// Whether work-items go along rows of their own in a loop, and are kept together there.
    fn keeps_together(&self, loops: &Loops, loop_: Loop) -> bool {
        let insts = self.kernel.insts();
        let mut inside = insts.filter(|&(block, _)| loops.contains(loop_, block));
        let is_row = |inst| self.memory_units.row_bytes_in_cache(inst).is_some();
        self.keeps_rows_together && inside.any(|(_, inst)| is_row(inst))
    }

    /// Puts gates and selects on the ways that need them.
    fn connect(
        &mut self,
        cfg: &Cfg,
        loops: &Loops,
        ways: Vec<Way>,
        built: &SecondaryMap<Block, Built>,
        target: impl Fn(Option<Block>) -> Channel,
    ) {
        let mut exits: BTreeMap<Loop, Exits> = BTreeMap::new();
        let mut arriving: BTreeMap<Option<Block>, Vec<(Block, Channel)>> = BTreeMap::new();
        let mut leaving: BTreeMap<Option<Block>, Vec<Leaving>> = BTreeMap::new();
        for way in ways {
            leaving.entry(way.to).or_default().push(Leaving {
                from: way.from,
                channel: way.channel,
                inside: loops.innermost(way.from),
            });
        }
        let crowded = self.crowded(loops);
        for (to, ways) in leaving {
            let ways = self.leave_loops(loops, to, ways, &crowded, &mut exits);
            let ways = ways.into_iter().map(|way| (way.from, way.channel));
            arriving.insert(to, ways.collect());
        }
        let admitted = match self.limits {
            LoopLimits::Enforced => {
                loop_capacities(self.kernel, cfg, loops, |block| built[block].capacity)
            }
            LoopLimits::Off => SecondaryMap::with_default(UNLIMITED),
        };
        for (loop_, data) in loops.iter() {
            let came = arriving.remove(&Some(data.header)).unwrap_or_default();
            let (backs, entries): (Vec<_>, Vec<_>) = came
                .into_iter()
                .partition(|&(from, _)| loops.contains(loop_, from));
            let channels = |ways: Vec<(Block, Channel)>| ways.into_iter().map(|(_, c)| c).collect();
            let LoopCapacity { limit, queue } = admitted[loop_];
            let name = self.names[data.header].clone();
            let entry = self.merge(format!("{name}_entry"), channels(entries), None);
            let back = self.merge(format!("{name}_back"), channels(backs), None);
            let back = self.queue(format!("{name}_waiting"), back, queue);
            self.loops.push(Rounds {
                channel: back,
                loc: LoopKey::loc_of(self.kernel, data),
            });
            let entered = self.gate(data.header, entry, exits.remove(&loop_), limit);
            let header = target(Some(data.header));
            let by_priority = match self.keeps_together(loops, loop_) {
                true => vec![entered, back],
                false => vec![back, entered],
            };
            self.select(
                format!("{name}_select"),
                by_priority,
                header,
                Policy::FirstInputFirst,
            );
        }
        for (to, mut came) in arriving {
            self.queue_shortcut(to, &mut came, built);
            let name = to.map_or("finished".into(), |block| self.names[block].clone());
            let channels = came.into_iter().map(|(_, channel)| channel).collect();
            self.merge(name, channels, Some(target(to)));
        }
    }

    /// The loops whose exits to one block are merged, because they have too many.
    fn crowded(&self, loops: &Loops) -> BTreeSet<Loop> {
        let is_crowded = |&(loop_, data): &(Loop, &LoopData)| {
            let ways = data.blocks.iter().flat_map(|&from| self.ways(from));
            let left = ways.filter(|to| to.is_none_or(|to| !loops.contains(loop_, to)));
            left.count() > MANY_EXITS
        };
        let crowded = loops.iter().filter(is_crowded);
        crowded.map(|(loop_, _)| loop_).collect()
    }

    /// Leads the ways to one block through the gates of the loops that they leave, innermost first.
    fn leave_loops(
        &mut self,
        loops: &Loops,
        to: Option<Block>,
        mut ways: Vec<Leaving>,
        crowded: &BTreeSet<Loop>,
        exits: &mut BTreeMap<Loop, Exits>,
    ) -> Vec<Leaving> {
        let is_left = |loop_: &Loop| to.is_none_or(|to| !loops.contains(*loop_, to));
        let depth =
            |loop_: Loop| std::iter::successors(Some(loop_), |&it| loops.get(it).parent).count();
        loop {
            let left = ways.iter().filter_map(|way| way.inside.filter(is_left));
            let Some(loop_) = left.max_by_key(|&loop_| depth(loop_)) else {
                return ways;
            };
            if crowded.contains(&loop_) {
                ways = self.merge_exits(loop_, ways);
            }
            for way in ways.iter_mut().filter(|way| way.inside == Some(loop_)) {
                let name = format!("{}_left", self.circuit.channels()[way.channel].name);
                let behind = self.circuit.add_channel_like(name, way.channel);
                let exits = exits.entry(loop_).or_default();
                exits.before.push(way.channel);
                exits.behind.push(behind);
                way.channel = behind;
                way.inside = loops.get(loop_).parent;
            }
        }
    }

    /// Makes those of the ways that leave a loop one.
    fn merge_exits(&mut self, loop_: Loop, ways: Vec<Leaving>) -> Vec<Leaving> {
        let (leaving, mut others): (Vec<Leaving>, Vec<Leaving>) =
            ways.into_iter().partition(|way| way.inside == Some(loop_));
        let first = &leaving[0];
        let name = format!("{}_exits", self.circuit.channels()[first.channel].name);
        let (from, inside) = (first.from, first.inside);
        let channels = leaving.iter().map(|way| way.channel).collect();
        let channel = self.merge(name, channels, None);
        others.insert(
            0,
            Leaving {
                from,
                channel,
                inside,
            },
        );
        others
    }

    fn gate(&mut self, header: Block, entry: Channel, exits: Option<Exits>, limit: u32) -> Channel {
        let exits = exits.unwrap_or_default();
        let shape = |channel: &Channel| self.circuit.channels()[*channel].fields.clone();
        let gate = LoopGate {
            entry: shape(&entry),
            exits: exits.before.iter().map(shape).collect(),
            limit,
        };
        let name = &self.names[header];
        let entered = self
            .circuit
            .add_channel_like(format!("{name}_entered"), entry);
        let mut unit = self
            .circuit
            .unit(format!("{name}_gate"), gate)
            .input(LoopGate::ENTRY_IN, entry)
            .output(LoopGate::ENTRY_OUT, entered);
        for (at, (before, behind)) in exits.before.into_iter().zip(exits.behind).enumerate() {
            unit = unit
                .input(LoopGate::exit_in(at), before)
                .output(LoopGate::exit_out(at), behind);
        }
        unit.add();
        entered
    }

    /// A queue of `depth` tokens behind a channel; none if there is nothing to wait for. It is a
    /// segment that computes nothing: that one knows what memory to take.
    fn queue(&mut self, name: String, input: Channel, depth: u32) -> Channel {
        if depth == 0 {
            return input;
        }
        let fields = self.circuit.channels()[input].fields.clone();
        let output = self.circuit.add_channel_like(name.clone(), input);
        let mut graph = Graph::new(format!("{}_{name}", self.circuit.name));
        graph.about = format!("Circuit {}: {}", self.circuit.name, self.in_datapath(&name));
        let values = graph.add_input(fields);
        graph.add_output(&values, depth);
        self.circuit
            .unit(
                format!("{name}_queue"),
                Segment::schedule(graph, self.target),
            )
            .input(Segment::input(0), input)
            .output(Segment::output(0), output)
            .add();
        output
    }

    /// Puts a queue on a way to a barrier that passes a block by, as deep as the block is long.
    ///
    /// Work-items that pass by are ahead of those before them, which are still in the block. Without a
    /// queue they keep the others behind them from leaving the branch, and while the first ones of the
    /// next group are in the block, nothing arrives: at each group, as many cycles are lost as the
    /// block is long.
    fn queue_shortcut(
        &mut self,
        to: Option<Block>,
        came: &mut [(Block, Channel)],
        built: &SecondaryMap<Block, Built>,
    ) {
        let Some(to) = to.filter(|&to| self.dataflow.block(to).barrier.is_some()) else {
            return;
        };
        let &mut [(one, _), (other, _)] = came else {
            return;
        };
        let leads = |from: Block, by: Block| {
            let ways = |block| self.kernel.successors(block).iter().map(|it| it.block);
            ways(from).any(|it| it == by) && ways(by).eq([to])
        };
        let (shortcut, passed) = match (leads(one, other), leads(other, one)) {
            (true, false) => (0, other),
            (false, true) => (1, one),
            _ => return,
        };
        // The latency of accesses includes waiting, which is rare on the chip.
        let depth = built[passed].latency * 2 / 3;
        if built[passed].latency <= LONGEST_PASSED {
            let (from, channel) = came[shortcut];
            let name = format!("{}_past_{}", self.names[from], self.names[passed]);
            came[shortcut].1 = self.queue(name, channel, depth);
        }
    }

    /// Merges channels into one, which may be given; without need it adds nothing.
    pub(super) fn merge(
        &mut self,
        name: String,
        mut channels: Vec<Channel>,
        output: Option<Channel>,
    ) -> Channel {
        let mut stage = 0;
        while channels.len() > WIDEST_SELECT {
            let groups: Vec<Vec<Channel>> =
                channels.chunks(WIDEST_SELECT).map(<[_]>::to_vec).collect();
            channels = groups
                .into_iter()
                .enumerate()
                .map(|(at, group)| self.merge(format!("{name}_{stage}_{at}"), group, None))
                .collect();
            stage += 1;
        }
        if let [channel] = channels[..] {
            return match output {
                None => channel,
                Some(output) => self.buffer(name, channel, output),
            };
        }
        let output = output.unwrap_or_else(|| {
            self.circuit
                .add_channel_like(format!("{name}_merged"), channels[0])
        });
        self.select(
            format!("{name}_merge"),
            channels,
            output,
            Policy::RoundRobin,
        );
        output
    }

    fn buffer(&mut self, name: String, input: Channel, output: Channel) -> Channel {
        let fields = self.circuit.channels()[input].fields.clone();
        let buffer = Buffer { fields };
        self.circuit
            .unit(format!("{name}_buffer"), buffer)
            .input(Buffer::IN, input)
            .output(Buffer::OUT, output)
            .add();
        output
    }

    fn select(&mut self, name: String, channels: Vec<Channel>, output: Channel, policy: Policy) {
        let select = Select {
            fields: self.circuit.channels()[output].fields.clone(),
            inputs: channels.len(),
            policy,
        };
        self.circuit
            .unit(name, select)
            .inputs_in_order(channels)
            .output(Select::OUT, output)
            .add();
    }
}

/// Whether no loop begins or ends on the way.
fn is_direct(loops: &Loops, from: Block, to: Option<Block>) -> bool {
    let inside = loops.innermost(from);
    let Some(to) = to else {
        return inside.is_none();
    };
    let leaves = inside.is_some_and(|loop_| !loops.contains(loop_, to));
    let is_header = loops
        .innermost(to)
        .is_some_and(|loop_| loops.get(loop_).header == to);
    !leaves && !is_header
}
