//! A constant table: a memory that is read only and full from the start.

use std::fmt::Write;

use crate::access::{Access, copy_piece};
use crate::area::Area;
use crate::connect::{Input, Output};
use crate::elastic::{PortQueue, TALLY};
use crate::family::memories::Memory;
use crate::sim::Io;
use crate::text::parameters;
use crate::unit::{Model, Module, Origin, Port, UnitKind, require};
use crate::units::fifo;
use crate::verilog::{Source, is_identifier};

/// The table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rom {
    /// Its name, part of that of its module: tables of a circuit with different contents, or read
    /// through ports of different widths, have different names.
    pub name: String,
    /// The port that it is read through. Addresses count from the table's start; those beyond its
    /// end read zeros or wrap around. Writes are ignored.
    pub access: Access,
    /// The bytes.
    pub contents: Vec<u8>,
}

const SOURCE: Source = Source {
    file: "sluice_rom.v",
    text: include_str!("rom.v"),
};

/// Responses that wait to be taken.
const ANSWERS: u32 = 8;

impl Rom {
    /// Words of the port's width, a power of two.
    fn words(&self) -> usize {
        let words = self.contents.len().div_ceil(self.access.bytes as usize);
        words.next_power_of_two().max(2)
    }

    /// Bits of a word's number.
    fn index_bits(&self) -> u32 {
        let bits = self.words().trailing_zeros();
        assert!(
            bits + self.access.bytes.trailing_zeros() <= self.access.address_bits,
            "addresses reach the whole table {}",
            self.name
        );
        bits
    }

    /// The module with the contents, and one around it and the common part.
    fn text(&self) -> String {
        let (name, bytes, words) = (&self.name, self.access.bytes as usize, self.words());
        let (width, index) = (8 * bytes, self.index_bits());
        let mut text = String::from("`default_nettype none\n\n");
        let mut line = |arguments: std::fmt::Arguments<'_>| {
            writeln!(text, "{arguments}").expect("strings take all text");
        };
        line(format_args!(
            "module sluice_rom_{name}_table (\n    input  wire clk,\n    input  wire [{}:0] index,\n    output reg  [{}:0] data\n);",
            index - 1,
            width - 1
        ));
        line(format_args!(
            "    (* rom_style = \"block\" *)\n    reg [{}:0] words [0:{}];\n\n    initial begin",
            width - 1,
            words - 1
        ));
        for word in 0..words {
            let start = self.contents.len().min(word * bytes);
            let end = self.contents.len().min(start + bytes);
            let digits = self.contents[start..end].iter().rev();
            let digits: String = digits.map(|byte| format!("{byte:02x}")).collect();
            let digits = if digits.is_empty() { "0" } else { &digits };
            line(format_args!("        words[{word}] = {width}'h{digits};"));
        }
        line(format_args!(
            "    end\n\n    always @(posedge clk)\n        data <= words[index];\nendmodule\n"
        ));
        line(format_args!(
            "module sluice_rom_{name} #(\n    parameter BYTES   = {bytes},\n    parameter ADDRESS = 32\n) ("
        ));
        text.push_str(PORTS);
        text.push_str(&format!(
            "    wire [{}:0] index;\n    wire [8*BYTES-1:0] data;\n    sluice_rom_{name}_table table_of_words (.clk(clk), .index(index), .data(data));\n    sluice_rom #(.BYTES(BYTES), .ADDRESS(ADDRESS), .INDEX({index}), .ANSWERS({ANSWERS})) inner (\n{CONNECTIONS}",
            index - 1
        ));
        text.push_str("endmodule\n\n`default_nettype wire\n");
        text
    }
}

const PORTS: &str = "    input  wire                     clk,
    input  wire                     rst,
    input  wire                     request_valid,
    output wire                     request_ready,
    input  wire [9*BYTES+ADDRESS:0] request,
    output wire                     response_valid,
    input  wire                     response_ready,
    output wire [8*BYTES-1:0]       response
);
";

const CONNECTIONS: &str = "        .clk(clk), .rst(rst), .index(index), .data(data),
        .request_valid(request_valid), .request_ready(request_ready), .request(request),
        .response_valid(response_valid), .response_ready(response_ready), .response(response)
    );
";

impl Rom {
    /// Requests.
    pub const REQUEST: Input<Rom> = Input::new(0, "request");
    /// What was read.
    pub const RESPONSE: Output<Rom> = Output::new(0, "response");
}

parameters! { UnitKind Rom { name, access, contents } }

impl UnitKind for Rom {
    fn check(&self) -> Result<(), String> {
        require(is_identifier(&self.name), "a table's name is an identifier")?;
        self.access.check()?;
        let bits = self.words().trailing_zeros() + self.access.bytes.trailing_zeros();
        require(
            bits <= self.access.address_bits,
            "addresses reach the whole table",
        )
    }

    fn module(&self) -> Module {
        Module {
            name: format!("sluice_rom_{}", self.name),
            parameters: vec![
                ("BYTES", self.access.bytes.into()),
                ("ADDRESS", self.access.address_bits.into()),
            ],
            sources: vec![fifo::QUEUE_MEMORY, fifo::SOURCE, TALLY, SOURCE],
            text: Some(self.text()),
        }
    }

    fn inputs(&self) -> Vec<Port> {
        vec![Rom::REQUEST.carrying(self.access.request())]
    }

    fn outputs(&self) -> Vec<Port> {
        vec![Rom::RESPONSE.carrying(self.access.response())]
    }

    fn origin(&self, _: usize) -> Origin {
        Origin::Each
    }

    fn latency(&self) -> u32 {
        4
    }

    fn capacity(&self) -> u32 {
        ANSWERS
    }

    fn area(&self) -> Area {
        let width = 8 * self.access.bytes;
        Area::of("rom", [("units", 1), ("bits", width)])
            + fifo::area(width, ANSWERS)
            + Area::memory(Memory::block(width, self.words() as u32))
    }

    fn model(&self) -> Box<dyn Model> {
        let bytes = self.access.bytes as usize;
        let mut padded = self.contents.clone();
        padded.resize((self.words() * bytes).next_multiple_of(8), 0);
        let words = padded.chunks(8);
        let words = words.map(|word| u64::from_le_bytes(word.try_into().expect("eight bytes")));
        Box::new(Behaviour {
            access: self.access,
            contents: words.collect(),
            words: self.words(),
            credits: ANSWERS,
            reading: [None; 2],
            answers: PortQueue::new(RESPONSE, self.access.words()),
            answer: vec![0; self.access.words()],
        })
    }
}

const REQUEST: usize = Rom::REQUEST.index();
const RESPONSE: usize = Rom::RESPONSE.index();

struct Behaviour {
    access: Access,
    contents: Vec<u64>,
    words: usize,
    credits: u32,
    /// Numbers of the words being read.
    reading: [Option<usize>; 2],
    answers: PortQueue,
    answer: Vec<u64>,
}

impl Model for Behaviour {
    fn reset(&mut self, _: &[u64], io: &mut Io<'_>) {
        self.credits = ANSWERS;
        self.reading = [None; 2];
        self.answers.clear();
        io.accept(REQUEST, true);
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        if io.given(RESPONSE) {
            self.credits += 1;
        }
        self.answers.clock(io);
        let [first, second] = self.reading;
        if let Some(word) = second {
            copy_piece(&self.contents, word, &mut self.answer, 0, self.access.bytes);
            self.answers.push(&self.answer);
        }
        let bytes = u64::from(self.access.bytes);
        let read = io.taken(REQUEST).filter(|token| token[0] == 0);
        let read = read.map(|token| (token[1] / bytes) as usize & (self.words - 1));
        self.credits -= u32::from(read.is_some());
        self.reading = [read, first];
        io.accept(REQUEST, self.credits != 0);
        if self.reading.iter().any(Option::is_some) || self.answers.moves(io) {
            io.wake(io.cycle() + 1);
        }
    }
}

/// The choices for tests.
pub fn samples() -> Vec<Box<dyn UnitKind>> {
    [(1, 5), (4, 64), (8, 1000), (16, 16), (64, 200)]
        .map(|(bytes, size)| {
            Box::new(Rom {
                name: format!("sample_{bytes}"),
                access: Access {
                    bytes,
                    address_bits: 12,
                },
                contents: (0..size).map(|at| (at * 37 + 11) as u8).collect(),
            }) as Box<dyn UnitKind>
        })
        .into()
}
