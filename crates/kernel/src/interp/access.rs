//! The loops of loads and stores over the lanes, for accesses that are in order: within the region
//! of the first lane, not across words in odd ways. They give the lanes that are not, for which
//! the worker looks closer.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::{
    lanes::{LANES, Register, Registers, Word, lanes_of},
    memory::{Sharing, replace},
    program::Slot,
};

/// The words of a region as a lane sees them.
pub(super) trait Words {
    /// A word, unless it lies outside.
    fn load(&self, at: u64, lane: usize) -> Option<u32>;
}

/// Words that can be written too.
pub(super) trait WordsMut: Words {
    /// Replaces the bits of `mask` in a word; says whether it exists.
    fn store(&mut self, at: u64, lane: usize, mask: u32, bits: u32) -> bool;
}

/// The words of a region that all lanes share.
pub(super) struct Shared<'a> {
    pub words: &'a [AtomicU32],
    pub sharing: Sharing,
}

/// The words of a private region, the lanes' side by side.
pub(super) struct Private<T>(pub T);

impl Words for Shared<'_> {
    #[inline(always)]
    fn load(&self, at: u64, _lane: usize) -> Option<u32> {
        Some(self.words.get(at as usize)?.load(Relaxed))
    }
}

impl WordsMut for Shared<'_> {
    #[inline(always)]
    fn store(&mut self, at: u64, _lane: usize, mask: u32, bits: u32) -> bool {
        let Some(word) = self.words.get(at as usize) else {
            return false;
        };
        replace(word, mask, bits, self.sharing);
        true
    }
}

impl<T: AsRef<[Register<u32>]>> Words for Private<T> {
    #[inline(always)]
    fn load(&self, at: u64, lane: usize) -> Option<u32> {
        Some(self.0.as_ref().get(at as usize)?[lane])
    }
}

impl<T: AsRef<[Register<u32>]> + AsMut<[Register<u32>]>> WordsMut for Private<T> {
    #[inline(always)]
    fn store(&mut self, at: u64, lane: usize, mask: u32, bits: u32) -> bool {
        let Some(word) = self.0.as_mut().get_mut(at as usize) else {
            return false;
        };
        word[lane] = word[lane] & !mask | bits;
        true
    }
}

/// A width that is transferred at once.
trait Width {
    /// What the registers hold.
    type Word: Word;
    /// The width.
    const BYTES: u64;
    /// Reads at a byte offset, unless that is outside or odd.
    fn load(words: &impl Words, offset: u64, lane: usize) -> Option<Self::Word>;
    /// Writes at a byte offset; does nothing and says so if that is outside or odd.
    fn store(words: &mut impl WordsMut, offset: u64, lane: usize, value: Self::Word) -> bool;
}

/// Widths of 1, 2, 4 and 8 bytes.
struct W1;
struct W2;
struct W4;
struct W8;

impl Width for W1 {
    type Word = u32;
    const BYTES: u64 = 1;

    #[inline(always)]
    fn load(words: &impl Words, offset: u64, lane: usize) -> Option<u32> {
        let word = words.load(offset / 4, lane)?;
        Some((word >> (offset % 4 * 8)) & 0xff)
    }

    #[inline(always)]
    fn store(words: &mut impl WordsMut, offset: u64, lane: usize, value: u32) -> bool {
        let shift = offset % 4 * 8;
        words.store(offset / 4, lane, 0xff << shift, (value & 0xff) << shift)
    }
}

impl Width for W2 {
    type Word = u32;
    const BYTES: u64 = 2;

    #[inline(always)]
    fn load(words: &impl Words, offset: u64, lane: usize) -> Option<u32> {
        let word = words.load(offset / 4, lane)?;
        (offset % 2 == 0).then_some((word >> (offset % 4 * 8)) & 0xffff)
    }

    #[inline(always)]
    fn store(words: &mut impl WordsMut, offset: u64, lane: usize, value: u32) -> bool {
        let shift = offset % 4 * 8;
        offset % 2 == 0
            && words.store(offset / 4, lane, 0xffff << shift, (value & 0xffff) << shift)
    }
}

/// The word at an offset; a number beyond every region if the offset is no multiple of 4.
#[inline(always)]
fn aligned(offset: u64) -> u64 {
    offset.rotate_right(2)
}

impl Width for W4 {
    type Word = u32;
    const BYTES: u64 = 4;

    #[inline(always)]
    fn load(words: &impl Words, offset: u64, lane: usize) -> Option<u32> {
        words.load(aligned(offset), lane)
    }

    #[inline(always)]
    fn store(words: &mut impl WordsMut, offset: u64, lane: usize, value: u32) -> bool {
        words.store(aligned(offset), lane, u32::MAX, value)
    }
}

impl Width for W8 {
    type Word = u64;
    const BYTES: u64 = 8;

    #[inline(always)]
    fn load(words: &impl Words, offset: u64, lane: usize) -> Option<u64> {
        let at = aligned(offset);
        let low = words.load(at, lane)?;
        let high = words.load(at + 1, lane)?;
        Some(u64::from(high) << 32 | u64::from(low))
    }

    #[inline(always)]
    fn store(words: &mut impl WordsMut, offset: u64, lane: usize, value: u64) -> bool {
        let at = aligned(offset);
        // The upper half first: if it exists, the lower one does.
        words.store(at.saturating_add(1), lane, u32::MAX, (value >> 32) as u32)
            && words.store(at, lane, u32::MAX, value as u32)
    }
}

/// The lanes of an access.
#[derive(Clone, Copy)]
pub(super) struct Addresses<'a> {
    /// Each lane's address.
    pub of_lane: &'a Register<u64>,
    /// The address of the region's first byte.
    pub base: u64,
    /// The lanes.
    pub mask: u64,
}

impl Addresses<'_> {
    /// Calls `f` with each lane and its offset; gives the lanes for which it fails.
    #[inline(always)]
    fn failing(self, mut f: impl FnMut(usize, u64) -> bool) -> u64 {
        let mut failing = 0;
        let mut each = |lane: usize| {
            if !f(lane, self.of_lane[lane].wrapping_sub(self.base)) {
                failing |= 1 << lane;
            }
        };
        if self.mask == u64::MAX {
            (0..LANES).for_each(each);
        } else {
            lanes_of(self.mask).for_each(&mut each);
        }
        failing
    }

    /// The same for the next element.
    fn next<W: Width>(self) -> Self {
        Addresses {
            base: self.base.wrapping_sub(W::BYTES),
            ..self
        }
    }
}

/// Loads elements of `bytes` bytes each into registers. Gives the lanes that were not loaded.
pub(super) fn load(
    words: &impl Words,
    addresses: Addresses<'_>,
    bytes: u32,
    registers: &mut Registers,
    results: &[Slot],
) -> u64 {
    match bytes {
        1 => load_each::<W1>(words, addresses, registers, results),
        2 => load_each::<W2>(words, addresses, registers, results),
        4 => load_each::<W4>(words, addresses, registers, results),
        _ => load_each::<W8>(words, addresses, registers, results),
    }
}

fn load_each<W: Width>(
    words: &impl Words,
    mut addresses: Addresses<'_>,
    registers: &mut Registers,
    results: &[Slot],
) -> u64 {
    let mut odd = 0;
    for slot in results {
        let target = &mut W::Word::bank_mut(registers)[slot.at as usize];
        odd |= addresses.failing(|lane, offset| match W::load(words, offset, lane) {
            Some(value) => {
                target[lane] = value;
                true
            }
            None => false,
        });
        addresses = addresses.next::<W>();
    }
    odd
}

/// Stores elements of `bytes` bytes each from registers. Gives the lanes that were not stored.
pub(super) fn store(
    words: &mut impl WordsMut,
    addresses: Addresses<'_>,
    bytes: u32,
    registers: &Registers,
    values: &[Slot],
) -> u64 {
    match bytes {
        1 => store_each::<W1>(words, addresses, registers, values),
        2 => store_each::<W2>(words, addresses, registers, values),
        4 => store_each::<W4>(words, addresses, registers, values),
        _ => store_each::<W8>(words, addresses, registers, values),
    }
}

fn store_each<W: Width>(
    words: &mut impl WordsMut,
    mut addresses: Addresses<'_>,
    registers: &Registers,
    values: &[Slot],
) -> u64 {
    let mut odd = 0;
    for slot in values {
        let source = &W::Word::bank(registers)[slot.at as usize];
        odd |= addresses.failing(|lane, offset| W::store(words, offset, lane, source[lane]));
        addresses = addresses.next::<W>();
    }
    odd
}
