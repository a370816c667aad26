//! Gives the sources of everything between OpenCL C and kernel IR one number, so that the build cache does not
//! take what another state of this code has built for its own.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

/// Beside this crate, in a checkout. A published crate has its version. The circuits' models are what constants are
/// folded with.
const FOLDERS: [&str; 5] = [
    "../circuit/src",
    "../frontend/src",
    "../frontend/library",
    "../kernel/src",
    "src/program",
];

fn main() {
    let mut files = BTreeMap::new();
    for folder in FOLDERS {
        if Path::new(folder).exists() {
            println!("cargo:rerun-if-changed={folder}");
            read(Path::new(folder), &mut files);
        }
    }
    println!("cargo:rerun-if-changed=build.rs");
    let mut hasher = DefaultHasher::new();
    files.hash(&mut hasher);
    println!("cargo:rustc-env=SLUICE_SOURCES={:016x}", hasher.finish());
}

fn read(folder: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) {
    let listed = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for path in listed.map(|entry| entry.path()) {
        if path.is_dir() {
            read(&path, files);
        } else if let Ok(text) = std::fs::read(&path) {
            files.insert(path, text);
        }
    }
}
