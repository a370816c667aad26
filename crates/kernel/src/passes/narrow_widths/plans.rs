//! The width at which each operation is done, and how its result is restored from there.
//!
//! Every plan keeps the result's low bits exact up to its demand, given operands that are exact up
//! to theirs. An operation is never done wider than before.

use super::{Extension, Narrower};
use crate::ir::{BinaryOp, CastOp, InstData, Predicate, UnaryOp, Value};

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
            InstData::Unary {
                op: UnaryOp::Popcount,
                arg,
            } => Some(Plan {
                data: data.clone(),
                width: self.facts(arg).unsigned_width(),
                extension: Extension::Zeros,
            }),
            InstData::Compare { pred, args } if self.kernel.ty(args[0]).is_int() => {
                Some(self.plan_compare(pred, args))
            }
            InstData::Cast {
                op: op @ (CastOp::SiToFp | CastOp::UiToFp),
                arg,
            } => Some(self.plan_to_float(op, arg)),
            _ => None,
        }
    }

    fn plan_binary(&self, op: BinaryOp, args: [Value; 2], result: Value) -> Plan {
        use BinaryOp::*;
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
        let (op, width, extension) = match op {
            Add | Sub | Mul | And | Or | Xor => (op, need, extension),
            Shl => (op, need.max(amount), extension),
            LShr => (LShr, shifted(demand, by, a.unsigned_width(), amount), Zeros),
            AShr if a.is_nonnegative() => {
                (LShr, shifted(demand, by, a.unsigned_width(), amount), Zeros)
            }
            AShr => (AShr, shifted(demand, by, a.signed_width(), amount), Sign),
            UDiv => return self.plan_udiv(args, result),
            SDiv if are_nonnegative => return self.plan_udiv(args, result),
            // Only the least value divided by -1 takes a bit more.
            SDiv if demand <= signed || self.facts(result).signed_width() <= signed => {
                (SDiv, signed, Sign)
            }
            SDiv => (SDiv, signed + 1, Sign),
            URem => (URem, unsigned, Zeros),
            SRem if are_nonnegative => (URem, unsigned, Zeros),
            SRem => (SRem, signed, Sign),
            // Extending by the sign keeps the unsigned order, too.
            UMin | UMax if signed < unsigned => (op, signed, Sign),
            UMin | UMax => (op, unsigned, Zeros),
            SMin if are_nonnegative => (UMin, unsigned, Zeros),
            SMax if are_nonnegative => (UMax, unsigned, Zeros),
            SMin | SMax => (op, signed, Sign),
            UMulHi | SMulHi => (op, whole, Zeros),
            FAdd | FSub | FMul | FDiv | FMin | FMax | CopySign => {
                unreachable!("{op} is not on integers")
            }
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

    fn plan_compare(&self, pred: Predicate, args: [Value; 2]) -> Plan {
        use Predicate::*;
        let [a, b] = args.map(|arg| self.facts(arg));
        let unsigned = a.unsigned_width().max(b.unsigned_width());
        let signed = a.signed_width().max(b.signed_width());
        let are_nonnegative = a.is_nonnegative() && b.is_nonnegative();
        let (pred, width) = match pred {
            Slt if are_nonnegative => (Ult, unsigned),
            Sle if are_nonnegative => (Ule, unsigned),
            Slt | Sle => (pred, signed),
            // Extending by the sign keeps the unsigned order, too.
            Eq | Ne | Ult | Ule => (pred, unsigned.min(signed)),
            FOeq | FOne | FOlt | FOle | FOrd | FUeq | FUne | FUlt | FUle | FUno => {
                unreachable!("{pred} is not on integers")
            }
        };
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
