//! Promotion: a location that a loop reads and writes in each iteration becomes a value, with a load before the
//! loop and a store behind it.
//!
//! `c[0] += x` then is a sum of values, which may be a reduction.

use super::Refused;
use super::accesses::{LoopAccesses, Plain};
use super::code::{Code, Condition, constant};
use super::first_iterations::{FirstIterations, is_computable};
use super::one_block::{OneBlock, exit_block, insert_at_end, preheader};
use crate::ir::{Block, Inst, InstData, Kernel, Type, Value};
use crate::passes::Renaming;

/// Makes values of the locations in memory that are the same in each iteration of a loop of one block, are
/// written, and touched by no other access. Exact: the order of operations stays.
pub fn promote_invariant_locations(kernel: &mut Kernel, header: Block) -> Result<(), Refused> {
    let loop_ = OneBlock::of(kernel, header)?;
    let locations = find(kernel, &loop_)?;
    let before = preheader(kernel, header)?;
    let behind = exit_block(kernel, &loop_);
    let mut renaming = Renaming::new();
    for location in &locations {
        promote(kernel, &loop_, (before, behind), location, &mut renaming);
    }
    renaming.apply(kernel);
    Ok(())
}

/// The locations that can be promoted, each as the list of its accesses in order.
fn find(kernel: &Kernel, loop_: &OneBlock) -> Result<Vec<Vec<Inst>>, Refused> {
    let mut accesses = LoopAccesses::of(kernel, loop_.header);
    let mut left = accesses.insts.clone();
    let mut written = Vec::new();
    left.retain(|&inst| accesses.stride(inst) == Some(0) && Plain::of(kernel, inst).is_some());
    while let Some(&first) = left.first() {
        let (location, others): (Vec<Inst>, Vec<Inst>) = left
            .iter()
            .partition(|&&inst| inst == first || accesses.distance(first, inst) == Some(0));
        left = others;
        let is_store = |&inst: &Inst| Plain::of(kernel, inst).is_some_and(|it| it.is_store);
        if location.iter().any(is_store) {
            written.push(location);
        }
    }
    accesses.relate(|source, sink| {
        let mut locations = written.iter();
        locations.any(|it| it.contains(&source) != it.contains(&sink))
    });
    let mut found = Vec::new();
    let mut refused =
        Refused::because("the loop writes no location that is the same in each iteration");
    for location in written {
        match check(kernel, loop_, &accesses, &location) {
            Ok(()) => found.push(location),
            Err(reason) => refused = reason,
        }
    }
    match found.is_empty() {
        true => Err(refused),
        false => Ok(found),
    }
}

fn check(
    kernel: &Kernel,
    loop_: &OneBlock,
    accesses: &LoopAccesses<'_>,
    location: &[Inst],
) -> Result<(), Refused> {
    let first = location[0];
    let refuse = |inst, reason: &'static str| Err(Refused::at(kernel, inst, reason));
    let plain = |inst| Plain::of(kernel, inst).expect("the caller has looked");
    if let Some(&other) = location
        .iter()
        .find(|&&it| !plain(it).is_like(&plain(first)))
    {
        return refuse(
            other,
            "the location is accessed as values of different types",
        );
    }
    if !accesses.is_undisturbed(first) {
        return refuse(
            first,
            "the loop has accesses that other work-items can wait for",
        );
    }
    let is_certain = |&inst: &Inst| plain(inst).guard.is_none() || accesses.is_in_bounds(inst);
    if !location.iter().any(is_certain) {
        return refuse(
            first,
            "the location is accessed under a condition, and may be out of bounds",
        );
    }
    let mut others = accesses
        .insts
        .iter()
        .filter(|inst| !location.contains(inst));
    let touches = |&&other: &&Inst| {
        let touches = |inst| {
            let mut both = accesses
                .dependences(inst, other)
                .chain(accesses.dependences(other, inst));
            both.next().is_some()
        };
        location.iter().any(|&inst| touches(inst))
    };
    if let Some(&other) = others.find(touches) {
        return refuse(
            other,
            "another access of the loop may go to the same location",
        );
    }
    let pointer = kernel
        .inst(first)
        .pointer()
        .expect("accesses have an address");
    match is_computable(kernel, loop_, pointer, 0) {
        true => Ok(()),
        false => refuse(
            first,
            "the address of the location depends on accesses in the loop",
        ),
    }
}

/// The values of a location at a point of the loop, and whether it was written in this iteration or before.
struct State {
    values: Vec<Value>,
    written: Condition,
}

fn promote(
    kernel: &mut Kernel,
    loop_: &OneBlock,
    (before, behind): (Block, Block),
    location: &[Inst],
    renaming: &mut Renaming,
) {
    let address = address(kernel, loop_, before, location[0]);
    let params = add_params(kernel, loop_, (before, address), location[0]);
    let is_always_written =
        |&inst: &Inst| Plain::of(kernel, inst).is_some_and(|it| it.is_store && it.guard.is_none());
    let written = match location.iter().any(is_always_written) {
        true => None,
        false => {
            let no = constant(kernel, Type::BOOL, 0);
            Some(loop_.add_param(kernel, before, no))
        }
    };
    let mut state = State {
        values: params.clone(),
        written,
    };
    for &inst in location {
        replace(kernel, loop_.header, inst, &mut state, renaming);
    }
    for (&param, &next) in params.iter().zip(&state.values) {
        loop_.set_next(kernel, param, next);
    }
    if let (Some(param), Some(next)) = (written, state.written) {
        loop_.set_next(kernel, param, next);
    }
    store_behind(kernel, (behind, address), location, state);
}

/// The address of an access, computed before the loop.
fn address(kernel: &mut Kernel, loop_: &OneBlock, before: Block, inst: Inst) -> Value {
    let pointer = kernel
        .inst(inst)
        .pointer()
        .expect("accesses have an address");
    let mut first = FirstIterations::of(kernel, loop_, before);
    let mut code = Code::new(kernel);
    let address = first.value(&mut code, pointer, 0);
    let insts = std::mem::take(&mut code.insts);
    insert_at_end(kernel, before, insts);
    address
}

/// The parameters of the loop that hold what the location holds.
fn add_params(
    kernel: &mut Kernel,
    loop_: &OneBlock,
    (before, address): (Block, Value),
    first: Inst,
) -> Vec<Value> {
    let Plain {
        is_store,
        access,
        guard,
    } = Plain::of(kernel, first).expect("the caller has looked");
    let types = vec![access.ty; access.lanes.into()];
    let initial = if is_store && guard.is_none() {
        // It is never read.
        types.iter().map(|&ty| constant(kernel, ty, 0)).collect()
    } else {
        let data = kernel.inst(first);
        let load = InstData::Load {
            ptr: address,
            access,
            objects: data.objects().expect("accesses have objects").clone(),
            guard: None,
        };
        let inst = kernel.make_inst(load, &types, kernel.loc(first));
        insert_at_end(kernel, before, vec![inst]);
        kernel.results(inst).to_vec()
    };
    initial
        .into_iter()
        .map(|it| loop_.add_param(kernel, before, it))
        .collect()
}

/// Drops an access to the location.
fn replace(
    kernel: &mut Kernel,
    block: Block,
    inst: Inst,
    state: &mut State,
    renaming: &mut Renaming,
) {
    let data = kernel.inst(inst).clone();
    let guard = data.guard();
    let loc = kernel.loc(inst);
    let results = kernel.results(inst).to_vec();
    let zeros: Vec<Value> = results
        .iter()
        .map(|&it| constant(kernel, kernel.ty(it), 0))
        .collect();
    let mut code = Code::new(kernel);
    code.loc = loc;
    if let InstData::Store { values, .. } = &data {
        for (held, &stored) in state.values.iter_mut().zip(values) {
            *held = code.select(guard, [stored, *held]);
        }
        if state.written.is_some() {
            state.written = code.or(state.written, guard);
        }
    }
    let mut read = Vec::new();
    for (&held, &zero) in state.values.iter().zip(&zeros) {
        read.push(code.select(guard, [held, zero]));
    }
    let selects = std::mem::take(&mut code.insts);
    let insts = &mut kernel.block_mut(block).insts;
    let at = insts
        .iter()
        .position(|&it| it == inst)
        .expect("it is in the block");
    insts.splice(at..=at, selects);
    for (result, value) in results.into_iter().zip(read) {
        renaming.replace(kernel, result, value);
    }
}

/// Stores the last value behind the loop, if the loop has written one.
fn store_behind(
    kernel: &mut Kernel,
    (behind, address): (Block, Value),
    location: &[Inst],
    state: State,
) {
    let is_store = |&&inst: &&Inst| Plain::of(kernel, inst).is_some_and(|it| it.is_store);
    let last = location.iter().rev().find(is_store);
    let &last = last.expect("the location is written");
    let mut data = kernel.inst(last).clone();
    if let InstData::Store {
        ptr, values, guard, ..
    } = &mut data
    {
        *ptr = address;
        *values = state.values.into_iter().collect();
        *guard = state.written;
    }
    let inst = kernel.make_inst(data, &[], kernel.loc(last));
    insert_at_end(kernel, behind, vec![inst]);
}
