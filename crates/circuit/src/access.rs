//! The protocol between access units and memories.
//!
//! A request says whether it writes, a byte address (the bits within the port's width are ignored),
//! which bytes it writes, and their data. Reads are answered in the order of their requests; a
//! write is done when it was accepted, because everything behind the port stays in order. Where it
//! does not, writes are acknowledged.

use crate::text::choices;
use crate::token_queue::copy_token;
use crate::unit::{Fields, require};

/// Bytes of the longest line: regions of external memory begin at multiples of it.
pub const LINE: u32 = 64;

/// The longest line as words, the lowest byte first.
pub type Line = [u64; 8];

/// Whether each token of an access unit is an access.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Enable {
    /// It is.
    #[default]
    Always,
    /// Its last field, of one bit, says so: a token that is none changes nothing in memory, and its
    /// result is zero.
    Field,
}

choices! { Enable { Always = "always", Field = "field" } }

impl Enable {
    /// The field that says so, if there is one.
    pub fn fields(self) -> Fields {
        match self {
            Enable::Always => Fields::NONE,
            Enable::Field => Fields::new([1]),
        }
    }

    /// The parameter of a module with such tokens.
    pub(crate) fn parameter(self) -> Option<(&'static str, u64)> {
        match self {
            Enable::Always => None,
            Enable::Field => Some(("GUARDED", 1)),
        }
    }
}

/// The shape of a memory port.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// Bytes per transfer: a power of two up to [`LINE`].
    pub bytes: u32,
    /// Bits of an address.
    pub address_bits: u32,
}

impl Access {
    /// Why it makes no sense, if it does not.
    pub(crate) fn check(&self) -> Result<(), String> {
        require(
            self.bytes.is_power_of_two() && self.bytes <= LINE,
            "a port has a power of two of bytes, up to 64",
        )?;
        require(
            (self.bytes.trailing_zeros() + 1..=64).contains(&self.address_bits),
            "addresses have at most 64 bits, and more than those within a transfer",
        )
    }

    /// What a request carries: write, address, mask, data.
    pub fn request(&self) -> Fields {
        Fields::new([1, self.address_bits, self.bytes]).followed_by(&self.response())
    }

    /// What a response carries: data.
    pub fn response(&self) -> Fields {
        assert!(
            self.bytes.is_power_of_two() && self.bytes <= LINE,
            "a port has a power of two of bytes up to {LINE}, not {}",
            self.bytes
        );
        let width = 8 * self.bytes.min(8);
        Fields::new(std::iter::repeat_n(width, self.words()))
    }

    /// Fields of the data.
    pub fn words(&self) -> usize {
        self.bytes.div_ceil(8) as usize
    }

    /// All ones in an address.
    pub(crate) fn address_mask(&self) -> u64 {
        u64::MAX >> (64 - self.address_bits)
    }
}

/// The field of a request that says whether it writes.
pub(crate) const WRITE: usize = 0;
/// The field of a request that is its address.
pub(crate) const ADDRESS: usize = 1;

/// The shape of transfers to and from external memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lines {
    /// Bytes of a line: a power of two from [`Lines::SHORTEST`] to [`LINE`].
    pub bytes: u32,
    /// Bits of an address.
    pub address_bits: u32,
}

impl Lines {
    /// Bytes of the shortest line.
    pub const SHORTEST: u32 = 8;

    /// Why it makes no sense, if it does not.
    pub(crate) fn check(&self) -> Result<(), String> {
        require(
            self.bytes.is_power_of_two() && (Lines::SHORTEST..=LINE).contains(&self.bytes),
            "a line has a power of two of bytes, 8 to 64",
        )?;
        require(
            (self.offset_bits() + 1..=64).contains(&self.address_bits),
            "addresses have at most 64 bits, and more than those within a line",
        )
    }

    /// The same for a unit between these lines and accesses.
    pub(crate) fn check_access(&self, access: &Access) -> Result<(), String> {
        access.check()?;
        self.check()?;
        require(
            access.bytes <= self.bytes,
            "an access has no more bytes than a line",
        )
    }

    /// Bits of the number of a byte in a line.
    pub(crate) const fn offset_bits(&self) -> u32 {
        self.bytes.trailing_zeros()
    }

    /// Bits of the number of a line.
    pub(crate) const fn number_bits(&self) -> u32 {
        self.address_bits - self.offset_bits()
    }

    /// Words of a line.
    pub(crate) const fn words(&self) -> usize {
        self.bytes as usize / 8
    }

    /// What a fetch carries: the number of a line.
    pub fn fetch(&self) -> Fields {
        Fields::new([self.number_bits()])
    }

    /// What a fill carries: the line.
    pub fn fill(&self) -> Fields {
        Fields::new(std::iter::repeat_n(64, self.words()))
    }

    /// What a write-back carries: the number of the line, which bytes, the line.
    pub fn writeback(&self) -> Fields {
        self.fetch()
            .followed_by(&Fields::new([self.bytes]))
            .followed_by(&self.fill())
    }

    /// The number of the line of an address, and which piece of it, of `bytes` bytes, the address lies in.
    #[inline(always)]
    pub(crate) fn split(&self, address: u64, bytes: u32) -> (u64, u8) {
        let offset = address & u64::from(self.bytes - 1);
        (
            address >> self.offset_bits(),
            (offset >> bytes.trailing_zeros()) as u8,
        )
    }
}

/// Copies piece `from_piece` of `from` to piece `to_piece` of `to`. A piece is `bytes` bytes, a
/// power of two; what does not fit at the end is left out.
#[inline(always)]
pub(crate) fn copy_piece(
    from: &[u64],
    from_piece: usize,
    to: &mut [u64],
    to_piece: usize,
    bytes: u32,
) {
    if bytes >= 8 {
        copy_words(from, from_piece, to, to_piece, bytes as usize / 8);
    } else {
        // In powers of two, because a division takes longer than all the rest.
        let pieces = 3 - bytes.trailing_zeros();
        let ones = u64::MAX >> (64 - 8 * bytes);
        let shift = (to_piece & ((1 << pieces) - 1)) as u32 * 8 * bytes;
        let value = piece(from, from_piece, bytes);
        let word = &mut to[to_piece >> pieces];
        *word = *word & !(ones << shift) | value << shift;
    }
}

/// A piece of a word: `bytes` bytes, a power of two up to 8.
#[inline(always)]
pub(crate) fn piece(words: &[u64], piece: usize, bytes: u32) -> u64 {
    // In powers of two, because a division takes longer than all the rest.
    let log = bytes.trailing_zeros();
    let word = words[piece >> (3 - log)];
    // Of the pieces before it, those of other words shift by multiples of 64.
    word >> ((piece << log << 3) & 63) & u64::MAX >> (64 - 8 * bytes)
}

/// Writes the bytes of a word whose bit is set. A word is `bytes` bytes, a power of two, and `word`
/// words of the same size are before it.
pub(crate) fn write_word(contents: &mut [u64], word: usize, bytes: u32, mask: u64, data: &[u64]) {
    if bytes >= 8 {
        let start = word * data.len();
        for (at, &new) in data.iter().enumerate() {
            let written = byte_mask((mask >> (8 * at)) as u8);
            let old = &mut contents[start + at];
            *old = *old & !written | new & written;
        }
    } else {
        // In powers of two, because a division takes longer than all the rest.
        let pieces = 3 - bytes.trailing_zeros();
        let shift = (word & ((1 << pieces) - 1)) as u32 * 8 * bytes;
        let written = byte_mask(mask as u8) << shift;
        let old = &mut contents[word >> pieces];
        *old = *old & !written | data[0] << shift & written;
    }
}

/// The same for pieces of `words` words.
fn copy_words(from: &[u64], from_piece: usize, to: &mut [u64], to_piece: usize, words: usize) {
    let end = from.len().min((from_piece + 1) * words);
    let source = &from[from_piece * words..end];
    let start = to_piece * words;
    let count = source.len().min(to.len() - start);
    copy_token(&source[..count], &mut to[start..start + count]);
}

/// Clears the data of a request; most are one word, for which a call takes longer than all the rest.
#[inline(always)]
pub(crate) fn clear(data: &mut [u64]) {
    match data {
        [word] => *word = 0,
        words => words.fill(0),
    }
}

/// The bits of those bytes whose bit is set.
pub(crate) fn byte_mask(mask: u8) -> u64 {
    let spread = u64::from(mask).wrapping_mul(0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
    // Any set bit of a byte becomes the byte's highest bit, and from there the whole byte.
    let high = (((spread & 0x7f7f_7f7f_7f7f_7f7f) + 0x7f7f_7f7f_7f7f_7f7f) | spread)
        & 0x8080_8080_8080_8080;
    (high >> 7).wrapping_mul(0xff)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_mask_bit_stands_for_its_byte() {
        for mask in 0..=255_u8 {
            let bytes = byte_mask(mask).to_le_bytes();
            for (bit, byte) in bytes.into_iter().enumerate() {
                assert_eq!(byte, if mask >> bit & 1 == 1 { 0xff } else { 0 }, "{mask}");
            }
        }
    }

    #[test]
    fn pieces_are_copied_whole_and_alone() {
        let from: Vec<u64> = (0..8)
            .map(|word| 0x0706_0504_0302_0100 + word * 0x0808_0808_0808_0808)
            .collect();
        for bytes in [1, 2, 4, 8, 16, 64] {
            let pieces = 64 / bytes as usize;
            let mut to = [0_u64; 8];
            for piece in 0..pieces {
                copy_piece(&from, pieces - 1 - piece, &mut to, piece, bytes);
            }
            let bytes_of = |words: &[u64]| -> Vec<u8> {
                words.iter().flat_map(|word| word.to_le_bytes()).collect()
            };
            let expected: Vec<u8> = bytes_of(&from)
                .rchunks(bytes as usize)
                .flatten()
                .copied()
                .collect();
            assert_eq!(bytes_of(&to), expected, "{bytes}");
        }
    }
}
