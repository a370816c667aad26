//! Sums of the variables of a pair of accesses, and polynomials in values that are the same for both.

use std::collections::{BTreeMap, BTreeSet};

use super::integer::{Row, System};
use crate::analysis::access::{Product, Term};

/// Which of two accesses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Side {
    Source,
    Sink,
}

/// A number that a pair of accesses depends on.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Variable {
    /// The iteration in which the source is executed.
    Earlier,
    /// The number of iterations to that of the sink.
    Distance,
    /// How often the distance of the addresses has wrapped.
    Wrap,
    /// A product of terms that are the same for both.
    Shared(Product),
    /// A term of one of them.
    Of(Side, Term),
}

/// A sum of variables with coefficients, and a constant.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Linear {
    /// No coefficient is 0.
    terms: BTreeMap<Variable, i128>,
    pub(super) constant: i128,
}

impl Linear {
    pub(super) fn constant(constant: i128) -> Linear {
        Linear {
            terms: BTreeMap::new(),
            constant,
        }
    }

    pub(super) fn variable(variable: Variable) -> Linear {
        Linear {
            terms: BTreeMap::from([(variable, 1)]),
            constant: 0,
        }
    }

    pub(super) fn terms(&self) -> impl Iterator<Item = (&Variable, i128)> {
        self.terms.iter().map(|(variable, &by)| (variable, by))
    }

    pub(super) fn variables(&self) -> impl Iterator<Item = &Variable> {
        self.terms.keys()
    }

    pub(super) fn is_constant(&self) -> bool {
        self.terms.is_empty()
    }

    pub(super) fn plus(&self, other: &Linear) -> Option<Linear> {
        let mut sum = self.clone();
        for (variable, by) in &other.terms {
            let old = sum.terms.get(variable).copied().unwrap_or(0);
            match old.checked_add(*by)? {
                0 => sum.terms.remove(variable),
                new => sum.terms.insert(variable.clone(), new),
            };
        }
        sum.constant = sum.constant.checked_add(other.constant)?;
        Some(sum)
    }

    pub(super) fn times(&self, by: i128) -> Option<Linear> {
        if by == 0 {
            return Some(Linear::default());
        }
        let terms = self.terms.iter();
        let terms = terms.map(|(variable, it)| Some((variable.clone(), it.checked_mul(by)?)));
        Some(Linear {
            terms: terms.collect::<Option<_>>()?,
            constant: self.constant.checked_mul(by)?,
        })
    }

    pub(super) fn minus(&self, other: &Linear) -> Option<Linear> {
        self.plus(&other.times(-1)?)
    }
}

/// The system in which these sums are not negative.
pub(super) fn system(not_negative: &[Linear]) -> System {
    let variables: BTreeSet<&Variable> = not_negative.iter().flat_map(Linear::variables).collect();
    let row = |sum: &Linear| Row {
        coefficients: variables
            .iter()
            .map(|&it| sum.terms.get(it).copied().unwrap_or(0))
            .collect(),
        constant: sum.constant,
    };
    System {
        equal: Vec::new(),
        not_negative: not_negative.iter().map(row).collect(),
    }
}

/// A sum of products of something that both accesses share with linear sums.
#[derive(Clone, Debug, Default)]
pub(super) struct Polynomial {
    /// By the shared product.
    parts: BTreeMap<Product, Linear>,
}

impl Polynomial {
    pub(super) fn add(&mut self, shared: Product, sum: &Linear) -> Option<()> {
        let part = self.parts.entry(shared).or_default();
        *part = part.plus(sum)?;
        Some(())
    }

    pub(super) fn minus(&self, other: &Polynomial) -> Option<Polynomial> {
        let mut all = self.clone();
        for (product, sum) in &other.parts {
            all.add(product.clone(), &sum.times(-1)?)?;
        }
        all.parts.retain(|_, sum| *sum != Linear::default());
        Some(all)
    }

    pub(super) fn parts(&self) -> impl Iterator<Item = (&Product, &Linear)> {
        self.parts.iter()
    }

    /// The sum, if what both share is multiplied by constants only.
    pub(super) fn as_linear(&self) -> Option<Linear> {
        let mut all = Linear::default();
        for (product, sum) in &self.parts {
            let part = match product.factors() {
                [] => sum.clone(),
                _ if sum.is_constant() => {
                    Linear::variable(Variable::Shared(product.clone())).times(sum.constant)?
                }
                _ => return None,
            };
            all = all.plus(&part)?;
        }
        Some(all)
    }

    /// The terms that something which varies is multiplied by.
    pub(super) fn symbols(&self) -> BTreeSet<Term> {
        let parts = self.parts.iter().filter(|(_, sum)| !sum.is_constant());
        parts
            .flat_map(|(product, _)| product.factors().iter().copied())
            .collect()
    }

    /// Quotient and rest of the division by a term.
    pub(super) fn divided(&self, by: Term) -> (Polynomial, Polynomial) {
        let (mut quotient, mut rest) = (Polynomial::default(), Polynomial::default());
        for (product, sum) in &self.parts {
            match product.without(&Product::of([by])) {
                Some(left) => quotient.parts.insert(left, sum.clone()),
                None => rest.parts.insert(product.clone(), sum.clone()),
            };
        }
        (quotient, rest)
    }

    /// The greatest common divisor of all coefficients and constants.
    pub(super) fn common_divisor(&self) -> i128 {
        let sums = self.parts.values();
        let numbers = sums.flat_map(|sum| sum.terms.values().copied().chain([sum.constant]));
        let mut common: i128 = 0;
        for number in numbers {
            let mut other = number.abs();
            while other != 0 {
                (common, other) = (other, common % other);
            }
        }
        common
    }
}
