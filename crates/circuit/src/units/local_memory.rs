//! A memory on the chip that the work-items of a group share, in banks: several requesters read and
//! write at once. A word's bank is the exclusive or of the digits of its number, so that neighbours
//! as well as words at a distance of a power of two, a column of a matrix, are in different banks.
//!
//! Each bank takes a read and a write per cycle, in turns among those who want. From there a read
//! takes a fixed time, so that each reader's responses come in the order of its requests. A write is
//! acknowledged when its bank takes it: a read that is accepted while the acknowledgement is offered,
//! or later, reaches the bank behind it and reads what was written. Requests of different requesters
//! have no other order.
//!
//! What was not written since power-up reads as zeros; a reset does not clear it.

mod model;

use std::ops::Range;

use crate::access::Access;
use crate::area::Area;
use crate::connect::{Input, Output};
use crate::elastic::{self, LOWEST, SKID, SKID_DEPTH, TALLY};
use crate::family::memories::Memory;
use crate::text::parameters;
use crate::unit::{Fields, Model, Module, Origin, Passage, Port, UnitKind, require};
use crate::units::arbiter::{CHOOSE, GATHER, ROUND_ROBIN};
use crate::units::fifo;
use crate::verilog::{Bundle, End, Numbered, Source, side_by_side};

/// The memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LocalMemory {
    /// The port that each requester has. Addresses beyond the end wrap around.
    pub access: Access,
    /// Its size: a power of two.
    pub bytes: u64,
    /// Requesters that read: whatever they ask for, they get data.
    pub readers: u32,
    /// Requesters that write: whatever they ask for, they get acknowledgements.
    pub writers: u32,
    /// A power of two; each has two words of the port's width, or more.
    pub banks: u32,
}

const MEMORY: Source = Source {
    file: "sluice_bank_memory.v",
    text: include_str!("bank_memory.v"),
};

const BANK_OF: Source = Source {
    file: "sluice_bank_of.v",
    text: include_str!("bank_of.v"),
};

const BANK: Source = Source {
    file: "sluice_local_bank.v",
    text: include_str!("local_bank.v"),
};

const SOURCE: Source = Source {
    file: "sluice_local_memory.v",
    text: include_str!("local_memory.v"),
};

/// Responses or acknowledgements of one requester that wait to be taken.
const WAITING: u32 = 8;

impl LocalMemory {
    /// Most readers, and most writers.
    pub const MOST_REQUESTERS: u32 = u128::BITS;

    /// Most banks.
    pub const MOST_BANKS: u32 = 64;

    /// Bits of a word's number within its bank.
    fn index_bits(&self) -> u32 {
        (self.bytes / u64::from(self.access.bytes) / u64::from(self.banks)).trailing_zeros()
    }

    fn requesters(&self) -> u32 {
        self.readers + self.writers
    }

    /// The text of the module whose requesters have ports of their own.
    fn text(&self, name: &str) -> String {
        let bundle = |end, inner: &str, width: &str, outer: &str, ports: Range<u32>| Bundle {
            end,
            inner: inner.into(),
            width: width.into(),
            outer: ports.map(|at| format!("{outer}_{at}")).collect(),
        };
        let request = "9*BYTES+ADDRESS+1";
        let (readers, writers) = (0..self.readers, self.readers..self.requesters());
        let bundles = [
            bundle(End::Input, "read", request, "from", readers.clone()),
            bundle(End::Input, "write", request, "from", writers.clone()),
            bundle(End::Output, "data", "8*BYTES", "to", readers),
            bundle(End::Output, "done", "1", "to", writers),
        ];
        // The library's module has at least one of each; an unused one gets no requests.
        let fixed = [
            ("READERS", self.readers.max(1)),
            ("WRITERS", self.writers.max(1)),
            ("WAITING", WAITING),
        ];
        let module = Numbered {
            name,
            inner: "sluice_local_memory",
            fixed: &fixed,
            parameters: &[("BYTES", 4), ("ADDRESS", 32), ("INDEX", 4), ("BANKS", 1)],
            inputs: Vec::new(),
            outputs: Vec::new(),
        };
        side_by_side(&module, &bundles)
    }
}

impl LocalMemory {
    /// Requests of one of the requesters: first come the readers.
    pub const fn from(requester: usize) -> Input<LocalMemory> {
        Input::numbered(requester, "from_#", requester)
    }

    /// The answers to them.
    pub const fn to(requester: usize) -> Output<LocalMemory> {
        Output::numbered(requester, "to_#", requester)
    }
}

parameters! { UnitKind LocalMemory { access, bytes, readers, writers, banks } }

impl UnitKind for LocalMemory {
    fn check(&self) -> Result<(), String> {
        self.access.check()?;
        let most = LocalMemory::MOST_REQUESTERS;
        require(
            self.readers <= most && self.writers <= most && self.requesters() > 0,
            "a local memory has up to 128 readers and 128 writers, one of them at least",
        )?;
        require(
            self.banks.is_power_of_two() && self.banks <= LocalMemory::MOST_BANKS,
            "banks are a power of two, up to 64",
        )?;
        require(
            self.bytes.is_power_of_two() && self.bytes <= 1 << 30,
            "sizes are powers of two, at most 1 GiB",
        )?;
        require(
            self.bytes.trailing_zeros() <= self.access.address_bits,
            "addresses reach the whole memory",
        )?;
        require(
            self.bytes >= 2 * u64::from(self.access.bytes * self.banks),
            "each bank has two words or more",
        )
    }

    fn passage(&self) -> Passage {
        Passage::Between(Vec::new())
    }

    fn module(&self) -> Module {
        let name = format!("sluice_local_memory_{}_{}", self.readers, self.writers);
        let text = self.text(&name);
        Module {
            name,
            parameters: vec![
                ("BYTES", self.access.bytes.into()),
                ("ADDRESS", self.access.address_bits.into()),
                ("INDEX", self.index_bits().into()),
                ("BANKS", self.banks.into()),
            ],
            sources: vec![
                fifo::QUEUE_MEMORY,
                fifo::SOURCE,
                SKID,
                TALLY,
                LOWEST,
                GATHER,
                CHOOSE,
                ROUND_ROBIN,
                MEMORY,
                BANK_OF,
                BANK,
                SOURCE,
            ],
            text: Some(text),
        }
    }

    /// Requests, those of readers first.
    fn inputs(&self) -> Vec<Port> {
        let requests = 0..self.requesters();
        requests
            .map(|at| LocalMemory::from(at as usize).carrying(self.access.request()))
            .collect()
    }

    /// What answers them: data to readers, acknowledgements to writers.
    fn outputs(&self) -> Vec<Port> {
        let answer = |at| match at < self.readers {
            true => self.access.response(),
            false => Fields::NONE,
        };
        let answers = 0..self.requesters();
        answers
            .map(|at| LocalMemory::to(at as usize).carrying(answer(at)))
            .collect()
    }

    fn origin(&self, output: usize) -> Origin {
        Origin::Input(output)
    }

    /// Of a read; an acknowledgement takes two cycles.
    fn latency(&self) -> u32 {
        6
    }

    /// Of one requester.
    fn capacity(&self) -> u32 {
        WAITING + SKID_DEPTH as u32
    }

    fn area(&self) -> Area {
        let (readers, writers, banks) = (self.readers, self.writers, self.banks);
        let (width, shift, index) = (8 * self.access.bytes, self.banks.ilog2(), self.index_bits());
        let write = 9 * self.access.bytes + index;
        // Of several that share a bank one is chosen.
        let shared = |requesters: u32, bits: u32| match requesters {
            0 | 1 => 0,
            _ => banks * requesters * bits,
        };
        let own = Area::of(
            "local_memory",
            [
                ("readers", readers),
                ("writers", writers),
                ("banks", banks),
                ("bank bits", banks * (index + write + width)),
                (
                    "requests by bank",
                    banks * (shared(readers, 1) + shared(writers, 1)) / banks,
                ),
                ("shared index bits", shared(readers, index)),
                ("shared write bits", shared(writers, write)),
                ("bank number bits", (readers + writers) * shift),
                ("chosen bits", readers * (banks - 1) * width),
            ],
        );
        let reader = elastic::skid_area(shift + index) + fifo::area(width, WAITING);
        let writer = elastic::skid_area(write + shift);
        let bank = Area::memory(Memory::block_of_bytes(width, 1 << index, 8));
        own + reader * readers + writer * writers + bank * banks
    }

    fn model(&self) -> Box<dyn Model> {
        Box::new(model::Behaviour::new(self))
    }
}

/// The choices for tests.
pub fn samples() -> Vec<Box<dyn UnitKind>> {
    [
        // bytes of the port, of the memory, readers, writers, banks
        (4, 8, 1, 1, 1),
        (4, 64, 4, 2, 4),
        (1, 4, 0, 2, 2),
        (2, 16, 2, 0, 4),
        (8, 64, 3, 5, 2),
        (64, 256, 2, 1, 2),
        (1, 128, 9, 4, 64),
    ]
    .map(|(bytes, size, readers, writers, banks)| {
        Box::new(LocalMemory {
            access: Access {
                bytes,
                address_bits: 9,
            },
            bytes: size,
            readers,
            writers,
            banks,
        }) as Box<dyn UnitKind>
    })
    .into()
}
