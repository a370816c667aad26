//! Vector builtins, lane by lane: `clamp(float4, float, float)` becomes four calls of
//! `clamp(float, float, float)`.

use inkwell::module::Module;
use llvm_sys::prelude::LLVMValueRef;

use super::mangling::{self, Signature};
use crate::llvm::{self, BodyBuilder, Function, Type};

/// Gives `function` a body of scalar calls; false if it has no vector result or the library no such scalar.
pub(super) fn define(
    module: &Module<'_>,
    library: &Module<'_>,
    function: Function,
    signature: &Signature,
) -> bool {
    let Some((width, element)) = function.return_type().vector() else {
        return false;
    };
    let Some(arguments) = arguments(function, signature, width) else {
        return false;
    };
    let Some(scalar) = scalar_function(library, signature, element) else {
        return false;
    };
    if scalar.parameters().len() != arguments.len() {
        return false;
    }
    let scalar = llvm::declare_like(module, scalar);
    let body = BodyBuilder::begin(module, function);
    let mut result = body.poison(function.return_type());
    for lane in 0..width {
        let mut values: Vec<LLVMValueRef> = arguments
            .iter()
            .map(|argument| argument.lane(&body, lane))
            .collect();
        let value = body.call(scalar, &mut values);
        result = body.insert(result, value, lane);
    }
    body.return_value(result);
    true
}

/// The function that computes one lane: a separate one if the scalar function behaves differently.
fn scalar_function(library: &Module<'_>, signature: &Signature, element: Type) -> Option<Function> {
    let plain = signature.lane();
    let special = Signature {
        name: format!("__sluice_lane_{}", plain.name),
        ..plain.clone()
    };
    [special, plain]
        .iter()
        .filter_map(|candidate| llvm::function_named(library, &candidate.mangled()))
        .find(|candidate| !candidate.is_declaration() && candidate.return_type() == element)
}

/// How a parameter of the vector function reaches the lanes.
enum Argument {
    /// Each lane has its element.
    Elements(LLVMValueRef),
    /// Each lane has the address of its element in memory.
    Addresses(LLVMValueRef, Type),
    /// All lanes have the same value.
    Shared(LLVMValueRef),
}

impl Argument {
    fn lane(&self, body: &BodyBuilder, lane: u32) -> LLVMValueRef {
        match *self {
            Argument::Elements(vector) => body.extract(vector, lane),
            Argument::Addresses(pointer, element) => body.element_address(pointer, element, lane),
            Argument::Shared(value) => value,
        }
    }
}

fn arguments(function: Function, signature: &Signature, width: u32) -> Option<Vec<Argument>> {
    let values = function.parameters();
    if values.len() != signature.parameters.len() {
        return None;
    }
    let types = function.parameter_types();
    let mut arguments = Vec::new();
    for ((value, type_), spelled) in values.into_iter().zip(types).zip(&signature.parameters) {
        arguments.push(match (type_.vector(), spelled) {
            (Some((own_width, _)), _) if own_width == width => Argument::Elements(value),
            (Some(_), _) => return None,
            (None, mangling::Type::Pointer(pointee)) => {
                Argument::Addresses(value, pointee_element(pointee, width, function)?)
            }
            (None, _) => Argument::Shared(value),
        });
    }
    Some(arguments)
}

/// The LLVM type of the elements behind a pointer to vectors of `width`, which LLVM's own pointers do not tell.
fn pointee_element(pointee: &mangling::Type, width: u32, function: Function) -> Option<Type> {
    match pointee {
        mangling::Type::Qualified(_, inner) => pointee_element(inner, width, function),
        mangling::Type::Vector(own_width, element) if *own_width == width => match **element {
            mangling::Type::Scalar(letters) => llvm::scalar_type(function, letters),
            mangling::Type::Vector(..)
            | mangling::Type::Qualified(..)
            | mangling::Type::Pointer(_)
            | mangling::Type::Named(_) => None,
        },
        mangling::Type::Vector(..)
        | mangling::Type::Scalar(_)
        | mangling::Type::Pointer(_)
        | mangling::Type::Named(_) => None,
    }
}
