//! `make bench`: the interpreter against oclgrind, and the time from source to optimised IR.

mod against_oclgrind;
mod source_to_ir;

use std::process::ExitCode;

fn main() -> ExitCode {
    let result = against_oclgrind::measure().and_then(|()| source_to_ir::measure());
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
