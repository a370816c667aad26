//! Where work-items come from and where they go: work-groups to datapaths, slots for groups and
//! work-items, the count of those that have ended.

use std::collections::BTreeMap;

use sluice_circuit::circuit::{Channel, Constant};
use sluice_circuit::unit::Fields;
use sluice_circuit::units::fork::Fork;
use sluice_circuit::units::group_slots::GroupSlots;
use sluice_circuit::units::groups::{self, Groups};
use sluice_circuit::units::items::{self, Items};
use sluice_circuit::units::join::Join;
use sluice_circuit::units::slots::Slots;

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
            dimensions: self.dimensions,
            // All groups take as long: a datapath that is ahead does not take others' last ones.
            order: match self.keeps_rows_together {
                true => groups::Order::InTurns,
                false => groups::Order::ToRoom,
            },
            outputs: self.group_coordinates(),
        };
        let bases: Vec<u8> = groups.bases().map(|dimension| dimension as u8).collect();
        let size = |query, dim| LaunchValue::Size(query, dim);
        let counts = (0..self.dimensions as u8).map(|dim| size(Query::NumGroups, dim));
        let local_sizes = bases.iter().map(|&dim| size(Query::LocalSize, dim));
        let offsets = bases.iter().map(|&dim| size(Query::GlobalOffset, dim));
        let constants = counts.chain(local_sizes).chain(offsets);
        let constants: Vec<Constant> = constants.map(|value| self.constant(value)).collect();
        let ways = groups.ways;
        let unit = self
            .circuit
            .unit(format!("{}groups", self.prefix), groups)
            .constants(constants)
            .input(Groups::START, start)
            .with_new_channels()
            .add();
        (0..ways).map(|way| unit.output(Groups::out(way))).collect()
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

    /// The bits that hold the size of a group, in each dimension.
    fn size_bits(&self) -> Vec<u32> {
        let most = u32::try_from(self.group_items).unwrap_or(u32::MAX);
        let sizes = self.kernel.work_group_size.required.unwrap_or([most; 3]);
        let bits = sizes.map(|size| (u32::BITS - size.leading_zeros()).max(2));
        bits[..self.dimensions].to_vec()
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
        let unit = self
            .circuit
            .unit(
                format!("{}fork_ended", self.prefix),
                Fork { fields, outputs },
            )
            .input(Fork::IN, leaving)
            .outputs_in_order(returned.iter().copied())
            .with_new_channels()
            .add();
        unit.output(Fork::out(returned.len()))
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
        let constants = constants.map(|value| self.constant(value));
        let pool = self
            .circuit
            .unit(format!("{}group_slots", self.prefix), pool)
            .constants(constants)
            .input(GroupSlots::IN, group)
            .with_new_channels()
            .add();
        (pool.output(GroupSlots::OUT), pool.input(GroupSlots::ENDED))
    }

    /// Work-items with slots, and where these come back.
    fn give_slots(&mut self, item: Channel) -> (Channel, Channel) {
        let slotted = self.slotted.expect("they have slots");
        let slots = Slots {
            count: slotted.slots,
        };
        let pool = self.circuit.unit(format!("{}slots", self.prefix), slots);
        let pool = pool.with_new_channels().add();
        let slot = pool.output(Slots::FREE);
        let fields = |channel: Channel| self.circuit.channels()[channel].fields.clone();
        let join = Join {
            inputs: vec![fields(slot), fields(item)],
        };
        let join = self
            .circuit
            .unit(format!("{}join_slot", self.prefix), join)
            .input(Join::input(0), slot)
            .input(Join::input(1), item)
            .with_new_channels()
            .add();
        (join.output(Join::OUT), pool.input(Slots::RETURNED))
    }

    /// The work-items of groups.
    fn work_items(&mut self, group: Channel) -> Channel {
        let carried = self.grouped.iter().map(|grouped| grouped.slot);
        let items = Items {
            inputs: self.group_coordinates(),
            carried: segment::fields(self.kernel, &carried.collect::<Vec<_>>()),
            outputs: self.ids(),
            size_bits: self.size_bits(),
        };
        let dimensions = 0..self.dimensions as u8;
        let constants = dimensions.map(|dim| LaunchValue::Size(Query::LocalSize, dim));
        let constants: Vec<Constant> = constants.map(|value| self.constant(value)).collect();
        let unit = self
            .circuit
            .unit(format!("{}items", self.prefix), items)
            .constants(constants)
            .input(Items::GROUP, group)
            .with_new_channels()
            .add();
        unit.output(Items::OUT)
    }
}
