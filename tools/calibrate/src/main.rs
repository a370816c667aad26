//! Measures units and operators with synthesis tools, and writes the tables that estimates are made
//! from.

mod alone;
mod clocks;
mod delays;
mod depths;
mod kernels;
mod least_squares;
mod measurements;
mod probe;

use std::error::Error;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Measures units and operators with Yosys and nextpnr.
///
/// Results are kept in target/calibrate: what has not changed is not measured again.
#[derive(Parser)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// The clocks that units and operators reach alone on an ECP5
    Clocks(clocks::Args),
    /// The delays of an ECP5, fitted to steps of operators and to expressions
    Delays(delays::Args),
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    match &args.command {
        Command::Clocks(args) => clocks::run(args),
        Command::Delays(args) => delays::run(args),
    }
}
