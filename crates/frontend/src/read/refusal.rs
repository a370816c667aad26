//! Why the reader cannot turn a program into kernel IR.

pub use crate::diagnostics::Code;
use crate::diagnostics::{Diagnostic, Location};

/// A diagnostic without its source text; the innermost caller that knows the location adds it.
#[derive(Debug)]
pub struct Refusal {
    code: Code,
    message: String,
    location: Option<Location>,
    help: Option<String>,
}

impl Refusal {
    /// A refusal without location and help.
    pub fn new(code: Code, message: impl Into<String>) -> Refusal {
        Refusal {
            code,
            message: message.into(),
            location: None,
            help: None,
        }
    }

    /// Adds what the user can do.
    pub fn help(mut self, help: impl Into<String>) -> Refusal {
        self.help = Some(help.into());
        self
    }

    /// Adds the location, unless there is one already: the innermost is the most exact.
    pub fn at(mut self, location: Option<Location>) -> Refusal {
        self.location = self.location.or(location);
        self
    }
}

impl From<Refusal> for Diagnostic {
    fn from(refusal: Refusal) -> Diagnostic {
        let mut diagnostic =
            Diagnostic::new(refusal.code, refusal.message).at(refusal.location, "here");
        diagnostic.help = refusal.help;
        diagnostic
    }
}
