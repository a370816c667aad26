//! Checks a range of seeds and prints, for each finding, the smallest program that still shows it.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::ops::Range;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::{Parser, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use sluice_driver::CircuitExecutors;
use sluice_fuzz::{Choice, Circuits, Executors, Finding, Outcome, check};
use sluice_generator::{ArgSpec, Profile, Program, generate, loop_nest, shrink};
use sluice_oracle::{Implementation, build_binary};

/// Compares the interpreter with PoCL and with circuits, and optimised with unoptimised IR, on
/// random kernels
#[derive(Parser)]
struct Args {
    /// The seeds, as FIRST..LAST
    #[arg(value_parser = parse_range)]
    seeds: Range<u64>,

    /// How large the programs are
    #[arg(long, value_enum, default_value_t = Size::Usual)]
    size: Size,

    /// Also simulate the kernels' circuits, with 1, 2 or 4 datapaths or with a random plan, by seed
    #[arg(long)]
    circuits: bool,

    /// Also run the Verilog of every EVERYth program's circuit
    #[arg(long, value_name = "EVERY", requires = "circuits",
          value_parser = clap::value_parser!(u64).range(1..))]
    rtl: Option<u64>,

    /// More floats, and functions of them that every implementation computes in its own way
    #[arg(long, requires = "no_oracle")]
    elementary: bool,

    /// Do not run PoCL
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
    /// As small, with hundreds of work-items
    Crowded,
    /// Loop nests over arrays, for one or a few work-items
    Loops,
}

/// The maximum number of smaller programs to try for a finding; fewer if each has to be built by Verilator.
const ATTEMPTS: u32 = 3000;
const ATTEMPTS_WITH_RTL: u32 = 150;

fn parse_range(text: &str) -> Result<Range<u64>, String> {
    let range = text
        .split_once("..")
        .and_then(|(first, last)| Some(first.parse().ok()?..last.parse().ok()?));
    range.ok_or_else(|| "seeds are written FIRST..LAST".into())
}

impl Args {
    fn program(&self, seed: u64) -> Program {
        let profile = match self.size {
            Size::Loops => return loop_nest(seed),
            Size::Usual => Profile::default(),
            Size::Small => Profile::small(),
            Size::Crowded => Profile::crowded(),
        };
        let profile = match self.elementary {
            true => profile.with_elementary_functions(),
            false => profile,
        };
        generate(seed, &profile)
    }

    /// The executors for a seed.
    fn executors<'a>(
        &self,
        seed: u64,
        oracle: Option<&'a Implementation>,
        folder: &'a Path,
    ) -> Executors<'a> {
        let executors = match self.rtl {
            Some(every) if seed.is_multiple_of(every) => CircuitExecutors::SimulatorAndRtl(folder),
            Some(_) | None => CircuitExecutors::Simulator,
        };
        let circuits = self.circuits.then_some(Circuits {
            choice: match seed % 4 {
                0 => Choice::Datapaths(1),
                1 => Choice::Datapaths(2),
                2 => Choice::Datapaths(4),
                _ => Choice::RandomPlan(seed),
            },
            executors,
        });
        Executors { oracle, circuits }
    }
}

/// The outcomes of all seeds.
#[derive(Default)]
struct Tally {
    passed: u32,
    failed: u32,
    skipped: u32,
    refused: BTreeMap<String, u32>,
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
    let folder = match tempfile::tempdir() {
        Ok(folder) => folder,
        Err(error) => {
            eprintln!("there is no folder to build Verilog in: {error}");
            return ExitCode::from(3);
        }
    };
    let tally = check_all(&args, oracle.as_ref(), folder.path());
    let refused: u32 = tally.refused.values().sum();
    println!(
        "{} passed, {} failed, {} skipped",
        tally.passed,
        tally.failed,
        tally.skipped + refused
    );
    for (what, count) in &tally.refused {
        println!("{count} have no circuit: {what}");
    }
    match tally.failed {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// Without a progress bar, prints the progress from time to time, so that an interrupted run shows
/// what it covered.
struct Log {
    said: Instant,
}

impl Log {
    const SEEDS: u64 = 100;
    const TIME: Duration = Duration::from_secs(30);

    fn new() -> Option<Log> {
        let log = Log {
            said: Instant::now(),
        };
        (!std::io::stderr().is_terminal()).then_some(log)
    }

    fn say(&mut self, seeds: u64, findings: u32) {
        if seeds.is_multiple_of(Log::SEEDS) || self.said.elapsed() >= Log::TIME {
            eprintln!("{seeds} seeds, {findings} findings");
            self.said = Instant::now();
        }
    }
}

fn check_all(args: &Args, oracle: Option<&Implementation>, folder: &Path) -> Tally {
    let style = ProgressStyle::with_template("{pos}/{len} seeds, {elapsed} {wide_bar}")
        .expect("the template is well-formed");
    let progress = ProgressBar::new(args.seeds.end - args.seeds.start).with_style(style);
    let mut tally = Tally::default();
    let mut log = Log::new();
    for seed in args.seeds.clone() {
        let executors = args.executors(seed, oracle, folder);
        let program = args.program(seed);
        match check(&program, executors) {
            Ok(Outcome::Agreed) => tally.passed += 1,
            Ok(Outcome::Skipped) => tally.skipped += 1,
            Ok(Outcome::NoCircuit(what)) => *tally.refused.entry(what).or_default() += 1,
            Err(finding) => {
                tally.failed += 1;
                progress.suspend(|| {
                    println!("// seed {seed}: {finding}");
                    let smallest = match args.no_shrink {
                        true => program,
                        false => smallest(program, &finding, executors),
                    };
                    print(&smallest);
                });
            }
        }
        progress.inc(1);
        if let Some(log) = &mut log {
            log.say(progress.position(), tally.failed);
        }
    }
    progress.finish_and_clear();
    tally
}

/// The smallest program with a finding of the same kind.
fn smallest(program: Program, finding: &Finding, executors: Executors<'_>) -> Program {
    let kind = std::mem::discriminant(finding);
    let shows = |program: &Program, executors: Executors<'_>| {
        check(program, executors).is_err_and(|other| std::mem::discriminant(&other) == kind)
    };
    // Findings of the simulator do not need the Verilog to be built each time.
    let simulated = Executors {
        circuits: executors.circuits.map(|circuits| Circuits {
            executors: CircuitExecutors::Simulator,
            ..circuits
        }),
        ..executors
    };
    let (executors, mut left) = match executors.circuits.map(|circuits| circuits.executors) {
        Some(CircuitExecutors::SimulatorAndRtl(_)) if !shows(&program, simulated) => {
            (executors, ATTEMPTS_WITH_RTL)
        }
        Some(_) | None => (simulated, ATTEMPTS),
    };
    shrink(program, &mut |smaller| {
        left = left.saturating_sub(1);
        left > 0 && shows(smaller, executors)
    })
}

/// Prints a program with its launch.
fn print(program: &Program) {
    let sizes = |sizes: [u64; 3]| {
        let sizes = &sizes[..program.work_dim as usize];
        let sizes: Vec<String> = sizes.iter().map(u64::to_string).collect();
        sizes.join(",")
    };
    println!(
        "// global {}, local {}, offset {}",
        sizes(program.global),
        sizes(program.local),
        sizes(program.offset)
    );
    for arg in &program.args {
        match arg {
            ArgSpec::Buffer(index) => println!("// buffer {}", hex(&program.buffers[*index].bytes)),
            ArgSpec::Local(bytes) => println!("// {bytes} bytes of local memory"),
            ArgSpec::Value(bytes) => println!("// value {}", hex(bytes)),
        }
    }
    println!("{}", program.source);
}

fn hex(bytes: &[u8]) -> String {
    let bytes: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    bytes.concat()
}
