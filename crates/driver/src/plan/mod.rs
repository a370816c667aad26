//! Plans as text (TOML): what is chosen for the circuits of a program, by names of the source.
//!
//! [`PlanFile::read`] gives what a file says, [`PlanFile::apply`] checks it against a program and makes it part
//! of a [`Plan`](sluice_kernel::plan::Plan), and [`default_rules()`] writes the plan that is made where there is
//! no file. `docs/plans.md` explains the entries.

mod apply;
mod default_rules;
mod file;
mod loops;
mod objects;
mod print;

pub use apply::Scope;
pub use default_rules::default_rules;
pub use file::{PlanFile, PlanMistake};
