//! Random OpenCL C kernels with one right answer: valid, terminating, free of undefined behaviour and races.
//!
//! [`generate()`] makes the same [`Program`] of a seed and a [`Profile`] on every machine; [`shrink()`] makes
//! a program smaller as long as the caller says that it still fails. A program is plain data: text, memory,
//! arguments and sizes of one launch. There is no I/O here.

mod ast;
mod builtins;
mod closed;
mod expressions;
mod functions;
mod generate;
mod leaves;
mod loop_nests;
mod objects;
mod phases;
mod print;
mod print_expression;
mod profile;
mod random;
mod render;
mod scope;
mod shrink;
mod spelling;
mod statements;
mod types;
mod walk;

pub use generate::generate;
pub use loop_nests::loop_nest;
pub use profile::Profile;
pub use random::Random;
pub use shrink::shrink;
pub use types::{Scalar, Type};

/// A kernel and one launch of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// OpenCL C 1.2 text.
    pub source: String,
    /// The kernel's name.
    pub kernel: String,
    /// How many dimensions the launch has.
    pub work_dim: u32,
    /// Global size; one in the dimensions beyond `work_dim`.
    pub global: [u64; 3],
    /// Work-group size; one in the dimensions beyond `work_dim`.
    pub local: [u64; 3],
    /// Global offset; zero in the dimensions beyond `work_dim`.
    pub offset: [u64; 3],
    /// Memory before the launch. Every byte of it is defined after the launch.
    pub buffers: Vec<BufferSpec>,
    /// The kernel's arguments in order.
    pub args: Vec<ArgSpec>,
    /// The tree that the source is printed from, if it was made of one.
    module: Option<ast::Module>,
}

impl Program {
    /// Whether the results depend on the work-group size: without local memory and group functions, any size that
    /// divides the global one must give the same.
    pub fn depends_on_group_size(&self) -> bool {
        let marks = ["get_local_", "get_group_id", "get_num_groups", "__local"];
        marks.iter().any(|mark| self.source.contains(mark))
    }
}

/// One buffer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BufferSpec {
    /// Contents before the launch.
    pub bytes: Vec<u8>,
    /// What the kernel sees its elements as.
    pub element: Type,
}

/// One kernel argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ArgSpec {
    /// A buffer, by its index in [`Program::buffers`]; a buffer that is only read may be passed twice.
    Buffer(usize),
    /// A value passed by copy.
    Value(Vec<u8>),
    /// Local memory, by its size in bytes.
    Local(usize),
}
