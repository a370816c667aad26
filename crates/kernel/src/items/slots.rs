//! Where work-items keep values from one region to the next: arrays in local memory with a place for each work-item.

use std::collections::BTreeMap;

use super::regions::{End, Origin, Regions};
use crate::ir::{Kernel, MemoryAttributes, Object, ObjectData, ObjectKind, Type, Value};

/// The arrays of values.
pub(super) struct Slots {
    arrays: BTreeMap<Value, Array>,
}

/// An array with a value of each work-item.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Array {
    pub(super) object: Object,
    /// What memory holds: values of other widths are extended.
    pub(super) stored: Type,
}

/// Values that share an array: at most one of them is needed at a time.
struct Class {
    values: Vec<Value>,
    stored: Type,
}

impl Slots {
    /// Arrays for everything that work-items have to keep, for this many work-items.
    pub(super) fn of(regions: &Regions<'_>, to: &mut Kernel, items: u64) -> Slots {
        let mut classes = classes(regions);
        share(regions, &mut classes);
        let mut arrays = BTreeMap::new();
        for (at, class) in classes.into_iter().enumerate() {
            let bytes = class.stored.bytes().expect("it can be stored");
            let object = to.objects.push(ObjectData {
                name: format!("kept{at}"),
                kind: ObjectKind::Local {
                    size: items * u64::from(bytes),
                },
                align: bytes,
                attributes: MemoryAttributes::default(),
            });
            let stored = class.stored;
            let array = Array { object, stored };
            arrays.extend(class.values.into_iter().map(|value| (value, array)));
        }
        Slots { arrays }
    }

    /// The array of a value that is kept.
    pub(super) fn get(&self, value: Value) -> Option<Array> {
        self.arrays.get(&value).copied()
    }
}

fn classes(regions: &Regions<'_>) -> Vec<Class> {
    let live = regions.all.iter().flat_map(|region| &region.live);
    let mut kept: Vec<Value> = live
        .copied()
        .filter(|&value| regions.origin(value) == Origin::Kept)
        .collect();
    kept.sort_unstable();
    kept.dedup();
    let class = |value| Class {
        values: vec![value],
        stored: stored(regions.ty(value)),
    };
    kept.into_iter().map(class).collect()
}

/// Lets values share an array that one hands to the other, so that nothing has to be copied.
fn share(regions: &Regions<'_>, classes: &mut Vec<Class>) {
    for region in &regions.all {
        for edge in &region.edges {
            let End::Region(start) = edge.end else {
                continue;
            };
            for &value in &regions.get(start).live {
                let of = |value: Value, all: &[Class]| {
                    all.iter().position(|class| class.values.contains(&value))
                };
                let handed = regions.handed(edge, value);
                let (Some(a), Some(b)) = (of(value, classes), of(handed, classes)) else {
                    continue;
                };
                if a != b && can_share(regions, &classes[a], &classes[b]) {
                    let other = classes.remove(a.max(b));
                    classes[a.min(b)].values.extend(other.values);
                }
            }
        }
    }
}

/// Whether no region needs values of both.
fn can_share(regions: &Regions<'_>, a: &Class, b: &Class) -> bool {
    let needs = |class: &Class| {
        let live = regions.all.iter().map(|region| &region.live);
        let needs = live.map(|live| class.values.iter().any(|it| live.contains(it)));
        needs.collect::<Vec<bool>>()
    };
    let mut both = needs(a).into_iter().zip(needs(b));
    a.stored == b.stored && both.all(|(a, b)| !(a && b))
}

/// The type in memory of a value of a type.
fn stored(ty: Type) -> Type {
    match ty {
        Type::Int(bits) => Type::Int(bits.max(8).next_power_of_two()),
        Type::F16 | Type::F32 | Type::F64 | Type::Ptr(_) => ty,
    }
}
