//! The constants of a circuit in execution: their values, who drives and who reads them.

use std::collections::BTreeSet;

use cranelift_entity::EntityRef;

use crate::circuit::{Circuit, Constant};

/// The constants, by number; units by number, too.
pub(super) struct Constants {
    values: Vec<u64>,
    /// By unit: the constants that it reads, in its order.
    read: Vec<Vec<Constant>>,
    /// By unit: the constants that it drives, in its order.
    driven: Vec<Vec<Constant>>,
    /// By constant: the units that read it.
    readers: Vec<Vec<u32>>,
}

impl Constants {
    /// Those of a circuit; `outer` are the values of those that the environment drives.
    pub(super) fn new(circuit: &Circuit, outer: &[u64]) -> Constants {
        let count = circuit.outer_constants().count();
        assert_eq!(count, outer.len(), "a value per constant");
        let mut values = vec![0; circuit.constants().len()];
        for ((constant, _), &value) in circuit.outer_constants().zip(outer) {
            values[constant.index()] = value;
        }
        let mut readers = vec![Vec::new(); values.len()];
        for (unit, data) in circuit.units() {
            for constant in &data.constants {
                readers[constant.index()].push(unit.index() as u32);
            }
        }
        let units = circuit.units();
        Constants {
            values,
            read: units.values().map(|data| data.constants.clone()).collect(),
            driven: units.keys().map(|unit| circuit.driven_by(unit)).collect(),
            readers,
        }
    }

    /// The values that a unit reads; none for the environment and the sink.
    pub(super) fn read_by(&self, unit: usize) -> Vec<u64> {
        let read = self.read.get(unit).map_or(&[][..], Vec::as_slice);
        let values = read.iter().map(|constant| self.values[constant.index()]);
        values.collect()
    }

    /// Takes over what units drive (who, which of its wires, what); gives who reads what has
    /// changed.
    pub(super) fn change(
        &mut self,
        driven: impl Iterator<Item = (u32, u32, u64)>,
    ) -> BTreeSet<u32> {
        let mut readers = BTreeSet::new();
        for (unit, wire, value) in driven {
            let constant = self.driven[unit as usize][wire as usize].index();
            if std::mem::replace(&mut self.values[constant], value) != value {
                readers.extend(&self.readers[constant]);
            }
        }
        readers
    }
}
