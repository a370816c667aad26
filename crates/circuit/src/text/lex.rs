//! Tokens of the text form. Lines matter: each declaration, connection and operation is one line.

use std::fmt;

/// Why a text is not a circuit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// What was expected and what was found.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}

/// A place in the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Pos {
    pub(crate) line: u32,
    pub(crate) column: u32,
}

impl Pos {
    /// An error at this place.
    pub(crate) fn error(self, message: impl Into<String>) -> ParseError {
        ParseError {
            line: self.line,
            column: self.column,
            message: message.into(),
        }
    }
}

/// A token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token<'s> {
    /// Letters, digits and `_`, no digit first.
    Word(&'s str),
    /// Starts with a digit: `12`, `7.25`, `1e-7`, `0x3f80`.
    Number(&'s str),
    /// `"..."`, unescaped.
    Text(String),
    /// `x"..."`, decoded.
    Bytes(Vec<u8>),
    /// One of `: , . = $ ! { } [ ]`.
    Punct(char),
    /// `<-`: from a channel.
    From,
    /// `->`: to a channel.
    To,
    /// The end of a line that holds other tokens.
    Newline,
    /// The end of the text.
    End,
}

impl fmt::Display for Token<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Token::Word(text) | Token::Number(text) => write!(f, "`{text}`"),
            Token::Text(_) => f.write_str("a string"),
            Token::Bytes(_) => f.write_str("a byte string"),
            Token::Punct(c) => write!(f, "`{c}`"),
            Token::From => f.write_str("`<-`"),
            Token::To => f.write_str("`->`"),
            Token::Newline => f.write_str("the end of the line"),
            Token::End => f.write_str("the end of the text"),
        }
    }
}

/// Splits a text into tokens; the last one is [`Token::End`].
pub(super) fn lex(source: &str) -> Result<Vec<(Token<'_>, Pos)>, ParseError> {
    let mut tokens = Vec::new();
    let mut line = 0;
    for text in source.lines() {
        line += 1;
        let before = tokens.len();
        let mut lexer = LineLexer {
            rest: text,
            pos: Pos { line, column: 1 },
        };
        while let Some(token) = lexer.next_token()? {
            tokens.push(token);
        }
        if tokens.len() > before {
            tokens.push((Token::Newline, lexer.pos));
        }
    }
    let end = Pos {
        line: line + 1,
        column: 1,
    };
    tokens.push((Token::End, end));
    Ok(tokens)
}

struct LineLexer<'s> {
    rest: &'s str,
    pos: Pos,
}

impl<'s> LineLexer<'s> {
    fn next_token(&mut self) -> Result<Option<(Token<'s>, Pos)>, ParseError> {
        let blanks = self.rest.len() - self.rest.trim_start().len();
        self.take(blanks);
        let pos = self.pos;
        let Some(first) = self.rest.chars().next() else {
            return Ok(None);
        };
        let token = match first {
            ';' => return Ok(None),
            '"' => Token::Text(self.string()?),
            'x' if self.rest.starts_with("x\"") => Token::Bytes(self.bytes()?),
            'a'..='z' | 'A'..='Z' | '_' => Token::Word(self.word()),
            '0'..='9' => Token::Number(self.number()),
            '<' if self.rest.starts_with("<-") => {
                self.take(2);
                Token::From
            }
            '-' if self.rest.starts_with("->") => {
                self.take(2);
                Token::To
            }
            ':' | ',' | '.' | '=' | '$' | '!' | '{' | '}' | '[' | ']' => {
                self.take(1);
                Token::Punct(first)
            }
            other => return Err(pos.error(format!("unexpected character {other:?}"))),
        };
        Ok(Some((token, pos)))
    }

    /// Takes this many bytes.
    fn take(&mut self, bytes: usize) -> &'s str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.pos.column += taken.chars().count() as u32;
        self.rest = rest;
        taken
    }

    fn word(&mut self) -> &'s str {
        let is_inside = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let end = self.rest.find(|c| !is_inside(c));
        self.take(end.unwrap_or(self.rest.len()))
    }

    /// Takes letters, digits, and dots before digits. The sign of a decimal exponent belongs to its
    /// number.
    fn number(&mut self) -> &'s str {
        let bytes = self.rest.as_bytes();
        let is_decimal = !self.rest.starts_with("0x");
        let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
        let mut end = 1;
        while let Some(&byte) = bytes.get(end) {
            let continues = match byte {
                b'.' => is_digit(end + 1),
                b'-' | b'+' => {
                    is_decimal && matches!(bytes[end - 1], b'e' | b'E') && is_digit(end + 1)
                }
                _ => byte.is_ascii_alphanumeric(),
            };
            if !continues {
                break;
            }
            end += 1;
        }
        self.take(end)
    }

    /// Takes a string with the escapes that [`str::escape_default`] makes.
    fn string(&mut self) -> Result<String, ParseError> {
        let start = self.pos;
        self.take(1);
        let mut text = String::new();
        loop {
            let pos = self.pos;
            match self.next_char() {
                Some('"') => return Ok(text),
                Some('\\') => text.push(
                    self.escape()
                        .ok_or_else(|| pos.error("unknown escape in a string"))?,
                ),
                Some(c) => text.push(c),
                None => return Err(start.error("the string does not end on its line")),
            }
        }
    }

    fn next_char(&mut self) -> Option<char> {
        let c = self.rest.chars().next()?;
        self.take(c.len_utf8());
        Some(c)
    }

    /// Takes what follows a backslash.
    fn escape(&mut self) -> Option<char> {
        Some(match self.next_char()? {
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            c @ ('\\' | '"' | '\'') => c,
            'u' => {
                let digits = self.rest.strip_prefix('{')?;
                let digits = &digits[..digits.find('}')?];
                self.take(digits.len() + 2);
                char::from_u32(u32::from_str_radix(digits, 16).ok()?)?
            }
            _ => return None,
        })
    }

    /// Takes `x"..."`.
    fn bytes(&mut self) -> Result<Vec<u8>, ParseError> {
        let start = self.pos;
        self.take(2);
        let Some(length) = self.rest.find('"') else {
            return Err(start.error("the byte string does not end on its line"));
        };
        let digits = self.take(length);
        self.take(1);
        let pairs = digits.as_bytes().chunks(2);
        pairs
            .map(byte)
            .collect::<Option<Vec<u8>>>()
            .ok_or_else(|| start.error("a byte string holds pairs of hexadecimal digits"))
    }
}

/// The byte that two hexadecimal digits stand for.
fn byte(digits: &[u8]) -> Option<u8> {
    let &[high, low] = digits else {
        return None;
    };
    let digit = |c: u8| char::from(c).to_digit(16);
    Some((digit(high)? << 4 | digit(low)?) as u8)
}
