//! Wide accesses: lanes whose addresses follow each other have one load or store of as many scalars as a line of
//! memory has room for.
//!
//! Where the address need not be a multiple of the access's size, or some lanes need not be active, a second
//! access, or one for each lane, is made instead when it is not so.

use sluice_circuit::access::LINE;
use smallvec::SmallVec;

use super::build::{Builder, Bundle, Mask};
use crate::ir::{
    Access, Block, CastOp, Inst, InstData, ObjectKind, ObjectSet, Predicate, Type, Value,
};

/// Most scalars of an access.
const MOST: u32 = 16;

/// Bytes that the address of the first of some accesses that follow each other is to be a multiple of, so that none of
/// their [`pieces`] is split.
pub(crate) fn whole(access: Access, count: u32) -> u32 {
    let bytes = access.bytes() * count;
    bytes.next_power_of_two().min(LINE)
}

/// The accesses that make up some that follow each other, each as wide as can be: from the first byte, and the shape.
pub(crate) fn pieces(access: Access, count: u32) -> Vec<(u32, Access)> {
    let bytes = access.lane_bytes();
    let count = u32::from(access.lanes) * count;
    let most = MOST.min(LINE / bytes).min(count);
    let mut pieces = Vec::new();
    for first in (0..count).step_by(most as usize) {
        let offset = first * bytes;
        let lanes = most.min(count - first) as u8;
        // What a piece begins with is a multiple of its own size at most.
        let zeros = access.align.trailing_zeros();
        let align = 1 << zeros.min((offset | LINE).trailing_zeros());
        let piece = Access {
            lanes,
            align,
            ..access
        };
        pieces.push((offset, piece));
    }
    pieces
}

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
        if guard.is_some() || access.volatile || !self.in_buffers(objects) {
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
        let mut wide = Wide {
            ptr: self.lane(ptr, 0),
            access,
            objects,
            guard: self.all(mask),
        };
        let aligned = self.is_aligned(&wide);
        let at_once = self.both(wide.guard, aligned);
        wide.guard = at_once;
        if aligned.is_some() {
            wide.access.align = whole(wide.access, self.lanes as u32);
        }
        let mut values = self.at_once(&wide, inst);
        if aligned.is_some() || mask.each.is_some() {
            let at_once = at_once.expect("it was just made");
            let otherwise = self.not(at_once);
            let others = match mask.each {
                Some(_) => self.one_by_one(inst, mask, otherwise),
                None => {
                    wide.access.align = access.align;
                    wide.guard = self.both(mask.all, Some(otherwise));
                    self.at_once(&wide, inst)
                }
            };
            let both = values.iter().zip(others);
            let chosen = both.map(|(&value, other)| self.select(at_once, [value, other]));
            values = chosen.collect();
        }
        let each = self.from.results(inst).len();
        let bundles = (0..each).map(|at| {
            let of_lanes = values.iter().skip(at).step_by(each);
            Bundle::Each(of_lanes.copied().collect())
        });
        self.bind(inst, bundles.collect::<Vec<_>>());
        true
    }

    /// Whether all lanes are active; none if they always are.
    fn all(&mut self, mask: &Mask) -> Option<Value> {
        let each = mask.each.clone().unwrap_or_default();
        let all = each.into_iter().map(Some);
        all.fold(mask.all, |all, active| self.both(all, active))
    }

    /// Whether the address is a multiple of the access's size; none if it always is.
    fn is_aligned(&mut self, wide: &Wide<'_>) -> Option<Value> {
        let whole = whole(wide.access, self.lanes as u32);
        if wide.access.align >= whole {
            return None;
        }
        let ty = Type::Int(whole.trailing_zeros() as u8);
        let number = InstData::Cast {
            op: CastOp::PtrToInt,
            arg: wide.ptr,
        };
        let arg = self.value(number, Type::I64);
        let op = CastOp::Trunc;
        let low = self.value(InstData::Cast { op, arg }, ty);
        let zero = self.constant(0, ty);
        let compare = InstData::Compare {
            pred: Predicate::Eq,
            args: [low, zero],
        };
        Some(self.value(compare, Type::BOOL))
    }

    /// The access as pieces that are as wide as can be; gives the results, lane by lane.
    fn at_once(&mut self, wide: &Wide<'_>, inst: Inst) -> Vec<Value> {
        let from = self.from;
        match from.inst(inst) {
            InstData::Store { values, .. } => {
                self.wide_store(wide, values);
                Vec::new()
            }
            _ => self.wide_load(wide, inst),
        }
    }

    /// An access for each lane, if a condition holds; gives the results, lane by lane.
    fn one_by_one(&mut self, inst: Inst, mask: &Mask, cond: Value) -> Vec<Value> {
        let mut values = Vec::new();
        for lane in 0..self.lanes {
            let active = self.is_active(mask, lane);
            let active = self.both(active, Some(cond));
            values.extend(self.guarded(inst, lane, active));
        }
        values
    }

    fn in_buffers(&self, objects: &ObjectSet) -> bool {
        let mut objects = objects.iter();
        objects.all(|it| matches!(self.from.objects[it].kind, ObjectKind::Buffer { .. }))
    }

    /// The accesses that make up one of all lanes: the address and the shape of each.
    fn pieces(&mut self, wide: &Wide<'_>) -> Vec<(Value, Access)> {
        let mut placed = Vec::new();
        for (offset, access) in pieces(wide.access, self.lanes as u32) {
            let ptr = match offset {
                0 => wide.ptr,
                offset => {
                    let ty = self.to.ty(wide.ptr);
                    let offset = self.constant(offset.into(), Type::I64);
                    let base = wide.ptr;
                    self.value(InstData::PtrAdd { base, offset }, ty)
                }
            };
            placed.push((ptr, access));
        }
        placed
    }

    fn wide_load(&mut self, wide: &Wide<'_>, inst: Inst) -> Vec<Value> {
        let mut values = Vec::new();
        for (ptr, access) in self.pieces(wide) {
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
        values
    }

    fn wide_store(&mut self, wide: &Wide<'_>, values: &[Value]) {
        let lanes = 0..self.lanes;
        let all = lanes.flat_map(|lane| values.iter().map(move |&value| (value, lane)));
        let all: Vec<Value> = all.map(|(value, lane)| self.lane(value, lane)).collect();
        let mut rest = &all[..];
        for (ptr, access) in self.pieces(wide) {
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
