//! Tokens of the text form. Lines matter: each declaration, label and instruction is one line.

use std::fmt;

/// Why a text is not a kernel.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct ParseError {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// What was expected and what was found.
    pub message: String,
}

/// A place in the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pos {
    pub line: u32,
    pub column: u32,
}

impl Pos {
    /// An error at this place.
    pub fn error(self, message: impl Into<String>) -> ParseError {
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
    /// Starts with a letter or `_`; dots belong to it: `v0.gid`, `ptr.global`, `f32x2`.
    Word(&'s str),
    /// Starts with a digit or `-`: `12`, `2.3`, `-1e-7`, `0x7fc00001`, `-inf`.
    Number(&'s str),
    /// `"..."`, unescaped.
    Text(String),
    /// `x"..."`, decoded.
    Bytes(Vec<u8>),
    /// One of `: , = ( ) { } !`.
    Punct(char),
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
            'a'..='z' | 'A'..='Z' | '_' => Token::Word(self.run(0)),
            '0'..='9' => Token::Number(self.run(0)),
            '-' => Token::Number(self.run(1)),
            ':' | ',' | '=' | '(' | ')' | '{' | '}' | '!' => {
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

    /// Takes the letters, digits, `_` and `.` that follow `start` bytes. The sign of a decimal
    /// exponent belongs to its number.
    fn run(&mut self, start: usize) -> &'s str {
        let bytes = self.rest.as_bytes();
        let is_decimal = bytes[start..].first().is_some_and(u8::is_ascii_digit)
            && !self.rest[start..].starts_with("0x");
        let mut end = start;
        while let Some(&byte) = bytes.get(end) {
            let is_sign = is_decimal
                && matches!(byte, b'-' | b'+')
                && end > start
                && matches!(bytes[end - 1], b'e' | b'E');
            if !(byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'.' || is_sign) {
                break;
            }
            end += 1;
        }
        self.take(end)
    }

    /// Takes a string with Rust's escapes.
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
            '0' => '\0',
            '\\' => '\\',
            '"' => '"',
            '\'' => '\'',
            'x' => {
                let digits = self.rest.get(..2)?;
                self.take(2);
                char::from(hex_byte(digits).filter(u8::is_ascii)?)
            }
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
            .map(|pair| std::str::from_utf8(pair).ok().and_then(hex_byte))
            .collect::<Option<Vec<u8>>>()
            .ok_or_else(|| start.error("a byte string holds pairs of hexadecimal digits"))
    }
}

/// The byte that two hexadecimal digits stand for.
fn hex_byte(digits: &str) -> Option<u8> {
    let is_pair = digits.len() == 2 && digits.bytes().all(|d| d.is_ascii_hexdigit());
    is_pair.then(|| u8::from_str_radix(digits, 16).ok())?
}
