//! A place in the token list, and the expectations of the parser there.

use std::str::FromStr;

use super::lex::{ParseError, Pos, Token, lex};

/// The place.
pub(crate) struct Cursor<'s> {
    tokens: Vec<(Token<'s>, Pos)>,
    at: usize,
}

impl<'s> Cursor<'s> {
    /// The beginning of a text.
    pub(super) fn new(source: &'s str) -> Result<Cursor<'s>, ParseError> {
        Ok(Cursor {
            tokens: lex(source)?,
            at: 0,
        })
    }

    /// The next token.
    pub(super) fn peek(&self) -> &Token<'s> {
        &self.tokens[self.at].0
    }

    /// The token behind the next one.
    pub(super) fn peek_second(&self) -> &Token<'s> {
        let last = self.tokens.len() - 1;
        &self.tokens[(self.at + 1).min(last)].0
    }

    /// The next token's place.
    pub(crate) fn pos(&self) -> Pos {
        self.tokens[self.at].1
    }

    /// Goes past the next token, except past the end.
    pub(super) fn advance(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    /// The error that something else was expected here.
    pub(crate) fn expected(&self, what: &str) -> ParseError {
        let found = self.peek();
        self.pos().error(format!("expected {what}, found {found}"))
    }

    /// Goes past a punctuation mark if it is next.
    pub(crate) fn eat(&mut self, punct: char) -> bool {
        let is_next = *self.peek() == Token::Punct(punct);
        if is_next {
            self.advance();
        }
        is_next
    }

    /// Goes past a word if it is next.
    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let is_next = *self.peek() == Token::Word(word);
        if is_next {
            self.advance();
        }
        is_next
    }

    pub(crate) fn punct(&mut self, punct: char) -> Result<(), ParseError> {
        match self.eat(punct) {
            true => Ok(()),
            false => Err(self.expected(&format!("`{punct}`"))),
        }
    }

    pub(crate) fn keyword(&mut self, word: &str) -> Result<(), ParseError> {
        match self.eat_word(word) {
            true => Ok(()),
            false => Err(self.expected(&format!("`{word}`"))),
        }
    }

    /// A word that `read` understands.
    pub(crate) fn word<T>(
        &mut self,
        what: &str,
        read: impl FnOnce(&'s str) -> Option<T>,
    ) -> Result<T, ParseError> {
        let Token::Word(word) = *self.peek() else {
            return Err(self.expected(what));
        };
        let read = read(word).ok_or_else(|| self.expected(what))?;
        self.advance();
        Ok(read)
    }

    /// A number in the range of `T`.
    pub(crate) fn number<T: FromStr>(&mut self, what: &str) -> Result<T, ParseError> {
        let number = match self.peek() {
            Token::Number(text) => text.parse().ok(),
            _ => None,
        };
        let number = number.ok_or_else(|| self.expected(what))?;
        self.advance();
        Ok(number)
    }

    /// Bits: a decimal, or `0x` and hexadecimal digits.
    pub(super) fn bits(&mut self) -> Result<u64, ParseError> {
        let bits = match self.peek() {
            Token::Number(text) => match text.strip_prefix("0x") {
                Some(digits) => u64::from_str_radix(digits, 16).ok(),
                None => text.parse().ok(),
            },
            _ => None,
        };
        let bits = bits.ok_or_else(|| self.expected("a number of at most 64 bits"))?;
        self.advance();
        Ok(bits)
    }

    /// A name: a word, or a string if it is none.
    pub(crate) fn name(&mut self, what: &str) -> Result<String, ParseError> {
        let name = match self.peek() {
            Token::Word(word) => word.to_string(),
            Token::Text(text) => text.clone(),
            _ => return Err(self.expected(what)),
        };
        self.advance();
        Ok(name)
    }

    pub(super) fn bytes(&mut self) -> Result<Vec<u8>, ParseError> {
        let Token::Bytes(bytes) = self.peek() else {
            return Err(self.expected("bytes such as `x\"00ff\"`"));
        };
        let bytes = bytes.clone();
        self.advance();
        Ok(bytes)
    }

    pub(super) fn end_of_line(&mut self) -> Result<(), ParseError> {
        match self.peek() {
            Token::Newline => {
                self.advance();
                Ok(())
            }
            Token::End => Ok(()),
            _ => Err(self.expected("the end of the line")),
        }
    }

    /// A numbered thing such as `v12`.
    pub(super) fn numbered(&mut self, prefix: &str, what: &str) -> Result<u32, ParseError> {
        self.word(what, |word| number_behind(prefix, word))
    }

    /// Whether a numbered thing is next.
    pub(super) fn at_numbered(&self, prefix: &str) -> bool {
        matches!(*self.peek(), Token::Word(word) if number_behind(prefix, word).is_some())
    }
}

fn number_behind(prefix: &str, word: &str) -> Option<u32> {
    let digits = word.strip_prefix(prefix)?;
    let is_number = digits.bytes().all(|b| b.is_ascii_digit());
    is_number.then(|| digits.parse().ok())?
}
