//! What AXI demands of whoever sends: what was offered stands until it is taken. And what the IP
//! block promises of its transfers.

use sluice_verilator::ip_block::{IpBlock, Run};
use sluice_verilator::{Instance, PortId};

/// The channels on which the IP block sends, and their ports with how many bits they have.
const CHANNELS: [(&str, &[(&str, Width)]); 5] = [
    ("s_axi_control_b", &[("resp", Width::Narrow)]),
    (
        "s_axi_control_r",
        &[("data", Width::Narrow), ("resp", Width::Narrow)],
    ),
    (
        "m_axi_mem_ar",
        &[("addr", Width::Narrow), ("len", Width::Narrow)],
    ),
    (
        "m_axi_mem_aw",
        &[("addr", Width::Narrow), ("len", Width::Narrow)],
    ),
    (
        "m_axi_mem_w",
        &[
            ("last", Width::Narrow),
            ("strb", Width::Narrow),
            ("data", Width::Wide),
        ],
    ),
];

/// Whether a port has more than 64 bits.
#[derive(Clone, Copy)]
enum Width {
    Narrow,
    Wide,
}

struct Channel {
    name: &'static str,
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
    pub fn new(block: &IpBlock<'_>) -> Protocol {
        let port = |name: String| block.port(&name).unwrap_or_else(|| panic!("port {name}"));
        let channel = |(name, ports): (&'static str, &[(&str, Width)])| Channel {
            name,
            valid: port(format!("{name}valid")),
            ready: port(format!("{name}ready")),
            ports: ports
                .iter()
                .map(|&(signal, width)| (port(format!("{name}{signal}")), width))
                .collect(),
            stands: None,
        };
        Protocol(CHANNELS.map(channel).into())
    }

    /// Looks at the settled pins of a cycle.
    pub fn observe(&mut self, run: &Run<'_>) {
        let (pins, cycle) = (run.pins(), run.cycle());
        for channel in &mut self.0 {
            let (offered, name) = (channel.offered(pins), channel.name);
            if channel.stands.is_some() {
                assert_eq!(offered, channel.stands, "{name} in cycle {cycle} changes");
            }
            match (name, &offered) {
                ("m_axi_mem_ar" | "m_axi_mem_aw", Some(burst)) => {
                    assert_eq!((burst[0] % 64, burst[1]), (0, 0), "{name}: one line");
                }
                ("m_axi_mem_w", Some(beat)) => assert_eq!(beat[0], 1, "{name}: one beat"),
                _ => {}
            }
            channel.stands = offered.filter(|_| pins.get(channel.ready) == 0);
        }
    }
}
