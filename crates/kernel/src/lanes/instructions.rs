//! Instructions: once if all work-items of a token do the same, else once for each lane. What has an
//! effect is only done for lanes that are active.

use super::build::{Builder, Bundle, Mask};
use super::divergence::has_private;
use crate::ir::{BinaryOp, Block, Effect, Inst, InstData, Query, Type, Value};

impl Builder<'_> {
    /// Places an instruction of a block under a mask. Terminators are the caller's.
    pub(super) fn inst(&mut self, block: Block, inst: Inst, mask: &Mask) {
        self.loc = self.from.loc(inst);
        let data = self.from.inst(inst);
        match data.effect() {
            Effect::Pure => self.pure(inst),
            Effect::Access(_) => self.access(block, inst, mask),
            // Work-items of a token come to a barrier together.
            Effect::Fence(_) | Effect::Barrier(_) => {
                self.to.append(self.at, data.clone(), &[], self.loc);
            }
            Effect::Print => self.print(inst, mask),
            Effect::Control => {}
        }
    }

    /// The instruction with its operands for a lane.
    fn of_lane(&self, inst: Inst, lane: usize) -> InstData {
        let mut data = self.from.inst(inst).clone();
        data.map_operands(|operand| self.lane(operand, lane));
        if let Some(objects) = data.objects_mut() {
            *objects = self.objects(objects, lane);
        }
        data
    }

    fn pure(&mut self, inst: Inst) {
        let result = self.from.result(inst);
        let ty = self.from.ty(result);
        let bundle = match *self.from.inst(inst) {
            InstData::Query { query, dim: 0 } => self.query(query, ty),
            InstData::Addr(object) if self.divergence.is_varying(result) => {
                let lanes = 0..self.lanes;
                let addresses = lanes.map(|lane| InstData::Addr(self.object(object, lane)));
                let addresses: Vec<InstData> = addresses.collect();
                let addresses = addresses.into_iter().map(|data| self.value(data, ty));
                Bundle::Each(addresses.collect())
            }
            _ if self.divergence.is_varying(result) => {
                let lanes = 0..self.lanes;
                let values = lanes.map(|lane| self.value(self.of_lane(inst, lane), ty));
                Bundle::Each(values.collect())
            }
            _ => Bundle::One(self.value(self.of_lane(inst, 0), ty)),
        };
        self.name(result, &bundle);
        self.set(result, bundle);
    }

    fn name(&mut self, original: Value, bundle: &Bundle) {
        let Some(name) = self.from.value_name(original) else {
            return;
        };
        match bundle {
            Bundle::One(one) => self.to.set_value_name(*one, name),
            Bundle::Each(each) => {
                let named = each.iter().enumerate();
                named.for_each(|(lane, &it)| self.to.set_value_name(it, &format!("{name}_{lane}")));
            }
        }
    }

    /// A work-item function in dimension 0, from that of the token: sizes are larger by the number of lanes.
    fn query(&mut self, query: Query, ty: Type) -> Bundle {
        let own = InstData::Query { query, dim: 0 };
        let shift = self.lanes.trailing_zeros();
        match query {
            Query::NumGroups
            | Query::WorkDim
            | Query::GroupId
            | Query::ItemSlot
            | Query::GroupSlot => Bundle::One(self.value(own, ty)),
            Query::GlobalSize | Query::LocalSize | Query::GlobalOffset => {
                Bundle::One(self.scaled(own, ty, shift))
            }
            Query::GlobalId | Query::LocalId => {
                let first = self.scaled(own, ty, shift);
                let lanes = 0..self.lanes as u64;
                let ids = lanes.map(|lane| match lane & ty.mask() {
                    0 => first,
                    lane => {
                        let lane = self.constant(lane, ty);
                        self.binary(BinaryOp::Or, [first, lane])
                    }
                });
                Bundle::Each(ids.collect())
            }
        }
    }

    fn scaled(&mut self, data: InstData, ty: Type, shift: u32) -> Value {
        if ty.bits() <= shift {
            return self.constant(0, ty);
        }
        let value = self.value(data, ty);
        let shift = self.constant(shift.into(), ty);
        self.binary(BinaryOp::Shl, [value, shift])
    }

    fn print(&mut self, inst: Inst, mask: &Mask) {
        for lane in 0..self.lanes {
            let data = self.of_lane(inst, lane);
            let Some(active) = self.is_active(mask, lane) else {
                self.to.append(self.at, data, &[], self.loc);
                continue;
            };
            let (prints, behind) = (self.to.add_block(), self.to.add_block());
            self.branch(active, [(prints, Vec::new()), (behind, Vec::new())]);
            self.at = prints;
            self.to.append(self.at, data, &[], self.loc);
            self.jump(behind, []);
            self.at = behind;
        }
    }

    fn access(&mut self, block: Block, inst: Inst, mask: &Mask) {
        if self.is_once(block, inst) {
            let active = self.any(mask);
            let results = self.guarded(inst, 0, active);
            self.bind(inst, results.into_iter().map(Bundle::One));
            return;
        }
        if self.wide(block, inst, mask) {
            return;
        }
        let mut lanes = Vec::new();
        for lane in 0..self.lanes {
            let active = self.is_active(mask, lane);
            lanes.push(self.guarded(inst, lane, active));
        }
        self.bind_lanes(inst, &lanes);
    }

    /// Whether one access serves all lanes: they do the same at the same place.
    fn is_once(&self, block: Block, inst: Inst) -> bool {
        let data = self.from.inst(inst);
        let access = data.access_effect().expect("the caller has looked");
        let mut operands = data.operands().into_iter();
        let varies = |operand| self.divergence.varies_at(self.flow, operand, block);
        !access.synchronises() && !has_private(self.from, access.objects) && !operands.any(varies)
    }

    /// Adds the access of a lane, if a condition holds.
    pub(super) fn guarded(&mut self, inst: Inst, lane: usize, active: Option<Value>) -> Vec<Value> {
        let mut data = self.of_lane(inst, lane);
        let guard = self.both(data.guard(), active);
        *data.guard_mut().expect("it is an access") = guard;
        let results = self.from.results(inst).iter();
        let types: Vec<Type> = results.map(|&it| self.from.ty(it)).collect();
        let placed = self.to.append(self.at, data, &types, self.loc);
        self.to.results(placed).to_vec()
    }

    fn bind_lanes(&mut self, inst: Inst, lanes: &[Vec<Value>]) {
        let results = 0..self.from.results(inst).len();
        let bundles = results.map(|at| Bundle::Each(lanes.iter().map(|it| it[at]).collect()));
        self.bind(inst, bundles.collect::<Vec<_>>());
    }

    /// Says what the results of an instruction have become.
    pub(super) fn bind(&mut self, inst: Inst, bundles: impl IntoIterator<Item = Bundle>) {
        let results = self.from.results(inst).to_vec();
        for (result, bundle) in results.into_iter().zip(bundles) {
            self.name(result, &bundle);
            self.set(result, bundle);
        }
    }
}
