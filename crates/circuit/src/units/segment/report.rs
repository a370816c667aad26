//! What is to be told about a segment.

use super::graph::{Kind, Operand};
use super::schedule::{OperationTime, Span};
use super::{Segment, UnitKind};
use crate::area::Area;
use crate::cost::Cost;

/// Facts about a segment.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// Cycles from taking a token to offering the last of what comes of it.
    pub latency: u32,
    /// Tokens that it holds before it stops taking more.
    pub capacity: u32,
    /// Bits that wait between operations in plain registers.
    pub register_bits: u32,
    /// Bits that wait between operations in delay lines.
    pub delay_line_bits: u32,
    /// Bits of the registers inside operators.
    pub operator_bits: u32,
    /// Bits of the outputs' memories.
    pub queue_bits: u32,
    /// What it occupies.
    pub cost: Cost,
    /// By cycle: the longest path, in nanoseconds, without what a register takes.
    pub paths: Vec<f64>,
    /// By operation.
    pub operations: Vec<OperationReport>,
}

/// Facts about an operation.
#[derive(Clone, PartialEq, Debug)]
pub struct OperationReport {
    /// The name of its result in the source.
    pub name: Option<String>,
    /// The source line.
    pub line: Option<u32>,
    /// Where and when it happens.
    pub time: OperationTime,
    /// What it occupies, without what its results take while they wait.
    pub cost: Cost,
}

impl Segment {
    /// What is to be told about it.
    pub fn report(&self) -> Report {
        let family = self.target.family;
        let (register_bits, delay_line_bits) = self.storage.waiting_bits(&self.graph);
        let queues = self.storage.queues.iter();
        let operations = self.graph.operations.iter().zip(&self.schedule.operations);
        Report {
            latency: self.latency(),
            capacity: self.capacity(),
            register_bits,
            delay_line_bits,
            operator_bits: self
                .operators()
                .map(|(operator, regs)| operator.register_bits(regs))
                .sum(),
            queue_bits: queues
                .map(|queue| queue.bits(&self.graph) * queue.depth)
                .sum(),
            cost: self.total_area().cost(family),
            paths: self.paths(),
            operations: operations
                .enumerate()
                .map(|(at, (operation, time))| OperationReport {
                    name: operation.name.clone(),
                    line: operation.line,
                    time: *time,
                    cost: self.operation_area(at).cost_of_part(family),
                })
                .collect(),
        }
    }

    pub(super) fn total_area(&self) -> Area {
        let operations = (0..self.graph.operations.len()).map(|at| self.operation_area(at));
        let queues = self.storage.queues.iter();
        let queues = queues.map(|queue| queue.area(&self.graph));
        let handshake = Area::of(
            "segment",
            [
                ("units", 1),
                ("inputs", self.graph.inputs.len() as u32),
                ("outputs", self.graph.outputs.len() as u32),
                ("cycles", self.schedule.length()),
            ],
        );
        let waiting = self.storage.waiting_area(&self.graph);
        operations.chain(queues).chain([waiting, handshake]).sum()
    }

    /// What an operation consists of, without what its results take while they wait.
    pub(super) fn operation_area(&self, at: usize) -> Area {
        let operation = &self.graph.operations[at];
        match (&operation.kind, self.schedule.operations[at]) {
            (_, OperationTime::Extension | OperationTime::Unused) => Area::default(),
            (Kind::Operator(operator), OperationTime::At(_) | OperationTime::Invariant { .. }) => {
                operator.area(self.regs(at as u32))
            }
            (Kind::Inline(inline), OperationTime::At(_) | OperationTime::Invariant { .. }) => {
                let is_number = |operand: &Operand| matches!(operand, Operand::Literal { .. });
                inline.area(operation.operands.iter().filter(|it| is_number(it)).count())
            }
        }
    }

    /// By cycle: the longest path.
    pub(super) fn paths(&self) -> Vec<f64> {
        let mut paths = vec![0.0; self.schedule.length() as usize + 1];
        let mut take = |cycle: u32, path: f64| {
            let longest: &mut f64 = &mut paths[cycle as usize];
            *longest = longest.max(path);
        };
        for (operation, time) in self.graph.operations.iter().zip(&self.schedule.operations) {
            let OperationTime::At(slot) = time else {
                continue;
            };
            let span = Span::of(&operation.kind, &self.target);
            take(slot.cycle, slot.arrival + span.first);
            for cycle in slot.cycle + 1..slot.done {
                take(cycle, span.inside);
            }
            take(slot.done, slot.ready);
        }
        paths
    }
}
