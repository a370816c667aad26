//! The commands, one file each.

mod build;
mod exec;
mod ir;
mod opt;
mod run;
mod targets;
mod test;

use std::process::ExitCode;

use crate::cli::{Cli, Command};
use crate::failure::Failure;

/// Carries out a command, with the options meant for clang.
pub fn dispatch(cli: Cli, clang: Vec<String>) -> Result<ExitCode, Failure> {
    match cli.command {
        Command::Exec(args) => {
            refuse_clang_options(&clang)?;
            exec::exec(&args)
        }
        command => carry_out(command, clang).map(|()| ExitCode::SUCCESS),
    }
}

fn carry_out(command: Command, clang: Vec<String>) -> Result<(), Failure> {
    match command {
        Command::Exec(_) => unreachable!("`dispatch` does it"),
        Command::Run(mut args) => {
            args.compile.clang = clang;
            run::run(&args)
        }
        Command::Build(mut args) => {
            args.compile.clang = clang;
            build::build(&args)
        }
        Command::Ip(args) => {
            refuse_clang_options(&clang)?;
            build::ip(&args.output)
        }
        Command::Ir(mut args) => {
            args.compile.clang = clang;
            ir::ir(&args)
        }
        Command::Opt(args) => {
            refuse_clang_options(&clang)?;
            opt::opt(&args)
        }
        Command::Targets => {
            refuse_clang_options(&clang)?;
            targets::targets()
        }
        Command::Test(args) => {
            refuse_clang_options(&clang)?;
            test::test(&args)
        }
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
