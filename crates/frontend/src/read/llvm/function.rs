//! Accessors for functions.

use std::ffi::c_uint;
use std::marker::PhantomData;

use llvm_sys::core::*;
use llvm_sys::prelude::*;

use super::{Block, Type, Value, counted};

impl<'m> Value<'m> {
    /// The intrinsic's name without its types, if a function is one: `llvm.fabs`.
    pub fn intrinsic(self) -> Option<String> {
        // SAFETY: called only on functions; the id was just found to be an intrinsic's.
        unsafe {
            match LLVMGetIntrinsicID(self.0) {
                0 => None,
                id => Some(counted(|length| LLVMIntrinsicGetName(id, length))),
            }
        }
    }

    /// A function's parameters.
    pub fn params(self) -> Vec<Value<'m>> {
        // SAFETY: called only on functions; indices are below the count.
        unsafe {
            (0..LLVMCountParams(self.0))
                .map(|at| Value(LLVMGetParam(self.0, at), PhantomData))
                .collect()
        }
    }

    /// Whether a function has a body and is an OpenCL kernel.
    pub fn is_kernel(self) -> bool {
        let convention = llvm_sys::LLVMCallConv::LLVMSPIRKERNELCallConv as c_uint;
        // SAFETY: called only on functions.
        unsafe { LLVMGetFunctionCallConv(self.0) == convention && LLVMIsDeclaration(self.0) == 0 }
    }

    /// A function's blocks, the entry first.
    pub fn blocks(self) -> impl Iterator<Item = Block<'m>> {
        let of = |raw: LLVMBasicBlockRef| (!raw.is_null()).then_some(Block(raw, PhantomData));
        // SAFETY: called only on functions.
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

    /// The alignment that a function guarantees for a pointer parameter.
    pub fn param_align(self, param: u32) -> Option<u32> {
        let attribute = self.attribute(param, "align")?;
        // SAFETY: `align` is an integer attribute.
        Some(unsafe { LLVMGetEnumAttributeValue(attribute) } as u32)
    }

    /// An attribute of a parameter that is a text.
    pub fn param_text(self, param: u32, name: &str) -> Option<String> {
        // SAFETY: called only on functions; the name's bytes are readable, attribute index 0 is the return value,
        // and an attribute found by its text holds a text.
        unsafe {
            let (start, length) = (name.as_ptr().cast(), name.len() as u32);
            let attribute = LLVMGetStringAttributeAtIndex(self.0, param + 1, start, length);
            if attribute.is_null() {
                return None;
            }
            Some(counted(|length| {
                let mut count = 0;
                let start = LLVMGetStringAttributeValue(attribute, &mut count);
                *length = count as usize;
                start
            }))
        }
    }

    fn attribute(self, param: u32, name: &str) -> Option<LLVMAttributeRef> {
        // SAFETY: called only on functions; the name's bytes are readable and attribute index 0 is
        // the return value.
        let attribute = unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            LLVMGetEnumAttributeAtIndex(self.0, param + 1, kind)
        };
        (!attribute.is_null()).then_some(attribute)
    }
}
