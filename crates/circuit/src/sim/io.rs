//! The state of a circuit's channels, and a unit's view of its own.

use std::collections::BTreeMap;
use std::ops::Range;

use cranelift_entity::EntityRef;

use crate::circuit::Channel;
use crate::token_queue::copy_token;
use crate::unit::Intake;

/// What the wires need to know of a channel.
pub(super) struct Shape {
    pub(super) fields: usize,
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) joined: bool,
    pub(super) is_ready: bool,
}

/// A unit's channels.
pub(super) struct PortMap {
    inputs: Box<[u32]>,
    outputs: Box<[u32]>,
    intake: Intake,
}

impl PortMap {
    pub(super) fn new(inputs: &[Channel], outputs: &[Channel], intake: Intake) -> PortMap {
        let indices = |channels: &[Channel]| channels.iter().map(|c| c.index() as u32).collect();
        PortMap {
            inputs: indices(inputs),
            outputs: indices(outputs),
            intake,
        }
    }
}

#[derive(Clone, Copy)]
struct Line {
    /// Where the channel's two token slots start; they alternate, so that a producer can offer the
    /// next token while the consumer still reads this one.
    start: u32,
    from: u32,
    to: u32,
    /// Which of the joins its consumer is, or [`SEPARATE`].
    join: u32,
    /// Tokens that have passed.
    passed: u64,
    fields: u16,
    slot: bool,
    valid: bool,
    ready: bool,
    /// A token passes at the edge in progress.
    fires: bool,
    /// The producer has offered a token at the edge in progress.
    offered: bool,
    /// In `changed`.
    listed: bool,
}

/// The consumer takes tokens from each input by itself.
const SEPARATE: u32 = u32::MAX;

impl Line {
    /// Where the token that stands is.
    #[inline]
    fn token(&self) -> Range<usize> {
        self.slot_range(self.slot)
    }

    /// Where the token is that stands next.
    #[inline]
    fn next_token(&self) -> Range<usize> {
        self.slot_range(!self.slot)
    }

    #[inline]
    fn slot_range(&self, slot: bool) -> Range<usize> {
        let fields = usize::from(self.fields);
        let start = self.start as usize + if slot { fields } else { 0 };
        start..start + fields
    }

    /// Whether a token will stand in the next cycle.
    #[inline]
    fn is_offering(&self) -> bool {
        self.offered || (self.valid && !self.fires)
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
    coming: u64,
    lines: Vec<Line>,
    words: Vec<u64>,
    joins: Vec<Join>,
    /// The joins that may take.
    joining: Vec<u32>,
    /// Channels where a token passes at the next edge.
    pub(super) firing: Vec<u32>,
    /// Channels where a token passes at the edge in progress.
    pub(super) fired: Vec<u32>,
    /// Who sees the edge in progress.
    pub(super) concerned: Vec<u32>,
    /// By unit: the cycle whose edge it has seen last, plus one.
    seen: Vec<u64>,
    /// Channels whose valid or ready may have changed.
    changed: Vec<u32>,
    /// Channels whose valid or ready may have changed at the edge before, for observers. Where
    /// inputs are joined, those in `firing` have changed too.
    pub(super) settled: Vec<u32>,
    /// Units that have asked for the coming edge.
    pub(super) soon: Vec<u32>,
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
            fired: Vec::new(),
            concerned: Vec::new(),
            seen: vec![0; units],
            changed: Vec::new(),
            settled: Vec::new(),
            soon: Vec::new(),
            wakes: Vec::new(),
            driven: Vec::new(),
        };
        let mut joins = BTreeMap::new();
        for shape in shapes {
            let join = match shape.joined {
                true => *joins.entry(shape.to).or_insert_with(|| wires.add_join()),
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
            from: shape.from,
            to: shape.to,
            join,
            passed: 0,
            fields: shape.fields.try_into().expect("a token has few fields"),
            slot: false,
            valid: false,
            ready: shape.is_ready,
            fires: false,
            offered: false,
            listed: false,
        });
        self.words.resize(self.words.len() + 2 * shape.fields, 0);
    }

    /// Tokens pass, and whoever is concerned or was woken is to see the edge.
    pub(super) fn begin_edge(&mut self, woken: &[u32]) {
        let mark = self.cycle + 1;
        self.coming = mark;
        std::mem::swap(&mut self.fired, &mut self.firing);
        self.firing.clear();
        self.concerned.clear();
        // A unit sees an edge once, however many tokens pass it.
        let mut concern = |unit: u32| {
            let seen = &mut self.seen[unit as usize];
            if *seen != mark {
                *seen = mark;
                self.concerned.push(unit);
            }
        };
        for &channel in &self.fired {
            let line = &mut self.lines[channel as usize];
            line.fires = true;
            line.listed = true;
            line.passed += 1;
            concern(line.from);
            concern(line.to);
        }
        woken.iter().for_each(|&unit| concern(unit));
        self.changed.extend_from_slice(&self.fired);
    }

    /// The last cycle at whose edge somebody was concerned, plus one.
    pub(super) fn still_since(&self) -> u64 {
        self.seen.iter().copied().max().unwrap_or(0)
    }

    /// What was driven during the edge takes effect, and decides where tokens pass next.
    pub(super) fn settle(&mut self) {
        std::mem::swap(&mut self.changed, &mut self.settled);
        self.changed.clear();
        for &channel in &self.settled {
            let line = &mut self.lines[channel as usize];
            let was_valid = line.valid;
            line.valid = line.is_offering();
            line.slot ^= line.offered;
            (line.fires, line.offered, line.listed) = (false, false, false);
            let passes = line.valid && line.ready;
            if line.join == SEPARATE {
                if passes {
                    self.firing.push(channel);
                }
                continue;
            }
            let join = &mut self.joins[line.join as usize];
            join.missing = join.missing + u32::from(was_valid) - u32::from(line.valid);
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
        (line.valid, &self.words[line.token()])
    }

    /// A channel's valid and ready; a joined channel's ready is that of its consumer for all.
    pub(super) fn driven(&self, channel: u32) -> (bool, bool) {
        let line = &self.lines[channel as usize];
        (line.valid, line.ready)
    }

    /// How many tokens have passed a channel.
    pub(super) fn passed(&self, channel: u32) -> u64 {
        self.lines[channel as usize].passed
    }

    /// Whether a channel's consumer takes tokens.
    pub(super) fn is_ready(&self, channel: usize) -> bool {
        self.lines[channel].ready
    }

    /// Sets from the outside whether a consumer is ready.
    pub(super) fn set_ready(&mut self, channel: usize, ready: bool) {
        self.lines[channel].ready = ready;
    }

    /// Sets from the outside what a producer offers.
    pub(super) fn set_standing(&mut self, channel: usize, token: Option<&[u64]>) {
        let line = &mut self.lines[channel];
        line.valid = token.is_some();
        if let Some(token) = token {
            self.words[line.token()].copy_from_slice(token);
        }
    }

    /// Marks the channels that are valid and ready as those where tokens pass.
    pub(super) fn fire_ready(&mut self) {
        self.firing.clear();
        let ready = self
            .lines
            .iter()
            .enumerate()
            .filter(|(_, line)| line.valid && line.ready);
        self.firing.extend(ready.map(|(channel, _)| channel as u32));
    }

    #[inline]
    fn list(&mut self, channel: u32) {
        let line = &mut self.lines[channel as usize];
        if !std::mem::replace(&mut line.listed, true) {
            self.changed.push(channel);
        }
    }
}

/// A unit's view of its ports at a clock edge: what has passed, and what it drives from now on.
pub struct Io<'a> {
    wires: &'a mut Wires,
    ports: &'a PortMap,
    unit: u32,
}

impl<'a> Io<'a> {
    #[inline]
    pub(super) fn new(wires: &'a mut Wires, ports: &'a PortMap, unit: u32) -> Io<'a> {
        Io { wires, ports, unit }
    }

    /// The number of the cycle that ends.
    #[inline]
    pub fn cycle(&self) -> u64 {
        self.wires.cycle
    }

    /// The token that input `port` has just taken.
    #[inline]
    pub fn taken(&self, port: usize) -> Option<&[u64]> {
        let line = &self.wires.lines[self.ports.inputs[port] as usize];
        match line.fires {
            true => Some(&self.wires.words[line.token()]),
            false => None,
        }
    }

    /// Whether input `port` has just taken a token.
    #[inline]
    pub fn takes(&self, port: usize) -> bool {
        self.wires.lines[self.ports.inputs[port] as usize].fires
    }

    /// Whether somebody has just taken the token offered at output `port`.
    #[inline]
    pub fn given(&self, port: usize) -> bool {
        self.wires.lines[self.ports.outputs[port] as usize].fires
    }

    /// Whether a token will stand at output `port` in the next cycle.
    #[inline]
    pub fn offering(&self, port: usize) -> bool {
        self.wires.lines[self.ports.outputs[port] as usize].is_offering()
    }

    /// Offers a token at output `port` from the next cycle on, until it is taken. Nothing else may
    /// stand there.
    #[inline(always)]
    pub fn offer(&mut self, port: usize, token: &[u64]) {
        let place = self.begin_offer(port);
        copy_token(token, &mut self.wires.words[place]);
    }

    /// Offers these fields of a token, as [`Io::offer`].
    pub(crate) fn offer_fields(&mut self, port: usize, token: &[u64], fields: &[usize]) {
        let place = self.begin_offer(port);
        for (to, &field) in self.wires.words[place].iter_mut().zip(fields) {
            *to = token[field];
        }
    }

    /// Offers the token that input `from` has just taken, as [`Io::offer`].
    pub(crate) fn pass(&mut self, from: usize, port: usize) {
        let line = &self.wires.lines[self.ports.inputs[from] as usize];
        assert!(line.fires, "a token was taken");
        let token = line.token();
        let place = self.begin_offer(port);
        for (to, from) in place.zip(token) {
            self.wires.words[to] = self.wires.words[from];
        }
    }

    /// Offers these fields of the token that input `from` has just taken, as [`Io::offer`].
    pub(crate) fn pass_fields(&mut self, from: usize, fields: &[usize], port: usize) {
        let line = &self.wires.lines[self.ports.inputs[from] as usize];
        assert!(line.fires, "a token was taken");
        let token = line.token();
        let place = self.begin_offer(port);
        for (to, &field) in place.zip(fields) {
            self.wires.words[to] = self.wires.words[token.start + field];
        }
    }

    /// Says that a token will stand at output `port`; gives where it is to be written.
    #[inline(always)]
    fn begin_offer(&mut self, port: usize) -> Range<usize> {
        let channel = self.ports.outputs[port];
        let line = &mut self.wires.lines[channel as usize];
        assert!(!line.is_offering(), "one token at a time");
        line.offered = true;
        let place = line.next_token();
        if !line.listed {
            line.listed = true;
            self.wires.changed.push(channel);
        }
        place
    }

    /// Takes tokens at input `port` from the next cycle on, or no longer. For a joined intake the
    /// port is 0 and stands for all.
    #[inline]
    pub fn accept(&mut self, port: usize, ready: bool) {
        let line = &self.wires.lines[self.ports.inputs[port] as usize];
        if line.ready != ready {
            self.change_ready(port, ready);
        }
    }

    #[inline(never)]
    fn change_ready(&mut self, port: usize, ready: bool) {
        let inputs = match self.ports.intake {
            Intake::Separate => &self.ports.inputs[port..=port],
            Intake::Joined => &self.ports.inputs[..],
        };
        for &channel in inputs {
            self.wires.lines[channel as usize].ready = ready;
            self.wires.list(channel);
        }
    }

    /// Drives a constant from the next cycle on; `wire` counts in the order of
    /// [`drives`](crate::unit::UnitKind::drives). Nobody who reads it may be at work.
    pub fn drive(&mut self, wire: usize, value: u64) {
        self.wires.driven.push((self.unit, wire as u32, value));
    }

    /// Asks for an edge at the end of `cycle`, which is to come.
    #[inline]
    pub fn wake(&mut self, cycle: u64) {
        debug_assert!(cycle >= self.wires.coming);
        if cycle == self.wires.coming {
            self.wires.soon.push(self.unit);
        } else {
            self.wires.wakes.push((self.unit, cycle));
        }
    }
}
