//! The port to external memory: the lines of several readers and writers over one AXI4 interface.
//!
//! A cache is a reader, a writer, or both.
//!
//! A transfer is one beat, a line; all have the same identifier, so that answers come in order.
//!
//! Fetches take turns. Where the readers belong to several datapaths, those of one datapath go on as long as
//! they have fetches: if all miss at the same time, the first one goes on while the others wait, and from
//! then on they miss at different times.

use crate::access::{LINE, Lines};
use crate::area::Area;
use crate::circuit::{Channel, Circuit};
use crate::connect::{Added, Input, Output};
use crate::dram;
use crate::elastic::{self, LOWEST, Queue, SKID, SKID_DEPTH};
use crate::line_reads::{LineReads, ReadPorts};
use crate::sim::Io;
use crate::text::parameters;
use crate::token_queue::TokenQueue;
use crate::turns::Wanting;
use crate::unit::{
    DEEPEST, Fields, Model, Module, Origin, Passage, Port, Question, UnitKind, require,
};
use crate::units::arbiter::{GATHER, ROUND_ROBIN};
use crate::units::buffer::Next;
use crate::units::fifo;
use crate::verilog::{Numbered, Source, numbered};

/// The port.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemoryPort {
    /// Those who fetch lines, up to [`MemoryPort::MOST_UNITS`].
    pub readers: u32,
    /// Datapaths that the readers belong to, as many to each, one behind the other; 1 where it does not matter.
    pub datapaths: u32,
    /// Fetches of one datapath in a row, at most, while others wait: a power of two from 2 on.
    pub longest_run: u32,
    /// Those who write lines back, up to [`MemoryPort::MOST_UNITS`]; there is a reader or a writer.
    pub writers: u32,
    /// Bits of an address.
    pub address_bits: u32,
    /// Bytes of a line.
    pub line: u32,
    /// Reads, and as many writes, whose answers are to come.
    pub outstanding: u32,
}

impl Lines {
    /// What an interface's address channels carry: a byte address, and beats less one.
    pub fn address(&self) -> Fields {
        Fields::new([self.address_bits, 8])
    }

    /// What an interface's read channel carries: a line, and whether it is the last beat.
    pub fn read(&self) -> Fields {
        self.fill().followed_by(&Fields::new([1]))
    }

    /// What an interface's write channel carries: a line, which bytes, and whether it is the last beat.
    pub fn write(&self) -> Fields {
        self.fill().followed_by(&Fields::new([self.bytes, 1]))
    }
}

impl MemoryPort {
    /// Fetches of one datapath in a row, unless there is a reason for others: as many as the work-items of
    /// a loop make when all of them go on to another line.
    pub const LONGEST_RUN: u32 = 256;

    /// Most readers at one port, and most writers.
    pub const MOST_UNITS: u32 = 1024;

    fn transfers(&self) -> Lines {
        Lines {
            bytes: self.line,
            address_bits: self.address_bits,
        }
    }

    /// Readers and writers: as many inputs and outputs are theirs.
    const fn units(&self) -> usize {
        (self.readers + self.writers) as usize
    }

    /// The lines that a reader fetches.
    pub const fn fetch(reader: usize) -> Input<MemoryPort> {
        Input::numbered(reader, "fetch_#", reader)
    }

    /// The lines that a writer writes back.
    pub const fn writeback(&self, writer: usize) -> Input<MemoryPort> {
        Input::numbered(self.readers as usize + writer, "writeback_#", writer)
    }

    /// The interface's read data.
    pub const fn r(&self) -> Input<MemoryPort> {
        Input::new(self.units(), "r")
    }

    /// The interface's answers to writes.
    pub const fn b(&self) -> Input<MemoryPort> {
        Input::new(self.units() + 1, "b")
    }

    /// The lines that a reader has fetched.
    pub const fn fill(reader: usize) -> Output<MemoryPort> {
        Output::numbered(reader, "fill_#", reader)
    }

    /// The lines of a writer that are written back.
    pub const fn writeback_done(&self, writer: usize) -> Output<MemoryPort> {
        Output::numbered(self.readers as usize + writer, "writeback_done_#", writer)
    }

    /// The interface's addresses of reads.
    pub const fn ar(&self) -> Output<MemoryPort> {
        Output::new(self.units(), "ar")
    }

    /// The interface's addresses of writes.
    pub const fn aw(&self) -> Output<MemoryPort> {
        Output::new(self.units() + 1, "aw")
    }

    /// The interface's data of writes.
    pub const fn w(&self) -> Output<MemoryPort> {
        Output::new(self.units() + 2, "w")
    }
}

/// The channels of an AXI4 interface to external memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemoryInterface {
    /// Addresses of reads, to memory.
    pub ar: Channel,
    /// Addresses of writes, to memory.
    pub aw: Channel,
    /// Data of writes, to memory.
    pub w: Channel,
    /// Read data, from memory.
    pub r: Channel,
    /// Answers to writes, from memory.
    pub b: Channel,
    /// Bytes of a line.
    pub line: u32,
}

impl MemoryInterface {
    /// Leads the interface of a port that was added to the environment of its circuit.
    pub fn expose(
        circuit: &mut Circuit,
        port: &MemoryPort,
        added: &Added<MemoryPort>,
    ) -> MemoryInterface {
        let interface = MemoryInterface {
            ar: added.output(port.ar()),
            aw: added.output(port.aw()),
            w: added.output(port.w()),
            r: added.input(port.r()),
            b: added.input(port.b()),
            line: port.line,
        };
        circuit.add_input(interface.r);
        circuit.add_input(interface.b);
        circuit.add_output(interface.ar);
        circuit.add_output(interface.aw);
        circuit.add_output(interface.w);
        interface
    }

    /// Whether a channel is one of its.
    pub fn contains(&self, channel: Channel) -> bool {
        [self.ar, self.aw, self.w, self.r, self.b].contains(&channel)
    }

    /// The ports of a model of the circuit's environment that its channels are.
    pub fn ports(&self, circuit: &Circuit) -> dram::Ports {
        dram::Ports {
            ar: circuit.output_index(self.ar),
            aw: circuit.output_index(self.aw),
            w: circuit.output_index(self.w),
            r: circuit.input_index(self.r),
            b: circuit.input_index(self.b),
            line: self.line,
        }
    }
}

const SOURCE: Source = Source {
    file: "sluice_memory_port.v",
    text: include_str!("memory_port.v"),
};

/// The number of the bit that is set in a mask.
const NUMBER_OF: Source = Source {
    file: "sluice_number_of.v",
    text: include_str!("number_of.v"),
};

parameters! { UnitKind MemoryPort { readers, datapaths, longest_run, writers, address_bits, line, outstanding } }

impl UnitKind for MemoryPort {
    fn check(&self) -> Result<(), String> {
        require(
            self.readers.max(self.writers) <= MemoryPort::MOST_UNITS && self.units() > 0,
            "a port has up to 1,024 readers and as many writers, at least one of them",
        )?;
        let datapaths = self.datapaths;
        require(
            datapaths == 1
                || (datapaths > 1 && self.readers > 0 && self.readers.is_multiple_of(datapaths)),
            "each datapath has as many readers",
        )?;
        require(
            self.longest_run.is_power_of_two() && (2..=DEEPEST).contains(&self.longest_run),
            "a datapath fetches a power of two of lines in a row, 2 to a million",
        )?;
        self.transfers().check()?;
        require(
            (1..=DEEPEST).contains(&self.outstanding),
            "1 to a million reads and writes may be under way",
        )
    }

    fn passage(&self) -> Passage {
        Passage::Between(Vec::new())
    }

    fn module(&self) -> Module {
        let (readers, writers) = (self.readers, self.writers);
        let datapaths = self.datapaths;
        let name = match datapaths {
            1 => format!("sluice_memory_port_{readers}_{writers}"),
            _ => format!("sluice_memory_port_{readers}_of_{datapaths}_{writers}"),
        };
        let text = numbered(&Numbered {
            name: &name,
            inner: "sluice_memory_port",
            fixed: &[
                ("READERS", readers.max(1)),
                ("DATAPATHS", datapaths),
                ("WRITERS", writers.max(1)),
            ],
            parameters: &[
                ("LONGEST_RUN", 256),
                ("ADDRESS", 32),
                ("LINE", 64),
                ("OUTSTANDING", 64),
            ],
            inputs: vec![
                ("fetch", "(ADDRESS-$clog2(LINE))", Some(readers)),
                ("writeback", "(ADDRESS-$clog2(LINE)+9*LINE)", Some(writers)),
                ("r", "(8*LINE+1)", None),
                ("b", "1", None),
            ],
            outputs: vec![
                ("fill", "(8*LINE)", Some(readers)),
                ("writeback_done", "1", Some(writers)),
                ("ar", "ADDRESS+8", None),
                ("aw", "ADDRESS+8", None),
                ("w", "(9*LINE+1)", None),
            ],
        });
        Module {
            name,
            parameters: vec![
                ("LONGEST_RUN", self.longest_run.into()),
                ("ADDRESS", self.address_bits.into()),
                ("LINE", self.line.into()),
                ("OUTSTANDING", self.outstanding.into()),
            ],
            sources: vec![
                fifo::QUEUE_MEMORY,
                fifo::SOURCE,
                SKID,
                LOWEST,
                ROUND_ROBIN,
                GATHER,
                NUMBER_OF,
                SOURCE,
            ],
            text: Some(text),
        }
    }

    /// Fetches of each reader, write-backs of each writer, then r and b.
    fn inputs(&self) -> Vec<Port> {
        let fetch = self.transfers().fetch();
        let fetches = (0..self.readers as usize).map(MemoryPort::fetch);
        let fetches = fetches.map(|port| port.carrying(fetch.clone()));
        let writeback = self.transfers().writeback();
        let writebacks = (0..self.writers as usize).map(|writer| self.writeback(writer));
        let writebacks = writebacks.map(|port| port.carrying(writeback.clone()));
        let answers = [
            self.r().carrying(self.transfers().read()),
            self.b().carrying(Fields::NONE),
        ];
        fetches.chain(writebacks).chain(answers).collect()
    }

    /// Fills of each reader, answers to each writer, then ar, aw and w.
    fn outputs(&self) -> Vec<Port> {
        let fills = (0..self.readers as usize).map(MemoryPort::fill);
        let fills = fills.map(|port| port.carrying(self.transfers().fill()));
        let dones = (0..self.writers as usize).map(|writer| self.writeback_done(writer));
        let dones = dones.map(|port| port.carrying(Fields::NONE));
        let requests = [
            self.ar().carrying(self.transfers().address()),
            self.aw().carrying(self.transfers().address()),
            self.w().carrying(self.transfers().write()),
        ];
        fills.chain(dones).chain(requests).collect()
    }

    fn origin(&self, output: usize) -> Origin {
        match output {
            fill if fill < self.readers as usize => Origin::Among(self.r().index()),
            done if done < self.units() => Origin::Among(self.b().index()),
            _ => Origin::Unit,
        }
    }

    fn questions(&self) -> Vec<Question> {
        let question = |asked: Output<MemoryPort>, answered: Input<MemoryPort>| Question {
            asked: asked.index(),
            answered: answered.index(),
        };
        vec![question(self.ar(), self.r()), question(self.aw(), self.b())]
    }

    /// Of requests; answers take one cycle.
    fn latency(&self) -> u32 {
        2
    }

    /// Fetches. Of write-backs it holds as many, one of them for each writer.
    fn capacity(&self) -> u32 {
        SKID_DEPTH as u32 + 1
    }

    fn area(&self) -> Area {
        let line = self.transfers().number_bits();
        let back = line + 9 * self.line;
        let number = |count: u32| count.next_power_of_two().trailing_zeros().max(1);
        let (reader, writer) = (number(self.readers), number(self.writers));
        let order = |number: u32| fifo::area(number, self.outstanding) + elastic::skid_area(line);
        let lines = elastic::skid_area(8 * self.line + reader) + elastic::skid_area(9 * self.line);
        // Of two and of more, what is chosen among them takes different logic.
        let chosen = |count: u32, bits: u32| match count {
            0 | 1 => (0, 0),
            2 => (bits, 0),
            _ => (0, (count - 1) * bits),
        };
        let (fetches, writebacks) = (chosen(self.readers, line), chosen(self.writers, back));
        Area::of(
            "memory_port",
            [
                ("units", 1),
                ("readers and writers", self.readers + self.writers),
                ("writer bits", self.writers * back),
                ("chosen bits of two", fetches.0 + writebacks.0),
                ("chosen bits of many", fetches.1 + writebacks.1),
            ],
        ) + order(reader)
            + order(writer)
            + lines
            + elastic::skid_area(writer)
            + elastic::skid_area(line) * self.readers
    }

    fn model(&self) -> Box<dyn Model> {
        let [readers, writers] = [self.readers, self.writers].map(|count| count as usize);
        Box::new(Behaviour {
            reads: LineReads::new(
                ReadPorts {
                    readers,
                    answer: self.r().index(),
                    request: self.ar().index(),
                    address: 0,
                    fields: 2,
                },
                self.transfers(),
                self.outstanding as usize,
            )
            .in_runs(self.readers / self.datapaths, self.longest_run),
            readers,
            writers,
            transfers: self.transfers(),
            outstanding: self.outstanding as usize,
            writebacks: (0..writers)
                .map(|_| TokenQueue::new(2 + self.transfers().words()))
                .collect(),
            writing: Wanting::new(writers),
            last_writeback: 0,
            next_address: Next::default(),
            next_data: Next::default(),
            write_order: Queue::default(),
            dones: TokenQueue::new(1),
            writes_move: false,
        })
    }
}

/// Fields of the longest line with two more.
const LONGEST_BEAT: usize = LINE as usize / 8 + 2;

struct Behaviour {
    reads: LineReads,
    readers: usize,
    writers: usize,
    transfers: Lines,
    outstanding: usize,
    writebacks: Vec<TokenQueue>,
    /// The writers with a write-back here.
    writing: Wanting,
    last_writeback: u32,
    /// What stands behind the address and the data at the interface.
    next_address: Next,
    next_data: Next,
    write_order: Queue<u32>,
    dones: TokenQueue,
    /// Whether something happens to writes at the next edge though no token passes.
    writes_move: bool,
}

impl Behaviour {
    // Ports, behind those of the readers and writers.
    fn units(&self) -> usize {
        self.readers + self.writers
    }

    fn b(&self) -> usize {
        self.units() + 1
    }

    fn aw(&self) -> usize {
        self.units() + 1
    }

    fn w(&self) -> usize {
        self.units() + 2
    }

    /// Passes a write-back on; gives whose.
    fn grant_writeback(&mut self, io: &mut Io<'_>) -> Option<u32> {
        let granted = self.next_writeback();
        let (aw, w) = (self.aw(), self.w());
        self.next_address.advance(io, aw);
        self.next_data.advance(io, w);
        let next = granted?;
        let queue = &mut self.writebacks[next as usize];
        let token = queue.front();
        let address = [token[0] << self.transfers.offset_bits(), 0];
        self.next_address.put(io, aw, &address);
        let words = self.transfers.words();
        let mut beat = [0; LONGEST_BEAT];
        beat[..words].copy_from_slice(&token[2..]);
        (beat[words], beat[words + 1]) = (token[1], 1);
        self.next_data.put(io, w, &beat[..words + 2]);
        queue.pop();
        self.writing.remove(next);
        self.last_writeback = next;
        Some(next)
    }

    /// Whose write-back is passed on at the next edge.
    fn next_writeback(&self) -> Option<u32> {
        let space = self.write_order.stored() < self.outstanding;
        let room = self.next_address.has_room() && self.next_data.has_room();
        let next = || {
            self.writing
                .next_in(0..self.writers as u32, self.last_writeback)
        };
        (space && room).then(next).flatten()
    }

    /// Whether the edge in progress concerns writes.
    fn sees_writes(&self, io: &Io<'_>) -> bool {
        let writers = self.readers..self.units();
        let passes = io.takes(self.b()) || io.given(self.aw()) || io.given(self.w());
        self.writes_move || passes || io.passes(writers.clone(), writers)
    }

    fn clock_writes(&mut self, io: &mut Io<'_>) {
        let done_port = |to: u64, readers: usize| readers + to as usize;
        if !self.dones.is_empty() && io.given(done_port(self.dones.front()[0], self.readers)) {
            self.dones.pop();
        }
        let answered = io.taken(self.b()).and(self.write_order.head());
        if let Some(to) = answered {
            self.dones.push(&[to.into()]);
        }
        let granted = self.grant_writeback(io);
        self.write_order.clock(answered, granted);
        for at in 0..self.writers {
            if let Some(token) = io.taken(self.readers + at) {
                self.writebacks[at].push(token);
                self.writing.insert(at as u32);
            }
        }
        let next = self.next_writeback();
        for at in 0..self.writers {
            let free = self.writebacks[at].is_empty() || next == Some(at as u32);
            io.accept(self.readers + at, free);
        }
        if !self.dones.is_empty() {
            let port = done_port(self.dones.front()[0], self.readers);
            if !io.offering(port) {
                io.offer(port, &[]);
            }
        }
        let takes = self.dones.len() < SKID_DEPTH && self.write_order.head().is_some();
        io.accept(self.b(), takes);
        self.writes_move = self.next_writeback().is_some() || self.write_order.moves();
    }
}

impl Model for Behaviour {
    fn reset(&mut self, _: &[u64], io: &mut Io<'_>) {
        self.reads.clear();
        self.writebacks.iter_mut().for_each(TokenQueue::clear);
        self.write_order.clear();
        self.dones.clear();
        self.next_address.clear();
        self.next_data.clear();
        self.writing.clear();
        self.last_writeback = 0;
        self.writes_move = false;
        (0..self.units()).for_each(|port| io.accept(port, true));
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        // Reads have nothing to do with writes.
        if self.reads.sees(io) {
            self.reads.clock(io);
        }
        if self.sees_writes(io) {
            self.clock_writes(io);
        }
        if self.reads.moves() || self.writes_move {
            io.wake(io.cycle() + 1);
        }
    }
}

/// The choices for tests.
pub fn samples() -> Vec<Box<dyn UnitKind>> {
    [
        (1, 1, 1, 32, 64, 16),
        (2, 1, 2, 12, 16, 4),
        (3, 1, 1, 40, 64, 2),
        (2, 2, 1, 20, 16, 9),
        (0, 1, 2, 20, 8, 9),
        (5, 1, 0, 20, 32, 9),
        (33, 1, 70, 16, 8, 24),
        (6, 3, 0, 20, 8, 9),
    ]
    .map(
        |(readers, datapaths, writers, address_bits, line, outstanding)| {
            Box::new(MemoryPort {
                readers,
                datapaths,
                longest_run: 4,
                writers,
                address_bits,
                line,
                outstanding,
            }) as Box<dyn UnitKind>
        },
    )
    .into()
}
