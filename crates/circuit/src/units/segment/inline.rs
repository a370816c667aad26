//! The operations that are an expression: no module of their own, no registers inside.

use std::fmt::Write;

use crate::area::Area;
use crate::arith::{mask, signed};
use crate::family::Delays;

/// What is computed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum InlineOp {
    /// `a + b`, modulo the width.
    Add,
    /// `a - b`, modulo the width.
    Sub,
    /// `a & b`.
    And,
    /// `a | b`.
    Or,
    /// `a ^ b`.
    Xor,
    /// `~a`.
    Not,
    /// Whether `a == b`.
    Eq,
    /// Whether `a != b`.
    Ne,
    /// Whether `a < b`, unsigned.
    Ult,
    /// Whether `a <= b`, unsigned.
    Ule,
    /// Whether `a < b`, signed.
    Slt,
    /// Whether `a <= b`, signed.
    Sle,
    /// `a ? b : c`; `a` has one bit.
    Select,
    /// `a` with zeros above, to a greater or equal width.
    Zext {
        /// The result's width.
        to: u32,
    },
    /// `a` with its sign above, to a greater or equal width.
    Sext {
        /// The result's width.
        to: u32,
    },
    /// Bits of `a`.
    Slice {
        /// The lowest one.
        low: u32,
        /// How many.
        bits: u32,
    },
    /// `a << by`, which is less than the width.
    ShiftLeft {
        /// The amount.
        by: u32,
    },
    /// `a >> by` with zeros above; `by` is less than the width.
    ShiftRightLogical {
        /// The amount.
        by: u32,
    },
    /// `a >> by` with the sign above; `by` is less than the width.
    ShiftRightArithmetic {
        /// The amount.
        by: u32,
    },
    /// The lesser, unsigned.
    UMin,
    /// The greater, unsigned.
    UMax,
    /// The lesser, signed.
    SMin,
    /// The greater, signed.
    SMax,
    /// The float with the opposite sign.
    FNeg,
    /// The float without its sign.
    FAbs,
    /// The float `a` with the sign of `b`.
    CopySign,
    /// The bits from the other end.
    BitReverse,
    /// The bytes from the other end; the width is a multiple of 8.
    ByteSwap,
}

/// An operation that is an expression.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Inline {
    /// What is computed.
    pub op: InlineOp,
    /// The operands' width; of a selection, that of the values selected.
    pub width: u32,
}

/// An operand in Verilog.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Term {
    /// A wire or register of that width.
    Net(String, u32),
    /// A number of that width.
    Literal(u64, u32),
}

impl Term {
    /// All of it.
    pub(super) fn text(&self) -> String {
        match *self {
            Term::Net(ref name, _) => name.clone(),
            Term::Literal(bits, 1) => format!("1'b{bits}"),
            Term::Literal(bits, width) if bits < 1024 => format!("{width}'d{bits}"),
            Term::Literal(bits, width) => format!("{width}'h{bits:x}"),
        }
    }

    /// `bits` of its bits from `low` on.
    pub(super) fn part(&self, low: u32, bits: u32) -> String {
        match *self {
            Term::Net(_, width) if bits == width => self.text(),
            Term::Net(ref name, _) if bits == 1 => format!("{name}[{low}]"),
            Term::Net(ref name, _) => format!("{name}[{}:{low}]", low + bits - 1),
            Term::Literal(value, _) => Term::Literal(value >> low & mask(bits), bits).text(),
        }
    }

    fn signed(&self) -> String {
        format!("$signed({})", self.text())
    }
}

/// Copies of a bit, then an expression; without copies only the expression.
fn extended(copies: u32, bit: &str, rest: &str) -> String {
    match copies {
        0 => rest.into(),
        _ if bit == "1'b0" => format!("{{{}, {rest}}}", Term::Literal(0, copies).text()),
        _ => format!("{{{{{copies}{{{bit}}}}}, {rest}}}"),
    }
}

impl Inline {
    /// The widths of the operands.
    pub fn operands(&self) -> &'static [OperandWidth] {
        use InlineOp::*;
        use OperandWidth::*;
        match self.op {
            Add | Sub | And | Or | Xor | Eq | Ne | Ult | Ule | Slt | Sle | UMin | UMax | SMin
            | SMax | CopySign => &[Full, Full],
            Not
            | Zext { .. }
            | Sext { .. }
            | Slice { .. }
            | ShiftLeft { .. }
            | ShiftRightLogical { .. }
            | ShiftRightArithmetic { .. }
            | FNeg
            | FAbs
            | BitReverse
            | ByteSwap => &[Full],
            Select => &[Bit, Full, Full],
        }
    }

    /// The result's width.
    pub fn result(&self) -> u32 {
        use InlineOp::*;
        match self.op {
            Eq | Ne | Ult | Ule | Slt | Sle => 1,
            Zext { to } | Sext { to } => to,
            Slice { bits, .. } => bits,
            Add
            | Sub
            | And
            | Or
            | Xor
            | Not
            | Select
            | ShiftLeft { .. }
            | ShiftRightLogical { .. }
            | ShiftRightArithmetic { .. }
            | UMin
            | UMax
            | SMin
            | SMax
            | FNeg
            | FAbs
            | CopySign
            | BitReverse
            | ByteSwap => self.width,
        }
    }

    /// Whether the parameters make sense.
    pub fn is_sound(&self) -> bool {
        use InlineOp::*;
        let width = self.width;
        (1..=64).contains(&width)
            && match self.op {
                Zext { to } | Sext { to } => (width..=64).contains(&to),
                Slice { low, bits } => low < width && (1..=width - low).contains(&bits),
                ShiftLeft { by } | ShiftRightLogical { by } | ShiftRightArithmetic { by } => {
                    by < width
                }
                ByteSwap => width.is_multiple_of(8),
                Add | Sub | And | Or | Xor | Not | Eq | Ne | Ult | Ule | Slt | Sle | Select
                | UMin | UMax | SMin | SMax | FNeg | FAbs | CopySign | BitReverse => true,
            }
    }

    /// Whether the result is the operand with bits above that it implies: then the operand is what
    /// waits in registers.
    pub(super) fn is_extension(&self) -> bool {
        matches!(self.op, InlineOp::Zext { .. } | InlineOp::Sext { .. })
    }

    /// Its delay in nanoseconds.
    pub fn delay(&self, delays: &Delays) -> f64 {
        use InlineOp::*;
        // The select line's fan-out counts where it is one line for many bits.
        let select = if self.width > 1 {
            delays.shift(1) + delays.fan_out * f64::from(self.width) / 64.0
        } else {
            delays.lut
        };
        match self.op {
            Add | Sub | Ult | Ule | Slt | Sle if self.width > 1 => delays.carry(self.width),
            Add | Sub | Ult | Ule | Slt | Sle | And | Or | Xor | Not | FNeg => delays.lut,
            Eq | Ne => delays.tree(2 * self.width),
            Select => select,
            UMin | UMax | SMin | SMax => delays.carry(self.width) + select,
            Zext { .. }
            | Sext { .. }
            | Slice { .. }
            | ShiftLeft { .. }
            | ShiftRightLogical { .. }
            | ShiftRightArithmetic { .. }
            | FAbs
            | CopySign
            | BitReverse
            | ByteSwap => 0.0,
        }
    }

    /// What it consists of, if `bits` of its result are hardware and some operands are numbers.
    pub fn area(&self, bits: u32, numbers: usize) -> Area {
        use InlineOp::*;
        let term = match (self.op, numbers) {
            (Add | Sub, 0) => "sum bits",
            (Add | Sub, _) => "sum bits with a number",
            (Ult | Ule | Slt | Sle, 0) => "comparison bits",
            (Ult | Ule | Slt | Sle, _) => "comparison bits with a number",
            (Eq | Ne, 0) => "equality bits",
            (Eq | Ne, _) => "equality bits with a number",
            (And | Or | Xor, 0) => "logic bits",
            (Select, 0) => "selected bits",
            (Select, _) => "selected bits with a number",
            (UMin | UMax | SMin | SMax, _) => "extreme bits",
            (And | Or | Xor, _)
            | (
                Not
                | FNeg
                | Zext { .. }
                | Sext { .. }
                | Slice { .. }
                | ShiftLeft { .. }
                | ShiftRightLogical { .. }
                | ShiftRightArithmetic { .. }
                | FAbs
                | CopySign
                | BitReverse
                | ByteSwap,
                _,
            ) => return Area::default(),
        };
        let compares = self.result() == 1 && self.width > 1 && bits > 0;
        let bits = if compares { self.width } else { bits };
        Area::of("inline", [(term, bits)])
    }

    /// Computes the result; operands that do not exist are ignored.
    #[inline(always)]
    pub fn evaluate(&self, a: u64, b: u64, c: u64) -> u64 {
        use InlineOp::*;
        let width = self.width;
        let sign = 1 << (width - 1);
        match self.op {
            Add => a.wrapping_add(b) & mask(width),
            Sub => a.wrapping_sub(b) & mask(width),
            And => a & b,
            Or => a | b,
            Xor => a ^ b,
            Not => a ^ mask(width),
            Eq => (a == b).into(),
            Ne => (a != b).into(),
            Ult => (a < b).into(),
            Ule => (a <= b).into(),
            // With the sign flipped, two's complement is ordered as natural numbers are.
            Slt => (a ^ sign < b ^ sign).into(),
            Sle => (a ^ sign <= b ^ sign).into(),
            Select => [c, b][(a & 1) as usize],
            Zext { .. } => a,
            Sext { to } => signed(width, a) as u64 & mask(to),
            Slice { low, bits } => a >> low & mask(bits),
            ShiftLeft { by } => a << by & mask(width),
            ShiftRightLogical { by } => a >> by,
            ShiftRightArithmetic { by } => (signed(width, a) >> by) as u64 & mask(width),
            UMin => a.min(b),
            UMax => a.max(b),
            SMin => (a ^ sign).min(b ^ sign) ^ sign,
            SMax => (a ^ sign).max(b ^ sign) ^ sign,
            FNeg => a ^ sign,
            FAbs => a & !sign,
            CopySign => (a & !sign) | (b & sign),
            BitReverse => a.reverse_bits() >> (64 - width),
            ByteSwap => a.swap_bytes() >> (64 - width),
        }
    }

    /// The Verilog expression.
    pub(super) fn expression(&self, terms: &[Term]) -> String {
        use InlineOp::*;
        let (width, a) = (self.width, &terms[0]);
        let infix = |operator: &str| format!("{} {operator} {}", a.text(), terms[1].text());
        let infix_signed =
            |operator: &str| format!("{} {operator} {}", a.signed(), terms[1].signed());
        let choice = |condition: String, [yes, no]: [&Term; 2]| {
            format!("{condition} ? {} : {}", yes.text(), no.text())
        };
        match self.op {
            Add => infix("+"),
            Sub => infix("-"),
            And => infix("&"),
            Or => infix("|"),
            Xor => infix("^"),
            Not => format!("~{}", a.text()),
            Eq => infix("=="),
            Ne => infix("!="),
            Ult => less(width, a, &terms[1]),
            Ule => less_or_equal(width, a, &terms[1]),
            Slt => infix_signed("<"),
            Sle => infix_signed("<="),
            Select => choice(a.text(), [&terms[1], &terms[2]]),
            Zext { to } => extended(to - width, "1'b0", &a.text()),
            Sext { to } => extended(to - width, &a.part(width - 1, 1), &a.text()),
            Slice { low, bits } => a.part(low, bits),
            ShiftLeft { by: 0 } | ShiftRightLogical { by: 0 } | ShiftRightArithmetic { by: 0 } => {
                a.text()
            }
            ShiftLeft { by } => {
                format!(
                    "{{{}, {}}}",
                    a.part(0, width - by),
                    Term::Literal(0, by).text()
                )
            }
            ShiftRightLogical { by } => extended(by, "1'b0", &a.part(by, width - by)),
            ShiftRightArithmetic { by } => {
                extended(by, &a.part(width - 1, 1), &a.part(by, width - by))
            }
            UMin => choice(less(width, a, &terms[1]), [a, &terms[1]]),
            UMax => choice(less(width, a, &terms[1]), [&terms[1], a]),
            SMin => choice(infix_signed("<"), [a, &terms[1]]),
            SMax => choice(infix_signed("<"), [&terms[1], a]),
            FNeg => with_sign(width, format!("~{}", a.part(width - 1, 1)), a),
            FAbs => with_sign(width, "1'b0".into(), a),
            CopySign => with_sign(width, terms[1].part(width - 1, 1), a),
            BitReverse => pieces(a, width, 1),
            ByteSwap => pieces(a, width, 8),
        }
    }
}

/// `a < b`, unsigned. What a number decides is not left to tools, which would complain.
fn less(width: u32, a: &Term, b: &Term) -> String {
    let never = *b == Term::Literal(0, width) || *a == Term::Literal(mask(width), width);
    match never {
        true => "1'b0".into(),
        false => format!("{} < {}", a.text(), b.text()),
    }
}

/// `a <= b`, unsigned, likewise.
fn less_or_equal(width: u32, a: &Term, b: &Term) -> String {
    let always = *a == Term::Literal(0, width) || *b == Term::Literal(mask(width), width);
    match always {
        true => "1'b1".into(),
        false => format!("{} <= {}", a.text(), b.text()),
    }
}

/// The width of an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OperandWidth {
    /// The operation's.
    Full,
    /// One bit.
    Bit,
}

/// That sign, then the bits of `a` below its own.
fn with_sign(width: u32, sign: String, a: &Term) -> String {
    match width {
        1 => sign,
        _ => format!("{{{sign}, {}}}", a.part(0, width - 1)),
    }
}

/// The pieces of a given number of bits in the opposite order.
fn pieces(a: &Term, width: u32, bits: u32) -> String {
    let mut text = String::from("{");
    for low in (0..width).step_by(bits as usize) {
        let comma = if low == 0 { "" } else { ", " };
        write!(text, "{comma}{}", a.part(low, bits)).expect("strings take all text");
    }
    text + "}"
}
