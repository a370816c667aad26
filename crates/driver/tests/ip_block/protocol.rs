//! What AXI demands of a sender: what was offered stands until it is taken. And what the IP
//! block promises of its transfers.

use sluice_circuit::shell::Shell;
use sluice_verilator::ip_block::{IpBlock, Run};
use sluice_verilator::{Instance, PortId};

/// A channel on which an IP block sends.
#[derive(Clone, Copy)]
enum Kind {
    /// A slave's answer to a write.
    Written,
    /// A slave's answer to a read.
    Read,
    /// A master's address.
    Burst,
    /// A master's data.
    Beat,
}

impl Kind {
    /// Its ports with how many bits they have.
    fn ports(self) -> &'static [(&'static str, Width)] {
        match self {
            Kind::Written => &[("resp", Width::Narrow)],
            Kind::Read => &[("data", Width::Narrow), ("resp", Width::Narrow)],
            Kind::Burst => &[("addr", Width::Narrow), ("len", Width::Narrow)],
            Kind::Beat => &[
                ("last", Width::Narrow),
                ("strb", Width::Narrow),
                ("data", Width::Wide),
            ],
        }
    }
}

/// The channels on which an IP block sends.
fn channels(shell: &Shell) -> Vec<(String, Kind)> {
    let slaves = shell.kernels.iter().flat_map(|control| {
        let channels = [("b", Kind::Written), ("r", Kind::Read)];
        let slave = control.slave_name();
        channels.map(|(channel, kind)| (format!("{slave}_{channel}"), kind))
    });
    let masters = (0..shell.memories.len()).flat_map(|memory| {
        let channels = [("ar", Kind::Burst), ("aw", Kind::Burst), ("w", Kind::Beat)];
        let master = shell.memory_name(memory);
        channels.map(|(channel, kind)| (format!("{master}_{channel}"), kind))
    });
    slaves.chain(masters).collect()
}

/// Whether a port has more than 64 bits.
#[derive(Clone, Copy)]
enum Width {
    Narrow,
    Wide,
}

struct Channel {
    name: String,
    kind: Kind,
    valid: PortId,
    ready: PortId,
    ports: Vec<(PortId, Width)>,
    /// What was offered and not taken in the cycle before.
    stands: Option<Vec<u64>>,
}

impl Channel {
    fn offered(&self, pins: &Instance) -> Option<Vec<u64>> {
        let mut values = Vec::new();
        for &(port, width) in &self.ports {
            match width {
                Width::Narrow => values.push(pins.get(port)),
                Width::Wide => values.extend(pins.get_words(port).into_iter().map(u64::from)),
            }
        }
        (pins.get(self.valid) == 1).then_some(values)
    }
}

/// Looks at the pins in every cycle.
pub struct Protocol(Vec<Channel>);

impl Protocol {
    pub fn new(shell: &Shell, block: &IpBlock<'_>) -> Protocol {
        let port = |name: String| block.port(&name).unwrap_or_else(|| panic!("port {name}"));
        let channel = |(name, kind): (String, Kind)| Channel {
            valid: port(format!("{name}valid")),
            ready: port(format!("{name}ready")),
            ports: kind
                .ports()
                .iter()
                .map(|&(signal, width)| (port(format!("{name}{signal}")), width))
                .collect(),
            stands: None,
            name,
            kind,
        };
        Protocol(channels(shell).into_iter().map(channel).collect())
    }

    /// Looks at the settled pins of a cycle.
    pub fn observe(&mut self, run: &Run<'_>) {
        let (pins, cycle) = (run.pins(), run.cycle());
        for channel in &mut self.0 {
            let (offered, name) = (channel.offered(pins), &channel.name);
            if channel.stands.is_some() {
                assert_eq!(offered, channel.stands, "{name} in cycle {cycle} changes");
            }
            match (channel.kind, &offered) {
                (Kind::Burst, Some(burst)) => {
                    assert_eq!((burst[0] % 64, burst[1]), (0, 0), "{name}: one line");
                }
                (Kind::Beat, Some(beat)) => assert_eq!(beat[0], 1, "{name}: one beat"),
                (Kind::Written | Kind::Read, Some(_)) | (_, None) => {}
            }
            channel.stands = offered.filter(|_| pins.get(channel.ready) == 0);
        }
    }
}
