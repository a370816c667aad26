//! The programs of `tests/run` and the ways in which they are built.

use std::path::{Path, PathBuf};

use sluice_frontend::Options;

/// The files, in alphabetical order.
pub fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/run");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the corpus is in tests/run")
        .map(|entry| entry.expect("the folder can be listed").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "cl"))
        .collect();
    paths.sort();
    paths
}

/// The build options of each `launch:` line, without repetitions.
pub fn builds(text: &str) -> Vec<Options> {
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
