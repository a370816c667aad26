//! The state of a circuit's channels, and where tokens pass next.

use std::collections::BTreeMap;
use std::ops::Range;

use super::unit_set::UnitSet;

/// The end of a channel at a unit.
#[derive(Clone, Copy)]
pub(super) struct Pin {
    unit: u32,
    /// The port's bit in [`Ends`], if it has one.
    bit: u64,
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
/// have to be looked up in their lines.
#[derive(Clone, Copy, Default)]
pub(super) struct Ends {
    /// Inputs that have just taken a token.
    pub(super) taken: u64,
    /// Outputs whose token somebody has just taken.
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

    /// Whether nothing has passed yet at the edge in progress.
    #[inline]
    fn is_quiet(&self) -> bool {
        self.taken | self.given == 0
    }
}

/// A channel, in one line of the processor's cache.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Line {
    /// Where the channel's two token slots start; they alternate, so that a producer can offer the
    /// next token while the consumer still reads this one.
    start: u32,
    fields: u16,
    flags: u8,
    /// Which of the joins its consumer is, or [`SEPARATE`].
    join: u32,
    from: Pin,
    to: Pin,
    /// Tokens that have passed.
    passed: u64,
}

/// The consumer takes tokens from each input by itself.
const SEPARATE: u32 = u32::MAX;

/// A token stands.
const VALID: u8 = 1;
/// The consumer takes tokens.
const READY: u8 = 1 << 1;
/// A token passes at the edge in progress.
const FIRES: u8 = 1 << 2;
/// The producer has offered a token at the edge in progress.
const OFFERED: u8 = 1 << 3;
/// The channel is in `changed`.
const LISTED: u8 = 1 << 4;
/// Which of the two slots the token that stands is in.
const SLOT: u8 = 1 << 5;

impl Line {
    #[inline]
    fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    #[inline]
    fn set(&mut self, flag: u8, on: bool) {
        self.flags = self.flags & !flag | if on { flag } else { 0 };
    }

    /// Whether a token passes at the edge in progress.
    #[inline]
    pub(super) fn fires(&self) -> bool {
        self.has(FIRES)
    }

    /// Whether the consumer takes tokens.
    #[inline]
    pub(super) fn is_ready(&self) -> bool {
        self.has(READY)
    }

    /// Whether a token will stand in the next cycle.
    #[inline]
    pub(super) fn is_offering(&self) -> bool {
        self.has(OFFERED) || self.flags & (VALID | FIRES) == VALID
    }

    /// Where the token that stands is.
    #[inline]
    pub(super) fn token(&self) -> Range<usize> {
        self.slot_range(self.has(SLOT))
    }

    #[inline]
    fn slot_range(&self, slot: bool) -> Range<usize> {
        let fields = usize::from(self.fields);
        let start = self.start as usize + if slot { fields } else { 0 };
        start..start + fields
    }

    /// What was driven takes effect; gives whether a token stood before.
    #[inline]
    fn settle(&mut self) -> bool {
        let flags = self.flags;
        let offered = flags & OFFERED != 0;
        let slot = (flags & SLOT) ^ if offered { SLOT } else { 0 };
        let valid = if self.is_offering() { VALID } else { 0 };
        self.flags = flags & READY | slot | valid;
        flags & VALID != 0
    }
}

/// A unit that takes a token from all inputs at once.
struct Join {
    inputs: Vec<u32>,
    /// Inputs that are not valid.
    missing: u32,
    /// In `joining`.
    listed: bool,
}

/// The state of all channels.
pub(super) struct Wires {
    pub(super) cycle: u64,
    /// The cycle that ends at the next edge but for the one in progress.
    pub(super) coming: u64,
    pub(super) lines: Vec<Line>,
    pub(super) words: Vec<u64>,
    joins: Vec<Join>,
    /// The joins that may take.
    joining: Vec<u32>,
    /// Channels where a token passes at the next edge.
    pub(super) firing: Vec<u32>,
    /// Who sees the edge in progress.
    pub(super) concerned: UnitSet,
    /// The last cycle at whose edge somebody was concerned, plus one.
    pub(super) still_since: u64,
    /// Channels whose valid or ready may have changed.
    changed: Vec<u32>,
    /// Channels whose valid or ready may have changed at the edge before, for observers. Where
    /// inputs are joined, those in `firing` have changed too.
    pub(super) settled: Vec<u32>,
    /// Units that have asked for the coming edge.
    pub(super) soon: UnitSet,
    /// Later edges asked for.
    pub(super) wakes: Vec<(u32, u64)>,
    /// Constants changed: the unit, which of the wires that it drives, and the value.
    pub(super) driven: Vec<(u32, u32, u64)>,
}

impl Wires {
    /// The channels between so many units.
    pub(super) fn new(units: usize, shapes: impl Iterator<Item = Shape>) -> Wires {
        let mut wires = Wires {
            cycle: 0,
            coming: 0,
            lines: Vec::new(),
            words: Vec::new(),
            joins: Vec::new(),
            joining: Vec::new(),
            firing: Vec::new(),
            concerned: UnitSet::new(units),
            still_since: 0,
            changed: Vec::new(),
            settled: Vec::new(),
            soon: UnitSet::new(units),
            wakes: Vec::new(),
            driven: Vec::new(),
        };
        let mut joins = BTreeMap::new();
        for shape in shapes {
            let join = match shape.joined {
                true => {
                    let join = joins.entry(shape.to.unit);
                    *join.or_insert_with(|| wires.add_join())
                }
                false => SEPARATE,
            };
            wires.add_line(&shape, join);
        }
        wires
    }

    fn add_join(&mut self) -> u32 {
        self.joins.push(Join {
            inputs: Vec::new(),
            missing: 0,
            listed: false,
        });
        self.joins.len() as u32 - 1
    }

    fn add_line(&mut self, shape: &Shape, join: u32) {
        if let Some(join) = self.joins.get_mut(join as usize) {
            join.inputs.push(self.lines.len() as u32);
            join.missing += 1;
        }
        self.lines.push(Line {
            start: self.words.len() as u32,
            fields: shape.fields.try_into().expect("a token has few fields"),
            flags: if shape.is_ready { READY } else { 0 },
            join,
            from: shape.from,
            to: shape.to,
            passed: 0,
        });
        self.words.resize(self.words.len() + 2 * shape.fields, 0);
    }

    /// Tokens pass, and whoever is concerned or has asked for it is to see the edge. The ends are by
    /// unit.
    pub(super) fn begin_edge(&mut self, ends: &mut [Ends]) {
        self.coming = self.cycle + 1;
        std::mem::swap(&mut self.soon, &mut self.concerned);
        std::mem::swap(&mut self.changed, &mut self.firing);
        self.firing.clear();
        let lines = &mut self.lines[..];
        for &channel in &self.changed {
            let line = &mut lines[channel as usize];
            line.flags |= FIRES | LISTED;
            line.passed += 1;
            let (from, to) = (line.from, line.to);
            let producer = &mut ends[from.unit as usize];
            if producer.is_quiet() {
                self.concerned.insert(from.unit);
            }
            producer.given |= from.bit;
            let consumer = &mut ends[to.unit as usize];
            if consumer.is_quiet() {
                self.concerned.insert(to.unit);
            }
            consumer.taken |= to.bit;
        }
        if !self.concerned.is_empty() {
            self.still_since = self.coming;
        }
    }

    /// Says that a token will stand in a channel; gives where it is to be written.
    #[inline(always)]
    pub(super) fn begin_offer(&mut self, channel: u32) -> Range<usize> {
        let line = &mut self.lines[channel as usize];
        assert!(!line.is_offering(), "one token at a time");
        let listed = line.has(LISTED);
        line.flags |= OFFERED | LISTED;
        if !listed {
            self.changed.push(channel);
        }
        line.slot_range(!line.has(SLOT))
    }

    /// The consumer takes tokens from the next cycle on, or no longer.
    pub(super) fn change_ready(&mut self, channel: u32, ready: bool) {
        let line = &mut self.lines[channel as usize];
        line.set(READY, ready);
        if !line.has(LISTED) {
            line.flags |= LISTED;
            self.changed.push(channel);
        }
    }

    /// What was driven during the edge takes effect, and decides where tokens pass next.
    pub(super) fn settle(&mut self) {
        std::mem::swap(&mut self.changed, &mut self.settled);
        self.changed.clear();
        let lines = &mut self.lines[..];
        for &channel in &self.settled {
            let line = &mut lines[channel as usize];
            let was_valid = line.settle();
            let passes = line.flags & (VALID | READY) == VALID | READY;
            if line.join == SEPARATE {
                if passes {
                    self.firing.push(channel);
                }
                continue;
            }
            let join = &mut self.joins[line.join as usize];
            join.missing = join.missing + u32::from(was_valid) - u32::from(line.has(VALID));
            // Whether all inputs are valid is known behind the last one that changes.
            if passes && !join.listed {
                join.listed = true;
                self.joining.push(line.join);
            }
        }
        for index in self.joining.drain(..) {
            let join = &mut self.joins[index as usize];
            join.listed = false;
            if join.missing == 0 {
                self.firing.extend_from_slice(&join.inputs);
            }
        }
    }

    /// Whether a channel is valid, and its token.
    pub(super) fn standing(&self, channel: usize) -> (bool, &[u64]) {
        let line = &self.lines[channel];
        (line.has(VALID), &self.words[line.token()])
    }

    /// A channel's valid and ready; a joined channel's ready is that of its consumer for all.
    pub(super) fn driven(&self, channel: u32) -> (bool, bool) {
        let line = &self.lines[channel as usize];
        (line.has(VALID), line.is_ready())
    }

    /// How many tokens have passed a channel.
    pub(super) fn passed(&self, channel: u32) -> u64 {
        self.lines[channel as usize].passed
    }

    /// Whether a channel's consumer takes tokens.
    pub(super) fn is_ready(&self, channel: usize) -> bool {
        self.lines[channel].is_ready()
    }

    /// Sets from the outside whether a consumer is ready.
    pub(super) fn set_ready(&mut self, channel: usize, ready: bool) {
        self.lines[channel].set(READY, ready);
    }

    /// Sets from the outside what a producer offers.
    pub(super) fn set_standing(&mut self, channel: usize, token: Option<&[u64]>) {
        let line = &mut self.lines[channel];
        line.set(VALID, token.is_some());
        if let Some(token) = token {
            self.words[line.token()].copy_from_slice(token);
        }
    }

    /// Marks the channels that are valid and ready as those where tokens pass.
    pub(super) fn fire_ready(&mut self) {
        self.firing.clear();
        let lines = self.lines.iter().enumerate();
        let ready = lines.filter(|(_, line)| line.has(VALID) && line.is_ready());
        self.firing.extend(ready.map(|(channel, _)| channel as u32));
    }
}
