//! Tokens in a row, without an allocation per token.

use std::collections::VecDeque;

/// A queue of tokens of one shape.
#[derive(Clone, Debug)]
pub struct TokenQueue {
    words: VecDeque<u64>,
    fields: usize,
    len: usize,
}

impl TokenQueue {
    /// An empty queue of tokens with this many fields.
    pub fn new(fields: usize) -> TokenQueue {
        TokenQueue {
            words: VecDeque::new(),
            fields,
            len: 0,
        }
    }

    /// Number of tokens.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds a token at the end.
    pub fn push(&mut self, token: &[u64]) {
        debug_assert_eq!(token.len(), self.fields);
        self.words.extend(token);
        self.len += 1;
    }

    /// The first token.
    pub fn front(&mut self) -> &[u64] {
        assert!(self.len > 0, "the queue has a token");
        if self.words.as_slices().0.len() < self.fields {
            self.words.make_contiguous();
        }
        &self.words.as_slices().0[..self.fields]
    }

    /// Drops the first token.
    pub fn pop(&mut self) {
        assert!(self.len > 0, "the queue has a token");
        self.words.drain(..self.fields);
        self.len -= 1;
    }

    /// Drops all tokens.
    pub fn clear(&mut self) {
        self.words.clear();
        self.len = 0;
    }
}
