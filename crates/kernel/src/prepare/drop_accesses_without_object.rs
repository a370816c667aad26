//! Accesses that reach no object: they may do anything, so they do nothing.

use std::collections::BTreeMap;

use crate::ir::{Inst, InstData, Kernel, ObjectSet, Value};

/// Drops accesses that reach no object; what they read is zero.
pub(crate) fn drop_accesses_without_object(kernel: &mut Kernel) {
    let reaches_nothing = |kernel: &Kernel, inst: Inst| {
        let objects = kernel.inst(inst).objects();
        objects.is_some_and(ObjectSet::is_empty)
    };
    let mut zeros: BTreeMap<Value, Value> = BTreeMap::new();
    for block in kernel.layout().to_vec() {
        let insts = std::mem::take(&mut kernel.block_mut(block).insts);
        let mut kept = Vec::with_capacity(insts.len());
        for inst in insts {
            if !reaches_nothing(kernel, inst) {
                kept.push(inst);
                continue;
            }
            let loc = kernel.loc(inst);
            for result in kernel.results(inst).to_vec() {
                let zero = kernel.make_inst(InstData::Const(0), &[kernel.ty(result)], loc);
                zeros.insert(result, kernel.result(zero));
                kept.push(zero);
            }
        }
        kernel.block_mut(block).insts = kept;
    }
    if !zeros.is_empty() {
        kernel.map_operands(|value| zeros.get(&value).copied().unwrap_or(value));
    }
}
