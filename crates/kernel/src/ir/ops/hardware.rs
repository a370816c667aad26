//! What computes an operation in a circuit: the column that lowering reads.

use std::fmt;
use std::sync::Arc;

use sluice_circuit::arith::{Extreme, Format, Rounding, Signedness, Subnormals};
use sluice_circuit::operators::count::{Count, Counted};
use sluice_circuit::operators::div::Div;
use sluice_circuit::operators::fadd::{Fadd, Sum};
use sluice_circuit::operators::fdiv::Fdiv;
use sluice_circuit::operators::fextreme::Fextreme;
use sluice_circuit::operators::fma::Fma;
use sluice_circuit::operators::fmul::Fmul;
use sluice_circuit::operators::fround::Fround;
use sluice_circuit::operators::fsqrt::Fsqrt;
use sluice_circuit::operators::mul::{Half, Mul};
use sluice_circuit::operators::{Operator, Tile, funnel, shift};
use sluice_circuit::units::segment::InlineOp;

use crate::ir::Type;
use crate::semantics::format;

/// What computes an operation.
#[derive(Clone, Copy)]
pub enum Hardware {
    /// An expression of the segment.
    Inline(InlineOp),
    /// Wiring if the amount is known, else a shifter.
    Shift(shift::Direction),
    /// Wiring if the amount is known, else a funnel shifter.
    Funnel(funnel::Direction),
    /// A pipelined operator.
    Operator {
        /// Makes it for the types and the target at hand.
        make: fn(&Site) -> Arc<dyn Operator>,
        /// Which of its outputs is the result.
        output: u32,
    },
}

impl fmt::Debug for Hardware {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Hardware::Inline(op) => write!(f, "Inline({op:?})"),
            Hardware::Shift(direction) => write!(f, "Shift({direction:?})"),
            Hardware::Funnel(direction) => write!(f, "Funnel({direction:?})"),
            Hardware::Operator { output, .. } => write!(f, "Operator(.., {output})"),
        }
    }
}

/// An operator whose first output is the result.
pub(super) const fn operator(make: fn(&Site) -> Arc<dyn Operator>) -> Hardware {
    Hardware::Operator { make, output: 0 }
}

/// An operator whose second output is the result.
pub(super) const fn second_output(make: fn(&Site) -> Arc<dyn Operator>) -> Hardware {
    Hardware::Operator { make, output: 1 }
}

/// What computes a comparison.
#[derive(Clone, Copy, Debug)]
pub enum Comparator {
    /// An expression of the segment.
    Inline(InlineOp),
    /// The float comparator: whether one of these outcomes is there.
    AnyOf(&'static [Outcome]),
    /// The float comparator: whether none of these outcomes is there.
    NoneOf(&'static [Outcome]),
}

/// The outputs of the float comparator, in their order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The first operand is less.
    Less,
    /// The operands are equal.
    Equal,
    /// At least one is a NaN.
    Unordered,
}

/// Where an operation stands: what its operator depends on.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    /// The type of the operands and of the result.
    pub ty: Type,
    /// What a multiplier block of the target takes.
    pub tile: Tile,
    /// What becomes of subnormal numbers here.
    pub subnormals: Subnormals,
}

impl Site {
    /// The integers' width.
    pub fn width(&self) -> u32 {
        self.ty.bits()
    }

    /// The floats' format.
    pub fn format(&self) -> Format {
        format(self.ty)
    }

    pub(super) fn count(&self, counted: Counted) -> Arc<dyn Operator> {
        Arc::new(Count {
            width: self.width(),
            counted,
        })
    }

    pub(super) fn multiply(&self, half: Half) -> Arc<dyn Operator> {
        Arc::new(Mul {
            width: self.width(),
            half,
            tile: self.tile,
        })
    }

    pub(super) fn divide(&self, signedness: Signedness) -> Arc<dyn Operator> {
        Arc::new(Div {
            width: self.width(),
            signedness,
        })
    }

    pub(super) fn float_sum(&self, sum: Sum) -> Arc<dyn Operator> {
        Arc::new(Fadd {
            format: self.format(),
            sum,
        })
    }

    pub(super) fn float_product(&self) -> Arc<dyn Operator> {
        Arc::new(Fmul {
            format: self.format(),
            tile: self.tile,
            subnormals: self.subnormals,
        })
    }

    pub(super) fn float_quotient(&self) -> Arc<dyn Operator> {
        Arc::new(Fdiv {
            format: self.format(),
            subnormals: self.subnormals,
        })
    }

    pub(super) fn float_extreme(&self, want: Extreme) -> Arc<dyn Operator> {
        Arc::new(Fextreme {
            format: self.format(),
            want,
        })
    }

    pub(super) fn fused_product(&self) -> Arc<dyn Operator> {
        Arc::new(Fma {
            format: self.format(),
            tile: self.tile,
            subnormals: self.subnormals,
        })
    }

    pub(super) fn square_root(&self) -> Arc<dyn Operator> {
        Arc::new(Fsqrt {
            format: self.format(),
        })
    }

    pub(super) fn round(&self, rounding: Rounding) -> Arc<dyn Operator> {
        Arc::new(Fround {
            format: self.format(),
            rounding,
        })
    }
}
