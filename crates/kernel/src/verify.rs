//! The invariants of the IR. Code that changes a kernel keeps them; all other code may rely on them.
//!
//! Structure:
//!
//! - V1. There is a block. Each block ends in a terminator and holds no other.
//! - V2. An instruction stands in one place only; a block's parameters know their block and
//!   position.
//! - V3. The entry block has no parameters and no predecessors.
//! - V4. A terminator's targets are in the layout; the arguments match the target's parameters in
//!   number and type.
//! - V5. Every block can be reached from the entry.
//! - V6. An operand is a value that is defined in the layout; its definition dominates the use.
//! - V28. The numbers in a block's hints are not 0, but for `concurrency`; factors and safe lengths are at
//!   least 2.
//!
//! Types:
//!
//! - V7. Integers have 1 to 64 bits.
//! - V8. Loads have one result per lane; stores, barriers, fences, printf and terminators have none;
//!   every other instruction has one.
//! - V9. A constant has no bits set that its type does not have.
//! - V10. `arg` names a parameter that is passed by value and one of its lanes; the result has the
//!   lane's type.
//! - V11. `addr` names an object; the result is a pointer in the object's space.
//! - V12. A work-item function has a dimension from 0 to 2, `work_dim` always 0; the result is an
//!   integer.
//! - V13. Operands and result of an arithmetic operation are of one type: a float type for float
//!   operations, else an integer type. `byteswap` has whole pairs of bytes. An elementary function
//!   has as many operands as it has, all of them `f32`.
//! - V14. Conditions of `select` and `branch`, and guards of memory instructions, are `i1`; what
//!   `select` chooses from has its type.
//! - V15. A comparison has operands of one type: floats for float comparisons, else integers or, for
//!   `eq`, `ne`, `ult` and `ule`, pointers. The result is `i1`.
//! - V16. A conversion goes between types that it is for: see [`CastOp`](crate::ir::CastOp).
//!   `bitcast` and `spacecast` change the type.
//! - V17. `ptradd` adds an integer to a pointer; the result has the pointer's type.
//!
//! Memory:
//!
//! - V18. An access has 1 to 16 lanes of 8, 16, 32 or 64 bits, an address that is a pointer, an
//!   alignment that is a power of two, and a value per lane of the access's type. Only loads have a lag, and no
//!   volatile ones.
//! - V19. An access names objects of the kernel that a pointer of the address's space may reach. A global
//!   pointer reaches constant buffers, and a constant pointer global ones: the host may pass one for both.
//! - V20. Nothing writes to tables and struct arguments, nor to constant buffers alone.
//! - V21. Atomics work on integers of 32 or 64 bits, `xchg` also on floats of these widths; operands
//!   and result are of that type.
//!
//! Interface:
//!
//! - V22. A parameter's type is a type of OpenCL C: its scalars, or vectors of 2, 3, 4, 8 or 16.
//! - V23. A parameter's object exists, is of the parameter's kind and names the parameter; the
//!   object of a parameter is named by it. Buffers are global or constant.
//! - V24. An object's alignment is a power of two.
//! - V26. `in_space` asks of a pointer whether it leads to local or to private memory; the result is
//!   `i1`.
//! - V27. The program's variables, if the kernel has any, are one parameter, a global buffer, behind which
//!   there are values only (what a launch knows, in prepared kernels); their
//!   contents and the pointers among them lie within their size.
//! - V25. A source location with a line is in a file of the kernel.
//!
//! By construction, a value has one definition, object sets are in ascending order, and names of
//! values consist of letters, digits and `_`.

mod interface;
mod memory;
mod operations;
mod structure;

use std::fmt;

use crate::analysis::{Cfg, Dominators};
use crate::ir::{Block, Inst, Kernel};
use crate::text::display_inst;

/// Checks a kernel. The error lists every violation that can be told from the others: a broken
/// structure hides what depends on it, and an instruction is reported once.
pub fn verify(kernel: &Kernel) -> Result<(), VerifyErrors> {
    let mut verifier = Verifier {
        kernel,
        errors: Vec::new(),
    };
    verifier.check_interface();
    let before = verifier.errors.len();
    verifier.check_shape();
    // Graph and definitions make sense in a kernel of the right shape only.
    if verifier.errors.len() == before {
        let cfg = Cfg::of(kernel);
        let dominators = Dominators::of(kernel, &cfg);
        verifier.check_graph(&cfg);
        verifier.check_insts(&cfg, &dominators);
    }
    match verifier.errors.is_empty() {
        true => Ok(()),
        false => Err(VerifyErrors(verifier.errors)),
    }
}

/// The violations in a kernel: those of its interface, then those of its blocks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifyErrors(pub Vec<VerifyError>);

/// A violation of one invariant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifyError {
    /// Which one: the number in the list above.
    pub rule: u8,
    /// The block that violates it, unless it is about the interface.
    pub block: Option<Block>,
    /// The text of the instruction that violates it, if it is about one.
    pub inst: Option<String>,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for VerifyErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, error) in self.0.iter().enumerate() {
            let newline = if at == 0 { "" } else { "\n" };
            write!(f, "{newline}{error}")?;
        }
        Ok(())
    }
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "V{}", self.rule)?;
        if let Some(block) = self.block {
            write!(f, " in {block}")?;
        }
        if let Some(inst) = &self.inst {
            write!(f, ", `{inst}`")?;
        }
        write!(f, ": {}", self.message)
    }
}

impl std::error::Error for VerifyErrors {}
impl std::error::Error for VerifyError {}

struct Verifier<'k> {
    kernel: &'k Kernel,
    errors: Vec<VerifyError>,
}

/// A broken rule and how it is broken.
struct Violation {
    rule: u8,
    message: String,
}

type Check = Result<(), Violation>;

/// Returns a violation of a rule unless a condition holds.
macro_rules! ensure {
    ($rule:literal, $condition:expr, $($message:tt)+) => {
        if !$condition {
            return Err($crate::verify::Violation { rule: $rule, message: format!($($message)+) });
        }
    };
}
use ensure;

impl Verifier<'_> {
    fn in_interface(&mut self, check: Check) {
        self.note(check, None, None);
    }

    fn in_block(&mut self, block: Block, check: Check) {
        self.note(check, Some(block), None);
    }

    fn in_inst(&mut self, block: Block, inst: Inst, check: Check) {
        self.note(check, Some(block), Some(inst));
    }

    fn note(&mut self, check: Check, block: Option<Block>, inst: Option<Inst>) {
        if let Err(Violation { rule, message }) = check {
            self.errors.push(VerifyError {
                rule,
                block,
                inst: inst.map(|inst| display_inst(self.kernel, inst).to_string()),
                message,
            });
        }
    }
}
