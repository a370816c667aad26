//! The text form of circuits: a printer and a parser that undo each other.
//!
//! [`parse()`] of what [`print()`] gives is the same circuit, unit by unit, channel by channel and, in
//! segments, cycle by cycle: schedules follow from what is printed. The grammar is in
//! `docs/circuit.md`.
//!
//! A unit says once how its parameters are written, by the macro `parameters` beside its
//! declaration; its word is the name of its file.

mod cursor;
mod graph;
mod lex;
mod parameter;
mod parse;
mod print;
mod vocabulary;

pub use cursor::Cursor;
pub use lex::{ParseError, Pos, Syntax, Token, Words};
pub use parameter::Declared;
pub use parse::parse;
pub use print::print;

pub(crate) use parameter::{
    Listed, Parameter, Record, choices, declared, parameters, print_record, record,
};
