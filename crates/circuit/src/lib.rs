//! Elastic circuits: units that exchange tokens over channels, their simulator and their Verilog.
//!
//! - [`circuit`] holds units connected by channels; [`connect`] adds them by typed ports.
//! - [`mod@unit`] says what a unit is and how it behaves; [`units`] declares each one once.
//! - [`shell`] makes a circuit an IP block with AXI4 interfaces.
//! - [`sim`] executes a circuit, cycle for cycle as its Verilog.
//! - [`dram`] is external memory, [`shared_bytes`] what it holds.
//! - [`access`] is the protocol between units that access memory and memories.
//! - [`arith`] says what each operator computes, on bits.
//! - [`elementary`] says what exponential, logarithm and the like are, on bits.
//! - [`operators`] declares each operator once: ports, parameters, pipeline steps with their
//!   delays, cost, Rust model, and its Verilog module as the neighbouring file.
//! - [`text`] is the text form: a printer and a parser; [`verify`] lists and checks the invariants.
//! - [`verilog`] writes a circuit's Verilog and holds the conventions that every module follows;
//!   [`report`] says what a circuit occupies.
//! - [`area`] says what hardware consists of, [`cost`] what it occupies, [`family`] has the figures
//!   that connect them.
//! - [`hierarchy`] finds the unit that a name in a netlist belongs to.
//! - [`clock`] estimates the clock that a circuit reaches.
//! - [`target`] is the chip and clock that a circuit is built for.
//! - [`potentials`] solves the linear programs behind schedules and queue depths.
//!
//! Nothing here knows OpenCL or LLVM, does I/O, or contains `unsafe`.

pub mod access;
pub mod area;
pub mod arith;
pub mod circuit;
pub mod clock;
pub mod connect;
pub mod cost;
pub mod dram;

mod elastic;
pub mod elementary;
pub mod family;
mod group_count;
pub mod hierarchy;
mod line_reads;
pub mod operators;
pub mod potentials;
pub mod report;
pub mod shared_bytes;
pub mod shell;
pub mod sim;
pub mod target;
pub mod text;
mod token_queue;
mod turns;
pub mod unit;
pub mod units;
pub mod verify;
pub mod verilog;
