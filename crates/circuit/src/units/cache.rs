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
//! in which they have touched none. Where lines are only read, it begins another generation of them.
//!
//! A line that is on its way back to memory must not be fetched before it is there. The tags keep a
//! bit per hash of such a line, and a miss with such a hash waits. The bit of the line that it evicts is
//! looked up for a cycle: chosen among 256 bits in the cycle in which the tag is compared, it made the
//! longest path of all units.

mod looks;
mod model;

use crate::access::{Access, Lines};
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
    /// Lines: a power of two from 2 on.
    pub lines: u32,
    /// Bytes of a line.
    pub line: u32,
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
    /// Bytes of a cache when nothing says otherwise.
    pub const DEFAULT_BYTES: u32 = 64 << 10;

    fn transfers(&self) -> Lines {
        Lines {
            bytes: self.line,
            address_bits: self.access.address_bits,
        }
    }

    /// Whether its queues are block memories: distributed ones are cheap as long as they are shallow.
    fn is_deep(&self) -> bool {
        self.outstanding >= 64
    }

    /// Bits of a byte in its memory: where lines are written, one more says that it is dirty.
    fn byte_bits(&self) -> u32 {
        8 + u32::from(self.mode != Mode::ReadOnly)
    }

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
        let bits = self.transfers().number_bits();
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

/// A cache that is only read.
const READ_CACHE: Source = Source {
    file: "sluice_read_cache.v",
    text: include_str!("read_cache.v"),
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
    /// Demands to write everything back.
    pub const FLUSH: Input<Cache> = Input::new(2, "flush");
    /// Lines that were written back. Only where lines are written.
    pub const WRITEBACK_DONE: Input<Cache> = Input::new(3, "writeback_done");
    /// What was read.
    pub const RESPONSE: Output<Cache> = Output::new(0, "response");
    /// Lines to fetch.
    pub const FETCH: Output<Cache> = Output::new(1, "fetch");
    /// Everything is written back.
    pub const FLUSHED: Output<Cache> = Output::new(2, "flushed");
    /// Lines to write back. Only where lines are written.
    pub const WRITEBACK: Output<Cache> = Output::new(3, "writeback");
}

parameters! { UnitKind Cache { lines, line, access, outstanding, mode } }
choices! { Mode { ReadWrite = "read_write", ReadOnly = "read_only", WriteOnly = "write_only" } }

impl UnitKind for Cache {
    fn check(&self) -> Result<(), String> {
        self.transfers().check_access(&self.access)?;
        require(
            self.lines.is_power_of_two() && (2..=DEEPEST).contains(&self.lines),
            "a cache has a power of two of lines, 2 to a million",
        )?;
        require(
            self.transfers().number_bits() > self.lines.trailing_zeros(),
            "a cache is smaller than memory",
        )?;
        require(
            (1..=DEEPEST).contains(&self.outstanding),
            "1 to a million requests may be under way",
        )
    }

    fn passage(&self) -> Passage {
        Passage::Between(vec![(Cache::FLUSH.index(), Cache::FLUSHED.index())])
    }

    fn module(&self) -> Module {
        let (name, mode) = match self.mode {
            Mode::ReadWrite => ("sluice_cache", Some(0)),
            Mode::ReadOnly => ("sluice_read_cache", None),
            Mode::WriteOnly => ("sluice_cache", Some(2)),
        };
        let mut sources: Vec<Source> = fifo::ANY_FIFO.into();
        sources.push(SKID);
        sources.extend(SOURCES);
        sources.extend(mode.is_none().then_some(READ_CACHE));
        let parameters = [
            ("LINES", self.lines.into()),
            ("LINE", self.line.into()),
            ("BYTES", self.access.bytes.into()),
            ("ADDRESS", self.access.address_bits.into()),
            ("OUTSTANDING", self.outstanding.into()),
            ("FETCHES", model::FETCHES.into()),
            ("ANSWERS", model::ANSWERS.into()),
            ("SLOTS", model::SLOTS.into()),
            ("DEEP", self.is_deep().into()),
        ];
        let parameters = parameters.into_iter();
        Module {
            name: name.into(),
            parameters: parameters.chain(mode.map(|mode| ("MODE", mode))).collect(),
            sources,
            text: None,
        }
    }

    fn inputs(&self) -> Vec<Port> {
        let mut ports = vec![
            Cache::REQUEST.carrying(self.access.request()),
            Cache::FILL.carrying(self.transfers().fill()),
            Cache::FLUSH.carrying(Fields::NONE),
        ];
        if self.mode != Mode::ReadOnly {
            ports.push(Cache::WRITEBACK_DONE.carrying(Fields::NONE));
        }
        ports
    }

    fn outputs(&self) -> Vec<Port> {
        let mut ports = vec![
            Cache::RESPONSE.carrying(self.access.response()),
            Cache::FETCH.carrying(self.transfers().fetch()),
            Cache::FLUSHED.carrying(Fields::NONE),
        ];
        if self.mode != Mode::ReadOnly {
            ports.push(Cache::WRITEBACK.carrying(self.transfers().writeback()));
        }
        ports
    }

    fn questions(&self) -> Vec<Question> {
        let fetches = Question {
            asked: Cache::FETCH.index(),
            answered: Cache::FILL.index(),
        };
        let writebacks = Question {
            asked: Cache::WRITEBACK.index(),
            answered: Cache::WRITEBACK_DONE.index(),
        };
        match self.mode {
            Mode::ReadOnly => vec![fetches],
            Mode::ReadWrite | Mode::WriteOnly => vec![fetches, writebacks],
        }
    }

    /// The tags are cleared one by one.
    fn settling(&self) -> u32 {
        self.lines
    }

    /// Of a read that hits.
    fn latency(&self) -> u32 {
        9 + u32::from(self.is_deep())
    }

    /// Reads that all miss, when memory does not even take the fetches: those that wait to be
    /// fetched, and the tags' pipeline. When it takes them, `outstanding`.
    fn capacity(&self) -> u32 {
        self.outstanding.min(9)
    }

    fn area(&self) -> Area {
        let (line, index, bytes) = (self.line_bits(), self.index_bits(), self.access.bytes);
        let word = (self.line / bytes).trailing_zeros().max(1);
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
                ("bytes that are not read", reads * (self.line - bytes)),
                ("written bytes", writes * bytes),
                ("hashes", is_mode(Mode::ReadWrite) << self.hash_bits()),
            ],
        );
        // What is only read leaves without a trace: no one needs to know which line it was.
        let entry = match self.mode {
            Mode::ReadOnly => index + word + 2,
            Mode::ReadWrite => line + word + 4,
            Mode::WriteOnly => line + word + 5,
        };
        let queue = |width| fifo::any_area(width, self.outstanding, self.is_deep());
        let queues = elastic::skid_area(line + word + 2)
            + fifo::area(line, model::FETCHES)
            + queue(entry)
            + fifo::area(8 * bytes, model::ANSWERS) * reads
            + queue(9 * bytes) * writes
            + fifo::area(line + 9 * self.line, model::SLOTS) * writes
            + queue(self.hash_bits()) * is_mode(Mode::ReadWrite);
        own + queues
            + Area::memory(Memory::block_of_bytes(
                self.byte_bits() * self.line,
                self.lines,
                self.byte_bits(),
            ))
            + Area::block_memory(line - index + 2, self.lines)
    }

    fn model(&self) -> Box<dyn Model> {
        Box::new(model::Behaviour::new(self.clone()))
    }
}

/// The choices for tests.
pub fn samples() -> Vec<Box<dyn UnitKind>> {
    let kinds = [
        (4, 64, 4, 10, 64, Mode::ReadWrite),
        (2, 64, 64, 9, 4, Mode::ReadWrite),
        (8, 16, 8, 16, 2, Mode::ReadWrite),
        (8, 64, 1, 10, 80, Mode::ReadOnly),
        (16, 8, 4, 10, 12, Mode::ReadOnly),
        (4, 64, 16, 10, 8, Mode::WriteOnly),
        (4, 32, 32, 9, 16, Mode::WriteOnly),
        (16, 64, 32, 11, 7, Mode::ReadWrite),
    ];
    kinds
        .map(|(lines, line, bytes, address_bits, outstanding, mode)| {
            Box::new(Cache {
                lines,
                line,
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
