//! Slots: each work-item takes one when it begins and returns it when it ends.

use std::collections::BTreeMap;

use sluice_circuit::circuit::Channel;
use sluice_circuit::unit::Fields;
use sluice_circuit::units::fork::Fork;
use sluice_circuit::units::join::Join;
use sluice_circuit::units::slots::Slots;

use super::{Lowering, segment};

impl Lowering<'_> {
    /// Gives work-items slots, if they need any. From the channel where they come from the
    /// dispatcher: where they enter the kernel, where they leave it, and where they have ended.
    pub(super) fn slots(&mut self, dispatched: Channel) -> (Channel, Channel, Channel) {
        let ended = self.circuit.add_channel("work_item_ended", Fields::NONE);
        let Some(slotted) = self.slotted else {
            return (dispatched, ended, ended);
        };
        let slot = segment::fields(self.kernel, &[slotted.slot]);
        let leaving = self.circuit.add_channel("work_item_leaving", slot.clone());
        let fork = Fork {
            fields: slot.clone(),
            outputs: vec![vec![0], Vec::new()],
        };
        let given = BTreeMap::from([("in", leaving), ("out_1", ended)]);
        let forked = self.place("fork_ended".into(), fork, Vec::new(), given);
        let slots = Slots {
            count: slotted.slots,
        };
        let given = BTreeMap::from([("returned", forked["out_0"])]);
        let pool = self.place("slots".into(), slots, Vec::new(), given);
        let ids = self.circuit.channels()[dispatched].fields.clone();
        let join = Join {
            inputs: vec![slot, ids],
        };
        let given = BTreeMap::from([("in_0", pool["free"]), ("in_1", dispatched)]);
        let joined = self.place("join_slot".into(), join, Vec::new(), given);
        (joined["out"], leaving, ended)
    }
}
