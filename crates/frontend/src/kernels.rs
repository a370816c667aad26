//! Selects the kernels of a file and what they use: everything else is dropped before the expensive stages.

use inkwell::module::Module;

use crate::diagnostics::{Code, Diagnostic};
use crate::llvm::{self, BodyBuilder, Function};

/// The kernels of `module` in the order of the source.
pub(crate) fn kernels(module: &Module<'_>) -> Vec<Function> {
    llvm::functions(module)
        .into_iter()
        .filter(|function| function.is_kernel() && !function.is_declaration())
        .collect()
}

/// The names of a module's kernels.
pub(crate) fn names(module: &Module<'_>) -> Vec<String> {
    kernels(module).into_iter().map(Function::name).collect()
}

/// Keeps the requested kernels, or all kernels, as the module's only visible functions. Returns their names.
pub(crate) fn select_kernels(
    module: &Module<'_>,
    wanted: &[String],
) -> Result<Vec<String>, Diagnostic> {
    let all = names(module);
    let missing = wanted.iter().find(|name| !all.contains(name));
    let selected = match missing {
        _ if all.is_empty() => {
            return Err(Diagnostic::new(Code::NoKernel, "the file holds no kernel")
                .help("mark a function of type void as `kernel`"));
        }
        None if wanted.is_empty() => all,
        None => wanted.to_vec(),
        Some(name) => {
            return Err(Diagnostic::new(
                Code::UnknownKernel,
                format!("there is no kernel `{name}`"),
            )
            .help(format!("the file holds: {}", all.join(", "))));
        }
    };
    for function in llvm::functions(module) {
        if !function.is_declaration() && !selected.contains(&function.name()) {
            function.make_internal();
        }
    }
    for variable in llvm::variables(module) {
        variable.limit_to_program();
    }
    Ok(selected)
}

/// Gives each kernel its own copy of the structures that it takes by value, which it may write to. Once the
/// copy has been split into scalars, what remains are loads from the parameter.
pub(crate) fn copy_structures(module: &Module<'_>) {
    for kernel in kernels(module) {
        for (index, parameter) in (0..).zip(kernel.parameters()) {
            let Some(structure) = kernel.by_value_type(index) else {
                continue;
            };
            let body = BodyBuilder::at_entry(module, kernel);
            let copy = body.variable(structure, parameter);
            llvm::replace_uses(parameter, copy);
            body.fill(copy, parameter, structure);
            kernel.add_parameter_attribute(index, "readonly");
            kernel.add_parameter_attribute(index, "noalias");
        }
    }
}
