//! Analyses: facts about a kernel, computed from it and valid until it changes.

mod cfg;
mod dominators;
mod loops;

pub use cfg::Cfg;
pub use dominators::Dominators;
pub use loops::{Exit, Loop, LoopData, Loops};
