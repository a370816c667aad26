//! Modules that clang seldom makes: each `tests/NAME.ll` is read as `tests/NAME.ir` or refused as
//! `tests/NAME.err` says. `SLUICE_BLESS=1` writes what it finds.

use std::path::{Path, PathBuf};

use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use sluice_kernel::verify::verify;

use super::read_kernels;
use crate::choices::Contraction;

fn modules() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/read/tests");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the modules are beside this file")
        .map(|entry| entry.expect("the folder can be listed").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "ll"))
        .collect();
    paths.sort();
    paths
}

/// The ending of the file with the expected result, and what was found.
fn outcome(path: &Path) -> (&'static str, String) {
    let context = Context::create();
    let text = MemoryBuffer::create_from_file(path).expect("it can be read");
    let module = context
        .create_module_from_ir(text)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    match read_kernels(&module, Contraction::Off, &[]) {
        Ok(kernels) => {
            let mut text = String::new();
            for kernel in kernels {
                verify(&kernel).unwrap_or_else(|errors| panic!("{errors}\n{kernel}"));
                text += &kernel.to_string();
            }
            ("ir", text)
        }
        Err(diagnostics) => {
            let describe = |diagnostic: &crate::Diagnostic| {
                format!("{}: {}\n", diagnostic.code, diagnostic.message)
            };
            ("err", diagnostics.iter().map(describe).collect())
        }
    }
}

#[test]
fn every_module_is_read_as_stands_beside_it() {
    let bless = std::env::var_os("SLUICE_BLESS").is_some();
    let mut failures = Vec::new();
    for path in modules() {
        let (ending, found) = outcome(&path);
        let expected_path = path.with_extension(ending);
        if bless {
            std::fs::write(&expected_path, &found).expect("it can be written");
        }
        let expected = std::fs::read_to_string(&expected_path).unwrap_or_default();
        if found != expected {
            failures.push(format!("{}:\n{found}", expected_path.display()));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
