//! The data structures of the kernel IR.
//!
//! A kernel is a list of blocks; a block is a list of instructions of which the last, and only the
//! last, is a terminator. Values are defined once, by an instruction or as a block parameter, and
//! hold a scalar: integers of 1 to 64 bits, floats, pointers. Vectors exist in memory operations
//! only: a vector load defines one value per lane.
//!
//! Kernel arguments, memory objects' addresses and work-item functions are instructions without
//! operands rather than parameters of the entry block: they are the same wherever they are
//! evaluated, so passes may place, merge and drop them like constants.

mod effect;
mod elementary;
mod entities;
mod hints;
mod inst;
mod kernel;
mod ops;
mod types;
mod variables;

pub use effect::{AccessEffect, AccessKind, Effect};
pub use elementary::{Elementary, Function, Function2, Grade};
pub(crate) use elementary::{each_function, each_function2};
pub use entities::{Block, Inst, Object, Value};
pub use hints::{Coalesce, Conflict, Independence, LoopHints, Pipelining, Unroll};
pub use inst::{Access, BlockCall, Fences, InstData, MemoryUnit, ObjectSet};
pub use kernel::{
    BlockData, Element, Kernel, Loc, MemoryAttributes, ObjectData, ObjectKind, Param, ParamKind,
    Pointee, Qualifiers, Reassociation, Scalar, ValueDef, WorkGroupSize,
};
/// What becomes of subnormal numbers, see [`Kernel::subnormals`].
pub use sluice_circuit::arith::Subnormals;

pub use ops::{
    Algebra, AtomicOp, BinaryOp, BinaryRow, CastOp, CastRow, Comparator, Conversion, Hardware, Nan,
    Numbers, Order, Outcome, Predicate, PredicateRow, Query, Relation, Site, Swap, TernaryAlgebra,
    TernaryOp, TernaryRow, UnaryAlgebra, UnaryOp, UnaryRow, Widths,
};
pub(crate) use ops::{
    each_binary_op, each_cast_op, each_predicate, each_ternary_op, each_unary_op,
};
pub use types::{Space, Type};
pub use variables::{VariablePointer, Variables};
