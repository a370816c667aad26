//! Every kernel of the corpus, optimised and prepared, is reducible and has true liveness and dataflow
//! graphs.

#[path = "corpus/programs.rs"]
mod programs;

use std::path::Path;

use programs::{builds, programs};
use sluice_frontend::{Source, compile};
use sluice_kernel::Kernel;
use sluice_kernel::analysis::{Cfg, Dominators, Liveness, Loops, Uniform};
use sluice_kernel::dataflow::Dataflow;
use sluice_kernel::passes::optimise;
use sluice_kernel::structure::prepare;
use sluice_kernel::verify::verify;

/// How many kernels have each feature.
#[derive(Default, Debug)]
struct Counts {
    kernels: usize,
    irreducible: usize,
    loops: usize,
    nested_loops: usize,
}

fn loops_of(kernel: &Kernel) -> Loops {
    let cfg = Cfg::of(kernel);
    Loops::of(kernel, &cfg, &Dominators::of(kernel, &cfg))
}

fn check_kernel(mut kernel: Kernel, counts: &mut Counts) -> Result<(), String> {
    kernel = optimise(kernel).into_kernel();
    counts.irreducible += usize::from(!loops_of(&kernel).is_reducible());
    let _ = prepare(&mut kernel);
    verify(&kernel).map_err(|errors| errors.to_string())?;
    let loops = loops_of(&kernel);
    if !loops.is_reducible() {
        return Err("a cycle has several entries".into());
    }
    let cfg = Cfg::of(&kernel);
    let uniform = Uniform::of(&kernel, &cfg);
    let liveness = Liveness::of(&kernel, &cfg, &uniform);
    let dataflow = Dataflow::of(&kernel, &liveness, &uniform);
    dataflow.verify(&kernel, &uniform)?;
    counts.kernels += 1;
    counts.loops += usize::from(!loops.is_empty());
    counts.nested_loops += usize::from(loops.iter().any(|(_, data)| data.depth > 1));
    Ok(())
}

fn check(path: &Path, counts: &mut Counts) -> Result<(), String> {
    let source = Source::from_file(path).map_err(|error| error.to_string())?;
    for options in builds(&source.text) {
        let compiled = compile(&source, &options).map_err(|error| error.to_string())?;
        for kernel in compiled.kernels {
            let name = kernel.name.clone();
            check_kernel(kernel, counts).map_err(|error| format!("{name}: {error}"))?;
        }
    }
    Ok(())
}

#[test]
fn every_kernel_is_reducible_and_has_valid_graphs() {
    let mut counts = Counts::default();
    let mut failures = Vec::new();
    for path in programs() {
        if let Err(reason) = check(&path, &mut counts) {
            failures.push(format!("{}: {reason}", path.display()));
        }
    }
    println!("{counts:?}");
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    assert!(counts.loops > 0 && counts.nested_loops > 0, "{counts:?}");
}
