//! What multiplications become on a family's chips, as Yosys maps them.

/// How Yosys makes multiplications on a family's chips: a block, if factors are wide enough, or else
/// halves of blocks, if there are such, or else logic.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Multipliers {
    /// Bits that both factors must have for a block.
    least: u32,
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
        least: 2,
        least_product: 0,
        half: None,
    };

    /// Xilinx.
    pub const XILINX: Multipliers = Multipliers {
        least: 2,
        least_product: 9,
        half: None,
    };

    /// Intel Stratix V and Arria 10.
    pub const INTEL: Multipliers = Multipliers {
        least: 19,
        least_product: 0,
        half: Some(Half { least: 4, most: 18 }),
    };

    /// The number of blocks for multiplications of factors of these widths.
    pub fn blocks(&self, multiplications: &[[u32; 2]]) -> u32 {
        let halves: u32 = multiplications.iter().map(|it| self.halves(*it)).sum();
        halves.div_ceil(2)
    }

    fn halves(&self, [a, b]: [u32; 2]) -> u32 {
        if a.min(b) >= self.least && a + b >= self.least_product {
            return 2;
        }
        self.half.map_or(0, |half| {
            let parts = |bits: u32| {
                let rest = bits % half.most;
                bits / half.most + u32::from(rest >= half.least)
            };
            parts(a) * parts(b)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_factors_take_a_block() {
        for multipliers in [Multipliers::ECP5, Multipliers::XILINX, Multipliers::INTEL] {
            assert_eq!(multipliers.blocks(&[[24, 24], [24, 24]]), 2);
        }
    }

    #[test]
    fn narrow_factors_take_logic_or_half_a_block() {
        let narrow = [[5, 3], [5, 5]];
        assert_eq!(Multipliers::ECP5.blocks(&narrow), 2);
        assert_eq!(Multipliers::XILINX.blocks(&narrow), 1);
        assert_eq!(Multipliers::INTEL.blocks(&narrow), 1);
        assert_eq!(Multipliers::INTEL.blocks(&[[5, 5], [16, 16]]), 1);
        assert_eq!(Multipliers::INTEL.blocks(&[[27, 5]]), 1);
    }
}
