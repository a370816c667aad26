//! One block as a pipeline: segments, memory units, and the branch at its end.

use std::collections::BTreeMap;

use sluice_circuit::circuit::{Channel, UnitData};
use sluice_circuit::unit::{Fields, UnitKind};
use sluice_circuit::units::branch::Branch;
use sluice_circuit::units::segment::{Operand, Segment};

use super::Lowering;
use super::names::{line, value_name};
use super::segment::SegmentBuilder;
use crate::dataflow::{BlockGraph, Source};
use crate::ir::{Block, BlockCall, Inst, InstData, Value};

/// Where a segment's output goes.
enum Exit<'a> {
    Level(&'a crate::dataflow::Channel),
    Memory(Inst),
    Terminator,
}

impl Lowering<'_> {
    /// Builds a block between its input and its ways out, and says how many work-items it holds, at
    /// least, before it stops taking more.
    pub(super) fn block(&mut self, block: Block, input: Channel, ways: &[Channel]) -> u32 {
        let graph = self.dataflow.block(block);
        let channels = graph.channels();
        let mut results: BTreeMap<Inst, Channel> = BTreeMap::new();
        let mut carried: BTreeMap<(usize, usize), Channel> = BTreeMap::new();
        let mut capacity = 0;
        for level in 0..graph.levels.len() {
            let name = format!("{}_stage{level}", self.names[block]);
            let mut builder = SegmentBuilder::new(&self.circuit, &name, self.kernel, self.target);
            let mut inputs = Vec::new();
            if level == 0 {
                builder.add_input(&graph.inputs);
                inputs.push(input);
            }
            for channel in channels.iter().filter(|channel| channel.to == level) {
                match channel.from {
                    Source::Level(from) => {
                        builder.add_input(&channel.values);
                        inputs.push(carried[&(from, level)]);
                    }
                    Source::Memory(inst) => {
                        builder.add_input(self.kernel.results(inst));
                        inputs.push(results[&inst]);
                    }
                }
            }
            for &inst in &graph.levels[level].pure {
                builder.compute(&mut self.circuit, &mut self.constants, inst);
            }
            let exits = exits(graph, &channels, level);
            for exit in &exits {
                let (operands, depth) = self.exit(&mut builder, graph, block, exit);
                builder.graph.add_output(&operands, depth);
            }
            let segment = Segment::schedule(builder.graph, self.target);
            let ports = segment.outputs().into_iter().zip(&exits);
            let outputs: Vec<Channel> = ports
                .map(|(port, exit)| match (exit, ways) {
                    // The only way out needs no branch.
                    (Exit::Terminator, &[way]) => way,
                    _ => self.exit_channel(&name, block, exit, port.fields),
                })
                .collect();
            let mut narrowest = u32::MAX;
            for (at, (exit, &output)) in exits.iter().zip(&outputs).enumerate() {
                let held = segment.output_capacity(at);
                narrowest = narrowest.min(match exit {
                    Exit::Level(channel) => {
                        carried.insert((level, channel.to), output);
                        held
                    }
                    Exit::Memory(inst) => {
                        let (result, capacity) = self.access(*inst, output);
                        results.insert(*inst, result);
                        held + capacity
                    }
                    Exit::Terminator => {
                        self.branch(block, output, ways);
                        held
                    }
                });
            }
            capacity += narrowest;
            let lines = self.lines(&graph.levels[level].pure);
            self.add_unit(name, segment, lines, inputs, outputs, builder.constants);
        }
        capacity
    }

    /// What an output of a segment carries, and how much deeper than usual its queue is.
    fn exit(
        &mut self,
        builder: &mut SegmentBuilder<'_>,
        graph: &BlockGraph,
        block: Block,
        exit: &Exit<'_>,
    ) -> (Vec<Operand>, u32) {
        match exit {
            Exit::Level(channel) => {
                let depth = match graph.levels[channel.to - 1].memory.is_empty() {
                    true => 0,
                    // What waits beside an access waits as long as the access takes.
                    false => self.memory.latency * (channel.to as u32 - self.level_of(channel)),
                };
                (self.operands(builder, &channel.values), depth)
            }
            Exit::Memory(inst) => {
                let data = self.kernel.inst(*inst);
                let pointer = data.pointer().expect("memory accesses have an address");
                let address = builder.operand(&mut self.circuit, &mut self.constants, pointer);
                let mut operands = vec![builder.low_bits(address, self.memory.address_bits)];
                if let InstData::Store { values, .. } = data {
                    operands.extend(self.operands(builder, values));
                }
                (operands, 0)
            }
            Exit::Terminator => (self.terminator(builder, block), 0),
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
                let data = self.kernel.inst(*inst);
                let objects = data.objects().expect("dataflow: an access has objects");
                let first = objects.iter().next();
                let first = first.expect("refused before: an access reaches an object");
                let name = format!("{}_in", self.access_name(*inst, first));
                let mut names = vec!["address".to_string()];
                if let InstData::Store { values, .. } = data {
                    names.extend(values.iter().map(|&value| value_name(self.kernel, value)));
                }
                let channel = self.circuit.add_channel(name, fields);
                self.circuit.name_fields(channel, names);
                return channel;
            }
            Exit::Terminator => (
                format!("{}_decision", self.names[block]),
                self.leaving(block),
            ),
        };
        let channel = self.circuit.add_channel(name, fields);
        self.name_values(channel, &values);
        channel
    }

    fn level_of(&self, channel: &crate::dataflow::Channel) -> u32 {
        match channel.from {
            Source::Level(level) => level as u32,
            Source::Memory(_) => unreachable!("accesses send their results themselves"),
        }
    }

    fn operands(&mut self, builder: &mut SegmentBuilder<'_>, values: &[Value]) -> Vec<Operand> {
        values
            .iter()
            .map(|&value| builder.operand(&mut self.circuit, &mut self.constants, value))
            .collect()
    }

    /// What the last segment gives: the condition of a branch, then what each way carries.
    fn terminator(&mut self, builder: &mut SegmentBuilder<'_>, block: Block) -> Vec<Operand> {
        let values = self.leaving(block);
        self.operands(builder, &values)
    }

    /// The condition of a branch, then what each way carries.
    fn leaving(&self, block: Block) -> Vec<Value> {
        match self.kernel.inst(self.kernel.terminator(block)) {
            InstData::Jump(target) => self.carried(target),
            InstData::Branch { cond, targets } => {
                let mut values = vec![*cond];
                values.extend(targets.iter().flat_map(|target| self.carried(target)));
                values
            }
            InstData::Return => Vec::new(),
            other => unreachable!("verify: {other} ends no block"),
        }
    }

    /// The values that a way to a block carries: for its parameters the arguments.
    fn carried(&self, target: &BlockCall) -> Vec<Value> {
        let params = &self.kernel.block(target.block).params;
        let inputs = &self.dataflow.block(target.block).inputs;
        let value = |input: &Value| match params.iter().position(|param| param == input) {
            Some(at) => target.args[at],
            None => *input,
        };
        inputs.iter().map(value).collect()
    }

    /// The branch behind the last segment, where there are two ways.
    fn branch(&mut self, block: Block, output: Channel, ways: &[Channel]) {
        let InstData::Branch { targets, .. } = self.kernel.inst(self.kernel.terminator(block))
        else {
            return;
        };
        let carried = targets.each_ref().map(|target| self.carried(target).len());
        let all = &self.circuit.channels()[output].fields;
        let branch = Branch {
            fields: Fields::new(all.widths().skip(1)),
            on_true: (0..carried[0]).collect(),
            on_false: (carried[0]..carried[0] + carried[1]).collect(),
        };
        let lines = self.lines(&[self.kernel.terminator(block)]);
        let name = format!("{}_branch", self.names[block]);
        self.add_unit(name, branch, lines, vec![output], ways.to_vec(), Vec::new());
    }

    /// The source lines of instructions, ascending.
    pub(super) fn lines(&self, insts: &[Inst]) -> Vec<u32> {
        let lines = insts.iter().filter_map(|&inst| line(self.kernel, inst));
        let mut lines: Vec<u32> = lines.collect();
        lines.sort_unstable();
        lines.dedup();
        lines
    }

    pub(super) fn add_unit(
        &mut self,
        name: String,
        kind: impl UnitKind + 'static,
        lines: Vec<u32>,
        inputs: Vec<Channel>,
        outputs: Vec<Channel>,
        constants: Vec<sluice_circuit::circuit::Constant>,
    ) {
        self.circuit.add_unit(UnitData {
            name,
            kind: Box::new(kind),
            lines,
            inputs,
            outputs,
            constants,
        });
    }
}

/// Where the outputs of a level's segment go: to later levels, to its accesses, or out.
fn exits<'a>(
    graph: &BlockGraph,
    channels: &'a [crate::dataflow::Channel],
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
    if level == graph.last() {
        exits.push(Exit::Terminator);
    }
    exits
}
