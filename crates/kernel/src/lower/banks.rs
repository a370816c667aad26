//! Banks of local memory: which bits of a word's number tell the bank, chosen by what is known of the
//! addresses of its accesses.
//!
//! Loads of an unrolled loop differ in bits that are known when the circuit is built: those of a row in
//! the lowest ones, those of a column in bits further up. Banks by such bits belong to one load each:
//! the loads never meet, however far apart in time they are, and need no crossbar. What is not told
//! apart by known bits is spread by the exclusive or of the number's digits.

use sluice_circuit::units::local_memory::{Banks, Known};

use crate::analysis::{Facts, Ranges, transfer};
use crate::ir::{BinaryOp, CastOp, InstData, Kernel, MemoryAttributes, Value};
use crate::prepare::Addresses;

/// Most banks that accesses are spread over by digits: each is connected to all.
const MOST_SHARED: u32 = 16;

/// Most banks by known bits.
const MOST_KNOWN: u32 = 32;

/// What is known of the bits of an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct KnownBits {
    /// Those that are 0.
    pub(super) zeros: u64,
    /// Those that are 1.
    pub(super) ones: u64,
}

impl KnownBits {
    /// None is known.
    pub(super) const NOTHING: KnownBits = KnownBits { zeros: 0, ones: 0 };

    /// Of the address of an access.
    pub(super) fn of(
        kernel: &Kernel,
        ranges: &Ranges,
        addresses: &Addresses,
        pointer: Value,
    ) -> KnownBits {
        let facts = address(kernel, ranges, addresses, pointer);
        KnownBits {
            zeros: facts.zeros(),
            ones: facts.ones(),
        }
    }

    /// Those of the number of the word of so many bytes.
    fn of_word(self, bytes: u32) -> KnownBits {
        let low = bytes.trailing_zeros();
        KnownBits {
            zeros: self.zeros >> low,
            ones: self.ones >> low,
        }
    }

    /// What is known of both of two addresses.
    pub(super) fn common(self, other: KnownBits) -> KnownBits {
        KnownBits {
            zeros: self.zeros & other.zeros,
            ones: self.ones & other.ones,
        }
    }

    /// The bits in which two numbers surely differ.
    fn differs(self, other: KnownBits) -> u64 {
        self.zeros & other.ones | self.ones & other.zeros
    }
}

fn address(kernel: &Kernel, ranges: &Ranges, addresses: &Addresses, value: Value) -> Facts {
    if kernel.ty(value).is_int() {
        return ranges.facts(value);
    }
    let object = |object| {
        let place = addresses.of(object);
        place.map_or(Facts::unknown(64), |place| Facts::constant(64, place))
    };
    match kernel.def_inst(value) {
        Some(&InstData::Addr(it)) => object(it),
        Some(&InstData::PtrAdd { base, offset }) => {
            let offset = ranges.facts(offset);
            let offset = match offset.width() {
                64 => offset,
                _ => transfer::cast(CastOp::Sext, &offset, 64),
            };
            let base = address(kernel, ranges, addresses, base);
            let (zeros, ones) = sum_bits(&base, &offset);
            transfer::binary(BinaryOp::Add, &base, &offset).with_bits(zeros, ones)
        }
        _ => Facts::unknown(64),
    }
}

/// The bits of a sum that are 0, and those that are 1: where the bits of both operands are known, and
/// the carry, because the least and the greatest sum agree on it.
fn sum_bits(a: &Facts, b: &Facts) -> (u64, u64) {
    let least = a.ones().wrapping_add(b.ones());
    let greatest = (!a.zeros()).wrapping_add(!b.zeros());
    let carried_least = least ^ a.ones() ^ b.ones();
    let carried_greatest = greatest ^ !a.zeros() ^ !b.zeros();
    let known = (a.zeros() | a.ones()) & (b.zeros() | b.ones());
    let known = known & !(carried_least ^ carried_greatest);
    (known & !least, known & least)
}

/// A memory that is to have banks.
pub(super) struct Memory<'a> {
    /// Bytes of a word.
    pub(super) bytes: u32,
    /// Words: a power of two.
    pub(super) words: u64,
    /// What is known of the addresses of its readers, and of its writers.
    pub(super) readers: &'a [KnownBits],
    pub(super) writers: &'a [KnownBits],
    /// Ports that they have or would need if those took turns that rarely want one.
    pub(super) ports: usize,
    /// Its banks, if the source says how many.
    pub(super) asked: Option<AskedBanks>,
}

/// Banks that the source asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct AskedBanks {
    /// How many: a power of two.
    count: u32,
    /// Bytes in a row that lie in one of them.
    bytes: u32,
}

impl AskedBanks {
    /// Those of objects that share a memory with words of so many bytes: the most that one of them asks for.
    pub(super) fn of<'k>(
        objects: impl Iterator<Item = &'k MemoryAttributes>,
        word: u32,
    ) -> Option<AskedBanks> {
        let asked = objects.filter_map(|it| {
            Some(AskedBanks {
                count: it.banks?,
                bytes: it.bank_bytes.unwrap_or(word).max(word),
            })
        });
        asked.max_by_key(|it| it.count)
    }
}

impl Memory<'_> {
    /// Its banks, and what is known of those of each requester, readers first.
    pub(super) fn banks(&self) -> (Banks, Vec<Known>) {
        let width = self.words.trailing_zeros();
        // Each bank has two words.
        let most = (self.words / 2).max(1);
        let mut masks = match self.asked {
            Some(asked) => self.asked_bits(asked, width, most.min(MOST_KNOWN.into())),
            None => self.known_bits(width, most.min(MOST_KNOWN.into())),
        };
        let shared = (self.ports as u64).next_power_of_two();
        let shared = shared.min(MOST_SHARED.into()).min(most).trailing_zeros();
        let taken = masks.iter().fold(0, |all, mask| all | mask);
        if self.asked.is_none() && !self.are_apart(taken) && (masks.len() as u32) < shared {
            let others: Vec<u32> = (0..width).filter(|at| taken >> at & 1 == 0).collect();
            let digits = Banks::of_digits_of(shared - masks.len() as u32, &others);
            masks.extend(digits.masks);
        }
        let banks = Banks { masks };
        let all = self.readers.iter().chain(self.writers);
        let known: Vec<Known> = all
            .map(|it| {
                let word = it.of_word(self.bytes);
                banks.known(word.zeros as u32, word.ones as u32)
            })
            .collect();
        let nothing = known.iter().all(|it| *it == Known::default());
        (banks, if nothing { Vec::new() } else { known })
    }

    /// The bits of banks that the source asks for: those behind the ones that tell the bytes of a bank apart.
    fn asked_bits(&self, asked: AskedBanks, width: u32, most: u64) -> Vec<u32> {
        let count = u64::from(asked.count).min(most).trailing_zeros();
        let first = (asked.bytes / self.bytes).trailing_zeros();
        let first = first.min(width - count);
        (first..first + count).map(|bit| 1 << bit).collect()
    }

    /// The pairs that want the same port of a bank, with the bits in which they surely differ.
    fn pairs(&self) -> Vec<u64> {
        let mut pairs = Vec::new();
        for class in [self.readers, self.writers] {
            for (at, one) in class.iter().enumerate() {
                let one = one.of_word(self.bytes);
                let others = class[..at].iter().map(|it| it.of_word(self.bytes));
                pairs.extend(others.map(|other| one.differs(other)));
            }
        }
        pairs
    }

    /// Whether these bits tell all requesters apart.
    fn are_apart(&self, bits: u32) -> bool {
        let bits = u64::from(bits);
        self.pairs().iter().all(|differs| differs & bits != 0)
    }

    /// Bits that tell requesters apart, each the one that does so for most pairs that are left. None
    /// if few pairs differ in known bits: those would get in each other's way in fewer banks.
    fn known_bits(&self, width: u32, most: u64) -> Vec<u32> {
        let all = self.pairs();
        let within = (1_u64 << width) - 1;
        let mut left: Vec<u64> = all.iter().map(|pair| pair & within).collect();
        left.retain(|&pair| pair != 0);
        if 3 * left.len() < all.len() {
            return Vec::new();
        }
        let mut masks = Vec::new();
        while !left.is_empty() && 1 << masks.len() < most {
            let told = |bit: &u32| left.iter().filter(|&pair| pair >> bit & 1 == 1).count();
            // Of equal ones the lowest.
            let best = (0..width).rev().max_by_key(told).expect("a pair differs");
            if 5 * told(&best) < 2 * left.len() {
                break;
            }
            masks.push(1 << best);
            left.retain(|pair| pair >> best & 1 == 0);
        }
        masks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_of_a_sum_are_known_above_unknown_ones_if_nothing_is_carried() {
        // 64 * 5 + 4 * x, with x below 16, beside a slot from bit 10 on.
        let unknown = Facts::unknown(64);
        let offset = unknown.with_bits(!0x17c, 0x140);
        let slot = unknown.with_bits(0x3ff, 0);
        let (zeros, ones) = sum_bits(&offset, &slot);
        assert_eq!((zeros & 0x3ff, ones), (0x283, 0x140));
    }

    /// Known bits of addresses of words with these bits, which are known within a mask.
    fn known(words: impl IntoIterator<Item = u64>, mask: u64) -> Vec<KnownBits> {
        let words = words.into_iter();
        let known = words.map(|word| KnownBits {
            zeros: (!word & mask) << 2 | 3,
            ones: (word & mask) << 2,
        });
        known.collect()
    }

    fn banks(readers: &[KnownBits], writers: &[KnownBits]) -> (Banks, Vec<Known>) {
        Memory {
            bytes: 4,
            words: 2048,
            readers,
            writers,
            ports: readers.len() + writers.len(),
            asked: None,
        }
        .banks()
    }

    #[test]
    fn banks_are_those_that_the_source_asks_for() {
        let asked = |banks, bank_bytes| {
            let attributes = MemoryAttributes {
                banks: Some(banks),
                bank_bytes,
                location: None,
            };
            let nothing = [KnownBits::default(); 2];
            let memory = Memory {
                bytes: 4,
                words: 2048,
                readers: &nothing,
                writers: &nothing,
                ports: 4,
                asked: AskedBanks::of([&attributes].into_iter(), 4),
            };
            memory.banks().0.masks
        };
        assert_eq!(asked(1, None), []);
        assert_eq!(asked(8, None), [1, 2, 4]);
        assert_eq!(asked(4, Some(64)), [16, 32]);
        // A word of a bank is at least as wide as an access, and a bank has two of them.
        assert_eq!(asked(2, Some(1)), [1]);
        assert_eq!(asked(2, Some(1 << 20)), [1 << 10]);
        assert_eq!(asked(1 << 20, None).len(), 5);
    }

    #[test]
    fn loads_of_a_row_have_a_bank_each() {
        let readers = known(0..16, 15);
        let (banks, known) = banks(&readers, &[KnownBits::default()]);
        assert_eq!(banks.masks, [1, 2, 4, 8]);
        let row = (0..16).map(|value| Known { mask: 15, value });
        assert_eq!(known, row.chain([Known::default()]).collect::<Vec<_>>());
    }

    #[test]
    fn loads_of_a_column_have_a_bank_each() {
        let readers = known((0..16).map(|row| row << 4), 0xf0);
        let (banks, known) = banks(&readers, &[KnownBits::default()]);
        assert_eq!(banks.masks, [1 << 4, 1 << 5, 1 << 6, 1 << 7]);
        assert!(known[..16].iter().all(|it| it.mask == 15));
    }

    #[test]
    fn where_nothing_is_known_digits_tell_the_bank() {
        let nothing = [KnownBits::default(); 5];
        let (found, known) = banks(&nothing[..3], &nothing[..2]);
        assert_eq!(found, Banks::of_digits(8, 11));
        assert_eq!(known, []);
    }

    #[test]
    fn pairs_that_known_bits_do_not_tell_apart_are_spread_by_digits() {
        // Two rows: the pairs of one row differ in nothing that is known.
        let readers = known([0, 0, 64, 64], 64);
        let (banks, known) = banks(&readers, &[]);
        assert_eq!(banks.masks[0], 64);
        assert_eq!(banks.count(), 4);
        assert_eq!(known[3], Known { mask: 1, value: 1 });
    }
}
