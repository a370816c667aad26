//! Sets of requesters, of whom there are mostly few.

/// A set of numbers.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Mask {
    /// Those below 128.
    few: u128,
    /// Those from 128 on, in words of 128; empty words may be absent.
    more: Vec<u128>,
}

const WORD: usize = u128::BITS as usize;

impl Mask {
    pub(super) fn insert(&mut self, number: usize) {
        *self.word(number) |= 1 << (number % WORD);
    }

    /// Inserts or removes a number.
    pub(super) fn set(&mut self, number: usize, value: bool) {
        let bit = 1 << (number % WORD);
        let word = self.word(number);
        *word = *word & !bit | if value { bit } else { 0 };
    }

    pub(super) fn contains(&self, number: usize) -> bool {
        let word = match number / WORD {
            0 => self.few,
            word => self.more.get(word - 1).copied().unwrap_or(0),
        };
        word >> (number % WORD) & 1 == 1
    }

    pub(super) fn is_empty(&self) -> bool {
        self.few == 0 && self.more.iter().all(|&word| word == 0)
    }

    pub(super) fn clear(&mut self) {
        self.few = 0;
        self.more.fill(0);
    }

    /// The numbers, ascending, as they are now.
    pub(super) fn numbers(&self) -> impl Iterator<Item = usize> + use<> {
        let more = self.more.clone().into_iter().enumerate();
        let more = more.flat_map(|(word, bits)| ones(bits).map(move |at| (word + 1) * WORD + at));
        ones(self.few).chain(more)
    }

    /// The first number from this one on.
    pub(super) fn first_from(&self, from: usize) -> Option<usize> {
        if from < WORD {
            let later = self.few & (u128::MAX << from);
            if later != 0 {
                return Some(later.trailing_zeros() as usize);
            }
        }
        let mut words = self.more.iter().enumerate();
        words.find_map(|(word, &bits)| {
            let start = (word + 1) * WORD;
            let below = from.saturating_sub(start);
            let later = u32::try_from(below)
                .ok()
                .and_then(|it| u128::MAX.checked_shl(it));
            let later = bits & later.unwrap_or(0);
            (later != 0).then(|| start + later.trailing_zeros() as usize)
        })
    }

    fn word(&mut self, number: usize) -> &mut u128 {
        match number / WORD {
            0 => &mut self.few,
            word => {
                if self.more.len() < word {
                    self.more.resize(word, 0);
                }
                &mut self.more[word - 1]
            }
        }
    }
}

/// The set bits of a word.
pub(super) fn ones(mut word: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let at = (word != 0).then(|| word.trailing_zeros() as usize);
        word &= word.wrapping_sub(1);
        at
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mask_holds_numbers_of_any_size() {
        let mut mask = Mask::default();
        let numbers = [0, 5, 127, 128, 255, 256, 700];
        numbers.iter().for_each(|&number| mask.insert(number));
        assert_eq!(mask.numbers().collect::<Vec<_>>(), numbers);
        for number in 0..800 {
            assert_eq!(mask.contains(number), numbers.contains(&number), "{number}");
            let first = numbers.iter().copied().find(|&it| it >= number);
            assert_eq!(mask.first_from(number), first, "{number}");
        }
        mask.set(128, false);
        assert!(!mask.contains(128) && mask.contains(127));
        mask.clear();
        assert!(mask.is_empty());
    }
}
