//! The logarithm inside several operators, as the module `sluice_logarithm` computes it.

use super::approximation::{beside, look_up, quadratic_area, quadratic_steps};
use super::product::Product;
use super::{Step, Tile, parts};
use crate::area::Area;
use crate::elementary::Grade;
use crate::elementary::logarithm::UNIT;
use crate::elementary::tables::Table;
use crate::family::Delays;

/// A logarithm that is not rounded.
pub struct Logarithm {
    /// The table of factors.
    pub table: &'static Table,
    /// The logarithm of 2, unless that is 1.
    pub unit: Option<u64>,
    /// Whether there are subnormal operands.
    pub grade: Grade,
    /// Bits of the result.
    pub out: u32,
    /// What is multiplied at once.
    pub tile: Tile,
}

/// Bits of a significand, and of an exponent's magnitude.
const SIGNIFICAND: u32 = 24;
const POWER: u32 = 8;

impl Logarithm {
    fn part(&self) -> Product {
        let (a, b) = (self.table.quadratic.c0, SIGNIFICAND - 1);
        let (out, tile) = (a + b, self.tile);
        Product { a, b, out, tile }
    }

    fn whole(&self) -> Option<Product> {
        let product = Product {
            a: UNIT,
            b: POWER,
            out: UNIT + POWER,
            tile: self.tile,
        };
        self.unit.map(|_| product)
    }

    /// The twenty steps.
    pub fn steps(&self, ns: &Delays) -> Vec<Step> {
        let quadratic = &self.table.quadratic;
        let sum = POWER + SIGNIFICAND + self.table.point;
        let count = parts::clog2(sum);
        let mut steps = match self.grade {
            Grade::Full => vec![
                Step::new("count zeros", ns.lzc(SIGNIFICAND), 5 + POWER + SIGNIFICAND),
                Step::new(
                    "normalise",
                    ns.shift(5).max(ns.carry(POWER + 2)),
                    POWER + 1 + SIGNIFICAND,
                ),
            ],
            Grade::Native => {
                let nothing = |name| Step::new(name, 0.0, POWER + SIGNIFICAND - 1);
                vec![nothing("count nothing"), nothing("shift nothing")]
            }
        };
        let held = POWER + SIGNIFICAND + 1;
        let mut look_up = look_up(ns, quadratic);
        look_up.delay = look_up.delay.max(2.0 * ns.carry(POWER + 2) + ns.lut);
        steps.extend(beside([look_up], held));
        steps.extend(beside(quadratic_steps(ns, quadratic, self.tile), held));
        let whole = match self.whole() {
            Some(product) => product.steps(ns).map(|step| step.width),
            None => [POWER; 4],
        };
        for (part, whole) in self.part().steps(ns).into_iter().zip(whole) {
            steps.extend(beside([part], whole + 2));
        }
        steps.extend([
            Step::new("add", ns.carry(sum), sum + 1),
            Step::new("count zeros of the sum", ns.lzc(sum), sum + count + 2),
            Step::new("normalise the sum", ns.shift(count), self.out + count + 2),
        ]);
        steps
    }

    /// What its multiplications consist of.
    pub fn area(&self) -> Area {
        let scale = self.whole().map(|product| product.area());
        quadratic_area(&self.table.quadratic, self.tile)
            + self.part().area()
            + scale.unwrap_or_default()
    }
}
