//! Programs: built from source, parts or a binary, compiled apart and linked, kept as binaries and in a cache.
//!
//! Commands and the runtime come here with a [`Request`]. What comes out is optimised kernel IR with a log for
//! people; circuits are made from it later. Nothing here writes to the terminal.

mod binary;
mod cache;

use sluice_frontend::{Code, Diagnostic, Error};
use sluice_kernel::{Program, passes};

use crate::cli::MemoryChoice;

pub use binary::{Binary, BinaryError, Contents};
pub use cache::BuildCache;
pub use sluice_frontend::{Object, Options, Source};

use cache::{Entry, Key};

/// What a program's text is called in messages.
pub const SOURCE_NAME: &str = "<program source>";

/// What circuits are to be made for. It decides which programs are accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Destination {
    /// The board, by name or file.
    pub target: String,
    /// Copies of each kernel's pipeline.
    pub datapaths: u32,
    /// Ports to external memory, if something says how many.
    pub banks: Option<u32>,
    /// Work-items of a token, if something says how many.
    pub lanes: Option<u32>,
    /// What stands before external memory, if something says so.
    pub memory: Option<MemoryChoice>,
    /// The plan file, if there is one.
    pub plan: Option<String>,
    /// Work-items of the largest work-group.
    pub group_items: u32,
}

/// What a program is built of.
#[derive(Clone, Copy, Debug)]
pub enum Input<'a> {
    /// One source.
    Source(&'a Source),
    /// Parts and libraries, to be linked.
    Objects(&'a [&'a Object]),
    /// A program that was built before, as binaries hold it.
    Program(&'a Program),
}

/// Whether the passes run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Passes {
    /// They do.
    #[default]
    Run,
    /// Kernels stay as the front end reads them.
    Skip,
}

/// Whether a program may have no kernels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NoKernels {
    /// It may not: there would be nothing to do.
    #[default]
    Refused,
    /// It may: a host asks for kernels later, if at all.
    Allowed,
}

/// A program to be built.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// What it is built of.
    pub input: Input<'a>,
    /// How to compile or link it.
    pub options: &'a Options,
    /// Whether the passes run.
    pub passes: Passes,
    /// Whether it may have no kernels.
    pub no_kernels: NoKernels,
}

/// Where programs are kept that were built for a destination.
#[derive(Clone, Copy, Debug)]
pub struct Keep<'a> {
    /// The cache.
    pub cache: &'a BuildCache,
    /// What they are built for.
    pub destination: &'a Destination,
}

/// Whether there was something to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cached {
    /// It had been done before.
    Hit,
    /// It was done now.
    Miss,
}

/// A program that can run.
#[derive(Clone, Debug, PartialEq)]
pub struct Built {
    /// Its kernels and variables.
    pub program: Program,
    /// Warnings.
    pub log: String,
    /// Whether it was found in the cache.
    pub cached: Cached,
}

/// A part of a program, or a library.
#[derive(Clone, Debug, PartialEq)]
pub struct Compiled {
    /// What is to be linked.
    pub object: Object,
    /// Warnings.
    pub log: String,
    /// Whether it was found in the cache.
    pub cached: Cached,
}

/// Why there is no program.
#[derive(Debug)]
pub enum ProgramError {
    /// The front end refuses it, after these warnings.
    FrontEnd {
        /// Warnings of earlier stages, in whole lines.
        warnings: String,
        /// Why.
        error: Error,
    },
    /// The caller does not accept the kernels.
    Refused {
        /// Warnings, in whole lines.
        warnings: String,
        /// Why, in whole lines.
        problem: String,
    },
}

/// Why there is no program, as a host is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildFailure {
    /// For people.
    pub log: String,
    /// For the host.
    pub kind: FailureKind,
}

/// What is at fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// The options.
    InvalidOptions,
    /// The program.
    Failed,
    /// The installation: there is no clang.
    NoCompiler,
}

/// A header in memory: the name by which it is included, and its text.
pub type Header = (String, String);

/// Builds a program, or finds it where it is kept. A program that `accept` refuses is not kept; one that is
/// found was accepted before.
pub fn build(
    request: &Request<'_>,
    keep: Option<Keep<'_>>,
    accept: impl FnOnce(&Program) -> Result<(), String>,
) -> Result<Built, ProgramError> {
    let entry = Entry::of(keep, |destination| Key::of_request(request, destination));
    if let Some((Contents::Executable(program), log)) = entry.get() {
        return Ok(Built {
            program,
            log,
            cached: Cached::Hit,
        });
    }
    let (program, log) = make(request)?;
    match accept(&program) {
        Ok(()) => {}
        Err(problem) => {
            let warnings = log;
            return Err(ProgramError::Refused { warnings, problem });
        }
    }
    entry.put(&request.options.clang_args, &log, || {
        Contents::Executable(program.clone())
    });
    Ok(Built {
        program,
        log,
        cached: Cached::Miss,
    })
}

/// Compiles or links, and runs the passes: the program, and warnings.
fn make(request: &Request<'_>) -> Result<(Program, String), ProgramError> {
    let mut warnings = String::new();
    let read = match request.input {
        Input::Program(program) => return Ok((program.clone(), warnings)),
        Input::Objects(objects) => sluice_frontend::link(objects, request.options),
        Input::Source(source) => match sluice_frontend::compile_whole(source, request.options) {
            Ok(whole) => {
                warnings += whole.warnings();
                whole.kernels(request.options)
            }
            Err(error) => Err(error),
        },
    };
    let kernels = match read {
        Ok(read) => {
            warnings += &read.warnings;
            read.kernels
        }
        Err(error) if request.no_kernels == NoKernels::Allowed && is_lack_of_kernels(&error) => {
            Vec::new()
        }
        Err(error) => return Err(ProgramError::FrontEnd { warnings, error }),
    };
    let passes = match request.passes {
        Passes::Run => passes::optimise,
        Passes::Skip => passes::skip,
    };
    let kernels = kernels.into_iter().map(passes).collect();
    let program = Program::new(kernels).expect("the front end lays out the variables once");
    Ok((program, warnings))
}

/// Compiles a part of a program. The headers come before those on disk.
pub fn compile(
    source: &str,
    headers: &[Header],
    options: &[String],
    keep: Option<Keep<'_>>,
) -> Result<Compiled, BuildFailure> {
    let entry = Entry::of(keep, |destination| {
        Key::of_part(source, headers, options, destination)
    });
    if let Some((Contents::Object(object), log)) = entry.get() {
        return Ok(Compiled {
            object,
            log,
            cached: Cached::Hit,
        });
    }
    let source = Source::from_text(SOURCE_NAME, source);
    let object = sluice_frontend::compile_object(&source, headers, &with(options))?;
    let log = object.warnings().to_owned();
    entry.put(options, &log, || Contents::Object(object.clone()));
    Ok(Compiled {
        object,
        log,
        cached: Cached::Miss,
    })
}

/// Links parts to a library. That is quick, and kept nowhere.
pub fn link_library(objects: &[&Object], options: &[String]) -> Result<Object, BuildFailure> {
    sluice_frontend::check_link_options(options)?;
    Ok(sluice_frontend::link_objects(objects)?)
}

fn with(options: &[String]) -> Options {
    Options {
        clang_args: options.to_vec(),
        ..Options::default()
    }
}

fn is_lack_of_kernels(error: &Error) -> bool {
    let mut diagnostics = error.diagnostics().iter();
    diagnostics.any(|diagnostic| diagnostic.code == Code::NoKernel)
}

impl BuildFailure {
    /// A failure after warnings.
    fn after(warnings: &str, error: &Error) -> BuildFailure {
        let is_option = |code| code == Code::UnknownOption;
        let mut diagnostics = error.diagnostics().iter();
        let kind = match error {
            Error::ClangMissing { .. } => FailureKind::NoCompiler,
            Error::Program(_) if diagnostics.any(|it| is_option(it.code)) => {
                FailureKind::InvalidOptions
            }
            Error::Program(_)
            | Error::Rejected { .. }
            | Error::ClangStuck { .. }
            | Error::ClangFlood { .. }
            | Error::SourceTooLarge(_)
            | Error::ClangFailed { .. }
            | Error::ClangCrashed { .. }
            | Error::Unreadable { .. }
            | Error::Headers(_)
            | Error::Object(_) => FailureKind::Failed,
        };
        BuildFailure {
            log: format!("{warnings}{}", log_of(error)),
            kind,
        }
    }
}

impl From<Error> for BuildFailure {
    fn from(error: Error) -> BuildFailure {
        BuildFailure::after("", &error)
    }
}

impl From<ProgramError> for BuildFailure {
    fn from(error: ProgramError) -> BuildFailure {
        match error {
            ProgramError::FrontEnd { warnings, error } => BuildFailure::after(&warnings, &error),
            ProgramError::Refused { warnings, problem } => BuildFailure {
                log: warnings + &problem,
                kind: FailureKind::Failed,
            },
        }
    }
}

/// What a log says of an error, in whole lines.
fn log_of(error: &Error) -> String {
    let diagnostics = error.diagnostics();
    let text = match diagnostics.is_empty() {
        true => error.to_string(),
        false => diagnostics.iter().map(Diagnostic::to_plain_text).collect(),
    };
    match text.ends_with('\n') {
        true => text,
        false => text + "\n",
    }
}
