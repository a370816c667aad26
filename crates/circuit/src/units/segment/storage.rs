//! Where the values of a segment wait: in registers and delay lines between operations, and in the
//! memories of its outputs.

use std::collections::{BTreeMap, BTreeSet};

use super::graph::{Graph, Operand};
use super::live::Live;
use super::schedule::{OperationTime, Schedule};
use crate::area::Area;
use crate::family::memories;
use crate::target::Target;

/// Tokens beyond the latency that a queue holds, so that a credit that comes back late stops
/// nobody: two cycles through the queue, one for the credit, and the rest for short stalls.
const MARGIN: u32 = 6;

/// The bits for which it pays to have a column of its own, which costs a counter.
const COLUMN_BITS: u32 = 12;

/// Registers in a row that some families replace by a shift register in a look-up table.
const SHIFT_REGISTER: u32 = 3;

/// Where a segment's values wait.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Storage {
    /// By value that does not always exist: how it gets to the later cycles in which it is read.
    pub(super) waits: BTreeMap<Operand, Vec<Wait>>,
    /// By output.
    pub(super) queues: Vec<Queue>,
}

/// A value's way from one cycle to a later one in which it is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Wait {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) means: Means,
}

/// How a value waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Means {
    Registers,
    DelayLine,
}

/// An output's queue.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Queue {
    /// The cycle in which a token is complete.
    pub(super) latency: u32,
    /// Tokens in the memories; one more stands in the register.
    pub(super) depth: u32,
    pub(super) columns: Vec<Column>,
}

/// What a column's memory is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Memory {
    Distributed,
    /// It shows a word one cycle after it is asked for.
    Block,
}

/// Values that are written to an output's memories in the same cycle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Column {
    pub(super) memory: Memory,
    pub(super) cycle: u32,
    pub(super) values: Vec<Operand>,
}

impl Storage {
    pub(super) fn of(graph: &Graph, schedule: &Schedule, target: &Target) -> Storage {
        let outputs = graph.outputs.iter().zip(&schedule.latencies);
        let queues: Vec<Queue> = outputs
            .map(|(output, &latency)| {
                let depth = latency.div_ceil(schedule.interval) + MARGIN + output.depth;
                let mut columns = columns(graph, schedule, &output.fields);
                for column in &mut columns {
                    column.memory = memory(column.bits(graph), depth, target);
                }
                Queue {
                    latency,
                    depth,
                    columns,
                }
            })
            .collect();
        let waits = reads(graph, schedule, &queues)
            .into_iter()
            .map(|(value, cycles)| {
                let mut from = schedule
                    .done(value)
                    .expect("what always exists is not in the list");
                let width = graph.width(value);
                let wait = |to| {
                    let means = means(width, to - from);
                    let wait = Wait { from, to, means };
                    from = to;
                    wait
                };
                (value, cycles.into_iter().map(wait).collect())
            });
        Storage {
            waits: waits.collect(),
            queues,
        }
    }

    /// Bits in plain registers, and in delay lines.
    pub(super) fn waiting_bits(&self, graph: &Graph) -> (u32, u32) {
        let (mut registers, mut lines) = (0, 0);
        for (&value, waits) in &self.waits {
            for wait in waits {
                let bits = graph.width(value) * (wait.to - wait.from);
                match wait.means {
                    Means::Registers => registers += bits,
                    Means::DelayLine => lines += bits,
                }
            }
        }
        (registers, lines)
    }

    /// The lengths of delay lines.
    pub(super) fn delay_lengths(&self) -> BTreeSet<u32> {
        let waits = self.waits.values().flatten();
        let lines = waits.filter(|wait| wait.means == Means::DelayLine);
        lines.map(|wait| wait.to - wait.from).collect()
    }

    /// What waiting between operations consists of.
    pub(super) fn waiting_area(&self, live: &Live<'_>) -> Area {
        let waits = self.waits.iter().flat_map(|(&value, waits)| {
            let width = live.bits(value);
            waits.iter().map(move |wait| wait.area(width))
        });
        let lengths = self.delay_lengths().into_iter().map(counter_bits);
        let places = lengths.map(|bits| Area::of("segment", [("place bits", bits)]));
        waits.chain(places).sum()
    }
}

impl Wait {
    /// What it consists of, for a value of that width.
    fn area(&self, width: u32) -> Area {
        let cycles = self.to - self.from;
        match self.means {
            Means::Registers if cycles < SHIFT_REGISTER => {
                Area::of("segment", [("register bits", width * cycles)])
            }
            Means::Registers => Area::of(
                "segment",
                [
                    ("shift registers", width),
                    ("shift register bits", width * cycles),
                ],
            ),
            Means::DelayLine => {
                Area::of("segment", [("delayed bits", width)])
                    + Area::memory(memories::Memory::registered(width, cycles - 1))
            }
        }
    }
}

impl Queue {
    /// Whether a token can be read only a cycle after it was written.
    pub(super) fn is_block(&self) -> bool {
        let mut columns = self.columns.iter();
        columns.any(|column| column.memory == Memory::Block)
    }

    /// Cycles from taking a token to moving it into the register at the end.
    pub(super) fn moves_after(&self) -> u32 {
        self.latency + 1 + u32::from(self.is_block())
    }

    /// Bits of a token that are stored.
    pub(super) fn bits(&self, graph: &Graph) -> u32 {
        self.columns.iter().map(|column| column.bits(graph)).sum()
    }

    /// What it consists of.
    pub(super) fn area(&self, graph: &Graph) -> Area {
        let (counter, address) = (counter_bits(self.depth + 1), counter_bits(self.depth - 1));
        let own = Area::of(
            "segment",
            [
                ("queues", 1),
                ("block queues", self.is_block().into()),
                ("queue bits", self.bits(graph)),
                ("counter bits", 2 * counter + address),
            ],
        );
        let columns = self.columns.iter().map(|column| {
            let bits = column.bits(graph);
            let memory = match column.memory {
                Memory::Distributed => Area::memory(memories::Memory::registered(bits, self.depth)),
                Memory::Block => Area::block_memory(bits, self.depth),
            };
            let held = match column.memory {
                Memory::Distributed => 0,
                Memory::Block => bits,
            };
            Area::of(
                "segment",
                [
                    ("columns", 1),
                    ("column address bits", address),
                    ("block column bits", held),
                ],
            ) + memory
        });
        own + columns.sum()
    }
}

impl Column {
    pub(super) fn bits(&self, graph: &Graph) -> u32 {
        self.values.iter().map(|&value| graph.width(value)).sum()
    }
}

/// Bits of a counter up to a number.
pub(super) fn counter_bits(states: u32) -> u32 {
    u32::BITS - states.leading_zeros()
}

/// Look-up tables of a distributed memory on an ECP5: blocks of 16 words of 4 bits, and writing to them.
fn memory_luts(width: u32, depth: u32) -> u32 {
    width.next_multiple_of(4) * 2 * depth.div_ceil(16)
}

/// Block memories of an ECP5: 512 words of 36 bits.
fn memory_blocks(width: u32, depth: u32) -> u32 {
    width.div_ceil(36) * depth.div_ceil(512)
}

fn memory(width: u32, depth: u32, target: &Target) -> Memory {
    let blocks = memory_blocks(width, depth);
    match memory_luts(width, depth) > blocks * target.family.luts_per_block_memory {
        true => Memory::Block,
        false => Memory::Distributed,
    }
}

fn means(width: u32, cycles: u32) -> Means {
    let line = cycles > 2 && memory_luts(width, cycles - 1) + width < width * cycles;
    if line {
        Means::DelayLine
    } else {
        Means::Registers
    }
}

/// An output's values by the cycle in which they are there; few bits wait for the next column.
fn columns(graph: &Graph, schedule: &Schedule, fields: &[Operand]) -> Vec<Column> {
    let mut by_cycle: BTreeMap<u32, Vec<Operand>> = BTreeMap::new();
    for &field in fields {
        let value = graph.base(field);
        if let Some(done) = schedule.done(value) {
            let values = by_cycle.entry(done).or_default();
            if !values.contains(&value) {
                values.push(value);
            }
        }
    }
    let mut columns: Vec<Column> = Vec::new();
    for (cycle, mut values) in by_cycle {
        if let Some(before) = columns.last()
            && before.bits(graph) * (cycle - before.cycle) <= COLUMN_BITS
        {
            let before = columns.pop().expect("there is one");
            values.splice(0..0, before.values);
        }
        columns.push(Column {
            memory: Memory::Distributed,
            cycle,
            values,
        });
    }
    columns
}

/// By value: the cycles after the one in which it comes to be, in which it is read.
fn reads(graph: &Graph, schedule: &Schedule, queues: &[Queue]) -> BTreeMap<Operand, BTreeSet<u32>> {
    let mut reads: BTreeMap<Operand, BTreeSet<u32>> = BTreeMap::new();
    let mut read = |value: Operand, cycle: u32| {
        if schedule.done(value).is_some_and(|done| done < cycle) {
            reads.entry(value).or_default().insert(cycle);
        }
    };
    for (operation, time) in graph.operations.iter().zip(&schedule.operations) {
        if let OperationTime::At(slot) = time {
            for &operand in &operation.operands {
                read(graph.base(operand), slot.cycle);
            }
        }
    }
    for column in queues.iter().flat_map(|queue| &queue.columns) {
        for &value in &column.values {
            read(value, column.cycle);
        }
    }
    for history in &schedule.histories {
        read(graph.base(history.next), history.cycle);
    }
    if let (Some(again), Some(cycle)) = (graph.repeat, schedule.repeat) {
        read(graph.base(again), cycle);
    }
    reads
}
