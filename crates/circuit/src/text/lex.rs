//! Tokens of the text forms, circuits' and kernels'. Lines matter: each declaration, connection,
//! instruction or operation is one line.

use std::fmt;

/// Where a text is wrong, and why.
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
pub struct Pos {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
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
pub enum Token<'s> {
    /// Letters, digits and `_`, no digit first; dots where [`Words::Dotted`]: `v0.gid`, `f32x2`.
    Word(&'s str),
    /// Starts with a digit: `12`, `7.25`, `1e-7`, `0x3f80`; or with `-` where [`Words::Dotted`].
    Number(&'s str),
    /// `"..."`, unescaped.
    Text(String),
    /// `x"..."`, decoded.
    Bytes(Vec<u8>),
    /// One of the [`Syntax::punctuation`].
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

/// What texts are made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Syntax {
    /// How words and numbers are written.
    pub words: Words,
    /// The punctuation marks of one character.
    pub punctuation: &'static str,
}

/// How words and numbers are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Words {
    /// Dots belong to words and numbers, and a number may begin with `-`.
    Dotted,
    /// A dot belongs to a number only, before a digit; `<-` and `->` are tokens.
    Plain,
}

/// Splits a text into tokens; the last one is [`Token::End`].
pub fn lex(syntax: Syntax, source: &str) -> Result<Vec<(Token<'_>, Pos)>, ParseError> {
    let mut tokens = Vec::new();
    let mut line = 0;
    for text in source.lines() {
        line += 1;
        let before = tokens.len();
        let mut lexer = LineLexer {
            syntax,
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
    syntax: Syntax,
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
            '0'..='9' => Token::Number(self.number(0)),
            '-' if self.syntax.words == Words::Dotted => Token::Number(self.number(1)),
            '<' if self.is_arrow("<-") => {
                self.take(2);
                Token::From
            }
            '-' if self.is_arrow("->") => {
                self.take(2);
                Token::To
            }
            _ if self.syntax.punctuation.contains(first) => {
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

    fn is_arrow(&self, arrow: &str) -> bool {
        self.syntax.words == Words::Plain && self.rest.starts_with(arrow)
    }

    fn word(&mut self) -> &'s str {
        let has_dots = self.syntax.words == Words::Dotted;
        let is_inside = |c: char| c.is_ascii_alphanumeric() || c == '_' || (c == '.' && has_dots);
        let end = self.rest.find(|c| !is_inside(c));
        self.take(end.unwrap_or(self.rest.len()))
    }

    /// Takes the number that follows `start` bytes. The sign of a decimal exponent belongs to it.
    fn number(&mut self, start: usize) -> &'s str {
        let bytes = self.rest.as_bytes();
        let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
        let is_decimal = is_digit(start) && !self.rest[start..].starts_with("0x");
        let mut end = start;
        while let Some(&byte) = bytes.get(end) {
            let is_sign = is_decimal
                && matches!(byte, b'-' | b'+')
                && end > start
                && matches!(bytes[end - 1], b'e' | b'E');
            let continues = match self.syntax.words {
                Words::Dotted => {
                    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.') || is_sign
                }
                Words::Plain => {
                    let is_mark = byte == b'.' || is_sign;
                    byte.is_ascii_alphanumeric() || (is_mark && is_digit(end + 1))
                }
            };
            if !continues {
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
            c @ ('\\' | '"' | '\'') => c,
            'x' => {
                let digits = self.rest.get(..2)?;
                self.take(2);
                char::from(byte(digits.as_bytes()).filter(u8::is_ascii)?)
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
