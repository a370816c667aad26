//! What units that know work-groups may be given: constants that fit together, and no more tokens of
//! a group than it has work-items.

use std::collections::BTreeMap;

use sluice_circuit::circuit::{Circuit, UnitData};

use crate::random_environment::Protocol;

/// A number among a unit's parameters.
fn parameter(unit: &UnitData, name: &str) -> u64 {
    let mut text = String::new();
    unit.kind.print_parameters(&mut text);
    let parts = text.trim_matches(['{', '}', ' ']).split(", ");
    let mut named = parts.filter_map(|part| part.split_once(": "));
    let number = named.find(|(there, _)| *there == name);
    let number = number.and_then(|(_, number)| number.parse().ok());
    number.unwrap_or_else(|| panic!("{name} is a number in {text}"))
}

/// Where a unit's constants stand among those of the environment.
fn places(circuit: &Circuit, unit: &UnitData) -> Vec<usize> {
    let place = |constant| {
        let mut outer = circuit.outer_constants();
        outer.position(|(outer, _)| outer == constant)
    };
    unit.constants.iter().filter_map(|&it| place(it)).collect()
}

/// How many groups a barrier may hold.
fn resident(barrier: &UnitData, shift: u64) -> u64 {
    parameter(barrier, "slots").min(parameter(barrier, "places") >> shift)
}

/// Makes random constants such that make sense.
pub fn fit(circuit: &Circuit, values: &mut [u64]) {
    for unit in circuit.units().values() {
        let at = places(circuit, unit);
        match unit.kind.word() {
            "barrier" => {
                let places = u64::from(parameter(unit, "places").trailing_zeros());
                values[at[1]] %= places.min(4) + 1;
                values[at[0]] = 1 + values[at[0]] % (1 << values[at[1]]);
            }
            "group_slots" => {
                values[at[0]] = 1 + values[at[0]] % parameter(unit, "most_items");
                values[at[1]] = 1 + values[at[1]] % parameter(unit, "count");
            }
            "items" => at.iter().for_each(|&at| values[at] = values[at] % 4 + 1),
            _ => {}
        }
    }
}

/// Who counts the work-items of groups: how many more may come, by slot.
struct Counting {
    room: Vec<u64>,
    /// The field that is the slot.
    slot: usize,
    leaving: Leaving,
}

/// What it means that a token leaves.
enum Leaving {
    /// One more may come.
    One,
    /// A whole group of this size may come.
    Group(u64),
}

impl Counting {
    fn barrier(unit: &UnitData, size: u64, shift: u64) -> Counting {
        Counting {
            room: vec![size; resident(unit, shift) as usize],
            slot: parameter(unit, "slot") as usize,
            leaving: Leaving::One,
        }
    }

    fn slots(unit: &UnitData, size: u64) -> Counting {
        Counting {
            room: vec![0; parameter(unit, "count") as usize],
            slot: 0,
            leaving: Leaving::Group(size),
        }
    }

    /// The next slot from this one on that has room takes one more.
    fn take(&mut self, slot: &mut u64) -> bool {
        let count = self.room.len();
        let from = *slot as usize % count;
        let mut all = (from..count).chain(0..from);
        let Some(found) = all.find(|&it| self.room[it] > 0) else {
            return false;
        };
        self.room[found] -= 1;
        *slot = found as u64;
        true
    }
}

/// Keeps to what the units of a circuit, each by itself, may be given.
pub struct Groups {
    units: Vec<Counting>,
    /// By input of the circuit, and by output, the unit in `units` whose port it is.
    inputs: BTreeMap<usize, usize>,
    outputs: BTreeMap<usize, usize>,
}

impl Groups {
    pub fn of(circuit: &Circuit, constants: &[u64]) -> Groups {
        let mut groups = Groups {
            units: Vec::new(),
            inputs: BTreeMap::new(),
            outputs: BTreeMap::new(),
        };
        for unit in circuit.units().values() {
            let at = places(circuit, unit);
            let counting = match unit.kind.word() {
                "barrier" => Counting::barrier(unit, constants[at[0]], constants[at[1]]),
                "group_slots" => Counting::slots(unit, constants[at[0]]),
                _ => continue,
            };
            // Slots take groups first, of which any number may come.
            let input = circuit
                .inputs()
                .iter()
                .position(|it| unit.inputs.last() == Some(it));
            let output = circuit
                .outputs()
                .iter()
                .position(|it| unit.outputs.contains(it));
            let here = groups.units.len();
            groups.inputs.extend(input.map(|port| (port, here)));
            groups.outputs.extend(output.map(|port| (port, here)));
            groups.units.push(counting);
        }
        groups
    }
}

impl Protocol for Groups {
    fn admits(&mut self, input: usize, token: &mut [u64]) -> bool {
        let Some(&unit) = self.inputs.get(&input) else {
            return true;
        };
        let unit = &mut self.units[unit];
        let slot = unit.slot;
        unit.take(&mut token[slot])
    }

    fn left(&mut self, output: usize, token: &[u64]) {
        let Some(&unit) = self.outputs.get(&output) else {
            return;
        };
        let unit = &mut self.units[unit];
        let room = &mut unit.room[token[unit.slot] as usize];
        *room += match unit.leaving {
            Leaving::One => 1,
            Leaving::Group(size) => {
                assert_eq!(*room, 0, "a slot is out once");
                size
            }
        };
    }
}
