//! `sluice ir`: the IR of a file's kernels.

use sluice_kernel::passes;
use sluice_kernel::plan::MemoryPlan;
use sluice_kernel::prepare::order::{self, STEPS};

use crate::cli::IrArgs;
use crate::compile::{Compiled, compile, compile_unoptimised};
use crate::failure::Failure;
use crate::output::{Output, warn};

pub(super) fn ir(args: &IrArgs, output: &Output) -> Result<(), Failure> {
    if args.llvm {
        return llvm_ir(args, output);
    }
    let compiled = match args.after.as_deref() {
        None => compile(&args.compile)?,
        Some("none") => compile_unoptimised(&args.compile)?,
        Some(name) if passes::by_name(name).is_some() => {
            let mut compiled = compile_unoptimised(&args.compile)?;
            for kernel in &mut compiled.kernels {
                passes::optimise_until(kernel, name);
            }
            compiled
        }
        Some(name) if STEPS.iter().any(|step| step.name == name) => prepared(args, name)?,
        Some(name) => return Err(unknown(name)),
    };
    warn(&compiled.warnings);
    for kernel in &compiled.kernels {
        output.line(kernel);
    }
    Ok(())
}

/// The kernels after a step of their preparation, with the default plan.
fn prepared(args: &IrArgs, step: &str) -> Result<Compiled, Failure> {
    let mut compiled = compile(&args.compile)?;
    for kernel in &mut compiled.kernels {
        let after = order::kernel_after(kernel, MemoryPlan::default(), step);
        *kernel = after
            .expect("the caller found the step")
            .map_err(|refusal| Failure::refusal(&refusal, &args.compile.file))?
            .kernel;
    }
    Ok(compiled)
}

fn unknown(name: &str) -> Failure {
    let passes = passes::PASSES.iter().map(|pass| pass.name);
    let names: Vec<&str> = passes.chain(STEPS.iter().map(|step| step.name)).collect();
    Failure::usage(
        format!("there is no pass or step `{name}`"),
        format!("these are: none, {}", names.join(", ")),
    )
}

fn llvm_ir(args: &IrArgs, output: &Output) -> Result<(), Failure> {
    let (source, options) = (args.compile.source()?, args.compile.options());
    output.show(sluice_frontend::llvm_ir(&source, &options)?);
    Ok(())
}
