//! What stands in a module of a circuit: its parts, what each channel is there, and names.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::arrays::Vector;
use super::layout::concatenate;
use super::modules::Modules;
use crate::circuit::{Channel, Circuit, Constant, End, ModuleGroup, Unit};
use crate::unit::Wire;

/// What stands in a module.
#[derive(Clone, Copy)]
pub(super) enum Part {
    Unit(Unit),
    ModuleGroup(ModuleGroup),
}

/// A module of the circuit: a group's, or that of the whole.
pub(super) struct Scope<'a> {
    pub(super) circuit: &'a Circuit,
    pub(super) modules: &'a Modules<'a>,
    pub(super) group: Option<ModuleGroup>,
    pub(super) parts: Vec<Part>,
    /// The vectors whose channels all have the same role in this module, by channel with its place.
    vectors: BTreeMap<Channel, (&'a Vector, usize)>,
}

/// What is declared in a module: a channel, or several side by side.
#[derive(Clone, Copy)]
pub(super) enum Signal<'a> {
    Channel(Channel),
    Vector(&'a Vector),
}

impl Signal<'_> {
    /// Its channels, the first one lowest.
    pub(super) fn channels(&self) -> &[Channel] {
        match self {
            Signal::Channel(channel) => std::slice::from_ref(channel),
            Signal::Vector(vector) => &vector.channels,
        }
    }
}

/// Where a unit stands, seen from a module.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Here,
    /// In a group in this module.
    In(ModuleGroup),
    Around,
}

/// Where an end of a channel lies, seen from a module.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// At a unit or group in this module.
    Part,
    /// Inside a group, seen from around it.
    Hidden,
    /// Around the module.
    Around,
    /// At no unit and not in the environment.
    Nowhere,
}

/// What a channel is in a module.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Input,
    Output,
    Wire,
    /// What comes from the environment or from a part is discarded.
    Discarded {
        from: Side,
    },
    Absent,
}

impl<'a> Scope<'a> {
    pub(super) fn of_group(modules: &'a Modules<'a>, group: ModuleGroup) -> Scope<'a> {
        Scope::new(modules, Some(group))
    }

    pub(super) fn top(modules: &'a Modules<'a>) -> Scope<'a> {
        Scope::new(modules, None)
    }

    /// Groups stand where their first unit would.
    fn new(modules: &'a Modules<'a>, group: Option<ModuleGroup>) -> Scope<'a> {
        let mut scope = Scope {
            circuit: modules.circuit,
            modules,
            group,
            parts: Vec::new(),
            vectors: BTreeMap::new(),
        };
        let mut seen = Vec::new();
        for unit in modules.circuit.units().keys() {
            match scope.place(unit) {
                Place::Here => scope.parts.push(Part::Unit(unit)),
                Place::In(group) => {
                    let first = modules.arrays.first(group);
                    if !seen.contains(&first) {
                        seen.push(first);
                        scope.parts.push(Part::ModuleGroup(first));
                    }
                }
                Place::Around => {}
            }
        }
        for vector in modules.arrays.vectors() {
            if scope.is_one_signal(vector) {
                let channels = vector.channels.iter().enumerate();
                let places = channels.map(|(at, &channel)| (channel, (vector, at)));
                scope.vectors.extend(places);
            }
        }
        scope.in_order()
    }

    /// Whether the channels of a vector all have the same role here.
    fn is_one_signal(&self, vector: &Vector) -> bool {
        let mut roles = vector.channels.iter().map(|&channel| self.role(channel));
        let first = roles.next();
        let is_declared = matches!(first, Some(Role::Input | Role::Output | Role::Wire));
        is_declared && roles.all(|role| Some(role) == first)
    }

    fn place(&self, unit: Unit) -> Place {
        let mut below = None;
        let mut at = self.circuit.group(unit);
        loop {
            if at == self.group {
                return below.map_or(Place::Here, Place::In);
            }
            let Some(group) = at else {
                return Place::Around;
            };
            below = Some(group);
            at = self.circuit.groups()[group].within;
        }
    }

    /// Whether this module is in a group.
    fn is_in(&self, outer: ModuleGroup) -> bool {
        let groups = self.circuit.groups();
        let mut around = std::iter::successors(self.group, |&group| groups[group].within);
        around.any(|group| group == outer)
    }

    /// A name as it is written in this module.
    pub(super) fn local<'n>(&self, name: &'n str) -> Cow<'n, str> {
        self.modules.names.local(self.group, name)
    }

    /// Puts parts behind those from which they get tokens, as far as that goes.
    fn in_order(mut self) -> Scope<'a> {
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); self.parts.len()];
        for data in self.circuit.channels().values() {
            let (End::Unit(from, _), End::Unit(to, _)) = (data.from, data.to) else {
                continue;
            };
            if let (Some(from), Some(to)) = (self.part_of(from), self.part_of(to)) {
                before[to].push(from);
            }
        }
        let mut order: Vec<usize> = Vec::new();
        let mut waiting: Vec<usize> = (0..self.parts.len()).collect();
        while !waiting.is_empty() {
            let is_there = |part: &usize| order.contains(part);
            let is_free = |&&part: &&usize| before[part].iter().all(is_there);
            let is_reached = |&&part: &&usize| before[part].iter().any(is_there);
            // A loop is entered where it is reached first.
            let next = waiting.iter().find(is_free);
            let next = next.or_else(|| waiting.iter().find(is_reached));
            let next = *next.unwrap_or(&waiting[0]);
            waiting.retain(|&part| part != next);
            order.push(next);
        }
        self.parts = order.into_iter().map(|part| self.parts[part]).collect();
        self
    }

    /// The place of a unit, or of the group that hides it, among the parts.
    pub(super) fn part_of(&self, unit: Unit) -> Option<usize> {
        let place = self.place(unit);
        self.parts.iter().position(|part| match *part {
            Part::Unit(part) => part == unit,
            Part::ModuleGroup(first) => {
                matches!(place, Place::In(group) if self.modules.arrays.first(group) == first)
            }
        })
    }

    /// Where an end lies.
    fn side(&self, end: End) -> Side {
        match end {
            End::Unit(unit, _) => match self.place(unit) {
                Place::Here => Side::Part,
                Place::In(_) => Side::Hidden,
                Place::Around => Side::Around,
            },
            End::Environment(_) => Side::Around,
            End::Discarded | End::Open => Side::Nowhere,
        }
    }

    pub(super) fn role(&self, channel: Channel) -> Role {
        let data = &self.circuit.channels()[channel];
        let (from, to) = (self.side(data.from), self.side(data.to));
        let is_top = self.group.is_none();
        match (from, to) {
            (Side::Around, Side::Around) => {
                assert!(
                    !is_top,
                    "{channel} passes a unit between its ends environment"
                );
                Role::Absent
            }
            (Side::Around, Side::Nowhere) if !is_top => Role::Absent,
            // The module of their producer discards the tokens.
            (Side::Hidden, Side::Nowhere) => Role::Absent,
            (Side::Hidden, Side::Hidden) => match self.is_inside_one_group(channel) {
                true => Role::Absent,
                false => Role::Wire,
            },
            (Side::Part | Side::Around, Side::Nowhere) => Role::Discarded { from },
            (Side::Around, Side::Part | Side::Hidden) => Role::Input,
            (Side::Part | Side::Hidden, Side::Around) => Role::Output,
            (Side::Part | Side::Hidden, Side::Part | Side::Hidden) => Role::Wire,
            (Side::Nowhere, _) => Role::Absent,
        }
    }

    fn is_inside_one_group(&self, channel: Channel) -> bool {
        let data = &self.circuit.channels()[channel];
        match (data.from, data.to) {
            (End::Unit(from, _), End::Unit(to, _)) => self.place(from) == self.place(to),
            _ => false,
        }
    }

    /// The channels with a role: those of the circuit's own ports in their order.
    pub(super) fn channels(&self, role: Role) -> Vec<Channel> {
        match (self.group, role) {
            (None, Role::Input) => {
                let inputs = self.circuit.inputs().iter().copied();
                inputs
                    .filter(|&channel| self.role(channel) == role)
                    .collect()
            }
            (None, Role::Output) => self.circuit.outputs().to_vec(),
            _ => {
                let all = self.circuit.channels().keys();
                all.filter(|&channel| self.role(channel) == role).collect()
            }
        }
    }

    /// What is declared for the channels with a role.
    pub(super) fn signals(&self, role: Role) -> Vec<Signal<'a>> {
        let channels = self.channels(role).into_iter();
        let signals = channels.filter_map(|channel| match self.vectors.get(&channel) {
            None => Some(Signal::Channel(channel)),
            Some(&(vector, 0)) => Some(Signal::Vector(vector)),
            Some(_) => None,
        });
        signals.collect()
    }

    /// The name of a signal in this module.
    pub(super) fn signal(&self, signal: Signal<'a>) -> Cow<'a, str> {
        match signal {
            Signal::Channel(channel) => self.channel(channel),
            Signal::Vector(vector) => self.local(&vector.name),
        }
    }

    /// The name of a channel in this module.
    pub(super) fn channel(&self, channel: Channel) -> Cow<'a, str> {
        self.local(&self.circuit.channels()[channel].name)
    }

    /// The expressions for valid, ready and data of channels side by side.
    pub(super) fn expressions(&self, channels: &[Channel]) -> [(&'static str, String); 3] {
        ["_valid", "_ready", ""].map(|ending| {
            let whole = self.vectors.get(&channels[0]);
            let whole = whole.filter(|(vector, _)| vector.channels == channels);
            let expression = match whole {
                Some((vector, _)) => format!("{}{ending}", self.local(&vector.name)),
                None => {
                    let each = channels.iter();
                    side_by_side(each.map(|&channel| self.expression(channel, ending)))
                }
            };
            (ending, expression)
        })
    }

    /// The expression for valid, ready or data of a channel.
    fn expression(&self, channel: Channel, ending: &str) -> String {
        let Some(&(vector, at)) = self.vectors.get(&channel) else {
            return format!("{}{ending}", self.channel(channel));
        };
        let name = self.local(&vector.name);
        let bits = self.circuit.channels()[channel].fields.bits().max(1) as usize;
        match (ending, bits) {
            ("", 2..) => format!("{name}[{}:{}]", (at + 1) * bits - 1, at * bits),
            _ => format!("{name}{ending}[{at}]"),
        }
    }

    /// Who is at the other end of a port.
    pub(super) fn neighbour(&self, end: End) -> Cow<'a, str> {
        match end {
            End::Unit(unit, _) => self.name_of(unit),
            End::Environment(_) | End::Discarded | End::Open => "the environment".into(),
        }
    }

    /// The name of a unit, or of the group that hides it.
    pub(super) fn name_of(&self, unit: Unit) -> Cow<'a, str> {
        let hidden_by = match self.place(unit) {
            Place::Here => None,
            Place::In(group) => Some(group),
            Place::Around => self.circuit.group(unit).filter(|&it| !self.is_in(it)),
        };
        match hidden_by {
            Some(group) => self.group_name(group),
            None => self.local(&self.circuit.units()[unit].name),
        }
    }

    /// The name of a group: of the array that it is in, if this module is not.
    pub(super) fn group_name(&self, group: ModuleGroup) -> Cow<'a, str> {
        let groups = self.circuit.groups();
        let around = std::iter::successors(Some(group), |&group| groups[group].within);
        let outermost = around.last().filter(|&it| !self.is_in(it));
        let array = outermost.and_then(|it| self.modules.arrays.name(it));
        match array {
            Some(array) => array.into(),
            None => self.local(&groups[group].name),
        }
    }

    /// A constant with its name in this module.
    pub(super) fn wire(&self, constant: Constant) -> Wire {
        let wire = &self.circuit.constants()[constant];
        Wire {
            name: self.local(&wire.name).into_owned(),
            width: wire.width,
        }
    }

    /// The constants that units in this module read, in the circuit's order.
    pub(super) fn constants(&self) -> Vec<Constant> {
        let units = self.circuit.units().iter();
        let units = units.filter(|(unit, _)| self.place(*unit) != Place::Around);
        let constants = units.flat_map(|(_, data)| data.constants.iter().copied());
        let constants: BTreeSet<Constant> = constants.collect();
        constants.into_iter().collect()
    }
}

/// Expressions side by side, the first one lowest.
pub(super) fn side_by_side(expressions: impl Iterator<Item = String>) -> String {
    let expressions: Vec<String> = expressions.collect();
    match &expressions[..] {
        [one] => one.clone(),
        _ => concatenate(expressions.into_iter()),
    }
}
