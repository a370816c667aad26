//! The width at which each operation is done, and how its result is restored from there.
//!
//! Every plan keeps the result's low bits exact up to its demand, given operands that are exact up
//! to theirs. An operation is never done wider than before.

use sluice_circuit::arith::Extreme::{Greatest, Least};
use sluice_circuit::arith::Signedness::{Signed, Unsigned};
use sluice_circuit::operators::count::Counted;
use sluice_circuit::operators::shift::Direction::{Left, RightArithmetic, RightLogical};

use super::{Extension, Narrower};
use crate::ir::{
    Algebra, BinaryOp, CastOp, Conversion, InstData, Predicate, Relation, UnaryAlgebra, Value,
};

/// An operation on operands of `width` bits.
pub(super) struct Plan {
    pub(super) data: InstData,
    pub(super) width: u32,
    pub(super) extension: Extension,
}

impl Narrower<'_> {
    /// How an operation on integers is done; `None` if its types are fixed.
    pub(super) fn plan(&self, data: &InstData, results: &[Value]) -> Option<Plan> {
        match *data {
            InstData::Binary { op, args } if !op.is_float() => {
                Some(self.plan_binary(op, args, results[0]))
            }
            InstData::Unary { op, arg }
                if op.row().algebra == Some(UnaryAlgebra::Count(Counted::Ones)) =>
            {
                Some(Plan {
                    data: data.clone(),
                    width: self.facts(arg).unsigned_width(),
                    extension: Extension::Zeros,
                })
            }
            InstData::Compare { pred, args } if self.kernel.ty(args[0]).is_int() => {
                let relation = pred.row().relation?;
                Some(self.plan_compare(relation, args))
            }
            InstData::Cast { op, arg } => match op.row().conversion {
                Conversion::IntToFloat(_) => Some(self.plan_to_float(op, arg)),
                Conversion::Extend(_)
                | Conversion::Truncate
                | Conversion::FloatToInt(_)
                | Conversion::FloatToFloat
                | Conversion::Reinterpret => None,
            },
            _ => None,
        }
    }

    fn plan_binary(&self, op: BinaryOp, args: [Value; 2], result: Value) -> Plan {
        use Algebra::*;
        use Extension::{Sign, Zeros};
        let [a, b] = args.map(|arg| self.facts(arg));
        let whole = a.width();
        let demand = self.demand.bits(result);
        let (need, extension) = self.need(result);
        let unsigned = a.unsigned_width().max(b.unsigned_width());
        let signed = a.signed_width().max(b.signed_width());
        let are_nonnegative = a.is_nonnegative() && b.is_nonnegative();
        // An amount must be there as a whole.
        let amount = b.unsigned_width();
        let by = b.as_constant().map(|by| by.min(64) as u32);
        let algebra = op.row().algebra;
        let (op, width, extension) = match algebra {
            Some(Sum | Difference | Product | And | Or | Xor) => (op, need, extension),
            Some(Shift(Left)) => (op, need.max(amount), extension),
            Some(Shift(RightLogical)) => {
                (op, shifted(demand, by, a.unsigned_width(), amount), Zeros)
            }
            Some(Shift(RightArithmetic)) if a.is_nonnegative() => {
                let width = shifted(demand, by, a.unsigned_width(), amount);
                (BinaryOp::LShr, width, Zeros)
            }
            Some(Shift(RightArithmetic)) => {
                (op, shifted(demand, by, a.signed_width(), amount), Sign)
            }
            Some(Quotient(Unsigned)) => return self.plan_udiv(args, result),
            Some(Quotient(Signed)) if are_nonnegative => return self.plan_udiv(args, result),
            // Only the least value divided by -1 takes a bit more.
            Some(Quotient(Signed))
                if demand <= signed || self.facts(result).signed_width() <= signed =>
            {
                (op, signed, Sign)
            }
            Some(Quotient(Signed)) => (op, signed + 1, Sign),
            Some(Remainder(Unsigned)) => (op, unsigned, Zeros),
            Some(Remainder(Signed)) if are_nonnegative => (BinaryOp::URem, unsigned, Zeros),
            Some(Remainder(Signed)) => (op, signed, Sign),
            // Extending by the sign keeps the unsigned order, too.
            Some(Extreme(Unsigned, _)) if signed < unsigned => (op, signed, Sign),
            Some(Extreme(Unsigned, _)) => (op, unsigned, Zeros),
            Some(Extreme(Signed, Least)) if are_nonnegative => (BinaryOp::UMin, unsigned, Zeros),
            Some(Extreme(Signed, Greatest)) if are_nonnegative => (BinaryOp::UMax, unsigned, Zeros),
            Some(Extreme(Signed, _)) => (op, signed, Sign),
            Some(HighProduct(_)) | None => (op, whole, Zeros),
        };
        Plan {
            data: InstData::Binary { op, args },
            width: width.min(whole),
            extension,
        }
    }

    /// A zero divisor makes all bits ones: with a bit to spare that is -1, to be sign-extended.
    fn plan_udiv(&self, args: [Value; 2], result: Value) -> Plan {
        let [a, b] = args.map(|arg| self.facts(arg));
        let unsigned = a.unsigned_width().max(b.unsigned_width());
        let spare = b.umin() == 0 && self.demand.bits(result) > unsigned;
        let (width, extension) = if spare {
            (unsigned + 1, Extension::Sign)
        } else {
            (unsigned, Extension::Zeros)
        };
        let op = BinaryOp::UDiv;
        Plan {
            data: InstData::Binary { op, args },
            width: width.min(a.width()),
            extension,
        }
    }

    fn plan_compare(&self, relation: Relation, args: [Value; 2]) -> Plan {
        use Relation::*;
        let [a, b] = args.map(|arg| self.facts(arg));
        let unsigned = a.unsigned_width().max(b.unsigned_width());
        let signed = a.signed_width().max(b.signed_width());
        let are_nonnegative = a.is_nonnegative() && b.is_nonnegative();
        let (relation, width) = match relation {
            Less(Signed) if are_nonnegative => (Less(Unsigned), unsigned),
            LessOrEqual(Signed) if are_nonnegative => (LessOrEqual(Unsigned), unsigned),
            Less(Signed) | LessOrEqual(Signed) => (relation, signed),
            // Extending by the sign keeps the unsigned order, too.
            Equal | NotEqual | Less(Unsigned) | LessOrEqual(Unsigned) => {
                (relation, unsigned.min(signed))
            }
        };
        let pred = Predicate::of(relation);
        Plan {
            data: InstData::Compare { pred, args },
            width,
            extension: Extension::Zeros,
        }
    }

    fn plan_to_float(&self, op: CastOp, arg: Value) -> Plan {
        let facts = self.facts(arg);
        let (op, width) = if op == CastOp::UiToFp || facts.is_nonnegative() {
            (CastOp::UiToFp, facts.unsigned_width())
        } else {
            (CastOp::SiToFp, facts.signed_width())
        };
        Plan {
            data: InstData::Cast { op, arg },
            width,
            extension: Extension::Zeros,
        }
    }
}

/// The width of a shift to the right: that of the operand, or, by a constant, what of it gets into
/// the bits that matter.
fn shifted(demand: u32, by: Option<u32>, operand: u32, amount: u32) -> u32 {
    let reaches = by.map_or(operand, |by| operand.min(demand + by));
    reaches.max(amount)
}
