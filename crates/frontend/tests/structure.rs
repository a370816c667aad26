//! Every kernel of the corpus, optimised and prepared, has a control tree, true liveness and
//! dataflow graphs.

#[path = "corpus/programs.rs"]
mod programs;

use std::collections::BTreeMap;
use std::path::Path;

use programs::{builds, programs};
use sluice_frontend::{Source, compile};
use sluice_kernel::Kernel;
use sluice_kernel::analysis::{Cfg, Liveness, Uniform};
use sluice_kernel::dataflow::Dataflow;
use sluice_kernel::passes::optimise;
use sluice_kernel::structure::{ControlTree, prepare};
use sluice_kernel::verify::verify;

/// How many kernels have each feature.
type Counts = BTreeMap<&'static str, usize>;

fn check_kernel(mut kernel: Kernel, counts: &mut Counts) -> Result<(), String> {
    optimise(&mut kernel);
    if ControlTree::of(&kernel).is_err() {
        *counts.entry("tangled cycles").or_default() += 1;
    }
    let _ = prepare(&mut kernel);
    verify(&kernel).map_err(|errors| errors.to_string())?;
    let tree = ControlTree::of(&kernel).map_err(|error| error.to_string())?;
    tree.verify(&kernel)?;
    let cfg = Cfg::of(&kernel);
    let uniform = Uniform::of(&kernel, &cfg);
    let liveness = Liveness::of(&kernel, &cfg, &uniform);
    let dataflow = Dataflow::of(&kernel, &liveness, &uniform);
    dataflow.verify(&kernel, &uniform)?;
    *counts.entry("kernels").or_default() += 1;
    let mut kinds: Vec<&str> = tree.iter().map(|(_, data)| data.kind.name()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    for kind in kinds {
        *counts.entry(kind).or_default() += 1;
    }
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
fn every_kernel_has_a_valid_tree_and_valid_graphs() {
    let mut counts = Counts::new();
    let mut failures = Vec::new();
    for path in programs() {
        if let Err(reason) = check(&path, &mut counts) {
            failures.push(format!("{}: {reason}", path.display()));
        }
    }
    println!("{counts:?}");
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    for kind in ["IfThenElse", "WhileLoop", "ProperInterval", "NaturalLoop"] {
        assert!(counts.contains_key(kind), "no kernel has a {kind}");
    }
}
