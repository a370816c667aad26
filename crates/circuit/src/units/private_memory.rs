//! A memory on the chip, for what work-items keep to themselves: arrays, one after the other by the
//! work-items' slots.
//!
//! What was not written since power-up reads as zeros; a reset does not clear it.

use crate::access::{Access, copy_piece, write_word};
use crate::area::Area;
use crate::connect::{Input, Output};
use crate::elastic::{PortQueue, TALLY};
use crate::family::memories::Memory;
use crate::sim::Io;
use crate::text::parameters;
use crate::unit::{Model, Module, Port, UnitKind, require};
use crate::units::fifo;
use crate::verilog::Source;

/// The memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PrivateMemory {
    /// The port that it is accessed through. Addresses beyond the end wrap around.
    pub access: Access,
    /// Its size: a power of two, at least two words of the port's width.
    pub bytes: u64,
}

const MEMORY: Source = Source {
    file: "sluice_byte_memory.v",
    text: include_str!("byte_memory.v"),
};

const SOURCE: Source = Source {
    file: "sluice_private_memory.v",
    text: include_str!("private_memory.v"),
};

/// Responses that wait to be taken.
const ANSWERS: u32 = 8;

impl PrivateMemory {
    fn index_bits(&self) -> u32 {
        self.bytes.trailing_zeros() - self.access.bytes.trailing_zeros()
    }
}

impl PrivateMemory {
    /// Requests.
    pub const REQUEST: Input<PrivateMemory> = Input::new(0, "request");
    /// What was read.
    pub const RESPONSE: Output<PrivateMemory> = Output::new(0, "response");
}

parameters! { UnitKind PrivateMemory { access, bytes } }

impl UnitKind for PrivateMemory {
    fn check(&self) -> Result<(), String> {
        self.access.check()?;
        require(
            self.bytes.is_power_of_two() && self.bytes <= 1 << 30,
            "sizes are powers of two, at most 1 GiB",
        )?;
        require(
            self.bytes.trailing_zeros() <= self.access.address_bits,
            "addresses reach the whole memory",
        )?;
        require(
            self.bytes >= 2 * u64::from(self.access.bytes),
            "there are two words or more",
        )
    }

    fn module(&self) -> Module {
        Module {
            name: "sluice_private_memory".into(),
            parameters: vec![
                ("BYTES", self.access.bytes.into()),
                ("ADDRESS", self.access.address_bits.into()),
                ("INDEX", self.index_bits().into()),
                ("ANSWERS", ANSWERS.into()),
            ],
            sources: vec![fifo::QUEUE_MEMORY, fifo::SOURCE, TALLY, MEMORY, SOURCE],
            text: None,
        }
    }

    fn inputs(&self) -> Vec<Port> {
        vec![PrivateMemory::REQUEST.carrying(self.access.request())]
    }

    fn outputs(&self) -> Vec<Port> {
        vec![PrivateMemory::RESPONSE.carrying(self.access.response())]
    }

    fn latency(&self) -> u32 {
        4
    }

    /// Requests that read; those that write leave nothing here.
    fn capacity(&self) -> u32 {
        ANSWERS
    }

    fn area(&self) -> Area {
        let width = 8 * self.access.bytes;
        Area::of("private_memory", [("units", 1), ("bits", width)])
            + fifo::area(width, ANSWERS)
            + Area::memory(Memory::block_of_bytes(width, 1 << self.index_bits(), 8))
    }

    fn model(&self) -> Box<dyn Model> {
        let words = (self.bytes as usize).div_ceil(8);
        Box::new(Behaviour {
            access: self.access,
            contents: vec![0; words],
            mask: (1 << self.index_bits()) - 1,
            credits: ANSWERS,
            first: None,
            second: None,
            answers: PortQueue::new(RESPONSE, self.access.words()),
        })
    }
}

const REQUEST: usize = PrivateMemory::REQUEST.index();
const RESPONSE: usize = PrivateMemory::RESPONSE.index();

struct Behaviour {
    access: Access,
    contents: Vec<u64>,
    /// Of a word's number.
    mask: u64,
    credits: u32,
    /// What was read one edge ago, and two.
    first: Option<[u64; 8]>,
    second: Option<[u64; 8]>,
    answers: PortQueue,
}

impl Behaviour {
    /// Does what a request says; gives what it reads.
    fn request(&mut self, token: &[u64]) -> Option<[u64; 8]> {
        let bytes = self.access.bytes;
        let word = ((token[1] / u64::from(bytes)) & self.mask) as usize;
        if token[0] == 0 {
            let mut read = [0; 8];
            copy_piece(&self.contents, word, &mut read, 0, bytes);
            return Some(read);
        }
        write_word(&mut self.contents, word, bytes, token[2], &token[3..]);
        None
    }
}

impl Model for Behaviour {
    fn reset(&mut self, _: &[u64], io: &mut Io<'_>) {
        self.credits = ANSWERS;
        (self.first, self.second) = (None, None);
        self.answers.clear();
        io.accept(REQUEST, true);
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        if io.given(RESPONSE) {
            self.credits += 1;
        }
        self.answers.clock(io);
        if let Some(read) = self.second {
            self.answers.push(&read[..self.access.words()]);
        }
        let read = io.taken(REQUEST).and_then(|token| self.request(token));
        self.credits -= u32::from(read.is_some());
        (self.first, self.second) = (read, self.first);
        io.accept(REQUEST, self.credits != 0);
        if self.first.is_some() || self.second.is_some() || self.answers.moves(io) {
            io.wake(io.cycle() + 1);
        }
    }
}

/// The choices for tests.
pub fn samples() -> Vec<Box<dyn UnitKind>> {
    [(1, 4), (2, 64), (4, 32), (8, 128), (64, 256)]
        .map(|(bytes, size)| {
            Box::new(PrivateMemory {
                access: Access {
                    bytes,
                    address_bits: 9,
                },
                bytes: size,
            }) as Box<dyn UnitKind>
        })
        .into()
}
