//! What is to be told about a segment.

use super::graph::Kind;
use super::schedule::{OperationTime, Span};
use super::{Segment, UnitKind};
use crate::cost::{Cost, Ecp5Cost};
use crate::family::Family;

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
            cost: self.total_cost(family),
            paths: self.paths(),
            operations: operations
                .enumerate()
                .map(|(at, (operation, time))| OperationReport {
                    name: operation.name.clone(),
                    line: operation.line,
                    time: *time,
                    cost: self.operation_cost(at, family),
                })
                .collect(),
        }
    }

    pub(super) fn total_cost(&self, family: &Family) -> Cost {
        let operations = (0..self.graph.operations.len()).map(|at| self.operation_cost(at, family));
        let queues = self
            .storage
            .queues
            .iter()
            .map(|queue| queue.cost(&self.graph).on(family));
        let waiting = self.storage.waiting_cost(&self.graph).on(family);
        let handshake = Ecp5Cost {
            luts: self.graph.inputs.len() as u32 + 1,
            ffs: self.schedule.length(),
            ..Ecp5Cost::default()
        }
        .on(family);
        operations.chain(queues).chain([waiting, handshake]).sum()
    }

    /// What an operation occupies, without what its results take while they wait.
    pub(super) fn operation_cost(&self, operation: usize, family: &Family) -> Cost {
        let kind = &self.graph.operations[operation].kind;
        match (kind, self.schedule.operations[operation]) {
            (_, OperationTime::Extension | OperationTime::Unused) => Cost::default(),
            (Kind::Operator(operator), OperationTime::At(_) | OperationTime::Invariant { .. }) => {
                operator.cost(self.regs(operation as u32), family)
            }
            (Kind::Inline(inline), OperationTime::At(_) | OperationTime::Invariant { .. }) => {
                let cost = Ecp5Cost {
                    luts: inline.luts(),
                    ..Ecp5Cost::default()
                };
                cost.on(family)
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
