//! `sluice-calibrate`: fits the tables that estimates are made from to what synthesis tools make of
//! our units.

mod kernels;
mod measure;

use std::error::Error;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use sluice_circuit::family::Family;

use measure::Measurer;

/// Fits the tables that estimates are made from to what synthesis tools make of units.
#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Measures units with Yosys and prints what they take
    Measure {
        /// Families [default: all]
        families: Vec<String>,
    },
}

type Done = Result<(), Box<dyn Error>>;

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Measure { families } => measure_units(&families),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn measure_units(families: &[String]) -> Done {
    let programs = kernels::held_out()?;
    for name in families {
        let family = Family::find(name).ok_or_else(|| format!("no family `{name}`"))?;
        let board = kernels::board(family)?;
        let mut measurer = Measurer::new(board.target)?;
        let kinds = kernels::distinct(&programs, &board);
        let kinds = kinds.into_values().map(|(kind, _)| kind).collect();
        println!("{}", family.resources.names().join(" "));
        for unit in measurer.measure(kinds)? {
            println!("{:?} {}", unit.cost.counts(), kernels::text(&*unit.kind));
        }
        println!("Yosys ran for {:.0} s", measurer.spent.as_secs_f64());
    }
    Ok(())
}
