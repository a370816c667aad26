//! Judges a range of seeds and prints, for each finding, the smallest program that still shows it.

use std::ops::Range;
use std::process::ExitCode;

use clap::{Parser, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use sluice_fuzz::{Finding, Verdict, judge};
use sluice_generator::{Profile, generate, shrink};
use sluice_oracle::{Implementation, build_binary};

/// Compares the interpreter with PoCL, and optimised with unoptimised IR, on random kernels
#[derive(Parser)]
struct Args {
    /// The seeds, as FIRST..LAST
    #[arg(value_parser = parse_range)]
    seeds: Range<u64>,

    /// How large the programs are
    #[arg(long, value_enum, default_value_t = Size::Usual)]
    size: Size,

    /// Do not ask PoCL: compare optimised with unoptimised IR only
    #[arg(long)]
    no_oracle: bool,

    /// Print the program of each finding as generated, without making it smaller
    #[arg(long)]
    no_shrink: bool,
}

/// How large programs are.
#[derive(Clone, Copy, ValueEnum)]
enum Size {
    /// About a hundred lines
    Usual,
    /// As small as makes sense: several times as many fit into the same time
    Small,
}

impl Size {
    fn profile(self) -> Profile {
        match self {
            Size::Usual => Profile::default(),
            Size::Small => Profile::small(),
        }
    }
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
        false => match build_binary() {
            Ok(binary) => Some(Implementation::pocl(binary)),
            Err(error) => {
                eprintln!("{error}");
                return ExitCode::from(3);
            }
        },
    };
    let style = ProgressStyle::with_template("{pos}/{len} seeds, {elapsed} {wide_bar}")
        .expect("the template is well-formed");
    let progress = ProgressBar::new(args.seeds.end - args.seeds.start).with_style(style);
    let (mut passed, mut failed, mut skipped) = (0, 0, 0);
    for seed in args.seeds.clone() {
        match judge(&generate(seed, &args.size.profile()), oracle.as_ref()) {
            Ok(Verdict::Agreed) => passed += 1,
            Ok(Verdict::Skipped) => skipped += 1,
            Err(finding) => {
                failed += 1;
                progress.suspend(|| report(&args, seed, &finding, oracle.as_ref()));
            }
        }
        progress.inc(1);
    }
    progress.finish_and_clear();
    println!("{passed} passed, {failed} failed, {skipped} skipped");
    match failed {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

fn report(args: &Args, seed: u64, finding: &Finding, oracle: Option<&Implementation>) {
    println!("// seed {seed}: {finding}");
    let program = generate(seed, &args.size.profile());
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
