//! Builtins of OpenCL C against references of their own, type by type and width by width.
//!
//! A family is a list of [`Check`]s: a builtin, the types and widths it is called with, and a function that
//! computes the expected results. [`assert_conforming`] makes a kernel of each, launches it once for all operands,
//! and compares every lane. `SLUICE_CONFORMANCE=N` takes N times as many operands.

pub mod check;
pub mod exact;
pub mod families;
pub mod operands;
mod program;
mod run;
pub mod types;

pub use check::Check;
pub use run::{Executor, VARIABLE, assert_conforming, failures};
