//! What cannot become a circuit yet.

use thiserror::Error;

use crate::analysis::Loops;
use crate::ir::{Block, InstData, Kernel, ObjectKind};

/// Why a kernel has no circuit.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{what} cannot become a circuit yet{}", shown(.line))]
pub struct Refusal {
    /// What it is.
    pub what: &'static str,
    /// The source line, 0 if unknown.
    pub line: u32,
}

fn shown(line: &u32) -> String {
    match line {
        0 => String::new(),
        line => format!(" (line {line})"),
    }
}

/// Bytes of the largest private array: every work-item under way has one.
const MOST_PRIVATE: u64 = 1 << 26;

/// Refuses what there are no units for.
pub(super) fn check(kernel: &Kernel) -> Result<(), Refusal> {
    for (_, inst) in kernel.insts() {
        let Some(objects) = kernel.inst(inst).objects() else {
            continue;
        };
        let is_too_large = |object| match kernel.objects[object].kind {
            ObjectKind::Private { size } => size > MOST_PRIVATE,
            ObjectKind::LocalArg { .. }
            | ObjectKind::Local { .. }
            | ObjectKind::LocalPerItem { .. }
            | ObjectKind::Buffer { .. }
            | ObjectKind::StructArg { .. }
            | ObjectKind::Table { .. } => false,
        };
        if objects.iter().any(is_too_large) {
            return Err(Refusal {
                what: "a private array of more than 64 MiB",
                line: kernel.loc(inst).line,
            });
        }
    }
    Ok(())
}

/// How many barriers a kernel has.
pub(super) fn barriers(kernel: &Kernel) -> usize {
    let insts = kernel.insts().map(|(_, inst)| kernel.inst(inst));
    insts
        .filter(|data| matches!(data, InstData::Barrier(_)))
        .count()
}

/// Refuses barriers that there are more of than before: some work-items of a group could come to one
/// copy and some to another.
pub(super) fn check_barriers(kernel: &Kernel, before: usize) -> Result<(), Refusal> {
    if barriers(kernel) <= before {
        return Ok(());
    }
    let barrier = kernel
        .insts()
        .find(|&(_, inst)| matches!(kernel.inst(inst), InstData::Barrier(_)));
    Err(Refusal {
        what: "a barrier in a loop that is entered in several places",
        line: barrier.map_or(0, |(_, inst)| kernel.loc(inst).line),
    })
}

/// Most ways out of a loop that its gate counts.
const MOST_EXITS: usize = 16;

/// Refuses loops that a gate cannot count the work-items of.
pub(super) fn check_loops(kernel: &Kernel, loops: &Loops) -> Result<(), Refusal> {
    for (loop_, data) in loops.iter() {
        let leaves = |&block: &Block| {
            let targets = kernel.successors(block).iter();
            let leaves = targets.filter(|target| !loops.contains(loop_, target.block));
            leaves.count()
        };
        let what = match data.blocks.iter().map(leaves).sum() {
            0 => "a loop that never ends",
            1..=MOST_EXITS => continue,
            _ => "a loop with more than 16 ways out",
        };
        let insts = data
            .blocks
            .iter()
            .flat_map(|&block| &kernel.block(block).insts);
        let lines = insts.map(|&inst| kernel.loc(inst).line);
        return Err(Refusal {
            what,
            line: lines.filter(|&line| line > 0).min().unwrap_or(0),
        });
    }
    Ok(())
}
