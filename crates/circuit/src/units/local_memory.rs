//! A memory on the chip that the work-items of a group share, in banks: several requesters read and
//! write at once. Which bits of a word's number say its bank is a choice: see [`Banks`]. A requester of
//! whose banks some bits are known is connected only to those that it can ask.
//!
//! Each bank takes a read and a write per cycle, in turns among those who want. From there a read
//! takes a fixed time, so that each reader's responses come in the order of its requests. A write is
//! acknowledged when its bank takes it: a read that is accepted while the acknowledgement is offered,
//! or later, reaches the bank behind it and reads what was written. Requests of different requesters
//! have no other order.
//!
//! What was not written since power-up reads as zeros; a reset does not clear it.

mod banks;
mod mask;
mod model;

pub use banks::{Banks, Known};

use std::ops::Range;

use crate::access::Access;
use crate::area::Area;
use crate::connect::{Input, Output};
use crate::elastic::{self, LOWEST, SKID, SKID_DEPTH, TALLY};
use crate::family::memories::Memory;
use crate::text::{choices, parameters};
use crate::unit::{Fields, Model, Module, Origin, Passage, Port, UnitKind, require};
use crate::units::arbiter::{CHOOSE, GATHER, ROUND_ROBIN};
use crate::units::fifo;
use crate::verilog::{Bundle, End, Numbered, Source, fingerprint, side_by_side};

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
    /// The bank of each word; each has two words of the port's width, or more.
    pub banks: Banks,
    /// By requester, readers first, what is known of the banks that it asks. Whatever it asks for, it
    /// gets the word at the place in the bank of which this is true. Empty if nothing is known.
    pub known: Vec<Known>,
    /// What happens if a word is read in the cycle in which it is written.
    pub collisions: Collisions,
}

/// What happens if a word is read in the cycle in which it is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Collisions {
    /// The write waits.
    Wait,
    /// Nobody needs what is read: simulation gives what was there before.
    Ignore,
}

choices! { Collisions { Wait = "wait", Ignore = "ignore" } }

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
    pub const MOST_REQUESTERS: u32 = 2048;

    /// Most banks.
    pub const MOST_BANKS: u32 = 64;

    /// Bits of a word's number.
    fn word_bits(&self) -> u32 {
        (self.bytes / u64::from(self.access.bytes)).trailing_zeros()
    }

    /// Bits of a word's place in its bank.
    fn index_bits(&self) -> u32 {
        self.word_bits() - self.banks.bits()
    }

    /// What is known of the banks of a requester.
    fn known(&self, requester: u32) -> Known {
        let known = self.known.get(requester as usize).copied();
        known.unwrap_or_default()
    }

    /// What is known of the banks of requesters, side by side: which bits, and their values.
    fn known_bits(&self, requesters: Range<u32>) -> [String; 2] {
        let width = self.banks.bits().max(1);
        let mut known: Vec<Known> = requesters.map(|at| self.known(at)).collect();
        // The library's module has at least one of each.
        known.resize(known.len().max(1), Known::default());
        [|it: &Known| it.mask, |it: &Known| it.value]
            .map(|part| literal(width, known.iter().map(part)))
    }

    fn requesters(&self) -> u32 {
        self.readers + self.writers
    }

    /// The name of the module: a different one for each choice of banks.
    fn module_name(&self) -> String {
        let choice = format!("{:?} {:?} {}", self.banks, self.known, self.word_bits());
        format!(
            "sluice_local_memory_{}_{}_{:016x}",
            self.readers,
            self.writers,
            fingerprint(&choice)
        )
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
        let [read_known, read_value] = self.known_bits(0..self.readers);
        let [write_known, write_value] = self.known_bits(self.readers..self.requesters());
        let literals = [
            (
                "MASKS",
                literal(self.word_bits(), self.banks.masks.iter().copied()),
            ),
            ("READ_KNOWN", read_known),
            ("READ_VALUE", read_value),
            ("WRITE_KNOWN", write_known),
            ("WRITE_VALUE", write_value),
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
            parameters: &[
                ("BYTES", 4),
                ("ADDRESS", 32),
                ("INDEX", 4),
                ("BANKS", 1),
                ("WAITS", 1),
            ],
            inputs: Vec::new(),
            outputs: Vec::new(),
        };
        side_by_side(&module, &literals, &bundles)
    }
}

/// How requesters and banks are connected.
struct Connections {
    /// The number of connections to banks that several requesters ask.
    of_shared: u32,
    /// The number of banks that requesters can ask beside the first one.
    others: u32,
    /// Requesters that can ask several banks.
    choosing: u32,
}

impl LocalMemory {
    fn sharing(&self, requesters: Range<u32>) -> Connections {
        let banks = self.banks.count();
        let known: Vec<Known> = requesters.map(|at| self.known(at)).collect();
        let asking = |bank| known.iter().filter(|it| it.reaches(bank)).count() as u32;
        let reached = known.iter().map(|it| it.reached(banks));
        Connections {
            of_shared: (0..banks).map(asking).filter(|&count| count > 1).sum(),
            others: reached.clone().map(|count| count - 1).sum(),
            choosing: reached.filter(|&count| count > 1).count() as u32,
        }
    }
}

/// Words of `width` bits side by side as a constant of Verilog, the first one lowest; a zero if there are
/// none.
fn literal(width: u32, words: impl Iterator<Item = u32>) -> String {
    let bits: Vec<u32> = words
        .flat_map(|word| (0..width).map(move |at| word >> at & 1))
        .collect();
    let digits: String = bits.iter().rev().map(u32::to_string).collect();
    match bits.len() {
        0 => "1'b0".into(),
        length => format!("{length}'b{digits}"),
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

parameters! { UnitKind LocalMemory { access, bytes, readers, writers, banks, known, collisions } }

impl UnitKind for LocalMemory {
    fn check(&self) -> Result<(), String> {
        self.access.check()?;
        let most = LocalMemory::MOST_REQUESTERS;
        require(
            self.readers <= most && self.writers <= most && self.requesters() > 0,
            "a local memory has up to 2048 readers and 2048 writers, one of them at least",
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
            self.bytes >= u64::from(self.access.bytes)
                && self.banks.masks.len() <= LocalMemory::MOST_BANKS.trailing_zeros() as usize
                && self.banks.is_sound(self.word_bits()),
            "there are up to 64 banks, and each word has a place of its own in one of them",
        )?;
        require(
            self.bytes >= 2 * u64::from(self.access.bytes * self.banks.count()),
            "each bank has two words or more",
        )?;
        let is_possible =
            |known: &Known| known.mask < self.banks.count() && known.value & !known.mask == 0;
        let is_complete = self.known.is_empty() || self.known.len() == self.requesters() as usize;
        require(
            is_complete && self.known.iter().all(is_possible),
            "what is known of banks is known of each requester, and bits of a bank's number",
        )
    }

    fn passage(&self) -> Passage {
        Passage::Between(Vec::new())
    }

    fn module(&self) -> Module {
        let name = self.module_name();
        let text = self.text(&name);
        Module {
            name,
            parameters: vec![
                ("BYTES", self.access.bytes.into()),
                ("ADDRESS", self.access.address_bits.into()),
                ("INDEX", self.index_bits().into()),
                ("BANKS", self.banks.count().into()),
                (
                    "WAITS",
                    u32::from(self.collisions == Collisions::Wait).into(),
                ),
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
        let (readers, writers, banks) = (self.readers, self.writers, self.banks.count());
        let (width, shift, index) = (8 * self.access.bytes, self.banks.bits(), self.index_bits());
        let write = 9 * self.access.bytes + index;
        let reading = self.sharing(0..readers);
        let writing = self.sharing(readers..readers + writers);
        let with = |requesters: u32, bits: u32| if requesters > 0 { banks * bits } else { 0 };
        let waits = self.collisions == Collisions::Wait && readers > 0;
        let own = Area::of(
            "local_memory",
            [
                ("readers", readers),
                ("writers", writers),
                ("banks", banks),
                ("read bits", with(readers, index + width)),
                ("write bits", with(writers, write)),
                (
                    "waiting write bits",
                    if waits {
                        with(writers, write + index)
                    } else {
                        0
                    },
                ),
                ("requests by bank", reading.of_shared + writing.of_shared),
                ("shared index bits", reading.of_shared * index),
                ("shared write bits", writing.of_shared * write),
                ("bank number bits", reading.choosing * shift),
                ("chosen bits", reading.others * width),
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
    let memory = |bytes, size, readers, writers, banks, known| {
        Box::new(LocalMemory {
            access: Access {
                bytes,
                address_bits: 9,
            },
            bytes: size,
            readers,
            writers,
            banks,
            known,
            collisions: Collisions::Wait,
        }) as Box<dyn UnitKind>
    };
    let of_digits = [
        // bytes of the port, of the memory, readers, writers, banks
        (4, 8, 1, 1, 1),
        (4, 64, 4, 2, 4),
        (1, 4, 0, 2, 2),
        (2, 16, 2, 0, 4),
        (8, 64, 3, 5, 2),
        (64, 256, 2, 1, 2),
        (1, 128, 9, 4, 64),
        (1, 8, 130, 129, 2),
    ];
    let mut samples: Vec<Box<dyn UnitKind>> = of_digits
        .map(|(bytes, size, readers, writers, banks)| {
            let digits = Banks::of_digits(banks, (size / u64::from(bytes)).trailing_zeros());
            memory(bytes, size, readers, writers, digits, Vec::new())
        })
        .into();
    // Readers with banks of their own, beside one that reaches half of them and a writer of all.
    let known = [(3, 0), (3, 1), (3, 2), (3, 3), (2, 2), (0, 0)];
    let known = known.map(|(mask, value)| Known { mask, value });
    let columns = Banks {
        masks: vec![1 << 2, 1 << 3],
    };
    samples.push(memory(4, 128, 5, 1, columns, known.into()));
    // Two writers that never meet, and banks by bits apart from each other.
    let known = [(0, 0), (1, 0), (1, 1)].map(|(mask, value)| Known { mask, value });
    let apart = Banks {
        masks: vec![0b1_0010, 0b0_1001],
    };
    samples.push(memory(2, 64, 1, 2, apart, known.into()));
    samples.push(Box::new(LocalMemory {
        access: Access {
            bytes: 4,
            address_bits: 9,
        },
        bytes: 32,
        readers: 2,
        writers: 2,
        banks: Banks::of_digits(2, 3),
        known: Vec::new(),
        collisions: Collisions::Ignore,
    }));
    samples
}
