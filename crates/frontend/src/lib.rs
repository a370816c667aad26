//! OpenCL C to kernel IR, through clang and LLVM.
//!
//! The first half ends at one LLVM module per program: linked with the builtins, inlined into its kernels and
//! optimised, in which the only calls are LLVM's intrinsics and the [`primitives`]. The second half reads the
//! kernels from it; no type of LLVM leaves the crate.

mod builtins;
mod choices;
mod clang;
pub mod diagnostics;
pub mod envelope;
mod hints;
mod kernels;
mod limits;
mod link;
mod llvm;
mod memory_choices;
mod object;
mod optimize;
pub mod primitives;
mod provenance;
mod read;
mod refusals;
mod unrolling;

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sluice_kernel::Kernel;

pub use clang::{OptionWords, build_option, check_link_options, clang_program};
pub use diagnostics::{Code, Diagnostic, Error, Location};
use link::{Whole, lower_to_llvm, read_kernels};
pub use link::{link, link_objects};
use llvm::Session;
use object::run_clang;
pub use object::{Object, compile_object, preprocess};

/// OpenCL C to compile.
#[derive(Clone, Debug)]
pub struct Source {
    /// The name in messages and debug information.
    pub name: String,
    /// The text.
    pub text: String,
    origin: Origin,
}

#[derive(Clone, Debug)]
enum Origin {
    /// clang reads the file itself, so that its includes are found beside it.
    File(PathBuf),
    /// clang gets the text. Includes are also looked for in the folder.
    Memory { folder: Option<PathBuf> },
}

impl Source {
    /// A file on disk.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Source, Error> {
        let path = path.as_ref();
        let unreadable = |reason| Error::Unreadable {
            path: path.to_owned(),
            reason,
        };
        let file = File::open(path).map_err(unreadable)?;
        let is_regular = file.metadata().map_err(unreadable)?.is_file();
        let text = read_text(file, path)?;
        let origin = match is_regular && is_plain(path) {
            true => Origin::File(path.to_owned()),
            // A pipe or device may give other bytes when clang reads it again.
            false => Origin::Memory {
                folder: path.parent().map(Path::to_owned),
            },
        };
        Ok(Source {
            name: path.display().to_string(),
            text,
            origin,
        })
    }

    /// Text that is not in a file; `name` is used in messages.
    pub fn from_text(name: impl Into<String>, text: impl Into<String>) -> Source {
        Source {
            name: name.into(),
            text: text.into(),
            origin: Origin::Memory { folder: None },
        }
    }
}

/// Reads a whole source, up to the size limit. The path is for messages.
pub fn read_text(file: impl Read, path: &Path) -> Result<String, Error> {
    let most = (clang::MAX_SOURCE << 20) as u64;
    let mut bytes = Vec::new();
    let read = file.take(most + 1).read_to_end(&mut bytes);
    read.map_err(|reason| Error::Unreadable {
        path: path.to_owned(),
        reason,
    })?;
    if bytes.len() as u64 > most {
        return Err(Error::SourceTooLarge(path.display().to_string()));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Whether clang treats the path as a plain file name: it passes the name on to its own subprocess, and reads a word
/// that begins with `@` as a file of options.
fn is_plain(path: &Path) -> bool {
    let starts_with = |text: &OsStr, marks: &[u8]| {
        let first = text.as_encoded_bytes().first();
        first.is_some_and(|first| marks.contains(first))
    };
    let name = path.file_name().unwrap_or_default();
    !starts_with(path.as_os_str(), b"-@") && !starts_with(name, b"@")
}

/// Whether clang's messages have colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Color {
    /// Plain text.
    #[default]
    Never,
    /// Terminal colours.
    Always,
}

/// How to compile.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The build options of `clBuildProgram`, one per element: `-D`, `-I`, `-cl-*`, warnings.
    pub clang_args: Vec<String>,
    /// The kernels to compile; all kernels if empty.
    pub kernels: Vec<String>,
    /// Colours in clang's messages.
    pub color: Color,
    /// The clang to run; `SLUICE_CLANG` from the environment, or else `clang-19`, if absent.
    pub clang: Option<OsString>,
    /// How long clang may take; a minute if absent.
    pub patience: Option<Duration>,
}

/// What a source was compiled to.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The kernels in the order of the source.
    pub kernels: Vec<Kernel>,
    /// Warnings, in whole lines; clang's as it wrote them.
    pub warnings: String,
}

/// Compiles every kernel of `source`, or those that `options` name.
pub fn compile(source: &Source, options: &Options) -> Result<Compiled, Error> {
    let whole = compile_whole(source, options)?;
    let compiled = whole.kernels(options)?;
    Ok(Compiled {
        kernels: compiled.kernels,
        warnings: whole.0.warnings + &compiled.warnings,
    })
}

/// A source that clang has compiled, and that is a program by itself.
#[derive(Clone, Debug)]
pub struct WholeProgram(Object);

/// Compiles a source that is not linked with others. What `options` say about kernels is for reading them.
pub fn compile_whole(source: &Source, options: &Options) -> Result<WholeProgram, Error> {
    run_clang(source, &[], options).map(WholeProgram)
}

impl WholeProgram {
    /// clang's warnings, as it wrote them.
    pub fn warnings(&self) -> &str {
        &self.0.warnings
    }

    /// Its kernels: every one, or those that `options` name. clang's warnings are not repeated.
    pub fn kernels(&self, options: &Options) -> Result<Compiled, Error> {
        read_kernels(&[&self.0], Whole::Program, &options.kernels)
    }
}

/// The text of the LLVM module that the kernel IR is read from.
pub fn llvm_ir(source: &Source, options: &Options) -> Result<String, Error> {
    let object = run_clang(source, &[], options)?;
    let session = Session::new();
    let wanted = &options.kernels;
    let linked = lower_to_llvm(&session, &[&object], Whole::Program, wanted, None)?;
    Ok(linked.module.print_to_string().to_string())
}

/// Whether the path in debug information is the file that the user named: clang may have made it relative.
fn is_same_file(found: &str, given: &str) -> bool {
    match std::env::current_dir() {
        Ok(here) => here.join(found) == here.join(given),
        Err(_) => found == given,
    }
}
