//! Structure: brings a kernel's control flow into the form that circuits are built from.
//!
//! After [`prepare`] a kernel is reducible, so that [`Loops`](crate::analysis::Loops) has all its
//! cycles; every loop has a way out; work-item functions stand in the entry block, and each barrier
//! at the head of its block. [`loop_capacities`] says how many work-items a loop may admit.

mod exit_endless_loops;
mod hoist_ids;
mod irreducible;
mod loop_capacity;
mod make_reducible;
mod split_at_barriers;

use crate::ir::Kernel;
use crate::passes::Changed;

pub use exit_endless_loops::exit_endless_loops;
pub use hoist_ids::hoist_ids;
pub use loop_capacity::{LoopCapacity, loop_capacities};
pub use make_reducible::make_reducible;
pub use split_at_barriers::split_at_barriers;

/// Makes a verified kernel ready for dataflow graphs. The kernel is numbered afresh if anything
/// changes.
pub fn prepare(kernel: &mut Kernel) -> Changed {
    let changed = make_reducible(kernel)
        | exit_endless_loops(kernel)
        | hoist_ids(kernel)
        | split_at_barriers(kernel);
    if changed.is_yes() {
        kernel.compact();
    }
    changed
}
