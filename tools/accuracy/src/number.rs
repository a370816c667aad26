//! Numbers of the three float types, as bits.

use half::f16;
use serde::Serialize;

/// A float type of OpenCL C.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Type {
    /// 32 bits.
    Float,
    /// 64 bits.
    Double,
    /// 16 bits.
    Half,
}

impl Type {
    /// Every type, in the order of the table.
    pub const ALL: [Type; 3] = [Type::Float, Type::Double, Type::Half];

    /// Its name in OpenCL C.
    pub const fn name(self) -> &'static str {
        match self {
            Type::Float => "float",
            Type::Double => "double",
            Type::Half => "half",
        }
    }

    /// Its bits.
    pub const fn bits(self) -> u32 {
        match self {
            Type::Float => 32,
            Type::Double => 64,
            Type::Half => 16,
        }
    }

    /// The bits of its fraction, without the leading one.
    pub const fn fraction(self) -> u32 {
        match self {
            Type::Float => 23,
            Type::Double => 52,
            Type::Half => 10,
        }
    }

    /// The exponent of its smallest normal number, 2^exponent.
    pub const fn least_exponent(self) -> i32 {
        match self {
            Type::Float => -126,
            Type::Double => -1022,
            Type::Half => -14,
        }
    }

    /// The exponent of the first power of two beyond its range.
    pub const fn beyond_exponent(self) -> i32 {
        2 - self.least_exponent()
    }

    /// The bit of the sign.
    pub const fn sign(self) -> u64 {
        1 << (self.bits() - 1)
    }

    /// All bits.
    pub const fn mask(self) -> u64 {
        u64::MAX >> (64 - self.bits())
    }

    /// The bits of positive infinity.
    pub const fn infinity(self) -> u64 {
        (self.sign() - 1) & !((1 << self.fraction()) - 1)
    }

    /// The bits of a quiet NaN.
    pub const fn nan(self) -> u64 {
        self.infinity() | 1 << (self.fraction() - 1)
    }

    /// Whether these bits are a NaN.
    pub const fn is_nan(self, bits: u64) -> bool {
        bits & (self.sign() - 1) > self.infinity()
    }

    /// The value, which every type's has in `f64`.
    #[inline]
    pub fn value(self, bits: u64) -> f64 {
        match self {
            Type::Float => f64::from(f32::from_bits(bits as u32)),
            Type::Double => f64::from_bits(bits),
            Type::Half => f16::from_bits(bits as u16).to_f64_const(),
        }
    }

    /// The bits of the nearest number, the even one of two.
    pub fn round(self, value: f64) -> u64 {
        match self {
            Type::Float => u64::from((value as f32).to_bits()),
            Type::Double => value.to_bits(),
            Type::Half => u64::from(f16::from_f32_const(rounded_to_odd(value)).to_bits()),
        }
    }
}

/// The float with an odd last digit next to a value that is none: rounded to half, it gives what the value gives.
fn rounded_to_odd(value: f64) -> f32 {
    let near = value as f32;
    if near.is_infinite() || near.is_nan() || near.to_bits() & 1 == 1 {
        return near;
    }
    let bits = match f64::from(near).abs().total_cmp(&value.abs()) {
        std::cmp::Ordering::Equal => near.to_bits(),
        std::cmp::Ordering::Less => near.to_bits() + 1,
        std::cmp::Ordering::Greater => near.to_bits() - 1,
    };
    f32::from_bits(bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_rounded_once() {
        // Just above the middle between two halves: rounded to float first, it would be the middle.
        let middle = 1.0 + 2_f64.powi(-11);
        assert_eq!(Type::Half.round(middle), 0x3c00);
        assert_eq!(Type::Half.round(middle.next_up()), 0x3c01);
        assert_eq!(Type::Half.round(-middle.next_up()), 0xbc01);
        assert_eq!(Type::Half.round(65520_f64.next_down()), 0x7bff);
        assert_eq!(Type::Half.round(65520.0), 0x7c00);
        assert_eq!(Type::Half.round(1e-300), 0);
    }

    #[test]
    fn limits_are_those_of_ieee_754() {
        for ty in Type::ALL {
            assert_eq!(ty.value(ty.infinity()), f64::INFINITY);
            assert!(ty.value(ty.nan()).is_nan() && ty.is_nan(ty.nan()));
            let least_normal = ty.value(1 << ty.fraction());
            assert_eq!(least_normal, 2_f64.powi(ty.least_exponent()));
        }
        assert_eq!(Type::Half.beyond_exponent(), 16);
    }
}
