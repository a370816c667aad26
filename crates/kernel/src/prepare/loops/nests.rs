//! Makes one loop of a nest, where the inner loop is pipelined and the whole then is, too.
//!
//! The pipeline of an inner loop runs empty behind each of its executions. One loop of the whole nest has no such
//! gaps. It pays if iterations follow each other as soon as they do in the inner loop, and wait for nothing in memory that
//! an iteration shortly before does.

use std::collections::{BTreeMap, BTreeSet};

use super::super::Refusal;
use super::choose::{LoopWays, Way, choose_so_far};
use super::convert::clean;
use super::estimate::{short_wait, slow_interval};
use super::unroll::Unrolling;
use crate::analysis::dependence::{Buffers as Aliasing, LoopDependences};
use crate::analysis::{Cfg, Dominators, Loop, Loops};
use crate::ir::{Block, Coalesce, Kernel};
use crate::loops::coalesce;
use crate::plan::{KernelPlan, LoopKey, LoopWay};

/// Most nests that are looked at.
const MOST_NESTS: usize = 64;

/// What became of nests.
#[derive(Clone, Debug, Default)]
pub(crate) struct Nests {
    /// What keeps those that are left from being one loop, by the header of the outer one.
    left: BTreeMap<Block, String>,
    /// The headers of loops that others became, by those of the outer ones.
    became: BTreeMap<Block, Block>,
    /// What became of loops that were to be unrolled.
    pub(super) unrolling: Unrolling,
}

impl Nests {
    /// The header of the one loop that a nest became, by that of its outermost loop.
    pub(super) fn became(&self, outer: Block) -> Option<Block> {
        self.became.get(&outer).copied()
    }

    /// Says in the reports of loops why each is not one loop with the one inside, and how far it is unrolled.
    pub(crate) fn explain(&self, ways: &mut LoopWays) {
        self.unrolling.explain(ways);
        for report in &mut ways.reports {
            if let Some(why) = self.left.get(&report.header) {
                report.reason =
                    format!("{}; not one loop with the one inside: {why}", report.reason);
            }
        }
    }
}

/// Who wants a loop and the one inside to be one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wish {
    /// If it pays.
    Rule,
    /// The source asks for it.
    Hint,
    /// The plan asks for it.
    Plan,
    /// The plan does not want it.
    Never,
}

/// A loop that recirculates, with one inside that is not.
struct Candidate {
    outer: Block,
    inner: Block,
    wish: Wish,
}

/// Makes loops of nests where that pays, or is asked for.
pub(super) fn coalesce_nests(
    kernel: &mut Kernel,
    plan: &KernelPlan,
    in_order: &BTreeSet<Block>,
    unrolling: Unrolling,
) -> Result<Nests, Refusal> {
    let mut nests = Nests {
        unrolling,
        ..Nests::default()
    };
    let mut ways = choose_so_far(kernel, plan, in_order)?;
    for _ in 0..MOST_NESTS {
        let Some(candidate) = candidate(kernel, plan, &ways, &nests) else {
            break;
        };
        match coalesced(kernel, plan, &candidate, in_order) {
            Ok((changed, after, head)) => {
                *kernel = changed;
                ways = after;
                nests.became.insert(candidate.outer, head);
                nests.unrolling.merge(candidate.inner, head);
            }
            Err(why) => {
                nests.left.insert(candidate.outer, why);
            }
        }
    }
    check_wishes(kernel, plan, &mut nests)?;
    Ok(nests)
}

/// Refuses a plan that asks for one loop where there are still several.
fn check_wishes(kernel: &Kernel, plan: &KernelPlan, nests: &mut Nests) -> Result<(), Refusal> {
    let loops = loops_of(kernel);
    for (loop_, data) in loops.iter() {
        let has_loops = loops.iter().any(|(_, it)| it.parent == Some(loop_));
        let wish = wish(kernel, plan, &loops, loop_);
        if !has_loops || !matches!(wish, Wish::Plan | Wish::Hint) {
            continue;
        }
        let not_tried = || "the loop inside is not pipelined, or not the only one".to_owned();
        let why = nests.left.entry(data.header).or_insert_with(not_tried);
        if wish == Wish::Plan {
            return Err(Refusal {
                what: format!("one loop of two: {why}").into(),
                line: LoopKey::of(kernel, data).map_or(0, |key| key.line),
            });
        }
    }
    Ok(())
}

fn loops_of(kernel: &Kernel) -> Loops {
    let cfg = Cfg::of(kernel);
    Loops::of(kernel, &cfg, &Dominators::of(kernel, &cfg))
}

/// What is wanted of a loop, by itself or as part of a nest.
fn wish(kernel: &Kernel, plan: &KernelPlan, loops: &Loops, loop_: Loop) -> Wish {
    let mut around = Some(loop_);
    let mut levels = 1;
    while let Some(at) = around {
        let data = loops.get(at);
        match LoopKey::of(kernel, data).and_then(|key| plan.coalesce.get(&key)) {
            Some(true) => return Wish::Plan,
            Some(false) if at == loop_ => return Wish::Never,
            Some(false) | None => {}
        }
        levels += 1;
        match kernel.block(data.header).hints.coalesce {
            Some(Coalesce::All) => return Wish::Hint,
            Some(Coalesce::Levels(most)) if levels <= most => return Wish::Hint,
            Some(Coalesce::Levels(_)) | None => {}
        }
        around = data.parent;
    }
    Wish::Rule
}

fn candidate(
    kernel: &Kernel,
    plan: &KernelPlan,
    ways: &LoopWays,
    nests: &Nests,
) -> Option<Candidate> {
    let loops = loops_of(kernel);
    let is_free = |header: Block| {
        let mut reports = ways.reports.iter().filter(|it| it.header == header);
        reports.any(|it| it.way == LoopWay::Recirculating && it.is_free)
    };
    loops.iter().find_map(|(loop_, data)| {
        let mut inside = loops.iter().filter(|(_, it)| it.parent == Some(loop_));
        let (Some((_, inner)), None) = (inside.next(), inside.next()) else {
            return None;
        };
        let wish = wish(kernel, plan, &loops, loop_);
        let is_candidate = wish != Wish::Never
            && is_free(data.header)
            && ways.ways.contains_key(&inner.header)
            && !nests.left.contains_key(&data.header);
        is_candidate.then_some(Candidate {
            outer: data.header,
            inner: inner.header,
            wish,
        })
    })
}

/// The kernel with one loop instead of two, if that is wanted, or else why not.
fn coalesced(
    kernel: &Kernel,
    plan: &KernelPlan,
    candidate: &Candidate,
    in_order: &BTreeSet<Block>,
) -> Result<(Kernel, LoopWays, Block), String> {
    let mut changed = kernel.clone();
    let head = coalesce(&mut changed, candidate.outer).map_err(|why| why.to_string())?;
    clean(&mut changed);
    let after = choose_so_far(&changed, plan, in_order)
        .map_err(|_| "the plan asks for something else".to_owned())?;
    let waits = match after.ways.get(&head) {
        Some(Way::Pipelined(waits) | Way::Speculative(waits)) if candidate.wish == Wish::Rule => {
            waits
        }
        Some(_) => return Ok((changed, after, head)),
        None => {
            let mut reports = after.reports.iter();
            let report = reports.find(|it| it.header == head);
            return Err(report.map_or_else(String::new, |it| it.reason.clone()));
        }
    };
    if let Some(wait) = short_wait(&changed, head, waits) {
        let [source, sink] = [wait.source, wait.sink].map(|it| changed.loc(it).line);
        return Err(match sink {
            0 => format!("each iteration would wait for line {source} of one shortly before"),
            _ => format!("line {sink} would wait for line {source} of an iteration shortly before"),
        });
    }
    match interval_of(&changed, head) <= interval_of(kernel, candidate.inner) {
        true => Ok((changed, after, head)),
        false => Err("each iteration would wait for what only the outer loop hands on".to_owned()),
    }
}

/// About the cycles between iterations of a loop of one block, as far as values that they hand on decide it.
fn interval_of(kernel: &Kernel, header: Block) -> u64 {
    // Memory is looked at by distances.
    slow_interval(
        kernel,
        &LoopDependences::of(kernel, Aliasing::Distinct, header),
    )
}
