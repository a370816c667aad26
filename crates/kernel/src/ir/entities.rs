//! The entities of the IR: small numbers that print as they are written in the text form.

use cranelift_entity::entity_impl;

/// A value, `v7`: the result of an instruction or a block parameter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(u32);
entity_impl!(Value, "v");

/// An instruction. It has no name in the text form.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Inst(u32);
entity_impl!(Inst, "inst");

/// A basic block, `b2`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Block(u32);
entity_impl!(Block, "b");

/// A memory object, `m3`: a buffer, a local variable, a private array, a constant table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Object(u32);
entity_impl!(Object, "m");
