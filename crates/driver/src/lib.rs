//! Options in, results out: everything that touches files, processes and the clock.
//!
//! The binary `sluice` is a thin layer over this library; so are the tests and the benchmarks.

mod agreement;
mod board;
mod cache;
pub mod cli;
mod commands;
mod compile;
mod contents;
mod design;
mod element;
mod exec_report;
mod executor;
mod failure;
mod files;
pub mod fit;
mod launch;
mod library;
mod loop_report;
mod memory_report;
mod output;
pub mod plan;
pub mod program;
mod progress;
mod synthesis;
mod test_file;

pub use agreement::{Agreement, CircuitExecutors, Disagreement, check_agreement, first_difference};
pub use board::{Board, Chip};
pub use cache::VerilogFolder;
pub use commands::dispatch;
pub use compile::{CompileArgs, Compiled, compile, split_clang_options};
pub use design::Design;
pub use element::{format_elements, parse_scalar};
pub use exec_report::{ExecReport, KernelTotals, StallCause};
pub use executor::{
    Execution, ExecutionError, Executor, Options as ExecutionOptions, OutsideAccesses, Work,
};
pub use failure::{Failure, FaultReport};
pub use launch::{LaunchArgs, Session};
pub use test_file::{Case, Expectation, Mismatch, TestFile};
