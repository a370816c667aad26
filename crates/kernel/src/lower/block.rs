//! One block as a pipeline: segments, memory units, and the branch at its end.

use std::collections::BTreeMap;

use sluice_circuit::circuit::{Channel, Constant};
use sluice_circuit::unit::{Fields, UnitKind};
use sluice_circuit::units::barrier::Barrier;
use sluice_circuit::units::branch::Branch;
use sluice_circuit::units::segment::{Operand, Segment};

use super::access::Expected;
use super::balance::{Backwards, Link, Places, capacity, latency, slacks};
use super::handed::Handed;
use super::names::{line, value_name};
use super::runahead::RunaheadChannels;
use super::segment::{SegmentBuilder, fields};
use super::waits::{WaitLink, WaitQueue};
use super::{BarrierUnit, LaunchValue, Lowering};
use crate::dataflow::{BlockGraph, Source};
use crate::ir::{Block, BlockCall, Inst, InstData, Value};

/// Where a segment's output goes.
#[derive(Clone, Copy)]
pub(super) enum Exit<'a> {
    Level(&'a crate::dataflow::Channel),
    Memory(Inst),
    /// To a later iteration that waits for this one.
    Wait(&'a WaitLink),
    /// To what starts iterations of the loop, with whether it goes on.
    Ended(Value),
    Terminator,
}

/// The segment of a level, before it is connected.
pub(super) struct Stage<'a> {
    name: String,
    pub(super) segment: Segment,
    constants: Vec<Constant>,
    pub(super) exits: Vec<Exit<'a>>,
}

/// What is known of a block that was built.
#[derive(Clone, Copy, Default)]
pub(super) struct Built {
    /// Work-items that it holds, at least, before it stops taking more.
    pub(super) capacity: u32,
    /// Cycles that a work-item takes from its first segment to its way out.
    pub(super) latency: u32,
}

/// The channels inside of a block.
#[derive(Default)]
struct Inside {
    /// From segment to segment, by their levels.
    carried: BTreeMap<(usize, usize), Channel>,
    /// The results of accesses.
    results: BTreeMap<Inst, Channel>,
    /// Places in accesses.
    capacities: BTreeMap<Inst, u32>,
    /// For iterations that wait, in the order of their links.
    waits: Vec<WaitQueue>,
    /// Of a loop whose iterations start before it is known whether there are any.
    runahead: Option<RunaheadChannels>,
}

impl Lowering<'_> {
    /// Builds a block between its input and its ways out.
    pub(super) fn block(&mut self, block: Block, input: Channel, ways: &[Channel]) -> Built {
        let graph = self.dataflow.block(block);
        let (input, waiting) = match graph.barrier {
            Some(barrier) => self.barrier(block, barrier, input),
            None => (input, 0),
        };
        let channels = graph.channels();
        let waits = self.wait_links(block, graph);
        let mut stages: Vec<Stage<'_>> = (0..graph.levels.len())
            .map(|level| self.stage(block, graph, (&channels, &waits), level))
            .collect();
        let order = Stages::of(graph);
        let (slacks, latency) = self.deepen(graph, &order, &waits, &mut stages);
        self.note_timing(block, graph, &stages, &waits, latency);
        let runahead = self.runahead(block, input, latency);
        let input = runahead.map_or(input, |it| it.started);
        let mut inside = Inside {
            waits: self.wait_queues(block, &waits),
            runahead,
            ..Inside::default()
        };
        let mut places = Vec::new();
        for (level, stage) in stages.into_iter().enumerate() {
            places.extend(order.places(&stage, level));
            let mut inputs = match level {
                0 => vec![input],
                _ => inside.inputs(&channels, level),
            };
            inputs.extend(inside.waiting(level));
            let outputs = self.outputs(block, &stage, level, ways, &slacks, &mut inside);
            let lines = self.lines(&graph.levels[level].pure);
            self.circuit
                .unit(stage.name, stage.segment)
                .lines(lines)
                .constants(stage.constants)
                .inputs_in_order(inputs)
                .outputs_in_order(outputs)
                .add();
        }
        places.extend(inside.capacities.iter().map(|(&access, &tokens)| Places {
            from: order.access(access),
            to: order.joined(graph, access),
            tokens,
        }));
        let held = match self.cut.pipelined_body(block) {
            // What it holds are iterations: the work-item that they belong to has its place where they start.
            Some(_) => u32::from(runahead.is_some()),
            None => capacity(order.count(), &places),
        };
        Built {
            capacity: waiting + held,
            latency,
        }
    }

    /// The barrier at the head of a block, and the number of work-items that wait there.
    fn barrier(&mut self, block: Block, inst: Inst, input: Channel) -> (Channel, u32) {
        let grouped = self
            .grouped
            .expect("groups have slots if there is a barrier");
        let inputs = &self.dataflow.block(block).inputs;
        let slot = inputs.iter().position(|&value| value == grouped.slot);
        let barrier = Barrier {
            fields: self.circuit.channels()[input].fields.clone(),
            slot: slot.expect("a slot is carried to the end"),
            slots: grouped.limits.slots,
            places: grouped.limits.places,
        };
        let name = format!("{}_barrier", self.names[block]);
        let output = self
            .circuit
            .add_channel_like(format!("{name}_passed"), input);
        let constants = [LaunchValue::GroupSize, LaunchValue::GroupShift];
        let constants = constants.map(|value| self.constant(value));
        let lines = self.lines(&[inst]);
        let unit = self
            .circuit
            .unit(name, barrier)
            .lines(lines)
            .constants(constants)
            .input(Barrier::IN, input)
            .output(Barrier::OUT, output)
            .add()
            .unit;
        self.barriers.push(BarrierUnit {
            unit,
            path: self.constants.path,
            loc: self.kernel.loc(inst),
        });
        (output, grouped.limits.places)
    }

    /// A level's segment.
    fn stage<'g>(
        &mut self,
        block: Block,
        graph: &BlockGraph,
        (channels, waits): (&'g [crate::dataflow::Channel], &'g [WaitLink]),
        level: usize,
    ) -> Stage<'g> {
        let name = format!("{}_stage{level}", self.names[block]);
        let mut builder = self.segment_builder(&name);
        if level == 0 {
            builder.add_input(&graph.inputs);
        }
        for channel in channels.iter().filter(|channel| channel.to == level) {
            match channel.from {
                Source::Level(_) => builder.add_input(&channel.values),
                Source::Memory(inst) => builder.add_results(self.kernel.results(inst)),
            }
        }
        self.waiting_inputs(&mut builder, waits, level);
        self.compute(&mut builder, &graph.levels[level].pure);
        let mut exits = exits(graph, channels, waits, level);
        if let Some(speculation) = self.cut.speculation(block)
            && level == graph.last()
        {
            exits.push(Exit::Ended(speculation.goes_on));
        }
        for exit in &exits {
            let operands = self.exit(&mut builder, block, exit);
            builder.graph.add_output(&operands, 0);
        }
        Stage {
            name,
            segment: Segment::schedule(builder.graph, self.target),
            constants: builder.constants,
            exits,
        }
    }

    /// Makes the segments' queues as deep as what waits in them needs; gives how long the results of
    /// each access wait, and how long the whole takes.
    fn deepen(
        &self,
        graph: &BlockGraph,
        order: &Stages,
        waits: &[WaitLink],
        stages: &mut [Stage<'_>],
    ) -> (BTreeMap<Inst, u32>, u32) {
        let mut links = Vec::new();
        for (level, stage) in stages.iter().enumerate() {
            links.extend(order.links(stage, level));
        }
        let queues = links.len();
        let accesses: Vec<Inst> = order.accesses.keys().copied().collect();
        links.extend(accesses.iter().map(|&access| Link {
            from: order.access(access),
            to: order.joined(graph, access),
            latency: self.access_latency(access),
            bits: fields(self.kernel, self.kernel.results(access)).bits(),
        }));
        let backwards: Vec<Backwards> = waits
            .iter()
            .map(|wait| {
                let own = stages[wait.from].segment.latency();
                let (most, _) = self.cycles_between(graph, stages, wait, Expected::Usual);
                let most = most.next_multiple_of(wait.distance).max(wait.distance);
                Backwards {
                    from: order.segments[wait.from],
                    to: order.segments[wait.to],
                    most: most.saturating_sub(own),
                }
            })
            .collect();
        let slacks = slacks(order.count(), &links, &backwards);
        let (queues, waits) = slacks.split_at(queues);
        let mut queues = queues.iter().copied();
        for stage in stages {
            let depths: Vec<u32> = queues.by_ref().take(stage.exits.len()).collect();
            stage.segment.deepen(depths);
        }
        let waits = accesses.into_iter().zip(waits.iter().copied());
        (waits.collect(), latency(order.count(), &links))
    }

    /// The channels at a segment's outputs, and what stands behind them: accesses, the branch.
    fn outputs(
        &mut self,
        block: Block,
        stage: &Stage<'_>,
        level: usize,
        ways: &[Channel],
        slacks: &BTreeMap<Inst, u32>,
        inside: &mut Inside,
    ) -> Vec<Channel> {
        let ports = stage.segment.outputs().into_iter().zip(&stage.exits);
        let mut outputs = Vec::new();
        for (port, exit) in ports {
            let channel = match (exit, ways) {
                // The only way out needs no branch.
                (Exit::Terminator, &[way]) => way,
                (Exit::Wait(link), _) => inside.told(link),
                (Exit::Ended(_), _) => inside.ended(),
                (Exit::Level(_) | Exit::Memory(_) | Exit::Terminator, _) => {
                    self.exit_channel(&stage.name, block, exit, port.fields)
                }
            };
            match exit {
                Exit::Level(to) => {
                    inside.carried.insert((level, to.to), channel);
                }
                Exit::Memory(inst) => {
                    let (result, capacity) = self.access(*inst, channel, slacks[inst]);
                    inside.results.insert(*inst, result);
                    inside.capacities.insert(*inst, capacity);
                }
                Exit::Wait(_) | Exit::Ended(_) => {}
                Exit::Terminator => self.branch(block, channel, ways),
            }
            outputs.push(channel);
        }
        outputs
    }

    /// What an output of a segment carries.
    fn exit(
        &mut self,
        builder: &mut SegmentBuilder<'_>,
        block: Block,
        exit: &Exit<'_>,
    ) -> Vec<Operand> {
        match exit {
            Exit::Level(channel) => self.operands(builder, &channel.values),
            Exit::Memory(inst) => {
                let mut operands = Vec::new();
                if let Some(pointer) = self.kernel.inst(*inst).pointer() {
                    let address = builder.operand(self.circuit, &mut self.constants, pointer);
                    operands.push(builder.low_bits(address, self.address_bits(*inst)));
                }
                operands.extend(self.operands(builder, &self.operands_of(*inst)));
                operands
            }
            Exit::Wait(_) => Vec::new(),
            Exit::Ended(goes_on) => self.operands(builder, &[*goes_on]),
            Exit::Terminator => self.terminator(builder, block),
        }
    }

    /// A channel behind an output of the segment of this name.
    fn exit_channel(
        &mut self,
        segment: &str,
        block: Block,
        exit: &Exit<'_>,
        fields: Fields,
    ) -> Channel {
        let (name, values) = match exit {
            Exit::Level(channel) => (
                format!("{segment}_to_stage{}", channel.to),
                channel.values.clone(),
            ),
            Exit::Memory(inst) => {
                let name = format!("{}_in", self.access_name(*inst));
                let address = self.kernel.inst(*inst).pointer();
                let mut names: Vec<String> = address.iter().map(|_| "address".into()).collect();
                let operands = self.operands_of(*inst).into_iter();
                names.extend(operands.map(|value| value_name(self.kernel, value)));
                let channel = self.circuit.add_channel(name, fields);
                self.circuit.name_fields(channel, names);
                return channel;
            }
            Exit::Wait(_) | Exit::Ended(_) => unreachable!("its channel exists"),
            Exit::Terminator => (
                format!("{}_decision", self.names[block]),
                self.leaving(block),
            ),
        };
        let channel = self.circuit.add_channel(name, fields);
        self.name_values(channel, &values);
        channel
    }

    pub(super) fn operands(
        &mut self,
        builder: &mut SegmentBuilder<'_>,
        values: &[Value],
    ) -> Vec<Operand> {
        values
            .iter()
            .map(|&value| builder.operand(self.circuit, &mut self.constants, value))
            .collect()
    }

    /// What the last segment gives: the condition of a branch, then what at least one way carries.
    fn terminator(&mut self, builder: &mut SegmentBuilder<'_>, block: Block) -> Vec<Operand> {
        let values = self.leaving(block);
        self.operands(builder, &values)
    }

    /// The condition of a branch, then what at least one way carries.
    fn leaving(&self, block: Block) -> Vec<Value> {
        match self.kernel.inst(self.kernel.terminator(block)) {
            InstData::Jump(target) => self.carried(target),
            InstData::Branch { cond, targets } => {
                let mut values = vec![*cond];
                values.extend(self.either(targets));
                values
            }
            InstData::Return => self.kernel.slots(),
            other => unreachable!("verify: {other} ends no block"),
        }
    }

    /// The values that a way to a block carries: for its parameters the arguments.
    pub(super) fn carried(&self, target: &BlockCall) -> Vec<Value> {
        let params = &self.kernel.block(target.block).params;
        let inputs = &self.dataflow.block(target.block).inputs;
        let value = |input: &Value| match params.iter().position(|param| param == input) {
            Some(at) => target.args[at],
            None => *input,
        };
        inputs.iter().map(value).collect()
    }

    /// What at least one of two ways carries, each value once.
    fn either(&self, targets: &[BlockCall; 2]) -> Vec<Value> {
        let mut values = Vec::new();
        for value in targets.iter().flat_map(|target| self.carried(target)) {
            if !values.contains(&value) {
                values.push(value);
            }
        }
        values
    }

    /// The branch behind the last segment, where there are two ways.
    fn branch(&mut self, block: Block, output: Channel, ways: &[Channel]) {
        let InstData::Branch { targets, .. } = self.kernel.inst(self.kernel.terminator(block))
        else {
            return;
        };
        let either = self.either(targets);
        let [on_true, on_false] = targets.each_ref().map(|target| {
            let carried = self.carried(target).into_iter();
            let place = |value| either.iter().position(|&it| it == value);
            carried
                .map(|value| place(value).expect("one way carries it"))
                .collect()
        });
        let all = &self.circuit.channels()[output].fields;
        let branch = Branch {
            fields: Fields::new(all.widths().skip(1)),
            on_true,
            on_false,
        };
        let lines = self.lines(&[self.kernel.terminator(block)]);
        let name = format!("{}_branch", self.names[block]);
        self.circuit
            .unit(name, branch)
            .lines(lines)
            .input(Branch::IN, output)
            .output(Branch::ON_TRUE, ways[0])
            .output(Branch::ON_FALSE, ways[1])
            .add();
    }

    /// The source lines of instructions, ascending.
    pub(super) fn lines(&self, insts: &[Inst]) -> Vec<u32> {
        let lines = insts.iter().filter_map(|&inst| line(self.kernel, inst));
        let mut lines: Vec<u32> = lines.collect();
        lines.sort_unstable();
        lines.dedup();
        lines
    }
}

impl Lowering<'_> {
    /// Computes the pure instructions of a level, and what they hand to the next iteration.
    fn compute(&mut self, builder: &mut SegmentBuilder<'_>, insts: &[Inst]) {
        let is_state = |inst: &&Inst| self.cut.states.contains_key(inst);
        let states: Vec<Inst> = insts.iter().filter(is_state).copied().collect();
        let mut initial = |builder: &mut SegmentBuilder<'_>, value| {
            builder.operand(self.circuit, &mut self.constants, value)
        };
        let handed = Handed::add(self.cut, self.kernel, builder, insts, &mut initial);
        for &inst in insts.iter().filter(|inst| !states.contains(inst)) {
            builder.compute(self.circuit, &mut self.constants, inst);
        }
        if let Some(handed) = handed {
            let mut operand = |value| builder.operand(self.circuit, &mut self.constants, value);
            let begins = operand(handed.begins.value());
            let next: Vec<Operand> = handed.next.iter().map(|&it| operand(it)).collect();
            let conditions = handed.conditions();
            let conditions: Vec<Operand> = conditions.into_iter().map(&mut operand).collect();
            handed.close(builder, begins, &next, &conditions);
        }
    }
}

impl Inside {
    /// The channels from earlier iterations to a level's segment.
    fn waiting(&self, level: usize) -> Vec<Channel> {
        let waits = self.waits.iter().filter(|queue| queue.to == level);
        waits.map(|queue| queue.behind).collect()
    }

    /// The channel before the queue of a link.
    fn told(&self, link: &WaitLink) -> Channel {
        let is_it = |queue: &&WaitQueue| (queue.from, queue.to) == (link.from, link.to);
        let queue = self.waits.iter().find(is_it);
        queue.expect("every link has a queue").before
    }

    /// The channel for iterations that have ended.
    fn ended(&self) -> Channel {
        let runahead = self.runahead.as_ref();
        runahead
            .expect("iterations start before it is known whether there are any")
            .ended
    }

    /// The channels at the inputs of a level's segment.
    fn inputs(&self, channels: &[crate::dataflow::Channel], level: usize) -> Vec<Channel> {
        let inputs = channels.iter().filter(|channel| channel.to == level);
        let channel = |channel: &crate::dataflow::Channel| match channel.from {
            Source::Level(from) => self.carried[&(from, level)],
            Source::Memory(inst) => self.results[&inst],
        };
        inputs.map(channel).collect()
    }
}

/// The stages of a block's pipeline in their order: each level's segment, then its accesses, and at
/// last the way out.
struct Stages {
    segments: Vec<usize>,
    accesses: BTreeMap<Inst, usize>,
}

impl Stages {
    fn of(graph: &BlockGraph) -> Stages {
        let mut stages = Stages {
            segments: Vec::new(),
            accesses: BTreeMap::new(),
        };
        let mut next = 0..;
        for level in &graph.levels {
            stages.segments.extend(next.next());
            stages
                .accesses
                .extend(level.memory.iter().copied().zip(&mut next));
        }
        stages
    }

    fn count(&self) -> usize {
        self.segments.len() + self.accesses.len() + 1
    }

    fn access(&self, access: Inst) -> usize {
        self.accesses[&access]
    }

    /// The segment that waits for an access.
    fn joined(&self, graph: &BlockGraph, access: Inst) -> usize {
        self.segments[graph
            .joined(access)
            .expect("dataflow: some level waits for every access")]
    }

    /// Where an output of a segment leads.
    fn target(&self, exit: &Exit<'_>) -> usize {
        match exit {
            Exit::Level(channel) => self.segments[channel.to],
            Exit::Memory(inst) => self.accesses[inst],
            // Waits are for later iterations: they are no part of this one's way.
            Exit::Wait(_) | Exit::Ended(_) | Exit::Terminator => self.count() - 1,
        }
    }

    /// The channels behind a segment.
    fn links(&self, stage: &Stage<'_>, level: usize) -> Vec<Link> {
        let exits = stage.exits.iter().enumerate();
        let link = |(at, exit): (usize, &Exit<'_>)| Link {
            from: self.segments[level],
            to: self.target(exit),
            latency: stage.segment.output_latency(at),
            bits: stage.segment.graph().output_fields(at).bits(),
        };
        exits.map(link).collect()
    }

    /// The places in a segment's queues.
    fn places(&self, stage: &Stage<'_>, level: usize) -> Vec<Places> {
        let exits = stage.exits.iter().enumerate();
        let place = |(at, exit): (usize, &Exit<'_>)| Places {
            from: self.segments[level],
            to: self.target(exit),
            tokens: stage.segment.output_capacity(at),
        };
        exits.map(place).collect()
    }
}

/// Where the outputs of a level's segment go: to later levels, to its accesses, or out.
fn exits<'a>(
    graph: &BlockGraph,
    channels: &'a [crate::dataflow::Channel],
    waits: &'a [WaitLink],
    level: usize,
) -> Vec<Exit<'a>> {
    let onwards = channels
        .iter()
        .filter(|channel| channel.from == Source::Level(level));
    let mut exits: Vec<Exit<'a>> = onwards.map(Exit::Level).collect();
    exits.extend(
        graph.levels[level]
            .memory
            .iter()
            .map(|&inst| Exit::Memory(inst)),
    );
    let from_here = waits.iter().filter(|link| link.from == level);
    exits.extend(from_here.map(Exit::Wait));
    if level == graph.last() {
        exits.push(Exit::Terminator);
    }
    exits
}
