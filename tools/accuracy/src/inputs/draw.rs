//! Seeded random arguments, preferably where functions are hard to compute.

use super::Arguments;
use crate::number::Type;

/// A stream of random numbers for one input: the same for the same input.
pub(super) struct Draw {
    state: u64,
}

impl Draw {
    pub(super) fn new(seed: u64) -> Draw {
        Draw {
            state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d,
        }
    }

    /// The next bits (splitmix64).
    pub(super) fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    pub(super) fn below(&mut self, bound: u64) -> u64 {
        self.bits() % bound
    }

    /// Uniform in [-size, size).
    fn within(&mut self, size: f64) -> f64 {
        (self.bits() as i64 as f64) * (size / 2_f64.powi(63))
    }

    /// A power of two times [1, 2), its exponent uniform in [-exponent, exponent], of either sign.
    fn sized(&mut self, exponent: i32) -> f64 {
        let power = self.below(2 * exponent as u64 + 1) as i32 - exponent;
        let fraction = 1.0 + self.within(0.5) + 0.5;
        let size = fraction * 2_f64.powi(power);
        if self.bits() & 1 == 0 { size } else { -size }
    }

    /// A number a few steps from `bits`.
    fn neighbour(&mut self, ty: Type, bits: u64, steps: u64) -> u64 {
        let moved = bits
            .wrapping_add(self.below(2 * steps + 1))
            .wrapping_sub(steps);
        moved & ty.mask()
    }

    /// A number where functions of one argument are hard.
    pub(super) fn number(&mut self, ty: Type, edges: &[u64]) -> u64 {
        let digits = ty.fraction() as i32 + 2;
        let mode = self.below(8);
        let value = match mode {
            0 => self.within(8.0),
            1 => self.within(1.1 * f64::from(ty.beyond_exponent())),
            2 => {
                let offset = self.sized(digits).abs().recip().min(0.5);
                if self.bits() & 1 == 0 {
                    1.0 + offset
                } else {
                    1.0 - offset
                }
            }
            3 => {
                let log = self.below(20) + 1;
                self.below(1 << log) as f64 * std::f64::consts::FRAC_PI_2
            }
            4 => self.below(1 << 12) as f64 / 4.0,
            5 => self.sized(60),
            6 => self.sized(2),
            _ => {
                let edge = edges[self.below(edges.len() as u64) as usize];
                return self.neighbour(ty, edge, 1 << 10);
            }
        };
        let bits = ty.round(value);
        match mode {
            3 | 4 => self.neighbour(ty, bits, 3) ^ (self.bits() & ty.sign()),
            2 => bits ^ (self.bits() & ty.sign()),
            _ => bits,
        }
    }

    pub(super) fn pair(&mut self, ty: Type, edges: &[u64]) -> Arguments {
        let any = self.bits() & ty.mask();
        let [x, y] = match self.below(8) {
            0 => [any, self.bits() & ty.mask()],
            1 => {
                let near = self.neighbour(ty, any, 4) ^ (self.bits() & ty.sign());
                [any, near]
            }
            2 => [ty.round(self.sized(12)), ty.round(self.sized(12))],
            3 => {
                let halves = self.below(257) as f64 - 128.0;
                [self.number(ty, edges), ty.round(halves / 2.0)]
            }
            // A power near one of a number near one.
            4 => {
                let offset = self.sized(ty.fraction() as i32).abs().recip().min(0.5);
                let exponent = self.within(1.2 * f64::from(ty.beyond_exponent())) / offset;
                [
                    ty.round(1.0 + offset.copysign(self.within(1.0))),
                    ty.round(exponent),
                ]
            }
            // A power within the range or just beyond.
            5 => {
                let base = any & !ty.sign();
                let log = ty.value(base).log2();
                let range = f64::from(ty.beyond_exponent() + ty.fraction() as i32 + 4);
                [base, ty.round(self.within(range) / log)]
            }
            6 => {
                let ratio = self.sized(ty.fraction() as i32 + 4);
                [any, ty.round(ty.value(any) * ratio)]
            }
            _ => [ty.round(self.within(10.0)), self.number(ty, edges)],
        };
        [x, y, 0]
    }

    pub(super) fn with_integer(&mut self, ty: Type, edges: &[u64]) -> Arguments {
        let any = self.bits() & ty.mask();
        let range = f64::from(ty.beyond_exponent() + ty.fraction() as i32 + 4);
        let (x, n) = match self.below(6) {
            0 => (any, self.bits() as i32),
            1 => (any, self.below(41) as i32 - 20),
            2 => (any, self.within(2.0 * range) as i32),
            3 => {
                let log = ty.value(any).abs().log2();
                (any, (self.within(range) / log) as i32)
            }
            4 => {
                let offset = self.sized(ty.fraction() as i32).abs().recip().min(0.5);
                let exponent = self.within(range) / offset;
                (
                    ty.round(1.0 + offset.copysign(self.within(1.0))),
                    exponent as i32,
                )
            }
            _ => (self.number(ty, edges), self.below(129) as i32 - 64),
        };
        [x, u64::from(n as u32), 0]
    }

    pub(super) fn triple(&mut self, ty: Type, edges: &[u64]) -> Arguments {
        let [x, y, _] = self.pair(ty, edges);
        let product = ty.round(ty.value(x) * ty.value(y));
        let z = match self.below(4) {
            0 => self.bits() & ty.mask(),
            1 => self.number(ty, edges),
            // The product is lost, or almost.
            2 => self.neighbour(ty, product ^ ty.sign(), 2),
            _ => ty.round(ty.value(product) * self.sized(ty.fraction() as i32 + 4)),
        };
        [x, y, z]
    }
}
