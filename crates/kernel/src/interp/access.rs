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
    /// Gives each lane the word that is `step` words behind its predecessor's, if that is quickly
    /// done.
    fn load_row(&self, at: u64, step: u64, target: &mut Register<u32>) -> Option<()>;
}

/// Words that can be written too.
pub(super) trait WordsMut: Words {
    /// Replaces the bits of `mask` in a word; says whether it exists.
    fn store(&mut self, at: u64, lane: usize, mask: u32, bits: u32) -> bool;
    /// Stores each lane's word `step` words behind its predecessor's, if that is quickly done.
    fn store_row(&mut self, at: u64, step: u64, source: &Register<u32>) -> Option<()>;
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

    #[inline(always)]
    fn load_row(&self, at: u64, step: u64, target: &mut Register<u32>) -> Option<()> {
        match step {
            0 => *target = [self.load(at, 0)?; LANES],
            1 => {
                let words = row(self.words, at, step)?;
                for (value, word) in target.iter_mut().zip(words) {
                    *value = word.load(Relaxed);
                }
            }
            _ => {
                let words = row(self.words, at, step)?.iter().step_by(step as usize);
                for (value, word) in target.iter_mut().zip(words) {
                    *value = word.load(Relaxed);
                }
            }
        }
        Some(())
    }
}

/// The words that hold a row of lanes.
#[inline(always)]
fn row<T>(words: &[T], at: u64, step: u64) -> Option<&[T]> {
    let last = step.checked_mul(LANES as u64 - 1)?.checked_add(at)?;
    words.get(usize::try_from(at).ok()?..usize::try_from(last.checked_add(1)?).ok()?)
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

    #[inline(always)]
    fn store_row(&mut self, at: u64, step: u64, source: &Register<u32>) -> Option<()> {
        let words = match step {
            0 => return None,
            _ => row(self.words, at, step)?,
        };
        if step == 1 {
            for (word, &value) in words.iter().zip(source) {
                word.store(value, Relaxed);
            }
        } else {
            for (word, &value) in words.iter().step_by(step as usize).zip(source) {
                word.store(value, Relaxed);
            }
        }
        Some(())
    }
}

impl<T: AsRef<[Register<u32>]>> Words for Private<T> {
    #[inline(always)]
    fn load(&self, at: u64, lane: usize) -> Option<u32> {
        Some(self.0.as_ref().get(at as usize)?[lane])
    }

    #[inline(always)]
    fn load_row(&self, at: u64, step: u64, target: &mut Register<u32>) -> Option<()> {
        // Lanes that access the same element find it side by side.
        *target = *self.0.as_ref().get(at as usize).filter(|_| step == 0)?;
        Some(())
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

    #[inline(always)]
    fn store_row(&mut self, at: u64, step: u64, source: &Register<u32>) -> Option<()> {
        let word = self.0.as_mut().get_mut(at as usize);
        *word.filter(|_| step == 0)? = *source;
        Some(())
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
    /// Reads for all lanes, each `stride` bytes behind its predecessor, if that is quickly done.
    fn load_row(
        words: &impl Words,
        offset: u64,
        stride: u64,
        target: &mut Register<Self::Word>,
    ) -> Option<()>;
    /// Writes for all lanes likewise.
    fn store_row(
        words: &mut impl WordsMut,
        offset: u64,
        stride: u64,
        source: &Register<Self::Word>,
    ) -> Option<()>;
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

    #[inline(always)]
    fn load_row(_: &impl Words, _: u64, _: u64, _: &mut Register<u32>) -> Option<()> {
        None
    }

    #[inline(always)]
    fn store_row(_: &mut impl WordsMut, _: u64, _: u64, _: &Register<u32>) -> Option<()> {
        None
    }
}

impl Width for W2 {
    type Word = u32;
    const BYTES: u64 = 2;

    #[inline(always)]
    fn load(words: &impl Words, offset: u64, lane: usize) -> Option<u32> {
        let word = words.load(offset / 4, lane)?;
        offset
            .is_multiple_of(2)
            .then_some((word >> (offset % 4 * 8)) & 0xffff)
    }

    #[inline(always)]
    fn store(words: &mut impl WordsMut, offset: u64, lane: usize, value: u32) -> bool {
        let shift = offset % 4 * 8;
        offset.is_multiple_of(2)
            && words.store(offset / 4, lane, 0xffff << shift, (value & 0xffff) << shift)
    }
    #[inline(always)]
    fn load_row(_: &impl Words, _: u64, _: u64, _: &mut Register<u32>) -> Option<()> {
        None
    }

    #[inline(always)]
    fn store_row(_: &mut impl WordsMut, _: u64, _: u64, _: &Register<u32>) -> Option<()> {
        None
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

    #[inline(always)]
    fn load_row(
        words: &impl Words,
        offset: u64,
        stride: u64,
        target: &mut Register<u32>,
    ) -> Option<()> {
        words.load_row(aligned(offset), aligned(stride), target)
    }

    #[inline(always)]
    fn store_row(
        words: &mut impl WordsMut,
        offset: u64,
        stride: u64,
        source: &Register<u32>,
    ) -> Option<()> {
        words.store_row(aligned(offset), aligned(stride), source)
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

    #[inline(always)]
    fn load_row(
        words: &impl Words,
        offset: u64,
        stride: u64,
        target: &mut Register<u64>,
    ) -> Option<()> {
        let mut halves = [[0; LANES]; 2];
        let at = aligned(offset);
        words.load_row(at, aligned(stride), &mut halves[0])?;
        words.load_row(at.checked_add(1)?, aligned(stride), &mut halves[1])?;
        for (lane, value) in target.iter_mut().enumerate() {
            *value = u64::from(halves[1][lane]) << 32 | u64::from(halves[0][lane]);
        }
        Some(())
    }

    #[inline(always)]
    fn store_row(
        words: &mut impl WordsMut,
        offset: u64,
        stride: u64,
        source: &Register<u64>,
    ) -> Option<()> {
        let (at, step) = (aligned(offset), aligned(stride));
        // The upper halves first: if they exist, the lower ones do. Halves that overlap others
        // are left to the lanes' order.
        let above = at.checked_add(1).filter(|_| step != 1)?;
        words.store_row(above, step, &source.map(|value| (value >> 32) as u32))?;
        words.store_row(at, step, &source.map(|value| value as u32))
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
    /// The distance from each lane's address to the next one's, if all lanes are active and it is
    /// the same everywhere.
    pub stride: Option<u64>,
}

/// Runs `$body` for each lane and its offset; gives the lanes for which it is false. A macro, so
/// that both loops are inlined.
macro_rules! failing_lanes {
    ($addresses:expr, $lane:ident, $offset:ident, $body:expr) => {{
        let Addresses {
            of_lane,
            base,
            mask,
            ..
        } = $addresses;
        let mut failing = 0;
        if mask == u64::MAX {
            for $lane in 0..LANES {
                let $offset = of_lane[$lane].wrapping_sub(base);
                failing |= u64::from(!$body) << $lane;
            }
        } else {
            for $lane in lanes_of(mask) {
                let $offset = of_lane[$lane].wrapping_sub(base);
                failing |= u64::from(!$body) << $lane;
            }
        }
        failing
    }};
}

impl Addresses<'_> {
    /// The first lane's offset and the stride, if there is one.
    #[inline(always)]
    fn row(self) -> Option<(u64, u64)> {
        Some((self.of_lane[0].wrapping_sub(self.base), self.stride?))
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
        let row = addresses.row();
        if row
            .and_then(|(offset, stride)| W::load_row(words, offset, stride, target))
            .is_some()
        {
            addresses = addresses.next::<W>();
            continue;
        }
        odd |= failing_lanes!(addresses, lane, offset, {
            match W::load(words, offset, lane) {
                Some(value) => {
                    target[lane] = value;
                    true
                }
                None => false,
            }
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
        let row = addresses.row();
        if row
            .and_then(|(offset, stride)| W::store_row(words, offset, stride, source))
            .is_some()
        {
            addresses = addresses.next::<W>();
            continue;
        }
        odd |= failing_lanes!(addresses, lane, offset, {
            W::store(words, offset, lane, source[lane])
        });
        addresses = addresses.next::<W>();
    }
    odd
}
