//! The order of the passes.

use super::{
    Changed, fold_constants, merge_equal, narrow_widths, reassociate_sums, remove_dead_code,
    simplify_blocks,
};
use crate::ir::Kernel;
use crate::program::Optimised;

/// A pass.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// Its name: that of its function.
    pub name: &'static str,
    /// Runs it.
    pub run: fn(&mut Kernel) -> Changed,
    /// What it is for.
    pub purpose: &'static str,
}

/// Every pass, by name.
pub const PASSES: &[Pass] = &[
    Pass {
        name: "fold_constants",
        run: fold_constants,
        purpose: "compute what is constant, write operations in their simplest form",
    },
    Pass {
        name: "simplify_blocks",
        run: simplify_blocks,
        purpose: "drop detours of control and block parameters that always hold one value",
    },
    Pass {
        name: "merge_equal",
        run: merge_equal,
        purpose: "compute and load equal things once",
    },
    Pass {
        name: "narrow_widths",
        run: narrow_widths,
        purpose: "give each integer the bits that it needs",
    },
    Pass {
        name: "reassociate_sums",
        run: reassociate_sums,
        purpose: "give sums of floats several partial sums, where the source allows another order",
    },
    Pass {
        name: "remove_dead_code",
        run: remove_dead_code,
        purpose: "drop what has no influence on results",
    },
];

/// A pass at its place in the order.
#[derive(Clone, Copy, Debug)]
pub struct ScheduledPass {
    /// The pass's name.
    pub pass: &'static str,
    /// Why it stands here.
    pub reason: &'static str,
}

const fn pass(pass: &'static str, reason: &'static str) -> ScheduledPass {
    ScheduledPass { pass, reason }
}

/// The order in which [`optimise`] runs the passes.
pub const ORDER: &[ScheduledPass] = &[
    pass(
        "remove_dead_code",
        "the reader leaves unused values behind, which the other passes need not see",
    ),
    pass("fold_constants", "simple forms for all passes that follow"),
    pass(
        "simplify_blocks",
        "folding has decided branches and made arguments equal",
    ),
    pass("merge_equal", "long blocks have more to merge"),
    pass(
        "fold_constants",
        "again: forwarded stores and merged values make operands equal or constant",
    ),
    pass(
        "simplify_blocks",
        "again: with what was merged, more block parameters hold one value",
    ),
    pass(
        "narrow_widths",
        "the simple forms give it the best ranges, and there is least to narrow",
    ),
    pass(
        "fold_constants",
        "again: masks and extensions do nothing at narrow widths, ranges decide comparisons",
    ),
    pass("simplify_blocks", "again: for the branches just decided"),
    pass(
        "merge_equal",
        "again: what differed in bits that do not matter is now equal",
    ),
    pass(
        "narrow_widths",
        "again: with less code around, fewer bits are demanded; most often nothing changes",
    ),
    pass(
        "reassociate_sums",
        "loops have their final form; what it adds is as narrow as its operands",
    ),
    pass("remove_dead_code", "what the others have left behind"),
];

/// The pass with this name.
pub fn by_name(name: &str) -> Option<Pass> {
    PASSES.iter().copied().find(|pass| pass.name == name)
}

/// Runs all passes in order. The kernel is numbered afresh.
pub fn optimise(mut kernel: Kernel) -> Optimised {
    run(&mut kernel, ORDER);
    Optimised::new(kernel)
}

/// Runs no pass: for users who want to see what becomes of the kernel without them.
pub fn skip(kernel: Kernel) -> Optimised {
    Optimised::new(kernel)
}

/// Runs the passes in order up to and including the last run of the pass named `last`; if it is not
/// in the order, nothing is done. The kernel is numbered afresh.
pub fn optimise_until(kernel: &mut Kernel, last: &str) {
    let end = ORDER.iter().rposition(|scheduled| scheduled.pass == last);
    run(kernel, &ORDER[..end.map_or(0, |at| at + 1)]);
}

fn run(kernel: &mut Kernel, order: &[ScheduledPass]) {
    for scheduled in order {
        let pass = by_name(scheduled.pass).expect("the order names passes of the table");
        let _ = (pass.run)(kernel);
    }
    kernel.compact();
}
