//! The operations, one row each: variant, name in the text form, meaning.
//!
//! What each computes on bits stands in [`crate::semantics`].

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

operations! {
    /// Operations with one operand, of the result's type.
    UnaryOp {
        /// Number of leading zeros; the width for zero.
        Clz = "clz",
        /// Number of trailing zeros; the width for zero.
        Ctz = "ctz",
        /// Number of ones.
        Popcount = "popcount",
        /// Bits in reverse order.
        BitReverse = "bitreverse",
        /// Bytes in reverse order; the width is a multiple of 16.
        ByteSwap = "byteswap",
        /// Sign flipped, NaNs included.
        FNeg = "fneg",
        /// Sign cleared, NaNs included.
        FAbs = "fabs",
        /// Correctly rounded square root.
        FSqrt = "fsqrt",
        /// To an integral value, downwards.
        FFloor = "ffloor",
        /// To an integral value, upwards.
        FCeil = "fceil",
        /// To an integral value, towards zero.
        FTrunc = "ftrunc",
        /// To the nearest integral value, ties to even.
        FRint = "frint",
        /// To the nearest integral value, ties away from zero.
        FRound = "fround",
    }
}

operations! {
    /// Operations with two operands, both of the result's type.
    BinaryOp {
        /// Sum, modulo the width.
        Add = "add",
        /// Difference, modulo the width.
        Sub = "sub",
        /// Product, modulo the width.
        Mul = "mul",
        /// Unsigned quotient; all ones for a zero divisor.
        UDiv = "udiv",
        /// Signed quotient, towards zero; all ones for a zero divisor; the minimum divided by -1 is itself.
        SDiv = "sdiv",
        /// Unsigned remainder; the dividend for a zero divisor.
        URem = "urem",
        /// Signed remainder with the dividend's sign; the dividend for a zero divisor.
        SRem = "srem",
        /// Bitwise and.
        And = "and",
        /// Bitwise or.
        Or = "or",
        /// Bitwise exclusive or.
        Xor = "xor",
        /// Shift left; zero when the (unsigned) amount is the width or more.
        Shl = "shl",
        /// Shift right, zeros in; zero when the (unsigned) amount is the width or more.
        LShr = "lshr",
        /// Shift right, sign in; all sign when the (unsigned) amount is the width or more.
        AShr = "ashr",
        /// Unsigned minimum.
        UMin = "umin",
        /// Unsigned maximum.
        UMax = "umax",
        /// Signed minimum.
        SMin = "smin",
        /// Signed maximum.
        SMax = "smax",
        /// Upper half of the unsigned double-width product.
        UMulHi = "umulhi",
        /// Upper half of the signed double-width product.
        SMulHi = "smulhi",
        /// IEEE sum.
        FAdd = "fadd",
        /// IEEE difference.
        FSub = "fsub",
        /// IEEE product.
        FMul = "fmul",
        /// IEEE quotient, correctly rounded.
        FDiv = "fdiv",
        /// The lesser; the other operand if one is NaN; -0 is less than +0.
        FMin = "fmin",
        /// The greater; the other operand if one is NaN; +0 is greater than -0.
        FMax = "fmax",
        /// Magnitude of the first operand, sign of the second.
        CopySign = "copysign",
    }
}

operations! {
    /// Operations with three operands, all of the result's type.
    TernaryOp {
        /// `a * b + c`, rounded once.
        Fma = "fma",
        /// The upper word of `a:b` shifted left by `c` modulo the width; a rotation when `a` is `b`.
        FunnelShl = "fshl",
        /// The lower word of `a:b` shifted right by `c` modulo the width.
        FunnelShr = "fshr",
    }
}

operations! {
    /// Comparisons of two operands of one type; the result is `i1`.
    Predicate {
        /// Equal; integers and pointers.
        Eq = "eq",
        /// Not equal; integers and pointers.
        Ne = "ne",
        /// Unsigned less; integers and pointers.
        Ult = "ult",
        /// Unsigned less or equal; integers and pointers.
        Ule = "ule",
        /// Signed less.
        Slt = "slt",
        /// Signed less or equal.
        Sle = "sle",
        /// Ordered and equal.
        FOeq = "foeq",
        /// Ordered and not equal.
        FOne = "fone",
        /// Ordered and less.
        FOlt = "folt",
        /// Ordered and less or equal.
        FOle = "fole",
        /// Neither is NaN.
        FOrd = "ford",
        /// Unordered or equal.
        FUeq = "fueq",
        /// Unordered or not equal.
        FUne = "fune",
        /// Unordered or less.
        FUlt = "fult",
        /// Unordered or less or equal.
        FUle = "fule",
        /// At least one is NaN.
        FUno = "funo",
    }
}

operations! {
    /// Conversions; the result's type is given with the instruction.
    CastOp {
        /// To a wider integer, zeros in.
        Zext = "zext",
        /// To a wider integer, sign in.
        Sext = "sext",
        /// To a narrower integer.
        Trunc = "trunc",
        /// Float to signed integer, towards zero, saturating; NaN becomes 0.
        FpToSi = "fptosi",
        /// Float to unsigned integer, towards zero, saturating; NaN becomes 0.
        FpToUi = "fptoui",
        /// Signed integer to float, ties to even.
        SiToFp = "sitofp",
        /// Unsigned integer to float, ties to even.
        UiToFp = "uitofp",
        /// To a wider float; exact.
        FpExt = "fpext",
        /// To a narrower float, ties to even.
        FpTrunc = "fptrunc",
        /// The same bits as another type of the same width; not from or to pointers.
        Bitcast = "bitcast",
        /// A pointer's 64 bits as `i64`.
        PtrToInt = "ptrtoint",
        /// An `i64` as a pointer.
        IntToPtr = "inttoptr",
        /// The same address in another space.
        SpaceCast = "spacecast",
    }
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

impl UnaryOp {
    /// Whether the operand is a float (otherwise an integer).
    pub fn is_float(self) -> bool {
        match self {
            UnaryOp::Clz
            | UnaryOp::Ctz
            | UnaryOp::Popcount
            | UnaryOp::BitReverse
            | UnaryOp::ByteSwap => false,
            UnaryOp::FNeg
            | UnaryOp::FAbs
            | UnaryOp::FSqrt
            | UnaryOp::FFloor
            | UnaryOp::FCeil
            | UnaryOp::FTrunc
            | UnaryOp::FRint
            | UnaryOp::FRound => true,
        }
    }
}

impl BinaryOp {
    /// Whether the operands are floats (otherwise integers).
    pub fn is_float(self) -> bool {
        self >= BinaryOp::FAdd
    }

    /// Whether the operands may be exchanged.
    pub fn is_commutative(self) -> bool {
        use BinaryOp::*;
        match self {
            Add | Mul | And | Or | Xor | UMin | UMax | SMin | SMax | UMulHi | SMulHi | FAdd
            | FMul | FMin | FMax => true,
            Sub | UDiv | SDiv | URem | SRem | Shl | LShr | AShr | FSub | FDiv | CopySign => false,
        }
    }
}

impl Predicate {
    /// Whether the operands are floats (otherwise integers or pointers).
    pub fn is_float(self) -> bool {
        self >= Predicate::FOeq
    }

    /// Whether the operands are read as signed integers.
    pub fn is_signed(self) -> bool {
        matches!(self, Predicate::Slt | Predicate::Sle)
    }
}
