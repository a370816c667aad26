//! What macros of the command line leave in a module for attributes and builtins that clang does not know:
//! annotations of variables and parameters, and functions that only mark a pointer.

use std::ffi::c_char;

use inkwell::module::Module;
use llvm_sys::LLVMOpcode;
use llvm_sys::core::*;
use llvm_sys::prelude::*;

use super::{Function, Instruction, Variable, functions, variables};

/// The variable in which clang lists annotations of variables at program scope and of local memory.
const GLOBAL_ANNOTATIONS: &str = "llvm.global.annotations";

/// The intrinsic for annotations of parameters and private variables.
const ANNOTATION: &str = "llvm.var.annotation";

/// An `annotate` attribute of the source.
#[derive(Debug)]
pub(crate) struct Annotation {
    pub text: String,
    pub file: String,
    pub line: u32,
    pub of: Annotated,
}

/// What has an annotation.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Annotated {
    /// A variable at program scope, or local memory.
    Variable(Variable),
    /// A function's parameter, by its index.
    Parameter(Function, u32),
    /// A private variable.
    Private,
}

/// Removes the annotations of a module, and returns them in the order of the source.
pub(crate) fn take_annotations(module: &Module<'_>) -> Vec<Annotation> {
    let mut found = Vec::new();
    for variable in variables(module) {
        if super::name_of(variable.0) == GLOBAL_ANNOTATIONS {
            // SAFETY: a live variable, which goes only if nothing uses it.
            unsafe {
                let list = LLVMGetInitializer(variable.0);
                found.extend(operands(list).into_iter().filter_map(|entry| {
                    let [of, text, file, line, _] = operands(entry).try_into().ok()?;
                    let of = without_casts(of);
                    let of = LLVMIsAGlobalVariable(of);
                    let of = (!of.is_null()).then_some(Annotated::Variable(Variable(of)))?;
                    Some(annotation(of, [text, file, line]))
                }));
                if LLVMGetFirstUse(variable.0).is_null() {
                    LLVMDeleteGlobal(variable.0);
                }
            }
        }
    }
    let is_annotation = |function: &Function| function.name().starts_with(ANNOTATION);
    for function in functions(module).into_iter().filter(is_annotation) {
        for call in function.calls() {
            // SAFETY: a live call of the intrinsic, which has five arguments and no result.
            unsafe {
                let argument = |at| LLVMGetOperand(call.0, at);
                let of = parameter_in(without_casts(argument(0)));
                found.push(annotation(of, [1, 2, 3].map(argument)));
                LLVMInstructionEraseFromParent(call.0);
            }
        }
    }
    found.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
    found
}

/// # Safety
/// The values are live constants: two texts and a line.
unsafe fn annotation(of: Annotated, [text, file, line]: [LLVMValueRef; 3]) -> Annotation {
    // SAFETY: as the caller promises; what is no variable or number is looked at no further.
    unsafe {
        Annotation {
            text: contents(text).map_or_else(String::new, |it| text_of(it)),
            file: contents(file).map_or_else(String::new, |it| text_of(it)),
            line: number(line).unwrap_or(0) as u32,
            of,
        }
    }
}

/// The parameter that a variable was made for: clang stores it there first.
///
/// # Safety
/// `variable` is a live value.
unsafe fn parameter_in(variable: LLVMValueRef) -> Annotated {
    // SAFETY: uses and their users are live; only stores are asked for their operands.
    unsafe {
        let mut current = LLVMGetFirstUse(variable);
        while !current.is_null() {
            let user = LLVMGetUser(current);
            if !LLVMIsAStoreInst(user).is_null() && LLVMGetOperand(user, 1) == variable {
                let stored = LLVMGetOperand(user, 0);
                if !LLVMIsAArgument(stored).is_null() {
                    let function = Function(LLVMGetParamParent(stored));
                    let parameters = function.parameters();
                    let index = parameters.iter().position(|&it| it == stored);
                    let index = index.expect("a function has its parameters") as u32;
                    return Annotated::Parameter(function, index);
                }
            }
            current = LLVMGetNextUse(current);
        }
        Annotated::Private
    }
}

/// # Safety
/// `value` is a live value.
unsafe fn operands(value: LLVMValueRef) -> Vec<LLVMValueRef> {
    // SAFETY: as the caller promises; only what has operands is asked for them.
    unsafe {
        if value.is_null() || LLVMIsAUser(value).is_null() {
            return Vec::new();
        }
        let count = LLVMGetNumOperands(value).max(0) as u32;
        (0..count).map(|at| LLVMGetOperand(value, at)).collect()
    }
}

/// # Safety
/// `value` is a live value.
unsafe fn without_casts(mut value: LLVMValueRef) -> LLVMValueRef {
    // SAFETY: as the caller promises; casts have one operand.
    unsafe {
        loop {
            let is_cast = match (LLVMIsAConstantExpr(value), LLVMIsAInstruction(value)) {
                (expression, _) if !expression.is_null() => {
                    LLVMGetConstOpcode(value) == LLVMOpcode::LLVMAddrSpaceCast
                }
                (_, instruction) if !instruction.is_null() => {
                    LLVMGetInstructionOpcode(value) == LLVMOpcode::LLVMAddrSpaceCast
                }
                _ => false,
            };
            if !is_cast {
                return value;
            }
            value = LLVMGetOperand(value, 0);
        }
    }
}

/// What a constant variable holds.
///
/// # Safety
/// `pointer` is a live value.
unsafe fn contents(pointer: LLVMValueRef) -> Option<LLVMValueRef> {
    // SAFETY: as the caller promises; only variables are asked for their contents.
    unsafe {
        let variable = LLVMIsAGlobalVariable(without_casts(pointer));
        let contents = (!variable.is_null()).then(|| LLVMGetInitializer(variable))?;
        (!contents.is_null()).then_some(contents)
    }
}

/// # Safety
/// `value` is a live constant.
unsafe fn text_of(value: LLVMValueRef) -> String {
    // SAFETY: as the caller promises; only texts are asked for their bytes, which are copied.
    unsafe {
        if LLVMIsConstantString(value) == 0 {
            return String::new();
        }
        let mut length = 0;
        let start: *const c_char = LLVMGetAsString(value, &mut length);
        let bytes = std::slice::from_raw_parts(start.cast::<u8>(), length);
        let text = bytes.strip_suffix(b"\0").unwrap_or(bytes);
        String::from_utf8_lossy(text).into_owned()
    }
}

/// # Safety
/// `value` is a live constant.
unsafe fn number(value: LLVMValueRef) -> Option<i64> {
    // SAFETY: as the caller promises; only integers of up to 64 bits are asked for their value.
    unsafe {
        let is_number = !LLVMIsAConstantInt(value).is_null();
        let is_number = is_number && LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= 64;
        is_number.then(|| LLVMConstIntGetSExtValue(value))
    }
}

impl Variable {
    /// Gives it metadata that holds a number.
    pub(crate) fn set_number(self, name: &str, number: u32) {
        // SAFETY: a live variable and values of its context.
        unsafe {
            let context = LLVMGetTypeContext(LLVMTypeOf(self.0));
            let number = LLVMConstInt(LLVMInt32TypeInContext(context), number.into(), 0);
            let mut number = LLVMValueAsMetadata(number);
            let node = LLVMMDNodeInContext2(context, &mut number, 1);
            LLVMGlobalSetMetadata(self.0, kind_id(context, name), node);
        }
    }

    /// Whether it is in local memory.
    pub(crate) fn is_local(self) -> bool {
        const LOCAL: u32 = 3;
        self.address_space() == LOCAL
    }
}

impl Function {
    /// Gives parameter `index`, counted from zero, an attribute that is a text.
    pub(crate) fn set_parameter_text(self, index: u32, name: &str, text: &str) {
        // SAFETY: a live function with that many parameters, which count from one; LLVM copies the texts.
        unsafe {
            let context = LLVMGetTypeContext(LLVMTypeOf(self.0));
            let attribute = LLVMCreateStringAttribute(
                context,
                name.as_ptr().cast(),
                name.len() as u32,
                text.as_ptr().cast(),
                text.len() as u32,
            );
            LLVMAddAttributeAtIndex(self.0, index + 1, attribute);
        }
    }

    /// The address space that parameter `index` points to, if it is a pointer.
    pub(crate) fn pointed_space(self, index: u32) -> Option<u32> {
        let parameter = self.parameters()[index as usize];
        // SAFETY: a live parameter; only pointers are asked for their space.
        unsafe {
            let ty = LLVMTypeOf(parameter);
            let is_pointer = LLVMGetTypeKind(ty) == llvm_sys::LLVMTypeKind::LLVMPointerTypeKind;
            is_pointer.then(|| LLVMGetPointerAddressSpace(ty))
        }
    }
}

impl Instruction {
    /// For a call that returns its argument, a pointer: gives the loads and stores through it metadata that is a
    /// text, and removes the call. Calls of another form, which clang does not make, stay.
    pub(crate) fn mark_accesses(self, name: &str, text: &str) {
        // SAFETY: a live instruction; only calls are asked for their arguments.
        let has_form = unsafe {
            !LLVMIsACallInst(self.0).is_null()
                && LLVMGetNumArgOperands(self.0) == 1
                && LLVMTypeOf(LLVMGetOperand(self.0, 0)) == LLVMTypeOf(self.0)
        };
        if !has_form {
            return;
        }
        // SAFETY: a live call with one argument of the type of its result, which takes its place.
        unsafe {
            let context = LLVMGetTypeContext(LLVMTypeOf(self.0));
            let mut text = LLVMMDStringInContext2(context, text.as_ptr().cast(), text.len());
            let node = LLVMMDNodeInContext2(context, &mut text, 1);
            mark(
                self.0,
                kind_id(context, name),
                LLVMMetadataAsValue(context, node),
            );
            LLVMReplaceAllUsesWith(self.0, LLVMGetOperand(self.0, 0));
            LLVMInstructionEraseFromParent(self.0);
        }
    }
}

/// Marks the loads and stores through a pointer, and through those to its elements.
///
/// # Safety
/// `pointer` is a live value, and `node` a metadata node of its context.
unsafe fn mark(pointer: LLVMValueRef, kind: u32, node: LLVMValueRef) {
    let mut pointers = vec![pointer];
    while let Some(pointer) = pointers.pop() {
        // SAFETY: uses and their users are live; each is asked for the operands that it has.
        unsafe {
            let mut current = LLVMGetFirstUse(pointer);
            while !current.is_null() {
                let user = LLVMGetUser(current);
                current = LLVMGetNextUse(current);
                if LLVMIsAInstruction(user).is_null() {
                    continue;
                }
                match LLVMGetInstructionOpcode(user) {
                    LLVMOpcode::LLVMLoad => LLVMSetMetadata(user, kind, node),
                    LLVMOpcode::LLVMStore if LLVMGetOperand(user, 1) == pointer => {
                        LLVMSetMetadata(user, kind, node);
                    }
                    LLVMOpcode::LLVMGetElementPtr if LLVMGetOperand(user, 0) == pointer => {
                        pointers.push(user);
                    }
                    _ => {}
                }
            }
        }
    }
}

/// # Safety
/// `context` is live.
unsafe fn kind_id(context: LLVMContextRef, name: &str) -> u32 {
    // SAFETY: the name is given with its length.
    unsafe { LLVMGetMDKindIDInContext(context, name.as_ptr().cast(), name.len() as u32) }
}
