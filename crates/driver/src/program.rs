//! Programs as a host has them: built from source, compiled apart and linked, kept as binaries and in a cache.
//!
//! What comes out is optimised kernel IR with a log for people; circuits are made from it later. Nothing here
//! writes to the terminal.

mod binary;
mod cache;

use sluice_frontend::{Code, Diagnostic, Error, Options, Source};
use sluice_kernel::{Program, passes};

pub use binary::{Binary, BinaryError, Contents};
pub use cache::BuildCache;
pub use sluice_frontend::Object;

use cache::{Key, Slot, Step};

/// What a program's text is called in messages.
pub const SOURCE_NAME: &str = "<program source>";

/// What circuits are to be made for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The board, by name or file.
    pub target: String,
    /// How many copies of the datapath there are.
    pub datapaths: u32,
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildFailure {
    /// What people are told.
    pub log: String,
    /// What the host is told.
    pub kind: FailureKind,
}

/// Who is at fault.
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

/// Builds a whole program. Kernels that `accept` refuses are not kept.
pub fn build(
    source: &str,
    options: &[String],
    place: &Place,
    cache: Option<&BuildCache>,
    accept: impl FnOnce(&Program) -> Result<(), String>,
) -> Result<Built, BuildFailure> {
    let slot = Slot::of(cache, || {
        Key::of_source(Step::Build, source, &[], options, place)
    });
    if let Some((Contents::Executable(program), log)) = slot.get() {
        return Ok(Built {
            program,
            log,
            cached: Cached::Hit,
        });
    }
    let source = Source::from_text(SOURCE_NAME, source);
    let object = sluice_frontend::compile_object(&source, &[], &with(options))?;
    let mut log = object.warnings().to_owned();
    let read = sluice_frontend::kernels_of(&object, &Options::default());
    let (program, warnings) = optimised(read).map_err(|error| BuildFailure::after(&log, &error))?;
    log += &warnings;
    accept(&program).map_err(|problem| BuildFailure::refused(&log, &problem))?;
    slot.put(place, options, &log, || {
        Contents::Executable(program.clone())
    });
    Ok(Built {
        program,
        log,
        cached: Cached::Miss,
    })
}

/// Compiles a part of a program. The headers come before those on disk.
pub fn compile(
    source: &str,
    headers: &[Header],
    options: &[String],
    place: &Place,
    cache: Option<&BuildCache>,
) -> Result<Compiled, BuildFailure> {
    let slot = Slot::of(cache, || {
        Key::of_source(Step::Compile, source, headers, options, place)
    });
    if let Some((Contents::Object(object), log)) = slot.get() {
        return Ok(Compiled {
            object,
            log,
            cached: Cached::Hit,
        });
    }
    let source = Source::from_text(SOURCE_NAME, source);
    let object = sluice_frontend::compile_object(&source, headers, &with(options))?;
    let log = object.warnings().to_owned();
    slot.put(place, options, &log, || Contents::Object(object.clone()));
    Ok(Compiled {
        object,
        log,
        cached: Cached::Miss,
    })
}

/// Links parts and libraries to a program. Kernels that `accept` refuses are not kept.
pub fn link(
    objects: &[&Object],
    options: &[String],
    place: &Place,
    cache: Option<&BuildCache>,
    accept: impl FnOnce(&Program) -> Result<(), String>,
) -> Result<Built, BuildFailure> {
    let slot = Slot::of(cache, || Some(Key::of_objects(objects, options, place)));
    if let Some((Contents::Executable(program), log)) = slot.get() {
        return Ok(Built {
            program,
            log,
            cached: Cached::Hit,
        });
    }
    let linked = sluice_frontend::link(objects, &with(options));
    let (program, log) = optimised(linked)?;
    accept(&program).map_err(|problem| BuildFailure::refused(&log, &problem))?;
    slot.put(place, options, &log, || {
        Contents::Executable(program.clone())
    });
    Ok(Built {
        program,
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

/// The program, optimised, and warnings. A host may have a program without any.
fn optimised(read: Result<sluice_frontend::Compiled, Error>) -> Result<(Program, String), Error> {
    let (kernels, warnings) = match read {
        Err(error) if is_lack_of_kernels(&error) => (Vec::new(), String::new()),
        read => read.map(|it| (it.kernels, it.warnings))?,
    };
    let kernels = kernels.into_iter().map(passes::optimise).collect();
    let program = Program::new(kernels).expect("the front end lays out the variables once");
    Ok((program, warnings))
}

fn is_lack_of_kernels(error: &Error) -> bool {
    let mut diagnostics = error.diagnostics().iter();
    diagnostics.any(|diagnostic| diagnostic.code == Code::NoKernel)
}

impl BuildFailure {
    /// The kernels are fine, but of no use.
    fn refused(warnings: &str, problem: &str) -> BuildFailure {
        BuildFailure {
            log: format!("{warnings}{problem}"),
            kind: FailureKind::Failed,
        }
    }

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
