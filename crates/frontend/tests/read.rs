//! What the reader makes of small programs: each `read/NAME.cl` compiles to the kernels in
//! `read/NAME.ir` or is refused as `read/NAME.err` says. `SLUICE_BLESS=1` writes what it finds.

use std::path::{Path, PathBuf};

use miette::{GraphicalReportHandler, GraphicalTheme};
use sluice_frontend::{Compiled, Error, Options, Source, compile};
use sluice_kernel::verify::verify;

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/read");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the programs are in tests/read")
        .map(|entry| entry.expect("the folder can be listed").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "cl"))
        .collect();
    paths.sort();
    paths
}

/// Compiles under the bare file name, which is what messages and IR then show.
fn build(path: &Path) -> Result<Compiled, Error> {
    let name = path.file_name().expect("it is a file").to_string_lossy();
    let text = std::fs::read_to_string(path).expect("it can be read");
    let first = text.lines().next().unwrap_or_default();
    let options = first.strip_prefix("// options:").unwrap_or_default();
    let options = Options {
        clang_args: options.split_whitespace().map(str::to_owned).collect(),
        ..Options::default()
    };
    compile(&Source::from_text(name, text), &options)
}

fn render(error: &Error) -> String {
    let handler = GraphicalReportHandler::new_themed(GraphicalTheme::unicode_nocolor());
    let mut text = String::new();
    for diagnostic in error.diagnostics() {
        handler
            .render_report(&mut text, diagnostic)
            .expect("strings can be written to");
    }
    match text.is_empty() {
        true => error.to_string(),
        false => text,
    }
}

/// The ending of the file with the expected result, and what was found.
fn outcome(path: &Path) -> (&'static str, String) {
    match build(path) {
        Err(error) => ("err", render(&error)),
        Ok(compiled) => {
            let mut text = String::new();
            for kernel in &compiled.kernels {
                verify(kernel).unwrap_or_else(|errors| panic!("{}\n{kernel}", errors));
                text += &kernel.to_string();
            }
            ("ir", text)
        }
    }
}

#[test]
fn every_program_gives_what_stands_beside_it() {
    let bless = std::env::var_os("SLUICE_BLESS").is_some();
    let mut failures = Vec::new();
    for path in programs() {
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
