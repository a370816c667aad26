//! Views of metadata: the kernel's description, source locations, loop hints, debug types.
#![allow(unsafe_code)]

use std::ffi::{c_char, c_uint};
use std::marker::PhantomData;

use llvm_sys::core::*;
use llvm_sys::debuginfo::*;
use llvm_sys::prelude::*;

use super::llvm::{Value, ValueKind};
use crate::diagnostics::Location;

/// A metadata node, or a string or constant in one.
#[derive(Clone, Copy)]
pub struct Node<'m>(LLVMValueRef, PhantomData<&'m ()>);

impl<'m> Node<'m> {
    /// # Safety
    /// `raw` is null or a metadata value of a module that lives for `'m`.
    unsafe fn new(raw: LLVMValueRef) -> Option<Node<'m>> {
        (!raw.is_null()).then_some(Node(raw, PhantomData))
    }

    /// The metadata of this kind that is attached to a function.
    pub fn of_function(function: Value<'m>, kind: &str) -> Option<Node<'m>> {
        let mut count = 0;
        // SAFETY: `function` is a live function; the returned array holds `count` entries, is read
        // within its bounds and freed once.
        unsafe {
            let context = LLVMGetTypeContext(LLVMTypeOf(function.raw()));
            let kind = kind_id(context, kind);
            let entries = LLVMGlobalCopyAllMetadata(function.raw(), &mut count);
            let found = (0..count as c_uint)
                .find(|&at| LLVMValueMetadataEntriesGetKind(entries, at) == kind)
                .map(|at| LLVMValueMetadataEntriesGetMetadata(entries, at));
            LLVMDisposeValueMetadataEntries(entries);
            found.and_then(|metadata| Node::new(LLVMMetadataAsValue(context, metadata)))
        }
    }

    /// The metadata of this kind that is attached to an instruction.
    pub fn of_instruction(instruction: Value<'m>, kind: &str) -> Option<Node<'m>> {
        // SAFETY: `instruction` is a live instruction.
        unsafe {
            let context = LLVMGetTypeContext(LLVMTypeOf(instruction.raw()));
            Node::new(LLVMGetMetadata(instruction.raw(), kind_id(context, kind)))
        }
    }

    /// The function's debug information.
    pub fn subprogram(function: Value<'m>) -> Option<Node<'m>> {
        Node::of_function(function, "dbg")
    }

    /// The metadata that an intrinsic call has as an argument.
    pub fn of_argument(argument: Value<'m>) -> Option<Node<'m>> {
        // SAFETY: `argument` is a live value.
        unsafe { Node::new(argument.raw()) }
    }

    /// The operands of a node; absent ones are `None`.
    pub fn operands(self) -> Vec<Option<Node<'m>>> {
        if self.as_string().is_some() || !self.is_node() {
            return Vec::new();
        }
        // SAFETY: `self` wraps a metadata node, which fills exactly as many entries as it counts.
        unsafe {
            let count = LLVMGetMDNodeNumOperands(self.0) as usize;
            let mut operands = vec![std::ptr::null_mut(); count];
            LLVMGetMDNodeOperands(self.0, operands.as_mut_ptr());
            operands.into_iter().map(|raw| Node::new(raw)).collect()
        }
    }

    /// Replaces an operand by a property without values.
    pub fn replace_operand(self, at: usize, name: &str) {
        // SAFETY: `self` wraps a metadata node with more than `at` operands; the new one is of its context.
        unsafe {
            let context = LLVMGetTypeContext(LLVMTypeOf(self.0));
            let mut name = LLVMMDStringInContext2(context, name.as_ptr().cast(), name.len());
            let property = LLVMMDNodeInContext2(context, &mut name, 1);
            LLVMReplaceMDNodeOperandWith(self.0, at as u32, property);
        }
    }

    /// One operand of a node.
    pub fn operand(self, at: usize) -> Option<Node<'m>> {
        self.operands().get(at).copied().flatten()
    }

    fn is_node(self) -> bool {
        // SAFETY: `self` is a live value. LLVM counts wrapped values as nodes: not those.
        unsafe { !LLVMIsAMDNode(self.0).is_null() && LLVMIsAValueAsMetadata(self.0).is_null() }
    }

    /// The text of a metadata string.
    pub fn as_string(self) -> Option<String> {
        let mut length = 0;
        // SAFETY: `self` is a live value; a non-null result is the start of `length` bytes.
        unsafe {
            let start = LLVMGetMDString(self.0, &mut length);
            (!start.is_null()).then(|| text(start, length))
        }
    }

    /// The value of a constant integer in metadata.
    pub fn as_int(self) -> Option<i64> {
        self.as_value().and_then(Value::as_int)
    }

    /// The value that metadata wraps.
    pub fn as_value(self) -> Option<Value<'m>> {
        // SAFETY: `self` is a live value. Wrapped values are exactly one each, which LLVM writes to
        // the one place given; constants among a node's operands come unwrapped.
        unsafe {
            let mut value = self.0;
            if LLVMGetValueKind(value) == llvm_sys::LLVMValueKind::LLVMMetadataAsValueValueKind {
                if LLVMIsAValueAsMetadata(value).is_null() {
                    return None;
                }
                LLVMGetMDNodeOperands(self.0, &mut value);
            }
            (!value.is_null()).then(|| Value::from_raw(value))
        }
        .filter(|value| value.kind() != ValueKind::Other)
    }

    /// The source location that this node is.
    pub fn as_location(self) -> Option<Location> {
        // SAFETY: `self` wraps metadata, which is asked for its kind first; a location's scope always exists.
        unsafe {
            if !self.is_node() {
                return None;
            }
            let metadata = LLVMValueAsMetadata(self.0);
            let kind = LLVMGetMetadataKind(metadata);
            if !matches!(kind, LLVMMetadataKind::LLVMDILocationMetadataKind) {
                return None;
            }
            Some(Location {
                file: file_name(LLVMDILocationGetScope(metadata))?,
                line: LLVMDILocationGetLine(metadata),
                column: LLVMDILocationGetColumn(metadata),
            })
        }
    }

    /// Size in bytes of the debug type that this node is, typedefs and qualifiers looked through.
    pub fn debug_size(self) -> Option<u64> {
        // SAFETY: `self` wraps metadata; the tag and the size are asked of type nodes only.
        let size = unsafe {
            let metadata = LLVMValueAsMetadata(self.0);
            if !is_debug_type(metadata) {
                return None;
            }
            LLVMDITypeGetSizeInBits(metadata)
        };
        match size {
            0 => self.base_type()?.debug_size(),
            bits => Some(bits / 8),
        }
    }

    /// Whether this is the debug type of a pointer.
    pub fn is_pointer_type(self) -> bool {
        const DW_TAG_POINTER_TYPE: u16 = 0x0f;
        // SAFETY: `self` wraps metadata; the tag is asked of type nodes only.
        unsafe {
            let metadata = LLVMValueAsMetadata(self.0);
            is_debug_type(metadata) && LLVMGetDINodeTag(metadata) == DW_TAG_POINTER_TYPE
        }
    }

    /// What a debug type is derived from: a pointer's pointee, a typedef's type.
    pub fn base_type(self) -> Option<Node<'m>> {
        // Operand 3 is the base type in both derived and composite types.
        self.operand(3)
    }

    /// Types of a function's parameters, from its debug information.
    pub fn parameter_types(self) -> Vec<Option<Node<'m>>> {
        // A subprogram's operand 4 is its type, whose operand 3 lists result and parameters.
        let types = self.operand(4).and_then(|ty| ty.operand(3));
        types.map_or(Vec::new(), |types| {
            types.operands().into_iter().skip(1).collect()
        })
    }
}

/// Where a function is declared.
pub fn function_location(function: Value<'_>) -> Option<Location> {
    // SAFETY: `function` is a live function; the accessors are called on what they are made for.
    unsafe {
        let subprogram = LLVMGetSubprogram(function.raw());
        if subprogram.is_null() {
            return None;
        }
        Some(Location {
            file: file_name(subprogram)?,
            line: LLVMDISubprogramGetLine(subprogram),
            column: 0,
        })
    }
}

/// Where an instruction comes from: the innermost inlined location that has a line.
pub fn instruction_location(instruction: Value<'_>) -> Option<Location> {
    // SAFETY: `instruction` is a live instruction.
    let mut location = unsafe { LLVMInstructionGetDebugLoc(instruction.raw()) };
    while !location.is_null() {
        // SAFETY: `location` is a location node; its scope always exists.
        unsafe {
            let line = LLVMDILocationGetLine(location);
            if let Some(file) = file_name(LLVMDILocationGetScope(location))
                && line != 0
            {
                let column = LLVMDILocationGetColumn(location);
                return Some(Location { file, line, column });
            }
            location = LLVMDILocationGetInlinedAt(location);
        }
    }
    None
}

/// Where a global variable is declared.
pub fn global_location(global: Value<'_>) -> Option<Location> {
    let expression = Node::of_function(global, "dbg")?;
    // SAFETY: a global variable's debug attachment is a global variable expression, whose variable
    // always exists.
    unsafe {
        let variable = LLVMDIGlobalVariableExpressionGetVariable(LLVMValueAsMetadata(expression.0));
        let file = LLVMDIVariableGetFile(variable);
        if file.is_null() {
            return None;
        }
        Some(Location {
            file: name_of_file(file),
            line: LLVMDIVariableGetLine(variable),
            column: 0,
        })
    }
}

/// # Safety
/// `scope` is a scope of debug information.
unsafe fn file_name(scope: LLVMMetadataRef) -> Option<String> {
    // SAFETY: the caller passes a scope; its file, if any, is a file node.
    unsafe {
        let file = LLVMDIScopeGetFile(scope);
        (!file.is_null()).then(|| name_of_file(file))
    }
}

/// # Safety
/// `file` is a file node of debug information.
unsafe fn name_of_file(file: LLVMMetadataRef) -> String {
    let (mut name_length, mut directory_length) = (0, 0);
    // SAFETY: the accessors return the starts of as many bytes as they count, which are copied.
    unsafe {
        let name = LLVMDIFileGetFilename(file, &mut name_length);
        let directory = LLVMDIFileGetDirectory(file, &mut directory_length);
        crate::llvm::source_file(text(directory, directory_length), text(name, name_length))
    }
}

/// # Safety
/// `start` is null or the start of `length` bytes.
unsafe fn text(start: *const c_char, length: c_uint) -> String {
    if start.is_null() {
        return String::new();
    }
    // SAFETY: as the caller promises; the bytes are copied.
    let bytes = unsafe { std::slice::from_raw_parts(start.cast::<u8>(), length as usize) };
    String::from_utf8_lossy(bytes).into_owned()
}

/// # Safety
/// `metadata` is live.
unsafe fn is_debug_type(metadata: LLVMMetadataRef) -> bool {
    use LLVMMetadataKind::*;
    // SAFETY: the caller passes live metadata.
    let kind = unsafe { LLVMGetMetadataKind(metadata) };
    matches!(
        kind,
        LLVMDIBasicTypeMetadataKind
            | LLVMDIDerivedTypeMetadataKind
            | LLVMDICompositeTypeMetadataKind
    )
}

/// # Safety
/// `context` is live.
unsafe fn kind_id(context: LLVMContextRef, name: &str) -> c_uint {
    // SAFETY: the name's bytes are readable for its length.
    unsafe {
        LLVMGetMDKindIDInContext(
            context,
            name.as_ptr().cast::<c_char>(),
            name.len() as c_uint,
        )
    }
}
