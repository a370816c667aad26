//! The types of values: ten scalars, and vectors of them.

use std::fmt;

/// A scalar type of OpenCL C.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Scalar {
    Char,
    Uchar,
    Short,
    Ushort,
    Int,
    Uint,
    Long,
    Ulong,
    Float,
    Double,
}

use Scalar::*;

impl Scalar {
    /// The integer types.
    pub const INTEGERS: [Scalar; 8] = [Char, Uchar, Short, Ushort, Int, Uint, Long, Ulong];

    /// The name in OpenCL C.
    pub fn name(self) -> &'static str {
        match self {
            Char => "char",
            Uchar => "uchar",
            Short => "short",
            Ushort => "ushort",
            Int => "int",
            Uint => "uint",
            Long => "long",
            Ulong => "ulong",
            Float => "float",
            Double => "double",
        }
    }

    /// Size in bytes.
    pub fn bytes(self) -> u32 {
        match self {
            Char | Uchar => 1,
            Short | Ushort => 2,
            Int | Uint | Float => 4,
            Long | Ulong | Double => 8,
        }
    }

    /// Size in bits.
    pub fn bits(self) -> u32 {
        self.bytes() * 8
    }

    /// Whether this is float or double.
    pub fn is_float(self) -> bool {
        matches!(self, Float | Double)
    }

    /// Whether this is a signed integer type.
    pub fn is_signed(self) -> bool {
        matches!(self, Char | Short | Int | Long)
    }

    /// Whether arithmetic promotes this to `int`.
    pub fn is_narrow(self) -> bool {
        self.bytes() < 4
    }

    /// The unsigned integer type of the same size.
    pub fn unsigned(self) -> Scalar {
        match self.bytes() {
            1 => Uchar,
            2 => Ushort,
            4 => Uint,
            _ => Ulong,
        }
    }

    /// The signed integer type of the same size.
    pub fn signed(self) -> Scalar {
        match self.bytes() {
            1 => Char,
            2 => Short,
            4 => Int,
            _ => Long,
        }
    }

    /// The type after C's integer promotion.
    pub fn promoted(self) -> Scalar {
        if self.is_narrow() { Int } else { self }
    }

    /// The common type of two scalar integer operands, by C's usual arithmetic conversions.
    pub fn common(self, other: Scalar) -> Scalar {
        let (a, b) = (self.promoted(), other.promoted());
        if a.bytes() != b.bytes() {
            return if a.bytes() > b.bytes() { a } else { b };
        }
        if a.is_signed() { b } else { a }
    }

    /// The integer type of half the size and the same sign.
    pub fn halved(self) -> Option<Scalar> {
        match self {
            Short => Some(Char),
            Ushort => Some(Uchar),
            Int => Some(Short),
            Uint => Some(Ushort),
            Long => Some(Int),
            Ulong => Some(Uint),
            Char | Uchar | Float | Double => None,
        }
    }
}

/// A scalar (one lane) or a vector of 2, 3, 4, 8 or 16 lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Type {
    /// What each lane is.
    pub scalar: Scalar,
    /// How many lanes; one means a scalar.
    pub lanes: u32,
}

impl Type {
    /// `int`, the type of conditions.
    pub const INT: Type = Type::scalar(Int);

    /// One lane of `scalar`.
    pub const fn scalar(scalar: Scalar) -> Type {
        Type { scalar, lanes: 1 }
    }

    /// The same number of lanes of another scalar.
    pub fn with(self, scalar: Scalar) -> Type {
        Type { scalar, ..self }
    }

    /// The type of one lane.
    pub fn lane(self) -> Type {
        Type::scalar(self.scalar)
    }

    /// Whether there is more than one lane.
    pub fn is_vector(self) -> bool {
        self.lanes > 1
    }

    /// Whether lanes are integers.
    pub fn is_integer(self) -> bool {
        !self.scalar.is_float()
    }

    /// Size and alignment in memory: three lanes take the room of four.
    pub fn bytes(self) -> u32 {
        self.scalar.bytes() * if self.lanes == 3 { 4 } else { self.lanes }
    }

    /// What comparing two values of this type gives: `int`, or signed lanes of the same size.
    pub fn comparison(self) -> Type {
        if self.is_vector() {
            self.with(self.scalar.signed())
        } else {
            Type::INT
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.scalar.name())?;
        if self.is_vector() {
            write!(out, "{}", self.lanes)
        } else {
            Ok(())
        }
    }
}
