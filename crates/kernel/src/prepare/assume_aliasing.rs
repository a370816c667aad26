//! Buffers that may be one and the same.

use crate::ir::{Kernel, ObjectKind, ObjectSet};

/// Makes every access that may reach a buffer reach all of them, for launches that pass one buffer
/// for several parameters. It has to come before whatever relies on the objects of accesses; the passes
/// do not: to them, buffers that are not `restrict` may be the same.
pub fn assume_aliasing(kernel: &mut Kernel) {
    let buffers: Vec<_> = kernel
        .objects
        .iter()
        .filter(|(_, object)| matches!(object.kind, ObjectKind::Buffer { .. }))
        .map(|(object, _)| object)
        .collect();
    let insts: Vec<_> = kernel.insts().map(|(_, inst)| inst).collect();
    for inst in insts {
        let Some(objects) = kernel.inst_mut(inst).objects_mut() else {
            continue;
        };
        if buffers.iter().any(|&buffer| objects.contains(buffer)) {
            *objects = ObjectSet::from_iter(objects.iter().chain(buffers.iter().copied()));
        }
    }
}
