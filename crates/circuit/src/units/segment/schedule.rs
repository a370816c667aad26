//! When each operation of a segment happens: operations chain within a cycle while they fit the
//! clock, every output is as early as it can be, and among all such schedules the one is taken in
//! which the fewest bits wait in registers.
//!
//! A chain of operations that is too long for a cycle becomes a bound: its last operation is at
//! least one cycle behind its first. With these bounds the choice is a linear program over the
//! cycles. Three kinds of values never wait: launch constants; what is computed from them within
//! one cycle (*invariants*), for it does not change either; and what goes to an output, because the
//! output's memory takes each value when it is there. Zero and sign extensions have no time of
//! their own: the value that they extend waits in their stead.

use std::collections::{BTreeMap, BTreeSet};

use super::graph::{Graph, Kind, Operand};
use crate::operators::{Regs, Timing};
use crate::potentials::{Node, Potentials};
use crate::target::Target;

/// When things happen in a segment.
#[derive(Clone, PartialEq, Debug)]
pub struct Schedule {
    /// By operation.
    pub operations: Vec<OperationTime>,
    /// By output: the cycle in which its last value is there.
    pub latencies: Vec<u32>,
}

/// When an operation is computed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum OperationTime {
    /// Never: no output depends on it.
    Unused,
    /// It extends a value, wherever that is used.
    Extension,
    /// It depends on constants only: its result is always there.
    Invariant {
        /// How long it takes from the constants, in nanoseconds.
        ready: f64,
    },
    /// In a cycle.
    At(Slot),
}

/// The time of an operation. Cycles count from the one in which a token enters.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Slot {
    /// The cycle in which its operands are there.
    pub cycle: u32,
    /// When in this cycle the last operand is there, in nanoseconds.
    pub arrival: f64,
    /// Its registers.
    pub regs: Regs,
    /// The cycle in which its results are there.
    pub done: u32,
    /// When in that cycle they are there.
    pub ready: f64,
}

/// What an operation takes of the clock.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) regs: Regs,
    /// From the operands to the first register, or to the results.
    pub(super) first: f64,
    /// From the last register to the results, if there are registers.
    pub(super) last: Option<f64>,
    /// The longest path between registers.
    pub(super) inside: f64,
}

impl Span {
    pub(super) fn of(kind: &Kind, target: &Target) -> Span {
        let delays = target.delays();
        let through = |first| Span {
            regs: Regs::NONE,
            first,
            last: None,
            inside: 0.0,
        };
        match kind {
            Kind::Inline(inline) => through(inline.delay(&delays)),
            Kind::Operator(operator) => {
                let regs = operator.pipeline(target);
                match operator.timing(&delays, regs) {
                    Timing::Through(delay) => through(delay),
                    Timing::Registered {
                        input,
                        inside,
                        output,
                    } => Span {
                        regs,
                        first: input,
                        last: Some(output),
                        inside,
                    },
                }
            }
        }
    }

    fn latency(&self) -> u32 {
        self.regs.latency()
    }
}

/// Sums of delays differ in their last digits.
const ROUNDING: f64 = 1e-9;

impl Schedule {
    /// The schedule of a graph on a target.
    pub(super) fn of(graph: &Graph, target: &Target) -> Schedule {
        let scheduler = Scheduler::new(graph, target);
        let bounds = scheduler.bounds();
        let earliest = scheduler.earliest(&bounds);
        let latencies = scheduler.latencies(&earliest);
        let cycles = scheduler.fewest_bits(&bounds, &latencies);
        Schedule {
            operations: scheduler.times(&cycles),
            latencies,
        }
    }

    /// The cycle from which on a value is there; none if it always is. Extensions do not count.
    pub(super) fn done(&self, base: Operand) -> Option<u32> {
        match base {
            Operand::Input { .. } => Some(0),
            Operand::Constant(_) | Operand::Literal { .. } => None,
            Operand::Result { operation, .. } => match self.operations[operation as usize] {
                OperationTime::At(slot) => Some(slot.done),
                OperationTime::Invariant { .. }
                | OperationTime::Extension
                | OperationTime::Unused => None,
            },
        }
    }

    /// The number of the last cycle.
    pub fn length(&self) -> u32 {
        self.latencies.iter().copied().max().unwrap_or(0)
    }
}

/// `to` happens at least `cycles` cycles after `from`.
struct Bound {
    from: u32,
    to: u32,
    least: u32,
}

struct Scheduler<'a> {
    graph: &'a Graph,
    spans: Vec<Span>,
    budget: f64,
    used: Vec<bool>,
    /// By operation: when it is ready, if it is invariant.
    invariant: Vec<Option<f64>>,
    /// By operation: those with a time that use its results.
    consumers: Vec<Vec<u32>>,
}

impl<'a> Scheduler<'a> {
    fn new(graph: &'a Graph, target: &Target) -> Scheduler<'a> {
        let operations = graph.operations.iter();
        let mut scheduler = Scheduler {
            graph,
            spans: operations
                .map(|operation| Span::of(&operation.kind, target))
                .collect(),
            budget: target.budget() + ROUNDING,
            used: graph.used(),
            invariant: Vec::new(),
            consumers: vec![Vec::new(); graph.operations.len()],
        };
        scheduler.find_invariants();
        scheduler.find_consumers();
        scheduler
    }

    /// The operations that have a time, in order.
    fn timed(&self) -> impl DoubleEndedIterator<Item = u32> + '_ {
        (0..self.graph.operations.len() as u32).filter(|&operation| self.is_timed(operation))
    }

    fn is_timed(&self, operation: u32) -> bool {
        let index = operation as usize;
        self.used[index]
            && self.invariant[index].is_none()
            && !self.graph.operations[index].is_extension()
    }

    /// The values that an operation reads, extensions seen through.
    fn operands(&self, operation: u32) -> impl Iterator<Item = Operand> + '_ {
        let operands = &self.graph.operations[operation as usize].operands;
        operands.iter().map(|&operand| self.graph.base(operand))
    }

    fn find_invariants(&mut self) {
        let mut refused = vec![false; self.graph.operations.len()];
        loop {
            self.invariant = vec![None; self.graph.operations.len()];
            for operation in 0..refused.len() as u32 {
                if !refused[operation as usize] {
                    self.invariant[operation as usize] = self.invariant_time(operation);
                }
            }
            // What is too late for one of its users has to be registered, and so has a time.
            let mut late = Vec::new();
            for operation in self.timed() {
                let first = self.spans[operation as usize].first;
                late.extend(self.operands(operation).filter_map(|operand| {
                    match operand {
                        Operand::Result { operation, .. } => self.invariant[operation as usize]
                            .filter(|&ready| ready > 0.0 && ready + first > self.budget)
                            .map(|_| operation),
                        Operand::Input { .. } | Operand::Constant(_) | Operand::Literal { .. } => {
                            None
                        }
                    }
                }));
            }
            if late.is_empty() {
                return;
            }
            late.into_iter()
                .for_each(|operation| refused[operation as usize] = true);
        }
    }

    /// When an operation on constants is ready, if it can be within a cycle.
    fn invariant_time(&self, operation: u32) -> Option<f64> {
        let span = &self.spans[operation as usize];
        if span.last.is_some() || self.graph.operations[operation as usize].is_extension() {
            return None;
        }
        let mut ready: f64 = 0.0;
        for operand in self.operands(operation) {
            ready = ready.max(match operand {
                Operand::Input { .. } => return None,
                Operand::Constant(_) | Operand::Literal { .. } => 0.0,
                Operand::Result { operation, .. } => self.invariant[operation as usize]?,
            });
        }
        Some(ready + span.first).filter(|&ready| ready <= self.budget)
    }

    fn find_consumers(&mut self) {
        let mut consumers = std::mem::take(&mut self.consumers);
        for consumer in self.timed() {
            for operand in self.operands(consumer) {
                if let Operand::Result { operation, .. } = operand
                    && consumers[operation as usize].last() != Some(&consumer)
                {
                    consumers[operation as usize].push(consumer);
                }
            }
        }
        self.consumers = consumers;
    }

    /// Dependences, and chains that are too long for a cycle.
    fn bounds(&self) -> Vec<Bound> {
        let mut bounds = Vec::new();
        for from in self.timed() {
            let least = self.spans[from as usize].latency();
            for &to in &self.consumers[from as usize] {
                bounds.push(Bound { from, to, least });
            }
            for to in self.too_far(from) {
                let least = least + 1;
                bounds.push(Bound { from, to, least });
            }
        }
        bounds
    }

    /// The operations that cannot end in the cycle in which the chain from this one begins: from
    /// its operands or, if it has registers, from the last of these.
    fn too_far(&self, from: u32) -> Vec<u32> {
        let span = &self.spans[from as usize];
        let start = span
            .last
            .unwrap_or_else(|| self.invariant_arrival(from) + span.first);
        let mut reached = BTreeMap::from([(from, start)]);
        let mut too_far = Vec::new();
        while let Some((operation, time)) = reached.pop_first() {
            if operation != from && self.spans[operation as usize].last.is_some() {
                continue;
            }
            for &to in &self.consumers[operation as usize] {
                let first = self.spans[to as usize].first;
                let end = time + first;
                // One operation that is too long by itself gains nothing from another cycle.
                if end > self.budget && time > 0.0 && first > 0.0 {
                    too_far.push(to);
                } else {
                    let latest = reached.entry(to).or_insert(end);
                    *latest = latest.max(end);
                }
            }
        }
        too_far.sort_unstable();
        too_far.dedup();
        too_far
    }

    fn invariant_arrival(&self, operation: u32) -> f64 {
        let times = self
            .operands(operation)
            .filter_map(|operand| match operand {
                Operand::Result { operation, .. } => self.invariant[operation as usize],
                Operand::Input { .. } | Operand::Constant(_) | Operand::Literal { .. } => None,
            });
        times.fold(0.0, f64::max)
    }

    fn earliest(&self, bounds: &[Bound]) -> Vec<u32> {
        let mut cycles = vec![0; self.graph.operations.len()];
        // Bounds stand in the order of the operations that they come from.
        for bound in bounds {
            let least = cycles[bound.from as usize] + bound.least;
            let cycle: &mut u32 = &mut cycles[bound.to as usize];
            *cycle = least.max(*cycle);
        }
        cycles
    }

    fn done(&self, operation: u32, cycles: &[u32]) -> u32 {
        match self.is_timed(operation) {
            true => cycles[operation as usize] + self.spans[operation as usize].latency(),
            false => 0,
        }
    }

    fn latencies(&self, cycles: &[u32]) -> Vec<u32> {
        let latency = |fields: &[Operand]| {
            let done = fields.iter().map(|&field| match self.graph.base(field) {
                Operand::Result { operation, .. } => self.done(operation, cycles),
                Operand::Input { .. } | Operand::Constant(_) | Operand::Literal { .. } => 0,
            });
            done.max().unwrap_or(0)
        };
        let outputs = self.graph.outputs.iter();
        outputs.map(|output| latency(&output.fields)).collect()
    }

    /// The cycles with the fewest bits that wait.
    fn fewest_bits(&self, bounds: &[Bound], latencies: &[u32]) -> Vec<u32> {
        let mut program = Potentials::new();
        let start = program.add_node();
        let nodes: Vec<Node> = self.spans.iter().map(|_| program.add_node()).collect();
        for &node in &nodes {
            program.at_least(start, node, 0);
        }
        for bound in bounds {
            let [from, to] = [bound.from, bound.to].map(|operation| nodes[operation as usize]);
            program.at_least(from, to, bound.least.into());
        }
        for (output, &latency) in self.graph.outputs.iter().zip(latencies) {
            for &field in &output.fields {
                if let Operand::Result { operation, .. } = self.graph.base(field)
                    && self.is_timed(operation)
                {
                    let least = self.spans[operation as usize].latency();
                    let least = i64::from(least) - i64::from(latency);
                    program.at_least(nodes[operation as usize], start, least);
                }
            }
        }
        self.weigh_waiting(&mut program, start, &nodes);
        let solution = program
            .solve(start)
            .expect("the earliest schedule keeps all bounds");
        let cycle = |&node: &Node| solution.of(node) as u32;
        nodes.iter().map(cycle).collect()
    }

    /// Each value waits from its producer to the last of its consumers.
    fn weigh_waiting(&self, program: &mut Potentials, start: Node, nodes: &[Node]) {
        let mut readers: BTreeMap<Operand, BTreeSet<u32>> = BTreeMap::new();
        for consumer in self.timed() {
            for operand in self.operands(consumer) {
                readers.entry(operand).or_default().insert(consumer);
            }
        }
        for (operand, readers) in readers {
            let from = match operand {
                Operand::Input { .. } => start,
                Operand::Result { operation, .. } if self.is_timed(operation) => {
                    nodes[operation as usize]
                }
                Operand::Result { .. } | Operand::Constant(_) | Operand::Literal { .. } => continue,
            };
            let last = program.add_node();
            for reader in readers {
                program.at_least(nodes[reader as usize], last, 0);
            }
            program.weigh(from, last, self.graph.width(operand));
        }
    }

    fn times(&self, cycles: &[u32]) -> Vec<OperationTime> {
        let mut times = Vec::with_capacity(cycles.len());
        for operation in 0..cycles.len() as u32 {
            let time = match self.invariant[operation as usize] {
                _ if !self.used[operation as usize] => OperationTime::Unused,
                _ if self.graph.operations[operation as usize].is_extension() => {
                    OperationTime::Extension
                }
                Some(ready) => OperationTime::Invariant { ready },
                None => OperationTime::At(self.slot(operation, cycles[operation as usize], &times)),
            };
            times.push(time);
        }
        times
    }

    fn slot(&self, operation: u32, cycle: u32, times: &[OperationTime]) -> Slot {
        let times = self.operands(operation).map(|operand| match operand {
            Operand::Input { .. } | Operand::Constant(_) | Operand::Literal { .. } => 0.0,
            Operand::Result { operation, .. } => match times[operation as usize] {
                OperationTime::Invariant { ready } => ready,
                OperationTime::At(slot) if slot.done == cycle => slot.ready,
                OperationTime::At(_) | OperationTime::Extension | OperationTime::Unused => 0.0,
            },
        });
        let arrival = times.fold(0.0, f64::max);
        let span = &self.spans[operation as usize];
        Slot {
            cycle,
            arrival,
            regs: span.regs,
            done: cycle + span.latency(),
            ready: span.last.unwrap_or(arrival + span.first),
        }
    }
}
