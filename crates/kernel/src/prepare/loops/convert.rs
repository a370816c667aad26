//! Brings loops into a form in which their iterations can overlap, where they do so then.
//!
//! What iterations only hand on because it was loaded before is loaded again, if the loop is parallel then.
//! A pipelined loop is one block. So branches inside become guards and selects, but only where nothing else
//! keeps the loop from being pipelined: otherwise branches are better, since what is not needed is not executed.

use std::collections::BTreeSet;

use super::super::Refusal;
use super::choose::{Items, LoopReport, LoopWays, Way, choose_so_far, items};
use super::estimate::{interval, short_wait};
use super::nests::{Nests, coalesce_nests};
use super::reload::reload;
use super::speculate::free_loads;
use super::unroll::{Unrolling, Wishes, unroll_next};
use super::window::add_windows;
use crate::analysis::dependence::{Buffers as Aliasing, LoopDependences};
use crate::analysis::{Cfg, Dominators, Loop, Loops};
use crate::ir::{BinaryOp, Block, Inst, InstData, Kernel};
use crate::loops::{forward_stores, if_convert, promote_invariant_locations, rotate_reduction};
use crate::passes::{fold_constants, merge_equal, remove_dead_code};
use crate::plan::{KernelPlan, LoopWay};

/// Most rounds: in each, one loop is changed.
const MOST_LOOPS: usize = 64;

/// Changes loops that can be pipelined then; says which nests do not become one loop.
pub(crate) fn convert(kernel: &mut Kernel, plan: &KernelPlan) -> Result<Nests, Refusal> {
    let wishes = Wishes::of(kernel, plan);
    if items(kernel, plan) == Items::Many {
        let mut nests = Nests::default();
        while unroll_next(kernel, plan, &wishes, &mut nests.unrolling)? {}
        return Ok(nests);
    }
    let before = kernel.clone();
    let mut in_order = BTreeSet::new();
    let mut nests = convert_all(kernel, plan, &wishes, &in_order)?;
    for headers in parallel_nests(&before, plan)? {
        let mut wanted = in_order.clone();
        wanted.extend(&headers);
        let mut other = before.clone();
        let Ok(found) = convert_all(&mut other, plan, &wishes, &wanted) else {
            continue;
        };
        let head = found.became(headers[0]);
        if head.is_some_and(|head| is_fast(&other, plan, head)) {
            *kernel = other;
            nests = found;
            in_order = wanted;
        }
    }
    add_windows(kernel, plan)?;
    Ok(nests)
}

/// The same, but for windows; no rule makes the loops with the headers `in_order` parallel.
fn convert_all(
    kernel: &mut Kernel,
    plan: &KernelPlan,
    wishes: &Wishes,
    in_order: &BTreeSet<Block>,
) -> Result<Nests, Refusal> {
    let mut unrolling = Unrolling::default();
    convert_loops(kernel, plan, in_order)?;
    while unroll_next(kernel, plan, wishes, &mut unrolling)? {
        // A loop may be an innermost one now.
        convert_loops(kernel, plan, in_order)?;
    }
    shorten(kernel, plan, in_order)?;
    coalesce_nests(kernel, plan, in_order, unrolling)
}

/// Changes loops that recirculate, one after the other, if that makes their iterations overlap.
fn convert_loops(
    kernel: &mut Kernel,
    plan: &KernelPlan,
    in_order: &BTreeSet<Block>,
) -> Result<(), Refusal> {
    let mut refused: Vec<Block> = Vec::new();
    let mut ways = choose_so_far(kernel, plan, in_order)?;
    for _ in 0..MOST_LOOPS {
        let is_candidate = |it: &&LoopReport| {
            it.way == LoopWay::Recirculating && it.is_free && !refused.contains(&it.header)
        };
        let Some(header) = ways.reports.iter().find(is_candidate).map(|it| it.header) else {
            break;
        };
        match converted(kernel, plan, header, in_order) {
            Some((changed, after)) => {
                *kernel = changed;
                ways = after;
            }
            None => refused.push(header),
        }
    }
    Ok(())
}

/// The nests of loops, each with one other inside, whose outermost loop would be parallel: the headers of all loops but
/// the innermost.
///
/// Iterations of the inner loops go round these then, and fill their pipelines only if the outer loop has many iterations. One
/// loop of the whole nest needs no such number.
fn parallel_nests(kernel: &Kernel, plan: &KernelPlan) -> Result<Vec<Vec<Block>>, Refusal> {
    let ways = choose_so_far(kernel, plan, &BTreeSet::new())?;
    let cfg = Cfg::of(kernel);
    let loops = Loops::of(kernel, &cfg, &Dominators::of(kernel, &cfg));
    let only_inside = |outer: Loop| {
        let mut inside = loops.iter().filter(|(_, it)| it.parent == Some(outer));
        match (inside.next(), inside.next()) {
            (Some((inner, _)), None) => Some(inner),
            _ => None,
        }
    };
    let is_parallel = |header| ways.ways.get(&header) == Some(&Way::Parallel);
    let outermost = loops.iter().filter(|(_, data)| is_parallel(data.header));
    let nests = outermost.map(|(loop_, _)| {
        let mut headers = Vec::new();
        let mut at = loop_;
        while let Some(inner) = only_inside(at) {
            headers.push(loops.get(at).header);
            at = inner;
        }
        let has_more = loops.iter().any(|(_, it)| it.parent == Some(at));
        (headers, has_more)
    });
    let nests = nests.filter(|(headers, has_more)| !headers.is_empty() && !has_more);
    Ok(nests.map(|(headers, _)| headers).collect())
}

/// Whether a loop of one block starts an iteration per cycle, as far as is known.
fn is_fast(kernel: &Kernel, plan: &KernelPlan, header: Block) -> bool {
    let Ok(ways) = choose_so_far(kernel, plan, &BTreeSet::new()) else {
        return false;
    };
    let is_soon = || {
        interval(
            kernel,
            &LoopDependences::of(kernel, Aliasing::Distinct, header),
        ) <= 1
    };
    match ways.ways.get(&header) {
        // Iterations in vain are left between its executions, if it has several.
        None | Some(Way::Speculative(_)) => false,
        Some(Way::Parallel) => is_soon(),
        Some(Way::Pipelined(waits)) => short_wait(kernel, header, waits).is_none() && is_soon(),
    }
}

/// Partial results of a product of integers: what one takes on the slowest target, or more.
const PARTIAL_PRODUCTS: u32 = 6;

/// Shortens what an iteration of each pipelined loop waits for: values in memory become values of the loop, and
/// products of integers several partial products.
pub(super) fn shorten(
    kernel: &mut Kernel,
    plan: &KernelPlan,
    in_order: &BTreeSet<Block>,
) -> Result<(), Refusal> {
    let ways = choose_so_far(kernel, plan, in_order)?;
    let pipelined = ways
        .reports
        .iter()
        .filter(|it| it.way == LoopWay::Pipelined);
    for header in pipelined.map(|it| it.header) {
        let mut changed = kernel.clone();
        let changes = [
            promote_invariant_locations(&mut changed, header).is_ok(),
            forward_stores(&mut changed, header).is_ok(),
            rotate_reduction(&mut changed, header, partial_results).is_ok(),
        ];
        if !changes.contains(&true) {
            continue;
        }
        clean(&mut changed);
        let after = choose_so_far(&changed, plan, in_order)?;
        let mut reports = after.reports.iter();
        if reports.any(|it| it.header == header && it.way == LoopWay::Pipelined) {
            *kernel = changed;
        }
    }
    Ok(())
}

/// How many partial results hide what the operations of a reduction take. Sums of integers fit into a cycle; those of
/// floats keep their order here.
fn partial_results(kernel: &Kernel, insts: &[Inst]) -> u32 {
    let is_product = |&inst: &Inst| match kernel.inst(inst) {
        InstData::Binary { op, .. } => *op == BinaryOp::Mul,
        _ => false,
    };
    match insts.iter().any(is_product) {
        true => PARTIAL_PRODUCTS,
        false => 0,
    }
}

/// Removes what a change has left behind.
pub(super) fn clean(kernel: &mut Kernel) {
    let _ = fold_constants(kernel);
    let _ = merge_equal(kernel);
    let _ = remove_dead_code(kernel);
}

/// Makes a loop one block whose loads of buffers need no conditions.
fn converts_freely(kernel: &mut Kernel, header: Block) -> bool {
    if_convert(kernel, header).is_ok() && free_loads(kernel, header)
}

/// The kernel with a loop that is changed so that its iterations overlap, if they do then.
fn converted(
    kernel: &Kernel,
    plan: &KernelPlan,
    header: Block,
    in_order: &BTreeSet<Block>,
) -> Option<(Kernel, LoopWays)> {
    let attempt = |change: fn(&mut Kernel, Block) -> bool, way: LoopWay| {
        let mut changed = kernel.clone();
        if !change(&mut changed, header) {
            return None;
        }
        clean(&mut changed);
        let after = choose_so_far(&changed, plan, in_order).ok()?;
        let mut reports = after.reports.iter();
        let has_way = reports.any(|it| it.header == header && it.way == way);
        has_way.then_some((changed, after))
    };
    let converts = |kernel: &mut Kernel, header| if_convert(kernel, header).is_ok();
    attempt(reload, LoopWay::Parallel)
        .or_else(|| attempt(converts, LoopWay::Pipelined))
        .or_else(|| {
            let found = attempt(converts_freely, LoopWay::Pipelined);
            // Checks of bounds leave out the loads of these loops alone.
            found.filter(|(_, ways)| ways.speculative().contains(&header))
        })
}
