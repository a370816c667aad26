//! The state of a circuit's channels, and a unit's view of its own.

use std::ops::Range;

use cranelift_entity::EntityRef;
use smallvec::SmallVec;

use crate::circuit::Channel;
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
    inputs: SmallVec<[u32; 4]>,
    outputs: SmallVec<[u32; 4]>,
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
    fields: u32,
    from: u32,
    to: u32,
    /// Tokens that have passed.
    passed: u64,
    slot: bool,
    valid: bool,
    ready: bool,
    joined: bool,
    /// A token passes at the edge in progress.
    fires: bool,
    /// The producer has offered a token at the edge in progress.
    offered: bool,
    /// In `changed`.
    listed: bool,
}

impl Line {
    /// Where the token that stands is.
    fn token(&self) -> Range<usize> {
        self.slot_range(self.slot)
    }

    /// Where the token is that stands next.
    fn next_token(&self) -> Range<usize> {
        self.slot_range(!self.slot)
    }

    fn slot_range(&self, slot: bool) -> Range<usize> {
        let start = (self.start + if slot { self.fields } else { 0 }) as usize;
        start..start + self.fields as usize
    }
}

/// The state of all channels.
pub(super) struct Wires {
    pub(super) cycle: u64,
    lines: Vec<Line>,
    words: Vec<u64>,
    /// Channels where a token passes at the next edge.
    pub(super) firing: Vec<u32>,
    /// Channels where a token passes at the edge in progress.
    pub(super) fired: Vec<u32>,
    /// Channels whose valid or ready may have changed.
    changed: Vec<u32>,
    /// Channels whose valid or ready may have changed at the edge before, for observers. Where
    /// inputs are joined, those in `firing` have changed too.
    pub(super) settled: Vec<u32>,
    /// Calls asked for.
    pub(super) wakes: Vec<(u32, u64)>,
    /// Constants changed: the unit, which of the wires that it drives, and the value.
    pub(super) driven: Vec<(u32, u32, u64)>,
}

impl Wires {
    pub(super) fn new(shapes: impl Iterator<Item = Shape>) -> Wires {
        let mut words = 0;
        let lines = shapes
            .map(|shape| {
                let start = words;
                words += 2 * shape.fields;
                Line {
                    start: start as u32,
                    fields: shape.fields as u32,
                    from: shape.from,
                    to: shape.to,
                    passed: 0,
                    slot: false,
                    valid: false,
                    ready: shape.is_ready,
                    joined: shape.joined,
                    fires: false,
                    offered: false,
                    listed: false,
                }
            })
            .collect();
        Wires {
            cycle: 0,
            lines,
            words: vec![0; words],
            firing: Vec::new(),
            fired: Vec::new(),
            changed: Vec::new(),
            settled: Vec::new(),
            wakes: Vec::new(),
            driven: Vec::new(),
        }
    }

    /// The units at a channel's ends.
    pub(super) fn ends(&self, channel: u32) -> (u32, u32) {
        let line = &self.lines[channel as usize];
        (line.from, line.to)
    }

    /// Tokens pass.
    pub(super) fn begin_edge(&mut self) {
        std::mem::swap(&mut self.fired, &mut self.firing);
        self.firing.clear();
        for &channel in &self.fired {
            let line = &mut self.lines[channel as usize];
            line.fires = true;
            line.passed += 1;
        }
    }

    /// What was driven during the edge takes effect, and decides where tokens pass next.
    pub(super) fn settle(&mut self, ports: &[PortMap]) {
        for index in 0..self.fired.len() {
            let channel = self.fired[index];
            let line = &mut self.lines[channel as usize];
            line.fires = false;
            line.valid = false;
            self.list(channel);
        }
        self.fired.clear();
        for &channel in &self.changed {
            let line = &mut self.lines[channel as usize];
            if std::mem::take(&mut line.offered) {
                line.valid = true;
                line.slot = !line.slot;
            }
        }
        let changed = std::mem::take(&mut self.changed);
        for &channel in &changed {
            let line = &mut self.lines[channel as usize];
            line.listed = false;
            if !(line.valid && line.ready) || line.fires {
                continue;
            }
            if line.joined {
                let to = line.to as usize;
                self.fire_together(&ports[to]);
            } else {
                line.fires = true;
                self.firing.push(channel);
            }
        }
        self.changed = std::mem::replace(&mut self.settled, changed);
        self.changed.clear();
        for &channel in &self.firing {
            self.lines[channel as usize].fires = false;
        }
    }

    /// All inputs of a joining unit, if each is valid.
    fn fire_together(&mut self, ports: &PortMap) {
        let all = ports
            .inputs
            .iter()
            .all(|&input| self.lines[input as usize].valid);
        if all {
            for &input in &ports.inputs {
                self.lines[input as usize].fires = true;
                self.firing.push(input);
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
    pub(super) fn new(wires: &'a mut Wires, ports: &'a PortMap, unit: u32) -> Io<'a> {
        Io { wires, ports, unit }
    }

    /// The number of the cycle that ends.
    pub fn cycle(&self) -> u64 {
        self.wires.cycle
    }

    /// The token that input `port` has just taken.
    pub fn taken(&self, port: usize) -> Option<&[u64]> {
        let line = &self.wires.lines[self.ports.inputs[port] as usize];
        if !line.fires {
            return None;
        }
        Some(&self.wires.words[line.token()])
    }

    /// Whether somebody has just taken the token offered at output `port`.
    pub fn given(&self, port: usize) -> bool {
        self.wires.lines[self.ports.outputs[port] as usize].fires
    }

    /// Whether a token will stand at output `port` in the next cycle.
    pub fn offering(&self, port: usize) -> bool {
        let line = &self.wires.lines[self.ports.outputs[port] as usize];
        line.offered || (line.valid && !line.fires)
    }

    /// Offers a token at output `port` from the next cycle on, until it is taken. Nothing else may
    /// stand there.
    pub fn offer(&mut self, port: usize, token: &[u64]) {
        assert!(!self.offering(port), "one token at a time");
        let channel = self.ports.outputs[port];
        let line = &mut self.wires.lines[channel as usize];
        line.offered = true;
        let next = line.next_token();
        self.wires.words[next].copy_from_slice(token);
        self.wires.list(channel);
    }

    /// Takes tokens at input `port` from the next cycle on, or no longer. For a joined intake the
    /// port is 0 and stands for all.
    pub fn accept(&mut self, port: usize, ready: bool) {
        let inputs = match self.ports.intake {
            Intake::Separate => &self.ports.inputs[port..=port],
            Intake::Joined => &self.ports.inputs[..],
        };
        for &channel in inputs {
            let line = &mut self.wires.lines[channel as usize];
            if line.ready != ready {
                line.ready = ready;
                self.wires.list(channel);
            }
        }
    }

    /// Drives a constant from the next cycle on; `wire` counts in the order of
    /// [`drives`](crate::unit::UnitKind::drives). Nobody who reads it may be at work.
    pub fn drive(&mut self, wire: usize, value: u64) {
        self.wires.driven.push((self.unit, wire as u32, value));
    }

    /// Asks for an edge at the end of `cycle`, which is to come.
    pub fn wake(&mut self, cycle: u64) {
        debug_assert!(cycle > self.wires.cycle || cycle == 0);
        self.wires.wakes.push((self.unit, cycle));
    }
}
