//! What work-items do that a loop over them cannot keep as it is.

use super::Looped;
use crate::analysis::{Cfg, Dominators, Loops};
use crate::ir::{AccessKind, AtomicOp, Block, Inst, InstData, Kernel};
use crate::prepare::Refusal;

/// Why work-items cannot become iterations of a loop.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum WhyNotLooped {
    /// Which result an atomic operation has depends on the order of work-items.
    AtomicResult,
    /// The order of work-items decides which value is left.
    Exchange,
    /// A loop may wait for what another work-item does.
    Waits,
    /// The order of prints is that of work-items.
    Prints,
    /// Tokens have several work-items.
    Lanes,
}

impl WhyNotLooped {
    /// What it is, for messages.
    pub fn name(self) -> &'static str {
        match self {
            WhyNotLooped::AtomicResult => "an atomic operation whose result is used",
            WhyNotLooped::Exchange => "an atomic exchange",
            WhyNotLooped::Waits => "a loop that may wait for another work-item",
            WhyNotLooped::Prints => "a print",
            WhyNotLooped::Lanes => "lanes",
        }
    }

    fn refusal(self, line: u32, form: Looped) -> Refusal {
        Refusal {
            what: format!("{} in {}", self.name(), form.name()).into(),
            line,
        }
    }
}

/// Refuses kernels whose results depend on the order of work-items, or that wait for each other without a barrier.
pub(super) fn check(kernel: &Kernel, lanes: u32, form: Looped) -> Result<(), Refusal> {
    match find(kernel, lanes) {
        None => Ok(()),
        Some((why, inst)) => {
            let line = inst.map_or(0, |inst| kernel.loc(inst).line);
            Err(why.refusal(line, form))
        }
    }
}

/// What keeps the work-items of a kernel from becoming iterations, and where it is.
pub fn find(kernel: &Kernel, lanes: u32) -> Option<(WhyNotLooped, Option<Inst>)> {
    if lanes > 1 {
        return Some((WhyNotLooped::Lanes, None));
    }
    let cfg = Cfg::of(kernel);
    let loops = Loops::of(kernel, &cfg, &Dominators::of(kernel, &cfg));
    let mut insts = kernel.insts().filter(|(block, _)| cfg.is_reachable(*block));
    insts.find_map(|(block, inst)| {
        let why = why_not(kernel, &loops, block, inst)?;
        Some((why, Some(inst)))
    })
}

fn why_not(kernel: &Kernel, loops: &Loops, block: Block, inst: Inst) -> Option<WhyNotLooped> {
    let is_used = || {
        let mut users = kernel.insts();
        users.any(|(_, user)| {
            let mut operands = kernel.inst(user).operands().into_iter();
            operands.any(|it| kernel.results(inst).contains(&it))
        })
    };
    match kernel.inst(inst) {
        InstData::Printf { .. } => Some(WhyNotLooped::Prints),
        InstData::CmpXchg { .. } => Some(WhyNotLooped::Exchange),
        InstData::AtomicRmw { op, .. } => match op {
            AtomicOp::Xchg => Some(WhyNotLooped::Exchange),
            _ if is_used() => Some(WhyNotLooped::AtomicResult),
            _ => None,
        },
        data => {
            let access = data.access_effect()?;
            let waits = access.is_volatile && access.kind == AccessKind::Read;
            (waits && loops.innermost(block).is_some()).then_some(WhyNotLooped::Waits)
        }
    }
}
