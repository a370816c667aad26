//! `sluice ir`: the IR of a file's kernels.

use sluice_kernel::passes;

use crate::cli::IrArgs;
use crate::commands::opt::find_pass;
use crate::compile::{compile, compile_unoptimised};
use crate::failure::Failure;
use crate::output::{Output, warn};

pub(super) fn ir(args: &IrArgs, output: &Output) -> Result<(), Failure> {
    if args.llvm {
        return llvm_ir(args, output);
    }
    let compiled = match args.after.as_deref() {
        None => compile(&args.compile)?,
        Some("none") => compile_unoptimised(&args.compile)?,
        Some(name) => {
            find_pass(name)?;
            let mut compiled = compile_unoptimised(&args.compile)?;
            for kernel in &mut compiled.kernels {
                passes::optimise_until(kernel, name);
            }
            compiled
        }
    };
    warn(&compiled.warnings);
    for kernel in &compiled.kernels {
        output.line(kernel);
    }
    Ok(())
}

fn llvm_ir(args: &IrArgs, output: &Output) -> Result<(), Failure> {
    let (source, options) = (args.compile.source()?, args.compile.options());
    output.show(sluice_frontend::llvm_ir(&source, &options)?);
    Ok(())
}
