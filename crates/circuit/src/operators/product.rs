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

    /// What multiplier blocks multiply, where an operand may be a number.
    fn multiplications(&self, numbers: [Option<u64>; 2]) -> Vec<Multiplication> {
        let tiles = self.tiles().into_iter();
        tiles
            .filter_map(|(place, tile)| {
                let most = self.out - place.iter().sum::<u32>();
                let a = factor(numbers[0], place[0], tile.a, most)?;
                let b = factor(numbers[1], place[1], tile.b, most)?;
                Some(Multiplication {
                    factors: [a, b],
                    product: most,
                })
            })
            .collect()
    }

    /// What its multiplications consist of.
    pub fn area(&self) -> Area {
        self.area_by([None; 2])
    }

    /// What its multiplications consist of, where an operand may be a number.
    pub fn area_by(&self, numbers: [Option<u64>; 2]) -> Area {
        Area::multiplications(self.multiplications(numbers))
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

/// The width of a factor: `bits` of an operand from `place` on; no more than `wanted` of a number. Nothing
/// if it is a number by which nothing is multiplied: zero, or a power of two, which is a shift.
fn factor(number: Option<u64>, place: u32, bits: u32, wanted: u32) -> Option<u32> {
    let Some(number) = number else {
        return Some(bits);
    };
    let part = number >> place & (u64::MAX >> (64 - bits.min(wanted)));
    (part.count_ones() > 1).then(|| u64::BITS - part.leading_zeros())
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

    fn factors(numbers: [Option<u64>; 2]) -> Vec<[u32; 2]> {
        let all = PRODUCT.multiplications(numbers);
        all.iter().map(|it| it.factors).collect()
    }

    #[test]
    fn every_tile_of_variables_is_multiplied() {
        let all = [[18, 18], [18, 6], [6, 18], [6, 6]];
        assert_eq!(factors([None; 2]), all);
    }

    #[test]
    fn powers_of_two_are_not_multiplied_by() {
        assert!(factors([None, Some(1 << 23)]).is_empty());
        assert!(factors([Some(1 << 3), None]).is_empty());
        assert!(factors([None, Some(0)]).is_empty());
    }

    #[test]
    fn factors_are_as_wide_as_the_number_in_their_tile() {
        assert_eq!(factors([None, Some(5)]), [[18, 3], [6, 3]]);
        assert_eq!(factors([None, Some((0b11 << 22) | 1)]), [[18, 6], [6, 6]]);
    }
}
