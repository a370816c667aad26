//! Gives sums of floats several partial sums, where the source allows another order.
//!
//! In a pipelined loop an iteration would wait for the addition of the one before. With partial sums that take turns it
//! waits for an earlier one, and iterations start every cycle. This changes results, so it is done here and not in a
//! plan: interpreter and circuits see the same sums. Where work-items are many, or iterations of a loop around it,
//! these fill the adder's pipeline, and nothing is changed.

use super::Changed;
use crate::analysis::is_id;
use crate::ir::{Block, Inst, Kernel, Reassociation, Type};
use crate::loops::{promote_invariant_locations, rotate_reduction};
use crate::plan::{LoopWay, Plan};
use crate::prepare::choose;

/// Partial sums of floats, and of doubles: as many as an addition takes cycles on the slowest target, or more.
const FLOATS: u32 = 8;
const DOUBLES: u32 = 12;

/// Gives the sums and products of floats of loops that a single work-item would pipeline several partial results.
pub fn reassociate_sums(kernel: &mut Kernel) -> Changed {
    let asks_for_ids = kernel.insts().any(|(_, inst)| is_id(kernel.inst(inst)));
    if kernel.reassociation != Reassociation::Allowed || asks_for_ids {
        return Changed::No;
    }
    let Ok(ways) = choose(kernel, &Plan::default().otherwise) else {
        return Changed::No;
    };
    let pipelined = ways
        .reports
        .iter()
        .filter(|it| it.way == LoopWay::Pipelined);
    let mut changed = Changed::No;
    for header in pipelined.map(|it| it.header) {
        if let Some(with_sums) = with_partial_sums(kernel, header) {
            *kernel = with_sums;
            changed = Changed::Yes;
        }
    }
    changed
}

/// Whether a loop has sums that would be given partial sums, if the kernel allowed another order.
pub(crate) fn has_sums_in_order(kernel: &Kernel, header: Block) -> bool {
    let mut allowing = kernel.clone();
    allowing.reassociation = Reassociation::Allowed;
    kernel.reassociation == Reassociation::Forbidden
        && with_partial_sums(&allowing, header).is_some()
}

fn with_partial_sums(kernel: &Kernel, header: Block) -> Option<Kernel> {
    let mut changed = kernel.clone();
    // A sum in memory has to be a value first.
    let _ = promote_invariant_locations(&mut changed, header);
    rotate_reduction(&mut changed, header, partial_sums).ok()?;
    Some(changed)
}

fn partial_sums(kernel: &Kernel, insts: &[Inst]) -> u32 {
    let partial = |&inst: &Inst| match kernel.ty(kernel.result(inst)) {
        Type::F64 => DOUBLES,
        ty if ty.is_float() => FLOATS,
        _ => 0,
    };
    insts.iter().map(partial).sum()
}
