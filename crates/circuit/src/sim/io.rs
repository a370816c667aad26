//! A unit's view of its channels.

use std::ops::Range;

use cranelift_entity::EntityRef;

use super::wires::{ChannelStorage, Ends, Wires};
use crate::circuit::Channel;
use crate::token_queue::copy_token;
use crate::unit::Intake;

/// A unit's channels.
pub(super) struct PortMap {
    inputs: Box<[ChannelStorage]>,
    outputs: Box<[ChannelStorage]>,
    intake: Intake,
}

impl PortMap {
    pub(super) fn new(
        wires: &Wires,
        inputs: &[Channel],
        outputs: &[Channel],
        intake: Intake,
    ) -> PortMap {
        let storage = |channels: &[Channel]| {
            let all = channels
                .iter()
                .map(|channel| wires.storage(channel.index()));
            all.collect()
        };
        PortMap {
            inputs: storage(inputs),
            outputs: storage(outputs),
            intake,
        }
    }
}

/// A unit's view of its ports at a clock edge: what has passed, and what it drives from now on.
pub struct Io<'a> {
    wires: &'a mut Wires,
    ports: &'a PortMap,
    ends: &'a mut Ends,
    unit: u32,
}

/// The bits of several ports, if there are bits for them all.
#[inline]
fn bits(ports: &Range<usize>) -> Option<u64> {
    Some(Ends::bit(ports.end)? - Ends::bit(ports.start)?)
}

impl<'a> Io<'a> {
    /// The view of a unit.
    #[inline]
    pub(super) fn new(
        wires: &'a mut Wires,
        ports: &'a PortMap,
        ends: &'a mut Ends,
        unit: u32,
    ) -> Io<'a> {
        ends.standing &= !ends.given;
        Io {
            wires,
            ports,
            ends,
            unit,
        }
    }

    /// The edge is over: what has passed is past.
    #[inline]
    pub(super) fn end(self) {
        (self.ends.taken, self.ends.given) = (0, 0);
    }

    /// The number of the cycle that ends.
    #[inline]
    pub fn cycle(&self) -> u64 {
        self.wires.cycle
    }

    /// The token that input `port` has just taken.
    #[inline(always)]
    pub fn taken(&self, port: usize) -> Option<&[u64]> {
        match self.takes(port) {
            true => Some(&self.wires.words[self.wires.token(self.ports.inputs[port])]),
            false => None,
        }
    }

    /// Whether input `port` has just taken a token.
    #[inline]
    pub fn takes(&self, port: usize) -> bool {
        match Ends::bit(port) {
            Some(bit) => self.ends.taken & bit != 0,
            None => self.wires.is_firing(self.ports.inputs[port]),
        }
    }

    /// Whether the token offered at output `port` has just been taken.
    #[inline]
    pub fn given(&self, port: usize) -> bool {
        match Ends::bit(port) {
            Some(bit) => self.ends.given & bit != 0,
            None => self.wires.is_firing(self.ports.outputs[port]),
        }
    }

    /// Whether a token has just passed one of these inputs or one of these outputs.
    #[inline]
    pub(crate) fn passes(&self, mut inputs: Range<usize>, mut outputs: Range<usize>) -> bool {
        match (bits(&inputs), bits(&outputs)) {
            (Some(inputs), Some(outputs)) => {
                self.ends.taken & inputs != 0 || self.ends.given & outputs != 0
            }
            _ => inputs.any(|port| self.takes(port)) || outputs.any(|port| self.given(port)),
        }
    }

    /// Whether a token will stand at output `port` in the next cycle.
    #[inline]
    pub fn offering(&self, port: usize) -> bool {
        match Ends::bit(port) {
            Some(bit) => self.ends.standing & bit != 0,
            None => self.wires.is_offering(self.ports.outputs[port]),
        }
    }

    /// Offers a token at output `port` from the next cycle on, until it is taken. Nothing else may
    /// stand there.
    #[inline(always)]
    pub fn offer(&mut self, port: usize, token: &[u64]) {
        let words = self.begin_offer(port);
        copy_token(token, &mut self.wires.words[words]);
    }

    /// Offers a token, to be written there, as [`Io::offer`]: what stands there means nothing.
    #[inline(always)]
    pub(crate) fn offer_place(&mut self, port: usize) -> &mut [u64] {
        let words = self.begin_offer(port);
        &mut self.wires.words[words]
    }

    /// Offers these fields of a token, as [`Io::offer`].
    pub(crate) fn offer_fields(&mut self, port: usize, token: &[u64], fields: &[usize]) {
        let words = self.begin_offer(port);
        for (to, &field) in self.wires.words[words].iter_mut().zip(fields) {
            *to = token[field];
        }
    }

    /// Offers the token that input `from` has just taken, as [`Io::offer`].
    pub(crate) fn pass(&mut self, from: usize, port: usize) {
        assert!(self.takes(from), "a token was taken");
        let token = self.wires.token(self.ports.inputs[from]);
        let words = self.begin_offer(port);
        for (to, from) in words.zip(token) {
            self.wires.words[to] = self.wires.words[from];
        }
    }

    /// Offers these fields of the token that input `from` has just taken, as [`Io::offer`].
    pub(crate) fn pass_fields(&mut self, from: usize, fields: &[usize], port: usize) {
        assert!(self.takes(from), "a token was taken");
        let token = self.wires.token(self.ports.inputs[from]);
        let words = self.begin_offer(port);
        for (to, &field) in words.zip(fields) {
            self.wires.words[to] = self.wires.words[token.start + field];
        }
    }

    /// Says that a token will stand at output `port`; gives where it is to be written.
    #[inline(always)]
    fn begin_offer(&mut self, port: usize) -> Range<usize> {
        assert!(!self.offering(port), "one token at a time");
        self.ends.standing |= Ends::bit(port).unwrap_or(0);
        self.wires.begin_offer(self.ports.outputs[port])
    }

    /// Takes tokens at input `port` from the next cycle on, or no longer. For a joined intake the
    /// port is 0 and stands for all.
    #[inline]
    pub fn accept(&mut self, port: usize, ready: bool) {
        let is_ready = match Ends::bit(port) {
            Some(bit) => self.ends.ready & bit != 0,
            None => self.wires.is_ready(self.ports.inputs[port]),
        };
        if is_ready != ready {
            self.change_ready(port, ready);
        }
    }

    #[inline(never)]
    fn change_ready(&mut self, port: usize, ready: bool) {
        self.ends.ready ^= Ends::bit(port).unwrap_or(0);
        let inputs = match self.ports.intake {
            Intake::Separate => &self.ports.inputs[port..=port],
            Intake::Joined => &self.ports.inputs[..],
        };
        for &channel in inputs {
            self.wires.change_ready(channel, ready);
        }
    }

    /// Drives a constant from the next cycle on; `wire` counts in the order of
    /// [`drives`](crate::unit::UnitKind::drives). No unit that reads it may be active.
    pub fn drive(&mut self, wire: usize, value: u64) {
        self.wires.driven.push((self.unit, wire as u32, value));
    }

    /// Asks for an edge at the end of `cycle`, which is to come.
    #[inline]
    pub fn wake(&mut self, cycle: u64) {
        debug_assert!(cycle >= self.wires.coming);
        if cycle == self.wires.coming {
            self.wires.soon.insert(self.unit);
        } else {
            self.wires.wakes.push((self.unit, cycle));
        }
    }
}
