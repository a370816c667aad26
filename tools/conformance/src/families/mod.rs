//! The builtins, by chapter of the specification.

pub mod async_copy;
pub mod common;
pub mod convert;
pub mod float;
pub mod geometric;
pub mod integer;
pub mod memory;
pub mod operators;
pub mod relational;
pub mod vector;
