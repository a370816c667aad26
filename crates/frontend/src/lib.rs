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
mod kernels;
mod link;
mod llvm;
mod object;
mod optimize;
pub mod primitives;
mod read;
mod refusals;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sluice_kernel::Kernel;

pub use clang::{check_link_options, clang_program};
pub use diagnostics::{Code, Diagnostic, Error, Location};
use link::{Whole, lower_to_llvm, read_kernels};
pub use link::{link, link_objects};
use llvm::Session;
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
    Memory,
}

impl Source {
    /// A file on disk.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Source, Error> {
        let path = path.as_ref();
        let text = std::fs::read(path).map_err(|reason| Error::Unreadable {
            path: path.to_owned(),
            reason,
        })?;
        Ok(Source {
            name: path.display().to_string(),
            text: String::from_utf8_lossy(&text).into_owned(),
            origin: Origin::File(path.to_owned()),
        })
    }

    /// Text that is in no file, under a name for messages.
    pub fn from_text(name: impl Into<String>, text: impl Into<String>) -> Source {
        Source {
            name: name.into(),
            text: text.into(),
            origin: Origin::Memory,
        }
    }
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
    /// The only kernel wanted; all of them if absent.
    pub kernel: Option<String>,
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
    /// clang's warnings, as it wrote them.
    pub warnings: String,
}

/// Compiles every kernel of `source`, or the one that `options` name.
pub fn compile(source: &Source, options: &Options) -> Result<Compiled, Error> {
    let object = compile_object(source, &[], options)?;
    Ok(Compiled {
        kernels: kernels_of(&object, options)?,
        warnings: object.warnings,
    })
}

/// The kernels of an object that is a program by itself: every one, or the one that `options` name.
pub fn kernels_of(object: &Object, options: &Options) -> Result<Vec<Kernel>, Error> {
    read_kernels(&[object], Whole::Program, options.kernel.as_deref())
}

/// The text of the LLVM module that the kernel IR is read from.
pub fn llvm_ir(source: &Source, options: &Options) -> Result<String, Error> {
    let object = compile_object(source, &[], options)?;
    let session = Session::new();
    let kernel = options.kernel.as_deref();
    let linked = lower_to_llvm(&session, &[&object], Whole::Program, kernel, None)?;
    Ok(linked.module.print_to_string().to_string())
}

/// Whether debug information and user mean the same file: clang may have made the path relative.
fn is_same_file(found: &str, given: &str) -> bool {
    match std::env::current_dir() {
        Ok(here) => here.join(found) == here.join(given),
        Err(_) => found == given,
    }
}
