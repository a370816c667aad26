//! Copies of a datapath as an array of instances: what each of them has at a port, all have side by side
//! in one vector.

use std::collections::{BTreeMap, BTreeSet};

use super::identifiers::{is_identifier, is_keyword};
use super::modules::Modules;
use super::scope::{Role, Scope};
use crate::circuit::{CHANNEL_ENDINGS, Channel, Circuit, ModuleGroup};

/// The arrays of a circuit's module.
#[derive(Default)]
pub(super) struct Arrays {
    arrays: Vec<Array>,
    /// The array of a group, and the number of its copy.
    places: BTreeMap<ModuleGroup, (usize, usize)>,
    vectors: Vec<Vector>,
}

/// Groups of the same module, by number.
struct Array {
    name: String,
    copies: Vec<ModuleGroup>,
}

/// Channels of all copies side by side, the first one lowest.
pub(super) struct Vector {
    pub(super) name: String,
    pub(super) channels: Vec<Channel>,
}

impl Arrays {
    /// Those of the modules of enclosing groups.
    pub(super) fn of(modules: &Modules<'_>, enclosing: &[ModuleGroup]) -> Arrays {
        let circuit = modules.circuit;
        let mut by_module: BTreeMap<&str, Vec<ModuleGroup>> = BTreeMap::new();
        for &group in enclosing {
            if circuit.groups()[group].within.is_none() {
                by_module
                    .entry(modules.group(group))
                    .or_default()
                    .push(group);
            }
        }
        let mut arrays = Arrays::default();
        let mut names = used_names(circuit);
        for copies in by_module.into_values() {
            if let Some(name) = common_name(circuit, &copies) {
                let array = Array { name, copies };
                let vectors = vectors(modules, &array);
                arrays.add(array, vectors, &mut names);
            }
        }
        arrays
    }

    /// Adds an array, if its names are free.
    fn add(&mut self, array: Array, vectors: Vec<Vector>, names: &mut BTreeSet<String>) {
        let of_vectors = vectors.iter().flat_map(|it| {
            let name = &it.name;
            CHANNEL_ENDINGS.map(|ending| format!("{name}{ending}"))
        });
        let all: Vec<String> = of_vectors.chain([array.name.clone()]).collect();
        let distinct: BTreeSet<&String> = all.iter().collect();
        let is_free =
            |name: &String| is_identifier(name) && !is_keyword(name) && !names.contains(name);
        if distinct.len() != all.len() || !all.iter().all(is_free) {
            return;
        }
        names.extend(all);
        let at = self.arrays.len();
        let copies = array.copies.iter().enumerate();
        self.places
            .extend(copies.map(|(copy, &group)| (group, (at, copy))));
        self.arrays.push(array);
        self.vectors.extend(vectors);
    }

    /// All copies of a group, or the group alone.
    pub(super) fn copies(&self, group: ModuleGroup) -> Vec<ModuleGroup> {
        match self.places.get(&group) {
            Some(&(array, _)) => self.arrays[array].copies.clone(),
            None => vec![group],
        }
    }

    /// The first one of a group's copies.
    pub(super) fn first(&self, group: ModuleGroup) -> ModuleGroup {
        match self.places.get(&group) {
            Some(&(array, _)) => self.arrays[array].copies[0],
            None => group,
        }
    }

    /// The name of the array that a group is in.
    pub(super) fn name(&self, group: ModuleGroup) -> Option<&str> {
        let &(array, _) = self.places.get(&group)?;
        Some(&self.arrays[array].name)
    }

    /// The name of a group's instance, if it is in an array.
    pub(super) fn instance(&self, group: ModuleGroup) -> Option<String> {
        let &(array, copy) = self.places.get(&group)?;
        Some(format!("{}[{copy}]", self.arrays[array].name))
    }

    /// The channels that are side by side.
    pub(super) fn vectors(&self) -> &[Vector] {
        &self.vectors
    }
}

/// The name of copies without their numbers, if they are numbered from zero.
fn common_name(circuit: &Circuit, copies: &[ModuleGroup]) -> Option<String> {
    let name = |group: ModuleGroup| circuit.groups()[group].name.as_str();
    let common = name(*copies.first()?).strip_suffix('0')?;
    let mut numbered = copies.iter().enumerate();
    let is_numbered = numbered.all(|(at, &it)| name(it) == format!("{common}{at}"));
    (copies.len() > 1 && is_numbered).then(|| common.to_string())
}

/// The channels that connect an array with other parts of the circuit, by port.
fn vectors(modules: &Modules<'_>, array: &Array) -> Vec<Vector> {
    let top = Scope::top(modules);
    let copies = array.copies.iter();
    let copies: Vec<Scope<'_>> = copies.map(|&it| Scope::of_group(modules, it)).collect();
    let ports = copies
        .iter()
        .map(|it| [Role::Input, Role::Output].map(|role| it.channels(role)));
    let ports: Vec<Vec<Channel>> = ports.map(|ports| ports.concat()).collect();
    let by_port = (0..ports[0].len()).map(|port| {
        let channels = ports.iter().map(|ports| ports[port]);
        Vector {
            name: format!("{}_{}", array.name, copies[0].channel(ports[0][port])),
            channels: channels.collect(),
        }
    });
    let is_wire = |&channel: &Channel| top.role(channel) == Role::Wire;
    by_port
        .filter(|it| it.channels.iter().all(is_wire))
        .collect()
}

/// All names of a circuit.
fn used_names(circuit: &Circuit) -> BTreeSet<String> {
    let units = circuit.units().values().map(|it| it.name.clone());
    let groups = circuit.groups().values().map(|it| it.name.clone());
    let constants = circuit.constants().values().map(|it| it.name.clone());
    let channels = circuit.channels().values();
    let channels =
        channels.flat_map(|it| CHANNEL_ENDINGS.map(|ending| format!("{}{ending}", it.name)));
    let reserved = ["clk", "rst"].map(String::from);
    let names = units.chain(groups).chain(constants).chain(channels);
    names.chain(reserved).collect()
}
