//! The unsigned product inside several operators: its tiles, steps and multiplier blocks.

use super::Step;
use crate::area::Area;
use crate::family::Delays;
use crate::family::multipliers::Multiplication;
use crate::unit::require;

/// The operands that one multiplier block takes, unsigned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tile {
    /// Bits of the first operand.
    pub a: u32,
    /// Bits of the second operand.
    pub b: u32,
}

impl Tile {
    /// ECP5 and similar: 18 bits by 18.
    pub const ECP5: Self = Self { a: 18, b: 18 };
    /// Virtex-5 and series 7: 25 bits by 18, signed.
    pub const DSP48E: Self = Self { a: 24, b: 17 };
    /// UltraScale+: 27 bits by 18, signed.
    pub const ULTRASCALE: Self = Self { a: 26, b: 17 };
    /// Stratix V and Arria 10: 27 bits by 27.
    pub const ARRIA10: Self = Self { a: 27, b: 27 };

    /// Smaller ones make more rows than a product has levels of additions for.
    pub(super) fn check(self) -> Result<(), String> {
        let is_tile = |bits: u32| (16..=64).contains(&bits);
        require(
            is_tile(self.a) && is_tile(self.b),
            "a tile is 16 to 64 bits by as many",
        )
    }
}

/// What is known of an operand, whatever the token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// Nothing.
    Nothing,
    /// It is a number.
    Number(u64),
    /// At least this many low bits are zero.
    LowZeros(u32),
}

/// A product of unsigned operands, as the module `sluice_product` computes it.
#[derive(Clone, Copy, Debug)]
pub struct Product {
    /// Bits of the first operand.
    pub a: u32,
    /// Bits of the second operand.
    pub b: u32,
    /// Low bits of the result that are wanted.
    pub out: u32,
    /// What is multiplied at once.
    pub tile: Tile,
}

impl Product {
    /// The four steps: tiles, and up to three levels of additions.
    pub fn steps(&self, ns: &Delays) -> [Step; 4] {
        // Tiles along a diagonal form a row.
        let mut rows = self.a.div_ceil(self.tile.a) + self.b.div_ceil(self.tile.b) - 1;
        let wanted = |([i, j], tile): ([u32; 2], Tile)| (tile.a + tile.b).min(self.out - i - j);
        let tiles: u32 = self.tiles().into_iter().map(wanted).sum();
        let names = ["add rows", "add sums", "add the last sums"];
        let additions = names.map(|name| {
            let delay = if rows > 1 { ns.carry(self.out) } else { 0.0 };
            rows = rows.div_ceil(2);
            Step::new(name, delay, (rows * self.out).min(tiles))
        });
        let [first, second, third] = additions;
        [Step::new("multiply", ns.dsp, tiles), first, second, third]
    }

    /// What multiplier blocks multiply, where something is known of operands. Synthesis takes low zeros of factors
    /// out of a multiplication, so that less of the product is wanted.
    fn multiplications(&self, known: [Known; 2]) -> Vec<Multiplication> {
        let tiles = self.tiles().into_iter();
        tiles
            .filter_map(|(place, tile)| {
                let most = self.out - place.iter().sum::<u32>();
                let [a, b] = [(0, tile.a), (1, tile.b)]
                    .map(|(at, bits)| factor(known[at], place[at], bits, most));
                let (a, b) = (a?, b?);
                let product = most.checked_sub(a.zeros + b.zeros)?;
                (product > 0).then_some(Multiplication {
                    factors: [a.bits, b.bits],
                    product,
                })
            })
            .collect()
    }

    /// What its multiplications consist of.
    pub fn area(&self) -> Area {
        self.area_by([Known::Nothing; 2])
    }

    /// What its multiplications consist of, where something is known of operands.
    pub fn area_by(&self, known: [Known; 2]) -> Area {
        Area::multiplications(self.multiplications(known))
    }

    /// Bits of the additions that join rows of tiles.
    pub fn sum_bits(&self) -> u32 {
        let rows = self.a.div_ceil(self.tile.a) + self.b.div_ceil(self.tile.b) - 1;
        (rows - 1) * self.out
    }

    /// The tiles that reach the wanted bits, each with the places of its operands' lowest bits; those
    /// at the end of an operand are smaller.
    fn tiles(&self) -> Vec<([u32; 2], Tile)> {
        let mut tiles = Vec::new();
        for i in (0..self.a).step_by(self.tile.a as usize) {
            for j in (0..self.b).step_by(self.tile.b as usize) {
                let a = self.tile.a.min(self.a - i);
                let b = self.tile.b.min(self.b - j);
                if i + j < self.out {
                    tiles.push(([i, j], Tile { a, b }));
                }
            }
        }
        tiles
    }
}

/// A factor of a tile.
struct Factor {
    /// Its bits, but for low zeros that are known.
    bits: u32,
    /// Those zeros.
    zeros: u32,
}

/// The factor that is `bits` of an operand from `place` on; no more than `wanted` of a number. Nothing if
/// nothing is multiplied by it: zero, or a power of two, which is a shift.
fn factor(known: Known, place: u32, bits: u32, wanted: u32) -> Option<Factor> {
    match known {
        Known::Nothing => Some(Factor { bits, zeros: 0 }),
        Known::LowZeros(zeros) => {
            let zeros = zeros.saturating_sub(place);
            let bits = bits.checked_sub(zeros).filter(|&bits| bits > 0)?;
            Some(Factor { bits, zeros })
        }
        Known::Number(number) => {
            let part = number >> place & (u64::MAX >> (64 - bits.min(wanted)));
            let bits = u64::BITS - part.leading_zeros();
            (part.count_ones() > 1).then_some(Factor { bits, zeros: 0 })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of a float's significands on an ECP5.
    const PRODUCT: Product = Product {
        a: 24,
        b: 24,
        out: 48,
        tile: Tile::ECP5,
    };

    fn factors(known: [Known; 2]) -> Vec<[u32; 2]> {
        let all = PRODUCT.multiplications(known);
        all.iter().map(|it| it.factors).collect()
    }

    #[test]
    fn every_tile_of_variables_is_multiplied() {
        let all = [[18, 18], [18, 6], [6, 18], [6, 6]];
        assert_eq!(factors([Known::Nothing; 2]), all);
    }

    #[test]
    fn powers_of_two_are_not_multiplied_by() {
        assert!(factors([Known::Nothing, Known::Number(1 << 23)]).is_empty());
        assert!(factors([Known::Number(1 << 3), Known::Nothing]).is_empty());
        assert!(factors([Known::Nothing, Known::Number(0)]).is_empty());
    }

    #[test]
    fn factors_are_as_wide_as_the_number_in_their_tile() {
        assert_eq!(
            factors([Known::Nothing, Known::Number(5)]),
            [[18, 3], [6, 3]]
        );
        assert_eq!(
            factors([Known::Nothing, Known::Number((0b11 << 22) | 1)]),
            [[18, 6], [6, 6]]
        );
    }

    /// `(a << 8) * b` on series 7, of which the low 32 bits are wanted: Yosys 0.23 makes one block of it.
    #[test]
    fn low_zeros_of_a_factor_are_not_multiplied() {
        let product = Product {
            a: 32,
            b: 32,
            out: 32,
            tile: Tile::DSP48E,
        };
        let found = product.multiplications([Known::LowZeros(8), Known::Nothing]);
        let expected = [([16, 17], 24), ([16, 15], 7), ([8, 17], 8)];
        let expected = expected.map(|(factors, product)| Multiplication { factors, product });
        assert_eq!(found, expected);
        assert!(factors([Known::LowZeros(48), Known::Nothing]).is_empty());
    }
}
