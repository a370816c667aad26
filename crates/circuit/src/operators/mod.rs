//! The pure operators: free-running and fully pipelined, a new set of operands in each cycle, the
//! result a fixed number of cycles later.
//!
//! An operator is written as combinational steps; registers stand behind the steps that [`Regs`]
//! names, so one module serves every clock. [`Operator::pipeline`] chooses the fewest registers
//! that meet a target's clock and, among those, the narrowest.
//!
//! Adding an operator is one `.rs`, one `.v` beside it, its `pub mod` and its name in the list below;
//! one that is declared but not listed leaves its `parse` unused, which the compiler reports.

use std::any::Any;
use std::fmt;

use crate::area::Area;
use crate::arith::Format;

use crate::family::{self, Delays};
use crate::target::Target;
use crate::text::{Cursor, Declared, ParseError};
use crate::verilog::Source;

mod approximation;
pub mod count;
pub mod div;
pub mod fadd;
pub mod fcmp;
pub mod fdiv;
pub mod fexp;
pub mod fextreme;
pub mod flog;
pub mod fma;
pub mod fmul;
pub mod fpow;
pub mod fquot;
pub mod froot;
pub mod fround;
pub mod fsqrt;
pub mod ftof;
pub mod ftoi;
pub mod ftrig;
pub mod funnel;
pub mod itof;
mod logarithm;
pub mod mul;
mod parts;
mod pipeline;
mod power_of_two;
mod product;
pub mod shift;

pub use pipeline::{Regs, Timing};
pub use product::{Known, Tile};

/// Reads an operator's parameters.
pub(crate) type Parser = fn(&mut Cursor<'_>) -> Result<Box<dyn Operator>, ParseError>;

macro_rules! operators {
    ($($name:ident)*) => {
        /// Every operator's name and the parameter choices that stand for all of them in tests
        /// and measurements.
        pub fn catalog() -> Vec<(&'static str, Vec<Box<dyn Operator>>)> {
            vec![$((stringify!($name), $name::samples())),*]
        }

        /// What reads the parameters of the operator of that name.
        pub(crate) fn parser(name: &str) -> Option<Parser> {
            match name {
                $(stringify!($name) => Some($name::parse),)*
                _ => None,
            }
        }
    };
}

operators! {
    count div fadd fcmp fdiv fexp fextreme flog fma fmul fpow fquot froot fround fsqrt ftof ftoi ftrig
    funnel itof mul shift
}

/// The term of registers inside operators.
pub const REGISTER_BITS: &str = "register bits";

/// An input or output of an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Port {
    /// Its name.
    pub name: &'static str,
    /// Its width in bits.
    pub width: u32,
    /// The float format of its values, if they are floats.
    pub format: Option<Format>,
}

impl Port {
    const fn bits(name: &'static str, width: u32) -> Self {
        let format = None;
        Self {
            name,
            width,
            format,
        }
    }

    const fn float(name: &'static str, format: Format) -> Self {
        let width = format.width();
        let format = Some(format);
        Self {
            name,
            width,
            format,
        }
    }
}

/// A combinational part of an operator, behind which a register may stand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// What it does.
    pub name: &'static str,
    /// Its delay, routing included, in nanoseconds.
    pub delay: f64,
    /// The bits of a register behind it.
    pub width: u32,
}

impl Step {
    const fn new(name: &'static str, delay: f64, width: u32) -> Self {
        Self { name, delay, width }
    }
}

/// An operator with its parameters. Simulators look at the type behind it to compute the common ones
/// in place.
pub trait Operator: Declared + Any + fmt::Debug + Send + Sync {
    /// Why its parameters make no sense, if they do not.
    fn check(&self) -> Result<(), String> {
        Ok(())
    }

    /// The products that it divides its multiplications into, if it has some.
    fn tile(&self) -> Option<Tile> {
        None
    }

    /// The Verilog module.
    fn module(&self) -> &'static str;

    /// The Verilog files: the module's own and those of the parts that it instantiates.
    fn sources(&self) -> &'static [Source];

    /// The module's parameters, `REGS` left out.
    fn parameters(&self) -> Vec<(&'static str, u64)>;

    /// The operands, in the order of [`Operator::evaluate`].
    fn inputs(&self) -> Vec<Port>;

    /// The results, in the order of [`Operator::evaluate`].
    fn outputs(&self) -> Vec<Port>;

    /// The combinational steps, from the operands to the results.
    fn steps(&self, ns: &Delays) -> Vec<Step>;

    /// What it consists of without registers.
    fn logic(&self) -> Area;

    /// Computes the results.
    fn evaluate(&self, inputs: &[u64], outputs: &mut [u64]);

    /// The registers for a target.
    fn pipeline(&self, target: &Target) -> Regs {
        pipeline::place(&self.steps(&target.delays()), target.budget())
    }

    /// When its values must and will be there, for a choice of registers.
    fn timing(&self, ns: &Delays, regs: Regs) -> Timing {
        pipeline::timing(&self.steps(ns), regs)
    }

    /// The bits of these registers.
    fn register_bits(&self, regs: Regs) -> u32 {
        // Widths do not depend on delays.
        let steps = self.steps(&family::ECP5.delays).into_iter().enumerate();
        let held = steps.filter(|&(index, _)| regs.contains(index));
        held.map(|(_, step)| step.width).sum()
    }

    /// What it consists of without registers, where something is known of operands.
    fn logic_by(&self, _known: &[Known]) -> Area {
        self.logic()
    }

    /// What it consists of with these registers.
    fn area(&self, regs: Regs) -> Area {
        self.logic() + self.registers(regs)
    }

    /// What it consists of with these registers, where something is known of operands.
    fn area_by(&self, known: &[Known], regs: Regs) -> Area {
        self.logic_by(known) + self.registers(regs)
    }

    /// What these registers are.
    fn registers(&self, regs: Regs) -> Area {
        Area::of(self.word(), [(REGISTER_BITS, self.register_bits(regs))])
    }
}

/// The levels of a shifter of that many bits.
fn levels(bits: u32) -> u32 {
    bits.next_power_of_two().trailing_zeros()
}
