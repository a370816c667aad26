//! The modules of a circuit: copies of a datapath are instances of the same ones.
//!
//! In a group that encloses others, a datapath, names are written without the group's own, so that the
//! texts of copies are the same. What has the same text is one module.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use cranelift_entity::SecondaryMap;

use super::arrays::Arrays;
use super::identifiers::{is_identifier, is_keyword};
use super::scope::Scope;
use crate::circuit::{CHANNEL_ENDINGS, Circuit, Constant, End, ModuleGroup, Unit, UnitData};

/// What is left out of the names in a group.
pub(crate) struct LocalNames {
    prefixes: SecondaryMap<ModuleGroup, String>,
}

impl LocalNames {
    /// Those of a circuit's groups.
    pub(crate) fn of(circuit: &Circuit) -> LocalNames {
        let mut prefixes: SecondaryMap<ModuleGroup, String> = SecondaryMap::new();
        let enclosing: BTreeSet<ModuleGroup> = circuit
            .groups()
            .values()
            .filter_map(|group| group.within)
            .collect();
        for &outer in &enclosing {
            let prefix = format!("{}_", circuit.groups()[outer].name);
            if circuit.groups()[outer].within.is_some() || !are_distinct(circuit, outer, &prefix) {
                continue;
            }
            let groups = circuit.groups().keys();
            for group in groups.filter(|&group| encloses(circuit, outer, Some(group))) {
                prefixes[group] = prefix.clone();
            }
        }
        LocalNames { prefixes }
    }

    /// A name as it is written in a group's module, or in the circuit's.
    pub(crate) fn local<'n>(&self, group: Option<ModuleGroup>, name: &'n str) -> Cow<'n, str> {
        match group.map(|group| &self.prefixes[group]) {
            Some(prefix) if !prefix.is_empty() => without(name, prefix),
            Some(_) | None => name.into(),
        }
    }
}

fn without<'n>(name: &'n str, prefix: &str) -> Cow<'n, str> {
    match name.contains(prefix) {
        true => name.replace(prefix, "").into(),
        false => name.into(),
    }
}

/// Whether a group is this one, or in it.
fn encloses(circuit: &Circuit, outer: ModuleGroup, group: Option<ModuleGroup>) -> bool {
    let mut around = std::iter::successors(group, |&group| circuit.groups()[group].within);
    around.any(|group| group == outer)
}

/// Whether the names in a group are legal and distinct without a prefix.
fn are_distinct(circuit: &Circuit, outer: ModuleGroup, prefix: &str) -> bool {
    let is_inside = |unit: Unit| encloses(circuit, outer, circuit.group(unit));
    let is_at = |end: End| matches!(end, End::Unit(unit, _) if is_inside(unit));
    let units = circuit.units().iter();
    let units: Vec<&UnitData> = units
        .filter(|(unit, _)| is_inside(*unit))
        .map(|(_, data)| data)
        .collect();
    let read: BTreeSet<Constant> = units.iter().flat_map(|it| it.constants.clone()).collect();
    let groups = circuit.groups().iter();
    let groups = groups.filter(|&(it, _)| it != outer && encloses(circuit, outer, Some(it)));
    let channels = circuit.channels().values();
    let channels = channels.filter(|channel| is_at(channel.from) || is_at(channel.to));
    let names = units.iter().map(|it| &it.name);
    let names = names.chain(groups.map(|(_, data)| &data.name));
    let names = names.chain(read.iter().map(|&at| &circuit.constants()[at].name));
    let names = names.map(|name| without(name, prefix).into_owned());
    let endings = channels.flat_map(|channel| {
        let name = without(&channel.name, prefix);
        CHANNEL_ENDINGS.map(|ending| format!("{name}{ending}"))
    });
    let mut seen: BTreeSet<String> = ["clk", "rst"].map(String::from).into();
    let mut all = names.chain(endings);
    all.all(|name: String| is_identifier(&name) && !is_keyword(&name) && seen.insert(name))
}

/// The modules of a circuit's units and groups.
pub(crate) struct Modules<'c> {
    pub(super) circuit: &'c Circuit,
    pub(crate) names: LocalNames,
    pub(super) arrays: Arrays,
    units: SecondaryMap<Unit, String>,
    groups: SecondaryMap<ModuleGroup, String>,
    /// The texts by the names of their files.
    pub(super) texts: BTreeMap<String, String>,
}

impl<'c> Modules<'c> {
    /// Those of a circuit.
    pub(crate) fn of(circuit: &'c Circuit) -> Modules<'c> {
        let mut modules = Modules {
            circuit,
            names: LocalNames::of(circuit),
            arrays: Arrays::default(),
            units: SecondaryMap::new(),
            groups: SecondaryMap::new(),
            texts: BTreeMap::new(),
        };
        for (unit, data) in circuit.units() {
            let module = data.kind.module();
            for source in module.sources {
                modules.add(source.file.into(), source.text.into());
            }
            let name = match module.text {
                Some(text) => modules.add_unit(unit, module.name, text),
                None => module.name,
            };
            modules.units[unit] = name;
        }
        let depth = |group: &ModuleGroup| {
            std::iter::successors(Some(*group), |&it| circuit.groups()[it].within).count()
        };
        // Those that are in others first, and copies before what is connected with all of them.
        let (mut enclosing, mut others): (Vec<ModuleGroup>, Vec<ModuleGroup>) = circuit
            .groups()
            .keys()
            .partition(|&group| modules.is_enclosing(group));
        others.sort_by_key(|group| std::cmp::Reverse(depth(group)));
        enclosing.sort_by_key(|group| std::cmp::Reverse(depth(group)));
        let (inner, others): (Vec<_>, Vec<_>) =
            others.into_iter().partition(|group| depth(group) > 1);
        for &group in inner.iter().chain(&enclosing) {
            modules.groups[group] = modules.add_group(group);
        }
        modules.arrays = Arrays::of(&modules, &enclosing);
        for group in others {
            modules.groups[group] = modules.add_group(group);
        }
        modules
    }

    /// The name of a unit's module.
    pub(super) fn unit(&self, unit: Unit) -> &str {
        &self.units[unit]
    }

    /// The name of a group's module.
    pub(crate) fn group(&self, group: ModuleGroup) -> &str {
        &self.groups[group]
    }

    /// The name of a group's instance.
    pub(crate) fn instance(&self, group: ModuleGroup) -> String {
        let data = &self.circuit.groups()[group];
        let in_array = self.arrays.instance(group);
        in_array.unwrap_or_else(|| self.names.local(data.within, &data.name).into_owned())
    }

    /// Whether other groups are in a group.
    fn is_enclosing(&self, group: ModuleGroup) -> bool {
        let mut groups = self.circuit.groups().values();
        groups.any(|it| it.within == Some(group))
    }

    /// Adds a unit's own module; gives its name.
    fn add_unit(&mut self, unit: Unit, name: String, text: String) -> String {
        let local = self
            .names
            .local(self.circuit.group(unit), &name)
            .into_owned();
        let renamed = match local == name {
            true => text.clone(),
            false => text.replace(&name, &local),
        };
        let (name, text) = match self.is_free(&local, &headed(&local, &renamed)) {
            true => (local, renamed),
            false => (name, text),
        };
        self.add(format!("{name}.v"), headed(&name, &text));
        name
    }

    /// Adds a group's module; gives its name.
    fn add_group(&mut self, group: ModuleGroup) -> String {
        let circuit = self.circuit;
        let own = &circuit.groups()[group].name;
        let name = format!("{}_{own}", circuit.name);
        // Copies of a datapath have numbers at the end.
        let local = match self.is_enclosing(group) {
            true => own.trim_end_matches(|c: char| c.is_ascii_digit()).into(),
            false => self.names.local(Some(group), own),
        };
        let local = format!("{}_{local}", circuit.name);
        let text = Scope::of_group(self, group).text(&local);
        let (name, text) = match self.is_free(&local, &text) {
            true => (local, text),
            false => {
                let text = Scope::of_group(self, group).text(&name);
                (name, text)
            }
        };
        self.add(format!("{name}.v"), text);
        name
    }

    /// Whether no other module has a name, beside one of this text.
    fn is_free(&self, name: &str, text: &str) -> bool {
        let known = self.texts.get(&format!("{name}.v"));
        name != self.circuit.name && known.is_none_or(|known| known == text)
    }

    fn add(&mut self, file: String, text: String) {
        let name = &self.circuit.name;
        let before = self.texts.get(&file);
        let is_same = before.is_none_or(|before| *before == text);
        assert!(is_same, "{name}: two modules would be {file}");
        self.texts.insert(file, text);
    }
}

/// A unit's own text with a header, if the unit has given it none.
fn headed(name: &str, text: &str) -> String {
    match text.starts_with("//") {
        true => text.into(),
        false => {
            format!("// {name}, for one choice of parameters.\n// Generated by Sluice.\n{text}")
        }
    }
}
