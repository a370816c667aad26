//! Size limits for the stages after clang: larger kernels would compile for minutes, and fit on no FPGA.

use std::collections::BTreeMap;

use inkwell::module::Module;

use crate::diagnostics::{Code, Diagnostic};
use crate::kernels;
use crate::llvm::{Callee, Function};

/// Instructions of a kernel with all its calls inlined. The largest of the tests has a tenth of that.
const MAX_INLINED: u64 = 1 << 19;

/// Instructions of a kernel when LLVM has optimised it.
const MAX_OPTIMIZED: u64 = 1 << 17;

/// Refuses kernels that inlining would make too large. Nothing is recursive here.
pub(crate) fn check_inlined(module: &Module<'_>) -> Result<(), Diagnostic> {
    let mut sizes = BTreeMap::new();
    for kernel in kernels::kernels(module) {
        let count = inlined_size(kernel, &mut sizes);
        if count > MAX_INLINED {
            let what = "instructions when its calls are inlined";
            return Err(too_large(kernel, count, what, MAX_INLINED)
                .help("split the kernel, or turn repeated calls into a loop"));
        }
    }
    Ok(())
}

/// Refuses kernels that are too large for the later stages.
pub(crate) fn check_optimized(module: &Module<'_>) -> Result<(), Diagnostic> {
    for kernel in kernels::kernels(module) {
        let count = kernel.instructions().len() as u64;
        if count > MAX_OPTIMIZED {
            return Err(
                too_large(kernel, count, "instructions", MAX_OPTIMIZED).help(
                    "split the kernel, turn repeated code into loops, or take unroll hints away",
                ),
            );
        }
    }
    Ok(())
}

fn too_large(kernel: Function, count: u64, what: &str, most: u64) -> Diagnostic {
    let name = kernel.name();
    let message = format!("the kernel `{name}` has {count} {what}; at most {most} are taken");
    Diagnostic::new(Code::TooLarge, message).at(kernel.location(), "this kernel")
}

/// The instructions of a function and of all that it calls, each call counted.
fn inlined_size(function: Function, sizes: &mut BTreeMap<Function, u64>) -> u64 {
    if let Some(&size) = sizes.get(&function) {
        return size;
    }
    let mut size = 0u64;
    for instruction in function.instructions() {
        let called = match instruction.callee() {
            Some(Callee::Function(callee)) if !callee.is_declaration() => {
                inlined_size(callee, sizes)
            }
            Some(Callee::Function(_) | Callee::Assembly | Callee::Pointer) | None => 0,
        };
        size = size.saturating_add(1).saturating_add(called);
    }
    sizes.insert(function, size);
    size
}
