//! Checks that clang could have generated a module from OpenCL C. LLVM's verifier accepts far more than that, and the
//! passes and the reader rely on the difference.
#![allow(unsafe_code, reason = "LLVM's C interface")]

use llvm_sys::core::{LLVMGetFirstGlobalAlias, LLVMGetFirstGlobalIFunc};

use crate::read::llvm::{Module, Opcode, Shape, Type, Value};

/// The widest integer: `_BitInt` has 128 bits in OpenCL C.
const MAX_BITS: u32 = 128;

/// The most lanes of a vector. OpenCL has 16; clang's own vectors may have more.
const MAX_LANES: u32 = 256;

/// How deep types are nested.
const MAX_NESTING: u32 = 32;

/// Returns an error that names the first thing that clang would not generate.
pub(crate) fn check(module: &inkwell::module::Module<'_>) -> Result<(), String> {
    if has_aliases(module) {
        return Err("it holds aliases".to_owned());
    }
    let module = Module::between_passes(module);
    for function in module.functions() {
        let signature = function.params().into_iter().map(Value::ty);
        if !signature.clone().all(|ty| is_plain(ty, 0)) {
            return Err(format!(
                "`{}` has a parameter of a foreign type",
                function.name()
            ));
        }
        for block in function.blocks() {
            for instruction in block.instructions() {
                check_instruction(instruction)
                    .map_err(|what| format!("`{}` holds {what}", function.name()))?;
            }
        }
    }
    Ok(())
}

/// Whether there are aliases or ifuncs.
fn has_aliases(module: &inkwell::module::Module<'_>) -> bool {
    // SAFETY: the module is live.
    unsafe {
        let raw = module.as_mut_ptr();
        !LLVMGetFirstGlobalAlias(raw).is_null() || !LLVMGetFirstGlobalIFunc(raw).is_null()
    }
}

fn check_instruction(instruction: Value<'_>) -> Result<(), String> {
    let opcode = instruction.opcode().expect("instructions have opcodes");
    if !is_plain(instruction.ty(), 0) {
        return Err("a value of a foreign type".to_owned());
    }
    if !instruction
        .operands()
        .all(|operand| is_plain(operand.ty(), 0))
    {
        return Err("a value of a foreign type".to_owned());
    }
    match opcode {
        Opcode::LLVMInvoke
        | Opcode::LLVMCallBr
        | Opcode::LLVMIndirectBr
        | Opcode::LLVMResume
        | Opcode::LLVMLandingPad
        | Opcode::LLVMCleanupRet
        | Opcode::LLVMCatchRet
        | Opcode::LLVMCatchPad
        | Opcode::LLVMCleanupPad
        | Opcode::LLVMCatchSwitch => Err("handling of exceptions".to_owned()),
        Opcode::LLVMCall => match instruction.calls_as_declared() {
            true => Ok(()),
            false => Err("a call that does not fit its function".to_owned()),
        },
        _ => Ok(()),
    }
}

/// Whether OpenCL C has the type, or clang generates it by itself.
fn is_plain(ty: Type<'_>, nesting: u32) -> bool {
    if nesting > MAX_NESTING {
        return false;
    }
    match ty.shape() {
        Shape::Void | Shape::Half | Shape::Float | Shape::Double | Shape::Opaque(_) => true,
        Shape::Int(bits) => bits <= MAX_BITS,
        Shape::Pointer(space) => space <= 4,
        Shape::Vector(element, lanes) => lanes <= MAX_LANES && is_plain(element, nesting + 1),
        Shape::Array(element, count) => count <= 1 << 32 && is_plain(element, nesting + 1),
        Shape::Struct(fields) => fields.into_iter().all(|field| is_plain(field, nesting + 1)),
        Shape::Other => ty.is_metadata_or_label(),
    }
}
