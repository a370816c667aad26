//! The source of every choice: SplitMix64, so that a seed means the same program on every machine.

/// A stream of numbers that depends on its seed alone.
#[derive(Debug, Clone)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The stream of `seed`.
    pub fn new(seed: u64) -> Self {
        Random { state: seed }
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `limit`; the slight bias of the remainder does not matter here.
    pub fn below(&mut self, limit: u32) -> u32 {
        (self.bits() >> 32) as u32 % limit
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: u32, high: u32) -> u32 {
        low + self.below(high - low + 1)
    }

    /// True with a probability of `percent` percent.
    pub fn percent(&mut self, chance: u32) -> bool {
        self.below(100) < chance
    }

    /// One of `items`, which must not be empty.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u32) as usize]
    }

    /// One of `items`, each as likely as its weight.
    pub fn weighted<T: Copy>(&mut self, items: &[(u32, T)]) -> T {
        let mut rest = self.below(items.iter().map(|(weight, _)| weight).sum());
        for (weight, item) in items {
            if rest < *weight {
                return *item;
            }
            rest -= weight;
        }
        unreachable!("the rest is below the sum of the weights")
    }
}
