//! Unrolling: an iteration of a loop becomes several of them, one behind the other.
//!
//! ```text
//! loop(i): body(i); i' = i + 1; branch i' < n, loop(i'), exit
//! ```
//! becomes, by 2,
//! ```text
//!          branch i0 < n - 1, main(i0), rest(i0)
//! main(i): body(i); body(i + 1); i' = i + 2; branch i' < n - 1, main(i'), after
//! after:   branch i' < n, rest(i'), exit
//! rest(i): body(i); i' = i + 1; branch i' < n, rest(i'), exit
//! ```
//!
//! The main loop is entered, and goes on, only while there are as many iterations as it has copies: nothing in it is
//! conditional, and it accesses nothing that the loop does not access. If the number of iterations is known, there is no rest
//! where it has none, and no loop where there are no more iterations than copies. A loop that no counter ends has a way out
//! behind each copy instead.
//!
//! Everything is computed in the order in which it was, but for sums of integers: these become trees.

mod copy;
mod counter;
mod sums;

use smallvec::SmallVec;

use super::code::Code;
use super::one_block::{insert_at_end, preheader};
use super::repair::redefine;
use super::rotate::{is_rotatable, rotate};
use super::{Refused, constant, shape};
use crate::analysis::LoopData;
use crate::ir::{
    BinaryOp, Block, BlockCall, Effect, Inst, InstData, Kernel, LoopHints, Predicate, Type, Unroll,
    Value, ValueDef,
};
use copy::{Copies, merge_chains};
use counter::Counter;

/// Most copies of a loop that is unrolled by a factor.
pub const MOST_COPIES: u32 = 64;

/// Most copies of a loop that is unrolled completely.
const MOST_OF_ALL: u64 = 1024;

/// Most instructions of all copies together.
const MOST_INSTS: u64 = 1 << 13;

/// Most ways out of a loop with copies that each may be the last one.
const MOST_EXITS: u64 = 16;

/// What a loop became.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unrolled {
    /// Copies of its body.
    pub copies: u32,
    /// Whether there still is a loop.
    pub is_left: bool,
    /// The header of the loop that does the iterations that are left over.
    pub rest: Option<Block>,
}

/// How the copies of a body are connected.
#[derive(Clone, Debug)]
enum Form {
    /// There are as many iterations as copies.
    All,
    /// The copies divide the number of iterations.
    Whole,
    /// The number of iterations is known; the counter has this value when the main loop ends.
    Known(Counter, u64),
    /// A counter says whether there are as many further iterations as copies.
    Counted(Counter),
    /// Behind each copy, the loop may be left.
    Exits,
}

/// Unrolls an innermost loop. The header stays that of the main loop. Refused where control does not allow
/// copies, and where they would be too large.
pub fn unroll(kernel: &mut Kernel, header: Block, by: Unroll) -> Result<Unrolled, Refused> {
    let mut changed = kernel.clone();
    let unrolled = unroll_loop(&mut changed, header, by)?;
    *kernel = changed;
    Ok(unrolled)
}

fn unroll_loop(kernel: &mut Kernel, header: Block, by: Unroll) -> Result<Unrolled, Refused> {
    let data = shape::innermost(kernel, header)?;
    check_copies(kernel, &data)?;
    if data.blocks.len() > 1 && is_rotatable(kernel, &data).is_ok() {
        rotate(kernel, header)?;
    }
    merge_chains(kernel, &shape::innermost(kernel, header)?);
    let before = preheader(kernel, header)?;
    copy::forward_params(kernel, before);
    let data = shape::innermost(kernel, header)?;
    let counter = Counter::of(kernel, &data, before);
    let trips = counter.as_ref().and_then(|it| it.trips(kernel));
    let (count, form) = form(kernel, by, counter, trips)?;
    check_size(kernel, &data, count)?;
    if matches!(form, Form::Exits) {
        check_exits(&data, count)?;
    }
    let live = live_out(kernel, &data);
    let hints = std::mem::take(&mut kernel.block_mut(header).hints);
    let rest = matches!(form, Form::Known(..) | Form::Counted(_))
        .then(|| Copies::of(kernel, &data, 1).remove(0));
    let mut bodies = Copies::of(kernel, &data, count - 1);
    bodies.insert(0, Copies::original(&data));
    let rest_header = rest.as_ref().map(|it| it.block(header));
    connect(kernel, &data, &bodies, before, (&form, rest_header));
    for old in live {
        let homes = bodies.iter().chain(&rest);
        let found: Vec<(Block, Value)> = homes
            .map(|it| (it.block(old.home), it.value(old.value)))
            .collect();
        redefine(kernel, old.value, &found);
    }
    copy::chain(kernel, &data, &bodies, before);
    let is_left = !matches!(form, Form::All);
    if is_left {
        kernel.block_mut(header).hints = spread(hints.clone(), count);
        sums::balance(kernel, header);
    }
    if let Some(rest) = rest_header {
        kernel.block_mut(rest).hints = LoopHints {
            unroll: None,
            ..hints
        };
    }
    Ok(Unrolled {
        copies: count,
        is_left,
        rest: rest_header,
    })
}

/// How many copies there are, and how they are connected.
fn form(
    kernel: &Kernel,
    by: Unroll,
    counter: Option<Counter>,
    trips: Option<u64>,
) -> Result<(u32, Form), Refused> {
    let count = match (by, trips) {
        (Unroll::Full, None) => {
            return Err(Refused::because(
                "the number of its iterations is not known",
            ));
        }
        (Unroll::Full, Some(trips)) if trips > MOST_OF_ALL => {
            return Err(Refused::because(format!(
                "it has {trips} iterations, and only {MOST_OF_ALL} can be unrolled completely"
            )));
        }
        (Unroll::Full, Some(trips)) => trips as u32,
        (Unroll::By(count), _) if !(2..=MOST_COPIES).contains(&count) => {
            return Err(Refused::because(format!(
                "the factor is not from 2 to {MOST_COPIES}"
            )));
        }
        (Unroll::By(count), _) => count,
    };
    let form = match (counter, trips) {
        (_, Some(trips)) if trips <= u64::from(count) => return Ok((trips as u32, Form::All)),
        (_, Some(trips)) if trips.is_multiple_of(count.into()) => Form::Whole,
        (Some(counter), Some(trips)) => {
            let last = counter.after(kernel, trips - trips % u64::from(count));
            Form::Known(counter, last)
        }
        (Some(counter), None) if counter.has_room(kernel, count) => Form::Counted(counter),
        (Some(_) | None, _) => Form::Exits,
    };
    Ok((count, form))
}

/// Refuses loops with what may stand in the kernel only once, or ends the block that it is in.
fn check_copies(kernel: &Kernel, data: &LoopData) -> Result<(), Refused> {
    if data.exits.is_empty() {
        return Err(Refused::because("the loop has no exit"));
    }
    let insts = data.blocks.iter().flat_map(|&it| &kernel.block(it).insts);
    for &inst in insts {
        let what = match kernel.inst(inst).effect() {
            Effect::Pure | Effect::Access(_) | Effect::Control | Effect::Print => continue,
            Effect::Barrier(_) => "the loop has a barrier",
            Effect::Fence(_) => "the loop has a fence",
        };
        return Err(Refused::at(kernel, inst, what));
    }
    Ok(())
}

fn check_size(kernel: &Kernel, data: &LoopData, count: u32) -> Result<(), Refused> {
    let blocks = data.blocks.iter();
    let insts: usize = blocks.map(|&it| kernel.block(it).insts.len()).sum();
    let all = insts as u64 * u64::from(count);
    match all > MOST_INSTS {
        true => Err(Refused::because(format!(
            "{count} copies would have {all} operations, more than {MOST_INSTS}"
        ))),
        false => Ok(()),
    }
}

fn check_exits(data: &LoopData, count: u32) -> Result<(), Refused> {
    let all = data.exits.len() as u64 * u64::from(count);
    match all > MOST_EXITS {
        true => Err(Refused::because(format!(
            "{count} copies would have {all} ways out, more than {MOST_EXITS}"
        ))),
        false => Ok(()),
    }
}

/// A value of a loop that is used behind it.
struct LiveOut {
    value: Value,
    home: Block,
}

fn live_out(kernel: &Kernel, data: &LoopData) -> Vec<LiveOut> {
    let mut found = Vec::new();
    for &home in &data.blocks {
        let insts = kernel.block(home).insts.iter();
        let results = insts.flat_map(|&inst| kernel.results(inst));
        let values = kernel.block(home).params.iter().chain(results);
        found.extend(values.map(|&value| LiveOut { value, home }));
    }
    let is_outside = |block: &Block| !data.blocks.contains(block);
    let outside = kernel.insts().filter(|(block, _)| is_outside(block));
    let used: std::collections::BTreeSet<Value> = outside
        .flat_map(|(_, inst)| kernel.inst(inst).operands())
        .collect();
    found.retain(|it| used.contains(&it.value));
    found
}

/// Leads from each copy to the next one, and from the last one on.
fn connect(
    kernel: &mut Kernel,
    data: &LoopData,
    bodies: &[Copies],
    before: Block,
    (form, rest): (&Form, Option<Block>),
) {
    let header = data.header;
    let back = shape::edges_to(kernel, &data.blocks, header);
    for (at, body) in bodies.iter().enumerate() {
        let next = bodies.get(at + 1).unwrap_or(&bodies[0]).block(header);
        for &(from, way) in &back {
            let terminator = kernel.terminator(body.block(from));
            kernel.inst_mut(terminator).targets_mut()[way].block = next;
        }
    }
    let Some(&(latch, way)) = back.first() else {
        return;
    };
    if matches!(form, Form::Exits) {
        return;
    }
    let (last, others) = bodies.split_last().expect("there is a copy");
    for body in others {
        let terminator = kernel.terminator(body.block(latch));
        let onwards = kernel.inst(terminator).targets()[way].clone();
        *kernel.inst_mut(terminator) = InstData::Jump(onwards);
    }
    let end = last.block(latch);
    let terminator = kernel.terminator(end);
    let leave = kernel.inst(terminator).targets()[1 - way].clone();
    match form {
        Form::All => *kernel.inst_mut(terminator) = InstData::Jump(leave),
        Form::Known(counter, limit) => {
            let rest = rest.expect("some iterations are left over");
            let next = kernel.inst(terminator).targets()[way].clone();
            let limit = constant(kernel, kernel.ty(counter.param), *limit);
            let args = [next.args[counter.at], limit];
            let pred = Predicate::Ne;
            let more = before_end(kernel, end, |code| {
                code.value(InstData::Compare { pred, args }, Type::BOOL)
            });
            let left_over = BlockCall {
                block: rest,
                args: next.args.clone(),
            };
            // What a loop begins with is computed before it, and not in the last block of another one.
            let behind = leave_to(kernel, terminator, InstData::Jump(left_over));
            *kernel.inst_mut(terminator) = InstData::Branch {
                cond: more,
                targets: [next, behind],
            };
        }
        Form::Counted(counter) => {
            let rest = rest.expect("some iterations may be left over");
            count_rounds(kernel, counter, bodies, before, (end, way), rest);
        }
        Form::Whole | Form::Exits => {}
    }
}

/// Adds instructions at the end of a block.
fn before_end(
    kernel: &mut Kernel,
    block: Block,
    write: impl FnOnce(&mut Code<'_>) -> Value,
) -> Value {
    let mut code = Code::new(kernel);
    code.loc = code.kernel.loc(code.kernel.terminator(block));
    let value = write(&mut code);
    let insts = std::mem::take(&mut code.insts);
    insert_at_end(kernel, block, insts);
    value
}

/// Makes the copies a loop that is entered and goes on while there are as many iterations as copies, with the rest behind
/// it, or instead of it.
fn count_rounds(
    kernel: &mut Kernel,
    counter: &Counter,
    bodies: &[Copies],
    before: Block,
    (end, way): (Block, usize),
    rest: Block,
) {
    let limits = counter.limits(kernel, before, bodies.len() as u32);
    let enter = kernel.terminator(before);
    let main = kernel.inst(enter).targets()[0].clone();
    let enough = before_end(kernel, before, |code| {
        let enough = counter.goes_on(code, main.args[counter.at], limits.enter);
        code.binary(BinaryOp::And, [limits.fits, enough])
    });
    let left_out = BlockCall {
        block: rest,
        ..main.clone()
    };
    *kernel.inst_mut(enter) = InstData::Branch {
        cond: enough,
        targets: [main, left_out],
    };

    let terminator = kernel.terminator(end);
    let InstData::Branch { cond, targets } = kernel.inst(terminator).clone() else {
        unreachable!("a counted loop ends with a test");
    };
    let next = targets[way].clone();
    let tested = match counter.is_next {
        true => next.args[counter.at],
        false => bodies[0].value(counter.param),
    };
    let more = before_end(kernel, end, |code| {
        counter.goes_on(code, tested, limits.go_on)
    });
    let mut onwards = targets;
    onwards[way].block = rest;
    let branch = InstData::Branch {
        cond,
        targets: onwards,
    };
    let behind = leave_to(kernel, terminator, branch);
    *kernel.inst_mut(terminator) = InstData::Branch {
        cond: more,
        targets: [next, behind],
    };
}

/// A new block that ends like this, behind another one.
fn leave_to(kernel: &mut Kernel, from: Inst, end: InstData) -> BlockCall {
    let block = kernel.add_block();
    let loc = kernel.loc(from);
    kernel.append(block, end, &[], loc);
    let args = SmallVec::new();
    BlockCall { block, args }
}

/// The hints of a loop of which this many iterations have become one.
fn spread(mut hints: LoopHints, count: u32) -> LoopHints {
    hints.unroll = None;
    // Copies of a place that is this far away are in the same iteration or in one that is a copy's share away.
    hints.independence.retain_mut(|it| {
        it.safe_length = it.safe_length.map(|length| length / count);
        it.safe_length.is_none_or(|length| length > 1)
    });
    hints
}

/// Whether a value is the same throughout a loop.
fn is_invariant(kernel: &Kernel, data: &LoopData, value: Value) -> bool {
    match kernel.def(value) {
        ValueDef::Param(block, _) => !data.blocks.contains(&block),
        ValueDef::Result(inst, _) => {
            let mut blocks = data.blocks.iter();
            kernel.constant(value).is_some()
                || !blocks.any(|&it| kernel.block(it).insts.contains(&inst))
        }
    }
}
