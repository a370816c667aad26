//! The operations, one row each: variant, name in the text form, what computes it in a circuit, what
//! else is known of it, and what it computes on bits.
//!
//! Printer, parser, verifier, interpreter, folding, analyses and lowering read the rows. How a new row
//! is added: `docs/adding-an-operation.md`.
//!
//! A value is a `u64` whose bits above its type's width are zero. The interpreter's inner loops rely
//! on `evaluate` being inlined with a constant operation and type.

mod columns;
mod hardware;

use sluice_circuit::arith::{
    self, Extreme, Format,
    Rounding::{Ceil, Floor, Rint, Round, Trunc},
    Signedness::{Signed, Unsigned},
    Subnormals,
};
use sluice_circuit::operators::count::Counted;
use sluice_circuit::operators::fadd::Sum;
use sluice_circuit::operators::funnel;
use sluice_circuit::operators::mul::Half;
use sluice_circuit::operators::shift::Direction::{Left, RightArithmetic, RightLogical};
use sluice_circuit::units::segment::InlineOp;

use super::Type;
use crate::semantics::{format, signed};

pub use columns::{
    Algebra, BinaryRow, CastRow, Conversion, Nan, Numbers, Order, PredicateRow, Relation, Swap,
    TernaryAlgebra, TernaryRow, UnaryAlgebra, UnaryRow, Widths,
};
pub use hardware::{Comparator, Hardware, Outcome, Site};

use hardware::{
    Hardware::{Funnel, Inline, Shift},
    Outcome::{Equal, Less, Unordered},
    operator, second_output,
};

/// Declares an operation enum whose variants have a text name, and the table between the two.
macro_rules! operations {
    ($(#[$doc:meta])* $name:ident { $($(#[$row:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum $name { $($(#[$row])* $variant,)* }

        impl $name {
            /// Every operation of this kind, in declaration order.
            pub const ALL: &'static [$name] = &[$($name::$variant,)*];

            /// The name in the text form.
            pub fn name(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }

            /// The operation with this name in the text form.
            pub fn from_name(name: &str) -> Option<$name> {
                match name { $($text => Some($name::$variant),)* _ => None }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

/// Declares an operation enum from a table. A row is
/// `Variant = "name" [hardware] [columns] => bits of the result;`, in a group that names the function
/// of the row type that a row starts from. `$list` becomes a macro that passes the variants of each
/// group on to another macro.
macro_rules! table {
    (
        $(#[$doc:meta])*
        $name:ident: $row:ident, $list:ident($d:tt),
        evaluate($($arg:ident: $ty:ty),*) -> $result:ty;
        $($group:ident {
            $(
                $(#[$row_doc:meta])*
                $variant:ident = $text:literal
                    [$($hardware:expr),+]
                    [$($column:ident $(($($value:expr),*))?),*]
                    => $bits:expr;
            )*
        })*
    ) => {
        operations! { $(#[$doc])* $name { $($($(#[$row_doc])* $variant = $text,)*)* } }

        impl $name {
            /// What is known of the operation.
            pub const fn row(self) -> &'static $row {
                match self {
                    $($($name::$variant => {
                        const ROW: $row = $row::$group($($hardware),+)
                            $(.$column($($($value),*)?))*;
                        &ROW
                    })*)*
                }
            }

            /// What it computes of bits.
            #[inline(always)]
            pub fn evaluate(self, $($arg: $ty),*) -> $result {
                match self { $($($name::$variant => $bits,)*)* }
            }
        }

        macro_rules! $list {
            ($d callback:ident! { $d($d args:tt)* }) => {
                $d callback! { $d($d args)* $($group [$($variant)*])* }
            };
        }
        pub(crate) use $list;
    };
}

table! {
    /// Operations with one operand, of the result's type.
    UnaryOp: UnaryRow, each_unary_op($), evaluate(ty: Type, a: u64) -> u64;
    integer {
        /// Number of leading zeros; the width for zero.
        Clz = "clz" [operator(|at| at.count(Counted::LeadingZeros))]
            [algebra(UnaryAlgebra::Count(Counted::LeadingZeros))]
            => arith::leading_zeros(ty.bits(), a);
        /// Number of trailing zeros; the width for zero.
        Ctz = "ctz" [operator(|at| at.count(Counted::TrailingZeros))]
            [algebra(UnaryAlgebra::Count(Counted::TrailingZeros))]
            => arith::trailing_zeros(ty.bits(), a);
        /// Number of ones.
        Popcount = "popcount" [operator(|at| at.count(Counted::Ones))]
            [algebra(UnaryAlgebra::Count(Counted::Ones))]
            => arith::count_ones(a);
        /// Bits in reverse order.
        BitReverse = "bitreverse" [Inline(InlineOp::BitReverse)]
            [algebra(UnaryAlgebra::Permutation)]
            => a.reverse_bits() >> (64 - ty.bits());
        /// Bytes in reverse order; the width is a multiple of 16.
        ByteSwap = "byteswap" [Inline(InlineOp::ByteSwap)]
            [algebra(UnaryAlgebra::Permutation), pairs_of_bytes]
            => a.swap_bytes() >> (64 - ty.bits());
    }
    float {
        /// Sign flipped, NaNs included.
        FNeg = "fneg" [Inline(InlineOp::FNeg)] [algebra(UnaryAlgebra::Negation), any_nan]
            => a ^ format(ty).sign();
        /// Sign cleared, NaNs included.
        FAbs = "fabs" [Inline(InlineOp::FAbs)] [algebra(UnaryAlgebra::Magnitude), any_nan]
            => a & !format(ty).sign();
        /// Correctly rounded square root.
        FSqrt = "fsqrt" [operator(|at| at.square_root())] [] => arith::fsqrt(format(ty), a);
        /// To an integral value, downwards.
        FFloor = "ffloor" [operator(|at| at.round(Floor))] [] => arith::fround(format(ty), Floor, a);
        /// To an integral value, upwards.
        FCeil = "fceil" [operator(|at| at.round(Ceil))] [] => arith::fround(format(ty), Ceil, a);
        /// To an integral value, towards zero.
        FTrunc = "ftrunc" [operator(|at| at.round(Trunc))] [] => arith::fround(format(ty), Trunc, a);
        /// To the nearest integral value, ties to even.
        FRint = "frint" [operator(|at| at.round(Rint))] [] => arith::fround(format(ty), Rint, a);
        /// To the nearest integral value, ties away from zero.
        FRound = "fround" [operator(|at| at.round(Round))] [] => arith::fround(format(ty), Round, a);
    }
}

table! {
    /// Operations with two operands, both of the result's type.
    BinaryOp: BinaryRow, each_binary_op($), evaluate(ty: Type, a: u64, b: u64) -> u64;
    integer {
        /// Sum, modulo the width.
        Add = "add" [Inline(InlineOp::Add)] [commutes, algebra(Algebra::Sum)]
            => a.wrapping_add(b) & ty.mask();
        /// Difference, modulo the width.
        Sub = "sub" [Inline(InlineOp::Sub)] [algebra(Algebra::Difference)]
            => a.wrapping_sub(b) & ty.mask();
        /// Product, modulo the width.
        Mul = "mul" [operator(|at| at.multiply(Half::Low))] [commutes, algebra(Algebra::Product)]
            => arith::mul_low(ty.bits(), a, b);
        /// Unsigned quotient; all ones for a zero divisor.
        UDiv = "udiv" [operator(|at| at.divide(Unsigned))] [algebra(Algebra::Quotient(Unsigned))]
            => arith::quotient(Unsigned, ty.bits(), a, b);
        /// Signed quotient, towards zero; all ones for a zero divisor; the minimum divided by -1 is itself.
        SDiv = "sdiv" [operator(|at| at.divide(Signed))] [algebra(Algebra::Quotient(Signed))]
            => arith::quotient(Signed, ty.bits(), a, b);
        /// Unsigned remainder; the dividend for a zero divisor.
        URem = "urem" [second_output(|at| at.divide(Unsigned))]
            [algebra(Algebra::Remainder(Unsigned))]
            => arith::remainder(Unsigned, ty.bits(), a, b);
        /// Signed remainder with the dividend's sign; the dividend for a zero divisor.
        SRem = "srem" [second_output(|at| at.divide(Signed))]
            [algebra(Algebra::Remainder(Signed))]
            => arith::remainder(Signed, ty.bits(), a, b);
        /// Bitwise and.
        And = "and" [Inline(InlineOp::And)] [commutes, algebra(Algebra::And)] => a & b;
        /// Bitwise or.
        Or = "or" [Inline(InlineOp::Or)] [commutes, algebra(Algebra::Or)] => a | b;
        /// Bitwise exclusive or.
        Xor = "xor" [Inline(InlineOp::Xor)] [commutes, algebra(Algebra::Xor)] => a ^ b;
        /// Shift left; zero when the (unsigned) amount is the width or more.
        Shl = "shl" [Shift(Left)] [algebra(Algebra::Shift(Left))]
            => arith::shift_left(ty.bits(), a, b);
        /// Shift right, zeros in; zero when the (unsigned) amount is the width or more.
        LShr = "lshr" [Shift(RightLogical)] [algebra(Algebra::Shift(RightLogical))]
            => arith::shift_right_logical(ty.bits(), a, b);
        /// Shift right, sign in; all sign when the (unsigned) amount is the width or more.
        AShr = "ashr" [Shift(RightArithmetic)] [algebra(Algebra::Shift(RightArithmetic))]
            => arith::shift_right_arithmetic(ty.bits(), a, b);
        /// Unsigned minimum.
        UMin = "umin" [Inline(InlineOp::UMin)]
            [commutes, algebra(Algebra::Extreme(Unsigned, Extreme::Least))]
            => a.min(b);
        /// Unsigned maximum.
        UMax = "umax" [Inline(InlineOp::UMax)]
            [commutes, algebra(Algebra::Extreme(Unsigned, Extreme::Greatest))]
            => a.max(b);
        /// Signed minimum.
        SMin = "smin" [Inline(InlineOp::SMin)]
            [commutes, algebra(Algebra::Extreme(Signed, Extreme::Least))]
            => signed(ty, a).min(signed(ty, b)) as u64 & ty.mask();
        /// Signed maximum.
        SMax = "smax" [Inline(InlineOp::SMax)]
            [commutes, algebra(Algebra::Extreme(Signed, Extreme::Greatest))]
            => signed(ty, a).max(signed(ty, b)) as u64 & ty.mask();
        /// Upper half of the unsigned double-width product.
        UMulHi = "umulhi" [operator(|at| at.multiply(Half::High(Unsigned)))]
            [commutes, algebra(Algebra::HighProduct(Unsigned))]
            => arith::mul_high(Unsigned, ty.bits(), a, b);
        /// Upper half of the signed double-width product.
        SMulHi = "smulhi" [operator(|at| at.multiply(Half::High(Signed)))]
            [commutes, algebra(Algebra::HighProduct(Signed))]
            => arith::mul_high(Signed, ty.bits(), a, b);
    }
    float {
        /// IEEE sum.
        FAdd = "fadd" [operator(|at| at.float_sum(Sum::Add))] [commutes]
            => arith::fadd(format(ty), a, b);
        /// IEEE difference.
        FSub = "fsub" [operator(|at| at.float_sum(Sum::Subtract))] []
            => arith::fsub(format(ty), a, b);
        /// IEEE product.
        FMul = "fmul" [operator(|at| at.float_product())]
            [commutes, flushed(|a, b| arith::fmul_flushed(Format::F32, a, b))]
            => arith::fmul(format(ty), a, b);
        /// IEEE quotient, correctly rounded.
        FDiv = "fdiv" [operator(|at| at.float_quotient())]
            [flushed(|a, b| arith::fdiv_flushed(Format::F32, a, b))]
            => arith::fdiv(format(ty), a, b);
        /// The lesser; the other operand if one is NaN; -0 is less than +0.
        FMin = "fmin" [operator(|at| at.float_extreme(Extreme::Least))] [commutes]
            => arith::fextreme(format(ty), Extreme::Least, a, b);
        /// The greater; the other operand if one is NaN; +0 is greater than -0.
        FMax = "fmax" [operator(|at| at.float_extreme(Extreme::Greatest))] [commutes]
            => arith::fextreme(format(ty), Extreme::Greatest, a, b);
        /// Magnitude of the first operand, sign of the second.
        CopySign = "copysign" [Inline(InlineOp::CopySign)] [any_nan]
            => (a & !format(ty).sign()) | (b & format(ty).sign());
    }
}

table! {
    /// Operations with three operands, all of the result's type.
    TernaryOp: TernaryRow, each_ternary_op($), evaluate(ty: Type, a: u64, b: u64, c: u64) -> u64;
    integer {
        /// The upper word of `a:b` shifted left by `c` modulo the width; a rotation when `a` is `b`.
        FunnelShl = "fshl" [Funnel(funnel::Direction::Left)]
            [algebra(TernaryAlgebra::Funnel(funnel::Direction::Left))]
            => arith::funnel_shift_left(ty.bits(), a, b, c);
        /// The lower word of `a:b` shifted right by `c` modulo the width.
        FunnelShr = "fshr" [Funnel(funnel::Direction::Right)]
            [algebra(TernaryAlgebra::Funnel(funnel::Direction::Right))]
            => arith::funnel_shift_right(ty.bits(), a, b, c);
    }
    float {
        /// `a * b + c`, rounded once.
        Fma = "fma" [operator(|at| at.fused_product())]
            [
                commutes,
                algebra(TernaryAlgebra::FusedProduct),
                flushed(|a, b, c| arith::fma_flushed(Format::F32, a, b, c))
            ]
            => arith::fma(format(ty), a, b, c);
    }
}

table! {
    /// Comparisons of two operands of one type; the result is `i1`.
    Predicate: PredicateRow, each_predicate($), evaluate(ty: Type, a: u64, b: u64) -> bool;
    integer {
        /// Equal; integers and pointers.
        Eq = "eq" [Comparator::Inline(InlineOp::Eq)]
            [pointers, commutes, relation(Relation::Equal)] => a == b;
        /// Not equal; integers and pointers.
        Ne = "ne" [Comparator::Inline(InlineOp::Ne)]
            [pointers, commutes, relation(Relation::NotEqual)] => a != b;
        /// Unsigned less; integers and pointers.
        Ult = "ult" [Comparator::Inline(InlineOp::Ult)]
            [pointers, relation(Relation::Less(Unsigned))] => a < b;
        /// Unsigned less or equal; integers and pointers.
        Ule = "ule" [Comparator::Inline(InlineOp::Ule)]
            [pointers, relation(Relation::LessOrEqual(Unsigned))] => a <= b;
        /// Signed less.
        Slt = "slt" [Comparator::Inline(InlineOp::Slt)]
            [relation(Relation::Less(Signed))] => signed(ty, a) < signed(ty, b);
        /// Signed less or equal.
        Sle = "sle" [Comparator::Inline(InlineOp::Sle)]
            [relation(Relation::LessOrEqual(Signed))] => signed(ty, a) <= signed(ty, b);
    }
    float {
        /// Ordered and equal.
        FOeq = "foeq" [Comparator::AnyOf(&[Equal])] [commutes]
            => arith::fcompare(format(ty), a, b).equal;
        /// Ordered and not equal.
        FOne = "fone" [Comparator::NoneOf(&[Equal, Unordered])] [commutes]
            => arith::fcompare(format(ty), a, b).less || arith::fcompare(format(ty), b, a).less;
        /// Ordered and less.
        FOlt = "folt" [Comparator::AnyOf(&[Less])] []
            => arith::fcompare(format(ty), a, b).less;
        /// Ordered and less or equal.
        FOle = "fole" [Comparator::AnyOf(&[Less, Equal])] []
            => arith::fcompare(format(ty), a, b).less || arith::fcompare(format(ty), a, b).equal;
        /// Neither is NaN.
        FOrd = "ford" [Comparator::NoneOf(&[Unordered])] [commutes]
            => !arith::fcompare(format(ty), a, b).unordered;
        /// Unordered or equal.
        FUeq = "fueq" [Comparator::AnyOf(&[Equal, Unordered])] [commutes]
            => arith::fcompare(format(ty), a, b).unordered
                || arith::fcompare(format(ty), a, b).equal;
        /// Unordered or not equal.
        FUne = "fune" [Comparator::NoneOf(&[Equal])] [commutes]
            => !arith::fcompare(format(ty), a, b).equal;
        /// Unordered or less.
        FUlt = "fult" [Comparator::AnyOf(&[Less, Unordered])] []
            => arith::fcompare(format(ty), a, b).unordered
                || arith::fcompare(format(ty), a, b).less;
        /// Unordered or less or equal.
        FUle = "fule" [Comparator::AnyOf(&[Less, Equal, Unordered])] []
            => !arith::fcompare(format(ty), b, a).less;
        /// At least one is NaN.
        FUno = "funo" [Comparator::AnyOf(&[Unordered])] [commutes]
            => arith::fcompare(format(ty), a, b).unordered;
    }
}

table! {
    /// Conversions; the result's type is given with the instruction.
    CastOp: CastRow, each_cast_op($), evaluate(from: Type, to: Type, a: u64) -> u64;
    cast {
        /// To a wider integer, zeros in.
        Zext = "zext" [Conversion::Extend(Unsigned), |from, to| are_ints(from, to) && from.bits() < to.bits()]
            [] => a;
        /// To a wider integer, sign in.
        Sext = "sext" [Conversion::Extend(Signed), |from, to| are_ints(from, to) && from.bits() < to.bits()]
            [] => signed(from, a) as u64 & to.mask();
        /// To a narrower integer.
        Trunc = "trunc" [Conversion::Truncate, |from, to| are_ints(from, to) && from.bits() > to.bits()]
            [] => a & to.mask();
        /// Float to signed integer, towards zero, saturating; NaN becomes 0.
        FpToSi = "fptosi" [Conversion::FloatToInt(Signed), |from, to| from.is_float() && to.is_int()]
            [] => arith::float_to_int(format(from), Signed, to.bits(), a);
        /// Float to unsigned integer, towards zero, saturating; NaN becomes 0.
        FpToUi = "fptoui" [Conversion::FloatToInt(Unsigned), |from, to| from.is_float() && to.is_int()]
            [] => arith::float_to_int(format(from), Unsigned, to.bits(), a);
        /// Signed integer to float, ties to even.
        SiToFp = "sitofp" [Conversion::IntToFloat(Signed), |from, to| from.is_int() && to.is_float()]
            [] => arith::int_to_float(Signed, from.bits(), format(to), a);
        /// Unsigned integer to float, ties to even.
        UiToFp = "uitofp" [Conversion::IntToFloat(Unsigned), |from, to| from.is_int() && to.is_float()]
            [] => arith::int_to_float(Unsigned, from.bits(), format(to), a);
        /// To a wider float; exact.
        FpExt = "fpext" [Conversion::FloatToFloat, |from, to| are_floats(from, to) && from.bits() < to.bits()]
            [] => arith::float_to_float(format(from), format(to), a);
        /// To a narrower float, ties to even.
        FpTrunc = "fptrunc" [Conversion::FloatToFloat, |from, to| are_floats(from, to) && from.bits() > to.bits()]
            [] => arith::float_to_float(format(from), format(to), a);
        /// The same bits as another type of the same width; not from or to pointers.
        Bitcast = "bitcast" [Conversion::Reinterpret, |from, to| {
            !from.is_ptr() && !to.is_ptr() && from.bits() == to.bits() && from != to
        }] [] => a;
        /// A pointer's 64 bits as `i64`.
        PtrToInt = "ptrtoint" [Conversion::Reinterpret, |from, to| from.is_ptr() && to == Type::I64]
            [] => a;
        /// An `i64` as a pointer.
        IntToPtr = "inttoptr" [Conversion::Reinterpret, |from, to| from == Type::I64 && to.is_ptr()]
            [] => a;
        /// The same address in another space.
        SpaceCast = "spacecast" [Conversion::Reinterpret, |from, to| from.is_ptr() && to.is_ptr() && from != to]
            [] => a;
    }
}

fn are_ints(from: Type, to: Type) -> bool {
    from.is_int() && to.is_int()
}

fn are_floats(from: Type, to: Type) -> bool {
    from.is_float() && to.is_float()
}

operations! {
    /// What an atomic read-modify-write stores, given the old value and its operand.
    AtomicOp {
        /// Old plus operand.
        Add = "add",
        /// Old minus operand.
        Sub = "sub",
        /// Old and operand.
        And = "and",
        /// Old or operand.
        Or = "or",
        /// Old exclusive-or operand.
        Xor = "xor",
        /// The operand; also on floats.
        Xchg = "xchg",
        /// Signed minimum.
        SMin = "smin",
        /// Signed maximum.
        SMax = "smax",
        /// Unsigned minimum.
        UMin = "umin",
        /// Unsigned maximum.
        UMax = "umax",
    }
}

operations! {
    /// Work-item functions of one dimension.
    Query {
        /// `get_global_id`, offset included.
        GlobalId = "global_id",
        /// `get_local_id`.
        LocalId = "local_id",
        /// `get_group_id`.
        GroupId = "group_id",
        /// `get_global_size`.
        GlobalSize = "global_size",
        /// `get_local_size`: that of this work-group.
        LocalSize = "local_size",
        /// `get_num_groups`.
        NumGroups = "num_groups",
        /// `get_global_offset`.
        GlobalOffset = "global_offset",
        /// `get_work_dim`; the dimension is ignored and written 0.
        WorkDim = "work_dim",
        /// Which copy of the private arrays is the work-item's, see [`prepare`](crate::prepare). 0 where each
        /// work-item has private memory of its own, as in the interpreter. The dimension is written 0.
        ItemSlot = "item_slot",
        /// Which copy of local memory is the work-group's. 0 where each group has local memory of its own, as in
        /// the interpreter. The dimension is written 0.
        GroupSlot = "group_slot",
    }
}

impl BinaryOp {
    /// Whether the operands are floats (otherwise integers).
    pub fn is_float(self) -> bool {
        self.row().numbers == Numbers::Floats
    }

    /// Whether the operands may be exchanged.
    pub fn is_commutative(self) -> bool {
        self.row().order == Order::Commutes
    }

    /// What becomes of subnormal numbers in a kernel that says `wanted` of them.
    #[inline(always)]
    pub fn subnormals(self, wanted: Subnormals, ty: Type) -> Subnormals {
        match self.row().flushed {
            Some(_) if ty == Type::F32 => wanted,
            Some(_) | None => Subnormals::Kept,
        }
    }

    /// What it computes of bits in a kernel that says `wanted` of subnormal numbers.
    #[inline(always)]
    pub fn evaluate_with(self, wanted: Subnormals, ty: Type, a: u64, b: u64) -> u64 {
        match (self.subnormals(wanted, ty), self.row().flushed) {
            (Subnormals::Flushed, Some(flushed)) => flushed(a, b),
            (Subnormals::Flushed, None) | (Subnormals::Kept, _) => self.evaluate(ty, a, b),
        }
    }
}

impl TernaryOp {
    /// What becomes of subnormal numbers in a kernel that says `wanted` of them.
    #[inline(always)]
    pub fn subnormals(self, wanted: Subnormals, ty: Type) -> Subnormals {
        match self.row().flushed {
            Some(_) if ty == Type::F32 => wanted,
            Some(_) | None => Subnormals::Kept,
        }
    }

    /// What it computes of bits in a kernel that says `wanted` of subnormal numbers.
    #[inline(always)]
    pub fn evaluate_with(self, wanted: Subnormals, ty: Type, [a, b, c]: [u64; 3]) -> u64 {
        match (self.subnormals(wanted, ty), self.row().flushed) {
            (Subnormals::Flushed, Some(flushed)) => flushed(a, b, c),
            (Subnormals::Flushed, None) | (Subnormals::Kept, _) => self.evaluate(ty, a, b, c),
        }
    }
}

impl Predicate {
    /// The comparison of integers that says this of its operands.
    pub fn of(relation: Relation) -> Predicate {
        match relation {
            Relation::Equal => Predicate::Eq,
            Relation::NotEqual => Predicate::Ne,
            Relation::Less(Unsigned) => Predicate::Ult,
            Relation::Less(Signed) => Predicate::Slt,
            Relation::LessOrEqual(Unsigned) => Predicate::Ule,
            Relation::LessOrEqual(Signed) => Predicate::Sle,
        }
    }

    /// Whether the operands are floats (otherwise integers or pointers).
    pub fn is_float(self) -> bool {
        self.row().numbers == Numbers::Floats
    }

    /// Whether the operands are read as signed integers.
    pub fn is_signed(self) -> bool {
        match self.row().relation {
            Some(Relation::Less(signedness) | Relation::LessOrEqual(signedness)) => {
                signedness == Signed
            }
            Some(Relation::Equal | Relation::NotEqual) | None => false,
        }
    }
}

impl AtomicOp {
    /// What combines the old value and the operand; nothing if the operand itself is stored.
    pub fn combines_by(self) -> Option<BinaryOp> {
        match self {
            AtomicOp::Add => Some(BinaryOp::Add),
            AtomicOp::Sub => Some(BinaryOp::Sub),
            AtomicOp::And => Some(BinaryOp::And),
            AtomicOp::Or => Some(BinaryOp::Or),
            AtomicOp::Xor => Some(BinaryOp::Xor),
            AtomicOp::Xchg => None,
            AtomicOp::SMin => Some(BinaryOp::SMin),
            AtomicOp::SMax => Some(BinaryOp::SMax),
            AtomicOp::UMin => Some(BinaryOp::UMin),
            AtomicOp::UMax => Some(BinaryOp::UMax),
        }
    }

    /// What is stored, given the old value and the operand.
    #[inline(always)]
    pub fn evaluate(self, ty: Type, old: u64, operand: u64) -> u64 {
        match self.combines_by() {
            Some(op) => op.evaluate(ty, old, operand),
            None => operand,
        }
    }
}
