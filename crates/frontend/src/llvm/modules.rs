//! Modules: read from bitcode, linked, written again.

use std::cell::RefCell;
use std::ffi::{CStr, c_void};
use std::ptr;

use inkwell::context::{AsContextRef, Context};
use inkwell::module::Module;
use llvm_sys::LLVMDiagnosticSeverity;
use llvm_sys::bit_reader::{LLVMGetBitcodeModuleInContext2, LLVMParseBitcodeInContext2};
use llvm_sys::core::*;
use llvm_sys::linker::LLVMLinkModules2;
use llvm_sys::prelude::*;

/// A context of LLVM whose errors are kept: without a handler LLVM prints them and ends the process.
pub(crate) struct Session {
    // Dropped before what its handler writes to.
    context: Context,
    errors: Box<RefCell<Vec<String>>>,
}

impl Session {
    /// A fresh context.
    pub(crate) fn new() -> Session {
        let context = Context::create();
        let errors = Box::new(RefCell::new(Vec::new()));
        let kept = ptr::from_ref(&*errors).cast_mut().cast::<c_void>();
        // SAFETY: the box does not move and lives longer than the context.
        unsafe { LLVMContextSetDiagnosticHandler((&context).as_ctx_ref(), Some(keep_error), kept) }
        Session { context, errors }
    }

    /// The context.
    pub(crate) fn context(&self) -> &Context {
        &self.context
    }

    /// The errors that LLVM has reported since the last call.
    fn take_errors(&self) -> String {
        self.errors.take().join("\n")
    }

    /// Reads a whole module, or returns LLVM's error.
    pub(crate) fn parse_bitcode(&self, bitcode: &[u8]) -> Result<Module<'_>, String> {
        let mut module = ptr::null_mut();
        // SAFETY: the bytes outlive the buffer, which is disposed of once the module has been read from it.
        let module = unsafe {
            let buffer = memory_buffer(bitcode);
            let context = (&self.context).as_ctx_ref();
            let failed = LLVMParseBitcodeInContext2(context, buffer, &mut module);
            LLVMDisposeMemoryBuffer(buffer);
            if failed != 0 {
                return Err(self.take_errors());
            }
            Module::new(module)
        };
        module.verify().map_err(|message| message.to_string())?;
        Ok(module)
    }

    /// Links `other` into `module`, or returns LLVM's error.
    pub(crate) fn link(&self, module: &Module<'_>, other: Module<'_>) -> Result<(), String> {
        // SAFETY: both modules are live and of one context; the linker takes the second one over, so that its
        // owner here must not dispose of it.
        let failed = unsafe {
            let failed = LLVMLinkModules2(module.as_mut_ptr(), other.as_mut_ptr());
            std::mem::forget(other);
            failed
        };
        match failed {
            0 => Ok(()),
            _ => Err(self.take_errors()),
        }
    }
}

/// LLVM's diagnostic handler.
extern "C" fn keep_error(info: LLVMDiagnosticInfoRef, kept: *mut c_void) {
    // SAFETY: LLVM gives the live diagnostic and the pointer that the handler was set with; the description
    // is ours to dispose of.
    let (text, kept) = unsafe {
        if LLVMGetDiagInfoSeverity(info) != LLVMDiagnosticSeverity::LLVMDSError {
            return;
        }
        let description = LLVMGetDiagInfoDescription(info);
        let text = CStr::from_ptr(description).to_string_lossy().into_owned();
        LLVMDisposeMessage(description);
        (text, &*kept.cast::<RefCell<Vec<String>>>())
    };
    // Nothing borrows while LLVM runs; if it did, a lost message is better than a panic in C++.
    if let Ok(mut kept) = kept.try_borrow_mut() {
        kept.push(text);
    }
}

/// Opens a module whose function bodies are read when they are needed.
pub(crate) fn open_bitcode<'c>(context: &'c Context, bitcode: &'static [u8]) -> Module<'c> {
    let mut module = ptr::null_mut();
    // SAFETY: the bytes live for ever; the module takes the buffer over.
    unsafe {
        let buffer = memory_buffer(bitcode);
        let failed = LLVMGetBitcodeModuleInContext2(context.as_ctx_ref(), buffer, &mut module);
        assert!(
            failed == 0,
            "the build script wrote the library with this LLVM"
        );
        Module::new(module)
    }
}

/// SAFETY: the caller keeps `bitcode` alive as long as the buffer.
unsafe fn memory_buffer(bitcode: &[u8]) -> LLVMMemoryBufferRef {
    // SAFETY: pointer and length belong together; bitcode needs no terminator.
    unsafe {
        LLVMCreateMemoryBufferWithMemoryRange(
            bitcode.as_ptr().cast(),
            bitcode.len(),
            c"bitcode".as_ptr(),
            0,
        )
    }
}

/// Moves from `library` into `module` what `module` uses.
pub(crate) fn link_library(module: &Module<'_>, library: Module<'_>) {
    // SAFETY: both modules are live and of one context; the linker takes the second one over, so that its
    // owner here must not dispose of it.
    unsafe {
        LLVMSetDataLayout(
            library.as_mut_ptr(),
            LLVMGetDataLayoutStr(module.as_mut_ptr()),
        );
        LLVMSetTarget(library.as_mut_ptr(), LLVMGetTarget(module.as_mut_ptr()));
        let failed = LLVMLinkModules2(module.as_mut_ptr(), library.as_mut_ptr());
        std::mem::forget(library);
        assert!(
            failed == 0,
            "declarations of builtins agree with the library"
        );
    }
}
