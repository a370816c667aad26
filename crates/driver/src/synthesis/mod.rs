//! Synthesis with open tools: runs them on a design, or takes what came of an earlier run from the
//! build cache, and says by unit and source line what a design takes and what limits its clock.

mod advice;
mod cache;
mod design;
mod lock;
mod path;
mod print;
mod report;
mod run;

pub(crate) use design::{PinnedDesign, pinned};
pub(crate) use report::{Report, measured};
pub(crate) use run::{Request, Synthesised, synthesise};
