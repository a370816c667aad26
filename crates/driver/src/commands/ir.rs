//! `sluice ir`: the IR of a file's kernels.

use sluice_kernel::analysis::dependence::{Buffers, Dependences};
use sluice_kernel::plan::Plan;
use sluice_kernel::prepare::order::{self, STEPS};
use sluice_kernel::{Kernel, passes};

use crate::cli::IrArgs;
use crate::compile::{compile, read};
use crate::failure::Failure;
use crate::output::{Output, warn};

pub(super) fn ir(args: &IrArgs, output: &Output) -> Result<(), Failure> {
    if args.llvm {
        return llvm_ir(args, output);
    }
    let name = args.after.as_deref();
    match name {
        Some(name) if STEPS.iter().any(|step| step.name == name) => {
            return prepared(args, name, output);
        }
        Some(name) if name != "none" && passes::by_name(name).is_none() => {
            return Err(unknown(name));
        }
        Some(_) | None => {}
    }
    let mut read = read(&args.compile)?;
    warn(&read.warnings);
    for mut kernel in read.kernels.drain(..) {
        match name {
            None => show(args, &passes::optimise(kernel), output),
            Some("none") => show(args, &kernel, output),
            Some(name) => {
                passes::optimise_until(&mut kernel, name);
                show(args, &kernel, output);
            }
        }
    }
    Ok(())
}

/// Prints a kernel, and the dependences of its loops if they are asked for.
fn show(args: &IrArgs, kernel: &Kernel, output: &Output) {
    output.line(kernel);
    if args.dependences {
        output.line(Dependences::of(kernel, Buffers::MayAlias));
    }
}

/// Prints the kernels after a step of their preparation, with the default plan.
fn prepared(args: &IrArgs, step: &str, output: &Output) -> Result<(), Failure> {
    let compiled = compile(&args.compile)?;
    let after = |kernel| {
        let after = order::kernel_after(kernel, &Plan::default(), step);
        after
            .expect("the caller found the step")
            .map(|after| after.kernel)
    };
    let kernels = compiled.program.kernels().iter().map(after);
    let kernels: Vec<Kernel> = kernels
        .collect::<Result<_, _>>()
        .map_err(|refusal| Failure::refusal(&refusal, &args.compile.file))?;
    warn(&compiled.warnings);
    kernels.iter().for_each(|kernel| show(args, kernel, output));
    Ok(())
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
