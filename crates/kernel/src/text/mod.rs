//! The text form of the IR: a printer and a parser that undo each other.
//!
//! `parse(print(kernel)) == kernel` for every compact kernel; of any other kernel the parser makes
//! the compact form ([`Kernel::compact`](crate::Kernel::compact)). The grammar is in
//! `docs/kernel-ir.md`.

mod constant;
mod cursor;
mod element;
mod parse;
mod parse_header;
mod parse_hints;
mod parse_inst;
mod print;

pub use parse::parse;
pub use print::display_inst;
pub use sluice_circuit::text::ParseError;
