//! The reader: each kernel function of an optimised LLVM module as a [`Kernel`].
//!
//! An LLVM value becomes a list of IR values: vectors and aggregates are flattened to lanes, so
//! whatever vector instructions are left are read lane by lane and only loads and stores keep
//! their width. Blocks are read in reverse postorder, in which every definition comes before its
//! uses; phis become block parameters.

mod arithmetic;
mod atomics;
mod bits;
mod body;
mod builder;
mod calls;
mod constants;
mod float_class;
mod interface;
mod intrinsics;
pub(crate) mod llvm;
pub(crate) mod loops;
mod memory;
pub(crate) mod metadata;
mod names;
mod objects;
mod overflow;
mod parameters;
mod refusal;
mod tables;
#[cfg(test)]
mod tests;
mod transfers;
mod types;
mod variables;
mod vectors;

use sluice_kernel::Kernel;
use sluice_kernel::analysis::annotate_objects;
use sluice_kernel::ir::Value;
use sluice_kernel::verify::verify;
use smallvec::SmallVec;

use body::Reader;
use refusal::Refusal;
use variables::ProgramVariables;

use crate::choices::Contraction;
use crate::diagnostics::Diagnostic;
use crate::hints::SourceHint;

/// The IR values that one LLVM value becomes.
type Lanes = SmallVec<[Value; 4]>;

/// The result of reading, or why the program is refused.
type Result<T> = std::result::Result<T, Refusal>;

/// Reads every kernel of a module in which all calls but those of primitives are inlined.
pub(crate) fn read_kernels(
    module: &inkwell::module::Module<'_>,
    contraction: Contraction,
    hints: &[SourceHint],
) -> std::result::Result<Vec<Kernel>, Vec<Diagnostic>> {
    let module = llvm::Module::new(module);
    let mut kernels = Vec::new();
    let mut diagnostics = Vec::new();
    let variables = ProgramVariables::of(module).map_err(|refusal| vec![refusal.into()])?;
    for function in module.functions().filter(|function| function.is_kernel()) {
        let reader = Reader::new(module, function, contraction, &variables);
        match read_kernel(reader, hints) {
            Ok(kernel) => kernels.push(kernel),
            Err(refusal) => diagnostics.push(refusal.into()),
        }
    }
    match diagnostics.is_empty() {
        true => Ok(kernels),
        false => Err(diagnostics),
    }
}

fn read_kernel(reader: Reader<'_>, hints: &[SourceHint]) -> Result<Kernel> {
    let location = metadata::function_location(reader.function);
    let mut kernel = reader.read(hints).map_err(|refusal| refusal.at(location))?;
    annotate_objects(&mut kernel);
    kernel.compact();
    if cfg!(debug_assertions)
        && let Err(errors) = verify(&kernel)
    {
        panic!("the reader keeps the IR's invariants: {errors}\n{kernel}");
    }
    Ok(kernel)
}
