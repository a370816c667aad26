//! Whose turn it is among many: a set of numbers, and the first of them in a range.

use std::ops::Range;

/// Those who want their turn, by number.
#[derive(Debug)]
pub(crate) struct Wanting {
    words: Box<[u64]>,
}

impl Wanting {
    /// None of `count`.
    pub(crate) fn new(count: usize) -> Wanting {
        Wanting {
            words: vec![0; count.div_ceil(64)].into(),
        }
    }

    /// None wants it any more.
    pub(crate) fn clear(&mut self) {
        self.words.fill(0);
    }

    /// One more wants it.
    pub(crate) fn insert(&mut self, number: u32) {
        self.words[number as usize / 64] |= 1 << (number % 64);
    }

    /// One does not want it any more.
    pub(crate) fn remove(&mut self, number: u32) {
        self.words[number as usize / 64] &= !(1 << (number % 64));
    }

    /// Whether none wants it.
    pub(crate) fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// The first of these numbers that wants it.
    pub(crate) fn first_in(&self, range: Range<u32>) -> Option<u32> {
        let mut from = range.start;
        while from < range.end {
            let word = self.words[from as usize / 64] >> (from % 64);
            if word != 0 {
                let first = from + word.trailing_zeros();
                return (first < range.end).then_some(first);
            }
            from = (from / 64 + 1) * 64;
        }
        None
    }

    /// The first of these numbers that wants it, from the one after `last` on, in a circle.
    pub(crate) fn next_in(&self, range: Range<u32>, last: u32) -> Option<u32> {
        let behind = self.first_in(last + 1..range.end);
        behind.or_else(|| self.first_in(range.start..(last + 1).min(range.end)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanting(numbers: &[u32]) -> Wanting {
        let mut wanting = Wanting::new(200);
        numbers.iter().for_each(|&number| wanting.insert(number));
        wanting
    }

    #[test]
    fn the_first_of_a_range_is_found_in_any_word() {
        let wanting = wanting(&[3, 63, 64, 130, 199]);
        let found = [
            0..200,
            4..200,
            64..200,
            65..130,
            65..131,
            131..199,
            131..200,
        ];
        let found = found.map(|range| wanting.first_in(range));
        let expected = [
            Some(3),
            Some(63),
            Some(64),
            None,
            Some(130),
            None,
            Some(199),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn turns_go_in_a_circle() {
        let mut wanting = wanting(&[3, 130]);
        let next = |wanting: &Wanting, last| wanting.next_in(0..200, last);
        assert_eq!(
            [2, 3, 130, 199].map(|last| next(&wanting, last)),
            [3, 130, 3, 3].map(Some)
        );
        wanting.remove(3);
        assert_eq!([129, 130].map(|last| next(&wanting, last)), [Some(130); 2]);
        wanting.clear();
        assert!(wanting.is_empty() && next(&wanting, 0).is_none());
    }
}
