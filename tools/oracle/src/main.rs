//! Runs jobs in a process of its own: a job per line of standard input, a reply per line of standard
//! output, both as JSON. The argument is the platform.

use std::error::Error;
use std::io::{BufRead, Write};
use std::process::ExitCode;

use sluice_oracle::{Captured, Isolated, Job, Oracle, OracleError, Reply};

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
    let [platform] = arguments.as_slice() else {
        return Err("usage: sluice-oracle PLATFORM < JOBS".into());
    };
    let mut captured = Captured::start()?;
    let oracle = Oracle::on_platform(platform)?;
    for line in std::io::stdin().lock().lines() {
        let job: Job = serde_json::from_str(&line?)?;
        let result = oracle.run(&job);
        let printed = captured.take()?;
        let reply: Reply = match result {
            Ok(outcome) => Ok(Isolated { outcome, printed }),
            Err(OracleError::Build { log }) => Err(log),
            Err(other) => return Err(other.into()),
        };
        let mut text = serde_json::to_vec(&reply)?;
        text.push(b'\n');
        captured.replies().write_all(&text)?;
    }
    Ok(())
}
