//! `make bench`: the interpreter against oclgrind, the time from source to optimised IR, and what
//! circuits do per cycle. An argument chooses one of them.

mod against_oclgrind;
mod source_to_ir;
mod throughput;

use std::error::Error;
use std::process::ExitCode;

type Measurement = fn() -> Result<(), Box<dyn Error>>;

const MEASUREMENTS: [(&str, Measurement); 3] = [
    ("against_oclgrind", against_oclgrind::measure),
    ("source_to_ir", source_to_ir::measure),
    ("throughput", throughput::measure),
];

fn main() -> ExitCode {
    let wanted = std::env::args().nth(1);
    for (name, measure) in MEASUREMENTS {
        if wanted.as_deref().is_none_or(|wanted| wanted == name)
            && let Err(error) = measure()
        {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
