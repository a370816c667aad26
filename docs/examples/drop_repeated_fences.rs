//! A fence that follows another one, with no access in between, orders nothing that the first one has
//! not ordered: it is dropped if the first one orders the same memories. Without it, accesses behind
//! the two fences wait once.

use sluice_kernel::Kernel;
use sluice_kernel::ir::{Effect, Fences};
use sluice_kernel::passes::Changed;

/// Drops fences that have no effect of their own.
pub fn drop_repeated_fences(kernel: &mut Kernel) -> Changed {
    let before = kernel.num_insts();
    for block in kernel.layout().to_vec() {
        let mut insts = std::mem::take(&mut kernel.block_mut(block).insts);
        let mut ordered: Option<Fences> = None;
        insts.retain(|&inst| match kernel.inst(inst).effect() {
            Effect::Pure | Effect::Print | Effect::Control => true,
            Effect::Access(_) => {
                ordered = None;
                true
            }
            Effect::Barrier(fences) => {
                ordered = Some(fences);
                true
            }
            Effect::Fence(fences) => {
                let is_repeated = ordered.is_some_and(|earlier| covers(earlier, fences));
                ordered = ordered.filter(|_| is_repeated).or(Some(fences));
                !is_repeated
            }
        });
        kernel.block_mut(block).insts = insts;
    }
    Changed::from(kernel.num_insts() != before)
}

/// Whether a fence orders all memories that another one orders.
fn covers(earlier: Fences, later: Fences) -> bool {
    (earlier.local || !later.local) && (earlier.global || !later.global)
}
