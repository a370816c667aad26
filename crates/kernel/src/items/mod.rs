//! Work-items become loops: a kernel of one work-item that does what all work-items of a launch, or of a group, do, one
//! after the other.
//!
//! ```text
//! for each group                      (only if the whole launch is looped over)
//!   for each work-item of the group   what comes before the first barrier
//!   for each work-item of the group   what comes between it and the next one
//!   ...
//! ```
//!
//! Barriers split the kernel into regions: all work-items of a group execute one before any goes on to the
//! next. What a work-item needs in a later region is kept in an array with a place for each work-item, unless it is the
//! same for the group or easily computed again. The opposite direction, iterations of a loop as tokens of their own like
//! work-items, is a [way of loops](crate::plan::LoopWay::Parallel).

mod build;
mod divergence;
mod legal;
mod nest;
mod region;
mod regions;
mod slots;

use crate::analysis::Cfg;
use crate::ir::{InstData, Kernel, ObjectKind, Query};
use crate::launch::NdRange;
use crate::passes;
use crate::prepare::{LaunchParams, Refusal};
use crate::structure::make_reducible;

use build::Builder;
use regions::Regions;

pub use legal::{WhyNotLooped, find as why_not};

/// What is looped over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Looped {
    /// All work-items of a launch.
    Launch,
    /// The work-items of a group; groups are dispatched.
    Group,
}

impl Looped {
    /// What messages call it.
    pub fn name(self) -> &'static str {
        match self {
            Looped::Launch => "a loop over work-items",
            Looped::Group => "a loop over the work-items of a group",
        }
    }

    /// The index space of the kernel of loops.
    pub fn range(self, range: &NdRange) -> NdRange {
        let global = match self {
            Looped::Launch => [u64::from(range.work_items() > 0), 1, 1],
            Looped::Group => range.num_groups(),
        };
        NdRange {
            dims: range.dims,
            global,
            local: [1; 3],
            offset: [0; 3],
        }
    }
}

/// The index spaces that a kernel of loops is built for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Space {
    /// What is looped over.
    pub form: Looped,
    /// Dimensions of a launch, at most.
    pub dimensions: usize,
    /// Work-items of a group, at most.
    pub items: u64,
    /// Whether work-items need not be looped over group by group.
    is_flat: bool,
}

impl Space {
    /// Launches of a kernel of up to this many dimensions, with groups of up to this many work-items.
    pub fn new(kernel: &Kernel, form: Looped, dimensions: usize, items: u64) -> Space {
        Space {
            form,
            dimensions,
            items,
            is_flat: form == Looped::Launch && !needs_groups(kernel),
        }
    }

    /// Whether the work-items of a group are kept apart from each other in memory: there is a limit to their number.
    pub fn limits_groups(&self) -> bool {
        !self.is_flat
    }
}

/// Whether it matters which group a work-item is in.
fn needs_groups(kernel: &Kernel) -> bool {
    let has_local = kernel.objects.values().any(|data| match data.kind {
        ObjectKind::LocalArg { .. }
        | ObjectKind::Local { .. }
        | ObjectKind::LocalPerItem { .. } => true,
        ObjectKind::Buffer { .. }
        | ObjectKind::StructArg { .. }
        | ObjectKind::Private { .. }
        | ObjectKind::Table { .. } => false,
    });
    let mut insts = kernel.insts().map(|(_, inst)| kernel.inst(inst));
    has_local
        || insts.any(|data| match data {
            InstData::Barrier(_) => true,
            InstData::Query { query, .. } => matches!(query, Query::LocalId | Query::GroupId),
            _ => false,
        })
}

/// Makes the work-items of a verified kernel iterations of loops. The sizes of a launch become parameters, so one kernel
/// is for all launches within the space.
pub(crate) fn loop_items(
    kernel: &mut Kernel,
    params: &mut LaunchParams,
    lanes: u32,
    space: Space,
) -> Result<(), Refusal> {
    legal::check(kernel, lanes, space.form)?;
    let _ = make_reducible(kernel);
    let cfg = Cfg::of(kernel);
    kernel.retain_blocks(|&block| cfg.is_reachable(block));
    let mut from = kernel.clone();
    let behind_barriers = regions::split_at_barriers(&mut from);
    let regions = Regions::of(&from, &behind_barriers);
    let mut builder = Builder::new(&from, &regions, params, space);
    builder.kernel();
    let mut looped = builder.to;
    let cfg = Cfg::of(&looped);
    looped.retain_blocks(|&block| cfg.is_reachable(block));
    looped.compact();
    *kernel = passes::optimise(looped).into_kernel();
    Ok(())
}
