//! Wide accesses: lanes that are all active and whose addresses follow each other have one load or store of
//! as many scalars as a line of memory has room for.

use sluice_circuit::access::LINE;
use smallvec::SmallVec;

use super::build::{Builder, Bundle, Mask};
use crate::ir::{Access, Block, Inst, InstData, ObjectKind, ObjectSet, Type, Value};

/// Most scalars of an access.
const MOST: u32 = 16;

/// An access of all lanes.
struct Wide<'i> {
    ptr: Value,
    access: Access,
    objects: &'i ObjectSet,
    guard: Option<Value>,
}

impl Builder<'_> {
    /// Places an access of all lanes at once, if that is possible; says whether it is.
    pub(super) fn wide(&mut self, block: Block, inst: Inst, mask: &Mask) -> bool {
        let from = self.from;
        let (ptr, mut access, objects, guard) = match from.inst(inst) {
            InstData::Load {
                ptr,
                access,
                objects,
                guard,
            }
            | InstData::Store {
                ptr,
                access,
                objects,
                guard,
                ..
            } => (*ptr, *access, objects, *guard),
            _ => return false,
        };
        if mask.each.is_some() || guard.is_some() || access.volatile || !self.in_buffers(objects) {
            return false;
        }
        match self.strides.address(block, ptr) {
            Some(stride) if stride.by == i64::from(access.bytes()) => {
                access.align = access
                    .align
                    .max(1 << stride.zeros.min(LINE.trailing_zeros()));
            }
            _ => return false,
        }
        let wide = Wide {
            ptr: self.lane(ptr, 0),
            access,
            objects,
            guard: mask.all,
        };
        match from.inst(inst) {
            InstData::Store { values, .. } => self.wide_store(wide, values),
            _ => self.wide_load(wide, inst),
        }
        true
    }

    fn in_buffers(&self, objects: &ObjectSet) -> bool {
        let mut objects = objects.iter();
        objects.all(|it| matches!(self.from.objects[it].kind, ObjectKind::Buffer { .. }))
    }

    /// The accesses that make up one of all lanes: the address and the shape of each.
    fn pieces(&mut self, wide: &Wide<'_>) -> Vec<(Value, Access)> {
        let Access { lanes, .. } = wide.access;
        let bytes = wide.access.lane_bytes();
        let count = u32::from(lanes) * self.lanes as u32;
        let most = MOST.min(LINE / bytes).min(count);
        let mut pieces = Vec::new();
        for first in (0..count).step_by(most as usize) {
            let offset = first * bytes;
            let ptr = match offset {
                0 => wide.ptr,
                offset => {
                    let ty = self.to.ty(wide.ptr);
                    let offset = self.constant(offset.into(), Type::I64);
                    let base = wide.ptr;
                    self.value(InstData::PtrAdd { base, offset }, ty)
                }
            };
            let lanes = most.min(count - first) as u8;
            // What a piece begins with is a multiple of its own size at most.
            let zeros = wide.access.align.trailing_zeros();
            let align = 1 << zeros.min((offset | LINE).trailing_zeros());
            let access = Access {
                lanes,
                align,
                ..wide.access
            };
            pieces.push((ptr, access));
        }
        pieces
    }

    fn wide_load(&mut self, wide: Wide<'_>, inst: Inst) {
        let mut values = Vec::new();
        for (ptr, access) in self.pieces(&wide) {
            let data = InstData::Load {
                ptr,
                access,
                objects: wide.objects.clone(),
                guard: wide.guard,
            };
            let results = self.from.results(inst);
            let types = vec![self.from.ty(results[0]); access.lanes.into()];
            let load = self.to.append(self.at, data, &types, self.loc);
            values.extend_from_slice(self.to.results(load));
        }
        let each = usize::from(wide.access.lanes);
        let bundles = (0..each).map(|at| {
            let of_lanes = values.iter().skip(at).step_by(each);
            Bundle::Each(of_lanes.copied().collect())
        });
        self.bind(inst, bundles.collect::<Vec<_>>());
    }

    fn wide_store(&mut self, wide: Wide<'_>, values: &[Value]) {
        let lanes = 0..self.lanes;
        let all = lanes.flat_map(|lane| values.iter().map(move |&value| (value, lane)));
        let all: Vec<Value> = all.map(|(value, lane)| self.lane(value, lane)).collect();
        let mut rest = &all[..];
        for (ptr, access) in self.pieces(&wide) {
            let (own, others) = rest.split_at(access.lanes.into());
            rest = others;
            let data = InstData::Store {
                ptr,
                values: SmallVec::from_slice(own),
                access,
                objects: wide.objects.clone(),
                guard: wide.guard,
            };
            self.to.append(self.at, data, &[], self.loc);
        }
    }
}
