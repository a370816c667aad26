//! Adding units by the names of their ports.

use std::collections::BTreeMap;

use sluice_circuit::circuit::{Channel, Circuit, Constant, UnitData};
use sluice_circuit::unit::{Fields, Port, UnitKind};
use sluice_circuit::units::fork::Fork;
use sluice_circuit::units::join::Join;

/// Most outputs of one fork; more make a tree.
const WIDEST_FORK: usize = 16;

/// A unit to be added.
pub(super) struct Placing<'a> {
    pub(super) name: String,
    pub(super) lines: Vec<u32>,
    /// Channels by the names of ports; others are made.
    pub(super) given: BTreeMap<&'a str, Channel>,
    pub(super) constants: Vec<Constant>,
}

impl<'a> Placing<'a> {
    /// A unit of no source line that reads no constants.
    pub(super) fn new(
        name: impl Into<String>,
        given: impl IntoIterator<Item = (&'a str, Channel)>,
    ) -> Placing<'a> {
        Placing {
            name: name.into(),
            lines: Vec::new(),
            given: given.into_iter().collect(),
            constants: Vec::new(),
        }
    }
}

/// Adds a unit; all of its channels are the result.
pub(super) fn place(
    circuit: &mut Circuit,
    kind: impl UnitKind + 'static,
    placing: Placing<'_>,
) -> BTreeMap<String, Channel> {
    let Placing {
        name,
        lines,
        given,
        constants,
    } = placing;
    let mut all = BTreeMap::new();
    let mut channel = |port: Port| {
        let channel = match given.get(port.name.as_str()) {
            Some(&channel) => channel,
            None => circuit.add_channel(format!("{name}_{}", port.name), port.fields),
        };
        all.insert(port.name, channel);
        channel
    };
    let inputs: Vec<Channel> = kind.inputs().into_iter().map(&mut channel).collect();
    let outputs: Vec<Channel> = kind.outputs().into_iter().map(&mut channel).collect();
    circuit.add_unit(UnitData {
        name,
        kind: Box::new(kind),
        lines,
        inputs,
        outputs,
        constants,
    });
    all
}

/// Sends a token so many ways: by a fork, or by several behind each other.
pub(super) fn fork(
    circuit: &mut Circuit,
    name: String,
    input: Channel,
    ways: usize,
) -> Vec<Channel> {
    if ways == 1 {
        return vec![input];
    }
    let outputs = ways.min(WIDEST_FORK);
    let fork_unit = Fork {
        fields: Fields::NONE,
        outputs: vec![Vec::new(); outputs],
    };
    let names: Vec<String> = fork_unit
        .outputs()
        .into_iter()
        .map(|port| port.name)
        .collect();
    let ports = place(circuit, fork_unit, Placing::new(&*name, [("in", input)]));
    let mut channels = Vec::with_capacity(ways);
    for (at, port) in names.iter().enumerate() {
        let share = (ways - channels.len()).div_ceil(outputs - at);
        channels.extend(fork(circuit, format!("{name}_{at}"), ports[port], share));
    }
    channels
}

/// Waits for a token from each.
pub(super) fn join(circuit: &mut Circuit, name: String, inputs: Vec<Channel>) -> Channel {
    if let [channel] = inputs[..] {
        return channel;
    }
    let unit = Join {
        inputs: vec![Fields::NONE; inputs.len()],
    };
    let names: Vec<String> = unit.inputs().into_iter().map(|port| port.name).collect();
    let given = names.iter().map(String::as_str).zip(inputs);
    place(circuit, unit, Placing::new(name, given))["out"]
}
