//! Circuits: units connected by channels.
//!
//! The names of a circuit are identifiers of Verilog, and what stands in one module never has the
//! same name: a name that is illegal or taken is given as one like it.

use std::fmt;

use cranelift_entity::{PrimaryMap, SecondaryMap, entity_impl};

use crate::unit::{Fields, UnitKind, Wire};
use crate::verilog::{Identifiers, distinct};

/// A unit of a circuit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Unit(u32);
entity_impl!(Unit, "u");

/// A channel of a circuit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Channel(u32);
entity_impl!(Channel, "c");

/// A constant of a circuit: a wire that does not change while it runs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Constant(u32);
entity_impl!(Constant, "k");

/// Units that belong together: a module of their own in Verilog. The simulator does not know them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ModuleGroup(u32);
entity_impl!(ModuleGroup, "g");

/// Units connected by channels, with channels to the environment.
#[derive(Debug, Default)]
pub struct Circuit {
    /// Its name: that of the Verilog module.
    pub name: String,
    /// The file of the source that the units' lines are lines of, without its folder.
    pub source: Option<String>,
    names: Identifiers,
    units: PrimaryMap<Unit, UnitData>,
    groups: PrimaryMap<ModuleGroup, ModuleGroupData>,
    group_of: SecondaryMap<Unit, Option<ModuleGroup>>,
    channels: PrimaryMap<Channel, ChannelData>,
    field_names: SecondaryMap<Channel, Vec<String>>,
    constants: PrimaryMap<Constant, Wire>,
    /// The unit that drives a constant, and as which of its wires; none for those that the environment
    /// drives.
    drivers: SecondaryMap<Constant, Option<(Unit, u32)>>,
    inputs: Vec<Channel>,
    outputs: Vec<Channel>,
}

/// A unit with its connections.
#[derive(Debug)]
pub struct UnitData {
    /// Its name: that of the Verilog instance.
    pub name: String,
    /// What it is.
    pub kind: Box<dyn UnitKind>,
    /// Source lines that it works for.
    pub lines: Vec<u32>,
    /// The channels at its inputs, in the order of [`UnitKind::inputs`].
    pub inputs: Vec<Channel>,
    /// The channels at its outputs, in the order of [`UnitKind::outputs`].
    pub outputs: Vec<Channel>,
    /// The constants that it reads, in the order of [`UnitKind::constants`].
    pub constants: Vec<Constant>,
}

/// Units that belong together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModuleGroupData {
    /// Its name: that of the Verilog instance, and the end of the module's.
    pub name: String,
    /// What it is, in a few words.
    pub about: String,
    /// Source lines that it works for.
    pub lines: Vec<u32>,
    /// The group that it is in. One that encloses others is a copy of something, a datapath: its name is
    /// part of the names of all that is in it.
    pub within: Option<ModuleGroup>,
}

/// A channel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChannelData {
    /// Its name: that of the Verilog wires.
    pub name: String,
    /// What its tokens carry.
    pub fields: Fields,
    /// Where they come from.
    pub from: End,
    /// Where they go.
    pub to: End,
}

/// An end of a channel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// A unit's port.
    Unit(Unit, u32),
    /// The circuit's own port.
    Environment(u32),
    /// A sink: tokens are taken and discarded.
    Discarded,
    /// Not connected yet.
    Open,
}

/// What a channel's name ends with in Verilog.
pub(crate) const CHANNEL_ENDINGS: [&str; 4] = ["", "_valid", "_ready", "_unused"];

impl Circuit {
    /// A circuit without units.
    pub fn new(name: impl Into<String>) -> Circuit {
        let name = distinct([name.into().as_str()]).remove(0);
        let mut names = Identifiers::default();
        // A port that is called like its module is legal, and not understood everywhere.
        names.reserve(["clk".into(), "rst".into(), name.clone()]);
        Circuit {
            name,
            names,
            ..Circuit::default()
        }
    }

    /// Adds a constant.
    pub fn add_constant(&mut self, name: impl Into<String>, width: u32) -> Constant {
        let name = self.names.take(&name.into());
        self.constants.push(Wire { name, width })
    }

    /// Adds a channel that comes from and goes nowhere yet.
    pub fn add_channel(&mut self, name: impl Into<String>, fields: Fields) -> Channel {
        let name = self.names.take_with(&name.into(), &CHANNEL_ENDINGS);
        self.channels.push(ChannelData {
            name,
            fields,
            from: End::Open,
            to: End::Open,
        })
    }

    /// Adds a channel that carries what another one does.
    pub fn add_channel_like(&mut self, name: impl Into<String>, other: Channel) -> Channel {
        let channel = self.add_channel(name, self.channels[other].fields.clone());
        self.field_names[channel] = self.field_names[other].clone();
        channel
    }

    /// Gives a channel another name.
    pub fn rename_channel(&mut self, channel: Channel, name: impl Into<String>) {
        let name = self.names.take_with(&name.into(), &CHANNEL_ENDINGS);
        self.channels[channel].name = name;
    }

    /// Says what the fields of a channel's tokens are called.
    pub fn name_fields(&mut self, channel: Channel, names: Vec<String>) {
        let fields = self.channels[channel].fields.len();
        assert_eq!(names.len(), fields, "{channel}: a name per field");
        self.field_names[channel] = names;
    }

    /// What the fields of a channel's tokens are called; empty if they have no names.
    pub fn field_names(&self, channel: Channel) -> &[String] {
        &self.field_names[channel]
    }

    /// Adds a group of units, which belong to none yet.
    pub fn add_group(
        &mut self,
        data: ModuleGroupData,
        units: impl IntoIterator<Item = Unit>,
    ) -> ModuleGroup {
        let name = self.names.take(&data.name);
        let group = self.groups.push(ModuleGroupData { name, ..data });
        for unit in units {
            let of = &mut self.group_of[unit];
            assert_eq!(*of, None, "{unit} belongs to one group");
            *of = Some(group);
        }
        group
    }

    /// Adds a group around units, and around the groups that some of them belong to.
    pub fn enclose(
        &mut self,
        data: ModuleGroupData,
        units: impl IntoIterator<Item = Unit>,
    ) -> ModuleGroup {
        let outer = self.add_group(data, []);
        self.put_in(outer, units);
        outer
    }

    /// Puts units, and the groups that some of them belong to, into a group.
    pub fn put_in(&mut self, outer: ModuleGroup, units: impl IntoIterator<Item = Unit>) {
        for unit in units {
            match self.group_of[unit] {
                None => self.group_of[unit] = Some(outer),
                Some(group) if group != outer => self.groups[group].within = Some(outer),
                Some(_) => {}
            }
        }
    }

    /// Puts a group into another one, unless that is in it; gives whether it did.
    pub(crate) fn put_within(&mut self, group: ModuleGroup, outer: ModuleGroup) -> bool {
        let mut around = std::iter::successors(Some(outer), |&it| self.groups[it].within);
        let is_legal = around.all(|it| it != group);
        if is_legal {
            self.groups[group].within = Some(outer);
        }
        is_legal
    }

    /// Makes a channel come from the environment.
    pub fn add_input(&mut self, channel: Channel) {
        let at = self.inputs.len() as u32;
        self.connect_from(channel, End::Environment(at));
        self.inputs.push(channel);
    }

    /// Makes a channel go to the environment.
    pub fn add_output(&mut self, channel: Channel) {
        let at = self.outputs.len() as u32;
        self.connect_to(channel, End::Environment(at));
        self.outputs.push(channel);
    }

    /// Makes the tokens of a channel be discarded.
    pub fn discard(&mut self, channel: Channel) {
        self.connect_to(channel, End::Discarded);
    }

    /// Adds a unit between channels: for [`UnitBuilder`](crate::connect::UnitBuilder). Fields must fit
    /// and the ends must be open.
    pub(crate) fn add_unit(&mut self, mut data: UnitData) -> Unit {
        data.name = self.names.take(&data.name);
        let unit = self.units.next_key();
        let (inputs, outputs) = (data.kind.inputs(), data.kind.outputs());
        let ports = |fields: Vec<Fields>, channels: &[Channel], circuit: &Circuit| {
            assert_eq!(
                fields.len(),
                channels.len(),
                "{}: a channel per port",
                data.name
            );
            for (fields, &channel) in fields.iter().zip(channels) {
                let carried = &circuit.channels[channel].fields;
                assert_eq!(fields, carried, "{}: {channel} fits its port", data.name);
            }
        };
        ports(
            inputs.into_iter().map(|p| p.fields).collect(),
            &data.inputs,
            self,
        );
        ports(
            outputs.into_iter().map(|p| p.fields).collect(),
            &data.outputs,
            self,
        );
        let constants = data.kind.constants().len();
        assert_eq!(
            constants,
            data.constants.len(),
            "{}: a constant per wire",
            data.name
        );
        for (at, &channel) in data.inputs.iter().enumerate() {
            self.connect_to(channel, End::Unit(unit, at as u32));
        }
        for (at, &channel) in data.outputs.iter().enumerate() {
            self.connect_from(channel, End::Unit(unit, at as u32));
        }
        self.units.push(data)
    }

    /// Makes a unit drive constants, in the order of [`UnitKind::drives`].
    pub(crate) fn drive(&mut self, unit: Unit, constants: &[Constant]) {
        let wires = self.units[unit].kind.drives();
        assert_eq!(wires.len(), constants.len(), "{unit}: a constant per wire");
        for (at, (wire, &constant)) in wires.iter().zip(constants).enumerate() {
            let width = self.constants[constant].width;
            assert_eq!(wire.width, width, "{constant} fits its wire");
            let driver = &mut self.drivers[constant];
            assert_eq!(*driver, None, "{constant} comes from one place");
            *driver = Some((unit, at as u32));
        }
    }

    /// The constants that a unit drives, in the order of [`UnitKind::drives`].
    pub fn driven_by(&self, unit: Unit) -> Vec<Constant> {
        let mut driven: Vec<(u32, Constant)> = self
            .constants
            .keys()
            .filter_map(|constant| match self.drivers[constant] {
                Some((driver, at)) if driver == unit => Some((at, constant)),
                Some(_) | None => None,
            })
            .collect();
        driven.sort_unstable();
        driven.into_iter().map(|(_, constant)| constant).collect()
    }

    /// Whether a unit drives a constant, and not the environment.
    pub fn is_driven(&self, constant: Constant) -> bool {
        self.drivers[constant].is_some()
    }

    /// The constants that the environment drives.
    pub fn outer_constants(&self) -> impl Iterator<Item = (Constant, &Wire)> {
        let constants = self.constants.iter();
        constants.filter(|&(constant, _)| !self.is_driven(constant))
    }

    /// Makes a channel no longer come from the environment. Later inputs move up.
    pub(crate) fn release_input(&mut self, channel: Channel) {
        self.channels[channel].from = End::Open;
        self.inputs.retain(|&input| input != channel);
        for (at, &input) in self.inputs.iter().enumerate() {
            self.channels[input].from = End::Environment(at as u32);
        }
    }

    /// Makes a channel no longer go to the environment. Later outputs move up.
    pub(crate) fn release_output(&mut self, channel: Channel) {
        self.channels[channel].to = End::Open;
        self.outputs.retain(|&output| output != channel);
        for (at, &output) in self.outputs.iter().enumerate() {
            self.channels[output].to = End::Environment(at as u32);
        }
    }

    fn connect_from(&mut self, channel: Channel, end: End) {
        let from = &mut self.channels[channel].from;
        assert_eq!(*from, End::Open, "{channel} comes from one place");
        *from = end;
    }

    fn connect_to(&mut self, channel: Channel, end: End) {
        let to = &mut self.channels[channel].to;
        assert_eq!(*to, End::Open, "{channel} goes to one place");
        *to = end;
    }

    /// Cycles after a reset in which its units get ready: no tokens come until then.
    pub fn settling(&self) -> u32 {
        let units = self.units.values();
        units.map(|unit| unit.kind.settling()).max().unwrap_or(0)
    }

    /// The units.
    pub fn units(&self) -> &PrimaryMap<Unit, UnitData> {
        &self.units
    }

    /// The groups.
    pub fn groups(&self) -> &PrimaryMap<ModuleGroup, ModuleGroupData> {
        &self.groups
    }

    /// The group that a unit belongs to.
    pub fn group(&self, unit: Unit) -> Option<ModuleGroup> {
        self.group_of[unit]
    }

    /// The channels.
    pub fn channels(&self) -> &PrimaryMap<Channel, ChannelData> {
        &self.channels
    }

    /// The constants.
    pub fn constants(&self) -> &PrimaryMap<Constant, Wire> {
        &self.constants
    }

    /// The channels from the environment.
    pub fn inputs(&self) -> &[Channel] {
        &self.inputs
    }

    /// The channels to the environment.
    pub fn outputs(&self) -> &[Channel] {
        &self.outputs
    }

    /// The index of a channel among those from the environment.
    ///
    /// # Panics
    ///
    /// If it comes from somewhere else.
    pub fn input_index(&self, channel: Channel) -> usize {
        match self.channels[channel].from {
            End::Environment(at) => at as usize,
            other => panic!("{channel} comes from {other}"),
        }
    }

    /// The index of a channel among those to the environment.
    ///
    /// # Panics
    ///
    /// If it goes somewhere else.
    pub fn output_index(&self, channel: Channel) -> usize {
        match self.channels[channel].to {
            End::Environment(at) => at as usize,
            other => panic!("{channel} goes to {other}"),
        }
    }

    /// Its units, for use elsewhere.
    pub fn into_units(self) -> impl Iterator<Item = UnitData> {
        self.units.into_iter().map(|(_, data)| data)
    }

    /// Units side by side, every port a port of the circuit, named after the unit's place: what
    /// unit tests run.
    pub fn of_units(name: &str, kinds: Vec<Box<dyn UnitKind>>) -> Circuit {
        let mut circuit = Circuit::new(name);
        for (place, kind) in kinds.into_iter().enumerate() {
            circuit.add_alone(format!("u{place}"), kind);
        }
        circuit
    }

    /// What its units are, in their order.
    pub fn into_kinds(self) -> Vec<Box<dyn UnitKind>> {
        let units = self.units.into_iter();
        units.map(|(_, unit)| unit.kind).collect()
    }

    fn add_alone(&mut self, name: String, kind: Box<dyn UnitKind>) {
        let mut constants = |wires: Vec<Wire>| -> Vec<Constant> {
            let named = |wire: &Wire| format!("{name}_{}", wire.name);
            let constants = wires.iter();
            constants
                .map(|wire| self.add_constant(named(wire), wire.width))
                .collect()
        };
        let read = constants(kind.constants());
        let driven = constants(kind.drives());
        let unit = self.any_unit(name, kind);
        let unit = unit.constants(read).drives(driven);
        let unit = unit.with_new_channels().add().unit;
        let UnitData {
            inputs, outputs, ..
        } = &self.units[unit];
        let (inputs, outputs) = (inputs.clone(), outputs.clone());
        inputs
            .into_iter()
            .for_each(|channel| self.add_input(channel));
        outputs
            .into_iter()
            .for_each(|channel| self.add_output(channel));
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            End::Unit(unit, port) => write!(f, "{unit}.{port}"),
            End::Environment(port) => write!(f, "environment.{port}"),
            End::Discarded => f.write_str("discarded"),
            End::Open => f.write_str("nothing"),
        }
    }
}

/// Which end of a channel is meant.
#[derive(Clone, Copy)]
pub(crate) enum Side {
    From,
    To,
}

impl ChannelData {
    /// That end.
    pub(crate) fn end(&self, side: Side) -> End {
        match side {
            Side::From => self.from,
            Side::To => self.to,
        }
    }
}
