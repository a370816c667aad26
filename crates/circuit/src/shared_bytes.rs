//! Bytes that several threads access at once: the contents of a simulated memory.
//!
//! A handle is cheap to clone, and a part of the bytes is a handle too: each shows what is
//! written through the others.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use crate::access::{LINE, Line, byte_mask};

/// The first of fresh bytes lies at a multiple of this many, as the host sees them.
pub const ALIGN: usize = 128;

/// Bytes of a word.
const WORD: usize = 4;

/// How many bytes are moved at a time where they pass through the stack.
const CHUNK: usize = 4096;

/// Bytes, or a part of them, held in little-endian words.
#[derive(Clone, Debug)]
pub struct SharedBytes {
    words: Arc<Box<[AtomicU32]>>,
    /// The word that holds the first byte.
    start: usize,
    len: usize,
}

/// Bytes of one word.
struct Piece {
    word: usize,
    /// The first one's place in the word.
    at: usize,
    len: usize,
}

/// Where bytes lie: at most some of a word, then whole words, then some of a word.
struct Pieces {
    head: Piece,
    whole: std::ops::Range<usize>,
    tail: Piece,
}

impl Pieces {
    fn of(offset: usize, len: usize) -> Pieces {
        let at = offset % WORD;
        let head = match at {
            0 => 0,
            at => len.min(WORD - at),
        };
        let first = (offset + head).div_ceil(WORD);
        let end = first + (len - head) / WORD;
        Pieces {
            head: Piece {
                word: offset / WORD,
                at,
                len: head,
            },
            whole: first..end,
            tail: Piece {
                word: end,
                at: 0,
                len: (len - head) % WORD,
            },
        }
    }
}

impl SharedBytes {
    /// `len` zeros.
    pub fn zeroed(len: usize) -> SharedBytes {
        let words = (0..SharedBytes::words_for(len)).map(|_| AtomicU32::new(0));
        SharedBytes::in_words(words.collect(), len)
    }

    /// Words that [`SharedBytes::in_words`] needs for `len` bytes: some are lost to alignment.
    pub fn words_for(len: usize) -> usize {
        len.div_ceil(WORD) + ALIGN / WORD - 1
    }

    /// `len` bytes in memory that the caller has allocated: [`SharedBytes::words_for`] words, whose
    /// contents become those of the bytes.
    pub fn in_words(words: Box<[AtomicU32]>, len: usize) -> SharedBytes {
        assert!(
            words.len() >= SharedBytes::words_for(len),
            "{} words are too few for {len} bytes",
            words.len()
        );
        let address = words.as_ptr().addr();
        SharedBytes {
            start: (address.next_multiple_of(ALIGN) - address) / WORD,
            words: Arc::new(words),
            len,
        }
    }

    /// Bytes with these contents.
    pub fn new(contents: &[u8]) -> SharedBytes {
        let bytes = SharedBytes::zeroed(contents.len());
        bytes.write(0, contents);
        bytes
    }

    /// Some of the bytes, from a multiple of 4 on.
    pub fn part(&self, offset: usize, len: usize) -> SharedBytes {
        assert!(
            offset.is_multiple_of(WORD),
            "a part begins at a word, not at byte {offset}"
        );
        self.check(offset, len);
        SharedBytes {
            words: Arc::clone(&self.words),
            start: self.start + offset / WORD,
            len,
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The words that hold them. If the last one is not theirs alone, its upper bytes may be
    /// others'.
    pub fn words(&self) -> &[AtomicU32] {
        &self.words[self.start..self.start + self.len.div_ceil(WORD)]
    }

    /// Where the first byte is, for code that accesses them as plain memory.
    pub fn as_mut_ptr(&self) -> *mut u8 {
        let first = self.words.as_ptr().wrapping_add(self.start);
        first.cast_mut().cast()
    }

    /// Whether some byte belongs to both.
    pub fn overlaps(&self, other: &SharedBytes) -> bool {
        let end = |of: &SharedBytes| of.start * WORD + of.len;
        Arc::ptr_eq(&self.words, &other.words)
            && self.start * WORD < end(other)
            && other.start * WORD < end(self)
    }

    /// The bytes from the first to the last of both, if they are parts of the same.
    pub fn hull(&self, other: &SharedBytes) -> Option<SharedBytes> {
        let end = |of: &SharedBytes| of.start * WORD + of.len;
        let start = self.start.min(other.start);
        Arc::ptr_eq(&self.words, &other.words).then(|| SharedBytes {
            words: Arc::clone(&self.words),
            start,
            len: end(self).max(end(other)) - start * WORD,
        })
    }

    /// How far behind the first byte of `whole`, of which they are a part, these begin.
    pub fn offset_in(&self, whole: &SharedBytes) -> usize {
        assert!(
            Arc::ptr_eq(&self.words, &whole.words) && whole.start <= self.start,
            "they are a part of it"
        );
        (self.start - whole.start) * WORD
    }

    fn check(&self, offset: usize, len: usize) {
        assert!(
            offset <= self.len && len <= self.len - offset,
            "there are {} bytes, not {len} from {offset} on",
            self.len
        );
    }

    /// Copies bytes out.
    pub fn read(&self, offset: usize, bytes: &mut [u8]) {
        self.check(offset, bytes.len());
        let Pieces { head, whole, tail } = Pieces::of(offset, bytes.len());
        let words = self.words();
        let (first, rest) = bytes.split_at_mut(head.len);
        let mut chunks = rest.chunks_exact_mut(WORD);
        for (chunk, word) in (&mut chunks).zip(&words[whole]) {
            chunk.copy_from_slice(&word.load(Relaxed).to_le_bytes());
        }
        for (piece, bytes) in [(head, first), (tail, chunks.into_remainder())] {
            if piece.len > 0 {
                let word = words[piece.word].load(Relaxed).to_le_bytes();
                bytes.copy_from_slice(&word[piece.at..piece.at + piece.len]);
            }
        }
    }

    /// Copies bytes in.
    pub fn write(&self, offset: usize, bytes: &[u8]) {
        self.check(offset, bytes.len());
        let Pieces { head, whole, tail } = Pieces::of(offset, bytes.len());
        let words = self.words();
        let (first, rest) = bytes.split_at(head.len);
        let chunks = rest.chunks_exact(WORD);
        for (piece, bytes) in [(head, first), (tail, chunks.remainder())] {
            if piece.len > 0 {
                let (mut mask, mut bits) = ([0; WORD], [0; WORD]);
                mask[piece.at..piece.at + piece.len].fill(0xff);
                bits[piece.at..piece.at + piece.len].copy_from_slice(bytes);
                replace(
                    &words[piece.word],
                    u32::from_le_bytes(mask),
                    u32::from_le_bytes(bits),
                );
            }
        }
        for (chunk, word) in chunks.zip(&words[whole]) {
            let bits = u32::from_le_bytes(chunk.try_into().expect("four bytes"));
            word.store(bits, Relaxed);
        }
    }

    /// Writes a pattern again and again, the last time as much of it as there is room for.
    pub fn fill(&self, offset: usize, len: usize, pattern: &[u8]) {
        self.check(offset, len);
        assert!(!pattern.is_empty(), "there is something to fill with");
        let times = (CHUNK / pattern.len()).max(1);
        let chunk = pattern.repeat(times);
        let end = offset + len;
        for at in (offset..end).step_by(chunk.len()) {
            self.write(at, &chunk[..chunk.len().min(end - at)]);
        }
    }

    /// Copies `len` bytes that begin at byte `source` of `from` to byte `offset` on. They may
    /// overlap.
    pub fn copy(&self, offset: usize, from: &SharedBytes, source: usize, len: usize) {
        self.check(offset, len);
        from.check(source, len);
        let mut chunk = [0; CHUNK];
        let mut move_chunk = |at: usize| {
            let bytes = &mut chunk[..CHUNK.min(len - at)];
            from.read(source + at, bytes);
            self.write(offset + at, bytes);
        };
        // What is behind its source must not be written before the source is read.
        let place = |bytes: &SharedBytes, at: usize| bytes.start * WORD + at;
        let behind = place(self, offset) > place(from, source);
        let starts = (0..len).step_by(CHUNK);
        match Arc::ptr_eq(&self.words, &from.words) && behind {
            true => starts.rev().for_each(&mut move_chunk),
            false => starts.for_each(&mut move_chunk),
        }
    }

    /// The line that begins at a byte; what is beyond the end is zero.
    #[inline]
    pub(crate) fn line(&self, offset: usize) -> Line {
        let bytes = (self.len - offset).min(LINE as usize);
        let first = self.start + offset / WORD;
        let words = &self.words[first..first + bytes.div_ceil(WORD)];
        let mut line = [0; 8];
        for (at, word) in words.iter().enumerate() {
            line[at / 2] |= u64::from(word.load(Relaxed)) << (32 * (at % 2));
        }
        if !bytes.is_multiple_of(WORD) {
            let keep = u64::MAX >> (64 - 8 * (bytes % 8));
            line[bytes / 8] &= keep;
        }
        line
    }

    /// Changes those bytes of the line that begins at a byte whose bit in `mask` is set.
    #[inline]
    pub(crate) fn write_line(&self, offset: usize, mask: u64, line: &Line) -> Fit {
        let bytes = (self.len - offset).min(LINE as usize);
        let room = u64::MAX >> (LINE as usize - bytes);
        let first = self.start + offset / WORD;
        let words = &self.words[first..first + bytes.div_ceil(WORD)];
        for (at, pair) in words.chunks(2).enumerate() {
            let mask = byte_mask(((mask & room) >> (8 * at)) as u8);
            for (half, word) in pair.iter().enumerate() {
                let shift = 32 * half;
                replace(word, (mask >> shift) as u32, (line[at] >> shift) as u32);
            }
        }
        match mask & !room {
            0 => Fit::Whole,
            _ => Fit::Cut,
        }
    }
}

/// Whether there was room for what was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fit {
    /// For all.
    Whole,
    /// Some bytes were beyond the end.
    Cut,
}

/// Replaces the bits of `mask` in a word; others may be writing its other bytes.
#[inline]
fn replace(word: &AtomicU32, mask: u32, bits: u32) {
    match mask {
        0 => {}
        u32::MAX => word.store(bits, Relaxed),
        mask => {
            let update = |old: u32| Some(old & !mask | bits & mask);
            let result = word.fetch_update(Relaxed, Relaxed, update);
            result.expect("the update always gives a word");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZES: [usize; 9] = [0, 1, 3, 4, 5, 63, 64, 65, 200];

    fn numbers(len: usize) -> Vec<u8> {
        (0..len).map(|at| (at * 7 + 1) as u8).collect()
    }

    fn contents(bytes: &SharedBytes) -> Vec<u8> {
        let mut contents = vec![0xee; bytes.len()];
        bytes.read(0, &mut contents);
        contents
    }

    #[test]
    fn what_is_written_is_read_at_any_place_and_size() {
        for size in SIZES {
            for offset in 0..=size {
                for len in 0..=(size - offset).min(9) {
                    let bytes = SharedBytes::new(&vec![0xaa; size]);
                    bytes.write(offset, &numbers(len));
                    let mut expected = vec![0xaa; size];
                    expected[offset..offset + len].copy_from_slice(&numbers(len));
                    assert_eq!(contents(&bytes), expected, "{len} at {offset} of {size}");
                    let mut found = vec![0; len];
                    bytes.read(offset, &mut found);
                    assert_eq!(found, numbers(len), "{len} at {offset} of {size}");
                }
            }
        }
    }

    #[test]
    fn fresh_bytes_are_aligned_and_plain_memory() {
        for size in SIZES {
            let bytes = SharedBytes::new(&numbers(size));
            assert_eq!(bytes.as_mut_ptr().addr() % ALIGN, 0);
            let part = bytes.part(size / 8 * 4, size / 3);
            let distance = part.as_mut_ptr().addr() - bytes.as_mut_ptr().addr();
            assert_eq!(distance, size / 8 * 4);
        }
    }

    #[test]
    fn a_part_is_the_same_memory_and_nothing_beyond() {
        let bytes = SharedBytes::new(&[0; 65]);
        let part = bytes.part(60, 3);
        part.write(0, &[1, 2, 3]);
        assert_eq!(contents(&bytes)[59..], [0, 1, 2, 3, 0, 0]);
        let again = bytes.part(4, 61).part(56, 5);
        assert_eq!(contents(&again), [1, 2, 3, 0, 0]);
        assert_eq!(again.offset_in(&bytes), 60);
        let fit = part.write_line(0, u64::MAX, &[u64::MAX; 8]);
        assert_eq!(
            (fit, &contents(&again)[..]),
            (Fit::Cut, &[255, 255, 255, 0, 0][..])
        );
    }

    #[test]
    fn parts_overlap_if_they_have_a_byte_in_common() {
        let bytes = SharedBytes::zeroed(64);
        let (low, high, middle) = (bytes.part(0, 8), bytes.part(8, 8), bytes.part(4, 5));
        assert!(!low.overlaps(&high) && !high.overlaps(&low));
        assert!(low.overlaps(&middle) && middle.overlaps(&high) && bytes.overlaps(&middle));
        assert!(!bytes.overlaps(&SharedBytes::zeroed(64)));
        let hull = low
            .hull(&bytes.part(16, 3))
            .expect("they are parts of the same");
        assert_eq!((hull.len(), hull.offset_in(&bytes)), (19, 0));
        assert!(low.hull(&SharedBytes::zeroed(8)).is_none());
    }

    #[test]
    fn lines_end_where_the_bytes_do() {
        for size in SIZES.into_iter().filter(|&size| size > 0) {
            let bytes = SharedBytes::new(&[&numbers(size)[..], &[0xff; 64]].concat()).part(0, size);
            for offset in (0..size).step_by(64) {
                let line = bytes.line(offset).map(u64::to_le_bytes).concat();
                let mut expected = numbers(size)[offset..size.min(offset + 64)].to_vec();
                expected.resize(64, 0);
                assert_eq!(line, expected, "{offset} of {size}");
            }
        }
    }

    #[test]
    fn lines_are_written_by_bytes() {
        for mask in [
            1,
            0xff,
            0x8000_0000_0000_0000,
            0x0ff0_1234_5678_9abc,
            u64::MAX,
        ] {
            let bytes = SharedBytes::new(&[0x55; 128]);
            let fit = bytes.write_line(64, mask, &[0x8877_6655_4433_2211; 8]);
            let expected = (0..64).map(|at| match mask >> at & 1 {
                0 => 0x55,
                _ => (at % 8 + 1) as u8 * 0x11,
            });
            let expected: Vec<u8> = expected.collect();
            assert_eq!((fit, &contents(&bytes)[64..]), (Fit::Whole, &expected[..]));
            assert_eq!(contents(&bytes)[..64], [0x55; 64]);
        }
    }

    #[test]
    fn fills_repeat_the_pattern() {
        let bytes = SharedBytes::zeroed(10_000);
        bytes.fill(3, 9_990, &[1, 2, 3]);
        let expected = (0..10_000).map(|at| match at {
            3..9_993 => (at % 3 + 1) as u8,
            _ => 0,
        });
        assert_eq!(contents(&bytes), expected.collect::<Vec<u8>>());
    }

    #[test]
    fn copies_may_overlap() {
        for (from, to) in [(0, 5), (5, 0), (100, 4_999), (4_999, 100), (3, 3)] {
            let bytes = SharedBytes::new(&numbers(20_000));
            let mut expected = numbers(20_000);
            expected.copy_within(from..from + 10_001, to);
            bytes.copy(to, &bytes.part(0, 20_000), from, 10_001);
            assert_eq!(contents(&bytes), expected, "{from} to {to}");
        }
    }

    #[test]
    fn threads_write_different_bytes_of_a_word() {
        let bytes = SharedBytes::zeroed(4);
        std::thread::scope(|scope| {
            for at in 0..4 {
                let bytes = &bytes;
                scope.spawn(move || (0..=200).for_each(|value| bytes.write(at, &[value])));
            }
        });
        assert_eq!(contents(&bytes), [200; 4]);
    }

    #[test]
    #[should_panic(expected = "there are 5 bytes, not 2 from 4 on")]
    fn nothing_is_read_beyond_the_end() {
        SharedBytes::zeroed(5).read(4, &mut [0; 2]);
    }
}
