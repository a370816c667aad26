//! What multiplications become on a family's chips, as Yosys maps them.

/// A multiplication.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Multiplication {
    /// The widths of its factors.
    pub factors: [u32; 2],
    /// The low bits of the product that are wanted.
    pub product: u32,
}

impl Multiplication {
    /// What terms of multiplications are named after.
    pub const OWNER: &'static str = "multiplication";

    /// The term of multiplications that become logic.
    pub const LOGIC: &'static str = "partial bits";

    /// The bits that are added up: those of all partial products that are wanted.
    fn partial_bits(&self) -> u32 {
        let [a, b] = self.factors;
        let row = |place: u32| a.min(self.product.saturating_sub(place));
        (0..b).map(row).sum()
    }
}

/// How Yosys makes multiplications on a family's chips: a block, if factors are wide enough, or else
/// halves of blocks, if there are such, or else logic.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Multipliers {
    /// Bits that the factors must have for a block, the first and the second.
    least: [u32; 2],
    /// Bits that the product must have for a block.
    least_product: u32,
    /// What narrower factors are multiplied by.
    half: Option<Half>,
}

/// Half of a multiplier block.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Half {
    /// Bits that both factors must have.
    least: u32,
    /// Bits that both factors may have: wider ones are split.
    most: u32,
}

impl Multipliers {
    /// Lattice ECP5.
    pub const ECP5: Multipliers = Multipliers {
        least: [2, 2],
        least_product: 0,
        half: None,
    };

    /// Xilinx.
    pub const XILINX: Multipliers = Multipliers {
        least: [2, 2],
        least_product: 9,
        half: None,
    };

    /// Intel Stratix V and Arria 10.
    pub const INTEL: Multipliers = Multipliers {
        least: [19, 4],
        least_product: 0,
        half: Some(Half { least: 4, most: 18 }),
    };

    /// The number of blocks for multiplications.
    pub fn blocks(&self, multiplications: &[Multiplication]) -> u32 {
        let halves: u32 = multiplications.iter().map(|it| self.halves(it)).sum();
        halves.div_ceil(2)
    }

    /// The partial bits of those that become logic.
    pub fn partial_bits(&self, multiplications: &[Multiplication]) -> u32 {
        let in_logic = multiplications.iter().filter(|it| self.halves(it) == 0);
        in_logic.map(Multiplication::partial_bits).sum()
    }

    fn halves(&self, multiplication: &Multiplication) -> u32 {
        let [a, b] = multiplication.factors;
        let product = multiplication.product.min(a + b);
        if a >= self.least[0] && b >= self.least[1] && product >= self.least_product {
            return 2;
        }
        self.half.map_or(0, |half| {
            let parts = |bits: u32| {
                let rest = bits % half.most;
                bits / half.most + u32::from(rest >= half.least)
            };
            parts(a.min(product)) * parts(b.min(product))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole<const N: usize>(factors: [[u32; 2]; N]) -> [Multiplication; N] {
        factors.map(|factors| Multiplication {
            factors,
            product: factors.iter().sum(),
        })
    }

    #[test]
    fn products_of_few_bits_take_logic() {
        let low = Multiplication {
            factors: [8, 8],
            product: 8,
        };
        assert_eq!(Multipliers::XILINX.blocks(&[low]), 0);
        assert_eq!(Multipliers::XILINX.partial_bits(&[low]), 36);
        assert_eq!(Multipliers::ECP5.partial_bits(&[low]), 0);
    }

    #[test]
    fn wide_factors_take_a_block() {
        for multipliers in [Multipliers::ECP5, Multipliers::XILINX, Multipliers::INTEL] {
            assert_eq!(multipliers.blocks(&whole([[24, 24], [24, 24]])), 2);
        }
    }

    /// The low bits of products of 32, 40 and 64 bits: what Yosys 0.23 makes of their tiles.
    #[test]
    fn tiles_of_intel_whose_first_factor_is_wide_take_a_block() {
        for (bits, halves) in [(32, 5), (40, 5), (48, 6), (64, 11)] {
            let places = (0..bits).step_by(27);
            let pairs = places.flat_map(|a| (0..bits - a).step_by(27).map(move |b| [a, b]));
            let tiles = pairs.map(|[a, b]| Multiplication {
                factors: [a, b].map(|place| (bits - place).min(27)),
                product: bits - a - b,
            });
            let found: u32 = tiles.map(|it| Multipliers::INTEL.halves(&it)).sum();
            assert_eq!(found, halves, "{bits} bits");
        }
    }

    #[test]
    fn narrow_factors_take_logic_or_half_a_block() {
        let narrow = whole([[5, 3], [5, 5]]);
        assert_eq!(Multipliers::ECP5.blocks(&narrow), 2);
        assert_eq!(Multipliers::XILINX.blocks(&narrow), 1);
        assert_eq!(Multipliers::INTEL.blocks(&narrow), 1);
        assert_eq!(Multipliers::INTEL.blocks(&whole([[5, 5], [16, 16]])), 1);
        assert_eq!(Multipliers::INTEL.blocks(&whole([[27, 5]])), 1);
        assert_eq!(Multipliers::INTEL.blocks(&whole([[5, 27]])), 1);
    }
}
