//! Reference values from the C library: in double for float and half (twice their digits, and fast), in binary128
//! for double.

use std::ffi::{CStr, c_char, c_int};

use crate::error::Real;
use crate::number::Type;

unsafe extern "C" {
    fn sluice_reference_names(arguments: c_int) -> *const *const c_char;
    fn sluice_reference_unary(function: c_int, x: f64) -> f64;
    fn sluice_reference_misses(
        function: c_int,
        x: *const u64,
        found: *const u64,
        count: usize,
        known: f64,
        rows: *mut u32,
    ) -> usize;
    fn sluice_reference_binary(function: c_int, x: f64, y: f64) -> f64;
    fn sluice_reference_unary_quad(function: c_int, x: f64) -> Real;
    fn sluice_reference_binary_quad(function: c_int, x: f64, y: f64) -> Real;
    fn sluice_scale(x: f64, n: c_int) -> f64;
    fn sluice_remainder(x: f64, y: f64) -> f64;
    fn sluice_quotient(x: f64, y: f64) -> c_int;
    fn sluice_gamma_sign(x: f64) -> c_int;
}

/// A function of the reference library.
#[derive(Clone, Copy, Debug)]
pub enum Rounded {
    /// Of one argument, by its number.
    Unary(c_int),
    /// Of two.
    Binary(c_int),
}

impl Rounded {
    /// The function of this name.
    pub fn named(name: &str) -> Rounded {
        let find = |arguments| names(arguments).position(|known| known == name);
        let number = |at: usize| c_int::try_from(at).expect("a handful of functions");
        match (find(1), find(2)) {
            (Some(at), _) => Rounded::Unary(number(at)),
            (None, Some(at)) => Rounded::Binary(number(at)),
            (None, None) => panic!("the reference library has every rounded function: {name}"),
        }
    }

    /// Adds the rows in which `found` may be more than `known` units in the last place off the value of the float `x`:
    /// many at once, since most are not. For functions of one argument; `known` is at least one half.
    pub fn misses(self, x: &[u64], found: &[u64], known: f64, rows: &mut Vec<u32>) {
        let Rounded::Unary(function) = self else {
            panic!("only functions of one argument are compared so");
        };
        assert_eq!(x.len(), found.len());
        assert!(u32::try_from(x.len()).is_ok());
        rows.reserve(x.len());
        // SAFETY: the buffers have that many elements, and the rows, fewer than them, room for as many.
        unsafe {
            let (x_rows, found_rows) = (x.as_ptr(), found.as_ptr());
            let end = rows.as_mut_ptr().add(rows.len());
            let count = sluice_reference_misses(function, x_rows, found_rows, x.len(), known, end);
            rows.set_len(rows.len() + count);
        }
    }

    /// The value for arguments of `ty`.
    #[inline]
    pub fn value(self, ty: Type, x: f64, y: f64) -> Real {
        // SAFETY: the number comes from the table that the library indexes with it.
        unsafe {
            match (self, ty) {
                (Rounded::Unary(at), Type::Double) => sluice_reference_unary_quad(at, x),
                (Rounded::Binary(at), Type::Double) => sluice_reference_binary_quad(at, x, y),
                (Rounded::Unary(at), Type::Float | Type::Half) => {
                    sluice_reference_unary(at, x).into()
                }
                (Rounded::Binary(at), Type::Float | Type::Half) => {
                    sluice_reference_binary(at, x, y).into()
                }
            }
        }
    }
}

fn names(arguments: c_int) -> impl Iterator<Item = &'static str> {
    // SAFETY: the library's list of constant strings ends with a null.
    (0..).map_while(move |at| unsafe {
        let name = *sluice_reference_names(arguments).add(at);
        (!name.is_null()).then(|| CStr::from_ptr(name).to_str().expect("names are ASCII"))
    })
}

/// `x * 2^n`, rounded once.
pub fn scale(x: f64, n: i32) -> f64 {
    // SAFETY: a pure function of numbers.
    unsafe { sluice_scale(x, n) }
}

/// IEEE 754's remainder.
pub fn remainder(x: f64, y: f64) -> f64 {
    // SAFETY: a pure function of numbers.
    unsafe { sluice_remainder(x, y) }
}

/// The low seven bits of the quotient that [`remainder`] is taken with, with its sign; for finite numbers, `y`
/// not zero.
pub fn quotient(x: f64, y: f64) -> i32 {
    // SAFETY: a pure function of numbers.
    unsafe { sluice_quotient(x, y) }
}

/// The sign of gamma, 1 or -1.
pub fn gamma_sign(x: f64) -> i32 {
    // SAFETY: a pure function of numbers.
    unsafe { sluice_gamma_sign(x) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misses_are_what_may_be_farther_off_than_known() {
        let float = |x: f32| u64::from(x.to_bits());
        let nearest = float(4.0_f32.ln());
        let found = [
            nearest,
            nearest + 1,
            nearest - 2,
            nearest + 9,
            float(-4.0_f32.ln()),
            float(f32::INFINITY),
            float(f32::NAN),
            0,
        ];
        let x = [float(4.0); 8];
        let misses = |known: f64| {
            let mut rows = Vec::new();
            Rounded::named("log").misses(&x, &found, known, &mut rows);
            rows
        };
        assert_eq!(misses(0.6), [1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(misses(8.0), [3, 4, 5, 6, 7]);
        assert_eq!(misses(f64::MAX), [4, 5, 6]);
        assert_eq!(misses(f64::INFINITY), [4, 5, 6]);
    }
}
