//! `sluice-accuracy`: measures the builtin mathematics and prints the table; fails if a function is beyond its bound.

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use sluice_accuracy::inputs::Inputs;
use sluice_accuracy::{Density, Error, Finding, Function, Program, Type, functions, table};

/// Measures every builtin function of OpenCL C's mathematics against a reference of higher precision.
#[derive(Parser)]
#[command(name = "sluice-accuracy")]
struct Options {
    /// Only the functions of this name; may be repeated.
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Only this type; may be repeated.
    #[arg(long = "type", value_enum)]
    types: Vec<Type>,
    /// All 2^32 inputs for functions of one float.
    #[arg(long)]
    exhaustive: bool,
    /// Fewer inputs: what the tests try.
    #[arg(long, conflicts_with_all = ["exhaustive", "write"])]
    quick: bool,
    /// JSON instead of Markdown.
    #[arg(long)]
    json: bool,
    /// Writes the table to docs/accuracy.md instead of printing it.
    #[arg(long, conflicts_with_all = ["json", "only", "types"])]
    write: bool,
}

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(options: &Options) -> Result<ExitCode, Box<dyn std::error::Error>> {
    let mut chosen = functions::all();
    let all: Vec<&str> = chosen.iter().map(|function| function.name).collect();
    if let Some(unknown) = options
        .only
        .iter()
        .find(|name| !all.contains(&name.as_str()))
    {
        return Err(format!("there is no function `{unknown}`").into());
    }
    chosen.retain(|function| {
        let named = options.only.iter().any(|name| name == function.name);
        (options.only.is_empty() || named)
            && (options.types.is_empty() || options.types.contains(&function.ty))
    });
    let density = match (options.exhaustive, options.quick) {
        (true, _) => Density::Exhaustive,
        (_, true) => Density::Quick,
        (false, false) => Density::Dense,
    };
    let findings = measure(&chosen, density)?;
    let holds = findings.iter().all(Finding::holds);
    if options.write {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/accuracy.md");
        std::fs::write(page, table::markdown(&findings))?;
    } else if options.json {
        println!("{}", table::json(&findings));
    } else {
        print!("{}", table::markdown(&findings));
    }
    Ok(match holds {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

/// Measures in groups, since a module of all functions takes long to compile.
fn measure(chosen: &[Function], density: Density) -> Result<Vec<Finding>, Error> {
    let total = chosen
        .iter()
        .map(|function| Inputs::of(function, density).count());
    let bar = ProgressBar::new(total.sum());
    let style = "{msg:20} {wide_bar} {percent} % ({eta} left)";
    bar.set_style(ProgressStyle::with_template(style).expect("a template that indicatif knows"));
    bar.enable_steady_tick(Duration::from_millis(200));
    let mut findings = Vec::with_capacity(chosen.len());
    for group in chosen.chunks(8) {
        let program = Program::compile(group)?;
        for function in program.functions() {
            bar.set_message(format!("{} {}", function.name, function.ty.name()));
            findings.push(program.measure(function, density, &|count| bar.inc(count))?);
        }
    }
    bar.finish_and_clear();
    Ok(findings)
}
