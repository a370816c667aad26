//! Every program of the corpus compiles to kernels that the verifier accepts and that survive
//! printing and parsing.

#[path = "corpus/programs.rs"]
mod programs;

use std::path::Path;

use programs::{builds, programs};
use sluice_frontend::{Options, Source, compile};
use sluice_kernel::text::parse;
use sluice_kernel::verify::verify;

/// What is wrong with a program in any of the ways that it is built, if anything.
fn check(path: &Path) -> Result<(), String> {
    let source = Source::from_file(path).map_err(|error| error.to_string())?;
    let builds = builds(&source.text);
    if builds.is_empty() {
        return Err("it has no launch".to_owned());
    }
    builds
        .into_iter()
        .try_for_each(|options| check_build(&source, &options))
}

fn check_build(source: &Source, options: &Options) -> Result<(), String> {
    let compiled = compile(source, options).map_err(|error| error.to_string())?;
    for kernel in &compiled.kernels {
        verify(kernel).map_err(|errors| format!("{}: {errors}", kernel.name))?;
        let parsed = parse(&kernel.to_string()).map_err(|error| error.to_string())?;
        if parsed != *kernel {
            return Err(format!("{}: printing and parsing changes it", kernel.name));
        }
    }
    match compiled.kernels.is_empty() {
        true => Err("no kernels".to_owned()),
        false => Ok(()),
    }
}

#[test]
fn every_program_compiles_and_verifies() {
    let programs = programs();
    assert!(!programs.is_empty(), "the corpus is empty");
    let failures: Vec<String> = programs
        .iter()
        .filter_map(|path| {
            let reason = check(path).err()?;
            Some(format!("{}: {reason}", path.display()))
        })
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}
