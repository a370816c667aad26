//! The floating-point conversions, exact to any precision.

use crate::semantics::to_f64;

use super::{PrintfArgument, Spec, Zeros};

/// More digits than any double has after its point: the rest are zeros.
const MOST_DIGITS: usize = 1100;

impl Spec {
    /// `%f`, `%e`, `%g`, `%a` and their capital forms.
    pub(super) fn print_float(&self, arg: PrintfArgument) -> Vec<u8> {
        let value = to_f64(arg.ty, arg.bits);
        let sign = self.sign(value.is_sign_negative());
        let magnitude = value.abs();
        let is_finite = magnitude.is_finite();
        let (prefix, digits) = match self.conversion.to_ascii_lowercase() {
            _ if magnitude.is_nan() => ("", "nan".to_owned()),
            _ if !is_finite => ("", "inf".to_owned()),
            b'f' => ("", self.fixed(magnitude, self.precision.unwrap_or(6))),
            b'e' => ("", self.exponential(magnitude, self.precision.unwrap_or(6))),
            b'g' => ("", self.shorter(magnitude)),
            _ => ("0x", self.hexadecimal(magnitude)),
        };
        let zeros = if self.zero && is_finite {
            Zeros::Yes
        } else {
            Zeros::No
        };
        let mut text = self.pad(sign, prefix.as_bytes(), digits.as_bytes(), zeros);
        if self.conversion.is_ascii_uppercase() {
            text.make_ascii_uppercase();
        }
        text
    }

    fn fixed(&self, magnitude: f64, precision: usize) -> String {
        let mut text = format!("{magnitude:.*}", precision.min(MOST_DIGITS));
        text.push_str(&"0".repeat(precision.saturating_sub(MOST_DIGITS)));
        if precision == 0 && self.alternate {
            text.push('.');
        }
        text
    }

    fn exponential(&self, magnitude: f64, precision: usize) -> String {
        let (digits, exponent) = scientific(magnitude, precision);
        let mut text = digits;
        if precision == 0 && self.alternate {
            text.push('.');
        }
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{text}e{sign}{:02}", exponent.unsigned_abs())
    }

    /// `%g`: the precision counts significant digits, and the exponent decides between the forms.
    fn shorter(&self, magnitude: f64) -> String {
        let precision = self.precision.unwrap_or(6).max(1);
        let (_, exponent) = scientific(magnitude, precision - 1);
        let text = if exponent < -4 || exponent >= precision as i32 {
            self.exponential(magnitude, precision - 1)
        } else {
            self.fixed(magnitude, (precision as i32 - 1 - exponent) as usize)
        };
        if self.alternate {
            return text;
        }
        let (digits, exponent) = match text.find('e') {
            Some(at) => text.split_at(at),
            None => (text.as_str(), ""),
        };
        let digits = match digits.contains('.') {
            true => digits.trim_end_matches('0').trim_end_matches('.'),
            false => digits,
        };
        format!("{digits}{exponent}")
    }

    /// `%a` without its `0x`.
    fn hexadecimal(&self, magnitude: f64) -> String {
        let bits = magnitude.to_bits();
        let (stored, mut fraction) = ((bits >> 52) as i32, bits & ((1 << 52) - 1));
        let exponent = match stored {
            0 if fraction == 0 => 0,
            0 => -1022,
            _ => stored - 1023,
        };
        let mut integer = u64::from(stored != 0);
        let digits = match self.precision {
            Some(precision) if precision < 13 => {
                let cut = 52 - 4 * precision as u32;
                let all = integer << 52 | fraction;
                let half = 1_u64 << (cut - 1);
                let (kept, lost) = (all >> cut, all & ((half << 1) - 1));
                let up = lost > half || (lost == half && kept & 1 == 1);
                let rounded = (kept + u64::from(up)) << cut;
                (integer, fraction) = (rounded >> 52, rounded & ((1 << 52) - 1));
                precision
            }
            Some(precision) => precision,
            None => 13 - (fraction.trailing_zeros() as usize / 4).min(13),
        };
        let mut text = format!("{fraction:013x}");
        text.truncate(digits);
        text.push_str(&"0".repeat(digits - text.len()));
        let point = if digits > 0 || self.alternate {
            "."
        } else {
            ""
        };
        format!("{integer:x}{point}{text}p{exponent:+}")
    }
}

/// Digits with one before the point, and the decimal exponent.
fn scientific(magnitude: f64, precision: usize) -> (String, i32) {
    let text = format!("{magnitude:.*e}", precision.min(MOST_DIGITS));
    let (digits, exponent) = text.split_once('e').expect("the form has an exponent");
    let mut digits = digits.to_owned();
    digits.push_str(&"0".repeat(precision.saturating_sub(MOST_DIGITS)));
    (digits, exponent.parse().expect("the exponent is a number"))
}
