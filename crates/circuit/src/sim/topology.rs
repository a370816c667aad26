//! Who is connected to whom, as the simulator numbers units and channels: for those who follow
//! waits from unit to unit.

use std::ops::Range;

use cranelift_entity::EntityRef;

use crate::circuit::{Channel, Circuit, End, Unit};
use crate::unit::{Intake, Origin, UnitKind};

/// The connections of a circuit. Behind its units come the environment, then the sink.
#[derive(Debug)]
pub(super) struct Topology {
    units: Vec<UnitPorts>,
    /// By channel: producer and consumer.
    ends: Vec<(u32, u32)>,
    /// By channel: where its producer has its tokens from.
    origins: Vec<Origin>,
    /// The channels at the ports of all units.
    ports: Vec<u32>,
    environment: u32,
}

#[derive(Debug)]
struct UnitPorts {
    inputs: Range<u32>,
    outputs: Range<u32>,
    intake: Intake,
    /// Channels of questions and of their answers.
    questions: Vec<(u32, u32)>,
}

impl Topology {
    pub(super) fn of(circuit: &Circuit) -> Topology {
        let environment = circuit.units().len() as u32;
        let mut ports = Vec::new();
        let mut listed = |channels: &[Channel]| {
            let start = ports.len() as u32;
            ports.extend(channels.iter().map(|channel| channel.index() as u32));
            start..ports.len() as u32
        };
        let mut units: Vec<UnitPorts> = circuit
            .units()
            .values()
            .map(|unit| UnitPorts {
                inputs: listed(&unit.inputs),
                outputs: listed(&unit.outputs),
                intake: unit.kind.intake(),
                questions: questions(&*unit.kind, &unit.inputs, &unit.outputs),
            })
            .collect();
        let (inputs, outputs) = (listed(circuit.outputs()), listed(circuit.inputs()));
        for (inputs, outputs) in [(inputs, outputs), (0..0, 0..0)] {
            units.push(UnitPorts {
                inputs,
                outputs,
                intake: Intake::Separate,
                questions: Vec::new(),
            });
        }
        let unit_at = |end: End| match end {
            End::Unit(unit, _) => unit.index() as u32,
            End::Environment(_) => environment,
            End::Discarded => environment + 1,
            End::Open => panic!("every channel of a finished circuit has two ends"),
        };
        let origin = |end: End| match end {
            End::Unit(unit, port) => circuit.units()[unit].kind.origin(port as usize),
            End::Environment(_) | End::Discarded | End::Open => Origin::Unit,
        };
        let channels = circuit.channels().values();
        Topology {
            units,
            origins: channels.clone().map(|it| origin(it.from)).collect(),
            ends: channels
                .map(|channel| (unit_at(channel.from), unit_at(channel.to)))
                .collect(),
            ports,
            environment,
        }
    }

    /// Units, environment and sink.
    pub(super) fn unit_count(&self) -> usize {
        self.units.len()
    }

    /// Channels.
    pub(super) fn channel_count(&self) -> usize {
        self.ends.len()
    }

    /// Whether it is no unit of the circuit: the environment, or the sink.
    pub(super) fn is_environment(&self, unit: u32) -> bool {
        unit >= self.environment
    }

    /// The unit, if it is one of the circuit.
    pub(super) fn unit(&self, unit: u32) -> Option<Unit> {
        (unit < self.environment).then(|| Unit::new(unit as usize))
    }

    pub(super) fn inputs(&self, unit: u32) -> &[u32] {
        let range = &self.units[unit as usize].inputs;
        &self.ports[range.start as usize..range.end as usize]
    }

    pub(super) fn outputs(&self, unit: u32) -> &[u32] {
        let range = &self.units[unit as usize].outputs;
        &self.ports[range.start as usize..range.end as usize]
    }

    pub(super) fn is_joining(&self, unit: u32) -> bool {
        self.units[unit as usize].intake == Intake::Joined
    }

    /// The channels at which it asks, each with that of the answers.
    pub(super) fn questions(&self, unit: u32) -> &[(u32, u32)] {
        &self.units[unit as usize].questions
    }

    /// Where a channel's producer has its tokens from.
    pub(super) fn origin(&self, channel: u32) -> Origin {
        self.origins[channel as usize]
    }

    pub(super) fn producer(&self, channel: u32) -> u32 {
        self.ends[channel as usize].0
    }

    pub(super) fn consumer(&self, channel: u32) -> u32 {
        self.ends[channel as usize].1
    }
}

fn questions(kind: &dyn UnitKind, inputs: &[Channel], outputs: &[Channel]) -> Vec<(u32, u32)> {
    let index = |channel: Channel| channel.index() as u32;
    let questions = kind.questions().into_iter();
    questions
        .map(|it| (index(outputs[it.asked]), index(inputs[it.answered])))
        .collect()
}
