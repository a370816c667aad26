//! `sluice-accuracy`: measures the builtin mathematics and prints the table; fails if a function is beyond its bound.

use std::io;
use std::path::Path;
use std::process::ExitCode;
use std::slice;
use std::time::Duration;

use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use sluice_accuracy::inputs::Inputs;
use sluice_accuracy::{Density, Finding, Function, Program, Type, functions, table};

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
    /// Functions of one float on all 2^32 inputs, and no others: about two minutes of a processor each.
    #[arg(long)]
    exhaustive: bool,
    /// Fewer inputs: what the tests try.
    #[arg(long, conflicts_with_all = ["exhaustive", "write"])]
    quick: bool,
    /// JSON instead of Markdown.
    #[arg(long)]
    json: bool,
    /// Writes the rows to docs/accuracy.md, or docs/accuracy-of-all-floats.md if exhaustive, instead of printing
    /// them; after every function, so that a long run can be stopped and continued with --only.
    #[arg(long, conflicts_with = "json")]
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
            && (!options.exhaustive || function.is_of_one_float())
    });
    let density = match (options.exhaustive, options.quick) {
        (true, _) => Density::Exhaustive,
        (_, true) => Density::Quick,
        (false, false) => Density::Dense,
    };
    let findings = measure(&chosen, density, |finding| match options.write {
        true => write(finding, density),
        false => Ok(()),
    })?;
    let holds = findings.iter().all(Finding::holds);
    if options.json {
        println!("{}", table::json(&findings));
    } else if !options.write {
        print!("{}", table::markdown(&findings, density));
    }
    Ok(match holds {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

/// Writes a row of the page.
fn write(finding: &Finding, density: Density) -> io::Result<()> {
    let page = match density {
        Density::Quick | Density::Dense => "accuracy.md",
        Density::Exhaustive => "accuracy-of-all-floats.md",
    };
    let page = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../docs")
        .join(page);
    let old = match std::fs::read_to_string(&page) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        old => old?,
    };
    std::fs::write(page, table::merged(&old, slice::from_ref(finding), density))
}

/// Measures in groups, since a module of all functions takes long to compile; calls `found` with every finding.
fn measure(
    chosen: &[Function],
    density: Density,
    found: impl Fn(&Finding) -> io::Result<()>,
) -> Result<Vec<Finding>, Box<dyn std::error::Error>> {
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
            let finding = program.measure(function, density, &|count| bar.inc(count))?;
            found(&finding)?;
            findings.push(finding);
        }
    }
    bar.finish_and_clear();
    Ok(findings)
}
