//! Constants in the text form: signed decimals for integers, shortest decimals for floats,
//! hexadecimal bits for pointers and for whatever has no decimal.

use half::f16;

use crate::ir::Type;

/// How a constant of type `ty` is written.
pub(super) fn print_constant(ty: Type, bits: u64) -> String {
    let fits = (1..=64).contains(&ty.bits()) && bits & !ty.mask() == 0;
    match ty {
        Type::Int(width) if fits && width > 1 => {
            let unused = 64 - u32::from(width);
            ((bits << unused) as i64 >> unused).to_string()
        }
        Type::Int(_) => bits.to_string(),
        Type::F16 if fits => print_f16(f16::from_bits(bits as u16)),
        Type::F32 if fits && !f32::from_bits(bits as u32).is_nan() => {
            format!("{:?}", f32::from_bits(bits as u32))
        }
        Type::F64 if !f64::from_bits(bits).is_nan() => format!("{:?}", f64::from_bits(bits)),
        Type::F16 | Type::F32 | Type::F64 | Type::Ptr(_) => format!("{bits:#x}"),
    }
}

/// A half's shortest decimal. Five digits tell all halves apart.
fn print_f16(value: f16) -> String {
    if value.is_nan() {
        return format!("{:#x}", value.to_bits());
    }
    let exact = value.to_f64();
    (0..5)
        .map(|digits| format!("{exact:.digits$e}"))
        .map(|text| text.parse().expect("Rust reads what it prints"))
        .find(|&rounded| f16::from_f64(rounded).to_bits() == value.to_bits())
        .map_or_else(|| format!("{exact:?}"), |short: f64| format!("{short:?}"))
}

/// The bits that `text` means as a constant of type `ty`.
pub(super) fn parse_constant(ty: Type, text: &str) -> Result<u64, String> {
    let bits = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => match ty {
            Type::Int(width) => parse_decimal(width, text),
            Type::F16 => parse_float(text).map(|value| f16::from_f64(value).to_bits().into()),
            // Not by way of f64, which would round twice.
            Type::F32 => parse_float(text).map(|value: f32| value.to_bits().into()),
            Type::F64 => parse_float(text).map(f64::to_bits),
            Type::Ptr(_) => text.parse().ok(),
        },
    };
    bits.ok_or_else(|| format!("`{text}` is not a constant of type {ty}"))
}

/// Not a NaN: its bits are written in hexadecimal.
fn parse_float<F: std::str::FromStr>(text: &str) -> Option<F> {
    let is_nan = text.to_ascii_lowercase().ends_with("nan");
    text.parse().ok().filter(|_| !is_nan)
}

/// An integer, signed or unsigned. Whether an unsigned one fits is the verifier's business.
fn parse_decimal(width: u8, text: &str) -> Option<u64> {
    if !text.starts_with('-') {
        return text.parse().ok();
    }
    let value: i64 = text.parse().ok()?;
    let unused = 64u32.checked_sub(width.into()).filter(|&n| n < 64)?;
    (value << unused >> unused == value).then_some(value as u64 & (u64::MAX >> unused))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_half_survives_print_and_parse() {
        for bits in 0..=u64::from(u16::MAX) {
            let text = print_constant(Type::F16, bits);
            assert_eq!(parse_constant(Type::F16, &text), Ok(bits), "{text}");
        }
    }

    #[test]
    fn constants_read_as_in_the_source() {
        let cases = [
            (Type::Int(1), 1, "1"),
            (Type::Int(8), 0xff, "-1"),
            (Type::Int(8), 0x7f, "127"),
            (Type::Int(64), 1 << 63, "-9223372036854775808"),
            (Type::F16, 0x2e66, "0.1"),
            (Type::F32, 0x3dcc_cccd, "0.1"),
            (Type::F32, 0x8000_0000, "-0.0"),
            (Type::F32, 0xff80_0000, "-inf"),
            (Type::F32, 0x7fc0_0001, "0x7fc00001"),
            (Type::F64, 0x3fb9_9999_9999_999a, "0.1"),
            (Type::Ptr(crate::ir::Space::Global), 0, "0x0"),
            // Bits that the type does not have are shown, so that the verifier can refuse them.
            (Type::Int(8), 300, "300"),
            (Type::F32, 1 << 32, "0x100000000"),
            (Type::Int(0), 1, "1"),
            (Type::Int(200), 1, "1"),
        ];
        for (ty, bits, text) in cases {
            assert_eq!(print_constant(ty, bits), text);
            assert_eq!(parse_constant(ty, text), Ok(bits));
        }
    }

    #[test]
    fn unsigned_and_hexadecimal_constants_are_read_too() {
        assert_eq!(parse_constant(Type::Int(8), "255"), Ok(255));
        assert_eq!(parse_constant(Type::Int(8), "0xff"), Ok(255));
        assert_eq!(parse_constant(Type::F32, "1"), Ok(0x3f80_0000));
        for (ty, text) in [
            (Type::Int(8), "-129"),
            (Type::F32, "nan"),
            (Type::Int(8), "1.5"),
        ] {
            assert_eq!(
                parse_constant(ty, text),
                Err(format!("`{text}` is not a constant of type {ty}"))
            );
        }
    }
}
