//! Prints the optimised LLVM module of an OpenCL C file: `llvm_ir FILE [BUILD OPTION ...]`.

use std::time::Instant;

use sluice_frontend::{Options, Source, llvm_ir};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().expect("a file to compile");
    let source = Source::from_file(file).expect("a readable file");
    let options = Options {
        clang_args: arguments.collect(),
        ..Options::default()
    };
    let start = Instant::now();
    match llvm_ir(&source, &options) {
        Ok(text) => {
            println!("{text}");
            eprintln!("{:.1} ms", start.elapsed().as_secs_f64() * 1e3);
        }
        Err(error) => {
            eprintln!("{error}");
            for diagnostic in error.diagnostics() {
                eprintln!(
                    "{}: {diagnostic} {:?}",
                    diagnostic.code, diagnostic.location
                );
            }
        }
    }
}
