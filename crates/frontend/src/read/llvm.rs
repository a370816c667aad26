//! Typed views of LLVM's modules, types, blocks and values: with `metadata`, the only part of the
//! reader that calls LLVM's C interface.
//!
//! Every view borrows the module, which owns what the raw pointers refer to. Nothing is changed
//! through a view, so the pointers stay valid and unique for the borrow.
#![allow(unsafe_code)]

mod function;
mod instruction;

use std::ffi::{CStr, c_char};
use std::marker::PhantomData;

use llvm_sys::LLVMTypeKind as Kind;
use llvm_sys::LLVMValueKind;
use llvm_sys::core::*;
use llvm_sys::prelude::*;
use llvm_sys::target::{
    LLVMABIAlignmentOfType, LLVMABISizeOfType, LLVMGetModuleDataLayout, LLVMOffsetOfElement,
    LLVMSizeOfTypeInBits, LLVMStoreSizeOfType, LLVMTargetDataRef,
};

pub use llvm_sys::{
    LLVMAtomicOrdering as Ordering, LLVMAtomicRMWBinOp as RmwOp, LLVMIntPredicate as IntPredicate,
    LLVMOpcode as Opcode, LLVMRealPredicate as RealPredicate,
};

/// A module, borrowed for reading.
#[derive(Clone, Copy)]
pub struct Module<'m> {
    raw: LLVMModuleRef,
    layout: LLVMTargetDataRef,
    owner: PhantomData<&'m ()>,
}

/// A value: constant, argument, instruction, block or function.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Value<'m>(LLVMValueRef, PhantomData<&'m ()>);

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Block<'m>(LLVMBasicBlockRef, PhantomData<&'m ()>);

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Type<'m>(LLVMTypeRef, PhantomData<&'m ()>);

/// What a type is made of.
#[derive(Clone, PartialEq, Eq)]
pub enum Shape<'m> {
    Void,
    Int(u32),
    Half,
    Float,
    Double,
    /// A pointer into the numbered address space.
    Pointer(u32),
    Vector(Type<'m>, u32),
    Array(Type<'m>, u64),
    Struct(Vec<Type<'m>>),
    /// OpenCL's opaque types, by the name of their extension type.
    Opaque(String),
    Other,
}

/// What a value is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ValueKind {
    Argument,
    Instruction,
    /// A constant expression: has an opcode and operands like an instruction.
    Expression,
    GlobalVariable,
    Function,
    Undefined,
    Int,
    Real,
    Null,
    /// A constant vector, array or struct.
    Aggregate,
    Other,
}

/// Reads a string that LLVM owns, given by a function that returns its start and sets its length.
fn counted(read: impl FnOnce(*mut usize) -> *const c_char) -> String {
    let mut length = 0;
    let start = read(&mut length);
    if start.is_null() {
        return String::new();
    }
    // SAFETY: `read` is an LLVM accessor: it returned the start of `length` readable bytes that
    // live as long as the module, and they are copied before anything else runs.
    let bytes = unsafe { std::slice::from_raw_parts(start.cast::<u8>(), length) };
    String::from_utf8_lossy(bytes).into_owned()
}

impl<'m> Module<'m> {
    /// Borrows a module for reading.
    pub fn new(module: &'m inkwell::module::Module<'_>) -> Module<'m> {
        let view = Module::between_passes(module);
        // SAFETY: `raw` is a live module. Variables' names are read from debug intrinsics, the
        // form that C sees; nothing holds on to the records that they are made from.
        unsafe { LLVMSetIsNewDbgInfoFormat(view.raw, 0) };
        view
    }

    /// Borrows a module for a look before it is optimised further. Variables have no names there.
    pub fn between_passes(module: &'m inkwell::module::Module<'_>) -> Module<'m> {
        let raw = module.as_mut_ptr();
        Module {
            raw,
            // SAFETY: `raw` is a live module for 'm and owns its data layout.
            layout: unsafe { LLVMGetModuleDataLayout(raw) },
            owner: PhantomData,
        }
    }

    /// The functions in the module's order.
    pub fn functions(self) -> impl Iterator<Item = Value<'m>> {
        // SAFETY: `raw` is a live module; the returned function, if any, belongs to it.
        let first = unsafe { Value::new(LLVMGetFirstFunction(self.raw)) };
        // SAFETY: `f` is a function of the live module.
        std::iter::successors(first, |f| unsafe { Value::new(LLVMGetNextFunction(f.0)) })
    }

    /// The global variables in the module's order.
    pub fn globals(self) -> impl Iterator<Item = Value<'m>> {
        // SAFETY: `raw` is a live module; the returned variable, if any, belongs to it.
        let first = unsafe { Value::new(LLVMGetFirstGlobal(self.raw)) };
        // SAFETY: `g` is a variable of the live module.
        std::iter::successors(first, |g| unsafe { Value::new(LLVMGetNextGlobal(g.0)) })
    }

    /// Bytes from one array element of this type to the next.
    pub fn size(self, ty: Type<'m>) -> u64 {
        // SAFETY: layout and type belong to the live module; called only with sized types.
        unsafe { LLVMABISizeOfType(self.layout, ty.0) }
    }

    /// Bytes that a store of this type writes.
    pub fn store_size(self, ty: Type<'m>) -> u64 {
        // SAFETY: as in `size`.
        unsafe { LLVMStoreSizeOfType(self.layout, ty.0) }
    }

    /// Bits of a value of this type.
    pub fn bits(self, ty: Type<'m>) -> u64 {
        // SAFETY: as in `size`.
        unsafe { LLVMSizeOfTypeInBits(self.layout, ty.0) }
    }

    /// The alignment that the layout gives the type.
    pub fn align(self, ty: Type<'m>) -> u32 {
        // SAFETY: as in `size`.
        unsafe { LLVMABIAlignmentOfType(self.layout, ty.0) }
    }

    /// Byte offset of a struct's field.
    pub fn field_offset(self, ty: Type<'m>, field: u32) -> u64 {
        // SAFETY: `ty` is a sized struct with more than `field` fields: callers took the number
        // from its shape.
        unsafe { LLVMOffsetOfElement(self.layout, ty.0, field) }
    }
}

impl<'m> Type<'m> {
    /// What the type is made of.
    pub fn shape(self) -> Shape<'m> {
        let of = |raw| Type(raw, PhantomData);
        // SAFETY: `self` is a type of the live module's context; each accessor is called for the
        // kind that it is made for.
        unsafe {
            match LLVMGetTypeKind(self.0) {
                Kind::LLVMVoidTypeKind => Shape::Void,
                Kind::LLVMIntegerTypeKind => Shape::Int(LLVMGetIntTypeWidth(self.0)),
                Kind::LLVMHalfTypeKind => Shape::Half,
                Kind::LLVMFloatTypeKind => Shape::Float,
                Kind::LLVMDoubleTypeKind => Shape::Double,
                Kind::LLVMPointerTypeKind => Shape::Pointer(LLVMGetPointerAddressSpace(self.0)),
                Kind::LLVMVectorTypeKind => {
                    Shape::Vector(of(LLVMGetElementType(self.0)), LLVMGetVectorSize(self.0))
                }
                Kind::LLVMArrayTypeKind => {
                    Shape::Array(of(LLVMGetElementType(self.0)), LLVMGetArrayLength2(self.0))
                }
                Kind::LLVMStructTypeKind => Shape::Struct(
                    (0..LLVMCountStructElementTypes(self.0))
                        .map(|field| of(LLVMStructGetTypeAtIndex(self.0, field)))
                        .collect(),
                ),
                Kind::LLVMTargetExtTypeKind => {
                    let name = CStr::from_ptr(LLVMGetTargetExtTypeName(self.0));
                    Shape::Opaque(name.to_string_lossy().into_owned())
                }
                _ => Shape::Other,
            }
        }
    }

    /// Whether it is the type of metadata or of a label, which are not values of a program.
    pub fn is_metadata_or_label(self) -> bool {
        // SAFETY: `self` is a type of the live module's context.
        let kind = unsafe { LLVMGetTypeKind(self.0) };
        matches!(kind, Kind::LLVMMetadataTypeKind | Kind::LLVMLabelTypeKind)
    }

    /// The type as LLVM writes it.
    pub fn text(self) -> String {
        // SAFETY: LLVM returns a fresh nul-terminated string that is freed after it was copied.
        unsafe {
            let text = LLVMPrintTypeToString(self.0);
            let copy = CStr::from_ptr(text).to_string_lossy().into_owned();
            LLVMDisposeMessage(text);
            copy
        }
    }
}

impl<'m> Block<'m> {
    /// The instructions, the terminator last.
    pub fn instructions(self) -> impl Iterator<Item = Value<'m>> {
        // SAFETY: `self` is a block of the live module.
        let first = unsafe { Value::new(LLVMGetFirstInstruction(self.0)) };
        // SAFETY: `i` is an instruction of that block.
        std::iter::successors(first, |i| unsafe {
            Value::new(LLVMGetNextInstruction(i.0))
        })
    }

    /// The phi instructions.
    pub fn phis(self) -> impl Iterator<Item = Value<'m>> {
        self.instructions()
            .take_while(|i| i.opcode() == Some(Opcode::LLVMPHI))
    }

    /// The last instruction.
    pub fn terminator(self) -> Value<'m> {
        // SAFETY: `self` is a block of the live module; a verified block has a terminator.
        unsafe { Value::new(LLVMGetBasicBlockTerminator(self.0)) }
            .expect("the module was verified: every block has a terminator")
    }

    /// The blocks that the terminator may go to, in its order.
    pub fn successors(self) -> Vec<Block<'m>> {
        let terminator = self.terminator().0;
        // SAFETY: the terminator is an instruction and the indices are below its count.
        unsafe {
            (0..LLVMGetNumSuccessors(terminator))
                .map(|i| Block(LLVMGetSuccessor(terminator, i), PhantomData))
                .collect()
        }
    }
}

impl<'m> Value<'m> {
    /// # Safety
    /// `raw` is null or a value of a module that lives for `'m`.
    unsafe fn new(raw: LLVMValueRef) -> Option<Value<'m>> {
        (!raw.is_null()).then_some(Value(raw, PhantomData))
    }

    /// The raw value, for the views of metadata.
    pub(super) fn raw(self) -> LLVMValueRef {
        self.0
    }

    /// The view of a raw value.
    ///
    /// # Safety
    /// `raw` is a value of a module that lives for `'m`.
    pub(super) unsafe fn from_raw(raw: LLVMValueRef) -> Value<'m> {
        Value(raw, PhantomData)
    }

    /// What kind of value this is.
    pub fn kind(self) -> ValueKind {
        use LLVMValueKind::*;
        // SAFETY: `self` is a live value.
        match unsafe { LLVMGetValueKind(self.0) } {
            LLVMArgumentValueKind => ValueKind::Argument,
            LLVMInstructionValueKind => ValueKind::Instruction,
            LLVMConstantExprValueKind => ValueKind::Expression,
            LLVMGlobalVariableValueKind => ValueKind::GlobalVariable,
            LLVMFunctionValueKind => ValueKind::Function,
            LLVMUndefValueValueKind | LLVMPoisonValueKind => ValueKind::Undefined,
            LLVMConstantIntValueKind => ValueKind::Int,
            LLVMConstantFPValueKind => ValueKind::Real,
            LLVMConstantPointerNullValueKind => ValueKind::Null,
            LLVMConstantArrayValueKind
            | LLVMConstantStructValueKind
            | LLVMConstantVectorValueKind
            | LLVMConstantAggregateZeroValueKind
            | LLVMConstantDataArrayValueKind
            | LLVMConstantDataVectorValueKind => ValueKind::Aggregate,
            _ => ValueKind::Other,
        }
    }

    /// The value's type.
    pub fn ty(self) -> Type<'m> {
        // SAFETY: `self` is a live value.
        Type(unsafe { LLVMTypeOf(self.0) }, PhantomData)
    }

    /// The value's name, empty if it has none.
    pub fn name(self) -> String {
        // SAFETY: `self` is a live value and the length's address is writable.
        counted(|length| unsafe { LLVMGetValueName2(self.0, length) })
    }

    /// The opcode of an instruction or constant expression.
    pub fn opcode(self) -> Option<Opcode> {
        match self.kind() {
            // SAFETY: `self` is an instruction.
            ValueKind::Instruction => Some(unsafe { LLVMGetInstructionOpcode(self.0) }),
            // SAFETY: `self` is a constant expression.
            ValueKind::Expression => Some(unsafe { LLVMGetConstOpcode(self.0) }),
            _ => None,
        }
    }

    /// Number of operands.
    pub fn num_operands(self) -> u32 {
        // SAFETY: `self` is a user: called only on instructions, expressions and aggregates.
        unsafe { LLVMGetNumOperands(self.0) as u32 }
    }

    /// An operand of an instruction or constant expression.
    pub fn operand(self, at: u32) -> Value<'m> {
        assert!(
            at < self.num_operands(),
            "operand {at} of `{}`",
            self.name()
        );
        // SAFETY: the index was checked; operands belong to the live module.
        Value(unsafe { LLVMGetOperand(self.0, at) }, PhantomData)
    }

    /// The operands.
    pub fn operands(self) -> impl Iterator<Item = Value<'m>> {
        (0..self.num_operands()).map(move |at| self.operand(at))
    }

    /// The operand as a block, for terminators.
    pub fn as_block(self) -> Block<'m> {
        // SAFETY: callers pass operands that are blocks, such as a switch's destinations.
        Block(unsafe { LLVMValueAsBasicBlock(self.0) }, PhantomData)
    }

    /// The low 64 bits of a constant integer, zero-extended.
    pub fn int_bits(self) -> u64 {
        // SAFETY: called only on constant integers of at most 64 bits.
        unsafe { LLVMConstIntGetZExtValue(self.0) }
    }

    /// The value of a constant integer, if this is one of at most 64 bits.
    pub fn as_int(self) -> Option<i64> {
        let narrow = matches!(self.ty().shape(), Shape::Int(1..=64));
        if self.kind() != ValueKind::Int || !narrow {
            return None;
        }
        // SAFETY: `self` is a constant integer of at most 64 bits.
        Some(unsafe { LLVMConstIntGetSExtValue(self.0) })
    }

    /// A constant of any scalar or vector type as a constant of an integer type of the same width.
    pub fn as_integer_constant(self, bits: u32) -> Value<'m> {
        // SAFETY: `self` is a constant with `bits` bits, so the cast is valid and folds; the
        // result belongs to the context.
        unsafe {
            let context = LLVMGetTypeContext(LLVMTypeOf(self.0));
            let ty = LLVMIntTypeInContext(context, bits);
            Value(LLVMConstBitCast(self.0, ty), PhantomData)
        }
    }

    /// The value of a constant integer of at most 128 bits: C sees only its text, `i128 -5`.
    pub fn wide_int(self) -> Option<i128> {
        self.text().split_once(' ')?.1.parse().ok()
    }

    /// An element of a constant aggregate, zero and undefined ones included.
    pub fn element(self, at: u32) -> Value<'m> {
        // SAFETY: `self` is a constant of aggregate type with more than `at` elements.
        unsafe { Value::new(LLVMGetAggregateElement(self.0, at)) }
            .expect("constant aggregates have an element for every index of their type")
    }

    /// The initialiser of a global variable.
    pub fn initializer(self) -> Option<Value<'m>> {
        // SAFETY: `self` is a global variable.
        unsafe { Value::new(LLVMGetInitializer(self.0)) }
    }

    /// Whether a global variable is never written.
    pub fn is_constant_global(self) -> bool {
        // SAFETY: `self` is a global variable.
        unsafe { LLVMIsGlobalConstant(self.0) != 0 }
    }

    /// The type of what a global variable holds.
    pub fn global_type(self) -> Type<'m> {
        // SAFETY: `self` is a global variable.
        Type(unsafe { LLVMGlobalGetValueType(self.0) }, PhantomData)
    }

    /// The instruction as LLVM prints it, for messages about unsupported instructions.
    pub fn text(self) -> String {
        // SAFETY: LLVM returns a fresh nul-terminated string that is freed after it was copied.
        unsafe {
            let text = LLVMPrintValueToString(self.0);
            let copy = CStr::from_ptr(text).to_string_lossy().into_owned();
            LLVMDisposeMessage(text);
            copy.trim().to_owned()
        }
    }
}
