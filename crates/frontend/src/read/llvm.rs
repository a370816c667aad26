//! Typed views of LLVM's values, types, blocks and metadata: the only place of the reader that
//! speaks C.
//!
//! Every view borrows the module, which owns what the raw pointers refer to. Nothing is changed
//! through a view, so the pointers stay valid and unique for the borrow.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_char, c_uint};
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
        // SAFETY: layout and type belong to the live module; callers ask for sized types.
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

    /// Whether it is the type of what is no value of a program.
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
        // SAFETY: `self` is a user: callers ask instructions, expressions and aggregates.
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
        // SAFETY: callers ask constant integers of at most 64 bits.
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

    /// Alignment of a load, store, alloca or global; 0 if it has none of its own.
    pub fn alignment(self) -> u32 {
        // SAFETY: callers ask the kinds of value that have an alignment.
        unsafe { LLVMGetAlignment(self.0) }
    }

    /// Whether a load or store is volatile.
    pub fn is_volatile(self) -> bool {
        // SAFETY: callers ask loads, stores and atomics.
        unsafe { LLVMGetVolatile(self.0) != 0 }
    }

    /// The ordering of a load, store or fence.
    pub fn ordering(self) -> Ordering {
        // SAFETY: callers ask loads, stores and fences.
        unsafe { LLVMGetOrdering(self.0) }
    }

    /// What an atomic read-modify-write does.
    pub fn rmw_op(self) -> RmwOp {
        // SAFETY: callers ask atomicrmw instructions.
        unsafe { LLVMGetAtomicRMWBinOp(self.0) }
    }

    /// The predicate of an integer comparison.
    pub fn int_predicate(self) -> IntPredicate {
        // SAFETY: callers ask icmp instructions.
        unsafe { LLVMGetICmpPredicate(self.0) }
    }

    /// The predicate of a float comparison.
    pub fn real_predicate(self) -> RealPredicate {
        // SAFETY: callers ask fcmp instructions.
        unsafe { LLVMGetFCmpPredicate(self.0) }
    }

    /// The shuffle mask; `None` for lanes that may hold anything.
    pub fn shuffle_mask(self) -> Vec<Option<u32>> {
        // SAFETY: callers ask shufflevector instructions; indices are below the mask's length.
        unsafe {
            (0..LLVMGetNumMaskElements(self.0))
                .map(|at| u32::try_from(LLVMGetMaskValue(self.0, at)).ok())
                .collect()
        }
    }

    /// The indices of an extractvalue or insertvalue.
    pub fn indices(self) -> Vec<u32> {
        // SAFETY: callers ask extractvalue and insertvalue; LLVM gives the start of that many
        // indices, which are copied.
        unsafe {
            let count = LLVMGetNumIndices(self.0) as usize;
            std::slice::from_raw_parts(LLVMGetIndices(self.0), count).to_vec()
        }
    }

    /// The type that a getelementptr's indices walk through.
    pub fn gep_source(self) -> Type<'m> {
        // SAFETY: callers ask getelementptr instructions and expressions.
        Type(unsafe { LLVMGetGEPSourceElementType(self.0) }, PhantomData)
    }

    /// The type that an alloca makes room for.
    pub fn allocated_type(self) -> Type<'m> {
        // SAFETY: callers ask allocas.
        Type(unsafe { LLVMGetAllocatedType(self.0) }, PhantomData)
    }

    /// A phi's value for the edge from `from`.
    pub fn incoming(self, from: Block<'m>) -> Value<'m> {
        // SAFETY: `self` is a phi and the indices are below its count.
        unsafe {
            (0..LLVMCountIncoming(self.0))
                .find(|&at| LLVMGetIncomingBlock(self.0, at) == from.0)
                .map(|at| Value(LLVMGetIncomingValue(self.0, at), PhantomData))
        }
        .expect("the module was verified: phis cover every predecessor")
    }

    /// Whether a branch is conditional.
    pub fn is_conditional(self) -> bool {
        // SAFETY: callers ask br instructions.
        unsafe { LLVMIsConditional(self.0) != 0 }
    }

    /// The function that a call calls, unless it is computed.
    pub fn callee(self) -> Option<Value<'m>> {
        // SAFETY: callers ask call instructions.
        let callee = Value(unsafe { LLVMGetCalledValue(self.0) }, PhantomData);
        (callee.kind() == ValueKind::Function).then_some(callee)
    }

    /// Whether a call calls a function by its name and with its type. LLVM asks for neither.
    pub fn calls_as_declared(self) -> bool {
        // SAFETY: callers ask call instructions; the callee is a live function.
        self.callee().is_some_and(|callee| unsafe {
            LLVMGetCalledFunctionType(self.0) == LLVMGlobalGetValueType(callee.0)
                && LLVMGetInstructionCallConv(self.0) == LLVMGetFunctionCallConv(callee.0)
        })
    }

    /// The arguments of a call.
    pub fn arguments(self) -> Vec<Value<'m>> {
        // SAFETY: callers ask call instructions; arguments are their first operands.
        let count = unsafe { LLVMGetNumArgOperands(self.0) };
        (0..count).map(|at| self.operand(at)).collect()
    }

    /// The alignment that a call promises for a pointer argument; 1 if it does not say.
    pub fn argument_align(self, at: u32) -> u32 {
        let name = "align";
        // SAFETY: callers ask call instructions; attribute index 0 is the return value.
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            let attribute = LLVMGetCallSiteEnumAttribute(self.0, at + 1, kind);
            match attribute.is_null() {
                true => 1,
                false => LLVMGetEnumAttributeValue(attribute) as u32,
            }
        }
    }

    /// Whether the operation may be fused with its neighbour into one rounding.
    pub fn may_contract(self) -> bool {
        // SAFETY: the flags are asked only of values that can have them.
        unsafe {
            LLVMCanValueUseFastMathFlags(self.0) != 0
                && LLVMGetFastMathFlags(self.0) & llvm_sys::LLVMFastMathAllowContract != 0
        }
    }

    /// The intrinsic's name without its types, if a function is one: `llvm.fabs`.
    pub fn intrinsic(self) -> Option<String> {
        // SAFETY: callers ask functions; the id was just found to be an intrinsic's.
        unsafe {
            match LLVMGetIntrinsicID(self.0) {
                0 => None,
                id => Some(counted(|length| LLVMIntrinsicGetName(id, length))),
            }
        }
    }

    /// A function's parameters.
    pub fn params(self) -> Vec<Value<'m>> {
        // SAFETY: callers ask functions; indices are below the count.
        unsafe {
            (0..LLVMCountParams(self.0))
                .map(|at| Value(LLVMGetParam(self.0, at), PhantomData))
                .collect()
        }
    }

    /// Whether a function has a body and is an OpenCL kernel.
    pub fn is_kernel(self) -> bool {
        let convention = llvm_sys::LLVMCallConv::LLVMSPIRKERNELCallConv as c_uint;
        // SAFETY: callers ask functions.
        unsafe { LLVMGetFunctionCallConv(self.0) == convention && LLVMIsDeclaration(self.0) == 0 }
    }

    /// A function's blocks, the entry first.
    pub fn blocks(self) -> impl Iterator<Item = Block<'m>> {
        let of = |raw: LLVMBasicBlockRef| (!raw.is_null()).then_some(Block(raw, PhantomData));
        // SAFETY: callers ask functions.
        let first = of(unsafe { LLVMGetFirstBasicBlock(self.0) });
        // SAFETY: `b` is a block of that function.
        std::iter::successors(first, move |b| of(unsafe { LLVMGetNextBasicBlock(b.0) }))
    }

    /// The type of a parameter that is passed by value through a pointer.
    pub fn by_value_type(self, param: u32) -> Option<Type<'m>> {
        let attribute = self.attribute(param, "byval")?;
        // SAFETY: `byval` is a type attribute.
        Some(Type(
            unsafe { LLVMGetTypeAttributeValue(attribute) },
            PhantomData,
        ))
    }

    /// The alignment that a function promises for a pointer parameter.
    pub fn param_align(self, param: u32) -> Option<u32> {
        let attribute = self.attribute(param, "align")?;
        // SAFETY: `align` is an integer attribute.
        Some(unsafe { LLVMGetEnumAttributeValue(attribute) } as u32)
    }

    fn attribute(self, param: u32, name: &str) -> Option<LLVMAttributeRef> {
        // SAFETY: callers ask functions; the name's bytes are readable and attribute index 0 is
        // the return value.
        let attribute = unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            LLVMGetEnumAttributeAtIndex(self.0, param + 1, kind)
        };
        (!attribute.is_null()).then_some(attribute)
    }

    /// The instruction as LLVM writes it, for messages about what we cannot read.
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
