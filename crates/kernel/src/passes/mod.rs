//! Passes: each takes a verified kernel to a verified kernel that does the same with less.
//!
//! Their order stands in `order`. A pass keeps every result bit for bit; what it may leave out
//! are accesses whose results are not used.

mod fold_constants;
mod merge_equal;
mod narrow_widths;
mod order;
mod reassociate_sums;
mod remove_dead_code;
mod renaming;
mod simplify_blocks;

use std::ops::{BitOr, BitOrAssign};

use cranelift_entity::SecondaryMap;

use crate::analysis::Cfg;
use crate::ir::{Block, Kernel, Value};

pub use fold_constants::fold_constants;
pub use merge_equal::merge_equal;
pub use narrow_widths::{narrow_widths, narrow_widths_within, operator_bits};
pub use order::{ORDER, PASSES, Pass, ScheduledPass, by_name, optimise, optimise_until, skip};
pub(crate) use reassociate_sums::has_sums_in_order;
pub use reassociate_sums::reassociate_sums;
pub use remove_dead_code::remove_dead_code;
pub(crate) use renaming::Renaming;
pub use simplify_blocks::simplify_blocks;

/// Whether a pass has changed the kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use]
pub enum Changed {
    /// The kernel is as it was.
    No,
    /// Something is different.
    Yes,
}

impl Changed {
    /// Whether something is different.
    pub fn is_yes(self) -> bool {
        self == Changed::Yes
    }
}

impl From<bool> for Changed {
    fn from(changed: bool) -> Changed {
        if changed { Changed::Yes } else { Changed::No }
    }
}

impl BitOr for Changed {
    type Output = Changed;

    fn bitor(self, other: Changed) -> Changed {
        Changed::from(self.is_yes() || other.is_yes())
    }
}

impl BitOrAssign for Changed {
    fn bitor_assign(&mut self, other: Changed) {
        *self = *self | other;
    }
}

/// Drops the blocks that control cannot get to.
fn drop_unreachable(kernel: &mut Kernel) -> Changed {
    let cfg = Cfg::of(kernel);
    let before = kernel.layout().len();
    if cfg.reverse_postorder().len() == before {
        return Changed::No;
    }
    kernel.retain_blocks(|&block| cfg.is_reachable(block));
    Changed::Yes
}

/// Drops the block parameters that `keep` refuses, and the arguments for them. They must not be used.
fn retain_params(kernel: &mut Kernel, keep: impl Fn(Value) -> bool) -> Changed {
    let mut old: SecondaryMap<Block, Vec<Value>> = SecondaryMap::new();
    let mut changed = Changed::No;
    for block in kernel.layout().to_vec() {
        old[block] = kernel.block(block).params.clone();
        let kept: Vec<Value> = old[block].iter().copied().filter(|&p| keep(p)).collect();
        if kept.len() < old[block].len() {
            kernel.set_block_params(block, kept);
            changed = Changed::Yes;
        }
    }
    if !changed.is_yes() {
        return changed;
    }
    for block in kernel.layout().to_vec() {
        let terminator = kernel.terminator(block);
        for target in kernel.inst_mut(terminator).targets_mut() {
            let mut params = old[target.block].iter();
            let mut next = || params.next().expect("verify: one argument per parameter");
            target.args.retain(|_| keep(*next()));
        }
    }
    changed
}
