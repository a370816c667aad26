//! The registers through which a host controls a kernel: an AXI4-Lite slave of 32 bits.
//!
//! Seen from a host, with more words, in `docs/registers.md`.
//!
//! | offset | register | bits |
//! | --- | --- | --- |
//! | 0x00 | control | 0 *start*, 1 *done*, 2 *idle*, 3 *fault* |
//! | 0x04 | interrupt enable | 0 *done* |
//! | 0x08 | interrupt status | 0 *done* |
//! | 0x10, 0x14 | cycles | low and high word, read only |
//! | 0x40 + 8 i | argument i | low word; the high one follows |
//!
//! Writing 1 to *start* starts a launch and clears *done* and *fault*; it reads as 1 while the
//! launch runs, *idle* as 1 while none does. *Done* says that a launch has ended, *fault* that
//! external memory has answered with an error; both stay until the next start, or until 1 is
//! written to them. The interrupt's status is set with *done* and stays until 1 is written to it;
//! the line is high while status and enable both are. *Cycles* count from the start's being offered
//! to the end's being taken, and go on counting while a launch runs.
//!
//! Writes obey their byte strobes. Bits that mean nothing read as zero and take no writes. An
//! argument is driven as a constant, which must not change while the kernel works: **while a launch
//! runs, writes to arguments and to *start* are refused** (SLVERR) and change nothing; to hold them
//! back would block the bus for as long as the kernel runs. So are writes to *cycles*, and accesses
//! to what is not in the table.
//!
//! A write is done when its address and its data have come, in whichever order; reads and writes
//! do not wait for each other. The interrupt line is a channel of its changes: a token carries the
//! level that it has from then on.

use crate::access::byte_mask;
use crate::area::Area;
use crate::connect::{Input, Output};
use crate::family::memories::Memory;
use crate::sim::Io;
use crate::text::parameters;
use crate::token_queue::TokenQueue;
use crate::unit::{Fields, Model, Module, Passage, Port, UnitKind, Wire, require};
use crate::units::arbiter::CHOOSE;
use crate::units::fifo;
use crate::verilog::{Source, concatenate, same_connections, wrap};

/// The registers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Registers {
    /// Widths of the arguments, each 1 to 64 bits: one or more.
    pub arguments: Vec<u32>,
    /// Bits of an address: they reach the last argument.
    pub address_bits: u32,
}

/// Offset of the control register.
pub const CONTROL: u64 = 0x00;
/// Offset of the interrupt's enable.
pub const INTERRUPT_ENABLE: u64 = 0x04;
/// Offset of the interrupt's status.
pub const INTERRUPT_STATUS: u64 = 0x08;
/// Offset of the cycles' low word.
pub const CYCLES: u64 = 0x10;
/// Offset of the first argument.
pub const ARGUMENTS: u64 = 0x40;

/// Control: a launch starts, or runs.
pub const START: u64 = 1 << 0;
/// Control: a launch has ended.
pub const DONE: u64 = 1 << 1;
/// Control: no launch runs.
pub const IDLE: u64 = 1 << 2;
/// Control: external memory has answered with an error.
pub const FAULT: u64 = 1 << 3;

/// The answer to an access that was done.
pub const OKAY: u64 = 0;
/// The answer to an access that was refused.
pub const SLAVE_ERROR: u64 = 2;

/// Offset of an argument's low word.
pub fn argument_offset(argument: usize) -> u64 {
    ARGUMENTS + 8 * argument as u64
}

/// What holds an address or a word that is written.
const HELD: Source = Source {
    file: "sluice_held.v",
    text: include_str!("held.v"),
};

const SOURCE: Source = Source {
    file: "sluice_registers.v",
    text: include_str!("registers.v"),
};

/// Indices of the ports.
mod port {
    use super::Registers;

    pub const AW: usize = Registers::AW.index();
    pub const W: usize = Registers::W.index();
    pub const AR: usize = Registers::AR.index();
    pub const FAULT: usize = Registers::FAULT.index();
    pub const DONE: usize = Registers::DONE.index();
    pub const B: usize = Registers::B.index();
    pub const R: usize = Registers::R.index();
    pub const INTERRUPT: usize = Registers::INTERRUPT.index();
    pub const START: usize = Registers::START.index();
}

impl Registers {
    /// The slave's addresses of writes.
    pub const AW: Input<Registers> = Input::new(0, "aw");
    /// The slave's data of writes: a word, and which bytes.
    pub const W: Input<Registers> = Input::new(1, "w");
    /// The slave's addresses of reads.
    pub const AR: Input<Registers> = Input::new(2, "ar");
    /// Errors of memory.
    pub const FAULT: Input<Registers> = Input::new(3, "fault");
    /// Ends of launches.
    pub const DONE: Input<Registers> = Input::new(4, "done");
    /// The slave's answers to writes.
    pub const B: Output<Registers> = Output::new(0, "b");
    /// The slave's answers to reads: a word and a response.
    pub const R: Output<Registers> = Output::new(1, "r");
    /// Levels of the interrupt line.
    pub const INTERRUPT: Output<Registers> = Output::new(2, "irq");
    /// Starts of launches.
    pub const START: Output<Registers> = Output::new(3, "start");

    /// The registers of arguments of these widths, with as many bits of an address as reach them:
    /// 12 at least, because systems map pages.
    pub fn new(arguments: Vec<u32>) -> Registers {
        let end = argument_offset(arguments.len());
        let address_bits = end.next_power_of_two().trailing_zeros().max(12);
        Registers {
            arguments,
            address_bits,
        }
    }

    /// By argument: all ones of its width.
    fn masks(&self) -> impl DoubleEndedIterator<Item = u64> {
        self.arguments.iter().map(|width| u64::MAX >> (64 - width))
    }
}

parameters! { UnitKind Registers { arguments, address_bits } }

impl UnitKind for Registers {
    fn check(&self) -> Result<(), String> {
        let widths = self.arguments.iter();
        require(
            !self.arguments.is_empty() && widths.clone().all(|width| (1..=64).contains(width)),
            "there are arguments, of 1 to 64 bits",
        )?;
        let end = argument_offset(self.arguments.len());
        require(
            (1..=32).contains(&self.address_bits) && end <= 1 << self.address_bits,
            "an address has at most 32 bits and reaches the last argument",
        )
    }

    /// The host is answered here; a launch that is done does not start another.
    fn passage(&self) -> Passage {
        Passage::Between(Vec::new())
    }

    fn module(&self) -> Module {
        let count = self.arguments.len();
        let masks: String = self
            .masks()
            .rev()
            .map(|mask| format!("{mask:016x}"))
            .collect();
        let mut body = format!("    wire [{}:0] arguments;\n", 64 * count - 1);
        let parts = self.arguments.iter().enumerate().map(|(at, &width)| {
            let low = 64 * at as u32;
            (
                at,
                format!("arguments[{}:{low}]", low + width - 1),
                width,
                low,
            )
        });
        let mut unread = Vec::new();
        for (at, part, width, low) in parts {
            body.push_str(&format!("    assign argument_{at} = {part};\n"));
            if width < 64 {
                unread.push(format!("arguments[{}:{}]", low + 63, low + width));
            }
        }
        let unread = concatenate(unread.into_iter());
        let ports = self.inputs().into_iter().chain(self.outputs());
        let connections: Vec<String> = ports
            .map(|port| format!("        {}", same_connections(&port.name)))
            .collect();
        body.push_str(&format!(
            "    wire unused = &{{1'b0, {unread}}};\n\
             \x20   sluice_registers #(\n\
             \x20       .COUNT({count}), .ADDRESS({}), .MASK({}'h{masks}),\n\
             \x20       .CONTROL({}), .ENABLE({}), .STATUS({}), .CYCLES({}), .ARGUMENTS({})\n\
             \x20   ) registers (\n\
             \x20       .clk(clk), .rst(rst), .arguments(arguments),\n{}\n    );\n",
            self.address_bits,
            64 * count,
            CONTROL / 4,
            INTERRUPT_ENABLE / 4,
            INTERRUPT_STATUS / 4,
            CYCLES / 4,
            ARGUMENTS / 4,
            connections.join(",\n"),
        ));
        wrap(
            self,
            "sluice_registers",
            &body,
            [fifo::MEMORY, HELD, CHOOSE, SOURCE],
        )
    }

    /// The slave's addresses of writes, their data (word, strobes), addresses of reads; then errors
    /// of memory, and the ends of launches.
    fn inputs(&self) -> Vec<Port> {
        let address = Fields::new([self.address_bits]);
        vec![
            Registers::AW.carrying(address.clone()),
            Registers::W.carrying(Fields::new([32, 4])),
            Registers::AR.carrying(address),
            Registers::FAULT.carrying(Fields::NONE),
            Registers::DONE.carrying(Fields::NONE),
        ]
    }

    /// The slave's answers to writes and to reads (word, answer); then the interrupt line, and
    /// starts of launches.
    fn outputs(&self) -> Vec<Port> {
        vec![
            Registers::B.carrying(Fields::new([2])),
            Registers::R.carrying(Fields::new([32, 2])),
            Registers::INTERRUPT.carrying(Fields::new([1])),
            Registers::START.carrying(Fields::NONE),
        ]
    }

    fn drives(&self) -> Vec<Wire> {
        let wire = |(at, &width): (usize, &u32)| Wire {
            name: format!("argument_{at}"),
            width,
        };
        self.arguments.iter().enumerate().map(wire).collect()
    }

    /// Of a read, and of a write.
    fn latency(&self) -> u32 {
        2
    }

    /// Reads, and as many writes: one that waits, and one that is answered.
    fn capacity(&self) -> u32 {
        2
    }

    fn area(&self) -> Area {
        let (bits, count) = (self.arguments.iter().sum(), self.arguments.len() as u32);
        Area::of(
            "registers",
            [("units", 1), ("argument bits", bits), ("arguments", count)],
        ) + Area::memory(Memory::distributed(8, 2 * count)) * 4
    }

    fn model(&self) -> Box<dyn Model> {
        Box::new(Behaviour {
            masks: self.masks().collect(),
            arguments: vec![0; self.arguments.len()],
            aw: TokenQueue::new(1),
            w: TokenQueue::new(2),
            ar: TokenQueue::new(1),
            state: State::default(),
        })
    }
}

/// What is not an argument.
#[derive(Clone, Copy, Default)]
struct State {
    running: bool,
    done: bool,
    fault: bool,
    enable: bool,
    status: bool,
    /// The interrupt line's level, as was last said.
    said: bool,
    /// The cycle from which the launch's are counted, while one runs.
    launched: u64,
    /// The cycles of the last launch.
    cycles: u64,
}

struct Behaviour {
    masks: Vec<u64>,
    arguments: Vec<u64>,
    aw: TokenQueue,
    w: TokenQueue,
    ar: TokenQueue,
    state: State,
}

/// A word of an argument.
struct Word {
    argument: usize,
    /// Where it begins in the argument.
    shift: u32,
}

impl State {
    fn level(&self) -> bool {
        self.enable && self.status
    }
}

impl Behaviour {
    fn word(&self, address: u64) -> Option<Word> {
        let word = Word {
            argument: (address.checked_sub(ARGUMENTS)? / 8) as usize,
            shift: if address & 4 == 0 { 0 } else { 32 },
        };
        (word.argument < self.arguments.len()).then_some(word)
    }

    /// What a read gives in this cycle, and its answer.
    fn read(&self, address: u64, cycle: u64) -> [u64; 2] {
        let state = &self.state;
        let cycles = match state.running {
            true => cycle - state.launched,
            false => state.cycles,
        };
        let bit = |condition: bool, bit: u64| if condition { bit } else { 0 };
        let value = match address & !3 {
            CONTROL => {
                bit(state.running, START)
                    | bit(state.done, DONE)
                    | bit(!state.running, IDLE)
                    | bit(state.fault, FAULT)
            }
            INTERRUPT_ENABLE => state.enable.into(),
            INTERRUPT_STATUS => state.status.into(),
            CYCLES => cycles & 0xffff_ffff,
            address if address == CYCLES + 4 => cycles >> 32,
            address => match self.word(address) {
                Some(word) => self.arguments[word.argument] >> word.shift & 0xffff_ffff,
                None => return [0, SLAVE_ERROR],
            },
        };
        [value, OKAY]
    }

    /// Writes what the strobes let through; gives the answer.
    fn write(&mut self, address: u64, data: u64, strobes: u64, io: &mut Io<'_>) -> u64 {
        let mask = byte_mask(strobes as u8);
        let ones = data & mask;
        match address & !3 {
            CONTROL => return self.control(ones, io),
            INTERRUPT_ENABLE => {
                self.state.enable = ones & 1 == 1 || (self.state.enable && mask & 1 == 0);
            }
            INTERRUPT_STATUS => self.state.status &= ones & 1 == 0,
            address => match self.word(address) {
                Some(word) if !self.state.running => self.set(word, ones, mask, io),
                Some(_) | None => return SLAVE_ERROR,
            },
        }
        OKAY
    }

    fn control(&mut self, ones: u64, io: &mut Io<'_>) -> u64 {
        let starts = ones & START != 0;
        if starts && self.state.running {
            return SLAVE_ERROR;
        }
        self.state.done &= !starts && ones & DONE == 0;
        self.state.fault &= !starts && ones & FAULT == 0;
        if starts {
            self.state.running = true;
            self.state.launched = io.cycle() + 1;
            io.offer(port::START, &[]);
        }
        OKAY
    }

    fn set(&mut self, word: Word, ones: u64, mask: u64, io: &mut Io<'_>) {
        let argument = &mut self.arguments[word.argument];
        let changed = *argument & !(mask << word.shift) | ones << word.shift;
        *argument = changed & self.masks[word.argument];
        io.drive(word.argument, *argument);
    }

    fn clock_read(&mut self, io: &mut Io<'_>) {
        if self.can_read(io) {
            let address = self.ar.front()[0];
            let answer = self.read(address, io.cycle());
            self.ar.pop();
            io.offer(port::R, &answer);
        }
    }

    fn clock_write(&mut self, io: &mut Io<'_>) {
        if self.can_write(io) {
            let address = self.aw.front()[0];
            let &[data, strobes] = self.w.front() else {
                unreachable!("a write carries a word and strobes");
            };
            self.aw.pop();
            self.w.pop();
            let answer = self.write(address, data, strobes, io);
            io.offer(port::B, &[answer]);
        }
    }

    /// What happens by itself wins over what is written at the same edge.
    fn clock_launch(&mut self, io: &mut Io<'_>) {
        if io.taken(port::DONE).is_some() {
            self.state.running = false;
            self.state.done = true;
            self.state.status = true;
            self.state.cycles = io.cycle() - self.state.launched;
        }
        self.state.fault |= io.taken(port::FAULT).is_some();
        io.accept(port::DONE, self.state.running && !io.offering(port::START));
    }

    /// Says the level that the line had before this edge.
    fn clock_interrupt(&mut self, level: bool, io: &mut Io<'_>) {
        if level != self.state.said && !io.offering(port::INTERRUPT) {
            self.state.said = level;
            io.offer(port::INTERRUPT, &[level.into()]);
        }
    }

    fn can_read(&self, io: &Io<'_>) -> bool {
        !self.ar.is_empty() && !io.offering(port::R)
    }

    fn can_write(&self, io: &Io<'_>) -> bool {
        !self.aw.is_empty() && !self.w.is_empty() && !io.offering(port::B)
    }

    fn can_say(&self, io: &Io<'_>) -> bool {
        self.state.level() != self.state.said && !io.offering(port::INTERRUPT)
    }
}

impl Model for Behaviour {
    fn reset(&mut self, _: &[u64], io: &mut Io<'_>) {
        self.arguments.fill(0);
        self.state = State::default();
        for queue in [&mut self.aw, &mut self.w, &mut self.ar] {
            queue.clear();
        }
        for port in [port::AW, port::W, port::AR, port::FAULT] {
            io.accept(port, true);
        }
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        let level = self.state.level();
        // A read sees what was there before this edge.
        self.clock_read(io);
        self.clock_write(io);
        self.clock_launch(io);
        self.clock_interrupt(level, io);
        let queues = [&mut self.aw, &mut self.w, &mut self.ar];
        for (port, queue) in [port::AW, port::W, port::AR].into_iter().zip(queues) {
            if let Some(token) = io.taken(port) {
                queue.push(token);
            }
            io.accept(port, queue.is_empty());
        }
        if self.can_read(io) || self.can_write(io) || self.can_say(io) {
            io.wake(io.cycle() + 1);
        }
    }
}

/// The choices for tests.
pub fn samples() -> Vec<Box<dyn UnitKind>> {
    // Few bits of an address, so that random ones often mean something.
    let sample = |arguments: &[u32], address_bits| {
        Box::new(Registers {
            arguments: arguments.to_vec(),
            address_bits,
        }) as Box<dyn UnitKind>
    };
    vec![
        sample(&[64], 7),
        sample(&[32, 1, 33], 7),
        sample(&[8, 64, 31, 64, 16, 40, 64, 64, 32], 8),
        Box::new(Registers::new(vec![64; 3])),
    ]
}
