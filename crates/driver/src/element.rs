//! Elements of buffers and scalar arguments as text: parsing and printing by OpenCL type.

use half::f16;
use sluice_kernel::ir::{Element, Pointee, Scalar};
use sluice_kernel::semantics;

/// Reads one scalar of the given type, as bits.
pub fn parse_scalar(scalar: Scalar, text: &str) -> Result<u64, String> {
    let bits = match scalar {
        Scalar::Signed(width) => {
            let limit = 1_i128 << (width - 1);
            parse_integer(text).filter(|value| (-limit..limit).contains(value))
        }
        Scalar::Unsigned(width) => {
            parse_integer(text).filter(|value| (0..1_i128 << width).contains(value))
        }
        Scalar::Half | Scalar::Float | Scalar::Double => {
            return parse_float(scalar, text)
                .ok_or_else(|| format!("`{text}` is no {}", scalar_name(scalar)));
        }
    };
    bits.map(|value| value as u64 & scalar.ty().mask())
        .ok_or_else(|| format!("`{text}` is no {}", scalar_name(scalar)))
}

fn parse_integer(text: &str) -> Option<i128> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let magnitude = match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        Some(hex) => i128::from_str_radix(hex, 16).ok()?,
        None => digits.parse().ok()?,
    };
    Some(if negative { -magnitude } else { magnitude })
}

fn parse_float(scalar: Scalar, text: &str) -> Option<u64> {
    let digits = text.strip_suffix(['f', 'F']).unwrap_or(text);
    // `inf` ends in the suffix too.
    let digits = if digits.ends_with("in") { text } else { digits };
    match scalar {
        Scalar::Float => Some(digits.parse::<f32>().ok()?.to_bits().into()),
        _ => Some(semantics::from_f64(scalar.ty(), digits.parse().ok()?)),
    }
}

/// One scalar as text: integers in decimal, floats in the shortest form that reads back the same.
fn format_scalar(scalar: Scalar, bits: u64) -> String {
    match scalar {
        Scalar::Signed(_) => semantics::signed(scalar.ty(), bits).to_string(),
        Scalar::Unsigned(_) => bits.to_string(),
        Scalar::Half => f16::from_bits(bits as u16).to_f32().to_string(),
        Scalar::Float => f32::from_bits(bits as u32).to_string(),
        Scalar::Double => f64::from_bits(bits).to_string(),
    }
}

/// The components of an array's elements as text; structs as 32-bit words.
pub fn format_elements(pointee: Pointee, bytes: &[u8]) -> Vec<String> {
    components(pointee, bytes)
        .map(|(scalar, bits)| format_scalar(scalar, bits))
        .collect()
}

/// The components of an array's elements, without the padding of three-component vectors.
pub(crate) fn components(
    pointee: Pointee,
    bytes: &[u8],
) -> impl Iterator<Item = (Scalar, u64)> + '_ {
    let element = as_element(pointee);
    let size = element.bytes() as usize;
    let lane = element.scalar.bytes() as usize;
    bytes.chunks(size).flat_map(move |chunk| {
        chunk
            .chunks(lane)
            .take(element.lanes.into())
            .map(move |lane| (element.scalar, little_endian(lane)))
    })
}

/// How a pointee is written as text: structs as 32-bit words.
pub(crate) fn as_element(pointee: Pointee) -> Element {
    match pointee {
        Pointee::Element(element) => element,
        Pointee::Opaque(_) => Element {
            scalar: Scalar::Unsigned(32),
            lanes: 1,
        },
    }
}

fn little_endian(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(word)
}

/// The OpenCL name of a scalar type.
pub(crate) fn scalar_name(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Signed(8) => "char",
        Scalar::Signed(16) => "short",
        Scalar::Signed(32) => "int",
        Scalar::Signed(_) => "long",
        Scalar::Unsigned(8) => "uchar",
        Scalar::Unsigned(16) => "ushort",
        Scalar::Unsigned(32) => "uint",
        Scalar::Unsigned(_) => "ulong",
        Scalar::Half => "half",
        Scalar::Float => "float",
        Scalar::Double => "double",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalars_are_checked_against_their_type() {
        let char = Scalar::Signed(8);
        assert_eq!(parse_scalar(char, "-128"), Ok(0x80));
        assert_eq!(parse_scalar(char, "128"), Err("`128` is no char".into()));
        assert_eq!(
            parse_scalar(Scalar::Unsigned(64), "0xffffffffffffffff"),
            Ok(u64::MAX)
        );
        assert_eq!(
            parse_scalar(Scalar::Unsigned(8), "-1"),
            Err("`-1` is no uchar".into())
        );
        assert_eq!(parse_scalar(Scalar::Float, "1.5f"), Ok(0x3fc0_0000));
        assert_eq!(parse_scalar(Scalar::Float, "-inf"), Ok(0xff80_0000));
        assert_eq!(parse_scalar(Scalar::Half, "1"), Ok(0x3c00));
        assert_eq!(
            parse_scalar(Scalar::Double, "x"),
            Err("`x` is no double".into())
        );
    }

    #[test]
    fn padding_of_three_component_vectors_is_not_shown() {
        let int3 = Pointee::Element(Element {
            scalar: Scalar::Signed(32),
            lanes: 3,
        });
        let bytes: Vec<u8> = [1_i32, 2, 3, 9, -4, 5, 6, 9]
            .iter()
            .flat_map(|word| word.to_le_bytes())
            .collect();
        assert_eq!(
            format_elements(int3, &bytes),
            ["1", "2", "3", "-4", "5", "6"]
        );
    }
}
