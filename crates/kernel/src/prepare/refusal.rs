//! What cannot become a circuit yet.

use std::borrow::Cow;
use std::collections::BTreeSet;

use sluice_circuit::units::loop_gate::LoopGate;
use thiserror::Error;

use crate::analysis::Loops;
use crate::ir::{Block, InstData, Kernel, Object, ObjectKind};

/// Why a kernel has no circuit.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{what} cannot become a circuit yet{}", shown(.line))]
pub struct Refusal {
    /// What it is: with the object's name and the count, where a limit is exceeded.
    pub what: Cow<'static, str>,
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

/// Refuses kernels that were laid out before, such as the text of one behind the last step.
pub(crate) fn check_stage(kernel: &Kernel) -> Result<(), Refusal> {
    let mut insts = kernel.insts();
    match insts.find(|&(_, inst)| kernel.inst(inst).is_slot()) {
        None => Ok(()),
        Some((_, inst)) => Err(Refusal {
            what: "a kernel that is laid out already".into(),
            line: kernel.loc(inst).line,
        }),
    }
}

/// Refuses what there are no units for.
pub(crate) fn check(kernel: &Kernel) -> Result<(), Refusal> {
    for (_, inst) in kernel.insts() {
        let Some(objects) = kernel.inst(inst).objects() else {
            continue;
        };
        let too_large = |object: Object| match kernel.objects[object].kind {
            ObjectKind::Private { size } => (size > MOST_PRIVATE).then_some((object, size)),
            ObjectKind::LocalArg { .. }
            | ObjectKind::Local { .. }
            | ObjectKind::LocalPerItem { .. }
            | ObjectKind::Buffer { .. }
            | ObjectKind::StructArg { .. }
            | ObjectKind::Table { .. } => None,
        };
        if let Some((object, size)) = objects.iter().find_map(too_large) {
            let name = &kernel.objects[object].name;
            return Err(Refusal {
                what: format!("a private array of more than 64 MiB (`{name}` has {size} bytes)")
                    .into(),
                line: kernel.loc(inst).line,
            });
        }
    }
    Ok(())
}

/// How many barriers a kernel has.
pub(crate) fn barriers(kernel: &Kernel) -> usize {
    let insts = kernel.insts().map(|(_, inst)| kernel.inst(inst));
    insts
        .filter(|data| matches!(data, InstData::Barrier(_)))
        .count()
}

/// Refuses barriers that there are more of than before: some work-items of a group could come to one
/// copy and some to another.
pub(crate) fn check_barriers(kernel: &Kernel, before: usize) -> Result<(), Refusal> {
    if barriers(kernel) <= before {
        return Ok(());
    }
    let barrier = kernel
        .insts()
        .find(|&(_, inst)| matches!(kernel.inst(inst), InstData::Barrier(_)));
    Err(Refusal {
        what: "a barrier in a loop that is entered in several places".into(),
        line: barrier.map_or(0, |(_, inst)| kernel.loc(inst).line),
    })
}

/// Refuses loops that a gate cannot count the work-items of: ways to one block count once.
pub(crate) fn check_loops(kernel: &Kernel, loops: &Loops) -> Result<(), Refusal> {
    for (loop_, data) in loops.iter() {
        let ways = data.blocks.iter().flat_map(|&from| kernel.successors(from));
        let left = ways.map(|target| target.block);
        let left: BTreeSet<Block> = left.filter(|&to| !loops.contains(loop_, to)).collect();
        if left.len() <= LoopGate::MOST_EXITS {
            continue;
        }
        let insts = data
            .blocks
            .iter()
            .flat_map(|&block| &kernel.block(block).insts);
        let lines = insts.map(|&inst| kernel.loc(inst).line);
        return Err(Refusal {
            what: format!(
                "a loop that is left for {} places, more than {},",
                left.len(),
                LoopGate::MOST_EXITS
            )
            .into(),
            line: lines.filter(|&line| line > 0).min().unwrap_or(0),
        });
    }
    Ok(())
}
