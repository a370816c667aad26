//! The convention of every operator's module.
//!
//! The module `sluice_x` stands in the file `sluice_x.v`. Its ports are `clk`, the inputs and the
//! outputs; there is no reset, no valid and no stall. Its parameter `REGS` has a bit per pipeline
//! step, lowest first: a set bit puts a register behind the step. The result of the operands of a
//! cycle appears as many cycles later as bits are set.

use std::fmt::Write;

use crate::operators::{Operator, Regs};

/// The clock port.
pub const CLOCK: &str = "clk";

/// The parameter that places the registers.
pub const REGS: &str = "REGS";

/// A Verilog file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Source {
    /// The file's name.
    pub file: &'static str,
    /// The file's text.
    pub text: &'static str,
}

/// The text of an instance; each connection is a port and the expression it is connected to.
pub fn instance(
    operator: &dyn Operator,
    regs: Regs,
    name: &str,
    connections: &[(&str, &str)],
) -> String {
    let mut text = format!("{} #(", operator.module());
    for (parameter, value) in operator.parameters() {
        write!(text, ".{parameter}({value}), ").expect("strings accept all text");
    }
    write!(text, ".{REGS}({regs})) {name} (.{CLOCK}({CLOCK})").expect("strings accept all text");
    for (port, expression) in connections {
        write!(text, ", .{port}({expression})").expect("strings accept all text");
    }
    text.push_str(");\n");
    text
}
