//! What is to be told about a segment.

use super::graph::{Kind, Operand};
use super::inline::{Inline, InlineOp};
use super::live::Live;
use super::schedule::{OperationTime, Span, repeat_delay};
use super::storage::counter_bits;
use super::{Segment, UnitKind};
use crate::area::Area;
use crate::cost::Cost;
use crate::operators::Known;
use crate::units::buffer;

/// Facts about a segment.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// Cycles from taking a token to offering the last of what comes of it.
    pub latency: u32,
    /// Tokens that it holds before it stops taking more.
    pub capacity: u32,
    /// The least number of cycles from one token that enters to the next.
    pub interval: u32,
    /// The operations that depend on each other in a ring, because of which the interval is not
    /// smaller.
    pub limiting: Vec<u32>,
    /// Bits of what tokens leave for those behind them.
    pub state_bits: u32,
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
        let operations = operations.zip(self.operation_areas());
        Report {
            latency: self.latency(),
            capacity: self.capacity(),
            interval: self.interval(),
            limiting: self.limiting_recurrence().to_vec(),
            state_bits: self.state_bits(|value| self.graph.width(value)),
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
                .map(|((operation, time), area)| OperationReport {
                    name: operation.name.clone(),
                    line: operation.line,
                    time: *time,
                    cost: area.cost_of_part(family),
                })
                .collect(),
        }
    }

    pub(super) fn total_area(&self) -> Area {
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
        let live = Live::of(&self.graph);
        let waiting = self.storage.waiting_area(&live);
        let parts = [waiting, handshake, self.state_area(&live), self.pace_area()];
        let operations = self.operation_areas().into_iter();
        operations.chain(queues).chain(parts).sum()
    }

    /// Bits of what tokens leave for those behind them.
    fn state_bits(&self, width: impl Fn(Operand) -> u32) -> u32 {
        let histories = self.schedule.histories.iter();
        histories.map(|it| width(it.next) * it.depth).sum()
    }

    /// What the registers of states consist of, and what selects among them.
    fn state_area(&self, live: &Live<'_>) -> Area {
        // What always exists has no bits that wait, but is kept when a token leaves it.
        let width = |value: Operand| match value {
            Operand::Literal { .. } => 0,
            Operand::Constant(_) => self.graph.width(value),
            Operand::Input { .. } | Operand::Result { .. } => live.bits(value),
        };
        let taps = self.schedule.histories.iter().flat_map(|history| {
            let width = width(history.next);
            history.taps.iter().map(move |tap| (width, tap))
        });
        let selected = taps.clone().map(|(width, tap)| width * tap.ahead).sum();
        let counters = taps.map(|(_, tap)| counter_bits(tap.ahead)).sum();
        Area::of(
            "segment",
            [
                ("register bits", self.state_bits(width)),
                ("counter bits", counters),
            ],
        ) + Area::of("inline", [("selected bits", selected)])
    }

    /// What keeps tokens apart and repeats them consists of.
    fn pace_area(&self) -> Area {
        let counter = Area::of(
            "segment",
            [("counter bits", counter_bits(self.interval() - 1))],
        );
        match self.schedule.repeat {
            Some(_) => counter + buffer::area(self.input_bits()),
            None => counter,
        }
    }

    /// What operations consist of, without what their results take while they wait.
    pub(super) fn operation_areas(&self) -> Vec<Area> {
        let live = Live::of(&self.graph);
        let operations = 0..self.graph.operations.len();
        operations
            .map(|at| self.operation_area(at, &live))
            .collect()
    }

    fn operation_area(&self, at: usize, live: &Live<'_>) -> Area {
        let operation = &self.graph.operations[at];
        match (&operation.kind, self.schedule.operations[at]) {
            (_, OperationTime::Extension | OperationTime::Unused) | (Kind::State { .. }, _) => {
                Area::default()
            }
            (Kind::Operator(operator), OperationTime::At(_) | OperationTime::Invariant { .. }) => {
                let known = operation.operands.iter().map(|&it| self.known(it));
                operator.area_by(&known.collect::<Vec<_>>(), self.regs(at as u32))
            }
            (Kind::Inline(inline), OperationTime::At(_) | OperationTime::Invariant { .. }) => {
                let is_number = |operand: &&Operand| matches!(operand, Operand::Literal { .. });
                let numbers = operation.operands.iter().filter(is_number).count();
                let result = Operand::Result {
                    operation: at as u32,
                    output: 0,
                };
                inline.area(live.bits(result), numbers)
            }
        }
    }

    /// What is known of an operand: as synthesis sees it, through shifts by numbers.
    fn known(&self, operand: Operand) -> Known {
        match operand {
            Operand::Literal { bits, .. } => Known::Number(bits),
            Operand::Result { operation, .. } => {
                match self.graph.operations[operation as usize].kind {
                    Kind::Inline(Inline {
                        op: InlineOp::ShiftLeft { by },
                        ..
                    }) => Known::LowZeros(by),
                    Kind::Inline(_) | Kind::Operator(_) | Kind::State { .. } => Known::Nothing,
                }
            }
            Operand::Input { .. } | Operand::Constant(_) => Known::Nothing,
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
        if let Some(cycle) = self.schedule.repeat {
            let again = self.graph.repeat.map(|again| self.graph.base(again));
            let ready = match again {
                Some(Operand::Result { operation, .. }) => {
                    match self.schedule.operations[operation as usize] {
                        OperationTime::At(slot) if slot.done == cycle => slot.ready,
                        OperationTime::Invariant { ready } => ready,
                        OperationTime::At(_) | OperationTime::Extension | OperationTime::Unused => {
                            0.0
                        }
                    }
                }
                Some(_) | None => 0.0,
            };
            take(cycle, ready + repeat_delay(&self.target.delays()));
        }
        paths
    }
}
