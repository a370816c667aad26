//! Circuits as Verilog: a module per group of units, and one around them for the circuit.

use std::collections::{BTreeMap, BTreeSet};

use crate::circuit::{Channel, Circuit, Constant, End, Group, Unit};
use crate::ports::{Ports, Wires, instance, place, wrapped};
use crate::unit::Fields;

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
    let mut modules: BTreeMap<String, String> = BTreeMap::new();
    let mut add = |name: String, text: String| {
        let before = modules.insert(name.clone(), text);
        let is_same = before.is_none_or(|before| before == modules[&name]);
        assert!(is_same, "{}: two modules would be {name}", circuit.name);
    };
    for unit in circuit.units().values() {
        let module = unit.kind.module();
        for source in module.sources {
            add(source.file.into(), source.text.into());
        }
        if let Some(text) = module.text {
            add(format!("{}.v", module.name), text);
        }
    }
    for group in circuit.groups().keys() {
        let scope = Scope::of_group(circuit, group);
        add(format!("{}.v", scope.module_name()), scope.text());
    }
    let top = Scope::top(circuit);
    let name = format!("{}.v", top.module_name());
    assert!(
        !modules.contains_key(&name),
        "{name} is the circuit's module"
    );
    let text = top.text();
    let modules = modules.into_iter().map(|(name, text)| File { name, text });
    std::iter::once(File { name, text })
        .chain(modules)
        .collect()
}

/// What stands in a module.
#[derive(Clone, Copy)]
enum Part {
    Unit(Unit),
    Group(Group),
}

/// A module of the circuit: a group's, or that of the whole.
struct Scope<'a> {
    circuit: &'a Circuit,
    group: Option<Group>,
    parts: Vec<Part>,
}

/// Where an end of a channel lies, seen from a module.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    /// At a unit or group in this module.
    Part,
    /// Inside a group, seen from around it.
    Hidden,
    /// Around the module.
    Outside,
    /// Nowhere.
    Nobody,
}

/// What a channel is in a module.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Input,
    Output,
    Wire,
    /// What comes from the outside or from a part is taken and forgotten.
    Forgotten {
        from: Side,
    },
    Absent,
}

impl<'a> Scope<'a> {
    fn of_group(circuit: &'a Circuit, group: Group) -> Scope<'a> {
        let units = circuit.units().keys();
        let units = units.filter(|&unit| circuit.group(unit) == Some(group));
        Scope {
            circuit,
            group: Some(group),
            parts: units.map(Part::Unit).collect(),
        }
        .in_order()
    }

    /// Groups stand where their first unit would.
    fn top(circuit: &'a Circuit) -> Scope<'a> {
        let mut seen = Vec::new();
        let mut parts = Vec::new();
        for unit in circuit.units().keys() {
            match circuit.group(unit) {
                None => parts.push(Part::Unit(unit)),
                Some(group) if seen.contains(&group) => {}
                Some(group) => {
                    seen.push(group);
                    parts.push(Part::Group(group));
                }
            }
        }
        Scope {
            circuit,
            group: None,
            parts,
        }
        .in_order()
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
        self.parts.iter().position(|part| match *part {
            Part::Unit(part) => part == unit,
            Part::Group(group) => self.circuit.group(unit) == Some(group),
        })
    }

    fn module_name(&self) -> String {
        match self.group {
            None => self.circuit.name.clone(),
            Some(group) => group_module(self.circuit, group),
        }
    }

    fn text(&self) -> String {
        let body = [self.wires(), self.forgotten()];
        let parts = self.parts.iter().map(|&part| self.part(part));
        let body: Vec<String> = body
            .into_iter()
            .chain(parts)
            .filter(|text| !text.is_empty())
            .collect();
        format!(
            "{}`default_nettype none\n\nmodule {} (\n{});\n{}endmodule\n\n`default_nettype wire\n",
            self.header(),
            self.module_name(),
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
            false => format!(", {}", place(circuit.source.as_deref(), &lines)),
        };
        wrapped("// ", &format!("{about}{lines}.")) + "// Generated by Sluice.\n"
    }

    /// Where an end lies.
    fn side(&self, end: End) -> Side {
        match end {
            End::Unit(unit, _) => match (self.group, self.circuit.group(unit)) {
                (None, None) => Side::Part,
                (None, Some(_)) => Side::Hidden,
                (here, there) if here == there => Side::Part,
                (Some(_), _) => Side::Outside,
            },
            End::Outside(_) => Side::Outside,
            End::Nobody | End::Open => Side::Nobody,
        }
    }

    fn role(&self, channel: Channel) -> Role {
        let data = &self.circuit.channels()[channel];
        let (from, to) = (self.side(data.from), self.side(data.to));
        let is_top = self.group.is_none();
        match (from, to) {
            (Side::Outside, Side::Outside) => {
                assert!(!is_top, "{channel} passes a unit between its ends outside");
                Role::Absent
            }
            (Side::Outside, Side::Nobody) if !is_top => Role::Absent,
            // Whoever gives the tokens forgets them, in its own module.
            (Side::Hidden, Side::Nobody) => Role::Absent,
            (Side::Hidden, Side::Hidden) => match self.is_inside_one_group(channel) {
                true => Role::Absent,
                false => Role::Wire,
            },
            (Side::Part | Side::Outside, Side::Nobody) => Role::Forgotten { from },
            (Side::Outside, Side::Part | Side::Hidden) => Role::Input,
            (Side::Part | Side::Hidden, Side::Outside) => Role::Output,
            (Side::Part | Side::Hidden, Side::Part | Side::Hidden) => Role::Wire,
            (Side::Nobody, _) => Role::Absent,
        }
    }

    fn is_inside_one_group(&self, channel: Channel) -> bool {
        let data = &self.circuit.channels()[channel];
        match (data.from, data.to) {
            (End::Unit(from, _), End::Unit(to, _)) => {
                self.circuit.group(from) == self.circuit.group(to)
            }
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
            Some(group) => group_constants(circuit, group),
        };
        if !constants.is_empty() {
            ports.comment("Constants while it runs");
        }
        for constant in constants {
            ports.constant(&circuit.constants()[constant]);
        }
        let forgotten = self.channels(Role::Forgotten {
            from: Side::Outside,
        });
        for channel in self.channels(Role::Input).into_iter().chain(forgotten) {
            let data = &circuit.channels()[channel];
            ports.comment(format!(
                "From {}{}",
                self.neighbour(data.from),
                contents(circuit, channel)
            ));
            ports.input(&data.name, &data.fields);
        }
        for channel in self.channels(Role::Output) {
            let data = &circuit.channels()[channel];
            ports.comment(format!(
                "To {}{}",
                self.neighbour(data.to),
                contents(circuit, channel)
            ));
            ports.output(&data.name, &data.fields);
        }
        ports.text()
    }

    /// Who is at the other end of a port.
    fn neighbour(&self, end: End) -> &str {
        match end {
            End::Unit(unit, _) => self.name_of(unit),
            End::Outside(_) | End::Nobody | End::Open => "the outside",
        }
    }

    /// The name of a unit, or of its group if that hides it.
    fn name_of(&self, unit: Unit) -> &str {
        match self.circuit.group(unit) {
            Some(group) if self.group != Some(group) => &self.circuit.groups()[group].name,
            Some(_) | None => &self.circuit.units()[unit].name,
        }
    }

    /// Declarations of the wires, by who drives them.
    fn wires(&self) -> String {
        let circuit = self.circuit;
        let mut by_driver: BTreeMap<usize, Vec<Channel>> = BTreeMap::new();
        let mut channels = self.channels(Role::Wire);
        channels.extend(self.channels(Role::Forgotten { from: Side::Part }));
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
            wires.constant(&circuit.constants()[constant]);
        }
        for (part, channels) in by_driver {
            let driver = match self.parts[part] {
                Part::Unit(unit) => &circuit.units()[unit].name,
                Part::Group(group) => &circuit.groups()[group].name,
            };
            for channel in channels {
                let data = &circuit.channels()[channel];
                let to = match data.to {
                    End::Unit(unit, _) => self.name_of(unit),
                    End::Nobody | End::Open | End::Outside(_) => "nobody",
                };
                let contents = contents(circuit, channel);
                wires.section(format!("{driver} to {to}{contents}"));
                wires.channel(&data.name, &data.fields);
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

    /// Takes what nobody wants.
    fn forgotten(&self) -> String {
        let mut text = String::new();
        let units = self.circuit.units().values();
        let read: BTreeSet<Constant> = units.flat_map(|unit| unit.constants.clone()).collect();
        for constant in self.driven_constants() {
            if !read.contains(&constant) {
                let name = &self.circuit.constants()[constant].name;
                text += &format!(
                    "    // Nobody reads {name}.\n    wire {name}_unused = &{{1'b0, {name}}};\n"
                );
            }
        }
        for from in [Side::Part, Side::Outside] {
            for channel in self.channels(Role::Forgotten { from }) {
                let name = &self.circuit.channels()[channel].name;
                text += &format!(
                    "    // Nobody waits for {name}.\n    assign {name}_ready = 1'b1;\n    \
                     wire {name}_unused = &{{1'b0, {name}_valid, {name}}};\n"
                );
            }
        }
        text
    }

    fn part(&self, part: Part) -> String {
        match part {
            Part::Unit(unit) => unit_instance(self.circuit, unit),
            Part::Group(group) => group_instance(self.circuit, group),
        }
    }
}

fn group_module(circuit: &Circuit, group: Group) -> String {
    format!("{}_{}", circuit.name, circuit.groups()[group].name)
}

/// The constants that a group's units read, in the circuit's order.
fn group_constants(circuit: &Circuit, group: Group) -> Vec<Constant> {
    let units = circuit.units().iter();
    let units = units.filter(|(unit, _)| circuit.group(*unit) == Some(group));
    let mut constants: Vec<_> = units
        .flat_map(|(_, data)| data.constants.iter().copied())
        .collect();
    constants.sort_unstable();
    constants.dedup();
    constants
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

fn group_instance(circuit: &Circuit, group: Group) -> String {
    let inside = Scope::of_group(circuit, group);
    let data = &circuit.groups()[group];
    let mut rows = vec![clock_row()];
    for constant in group_constants(circuit, group) {
        let name = &circuit.constants()[constant].name;
        rows.push(vec![(name.clone(), name.clone())]);
    }
    let channels = [Role::Input, Role::Output].map(|role| inside.channels(role));
    for channel in channels.concat() {
        let name = &circuit.channels()[channel].name;
        rows.push(channel_row(name, name));
    }
    let comment = match data.lines.is_empty() {
        true => data.about.clone(),
        false => format!(
            "{}: {}",
            place(circuit.source.as_deref(), &data.lines),
            data.about
        ),
    };
    wrapped("    // ", &comment) + &instance(&group_module(circuit, group), &[], &data.name, &rows)
}

fn unit_instance(circuit: &Circuit, at: Unit) -> String {
    let unit = &circuit.units()[at];
    let module = unit.kind.module();
    let mut rows = vec![clock_row()];
    for (wire, &constant) in unit.kind.constants().iter().zip(&unit.constants) {
        let outer = &circuit.constants()[constant].name;
        rows.push(vec![(wire.name.clone(), outer.clone())]);
    }
    for (wire, constant) in unit.kind.drives().iter().zip(circuit.driven_by(at)) {
        let outer = &circuit.constants()[constant].name;
        rows.push(vec![(wire.name.clone(), outer.clone())]);
    }
    let ports = unit.kind.inputs().into_iter().chain(unit.kind.outputs());
    let channels = unit.inputs.iter().chain(&unit.outputs);
    for (port, &channel) in ports.zip(channels) {
        rows.push(channel_row(&port.name, &circuit.channels()[channel].name));
    }
    let parameters: Vec<(&str, String)> = module
        .parameters
        .iter()
        .map(|(name, value)| (*name, value.to_string()))
        .collect();
    let comment = match unit.lines.is_empty() {
        true => String::new(),
        false => wrapped("    // ", &place(circuit.source.as_deref(), &unit.lines)),
    };
    comment + &instance(&module.name, &parameters, &unit.name, &rows)
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
