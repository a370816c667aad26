//! The part of LLVM's C interface that this half of the front end needs, behind safe functions.
//!
//! A [`Function`], [`Instruction`] or [`Variable`] is a bare pointer into a module. They are made and used only
//! while the stage that holds the module runs, and never kept past a call that may delete them (running passes,
//! linking): that is what the `SAFETY` lines below rely on as "live".
#![allow(unsafe_code, reason = "LLVM's C interface")]

mod annotations;
mod body;
mod modules;

use std::ffi::{CStr, CString, c_char};
use std::path::Path;

use inkwell::module::Module;
use llvm_sys::core::*;
use llvm_sys::debuginfo::*;
use llvm_sys::prelude::*;
use llvm_sys::{LLVMAttributeFunctionIndex, LLVMLinkage, LLVMTypeKind};

use crate::diagnostics::Location;
pub(crate) use annotations::{Annotated, Annotation, take_annotations};
pub(crate) use body::BodyBuilder;
pub(crate) use modules::{Session, link_library, open_bitcode};

/// The calling convention of kernels in LLVM's numbering.
const SPIR_KERNEL: u32 = 76;

/// A function of a live module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Function(pub LLVMValueRef);

/// An instruction of a live module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Instruction(pub LLVMValueRef);

/// A variable at program scope of a live module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Variable(pub LLVMValueRef);

/// A type of a live context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Type(pub LLVMTypeRef);

/// What a call calls.
pub(crate) enum Callee {
    /// A function by its name.
    Function(Function),
    /// Inline assembly.
    Assembly,
    /// A computed address.
    Pointer,
}

/// The functions of a module, defined and declared.
pub(crate) fn functions(module: &Module<'_>) -> Vec<Function> {
    // SAFETY: the module is live.
    let first = unsafe { LLVMGetFirstFunction(module.as_mut_ptr()) };
    // SAFETY: each value is a live function of the module.
    successive(first, |value| unsafe { LLVMGetNextFunction(value) })
        .map(Function)
        .collect()
}

/// The variables at program scope.
pub(crate) fn variables(module: &Module<'_>) -> Vec<Variable> {
    // SAFETY: the module is live.
    let first = unsafe { LLVMGetFirstGlobal(module.as_mut_ptr()) };
    // SAFETY: each value is a live variable of the module.
    successive(first, |value| unsafe { LLVMGetNextGlobal(value) })
        .map(Variable)
        .collect()
}

/// The function with this symbol.
pub(crate) fn function_named(module: &Module<'_>, name: &str) -> Option<Function> {
    let name = CString::new(name).expect("symbols hold no NUL");
    // SAFETY: the module is live; the name is terminated.
    let function = unsafe { LLVMGetNamedFunction(module.as_mut_ptr(), name.as_ptr()) };
    (!function.is_null()).then_some(Function(function))
}

fn successive(
    first: LLVMValueRef,
    next: impl Fn(LLVMValueRef) -> LLVMValueRef,
) -> impl Iterator<Item = LLVMValueRef> {
    let present = |value: LLVMValueRef| (!value.is_null()).then_some(value);
    std::iter::successors(present(first), move |value| present(next(*value)))
}

fn name_of(value: LLVMValueRef) -> String {
    let mut length = 0;
    // SAFETY: the value is live; LLVM gives its name with the length.
    let bytes = unsafe {
        let start = LLVMGetValueName2(value, &mut length);
        std::slice::from_raw_parts(start.cast::<u8>(), length)
    };
    String::from_utf8_lossy(bytes).into_owned()
}

impl Function {
    pub(crate) fn name(self) -> String {
        name_of(self.0)
    }

    pub(crate) fn is_declaration(self) -> bool {
        // SAFETY: a live function.
        unsafe { LLVMIsDeclaration(self.0) != 0 }
    }

    pub(crate) fn is_intrinsic(self) -> bool {
        // SAFETY: a live function.
        unsafe { LLVMGetIntrinsicID(self.0) != 0 }
    }

    pub(crate) fn is_kernel(self) -> bool {
        // SAFETY: a live function.
        unsafe { LLVMGetFunctionCallConv(self.0) == SPIR_KERNEL }
    }

    pub(crate) fn is_variadic(self) -> bool {
        // SAFETY: a live function's type is a function type.
        unsafe { LLVMIsFunctionVarArg(LLVMGlobalGetValueType(self.0)) != 0 }
    }

    /// Whether the body is one of C's `inline` functions, whose definition proper may be elsewhere.
    pub(crate) fn is_inline_copy(self) -> bool {
        // SAFETY: a live function.
        unsafe { LLVMGetLinkage(self.0) == LLVMLinkage::LLVMAvailableExternallyLinkage }
    }

    pub(crate) fn make_internal(self) {
        // SAFETY: a live function with a body, which may have any linkage.
        unsafe { LLVMSetLinkage(self.0, LLVMLinkage::LLVMInternalLinkage) }
    }

    /// Gives a declaration another name, one that the module does not have.
    pub(crate) fn rename(self, name: &str) {
        // SAFETY: a live function; LLVM copies the name.
        unsafe { LLVMSetValueName2(self.0, name.as_ptr().cast(), name.len()) }
    }

    /// Redirects all calls of this declaration to another function of the same type, and removes it.
    pub(crate) fn replace_by(self, other: Function) {
        replace_uses(self.0, other.0);
        // SAFETY: a live declaration without remaining uses; the callers do not keep it.
        unsafe { LLVMDeleteFunction(self.0) }
    }

    /// Removes a declaration that nothing uses.
    pub(crate) fn delete_unused(self) {
        // SAFETY: a live declaration; the callers do not keep it.
        unsafe {
            if self.is_declaration() && LLVMGetFirstUse(self.0).is_null() {
                LLVMDeleteFunction(self.0);
            }
        }
    }

    pub(crate) fn parameters(self) -> Vec<LLVMValueRef> {
        // SAFETY: a live function; the index is below the count.
        unsafe {
            (0..LLVMCountParams(self.0))
                .map(|index| LLVMGetParam(self.0, index))
                .collect()
        }
    }

    pub(crate) fn parameter_names(self) -> Vec<String> {
        self.parameters().into_iter().map(name_of).collect()
    }

    pub(crate) fn parameter_types(self) -> Vec<Type> {
        // SAFETY: live values have types.
        self.parameters()
            .into_iter()
            .map(|parameter| Type(unsafe { LLVMTypeOf(parameter) }))
            .collect()
    }

    pub(crate) fn return_type(self) -> Type {
        // SAFETY: a live function's type is a function type.
        Type(unsafe { LLVMGetReturnType(LLVMGlobalGetValueType(self.0)) })
    }

    pub(crate) fn instructions(self) -> Vec<Instruction> {
        // SAFETY: the function, its blocks and their instructions are live.
        unsafe {
            let mut all = Vec::new();
            let mut block = LLVMGetFirstBasicBlock(self.0);
            while !block.is_null() {
                all.extend(
                    successive(LLVMGetFirstInstruction(block), |value| {
                        LLVMGetNextInstruction(value)
                    })
                    .map(Instruction),
                );
                block = LLVMGetNextBasicBlock(block);
            }
            all
        }
    }

    /// The users of this function: calls, and instructions that take its address.
    pub(crate) fn users(self) -> Vec<LLVMValueRef> {
        let mut users = Vec::new();
        // SAFETY: a live function and its list of uses, walked to the end.
        unsafe {
            let mut current = LLVMGetFirstUse(self.0);
            while !current.is_null() {
                users.push(LLVMGetUser(current));
                current = LLVMGetNextUse(current);
            }
        }
        users
    }

    /// The calls of this function, in the order of the source as far as it is known.
    pub(crate) fn calls(self) -> Vec<Instruction> {
        let mut calls: Vec<Instruction> = self
            .users()
            .into_iter()
            // SAFETY: users are live values.
            .filter(|user| unsafe { !LLVMIsACallInst(*user).is_null() })
            .map(Instruction)
            .filter(
                |call| matches!(call.callee(), Some(Callee::Function(callee)) if callee == self),
            )
            .collect();
        calls.sort_by_key(|call| call.location());
        calls
    }

    /// Where the function is defined, if it has debug information.
    pub(crate) fn location(self) -> Option<Location> {
        // SAFETY: a live function; the subprogram and its file are checked for null.
        unsafe {
            let subprogram = LLVMGetSubprogram(self.0);
            if subprogram.is_null() {
                return None;
            }
            let file = LLVMDIScopeGetFile(subprogram);
            if file.is_null() {
                return None;
            }
            let (mut name_length, mut directory_length) = (0, 0);
            let name = LLVMDIFileGetFilename(file, &mut name_length);
            let directory = LLVMDIFileGetDirectory(file, &mut directory_length);
            Some(Location {
                file: source_file(text(directory, directory_length), text(name, name_length)),
                line: LLVMDISubprogramGetLine(subprogram),
                column: 0,
            })
        }
    }

    pub(crate) fn add_attribute(self, name: &str) {
        // SAFETY: a live function and its context; the attribute kind is known to LLVM.
        unsafe {
            let context = LLVMGetTypeContext(LLVMTypeOf(self.0));
            let attribute = LLVMCreateEnumAttribute(context, attribute_kind(name), 0);
            LLVMAddAttributeAtIndex(self.0, LLVMAttributeFunctionIndex, attribute);
        }
    }

    pub(crate) fn remove_attribute(self, name: &str) {
        // SAFETY: a live function; the attribute kind is known to LLVM.
        unsafe {
            LLVMRemoveEnumAttributeAtIndex(self.0, LLVMAttributeFunctionIndex, attribute_kind(name))
        }
    }

    /// Attributes of parameter `index`, counted from zero.
    pub(crate) fn add_parameter_attribute(self, index: u32, name: &str) {
        // SAFETY: a live function with that many parameters; in attribute lists parameters count from one.
        unsafe {
            let context = LLVMGetTypeContext(LLVMTypeOf(self.0));
            let attribute = LLVMCreateEnumAttribute(context, attribute_kind(name), 0);
            LLVMAddAttributeAtIndex(self.0, index + 1, attribute);
        }
    }

    /// The type that parameter `index`, a pointer, passes by value.
    pub(crate) fn by_value_type(self, index: u32) -> Option<Type> {
        // SAFETY: a live function with that many parameters; the attribute is checked for null.
        unsafe {
            let attribute = LLVMGetEnumAttributeAtIndex(self.0, index + 1, attribute_kind("byval"));
            (!attribute.is_null()).then(|| Type(LLVMGetTypeAttributeValue(attribute)))
        }
    }
}

fn attribute_kind(name: &str) -> u32 {
    // SAFETY: the name is given with its length.
    let kind = unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) };
    assert!(kind != 0, "LLVM 19 knows the attribute {name}");
    kind
}

impl Instruction {
    /// Takes an attribute from a single call.
    pub(crate) fn remove_call_attribute(self, name: &str) {
        // SAFETY: a live instruction; only calls have attributes.
        unsafe {
            if !LLVMIsACallInst(self.0).is_null() {
                let kind = attribute_kind(name);
                LLVMRemoveCallSiteEnumAttribute(self.0, LLVMAttributeFunctionIndex, kind);
            }
        }
    }

    /// What is called, if this is a call.
    pub(crate) fn callee(self) -> Option<Callee> {
        // SAFETY: a live instruction; only calls are asked for their callee.
        unsafe {
            if LLVMIsACallInst(self.0).is_null() {
                return None;
            }
            let callee = LLVMGetCalledValue(self.0);
            Some(if !LLVMIsAFunction(callee).is_null() {
                Callee::Function(Function(callee))
            } else if !LLVMIsAInlineAsm(callee).is_null() {
                Callee::Assembly
            } else {
                Callee::Pointer
            })
        }
    }

    /// Where it comes from in the source, if that is known.
    pub(crate) fn location(self) -> Option<Location> {
        // SAFETY: a live instruction.
        let column = unsafe { LLVMGetDebugLocColumn(self.0) };
        debug_location(self.0, column)
    }
}

impl Variable {
    fn address_space(self) -> u32 {
        // SAFETY: a live variable is a pointer.
        unsafe { LLVMGetPointerAddressSpace(LLVMTypeOf(self.0)) }
    }

    /// Whether it is in global memory: then other launches see what is written to it.
    pub(crate) fn is_global(self) -> bool {
        const GLOBAL: u32 = 1;
        self.address_space() == GLOBAL
    }

    /// Makes unused definitions removable, except variables whose contents persist between launches.
    pub(crate) fn limit_to_program(self) {
        let linkage = match self.is_global() {
            true => LLVMLinkage::LLVMExternalLinkage,
            false => LLVMLinkage::LLVMInternalLinkage,
        };
        // SAFETY: a live variable; declarations keep their linkage.
        unsafe {
            if LLVMIsDeclaration(self.0) == 0 {
                LLVMSetLinkage(self.0, linkage);
            }
        }
    }
}

/// The source location of an instruction or a variable.
fn debug_location(value: LLVMValueRef, column: u32) -> Option<Location> {
    let (mut name_length, mut directory_length) = (0, 0);
    // SAFETY: a live value; both names come with their lengths, null without debug information.
    unsafe {
        let name = LLVMGetDebugLocFilename(value, &mut name_length);
        let directory = LLVMGetDebugLocDirectory(value, &mut directory_length);
        (!name.is_null() && name_length > 0).then(|| Location {
            file: source_file(text(directory, directory_length), text(name, name_length)),
            line: LLVMGetDebugLocLine(value),
            column,
        })
    }
}

/// SAFETY: `start` is null or points to `length` bytes that live long enough to be copied.
unsafe fn text(start: *const c_char, length: u32) -> String {
    if start.is_null() {
        return String::new();
    }
    // SAFETY: as the caller promises.
    let bytes = unsafe { std::slice::from_raw_parts(start.cast::<u8>(), length as usize) };
    String::from_utf8_lossy(bytes).into_owned()
}

/// The file as the user names it: clang splits paths at a directory of its choice.
pub(crate) fn source_file(directory: String, name: String) -> String {
    // Text that is in no file has a name and no directory.
    if directory == "." {
        return name;
    }
    let path = Path::new(&directory).join(name);
    let relative = std::env::current_dir()
        .ok()
        .and_then(|here| path.strip_prefix(here).ok().map(Path::to_owned));
    relative.unwrap_or(path).display().to_string()
}

impl Type {
    /// Width and element of a vector.
    pub(crate) fn vector(self) -> Option<(u32, Type)> {
        // SAFETY: a live type; only vectors are asked for size and element.
        unsafe {
            (LLVMGetTypeKind(self.0) == LLVMTypeKind::LLVMVectorTypeKind)
                .then(|| (LLVMGetVectorSize(self.0), Type(LLVMGetElementType(self.0))))
        }
    }

    /// The name of one of OpenCL's opaque types: `spirv.Image`, `spirv.Sampler`, `spirv.Pipe`, `spirv.Event`.
    pub(crate) fn opaque_name(self) -> Option<String> {
        // SAFETY: a live type, printed into a string of its own that is disposed of after copying.
        unsafe {
            if LLVMGetTypeKind(self.0) != LLVMTypeKind::LLVMTargetExtTypeKind {
                return None;
            }
            let printed = LLVMPrintTypeToString(self.0);
            let text = CStr::from_ptr(printed).to_string_lossy().into_owned();
            LLVMDisposeMessage(printed);
            text.split('"').nth(1).map(str::to_owned)
        }
    }
}

/// Replaces every use of `old`.
pub(crate) fn replace_uses(old: LLVMValueRef, new: LLVMValueRef) {
    // SAFETY: two live values of one type.
    unsafe { LLVMReplaceAllUsesWith(old, new) }
}

/// Declares in `module` the function that `library` defines.
pub(crate) fn declare_like(module: &Module<'_>, defined: Function) -> Function {
    let name = defined.name();
    if let Some(function) = function_named(module, &name) {
        return function;
    }
    let name = CString::new(name).expect("symbols hold no NUL");
    // SAFETY: the type belongs to the context of both modules.
    unsafe {
        let function = LLVMAddFunction(
            module.as_mut_ptr(),
            name.as_ptr(),
            LLVMGlobalGetValueType(defined.0),
        );
        LLVMSetFunctionCallConv(function, LLVMGetFunctionCallConv(defined.0));
        Function(function)
    }
}

/// The LLVM type of a number by its letters in mangled names.
pub(crate) fn scalar_type(function: Function, letters: &str) -> Option<Type> {
    // SAFETY: the context of a live function is live.
    unsafe {
        let context = LLVMGetTypeContext(LLVMTypeOf(function.0));
        Some(Type(match letters {
            "c" | "a" | "h" => LLVMInt8TypeInContext(context),
            "s" | "t" => LLVMInt16TypeInContext(context),
            "i" | "j" => LLVMInt32TypeInContext(context),
            "l" | "m" => LLVMInt64TypeInContext(context),
            "Dh" => LLVMHalfTypeInContext(context),
            "f" => LLVMFloatTypeInContext(context),
            "d" => LLVMDoubleTypeInContext(context),
            _ => return None,
        }))
    }
}

/// The value as an instruction, if it is one.
pub(crate) fn instruction(value: LLVMValueRef) -> Option<Instruction> {
    // SAFETY: a live value.
    unsafe { (!LLVMIsAInstruction(value).is_null()).then_some(Instruction(value)) }
}
