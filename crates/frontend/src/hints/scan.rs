//! Finds hints in the text of a source, and the loop statements behind them.

use std::iter::Peekable;
use std::str::Chars;

use super::{Directive, Scanned, SourceHint};
use crate::diagnostics::Location;

/// The hints in a source with this name.
pub(crate) fn scan(name: &str, text: &str) -> Scanned {
    let mut tokens = Tokens::of(text);
    let mut search = Search {
        name,
        text,
        pending: Vec::new(),
        found: Scanned {
            hints: Vec::new(),
            warnings: String::new(),
        },
    };
    while let Some((token, at)) = tokens.next() {
        match token {
            Token::Directive(line) => search.directive(&line, at),
            Token::Word(word) if word == "__attribute__" || word == "__attribute" => {
                search.attribute(&mut tokens);
            }
            Token::Word(word) if ["for", "while", "do"].contains(&word.as_str()) => {
                search.take(at);
            }
            // A label.
            Token::Word(_) if tokens.peek_is(':') => {
                tokens.next();
            }
            Token::Word(_) | Token::Other(_) => search.give_up(),
        }
    }
    search.give_up();
    search.found
}

/// A line and a column, from 1.
type Position = (u32, u32);

struct Search<'t> {
    name: &'t str,
    text: &'t str,
    /// Hints whose statement has not been seen yet.
    pending: Vec<(Directive, String, Position)>,
    found: Scanned,
}

impl Search<'_> {
    /// A line that begins with `#`.
    fn directive(&mut self, line: &str, at: Position) {
        let Some(pragma) = line.trim_start().strip_prefix("pragma") else {
            return;
        };
        let pragma = pragma.trim();
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let end = pragma.find(|c: char| !is_part(c)).unwrap_or(pragma.len());
        if Directive::is_pragma(&pragma[..end]) {
            self.hint(pragma, at);
        }
    }

    /// `((a, b(2)))`: the hints among the attributes.
    fn attribute(&mut self, tokens: &mut Tokens<'_>) {
        let mut depth = 0;
        let mut hint: Option<(String, Position)> = None;
        while let Some((token, at)) = tokens.next() {
            match token {
                Token::Other('(') => depth += 1,
                Token::Other(')') => depth -= 1,
                Token::Word(word) if depth == 2 && Directive::is_attribute(&word) => {
                    hint = Some((word, at));
                    continue;
                }
                Token::Word(word) => {
                    if let (Some((text, _)), 3) = (&mut hint, depth) {
                        *text = format!("{text}({word})");
                    }
                }
                Token::Other(_) | Token::Directive(_) => {}
            }
            let has_ended = depth <= 1 || (depth == 2 && !matches!(tokens.peek(), Some('(')));
            if has_ended && let Some((text, at)) = hint.take() {
                self.hint(&text, at);
            }
            if depth <= 0 {
                return;
            }
        }
    }

    fn hint(&mut self, text: &str, at: Position) {
        match Directive::parse(text) {
            Ok(directive) => {
                if let Some(array) = directive.array()
                    && !is_mentioned(self.text, array)
                {
                    let message = format!("there is no `{array}`: the hint is ignored");
                    self.warn(
                        at,
                        &message,
                        "`array` takes the name of a buffer or an array",
                    );
                }
                self.pending.push((directive, text.to_owned(), at));
            }
            Err(expected) => {
                let message = format!("{expected}: the hint is ignored");
                self.warn(at, &message, "hints take numbers as digits, not as macros");
            }
        }
    }

    fn warn(&mut self, (line, column): Position, message: &str, help: &str) {
        let name = self.name;
        self.found.warnings +=
            &format!("{name}:{line}:{column}: warning: {message}\nhelp: {help}\n");
    }

    /// A loop statement takes what precedes it.
    fn take(&mut self, (line, column): Position) {
        let pending = std::mem::take(&mut self.pending);
        let hints = pending.into_iter().map(|(_, directive, _)| SourceHint {
            place: Location {
                file: self.name.to_owned(),
                line,
                column,
            },
            directive,
        });
        self.found.hints.extend(hints);
    }

    /// What follows is no loop.
    fn give_up(&mut self) {
        for (directive, text, at) in std::mem::take(&mut self.pending) {
            if directive.needs_loop() {
                let message = format!("no loop follows `{text}`: the hint is ignored");
                self.warn(
                    at,
                    &message,
                    "it stands directly before `for`, `while` or `do`",
                );
            }
        }
    }
}

/// Whether a name occurs other than in `array(NAME)`.
fn is_mentioned(text: &str, name: &str) -> bool {
    let mut tokens = Tokens::of(text);
    std::iter::from_fn(|| tokens.next()).any(|(token, _)| match token {
        Token::Word(word) => word == name,
        Token::Directive(line) => !line.trim_start().starts_with("pragma") && line.contains(name),
        Token::Other(_) => false,
    })
}

/// A part of a source.
enum Token {
    /// An identifier, a keyword or a number.
    Word(String),
    /// A line that begins with `#`, with its continuations, without the `#`.
    Directive(String),
    /// Any other character; what is in quotes is one.
    Other(char),
}

/// The tokens of a source, without comments.
struct Tokens<'t> {
    rest: Peekable<Chars<'t>>,
    at: Position,
    /// Nothing but white space has come on this line.
    is_at_start: bool,
}

impl<'t> Tokens<'t> {
    fn of(text: &'t str) -> Tokens<'t> {
        Tokens {
            rest: text.chars().peekable(),
            at: (1, 1),
            is_at_start: true,
        }
    }

    /// Columns count bytes, as clang's do.
    fn advance(&mut self) -> Option<char> {
        let c = self.rest.next()?;
        match c {
            '\n' => self.at = (self.at.0 + 1, 1),
            c => self.at.1 += c.len_utf8() as u32,
        }
        Some(c)
    }

    /// The next character that is no white space or comment.
    fn peek(&mut self) -> Option<char> {
        self.skip();
        self.rest.peek().copied()
    }

    fn peek_is(&mut self, wanted: char) -> bool {
        self.peek() == Some(wanted)
    }

    fn followed_by(&self, second: char) -> bool {
        self.rest.clone().nth(1) == Some(second)
    }

    /// Skips white space and comments.
    fn skip(&mut self) {
        while let Some(&c) = self.rest.peek() {
            match c {
                '\n' => {
                    self.is_at_start = true;
                    self.advance();
                }
                c if c.is_whitespace() => {
                    self.advance();
                }
                '/' if self.followed_by('/') => {
                    while self.rest.peek().is_some_and(|&c| c != '\n') {
                        self.advance();
                    }
                }
                '/' if self.followed_by('*') => self.skip_comment(),
                _ => return,
            }
        }
    }

    fn skip_comment(&mut self) {
        self.advance();
        self.advance();
        let mut last = ' ';
        while let Some(c) = self.advance() {
            if last == '*' && c == '/' {
                return;
            }
            last = c;
        }
    }

    fn next(&mut self) -> Option<(Token, Position)> {
        self.skip();
        let at = self.at;
        let was_at_start = std::mem::replace(&mut self.is_at_start, false);
        let c = self.advance()?;
        let token = match c {
            '#' if was_at_start => Token::Directive(self.line()),
            '"' | '\'' => {
                self.skip_quoted(c);
                Token::Other(c)
            }
            c if c.is_alphanumeric() || c == '_' => Token::Word(self.word(c)),
            c => Token::Other(c),
        };
        Some((token, at))
    }

    fn word(&mut self, first: char) -> String {
        let mut word = String::from(first);
        while let Some(&c) = self.rest.peek()
            && (c.is_alphanumeric() || c == '_')
        {
            word.push(c);
            self.advance();
        }
        word
    }

    /// The rest of a line without comments, with the lines that continue it.
    fn line(&mut self) -> String {
        let mut line = String::new();
        while let Some(&c) = self.rest.peek() {
            match c {
                '\n' => return line,
                '\\' if self.followed_by('\n') => {
                    self.advance();
                    self.advance();
                    line.push(' ');
                }
                '/' if self.followed_by('/') => {
                    while self.rest.peek().is_some_and(|&c| c != '\n') {
                        self.advance();
                    }
                }
                '/' if self.followed_by('*') => {
                    self.skip_comment();
                    line.push(' ');
                }
                c => {
                    line.push(c);
                    self.advance();
                }
            }
        }
        line
    }

    fn skip_quoted(&mut self, quote: char) {
        while let Some(c) = self.advance() {
            match c {
                '\\' => {
                    self.advance();
                }
                '\n' => return,
                c if c == quote => return,
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `line:column directive` of each hint, and the warnings.
    fn scanned(text: &str) -> (Vec<String>, String) {
        let Scanned { hints, warnings } = scan("k.cl", text);
        let hints = hints.iter().map(|hint| {
            let Location { line, column, .. } = hint.place;
            format!("{line}:{column} {}", hint.directive)
        });
        (hints.collect(), warnings)
    }

    #[test]
    fn hints_go_to_the_loop_behind_them() {
        let text = "#pragma ivdep array(a) // all of it\n  #pragma \\\n ii 2\n#pragma unroll 4\nagain: /* # */ for (;;) a[0]++;\n\
                    __attribute__((xcl_pipeline_loop(3), opencl_unroll_hint(2))) __attribute__((xcl_pipeline_loop)) while (1);\n";
        let (hints, warnings) = scanned(text);
        assert_eq!(
            hints,
            [
                "5:16 ivdep array(a)",
                "5:16 ii 2",
                "6:97 xcl_pipeline_loop(3)",
                "6:97 xcl_pipeline_loop"
            ]
        );
        assert_eq!(warnings, "");
    }

    #[test]
    fn hints_without_a_loop_are_reported() {
        let (hints, warnings) = scanned("#pragma ivdep\nint x;\n#pragma ii x\nfor (;;);\n");
        assert_eq!(hints, [""; 0]);
        assert_eq!(
            warnings,
            "k.cl:1:1: warning: no loop follows `ivdep`: the hint is ignored\n\
             help: it stands directly before `for`, `while` or `do`\n\
             k.cl:3:1: warning: `ii` needs a number of at least 1: the hint is ignored\n\
             help: hints take numbers as digits, not as macros\n"
        );
    }

    #[test]
    fn comments_and_strings_hold_no_hints() {
        let text = "/* #pragma ivdep */ char *s = \"\\\"#pragma ivdep\"; // for\nfor (;;);\n";
        assert_eq!(scanned(text), (Vec::new(), String::new()));
    }

    #[test]
    fn names_that_nothing_has_are_reported() {
        let (_, warnings) = scanned("#pragma ivdep array(b)\nfor (;;) a[0]++;\n");
        assert!(warnings.contains("there is no `b`"), "{warnings}");
    }
}
