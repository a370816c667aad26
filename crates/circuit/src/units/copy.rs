//! A copy of a small buffer on the chip, for kernels that only read it: stands between loads and a memory port, in the
//! place of a cache.
//!
//! At the start of a launch it fetches the lines of the buffer, one behind the other. When all have come, each of those
//! who read has a port of its own, with one word per cycle. One who reads anywhere has a memory with all of the copy;
//! one who always reads the same word has that word in a register. What lies beyond the lines of the buffer, or beyond
//! the copy, is read as zeros.
//!
//! A flush makes it forget everything: the next launch sees what the host has written in between.

mod model;

use crate::access::{Access, Lines};
use crate::area::Area;
use crate::connect::{Input, Output};
use crate::elastic::TALLY;
use crate::family::memories::Memory;
use crate::text::parameters;
use crate::unit::{
    DEEPEST, Fields, Model, Module, Passage, Port, Question, UnitKind, Wire, require,
};
use crate::units::fifo;
use crate::verilog::{Source, concatenate, wrap};

/// The copy. Its constants are the address of the buffer, at the beginning of a line, and its size in bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BufferCopy {
    /// The port towards each load.
    pub access: Access,
    /// Bytes of a line.
    pub line: u32,
    /// Its size in bytes: a power of two.
    pub bytes: u32,
    /// Bytes that are written to its memories in a cycle: a power of two, a word of the ports at least and a line at most.
    pub piece: u32,
    /// Those who read anywhere.
    pub readers: u32,
    /// The words that others read, by their numbers in the copy.
    pub words: Vec<u32>,
    /// Answers with the same word that wait to be taken: only their number is kept.
    pub waiting: u32,
}

impl BufferCopy {
    /// Most bytes of a copy.
    pub const MOST_BYTES: u32 = 1 << 16;

    /// Most of those who read.
    pub const MOST_PORTS: usize = 1024;

    /// Cycles from a request to its answer, when the lines have come.
    pub const LATENCY: u32 = 5;

    /// Starts of launches.
    pub const START: Input<BufferCopy> = Input::new(0, "start");
    /// Lines that were fetched.
    pub const FILL: Input<BufferCopy> = Input::new(1, "fill");
    /// Demands to forget what was read.
    pub const FLUSH: Input<BufferCopy> = Input::new(2, "flush");
    /// Lines to fetch.
    pub const FETCH: Output<BufferCopy> = Output::new(0, "fetch");
    /// Everything is forgotten.
    pub const FLUSHED: Output<BufferCopy> = Output::new(1, "flushed");

    /// Requests of a port: first come those who read anywhere. Each counts as one that reads.
    pub const fn request(port: usize) -> Input<BufferCopy> {
        Input::numbered(3 + port, "request_#", port)
    }

    /// What a port has read.
    pub const fn response(port: usize) -> Output<BufferCopy> {
        Output::numbered(2 + port, "response_#", port)
    }

    /// The bytes that are written in a cycle so that memories need few blocks, and the copy is complete soon: a block has
    /// some 512 places of four bytes. Where no memories are needed, whole lines are written.
    pub fn piece(word: u32, line: u32, bytes: u32, readers: u32) -> u32 {
        match readers {
            0 => line,
            _ => (bytes / 512).max(4).clamp(word, line),
        }
    }

    fn ports(&self) -> usize {
        self.readers as usize + self.words.len()
    }

    fn lines(&self) -> u32 {
        self.bytes / self.line
    }

    /// Places of its memories.
    fn places(&self) -> u32 {
        self.bytes / self.piece
    }

    /// Whether its memories are blocks: distributed ones are cheap up to this depth.
    fn is_block(&self) -> bool {
        self.places() > 32
    }

    fn transfers(&self) -> Lines {
        Lines {
            bytes: self.line,
            address_bits: self.access.address_bits,
        }
    }

    /// The numbers of the words as a constant of Verilog.
    fn word_numbers(&self) -> String {
        let bits = (self.bytes / self.access.bytes).trailing_zeros() as usize;
        let numbers = self.words.iter().rev();
        let digits: String = numbers.map(|word| format!("{word:0bits$b}")).collect();
        match digits.len() {
            0 => format!("{bits}'d0"),
            length => format!("{length}'b{digits}"),
        }
    }

    /// The connections of some of the ports to those of the module inside.
    fn connections(&self, inside: [&str; 2], ports: std::ops::Range<usize>) -> String {
        let [asked, answered] = inside;
        let all = |what: &str| {
            let names = ports.clone().map(|at| what.replace('#', &at.to_string()));
            concatenate(names)
        };
        let address = match asked {
            "read" => {
                let low_to_high = format!("request_#[{}:1]", self.access.address_bits);
                format!("        .read({}),\n", all(&low_to_high))
            }
            _ => String::new(),
        };
        format!(
            "        .{asked}_valid({}),\n        .{asked}_ready({}),\n{address}\
             \x20       .{answered}_valid({}),\n        .{answered}_ready({}),\n        .{answered}({})",
            all("request_#_valid"),
            all("request_#_ready"),
            all("response_#_valid"),
            all("response_#_ready"),
            all("response_#"),
        )
    }

    /// The same where there are none: the module inside has one of each kind at least.
    fn unconnected(&self, inside: [&str; 2]) -> [String; 2] {
        let [asked, answered] = inside;
        let data = 8 * self.access.bytes - 1;
        let address = match asked {
            "read" => format!("        .read({}'d0),\n", self.access.address_bits),
            _ => String::new(),
        };
        let wires = format!(
            "    wire unused_{asked}_ready, unused_{answered}_valid;\n    wire [{data}:0] unused_{answered};\n"
        );
        let connections = format!(
            "        .{asked}_valid(1'b0),\n        .{asked}_ready(unused_{asked}_ready),\n{address}\
             \x20       .{answered}_valid(unused_{answered}_valid),\n        .{answered}_ready(1'b0),\n\
             \x20       .{answered}(unused_{answered})"
        );
        [wires, connections]
    }
}

/// Answers to a reader that wait to be taken.
const ANSWERS: u32 = 8;

const SOURCES: [Source; 3] = [
    Source {
        file: "sluice_copy_reader.v",
        text: include_str!("copy_reader.v"),
    },
    Source {
        file: "sluice_copy_word.v",
        text: include_str!("copy_word.v"),
    },
    Source {
        file: "sluice_copy.v",
        text: include_str!("copy.v"),
    },
];

parameters! { UnitKind BufferCopy { access, line, bytes, piece, readers, words, waiting } }

impl UnitKind for BufferCopy {
    fn check(&self) -> Result<(), String> {
        self.transfers().check_access(&self.access)?;
        let has_pieces = self.piece.is_power_of_two();
        require(
            has_pieces && (self.access.bytes..=self.line).contains(&self.piece),
            "a piece is a power of two of bytes, a word at least and a line at most",
        )?;
        let sizes = 2 * self.line..=BufferCopy::MOST_BYTES;
        require(
            self.bytes.is_power_of_two() && sizes.contains(&self.bytes),
            "a copy has a power of two of bytes, two lines at least and 64 KiB at most",
        )?;
        require(
            self.bytes.trailing_zeros() + 1 < self.access.address_bits,
            "a copy is smaller than half of memory",
        )?;
        require(
            (1..=BufferCopy::MOST_PORTS).contains(&self.ports()),
            "1 to 1,024 read a copy",
        )?;
        require(
            (2..=DEEPEST).contains(&self.waiting),
            "2 to a million answers with the same word may wait",
        )?;
        let words = self.bytes / self.access.bytes;
        require(
            self.words.iter().all(|&word| word < words),
            "words are those of the copy",
        )
    }

    fn passage(&self) -> Passage {
        Passage::Between(vec![(
            BufferCopy::FLUSH.index(),
            BufferCopy::FLUSHED.index(),
        )])
    }

    fn module(&self) -> Module {
        let readers = self.readers as usize;
        let groups = [
            (["read", "data"], 0..readers),
            (["get", "word"], readers..self.ports()),
        ];
        let (mut wires, mut connections) = (String::new(), Vec::new());
        for (inside, ports) in groups {
            match ports.is_empty() {
                true => {
                    let [unused, none] = self.unconnected(inside);
                    wires.push_str(&unused);
                    connections.push(none);
                }
                false => connections.push(self.connections(inside, ports)),
            }
        }
        let requests = concatenate((0..self.ports()).map(|at| format!("request_{at}")));
        let body = format!(
            "{wires}    sluice_copy #(\n        .BYTES({}), .ADDRESS({}), .LINE({}), .LINES({}), .PIECE({}), .READERS({}), \
             .WORDS({}),\n        .BLOCK({}), .ANSWERS({ANSWERS}), .WAITING({}), .PLACES({})\n    ) inner (\n\
             \x20       .clk(clk), .rst(rst), .base(base), .bytes(bytes),\n\
             \x20       .start_valid(start_valid), .start_ready(start_ready),\n\
             \x20       .fill_valid(fill_valid), .fill_ready(fill_ready), .fill(fill),\n\
             \x20       .flush_valid(flush_valid), .flush_ready(flush_ready),\n\
             \x20       .fetch_valid(fetch_valid), .fetch_ready(fetch_ready), .fetch(fetch),\n\
             \x20       .flushed_valid(flushed_valid), .flushed_ready(flushed_ready),\n{}\n    );\n\
             \x20   assign flushed = 1'b0;\n    wire unused = &{{1'b0, start, flush, {requests}}};\n",
            self.access.bytes,
            self.access.address_bits,
            self.line,
            self.lines(),
            self.piece,
            readers.max(1),
            self.words.len().max(1),
            u32::from(self.is_block()),
            self.waiting,
            self.word_numbers(),
            connections.join(",\n"),
        );
        let library = [fifo::QUEUE_MEMORY, fifo::SOURCE, TALLY];
        let sources: Vec<Source> = library.into_iter().chain(SOURCES).collect();
        wrap(self, "sluice_copy", &body, sources)
    }

    fn inputs(&self) -> Vec<Port> {
        let fixed = [
            BufferCopy::START.carrying(Fields::NONE),
            BufferCopy::FILL.carrying(self.transfers().fill()),
            BufferCopy::FLUSH.carrying(Fields::NONE),
        ];
        let requests = (0..self.ports()).map(BufferCopy::request);
        let requests = requests.map(|port| port.carrying(self.access.request()));
        fixed.into_iter().chain(requests).collect()
    }

    fn outputs(&self) -> Vec<Port> {
        let fixed = [
            BufferCopy::FETCH.carrying(self.transfers().fetch()),
            BufferCopy::FLUSHED.carrying(Fields::NONE),
        ];
        let responses = (0..self.ports()).map(BufferCopy::response);
        let responses = responses.map(|port| port.carrying(self.access.response()));
        fixed.into_iter().chain(responses).collect()
    }

    fn constants(&self) -> Vec<Wire> {
        let wire = |(name, width): (&str, u32)| Wire {
            name: name.into(),
            width,
        };
        [("base", 64), ("bytes", 32)].map(wire).into()
    }

    fn questions(&self) -> Vec<Question> {
        vec![Question {
            asked: BufferCopy::FETCH.index(),
            answered: BufferCopy::FILL.index(),
        }]
    }

    fn latency(&self) -> u32 {
        match self.readers {
            0 => 1,
            _ => BufferCopy::LATENCY,
        }
    }

    /// Requests of one port, when the lines have come.
    fn capacity(&self) -> u32 {
        match self.words.len() {
            0 => ANSWERS,
            _ => self.waiting.min(ANSWERS),
        }
    }

    fn area(&self) -> Area {
        let (number, places) = (self.transfers().number_bits(), self.places());
        let (readers, words) = (self.readers, self.words.len() as u32);
        let (width, piece) = (8 * self.access.bytes, 8 * self.piece);
        let own = Area::of(
            "copy",
            [
                ("units", 1),
                ("fetch bits", number + 4 * places.trailing_zeros()),
                ("line bits", 8 * self.line),
                ("piece bits", piece),
                ("chosen bits of lines", 8 * self.line - piece),
                ("readers", readers),
                ("address bits", readers * number),
                ("read bits", readers * width),
                ("chosen bits of pieces", readers * (piece - width)),
                ("words", words),
                ("count bits", words * fifo::bits_of(self.waiting)),
                ("word bits", words * width),
            ],
        );
        let memory = match self.is_block() {
            true => Memory::block(piece, places),
            false => Memory::registered(piece, places),
        };
        own + (fifo::area(width, ANSWERS) + Area::memory(memory)) * readers
    }

    fn model(&self) -> Box<dyn Model> {
        Box::new(model::Behaviour::new(self))
    }
}

/// The choices for tests.
pub fn samples() -> Vec<Box<dyn UnitKind>> {
    // Bytes of a port, bits of an address, bytes of a line, of the copy, of a piece; readers; words.
    let choices: [([u32; 6], &[u32]); 7] = [
        ([4, 6, 8, 16, 4, 2], &[]),
        ([1, 6, 8, 16, 8, 1], &[0, 3, 15]),
        ([8, 6, 8, 16, 8, 0], &[1, 0]),
        ([2, 12, 16, 128, 2, 3], &[5]),
        ([4, 8, 32, 64, 8, 1], &[3, 9, 3]),
        ([64, 9, 64, 128, 64, 2], &[1]),
        ([16, 40, 16, 1024, 16, 1], &[]),
    ];
    choices
        .map(
            |([bytes, address_bits, line, size, piece, readers], words)| {
                Box::new(BufferCopy {
                    access: Access {
                        bytes,
                        address_bits,
                    },
                    line,
                    bytes: size,
                    piece,
                    readers,
                    words: words.into(),
                    waiting: 2 + readers,
                }) as Box<dyn UnitKind>
            },
        )
        .into()
}
