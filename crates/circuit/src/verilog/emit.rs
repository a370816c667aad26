//! Circuits as Verilog: a module per group of units, and one around them for the circuit.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::declarations::{Ports, Wires};
use super::instances::instance;
use super::layout::{source_lines, wrapped};
use super::modules::Modules;
use crate::circuit::{Channel, Circuit, Constant, End, ModuleGroup, Unit};
use crate::unit::{Fields, Wire};

/// A Verilog file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct File {
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// The circuit's files: first its own module, then what that needs, by name.
pub fn emit(circuit: &Circuit) -> Vec<File> {
    let modules = Modules::of(circuit);
    let name = format!("{}.v", circuit.name);
    assert!(
        !modules.texts.contains_key(&name),
        "{name} is the circuit's module"
    );
    let text = Scope::top(&modules).text(&circuit.name);
    let texts = modules.texts.into_iter();
    let others = texts.map(|(name, text)| File { name, text });
    std::iter::once(File { name, text }).chain(others).collect()
}

/// What stands in a module.
#[derive(Clone, Copy)]
enum Part {
    Unit(Unit),
    ModuleGroup(ModuleGroup),
}

/// A module of the circuit: a group's, or that of the whole.
pub(super) struct Scope<'a> {
    circuit: &'a Circuit,
    modules: &'a Modules<'a>,
    group: Option<ModuleGroup>,
    parts: Vec<Part>,
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
enum Side {
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
enum Role {
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

    fn top(modules: &'a Modules<'a>) -> Scope<'a> {
        Scope::new(modules, None)
    }

    /// Groups stand where their first unit would.
    fn new(modules: &'a Modules<'a>, group: Option<ModuleGroup>) -> Scope<'a> {
        let mut scope = Scope {
            circuit: modules.circuit,
            modules,
            group,
            parts: Vec::new(),
        };
        let mut seen = Vec::new();
        for unit in modules.circuit.units().keys() {
            match scope.place(unit) {
                Place::Here => scope.parts.push(Part::Unit(unit)),
                Place::In(group) if !seen.contains(&group) => {
                    seen.push(group);
                    scope.parts.push(Part::ModuleGroup(group));
                }
                Place::In(_) | Place::Around => {}
            }
        }
        scope.in_order()
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
    fn local<'n>(&self, name: &'n str) -> Cow<'n, str> {
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
    fn part_of(&self, unit: Unit) -> Option<usize> {
        let place = self.place(unit);
        self.parts.iter().position(|part| match *part {
            Part::Unit(part) => part == unit,
            Part::ModuleGroup(group) => place == Place::In(group),
        })
    }

    /// The text of the module, which is to have this name.
    pub(super) fn text(&self, name: &str) -> String {
        let body = [self.wires(), self.discarded()];
        let parts = self.parts.iter().map(|&part| self.part(part));
        let body: Vec<String> = body
            .into_iter()
            .chain(parts)
            .filter(|text| !text.is_empty())
            .collect();
        format!(
            "{}`default_nettype none\n\nmodule {} (\n{});\n{}endmodule\n\n`default_nettype wire\n",
            self.header(),
            name,
            self.ports(),
            body.join("\n"),
        )
    }

    fn header(&self) -> String {
        let circuit = self.circuit;
        let about = match self.group {
            None => format!("Circuit {}", circuit.name),
            Some(group) => {
                let about = &circuit.groups()[group].about;
                format!("Circuit {}: {about}", circuit.name)
            }
        };
        let lines = match self.group {
            None => all_lines(circuit),
            Some(group) => circuit.groups()[group].lines.clone(),
        };
        let lines = match lines.is_empty() {
            true => String::new(),
            false => format!(", {}", source_lines(circuit.source.as_deref(), &lines)),
        };
        wrapped("// ", &format!("{about}{lines}.")) + "// Generated by Sluice.\n"
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

    fn role(&self, channel: Channel) -> Role {
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
    fn channels(&self, role: Role) -> Vec<Channel> {
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

    fn ports(&self) -> String {
        let circuit = self.circuit;
        let mut ports = Ports::new();
        let constants = match self.group {
            None => circuit.outer_constants().map(|(at, _)| at).collect(),
            Some(_) => self.constants(),
        };
        if !constants.is_empty() {
            ports.comment("Constants while it runs");
        }
        for constant in constants {
            ports.constant(&self.wire(constant));
        }
        let discarded = self.channels(Role::Discarded { from: Side::Around });
        for channel in self.channels(Role::Input).into_iter().chain(discarded) {
            let data = &circuit.channels()[channel];
            ports.comment(format!(
                "From {}{}",
                self.neighbour(data.from),
                contents(circuit, channel)
            ));
            ports.input(&self.local(&data.name), &data.fields);
        }
        for channel in self.channels(Role::Output) {
            let data = &circuit.channels()[channel];
            ports.comment(format!(
                "To {}{}",
                self.neighbour(data.to),
                contents(circuit, channel)
            ));
            ports.output(&self.local(&data.name), &data.fields);
        }
        ports.text()
    }

    /// Who is at the other end of a port.
    fn neighbour(&self, end: End) -> Cow<'_, str> {
        match end {
            End::Unit(unit, _) => self.name_of(unit),
            End::Environment(_) | End::Discarded | End::Open => "the environment".into(),
        }
    }

    /// The name of a unit, or of the group that hides it.
    fn name_of(&self, unit: Unit) -> Cow<'_, str> {
        let hidden_by = match self.place(unit) {
            Place::Here => None,
            Place::In(group) => Some(group),
            Place::Around => self.circuit.group(unit).filter(|&it| !self.is_in(it)),
        };
        self.local(match hidden_by {
            Some(group) => &self.circuit.groups()[group].name,
            None => &self.circuit.units()[unit].name,
        })
    }

    /// A constant with its name in this module.
    fn wire(&self, constant: Constant) -> Wire {
        let wire = &self.circuit.constants()[constant];
        Wire {
            name: self.local(&wire.name).into_owned(),
            width: wire.width,
        }
    }

    /// The constants that units in this module read, in the circuit's order.
    fn constants(&self) -> Vec<Constant> {
        let units = self.circuit.units().iter();
        let units = units.filter(|(unit, _)| self.place(*unit) != Place::Around);
        let constants = units.flat_map(|(_, data)| data.constants.iter().copied());
        let constants: BTreeSet<Constant> = constants.collect();
        constants.into_iter().collect()
    }

    /// Declarations of the wires, by who drives them.
    fn wires(&self) -> String {
        let circuit = self.circuit;
        let mut by_driver: BTreeMap<usize, Vec<Channel>> = BTreeMap::new();
        let mut channels = self.channels(Role::Wire);
        channels.extend(self.channels(Role::Discarded { from: Side::Part }));
        for channel in channels {
            let End::Unit(unit, _) = circuit.channels()[channel].from else {
                unreachable!("a wire comes from a part");
            };
            let part = self.part_of(unit);
            let part = part.expect("every unit is part of its module");
            by_driver.entry(part).or_default().push(channel);
        }
        let mut wires = Wires::default();
        for constant in self.driven_constants() {
            wires.section("Constant while it runs");
            wires.constant(&self.wire(constant));
        }
        for (part, channels) in by_driver {
            let driver = match self.parts[part] {
                Part::Unit(unit) => &circuit.units()[unit].name,
                Part::ModuleGroup(group) => &circuit.groups()[group].name,
            };
            for channel in channels {
                let data = &circuit.channels()[channel];
                let to = match data.to {
                    End::Unit(unit, _) => self.name_of(unit),
                    End::Discarded | End::Open | End::Environment(_) => "no unit".into(),
                };
                let contents = contents(circuit, channel);
                let driver = self.local(driver);
                wires.section(format!("{driver} to {to}{contents}"));
                wires.channel(&self.local(&data.name), &data.fields);
            }
        }
        wires.text()
    }

    /// The constants that units drive: in the circuit's own module.
    fn driven_constants(&self) -> Vec<Constant> {
        let all = self.circuit.constants().keys();
        all.filter(|&constant| self.group.is_none() && self.circuit.is_driven(constant))
            .collect()
    }

    /// Takes the tokens that are discarded.
    fn discarded(&self) -> String {
        let mut text = String::new();
        let units = self.circuit.units().values();
        let read: BTreeSet<Constant> = units.flat_map(|unit| unit.constants.clone()).collect();
        for constant in self.driven_constants() {
            if !read.contains(&constant) {
                let name = &self.circuit.constants()[constant].name;
                text += &format!(
                    "    // No unit reads {name}.\n    wire {name}_unused = &{{1'b0, {name}}};\n"
                );
            }
        }
        for from in [Side::Part, Side::Around] {
            for channel in self.channels(Role::Discarded { from }) {
                let name = self.local(&self.circuit.channels()[channel].name);
                text += &format!(
                    "    // {name} is discarded.\n    assign {name}_ready = 1'b1;\n    \
                     wire {name}_unused = &{{1'b0, {name}_valid, {name}}};\n"
                );
            }
        }
        text
    }

    fn part(&self, part: Part) -> String {
        match part {
            Part::Unit(unit) => self.unit_instance(unit),
            Part::ModuleGroup(group) => self.group_instance(group),
        }
    }

    /// The name of a channel in this module.
    fn channel(&self, channel: Channel) -> Cow<'_, str> {
        self.local(&self.circuit.channels()[channel].name)
    }

    fn group_instance(&self, group: ModuleGroup) -> String {
        let circuit = self.circuit;
        let inside = Scope::of_group(self.modules, group);
        let data = &circuit.groups()[group];
        let mut rows = vec![clock_row()];
        for constant in inside.constants() {
            rows.push(vec![(inside.wire(constant).name, self.wire(constant).name)]);
        }
        let channels = [Role::Input, Role::Output].map(|role| inside.channels(role));
        for channel in channels.concat() {
            rows.push(channel_row(
                &inside.channel(channel),
                &self.channel(channel),
            ));
        }
        let comment = match data.lines.is_empty() {
            true => data.about.clone(),
            false => format!(
                "{}: {}",
                source_lines(circuit.source.as_deref(), &data.lines),
                data.about
            ),
        };
        let name = self.local(&data.name);
        wrapped("    // ", &comment) + &instance(self.modules.group(group), &[], &name, &rows)
    }

    fn unit_instance(&self, at: Unit) -> String {
        let circuit = self.circuit;
        let unit = &circuit.units()[at];
        let module = unit.kind.module();
        let mut rows = vec![clock_row()];
        for (wire, &constant) in unit.kind.constants().iter().zip(&unit.constants) {
            rows.push(vec![(wire.name.clone(), self.wire(constant).name)]);
        }
        for (wire, constant) in unit.kind.drives().iter().zip(circuit.driven_by(at)) {
            rows.push(vec![(wire.name.clone(), self.wire(constant).name)]);
        }
        let ports = unit.kind.inputs().into_iter().chain(unit.kind.outputs());
        let channels = unit.inputs.iter().chain(&unit.outputs);
        for (port, &channel) in ports.zip(channels) {
            rows.push(channel_row(&port.name, &self.channel(channel)));
        }
        let parameters: Vec<(&str, String)> = module
            .parameters
            .iter()
            .map(|(name, value)| (*name, value.to_string()))
            .collect();
        let comment = match unit.lines.is_empty() {
            true => String::new(),
            false => wrapped(
                "    // ",
                &source_lines(circuit.source.as_deref(), &unit.lines),
            ),
        };
        let name = self.local(&unit.name);
        comment + &instance(self.modules.unit(at), &parameters, &name, &rows)
    }
}

/// The name of a group's module, if it is shared with no other.
pub(crate) fn group_module(circuit: &Circuit, group: ModuleGroup) -> String {
    format!("{}_{}", circuit.name, circuit.groups()[group].name)
}

/// Connections of a channel.
fn channel_row(port: &str, outer: &str) -> Vec<(String, String)> {
    let row = ["_valid", "_ready", ""];
    row.map(|ending| (format!("{port}{ending}"), format!("{outer}{ending}")))
        .into()
}

fn clock_row() -> Vec<(String, String)> {
    ["clk", "rst"].map(|name| (name.into(), name.into())).into()
}

/// What a channel carries, lowest bits first.
fn contents(circuit: &Circuit, channel: Channel) -> String {
    let names = circuit.field_names(channel);
    if names.is_empty() {
        return String::new();
    }
    let fields: &Fields = &circuit.channels()[channel].fields;
    let mut low = 0;
    let parts = names.iter().zip(fields.widths()).map(|(name, width)| {
        let part = match width {
            1 => format!("{name}[{low}]"),
            _ => format!("{name}[{}:{low}]", low + width - 1),
        };
        low += width;
        part
    });
    let parts: Vec<String> = parts.collect();
    format!(": {}", parts.join(", "))
}

/// The lines that any unit works for.
fn all_lines(circuit: &Circuit) -> Vec<u32> {
    let units = circuit.units().values();
    let mut lines: Vec<u32> = units.flat_map(|unit| unit.lines.iter().copied()).collect();
    lines.sort_unstable();
    lines.dedup();
    lines
}
