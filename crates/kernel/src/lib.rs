//! The kernel IR and everything that is done with it: text form, verifier, passes, interpreter.
//!
//! A [`Kernel`] is one OpenCL kernel with everything inlined, in SSA form with block parameters.
//! [`semantics`] says what each operation computes, [`interp`] executes whole launches and is the
//! reference that every other executor is compared with. Nothing here does I/O.

pub mod analysis;
mod bounds;
pub mod dataflow;
pub mod host;
pub mod interp;
pub mod ip_block;
pub mod ir;
pub mod launch;
pub mod lower;
mod no_end;
pub mod passes;
mod placement;
pub mod plan;
pub mod prepare;
mod printed;
pub mod program;
mod residency;
pub mod semantics;
pub mod simulate;
pub mod structure;
pub mod text;
pub mod verify;

pub use ir::Kernel;
pub use program::{Optimised, Program};
