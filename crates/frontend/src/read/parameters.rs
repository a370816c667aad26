//! OpenCL types of parameters, from the names that clang gives them.

use sluice_kernel::ir::{Element, Pointee, Scalar, Type};

/// The element of a parameter passed by value: the width comes from LLVM's type, the sign from the name.
pub fn element_of_value(lanes: &[Type], base_type: &str) -> Option<Element> {
    let first = *lanes.first()?;
    let named = element(base_type).map(|element| element.scalar);
    let scalar = match first {
        Type::Int(bits) if named == Some(Scalar::Unsigned(bits)) => Scalar::Unsigned(bits),
        Type::Int(bits) => Scalar::Signed(bits),
        Type::F16 => Scalar::Half,
        Type::F32 => Scalar::Float,
        Type::F64 => Scalar::Double,
        Type::Ptr(_) => return None,
    };
    let whole_bytes = first.bytes().is_some() && lanes.iter().all(|&lane| lane == first);
    let lanes = u8::try_from(lanes.len()).ok()?;
    let known = matches!(lanes, 1 | 2 | 3 | 4 | 8 | 16);
    (whole_bytes && known).then_some(Element { scalar, lanes })
}

/// What a pointer parameter points to, given its type with typedefs resolved, such as
/// `uint __attribute__((ext_vector_type(4)))*`, and the pointee's size.
pub fn pointee(base_type: &str, size: u64) -> Pointee {
    let named = base_type.strip_suffix('*').unwrap_or(base_type).trim();
    match element(named) {
        Some(element) => Pointee::Element(element),
        None => Pointee::Opaque(u32::try_from(size).unwrap_or(0)),
    }
}

fn element(name: &str) -> Option<Element> {
    let (scalar, lanes) = match name.split_once("__attribute__((ext_vector_type(") {
        None => (name, 1),
        Some((scalar, rest)) => {
            let count = rest.strip_suffix(")))")?.parse().ok()?;
            (scalar.trim(), count)
        }
    };
    let scalar = match scalar {
        "char" | "signed char" => Scalar::Signed(8),
        "uchar" | "unsigned char" => Scalar::Unsigned(8),
        "short" => Scalar::Signed(16),
        "ushort" | "unsigned short" => Scalar::Unsigned(16),
        "int" => Scalar::Signed(32),
        "uint" | "unsigned int" => Scalar::Unsigned(32),
        "long" => Scalar::Signed(64),
        "ulong" | "unsigned long" => Scalar::Unsigned(64),
        "half" => Scalar::Half,
        "float" => Scalar::Float,
        "double" => Scalar::Double,
        _ => return None,
    };
    Some(Element { scalar, lanes })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vector_pointee_is_read_from_its_attribute() {
        let expected = Element {
            scalar: Scalar::Unsigned(32),
            lanes: 4,
        };
        assert_eq!(
            pointee("uint __attribute__((ext_vector_type(4)))*", 0),
            Pointee::Element(expected)
        );
    }

    #[test]
    fn struct_pointee_is_opaque_with_its_size() {
        assert_eq!(pointee("struct S*", 24), Pointee::Opaque(24));
    }

    #[test]
    fn sign_of_a_value_comes_from_its_name() {
        let unsigned = element_of_value(&[Type::I32], "uint").map(|element| element.scalar);
        assert_eq!(unsigned, Some(Scalar::Unsigned(32)));
        let signed = element_of_value(&[Type::I32], "int").map(|element| element.scalar);
        assert_eq!(signed, Some(Scalar::Signed(32)));
        let enumeration = element_of_value(&[Type::I32], "units").map(|element| element.scalar);
        assert_eq!(enumeration, Some(Scalar::Signed(32)));
    }
}
