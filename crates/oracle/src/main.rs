//! Runs one job in a process of its own: JSON on standard input, the outcome as JSON into the file named
//! second. The first argument is the platform. Standard output is left to the kernel's `printf`.

use std::error::Error;
use std::process::ExitCode;

use sluice_oracle::{Job, Oracle, OracleError, Outcome};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [platform, outcome_path] = arguments.as_slice() else {
        return Err("usage: sluice-oracle PLATFORM OUTCOME-FILE < JOB".into());
    };
    let job: Job = serde_json::from_reader(std::io::stdin().lock())?;
    let result: Result<Outcome, OracleError> =
        Oracle::on_platform(platform).and_then(|oracle| oracle.run(&job));
    let answer = match result {
        Ok(outcome) => Ok(outcome),
        Err(OracleError::Build { log }) => Err(log),
        Err(other) => return Err(other.into()),
    };
    std::fs::write(outcome_path, serde_json::to_vec(&answer)?)?;
    Ok(())
}
