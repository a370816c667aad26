//! What hardware consists of, in quantities that do not depend on the chip's family: the *terms* of
//! units and operators, named quantities in which their size is linear, the shapes of their
//! memories, and their multiplications. [`Area::cost`] makes an estimate for a family of it, with the
//! family's [coefficients](crate::family::areas).

use std::ops::{Add, AddAssign, Mul};

use crate::cost::Cost;
use crate::family::Family;
use crate::family::areas::Areas;
use crate::family::memories::Memory;
use crate::family::multipliers::Multiplication;

/// What hardware consists of.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Area {
    terms: Vec<Term>,
    memories: Vec<Memory>,
    multiplications: Vec<Multiplication>,
}

/// A quantity in which the size of a unit, an operator or a part of them is linear.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Term {
    /// The unit, operator or part.
    pub owner: &'static str,
    /// What is counted.
    pub name: &'static str,
    /// How many there are.
    pub count: f64,
}

impl Area {
    /// Terms of a unit, an operator or a part of them.
    pub(crate) fn of<const N: usize>(owner: &'static str, terms: [(&'static str, u32); N]) -> Area {
        let term = |(name, count): (&'static str, u32)| Term {
            owner,
            name,
            count: count.into(),
        };
        Area {
            terms: terms.map(term).into_iter().collect(),
            ..Area::default()
        }
    }

    /// A memory.
    pub(crate) fn memory(memory: Memory) -> Area {
        Area {
            memories: vec![memory],
            ..Area::default()
        }
    }

    /// A block memory as `block_memory.v` makes it: deep ones are cut into slices as wide as a block
    /// that deep.
    pub(crate) fn block_memory(bits: u32, words: u32) -> Area {
        let slice = match words {
            0..=1024 => bits,
            1025..=2048 => 9,
            2049..=4096 => 4,
            4097..=8192 => 2,
            _ => 1,
        };
        let rest = match bits % slice {
            0 => Area::default(),
            rest => Area::memory(Memory::block(rest, words)),
        };
        Area::memory(Memory::block(slice, words)) * (bits / slice) + rest
    }

    /// Multiplications, whose factors are not wider than a multiplier block's.
    pub(crate) fn multiplications(multiplications: Vec<Multiplication>) -> Area {
        Area {
            multiplications,
            ..Area::default()
        }
    }

    /// Its terms on a family's chips, with those of distributed memories and of multiplications that
    /// become logic.
    pub fn terms(&self, family: &Family) -> Vec<Term> {
        let memories = self.memories.iter().flat_map(|memory| {
            let terms = family.memories.terms(memory).into_iter();
            terms.map(|(name, count)| Term {
                owner: Memory::OWNER,
                name,
                count,
            })
        });
        let partial_bits = family.multipliers.partial_bits(&self.multiplications);
        let multiplications = Term {
            owner: Multiplication::OWNER,
            name: Multiplication::LOGIC,
            count: partial_bits.into(),
        };
        let terms = self.terms.iter().copied().chain(memories);
        let terms = terms.chain([multiplications]);
        terms.filter(|term| term.count != 0.0).collect()
    }

    /// What of it needs no coefficients: the blocks.
    pub fn blocks(&self, family: &Family) -> Cost {
        let memories = self.memories.iter();
        Cost {
            multipliers: family.multipliers.blocks(&self.multiplications),
            block_memories: memories.map(|it| family.memories.blocks(it)).sum(),
            ..Cost::default()
        }
    }

    /// Logic and registers on a family's chips, not rounded.
    pub fn logic_and_registers(&self, family: &Family) -> [f64; 2] {
        self.logic_and_registers_by(family, &family.areas)
    }

    fn logic_and_registers_by(&self, family: &Family, table: &Areas) -> [f64; 2] {
        let mut sums = [0.0; 2];
        for term in self.terms(family) {
            let coefficients = table.coefficients(&term);
            for (sum, each) in sums.iter_mut().zip(coefficients) {
                *sum += each * term.count;
            }
        }
        sums
    }

    /// The estimate for a family.
    pub fn cost(&self, family: &Family) -> Cost {
        self.rounded(family, &family.areas, f64::round)
    }

    /// The estimate for a family, by another table than its own.
    pub fn cost_by(&self, family: &Family, table: &Areas) -> Cost {
        self.rounded(family, table, f64::round)
    }

    /// The estimate for a part of something: the parts together are not more than the whole.
    pub(crate) fn cost_of_part(&self, family: &Family) -> Cost {
        self.rounded(family, &family.areas, f64::floor)
    }

    fn rounded(&self, family: &Family, table: &Areas, round: fn(f64) -> f64) -> Cost {
        let [logic, registers] = self.logic_and_registers_by(family, table).map(round);
        Cost {
            logic: logic as u32,
            registers: registers as u32,
            ..self.blocks(family)
        }
    }
}

impl AddAssign for Area {
    fn add_assign(&mut self, other: Area) {
        self.terms.extend(other.terms);
        self.memories.extend(other.memories);
        self.multiplications.extend(other.multiplications);
    }
}

impl Add for Area {
    type Output = Area;

    fn add(mut self, other: Area) -> Area {
        self += other;
        self
    }
}

/// A number of copies.
impl Mul<u32> for Area {
    type Output = Area;

    fn mul(mut self, copies: u32) -> Area {
        for term in &mut self.terms {
            term.count *= f64::from(copies);
        }
        let memories = std::mem::take(&mut self.memories);
        let multiplications = std::mem::take(&mut self.multiplications);
        for _ in 0..copies {
            self.memories.extend(&memories);
            self.multiplications.extend(&multiplications);
        }
        self
    }
}

impl std::iter::Sum for Area {
    fn sum<I: Iterator<Item = Area>>(areas: I) -> Area {
        let mut all = Area::default();
        areas.for_each(|area| all += area);
        all
    }
}
