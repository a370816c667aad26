//! What plans call the loops and accesses of a kernel: the source line and, where a line has several, their
//! number in the order of columns: `12`, or `12.1` and `12.2`.

use std::collections::{BTreeMap, BTreeSet};

use super::{AccessKey, Buffers, LoopKey};
use crate::analysis::{Cfg, Dominators, Loops};
use crate::ir::{InstData, Kernel, Object, ObjectKind};
use crate::prepare::alias_sets;

/// An access in the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedAccess {
    /// What plans call it.
    pub name: String,
    /// Where it is.
    pub key: AccessKey,
    /// The objects that it may reach, ascending.
    pub objects: Vec<Object>,
    /// Whether it reads: it is a load or an atomic operation.
    pub reads: bool,
    /// Whether it may reach a buffer.
    pub is_of_buffer: bool,
}

/// A loop in the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedLoop {
    /// What plans call it.
    pub name: String,
    /// Where it begins.
    pub key: LoopKey,
}

/// The accesses of a kernel, in the order of the source.
pub fn accesses(kernel: &Kernel) -> Vec<NamedAccess> {
    let mut found: BTreeMap<AccessKey, (BTreeSet<Object>, bool)> = BTreeMap::new();
    for (_, inst) in kernel.insts() {
        let Some(key) = AccessKey::of(kernel, inst) else {
            continue;
        };
        let data = kernel.inst(inst);
        let (objects, reads) = found.entry(key).or_default();
        objects.extend(data.objects().into_iter().flat_map(|it| it.iter()));
        *reads |= !matches!(data, InstData::Store { .. });
    }
    let names = names(found.keys().map(|key| key.line));
    let found = found.into_iter().zip(names);
    found
        .map(|((key, (objects, reads)), name)| NamedAccess {
            name,
            key,
            is_of_buffer: objects.iter().any(|&object| is_buffer(kernel, object)),
            objects: objects.into_iter().collect(),
            reads,
        })
        .collect()
}

/// The loops of a kernel, in the order of the source.
pub fn loops(kernel: &Kernel) -> Vec<NamedLoop> {
    let cfg = Cfg::of(kernel);
    let loops = Loops::of(kernel, &cfg, &Dominators::of(kernel, &cfg));
    let keys = loops.iter();
    let mut keys: Vec<LoopKey> = keys
        .filter_map(|(_, data)| LoopKey::of(kernel, data))
        .collect();
    keys.sort_unstable();
    let names = names(keys.iter().map(|key| key.line));
    let loops = keys.into_iter().zip(names);
    loops.map(|(key, name)| NamedLoop { name, key }).collect()
}

/// The buffers of a kernel that share a cache, set by set.
pub fn shared_caches(kernel: &Kernel, buffers: Buffers) -> Vec<Vec<Object>> {
    let sets = alias_sets(kernel).into_iter();
    let sets = sets.map(|set| {
        set.into_iter()
            .filter(|&object| is_buffer(kernel, object))
            .collect::<Vec<Object>>()
    });
    match buffers {
        Buffers::Disjoint => sets.filter(|set| !set.is_empty()).collect(),
        Buffers::MayAlias => vec![sets.flatten().collect()],
    }
}

fn is_buffer(kernel: &Kernel, object: Object) -> bool {
    matches!(kernel.objects[object].kind, ObjectKind::Buffer { .. })
}

/// The external memories that a kernel's buffers are in, as far as the source names them.
pub fn locations(kernel: &Kernel) -> BTreeSet<&str> {
    let names = kernel.objects.values();
    let names = names.filter_map(|object| object.attributes.location.as_deref());
    names.collect()
}

/// The memory port that a buffer is behind, as far as the source names its memory: the number at the end of the
/// name, or else its place among the names of the kernel without one.
pub fn port_of_location(kernel: &Kernel, object: Object) -> Option<u32> {
    let number = |name: &str| {
        let digits = name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        name[digits..].parse().ok()
    };
    let name = kernel.objects[object].attributes.location.as_deref()?;
    number(name).or_else(|| {
        let others = locations(kernel).into_iter();
        let mut others = others.filter(|name| number(name).is_none());
        others.position(|other| other == name).map(|at| at as u32)
    })
}

/// Names for what begins on these lines, which ascend.
fn names(lines: impl Iterator<Item = u32>) -> Vec<String> {
    let lines: Vec<u32> = lines.collect();
    let mut counts: BTreeMap<u32, u32> = BTreeMap::new();
    for &line in &lines {
        *counts.entry(line).or_default() += 1;
    }
    let mut seen: BTreeMap<u32, u32> = BTreeMap::new();
    let name = |&line: &u32| {
        let number = seen.entry(line).or_default();
        *number += 1;
        match counts[&line] {
            1 => line.to_string(),
            _ => format!("{line}.{number}"),
        }
    };
    lines.iter().map(name).collect()
}
