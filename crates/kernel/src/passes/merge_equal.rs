//! Equal computations are done once: a pure instruction or a load that equals an earlier one on
//! every path to it takes that one's results, and a load of what was just stored takes the stored
//! values. What stands on all ways behind a branch moves before it. Each unit and each memory port saved is area; each load saved is bandwidth.

mod both_ways;
mod versions;

use std::collections::HashMap;

use smallvec::SmallVec;

use crate::analysis::{Cfg, Dominators};
use crate::ir::{Block, Conversion, Inst, InstData, Kernel, ObjectSet, Order, Type, Value};

use super::Changed;
use super::renaming::Renaming;
use versions::{Version, Versions};

/// Merges equal instructions.
pub fn merge_equal(kernel: &mut Kernel) -> Changed {
    let cfg = Cfg::of(kernel);
    let hoisted = both_ways::hoist(kernel, &cfg);
    let dominators = Dominators::of(kernel, &cfg);
    let versions = Versions::of(kernel, &cfg);
    let mut merger = Merger {
        kernel,
        dominators: &dominators,
        versions,
        pure: HashMap::new(),
        memory: HashMap::new(),
        renaming: Renaming::new(),
    };
    // Dominators come first in this order: what is found in the tables at a block, if its own block
    // dominates, is complete.
    for &block in cfg.reverse_postorder() {
        merger.merge_block(block);
    }
    let renaming = merger.renaming;
    renaming.apply(kernel);
    Changed::from(!renaming.is_empty() || !hoisted.is_empty())
}

/// What a load yields: equal keys, equal values.
#[derive(PartialEq, Eq, Hash)]
struct Contents {
    ptr: Value,
    ty: Type,
    lanes: u8,
    objects: ObjectSet,
    guard: Option<Value>,
    versions: SmallVec<[Version; 2]>,
}

/// Results that can be used where `block` dominates.
struct Known<T> {
    block: Block,
    results: T,
}

struct Merger<'k> {
    kernel: &'k mut Kernel,
    dominators: &'k Dominators,
    versions: Versions,
    pure: HashMap<(InstData, Type), Vec<Known<Value>>>,
    memory: HashMap<Contents, Vec<Known<SmallVec<[Value; 4]>>>>,
    renaming: Renaming,
}

impl Merger<'_> {
    fn merge_block(&mut self, block: Block) {
        self.versions.enter(block);
        let mut insts = std::mem::take(&mut self.kernel.block_mut(block).insts);
        insts.retain(|&inst| {
            let renaming = &self.renaming;
            let data = self.kernel.inst_mut(inst);
            data.map_operands(|value| renaming.resolve(value));
            let is_merged = self.merge(block, inst);
            self.versions.pass(self.kernel.inst(inst), inst);
            if !is_merged {
                self.remember_memory(block, inst);
            }
            !is_merged
        });
        self.kernel.block_mut(block).insts = insts;
    }

    /// Takes the results from an earlier instruction, if there is an equal one.
    fn merge(&mut self, block: Block, inst: Inst) -> bool {
        let data = self.kernel.inst(inst);
        if data.is_pure() {
            return self.merge_pure(block, inst);
        }
        let Some(contents) = self.loaded(inst) else {
            return false;
        };
        let known = self.memory.get(&contents).into_iter().flatten();
        let mut known = known.filter(|known| self.dominators.dominates(known.block, block));
        let Some(found) = known.next().map(|known| known.results.clone()) else {
            return false;
        };
        let results: SmallVec<[Value; 4]> = self.kernel.results(inst).into();
        for (old, new) in results.into_iter().zip(found) {
            self.renaming.replace(self.kernel, old, new);
        }
        true
    }

    fn merge_pure(&mut self, block: Block, inst: Inst) -> bool {
        let result = self.kernel.result(inst);
        let data = self.kernel.inst(inst);
        let is_wiring = is_wiring(data);
        let key = (normal_form(self.kernel, data), self.kernel.ty(result));
        let known = self.pure.entry(key).or_default();
        let usable = |known: &&Known<Value>| {
            known.block == block || (!is_wiring && self.dominators.dominates(known.block, block))
        };
        match known.iter().rev().find(usable).map(|known| known.results) {
            Some(earlier) => {
                self.renaming.replace(self.kernel, result, earlier);
                true
            }
            None => {
                known.push(Known {
                    block,
                    results: result,
                });
                false
            }
        }
    }

    /// Notes what memory is known to hold after an instruction.
    fn remember_memory(&mut self, block: Block, inst: Inst) {
        let (contents, results) = match self.kernel.inst(inst) {
            InstData::Load { .. } => (self.loaded(inst), self.kernel.results(inst).into()),
            InstData::Store {
                ptr,
                values,
                access,
                objects,
                guard: None,
            } if !access.volatile && !objects.is_empty() => {
                let contents = Contents {
                    ptr: *ptr,
                    ty: access.ty,
                    lanes: access.lanes,
                    objects: objects.clone(),
                    guard: None,
                    versions: self.versions.of_objects(objects),
                };
                (Some(contents), values.clone())
            }
            _ => return,
        };
        if let Some(contents) = contents {
            let known = self.memory.entry(contents).or_default();
            known.push(Known { block, results });
        }
    }

    /// What a load reads; nothing for other instructions and for volatile loads.
    fn loaded(&self, inst: Inst) -> Option<Contents> {
        match self.kernel.inst(inst) {
            InstData::Load {
                ptr,
                access,
                objects,
                guard,
            } if !access.volatile && !objects.is_empty() => Some(Contents {
                ptr: *ptr,
                ty: access.ty,
                lanes: access.lanes,
                objects: objects.clone(),
                guard: *guard,
                versions: self.versions.of_objects(objects),
            }),
            _ => None,
        }
    }
}

/// Whether the instruction only changes a width. It costs nothing, but its wider result does if it
/// has to go from block to block: only equal ones in one block are merged.
fn is_wiring(data: &InstData) -> bool {
    match data {
        InstData::Cast { op, .. } => matches!(op.row().conversion, Conversion::Extend(_)),
        _ => false,
    }
}

/// The instruction with operands that may be exchanged in a fixed order.
fn normal_form(kernel: &Kernel, data: &InstData) -> InstData {
    let mut data = data.clone();
    let sort = |args: &mut [Value]| {
        args.sort_by_key(|&value| (kernel.constant(value).is_some(), value));
    };
    match &mut data {
        InstData::Binary { op, args } if op.is_commutative() => sort(args),
        InstData::Ternary { op, args } if op.row().order == Order::Commutes => sort(&mut args[..2]),
        InstData::Compare { pred, args } if pred.row().order == Order::Commutes => sort(args),
        _ => {}
    }
    data
}
