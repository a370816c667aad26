//! One function per operation and type: the loop over the lanes around what
//! [`crate::semantics`] says, with operation and type constant wherever that makes it faster.

use crate::{
    ir::{BinaryOp, CastOp, Predicate, TernaryOp, Type, UnaryOp},
    semantics,
};

use super::lanes::{Active, Registers, Word};

/// An operation that computes a register from others.
#[derive(Clone)]
pub(super) struct Compute {
    pub run: Run,
    pub operands: Operands,
}

/// The registers of an operation, and its types where they are not constant.
#[derive(Clone, Debug)]
pub(super) struct Operands {
    pub target: u32,
    pub args: [u32; 3],
    /// The last operand of the forms with an immediate one.
    pub immediate: u64,
    /// Type of the operands.
    pub from: Type,
    /// Type of the result.
    pub to: Type,
}

/// The loop of an operation over the lanes.
pub(super) type Run = fn(&mut Registers, Active, &Operands);

impl Compute {
    /// The same with a constant last operand.
    pub fn with_immediate(mut self, bits: u64) -> Compute {
        self.operands.immediate = bits;
        self
    }
}

/// Operand types for which code is generated.
trait Kind {
    type Word: Word;
    /// The type: a constant, or the operation's own.
    fn ty(operands: &Operands) -> Type;
}

macro_rules! kinds {
    ($($name:ident: $word:ty = $ty:expr,)*) => {
        $(
            struct $name;
            impl Kind for $name {
                type Word = $word;
                #[inline(always)]
                fn ty(operands: &Operands) -> Type {
                    let _ = operands;
                    $ty(operands)
                }
            }
        )*
    };
}

kinds! {
    I32: u32 = |_: &Operands| Type::I32,
    I64: u64 = |_: &Operands| Type::I64,
    F32: u32 = |_: &Operands| Type::F32,
    F64: u64 = |_: &Operands| Type::F64,
    Narrow: u32 = |operands: &Operands| operands.from,
    Wide: u64 = |operands: &Operands| operands.from,
}

/// Calls a function that is generic in the kind of a type.
macro_rules! by_kind {
    ($ty:expr, $function:ident($($arg:expr),*)) => {
        match $ty {
            Type::Int(32) => $function::<I32>($($arg),*),
            Type::Int(64) | Type::Ptr(_) => $function::<I64>($($arg),*),
            Type::F32 => $function::<F32>($($arg),*),
            Type::F64 => $function::<F64>($($arg),*),
            Type::F16 => $function::<Narrow>($($arg),*),
            Type::Int(bits) if bits <= 32 => $function::<Narrow>($($arg),*),
            Type::Int(_) => $function::<Wide>($($arg),*),
        }
    };
}

/// A match over all variants of an operation enum whose arms differ in the variant alone.
macro_rules! per_variant {
    ($value:expr, $enum:ident [$($variant:ident)*], $op:ident => $body:expr) => {
        match $value {
            $($enum::$variant => {
                const $op: $enum = $enum::$variant;
                $body
            })*
        }
    };
}

/// Whether a type's values are in the narrow bank.
pub(super) fn is_narrow(ty: Type) -> bool {
    ty.bits() <= 32
}

/// The function of a unary operation.
pub(super) fn unary(op: UnaryOp, ty: Type) -> Run {
    by_kind!(ty, unary_of(op))
}

/// The function of a binary operation.
pub(super) fn binary(op: BinaryOp, ty: Type) -> Run {
    by_kind!(ty, binary_of(op))
}

/// The function of a binary operation whose second operand is a constant.
pub(super) fn binary_immediate(op: BinaryOp, ty: Type) -> Run {
    by_kind!(ty, binary_immediate_of(op))
}

/// The function of a ternary operation.
pub(super) fn ternary(op: TernaryOp, ty: Type) -> Run {
    by_kind!(ty, ternary_of(op))
}

/// The function of a comparison.
pub(super) fn compare(pred: Predicate, ty: Type) -> Run {
    by_kind!(ty, compare_of(pred))
}

/// The function of a comparison whose second operand is a constant.
pub(super) fn compare_immediate(pred: Predicate, ty: Type) -> Run {
    by_kind!(ty, compare_immediate_of(pred))
}

/// The function of a selection between values of a type.
pub(super) fn select(ty: Type) -> Run {
    if is_narrow(ty) {
        select_of::<u32>()
    } else {
        select_of::<u64>()
    }
}

/// The function of a pointer addition with an offset of type `offset`.
pub(super) fn ptr_add(offset: Type) -> Run {
    by_kind!(offset, ptr_add_of())
}

/// The function of a pointer addition with a constant offset, already of 64 bits.
pub(super) fn ptr_add_immediate() -> Run {
    |registers, active, operands| {
        map1::<u64, u64>(registers, active, operands, |base| {
            semantics::ptr_add(base, Type::I64, operands.immediate)
        });
    }
}

/// The function of a conversion.
pub(super) fn cast(op: CastOp, from: Type, to: Type) -> Run {
    match (op, from, to) {
        (CastOp::Sext, Type::Int(32), Type::Int(64)) => cast_const::<I32, I64, SEXT>(),
        (CastOp::Zext, Type::Int(32), Type::Int(64)) => cast_const::<I32, I64, ZEXT>(),
        (CastOp::Trunc, Type::Int(64), Type::Int(32)) => cast_const::<I64, I32, TRUNC>(),
        (CastOp::SiToFp, Type::Int(32), Type::F32) => cast_const::<I32, F32, SI_TO_FP>(),
        (CastOp::UiToFp, Type::Int(32), Type::F32) => cast_const::<I32, F32, UI_TO_FP>(),
        (CastOp::FpToSi, Type::F32, Type::Int(32)) => cast_const::<F32, I32, FP_TO_SI>(),
        (CastOp::FpToUi, Type::F32, Type::Int(32)) => cast_const::<F32, I32, FP_TO_UI>(),
        (CastOp::FpExt, Type::F32, Type::F64) => cast_const::<F32, F64, FP_EXT>(),
        (CastOp::FpTrunc, Type::F64, Type::F32) => cast_const::<F64, F32, FP_TRUNC>(),
        _ => match (is_narrow(from), is_narrow(to)) {
            (true, true) => cast_of::<u32, u32>(op),
            (true, false) => cast_of::<u32, u64>(op),
            (false, true) => cast_of::<u64, u32>(op),
            (false, false) => cast_of::<u64, u64>(op),
        },
    }
}

#[inline(always)]
fn map1<R: Word, A: Word>(
    registers: &mut Registers,
    active: Active,
    operands: &Operands,
    f: impl Fn(u64) -> u64,
) {
    let (target, sources) = R::target(registers, operands.target);
    let a = A::source(&sources, operands.args[0]);
    active.each(|lane| target[lane] = R::of(f(a[lane].bits())));
}

#[inline(always)]
fn map2<R: Word, A: Word, B: Word>(
    registers: &mut Registers,
    active: Active,
    operands: &Operands,
    f: impl Fn(u64, u64) -> u64,
) {
    let (target, sources) = R::target(registers, operands.target);
    let a = A::source(&sources, operands.args[0]);
    let b = B::source(&sources, operands.args[1]);
    active.each(|lane| target[lane] = R::of(f(a[lane].bits(), b[lane].bits())));
}

#[inline(always)]
fn map3<R: Word, A: Word, B: Word>(
    registers: &mut Registers,
    active: Active,
    operands: &Operands,
    f: impl Fn(u64, u64, u64) -> u64,
) {
    let (target, sources) = R::target(registers, operands.target);
    let a = A::source(&sources, operands.args[0]);
    let b = B::source(&sources, operands.args[1]);
    let c = B::source(&sources, operands.args[2]);
    active.each(|lane| {
        target[lane] = R::of(f(a[lane].bits(), b[lane].bits(), c[lane].bits()));
    });
}

fn unary_of<K: Kind>(op: UnaryOp) -> Run {
    per_variant!(
        op,
        UnaryOp [Clz Ctz Popcount BitReverse ByteSwap FNeg FAbs FSqrt FFloor FCeil FTrunc FRint FRound],
        OP => |registers, active, operands| {
            let ty = K::ty(operands);
            map1::<K::Word, K::Word>(registers, active, operands, |a| semantics::unary(OP, ty, a));
        }
    )
}

fn binary_of<K: Kind>(op: BinaryOp) -> Run {
    per_variant!(
        op,
        BinaryOp [
            Add Sub Mul UDiv SDiv URem SRem And Or Xor Shl LShr AShr UMin UMax SMin SMax UMulHi
            SMulHi FAdd FSub FMul FDiv FMin FMax CopySign
        ],
        OP => |registers, active, operands| {
            let ty = K::ty(operands);
            map2::<K::Word, K::Word, K::Word>(registers, active, operands, |a, b| {
                semantics::binary(OP, ty, a, b)
            });
        }
    )
}

fn binary_immediate_of<K: Kind>(op: BinaryOp) -> Run {
    per_variant!(
        op,
        BinaryOp [
            Add Sub Mul UDiv SDiv URem SRem And Or Xor Shl LShr AShr UMin UMax SMin SMax UMulHi
            SMulHi FAdd FSub FMul FDiv FMin FMax CopySign
        ],
        OP => |registers, active, operands| {
            let (ty, b) = (K::ty(operands), K::Word::of(operands.immediate).bits());
            map1::<K::Word, K::Word>(registers, active, operands, |a| {
                semantics::binary(OP, ty, a, b)
            });
        }
    )
}

fn ternary_of<K: Kind>(op: TernaryOp) -> Run {
    per_variant!(
        op,
        TernaryOp [Fma FunnelShl FunnelShr],
        OP => |registers, active, operands| {
            let ty = K::ty(operands);
            map3::<K::Word, K::Word, K::Word>(registers, active, operands, |a, b, c| {
                semantics::ternary(OP, ty, a, b, c)
            });
        }
    )
}

fn compare_of<K: Kind>(pred: Predicate) -> Run {
    per_variant!(
        pred,
        Predicate [Eq Ne Ult Ule Slt Sle FOeq FOne FOlt FOle FOrd FUeq FUne FUlt FUle FUno],
        PRED => |registers, active, operands| {
            let ty = K::ty(operands);
            map2::<u32, K::Word, K::Word>(registers, active, operands, |a, b| {
                semantics::compare(PRED, ty, a, b).into()
            });
        }
    )
}

fn compare_immediate_of<K: Kind>(pred: Predicate) -> Run {
    per_variant!(
        pred,
        Predicate [Eq Ne Ult Ule Slt Sle FOeq FOne FOlt FOle FOrd FUeq FUne FUlt FUle FUno],
        PRED => |registers, active, operands| {
            let (ty, b) = (K::ty(operands), K::Word::of(operands.immediate).bits());
            map1::<u32, K::Word>(registers, active, operands, |a| {
                semantics::compare(PRED, ty, a, b).into()
            });
        }
    )
}

fn select_of<W: Word>() -> Run {
    |registers, active, operands| {
        map3::<W, u32, W>(registers, active, operands, |cond, a, b| {
            if cond == 1 { a } else { b }
        });
    }
}

fn ptr_add_of<K: Kind>() -> Run {
    |registers, active, operands| {
        let ty = K::ty(operands);
        map2::<u64, u64, K::Word>(registers, active, operands, |base, offset| {
            semantics::ptr_add(base, ty, offset)
        });
    }
}

fn cast_of<A: Word, R: Word>(op: CastOp) -> Run {
    per_variant!(
        op,
        CastOp [
            Zext Sext Trunc FpToSi FpToUi SiToFp UiToFp FpExt FpTrunc Bitcast PtrToInt IntToPtr
            SpaceCast
        ],
        OP => |registers, active, operands| {
            let (from, to) = (operands.from, operands.to);
            map1::<R, A>(registers, active, operands, |a| semantics::cast(OP, from, to, a));
        }
    )
}

const SEXT: u8 = CastOp::Sext as u8;
const ZEXT: u8 = CastOp::Zext as u8;
const TRUNC: u8 = CastOp::Trunc as u8;
const SI_TO_FP: u8 = CastOp::SiToFp as u8;
const UI_TO_FP: u8 = CastOp::UiToFp as u8;
const FP_TO_SI: u8 = CastOp::FpToSi as u8;
const FP_TO_UI: u8 = CastOp::FpToUi as u8;
const FP_EXT: u8 = CastOp::FpExt as u8;
const FP_TRUNC: u8 = CastOp::FpTrunc as u8;

/// A conversion with both types constant; `OP` is the operation's place in [`CastOp::ALL`].
fn cast_const<A: Kind, R: Kind, const OP: u8>() -> Run {
    |registers, active, operands| {
        let op = const { CastOp::ALL[OP as usize] };
        let (from, to) = (A::ty(operands), R::ty(operands));
        map1::<R::Word, A::Word>(registers, active, operands, |a| {
            semantics::cast(op, from, to, a)
        });
    }
}
