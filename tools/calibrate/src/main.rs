//! `sluice-calibrate`: fits the tables that estimates are made from to what synthesis tools make of
//! our units.

mod alone;
mod areas;
mod check;
mod clocks;
mod delays;
mod depths;
mod fit;
mod forget;
mod kernels;
mod measure;
mod measurements;
mod placed;
mod probe;
mod samples;
mod unit_delays;

use std::error::Error;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use sluice_circuit::family::{FAMILIES, Family};
use sluice_synth::job::JobError;

use areas::Detail;
use measure::Unmeasured;

/// Fits the tables that estimates are made from to what synthesis tools make of units.
#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Measures units with Yosys, fits what their terms take, and writes the tables of estimates
    Areas {
        /// Families [default: all]
        families: Vec<String>,
        /// Fit to all units of kernels that were measured before, and measure none
        #[arg(long)]
        kept: bool,
        /// Print each unit
        #[arg(long)]
        units: bool,
    },
    /// Compares estimates with what Yosys makes of kernels that they are not fitted to
    Check {
        /// Families [default: all]
        families: Vec<String>,
        /// Only these kernels; docs/estimates.md is not written
        #[arg(long = "kernel")]
        kernels: Vec<String>,
        /// Measure none: only kernels that were measured before are compared
        #[arg(long)]
        kept: bool,
        /// Print each unit
        #[arg(long)]
        units: bool,
    },
    /// Places each unit and operator alone on an ECP5, and writes the table of clocks
    Clocks(clocks::Args),
    /// Fits the delays of an ECP5 to expressions, and compares operators with them
    Delays(delays::Args),
    /// Removes the areas of units that no kernel has any more from the files of measurements
    Forget,
    /// Places kernels on an ECP5 with `sluice synth`, and writes the table of what came of it
    Placed(placed::Args),
    /// Fits what units take alone to the clocks that were measured, and writes the table
    Units,
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Areas {
            families,
            kept,
            units,
        } => chosen(&families).and_then(|it| areas::run(&it, if_kept(kept), detail(units))),
        Command::Check {
            families,
            kernels,
            kept,
            units,
        } => {
            chosen(&families).and_then(|it| check::run(&it, &kernels, if_kept(kept), detail(units)))
        }
        Command::Clocks(args) => clocks::run(&args),
        Command::Delays(args) => delays::run(&args),
        Command::Forget => forget::run(),
        Command::Placed(args) => placed::run(&args),
        Command::Units => unit_delays::run(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            if let Some(JobError::Failed { transcript, .. }) = error.downcast_ref() {
                eprintln!("{}", transcript.lines.join("\n"));
            }
            ExitCode::FAILURE
        }
    }
}

fn if_kept(kept: bool) -> Unmeasured {
    match kept {
        true => Unmeasured::Skipped,
        false => Unmeasured::Mapped,
    }
}

fn detail(units: bool) -> Detail {
    match units {
        true => Detail::Units,
        false => Detail::Kinds,
    }
}

/// The families of these names; all, if there are none.
fn chosen(names: &[String]) -> Result<Vec<&'static Family>, Box<dyn Error>> {
    let find = |name: &String| {
        let known = Family::names().collect::<Vec<_>>().join(", ");
        Family::find(name).ok_or_else(|| format!("no family `{name}`: there are {known}").into())
    };
    match names.is_empty() {
        true => Ok(FAMILIES.into()),
        false => names.iter().map(find).collect(),
    }
}
