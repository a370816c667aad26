//! Names of a flattened netlist and what they belong to. Tools name a cell after the instances that
//! it is in, joined by dots, and after a net: `memory.cache_a.data.line_FF_3` is in the unit
//! `cache_a` of the group `memory`, `line2.line2_stage1.fadd0_unit.stage7.sum_LUT_2` in the operator
//! `fadd0_unit` of the segment `line2_stage1`, and `path[1].line2.line2_stage1` the same segment of
//! the second of several datapaths.

use std::collections::{BTreeMap, BTreeSet};

use crate::circuit::{Circuit, Unit};
use crate::unit::UnitPart;
use crate::verilog::Modules;

/// The modules in which units are instantiated: the circuit's and its groups'.
pub fn own_modules(circuit: &Circuit) -> Vec<String> {
    let modules = Modules::of(circuit);
    let groups = circuit.groups().keys();
    let groups: BTreeSet<&str> = groups.map(|group| modules.group(group)).collect();
    std::iter::once(circuit.name.clone())
        .chain(groups.into_iter().map(String::from))
        .collect()
}

/// The path of a unit's instance, from the circuit's module.
fn instance_path(circuit: &Circuit, modules: &Modules<'_>, unit: Unit) -> String {
    let group = circuit.group(unit);
    let name = &circuit.units()[unit].name;
    let mut path = modules.names.local(group, name).into_owned();
    let mut around = group;
    while let Some(group) = around {
        around = circuit.groups()[group].within;
        path = format!("{}.{path}", modules.instance(group));
    }
    path
}

/// Names in the path of a unit's instance, at most: a datapath, a block in it, and the unit.
const DEEPEST: usize = 3;

/// The units of a circuit and their parts, by the names of their instances.
#[derive(Debug)]
pub struct Hierarchy {
    units: BTreeMap<String, Entry>,
}

#[derive(Debug)]
struct Entry {
    unit: Unit,
    /// By name, and so names that others begin with come before those.
    parts: BTreeMap<String, UnitPart>,
}

/// What a name belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place<'h> {
    /// The unit.
    pub unit: Unit,
    /// The part of it, if it is known.
    pub part: Option<&'h UnitPart>,
}

impl Hierarchy {
    /// That of a circuit.
    pub fn of(circuit: &Circuit) -> Hierarchy {
        let modules = Modules::of(circuit);
        let units = circuit.units().iter().map(|(unit, data)| {
            let parts = data.kind.parts().into_iter();
            let parts = parts.map(|part| (part.name.clone(), part)).collect();
            (
                instance_path(circuit, &modules, unit),
                Entry { unit, parts },
            )
        });
        Hierarchy {
            units: units.collect(),
        }
    }

    /// What a cell belongs to, whose name begins in the circuit's module; none for what stands
    /// between units.
    pub fn find(&self, name: &str) -> Option<Place<'_>> {
        let ends = name.match_indices('.').map(|(at, _)| at).take(DEEPEST);
        let mut paths = ends.map(|end| name.split_at(end));
        let (entry, rest) =
            paths.find_map(|(path, rest)| Some((self.units.get(path)?, &rest[1..])))?;
        Some(Place {
            unit: entry.unit,
            part: entry.part(rest),
        })
    }
}

impl Entry {
    /// The part that a name in the unit's module begins with, the longest one.
    fn part(&self, name: &str) -> Option<&UnitPart> {
        let first = name.split('.').next().unwrap_or(name);
        let ends = first.match_indices(['_', '[']).map(|(at, _)| at);
        let mut ends: Vec<usize> = ends.chain([first.len()]).collect();
        ends.reverse();
        ends.into_iter()
            .find_map(|end| self.parts.get(&first[..end]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circuit::ModuleGroupData;
    use crate::operators::mul::{Half, Mul};
    use crate::target::Target;
    use crate::unit::Fields;
    use crate::units::fifo::Fifo;
    use crate::units::segment::{Graph, InlineOp, Segment};

    /// A segment in a group beside a queue.
    fn circuit() -> Circuit {
        let mut graph = Graph::new("stage");
        let x = graph.add_input(Fields::new([32]))[0];
        let sum = graph.add_inline(InlineOp::Add, 32, &[x, x]);
        let multiplier = Mul {
            width: 32,
            half: Half::Low,
            tile: Target::ECP5.tile(),
        };
        let product = graph.add_operator(multiplier, &[sum, x]);
        graph.add_output(&[product], 0);
        for (operation, line) in graph.operations.iter_mut().zip([2, 3]) {
            operation.line = Some(line);
        }
        let segment = Segment::schedule(graph, &Target::ECP5);
        let fifo = Fifo {
            fields: Fields::new([8]),
            depth: 4,
        };
        let mut circuit = Circuit::of_units("c", vec![Box::new(segment), Box::new(fifo)]);
        let group = ModuleGroupData {
            name: "line2".into(),
            about: String::new(),
            lines: vec![2],
            within: None,
        };
        let first = circuit.units().keys().next().expect("two units");
        circuit.add_group(group, [first]);
        circuit
    }

    #[test]
    fn names_lead_to_units_and_their_parts() {
        let circuit = circuit();
        let hierarchy = Hierarchy::of(&circuit);
        let units: Vec<Unit> = circuit.units().keys().collect();
        for (name, kind, line) in [
            ("add0_CCU2C_S0_3", "add", 2),
            ("add0[4]", "add", 2),
            ("mul1_unit.stage7.held_TRELLIS_FF_Q", "mul", 3),
        ] {
            let place = hierarchy.find(&format!("line2.u0.{name}"));
            let place = place.expect("it is in the segment");
            assert_eq!(place.unit, units[0]);
            let part = place.part.expect("it is in an operation");
            assert_eq!(
                (part.kind.as_str(), part.line),
                (kind, Some(line)),
                "{name}"
            );
        }
        let place = hierarchy.find("line2.u0.enter_LUT4_Z").expect("a place");
        assert_eq!(place.part, None);
        let place = hierarchy
            .find("u1.count_LUT4_Z")
            .expect("it is in the queue");
        assert_eq!((place.unit, place.part), (units[1], None));
        assert_eq!(hierarchy.find("line2.u1.x"), None);
        assert_eq!(hierarchy.find("u0_valid"), None);
        assert_eq!(own_modules(&circuit), ["c", "c_line2"]);
    }
}
