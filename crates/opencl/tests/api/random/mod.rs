//! Numbers that look random and are the same in every run.

/// A generator (xorshift with a multiplication).
pub struct Random(u64);

impl Random {
    /// One for a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16
    }

    /// A number below another.
    pub fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next()).expect("64 bits") % end
    }

    /// That many bytes.
    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.next() as u8).collect()
    }
}
