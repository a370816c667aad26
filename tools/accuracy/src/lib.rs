//! The accuracy of the builtin math functions: every function of OpenCL C in float, double and half against a reference
//! of higher precision.
//!
//! What is measured is what programs get: the LLVM module that kernels are read from, compiled for the host to be
//! fast, and on a sample the interpreter, which must agree to the last bit.

mod comparison;
pub mod error;
pub mod exact;
pub mod functions;
pub mod inputs;
pub mod interpreted;
pub mod measure;
pub mod native;
pub mod number;
pub mod program;
pub mod reference;
pub mod table;

pub use functions::Function;
pub use inputs::Density;
pub use measure::{Error, Finding, Program};
pub use number::Type;
