//! Analyses: facts about a kernel, computed from it and valid until it changes.

mod cfg;
mod dominators;
mod loops;
mod points_to;

pub use cfg::Cfg;
pub use dominators::Dominators;
pub use loops::{Exit, Loop, LoopData, Loops};
pub use points_to::{PointsTo, annotate_objects};
