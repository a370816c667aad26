//! A queue: tokens leave in the order in which they came.

use crate::area::Area;
use crate::connect::{Input, Output};
use crate::elastic::TALLY;
use crate::family::memories::Memory;
use crate::sim::Io;
use crate::text::parameters;
use crate::token_queue::TokenQueue;
use crate::unit::{DEEPEST, Fields, Model, Module, Origin, Port, UnitKind, require};
use crate::verilog::Source;

/// The queue.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fifo {
    /// What the tokens carry.
    pub fields: Fields,
    /// Tokens in the memory; one more stands in the register at the head.
    pub depth: u32,
}

/// A memory that is read in the same cycle.
pub(crate) const MEMORY: Source = Source {
    file: "sluice_memory.v",
    text: include_str!("memory.v"),
};

/// The memory of a queue.
pub(crate) const QUEUE_MEMORY: Source = Source {
    file: "sluice_queue_memory.v",
    text: include_str!("queue_memory.v"),
};

/// A memory that becomes block RAM.
pub(crate) const BLOCK_MEMORY: Source = Source {
    file: "sluice_block_memory.v",
    text: include_str!("block_memory.v"),
};

/// The module, for units that have a queue inside.
pub(crate) const SOURCE: Source = Source {
    file: "sluice_fifo.v",
    text: include_str!("fifo.v"),
};

/// Queues in distributed memories and in block memories, for units that have some inside: in a block memory a
/// token takes a cycle longer.
pub(crate) const ANY_FIFO: [Source; 6] = [
    QUEUE_MEMORY,
    SOURCE,
    BLOCK_MEMORY,
    TALLY,
    Source {
        file: "sluice_block_fifo.v",
        text: include_str!("block_fifo.v"),
    },
    Source {
        file: "sluice_any_fifo.v",
        text: include_str!("any_fifo.v"),
    },
];

/// What one of [`ANY_FIFO`] for words of that many bits consists of.
pub(crate) fn any_area(width: u32, depth: u32, is_block: bool) -> Area {
    match is_block {
        true => block_area(width, depth),
        false => area(width, depth),
    }
}

fn block_area(width: u32, depth: u32) -> Area {
    let address = depth.next_power_of_two().trailing_zeros().max(1);
    let own = Area::of(
        "fifo",
        [
            ("units", 1),
            ("bits", width),
            ("counter bits", 2 * address + 2 * bits_of(depth)),
        ],
    );
    own + Area::memory(Memory::block(width, depth))
}

impl Fifo {
    /// Tokens.
    pub const IN: Input<Fifo> = Input::new(0, "in");
    /// The same tokens.
    pub const OUT: Output<Fifo> = Output::new(0, "out");
}

parameters! { UnitKind Fifo { fields, depth } }

/// What a queue for words of that many bits consists of.
pub(crate) fn area(width: u32, depth: u32) -> Area {
    let address = depth.next_power_of_two().trailing_zeros().max(1);
    let own = Area::of(
        "fifo",
        [
            ("units", 1),
            ("bits", width),
            ("counter bits", 2 * address + bits_of(depth)),
        ],
    );
    match width {
        0 => own,
        _ => own + Area::memory(Memory::registered(width, depth)),
    }
}

/// Bits of a counter up to a number.
pub(crate) fn bits_of(most: u32) -> u32 {
    u32::BITS - most.leading_zeros()
}

impl UnitKind for Fifo {
    fn check(&self) -> Result<(), String> {
        require(
            (1..=DEEPEST).contains(&self.depth),
            "a queue holds 1 to a million tokens",
        )
    }

    fn module(&self) -> Module {
        Module {
            name: "sluice_fifo".into(),
            parameters: vec![
                ("WIDTH", self.fields.bits().max(1).into()),
                ("DEPTH", self.depth.into()),
            ],
            sources: vec![QUEUE_MEMORY, SOURCE],
            text: None,
        }
    }

    fn inputs(&self) -> Vec<Port> {
        vec![Fifo::IN.carrying(self.fields.clone())]
    }

    fn outputs(&self) -> Vec<Port> {
        vec![Fifo::OUT.carrying(self.fields.clone())]
    }

    fn origin(&self, _: usize) -> Origin {
        Origin::Each
    }

    fn latency(&self) -> u32 {
        2
    }

    fn capacity(&self) -> u32 {
        self.depth + 1
    }

    fn area(&self) -> Area {
        area(self.fields.bits().max(1), self.depth)
    }

    fn model(&self) -> Box<dyn Model> {
        Box::new(Behaviour {
            depth: self.depth as usize,
            memory: TokenQueue::new(self.fields.len()),
        })
    }
}

struct Behaviour {
    depth: usize,
    memory: TokenQueue,
}

impl Model for Behaviour {
    fn reset(&mut self, _: &[u64], io: &mut Io<'_>) {
        self.memory.clear();
        io.accept(0, true);
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        // What was in the memory before this edge can move into the register.
        if !self.memory.is_empty() && !io.offering(0) {
            io.offer(0, self.memory.front());
            self.memory.pop();
        }
        if let Some(token) = io.taken(0) {
            self.memory.push(token);
        }
        io.accept(0, self.memory.len() < self.depth);
        if !self.memory.is_empty() && !io.offering(0) {
            io.wake(io.cycle() + 1);
        }
    }
}

/// The choices for tests.
pub fn samples() -> Vec<Box<dyn UnitKind>> {
    [
        (1, vec![8]),
        (2, vec![1, 64]),
        (5, vec![33]),
        (16, vec![]),
        (17, vec![64, 64, 3]),
    ]
    .map(|(depth, widths)| {
        Box::new(Fifo {
            fields: Fields::new(widths),
            depth,
        }) as Box<dyn UnitKind>
    })
    .into()
}
