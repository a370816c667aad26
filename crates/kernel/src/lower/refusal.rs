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
        let data = kernel.inst(inst);
        let what = match data {
            InstData::Barrier(_) => Some("a barrier"),
            InstData::Fence(_) => Some("a fence"),
            InstData::AtomicRmw { .. } | InstData::CmpXchg { .. } => Some("an atomic operation"),
            InstData::Printf { .. } => Some("printf"),
            InstData::Load { .. } | InstData::Store { .. } => access(kernel, data),
            _ => None,
        };
        if let Some(what) = what {
            let line = kernel.loc(inst).line;
            return Err(Refusal { what, line });
        }
    }
    Ok(())
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

fn access(kernel: &Kernel, data: &InstData) -> Option<&'static str> {
    let objects = data.objects().expect("loads and stores have objects");
    objects
        .iter()
        .find_map(|object| match kernel.objects[object].kind {
            ObjectKind::LocalArg { .. } | ObjectKind::Local { .. } => Some("local memory"),
            ObjectKind::Private { size } if size > MOST_PRIVATE => {
                Some("a private array of more than 64 MiB")
            }
            ObjectKind::Buffer { .. }
            | ObjectKind::Private { .. }
            | ObjectKind::StructArg { .. }
            | ObjectKind::Table { .. } => None,
        })
}
