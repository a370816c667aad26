//! An arbiter of lines: the readers of several streams share a cache, which each asks once for a line.
//!
//! Fetches take turns, and the cache answers them in order with whole lines. A reader asks only for lines that it has
//! a place for, so that no line waits for a reader, and none of them for another.

use crate::access::{Access, Lines};
use crate::area::Area;
use crate::connect::{Input, Output};
use crate::elastic::{self, SKID, SKID_DEPTH};
use crate::line_reads::{LineReads, ReadPorts};
use crate::sim::Io;
use crate::text::parameters;
use crate::unit::{DEEPEST, Model, Module, Origin, Passage, Port, Question, UnitKind, require};
use crate::units::arbiter::{CHOOSE, TURN};
use crate::units::fifo;
use crate::verilog::{Numbered, Source, numbered};

/// The arbiter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineArbiter {
    /// Those who fetch lines, 1 to [`LineArbiter::MOST_READERS`].
    pub readers: u32,
    /// Bits of an address.
    pub address_bits: u32,
    /// Bytes of a line.
    pub line: u32,
    /// Fetches whose lines are to come.
    pub outstanding: u32,
}

impl LineArbiter {
    /// Most readers of an arbiter.
    pub const MOST_READERS: u32 = 1024;

    /// The lines that a reader fetches.
    pub const fn fetch(reader: usize) -> Input<LineArbiter> {
        Input::numbered(reader, "fetch_#", reader)
    }

    /// The cache's answers.
    pub const fn response(&self) -> Input<LineArbiter> {
        Input::new(self.readers as usize, "response")
    }

    /// The lines that a reader has fetched.
    pub const fn fill(reader: usize) -> Output<LineArbiter> {
        Output::numbered(reader, "fill_#", reader)
    }

    /// Requests to the cache.
    pub const fn request(&self) -> Output<LineArbiter> {
        Output::new(self.readers as usize, "request")
    }

    fn transfers(&self) -> Lines {
        Lines {
            bytes: self.line,
            address_bits: self.address_bits,
        }
    }

    /// The port of the cache.
    fn access(&self) -> Access {
        Access {
            bytes: self.line,
            address_bits: self.address_bits,
        }
    }
}

const SOURCE: Source = Source {
    file: "sluice_line_arbiter.v",
    text: include_str!("line_arbiter.v"),
};

parameters! { UnitKind LineArbiter { readers, address_bits, line, outstanding } }

impl UnitKind for LineArbiter {
    fn check(&self) -> Result<(), String> {
        self.transfers().check()?;
        require(
            (1..=LineArbiter::MOST_READERS).contains(&self.readers),
            "an arbiter of lines has 1 to 1,024 readers",
        )?;
        require(
            (1..=DEEPEST).contains(&self.outstanding),
            "1 to a million fetches may be under way",
        )
    }

    fn passage(&self) -> Passage {
        Passage::Between(Vec::new())
    }

    fn module(&self) -> Module {
        let readers = self.readers;
        let name = format!("sluice_line_arbiter_{readers}");
        let text = numbered(&Numbered {
            name: &name,
            inner: "sluice_line_arbiter",
            fixed: &[("READERS", readers)],
            parameters: &[("ADDRESS", 32), ("LINE", 64), ("OUTSTANDING", 64)],
            inputs: vec![
                ("fetch", "(ADDRESS-$clog2(LINE))", Some(readers)),
                ("response", "(8*LINE)", None),
            ],
            outputs: vec![
                ("fill", "(8*LINE)", Some(readers)),
                ("request", "(9*LINE+ADDRESS+1)", None),
            ],
        });
        Module {
            name,
            parameters: vec![
                ("ADDRESS", self.address_bits.into()),
                ("LINE", self.line.into()),
                ("OUTSTANDING", self.outstanding.into()),
            ],
            sources: vec![fifo::QUEUE_MEMORY, fifo::SOURCE, SKID, TURN, CHOOSE, SOURCE],
            text: Some(text),
        }
    }

    /// Fetches of each reader, then the cache's answers.
    fn inputs(&self) -> Vec<Port> {
        let fetches = (0..self.readers as usize).map(LineArbiter::fetch);
        let fetches = fetches.map(|port| port.carrying(self.transfers().fetch()));
        let response = self.response().carrying(self.access().response());
        fetches.chain([response]).collect()
    }

    /// Fills of each reader, then requests to the cache.
    fn outputs(&self) -> Vec<Port> {
        let fills = (0..self.readers as usize).map(LineArbiter::fill);
        let fills = fills.map(|port| port.carrying(self.transfers().fill()));
        let request = self.request().carrying(self.access().request());
        fills.chain([request]).collect()
    }

    fn origin(&self, output: usize) -> Origin {
        match output < self.readers as usize {
            true => Origin::Among(self.response().index()),
            false => Origin::Unit,
        }
    }

    fn questions(&self) -> Vec<Question> {
        vec![Question {
            asked: self.request().index(),
            answered: self.response().index(),
        }]
    }

    /// Of fetches; a line takes one cycle.
    fn latency(&self) -> u32 {
        2
    }

    /// Fetches of one reader.
    fn capacity(&self) -> u32 {
        SKID_DEPTH as u32 + 1
    }

    fn area(&self) -> Area {
        let line = self.transfers().number_bits();
        let reader = self.readers.next_power_of_two().trailing_zeros().max(1);
        let beyond_two = self.readers.saturating_sub(2);
        Area::of(
            "line_arbiter",
            [
                ("units", 1),
                ("readers", self.readers),
                ("chosen bits of two", line * u32::from(self.readers > 1)),
                ("chosen bits of more", line * beyond_two),
            ],
        ) + fifo::area(reader, self.outstanding)
            + elastic::skid_area(8 * self.line + reader)
            + elastic::skid_area(line) * self.readers
    }

    fn model(&self) -> Box<dyn Model> {
        let ports = ReadPorts {
            readers: self.readers as usize,
            answer: self.response().index(),
            request: self.request().index(),
            address: crate::access::ADDRESS,
            fields: self.access().request().len(),
        };
        let reads = LineReads::new(ports, self.transfers(), self.outstanding as usize);
        Box::new(Behaviour { reads })
    }
}

struct Behaviour {
    reads: LineReads,
}

impl Model for Behaviour {
    fn reset(&mut self, _: &[u64], io: &mut Io<'_>) {
        self.reads.clear();
        self.reads.readers().for_each(|port| io.accept(port, true));
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        self.reads.clock(io);
        if self.reads.moves() {
            io.wake(io.cycle() + 1);
        }
    }
}

/// The choices for tests.
pub fn samples() -> Vec<Box<dyn UnitKind>> {
    [
        (1, 32, 64, 16),
        (2, 20, 16, 3),
        (3, 12, 16, 4),
        (5, 20, 8, 2),
        (17, 40, 32, 9),
    ]
    .map(|(readers, address_bits, line, outstanding)| {
        Box::new(LineArbiter {
            readers,
            address_bits,
            line,
            outstanding,
        }) as Box<dyn UnitKind>
    })
    .into()
}
