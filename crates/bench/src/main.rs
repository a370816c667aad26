//! `make bench`: the interpreter against oclgrind, the time from source to optimised IR, what
//! circuits do per cycle, and the simulator against Verilator. An argument chooses one of them.

mod against_oclgrind;
mod sim_speed;
mod source_to_ir;
mod throughput;

use std::error::Error;
use std::process::ExitCode;

type Measurement = fn() -> Result<(), Box<dyn Error>>;

const MEASUREMENTS: [(&str, Measurement); 4] = [
    ("against_oclgrind", against_oclgrind::measure),
    ("source_to_ir", source_to_ir::measure),
    ("throughput", throughput::measure),
    ("sim_speed", sim_speed::measure),
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
