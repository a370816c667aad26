//! One function per operation and type: the loop over the lanes around what the operation's row
//! says, with operation and type constant wherever that makes it faster.

use crate::{
    ir::{
        BinaryOp, CastOp, Elementary, Function, Function2, Grade, Predicate, Subnormals, TernaryOp,
        Type, UnaryOp, each_binary_op, each_cast_op, each_function, each_function2, each_predicate,
        each_ternary_op, each_unary_op,
    },
    semantics,
};

use super::lanes::{Active, LANES, Registers, Word, each_lane, lanes_of};

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

/// Types of operands for which code is generated.
trait Kind {
    type Word: Word;
    /// The operands' type: a constant, or the operation's own.
    fn ty(operands: &Operands) -> Type;
    /// The result's type, likewise.
    fn result(operands: &Operands) -> Type;
}

macro_rules! kinds {
    ($($name:ident: $word:ty = $ty:expr, $result:expr;)*) => {
        $(
            struct $name;
            impl Kind for $name {
                type Word = $word;
                #[inline(always)]
                fn ty(operands: &Operands) -> Type {
                    $ty(operands)
                }
                #[inline(always)]
                fn result(operands: &Operands) -> Type {
                    $result(operands)
                }
            }
        )*
    };
}

kinds! {
    I32: u32 = |_| Type::I32, |_| Type::I32;
    I64: u64 = |_| Type::I64, |_| Type::I64;
    Narrow: u32 = |operands: &Operands| operands.from, |operands: &Operands| operands.to;
    Wide: u64 = |operands: &Operands| operands.from, |operands: &Operands| operands.to;
    F16: u32 = |_| Type::F16, |_| Type::F16;
    F32: u32 = |_| Type::F32, |_| Type::F32;
    F64: u64 = |_| Type::F64, |_| Type::F64;
}

/// What an operation computes in one lane. A type rather than a closure because only functions
/// can be made to be inlined, into the dense loop and into the sparse one.
trait Lane {
    fn compute(types: Types, args: [u64; 3]) -> u64;
}

/// The types of an operation's operands and result.
#[derive(Clone, Copy)]
struct Types {
    from: Type,
    to: Type,
}

/// Calls a function that is generic in the kind of an integer or pointer type, or of a float type.
macro_rules! by_kind {
    ($ty:expr, $int:ident, $float:ident, ($($arg:expr),*)) => {
        match $ty {
            Type::Int(32) => $int::<I32>($($arg),*),
            Type::Int(64) | Type::Ptr(_) => $int::<I64>($($arg),*),
            Type::Int(bits) if bits <= 32 => $int::<Narrow>($($arg),*),
            Type::Int(_) => $int::<Wide>($($arg),*),
            Type::F16 => $float::<F16>($($arg),*),
            Type::F32 => $float::<F32>($($arg),*),
            Type::F64 => $float::<F64>($($arg),*),
        }
    };
}

/// Defines a function from the operations on integers, or on floats, to their loops. The arms differ
/// in the operation alone.
macro_rules! loops {
    (
        integers: $name:ident($enum:ident), $map:ident::<$result:ty>,
        |$op:ident, $types:ident, $args:pat_param| $body:expr;
        integer [$($integer:ident)*] float [$($float:ident)*]
    ) => {
        loops! {
            $name($enum), $map::<$result>, |$op, $types, $args| $body;
            [$($integer)*] never [$($float)*]
        }
    };
    (
        floats: $name:ident($enum:ident), $map:ident::<$result:ty>,
        |$op:ident, $types:ident, $args:pat_param| $body:expr;
        integer [$($integer:ident)*] float [$($float:ident)*]
    ) => {
        loops! {
            $name($enum), $map::<$result>, |$op, $types, $args| $body;
            [$($float)*] never [$($integer)*]
        }
    };
    (
        $name:ident($enum:ident), $map:ident::<$result:ty>,
        |$op:ident, $types:ident, $args:pat_param| $body:expr;
        [$($variant:ident)*] never [$($never:ident)*]
    ) => {
        fn $name<K: Kind>(op: $enum) -> Run {
            match op {
                $($enum::$variant => {
                    struct Operation;
                    impl Lane for Operation {
                        #[inline(always)]
                        fn compute($types: Types, $args: [u64; 3]) -> u64 {
                            const $op: $enum = $enum::$variant;
                            $body
                        }
                    }
                    |registers, active, operands| {
                        let ty = K::ty(operands);
                        let types = Types { from: ty, to: ty };
                        $map::<$result, K::Word, Operation>(registers, active, operands, types);
                    }
                })*
                $($enum::$never)|* => unreachable!("verify: operations suit their types"),
            }
        }
    };
}

/// Whether a type's values are in the narrow bank.
pub(super) fn is_narrow(ty: Type) -> bool {
    ty.bits() <= 32
}

/// The loop of a unary operation.
pub(super) fn unary(op: UnaryOp, ty: Type) -> Run {
    by_kind!(ty, int_unary, float_unary, (op))
}

/// The loop of a binary operation that does this to subnormal numbers.
pub(super) fn binary(op: BinaryOp, ty: Type, subnormals: Subnormals) -> Run {
    match subnormals {
        Subnormals::Kept => by_kind!(ty, int_binary, float_binary, (op)),
        Subnormals::Flushed => flushed_binary::<F32>(op),
    }
}

/// The same for one whose second operand is a constant.
pub(super) fn binary_immediate(op: BinaryOp, ty: Type, subnormals: Subnormals) -> Run {
    match subnormals {
        Subnormals::Kept => by_kind!(ty, int_binary_immediate, float_binary_immediate, (op)),
        Subnormals::Flushed => flushed_binary_immediate::<F32>(op),
    }
}

/// The loop of a ternary operation that does this to subnormal numbers.
pub(super) fn ternary(op: TernaryOp, ty: Type, subnormals: Subnormals) -> Run {
    match subnormals {
        Subnormals::Kept => by_kind!(ty, int_ternary, float_ternary, (op)),
        Subnormals::Flushed => flushed_ternary::<F32>(op),
    }
}

/// The loop of an elementary function.
pub(super) fn elementary(op: Elementary) -> Run {
    macro_rules! cores {
        ($kind:ident, $function:expr, $grade:ident, $map:ident; $enum:ident [$($variant:ident)*]) => {
            match $function {
                $($enum::$variant => {
                    struct Core;
                    impl Lane for Core {
                        fn compute(_: Types, args: [u64; 3]) -> u64 {
                            Elementary::$kind($enum::$variant, Grade::$grade).evaluate(&args)
                        }
                    }
                    |registers, active, operands| {
                        $map::<u32, u32, Core>(registers, active, operands, SINGLE);
                    }
                })*
            }
        };
    }
    macro_rules! grades {
        ($($grade:ident)*) => {
            match op {
                $(
                    Elementary::One(function, Grade::$grade) => {
                        each_function! { cores! { One, function, $grade, map1; } }
                    }
                    Elementary::Two(function, Grade::$grade) => {
                        each_function2! { cores! { Two, function, $grade, map2; } }
                    }
                )*
            }
        };
    }
    grades!(Full Native)
}

/// The only type of elementary functions.
const SINGLE: Types = Types {
    from: Type::F32,
    to: Type::F32,
};

/// The loop of a comparison.
pub(super) fn compare(pred: Predicate, ty: Type) -> Run {
    by_kind!(ty, int_compare, float_compare, (pred))
}

/// The loop of a comparison whose second operand is a constant.
pub(super) fn compare_immediate(pred: Predicate, ty: Type) -> Run {
    by_kind!(ty, int_compare_immediate, float_compare_immediate, (pred))
}

each_unary_op! { loops! {
    integers: int_unary(UnaryOp), map1::<K::Word>,
    |OP, types, [a, ..]| OP.evaluate(types.from, a);
} }

each_unary_op! { loops! {
    floats: float_unary(UnaryOp), map1::<K::Word>,
    |OP, types, [a, ..]| OP.evaluate(types.from, a);
} }

each_binary_op! { loops! {
    integers: int_binary(BinaryOp), map2::<K::Word>,
    |OP, types, [a, b, _]| OP.evaluate(types.from, a, b);
} }

each_binary_op! { loops! {
    floats: float_binary(BinaryOp), map2::<K::Word>,
    |OP, types, [a, b, _]| OP.evaluate(types.from, a, b);
} }

each_binary_op! { loops! {
    floats: flushed_binary(BinaryOp), map2::<K::Word>,
    |OP, types, [a, b, _]| OP.evaluate_with(Subnormals::Flushed, types.from, a, b);
} }

each_binary_op! { loops! {
    integers: int_binary_immediate(BinaryOp), map1::<K::Word>,
    |OP, types, [a, b, _]| OP.evaluate(types.from, a, b);
} }

each_binary_op! { loops! {
    floats: float_binary_immediate(BinaryOp), map1::<K::Word>,
    |OP, types, [a, b, _]| OP.evaluate(types.from, a, b);
} }

each_binary_op! { loops! {
    floats: flushed_binary_immediate(BinaryOp), map1::<K::Word>,
    |OP, types, [a, b, _]| OP.evaluate_with(Subnormals::Flushed, types.from, a, b);
} }

each_ternary_op! { loops! {
    integers: int_ternary(TernaryOp), map3::<K::Word>,
    |OP, types, [a, b, c]| OP.evaluate(types.from, a, b, c);
} }

each_ternary_op! { loops! {
    floats: float_ternary(TernaryOp), map3::<K::Word>,
    |OP, types, [a, b, c]| OP.evaluate(types.from, a, b, c);
} }

each_ternary_op! { loops! {
    floats: flushed_ternary(TernaryOp), map3::<K::Word>,
    |OP, types, [a, b, c]| OP.evaluate_with(Subnormals::Flushed, types.from, [a, b, c]);
} }

each_predicate! { loops! {
    integers: int_compare(Predicate), map2::<u32>,
    |OP, types, [a, b, _]| OP.evaluate(types.from, a, b).into();
} }

each_predicate! { loops! {
    floats: float_compare(Predicate), map2::<u32>,
    |OP, types, [a, b, _]| OP.evaluate(types.from, a, b).into();
} }

each_predicate! { loops! {
    integers: int_compare_immediate(Predicate), map1::<u32>,
    |OP, types, [a, b, _]| OP.evaluate(types.from, a, b).into();
} }

each_predicate! { loops! {
    floats: float_compare_immediate(Predicate), map1::<u32>,
    |OP, types, [a, b, _]| OP.evaluate(types.from, a, b).into();
} }

/// The loop of a selection between values of a type.
pub(super) fn select(ty: Type) -> Run {
    if is_narrow(ty) {
        select_lanes::<u32>
    } else {
        select_lanes::<u64>
    }
}

/// The loop of a pointer addition with an offset of type `offset`.
pub(super) fn ptr_add(offset: Type) -> Run {
    fn of<K: Kind>() -> Run {
        |registers, active, operands| {
            let ty = K::ty(operands);
            let types = Types { from: ty, to: ty };
            let (target, sources) = u64::target(registers, operands.target);
            let base = u64::source(&sources, operands.args[0]);
            let offset = K::Word::source(&sources, operands.args[1]);
            each_lane!(active, lane, {
                target[lane] = AddOffset::compute(types, [base[lane], offset[lane].bits(), 0]);
            });
        }
    }
    by_kind!(offset, of, of, ())
}

/// The loop of a pointer addition with a constant offset, already of 64 bits.
pub(super) fn ptr_add_immediate() -> Run {
    |registers, active, operands| {
        let ty = Type::I64;
        let types = Types { from: ty, to: ty };
        map1::<u64, u64, AddOffset>(registers, active, operands, types);
    }
}

struct AddOffset;

impl Lane for AddOffset {
    #[inline(always)]
    fn compute(types: Types, [base, offset, _]: [u64; 3]) -> u64 {
        semantics::ptr_add(base, types.from, offset)
    }
}

/// The loop of a conversion.
pub(super) fn cast(op: CastOp, from: Type, to: Type) -> Run {
    match (from, to) {
        (Type::Int(32), Type::Int(64)) => cast_between::<I32, I64>(op),
        (Type::Int(64), Type::Int(32)) => cast_between::<I64, I32>(op),
        (Type::Int(32), Type::F32) => cast_between::<I32, F32>(op),
        (Type::F32, Type::Int(32)) => cast_between::<F32, I32>(op),
        (Type::F32, Type::F64) => cast_between::<F32, F64>(op),
        (Type::F64, Type::F32) => cast_between::<F64, F32>(op),
        _ => match (is_narrow(from), is_narrow(to)) {
            (true, true) => cast_between::<Narrow, Narrow>(op),
            (true, false) => cast_between::<Narrow, Wide>(op),
            (false, true) => cast_between::<Wide, Narrow>(op),
            (false, false) => cast_between::<Wide, Wide>(op),
        },
    }
}

/// Conversions from one kind to another.
fn cast_between<A: Kind, R: Kind>(op: CastOp) -> Run {
    macro_rules! arms {
        (cast [$($variant:ident)*]) => {
            match op {
                $(CastOp::$variant => {
                    struct Operation;
                    impl Lane for Operation {
                        #[inline(always)]
                        fn compute(types: Types, [a, ..]: [u64; 3]) -> u64 {
                            CastOp::$variant.evaluate(types.from, types.to, a)
                        }
                    }
                    |registers, active, operands| {
                        let types = Types {
                            from: A::ty(operands),
                            to: R::result(operands),
                        };
                        map1::<R::Word, A::Word, Operation>(registers, active, operands, types);
                    }
                })*
            }
        };
    }
    each_cast_op! { arms! {} }
}

#[inline(always)]
fn map1<R: Word, A: Word, L: Lane>(
    registers: &mut Registers,
    active: Active,
    operands: &Operands,
    types: Types,
) {
    let (target, sources) = R::target(registers, operands.target);
    let a = A::source(&sources, operands.args[0]);
    let b = A::of(operands.immediate).bits();
    each_lane!(active, lane, {
        target[lane] = R::of(L::compute(types, [a[lane].bits(), b, 0]));
    });
}

#[inline(always)]
fn map2<R: Word, A: Word, L: Lane>(
    registers: &mut Registers,
    active: Active,
    operands: &Operands,
    types: Types,
) {
    let (target, sources) = R::target(registers, operands.target);
    let [a, b] = [0, 1].map(|at| A::source(&sources, operands.args[at]));
    each_lane!(active, lane, {
        target[lane] = R::of(L::compute(types, [a[lane].bits(), b[lane].bits(), 0]));
    });
}

#[inline(always)]
fn map3<R: Word, A: Word, L: Lane>(
    registers: &mut Registers,
    active: Active,
    operands: &Operands,
    types: Types,
) {
    let (target, sources) = R::target(registers, operands.target);
    let [a, b, c] = [0, 1, 2].map(|at| A::source(&sources, operands.args[at]));
    each_lane!(active, lane, {
        let args = [a[lane].bits(), b[lane].bits(), c[lane].bits()];
        target[lane] = R::of(L::compute(types, args));
    });
}

fn select_lanes<W: Word>(registers: &mut Registers, active: Active, operands: &Operands) {
    let (target, sources) = W::target(registers, operands.target);
    let cond = u32::source(&sources, operands.args[0]);
    let [a, b] = [1, 2].map(|at| W::source(&sources, operands.args[at]));
    each_lane!(active, lane, {
        target[lane] = if cond[lane] == 1 { a[lane] } else { b[lane] };
    });
}
