//! The state of a circuit's channels, and where tokens pass next.
//!
//! What is valid and ready is kept as bits, those of 64 channels in a word: what is driven takes
//! effect for all of them at once. Only where a token passes is a channel looked at by itself.

use std::collections::BTreeMap;
use std::ops::Range;

use super::unit_set::{Bits, Pair, UnitSet};

/// The end of a channel at a unit.
#[derive(Clone, Copy)]
pub(super) struct Pin {
    /// The port's bit in [`Ends`], if it has one.
    bit: u64,
    unit: u32,
}

impl Pin {
    /// A unit's port.
    pub(super) fn new(unit: u32, port: usize) -> Pin {
        let bit = Ends::bit(port).unwrap_or(0);
        Pin { unit, bit }
    }

    /// An end of which the unit does not know.
    pub(super) fn unseen(unit: u32) -> Pin {
        Pin { unit, bit: 0 }
    }
}

/// What the wires need to know of a channel.
pub(super) struct Shape {
    pub(super) fields: usize,
    pub(super) from: Pin,
    pub(super) to: Pin,
    pub(super) joined: bool,
    pub(super) is_ready: bool,
}

/// A unit's first ports, a bit each: units ask for most of them at every edge. Those of later ports
/// have to be looked up among the channels.
#[derive(Clone, Copy, Default)]
pub(super) struct Ends {
    /// Inputs that have just taken a token.
    pub(super) taken: u64,
    /// Outputs whose token has just been taken.
    pub(super) given: u64,
    /// Outputs where a token will stand in the next cycle; between edges, where one stands.
    pub(super) standing: u64,
    /// Inputs that take tokens from the next cycle on.
    pub(super) ready: u64,
}

impl Ends {
    /// A port's bit, if it has one.
    #[inline]
    pub(super) fn bit(port: usize) -> Option<u64> {
        (port < u64::BITS as usize).then(|| 1 << port)
    }
}

/// The ends of a channel, and how many tokens have passed.
struct Route {
    from: Pin,
    to: Pin,
    /// Who is at the ends.
    units: Pair,
    passed: u64,
}

/// Where a channel is: in which bits, and where its tokens are.
#[derive(Clone, Copy)]
pub(super) struct ChannelStorage {
    channel: u32,
    /// Where the channel's two token slots start; they alternate, so that a producer can offer the
    /// next token while the consumer still reads this one.
    start: u32,
    fields: u32,
}

impl ChannelStorage {
    #[inline]
    fn group(self) -> usize {
        self.channel as usize / 64
    }

    #[inline]
    fn bit(self) -> u64 {
        1 << (self.channel % 64)
    }

    #[inline]
    fn slot(self, slot: u64) -> Range<usize> {
        let start = self.start as usize + (slot * u64::from(self.fields)) as usize;
        start..start + self.fields as usize
    }
}

/// The state of 64 channels, a bit each.
#[derive(Clone, Copy, Default)]
struct ChannelBits {
    /// A token stands.
    valid: u64,
    /// The consumer takes tokens.
    ready: u64,
    /// A token passes at the next edge, or at the one in progress.
    firing: u64,
    /// The producer has offered a token at the edge in progress.
    offered: u64,
    /// Which of the two slots the token that stands is in.
    slot: u64,
    /// The consumer has changed ready at the edge in progress.
    turned: u64,
    /// Valid or ready may have changed at the edge before.
    settled: u64,
    /// The consumer takes a token from several inputs at once.
    joined: u64,
    /// Of those, the first input.
    leading: u64,
}

impl ChannelBits {
    /// What was driven takes effect.
    #[inline]
    fn settle(&mut self) {
        self.settled = self.firing | self.offered | self.turned;
        self.valid = self.valid & !self.firing | self.offered;
        self.slot ^= self.offered;
        (self.offered, self.turned) = (0, 0);
        self.firing = self.valid & self.ready & !self.joined;
    }

    /// Where a token will stand in the next cycle.
    #[inline]
    fn offering(&self) -> u64 {
        self.valid & !self.firing | self.offered
    }
}

/// The inputs of a unit that takes a token from all of them at once: in which groups, which bits.
type Join = Vec<(u32, u64)>;

/// The state of all channels.
pub(super) struct Wires {
    pub(super) cycle: u64,
    /// The cycle that ends at the next edge but for the one in progress.
    pub(super) coming: u64,
    groups: Vec<ChannelBits>,
    /// Whether a token passes at the next edge.
    pub(super) fires: bool,
    routes: Vec<Route>,
    storage: Vec<ChannelStorage>,
    pub(super) words: Vec<u64>,
    joins: Vec<Join>,
    /// By channel: which of the joins has it as its first input.
    led: Vec<u32>,
    /// Who sees the edge in progress.
    pub(super) concerned: UnitSet,
    /// The last cycle at whose edge some unit was clocked, plus one.
    pub(super) quiescent_since: u64,
    /// Units that have asked for the coming edge.
    pub(super) soon: UnitSet,
    /// Later edges asked for.
    pub(super) wakes: Vec<(u32, u64)>,
    /// Constants changed: the unit, which of the wires that it drives, and the value.
    pub(super) driven: Vec<(u32, u32, u64)>,
}

impl Wires {
    /// The channels between `units` units.
    pub(super) fn new(units: usize, shapes: impl Iterator<Item = Shape>) -> Wires {
        let mut wires = Wires {
            cycle: 0,
            coming: 0,
            groups: Vec::new(),
            fires: false,
            routes: Vec::new(),
            storage: Vec::new(),
            words: Vec::new(),
            joins: Vec::new(),
            led: Vec::new(),
            concerned: UnitSet::new(units),
            quiescent_since: 0,
            soon: UnitSet::new(units),
            wakes: Vec::new(),
            driven: Vec::new(),
        };
        let mut joined: BTreeMap<u32, Vec<ChannelStorage>> = BTreeMap::new();
        for shape in shapes {
            let storage = wires.add(&shape);
            if shape.joined {
                joined.entry(shape.to.unit).or_default().push(storage);
            }
        }
        wires.led = vec![u32::MAX; wires.storage.len()];
        // Who has one input joins nothing.
        for inputs in joined.values().filter(|inputs| inputs.len() > 1) {
            wires.join(inputs);
        }
        wires
    }

    fn add(&mut self, shape: &Shape) -> ChannelStorage {
        let storage = ChannelStorage {
            channel: self.storage.len() as u32,
            start: self.words.len() as u32,
            fields: shape.fields as u32,
        };
        self.storage.push(storage);
        self.words.resize(self.words.len() + 2 * shape.fields, 0);
        self.routes.push(Route {
            from: shape.from,
            to: shape.to,
            units: Pair::new(shape.from.unit, shape.to.unit),
            passed: 0,
        });
        if storage.group() == self.groups.len() {
            self.groups.push(ChannelBits::default());
        }
        if shape.is_ready {
            self.groups[storage.group()].ready |= storage.bit();
        }
        storage
    }

    fn join(&mut self, inputs: &[ChannelStorage]) {
        let first = inputs[0];
        self.groups[first.group()].leading |= first.bit();
        self.led[first.channel as usize] = self.joins.len() as u32;
        let mut bits: BTreeMap<u32, u64> = BTreeMap::new();
        for input in inputs {
            self.groups[input.group()].joined |= input.bit();
            *bits.entry(input.group() as u32).or_default() |= input.bit();
        }
        self.joins.push(bits.into_iter().collect());
    }

    /// Where a channel is.
    pub(super) fn storage(&self, channel: usize) -> ChannelStorage {
        self.storage[channel]
    }

    /// Tokens pass, and the units concerned, or that have asked for it, are to see the edge. The ends are by
    /// unit.
    pub(super) fn begin_edge(&mut self, ends: &mut [Ends]) {
        self.coming = self.cycle + 1;
        std::mem::swap(&mut self.soon, &mut self.concerned);
        let mut concerned = self.concerned.adding();
        for (index, group) in self.groups.iter().enumerate() {
            for channel in Bits::of(index, group.firing) {
                let route = &mut self.routes[channel as usize];
                route.passed += 1;
                ends[route.from.unit as usize].given |= route.from.bit;
                ends[route.to.unit as usize].taken |= route.to.bit;
                concerned.insert(&route.units);
            }
        }
        concerned.finish();
        if !self.concerned.is_empty() {
            self.quiescent_since = self.coming;
        }
    }

    /// Where the token is that stands in a channel.
    #[inline(always)]
    pub(super) fn token(&self, storage: ChannelStorage) -> Range<usize> {
        let slot = self.groups[storage.group()].slot >> (storage.channel % 64) & 1;
        storage.slot(slot)
    }

    /// Says that a token will stand in a channel; gives where it is to be written.
    #[inline(always)]
    pub(super) fn begin_offer(&mut self, storage: ChannelStorage) -> Range<usize> {
        let group = &mut self.groups[storage.group()];
        group.offered |= storage.bit();
        storage.slot(!group.slot >> (storage.channel % 64) & 1)
    }

    /// The consumer takes tokens from the next cycle on, or no longer.
    pub(super) fn change_ready(&mut self, storage: ChannelStorage, ready: bool) {
        self.groups[storage.group()].turned |= storage.bit();
        self.set_ready(storage.channel as usize, ready);
    }

    /// What was driven during the edge takes effect, and decides where tokens pass next.
    pub(super) fn settle(&mut self) {
        let mut leading = 0;
        let mut fires = 0;
        for group in &mut self.groups {
            group.settle();
            fires |= group.firing;
            leading |= group.leading & group.valid & group.ready;
        }
        self.fires = fires != 0;
        if leading != 0 {
            self.fire_joins();
        }
    }

    /// Tokens pass where inputs are joined, if all of them are valid.
    fn fire_joins(&mut self) {
        for index in 0..self.groups.len() {
            let ChannelBits {
                leading,
                valid,
                ready,
                ..
            } = self.groups[index];
            for channel in Bits::of(index, leading & valid & ready) {
                let join = &self.joins[self.led[channel as usize] as usize];
                let missing =
                    |&(group, bits): &(u32, u64)| bits & !self.groups[group as usize].valid;
                if join.iter().all(|inputs| missing(inputs) == 0) {
                    for &(group, bits) in join {
                        self.groups[group as usize].firing |= bits;
                    }
                    self.fires = true;
                }
            }
        }
    }

    /// The channels where a token passes at the next edge, for observers.
    pub(super) fn firing(&self) -> impl Iterator<Item = u32> {
        let groups = self.groups.iter().enumerate();
        groups.flat_map(|(index, group)| Bits::of(index, group.firing))
    }

    /// Those of some channels of a group where a token passes at the next edge, for watches.
    pub(super) fn firing_among(&self, group: usize, bits: u64) -> Bits {
        Bits::of(group, self.groups[group].firing & bits)
    }

    /// The channels whose valid or ready may have changed at the edge before, for observers. Where
    /// inputs are joined, those that fire have changed too.
    pub(super) fn settled(&self) -> impl Iterator<Item = u32> {
        let groups = self.groups.iter().enumerate();
        groups.flat_map(|(index, group)| Bits::of(index, group.settled))
    }

    /// Whether a channel is valid, and its token.
    pub(super) fn standing(&self, channel: usize) -> (bool, &[u64]) {
        let storage = self.storage[channel];
        let valid = self.groups[storage.group()].valid & storage.bit() != 0;
        (valid, &self.words[self.token(storage)])
    }

    /// A channel's valid and ready; a joined channel's ready is that of its consumer for all.
    pub(super) fn driven(&self, channel: u32) -> (bool, bool) {
        let storage = self.storage[channel as usize];
        let group = &self.groups[storage.group()];
        (
            group.valid & storage.bit() != 0,
            group.ready & storage.bit() != 0,
        )
    }

    /// How many tokens have passed a channel.
    pub(super) fn passed(&self, channel: u32) -> u64 {
        self.routes[channel as usize].passed
    }

    /// Whether a token passes a channel at the edge in progress.
    pub(super) fn is_firing(&self, storage: ChannelStorage) -> bool {
        self.groups[storage.group()].firing & storage.bit() != 0
    }

    /// Whether a token will stand in a channel in the next cycle.
    pub(super) fn is_offering(&self, storage: ChannelStorage) -> bool {
        self.groups[storage.group()].offering() & storage.bit() != 0
    }

    /// Whether a channel's consumer takes tokens.
    pub(super) fn is_ready(&self, storage: ChannelStorage) -> bool {
        self.groups[storage.group()].ready & storage.bit() != 0
    }

    /// Sets from the environment whether a consumer is ready.
    pub(super) fn set_ready(&mut self, channel: usize, ready: bool) {
        let storage = self.storage[channel];
        let group = &mut self.groups[storage.group()];
        match ready {
            true => group.ready |= storage.bit(),
            false => group.ready &= !storage.bit(),
        }
    }

    /// Sets from the environment what a producer offers.
    pub(super) fn set_standing(&mut self, channel: usize, token: Option<&[u64]>) {
        let storage = self.storage[channel];
        let group = &mut self.groups[storage.group()];
        match token {
            Some(token) => {
                group.valid |= storage.bit();
                let standing = self.token(storage);
                self.words[standing].copy_from_slice(token);
            }
            None => group.valid &= !storage.bit(),
        }
    }

    /// Marks the channels that are valid and ready as those where tokens pass.
    pub(super) fn fire_ready(&mut self) {
        for group in &mut self.groups {
            group.firing = group.valid & group.ready;
        }
    }
}
