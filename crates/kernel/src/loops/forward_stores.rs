//! Forwarding of stores: a load that reads exactly what a store has written in an earlier iteration, or in
//! this one, becomes a value that is carried from iteration to iteration.
//!
//! `h[j] = h[j - 1] + x` then waits for the addition of the iteration before, not for its way through memory.

use super::Refused;
use super::accesses::{LoopAccesses, Plain};
use super::code::{Code, constant};
use super::first_iterations::{FirstIterations, is_computable};
use super::one_block::{OneBlock, insert_at_end, preheader};
use crate::analysis::dependence::Distance;
use crate::ir::{Block, Inst, InstData, Kernel, Type, Value};
use crate::passes::Renaming;

/// The greatest number of iterations that a value is carried for.
const MOST_DISTANCE: u32 = 3;

/// A load of what a store has written some iterations before.
struct Forwarded {
    load: Inst,
    store: Inst,
    distance: u32,
}

/// Replaces the loads in a loop of one block that read what the loop has stored at most three iterations
/// before. What they read in the first iterations is loaded before the loop.
pub fn forward_stores(kernel: &mut Kernel, header: Block) -> Result<(), Refused> {
    let loop_ = OneBlock::of(kernel, header)?;
    let found = find(kernel, &loop_);
    if found.is_empty() {
        return Err(Refused::because(
            "no load of the loop reads what a store of the loop has always written a few iterations before",
        ));
    }
    let before = preheader(kernel, header)?;
    let mut renaming = Renaming::new();
    for forwarded in &found {
        let values = carried(kernel, &loop_, before, forwarded);
        replace_load(kernel, header, forwarded.load, &values, &mut renaming);
    }
    renaming.apply(kernel);
    Ok(())
}

fn find(kernel: &Kernel, loop_: &OneBlock) -> Vec<Forwarded> {
    let mut accesses = LoopAccesses::of(kernel, loop_.header);
    let loads = accesses.insts.iter();
    let candidates: Vec<Forwarded> = loads
        .flat_map(|&load| candidates(kernel, loop_, &accesses, load))
        .collect();
    accesses.relate(|_, sink| candidates.iter().any(|it| it.load == sink));
    let mut found: Vec<Forwarded> = Vec::new();
    for candidate in candidates {
        let is_new = found.iter().all(|it| it.load != candidate.load);
        if is_new && is_last_writer(kernel, &accesses, &candidate) {
            found.push(candidate);
        }
    }
    found
}

/// The stores that a load reads from if nothing is written in between, the last ones first.
fn candidates(
    kernel: &Kernel,
    loop_: &OneBlock,
    accesses: &LoopAccesses<'_>,
    load: Inst,
) -> Vec<Forwarded> {
    let plain = Plain::of(kernel, load).filter(|it| !it.is_store);
    let Some(plain) = plain.filter(|_| accesses.is_undisturbed(load)) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for distance in 0..=MOST_DISTANCE {
        for &store in accesses.insts.iter().rev() {
            let Some(source) = Plain::of(kernel, store).filter(|it| it.is_store) else {
                continue;
            };
            let is_executed =
                source.guard.is_none() || (distance == 0 && source.guard == plain.guard);
            let candidate = Forwarded {
                load,
                store,
                distance,
            };
            if is_executed
                && source.is_like(&plain)
                && reads(accesses, &candidate, plain.access.bytes())
                && can_be_loaded_ahead(kernel, loop_, load, distance)
            {
                found.push(candidate);
            }
        }
    }
    found
}

/// Whether a load goes to the bytes that a store has gone to exactly this number of iterations before.
fn reads(accesses: &LoopAccesses<'_>, candidate: &Forwarded, bytes: u32) -> bool {
    let Forwarded {
        load,
        store,
        distance,
    } = *candidate;
    let Some(apart) = accesses.distance(store, load) else {
        return false;
    };
    if distance == 0 {
        return apart == 0 && accesses.is_before(store, load);
    }
    let Some(stride) = accesses.stride(load) else {
        return false;
    };
    let later = stride.checked_mul(distance.into());
    stride.unsigned_abs() >= u64::from(bytes)
        && later.and_then(|it| it.checked_add(apart)) == Some(0)
}

/// Whether nothing else can have written to the bytes since.
fn is_last_writer(kernel: &Kernel, accesses: &LoopAccesses<'_>, candidate: &Forwarded) -> bool {
    let Forwarded {
        load,
        store,
        distance,
    } = *candidate;
    let writes = |inst: Inst| {
        let effect = kernel.inst(inst).access_effect();
        effect.is_some_and(|effect| effect.writes())
    };
    let writers = accesses.insts.iter().copied();
    let mut others = writers.filter(|&it| it != store && writes(it));
    others.all(|other| {
        accesses.dependences(other, load).all(|it| match it {
            Distance::Exactly(there) if there == u64::from(distance) => {
                accesses.is_before(other, store)
            }
            Distance::Exactly(there) | Distance::AtLeast(there) => there > u64::from(distance),
        })
    })
}

/// Whether addresses and conditions of the load are known before the loop, for the iterations that read what
/// was there before.
fn can_be_loaded_ahead(kernel: &Kernel, loop_: &OneBlock, load: Inst, distance: u32) -> bool {
    let data = kernel.inst(load);
    let needed = data.pointer().into_iter().chain(data.guard());
    let mut needed = needed.map(|value| (value, distance - 1));
    let is_known = |(value, iteration)| is_computable(kernel, loop_, value, iteration);
    match distance {
        0 => true,
        1 => needed.all(is_known),
        _ => needed.all(is_known) && is_computable(kernel, loop_, loop_.cond, distance - 2),
    }
}

/// The values that a load reads, carried from the store.
fn carried(
    kernel: &mut Kernel,
    loop_: &OneBlock,
    before: Block,
    forwarded: &Forwarded,
) -> Vec<Value> {
    let InstData::Store { values, .. } = kernel.inst(forwarded.store).clone() else {
        unreachable!("it is a store");
    };
    let mut values = values.to_vec();
    // After this number of iterations, the value that is carried since the start is read.
    for left in (0..forwarded.distance).rev() {
        let initial = load_ahead(kernel, loop_, before, forwarded.load, left);
        let pairs = values.iter().zip(initial);
        values = pairs
            .map(|(&next, initial)| {
                let param = loop_.add_param(kernel, before, initial);
                loop_.set_next(kernel, param, next);
                param
            })
            .collect();
    }
    values
}

/// Loads before the loop what a load reads in an iteration.
fn load_ahead(
    kernel: &mut Kernel,
    loop_: &OneBlock,
    before: Block,
    load: Inst,
    iteration: u32,
) -> Vec<Value> {
    let mut first = FirstIterations::of(kernel, loop_, before);
    let mut data = kernel.inst(load).clone();
    let types: Vec<Type> = kernel
        .results(load)
        .iter()
        .map(|&it| kernel.ty(it))
        .collect();
    let loc = kernel.loc(load);
    let mut code = Code::new(kernel);
    let exists = first.exists(&mut code, iteration);
    data.map_operands(|value| first.value(&mut code, value, iteration));
    let guard = data.guard_mut().expect("loads can have a guard");
    *guard = code.and(exists, *guard);
    let mut insts = std::mem::take(&mut code.insts);
    let inst = kernel.make_inst(data, &types, loc);
    insts.push(inst);
    insert_at_end(kernel, before, insts);
    kernel.results(inst).to_vec()
}

/// Puts values in the place of a load's results.
fn replace_load(
    kernel: &mut Kernel,
    block: Block,
    load: Inst,
    values: &[Value],
    renaming: &mut Renaming,
) {
    let guard = kernel.inst(load).guard();
    let loc = kernel.loc(load);
    let zeros: Vec<Value> = match guard {
        Some(_) => values
            .iter()
            .map(|&it| constant(kernel, kernel.ty(it), 0))
            .collect(),
        None => values.to_vec(),
    };
    let mut code = Code::new(kernel);
    code.loc = loc;
    let values: Vec<Value> = values
        .iter()
        .zip(zeros)
        .map(|(&value, zero)| match guard {
            Some(_) => code.select(guard, [value, zero]),
            None => value,
        })
        .collect();
    let selects = std::mem::take(&mut code.insts);
    let insts = &mut kernel.block_mut(block).insts;
    let at = insts
        .iter()
        .position(|&inst| inst == load)
        .expect("it is in the block");
    insts.splice(at..=at, selects);
    for (result, value) in kernel.results(load).to_vec().into_iter().zip(values) {
        renaming.replace(kernel, result, value);
    }
}
