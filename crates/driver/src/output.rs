//! Standard output.

use std::fmt::Display;
use std::io::Write;

/// Writes to standard output. A reader that has seen enough ends the command, as it would end others.
pub(crate) fn show(text: impl Display) {
    let mut out = std::io::stdout().lock();
    if write!(out, "{text}").and_then(|()| out.flush()).is_err() {
        std::process::exit(0);
    }
}

/// As [`show`], with the end of a line.
pub(crate) fn show_line(text: impl Display) {
    show(format_args!("{text}\n"));
}
