//! The simulator: cycle-exact, by events.
//!
//! Because units drive from registers only, a cycle is one pass: tokens pass wherever a channel is
//! valid and ready, the units at its ends see a clock edge, and what they drive next decides where
//! tokens pass in the next cycle. A unit that no token reaches and that has not asked to be woken
//! costs nothing, nor do cycles in which nothing happens.
//!
//! Observers see, on request, the channels that change: for [`Stalls`], and for waveforms. A
//! [`Watch`] sees the tokens of chosen channels. Of a
//! deadlock [`Waiting`] says which unit waits for which.

mod constants;
mod environment;
mod io;
mod stall_report;
mod stalls;
mod topology;
mod unit_set;
mod waiting;
mod waits;
mod watches;
mod waves;
mod wheel;
mod wires;

pub use environment::{Environment, Interface};
pub use io::Io;
pub use stall_report::{ChannelUse, LineStalls, Stalls, UnitStalls};
pub use waiting::{Party, Wait, Waiting, Why};
pub use watches::Watch;

use std::io::Write;

use cranelift_entity::EntityRef;

use crate::circuit::{Channel, Circuit, End, Unit};
use crate::unit::{Intake, Model, Status};
use constants::Constants;
use io::PortMap;
use wheel::Wheel;
use wires::{Ends, Pin, Shape, Wires};

/// A circuit in execution, with a model of its environment.
pub struct Simulator {
    /// The units, then the environment, then the sink.
    participants: Vec<Participant>,
    /// By participant.
    ends: Vec<Ends>,
    wires: Wires,
    constants: Constants,
    wheel: Wheel,
    observers: Option<Box<Observers>>,
}

/// A unit, the environment or the sink, with the channels at its ports.
struct Participant {
    model: Box<dyn Model>,
    ports: PortMap,
}

/// Observers of each cycle in which something happens.
#[derive(Default)]
struct Observers {
    stalls: Option<stalls::Observer>,
    waves: Option<waves::Waves>,
    watches: Option<watches::Watches>,
}

impl Observers {
    fn settled(&mut self, wires: &Wires) {
        if let Some(stalls) = &mut self.stalls {
            stalls.settled(wires);
        }
        if let Some(waves) = &mut self.waves {
            waves.settled(wires);
        }
        if let Some(watches) = &mut self.watches {
            watches.settled(wires);
        }
    }
}

/// Sink for outputs that no unit reads.
struct Sink;

impl Model for Sink {
    fn reset(&mut self, _: &[u64], _: &mut Io<'_>) {}

    fn clock(&mut self, _: &mut Io<'_>) {}
}

/// The channels of a circuit. Behind its units come the environment, then the sink.
fn wires_of(circuit: &Circuit) -> Wires {
    let environment = circuit.units().len() as u32;
    let pin = |end: End| match end {
        End::Unit(unit, port) => Pin::new(unit.index() as u32, port as usize),
        End::Environment(port) => Pin::new(environment, port as usize),
        End::Discarded => Pin::unseen(environment + 1),
        End::Open => panic!("every channel of a finished circuit has two ends"),
    };
    let is_joined = |end: End| match end {
        End::Unit(unit, _) => circuit.units()[unit].kind.intake() == Intake::Joined,
        End::Environment(_) | End::Discarded | End::Open => false,
    };
    let shapes = circuit.channels().values().map(|channel| Shape {
        is_ready: channel.to == End::Discarded,
        fields: channel.fields.len(),
        from: pin(channel.from),
        to: pin(channel.to),
        joined: is_joined(channel.to),
    });
    Wires::new(environment as usize + 2, shapes)
}

impl Simulator {
    /// Prepares a circuit. `environment` has the circuit's outputs as inputs, and its inputs as outputs;
    /// `constants` are those that the environment drives.
    pub fn new(circuit: &Circuit, environment: Box<dyn Model>, constants: &[u64]) -> Simulator {
        let wires = wires_of(circuit);
        let participant = |model, inputs: &[Channel], outputs: &[Channel], intake| Participant {
            model,
            ports: PortMap::new(&wires, inputs, outputs, intake),
        };
        let mut participants: Vec<Participant> = Vec::new();
        for unit in circuit.units().values() {
            let kind = &unit.kind;
            participants.push(participant(
                kind.model(),
                &unit.inputs,
                &unit.outputs,
                kind.intake(),
            ));
        }
        let (inputs, outputs) = (circuit.outputs(), circuit.inputs());
        participants.push(participant(environment, inputs, outputs, Intake::Separate));
        participants.push(participant(Box::new(Sink), &[], &[], Intake::Separate));
        let mut simulator = Simulator {
            ends: vec![Ends::default(); participants.len()],
            participants,
            wires,
            constants: Constants::new(circuit, constants),
            wheel: Wheel::default(),
            observers: None,
        };
        simulator.reset();
        simulator
    }

    fn reset(&mut self) {
        for (index, participant) in self.participants.iter_mut().enumerate() {
            let values = self.constants.read_by(index);
            let ends = &mut self.ends[index];
            let mut io = Io::new(&mut self.wires, &participant.ports, ends, index as u32);
            participant.model.reset(&values, &mut io);
            io.end();
        }
        self.finish_cycle();
    }

    /// The number of the cycle that comes next.
    pub fn cycle(&self) -> u64 {
        self.wires.cycle
    }

    /// Observes from now on where tokens stand and because of whom. To be called before the first
    /// step, with the circuit that is simulated.
    pub fn observe_stalls(&mut self, circuit: &Circuit) {
        let observer = stalls::Observer::new(circuit, &self.wires);
        self.observers.get_or_insert_default().stalls = Some(observer);
    }

    /// What was seen of stalls up to now, if they are observed.
    pub fn stalls(&mut self) -> Option<Stalls> {
        let cycle = self.wires.cycle;
        let observer = self.observers.as_mut()?.stalls.as_mut()?;
        Some(observer.report(cycle))
    }

    /// Writes waveforms of all channels from now on, until [`Simulator::finish_waves`], with the
    /// circuit that is simulated. They are in the format VCD, with one unit of time per cycle.
    pub fn write_waves(
        &mut self,
        circuit: &Circuit,
        out: Box<dyn Write + Send>,
    ) -> std::io::Result<()> {
        let waves = waves::Waves::new(circuit, &self.wires, out)?;
        self.observers.get_or_insert_default().waves = Some(waves);
        Ok(())
    }

    /// Ends the waveforms. Gives the first error that occurred while they were written.
    pub fn finish_waves(&mut self) -> std::io::Result<()> {
        let observers = self.observers.as_mut();
        match observers.and_then(|observers| observers.waves.take()) {
            Some(waves) => waves.finish(self.wires.cycle),
            None => Ok(()),
        }
    }

    /// Shows a watch the tokens that pass these channels of the circuit from now on, each in the
    /// cycle before the edge at which it is taken. It takes the place of an earlier watch.
    pub fn watch(&mut self, channels: &[Channel], watch: Watch) {
        let mut watches = watches::Watches::new(channels, watch);
        watches.settled(&self.wires);
        self.observers.get_or_insert_default().watches = Some(watches);
    }

    /// Whether nothing can happen any more: no token passes, and no unit waits to be woken.
    pub fn is_quiescent(&self) -> bool {
        self.is_quiet() && self.wheel.next(self.wires.cycle).is_none()
    }

    /// Whether nothing happens at the coming edge but for those who asked for it long before.
    fn is_quiet(&self) -> bool {
        !self.wires.fires && self.wires.soon.is_empty()
    }

    /// What a unit of the circuit waits for.
    pub fn status(&self, unit: Unit) -> Status {
        self.participants[unit.index()].model.status()
    }

    /// Who waits for whom, with the circuit that is simulated: tells most when nothing can happen
    /// any more.
    pub fn waiting(&self, circuit: &Circuit) -> Waiting {
        waiting::waiting(circuit, &self.wires, self.wires.quiescent_since)
    }

    /// Simulates up to the next edge at which something happens, and says whether there was one
    /// before `end`. After `false` the cycle is `end`.
    pub fn step(&mut self, end: u64) -> bool {
        if self.is_quiet() {
            match self.wheel.next(self.wires.cycle) {
                Some(cycle) if cycle < end => self.wires.cycle = cycle,
                _ => {
                    self.wires.cycle = end;
                    return false;
                }
            }
        }
        if self.wires.cycle >= end {
            return false;
        }
        self.edge();
        true
    }

    /// One clock edge: everyone concerned sees it, then what they drive takes effect.
    fn edge(&mut self) {
        self.wheel.take(self.wires.cycle, &mut self.wires.soon);
        self.wires.begin_edge(&mut self.ends);
        for group in 0..self.wires.concerned.groups() {
            for unit in self.wires.concerned.take(group) {
                let participant = &mut self.participants[unit as usize];
                let ends = &mut self.ends[unit as usize];
                let mut io = Io::new(&mut self.wires, &participant.ports, ends, unit);
                participant.model.clock(&mut io);
                io.end();
            }
        }
        self.wires.cycle += 1;
        self.finish_cycle();
    }

    fn finish_cycle(&mut self) {
        if !self.wires.driven.is_empty() {
            for unit in self.constants.change(self.wires.driven.drain(..)) {
                let values = self.constants.read_by(unit as usize);
                self.participants[unit as usize].model.configure(&values);
                self.wires.soon.insert(unit);
            }
        }
        for (unit, cycle) in self.wires.wakes.drain(..) {
            self.wheel.add(cycle, unit);
        }
        self.wires.settle();
        if let Some(observers) = &mut self.observers {
            observers.settled(&self.wires);
        }
    }
}
