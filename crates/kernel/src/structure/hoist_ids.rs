//! Work-item functions, constants, arguments and addresses go to the entry block, each once: a
//! work-item's token starts with its ids, and what needs them elsewhere has them carried along.

use std::collections::HashMap;

use cranelift_entity::SecondaryMap;

use crate::ir::{Inst, InstData, Kernel, Type, Value};
use crate::passes::Changed;

/// Moves the instructions without operands and effects to the head of the entry block, behind a
/// barrier that stands there, and merges equal ones. They keep the order of their first places.
pub fn hoist_ids(kernel: &mut Kernel) -> Changed {
    let before: Vec<Inst> = kernel.block(kernel.entry()).insts.clone();
    let mut first: HashMap<(InstData, Type), Value> = HashMap::new();
    let mut hoisted: Vec<Inst> = Vec::new();
    let mut instead: SecondaryMap<Value, Option<Value>> = SecondaryMap::new();
    for block in kernel.layout().to_vec() {
        let insts = std::mem::take(&mut kernel.block_mut(block).insts);
        let (leaves, rest): (Vec<Inst>, Vec<Inst>) = insts
            .into_iter()
            .partition(|&inst| is_leaf(kernel.inst(inst)));
        kernel.block_mut(block).insts = rest;
        for inst in leaves {
            let result = kernel.result(inst);
            let key = (kernel.inst(inst).clone(), kernel.ty(result));
            let kept = *first.entry(key).or_insert(result);
            if kept == result {
                hoisted.push(inst);
            } else {
                instead[result] = Some(kept);
            }
        }
    }
    let is_merged = instead.values().any(Option::is_some);
    kernel.map_operands(|value| instead[value].unwrap_or(value));
    let entry = kernel.entry();
    let at = match kernel.inst(kernel.block(entry).insts[0]) {
        InstData::Barrier(_) => 1,
        _ => 0,
    };
    kernel.block_mut(entry).insts.splice(at..at, hoisted);
    Changed::from(is_merged || kernel.block(entry).insts != before)
}

/// Whether an instruction gives the same result wherever it stands.
fn is_leaf(data: &InstData) -> bool {
    data.is_pure() && data.operands().is_empty()
}
