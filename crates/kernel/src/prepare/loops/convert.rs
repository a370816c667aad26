//! Brings loops into a form in which their iterations can overlap, where they do so then.
//!
//! What iterations only hand on because it was loaded before is loaded again, if the loop is parallel then.
//! A pipelined loop is one block. So branches inside become guards and selects, but only where nothing else
//! keeps the loop from being pipelined: otherwise branches are better, since what is not needed is not executed.

use super::super::Refusal;
use super::choose::{LoopReport, choose, is_single};
use super::reload::reload;
use crate::ir::{Block, Kernel};
use crate::loops::if_convert;
use crate::passes::{fold_constants, merge_equal, remove_dead_code};
use crate::plan::{KernelPlan, LoopWay};

/// Most rounds: in each, one loop is changed.
const MOST_LOOPS: usize = 64;

/// Changes loops that can be pipelined then.
pub(crate) fn convert(kernel: &mut Kernel, plan: &KernelPlan) -> Result<(), Refusal> {
    if !is_single(kernel, plan) {
        return Ok(());
    }
    let mut refused: Vec<Block> = Vec::new();
    for _ in 0..MOST_LOOPS {
        let Ok(ways) = choose(kernel, plan) else {
            return Ok(());
        };
        let is_candidate = |it: &&LoopReport| {
            it.way == LoopWay::Recirculating && it.is_free && !refused.contains(&it.header)
        };
        let Some(header) = ways.reports.iter().find(is_candidate).map(|it| it.header) else {
            return Ok(());
        };
        match converted(kernel, plan, header) {
            Some(changed) => *kernel = changed,
            None => refused.push(header),
        }
    }
    Ok(())
}

/// The kernel with a loop that is changed so that its iterations overlap, if they do then.
fn converted(kernel: &Kernel, plan: &KernelPlan, header: Block) -> Option<Kernel> {
    let attempt = |change: fn(&mut Kernel, Block) -> bool, way: LoopWay| {
        let mut changed = kernel.clone();
        if !change(&mut changed, header) {
            return None;
        }
        let _ = fold_constants(&mut changed);
        let _ = merge_equal(&mut changed);
        let _ = remove_dead_code(&mut changed);
        let ways = choose(&changed, plan).ok()?;
        let mut reports = ways.reports.iter();
        let has_way = reports.any(|it| it.header == header && it.way == way);
        has_way.then_some(changed)
    };
    let converts = |kernel: &mut Kernel, header| if_convert(kernel, header).is_ok();
    attempt(reload, LoopWay::Parallel).or_else(|| attempt(converts, LoopWay::Pipelined))
}
