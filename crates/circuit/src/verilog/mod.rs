//! Verilog: the conventions of all modules, and everything that writes their text.
//!
//! # Units
//!
//! Channel `x` of a module is the ports `x_valid`, `x_ready` and `x`: its fields side by side, the
//! first one lowest (one bit that means nothing, if there are no fields). The ports are `clk`, a
//! synchronous `rst`, constants, inputs and outputs, in this order.
//!
//! # Operators
//!
//! The module `sluice_x` stands in the file `sluice_x.v`. Its ports are `clk`, the inputs and the
//! outputs; there is no reset, no valid and no stall. Its parameter `REGS` has a bit per pipeline
//! step, lowest first: a set bit puts a register behind the step. The result of the operands of a
//! cycle appears as many cycles later as bits are set.

mod arrays;
mod bundles;
mod declarations;
mod emit;
mod identifiers;
mod instances;
mod layout;
mod modules;
mod scope;
mod wrapper;

pub use emit::{File, emit};
pub use identifiers::distinct;
pub use instances::operator_instance;

pub(crate) use bundles::{Bundle, End, Numbered, numbered, side_by_side};
pub(crate) use declarations::{Ports, port_range};
pub(crate) use emit::group_module;
pub(crate) use identifiers::{Identifiers, fingerprint, is_identifier, is_keyword, legal};
pub(crate) use instances::{channel_connections, instance, same_connections};
pub(crate) use layout::{concatenate, source_lines, wrapped};
pub(crate) use modules::Modules;
pub(crate) use wrapper::{pick, pick_text, unread_text, wrap};

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
