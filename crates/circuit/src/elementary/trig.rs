//! Sine and cosine. The angle is counted in quarter turns: its significand is multiplied with those
//! bits of 2/pi that make a difference (Payne and Hanek), for angles of any size. What is off
//! the nearest quarter turn, at most a half, is the argument of a table: of the cosine, which is
//! never small there, or of the sine divided by the argument.

use super::pack::{BIAS, NAN, Parts, SIGNIFICAND, pack, zero};
use super::tables::{self, Table};
use super::windows::{self, Windows};
use super::{Function, Grade};
use crate::arith::mask;

/// Which of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wave {
    /// The sine.
    Sine,
    /// The cosine.
    Cosine,
}

impl Wave {
    /// The one that a function is.
    pub(crate) const fn of(function: Function) -> Option<Self> {
        match function {
            Function::Sin => Some(Self::Sine),
            Function::Cos => Some(Self::Cosine),
            Function::Exp
            | Function::Exp2
            | Function::Exp10
            | Function::Log
            | Function::Log2
            | Function::Log10
            | Function::Rsqrt
            | Function::Recip => None,
        }
    }
}

/// The widths of a grade.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    /// Bits of an angle behind the point. The multiples of a quarter turn are never closer to a
    /// float than 2^-30.
    pub angle: u32,
    /// Bits of an angle that is normalised.
    pub significand: u32,
    /// The windows into 2/pi. Angles too small for them are their own sines.
    pub windows: &'static Windows,
    /// The table: the cosine, and half the sine divided by the argument.
    pub table: &'static Table,
}

/// The widths.
pub(crate) const fn shape(grade: Grade) -> Shape {
    match grade {
        Grade::Full => Shape {
            angle: 58,
            significand: 28,
            windows: &windows::FULL,
            table: &tables::TRIG_FULL,
        },
        Grade::Native => Shape {
            angle: 27,
            significand: 24,
            windows: &windows::NATIVE,
            table: &tables::TRIG_NATIVE,
        },
    }
}

/// An angle in quarter turns: the nearest multiple, modulo 4, and what is off it.
struct Turns {
    nearest: u32,
    negative: bool,
    off: u64,
}

#[inline(always)]
fn reduce(shape: Shape, exponent: u32, significand: u64) -> Turns {
    let Windows { shift, width, .. } = *shape.windows;
    let window = shape.windows.at(exponent);
    let placed = u128::from(significand << (exponent & mask(shift) as u32));
    let low = u128::from(window as u64) * placed;
    let turns = low.wrapping_add((window >> 64) * placed << 64);
    let turns = turns >> (width - 2 - shape.angle);
    let fraction = turns as u64 & mask(shape.angle);
    let half = fraction >> (shape.angle - 1);
    // All bits inverted are a subtraction from one, but for the last place.
    let off = (fraction ^ half.wrapping_neg()) & mask(shape.angle);
    Turns {
        nearest: ((turns >> shape.angle) as u32 & 3) + half as u32,
        negative: half == 1,
        off,
    }
}

/// A sine or cosine.
#[inline(always)]
pub(crate) fn evaluate(wave: Wave, grade: Grade, a: u64) -> u64 {
    let shape = shape(grade);
    let parts = Parts::of(a);
    let exponent = parts.exponent as u32;
    if parts.is_nan() || parts.is_infinite() {
        return NAN;
    }
    if exponent < shape.windows.least {
        return match wave {
            Wave::Cosine => (BIAS as u64) << (SIGNIFICAND - 1),
            Wave::Sine if parts.is_zero(grade) => zero(parts.negative),
            Wave::Sine => a,
        };
    }
    let turns = reduce(shape, exponent, parts.normalised().1);
    let (turn, odd) = match wave {
        Wave::Sine => (turns.nearest, parts.negative),
        Wave::Cosine => (turns.nearest + 1, false),
    };
    let level = turn & 1 == 1;
    let negative = (turn & 2 != 0) ^ odd ^ (!level && turns.negative);
    if !level && turns.off == 0 {
        return zero(negative);
    }
    let table = shape.table;
    let Quantities { head, zeros } = Quantities::of(shape, level, turns.off);
    let argument = turns.off >> (shape.angle - table.quadratic.argument());
    let curve = u64::from(!level) << (table.quadratic.argument() - 1);
    let product = head * table.at(curve | argument);
    let width = shape.significand + table.point;
    let low = u64::from(product >> (width - 1) == 0);
    pack(
        grade,
        negative,
        BIAS - zeros as i32 - low as i32,
        product << low,
        width - SIGNIFICAND,
    )
}

/// What the table's value is multiplied with: the argument, normalised, for a sine, or 1.
struct Quantities {
    head: u64,
    zeros: u32,
}

impl Quantities {
    #[inline(always)]
    fn of(shape: Shape, level: bool, off: u64) -> Self {
        if level {
            return Self {
                head: 1 << (shape.significand - 1),
                zeros: 0,
            };
        }
        let zeros = off.leading_zeros() - (64 - shape.angle);
        Self {
            head: off << zeros >> (shape.angle - shape.significand),
            zeros,
        }
    }
}
