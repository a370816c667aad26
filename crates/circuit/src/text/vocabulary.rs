//! The words of what several units and operators have as parameters.

use super::cursor::Cursor;
use super::lex::ParseError;
use super::parameter::Parameter;
use super::{choices, record};
use crate::access::Access;
use crate::arith::{Extreme, Format, Rounding, Signedness, Subnormals};
use crate::elementary::{Function, Function2, Grade};
use crate::family::Family;
use crate::operators::Tile;
use crate::target::Target;
use crate::units::load::Vector;
use crate::units::segment::InlineOp;

record! { Access { bytes, address_bits } }
record! { Vector { lanes, lane_bits, alignment } }
record! { Tile { a, b } }
record! { Target { family, period, grade } }

/// Its name.
impl Parameter for &'static Family {
    fn print(&self, out: &mut String) {
        out.push_str(self.name);
    }

    fn parse(cursor: &mut Cursor<'_>) -> Result<&'static Family, ParseError> {
        let names: Vec<&str> = Family::names().collect();
        cursor.word(&format!("one of {}", names.join(", ")), Family::find)
    }
}

choices! { Format { F16 = "f16", F32 = "f32", F64 = "f64" } }
choices! { Signedness { Unsigned = "unsigned", Signed = "signed" } }
choices! { Subnormals { Kept = "kept", Flushed = "flushed" } }
choices! { Extreme { Least = "least", Greatest = "greatest" } }
choices! {
    Rounding { Floor = "floor", Ceil = "ceil", Trunc = "trunc", Rint = "rint", Round = "round" }
}
choices! {
    Function {
        Exp = "exp",
        Exp2 = "exp2",
        Exp10 = "exp10",
        Log = "log",
        Log2 = "log2",
        Log10 = "log10",
        Sin = "sin",
        Cos = "cos",
        Rsqrt = "rsqrt",
        Recip = "recip",
    }
}
choices! { Function2 { Divide = "divide", Pow = "pow" } }
choices! { Grade { Full = "full", Native = "native" } }
choices! {
    InlineOp {
        Add = "add",
        Sub = "sub",
        And = "and",
        Or = "or",
        Xor = "xor",
        Not = "not",
        Eq = "eq",
        Ne = "ne",
        Ult = "ult",
        Ule = "ule",
        Slt = "slt",
        Sle = "sle",
        Select = "select",
        Zext { to } = "zext",
        Sext { to } = "sext",
        Slice { low, bits } = "slice",
        ShiftLeft { by } = "shl",
        ShiftRightLogical { by } = "lshr",
        ShiftRightArithmetic { by } = "ashr",
        UMin = "umin",
        UMax = "umax",
        SMin = "smin",
        SMax = "smax",
        FNeg = "fneg",
        FAbs = "fabs",
        CopySign = "copysign",
        BitReverse = "bitreverse",
        ByteSwap = "byteswap",
    }
}
