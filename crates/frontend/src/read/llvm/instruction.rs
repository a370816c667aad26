//! Accessors for particular instructions: each is called only on the instructions that it names.

use std::marker::PhantomData;

use llvm_sys::core::*;

use super::{Block, IntPredicate, Ordering, RealPredicate, RmwOp, Type, Value, ValueKind};

impl<'m> Value<'m> {
    /// Alignment of a load, store, alloca or global; 0 if it has none of its own.
    pub fn alignment(self) -> u32 {
        // SAFETY: called only on values that have an alignment.
        unsafe { LLVMGetAlignment(self.0) }
    }

    /// Whether a load or store is volatile.
    pub fn is_volatile(self) -> bool {
        // SAFETY: called only on loads, stores and atomics.
        unsafe { LLVMGetVolatile(self.0) != 0 }
    }

    /// The ordering of a load, store or fence.
    pub fn ordering(self) -> Ordering {
        // SAFETY: called only on loads, stores and fences.
        unsafe { LLVMGetOrdering(self.0) }
    }

    /// What an atomic read-modify-write does.
    pub fn rmw_op(self) -> RmwOp {
        // SAFETY: called only on atomicrmw instructions.
        unsafe { LLVMGetAtomicRMWBinOp(self.0) }
    }

    /// The predicate of an integer comparison.
    pub fn int_predicate(self) -> IntPredicate {
        // SAFETY: called only on icmp instructions.
        unsafe { LLVMGetICmpPredicate(self.0) }
    }

    /// The predicate of a float comparison.
    pub fn real_predicate(self) -> RealPredicate {
        // SAFETY: called only on fcmp instructions.
        unsafe { LLVMGetFCmpPredicate(self.0) }
    }

    /// The shuffle mask; `None` for lanes that may hold anything.
    pub fn shuffle_mask(self) -> Vec<Option<u32>> {
        // SAFETY: called only on shufflevector instructions; indices are below the mask's length.
        unsafe {
            (0..LLVMGetNumMaskElements(self.0))
                .map(|at| u32::try_from(LLVMGetMaskValue(self.0, at)).ok())
                .collect()
        }
    }

    /// The indices of an extractvalue or insertvalue.
    pub fn indices(self) -> Vec<u32> {
        // SAFETY: called only on extractvalue and insertvalue; LLVM gives the start of that many
        // indices, which are copied.
        unsafe {
            let count = LLVMGetNumIndices(self.0) as usize;
            std::slice::from_raw_parts(LLVMGetIndices(self.0), count).to_vec()
        }
    }

    /// The type that a getelementptr's indices refer to.
    pub fn gep_source(self) -> Type<'m> {
        // SAFETY: called only on getelementptr instructions and expressions.
        Type(unsafe { LLVMGetGEPSourceElementType(self.0) }, PhantomData)
    }

    /// The type that an alloca allocates.
    pub fn allocated_type(self) -> Type<'m> {
        // SAFETY: called only on allocas.
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
        // SAFETY: called only on br instructions.
        unsafe { LLVMIsConditional(self.0) != 0 }
    }

    /// The function that a call calls, unless it is computed.
    pub fn callee(self) -> Option<Value<'m>> {
        // SAFETY: called only on call instructions.
        let callee = Value(unsafe { LLVMGetCalledValue(self.0) }, PhantomData);
        (callee.kind() == ValueKind::Function).then_some(callee)
    }

    /// Whether a call calls a function by its name and with its type. LLVM's verifier requires neither.
    pub fn calls_as_declared(self) -> bool {
        // SAFETY: called only on call instructions; the callee is a live function.
        self.callee().is_some_and(|callee| unsafe {
            LLVMGetCalledFunctionType(self.0) == LLVMGlobalGetValueType(callee.0)
                && LLVMGetInstructionCallConv(self.0) == LLVMGetFunctionCallConv(callee.0)
        })
    }

    /// The arguments of a call.
    pub fn arguments(self) -> Vec<Value<'m>> {
        // SAFETY: called only on call instructions; arguments are their first operands.
        let count = unsafe { LLVMGetNumArgOperands(self.0) };
        (0..count).map(|at| self.operand(at)).collect()
    }

    /// The alignment that a call guarantees for a pointer argument; 1 if there is no attribute.
    pub fn argument_align(self, at: u32) -> u32 {
        let name = "align";
        // SAFETY: called only on call instructions; attribute index 0 is the return value.
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            let attribute = LLVMGetCallSiteEnumAttribute(self.0, at + 1, kind);
            match attribute.is_null() {
                true => 1,
                false => LLVMGetEnumAttributeValue(attribute) as u32,
            }
        }
    }

    /// Whether the operation may be contracted with another one to a single rounding.
    pub fn may_contract(self) -> bool {
        // SAFETY: the flags are read only from values that can have them.
        unsafe {
            LLVMCanValueUseFastMathFlags(self.0) != 0
                && LLVMGetFastMathFlags(self.0) & llvm_sys::LLVMFastMathAllowContract != 0
        }
    }
}
