//! The OpenCL builtins: defines the functions that a program calls and does not define itself.
//!
//! The library (see `build.rs`) defines the scalar functions. Calls of vector functions that it does not
//! define are given a body that works lane by lane; then the library is linked.

mod lanes;
mod mangling;
mod native;
mod shuffles;

use inkwell::context::Context;
use inkwell::module::Module;

use crate::choices::{Choices, Contraction, Functions};
use crate::diagnostics::{Code, Diagnostic};
use crate::link::Whole;
use crate::llvm::{self, BodyBuilder, Function};
use crate::primitives::Primitive;
use mangling::Signature;

static LIBRARY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/builtins.bc"));

/// Defines every builtin that `module` calls, or returns a diagnostic for each one that does not exist.
pub(crate) fn define_builtins<'c>(
    context: &'c Context,
    module: &Module<'c>,
    choices: Choices,
    whole: Whole,
) -> Result<(), Vec<Diagnostic>> {
    if choices.functions == Functions::Native {
        native::prefer_native_functions(module);
    }
    let undefined = undefined(module);
    if undefined.is_empty() {
        return Ok(());
    }
    let library = llvm::open_bitcode(context, LIBRARY);
    let mut unknown = Vec::new();
    for function in undefined {
        let symbol = function.name();
        let signature = Signature::parse(&symbol);
        let defined = match &signature {
            Some(signature) => {
                (choices.contraction == Contraction::Allowed && fuse(module, function, signature))
                    || defined_in(&library, &symbol)
                    || shuffles::define(module, function, signature)
                    || lanes::define(module, &library, function, signature)
            }
            None => defined_in(&library, &symbol),
        };
        if !defined {
            unknown.push(refusal(function, &symbol, signature, whole));
        }
    }
    if !unknown.is_empty() {
        unknown.sort_by(|a: &Diagnostic, b| a.location.cmp(&b.location));
        return Err(unknown);
    }
    llvm::link_library(module, library);
    Ok(())
}

fn undefined(module: &Module<'_>) -> Vec<Function> {
    llvm::functions(module)
        .into_iter()
        .filter(|function| function.is_declaration() && !function.is_intrinsic())
        .filter(|function| Primitive::from_symbol(&function.name()).is_none())
        .collect()
}

fn defined_in(library: &Module<'_>, symbol: &str) -> bool {
    llvm::function_named(library, symbol).is_some_and(|function| !function.is_declaration())
}

/// `mad` is a multiplication and an addition; where the options allow to fuse them, the later stages choose.
fn fuse(module: &Module<'_>, function: Function, signature: &Signature) -> bool {
    if signature.name != "mad" {
        return false;
    }
    let body = BodyBuilder::begin(module, function);
    let result = body.call_intrinsic(
        "llvm.fmuladd",
        function.return_type(),
        &mut function.parameters(),
    );
    body.return_value(result);
    true
}

/// The help for a function that OpenCL C has and the device does not.
fn workaround(name: &str) -> Option<&'static str> {
    match name {
        _ if name.starts_with("sub_group_") => Some("use local memory and barrier()"),
        _ if name.starts_with("__enqueue_kernel") => {
            Some("enqueue the kernel from the host program")
        }
        _ => None,
    }
}

fn refusal(
    function: Function,
    symbol: &str,
    signature: Option<Signature>,
    whole: Whole,
) -> Diagnostic {
    let name = signature.map_or_else(|| symbol.to_owned(), |signature| signature.name);
    let location = function.calls().first().and_then(|call| call.location());
    let opaque: Vec<String> = function
        .parameter_types()
        .into_iter()
        .chain([function.return_type()])
        .filter_map(|type_| type_.opaque_name())
        .collect();
    let takes = |kinds: &[&str]| opaque.iter().any(|name| kinds.contains(&name.as_str()));
    if takes(&["spirv.Image", "spirv.SampledImage", "spirv.Sampler"]) {
        return Diagnostic::new(
            Code::Image,
            format!("`{name}` needs images, which the device does not have"),
        )
        .at(location, "called here")
        .help("pass the data as a buffer and compute the address");
    }
    if takes(&["spirv.Pipe"]) {
        return Diagnostic::new(
            Code::Pipe,
            format!("`{name}` needs pipes, which are not supported"),
        )
        .at(location, "called here")
        .help("pass the data through a buffer in global memory");
    }
    if let Some(help) = workaround(&name) {
        let name = name.trim_start_matches('_');
        let message = format!("`{name}` is not supported");
        return Diagnostic::new(Code::UnknownFunction, message)
            .at(location, "called here")
            .help(help);
    }
    let (message, help) = match whole {
        Whole::Program => (
            format!("`{name}` is called but defined nowhere"),
            "define the function in this program; it is not a builtin of OpenCL C with these argument types",
        ),
        Whole::Objects => (
            format!("`{name}` is used but defined in none of the objects"),
            "link the object that defines it; it is not a builtin of OpenCL C with these argument types",
        ),
    };
    Diagnostic::new(Code::UnknownFunction, message)
        .at(location, "called here")
        .help(help)
}
