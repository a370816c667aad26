//! Dataflow: what runs when inside a block.
//!
//! A block's instructions have levels: 0 without memory access before them, one more behind each
//! access that they depend on, through values or through the order of accesses. The pure
//! instructions of a level become one statically scheduled segment; memory accesses run between
//! the segment of their level and a later one.
//!
//! ```text
//!         +-> load a --+
//! level 0 +-> load b --+-> level 1 +-> store c --+-> level 2, the branch
//!         +-> queue ---+           +-> queue ----+
//! ```
//!
//! Accesses are as early as possible. A pure instruction may stand anywhere between its operands
//! and its uses: it stands where the fewest bits wait from level to level, and as early as that
//! allows, for what is early does not make later segments longer. Divisions and the like stand early
//! though a few bits more have to wait for that.

mod build;
mod graph;
mod memory_order;
mod min_cut;
mod place;
mod print;
mod verify;

use cranelift_entity::SecondaryMap;

use crate::analysis::{Liveness, Uniform};
use crate::ir::{Block, Kernel, Value};
use crate::prepare::Cut;

pub(crate) use build::access_levels;
pub use graph::{BlockGraph, Channel, Level, Order, Source};
pub(crate) use memory_order::must_wait;

/// The dataflow graphs of a kernel's blocks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dataflow {
    layout: Vec<Block>,
    graphs: SecondaryMap<Block, BlockGraph>,
}

impl Dataflow {
    /// The graphs of a kernel that was [prepared](crate::structure::prepare), with its liveness.
    /// Instructions whose results are in `uniform` are in no graph.
    pub fn of(kernel: &Kernel, liveness: &Liveness, uniform: &Uniform) -> Dataflow {
        let width = |value| kernel.ty(value).bits();
        Dataflow::with_widths(kernel, liveness, uniform, &width, &Cut::default())
    }

    /// The same for values that have as many bits as `width` says, instead of their types', in a kernel with
    /// loops that were taken apart.
    pub(crate) fn with_widths(
        kernel: &Kernel,
        liveness: &Liveness,
        uniform: &Uniform,
        width: &dyn Fn(Value) -> u32,
        cut: &Cut,
    ) -> Dataflow {
        let mut graphs = SecondaryMap::new();
        for &block in kernel.layout() {
            graphs[block] = BlockGraph::of(kernel, block, liveness, uniform, width, cut);
        }
        Dataflow {
            layout: kernel.layout().to_vec(),
            graphs,
        }
    }

    /// A block's graph.
    pub fn block(&self, block: Block) -> &BlockGraph {
        &self.graphs[block]
    }

    /// The graphs in layout order.
    pub fn iter(&self) -> impl Iterator<Item = (Block, &BlockGraph)> + '_ {
        self.layout
            .iter()
            .map(|&block| (block, &self.graphs[block]))
    }
}
