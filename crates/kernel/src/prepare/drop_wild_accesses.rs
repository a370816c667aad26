//! Accesses that reach no memory: whatever they do is right, and nothing is the cheapest.

use std::collections::BTreeMap;

use crate::ir::{Inst, InstData, Kernel, ObjectSet, Value};

/// Drops accesses that reach no object; what they read is zero.
pub(crate) fn drop_wild_accesses(kernel: &mut Kernel) {
    let is_wild = |kernel: &Kernel, inst: Inst| {
        let objects = kernel.inst(inst).objects();
        objects.is_some_and(ObjectSet::is_empty)
    };
    let mut zeros: BTreeMap<Value, Value> = BTreeMap::new();
    for block in kernel.layout().to_vec() {
        let insts = std::mem::take(&mut kernel.block_mut(block).insts);
        let mut kept = Vec::with_capacity(insts.len());
        for inst in insts {
            if !is_wild(kernel, inst) {
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
