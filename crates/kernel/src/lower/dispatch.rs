//! Where work-items come from and where they go: work-groups to datapaths, slots for groups and
//! work-items, the count of those that have ended.

use std::collections::BTreeMap;

use sluice_circuit::circuit::Channel;
use sluice_circuit::unit::Fields;
use sluice_circuit::units::fork::Fork;
use sluice_circuit::units::group_slots::GroupSlots;
use sluice_circuit::units::groups::{self, Groups};
use sluice_circuit::units::items::{self, Items};
use sluice_circuit::units::join::Join;
use sluice_circuit::units::slots::Slots;

use super::place::{Placing, place};
use super::{Lowering, segment};
use crate::ir::{InstData, Query, Value};
use crate::prepare::LaunchValue;

/// The ends of a datapath.
pub(super) struct Ends {
    /// Where work-items enter the kernel.
    pub(super) entry: Channel,
    /// Where they leave it.
    pub(super) leaving: Channel,
    /// Where they have ended.
    pub(super) ended: Channel,
}

impl Lowering<'_> {
    /// What hands out work-groups, one way for each datapath.
    pub(super) fn work_groups(&mut self, start: Channel) -> Vec<Channel> {
        let groups = Groups {
            ways: self.plan.datapaths as usize,
            outputs: self.group_coordinates(),
        };
        let sizes = [
            Query::GlobalSize,
            Query::LocalSize,
            Query::GlobalOffset,
            Query::NumGroups,
        ];
        let constants = sizes.map(|query| (0..3).map(move |dim| LaunchValue::Size(query, dim)));
        let constants = constants.into_iter().flatten();
        let constants = constants.map(|value| self.constant(value)).collect();
        let ways = groups.ways;
        let placing = Placing {
            constants,
            ..Placing::new(format!("{}groups", self.prefix), [("start", start)])
        };
        let ports = place(self.circuit, groups, placing);
        (0..ways).map(|way| ports[&format!("out_{way}")]).collect()
    }

    /// The ids that work-items begin with: what they are, and in how many bits.
    fn ids(&self) -> Vec<items::Coordinate> {
        let kernel = self.kernel;
        let inputs = self.dataflow.block(kernel.entry()).inputs.iter();
        let is_slot = |value: Value| kernel.def_inst(value).is_some_and(InstData::is_slot);
        let ids = inputs.filter(|&&value| !is_slot(value));
        let coordinate = |value: &Value| {
            let Some(&InstData::Query { query, dim }) = kernel.def_inst(*value) else {
                panic!("dataflow: only ids come into the entry block");
            };
            let id = match query {
                Query::GlobalId => items::Id::Global,
                Query::LocalId => items::Id::Local,
                Query::GroupId => items::Id::Group,
                other => panic!("{other} is uniform"),
            };
            items::Coordinate {
                id,
                dimension: dim.into(),
                width: kernel.ty(*value).bits(),
            }
        };
        ids.map(coordinate).collect()
    }

    /// What a group has to bring so that its work-items have their ids.
    fn group_coordinates(&self) -> Vec<groups::Coordinate> {
        let mut widths = BTreeMap::new();
        for id in self.ids() {
            let of_group = match id.id {
                items::Id::Global => groups::Id::Base,
                items::Id::Group => groups::Id::Group,
                items::Id::Local => continue,
            };
            let key = (id.dimension, of_group == groups::Id::Base);
            let (width, _) = widths.entry(key).or_insert((0, of_group));
            *width = id.width.max(*width);
        }
        let coordinate = |((dimension, _), (width, id))| groups::Coordinate {
            id,
            dimension,
            width,
        };
        widths.into_iter().map(coordinate).collect()
    }

    /// The two ends of a datapath that gets groups from a channel.
    pub(super) fn ends(&mut self, group: Channel) -> Ends {
        let leaving = self.leaving_fields();
        let leaving_channel = self
            .circuit
            .add_channel(format!("{}work_item_leaving", self.prefix), leaving.clone());
        let mut entry = group;
        let mut outputs = Vec::new();
        let mut returned = Vec::new();
        if self.grouped.is_some() {
            let (joined, back) = self.give_group_slots(entry);
            entry = joined;
            returned.push(back);
            outputs.push(vec![leaving.len() - 1]);
        }
        entry = self.work_items(entry);
        if self.slotted.is_some() {
            let (joined, back) = self.give_slots(entry);
            entry = joined;
            returned.push(back);
            outputs.push(vec![0]);
        }
        let ended = match returned.is_empty() {
            true => leaving_channel,
            false => self.return_slots(leaving_channel, leaving, outputs, &returned),
        };
        let inputs = &self.dataflow.block(self.kernel.entry()).inputs;
        self.name_values(entry, inputs);
        Ends {
            entry,
            leaving: leaving_channel,
            ended,
        }
    }

    /// What work-items carry to their end: their slot, then their group's.
    fn leaving_fields(&self) -> Fields {
        segment::fields(self.kernel, &self.kernel.slots())
    }

    /// A fork where work-items end, to where slots come back.
    fn return_slots(
        &mut self,
        leaving: Channel,
        fields: Fields,
        mut outputs: Vec<Vec<usize>>,
        returned: &[Channel],
    ) -> Channel {
        outputs.push(Vec::new());
        let last = format!("out_{}", returned.len());
        let fork = Fork { fields, outputs };
        let names: Vec<String> = (0..returned.len()).map(|at| format!("out_{at}")).collect();
        let returned = names
            .iter()
            .map(String::as_str)
            .zip(returned.iter().copied());
        let given = returned.chain([("in", leaving)]);
        let name = format!("{}fork_ended", self.prefix);
        place(self.circuit, fork, Placing::new(name, given))[&last]
    }

    /// Groups with slots, and where those of ended work-items come back.
    fn give_group_slots(&mut self, group: Channel) -> (Channel, Channel) {
        let grouped = self.grouped.expect("they have slots");
        let pool = GroupSlots {
            count: grouped.limits.slots,
            most_items: grouped.limits.items,
            fields: self.circuit.channels()[group].fields.clone(),
        };
        let constants = [LaunchValue::GroupSize, LaunchValue::Resident];
        let constants = constants.map(|value| self.constant(value)).to_vec();
        let placing = Placing {
            constants,
            ..Placing::new(format!("{}group_slots", self.prefix), [("in", group)])
        };
        let pool = place(self.circuit, pool, placing);
        (pool["out"], pool["ended"])
    }

    /// Work-items with slots, and where these come back.
    fn give_slots(&mut self, item: Channel) -> (Channel, Channel) {
        let slotted = self.slotted.expect("they have slots");
        let slots = Slots {
            count: slotted.slots,
        };
        let placing = Placing::new(format!("{}slots", self.prefix), []);
        let pool = place(self.circuit, slots, placing);
        let slot = pool["free"];
        let fields = |channel: Channel| self.circuit.channels()[channel].fields.clone();
        let join = Join {
            inputs: vec![fields(slot), fields(item)],
        };
        let given = [("in_0", slot), ("in_1", item)];
        let placing = Placing::new(format!("{}join_slot", self.prefix), given);
        (place(self.circuit, join, placing)["out"], pool["returned"])
    }

    /// The work-items of groups.
    fn work_items(&mut self, group: Channel) -> Channel {
        let carried = self.grouped.iter().map(|grouped| grouped.slot);
        let items = Items {
            inputs: self.group_coordinates(),
            carried: segment::fields(self.kernel, &carried.collect::<Vec<_>>()),
            outputs: self.ids(),
        };
        let constants = (0..3).map(|dim| LaunchValue::Size(Query::LocalSize, dim));
        let constants = constants.map(|value| self.constant(value)).collect();
        let placing = Placing {
            constants,
            ..Placing::new(format!("{}items", self.prefix), [("group", group)])
        };
        place(self.circuit, items, placing)["out"]
    }
}
