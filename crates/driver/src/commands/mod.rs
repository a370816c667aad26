//! The commands, one file each.

mod build;
mod designs;
mod exec;
mod ir;
mod opt;
mod plan;
mod run;
mod synth;
mod targets;
mod test;

use std::process::ExitCode;

use sluice_circuit::circuit::Circuit;

use crate::board::Board;
use crate::cli::{Cli, Command, PlanArgs};
use crate::failure::Failure;
use crate::fit;
use crate::output::{Output, warn};

/// Carries out a command, with the options meant for clang.
pub fn dispatch(cli: Cli, clang: Vec<String>) -> Result<ExitCode, Failure> {
    match cli.command {
        Command::Exec(args) => {
            refuse_clang_options(&clang)?;
            exec::exec(&args)
        }
        command => {
            let output = Output::default();
            let done = carry_out(command, clang, &output);
            // What a failed command has shown so far is written all the same.
            let written = output.finish();
            done.and(written).map(|()| ExitCode::SUCCESS)
        }
    }
}

fn carry_out(command: Command, clang: Vec<String>, output: &Output) -> Result<(), Failure> {
    match command {
        Command::Exec(_) => unreachable!("`dispatch` does it"),
        Command::Run(mut args) => {
            args.compile.clang = clang;
            run::run(&args, output)
        }
        Command::Build(mut args) => {
            args.designs.compile.clang = clang;
            build::build(&args, output)
        }
        Command::Synth(mut args) => {
            args.designs.compile.clang = clang;
            synth::synth(&args, output)
        }
        Command::Ip(args) => {
            refuse_clang_options(&clang)?;
            build::ip(&args.output, output)
        }
        Command::Ir(mut args) => {
            args.compile.clang = clang;
            ir::ir(&args, output)
        }
        Command::Plan(mut args) => {
            args.compile.clang = clang;
            plan::plan(&args, output)
        }
        Command::Opt(args) => {
            refuse_clang_options(&clang)?;
            opt::opt(&args, output)
        }
        Command::Targets => {
            refuse_clang_options(&clang)?;
            targets::targets(output)
        }
        Command::Test(args) => {
            refuse_clang_options(&clang)?;
            test::test(&args, output)
        }
    }
}

/// Refuses a circuit that does not fit its board, unless `--oversize` says that this is meant.
fn check_fit(
    circuit: &Circuit,
    board: &Board,
    datapaths: u32,
    args: &PlanArgs,
) -> Result<(), Failure> {
    match fit::check(circuit, datapaths, board) {
        Ok(()) => Ok(()),
        Err(oversize) if args.oversize => {
            warn(format_args!("warning: {}: {oversize}\n", circuit.name));
            Ok(())
        }
        Err(oversize) => Err(Failure::Oversize {
            design: circuit.name.clone(),
            oversize,
        }),
    }
}

fn refuse_clang_options(clang: &[String]) -> Result<(), Failure> {
    match clang {
        [] => Ok(()),
        [first, ..] => Err(Failure::usage(
            format!("`{first}` is an option for clang, which this command does not call"),
            "give it to `sluice run`, `build` or `ir`, or on a test's launch line",
        )),
    }
}
