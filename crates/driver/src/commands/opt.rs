//! `sluice opt`: passes on IR text.

use sluice_kernel::passes::{self, Pass};
use sluice_kernel::{text, verify};

use crate::cli::OptArgs;
use crate::failure::Failure;
use crate::files::read_text;
use crate::output::Output;

pub(super) fn opt(args: &OptArgs, output: &Output) -> Result<(), Failure> {
    let chosen: Vec<Pass> = args
        .passes
        .iter()
        .map(|name| find_pass(name))
        .collect::<Result<_, _>>()?;
    let refused = |message: String| Failure::Ir {
        path: args.file.display().to_string(),
        message,
    };
    let mut kernel = text::parse(&read_text(&args.file)?).map_err(|e| refused(e.to_string()))?;
    verify::verify(&kernel).map_err(|errors| refused(format!(" {errors}")))?;
    if chosen.is_empty() {
        output.show(passes::optimise(kernel));
        return Ok(());
    }
    for pass in chosen {
        // A pass that changes nothing is as good as one that does.
        let _ = (pass.run)(&mut kernel);
    }
    kernel.compact();
    output.show(kernel);
    Ok(())
}

fn find_pass(name: &str) -> Result<Pass, Failure> {
    passes::by_name(name).ok_or_else(|| {
        let known: Vec<&str> = passes::PASSES.iter().map(|pass| pass.name).collect();
        Failure::usage(
            format!("there is no pass `{name}`"),
            format!("the passes are: {}", known.join(", ")),
        )
    })
}
