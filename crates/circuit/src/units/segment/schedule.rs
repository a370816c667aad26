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
//!
//! Tokens enter at least an *interval* apart. What a token leaves for those behind it is written in
//! one cycle of the pipeline, and read by them in the same cycle or an earlier one. By then the token
//! that left it is a multiple of the interval ahead: a bound as well, against the direction of time.
//! The smallest interval is taken for which these bounds do not contradict each other. If reading a
//! state from its register takes too long, it is selected: among the registers of several tokens, if
//! those between have not all written yet; and in the cycle in which it is written, before it is in
//! the register.

mod interval;

use std::collections::{BTreeMap, BTreeSet};

use super::graph::{Graph, Kind, Operand};
use super::history::Chains;
use crate::family::Delays;
use crate::operators::{Regs, Timing};
use crate::potentials::{Node, Potentials};
use crate::target::Target;
use interval::Paced;

/// When things happen in a segment.
#[derive(Clone, PartialEq, Debug)]
pub struct Schedule {
    /// By operation.
    pub operations: Vec<OperationTime>,
    /// By output: the cycle in which its last value is there.
    pub latencies: Vec<u32>,
    /// The least number of cycles from one token that enters to the next.
    pub interval: u32,
    /// The operations that depend on each other in a ring, because of which the interval is not
    /// smaller; none if it is 1.
    pub limiting: Vec<u32>,
    /// What tokens leave for those behind them.
    pub histories: Vec<History>,
    /// The cycle in which it is decided whether the same tokens enter again, if the segment repeats.
    pub repeat: Option<u32>,
}

/// A row of registers with what the last tokens left.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct History {
    /// What a token leaves.
    pub next: Operand,
    /// The cycle at whose end it is written.
    pub cycle: u32,
    /// How many tokens' values are kept.
    pub depth: u32,
    /// The states that are read from it.
    pub taps: Vec<Tap>,
}

/// A state that is read from a history.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tap {
    /// The state's operation.
    pub operation: u32,
    /// How many tokens before the one that reads it the value was left.
    pub distance: u32,
    /// How many tokens at most have passed the cycle in which it is read, and have not written yet:
    /// the value stands this number of registers nearer to the beginning. If it is the distance, the
    /// value is selected before it is written.
    pub ahead: u32,
}

impl Tap {
    /// Whether the value is selected before it is written.
    pub fn is_bypassed(&self) -> bool {
        self.ahead == self.distance
    }

    /// From how many registers it is selected.
    pub fn registers(&self) -> u32 {
        1 + self.ahead.min(self.distance - 1)
    }
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
            Kind::State { .. } => Span {
                last: Some(0.0),
                ..through(0.0)
            },
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
        let mut scheduler = Scheduler::new(graph, target);
        let Paced {
            interval,
            limiting,
            bounds,
            earliest,
        } = scheduler.smallest_interval();
        let latencies = scheduler.latencies(&earliest);
        let cycles = scheduler.fewest_bits(&bounds, &latencies);
        let histories = scheduler.histories(&cycles, interval);
        Schedule {
            operations: scheduler.times(&cycles, &histories),
            latencies,
            interval,
            limiting,
            repeat: graph.repeat.map(|_| cycles[scheduler.repeat_node()]),
            histories,
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
        let outputs = self.latencies.iter().copied();
        let written = self.histories.iter().map(|history| history.cycle);
        let all = outputs.chain(written).chain(self.repeat);
        all.max().unwrap_or(0)
    }
}

/// `to` happens at least `least` cycles after `from` does for the token that is `distance` tokens
/// before.
#[derive(Clone, Copy, Debug)]
struct Bound {
    from: usize,
    to: usize,
    least: i64,
    distance: u32,
}

impl Bound {
    /// Within one token.
    fn new(from: usize, to: usize, least: impl Into<i64>) -> Bound {
        let (least, distance) = (least.into(), 0);
        Bound {
            from,
            to,
            least,
            distance,
        }
    }

    /// The least number of cycles when tokens are an interval apart.
    fn at(&self, interval: u32) -> i64 {
        self.least - i64::from(self.distance) * i64::from(interval)
    }
}

/// How a state is read, in the order in which these are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Read {
    /// From one register: all tokens before have written when it is read.
    Direct,
    /// From the register that has it, as far as tokens before have written.
    Selected,
    /// As well, and also in the cycle in which it is written.
    Bypassed,
}

struct Scheduler<'a> {
    graph: &'a Graph,
    delays: Delays,
    /// By operation, and of what is done to repeat tokens.
    spans: Vec<Span>,
    budget: f64,
    used: Vec<bool>,
    chains: Chains,
    /// By operation: how it is read, if it is a state with a time.
    reads: BTreeMap<u32, Read>,
    /// By operation: when it is ready, if it is invariant.
    invariant: Vec<Option<f64>>,
    /// By operation: those with a time that use its results, and what is done to repeat tokens.
    consumers: Vec<Vec<u32>>,
    /// By operation: the states that can be read from its results as these are written, and their
    /// distance.
    bypasses: Vec<Vec<(u32, u32)>>,
}

impl<'a> Scheduler<'a> {
    fn new(graph: &'a Graph, target: &Target) -> Scheduler<'a> {
        let delays = target.delays();
        let operations = graph.operations.iter();
        let mut spans: Vec<Span> = operations
            .map(|operation| Span::of(&operation.kind, target))
            .collect();
        // Tokens that have passed for the last time leave their registers.
        spans.push(Span {
            regs: Regs::NONE,
            first: repeat_delay(&delays),
            last: None,
            inside: 0.0,
        });
        let used = graph.used();
        let mut scheduler = Scheduler {
            graph,
            delays,
            spans,
            budget: target.budget() + ROUNDING,
            chains: Chains::of(graph, &used),
            used,
            reads: BTreeMap::new(),
            invariant: Vec::new(),
            consumers: vec![Vec::new(); graph.operations.len() + 1],
            bypasses: vec![Vec::new(); graph.operations.len() + 1],
        };
        scheduler.find_invariants();
        scheduler.find_consumers();
        scheduler
    }

    /// The node of what is done to repeat tokens: it stands behind those of operations.
    fn repeat_node(&self) -> usize {
        self.graph.operations.len()
    }

    /// The node of what is written to a history.
    fn write_node(&self, chain: usize) -> usize {
        self.repeat_node() + 1 + chain
    }

    /// The node of the cycle in which a token enters.
    fn start_node(&self) -> usize {
        self.write_node(self.chains.all.len())
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
        if self.chains.zeros.contains(&operation) {
            return Some(0.0);
        }
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
        if let Some(Operand::Result { operation, .. }) = self.repeated() {
            consumers[operation as usize].push(self.repeat_node() as u32);
        }
        self.consumers = consumers;
    }

    /// What says whether tokens are repeated.
    fn repeated(&self) -> Option<Operand> {
        self.graph.repeat.map(|again| self.graph.base(again))
    }

    /// The operation that gives a value, if it has a time.
    fn timed_source(&self, value: Operand) -> Option<u32> {
        match self.graph.base(value) {
            Operand::Result { operation, .. } if self.is_timed(operation) => Some(operation),
            Operand::Result { .. }
            | Operand::Input { .. }
            | Operand::Constant(_)
            | Operand::Literal { .. } => None,
        }
    }

    /// Dependences within a token, and chains that are too long for a cycle. Those from states are
    /// left out: when these are there depends on how they are read.
    fn bounds_within_tokens(&self) -> Vec<Bound> {
        let mut bounds = Vec::new();
        for from in self.timed() {
            let latency = self.spans[from as usize].latency();
            for &to in &self.consumers[from as usize] {
                bounds.push(Bound::new(from as usize, to as usize, latency));
            }
            if !matches!(
                self.graph.operations[from as usize].kind,
                Kind::State { .. }
            ) {
                self.bound_chains(from, &mut bounds);
            }
        }
        bounds
    }

    /// The bounds of chains of operations that begin with one and are too long for a cycle.
    fn bound_chains(&self, from: u32, bounds: &mut Vec<Bound>) {
        let least = i64::from(self.spans[from as usize].latency()) + 1;
        for (distance, to) in self.too_far(from) {
            bounds.push(Bound {
                from: from as usize,
                to: to as usize,
                least,
                distance,
            });
        }
    }

    /// When the chain that begins with an operation begins: from its operands or, if it has
    /// registers, from the last of these.
    fn chain_start(&self, from: u32) -> f64 {
        let span = &self.spans[from as usize];
        let Some(&read) = self.reads.get(&from) else {
            return span
                .last
                .unwrap_or_else(|| self.invariant_arrival(from) + span.first);
        };
        let distance = self.distance(from);
        match read {
            Read::Direct => 0.0,
            Read::Selected => self.selection(from, distance),
            Read::Bypassed => self.selection(from, distance + 1),
        }
    }

    /// The operations that cannot end in the cycle in which the chain from this one begins, with the
    /// number of tokens that they are behind.
    fn too_far(&self, from: u32) -> Vec<(u32, u32)> {
        let start = self.chain_start(from);
        let mut reached = BTreeMap::from([((0, from), start)]);
        let mut too_far = Vec::new();
        while let Some(((distance, operation), time)) = reached.pop_first() {
            let has_registers = self.spans[operation as usize].last.is_some();
            if (distance, operation) != (0, from) && has_registers && !self.is_state(operation) {
                continue;
            }
            let consumers = self.consumers[operation as usize].iter();
            let consumers = consumers.map(|&to| (0, to, self.spans[to as usize].first));
            let bypasses = self.bypasses[operation as usize].iter();
            let bypasses = bypasses.map(|&(to, behind)| (behind, to, self.delays.lut));
            for (behind, to, first) in consumers.chain(bypasses) {
                let end = time + first;
                // One operation that is too long by itself gains nothing from another cycle.
                if end > self.budget && time > 0.0 && first > 0.0 {
                    too_far.push((distance + behind, to));
                } else {
                    let latest = reached.entry((distance + behind, to)).or_insert(end);
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

    /// By node, the cycles with the fewest bits that wait.
    fn fewest_bits(&self, bounds: &[Bound], latencies: &[u32]) -> Vec<u32> {
        let mut program = Potentials::new();
        let nodes: Vec<Node> = (0..=self.start_node())
            .map(|_| program.add_node())
            .collect();
        let start = nodes[self.start_node()];
        for &node in &nodes[..self.start_node()] {
            program.at_least(start, node, 0);
        }
        for bound in bounds {
            program.at_least(nodes[bound.from], nodes[bound.to], bound.least);
        }
        for (output, &latency) in self.graph.outputs.iter().zip(latencies) {
            for &field in &output.fields {
                if let Some(operation) = self.timed_source(field) {
                    let least = self.spans[operation as usize].latency();
                    let least = i64::from(least) - i64::from(latency);
                    program.at_least(nodes[operation as usize], start, least);
                }
            }
        }
        self.weigh_waiting(&mut program, &nodes);
        let solution = program
            .solve(start)
            .expect("the earliest schedule keeps all bounds");
        let cycle = |&node: &Node| solution.of(node) as u32;
        nodes.iter().map(cycle).collect()
    }

    /// Each value waits from its producer to the last of its consumers.
    fn weigh_waiting(&self, program: &mut Potentials, nodes: &[Node]) {
        let mut readers: BTreeMap<Operand, BTreeSet<usize>> = BTreeMap::new();
        let mut read = |value: Operand, node: usize| {
            readers.entry(value).or_default().insert(node);
        };
        for consumer in self.timed() {
            for operand in self.operands(consumer) {
                read(operand, consumer as usize);
            }
        }
        for (index, chain) in self.chains.all.iter().enumerate() {
            read(self.graph.base(chain.next), self.write_node(index));
        }
        if let Some(again) = self.repeated() {
            read(again, self.repeat_node());
        }
        for (operand, readers) in readers {
            let from = match operand {
                Operand::Input { .. } => nodes[self.start_node()],
                Operand::Result { operation, .. } if self.is_timed(operation) => {
                    nodes[operation as usize]
                }
                Operand::Result { .. } | Operand::Constant(_) | Operand::Literal { .. } => continue,
            };
            let last = program.add_node();
            for reader in readers {
                program.at_least(nodes[reader], last, 0);
            }
            program.weigh(from, last, self.graph.width(operand));
        }
    }

    /// By operation, when it is computed.
    fn times(&self, cycles: &[u32], histories: &[History]) -> Vec<OperationTime> {
        let mut states: BTreeMap<u32, f64> = BTreeMap::new();
        loop {
            let times = self.times_with(cycles, &states);
            let found = self.state_times(histories, &times);
            // What is bypassed is there when its source is, which may follow it.
            if found == states {
                return times;
            }
            states = found;
        }
    }

    fn times_with(&self, cycles: &[u32], states: &BTreeMap<u32, f64>) -> Vec<OperationTime> {
        let mut times = Vec::with_capacity(self.graph.operations.len());
        for operation in 0..self.graph.operations.len() as u32 {
            let time = match self.invariant[operation as usize] {
                _ if !self.used[operation as usize] => OperationTime::Unused,
                _ if self.graph.operations[operation as usize].is_extension() => {
                    OperationTime::Extension
                }
                Some(ready) => OperationTime::Invariant { ready },
                None => {
                    let mut slot = self.slot(operation, cycles[operation as usize], &times);
                    if self.is_state(operation) {
                        slot.arrival = states.get(&operation).copied().unwrap_or(0.0);
                        slot.ready = slot.arrival;
                    }
                    OperationTime::At(slot)
                }
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

/// What it takes to move the tokens at the inputs when it is known that they do not enter again.
pub(super) fn repeat_delay(delays: &Delays) -> f64 {
    delays.lut + delays.fan_out
}
