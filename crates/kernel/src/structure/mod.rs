//! Structure: a kernel's control flow as a tree of the constructs that a circuit is built from.
//!
//! [`prepare`] brings a kernel into the form that the tree and the dataflow graphs are made of:
//! reducible, a way out of every loop, work-item functions in the entry block, each barrier at the
//! head of its block.
//! [`ControlTree::of`] then finds sequences, branches and loops; [`LoopBody`] says how long a
//! loop's rounds are, [`loop_capacities`] how many work-items it may admit.

mod exit_endless_loops;
mod hoist_ids;
mod irreducible;
mod loop_body;
mod loop_capacity;
mod make_reducible;
mod print;
mod reduce;
mod split_at_barriers;
mod tree;
mod verify;

use crate::ir::Kernel;
use crate::passes::Changed;

pub use exit_endless_loops::exit_endless_loops;
pub use hoist_ids::hoist_ids;
pub use irreducible::{Irreducible, TangledCycle};
pub use loop_body::LoopBody;
pub use loop_capacity::{LoopCapacity, loop_capacities};
pub use make_reducible::make_reducible;
pub use split_at_barriers::split_at_barriers;
pub use tree::{ControlTree, Edge, Node, NodeData, NodeKind};

/// Makes a verified kernel ready for [`ControlTree::of`] and dataflow graphs. The kernel is
/// numbered afresh if anything changes.
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
