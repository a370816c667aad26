//! The builtins, by chapter of the specification.

pub mod convert;
pub mod integer;
pub mod relational;
