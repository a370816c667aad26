//! Every program of the corpus compiles to kernels that the verifier accepts and that survive
//! printing and parsing.

use std::path::{Path, PathBuf};

use sluice_frontend::{Options, Source, compile};
use sluice_kernel::text::parse;
use sluice_kernel::verify::verify;

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/run");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the corpus is in tests/run")
        .map(|entry| entry.expect("the folder can be listed").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "cl"))
        .collect();
    paths.sort();
    paths
}

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

/// The build options of each `launch:` line, without repetitions.
fn builds(text: &str) -> Vec<Options> {
    let lines = text.lines();
    let launches = lines.filter_map(|line| line.strip_prefix("// launch:"));
    let mut builds: Vec<Vec<String>> = launches.map(build_options).collect();
    builds.sort();
    builds.dedup();
    let options = |clang_args| Options {
        clang_args,
        ..Options::default()
    };
    builds.into_iter().map(options).collect()
}

fn build_options(launch: &str) -> Vec<String> {
    let mut words = launch.split_whitespace();
    let mut options = Vec::new();
    while let Some(word) = words.next() {
        if word == "-D" {
            let value = words.next().expect("-D has a value");
            options.push(format!("-D{value}"));
        } else if word.starts_with("-D") || word.starts_with("-cl-") {
            options.push(word.to_owned());
        }
    }
    options
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
