//! The kernel IR and everything that is done with it: text form, verifier, passes, interpreter.
//!
//! A [`Kernel`] is one OpenCL kernel with everything inlined, in SSA form with block parameters.
//! [`semantics`] says what each operation computes, [`interp`] executes whole launches and is the
//! reference that every other executor is compared with. Nothing here does I/O.

pub mod analysis;
pub mod dataflow;
pub mod interp;
pub mod ir;
pub mod items;
pub mod lanes;
pub mod launch;
pub mod loops;
pub mod lower;
pub mod passes;
pub mod plan;
pub mod prepare;
pub mod program;
pub mod semantics;
pub mod structure;
pub mod text;
pub mod verify;

pub use ir::Kernel;
pub use program::{Optimised, Program};
