//! Links objects into kernels, or into one object.

use std::panic::{AssertUnwindSafe, catch_unwind};

use inkwell::module::Module;
use sluice_kernel::verify::verify;

use crate::choices::{Choices, Optimization};
use crate::clang::{self, check_link_options};
use crate::diagnostics::{Code, Diagnostic, Error};
use crate::hints::SourceHint;
use crate::llvm::{self, Session};
use crate::object::{BitcodeOrigin, Object};
use crate::{
    Compiled, Options, builtins, is_same_file, kernels, limits, memory_choices, optimize,
    provenance, read, refusals,
};

/// Links objects into kernels: every one, or those that `options` name. The warnings of the objects are not
/// repeated.
pub fn link(objects: &[&Object], options: &Options) -> Result<Compiled, Error> {
    check_link_options(&options.clang_args)?;
    read_kernels(objects, Whole::Objects, &options.kernels)
}

/// Links objects into one, which may still have undefined functions.
pub fn link_objects(objects: &[&Object]) -> Result<Object, Error> {
    let session = Session::new();
    let joined = join(&session, objects, Whole::Objects)?;
    let sources = objects.iter().flat_map(|object| &object.sources);
    Ok(Object {
        bitcode: joined.module.write_bitcode_to_memory().as_slice().to_vec(),
        origin: BitcodeOrigin::Compiler,
        choices: joined.choices,
        kernels: joined.kernels,
        warnings: String::new(),
        hints: joined.hints,
        sources: sources.cloned().collect(),
    })
}

/// What is being built: it decides the message for an undefined function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Whole {
    /// One source, whose kernels are in the order of the module.
    Program,
    /// Objects that were linked.
    Objects,
}

/// A program as one LLVM module.
pub(crate) struct Linked<'c> {
    /// The module.
    pub module: Module<'c>,
    /// The names of the kernels in the order of the sources.
    pub kernels: Vec<String>,
    /// What the options of all objects choose.
    pub choices: Choices,
    /// Warnings of stages after clang, in whole lines.
    pub warnings: String,
    /// What the sources say about loops that clang does not know.
    pub hints: Vec<SourceHint>,
}

/// The kernels of the objects, read from LLVM, with the warnings of stages after clang.
pub(crate) fn read_kernels(
    objects: &[&Object],
    whole: Whole,
    wanted: &[String],
) -> Result<Compiled, Error> {
    let is_plain = |object: &&Object| object.choices.optimization == Optimization::Least;
    let read = || match read_with(objects, whole, wanted, None) {
        // Some programs can be read only when they are optimised: arrays of events must become values. Optimising
        // them in spite of the option is better than refusing them.
        Err(Error::Program(_)) if objects.iter().any(is_plain) => {
            read_with(objects, whole, wanted, Some(Optimization::Full))
        }
        read => read,
    };
    let mut compiled = match objects
        .iter()
        .all(|object| object.origin == BitcodeOrigin::Compiler)
    {
        true => read()?,
        false => catch_panics(read)?,
    };
    let kernels = compiled.kernels.iter_mut();
    for file in kernels.flat_map(|kernel| &mut kernel.files) {
        let sources = objects.iter().flat_map(|object| &object.sources);
        let mut same = sources.filter(|source| is_same_file(file, &source.name));
        if let Some(source) = same.next() {
            file.clone_from(&source.name);
        }
    }
    Ok(compiled)
}

/// Reads modules that clang may not have written. They can be valid LLVM IR and still violate what the stages rely on;
/// a panic is then reported as a refusal.
fn catch_panics(read: impl FnOnce() -> Result<Compiled, Error>) -> Result<Compiled, Error> {
    let foreign = || Error::Object("clang does not write such code for OpenCL C".to_owned());
    let compiled = catch_unwind(AssertUnwindSafe(read)).map_err(|_| foreign())??;
    match compiled.kernels.iter().all(|kernel| verify(kernel).is_ok()) {
        true => Ok(compiled),
        false => Err(foreign()),
    }
}

/// The kernels in the order of the sources, with the given optimisation or else that of the objects.
fn read_with(
    objects: &[&Object],
    whole: Whole,
    wanted: &[String],
    optimization: Option<Optimization>,
) -> Result<Compiled, Error> {
    let session = Session::new();
    let linked = lower_to_llvm(&session, objects, whole, wanted, optimization)?;
    let mut kernels = read::read_kernels(&linked.module, linked.choices.contraction, &linked.hints)
        .map_err(|diagnostics| Error::Program(with_texts(diagnostics, objects)))?;
    kernels.sort_by_key(|kernel| {
        let mut names = linked.kernels.iter();
        names.position(|name| *name == kernel.name)
    });
    for kernel in &mut kernels {
        kernel.subnormals = linked.choices.subnormals;
        kernel.reassociation = linked.choices.reassociation;
    }
    Ok(Compiled {
        kernels,
        warnings: linked.warnings,
    })
}

/// One optimised module, whose defined functions are the kernels.
pub(crate) fn lower_to_llvm<'s>(
    session: &'s Session,
    objects: &[&Object],
    whole: Whole,
    wanted: &[String],
    optimization: Option<Optimization>,
) -> Result<Linked<'s>, Error> {
    let mut linked = join(session, objects, whole)?;
    let module = &linked.module;
    linked.warnings = memory_choices::read(module);
    let selected = kernels::select_kernels(module, wanted)?;
    linked.kernels.retain(|name| selected.contains(name));
    optimize::drop_unreachable(module);
    let context = session.context();
    refusals::reject_unsynthesizable(module)
        .and_then(|()| builtins::define_builtins(context, module, linked.choices, whole))
        .map_err(|diagnostics| Error::Program(with_texts(diagnostics, objects)))?;
    kernels::copy_structures(module);
    let optimization = optimization.unwrap_or(linked.choices.optimization);
    let refused = |diagnostic| Error::Program(with_texts(vec![diagnostic], objects));
    limits::check_inlined(module).map_err(refused)?;
    linked.warnings += &optimize::optimize(module, optimization);
    limits::check_optimized(module).map_err(refused)?;
    Ok(linked)
}

/// One module of all objects, as clang made them.
fn join<'s>(session: &'s Session, objects: &[&Object], whole: Whole) -> Result<Linked<'s>, Error> {
    let mut modules = Vec::with_capacity(objects.len());
    for object in objects {
        modules.push(parse(session, object)?);
    }
    let several = modules.len() > 1;
    let mut modules = modules.into_iter();
    let first = modules
        .next()
        .ok_or_else(|| Diagnostic::new(Code::Link, "there is nothing to link"))?;
    let names = match whole {
        Whole::Program => kernels::names(&first),
        Whole::Objects => {
            let names = objects.iter().flat_map(|object| object.kernels.clone());
            names.collect()
        }
    };
    if several {
        keep_inline_copies(&first);
    }
    for module in modules {
        keep_inline_copies(&module);
        session
            .link(&first, module)
            .map_err(|message| Diagnostic::new(Code::Link, message))?;
    }
    let choices = objects.iter().map(|object| object.choices);
    Ok(Linked {
        module: first,
        kernels: names,
        choices: choices.reduce(Choices::and).unwrap_or(Choices::DEFAULT),
        warnings: String::new(),
        hints: objects.iter().flat_map(|it| it.hints.clone()).collect(),
    })
}

/// The module of an object. Untrusted bitcode is first read by a separate process, and must be what clang generates
/// from OpenCL C.
fn parse<'s>(session: &'s Session, object: &Object) -> Result<Module<'s>, Error> {
    let read = |bitcode: &[u8]| session.parse_bitcode(bitcode).map_err(Error::Object);
    match object.origin {
        BitcodeOrigin::Compiler => read(&object.bitcode),
        BitcodeOrigin::Unknown => {
            let module = read(&clang::rewrite_bitcode(&object.bitcode)?)?;
            provenance::check(&module).map_err(Error::Object)?;
            Ok(module)
        }
    }
}

/// In C, a call may use the body of an `inline` function in the same source, even if no external definition
/// exists. The linker would drop such a body.
fn keep_inline_copies(module: &Module<'_>) {
    for function in llvm::functions(module) {
        if function.is_inline_copy() {
            function.make_internal();
        }
    }
}

/// Adds the source text to each diagnostic. Without it, if the file can no longer be read.
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
