//! A segment: a pipeline of operations of fixed latency, free-running inside, with one handshake.
//!
//! A token is taken from all inputs at once, and only when every output's queue is sure to have
//! room for what comes of it: each output counts the tokens that have entered and have not been
//! taken from it. So nothing inside ever stops, and the capacity is exact. Outputs are taken
//! independently, and each gets its token as soon as its own values are there.
//!
//! A token can leave values for the one that enters next ([`Graph::add_state`]): then tokens enter at
//! least as many cycles apart as it takes until these can be used. A segment can repeat its tokens
//! ([`Graph::set_repeat`]): these stay in registers at the inputs, and enter again until they say
//! that it was the last time.

mod graph;
mod history;
mod inline;
mod live;
mod model;
mod names;
mod program;
mod report;
pub mod samples;
mod schedule;
mod storage;
mod text;

pub use graph::{Graph, Kind, Operand, Operation, Output, State};
pub use inline::{Inline, InlineOp, OperandWidth};
pub use report::{OperationReport, Report};
pub use samples::samples;
pub use schedule::{History, OperationTime, Schedule, Slot, Tap};

use crate::area::Area;
use crate::clock;
use crate::connect;
use crate::cost::Cost;
use crate::family::{ECP5, Family};
use crate::operators::Regs;
use crate::target::Target;
use crate::text::{Declared, declared};
use crate::unit::{
    Fields, Intake, Model, Module, Origin, Port, Recurrence, UnitKind, UnitPart, Wire,
};
use crate::units::{buffer, fifo};
use crate::verilog::Source;
use storage::Storage;

/// The segment.
#[derive(Clone, Debug)]
pub struct Segment {
    graph: Graph,
    target: Target,
    schedule: Schedule,
    storage: Storage,
}

/// What keeps tokens apart.
const INTERVAL: Source = Source {
    file: "sluice_interval.v",
    text: include_str!("segment/interval.v"),
};

const SOURCES: [Source; 6] = [
    fifo::MEMORY,
    Source {
        file: "sluice_block_memory.v",
        text: include_str!("block_memory.v"),
    },
    Source {
        file: "sluice_segment_queue.v",
        text: include_str!("segment/queue.v"),
    },
    Source {
        file: "sluice_segment_column.v",
        text: include_str!("segment/column.v"),
    },
    Source {
        file: "sluice_phase.v",
        text: include_str!("segment/phase.v"),
    },
    Source {
        file: "sluice_delay.v",
        text: include_str!("segment/delay.v"),
    },
];

impl Segment {
    /// Tokens of one of the inputs.
    pub const fn input(input: usize) -> connect::Input<Segment> {
        connect::Input::numbered(input, "in#", input)
    }

    /// What one of the outputs gives.
    pub const fn output(output: usize) -> connect::Output<Segment> {
        connect::Output::numbered(output, "out#", output)
    }

    /// The segment that computes a graph on a target.
    ///
    /// # Panics
    ///
    /// If the graph makes no sense: operands that come too late or have another width, no input, no
    /// output.
    pub fn schedule(mut graph: Graph, target: &Target) -> Segment {
        graph.check().unwrap_or_else(|why| panic!("{why}"));
        names::name_constants(&mut graph);
        let schedule = Schedule::of(&graph, target);
        let storage = Storage::of(&graph, &schedule, target);
        Segment {
            graph,
            target: *target,
            schedule,
            storage,
        }
    }

    /// Makes the queues hold more, by output: the number of tokens beyond what full throughput needs.
    pub fn deepen(&mut self, depths: impl IntoIterator<Item = u32>) {
        for (output, depth) in self.graph.outputs.iter_mut().zip(depths) {
            output.depth = depth;
        }
        self.storage = Storage::of(&self.graph, &self.schedule, &self.target);
    }

    /// What it computes.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// When it computes it.
    pub fn times(&self) -> &Schedule {
        &self.schedule
    }

    /// The target that it is scheduled for.
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// The least number of cycles from one token that enters to the next: 1 if tokens leave nothing
    /// for each other.
    pub fn interval(&self) -> u32 {
        self.schedule.interval
    }

    /// The operations that depend on each other in a ring, in their order, because of which the
    /// interval is not smaller; none if it is 1.
    pub fn limiting_recurrence(&self) -> &[u32] {
        &self.schedule.limiting
    }

    /// Cycles from taking a token to offering what comes of it at an output, when nothing stalls; of
    /// a segment that repeats its tokens, what comes of the first pass.
    pub fn output_latency(&self, output: usize) -> u32 {
        self.storage.queues[output].moves_after() + 1 + u32::from(self.repeats())
    }

    /// Whether tokens enter several times.
    pub fn repeats(&self) -> bool {
        self.graph.repeat.is_some()
    }

    /// Bits of the tokens of all inputs, at least one.
    fn input_bits(&self) -> u32 {
        let inputs = self.graph.inputs.iter();
        inputs.map(Fields::bits).sum::<u32>().max(1)
    }

    /// How many tokens an output's queue holds, those on their way to it included.
    pub fn output_capacity(&self, output: usize) -> u32 {
        self.storage.queues[output].depth + 1
    }

    /// The registers of an operation.
    fn regs(&self, operation: u32) -> Regs {
        match self.schedule.operations[operation as usize] {
            OperationTime::At(slot) => slot.regs,
            OperationTime::Invariant { .. } | OperationTime::Extension | OperationTime::Unused => {
                Regs::NONE
            }
        }
    }

    /// The operators that become hardware, with their registers.
    fn operators(&self) -> impl Iterator<Item = (&dyn crate::operators::Operator, Regs)> {
        let operations = self.graph.operations.iter().zip(&self.schedule.operations);
        operations.filter_map(|(operation, place)| match (&operation.kind, place) {
            (Kind::Operator(operator), OperationTime::At(slot)) => Some((&**operator, slot.regs)),
            (Kind::Operator(operator), OperationTime::Invariant { .. }) => {
                Some((&**operator, Regs::NONE))
            }
            (Kind::Operator(_), OperationTime::Unused | OperationTime::Extension)
            | (Kind::Inline(_) | Kind::State { .. }, _) => None,
        })
    }

    fn module_name(&self) -> String {
        self.graph.name.clone()
    }
}

declared! { UnitKind Segment }

impl UnitKind for Segment {
    fn check(&self) -> Result<(), String> {
        self.graph.check()
    }

    fn module(&self) -> Module {
        let mut sources = SOURCES.to_vec();
        sources.extend((self.interval() > 1).then_some(INTERVAL));
        sources.extend(self.repeats().then_some(buffer::SOURCE));
        for (operator, _) in self.operators() {
            sources.extend(operator.sources());
        }
        sources.sort_unstable();
        sources.dedup();
        Module {
            name: self.module_name(),
            parameters: Vec::new(),
            sources,
            text: Some(text::emit(self)),
        }
    }

    fn inputs(&self) -> Vec<Port> {
        let port =
            |(index, fields): (usize, &Fields)| Segment::input(index).carrying(fields.clone());
        self.graph.inputs.iter().enumerate().map(port).collect()
    }

    fn outputs(&self) -> Vec<Port> {
        let port = |index| Segment::output(index).carrying(self.graph.output_fields(index));
        (0..self.graph.outputs.len()).map(port).collect()
    }

    fn origin(&self, _: usize) -> Origin {
        match self.repeats() {
            true => Origin::Series,
            false => Origin::Each,
        }
    }

    fn constants(&self) -> Vec<Wire> {
        self.graph.constants.clone()
    }

    fn intake(&self) -> Intake {
        Intake::Joined
    }

    /// That of its slowest output.
    fn latency(&self) -> u32 {
        let outputs = 0..self.graph.outputs.len();
        let latencies = outputs.map(|output| self.output_latency(output));
        latencies.max().expect("a segment has an output")
    }

    /// That of its smallest queue. If it repeats its tokens, all places there may be taken by what
    /// comes of one of them: then it is what its inputs hold.
    fn capacity(&self) -> u32 {
        if self.repeats() {
            return 2;
        }
        let outputs = 0..self.graph.outputs.len();
        let capacities = outputs.map(|output| self.output_capacity(output));
        capacities.min().expect("a segment has an output")
    }

    fn area(&self) -> Area {
        self.total_area()
    }

    /// Its longest chain of operations, or what its queues and handshakes take.
    fn delay(&self, target: &Target) -> f64 {
        let own = clock::unit_delay(self.word(), self.cost(&ECP5).logic, target);
        let chains = self.paths().into_iter().fold(0.0, f64::max);
        own.max(chains + target.delays().register)
    }

    fn cost_by_line(&self, family: &Family) -> Vec<(u32, Cost)> {
        let operations = self.graph.operations.iter().zip(self.operation_areas());
        let lines = operations.filter_map(|(operation, area)| Some((operation.line?, area)));
        lines
            .map(|(line, area)| (line, area.cost_of_part(family)))
            .collect()
    }

    fn recurrence(&self) -> Option<Recurrence> {
        let part = |&index: &u32| {
            let operation = &self.graph.operations[index as usize];
            UnitPart {
                name: names::base(operation, index as usize),
                kind: names::verb(operation),
                line: operation.line,
            }
        };
        (self.interval() > 1).then(|| Recurrence {
            interval: self.interval(),
            operations: self.limiting_recurrence().iter().map(part).collect(),
        })
    }

    fn parts(&self) -> Vec<UnitPart> {
        text::parts(self)
    }

    fn model(&self) -> Box<dyn Model> {
        match self.repeats() {
            true => Box::new(model::Repeating::new(self)),
            false => Box::new(model::Behaviour::new(self)),
        }
    }
}
