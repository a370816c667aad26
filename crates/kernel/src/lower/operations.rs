//! Instructions that compute, as operations of a segment.

use std::sync::Arc;

use sluice_circuit::arith::{Signedness, Subnormals};
use sluice_circuit::operators::Operator;
use sluice_circuit::operators::div::Div;
use sluice_circuit::operators::fcmp::Fcmp;
use sluice_circuit::operators::ftof::Ftof;
use sluice_circuit::operators::ftoi::Ftoi;
use sluice_circuit::operators::funnel::{self, Funnel};
use sluice_circuit::operators::itof::Itof;
use sluice_circuit::operators::shift::{self, Shift};
use sluice_circuit::target::Target;
use sluice_circuit::units::segment::{Graph, Inline, InlineOp, Kind, Operand, Operation};

use crate::ir::{
    BinaryOp, CastOp, Comparator, Conversion, Elementary, Hardware, Outcome, Predicate, Site,
    TernaryOp, Type, UnaryOp,
};
use crate::semantics::format;

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
        self.compute(op.row().hardware, self.site(ty, Subnormals::Kept), &[a])
    }

    /// A binary operation on values of type `ty`.
    pub(super) fn binary(&mut self, op: BinaryOp, ty: Type, args: [Operand; 2]) -> Operand {
        let site = self.site(ty, op.subnormals(self.subnormals, ty));
        self.compute(op.row().hardware, site, &args)
    }

    /// A ternary operation on values of type `ty`.
    pub(super) fn ternary(&mut self, op: TernaryOp, ty: Type, args: [Operand; 3]) -> Operand {
        let site = self.site(ty, op.subnormals(self.subnormals, ty));
        self.compute(op.row().hardware, site, &args)
    }

    /// An elementary function.
    pub(super) fn elementary(&mut self, op: Elementary, args: &[Operand]) -> Operand {
        let core = op.core(self.target.tile());
        let operation = self.operation(Kind::Operator(core), args);
        Operand::Result {
            operation,
            output: 0,
        }
    }

    fn site(&self, ty: Type, subnormals: Subnormals) -> Site {
        Site {
            ty,
            tile: self.target.tile(),
            subnormals,
        }
    }

    fn compute(&mut self, hardware: Hardware, site: Site, args: &[Operand]) -> Operand {
        match hardware {
            Hardware::Inline(op) => self.inline(op, site.width(), args),
            Hardware::Shift(direction) => self.shift(direction, site.ty, args[0], args[1]),
            Hardware::Funnel(direction) => {
                self.funnel(direction, site.ty, [args[0], args[1], args[2]])
            }
            Hardware::Operator { make, output } => {
                let operation = self.operation(Kind::Operator(make(&site)), args);
                Operand::Result { operation, output }
            }
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
        match pred.row().comparator {
            Comparator::Inline(op) => self.inline(op, ty.bits(), &args),
            Comparator::AnyOf(outcomes) => self.float_compare(outcomes, ty, args),
            Comparator::NoneOf(outcomes) => {
                let any = self.float_compare(outcomes, ty, args);
                self.inline(InlineOp::Not, 1, &[any])
            }
        }
    }

    /// Whether one of the outcomes is there.
    fn float_compare(&mut self, outcomes: &[Outcome], ty: Type, args: [Operand; 2]) -> Operand {
        let fcmp = Fcmp { format: format(ty) };
        let operation = self.operation(Kind::Operator(Arc::new(fcmp)), &args);
        let outputs = outcomes.iter().map(|&outcome| Operand::Result {
            operation,
            output: outcome as u32,
        });
        outputs
            .reduce(|a, b| self.inline(InlineOp::Or, 1, &[a, b]))
            .expect("a comparison asks for at least one outcome")
    }

    /// A choice between values of `width` bits.
    pub(super) fn select(&mut self, cond: Operand, width: u32, args: [Operand; 2]) -> Operand {
        self.inline(InlineOp::Select, width, &[cond, args[0], args[1]])
    }

    /// A conversion.
    pub(super) fn cast(&mut self, op: CastOp, from: Type, to: Type, a: Operand) -> Operand {
        let (width, wanted) = (from.bits(), to.bits());
        match op.row().conversion {
            Conversion::Reinterpret => a,
            Conversion::Extend(Signedness::Unsigned) => {
                self.inline(InlineOp::Zext { to: wanted }, width, &[a])
            }
            Conversion::Extend(Signedness::Signed) => {
                self.inline(InlineOp::Sext { to: wanted }, width, &[a])
            }
            Conversion::Truncate => {
                let slice = InlineOp::Slice {
                    low: 0,
                    bits: wanted,
                };
                self.inline(slice, width, &[a])
            }
            Conversion::FloatToInt(signedness) => {
                let ftoi = Ftoi {
                    format: format(from),
                    width: wanted,
                    signedness,
                };
                self.operator(ftoi, &[a])
            }
            Conversion::IntToFloat(signedness) => {
                let itof = Itof {
                    width,
                    signedness,
                    format: format(to),
                };
                self.operator(itof, &[a])
            }
            Conversion::FloatToFloat => {
                let ftof = Ftof {
                    from: format(from),
                    to: format(to),
                };
                self.operator(ftof, &[a])
            }
        }
    }

    /// As many bits as the pointer has of its sum with an offset, read as signed. `op` makes the sum.
    pub(super) fn ptr_add(&mut self, op: InlineOp, base: Operand, offset: Operand) -> Operand {
        let width = self.graph.width(base);
        let offset = match self.graph.width(offset) {
            from if from < width => self.inline(InlineOp::Sext { to: width }, from, &[offset]),
            from if from > width => {
                let low = InlineOp::Slice {
                    low: 0,
                    bits: width,
                };
                self.inline(low, from, &[offset])
            }
            _ => offset,
        };
        match base {
            Operand::Literal { bits: 0, .. } => offset,
            _ => self.inline(op, width, &[base, offset]),
        }
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
