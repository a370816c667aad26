//! A place in the token list, and the expectations of the parser there.

use std::str::FromStr;

use super::lex::{ParseError, Pos, Token, lex};
use crate::ir::{Space, Type};

pub(super) struct Cursor<'s> {
    tokens: Vec<(Token<'s>, Pos)>,
    at: usize,
}

/// An entity as written: `v12.name` is number 12 with a name.
pub(super) struct Written<'s> {
    pub number: u32,
    pub name: Option<&'s str>,
    pub pos: Pos,
}

impl<'s> Cursor<'s> {
    pub fn new(source: &'s str) -> Result<Cursor<'s>, ParseError> {
        Ok(Cursor {
            tokens: lex(source)?,
            at: 0,
        })
    }

    /// The next token.
    pub fn peek(&self) -> &Token<'s> {
        &self.tokens[self.at].0
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

    pub fn punct(&mut self, punct: char) -> Result<(), ParseError> {
        match self.eat(punct) {
            true => Ok(()),
            false => Err(self.expected(&format!("`{punct}`"))),
        }
    }

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

    pub fn text(&mut self, what: &str) -> Result<String, ParseError> {
        let Token::Text(text) = self.peek() else {
            return Err(self.expected(what));
        };
        let text = text.clone();
        self.advance();
        Ok(text)
    }

    pub fn bytes(&mut self) -> Result<Vec<u8>, ParseError> {
        let Token::Bytes(bytes) = self.peek() else {
            return Err(self.expected("the table's bytes such as `x\"00ff\"`"));
        };
        let bytes = bytes.clone();
        self.advance();
        Ok(bytes)
    }

    pub fn ty(&mut self) -> Result<Type, ParseError> {
        self.word("a type", type_from_name)
    }

    pub fn space(&mut self) -> Result<Space, ParseError> {
        self.word("an address space", space_from_name)
    }

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

    /// Whether an entity with this prefix is next.
    pub fn at_entity(&self, prefix: char) -> bool {
        matches!(*self.peek(), Token::Word(word) if split_entity(prefix, word).is_some())
    }

    /// An entity that may have a name.
    pub fn entity(&mut self, prefix: char, what: &str) -> Result<Written<'s>, ParseError> {
        let pos = self.pos();
        let (digits, name) = self.word(what, |word| split_entity(prefix, word))?;
        let number = digits.parse().ok().filter(|&number| number < u32::MAX);
        let Some(number) = number else {
            return Err(pos.error(format!("`{prefix}{digits}` is too large a number")));
        };
        if name.is_some_and(|name| name.is_empty() || name.contains('.')) {
            return Err(pos.error("a name consists of letters, digits and `_`"));
        }
        Ok(Written { number, name, pos })
    }

    /// An entity where it is used: without a name.
    pub fn reference(&mut self, prefix: char, what: &str) -> Result<(u32, Pos), ParseError> {
        let Written { number, name, pos } = self.entity(prefix, what)?;
        match name {
            None => Ok((number, pos)),
            Some(_) => {
                let message =
                    format!("the name belongs to the definition: write `{prefix}{number}`");
                Err(pos.error(message))
            }
        }
    }
}

/// The digits and the name of `v12.name`.
fn split_entity(prefix: char, word: &str) -> Option<(&str, Option<&str>)> {
    let word = word.strip_prefix(prefix)?;
    let (digits, name) = match word.split_once('.') {
        Some((digits, name)) => (digits, Some(name)),
        None => (word, None),
    };
    let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    is_number.then_some((digits, name))
}

/// The type with this name. Whether an integer's width is one that exists is for the verifier.
pub(super) fn type_from_name(name: &str) -> Option<Type> {
    match name {
        "f16" => Some(Type::F16),
        "f32" => Some(Type::F32),
        "f64" => Some(Type::F64),
        _ => match name.strip_prefix("ptr.") {
            Some(space) => space_from_name(space).map(Type::Ptr),
            None => name.strip_prefix('i')?.parse().ok().map(Type::Int),
        },
    }
}

fn space_from_name(name: &str) -> Option<Space> {
    let (space, _) = Space::NAMES.iter().find(|(_, known)| *known == name)?;
    Some(*space)
}
