//! Instructions that compute, as operations of a segment.

use std::sync::Arc;

use sluice_circuit::arith::{Extreme, Rounding, Signedness, Subnormals};
use sluice_circuit::operators::Operator;
use sluice_circuit::operators::count::{Count, Counted};
use sluice_circuit::operators::div::Div;
use sluice_circuit::operators::fadd::{Fadd, Sum};
use sluice_circuit::operators::fcmp::Fcmp;
use sluice_circuit::operators::fdiv::Fdiv;
use sluice_circuit::operators::fexp::Fexp;
use sluice_circuit::operators::fextreme::Fextreme;
use sluice_circuit::operators::flog::Flog;
use sluice_circuit::operators::fma::Fma;
use sluice_circuit::operators::fmul::Fmul;
use sluice_circuit::operators::fpow::Fpow;
use sluice_circuit::operators::fquot::Fquot;
use sluice_circuit::operators::froot::Froot;
use sluice_circuit::operators::fround::Fround;
use sluice_circuit::operators::fsqrt::Fsqrt;
use sluice_circuit::operators::ftof::Ftof;
use sluice_circuit::operators::ftoi::Ftoi;
use sluice_circuit::operators::ftrig::Ftrig;
use sluice_circuit::operators::funnel::{self, Funnel};
use sluice_circuit::operators::itof::Itof;
use sluice_circuit::operators::mul::{Half, Mul};
use sluice_circuit::operators::shift::{self, Shift};
use sluice_circuit::target::Target;
use sluice_circuit::units::segment::{Graph, Inline, InlineOp, Kind, Operand, Operation};

use crate::ir::{
    BinaryOp, CastOp, Elementary, Function, Function2, Predicate, TernaryOp, Type, UnaryOp,
};
use crate::semantics::{binary_subnormals, format, ternary_subnormals};

/// Adds operations to a segment's graph, for one instruction of the source.
pub(super) struct Translator<'a> {
    pub(super) graph: &'a mut Graph,
    pub(super) target: &'a Target,
    /// What the kernel makes of subnormal numbers.
    pub(super) subnormals: Subnormals,
    /// The name of the instruction's result in the source.
    pub(super) name: Option<&'a str>,
    /// The instruction's source line.
    pub(super) line: Option<u32>,
}

impl Translator<'_> {
    /// A unary operation on a value of type `ty`.
    pub(super) fn unary(&mut self, op: UnaryOp, ty: Type, a: Operand) -> Operand {
        let width = ty.bits();
        let count = |counted| Count { width, counted };
        let round = |rounding| Fround {
            format: format(ty),
            rounding,
        };
        match op {
            UnaryOp::Clz => self.operator(count(Counted::LeadingZeros), &[a]),
            UnaryOp::Ctz => self.operator(count(Counted::TrailingZeros), &[a]),
            UnaryOp::Popcount => self.operator(count(Counted::Ones), &[a]),
            UnaryOp::BitReverse => self.inline(InlineOp::BitReverse, width, &[a]),
            UnaryOp::ByteSwap => self.inline(InlineOp::ByteSwap, width, &[a]),
            UnaryOp::FNeg => self.inline(InlineOp::FNeg, width, &[a]),
            UnaryOp::FAbs => self.inline(InlineOp::FAbs, width, &[a]),
            UnaryOp::FSqrt => self.operator(Fsqrt { format: format(ty) }, &[a]),
            UnaryOp::FFloor => self.operator(round(Rounding::Floor), &[a]),
            UnaryOp::FCeil => self.operator(round(Rounding::Ceil), &[a]),
            UnaryOp::FTrunc => self.operator(round(Rounding::Trunc), &[a]),
            UnaryOp::FRint => self.operator(round(Rounding::Rint), &[a]),
            UnaryOp::FRound => self.operator(round(Rounding::Round), &[a]),
        }
    }

    /// A binary operation on values of type `ty`.
    pub(super) fn binary(&mut self, op: BinaryOp, ty: Type, [a, b]: [Operand; 2]) -> Operand {
        use BinaryOp::*;
        let simple = match op {
            Add => Some(InlineOp::Add),
            Sub => Some(InlineOp::Sub),
            And => Some(InlineOp::And),
            Or => Some(InlineOp::Or),
            Xor => Some(InlineOp::Xor),
            UMin => Some(InlineOp::UMin),
            UMax => Some(InlineOp::UMax),
            SMin => Some(InlineOp::SMin),
            SMax => Some(InlineOp::SMax),
            CopySign => Some(InlineOp::CopySign),
            Mul | UDiv | SDiv | URem | SRem | Shl | LShr | AShr | UMulHi | SMulHi | FAdd | FSub
            | FMul | FDiv | FMin | FMax => None,
        };
        if let Some(op) = simple {
            return self.inline(op, ty.bits(), &[a, b]);
        }
        match op {
            Shl => self.shift(shift::Direction::Left, ty, a, b),
            LShr => self.shift(shift::Direction::RightLogical, ty, a, b),
            AShr => self.shift(shift::Direction::RightArithmetic, ty, a, b),
            UDiv => self.divide(Signedness::Unsigned, ty, [a, b], Share::Quotient),
            SDiv => self.divide(Signedness::Signed, ty, [a, b], Share::Quotient),
            URem => self.divide(Signedness::Unsigned, ty, [a, b], Share::Remainder),
            SRem => self.divide(Signedness::Signed, ty, [a, b], Share::Remainder),
            Mul => self.multiply(Half::Low, ty, [a, b]),
            UMulHi => self.multiply(Half::High(Signedness::Unsigned), ty, [a, b]),
            SMulHi => self.multiply(Half::High(Signedness::Signed), ty, [a, b]),
            FAdd | FSub | FMul | FDiv | FMin | FMax => self.float_binary(op, ty, [a, b]),
            Add | Sub | And | Or | Xor | UMin | UMax | SMin | SMax | CopySign => {
                unreachable!("expressions are made above")
            }
        }
    }

    fn float_binary(&mut self, op: BinaryOp, ty: Type, args: [Operand; 2]) -> Operand {
        let format = format(ty);
        let subnormals = binary_subnormals(self.subnormals, op, ty);
        let sum = |sum| Fadd { format, sum };
        let extreme = |want| Fextreme { format, want };
        match op {
            BinaryOp::FAdd => self.operator(sum(Sum::Add), &args),
            BinaryOp::FSub => self.operator(sum(Sum::Subtract), &args),
            BinaryOp::FMul => {
                let fmul = Fmul {
                    format,
                    tile: self.target.tile(),
                    subnormals,
                };
                self.operator(fmul, &args)
            }
            BinaryOp::FDiv => self.operator(Fdiv { format, subnormals }, &args),
            BinaryOp::FMin => self.operator(extreme(Extreme::Least), &args),
            BinaryOp::FMax => self.operator(extreme(Extreme::Greatest), &args),
            other => unreachable!("{other} is no float operation with an operator"),
        }
    }

    fn multiply(&mut self, half: Half, ty: Type, args: [Operand; 2]) -> Operand {
        let mul = Mul {
            width: ty.bits(),
            half,
            tile: self.target.tile(),
        };
        self.operator(mul, &args)
    }

    fn divide(
        &mut self,
        signedness: Signedness,
        ty: Type,
        args: [Operand; 2],
        share: Share,
    ) -> Operand {
        let div = Div {
            width: ty.bits(),
            signedness,
        };
        let operation = self.operation(Kind::Operator(Arc::new(div)), &args);
        Operand::Result {
            operation,
            output: match share {
                Share::Quotient => 0,
                Share::Remainder => 1,
            },
        }
    }

    /// A shift; by a known amount it is wiring.
    fn shift(&mut self, direction: shift::Direction, ty: Type, a: Operand, b: Operand) -> Operand {
        use shift::Direction;
        let width = ty.bits();
        let Operand::Literal { bits, .. } = b else {
            return self.operator(Shift { width, direction }, &[a, b]);
        };
        let by = bits.min(u64::from(u32::MAX)) as u32;
        match direction {
            Direction::Left | Direction::RightLogical if by >= width => {
                Operand::Literal { bits: 0, width }
            }
            Direction::Left => self.inline(InlineOp::ShiftLeft { by }, width, &[a]),
            Direction::RightLogical => self.inline(InlineOp::ShiftRightLogical { by }, width, &[a]),
            Direction::RightArithmetic => {
                let by = by.min(width - 1);
                self.inline(InlineOp::ShiftRightArithmetic { by }, width, &[a])
            }
        }
    }

    /// An elementary function.
    pub(super) fn elementary(&mut self, op: Elementary, args: &[Operand]) -> Operand {
        let tile = self.target.tile();
        match op {
            Elementary::One(function, grade) => match function {
                Function::Exp | Function::Exp2 | Function::Exp10 => self.operator(
                    Fexp {
                        function,
                        grade,
                        tile,
                    },
                    args,
                ),
                Function::Rsqrt | Function::Recip => self.operator(
                    Froot {
                        function,
                        grade,
                        tile,
                    },
                    args,
                ),
                Function::Log | Function::Log2 | Function::Log10 => self.operator(
                    Flog {
                        function,
                        grade,
                        tile,
                    },
                    args,
                ),
                Function::Sin | Function::Cos => self.operator(
                    Ftrig {
                        function,
                        grade,
                        tile,
                    },
                    args,
                ),
            },
            Elementary::Two(Function2::Divide, grade) => self.operator(Fquot { grade, tile }, args),
            Elementary::Two(Function2::Pow, grade) => self.operator(Fpow { grade, tile }, args),
        }
    }

    /// A ternary operation on values of type `ty`.
    pub(super) fn ternary(&mut self, op: TernaryOp, ty: Type, args: [Operand; 3]) -> Operand {
        match op {
            TernaryOp::Fma => {
                let fma = Fma {
                    format: format(ty),
                    tile: self.target.tile(),
                    subnormals: ternary_subnormals(self.subnormals, op, ty),
                };
                self.operator(fma, &args)
            }
            TernaryOp::FunnelShl => self.funnel(funnel::Direction::Left, ty, args),
            TernaryOp::FunnelShr => self.funnel(funnel::Direction::Right, ty, args),
        }
    }

    /// A funnel shift. By a known amount, or of a width that is no power of two, it is made of
    /// shifts.
    fn funnel(&mut self, direction: funnel::Direction, ty: Type, args: [Operand; 3]) -> Operand {
        let width = ty.bits();
        let [a, b, by] = args;
        if let Operand::Literal { bits, .. } = by {
            let by = bits % u64::from(width);
            let (left, right) = match direction {
                funnel::Direction::Left => (by, u64::from(width) - by),
                funnel::Direction::Right => (u64::from(width) - by, by),
            };
            let literal = |bits| Operand::Literal { bits, width: 64 };
            let high = self.shift(shift::Direction::Left, ty, a, literal(left));
            let low = self.shift(shift::Direction::RightLogical, ty, b, literal(right));
            return self.inline(InlineOp::Or, width, &[high, low]);
        }
        if width == 1 {
            // Whatever the amount, it is none.
            return match direction {
                funnel::Direction::Left => a,
                funnel::Direction::Right => b,
            };
        }
        if width.is_power_of_two() {
            return self.operator(Funnel { width, direction }, &args);
        }
        let all = Operand::Literal {
            bits: width.into(),
            width,
        };
        let div = Div {
            width,
            signedness: Signedness::Unsigned,
        };
        let division = self.operation(Kind::Operator(Arc::new(div)), &[by, all]);
        let by = Operand::Result {
            operation: division,
            output: 1,
        };
        let rest = self.inline(InlineOp::Sub, width, &[all, by]);
        let (left, right) = match direction {
            funnel::Direction::Left => (by, rest),
            funnel::Direction::Right => (rest, by),
        };
        let high = self.shift(shift::Direction::Left, ty, a, left);
        let low = self.shift(shift::Direction::RightLogical, ty, b, right);
        self.inline(InlineOp::Or, width, &[high, low])
    }

    /// A comparison of values of type `ty`.
    pub(super) fn compare(&mut self, pred: Predicate, ty: Type, args: [Operand; 2]) -> Operand {
        use Predicate::*;
        let width = ty.bits();
        match pred {
            Eq => self.inline(InlineOp::Eq, width, &args),
            Ne => self.inline(InlineOp::Ne, width, &args),
            Ult => self.inline(InlineOp::Ult, width, &args),
            Ule => self.inline(InlineOp::Ule, width, &args),
            Slt => self.inline(InlineOp::Slt, width, &args),
            Sle => self.inline(InlineOp::Sle, width, &args),
            FOeq | FOne | FOlt | FOle | FOrd | FUeq | FUne | FUlt | FUle | FUno => {
                self.float_compare(pred, ty, args)
            }
        }
    }

    fn float_compare(&mut self, pred: Predicate, ty: Type, args: [Operand; 2]) -> Operand {
        use Predicate::*;
        let fcmp = Fcmp { format: format(ty) };
        let operation = self.operation(Kind::Operator(Arc::new(fcmp)), &args);
        let output = |output| Operand::Result { operation, output };
        let (less, equal, unordered) = (output(0), output(1), output(2));
        let mut or = |a, b| self.inline(InlineOp::Or, 1, &[a, b]);
        match pred {
            FOeq => equal,
            FOlt => less,
            FOle => or(less, equal),
            FUno => unordered,
            FUlt => or(less, unordered),
            FUeq => or(equal, unordered),
            FUle => {
                let ordered = or(less, equal);
                or(ordered, unordered)
            }
            FOrd => self.inline(InlineOp::Not, 1, &[unordered]),
            FUne => self.inline(InlineOp::Not, 1, &[equal]),
            FOne => {
                let excluded = or(equal, unordered);
                self.inline(InlineOp::Not, 1, &[excluded])
            }
            Eq | Ne | Ult | Ule | Slt | Sle => unreachable!("integers compare otherwise"),
        }
    }

    /// A choice between values of type `ty`.
    pub(super) fn select(&mut self, cond: Operand, ty: Type, args: [Operand; 2]) -> Operand {
        self.inline(InlineOp::Select, ty.bits(), &[cond, args[0], args[1]])
    }

    /// A conversion.
    pub(super) fn cast(&mut self, op: CastOp, from: Type, to: Type, a: Operand) -> Operand {
        let (width, wanted) = (from.bits(), to.bits());
        match op {
            CastOp::Bitcast | CastOp::PtrToInt | CastOp::IntToPtr | CastOp::SpaceCast => a,
            CastOp::Zext => self.inline(InlineOp::Zext { to: wanted }, width, &[a]),
            CastOp::Sext => self.inline(InlineOp::Sext { to: wanted }, width, &[a]),
            CastOp::Trunc => {
                let slice = InlineOp::Slice {
                    low: 0,
                    bits: wanted,
                };
                self.inline(slice, width, &[a])
            }
            CastOp::FpToSi | CastOp::FpToUi => {
                let signedness = match op {
                    CastOp::FpToSi => Signedness::Signed,
                    _ => Signedness::Unsigned,
                };
                let ftoi = Ftoi {
                    format: format(from),
                    width: wanted,
                    signedness,
                };
                self.operator(ftoi, &[a])
            }
            CastOp::SiToFp | CastOp::UiToFp => {
                let signedness = match op {
                    CastOp::SiToFp => Signedness::Signed,
                    _ => Signedness::Unsigned,
                };
                let itof = Itof {
                    width,
                    signedness,
                    format: format(to),
                };
                self.operator(itof, &[a])
            }
            CastOp::FpExt | CastOp::FpTrunc => {
                let ftof = Ftof {
                    from: format(from),
                    to: format(to),
                };
                self.operator(ftof, &[a])
            }
        }
    }

    /// A pointer moved by an offset of type `ty`, read as signed.
    pub(super) fn ptr_add(&mut self, base: Operand, ty: Type, offset: Operand) -> Operand {
        let offset = match ty.bits() {
            64 => offset,
            width => self.inline(InlineOp::Sext { to: 64 }, width, &[offset]),
        };
        self.inline(InlineOp::Add, 64, &[base, offset])
    }

    fn inline(&mut self, op: InlineOp, width: u32, operands: &[Operand]) -> Operand {
        let operation = self.operation(Kind::Inline(Inline { op, width }), operands);
        Operand::Result {
            operation,
            output: 0,
        }
    }

    fn operator(&mut self, operator: impl Operator + 'static, operands: &[Operand]) -> Operand {
        let operation = self.operation(Kind::Operator(Arc::new(operator)), operands);
        Operand::Result {
            operation,
            output: 0,
        }
    }

    fn operation(&mut self, kind: Kind, operands: &[Operand]) -> u32 {
        self.graph.add(Operation {
            kind,
            operands: operands.to_vec(),
            name: self.name.map(str::to_owned),
            line: self.line,
        })
    }
}

/// What is wanted of a division.
enum Share {
    Quotient,
    Remainder,
}
