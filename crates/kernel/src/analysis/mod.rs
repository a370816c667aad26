//! Analyses: facts about a kernel, computed from it and valid until it changes.

pub mod access;
mod block_facts;
mod cfg;
mod demand;
pub mod dependence;
mod dominators;
mod equal_control;
mod facts;
mod frequency;
mod guards;
mod induction;
mod liveness;
mod loops;
mod points_to;
mod ranges;
pub(crate) mod transfer;
mod uniform;

pub use block_facts::BlockFacts;
pub use cfg::Cfg;
pub use demand::Demand;
pub use dominators::Dominators;
pub(crate) use equal_control::has_equal_control;
pub use facts::Facts;
pub use frequency::Frequencies;
pub(crate) use induction::round_limits;
pub use liveness::Liveness;
pub use loops::{Exit, Loop, LoopData, Loops};
pub use points_to::{PointsTo, annotate_objects};
pub use ranges::Ranges;
pub(crate) use uniform::is_id;
pub use uniform::{Scope, Uniform};
