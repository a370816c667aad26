//! OpenCL C to kernel IR, through clang and LLVM.
//!
//! The first half ends at one LLVM module per source: linked with the builtins, inlined into its kernels and
//! optimised, in which the only calls are LLVM's intrinsics and the [`primitives`]. The second half reads the
//! kernels from it; no type of LLVM leaves the crate.

mod builtins;
mod clang;
pub mod diagnostics;
mod kernels;
mod llvm;
mod optimize;
pub mod primitives;
mod read;
mod refusals;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use inkwell::context::Context;
use inkwell::module::Module;
use sluice_kernel::Kernel;

pub use diagnostics::{Code, Diagnostic, Error, Location};

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
    let context = Context::create();
    let linked = lower_to_llvm(&context, source, options)?;
    let mut kernels = read::read_kernels(&linked.module, linked.contraction)
        .map_err(|diagnostics| Error::Program(with_texts(diagnostics, source)))?;
    kernels.sort_by_key(|kernel| {
        let mut names = linked.kernels.iter();
        names.position(|name| *name == kernel.name)
    });
    for file in kernels.iter_mut().flat_map(|kernel| &mut kernel.files) {
        if is_same_file(file, &source.name) {
            file.clone_from(&source.name);
        }
    }
    Ok(Compiled {
        kernels,
        warnings: linked.warnings,
    })
}

/// Whether debug information and user mean the same file: clang may have made the path relative.
fn is_same_file(found: &str, given: &str) -> bool {
    match std::env::current_dir() {
        Ok(here) => here.join(found) == here.join(given),
        Err(_) => found == given,
    }
}

/// A program as LLVM sees it at the end of this half.
pub(crate) struct Linked<'c> {
    /// The module. Its defined functions are the kernels.
    pub module: Module<'c>,
    /// The names of the kernels in the order of the source.
    pub kernels: Vec<String>,
    /// clang's warnings, as it wrote them.
    pub warnings: String,
    /// Whether the options let a multiplication and an addition become one operation.
    pub contraction: clang::Contraction,
}

/// Compiles `source` to one optimised LLVM module.
pub(crate) fn lower_to_llvm<'c>(
    context: &'c Context,
    source: &Source,
    options: &Options,
) -> Result<Linked<'c>, Error> {
    let compiled = clang::compile(source, options)?;
    let module = llvm::parse_bitcode(context, &compiled.bitcode);
    let kernels = kernels::select_kernels(&module, options.kernel.as_deref())?;
    optimize::drop_unreachable(&module);
    refusals::refuse_the_impossible(&module)
        .and_then(|()| builtins::define_builtins(context, &module, compiled.contraction))
        .map_err(|diagnostics| Error::Program(with_texts(diagnostics, source)))?;
    kernels::copy_structures(&module);
    optimize::optimize(&module);
    Ok(Linked {
        module,
        kernels,
        warnings: compiled.warnings,
        contraction: compiled.contraction,
    })
}

/// The text of the LLVM module that the kernel IR is read from.
pub fn llvm_ir(source: &Source, options: &Options) -> Result<String, Error> {
    let context = Context::create();
    let linked = lower_to_llvm(&context, source, options)?;
    Ok(linked.module.print_to_string().to_string())
}

/// Adds the text of the file that each place is in. A file that can no longer be read is shown without.
fn with_texts(diagnostics: Vec<Diagnostic>, source: &Source) -> Vec<Diagnostic> {
    let text_of = |file: &str| {
        if file == source.name {
            Some(source.text.clone())
        } else {
            std::fs::read_to_string(file).ok()
        }
    };
    let with_text = |diagnostic: Diagnostic| match diagnostic
        .location
        .as_ref()
        .and_then(|location| text_of(&location.file))
    {
        Some(text) => diagnostic.with_text(text),
        None => diagnostic,
    };
    diagnostics.into_iter().map(with_text).collect()
}
