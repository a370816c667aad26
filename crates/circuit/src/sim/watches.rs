//! Watches: callbacks that see the tokens that pass chosen channels.

use super::wires::Wires;
use crate::circuit::Channel;

/// Sees tokens: in which of the watched channels, and what they carry.
pub type Watch = Box<dyn FnMut(usize, &[u64]) + Send>;

/// Calls a watch.
pub(super) struct Watches {
    watch: Watch,
    /// By channel, as the circuit counts them, which of the watched it is.
    numbers: Vec<u32>,
    /// The watched channels as bits, in groups as the wires have them.
    groups: Vec<(usize, u64)>,
}

impl Watches {
    /// Watches these channels.
    pub(super) fn new(channels: &[Channel], watch: Watch) -> Watches {
        let last = channels.iter().map(|channel| channel.as_u32()).max();
        let count = last.map_or(0, |last| last as usize + 1);
        let mut watches = Watches {
            watch,
            numbers: vec![0; count],
            groups: (0..count.div_ceil(64)).map(|group| (group, 0)).collect(),
        };
        for (number, channel) in channels.iter().enumerate() {
            let channel = channel.as_u32() as usize;
            watches.numbers[channel] = number as u32;
            watches.groups[channel / 64].1 |= 1 << (channel % 64);
        }
        watches.groups.retain(|&(_, bits)| bits != 0);
        watches
    }

    /// What passes at the edge to come has been decided.
    pub(super) fn settled(&mut self, wires: &Wires) {
        for &(group, bits) in &self.groups {
            for channel in wires.firing_among(group, bits) {
                let (_, token) = wires.standing(channel as usize);
                (self.watch)(self.numbers[channel as usize] as usize, token);
            }
        }
    }
}
