//! The names of operators and functions in OpenCL C.

use crate::ast::*;

impl Query {
    pub fn name(self) -> &'static str {
        match self {
            Query::GlobalId => "get_global_id",
            Query::LocalId => "get_local_id",
            Query::GroupId => "get_group_id",
            Query::GlobalSize => "get_global_size",
            Query::LocalSize => "get_local_size",
            Query::NumGroups => "get_num_groups",
            Query::GlobalOffset => "get_global_offset",
        }
    }
}

impl Space {
    pub fn keyword(self) -> &'static str {
        match self {
            Space::Private => "__private",
            Space::Local => "__local",
            Space::Global => "__global const",
            Space::Constant => "__constant",
        }
    }
}

impl AtomicOp {
    pub fn name(self) -> &'static str {
        match self {
            AtomicOp::Add => "atomic_add",
            AtomicOp::Sub => "atomic_sub",
            AtomicOp::Inc => "atomic_inc",
            AtomicOp::Dec => "atomic_dec",
            AtomicOp::Min => "atomic_min",
            AtomicOp::Max => "atomic_max",
            AtomicOp::And => "atomic_and",
            AtomicOp::Or => "atomic_or",
            AtomicOp::Xor => "atomic_xor",
        }
    }
}

impl BinaryOp {
    pub fn sign(self) -> &'static str {
        match self {
            BinaryOp::Add | BinaryOp::SmallAdd => "+",
            BinaryOp::Sub | BinaryOp::SmallSub => "-",
            BinaryOp::Mul | BinaryOp::SmallMul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Rem => "%",
            BinaryOp::And => "&",
            BinaryOp::Or => "|",
            BinaryOp::Xor => "^",
            BinaryOp::Shl | BinaryOp::MaskedShl => "<<",
            BinaryOp::Shr | BinaryOp::MaskedShr => ">>",
        }
    }
}

impl CompareOp {
    pub fn sign(self) -> &'static str {
        match self {
            CompareOp::Equal => "==",
            CompareOp::Unequal => "!=",
            CompareOp::Less => "<",
            CompareOp::LessEqual => "<=",
            CompareOp::Greater => ">",
            CompareOp::GreaterEqual => ">=",
        }
    }
}

impl LogicOp {
    pub fn sign(self) -> &'static str {
        match self {
            LogicOp::And => "&&",
            LogicOp::Or => "||",
        }
    }
}

impl Rounding {
    pub fn suffix(self) -> &'static str {
        match self {
            Rounding::Nearest => "_rte",
            Rounding::Zero => "_rtz",
            Rounding::Up => "_rtp",
            Rounding::Down => "_rtn",
        }
    }
}

impl Builtin {
    pub fn name(self) -> &'static str {
        match self {
            Builtin::Min => "min",
            Builtin::Max => "max",
            Builtin::Clamp => "clamp",
            Builtin::Abs => "abs",
            Builtin::AbsDiff => "abs_diff",
            Builtin::AddSat => "add_sat",
            Builtin::SubSat => "sub_sat",
            Builtin::MadSat => "mad_sat",
            Builtin::Hadd => "hadd",
            Builtin::Rhadd => "rhadd",
            Builtin::MulHi => "mul_hi",
            Builtin::MadHi => "mad_hi",
            Builtin::Mul24 => "mul24",
            Builtin::Mad24 => "mad24",
            Builtin::Clz => "clz",
            Builtin::Popcount => "popcount",
            Builtin::Rotate => "rotate",
            Builtin::Upsample => "upsample",
            Builtin::Select => "select",
            Builtin::Bitselect => "bitselect",
            Builtin::Any => "any",
            Builtin::All => "all",
            Builtin::Shuffle => "shuffle",
            Builtin::Shuffle2 => "shuffle2",
            Builtin::Fma => "fma",
            Builtin::Fabs => "fabs",
            Builtin::Floor => "floor",
            Builtin::Ceil => "ceil",
            Builtin::Trunc => "trunc",
            Builtin::Rint => "rint",
            Builtin::Round => "round",
            Builtin::Sqrt => "sqrt",
            Builtin::Fmin => "fmin",
            Builtin::Fmax => "fmax",
            Builtin::Copysign => "copysign",
            Builtin::Isnan => "isnan",
            Builtin::Isinf => "isinf",
            Builtin::Isfinite => "isfinite",
            Builtin::Isequal => "isequal",
            Builtin::Isnotequal => "isnotequal",
            Builtin::Isgreater => "isgreater",
            Builtin::Isless => "isless",
            Builtin::Islessequal => "islessequal",
            Builtin::Elementary(name) => name,
        }
    }
}
