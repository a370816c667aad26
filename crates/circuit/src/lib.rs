//! What circuits are made of: for now the pure operators, their arithmetic and their Verilog.
//!
//! - [`arith`] says what each operator computes, on bits.
//! - [`operators`] declares each operator once: ports, parameters, pipeline steps with their
//!   delays, cost, Rust model, and its Verilog module as the neighbouring file.
//! - [`verilog`] holds the naming convention that every module follows.
//!
//! Nothing here knows OpenCL or LLVM, does I/O, or contains `unsafe`.

pub mod arith;
pub mod operators;
pub mod verilog;
