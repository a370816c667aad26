//! Hosts at the registers of an IP block, one for each kernel, with external memory at its other
//! pins. They launch their kernels again and again, all at the same time; both sides of every channel
//! hesitate by chance.

use std::sync::{Arc, Mutex};

use sluice_circuit::dram::{Dram, Memory, Timing};
use sluice_circuit::shell::{ControlPorts, Shell};
use sluice_circuit::sim::Io;
use sluice_circuit::unit::Model;
use sluice_circuit::units::registers::{CONTROL, DONE, FAULT, OKAY, START, argument_offset};

/// A launch of each kernel: external memory, and by kernel what is written to its registers.
#[derive(Clone)]
pub struct Launch {
    pub memory: Memory,
    pub arguments: Vec<Vec<u64>>,
}

/// How often a side of a handshake is not ready.
#[derive(Clone, Copy, Debug)]
pub struct Chance {
    /// Of a hundred cycles.
    pub percent: u32,
    pub seed: u64,
}

impl Chance {
    fn hesitates(&mut self) -> bool {
        self.seed = self
            .seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        ((self.seed >> 33) as u32) % 100 < self.percent
    }
}

/// By launch that is done, how many kernels ran at once, at most.
pub type Outcomes = Arc<Mutex<Vec<usize>>>;

/// What the host of a kernel does next.
#[derive(Clone, Copy)]
enum Step {
    Write { address: u64, data: u64 },
    AwaitDone,
}

/// Channels at which the current access has not been offered.
#[derive(Default)]
struct Pending {
    aw: Option<u64>,
    w: Option<u64>,
    ar: Option<u64>,
}

/// The host of a kernel.
struct Driver {
    ports: ControlPorts,
    chance: Chance,
    steps: std::vec::IntoIter<Step>,
    /// The access that has no answer; none when the launch is over.
    current: Option<Step>,
    pending: Pending,
}

impl Driver {
    fn new(ports: ControlPorts, chance: Chance) -> Driver {
        Driver {
            ports,
            chance,
            steps: Vec::new().into_iter(),
            current: None,
            pending: Pending::default(),
        }
    }

    fn launch(&mut self, arguments: &[u64]) {
        self.steps = steps(arguments).into_iter();
        self.advance();
    }

    fn is_running(&self) -> bool {
        matches!(self.current, Some(Step::AwaitDone))
    }

    fn advance(&mut self) {
        self.current = self.steps.next();
        self.ask();
    }

    fn ask(&mut self) {
        match self.current {
            Some(Step::Write { address, data }) => {
                self.pending.aw = Some(address);
                self.pending.w = Some(data);
            }
            Some(Step::AwaitDone) => self.pending.ar = Some(CONTROL),
            None => {}
        }
    }

    fn answer(&mut self, io: &Io<'_>) {
        if let Some(token) = io.taken(self.ports.b) {
            assert_eq!(token, [OKAY], "nothing is refused");
            self.advance();
        }
        if let Some(token) = io.taken(self.ports.r) {
            let (control, answer) = (token[0], token[1]);
            assert_eq!((control & FAULT, answer), (0, OKAY), "nothing fails");
            match control & DONE {
                0 => self.ask(),
                _ => self.advance(),
            }
        }
    }

    /// Address and data of a write come in any order, and in any distance.
    fn send(&mut self, io: &mut Io<'_>) {
        let (ports, all_bytes) = (self.ports, 0xf);
        if self.pending.aw.is_some() && !self.chance.hesitates() {
            let address = self.pending.aw.take().expect("just seen");
            io.offer(ports.aw, &[address]);
        }
        if self.pending.w.is_some() && !self.chance.hesitates() {
            let data = self.pending.w.take().expect("just seen");
            io.offer(ports.w, &[data, all_bytes]);
        }
        if self.pending.ar.is_some() && !self.chance.hesitates() {
            let address = self.pending.ar.take().expect("just seen");
            io.offer(ports.ar, &[address]);
        }
    }

    fn accept(&mut self, io: &mut Io<'_>) {
        for port in [self.ports.b, self.ports.r] {
            io.accept(port, !self.chance.hesitates());
        }
    }
}

/// A launch as the host of a kernel does it.
fn steps(arguments: &[u64]) -> Vec<Step> {
    let mut steps = Vec::new();
    for (at, argument) in arguments.iter().enumerate() {
        let words = [argument & 0xffff_ffff, argument >> 32];
        for (offset, data) in [0, 4].into_iter().zip(words) {
            let address = argument_offset(at) + offset;
            steps.push(Step::Write { address, data });
        }
    }
    steps.push(Step::Write {
        address: CONTROL,
        data: START,
    });
    steps.push(Step::AwaitDone);
    steps
}

/// The hosts of all kernels, and external memory.
pub struct Hosts {
    drivers: Vec<Driver>,
    drams: Vec<Dram>,
    launches: std::vec::IntoIter<Launch>,
    most_running: usize,
    outcomes: Outcomes,
}

impl Hosts {
    pub fn new(shell: &Shell, launches: Vec<Launch>, chance: Chance) -> (Hosts, Outcomes) {
        let outcomes = Outcomes::default();
        let differently = |at: usize| Chance {
            seed: chance.seed + 100 * at as u64,
            ..chance
        };
        let drams = shell.memories.iter().enumerate().map(|(at, &ports)| {
            let timing = Timing {
                jitter: chance.percent,
                stalls: chance.percent,
                seed: differently(at).seed,
                ..Timing::default()
            };
            Dram::new(timing, ports, Memory::default())
        });
        let kernels = shell.kernels.iter().enumerate();
        let hosts = Hosts {
            drivers: kernels
                .map(|(at, control)| Driver::new(control.ports, differently(at)))
                .collect(),
            drams: drams.collect(),
            launches: launches.into_iter(),
            most_running: 0,
            outcomes: Arc::clone(&outcomes),
        };
        (hosts, outcomes)
    }

    fn launch(&mut self) {
        let Some(launch) = self.launches.next() else {
            return;
        };
        for dram in &mut self.drams {
            dram.replace_memory(launch.memory.clone());
        }
        self.most_running = 0;
        for (driver, arguments) in self.drivers.iter_mut().zip(&launch.arguments) {
            driver.launch(arguments);
        }
    }

    /// Goes on with the next launch when all kernels are done with theirs.
    fn advance(&mut self) {
        let running = self.drivers.iter().filter(|it| it.is_running()).count();
        self.most_running = self.most_running.max(running);
        if self.drivers.iter().any(|driver| driver.current.is_some()) {
            return;
        }
        let mut outcomes = self.outcomes.lock().expect("no thread panicked");
        outcomes.push(self.most_running);
        drop(outcomes);
        self.launch();
    }
}

impl Model for Hosts {
    fn reset(&mut self, constants: &[u64], io: &mut Io<'_>) {
        for dram in &mut self.drams {
            dram.reset(constants, io);
        }
        self.launch();
        for driver in &mut self.drivers {
            driver.accept(io);
        }
        io.wake(0);
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        for dram in &mut self.drams {
            dram.clock(io);
        }
        for driver in &mut self.drivers {
            driver.answer(io);
        }
        self.advance();
        for driver in &mut self.drivers {
            driver.send(io);
            driver.accept(io);
        }
        io.wake(io.cycle() + 1);
    }
}
