//! Standard output and standard error of the commands.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};
use std::sync::Mutex;

use crate::failure::Failure;

/// Standard output. The first error is kept, nothing is written after it, and [`Output::finish`]
/// reports it: a command whose results did not arrive has failed.
#[derive(Debug, Default)]
pub(crate) struct Output {
    failed: Mutex<Option<io::Error>>,
}

impl Output {
    /// Writes bytes.
    pub(crate) fn write(&self, bytes: &[u8]) {
        self.attempt(|out| out.write_all(bytes));
    }

    /// Writes a text.
    pub(crate) fn show(&self, text: impl Display) {
        self.attempt(|out| write!(out, "{text}"));
    }

    /// As [`Output::show`], with the end of a line.
    pub(crate) fn line(&self, text: impl Display) {
        self.show(format_args!("{text}\n"));
    }

    /// Writes what is still buffered.
    ///
    /// # Errors
    ///
    /// The first error since the beginning. A reader that has gone is none: it has seen enough.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        self.attempt(|out| out.flush());
        let failed = self.failed.into_inner();
        match failed.unwrap_or_else(|poisoned| poisoned.into_inner()) {
            None => Ok(()),
            Some(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            Some(source) => Err(Failure::File {
                action: "write",
                path: "standard output".into(),
                source,
            }),
        }
    }

    fn attempt(&self, write: impl FnOnce(&mut io::StdoutLock<'_>) -> io::Result<()>) {
        let mut failed = self.failed.lock().unwrap_or_else(|it| it.into_inner());
        if failed.is_none() {
            *failed = write(&mut io::stdout().lock()).err();
        }
    }
}

/// Writes to standard error. If that fails, there is nowhere to report it.
pub(crate) fn warn(text: impl Display) {
    let _ = write!(io::stderr().lock(), "{text}");
}
