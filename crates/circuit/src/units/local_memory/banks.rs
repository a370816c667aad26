//! The banks of a local memory: which one a word is in, and at which place.

use crate::text::{Listed, record};

/// Which bank a word is in. The bits of its number that are the lowest ones of a mask say no more than
/// the bank; the others are its place in the bank.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Banks {
    /// By bit of a bank's number: those bits of a word's number whose exclusive or it is. The lowest one
    /// of each is in no other mask.
    pub masks: Vec<u32>,
}

/// What is known of the bits of the bank that a requester asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Known {
    /// The bits of a bank's number that are known.
    pub mask: u32,
    /// Their values; the others are 0.
    pub value: u32,
}

record! { Banks { masks } }
record! { Known { mask, value } }
impl Listed for Known {}

impl Banks {
    /// One bank for all words.
    pub const ONE: Banks = Banks { masks: Vec::new() };

    /// So many banks, a power of two, for words whose numbers have `width` bits: the bank is the
    /// exclusive or of the number's digits, so that neighbours as well as words at a distance of a
    /// power of two, a column of a matrix, are in different banks.
    pub fn of_digits(banks: u32, width: u32) -> Banks {
        let bits: Vec<u32> = (0..width).collect();
        Banks::of_digits_of(banks.trailing_zeros(), &bits)
    }

    /// Banks with numbers of `digit` bits, by the digits of a number that consists of these bits of a
    /// word's number.
    pub fn of_digits_of(digit: u32, bits: &[u32]) -> Banks {
        let mask = |first| {
            let bits = bits.iter().skip(first as usize).step_by(digit as usize);
            bits.fold(0, |mask, &bit| mask | 1 << bit)
        };
        Banks {
            masks: (0..digit).map(mask).collect(),
        }
    }

    /// How many there are.
    pub fn count(&self) -> u32 {
        1 << self.masks.len()
    }

    /// Bits of a bank's number.
    pub fn bits(&self) -> u32 {
        self.masks.len() as u32
    }

    /// The bits of a word's number that are no part of its place in the bank.
    pub(super) fn pivots(&self) -> u32 {
        let lowest = self.masks.iter().map(|mask| mask & mask.wrapping_neg());
        lowest.fold(0, |all, bit| all | bit)
    }

    /// The bank of a word.
    pub fn bank(&self, word: u32) -> u32 {
        let parities = self.masks.iter().map(|mask| (word & mask).count_ones() & 1);
        let bits = parities.enumerate().map(|(at, parity)| parity << at);
        bits.sum()
    }

    /// The place of a word in its bank.
    pub(super) fn place(&self, mut word: u32) -> u32 {
        let mut pivots = self.pivots();
        while pivots != 0 {
            let highest = 1 << pivots.ilog2();
            word = word & (highest - 1) | word >> 1 & !(highest - 1);
            pivots ^= highest;
        }
        word
    }

    /// What is known of the bank of words, given what is known of their numbers.
    pub fn known(&self, zeros: u32, ones: u32) -> Known {
        let is_known = |mask: &u32| mask & !(zeros | ones) == 0;
        let masks = self.masks.iter().enumerate();
        let known = masks.filter(|(_, mask)| is_known(mask));
        known.fold(Known::default(), |known, (at, mask)| Known {
            mask: known.mask | 1 << at,
            value: known.value | ((ones & mask).count_ones() & 1) << at,
        })
    }

    /// Whether each word of `width` bits has a bank and a place of its own.
    pub(super) fn is_sound(&self, width: u32) -> bool {
        let lowest = |mask: u32| mask & mask.wrapping_neg();
        let is_alone = |(at, &mask): (usize, &u32)| {
            let others = self.masks.iter().enumerate().filter(|(it, _)| *it != at);
            mask != 0
                && others
                    .into_iter()
                    .all(|(_, other)| other & lowest(mask) == 0)
        };
        let fits = |mask: &u32| u64::from(*mask) < 1 << width;
        self.masks.iter().all(fits) && self.masks.iter().enumerate().all(is_alone)
    }
}

impl Known {
    /// A bank's number with what is known of it.
    pub(super) fn apply(self, bank: u32) -> u32 {
        bank & !self.mask | self.value
    }

    /// How many of so many banks a requester can ask.
    pub(super) fn reached(self, banks: u32) -> u32 {
        banks >> self.mask.count_ones()
    }

    /// Whether a requester can ask a bank.
    pub(super) fn reaches(self, bank: u32) -> bool {
        self.apply(bank) == bank
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_has_a_place_of_its_own() {
        let choices = [
            Banks::ONE,
            Banks::of_digits(8, 8),
            Banks {
                masks: vec![1 << 4, 1 << 5],
            },
            Banks {
                masks: vec![0b1000_0100, 0b1100_0010],
            },
        ];
        for banks in choices {
            assert!(banks.is_sound(8), "{banks:?}");
            let mut places: Vec<(u32, u32)> = (0..256)
                .map(|word| (banks.bank(word), banks.place(word)))
                .collect();
            places.sort_unstable();
            let each = 256 / banks.count();
            let all = (0..256).map(|at| (at / each, at % each));
            assert_eq!(places, all.collect::<Vec<_>>(), "{banks:?}");
        }
    }

    #[test]
    fn a_mask_without_a_bit_of_its_own_is_unsound() {
        let unsound: [&[u32]; 4] = [&[0], &[1, 1], &[1 << 8], &[0b11, 0b10, 0b01]];
        for masks in unsound {
            let banks = Banks {
                masks: masks.to_vec(),
            };
            assert!(!banks.is_sound(8), "{masks:?}");
        }
    }

    #[test]
    fn a_bank_is_known_where_all_bits_of_its_mask_are() {
        let banks = Banks {
            masks: vec![0b0101, 0b1010],
        };
        let known = banks.known(0b0100, 0b0001);
        assert_eq!(known, Known { mask: 1, value: 1 });
        assert_eq!(banks.known(0b0100, 0b0010), Known::default());
    }
}
