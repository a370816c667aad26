//! Types of values and address spaces.

use std::fmt;

/// The type of a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Type {
    /// An integer of 1 to 64 bits; signedness is in the operations.
    Int(u8),
    /// IEEE binary16.
    F16,
    /// IEEE binary32.
    F32,
    /// IEEE binary64.
    F64,
    /// A 64-bit address in the given space.
    Ptr(Space),
}

/// An OpenCL address space.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Space {
    /// One copy per work-item.
    Private,
    /// Buffers.
    Global,
    /// Read-only buffers and tables.
    Constant,
    /// One copy per work-group.
    Local,
    /// Any of private, global and local (OpenCL 2.0).
    Generic,
}

impl Type {
    /// The type of conditions.
    pub const BOOL: Type = Type::Int(1);
    /// The type of `int`.
    pub const I32: Type = Type::Int(32);
    /// The type of `long` and `size_t`.
    pub const I64: Type = Type::Int(64);

    /// Width in bits.
    pub fn bits(self) -> u32 {
        match self {
            Type::Int(bits) => bits.into(),
            Type::F16 => 16,
            Type::F32 => 32,
            Type::F64 | Type::Ptr(_) => 64,
        }
    }

    /// Size in memory, or `None` for integers that memory operations do not transfer.
    pub fn bytes(self) -> Option<u32> {
        match self.bits() {
            bits @ (8 | 16 | 32 | 64) => Some(bits / 8),
            _ => None,
        }
    }

    /// The bits that a value of this type can have set.
    pub fn mask(self) -> u64 {
        u64::MAX >> (64 - self.bits())
    }

    /// Whether this is an integer type.
    pub fn is_int(self) -> bool {
        matches!(self, Type::Int(_))
    }

    /// Whether this is a floating-point type.
    pub fn is_float(self) -> bool {
        matches!(self, Type::F16 | Type::F32 | Type::F64)
    }

    /// Whether this is a pointer type.
    pub fn is_ptr(self) -> bool {
        matches!(self, Type::Ptr(_))
    }
}

impl Space {
    /// All spaces with the names used in the text form.
    pub const NAMES: [(Space, &'static str); 5] = [
        (Space::Private, "private"),
        (Space::Global, "global"),
        (Space::Constant, "constant"),
        (Space::Local, "local"),
        (Space::Generic, "generic"),
    ];

    /// Whether a pointer of this space may point to an object that lives in `object`.
    pub fn may_reach(self, object: Space) -> bool {
        match self {
            Space::Generic => object != Space::Constant,
            Space::Private | Space::Global | Space::Constant | Space::Local => self == object,
        }
    }
}

impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (_, name) = Space::NAMES
            .iter()
            .find(|(space, _)| space == self)
            .expect("NAMES lists every space");
        f.write_str(name)
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Int(bits) => write!(f, "i{bits}"),
            Type::F16 => f.write_str("f16"),
            Type::F32 => f.write_str("f32"),
            Type::F64 => f.write_str("f64"),
            Type::Ptr(space) => write!(f, "ptr.{space}"),
        }
    }
}
