//! The columns of the tables: what a row can say of an operation.
//!
//! A row starts from what its group has in common (`integer`, `float`) and adds what is special.
//! An operation that says nothing of its algebra is correct everywhere: analyses know nothing of its
//! result, passes leave it as it is.

use sluice_circuit::arith::{Extreme, Signedness};
use sluice_circuit::operators::count::Counted;
use sluice_circuit::operators::{funnel, shift};

use super::hardware::{Comparator, Hardware};
use crate::ir::Type;

/// The numbers that an operation is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Numbers {
    /// Integers of any width.
    Integers,
    /// Integers of any width, and pointers.
    IntegersAndPointers,
    /// Floats of any format.
    Floats,
}

impl Numbers {
    /// Whether values of the type are among them.
    pub fn contain(self, ty: Type) -> bool {
        match self {
            Numbers::Integers => ty.is_int(),
            Numbers::IntegersAndPointers => ty.is_int() || ty.is_ptr(),
            Numbers::Floats => ty.is_float(),
        }
    }

    /// What messages call them.
    pub fn name(self) -> &'static str {
        match self {
            Numbers::Integers => "integers",
            Numbers::IntegersAndPointers => "integers and pointers",
            Numbers::Floats => "floats",
        }
    }
}

/// Which widths an integer operation is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Widths {
    /// 1 to 64 bits.
    Any,
    /// Multiples of 16 bits.
    PairsOfBytes,
}

/// Whether operands may be exchanged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// The first two may be.
    Commutes,
    /// None may be.
    Fixed,
}

/// What a result that is a NaN looks like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Nan {
    /// The canonical one.
    Canonical,
    /// Any: an operand's bits are passed on.
    Any,
}

/// What analyses and passes know of an operation with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryAlgebra {
    /// A number of bits.
    Count(Counted),
    /// The operand's bits in another order, which the operation itself undoes.
    Permutation,
    /// The opposite sign, which the operation itself undoes.
    Negation,
    /// The operand without its sign.
    Magnitude,
}

/// What analyses and passes know of an integer operation with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Algebra {
    /// `a + b`, modulo the width.
    Sum,
    /// `a - b`, modulo the width.
    Difference,
    /// `a * b`, modulo the width.
    Product,
    /// The upper half of `a * b`.
    HighProduct(Signedness),
    /// `a / b`.
    Quotient(Signedness),
    /// `a % b`.
    Remainder(Signedness),
    /// `a & b`.
    And,
    /// `a | b`.
    Or,
    /// `a ^ b`.
    Xor,
    /// `a` shifted by `b`.
    Shift(shift::Direction),
    /// The lesser or the greater.
    Extreme(Signedness, Extreme),
}

/// What analyses and passes know of an operation with three operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TernaryAlgebra {
    /// `a * b + c`, rounded once.
    FusedProduct,
    /// One word of `a:b` shifted by `c`.
    Funnel(funnel::Direction),
}

/// What an integer comparison says of its operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    /// `a == b`.
    Equal,
    /// `a != b`.
    NotEqual,
    /// `a < b`.
    Less(Signedness),
    /// `a <= b`.
    LessOrEqual(Signedness),
}

impl Relation {
    /// What holds of `a` and `b`, or with `swap` of `b` and `a`, where this does not hold of `a`
    /// and `b`.
    pub fn negated(self) -> (Relation, Swap) {
        match self {
            Relation::Equal => (Relation::NotEqual, Swap::No),
            Relation::NotEqual => (Relation::Equal, Swap::No),
            Relation::Less(signedness) => (Relation::LessOrEqual(signedness), Swap::Yes),
            Relation::LessOrEqual(signedness) => (Relation::Less(signedness), Swap::Yes),
        }
    }

    /// Whether it holds of a value and itself.
    pub fn is_reflexive(self) -> bool {
        match self {
            Relation::Equal | Relation::LessOrEqual(_) => true,
            Relation::NotEqual | Relation::Less(_) => false,
        }
    }
}

/// Whether operands change places.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Swap {
    /// They do.
    Yes,
    /// They do not.
    No,
}

/// What a conversion does to the bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Conversion {
    /// Adds zeros or copies of the sign above.
    Extend(Signedness),
    /// Keeps the low bits.
    Truncate,
    /// Converts a float to an integer.
    FloatToInt(Signedness),
    /// Converts an integer to a float.
    IntToFloat(Signedness),
    /// Converts a float to another format.
    FloatToFloat,
    /// Leaves the bits as they are.
    Reinterpret,
}

impl Conversion {
    /// Whether it takes no logic.
    pub fn is_wiring(self) -> bool {
        match self {
            Conversion::Extend(_) | Conversion::Truncate | Conversion::Reinterpret => true,
            Conversion::FloatToInt(_) | Conversion::IntToFloat(_) | Conversion::FloatToFloat => {
                false
            }
        }
    }

    /// What a result that is a NaN looks like.
    pub fn nan(self) -> Nan {
        match self {
            Conversion::IntToFloat(_) | Conversion::FloatToFloat => Nan::Canonical,
            Conversion::Extend(_)
            | Conversion::Truncate
            | Conversion::FloatToInt(_)
            | Conversion::Reinterpret => Nan::Any,
        }
    }
}

/// A row of [`super::UnaryOp`].
#[derive(Clone, Copy, Debug)]
pub struct UnaryRow {
    /// What it is for.
    pub numbers: Numbers,
    /// The widths that it is for.
    pub widths: Widths,
    /// What is known of it, if anything.
    pub algebra: Option<UnaryAlgebra>,
    /// Its NaNs.
    pub nan: Nan,
    /// What computes it in a circuit.
    pub hardware: Hardware,
}

impl UnaryRow {
    pub(super) const fn integer(hardware: Hardware) -> UnaryRow {
        UnaryRow {
            numbers: Numbers::Integers,
            widths: Widths::Any,
            algebra: None,
            nan: Nan::Any,
            hardware,
        }
    }

    pub(super) const fn float(hardware: Hardware) -> UnaryRow {
        UnaryRow {
            numbers: Numbers::Floats,
            nan: Nan::Canonical,
            ..UnaryRow::integer(hardware)
        }
    }

    pub(super) const fn algebra(mut self, algebra: UnaryAlgebra) -> UnaryRow {
        self.algebra = Some(algebra);
        self
    }

    pub(super) const fn pairs_of_bytes(mut self) -> UnaryRow {
        self.widths = Widths::PairsOfBytes;
        self
    }

    pub(super) const fn any_nan(mut self) -> UnaryRow {
        self.nan = Nan::Any;
        self
    }
}

/// A row of [`super::BinaryOp`].
#[derive(Clone, Copy, Debug)]
pub struct BinaryRow {
    /// What it is for.
    pub numbers: Numbers,
    /// Whether its operands may be exchanged.
    pub order: Order,
    /// What is known of it, if anything.
    pub algebra: Option<Algebra>,
    /// Its NaNs.
    pub nan: Nan,
    /// What it computes of `f32` where subnormals are flushed, if that differs.
    pub flushed: Option<fn(u64, u64) -> u64>,
    /// What computes it in a circuit.
    pub hardware: Hardware,
}

impl BinaryRow {
    pub(super) const fn integer(hardware: Hardware) -> BinaryRow {
        BinaryRow {
            numbers: Numbers::Integers,
            order: Order::Fixed,
            algebra: None,
            nan: Nan::Any,
            flushed: None,
            hardware,
        }
    }

    pub(super) const fn float(hardware: Hardware) -> BinaryRow {
        BinaryRow {
            numbers: Numbers::Floats,
            nan: Nan::Canonical,
            ..BinaryRow::integer(hardware)
        }
    }

    pub(super) const fn commutes(mut self) -> BinaryRow {
        self.order = Order::Commutes;
        self
    }

    pub(super) const fn algebra(mut self, algebra: Algebra) -> BinaryRow {
        self.algebra = Some(algebra);
        self
    }

    pub(super) const fn any_nan(mut self) -> BinaryRow {
        self.nan = Nan::Any;
        self
    }

    pub(super) const fn flushed(mut self, flushed: fn(u64, u64) -> u64) -> BinaryRow {
        self.flushed = Some(flushed);
        self
    }
}

/// A row of [`super::TernaryOp`].
#[derive(Clone, Copy, Debug)]
pub struct TernaryRow {
    /// What it is for.
    pub numbers: Numbers,
    /// Whether its first two operands may be exchanged.
    pub order: Order,
    /// What is known of it, if anything.
    pub algebra: Option<TernaryAlgebra>,
    /// Its NaNs.
    pub nan: Nan,
    /// What it computes of `f32` where subnormals are flushed, if that differs.
    pub flushed: Option<fn(u64, u64, u64) -> u64>,
    /// What computes it in a circuit.
    pub hardware: Hardware,
}

impl TernaryRow {
    pub(super) const fn integer(hardware: Hardware) -> TernaryRow {
        TernaryRow {
            numbers: Numbers::Integers,
            order: Order::Fixed,
            algebra: None,
            nan: Nan::Any,
            flushed: None,
            hardware,
        }
    }

    pub(super) const fn float(hardware: Hardware) -> TernaryRow {
        TernaryRow {
            numbers: Numbers::Floats,
            nan: Nan::Canonical,
            ..TernaryRow::integer(hardware)
        }
    }

    pub(super) const fn commutes(mut self) -> TernaryRow {
        self.order = Order::Commutes;
        self
    }

    pub(super) const fn algebra(mut self, algebra: TernaryAlgebra) -> TernaryRow {
        self.algebra = Some(algebra);
        self
    }

    pub(super) const fn flushed(mut self, flushed: fn(u64, u64, u64) -> u64) -> TernaryRow {
        self.flushed = Some(flushed);
        self
    }
}

/// A row of [`super::Predicate`].
#[derive(Clone, Copy, Debug)]
pub struct PredicateRow {
    /// What it is for.
    pub numbers: Numbers,
    /// Whether its operands may be exchanged.
    pub order: Order,
    /// What is known of it, if anything.
    pub relation: Option<Relation>,
    /// What computes it in a circuit.
    pub comparator: Comparator,
}

impl PredicateRow {
    pub(super) const fn integer(comparator: Comparator) -> PredicateRow {
        PredicateRow {
            numbers: Numbers::Integers,
            order: Order::Fixed,
            relation: None,
            comparator,
        }
    }

    pub(super) const fn float(comparator: Comparator) -> PredicateRow {
        PredicateRow {
            numbers: Numbers::Floats,
            ..PredicateRow::integer(comparator)
        }
    }

    pub(super) const fn pointers(mut self) -> PredicateRow {
        self.numbers = Numbers::IntegersAndPointers;
        self
    }

    pub(super) const fn commutes(mut self) -> PredicateRow {
        self.order = Order::Commutes;
        self
    }

    pub(super) const fn relation(mut self, relation: Relation) -> PredicateRow {
        self.relation = Some(relation);
        self
    }
}

/// A row of [`super::CastOp`].
#[derive(Clone, Copy, Debug)]
pub struct CastRow {
    /// What it does, and so what computes it in a circuit.
    pub conversion: Conversion,
    /// Whether it goes from the first type to the second.
    pub converts: fn(Type, Type) -> bool,
}

impl CastRow {
    pub(super) const fn cast(conversion: Conversion, converts: fn(Type, Type) -> bool) -> CastRow {
        CastRow {
            conversion,
            converts,
        }
    }
}
