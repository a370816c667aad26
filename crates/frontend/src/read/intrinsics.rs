//! LLVM's intrinsics.

use sluice_kernel::ir::{self, BinaryOp, CastOp, Predicate, TernaryOp, Type, UnaryOp};

use super::body::{Reader, one};
use super::llvm::Value;
use super::overflow::Wrapping;
use super::refusal::{Code, Refusal};
use super::transfers::Direction;
use super::{Lanes, Result, types};
use crate::choices::Contraction;

impl<'m> Reader<'m> {
    /// A call of an intrinsic, named without its types.
    pub fn read_intrinsic(&mut self, name: &str, call: Value<'m>) -> Result<Lanes> {
        let name = name.strip_prefix("llvm.").unwrap_or(name);
        if is_ignored(name) {
            return Ok(Lanes::new());
        }
        if let Some(op) = unary_op(name) {
            return self.read_unary(op, call);
        }
        if let Some(op) = binary_op(name) {
            return self.map_binary(op, call.operand(0), call.operand(1));
        }
        if let Some(op) = ternary_op(name) {
            return self.read_ternary(op, call);
        }
        if let Some(reduction) = name.strip_prefix("vector.reduce.") {
            return self.read_reduction(reduction, call);
        }
        self.read_expanded(name, call)
    }

    /// Intrinsics that become more than one instruction.
    fn read_expanded(&mut self, name: &str, call: Value<'m>) -> Result<Lanes> {
        match name {
            "memcpy" | "memcpy.inline" => self.read_copy(Direction::Forward, call),
            "memmove" => self.read_copy(Direction::Any, call),
            "memset" | "memset.inline" => self.read_fill(call),
            "fmuladd" => self.read_multiply_add(call),
            "fptosi.sat" => self.read_saturating_conversion(CastOp::FpToSi, call),
            "fptoui.sat" => self.read_saturating_conversion(CastOp::FpToUi, call),
            "canonicalize"
            | "expect"
            | "ssa.copy"
            | "launder.invariant.group"
            | "arithmetic.fence" => self.lanes(call.operand(0)),
            "abs" => self.map_lanes(call, |reader, [x]| reader.absolute(x)),
            "minimum" => self.map_lanes(call, |r, [a, b]| r.nan_or(BinaryOp::FMin, a, b)),
            "maximum" => self.map_lanes(call, |r, [a, b]| r.nan_or(BinaryOp::FMax, a, b)),
            "scmp" => self.read_three_way(Predicate::Slt, call),
            "ucmp" => self.read_three_way(Predicate::Ult, call),
            "is.fpclass" => self.read_float_class(call),
            "ptrmask" => self.read_pointer_mask(call),
            "uadd.sat" => self.map_lanes(call, |r, [a, b]| r.saturating(Wrapping::UAdd, a, b)),
            "usub.sat" => self.map_lanes(call, |r, [a, b]| r.saturating(Wrapping::USub, a, b)),
            "sadd.sat" => self.map_lanes(call, |r, [a, b]| r.saturating(Wrapping::SAdd, a, b)),
            "ssub.sat" => self.map_lanes(call, |r, [a, b]| r.saturating(Wrapping::SSub, a, b)),
            "ushl.sat" => {
                self.map_lanes(call, |r, [a, b]| r.saturating_shift(BinaryOp::LShr, a, b))
            }
            "sshl.sat" => {
                self.map_lanes(call, |r, [a, b]| r.saturating_shift(BinaryOp::AShr, a, b))
            }
            "uadd.with.overflow" => self.read_with_overflow(Wrapping::UAdd, call),
            "usub.with.overflow" => self.read_with_overflow(Wrapping::USub, call),
            "umul.with.overflow" => self.read_with_overflow(Wrapping::UMul, call),
            "sadd.with.overflow" => self.read_with_overflow(Wrapping::SAdd, call),
            "ssub.with.overflow" => self.read_with_overflow(Wrapping::SSub, call),
            "smul.with.overflow" => self.read_with_overflow(Wrapping::SMul, call),
            _ => Err(Refusal::new(
                Code::UnsupportedOperation,
                format!("LLVM's operation `llvm.{name}` is not supported"),
            )),
        }
    }

    /// Applies `f` to the lanes of a call's first `N` arguments.
    pub fn map_lanes<const N: usize>(
        &mut self,
        call: Value<'m>,
        mut f: impl FnMut(&mut Self, [ir::Value; N]) -> ir::Value,
    ) -> Result<Lanes> {
        let mut args = Vec::new();
        for at in 0..N {
            args.push(self.lanes(call.operand(at as u32))?);
        }
        let count = types::lanes(call.ty())?.len();
        let lane = |at: usize| std::array::from_fn(|arg| args[arg][at]);
        Ok((0..count).map(|at| f(self, lane(at))).collect())
    }

    fn read_ternary(&mut self, op: TernaryOp, call: Value<'m>) -> Result<Lanes> {
        self.map_lanes(call, |reader, args| reader.b.ternary(op, args))
    }

    /// A multiplication and an addition that may be one operation if the program permits it.
    fn read_multiply_add(&mut self, call: Value<'m>) -> Result<Lanes> {
        let fused = call.may_contract() || self.contraction == Contraction::Allowed;
        self.map_lanes(call, |reader, [a, b, c]| {
            if fused {
                return reader.b.ternary(TernaryOp::Fma, [a, b, c]);
            }
            let product = reader.b.binary(BinaryOp::FMul, a, b);
            reader.b.binary(BinaryOp::FAdd, product, c)
        })
    }

    /// A saturating float-to-integer conversion: what the IR's own conversions do.
    fn read_saturating_conversion(&mut self, op: CastOp, call: Value<'m>) -> Result<Lanes> {
        let types = types::lanes(call.ty())?;
        let args = self.lanes(call.operand(0))?;
        let lanes = args.iter().zip(types);
        Ok(lanes.map(|(&arg, ty)| self.b.cast(op, arg, ty)).collect())
    }

    fn absolute(&mut self, x: ir::Value) -> ir::Value {
        let zero = self.b.constant_like(x, 0);
        let negative = self.b.compare(Predicate::Slt, x, zero);
        let opposite = self.b.binary(BinaryOp::Sub, zero, x);
        self.b.select(negative, opposite, x)
    }

    /// The lesser or greater that is NaN if an operand is.
    fn nan_or(&mut self, op: BinaryOp, a: ir::Value, b: ir::Value) -> ir::Value {
        let unordered = self.b.compare(Predicate::FUno, a, b);
        // The sum of a NaN and anything is a NaN.
        let nan = self.b.binary(BinaryOp::FAdd, a, b);
        let chosen = self.b.binary(op, a, b);
        self.b.select(unordered, nan, chosen)
    }

    fn read_three_way(&mut self, less: Predicate, call: Value<'m>) -> Result<Lanes> {
        let ty = types::lanes(call.ty())?[0];
        self.map_lanes(call, |reader, [a, b]| {
            let below = reader.b.compare(less, a, b);
            let above = reader.b.compare(less, b, a);
            let minus = reader.b.constant(ty, u64::MAX);
            let plus = reader.b.cast(CastOp::Zext, above, ty);
            reader.b.select(below, minus, plus)
        })
    }

    fn read_pointer_mask(&mut self, call: Value<'m>) -> Result<Lanes> {
        let ty = types::lanes(call.ty())?[0];
        self.map_lanes(call, |reader, [pointer, mask]| {
            let address = reader.b.as_int(pointer);
            let mask = reader.b.resize(mask, Type::I64);
            let masked = reader.b.binary(BinaryOp::And, address, mask);
            reader.b.reinterpret(masked, ty)
        })
    }

    /// All lanes of a vector combined, the first with the second and so on.
    fn read_reduction(&mut self, name: &str, call: Value<'m>) -> Result<Lanes> {
        let op = reduction_op(name).ok_or_else(|| {
            Refusal::new(
                Code::UnsupportedOperation,
                format!("LLVM's operation `llvm.vector.reduce.{name}` is not supported"),
            )
        })?;
        let mut lanes = Lanes::new();
        for argument in call.arguments() {
            lanes.extend(self.lanes(argument)?);
        }
        let mut lanes = lanes.into_iter();
        let first = lanes.next().expect("vectors have lanes");
        Ok(one(
            lanes.fold(first, |sum, lane| self.b.binary(op, sum, lane))
        ))
    }
}

fn is_ignored(name: &str) -> bool {
    name.starts_with("dbg.")
        || name.starts_with("lifetime.")
        || name.starts_with("invariant.")
        || matches!(
            name,
            "assume" | "donothing" | "experimental.noalias.scope.decl" | "prefetch" | "sideeffect"
        )
}

fn unary_op(name: &str) -> Option<UnaryOp> {
    Some(match name {
        "fabs" => UnaryOp::FAbs,
        "sqrt" => UnaryOp::FSqrt,
        "floor" => UnaryOp::FFloor,
        "ceil" => UnaryOp::FCeil,
        "trunc" => UnaryOp::FTrunc,
        "rint" | "nearbyint" | "roundeven" => UnaryOp::FRint,
        "round" => UnaryOp::FRound,
        "ctpop" => UnaryOp::Popcount,
        "ctlz" => UnaryOp::Clz,
        "cttz" => UnaryOp::Ctz,
        "bswap" => UnaryOp::ByteSwap,
        "bitreverse" => UnaryOp::BitReverse,
        _ => return None,
    })
}

fn binary_op(name: &str) -> Option<BinaryOp> {
    Some(match name {
        "minnum" => BinaryOp::FMin,
        "maxnum" => BinaryOp::FMax,
        "copysign" => BinaryOp::CopySign,
        "smin" => BinaryOp::SMin,
        "smax" => BinaryOp::SMax,
        "umin" => BinaryOp::UMin,
        "umax" => BinaryOp::UMax,
        _ => return None,
    })
}

fn ternary_op(name: &str) -> Option<TernaryOp> {
    Some(match name {
        "fma" => TernaryOp::Fma,
        "fshl" => TernaryOp::FunnelShl,
        "fshr" => TernaryOp::FunnelShr,
        _ => return None,
    })
}

fn reduction_op(name: &str) -> Option<BinaryOp> {
    Some(match name {
        "add" => BinaryOp::Add,
        "mul" => BinaryOp::Mul,
        "and" => BinaryOp::And,
        "or" => BinaryOp::Or,
        "xor" => BinaryOp::Xor,
        "smin" => BinaryOp::SMin,
        "smax" => BinaryOp::SMax,
        "umin" => BinaryOp::UMin,
        "umax" => BinaryOp::UMax,
        "fadd" => BinaryOp::FAdd,
        "fmul" => BinaryOp::FMul,
        "fmin" => BinaryOp::FMin,
        "fmax" => BinaryOp::FMax,
        _ => return None,
    })
}
