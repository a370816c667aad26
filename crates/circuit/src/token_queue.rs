//! Tokens in a row, without an allocation per token.

/// Copies a token. Most have few fields, and where a token is copied it always has the same number
/// of them: comparing is faster than a jump through a table, or a call.
#[inline(always)]
pub(crate) fn copy_token(from: &[u64], to: &mut [u64]) {
    assert_eq!(from.len(), to.len(), "tokens of one shape");
    if let ([a], [x]) = (from, &mut *to) {
        *x = *a;
    } else if let ([a, b], [x, y]) = (from, &mut *to) {
        (*x, *y) = (*a, *b);
    } else if let ([a, b, c], [x, y, z]) = (from, &mut *to) {
        (*x, *y, *z) = (*a, *b, *c);
    } else if let ([a, b, c, d], [x, y, z, w]) = (from, &mut *to) {
        (*x, *y, *z, *w) = (*a, *b, *c, *d);
    } else if !from.is_empty() {
        to.copy_from_slice(from);
    }
}

/// A queue of tokens of one shape: a ring, whose places are a power of two.
#[derive(Clone, Debug)]
pub struct TokenQueue {
    words: Vec<u64>,
    fields: usize,
    first: usize,
    len: usize,
    /// The number of places, less one.
    mask: usize,
}

impl TokenQueue {
    /// An empty queue of tokens with this many fields.
    pub fn new(fields: usize) -> TokenQueue {
        const PLACES: usize = 4;
        TokenQueue {
            words: vec![0; PLACES * fields],
            fields,
            first: 0,
            len: 0,
            mask: PLACES - 1,
        }
    }

    /// Number of tokens.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds a token at the end.
    #[inline]
    pub fn push(&mut self, token: &[u64]) {
        copy_token(token, self.place());
    }

    /// Adds a token at the end, to be written there: what stands there means nothing.
    #[inline]
    pub fn place(&mut self) -> &mut [u64] {
        if self.len > self.mask {
            self.grow();
        }
        let at = ((self.first + self.len) & self.mask) * self.fields;
        self.len += 1;
        &mut self.words[at..at + self.fields]
    }

    #[cold]
    fn grow(&mut self) {
        self.words.rotate_left(self.first * self.fields);
        self.first = 0;
        self.mask = 2 * self.mask + 1;
        self.words.resize((self.mask + 1) * self.fields, 0);
    }

    /// The first token.
    #[inline]
    pub fn front(&self) -> &[u64] {
        assert!(self.len > 0, "the queue has a token");
        let at = self.first * self.fields;
        &self.words[at..at + self.fields]
    }

    /// Drops the first token.
    #[inline]
    pub fn pop(&mut self) {
        assert!(self.len > 0, "the queue has a token");
        self.first = (self.first + 1) & self.mask;
        self.len -= 1;
    }

    /// Drops all tokens.
    pub fn clear(&mut self) {
        (self.first, self.len) = (0, 0);
    }
}
