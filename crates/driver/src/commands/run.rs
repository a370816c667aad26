//! `sluice run`: one launch of one kernel.

use std::io::Write;
use std::time::{Duration, Instant};

use serde::Serialize;
use sluice_kernel::Kernel;
use sluice_kernel::interp::{self, Checks, Options, Outcome};

use crate::cli::{Check, Dump, RunArgs};
use crate::compile::{compile, compile_unoptimised, single_kernel};
use crate::element::format_elements;
use crate::failure::Failure;
use crate::launch::{Prepared, distinct_buffers, prepare};
use crate::progress::Progress;

/// How many components of a buffer the summary shows.
const SHOWN: usize = 8;

pub(super) fn run(args: &RunArgs) -> Result<(), Failure> {
    let compiled = if args.no_passes {
        compile_unoptimised(&args.compile)?
    } else {
        compile(&args.compile)?
    };
    eprint!("{}", compiled.warnings);
    let kernel = single_kernel(compiled.kernels, &args.compile.file)?;
    let prepared = prepare(&kernel, &args.launch)?;
    check_dumps(&kernel, &prepared, &args.dump)?;

    let progress = Progress::start(format!("running {}", kernel.name));
    let start = Instant::now();
    let outcome = interp::run(&kernel, &prepared.launch, &prepared.memory, &options(args))
        .map_err(|fault| Failure::fault(fault, &args.compile.file))?;
    let elapsed = start.elapsed();
    progress.finish();

    for dump in &args.dump {
        write_dump(&kernel, &prepared, dump)?;
    }
    let report = Report::new(
        args,
        &kernel,
        &prepared,
        &outcome,
        [compiled.elapsed, elapsed],
    );
    if args.json {
        println!(
            "{}",
            serde_json::to_string(&report).expect("a report is plain data")
        );
    } else {
        print!("{}", report.summary(&kernel, &prepared));
    }
    Ok(())
}

fn options(args: &RunArgs) -> Options<'static> {
    let mut options = Options {
        checks: checks(&args.checks),
        threads: args.threads.unwrap_or_else(all_cores).max(1),
        print: Some(&print_to_stdout),
        ..Options::default()
    };
    if let Some(limit) = args.step_limit {
        options.step_limit = limit;
    }
    options
}

fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn print_to_stdout(text: &[u8]) {
    // A reader that has gone away ends the output, not the run.
    let _ = std::io::stdout().write_all(text);
}

fn checks(chosen: &[Check]) -> Checks {
    let wants = |check| chosen.contains(&check) || chosen.contains(&Check::All);
    Checks {
        bounds: wants(Check::Bounds),
        uninitialised: wants(Check::Uninitialised),
        races: wants(Check::Races),
        divergence: wants(Check::Divergence),
    }
}

fn check_dumps(kernel: &Kernel, prepared: &Prepared, dumps: &[Dump]) -> Result<(), Failure> {
    for dump in dumps {
        if prepared.buffer(kernel, dump.argument).is_none() {
            return Err(Failure::usage(
                format!("--dump: argument {} is no buffer", dump.argument),
                "only buffers can be written to a file",
            ));
        }
    }
    Ok(())
}

fn write_dump(kernel: &Kernel, prepared: &Prepared, dump: &Dump) -> Result<(), Failure> {
    let (buffer, _) = prepared
        .buffer(kernel, dump.argument)
        .expect("check_dumps accepted it");
    std::fs::write(&dump.path, buffer.to_bytes()).map_err(|source| Failure::File {
        action: "write",
        path: dump.path.display().to_string(),
        source,
    })
}

/// What `--json` prints.
#[derive(Serialize)]
struct Report<'a> {
    kernel: &'a str,
    device: &'static str,
    global: [u64; 3],
    local: [u64; 3],
    work_items: u64,
    instructions: u64,
    out_of_bounds: u64,
    compile_seconds: f64,
    run_seconds: f64,
}

impl<'a> Report<'a> {
    fn new(
        args: &RunArgs,
        kernel: &'a Kernel,
        prepared: &Prepared,
        outcome: &Outcome,
        [compile, run]: [Duration; 2],
    ) -> Report<'a> {
        let range = &prepared.launch.range;
        Report {
            kernel: &kernel.name,
            device: args.device.name(),
            global: range.global,
            local: range.local,
            work_items: range.work_items(),
            instructions: outcome.instructions,
            out_of_bounds: outcome.violations,
            compile_seconds: compile.as_secs_f64(),
            run_seconds: run.as_secs_f64(),
        }
    }

    fn summary(&self, kernel: &Kernel, prepared: &Prepared) -> String {
        let groups: u64 = prepared.launch.range.num_groups().iter().product();
        let mut text = format!(
            "{}: {} in {} of {}, {} on {}\n\
             compiled in {:.3} s, ran in {:.3} s\n",
            self.kernel,
            counted(self.work_items, "work-item"),
            counted(groups, "group"),
            prepared.launch.range.group_size(),
            counted(self.instructions, "instruction"),
            self.device,
            self.compile_seconds,
            self.run_seconds,
        );
        if self.out_of_bounds > 0 {
            let accesses = counted_as(self.out_of_bounds, "access", "accesses");
            text += &format!("{accesses} out of bounds had no effect\n");
        }
        for (argument, _) in distinct_buffers(&prepared.launch) {
            text += &buffer_line(kernel, prepared, argument);
        }
        text
    }
}

fn counted(count: u64, noun: &str) -> String {
    counted_as(count, noun, &format!("{noun}s"))
}

fn counted_as(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

fn buffer_line(kernel: &Kernel, prepared: &Prepared, argument: usize) -> String {
    let (buffer, pointee) = prepared
        .buffer(kernel, argument)
        .expect("distinct_buffers lists buffers only");
    let components = format_elements(pointee, &buffer.to_bytes());
    let param = &kernel.params[argument];
    let shown = components[..components.len().min(SHOWN)].join(" ");
    let more = if components.len() > SHOWN { " ..." } else { "" };
    format!(
        "  {argument}: {} {} = {shown}{more} ({})\n",
        param.type_name,
        param.name,
        components.len()
    )
}
