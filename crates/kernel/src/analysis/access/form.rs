//! Sums of products: integers that a launch, its work-items and its loops decide.

use std::collections::BTreeMap;
use std::fmt;

use sluice_circuit::arith::Signedness;

use crate::analysis::Loop;
use crate::analysis::uniform::Scope;
use crate::ir::{Object, Value};

/// Products have at most this number of factors; sums, this number of products.
const MOST_FACTORS: usize = 4;
const MOST_PRODUCTS: usize = 16;

/// An integer that the sums are made of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Term {
    /// The address of an object's first byte.
    Base(Object),
    /// `get_global_id` of a dimension.
    GlobalId(u8),
    /// `get_local_id` of a dimension.
    LocalId(u8),
    /// `get_group_id` of a dimension.
    GroupId(u8),
    /// The slot of the work-item, in kernels that are laid out for a circuit.
    ItemSlot,
    /// The slot of the work-group, in kernels that are laid out for a circuit.
    GroupSlot,
    /// How often control has gone round a loop since it last came in from outside.
    Iteration(Loop),
    /// A value of the kernel: the one that was computed last.
    Value(Symbol),
}

/// A value as an integer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// The value: an integer or a pointer.
    pub value: Value,
    /// How its bits are read.
    pub reading: Signedness,
    /// What it is the same for.
    pub scope: Scope,
}

impl Symbol {
    fn key(&self) -> (Scope, Value, bool) {
        (self.scope, self.value, self.reading == Signedness::Signed)
    }
}

impl PartialOrd for Symbol {
    fn partial_cmp(&self, other: &Symbol) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Symbol {
    fn cmp(&self, other: &Symbol) -> std::cmp::Ordering {
        self.key().cmp(&other.key())
    }
}

impl Term {
    /// What the term is the same for, iterations of loops aside.
    pub fn scope(&self) -> Scope {
        match self {
            Term::GlobalId(_) | Term::LocalId(_) | Term::ItemSlot => Scope::Item,
            Term::GroupId(_) | Term::GroupSlot => Scope::Group,
            Term::Base(_) | Term::Iteration(_) => Scope::Launch,
            Term::Value(symbol) => symbol.scope,
        }
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Term::Base(object) => write!(f, "{object}"),
            Term::GlobalId(dim) => write!(f, "global_id({dim})"),
            Term::LocalId(dim) => write!(f, "local_id({dim})"),
            Term::GroupId(dim) => write!(f, "group_id({dim})"),
            Term::ItemSlot => f.write_str("item_slot"),
            Term::GroupSlot => f.write_str("group_slot"),
            Term::Iteration(loop_) => write!(f, "iteration({loop_})"),
            Term::Value(symbol) => match symbol.reading {
                Signedness::Unsigned => write!(f, "{}", symbol.value),
                Signedness::Signed => write!(f, "signed({})", symbol.value),
            },
        }
    }
}

/// A product of terms, in ascending order; without factors it is 1.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Product(Vec<Term>);

impl Product {
    /// Its factors.
    pub fn factors(&self) -> &[Term] {
        &self.0
    }

    fn times(&self, other: &Product) -> Option<Product> {
        let mut factors = self.0.clone();
        factors.extend_from_slice(&other.0);
        factors.sort_unstable();
        (factors.len() <= MOST_FACTORS).then_some(Product(factors))
    }

    /// The product of these factors.
    pub(in crate::analysis) fn of(factors: impl IntoIterator<Item = Term>) -> Product {
        let mut factors: Vec<Term> = factors.into_iter().collect();
        factors.sort_unstable();
        Product(factors)
    }

    /// What is left without one factor of each kind in `other`, if it has them all.
    pub(in crate::analysis) fn without(&self, other: &Product) -> Option<Product> {
        let mut left = self.0.clone();
        for factor in &other.0 {
            let at = left.iter().position(|it| it == factor)?;
            left.remove(at);
        }
        Some(Product(left))
    }
}

impl fmt::Display for Product {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let factors: Vec<String> = self.0.iter().map(Term::to_string).collect();
        f.write_str(&factors.join(" * "))
    }
}

/// A sum of products with integer coefficients.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sum {
    /// No coefficient is 0.
    products: BTreeMap<Product, i128>,
}

impl Sum {
    /// A constant.
    pub fn constant(value: i128) -> Sum {
        Sum::product(Product::default(), value)
    }

    /// A term.
    pub fn term(term: Term) -> Sum {
        Sum::product(Product(vec![term]), 1)
    }

    pub(in crate::analysis) fn product(product: Product, coefficient: i128) -> Sum {
        let products = match coefficient {
            0 => BTreeMap::new(),
            _ => [(product, coefficient)].into(),
        };
        Sum { products }
    }

    /// The products with their coefficients; the constant comes first.
    pub fn products(&self) -> impl Iterator<Item = (&Product, i128)> {
        self.products
            .iter()
            .map(|(product, &coefficient)| (product, coefficient))
    }

    /// The terms, some of them perhaps several times.
    pub fn terms(&self) -> impl Iterator<Item = Term> + '_ {
        self.products.keys().flat_map(|it| it.0.iter().copied())
    }

    /// The value, if there are no terms.
    pub fn as_constant(&self) -> Option<i128> {
        self.terms().next().is_none().then(|| self.offset())
    }

    /// The constant that is added to the products.
    pub fn offset(&self) -> i128 {
        let constant = self.products.get(&Product::default());
        constant.copied().unwrap_or(0)
    }

    /// The term, if it is nothing else.
    pub fn as_term(&self) -> Option<Term> {
        let mut products = self.products();
        match (products.next(), products.next()) {
            (Some((product, 1)), None) => match product.0[..] {
                [term] => Some(term),
                _ => None,
            },
            _ => None,
        }
    }

    /// The sum of both, unless that is too large.
    pub fn plus(&self, other: &Sum) -> Option<Sum> {
        let mut products = self.products.clone();
        for (product, coefficient) in &other.products {
            let new = products.get(product).copied().unwrap_or(0);
            match new.checked_add(*coefficient)? {
                0 => products.remove(product),
                new => products.insert(product.clone(), new),
            };
        }
        (products.len() <= MOST_PRODUCTS).then_some(Sum { products })
    }

    /// The difference of both, unless that is too large.
    pub fn minus(&self, other: &Sum) -> Option<Sum> {
        self.plus(&other.times(&Sum::constant(-1))?)
    }

    /// The product of both, unless that is too large.
    pub fn times(&self, other: &Sum) -> Option<Sum> {
        let mut all = Sum::default();
        for (a, by) in &self.products {
            for (b, coefficient) in &other.products {
                let product = Sum::product(a.times(b)?, by.checked_mul(*coefficient)?);
                all = all.plus(&product)?;
            }
        }
        Some(all)
    }

    /// The sum with another one for a term.
    pub fn replacing(&self, term: Term, by: &Sum) -> Option<Sum> {
        let mut all = Sum::default();
        for (product, &coefficient) in &self.products {
            let mut new = Sum::constant(coefficient);
            for &factor in &product.0 {
                let factor = match factor == term {
                    true => by.clone(),
                    false => Sum::term(factor),
                };
                new = new.times(&factor)?;
            }
            all = all.plus(&new)?;
        }
        Some(all)
    }

    /// What it grows by if these terms all become one more.
    pub fn growth(&self, terms: &[Term]) -> Option<Sum> {
        let mut moved = self.clone();
        for &term in terms {
            let more = Sum::term(term).plus(&Sum::constant(1))?;
            moved = moved.replacing(term, &more)?;
        }
        moved.minus(self)
    }

    /// Its value, given those of the terms; none if one has none, or where 128 bits do not hold it.
    pub fn evaluate(&self, of: impl Fn(Term) -> Option<i128>) -> Option<i128> {
        let mut all: i128 = 0;
        for (product, &coefficient) in &self.products {
            let mut value = coefficient;
            for &factor in &product.0 {
                value = value.checked_mul(of(factor)?)?;
            }
            all = all.checked_add(value)?;
        }
        Some(all)
    }

    /// The values it can have, given those of the terms.
    pub fn interval(&self, of: impl Fn(Term) -> Option<Interval>) -> Option<Interval> {
        let mut all = Interval::point(0);
        for (product, &coefficient) in &self.products {
            let mut value = Interval::point(coefficient);
            for &factor in &product.0 {
                value = value.times(of(factor)?)?;
            }
            all = all.plus(value)?;
        }
        Some(all)
    }
}

impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.products.is_empty() {
            return f.write_str("0");
        }
        // The constant stands last.
        let constant = Product::default();
        let terms = self.products().filter(|(product, _)| **product != constant);
        let constants = self.products().filter(|(product, _)| **product == constant);
        for (at, (product, coefficient)) in terms.chain(constants).enumerate() {
            let sign = match (at, coefficient < 0) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            };
            f.write_str(sign)?;
            match (coefficient.unsigned_abs(), product.factors()) {
                (size, []) => write!(f, "{size}")?,
                (1, _) => write!(f, "{product}")?,
                (size, _) => write!(f, "{size} * {product}")?,
            }
        }
        Ok(())
    }
}

/// The integers from one to another, both included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interval {
    /// The least.
    pub least: i128,
    /// The greatest.
    pub greatest: i128,
}

impl Interval {
    /// One integer.
    pub fn point(value: i128) -> Interval {
        Interval {
            least: value,
            greatest: value,
        }
    }

    /// Whether all of it is in another one.
    pub fn is_within(&self, other: Interval) -> bool {
        other.least <= self.least && self.greatest <= other.greatest
    }

    /// What is in both, if anything is.
    pub fn and(self, other: Interval) -> Option<Interval> {
        let both = Interval {
            least: self.least.max(other.least),
            greatest: self.greatest.min(other.greatest),
        };
        (both.least <= both.greatest).then_some(both)
    }

    /// The distance between its ends.
    pub fn width(&self) -> i128 {
        self.greatest - self.least
    }

    pub(super) fn plus(self, other: Interval) -> Option<Interval> {
        Some(Interval {
            least: self.least.checked_add(other.least)?,
            greatest: self.greatest.checked_add(other.greatest)?,
        })
    }

    fn times(self, other: Interval) -> Option<Interval> {
        let corner = |a: i128, b: i128| a.checked_mul(b);
        let corners = [
            corner(self.least, other.least)?,
            corner(self.least, other.greatest)?,
            corner(self.greatest, other.least)?,
            corner(self.greatest, other.greatest)?,
        ];
        Some(Interval {
            least: corners.into_iter().min()?,
            greatest: corners.into_iter().max()?,
        })
    }
}

/// The integers that a number of bits holds.
pub(super) fn all_of(bits: u32, reading: Signedness) -> Interval {
    match reading {
        Signedness::Unsigned => Interval {
            least: 0,
            greatest: (1 << bits) - 1,
        },
        Signedness::Signed => Interval {
            least: -(1 << (bits - 1)),
            greatest: (1 << (bits - 1)) - 1,
        },
    }
}
