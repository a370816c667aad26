//! LLVM's types as the IR's: scalars, and the lanes that vectors and aggregates flatten to.

use sluice_kernel::ir::{Space, Type};

use super::Result;
use super::llvm::{self, Shape};
use super::refusal::{Code, Refusal};

/// The space with LLVM's number.
pub fn space(number: u32) -> Result<Space> {
    match number {
        0 => Ok(Space::Private),
        1 => Ok(Space::Global),
        2 => Ok(Space::Constant),
        3 => Ok(Space::Local),
        4 => Ok(Space::Generic),
        other => Err(Refusal::new(
            Code::UnsupportedType,
            format!("there is no address space {other} in OpenCL C"),
        )),
    }
}

/// The IR type of a scalar of at most 64 bits.
pub fn scalar(ty: llvm::Type<'_>) -> Result<Type> {
    match ty.shape() {
        Shape::Int(bits @ 1..=64) => Ok(Type::Int(bits as u8)),
        Shape::Half => Ok(Type::F16),
        Shape::Float => Ok(Type::F32),
        Shape::Double => Ok(Type::F64),
        Shape::Pointer(number) => Ok(Type::Ptr(space(number)?)),
        Shape::Opaque(_)
        | Shape::Int(_)
        | Shape::Void
        | Shape::Vector(..)
        | Shape::Array(..)
        | Shape::Struct(_)
        | Shape::Other => Err(unsupported(ty)),
    }
}

/// The scalars that a value of this type is made of: vectors and aggregates flattened, integers of
/// more than 64 bits as 64-bit words with the lowest first.
pub fn lanes(ty: llvm::Type<'_>) -> Result<Vec<Type>> {
    match ty.shape() {
        Shape::Void => Ok(Vec::new()),
        Shape::Int(bits @ 65..) => {
            let mut words = vec![Type::I64; bits as usize / 64];
            if bits % 64 != 0 {
                words.push(Type::Int((bits % 64) as u8));
            }
            Ok(words)
        }
        Shape::Vector(element, count) => Ok(vec![scalar(element)?; count as usize]),
        Shape::Array(element, count) => Ok(lanes(element)?.repeat(count as usize)),
        Shape::Struct(fields) => {
            let fields: Result<Vec<_>> = fields.into_iter().map(lanes).collect();
            Ok(fields?.concat())
        }
        Shape::Int(_)
        | Shape::Half
        | Shape::Float
        | Shape::Double
        | Shape::Pointer(_)
        | Shape::Opaque(_)
        | Shape::Other => Ok(vec![scalar(ty)?]),
    }
}

/// Whether this is an integer of more than 64 bits.
pub fn is_wide(ty: llvm::Type<'_>) -> bool {
    matches!(ty.shape(), Shape::Int(65..))
}

/// The lanes of an aggregate's element and the number of lanes before it.
pub fn element<'m>(ty: llvm::Type<'m>, at: u32) -> Result<(llvm::Type<'m>, usize)> {
    match ty.shape() {
        Shape::Struct(fields) => {
            let mut before = 0;
            for &field in &fields[..at as usize] {
                before += lanes(field)?.len();
            }
            Ok((fields[at as usize], before))
        }
        Shape::Array(element, _) => Ok((element, lanes(element)?.len() * at as usize)),
        Shape::Void
        | Shape::Int(_)
        | Shape::Half
        | Shape::Float
        | Shape::Double
        | Shape::Pointer(_)
        | Shape::Vector(..)
        | Shape::Opaque(_)
        | Shape::Other => Err(unsupported(ty)),
    }
}

/// The refusal of a type.
pub fn unsupported(ty: llvm::Type<'_>) -> Refusal {
    let shape = ty.shape();
    let text = ty.text();
    if text == "fp128" {
        let message = "values of the type `long double` are not supported";
        return Refusal::new(Code::UnsupportedType, message).help("use double");
    }
    let message = if let Shape::Opaque(name) = shape {
        format!("values of the opaque type `{name}` are not supported")
    } else if let Shape::Int(bits) = shape {
        format!("arithmetic on integers of {bits} bits is not supported")
    } else {
        format!("values of the type `{text}` are not supported")
    };
    Refusal::new(Code::UnsupportedType, message)
}
