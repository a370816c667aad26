//! The scalar types that builtins are overloaded on.

/// A scalar type of OpenCL C. Its values are written as their bits, zero-extended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Type {
    Char,
    Uchar,
    Short,
    Ushort,
    Int,
    Uint,
    Long,
    Ulong,
    Half,
    Float,
    Double,
}

/// What the bits of a type mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Two's complement.
    Signed,
    /// Binary.
    Unsigned,
    /// IEEE 754.
    Float,
}

/// The widths of vectors, and 1 for scalars.
pub const WIDTHS: [usize; 6] = [1, 2, 3, 4, 8, 16];

impl Type {
    /// Every type.
    pub const ALL: [Type; 11] = [
        Type::Char,
        Type::Uchar,
        Type::Short,
        Type::Ushort,
        Type::Int,
        Type::Uint,
        Type::Long,
        Type::Ulong,
        Type::Half,
        Type::Float,
        Type::Double,
    ];
    /// The integers.
    pub const INTEGERS: [Type; 8] = [
        Type::Char,
        Type::Uchar,
        Type::Short,
        Type::Ushort,
        Type::Int,
        Type::Uint,
        Type::Long,
        Type::Ulong,
    ];
    /// The floating-point types.
    pub const FLOATS: [Type; 3] = [Type::Half, Type::Float, Type::Double];

    /// Its name in OpenCL C.
    pub fn name(self) -> &'static str {
        match self {
            Type::Char => "char",
            Type::Uchar => "uchar",
            Type::Short => "short",
            Type::Ushort => "ushort",
            Type::Int => "int",
            Type::Uint => "uint",
            Type::Long => "long",
            Type::Ulong => "ulong",
            Type::Half => "half",
            Type::Float => "float",
            Type::Double => "double",
        }
    }

    /// The name of its vector of `width` lanes, of itself for one.
    pub fn vector(self, width: usize) -> String {
        match width {
            1 => self.name().to_owned(),
            _ => format!("{}{width}", self.name()),
        }
    }

    /// Its size in bits.
    pub fn bits(self) -> u32 {
        match self {
            Type::Char | Type::Uchar => 8,
            Type::Short | Type::Ushort | Type::Half => 16,
            Type::Int | Type::Uint | Type::Float => 32,
            Type::Long | Type::Ulong | Type::Double => 64,
        }
    }

    /// Its size in bytes.
    pub fn bytes(self) -> usize {
        self.bits() as usize / 8
    }

    /// What its bits mean.
    pub fn kind(self) -> Kind {
        match self {
            Type::Char | Type::Short | Type::Int | Type::Long => Kind::Signed,
            Type::Uchar | Type::Ushort | Type::Uint | Type::Ulong => Kind::Unsigned,
            Type::Half | Type::Float | Type::Double => Kind::Float,
        }
    }

    /// Whether it is a floating-point type.
    pub fn is_float(self) -> bool {
        self.kind() == Kind::Float
    }

    /// The bits that it has.
    pub fn mask(self) -> u64 {
        u64::MAX >> (64 - self.bits())
    }

    /// Its highest bit: the sign, if it has one.
    pub fn top(self) -> u64 {
        1 << (self.bits() - 1)
    }

    /// The signed integer of its size.
    pub fn signed(self) -> Type {
        match self.bits() {
            8 => Type::Char,
            16 => Type::Short,
            32 => Type::Int,
            _ => Type::Long,
        }
    }

    /// The unsigned integer of its size.
    pub fn unsigned(self) -> Type {
        match self.bits() {
            8 => Type::Uchar,
            16 => Type::Ushort,
            32 => Type::Uint,
            _ => Type::Ulong,
        }
    }

    /// The value of an integer's bits.
    pub fn integer(self, bits: u64) -> i128 {
        match self.kind() {
            Kind::Signed if bits & self.top() != 0 => i128::from(bits) - (1_i128 << self.bits()),
            Kind::Signed | Kind::Unsigned | Kind::Float => i128::from(bits),
        }
    }

    /// The bits of an integer, cut to the type.
    pub fn wrap(self, value: i128) -> u64 {
        value as u64 & self.mask()
    }

    /// The bits of the integer of this type that is nearest to a value.
    pub fn saturate(self, value: i128) -> u64 {
        self.wrap(value.clamp(self.smallest(), self.largest()))
    }

    /// The smallest integer of the type.
    pub fn smallest(self) -> i128 {
        match self.kind() {
            Kind::Signed => -(1_i128 << (self.bits() - 1)),
            Kind::Unsigned | Kind::Float => 0,
        }
    }

    /// The largest integer of the type.
    pub fn largest(self) -> i128 {
        match self.kind() {
            Kind::Signed => (1_i128 << (self.bits() - 1)) - 1,
            Kind::Unsigned | Kind::Float => (1_i128 << self.bits()) - 1,
        }
    }

    /// How many bits of a float's pattern are its fraction.
    pub fn fraction(self) -> u32 {
        match self {
            Type::Half => 10,
            Type::Double => 52,
            Type::Char
            | Type::Uchar
            | Type::Short
            | Type::Ushort
            | Type::Int
            | Type::Uint
            | Type::Long
            | Type::Ulong
            | Type::Float => 23,
        }
    }

    /// The bits of a float's positive infinity.
    pub fn infinity(self) -> u64 {
        (self.mask() >> 1) & !((1 << self.fraction()) - 1)
    }

    /// The bits of a float's usual quiet NaN.
    pub fn quiet_nan(self) -> u64 {
        self.infinity() | 1 << (self.fraction() - 1)
    }

    /// The bits of one.
    pub fn one(self) -> u64 {
        match self.kind() {
            Kind::Float => (self.infinity() >> 1) & !((1 << self.fraction()) - 1),
            Kind::Signed | Kind::Unsigned => 1,
        }
    }

    /// Whether a float's bits are a NaN.
    pub fn is_nan(self, bits: u64) -> bool {
        bits & !self.top() > self.infinity()
    }

    /// Whether a float's bits are a number, infinities excluded.
    pub fn is_finite(self, bits: u64) -> bool {
        bits & !self.top() < self.infinity()
    }
}

/// Values as they stand in memory.
pub fn to_bytes(type_: Type, values: &[u64]) -> Vec<u8> {
    let bytes = values
        .iter()
        .flat_map(|value| value.to_le_bytes().into_iter().take(type_.bytes()));
    bytes.collect()
}

/// Values from memory.
pub fn from_bytes(type_: Type, bytes: &[u8]) -> Vec<u64> {
    let values = bytes.chunks(type_.bytes()).map(|chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_le_bytes(word)
    });
    values.collect()
}
