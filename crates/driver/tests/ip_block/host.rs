//! A host at the registers of an IP block, with external memory at its other pins. It launches a
//! kernel again and again; both sides of every channel hesitate by chance.

use std::sync::{Arc, Mutex};

use sluice_circuit::dram::{Dram, Memory, SharedMemory, Timing};
use sluice_circuit::shell::{ControlPorts, Shell};
use sluice_circuit::sim::Io;
use sluice_circuit::unit::Model;
use sluice_circuit::units::registers::{CONTROL, DONE, FAULT, OKAY, START, argument_offset};

/// A launch: what external memory holds before, and what is written to the registers.
#[derive(Clone)]
pub struct Launch {
    pub memory: Memory,
    pub arguments: Vec<u64>,
}

/// How often somebody hesitates.
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

/// What external memory holds behind each launch.
pub type Results = Arc<Mutex<Vec<Memory>>>;

/// What the host does next.
enum Step {
    Fill(Memory),
    Write { address: u64, data: u64 },
    AwaitDone,
    Keep,
}

/// Channels at which the current access has not been offered.
#[derive(Default)]
struct Pending {
    aw: Option<u64>,
    w: Option<u64>,
    ar: Option<u64>,
}

pub struct Host {
    ports: ControlPorts,
    dram: Dram,
    memory: SharedMemory,
    chance: Chance,
    steps: std::vec::IntoIter<Step>,
    /// The access that has no answer.
    current: Option<Step>,
    pending: Pending,
    results: Results,
}

impl Host {
    pub fn new(shell: &Shell, launches: &[Launch], chance: Chance) -> (Host, Results) {
        let timing = Timing {
            jitter: chance.percent,
            stalls: chance.percent,
            seed: chance.seed,
            ..Timing::default()
        };
        let memory = SharedMemory::default();
        let results = Results::default();
        let steps: Vec<Step> = launches.iter().flat_map(steps).collect();
        let [ports] = shell.memories[..] else {
            panic!("the kernel has one memory");
        };
        let host = Host {
            ports: shell.kernels[0].ports,
            dram: Dram::new(timing, ports, memory.clone()),
            memory,
            chance,
            steps: steps.into_iter(),
            current: None,
            pending: Pending::default(),
            results: Arc::clone(&results),
        };
        (host, results)
    }

    /// Goes on to the next step that is an access.
    fn advance(&mut self) {
        self.current = loop {
            match self.steps.next() {
                Some(Step::Fill(memory)) => *self.memory.lock() = memory,
                Some(Step::Keep) => {
                    let memory = self.memory.lock().clone();
                    self.results.lock().expect("nobody panicked").push(memory);
                }
                access => break access,
            }
        };
        self.ask();
    }

    fn ask(&mut self) {
        match self.current {
            Some(Step::Write { address, data }) => {
                self.pending.aw = Some(address);
                self.pending.w = Some(data);
            }
            Some(Step::AwaitDone) => self.pending.ar = Some(CONTROL),
            Some(Step::Fill(_) | Step::Keep) => unreachable!("those are no accesses"),
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

/// A launch as the host does it.
fn steps(launch: &Launch) -> Vec<Step> {
    let mut steps = vec![Step::Fill(launch.memory.clone())];
    for (at, argument) in launch.arguments.iter().enumerate() {
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
    steps.extend([Step::AwaitDone, Step::Keep]);
    steps
}

impl Model for Host {
    fn reset(&mut self, constants: &[u64], io: &mut Io<'_>) {
        self.dram.reset(constants, io);
        self.advance();
        self.accept(io);
        io.wake(0);
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        self.dram.clock(io);
        self.answer(io);
        self.send(io);
        self.accept(io);
        io.wake(io.cycle() + 1);
    }
}
