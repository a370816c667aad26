//! Trees of forks and joins for tokens without data.

use sluice_circuit::circuit::{Channel, Circuit};
use sluice_circuit::unit::Fields;
use sluice_circuit::units::fork::Fork;
use sluice_circuit::units::join::Join;

/// Most outputs of one fork; more make a tree.
const WIDEST_FORK: usize = 16;

/// Sends a token `ways` ways: by a fork, or by several behind each other.
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
    let unit = Fork {
        fields: Fields::NONE,
        outputs: vec![Vec::new(); outputs],
    };
    let unit = circuit.unit(&*name, unit).input(Fork::IN, input);
    let unit = unit.with_new_channels().add();
    let mut channels = Vec::with_capacity(ways);
    for at in 0..outputs {
        let share = (ways - channels.len()).div_ceil(outputs - at);
        let output = unit.output(Fork::out(at));
        channels.extend(fork(circuit, format!("{name}_{at}"), output, share));
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
    let unit = circuit.unit(name, unit).inputs_in_order(inputs);
    unit.with_new_channels().add().output(Join::OUT)
}
