//! `sluice-calibrate placed`: what `sluice synth` makes of kernels for an ECP5, as a table.

use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Deserialize;

use crate::kernels::{HELD_OUT, root};

#[derive(clap::Args)]
pub struct Args {
    /// The `sluice` command
    #[arg(long, default_value = "target/release/sluice")]
    sluice: PathBuf,
    /// Kernels [default: all]; the table says of the others that they are not measured
    kernels: Vec<String>,
}

/// What `sluice synth --json` says of a design.
#[derive(Deserialize)]
struct Report {
    #[serde(flatten)]
    area: Area,
    mhz: f64,
    target_mhz: f64,
    /// nextpnr's seed, if it is not its own.
    #[serde(skip)]
    seed: Option<u32>,
    estimate: Estimate,
    critical_path: Vec<Step>,
    advice: Vec<String>,
    seconds: f64,
}

#[derive(Deserialize)]
struct Estimate {
    #[serde(flatten)]
    area: Area,
    mhz: f64,
}

#[derive(Deserialize)]
struct Area {
    luts: u32,
    registers: u32,
    multipliers: u32,
    block_memories: u32,
}

/// A part of a critical path.
#[derive(Deserialize)]
struct Step {
    unit: Option<String>,
    part: Option<String>,
    kind: String,
    lines: Vec<Line>,
    logic_ns: f64,
    routing_ns: f64,
}

#[derive(Deserialize)]
struct Line {
    line: u32,
}

const INTRODUCTION: &str = "# Kernels on an ECP5-85

Written by `make synth-kernels`: what `sluice synth --target ecp5-85` makes of ten kernels of `tools/bench/kernels`,
mapped by Yosys 0.23, placed and routed by nextpnr-ecp5 0.11 (WebAssembly). LUTs, registers, multipliers, block
memories and clock, each beside its estimate; what the tools took, in minutes of a machine that does other work too.
No estimate of areas is fitted to these kernels. Where nextpnr's own seed misses the target's 140 MHz, the best of three
seeds counts, which is named then: a placement is a few percent faster or slower than another.

| kernel | LUTs | estimate | registers | estimate | multipliers | block memories | MHz | estimate | minutes |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
";

/// Seeds that are tried where nextpnr's own misses the target's clock.
const SEEDS: [u32; 2] = [2, 3];

/// Runs `sluice synth` on kernels.
pub fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    let is_wanted =
        |name: &str| args.kernels.is_empty() || args.kernels.iter().any(|it| it == name);
    let mut reports = Vec::new();
    for name in HELD_OUT {
        let report = match is_wanted(name) {
            true => Some(best(&args.sluice, name).map_err(|error| format!("{name}: {error}"))?),
            false => None,
        };
        println!("{}", row(name, report.as_ref()));
        reports.push((name, report));
    }
    fs::write(root().join("docs/synthesis.md"), page(&reports))?;
    Ok(())
}

/// What comes of nextpnr's own seed or, if that misses the target's clock, of the best of some.
fn best(sluice: &Path, kernel: &str) -> Result<Report, Box<dyn Error>> {
    let mut best = synth(sluice, kernel, None)?;
    for seed in SEEDS {
        if best.mhz >= best.target_mhz {
            break;
        }
        let other = synth(sluice, kernel, Some(seed))?;
        if other.mhz > best.mhz {
            best = other;
        }
    }
    Ok(best)
}

fn synth(sluice: &Path, kernel: &str, seed: Option<u32>) -> Result<Report, Box<dyn Error>> {
    let mut command = Command::new(sluice);
    command.args(["synth", "--json", "--target", "ecp5-85"]);
    if let Some(seed) = seed {
        command.args(["--seed", &seed.to_string()]);
    }
    let output = command
        .arg(root().join(format!("tools/bench/kernels/{kernel}.cl")))
        .stderr(Stdio::inherit())
        .output()?;
    if !output.status.success() {
        return Err("sluice synth has failed".into());
    }
    let mut reports: Vec<Report> = serde_json::from_slice(&output.stdout)?;
    let report = reports.pop().ok_or("no design")?;
    Ok(Report { seed, ..report })
}

/// A number beside its estimate.
fn compared(size: u32, estimate: u32) -> String {
    let percent = 100.0 * (f64::from(estimate) / f64::from(size.max(1)) - 1.0);
    format!("{size} | {percent:+.1} %")
}

/// A row of the table.
fn row(name: &str, report: Option<&Report>) -> String {
    let Some(report) = report else {
        return format!("| {name} | not measured |{}", " |".repeat(8));
    };
    let (area, estimate) = (&report.area, &report.estimate);
    let blocks = |size, estimate| match size == estimate {
        true => format!("{size}"),
        false => format!("{size}, estimate {estimate}"),
    };
    format!(
        "| {name} | {} | {} | {} | {} | {:.1}{} | {:+.1} % | {:.1} |",
        compared(area.luts, estimate.area.luts),
        compared(area.registers, estimate.area.registers),
        blocks(area.multipliers, estimate.area.multipliers),
        blocks(area.block_memories, estimate.area.block_memories),
        report.mhz,
        report
            .seed
            .map_or_else(String::new, |seed| format!(" (seed {seed})")),
        100.0 * (estimate.mhz / report.mhz - 1.0),
        report.seconds / 60.0,
    )
}

fn page(reports: &[(&str, Option<Report>)]) -> String {
    let mut text = INTRODUCTION.to_owned();
    for (name, report) in reports {
        text += &row(name, report.as_ref());
        text.push('\n');
    }
    text += "\n## Critical paths\n";
    let measured = reports.iter();
    for (name, report) in measured.filter_map(|(name, report)| Some((name, report.as_ref()?))) {
        write!(text, "\n{name}, {:.1} ns:\n\n", 1000.0 / report.mhz).expect("a string grows");
        text += "| unit | what it is | source lines | logic, ns | wires, ns |\n";
        text += "| --- | --- | --- | ---: | ---: |\n";
        for step in &report.critical_path {
            text += &path_row(step);
        }
        text.push('\n');
        for advice in &report.advice {
            writeln!(text, "- {advice}").expect("a string grows");
        }
    }
    text
}

/// A step of a critical path, as a row.
fn path_row(step: &Step) -> String {
    let unit = step.unit.as_deref().unwrap_or("-");
    let part = step.part.iter().map(|part| format!(", {part}"));
    let lines: Vec<String> = step.lines.iter().map(|it| it.line.to_string()).collect();
    format!(
        "| {unit}{} | {} | {} | {:.1} | {:.1} |\n",
        part.collect::<String>(),
        step.kind,
        lines.join(", "),
        step.logic_ns,
        step.routing_ns,
    )
}
