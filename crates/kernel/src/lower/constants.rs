//! The constants of a kernel's circuit: what the host writes before it starts a launch.

use std::collections::BTreeMap;

use sluice_circuit::circuit::{Circuit, Constant};

use crate::ir::{Kernel, Object, ObjectKind};
use crate::prepare::LaunchValue;

/// The constants that a kernel has so far.
pub(super) struct Constants {
    prefix: String,
    /// The datapath that is being built.
    pub(super) path: u32,
    known: BTreeMap<LaunchValue, Constant>,
    /// What they hold, in the circuit's order.
    pub(super) values: Vec<(Constant, LaunchValue)>,
}

impl Constants {
    /// None; their names are to begin with the prefix.
    pub(super) fn new(prefix: &str) -> Constants {
        Constants {
            prefix: prefix.into(),
            path: 0,
            known: BTreeMap::new(),
            values: Vec::new(),
        }
    }

    /// The address of an object as the datapath sees it that is being built.
    pub(super) fn address(&self, kernel: &Kernel, object: Object) -> LaunchValue {
        match (self.path, &kernel.objects[object].kind) {
            (1.., ObjectKind::Private { .. }) => LaunchValue::PathAddress {
                object,
                path: self.path,
            },
            _ => LaunchValue::Address(object),
        }
    }

    /// The constant for a value, made if it is new.
    pub(super) fn get(
        &mut self,
        circuit: &mut Circuit,
        kernel: &Kernel,
        value: LaunchValue,
    ) -> Constant {
        if let Some(&constant) = self.known.get(&value) {
            return constant;
        }
        let name = format!("{}{}", self.prefix, value.name(kernel));
        let constant = circuit.add_constant(name, value.width(kernel));
        self.known.insert(value, constant);
        self.values.push((constant, value));
        constant
    }
}
