//! Why the reader cannot turn a program into kernel IR.

pub use crate::diagnostics::Code;
use crate::diagnostics::{Diagnostic, Location};

/// A diagnostic on its way out: small, and placed by whoever first knows the place.
#[derive(Debug)]
pub struct Refusal {
    code: Code,
    message: String,
    place: Option<Location>,
    help: Option<String>,
}

impl Refusal {
    /// A refusal without a place and without help.
    pub fn new(code: Code, message: impl Into<String>) -> Refusal {
        Refusal {
            code,
            message: message.into(),
            place: None,
            help: None,
        }
    }

    /// Adds what the user can do.
    pub fn help(mut self, help: impl Into<String>) -> Refusal {
        self.help = Some(help.into());
        self
    }

    /// Adds the place, unless there is one already: the innermost is the most exact.
    pub fn at(mut self, place: Option<Location>) -> Refusal {
        self.place = self.place.or(place);
        self
    }
}

impl From<Refusal> for Diagnostic {
    fn from(refusal: Refusal) -> Diagnostic {
        let mut diagnostic =
            Diagnostic::new(refusal.code, refusal.message).at(refusal.place, "here");
        diagnostic.help = refusal.help;
        diagnostic
    }
}
