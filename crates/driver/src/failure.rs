//! What can go wrong for a user, with the exit code and the way out.

use std::path::Path;

use miette::{Diagnostic, NamedSource, SourceSpan};
use sluice_frontend::{Code, Error};
use sluice_kernel::interp::{Fault, Place};
use thiserror::Error;

/// Why a command failed.
#[derive(Debug, Error, Diagnostic)]
pub enum Failure {
    /// clang refused the program and has said why.
    #[error("{0}")]
    Rejected(String),

    /// The program has mistakes that clang does not know of.
    #[error("the program cannot be compiled")]
    Program(#[related] Vec<sluice_frontend::Diagnostic>),

    /// A tool is missing or does not work.
    #[error("{message}")]
    #[diagnostic(help("{help}"))]
    Tool {
        /// What happened.
        message: String,
        /// What to do.
        help: String,
    },

    /// The kernel did something wrong while it ran.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Fault(Box<FaultReport>),

    /// The command line does not fit the program.
    #[error("{message}")]
    #[diagnostic(help("{help}"))]
    Usage {
        /// What is wrong.
        message: String,
        /// What to do.
        help: String,
    },

    /// A file could not be read or written.
    #[error("cannot {action} {path}")]
    File {
        /// `read` or `write`.
        action: &'static str,
        /// The file.
        path: String,
        /// The system's answer.
        source: std::io::Error,
    },

    /// Text that should have been kernel IR was not.
    #[error("{path}:{message}")]
    Ir {
        /// The file.
        path: String,
        /// Place and reason.
        message: String,
    },

    /// Results differ from what was expected.
    #[error("{0}")]
    Unexpected(String),
}

/// A fault with the source that it is in.
#[derive(Debug, Error, Diagnostic)]
#[error("{fault}")]
pub struct FaultReport {
    fault: Fault,
    #[source_code]
    source_code: NamedSource<String>,
    #[label("here")]
    at: Option<SourceSpan>,
    #[help]
    help: Option<&'static str>,
}

impl Failure {
    /// The command line does not fit the program.
    pub fn usage(message: impl Into<String>, help: impl Into<String>) -> Failure {
        Failure::Usage {
            message: message.into(),
            help: help.into(),
        }
    }

    /// The kernel of a source file did something wrong while it ran.
    pub fn fault(fault: Fault, file: &Path) -> Failure {
        let place = fault.place();
        let path = place.map_or(file, |place| Path::new(&*place.file));
        let text = std::fs::read_to_string(path).unwrap_or_default();
        Failure::Fault(Box::new(FaultReport {
            at: place.and_then(|place| span(&text, place)),
            source_code: NamedSource::new(path.display().to_string(), text),
            help: help(&fault),
            fault,
        }))
    }

    /// The exit code: 1 for a wrong program, 2 for wrong usage, 3 for a missing tool.
    pub fn exit_code(&self) -> u8 {
        match self {
            Failure::Program(diagnostics)
                if diagnostics.iter().any(|d| d.code == Code::UnknownKernel) =>
            {
                2
            }
            Failure::Rejected(_)
            | Failure::Program(_)
            | Failure::Fault(_)
            | Failure::Ir { .. }
            | Failure::Unexpected(_) => 1,
            Failure::Usage { .. } | Failure::File { .. } => 2,
            Failure::Tool { .. } => 3,
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        match error {
            Error::Rejected { text } => Failure::Rejected(text),
            Error::Program(diagnostics) => Failure::Program(diagnostics),
            Error::ClangMissing { program, reason } => Failure::Tool {
                message: format!("cannot run {program}: {reason}"),
                help: "apt install clang-19, or name another clang 19 in SLUICE_CLANG".into(),
            },
            Error::ClangFailed {
                program,
                status,
                text,
            } => Failure::Tool {
                message: format!("{program} failed ({status}): {text}"),
                help: "Sluice needs clang 19: see `clang-19 --version`".into(),
            },
            Error::Unreadable { path, reason } => Failure::File {
                action: "read",
                path: path.display().to_string(),
                source: reason,
            },
        }
    }
}

/// The place in the text, if it is there.
fn span(text: &str, place: &Place) -> Option<SourceSpan> {
    let line = text.lines().nth(place.line.checked_sub(1)? as usize)?;
    let column = usize::from(place.column).saturating_sub(1).min(line.len());
    // `lines` gives parts of `text`: their distance is where the line starts.
    let start = line.as_ptr() as usize - text.as_ptr() as usize;
    Some(SourceSpan::from((start + column, 1)))
}

fn help(fault: &Fault) -> Option<&'static str> {
    match fault {
        Fault::OutOfBounds { .. } => {
            Some("give the buffer more elements, or guard the access with a comparison")
        }
        Fault::Uninitialised { .. } => Some("write the memory before it is read"),
        Fault::Race { .. } => {
            Some("order the accesses with barrier() within a work-group, or make them atomic")
        }
        Fault::BarrierDivergence { .. } => Some(
            "every work-item of a group must reach the same barriers: move the barrier out of the \
             condition",
        ),
        Fault::StepLimit { .. } => Some("give a larger --step-limit if the loop does end"),
        Fault::NullPointer { .. } => Some("pass a buffer instead of null"),
        Fault::WildPointer { .. }
        | Fault::OtherObject { .. }
        | Fault::ReadOnly { .. }
        | Fault::Launch(_)
        | Fault::NoSuchBuffer(_)
        | Fault::TooManyItems
        | Fault::TooMuchMemory { .. } => None,
    }
}
