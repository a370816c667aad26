//! Runs open synthesis tools on Verilog: Yosys maps a design to the cells of an FPGA family, nextpnr
//! places and routes it, ecppack makes a bitstream.
//!
//! A circuit's units stay apart while Yosys maps them, so that each cell belongs to one unit: areas
//! and critical paths are told by unit, equal units are mapped once, and the area of a design is the
//! sum of those of its units. Little is lost by it, as a unit's outputs come from its registers: there
//! is no logic to be merged across the border but at the inputs.

pub mod cells;
pub mod ecppack;
pub mod fan_out;
pub mod interrupt;
pub mod job;
pub mod netlist;
pub mod nextpnr;
pub mod phase;
pub mod scan;
pub mod tools;
pub mod yosys;

use sluice_circuit::verilog::File;

/// Verilog that is to be synthesised.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Design {
    /// Its files.
    pub files: Vec<File>,
    /// The name of its top module.
    pub top: String,
    /// Modules whose instances are mapped apart from each other: those that connect units.
    pub apart: Vec<String>,
}
