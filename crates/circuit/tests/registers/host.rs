//! A host with external memory: it writes and reads registers one after the other.

use std::sync::{Arc, Mutex};

use sluice_circuit::dram::{self, Dram, Memory, Region, Timing};
use sluice_circuit::shared_bytes::SharedBytes;
use sluice_circuit::shell::{ControlPorts, Shell};
use sluice_circuit::sim::Io;
use sluice_circuit::unit::Model;
use sluice_circuit::units::registers::{CONTROL, DONE, START, argument_offset};

/// What the host does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Writes a register.
    Write {
        address: u64,
        data: u64,
        strobes: u64,
    },
    /// Reads a register.
    Read { address: u64 },
    /// Reads the control register until it says that the launch has ended.
    AwaitDone,
    /// Ends a launch, where the host stands for the kernel, too.
    End,
    /// Says that memory has answered with an error.
    Fault,
    /// Writes to external memory by itself.
    Store { address: u64, bytes: Vec<u8> },
}

impl Command {
    pub fn write(address: u64, data: u64) -> Command {
        Command::Write {
            address,
            data,
            strobes: 0xf,
        }
    }

    /// Writes arguments, and starts.
    pub fn launch(arguments: &[u64]) -> Vec<Command> {
        let words = arguments.iter().enumerate().flat_map(|(at, &value)| {
            let offset = argument_offset(at);
            [
                Command::write(offset, value & 0xffff_ffff),
                Command::write(offset + 4, value >> 32),
            ]
        });
        words.chain([Command::write(CONTROL, START)]).collect()
    }
}

/// What came of it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Record {
    /// By command that has an answer: when it came, the data of reads, and the answer.
    pub answers: Vec<(u64, Option<u64>, u64)>,
    /// Changes of the interrupt line.
    pub interrupts: Vec<u64>,
    /// Whether all commands are done.
    pub finished: bool,
}

/// The ports of a circuit that a host is at.
#[derive(Clone, Copy, Debug)]
pub struct Ports {
    pub control: ControlPorts,
    pub memory: Option<dram::Ports>,
    /// Where launches start and end, if that is left to the host.
    pub launch: Option<LaunchPorts>,
}

#[derive(Clone, Copy, Debug)]
pub struct LaunchPorts {
    pub start: usize,
    pub done: usize,
}

impl Ports {
    /// Those of the first kernel and the first memory.
    pub fn of(shell: &Shell) -> Ports {
        Ports::of_kernel(shell, 0)
    }

    /// Those of a kernel, and of the memory with its number.
    pub fn of_kernel(shell: &Shell, kernel: usize) -> Ports {
        Ports {
            control: shell.kernels[kernel].ports,
            memory: shell.memories.get(kernel).copied(),
            launch: None,
        }
    }
}

/// External memory that has bytes from address 0 on.
pub fn external(bytes: &SharedBytes) -> Memory {
    let bytes = bytes.clone();
    Memory::new(vec![Region { address: 0, bytes }])
}

/// The host.
pub struct Host {
    ports: ControlPorts,
    launch: Option<LaunchPorts>,
    commands: std::vec::IntoIter<Command>,
    current: Option<Command>,
    dram: Option<Dram>,
    memory: SharedBytes,
    record: Arc<Mutex<Record>>,
}

impl Host {
    pub fn new(
        ports: Ports,
        commands: Vec<Command>,
        memory: SharedBytes,
    ) -> (Host, Arc<Mutex<Record>>) {
        let record = Arc::new(Mutex::new(Record::default()));
        let dram = ports
            .memory
            .map(|ports| Dram::new(Timing::default(), ports, external(&memory)));
        let host = Host {
            ports: ports.control,
            launch: ports.launch,
            commands: commands.into_iter(),
            current: None,
            dram,
            memory,
            record: Arc::clone(&record),
        };
        (host, record)
    }

    fn answer(&mut self, io: &Io<'_>) {
        let mut record = self.record.lock().unwrap();
        let cycle = io.cycle();
        if let Some(token) = io.taken(self.ports.interrupt) {
            record.interrupts.push(token[0]);
        }
        let answer = if let Some(token) = io.taken(self.ports.b) {
            (cycle, None, token[0])
        } else if let Some(token) = io.taken(self.ports.r) {
            (cycle, Some(token[0]), token[1])
        } else {
            return;
        };
        let waits = matches!(answer.1, Some(control) if control & DONE == 0);
        if !(waits && self.current == Some(Command::AwaitDone)) {
            self.current = None;
        }
        record.answers.push(answer);
    }

    fn send(&mut self, io: &mut Io<'_>) {
        let ports = self.ports;
        match &self.current {
            Some(Command::Write {
                address,
                data,
                strobes,
            }) => {
                io.offer(ports.aw, &[*address]);
                io.offer(ports.w, &[*data, *strobes]);
            }
            Some(Command::Read { address }) => io.offer(ports.ar, &[*address]),
            Some(Command::AwaitDone) => io.offer(ports.ar, &[CONTROL]),
            Some(Command::End) => io.offer(self.launch.expect("it is the kernel").done, &[]),
            Some(Command::Fault) => io.offer(ports.fault, &[]),
            Some(Command::Store { address, bytes }) => {
                self.memory.write(*address as usize, bytes);
                self.current = None;
                io.wake(io.cycle() + 1);
            }
            None => self.record.lock().unwrap().finished = true,
        }
    }
}

impl Model for Host {
    fn reset(&mut self, constants: &[u64], io: &mut Io<'_>) {
        if let Some(dram) = &mut self.dram {
            dram.reset(constants, io);
        }
        for port in [self.ports.b, self.ports.r, self.ports.interrupt] {
            io.accept(port, true);
        }
        if let Some(launch) = self.launch {
            io.accept(launch.start, true);
        }
        io.wake(0);
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        if let Some(dram) = &mut self.dram {
            dram.clock(io);
        }
        let busy = self.current.is_some();
        self.answer(io);
        let ended = self.launch.is_some_and(|launch| io.given(launch.done));
        if ended || io.given(self.ports.fault) {
            self.current = None;
        }
        let answered = io.taken(self.ports.b).is_some() || io.taken(self.ports.r).is_some();
        if answered || !busy || self.current.is_none() {
            if self.current.is_none() {
                self.current = self.commands.next();
            }
            self.send(io);
        }
    }
}
