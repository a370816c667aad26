//! Builds the bodies of functions that the front end generates.
#![allow(unsafe_code, reason = "LLVM's C interface")]

use inkwell::module::Module;
use llvm_sys::LLVMIntPredicate;
use llvm_sys::core::*;
use llvm_sys::prelude::*;

use super::{Function, Type, attribute_kind};

/// Writes the body of a declared function.
pub(crate) struct BodyBuilder {
    builder: LLVMBuilderRef,
    module: LLVMModuleRef,
}

impl BodyBuilder {
    /// Starts the body of `function`.
    pub(crate) fn begin(module: &Module<'_>, function: Function) -> BodyBuilder {
        // SAFETY: module and function are live and of one context.
        unsafe {
            let context = LLVMGetModuleContext(module.as_mut_ptr());
            let block = LLVMAppendBasicBlockInContext(context, function.0, c"entry".as_ptr());
            let builder = LLVMCreateBuilderInContext(context);
            LLVMPositionBuilderAtEnd(builder, block);
            BodyBuilder {
                builder,
                module: module.as_mut_ptr(),
            }
        }
    }

    /// Starts before the first instruction of a function that has a body.
    pub(crate) fn at_entry(module: &Module<'_>, function: Function) -> BodyBuilder {
        // SAFETY: module and function are live; a defined function has an entry block with an instruction.
        unsafe {
            let builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module.as_mut_ptr()));
            let entry = LLVMGetEntryBasicBlock(function.0);
            LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(entry));
            BodyBuilder {
                builder,
                module: module.as_mut_ptr(),
            }
        }
    }

    fn index(&self, index: u32) -> LLVMValueRef {
        // SAFETY: the module's context is live.
        unsafe {
            LLVMConstInt(
                LLVMInt32TypeInContext(LLVMGetModuleContext(self.module)),
                index.into(),
                0,
            )
        }
    }

    pub(crate) fn extract(&self, vector: LLVMValueRef, lane: u32) -> LLVMValueRef {
        self.extract_at(vector, self.index(lane))
    }

    pub(crate) fn extract_at(&self, vector: LLVMValueRef, lane: LLVMValueRef) -> LLVMValueRef {
        // SAFETY: `vector` is a live vector, `lane` a live integer.
        unsafe { LLVMBuildExtractElement(self.builder, vector, lane, c"".as_ptr()) }
    }

    pub(crate) fn insert(
        &self,
        vector: LLVMValueRef,
        element: LLVMValueRef,
        lane: u32,
    ) -> LLVMValueRef {
        // SAFETY: `element` has the element type of the live `vector`.
        unsafe {
            LLVMBuildInsertElement(
                self.builder,
                vector,
                element,
                self.index(lane),
                c"".as_ptr(),
            )
        }
    }

    pub(crate) fn poison(&self, type_: Type) -> LLVMValueRef {
        // SAFETY: a live type.
        unsafe { LLVMGetPoison(type_.0) }
    }

    /// `value & mask`, for an integer value.
    pub(crate) fn and(&self, value: LLVMValueRef, mask: u64) -> LLVMValueRef {
        // SAFETY: `value` is a live integer.
        unsafe {
            LLVMBuildAnd(
                self.builder,
                value,
                LLVMConstInt(LLVMTypeOf(value), mask, 0),
                c"".as_ptr(),
            )
        }
    }

    /// Whether an integer value is below `bound`, unsigned.
    pub(crate) fn below(&self, value: LLVMValueRef, bound: u64) -> LLVMValueRef {
        // SAFETY: `value` is a live integer.
        unsafe {
            let bound = LLVMConstInt(LLVMTypeOf(value), bound, 0);
            LLVMBuildICmp(
                self.builder,
                LLVMIntPredicate::LLVMIntULT,
                value,
                bound,
                c"".as_ptr(),
            )
        }
    }

    pub(crate) fn select(
        &self,
        condition: LLVMValueRef,
        yes: LLVMValueRef,
        no: LLVMValueRef,
    ) -> LLVMValueRef {
        // SAFETY: a live truth value and two live values of one type.
        unsafe { LLVMBuildSelect(self.builder, condition, yes, no, c"".as_ptr()) }
    }

    /// The address of element `lane` of what `pointer` points to.
    pub(crate) fn element_address(
        &self,
        pointer: LLVMValueRef,
        element: Type,
        lane: u32,
    ) -> LLVMValueRef {
        // SAFETY: `pointer` is a live pointer to a vector of `element`s.
        unsafe {
            LLVMBuildInBoundsGEP2(
                self.builder,
                element.0,
                pointer,
                [self.index(lane)].as_mut_ptr(),
                1,
                c"".as_ptr(),
            )
        }
    }

    pub(crate) fn call(&self, function: Function, arguments: &mut [LLVMValueRef]) -> LLVMValueRef {
        // SAFETY: the caller passes live values of the function's parameter types.
        unsafe {
            let type_ = LLVMGlobalGetValueType(function.0);
            let count = u32::try_from(arguments.len()).expect("builtins have few parameters");
            let call = LLVMBuildCall2(
                self.builder,
                type_,
                function.0,
                arguments.as_mut_ptr(),
                count,
                c"".as_ptr(),
            );
            LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(function.0));
            call
        }
    }

    /// Calls LLVM's intrinsic `name` for values of `type_`.
    pub(crate) fn call_intrinsic(
        &self,
        name: &str,
        type_: Type,
        arguments: &mut [LLVMValueRef],
    ) -> LLVMValueRef {
        // SAFETY: the intrinsic is overloaded on one type, which the arguments have.
        let function = unsafe {
            let id = LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len());
            assert!(id != 0, "LLVM 19 knows the intrinsic {name}");
            Function(LLVMGetIntrinsicDeclaration(
                self.module,
                id,
                [type_.0].as_mut_ptr(),
                1,
            ))
        };
        self.call(function, arguments)
    }

    pub(crate) fn return_value(self, value: LLVMValueRef) {
        // SAFETY: `value` has the function's return type.
        unsafe {
            LLVMBuildRet(self.builder, value);
        }
    }

    /// A variable of `type_` with the alignment that the parameter `like` promises.
    pub(crate) fn variable(&self, type_: Type, like: LLVMValueRef) -> LLVMValueRef {
        // SAFETY: `type_` is a live sized type.
        unsafe {
            let variable = LLVMBuildAlloca(self.builder, type_.0, c"by.value".as_ptr());
            LLVMSetAlignment(variable, alignment_of(like));
            variable
        }
    }

    /// Copies the `type_` that the parameter `from` points to into `variable`.
    pub(crate) fn fill(&self, variable: LLVMValueRef, from: LLVMValueRef, type_: Type) {
        let alignment = alignment_of(from);
        // SAFETY: both are live pointers to a `type_`, which is sized.
        unsafe {
            LLVMBuildMemCpy(
                self.builder,
                variable,
                alignment,
                from,
                alignment,
                LLVMSizeOf(type_.0),
            );
        }
    }
}

impl Drop for BodyBuilder {
    fn drop(&mut self) {
        // SAFETY: this value created the builder and is its only owner.
        unsafe { LLVMDisposeBuilder(self.builder) }
    }
}

/// The alignment in bytes that a pointer parameter promises.
fn alignment_of(parameter: LLVMValueRef) -> u32 {
    // SAFETY: a live parameter of a live function; the attribute is checked for null.
    unsafe {
        let function = LLVMGetParamParent(parameter);
        let index = (0..LLVMCountParams(function))
            .find(|index| LLVMGetParam(function, *index) == parameter)
            .expect("a parameter is one of its function's");
        let attribute = LLVMGetEnumAttributeAtIndex(function, index + 1, attribute_kind("align"));
        if attribute.is_null() {
            return 1;
        }
        u32::try_from(LLVMGetEnumAttributeValue(attribute)).expect("alignments are small")
    }
}
