//! `sluice synth`: kernels through open synthesis tools, and what came of it.

use std::fs::{self, File};
use std::path::Path;

use sluice_kernel::Program;
use sluice_synth::job::{JobError, log_name};
use sluice_synth::nextpnr::REPORT as PLACED;
use sluice_synth::{ecppack, interrupt, yosys};

use crate::board::Board;
use crate::cli::SynthArgs;
use crate::commands::designs::{design, programs};
use crate::failure::Failure;
use crate::files::write_file;
use crate::fit;
use crate::output::Output;
use crate::progress::Progress;
use crate::synthesis::{PinnedDesign, Report, Request, Synthesised, measured, pinned, synthesise};

pub(super) fn synth(args: &SynthArgs, output: &Output) -> Result<(), Failure> {
    let board = args.designs.plan.board()?;
    let programs = programs(&args.designs, &board)?;
    if let Some(folder) = &args.output {
        // Before minutes are spent on what cannot be written.
        fs::create_dir_all(folder).map_err(|source| unwritable(folder, source))?;
    }
    interrupt::watch().map_err(|error| {
        let message = format!("cannot watch for signals: {error}");
        let help = "this is a fault of the system".into();
        Failure::Tool { message, help }
    })?;
    let mut reports = Vec::new();
    for program in programs {
        let report = synth_design(args, &board, program)?;
        if !args.json {
            let gap = if reports.is_empty() { "" } else { "\n" };
            output.show(format_args!("{gap}{report}"));
        }
        reports.push(report);
    }
    if args.json {
        output.line(serde_json::to_string(&reports).expect("reports are plain data"));
    }
    Ok(())
}

fn synth_design(args: &SynthArgs, board: &Board, program: Program) -> Result<Report, Failure> {
    let progress = Progress::start(format!("building {}", program.name()));
    let design = design(&args.designs, board, program)?;
    let datapaths = design.datapaths;
    let shell = design.into_shell();
    let pinned = pinned(&shell);
    let name = &shell.circuit.name;
    let folder = args.output.as_ref().map(|folder| folder.join(name));
    let request = Request {
        name,
        design: &pinned.design,
        board,
        seed: args.seed,
        logs: folder.as_deref(),
    };
    let result = synthesise(&request, &progress)
        .map_err(|error| Failure::synthesis(error, name, &board.name, folder.as_deref()))?;
    progress.finish();
    let cost = measured(&result.netlist, board);
    if let Err(oversize) = fit::check_cost(&cost, datapaths, board)
        && !args.designs.plan.oversize
    {
        return Err(Failure::does_not_fit(name, &oversize));
    }
    let file = &args.designs.compile.file;
    let mut report = Report::of(&shell.circuit, file, board, datapaths, &result);
    if let Some(folder) = &folder {
        write(&mut report, folder, &pinned, &result)?;
    }
    Ok(report)
}

/// Writes everything that there is of a design. Runs that write to the same folder at the same time
/// do so one after the other.
fn write(
    report: &mut Report,
    folder: &Path,
    pinned: &PinnedDesign,
    result: &Synthesised,
) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(|source| unwritable(folder, source))?;
    let lock = File::open(folder).and_then(|it| it.lock().map(|()| it));
    let _lock = lock.map_err(|source| unwritable(folder, source))?;
    let copy = |from: &str, to: &str| {
        let bytes = fs::read(result.folder.join(from)).map_err(|source| Failure::File {
            action: "read",
            path: result.folder.join(from).display().to_string(),
            source,
        })?;
        write_file(folder, to, bytes)
    };
    for file in &pinned.files {
        write_file(folder, &file.name, &file.text)?;
    }
    let names = pinned.files.iter().map(|file| file.name.clone() + "\n");
    write_file(folder, "files.f", names.collect::<String>())?;
    copy(yosys::NETLIST, yosys::NETLIST)?;
    for log in result.record.logs() {
        copy(log, log)?;
    }
    if result.placed.is_some() {
        copy(PLACED, PLACED)?;
        let bitstream = format!("{}.bit", report.design);
        copy(ecppack::BITSTREAM, &bitstream)?;
        report.bitstream = Some(folder.join(bitstream));
    }
    report.folder = Some(folder.to_owned());
    let json = serde_json::to_string_pretty(report).expect("reports are plain data");
    write_file(folder, "report.json", json + "\n")?;
    write_file(folder, "report.txt", report.text())
}

fn unwritable(folder: &Path, source: std::io::Error) -> Failure {
    Failure::File {
        action: "write",
        path: folder.display().to_string(),
        source,
    }
}

impl Failure {
    /// The tools gave no result for a design; logs are in `folder`, if it is given.
    fn synthesis(error: JobError, design: &str, target: &str, folder: Option<&Path>) -> Failure {
        let message = format!("{design}: {error}");
        match &error {
            JobError::Interrupted => Failure::Interrupted,
            JobError::Missing(missing) => Failure::Tool {
                message: missing.to_string(),
                help: missing.help(),
            },
            JobError::Failed {
                name, transcript, ..
            } => {
                let log = match folder {
                    Some(folder) => {
                        format!("its whole log is {}", folder.join(log_name(name)).display())
                    }
                    None => "-o DIR keeps its whole log".into(),
                };
                match transcript.says_no_room() {
                    true => Failure::Unplaced {
                        message,
                        help: format!("the design is too large for {target}: {SMALLER}; {log}"),
                    },
                    false => Failure::Tool { message, help: log },
                }
            }
            JobError::System { .. } | JobError::Unexpected { .. } => Failure::Tool {
                message,
                help: "is there space left for temporary files?".into(),
            },
        }
    }

    /// A design has been mapped and needs more than the chip has.
    fn does_not_fit(design: &str, oversize: &fit::Oversize) -> Failure {
        let needs = oversize.exceeded.iter().map(|usage| {
            format!(
                "{} {} are needed, the chip has {}",
                usage.used, usage.resource, usage.available
            )
        });
        let needs: Vec<String> = needs.collect();
        Failure::Unplaced {
            message: format!(
                "{design} does not fit {}: {}",
                oversize.target,
                needs.join("; ")
            ),
            help: format!("{SMALLER}; --oversize shows what it takes all the same"),
        }
    }
}

/// What makes a design smaller.
const SMALLER: &str = "take fewer --datapaths, smaller caches (`cache_bytes` in a plan: see `sluice \
                       plan`) or another --target";
