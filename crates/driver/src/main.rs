//! The command `sluice`.

use std::error::Error;
use std::fmt;
use std::io::{ErrorKind, IsTerminal, Write};
use std::process::ExitCode;

use clap::Parser;
use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, SourceCode};
use sluice_driver::cli::Cli;
use sluice_driver::{Failure, dispatch, split_clang_options};

fn main() -> ExitCode {
    let (ours, clang) = split_clang_options(std::env::args());
    let cli = match Cli::try_parse_from(ours) {
        Ok(cli) => cli,
        Err(message) => return show(&message),
    };
    match dispatch(cli, clang) {
        Ok(code) => code,
        Err(failure) => {
            report(&failure);
            ExitCode::from(failure.exit_code())
        }
    }
}

/// Prints help, or what is wrong with the command line.
fn show(message: &clap::Error) -> ExitCode {
    let code = u8::try_from(message.exit_code()).unwrap_or(2);
    let written = message.print().and_then(|()| std::io::stdout().flush());
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe && !message.use_stderr() => {
            write_error(&format!("error: cannot write standard output: {error}\n"));
            ExitCode::from(2)
        }
        Ok(()) | Err(_) => ExitCode::from(code),
    }
}

/// Writes to standard error. If that fails, there is nowhere to report it.
fn write_error(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// Prints a failure to standard error, in colours on a terminal only.
fn report(failure: &Failure) {
    match failure {
        // clang's words stand as they are.
        Failure::Rejected(text) => write_error(text),
        Failure::Program(diagnostics) => diagnostics.iter().for_each(|one| render(one)),
        Failure::Findings(message, reports) => {
            eprintln!("  {message}");
            reports.iter().for_each(|one| render(one));
        }
        other => render(other),
    }
}

/// Renders as `error[CODE]: message`, the source with the place marked, and help.
fn render(diagnostic: &dyn Diagnostic) {
    let mut theme = match std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none()
    {
        true => GraphicalTheme::unicode(),
        false => GraphicalTheme::unicode_nocolor(),
    };
    theme.characters.error = match diagnostic.code() {
        Some(code) => format!("error[{code}]:"),
        None => "error:".into(),
    };
    let mut text = String::new();
    GraphicalReportHandler::new_themed(theme)
        .with_wrap_lines(false)
        .render_report(&mut text, &WithoutCode(diagnostic))
        .expect("writing to a string succeeds");
    write_error(&text);
}

/// A diagnostic whose code stands elsewhere.
#[derive(Debug)]
struct WithoutCode<'a>(&'a dyn Diagnostic);

impl fmt::Display for WithoutCode<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.0, f)
    }
}

impl Error for WithoutCode<'_> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source()
    }
}

impl Diagnostic for WithoutCode<'_> {
    fn help(&self) -> Option<Box<dyn fmt::Display + '_>> {
        self.0.help()
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.0.source_code()
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        self.0.labels()
    }
}
