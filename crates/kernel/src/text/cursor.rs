//! What the parser of kernels expects at a place of its text, beyond what all text forms have.

use std::ops::{Deref, DerefMut};

use sluice_circuit::text::{Cursor as Tokens, ParseError, Pos, Syntax, Token, Words};

use crate::ir::{Space, Type};

/// How kernels are written.
const SYNTAX: Syntax = Syntax {
    words: Words::Dotted,
    punctuation: ":,=(){}!",
};

/// What a byte string is called in messages.
pub(super) const TABLE_BYTES: &str = "the table's bytes such as `x\"00ff\"`";

/// A place in the text of a kernel.
pub(super) struct Cursor<'s>(Tokens<'s>);

impl<'s> Deref for Cursor<'s> {
    type Target = Tokens<'s>;

    fn deref(&self) -> &Tokens<'s> {
        &self.0
    }
}

impl DerefMut for Cursor<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

/// An entity as written: `v12.name` is number 12 with a name.
pub(super) struct Written<'s> {
    pub number: u32,
    pub name: Option<&'s str>,
    pub pos: Pos,
}

impl<'s> Cursor<'s> {
    pub fn new(source: &'s str) -> Result<Cursor<'s>, ParseError> {
        Tokens::new(SYNTAX, source).map(Cursor)
    }

    pub fn ty(&mut self) -> Result<Type, ParseError> {
        self.word("a type", type_from_name)
    }

    pub fn space(&mut self) -> Result<Space, ParseError> {
        self.word("an address space", space_from_name)
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
