//! Unrolls loops that the plan or the source wants to be unrolled.
//!
//! Inner loops come first: an outer one can be unrolled when those inside it are gone. Branches inside a loop have become guards
//! before, where its iterations overlap then, so that its copies are one block; the accesses of the copies to neighbouring
//! places become wide ones.

use std::collections::{BTreeMap, BTreeSet};

use super::super::Refusal;
use super::choose::{Items, LoopWays, Way, choose_so_far, items};
use super::convert::{clean, shorten};
use super::estimate::short_wait;
use super::window::add_windows;
use crate::analysis::{Cfg, Dominators, LoopData, Loops};
use crate::ir::{Block, Kernel, Unroll};
use crate::loops::{Unrolled, unroll, widen};
use crate::plan::{KernelPlan, LoopKey};

/// Who wants a loop to be unrolled, and how far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wish {
    /// The plan.
    Plan(Unroll),
    /// The source.
    Hint(Unroll),
}

/// Which loops are to be unrolled, by their headers.
#[derive(Clone, Debug, Default)]
pub(super) struct Wishes {
    wishes: BTreeMap<Block, (Wish, u32)>,
}

impl Wishes {
    /// What plan and source want of the loops of a kernel. A factor of 1 wants nothing.
    pub(super) fn of(kernel: &Kernel, plan: &KernelPlan) -> Wishes {
        let mut wishes = BTreeMap::new();
        for (_, data) in loops_of(kernel).iter() {
            let key = LoopKey::of(kernel, data);
            let planned = key.and_then(|key| plan.unroll.get(&key));
            let hinted = kernel.block(data.header).hints.unroll;
            let wish = match (planned, hinted) {
                (Some(&by), _) => Wish::Plan(by),
                (None, Some(by)) => Wish::Hint(by),
                (None, None) => continue,
            };
            let (Wish::Plan(by) | Wish::Hint(by)) = wish;
            if by != Unroll::By(1) {
                wishes.insert(data.header, (wish, key.map_or(0, |key| key.line)));
            }
        }
        Wishes { wishes }
    }
}

/// What became of loops that were to be unrolled, by their headers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unrolling {
    /// Those that were tried.
    tried: BTreeSet<Block>,
    /// Copies of the bodies of loops.
    copies: BTreeMap<Block, u32>,
    /// The loops that do the iterations that are left over.
    rests: BTreeSet<Block>,
    /// Why loops were not unrolled.
    left: BTreeMap<Block, String>,
}

impl Unrolling {
    /// Notes that a loop has become a part of another one.
    pub(super) fn merge(&mut self, inner: Block, head: Block) {
        if let Some(copies) = self.copies.remove(&inner) {
            self.copies.insert(head, copies);
        }
    }

    /// Says in the reports of loops how far they are unrolled, or why not.
    pub(super) fn explain(&self, ways: &mut LoopWays) {
        for report in &mut ways.reports {
            report.copies = self.copies.get(&report.header).copied().unwrap_or(1);
            report.is_rest = self.rests.contains(&report.header);
            report.not_unrolled = self.left.get(&report.header).cloned();
        }
    }
}

/// Unrolls the next loop that is to be, if there is one. Says whether there was.
pub(super) fn unroll_next(
    kernel: &mut Kernel,
    plan: &KernelPlan,
    wishes: &Wishes,
    done: &mut Unrolling,
) -> Result<bool, Refusal> {
    let loops = loops_of(kernel);
    let wanted = |data: &&LoopData| {
        wishes.wishes.contains_key(&data.header) && !done.tried.contains(&data.header)
    };
    // Outer loops come before those inside them.
    let all: Vec<&LoopData> = loops.iter().map(|(_, data)| data).collect();
    let Some(header) = all.into_iter().rev().find(wanted).map(|data| data.header) else {
        return Ok(false);
    };
    done.tried.insert(header);
    let (wish, line) = wishes.wishes[&header];
    let (Wish::Plan(by) | Wish::Hint(by)) = wish;
    match unrolled(kernel, plan, (header, by), wish) {
        Ok((changed, unrolled)) => {
            *kernel = changed;
            if unrolled.is_left {
                done.copies.insert(header, unrolled.copies);
            }
            done.rests.extend(unrolled.rest);
        }
        Err(why) => {
            if let Wish::Plan(_) = wish {
                return Err(Refusal {
                    what: format!("an unrolled loop: {why}").into(),
                    line,
                });
            }
            done.left.insert(header, why);
        }
    }
    Ok(true)
}

/// The kernel with a loop unrolled, or why that cannot be, or is not worth what the source asks for.
fn unrolled(
    kernel: &Kernel,
    plan: &KernelPlan,
    (header, by): (Block, Unroll),
    wish: Wish,
) -> Result<(Kernel, Unrolled), String> {
    let mut changed = kernel.clone();
    let unrolled = unroll(&mut changed, header, by).map_err(|why| why.to_string())?;
    clean(&mut changed);
    if widen(&mut changed, header) > 0 {
        clean(&mut changed);
    }
    let is_asked = matches!(wish, Wish::Plan(_)) || !unrolled.is_left;
    if is_asked || items(kernel, plan) == Items::Many {
        return Ok((changed, unrolled));
    }
    match overlap(&changed, plan, header) {
        after if after >= overlap(kernel, plan, header) => Ok((changed, unrolled)),
        Overlap::Waiting => Err("its iterations would wait for memory then".into()),
        Overlap::None | Overlap::Free => Err("its iterations would not overlap then".into()),
    }
}

/// How the iterations of a loop follow each other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Overlap {
    /// One after the other.
    None,
    /// They wait for what one shortly before does in memory.
    Waiting,
    /// They do not.
    Free,
}

/// How the iterations of a loop will follow each other when everything is done that lets them overlap.
fn overlap(kernel: &Kernel, plan: &KernelPlan, header: Block) -> Overlap {
    let none = BTreeSet::new();
    let mut kernel = kernel.clone();
    let changes = shorten(&mut kernel, plan, &none).and_then(|()| add_windows(&mut kernel, plan));
    // What a plan asks for may not be legal yet.
    if changes.is_err() {
        return Overlap::None;
    }
    let Ok(ways) = choose_so_far(&kernel, plan, &none) else {
        return Overlap::None;
    };
    match ways.ways.get(&header) {
        None => Overlap::None,
        Some(Way::Parallel) => Overlap::Free,
        Some(Way::Pipelined(waits) | Way::Speculative(waits)) => {
            match short_wait(&kernel, header, waits) {
                Some(_) => Overlap::Waiting,
                None => Overlap::Free,
            }
        }
    }
}

fn loops_of(kernel: &Kernel) -> Loops {
    let cfg = Cfg::of(kernel);
    Loops::of(kernel, &cfg, &Dominators::of(kernel, &cfg))
}
