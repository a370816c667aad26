//! Block parameters that receive the same value from everywhere.
//!
//! The search is optimistic: a parameter is taken for whatever the first edge passes until another
//! edge passes something else. So parameters that only pass a value around among themselves, as a
//! loop that swaps two equal variables does, are found to be that value.

use std::collections::HashMap;

use cranelift_entity::SecondaryMap;

use crate::analysis::Cfg;
use crate::ir::{Inst, InstData, Kernel, Loc, Type, Value, ValueDef};
use crate::passes::renaming::Renaming;
use crate::passes::{Changed, retain_params};

/// How often what is known of a parameter may change before it counts as a value of its own.
const MOST_CHANGES: u32 = 8;

/// What a parameter holds, as far as the search has got.
#[derive(Clone, Copy, PartialEq)]
enum Holds {
    /// No edge has been seen yet.
    Nothing,
    /// This value, whichever way control came.
    One(Value),
    /// A value of its own.
    Itself,
}

/// Replaces parameters that always hold the same value.
pub(super) fn replace_redundant_params(kernel: &mut Kernel) -> Changed {
    let has_params = |kernel: &Kernel| {
        let mut blocks = kernel.layout().iter();
        blocks.any(|&block| !kernel.block(block).params.is_empty())
    };
    if !has_params(kernel) {
        return Changed::No;
    }
    let representatives = representatives(kernel);
    let holds = solve(kernel, &representatives);
    replace(kernel, &holds)
}

/// For each value without operands, the first that is equal: they are the same everywhere.
fn representatives(kernel: &Kernel) -> SecondaryMap<Value, Option<Value>> {
    let mut first: HashMap<(&InstData, Type), Value> = HashMap::new();
    let mut representatives = SecondaryMap::new();
    for (_, inst) in kernel.insts() {
        let data = kernel.inst(inst);
        if is_same_everywhere(data) {
            let result = kernel.result(inst);
            let representative = *first.entry((data, kernel.ty(result))).or_insert(result);
            representatives[result] = Some(representative);
        }
    }
    representatives
}

fn is_same_everywhere(data: &InstData) -> bool {
    matches!(
        data,
        InstData::Const(_) | InstData::Arg { .. } | InstData::Addr(_) | InstData::Query { .. }
    )
}

fn solve(
    kernel: &Kernel,
    representatives: &SecondaryMap<Value, Option<Value>>,
) -> SecondaryMap<Value, Holds> {
    let cfg = Cfg::of(kernel);
    let incoming = incoming(kernel, &cfg);
    let mut holds: SecondaryMap<Value, Holds> = SecondaryMap::with_default(Holds::Nothing);
    let mut changes: SecondaryMap<Value, u32> = SecondaryMap::new();
    let resolve = |holds: &SecondaryMap<Value, Holds>, arg: Value| match kernel.def(arg) {
        ValueDef::Result(..) => Holds::One(representatives[arg].unwrap_or(arg)),
        ValueDef::Param(..) => match holds[arg] {
            Holds::Itself => Holds::One(arg),
            other => other,
        },
    };
    let params = cfg.reverse_postorder().iter();
    let params: Vec<Value> = params
        .flat_map(|&block| kernel.block(block).params.iter().copied())
        .collect();
    let mut changed = true;
    while changed {
        changed = false;
        for &param in &params {
            let args = incoming[param].iter().map(|&arg| resolve(&holds, arg));
            // What a parameter passes to itself says nothing new.
            let args = args.filter(|&arg| arg != Holds::One(param));
            let seen = args.fold(Holds::Nothing, meet);
            if holds[param] == Holds::Itself || holds[param] == seen {
                continue;
            }
            changed = true;
            changes[param] += 1;
            holds[param] = if changes[param] > MOST_CHANGES {
                Holds::Itself
            } else {
                seen
            };
        }
    }
    holds
}

fn meet(a: Holds, b: Holds) -> Holds {
    match (a, b) {
        (Holds::Nothing, other) | (other, Holds::Nothing) => other,
        (a, b) if a == b => a,
        (_, _) => Holds::Itself,
    }
}

/// The values that reachable blocks pass to each parameter.
fn incoming(kernel: &Kernel, cfg: &Cfg) -> SecondaryMap<Value, Vec<Value>> {
    let mut incoming: SecondaryMap<Value, Vec<Value>> = SecondaryMap::new();
    for &block in cfg.reverse_postorder() {
        for target in kernel.successors(block) {
            let params = &kernel.block(target.block).params;
            for (&param, &arg) in params.iter().zip(&target.args) {
                incoming[param].push(arg);
            }
        }
    }
    incoming
}

fn replace(kernel: &mut Kernel, holds: &SecondaryMap<Value, Holds>) -> Changed {
    let mut renaming = Renaming::new();
    for block in kernel.layout().to_vec() {
        let mut copies: Vec<Inst> = Vec::new();
        for param in kernel.block(block).params.clone() {
            let Holds::One(mut value) = holds[param] else {
                continue;
            };
            let data = kernel.def_inst(value);
            if let Some(data) = data.filter(|data| is_same_everywhere(data)).cloned() {
                // The value may stand elsewhere, but it can be had here as well.
                let copy = kernel.make_inst(data, &[kernel.ty(value)], Loc::default());
                value = kernel.result(copy);
                copies.push(copy);
            }
            renaming.replace(kernel, param, value);
        }
        kernel.block_mut(block).insts.splice(0..0, copies);
    }
    renaming.apply(kernel);
    retain_params(kernel, |param| !matches!(holds[param], Holds::One(_)))
}
