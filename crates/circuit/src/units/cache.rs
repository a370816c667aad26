//! A cache: direct-mapped, written back, in order, with many misses under way.
//!
//! A request looks up and changes the tags when it enters. A miss is fetched from there; the
//! request then goes through a queue to the data, where everything happens in order: a miss sends
//! the old line back, if it is dirty, and waits for its fill. So requests behind a miss start their
//! own fetches while it waits, and a stream of misses runs at the speed of the memory. Because the
//! tags are ahead of the data in the same order, several misses of one set may be under way.
//!
//! Where lines are only written, an old line leaves in the cycle of the store that takes its place.
//! A flush walks the lines from the first to the last one that requests have touched, and passes over blocks
//! in which they have touched none.
//!
//! A line that is on its way back to memory must not be fetched before it is there. The tags keep a
//! bit per hash of such a line, and a miss with such a hash waits.

mod model;

use crate::access::{self, Access, LINE};
use crate::area::Area;
use crate::connect::{Input, Output};
use crate::elastic::{self, SKID};
use crate::family::memories::Memory;
use crate::text::{choices, parameters};
use crate::unit::{DEEPEST, Fields, Model, Module, Passage, Port, Question, UnitKind, require};
use crate::units::fifo;
use crate::verilog::Source;

/// The cache.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cache {
    /// Lines of 64 bytes: a power of two from 2 on.
    pub lines: u32,
    /// The port towards the units that access it. An address has more bits than the cache's size.
    pub access: Access,
    /// Requests between the entrance and the data; covers the latency of the memory.
    pub outstanding: u32,
    /// What is done with it.
    pub mode: Mode,
}

/// What is done with a cache.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Reads and writes. A write that misses fetches.
    ReadWrite,
    /// Reads only: every request counts as one.
    ReadOnly,
    /// Writes only: every request counts as one. Nothing is fetched; what was written goes back.
    WriteOnly,
}

impl Cache {
    /// Lines of a cache when nothing says otherwise: 64 KB.
    pub const DEFAULT_LINES: u32 = 1024;

    /// Bits of a line's place.
    fn index_bits(&self) -> u32 {
        assert!(
            self.lines.is_power_of_two() && self.lines > 1,
            "a cache has a power of two of lines, two or more"
        );
        self.lines.trailing_zeros()
    }

    /// Bits of a line's number.
    fn line_bits(&self) -> u32 {
        let bits = self.access.address_bits - LINE.trailing_zeros();
        assert!(bits > self.index_bits(), "a cache is smaller than memory");
        bits
    }

    /// Bits of the hash of a line's number: twice as many hashes as lines can be on their way, as
    /// far as that stays cheap.
    fn hash_bits(&self) -> u32 {
        let wanted = self.outstanding.next_power_of_two().trailing_zeros() + 1;
        self.line_bits().min(wanted).min(8)
    }
}

/// A memory that becomes block RAM.
pub(crate) const BLOCK_MEMORY: Source = Source {
    file: "sluice_block_memory.v",
    text: include_str!("block_memory.v"),
};

const SOURCES: [Source; 6] = [
    Source {
        file: "sluice_line_memory.v",
        text: include_str!("line_memory.v"),
    },
    Source {
        file: "sluice_line_place.v",
        text: include_str!("line_place.v"),
    },
    Source {
        file: "sluice_line_hash.v",
        text: include_str!("line_hash.v"),
    },
    Source {
        file: "sluice_cache_tags.v",
        text: include_str!("cache_tags.v"),
    },
    Source {
        file: "sluice_cache_data.v",
        text: include_str!("cache_data.v"),
    },
    Source {
        file: "sluice_cache.v",
        text: include_str!("cache.v"),
    },
];

impl Cache {
    /// Requests.
    pub const REQUEST: Input<Cache> = Input::new(0, "request");
    /// Lines that were fetched.
    pub const FILL: Input<Cache> = Input::new(1, "fill");
    /// Lines that were written back.
    pub const WRITEBACK_DONE: Input<Cache> = Input::new(2, "writeback_done");
    /// Demands to write everything back.
    pub const FLUSH: Input<Cache> = Input::new(3, "flush");
    /// What was read.
    pub const RESPONSE: Output<Cache> = Output::new(0, "response");
    /// Lines to fetch.
    pub const FETCH: Output<Cache> = Output::new(1, "fetch");
    /// Lines to write back.
    pub const WRITEBACK: Output<Cache> = Output::new(2, "writeback");
    /// Everything is written back.
    pub const FLUSHED: Output<Cache> = Output::new(3, "flushed");
}

parameters! { UnitKind Cache { lines, access, outstanding, mode } }
choices! { Mode { ReadWrite = "read_write", ReadOnly = "read_only", WriteOnly = "write_only" } }

impl UnitKind for Cache {
    fn check(&self) -> Result<(), String> {
        self.access.check()?;
        require(
            self.lines.is_power_of_two() && (2..=DEEPEST).contains(&self.lines),
            "a cache has a power of two of lines, 2 to a million",
        )?;
        let offset_bits = LINE.trailing_zeros() + self.lines.trailing_zeros();
        require(
            self.access.address_bits > offset_bits,
            "a cache is smaller than memory",
        )?;
        require(
            (1..=DEEPEST).contains(&self.outstanding),
            "1 to a million requests may be under way",
        )
    }

    fn passage(&self) -> Passage {
        Passage::Between(vec![(3, 3)])
    }

    fn module(&self) -> Module {
        let mode = match self.mode {
            Mode::ReadWrite => 0,
            Mode::ReadOnly => 1,
            Mode::WriteOnly => 2,
        };
        let mut sources = vec![fifo::QUEUE_MEMORY, fifo::SOURCE, SKID, BLOCK_MEMORY];
        sources.extend(SOURCES);
        Module {
            name: "sluice_cache".into(),
            parameters: vec![
                ("LINES", self.lines.into()),
                ("BYTES", self.access.bytes.into()),
                ("ADDRESS", self.access.address_bits.into()),
                ("OUTSTANDING", self.outstanding.into()),
                ("MODE", mode),
                ("FETCHES", model::FETCHES.into()),
                ("ANSWERS", model::ANSWERS.into()),
                ("SLOTS", model::SLOTS.into()),
            ],
            sources,
            text: None,
        }
    }

    fn inputs(&self) -> Vec<Port> {
        vec![
            Cache::REQUEST.carrying(self.access.request()),
            Cache::FILL.carrying(access::fill()),
            Cache::WRITEBACK_DONE.carrying(Fields::NONE),
            Cache::FLUSH.carrying(Fields::NONE),
        ]
    }

    fn outputs(&self) -> Vec<Port> {
        let address_bits = self.access.address_bits;
        vec![
            Cache::RESPONSE.carrying(self.access.response()),
            Cache::FETCH.carrying(access::fetch(address_bits)),
            Cache::WRITEBACK.carrying(access::writeback(address_bits)),
            Cache::FLUSHED.carrying(Fields::NONE),
        ]
    }

    fn questions(&self) -> Vec<Question> {
        vec![
            Question {
                asked: Cache::FETCH.index(),
                answered: Cache::FILL.index(),
            },
            Question {
                asked: Cache::WRITEBACK.index(),
                answered: Cache::WRITEBACK_DONE.index(),
            },
        ]
    }

    /// Of a read that hits.
    fn latency(&self) -> u32 {
        9
    }

    /// Reads that all miss, when memory does not even take the fetches: those that wait to be
    /// fetched, and the tags' pipeline. When it takes them, `outstanding`.
    fn capacity(&self) -> u32 {
        self.outstanding.min(9)
    }

    fn area(&self) -> Area {
        let (line, index, bytes) = (self.line_bits(), self.index_bits(), self.access.bytes);
        let word = (LINE / bytes).trailing_zeros().max(1);
        let is_mode = |mode| u32::from(self.mode == mode);
        let reads = 1 - is_mode(Mode::WriteOnly);
        let writes = 1 - is_mode(Mode::ReadOnly);
        let own = Area::of(
            "cache",
            [
                ("that are only read", is_mode(Mode::ReadOnly)),
                ("that are only written", is_mode(Mode::WriteOnly)),
                ("that are read and written", is_mode(Mode::ReadWrite)),
                ("line bits", line),
                ("index bits", index),
                ("read bytes", reads * bytes),
                ("bytes that are not read", reads * (LINE - bytes)),
                ("written bytes", writes * bytes),
                ("hashes", is_mode(Mode::ReadWrite) << self.hash_bits()),
            ],
        );
        // What is only read leaves without a trace: no one needs to know which line it was.
        let entry = match self.mode {
            Mode::ReadOnly => index + word + 2,
            Mode::ReadWrite | Mode::WriteOnly => line + word + 4,
        };
        let queues = elastic::skid_area(line + word + 2)
            + fifo::area(line, model::FETCHES)
            + fifo::area(entry, self.outstanding)
            + fifo::area(8 * bytes, model::ANSWERS) * reads
            + fifo::area(9 * bytes, self.outstanding) * writes
            + fifo::area(line + 9 * LINE, model::SLOTS) * writes
            + fifo::area(self.hash_bits(), self.outstanding) * is_mode(Mode::ReadWrite);
        own + queues
            + Area::memory(Memory::block_of_bytes(9 * LINE, self.lines, 9))
            + Area::block_memory(line - index + 2, self.lines)
    }

    fn model(&self) -> Box<dyn Model> {
        Box::new(model::Behaviour::new(self.clone()))
    }
}

/// The choices for tests.
pub fn samples() -> Vec<Box<dyn UnitKind>> {
    let kinds = [
        (4, 4, 10, 16, Mode::ReadWrite),
        (2, 64, 9, 4, Mode::ReadWrite),
        (8, 8, 16, 2, Mode::ReadWrite),
        (8, 1, 10, 40, Mode::ReadOnly),
        (4, 16, 10, 8, Mode::WriteOnly),
        (4, 64, 9, 16, Mode::WriteOnly),
        (16, 32, 11, 7, Mode::ReadWrite),
    ];
    kinds
        .map(|(lines, bytes, address_bits, outstanding, mode)| {
            Box::new(Cache {
                lines,
                access: Access {
                    bytes,
                    address_bits,
                },
                outstanding,
                mode,
            }) as Box<dyn UnitKind>
        })
        .into()
}
