//! Judges a range of seeds and prints, for each finding, the smallest program that still shows it.

use std::ops::Range;
use std::process::ExitCode;

use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use sluice_fuzz::{Finding, judge};
use sluice_generator::{Profile, generate, shrink};
use sluice_oracle::Oracle;

/// Compares the interpreter with PoCL, and optimised with unoptimised IR, on random kernels
#[derive(Parser)]
struct Args {
    /// The seeds, as FIRST..LAST
    #[arg(value_parser = parse_range)]
    seeds: Range<u64>,

    /// Do not ask PoCL: compare optimised with unoptimised IR only
    #[arg(long)]
    no_oracle: bool,

    /// Print the program of each finding as generated, without making it smaller
    #[arg(long)]
    no_shrink: bool,
}

fn parse_range(text: &str) -> Result<Range<u64>, String> {
    let range = text
        .split_once("..")
        .and_then(|(first, last)| Some(first.parse().ok()?..last.parse().ok()?));
    range.ok_or_else(|| "seeds are written FIRST..LAST".into())
}

fn main() -> ExitCode {
    let args = Args::parse();
    let oracle = match args.no_oracle {
        true => None,
        false => match Oracle::pocl() {
            Ok(oracle) => Some(oracle),
            Err(error) => {
                eprintln!("{error}");
                return ExitCode::from(3);
            }
        },
    };
    let style = ProgressStyle::with_template("{pos}/{len} seeds, {elapsed} {wide_bar}")
        .expect("the template is well-formed");
    let progress = ProgressBar::new(args.seeds.end - args.seeds.start).with_style(style);
    let (mut passed, mut failed) = (0, 0);
    for seed in args.seeds.clone() {
        match judge(&generate(seed, &Profile::default()), oracle.as_ref()) {
            Ok(()) => passed += 1,
            Err(finding) => {
                failed += 1;
                progress.suspend(|| report(&args, seed, &finding, oracle.as_ref()));
            }
        }
        progress.inc(1);
    }
    progress.finish_and_clear();
    println!("{passed} passed, {failed} failed");
    match failed {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

fn report(args: &Args, seed: u64, finding: &Finding, oracle: Option<&Oracle>) {
    println!("// seed {seed}: {finding}");
    let program = generate(seed, &Profile::default());
    let smallest = match args.no_shrink {
        true => program,
        false => {
            let kind = std::mem::discriminant(finding);
            shrink(program, &mut |smaller| {
                judge(smaller, oracle).is_err_and(|other| std::mem::discriminant(&other) == kind)
            })
        }
    };
    println!("{}", smallest.source);
}
