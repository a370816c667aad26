//! From objects to kernels, or to one object.

use inkwell::module::Module;
use sluice_kernel::Kernel;

use crate::choices::{Choices, Optimization};
use crate::clang::check_link_options;
use crate::diagnostics::{Code, Diagnostic, Error};
use crate::llvm::{self, Session};
use crate::object::Object;
use crate::{Compiled, Options, builtins, is_same_file, kernels, optimize, read, refusals};

/// Links objects to kernels: every one, or the one that `options` name. The warnings of the objects are not
/// repeated.
pub fn link(objects: &[&Object], options: &Options) -> Result<Compiled, Error> {
    check_link_options(&options.clang_args)?;
    let kernels = read_kernels(objects, Whole::Objects, options.kernel.as_deref())?;
    Ok(Compiled {
        kernels,
        warnings: String::new(),
    })
}

/// Links objects to one, in which functions may be missing still.
pub fn link_objects(objects: &[&Object]) -> Result<Object, Error> {
    let session = Session::new();
    let joined = join(&session, objects)?;
    let sources = objects.iter().flat_map(|object| &object.sources);
    Ok(Object {
        bitcode: joined.module.write_bitcode_to_memory().as_slice().to_vec(),
        choices: joined.choices,
        kernels: joined.kernels,
        warnings: String::new(),
        sources: sources.cloned().collect(),
    })
}

/// What the user means by the whole: it decides what is said of what is missing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Whole {
    /// One source.
    Program,
    /// Objects that were linked.
    Objects,
}

/// A program as LLVM sees it.
pub(crate) struct Linked<'c> {
    /// The module.
    pub module: Module<'c>,
    /// The names of the kernels in the order of the sources.
    pub kernels: Vec<String>,
    /// What the options of all objects choose.
    pub choices: Choices,
}

/// The kernels of the objects, read from LLVM.
pub(crate) fn read_kernels(
    objects: &[&Object],
    whole: Whole,
    kernel: Option<&str>,
) -> Result<Vec<Kernel>, Error> {
    let is_plain = |object: &&Object| object.choices.optimization == Optimization::Least;
    let mut kernels = match read_with(objects, whole, kernel, None) {
        // Some programs can be read only when they are optimised: arrays of events must become values. To be
        // optimised after all is better than to be refused.
        Err(Error::Program(_)) if objects.iter().any(is_plain) => {
            read_with(objects, whole, kernel, Some(Optimization::Full))?
        }
        read => read?,
    };
    for file in kernels.iter_mut().flat_map(|kernel| &mut kernel.files) {
        let sources = objects.iter().flat_map(|object| &object.sources);
        let mut same = sources.filter(|source| is_same_file(file, &source.name));
        if let Some(source) = same.next() {
            file.clone_from(&source.name);
        }
    }
    Ok(kernels)
}

/// The kernels in the order of the sources, optimised as the objects say or as it is given.
fn read_with(
    objects: &[&Object],
    whole: Whole,
    kernel: Option<&str>,
    optimization: Option<Optimization>,
) -> Result<Vec<Kernel>, Error> {
    let session = Session::new();
    let linked = lower_to_llvm(&session, objects, whole, kernel, optimization)?;
    let mut kernels = read::read_kernels(&linked.module, linked.choices.contraction)
        .map_err(|diagnostics| Error::Program(with_texts(diagnostics, objects)))?;
    kernels.sort_by_key(|kernel| {
        let mut names = linked.kernels.iter();
        names.position(|name| *name == kernel.name)
    });
    for kernel in &mut kernels {
        kernel.subnormals = linked.choices.subnormals;
    }
    Ok(kernels)
}

/// One optimised module, whose defined functions are the kernels.
pub(crate) fn lower_to_llvm<'s>(
    session: &'s Session,
    objects: &[&Object],
    whole: Whole,
    kernel: Option<&str>,
    optimization: Option<Optimization>,
) -> Result<Linked<'s>, Error> {
    let mut linked = join(session, objects)?;
    let module = &linked.module;
    let selected = kernels::select_kernels(module, kernel)?;
    linked.kernels.retain(|name| selected.contains(name));
    optimize::drop_unreachable(module);
    let context = session.context();
    refusals::refuse_the_impossible(module)
        .and_then(|()| builtins::define_builtins(context, module, linked.choices, whole))
        .map_err(|diagnostics| Error::Program(with_texts(diagnostics, objects)))?;
    kernels::copy_structures(module);
    let optimization = optimization.unwrap_or(linked.choices.optimization);
    optimize::optimize(module, optimization);
    Ok(linked)
}

/// One module of all objects, as clang made them.
fn join<'s>(session: &'s Session, objects: &[&Object]) -> Result<Linked<'s>, Error> {
    let mut modules = Vec::with_capacity(objects.len());
    for object in objects {
        let module = session.parse_bitcode(&object.bitcode);
        modules.push(module.map_err(Error::Object)?);
    }
    let several = modules.len() > 1;
    let mut modules = modules.into_iter();
    let first = modules
        .next()
        .ok_or_else(|| Diagnostic::new(Code::Link, "there is nothing to link"))?;
    if several {
        keep_inline_copies(&first);
    }
    for module in modules {
        keep_inline_copies(&module);
        session
            .link(&first, module)
            .map_err(|message| Diagnostic::new(Code::Link, message))?;
    }
    let names = objects.iter().flat_map(|object| object.kernels.clone());
    let choices = objects.iter().map(|object| object.choices);
    Ok(Linked {
        module: first,
        kernels: names.collect(),
        choices: choices.reduce(Choices::and).unwrap_or(Choices::DEFAULT),
    })
}

/// C lets a call take the body of an `inline` function that stands in its own source, and nobody has to define
/// it elsewhere. The linker would drop such a body.
fn keep_inline_copies(module: &Module<'_>) {
    for function in llvm::functions(module) {
        if function.is_inline_copy() {
            function.make_internal();
        }
    }
}

/// Adds the text of the file that each place is in. A file that can no longer be read is shown without.
fn with_texts(diagnostics: Vec<Diagnostic>, objects: &[&Object]) -> Vec<Diagnostic> {
    let text_of = |file: &str| {
        let mut sources = objects.iter().flat_map(|object| &object.sources);
        match sources.find(|source| file == source.name) {
            Some(source) => Some(source.text.clone()),
            None => std::fs::read_to_string(file).ok(),
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
