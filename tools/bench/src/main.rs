//! `make bench`: the interpreter against oclgrind, the time from source to optimised IR, and
//! circuits: cycles, what more datapaths gain, atomics, the simulator's speed, the OpenCL runtime, area,
//! the cores of elementary functions.
//! Arguments choose some of them.

mod against_oclgrind;
mod area;
mod atomics;
mod circuits;
mod cores;
#[cfg(test)]
mod intervals;
mod locks;
mod loops;
mod published;
mod runtime;
mod scaling;
mod sim_speed;
mod source_to_ir;
mod workloads;

use std::error::Error;
use std::process::ExitCode;

type Measurement = fn() -> Result<(), Box<dyn Error>>;

const MEASUREMENTS: [(&str, Measurement); 11] = [
    ("against_oclgrind", against_oclgrind::measure),
    ("source_to_ir", source_to_ir::measure),
    ("throughput", circuits::throughput),
    ("scaling", scaling::measure),
    ("loops", loops::measure),
    ("published", published::measure),
    ("atomics", atomics::measure),
    ("sim_speed", sim_speed::measure),
    ("runtime", runtime::measure),
    ("area", circuits::area),
    ("cores", cores::measure),
];

fn main() -> ExitCode {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let is_known = |name: &String| MEASUREMENTS.iter().any(|(known, _)| known == name);
    if let Some(unknown) = wanted.iter().find(|name| !is_known(name)) {
        let names = MEASUREMENTS.map(|(name, _)| name).join(", ");
        eprintln!("no measurement `{unknown}`: there are {names}");
        return ExitCode::from(2);
    }
    for (name, measure) in MEASUREMENTS {
        if (wanted.is_empty() || wanted.iter().any(|wanted| wanted == name))
            && let Err(error) = measure()
        {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
