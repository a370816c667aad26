//! A place in the token list, and the expectations of the parser there.

use std::str::FromStr;

use super::lex::{ParseError, Pos, Syntax, Token, lex};

/// The place.
pub struct Cursor<'s> {
    tokens: Vec<(Token<'s>, Pos)>,
    at: usize,
}

impl<'s> Cursor<'s> {
    /// The beginning of a text.
    pub fn new(syntax: Syntax, source: &'s str) -> Result<Cursor<'s>, ParseError> {
        Ok(Cursor {
            tokens: lex(syntax, source)?,
            at: 0,
        })
    }

    /// The next token.
    pub fn peek(&self) -> &Token<'s> {
        &self.tokens[self.at].0
    }

    /// The token behind the next one.
    pub fn peek_second(&self) -> &Token<'s> {
        let last = self.tokens.len() - 1;
        &self.tokens[(self.at + 1).min(last)].0
    }

    /// The next token's place.
    pub fn pos(&self) -> Pos {
        self.tokens[self.at].1
    }

    /// Goes past the next token, except past the end.
    pub fn advance(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    /// The error that something else was expected here.
    pub fn expected(&self, what: &str) -> ParseError {
        let found = self.peek();
        self.pos().error(format!("expected {what}, found {found}"))
    }

    /// Goes past a punctuation mark if it is next.
    pub fn eat(&mut self, punct: char) -> bool {
        let is_next = *self.peek() == Token::Punct(punct);
        if is_next {
            self.advance();
        }
        is_next
    }

    /// Goes past a word if it is next.
    pub fn eat_word(&mut self, word: &str) -> bool {
        let is_next = *self.peek() == Token::Word(word);
        if is_next {
            self.advance();
        }
        is_next
    }

    /// Goes past a punctuation mark, which must be next.
    pub fn punct(&mut self, punct: char) -> Result<(), ParseError> {
        match self.eat(punct) {
            true => Ok(()),
            false => Err(self.expected(&format!("`{punct}`"))),
        }
    }

    /// Goes past a word, which must be next.
    pub fn keyword(&mut self, word: &str) -> Result<(), ParseError> {
        match self.eat_word(word) {
            true => Ok(()),
            false => Err(self.expected(&format!("`{word}`"))),
        }
    }

    /// A word that `read` understands.
    pub fn word<T>(
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
    pub fn number<T: FromStr>(&mut self, what: &str) -> Result<T, ParseError> {
        let number = match self.peek() {
            Token::Number(text) => text.parse().ok(),
            _ => None,
        };
        let number = number.ok_or_else(|| self.expected(what))?;
        self.advance();
        Ok(number)
    }

    /// Bits: a decimal, or `0x` and hexadecimal digits.
    pub fn bits(&mut self) -> Result<u64, ParseError> {
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
    pub fn name(&mut self, what: &str) -> Result<String, ParseError> {
        let name = match self.peek() {
            Token::Word(word) => word.to_string(),
            Token::Text(text) => text.clone(),
            _ => return Err(self.expected(what)),
        };
        self.advance();
        Ok(name)
    }

    /// A string.
    pub fn text(&mut self, what: &str) -> Result<String, ParseError> {
        let Token::Text(text) = self.peek() else {
            return Err(self.expected(what));
        };
        let text = text.clone();
        self.advance();
        Ok(text)
    }

    /// A byte string.
    pub fn bytes(&mut self, what: &str) -> Result<Vec<u8>, ParseError> {
        let Token::Bytes(bytes) = self.peek() else {
            return Err(self.expected(what));
        };
        let bytes = bytes.clone();
        self.advance();
        Ok(bytes)
    }

    /// Goes past the end of a line, which must be next.
    pub fn end_of_line(&mut self) -> Result<(), ParseError> {
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
    pub fn numbered(&mut self, prefix: &str, what: &str) -> Result<u32, ParseError> {
        self.word(what, |word| number_behind(prefix, word))
    }

    /// Whether a numbered thing is next.
    pub fn at_numbered(&self, prefix: &str) -> bool {
        matches!(*self.peek(), Token::Word(word) if number_behind(prefix, word).is_some())
    }
}

fn number_behind(prefix: &str, word: &str) -> Option<u32> {
    let digits = word.strip_prefix(prefix)?;
    let is_number = digits.bytes().all(|b| b.is_ascii_digit());
    is_number.then(|| digits.parse().ok())?
}
