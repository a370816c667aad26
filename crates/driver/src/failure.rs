//! What can go wrong for a user, with the exit code and the way out.

use std::path::Path;

use miette::{Diagnostic, NamedSource, SourceSpan};
use sluice_frontend::{Code, Error};
use sluice_kernel::interp::{Fault, Finding, Findings, SourceLocation};
use sluice_kernel::launch::LaunchError;
use sluice_kernel::launch::simulate::Stopped;
use sluice_kernel::prepare::Refusal;
use sluice_verilator::BuildError;
use thiserror::Error;

use crate::executor::ExecutionError;
use crate::fit::Oversize;
use crate::program::ProgramError;

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

    /// The checks have found several mistakes of the kernel.
    #[error("{0}")]
    Findings(String, #[related] Vec<FaultReport>),

    /// The kernel has no circuit.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Refused(Box<RefusalReport>),

    /// A launch on a circuit came to no end.
    #[error("{message}")]
    #[diagnostic(help("{help}"))]
    Halted {
        /// What happened.
        message: String,
        /// What to do.
        help: String,
    },

    /// A circuit needs more than its target has.
    #[error("{design} does not fit its target: {oversize}")]
    #[diagnostic(help(
        "take fewer --datapaths or another --target; --oversize goes on all the same"
    ))]
    Oversize {
        /// The circuit.
        design: String,
        /// What there is too little of.
        oversize: Oversize,
    },

    /// A design cannot be placed on its target's chip.
    #[error("{message}")]
    #[diagnostic(help("{help}"))]
    Unplaced {
        /// What there is too little of.
        message: String,
        /// What to do.
        help: String,
    },

    /// The command was asked to end.
    #[error("interrupted")]
    Interrupted,

    /// A target file says what no board can have.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Target(Box<FileReport>),

    /// A plan file says what the program or the target cannot have.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Plan(Box<FileReport>),

    /// The command line does not fit the program.
    #[error("{message}")]
    #[diagnostic(help("{help}"))]
    Usage {
        /// What is wrong.
        message: String,
        /// What to do.
        help: String,
    },

    /// clang does not come to an end with this program.
    #[error("{0}")]
    #[diagnostic(help(
        "simplify the source; vector literals made of vector expressions are known to hang \
         clang 19: give the parts names first"
    ))]
    Stuck(String),

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
#[error("{fault}{}", more(*.count))]
pub struct FaultReport {
    fault: Fault,
    /// How often it happened.
    count: u64,
    #[source_code]
    source_code: NamedSource<String>,
    #[label("here")]
    at: Option<SourceSpan>,
    #[help]
    help: Option<&'static str>,
}

/// What is wrong with a target or plan file, with its text.
#[derive(Debug, Error, Diagnostic)]
#[error("{message}")]
pub struct FileReport {
    pub(crate) message: String,
    #[source_code]
    pub(crate) source_code: NamedSource<String>,
    #[label("here")]
    pub(crate) at: Option<SourceSpan>,
    #[help]
    pub(crate) help: String,
}

/// Why a kernel has no circuit, with the source.
#[derive(Debug, Error, Diagnostic)]
#[error("{refusal}")]
#[diagnostic(help("run it on the interpreter: --device interp"))]
pub struct RefusalReport {
    refusal: Refusal,
    #[source_code]
    source_code: NamedSource<String>,
    #[label("here")]
    at: Option<SourceSpan>,
}

impl Failure {
    /// The kernel of a source file has no circuit.
    pub fn refusal(refusal: &Refusal, file: &Path) -> Failure {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        Failure::Refused(Box::new(RefusalReport {
            at: line_span(&text, refusal.line),
            source_code: NamedSource::new(file.display().to_string(), text),
            refusal: refusal.clone(),
        }))
    }

    /// Waveforms are asked of the interpreter.
    pub fn no_waveforms() -> Failure {
        Failure::usage(
            "the interpreter has no waveforms",
            "run the circuit: --device sim or --device rtl",
        )
    }

    /// A launch on a circuit came to no end.
    pub fn execution(error: ExecutionError, file: &Path) -> Failure {
        match error {
            ExecutionError::Fault(fault) => Failure::fault(*fault, file),
            ExecutionError::Waves { path, source } => Failure::File {
                action: "write",
                path: path.display().to_string(),
                source,
            },
            ExecutionError::Stopped(Stopped::Launch(error)) => {
                Failure::usage(error.to_string(), launch_help(&error))
            }
            ExecutionError::Stopped(
                stopped @ (Stopped::TooLong { .. } | Stopped::NoEffect { .. }),
            ) => Failure::Halted {
                message: stopped.to_string(),
                help: "give a larger --cycle-limit if the kernel does end".into(),
            },
            ExecutionError::Stopped(stopped @ Stopped::Divergence(_)) => Failure::Halted {
                message: stopped.to_string(),
                help: DIVERGENCE_HELP.into(),
            },
            ExecutionError::Stopped(stopped @ Stopped::Stuck { .. }) => Failure::Halted {
                message: stopped.to_string(),
                help: "this is a bug of Sluice: please report the kernel and the launch".into(),
            },
            ExecutionError::Stopped(Stopped::Waves(source)) => Failure::File {
                action: "write",
                path: "the waveforms".into(),
                source,
            },
            ExecutionError::Build(error @ BuildError::MissingTool { .. }) => Failure::Tool {
                message: error.to_string(),
                help: "the simulator needs no tools: --device sim".into(),
            },
            ExecutionError::Build(error) => Failure::Tool {
                message: error.to_string(),
                help: "Verilator 5.006 or newer is wanted: see `verilator --version`".into(),
            },
        }
    }

    /// The command line does not fit the program.
    pub fn usage(message: impl Into<String>, help: impl Into<String>) -> Failure {
        Failure::Usage {
            message: message.into(),
            help: help.into(),
        }
    }

    /// The kernel of a source file did something wrong while it ran.
    pub fn fault(fault: Fault, file: &Path) -> Failure {
        Failure::Fault(Box::new(FaultReport::new(fault, 1, file)))
    }

    /// What the checks have found in a kernel of a source file, if anything.
    pub fn findings(findings: &Findings, file: &Path) -> Option<Failure> {
        let found = findings.list();
        let report = |finding: Finding| FaultReport::new(finding.fault, finding.count, file);
        let mut reports: Vec<FaultReport> = found.into_iter().map(report).collect();
        match reports.len() {
            0 => None,
            1 => Some(Failure::Fault(Box::new(reports.remove(0)))),
            count => {
                let others = match findings.others() {
                    0 => String::new(),
                    others => format!(", and {others} more elsewhere"),
                };
                let message = format!("the checks have found {count} mistakes{others}");
                Some(Failure::Findings(message, reports))
            }
        }
    }

    /// The failure in one line, with its place in the file if it is one of a plan or target file: for logs.
    pub fn in_one_line(&self) -> String {
        match self {
            Failure::Plan(report) | Failure::Target(report) => report.in_one_line(),
            other => other.to_string(),
        }
    }

    /// The exit code: 1 for a wrong program, 2 for wrong usage, 3 for a missing tool, 130 if it was
    /// interrupted.
    pub fn exit_code(&self) -> u8 {
        match self {
            Failure::Program(diagnostics)
                if diagnostics.iter().any(|d| d.code == Code::UnknownKernel) =>
            {
                2
            }
            Failure::Rejected(_)
            | Failure::Program(_)
            | Failure::Stuck(_)
            | Failure::Fault(_)
            | Failure::Findings(..)
            | Failure::Refused(_)
            | Failure::Halted { .. }
            | Failure::Ir { .. }
            | Failure::Oversize { .. }
            | Failure::Unplaced { .. }
            | Failure::Unexpected(_) => 1,
            Failure::Usage { .. }
            | Failure::File { .. }
            | Failure::Target(_)
            | Failure::Plan(_) => 2,
            Failure::Tool { .. } => 3,
            Failure::Interrupted => 130,
        }
    }
}

impl FaultReport {
    fn new(fault: Fault, count: u64, file: &Path) -> FaultReport {
        let place = fault.place();
        let path = place.map_or(file, |place| Path::new(&*place.file));
        let text = std::fs::read_to_string(path).unwrap_or_default();
        FaultReport {
            at: place.and_then(|place| span(&text, place)),
            source_code: NamedSource::new(path.display().to_string(), text),
            help: help(&fault),
            fault,
            count,
        }
    }
}

/// How often something happened again.
fn more(count: u64) -> String {
    match count {
        0 | 1 => String::new(),
        2 => " (and once more there)".into(),
        count => format!(" (and {} times more there)", count - 1),
    }
}

impl From<ProgramError> for Failure {
    fn from(error: ProgramError) -> Failure {
        match error {
            ProgramError::FrontEnd { error, .. } => error.into(),
            ProgramError::Refused { problem, .. } => Failure::Unexpected(problem),
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
            Error::ClangStuck { program, seconds } => {
                Failure::Stuck(format!("{program} has not finished after {seconds} s"))
            }
            Error::ClangFlood { .. } | Error::SourceTooLarge(_) => {
                let text = error.to_string();
                let (message, help) = text.split_once("\nhelp: ").unwrap_or((&text, ""));
                Failure::usage(message, help)
            }
            Error::ClangCrashed { .. } => Failure::Rejected(format!("{error}\n")),
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
            Error::Headers(reason) => Failure::File {
                action: "write",
                path: "headers for clang".into(),
                source: reason,
            },
            Error::Object(_) => Failure::Tool {
                message: error.to_string(),
                help: "Sluice needs clang 19: see `clang-19 --version`".into(),
            },
        }
    }
}

/// What to do about a launch that does not fit its circuit.
fn launch_help(error: &LaunchError) -> &'static str {
    match error {
        LaunchError::GroupTooLarge { .. } => "give a larger --work-group or a smaller --local",
        LaunchError::Dimensions { .. } => "say `dimensions = 3` for the kernel in a --plan",
        LaunchError::MemoryTooLarge { .. } => {
            "take smaller buffers, or a --target with more memory"
        }
        LaunchError::Lanes { .. } => "give fewer --lanes or another --local",
        LaunchError::LocalTooLarge { .. } => "give more --local-bytes or smaller local arguments",
        LaunchError::ArgumentCount { .. }
        | LaunchError::ArgumentKind { .. }
        | LaunchError::StructSize { .. } => "see the kernel's parameters",
        LaunchError::LocalSize { .. } | LaunchError::RequiredSize { .. } => {
            "without --local a fitting work-group size is chosen"
        }
        LaunchError::TooLarge | LaunchError::TooManyItems { .. } => {
            "split the launch: --offset says where a part begins"
        }
    }
}

/// The place in the text, if it is there.
fn span(text: &str, place: &SourceLocation) -> Option<SourceSpan> {
    let line = text.lines().nth(place.line.checked_sub(1)? as usize)?;
    let column = usize::from(place.column).saturating_sub(1).min(line.len());
    // `lines` gives parts of `text`: their distance is where the line starts.
    let start = line.as_ptr() as usize - text.as_ptr() as usize;
    Some(SourceSpan::from((start + column, 1)))
}

/// What stands in a line of the text, without the space around it.
fn line_span(text: &str, line: u32) -> Option<SourceSpan> {
    let line = text.lines().nth(line.checked_sub(1)? as usize)?.trim();
    let start = line.as_ptr() as usize - text.as_ptr() as usize;
    Some(SourceSpan::from((start, line.len())))
}

const DIVERGENCE_HELP: &str = "every work-item of a group must reach the same barriers: move the \
                               barrier out of the condition";

fn help(fault: &Fault) -> Option<&'static str> {
    match fault {
        Fault::OutOfBounds { .. } => {
            Some("give the buffer more elements, or guard the access with a comparison")
        }
        Fault::Uninitialised { .. } => Some("write the memory before it is read"),
        Fault::Race { .. } => {
            Some("order the accesses with barrier() within a work-group, or make them atomic")
        }
        Fault::Misaligned { .. } => {
            Some("an address must be a multiple of the element's size: see vload for others")
        }
        Fault::BarrierDivergence { .. } => Some(DIVERGENCE_HELP),
        Fault::StepLimit { .. } => Some("give a larger --step-limit if the loop does end"),
        Fault::NullPointer { .. } => Some("pass a buffer instead of null"),
        Fault::WildPointer { .. }
        | Fault::OtherObject { .. }
        | Fault::ReadOnly { .. }
        | Fault::Launch(_)
        | Fault::NoSuchBuffer(_)
        | Fault::TooMuchMemory { .. } => None,
    }
}

impl FileReport {
    fn in_one_line(&self) -> String {
        let (name, text) = (self.source_code.name(), self.source_code.inner());
        let line = self.at.map_or(1, |at| {
            let before = text.get(..at.offset()).unwrap_or(text);
            before.matches('\n').count() + 1
        });
        format!("{name}:{line}: {} ({})", self.message, self.help)
    }
}
