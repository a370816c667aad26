//! The command `sluice`.

use std::io::IsTerminal;
use std::process::ExitCode;

use clap::Parser;
use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme};
use sluice_driver::cli::Cli;
use sluice_driver::{Failure, dispatch, split_clang_options};

fn main() -> ExitCode {
    let (ours, clang) = split_clang_options(std::env::args());
    let cli = Cli::parse_from(ours);
    match dispatch(cli, clang) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            report(&failure);
            ExitCode::from(failure.exit_code())
        }
    }
}

/// Prints a failure to standard error, in colours on a terminal only.
fn report(failure: &Failure) {
    match failure {
        // clang's words stand as they are.
        Failure::Rejected(text) => eprint!("{text}"),
        Failure::Program(diagnostics) => diagnostics.iter().for_each(|one| render(one)),
        other => render(other),
    }
}

fn render(diagnostic: &dyn Diagnostic) {
    let theme = match std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none() {
        true => GraphicalTheme::unicode(),
        false => GraphicalTheme::unicode_nocolor(),
    };
    let mut text = String::new();
    GraphicalReportHandler::new_themed(theme)
        .render_report(&mut text, diagnostic)
        .expect("writing to a string succeeds");
    eprint!("{text}");
}
